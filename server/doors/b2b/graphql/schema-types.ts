// Written by `npm run generate` from schema.graphql. Change that file, and not this one.

/** The fields of each object type: their results and their arguments. */
export interface SchemaObjects {
  Query: {
    companyRoles: { result: { of: 'CompanyRolesTypeCountableConnection' } | null; args: { companyId?: number | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null } }
    companyRole: { result: { of: 'CompanyRoleType' } | null; args: { companyId?: number | null; roleId: number } }
    companyPermissions: { result: readonly ({ of: 'CompanyPermissionsType' } | null)[] | null; args: object }
    accountSettings: { result: { of: 'AccountSettingType' } | null; args: { companyId: number } }
    customerAccountSettings: { result: { of: 'CustomerAccountSettingsType' } | null; args: object }
    invoices: { result: { of: 'InvoiceTypeCountableConnection' } | null; args: { companyIds: readonly (number | null)[] | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null; invoiceNumber?: string | null; type?: string | null; orderNumber?: string | null; purchaseOrderNumber?: string | null; externalCustomerId?: string | null; storeHash?: string | null; externalId?: string | null; status?: readonly (string | null)[] | null; beginDateAt?: number | null; endDateAt?: number | null; idIn?: string | null; beginDueDateAt?: number | null; endDueDateAt?: number | null } }
    invoice: { result: { of: 'InvoiceType' } | null; args: { invoiceId: number } }
    invoiceStats: { result: { of: 'InvoiceStatsType' } | null; args: { status: number; companyIds: readonly (number | null)[] | null; decimalPlaces?: number | null } }
    invoiceCustomerInformation: { result: { of: 'InvoiceCustomerInformationType' } | null; args: object }
    invoicePaymentModules: { result: readonly ({ of: 'PaymentModuleType' } | null)[] | null; args: object }
    invoiceBcOrderAllowMethods: { result: { of: 'BcOrderAllowMethodsType' } | null; args: object }
    invoicePaymentBcCart: { result: { of: 'PaymentRelatedCartType' } | null; args: { paymentId: number } }
    invoicePaymentFees: { result: { of: 'PaymentFeesType' } | null; args: object }
    receipts: { result: { of: 'ReceiptTypeCountableConnection' } | null; args: { paymentStatus?: readonly (number | null)[] | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    receipt: { result: { of: 'ReceiptType' } | null; args: { id: number } }
    allReceiptLines: { result: { of: 'ReceiptLinesTypeCountableConnection' } | null; args: { paymentStatus?: readonly (number | null)[] | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null; invoiceId?: string | null } }
    receiptLine: { result: { of: 'ReceiptLinesType' } | null; args: { id: number } }
    receiptLines: { result: { of: 'ReceiptLinesTypeCountableConnection' } | null; args: { receiptId: number; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null; invoiceId?: string | null } }
    order: { result: { of: 'BcOrderType' } | null; args: { id: number } }
    allOrders: { result: { of: 'OrderTypeCountableConnection' } | null; args: { companyIds: readonly (number | null)[] | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; q?: string | null; companyId?: number | null; bcOrderId?: number | null; poNumber?: string | null; extraInt1?: number | null; extraInt2?: number | null; extraInt3?: number | null; extraInt4?: number | null; extraInt5?: number | null; extraStr1?: string | null; extraStr2?: string | null; extraStr3?: string | null; extraStr4?: string | null; extraStr5?: string | null; beginDateAt?: string | null; endDateAt?: string | null; companyName?: string | null; search?: string | null; status?: string | null; email?: string | null; orderBy?: string | null; extraStr1_In?: string | null; isShowMy?: string | null; createdBy?: string | null } }
    orderProducts: { result: readonly ({ of: 'OrderProductType' } | null)[] | null; args: { bcOrderId: number } }
    orderedProducts: { result: { of: 'OrderedProductTypeCountableConnection' } | null; args: { channelId: number | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; q?: string | null; productId?: number | null; beginDateAt?: string | null; endDateAt?: string | null; minOrderedTimes?: number | null; maxOrderedTimes?: number | null; orderBy?: string | null } }
    customerOrders: { result: { of: 'OrderTypeCountableConnection' } | null; args: { channelId: number | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; q?: string | null; companyId?: number | null; bcOrderId?: number | null; poNumber?: string | null; extraInt1?: number | null; extraInt2?: number | null; extraInt3?: number | null; extraInt4?: number | null; extraInt5?: number | null; extraStr1?: string | null; extraStr2?: string | null; extraStr3?: string | null; extraStr4?: string | null; extraStr5?: string | null; beginDateAt?: string | null; endDateAt?: string | null; companyName?: string | null; search?: string | null; status?: string | null; email?: string | null; orderBy?: string | null; extraStr1_In?: string | null; isShowMy?: string | null; createdBy?: string | null; companyIds?: readonly (number | null)[] | null } }
    customerOrder: { result: { of: 'BcOrderType' } | null; args: { id: number } }
    createdByUser: { result: { of: 'CreateByType' } | null; args: { companyId: number; module: number } }
    shoppingLists: { result: { of: 'ShoppingListPageTypeCountableConnection' } | null; args: { isShowMy?: boolean | null; isDefault?: boolean | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; status?: readonly (number | null)[] | null; orderBy?: string | null; createdBy?: string | null; email?: string | null } }
    shoppingList: { result: { of: 'ShoppingListType' } | null; args: { id: number } }
    shoppingListsIdName: { result: readonly ({ of: 'ShoppingListIdNameType' } | null)[] | null; args: object }
    customerShoppingLists: { result: { of: 'CustomerShoppingListPageTypeCountableConnection' } | null; args: { channelId: number | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    customerShoppingList: { result: { of: 'CustomerShoppingListType' } | null; args: { id: number } }
    customerShoppingListsIdName: { result: readonly ({ of: 'CustomerShoppingListIdNameType' } | null)[] | null; args: { channelId: number | null } }
    companyExtraFields: { result: readonly ({ of: 'ExtraFieldsConfigType' } | null)[] | null; args: { storeHash: string } }
    userCompany: { result: { of: 'CompanyType' } | null; args: { userId: number } }
    companyValidateEmail: { result: { of: 'CompanyEmailValidateType' } | null; args: { storeHash: string; email: string; role: number; channelId?: number | null } }
    companyUserInfo: { result: { of: 'CompanyUserInfoType' } | null; args: { storeHash: string; email: string; customerId?: number | null } }
    accountFormFields: { result: readonly ({ of: 'AccountFormFieldsType' } | null)[] | null; args: { storeHash: string; formType: number } }
    companyCreditConfig: { result: { of: 'CompanyCreditConfigType' } | null; args: { isMasqueradingCompany?: boolean | null } }
    companyPaymentTerms: { result: { of: 'CompanyPaymentTermsType' } | null; args: { companyId: number } }
    companySubsidiaries: { result: readonly ({ of: 'CompanySubsidiariesType' } | null)[] | null; args: object }
    superAdminCompanies: { result: { of: 'SuperAdminCompanyTypeCountableConnection' } | null; args: { superAdminId: number; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    superAdminMasquerading: { result: { of: 'CompanyType' } | null; args: { customerId: number } }
    quotes: { result: { of: 'QuoteTypeCountableConnection' } | null; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null; quoteNumber?: string | null; company?: string | null; salesRep?: string | null; status?: number | null; quoteTitle?: string | null; createdBy?: string | null; dateCreatedBeginAt?: string | null; dateCreatedEndAt?: string | null; dateUpdatedBeginAt?: string | null; dateUpdatedEndAt?: string | null; dateExpiredBeginAt?: string | null; dateExpiredEndAt?: string | null; email?: string | null } }
    customerQuotes: { result: { of: 'QuoteTypeCountableConnection' } | null; args: { channelId?: number | null; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null; quoteNumber?: string | null; company?: string | null; salesRep?: string | null; status?: number | null; quoteTitle?: string | null; createdBy?: string | null; dateCreatedBeginAt?: string | null; dateCreatedEndAt?: string | null; dateUpdatedBeginAt?: string | null; dateUpdatedEndAt?: string | null; dateExpiredBeginAt?: string | null; dateExpiredEndAt?: string | null; email?: string | null } }
    quote: { result: { of: 'QuoteType' } | null; args: { id: number; storeHash: string; date: string; uuid?: string | null } }
    quoteUserStoreInfo: { result: { of: 'StoreUserInfo' } | null; args: { storeHash?: string | null; companyId?: number | null; salesRepId?: number | null } }
    quoteConfig: { result: { of: 'QuoteConfigType' } | null; args: { storeHash: string } }
    quoteExtraFieldsConfig: { result: readonly ({ of: 'QuoteExtraFieldsType' } | null)[] | null; args: { storeHash?: string | null; channelId?: number | null } }
    users: { result: { of: 'UserTypeCountableConnection' } | null; args: { companyId: number; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; email?: string | null; firstName?: string | null; lastName?: string | null; role?: number | null; search?: string | null; companyRoleId?: number | null } }
    user: { result: { of: 'UserType' } | null; args: { companyId: number; userId: number } }
    userEmailCheck: { result: { of: 'UserEmailCheckType' } | null; args: { email: string; companyId: number | null; storeHash: string | null; channelId: number | null } }
    customerEmailCheck: { result: { of: 'CustomerEmailCheckType' } | null; args: { email: string; storeHash: string; channelId: number | null } }
    userExtraFields: { result: readonly ({ of: 'ExtraFieldsConfigType' } | null)[] | null; args: object }
    currentUser: { result: { of: 'UserType' } | null; args: object }
    customerInfo: { result: { of: 'CustomerInfoType' } | null; args: object }
    userLoginState: { result: { of: 'UserLoginState' } | null; args: { storeHash: string; email: string } }
    userMasqueradingCompany: { result: { of: 'CompanyInfoType' } | null; args: object }
    orderStatuses: { result: readonly ({ of: 'OrderStatusType' } | null)[] | null; args: object }
    bcOrderStatuses: { result: readonly ({ of: 'OrderStatusType' } | null)[] | null; args: object }
    currencies: { result: { of: 'StoreCurrencies' } | null; args: { storeHash: string; channelId: string } }
    autoLoader: { result: { of: 'StoreAutoLoaderType' } | null; args: { storeHash: string } }
    storeLimitations: { result: { of: 'StoreLimitationsType' } | null; args: { storeHash: string; limitationType: number } }
    storeBasicInfo: { result: { of: 'StoreBasicInfoType' } | null; args: { storeHash: string; bcChannelId?: number | null } }
    storefrontScript: { result: { of: 'StorefrontScriptType' } | null; args: { storeHash?: string | null; channelId?: number | null; siteUrl?: string | null } }
    storefrontDefaultLanguage: { result: { of: 'StorefrontLanguageType' } | null; args: { storeHash: string; channelId: number } }
    storefrontProductSettings: { result: { of: 'StorefrontProductSettingType' } | null; args: { storeHash: string; channelId?: number | null } }
    storeConfigSwitchStatus: { result: { of: 'StoreConfigType' } | null; args: { key: string } }
    storeCheckoutConfig: { result: readonly ({ of: 'CheckoutConfigType' } | null)[] | null; args: object }
    storefrontConfig: { result: { of: 'StoreFrontConfigType' } | null; args: { storeHash: string } }
    storefrontConfigs: { result: readonly ({ of: 'StorefrontConfigType' } | null)[] | null; args: { storeHash: string; channelId?: number | null; keys?: readonly (string | null)[] | null } }
    productVariantsInfo: { result: readonly ({ of: 'CatalogsVariantType' } | null)[] | null; args: { productId: string } }
    variantSku: { result: readonly ({ of: 'CatalogQuickProductType' } | null)[] | null; args: { storeHash: string; variantSkus: readonly (string | null)[]; currencyCode?: string | null; channelId: number | null } }
    productsInventory: { result: readonly ({ of: 'ProductInventoryType' } | null)[] | null; args: { products: readonly (SchemaInputs['ProductInventoryInputType'] | null)[] } }
    productsLoad: { result: readonly ({ of: 'ProductVariantInfoType' } | null)[] | null; args: { currencyCode: string; productList: readonly (SchemaInputs['ProductVariantInputType'] | null)[]; companyId?: string | null } }
    productsSearch: { result: readonly ({ of: 'ProductInfoType' } | null)[] | null; args: { storeHash?: string | null; channelId?: number | null; search?: string | null; productIds?: readonly (number | null)[] | null; currencyCode?: string | null; companyId?: string | null; offset?: number | null; limit?: number | null; customerGroupId?: number | null; showAllProducts?: boolean | null; categoryFilter?: boolean | null } }
    taxZoneRates: { result: readonly ({ of: 'TaxZoneRateType' } | null)[] | null; args: { storeHash: string } }
    productPurchasable: { result: { of: 'ProductPurchasableType' } | null; args: { storeHash?: string | null; productId?: number | null; sku?: string | null; isProduct?: boolean | null } }
    priceProducts: { result: readonly ({ of: 'PricingProductType' } | null)[] | null; args: { storeHash?: string | null; channelId?: number | null; currencyCode: string; customerGroupId?: number | null; items: readonly (SchemaInputs['PricingProductItemInputType'] | null)[] } }
    addresses: { result: { of: 'AddressTypeCountableConnection' } | null; args: { companyId: number; offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; firstName?: string | null; lastName?: string | null; address?: string | null; country?: string | null; state?: string | null; city?: string | null; label?: string | null; uuid?: string | null; isShipping?: number | null; isBilling?: number | null; company?: string | null } }
    address: { result: { of: 'AddressType' } | null; args: { companyId: number; addressId: number } }
    countries: { result: readonly ({ of: 'CountryType' } | null)[] | null; args: { storeHash?: string | null } }
    defaultShippingAddress: { result: { of: 'AddressType' } | null; args: { companyId: number } }
    defaultBillingAddress: { result: { of: 'AddressType' } | null; args: { companyId: number } }
    customerAddresses: { result: { of: 'CustomerAddressTypeCountableConnection' } | null; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; firstName?: string | null; lastName?: string | null; country?: string | null; stateOrProvince?: string | null; city?: string | null; company?: string | null } }
    customerAddress: { result: { of: 'CustomerAddressType' } | null; args: { addressId: number } }
    addressConfig: { result: readonly ({ of: 'AddressStoreConfigType' } | null)[] | null; args: { storeHash: string } }
    addressExtraFields: { result: readonly ({ of: 'ExtraFieldsConfigType' } | null)[] | null; args: { storeHash: string } }
    storefrontSettings: { result: { of: 'StorefrontSettingsType' } | null; args: { storeHash: string } }
    validateProduct: { result: { of: 'ValidateProductType' } | null; args: { productId: number; variantId: number; quantity: number; productOptions?: readonly (unknown | null)[] | null; storeHash?: string | null; channelId?: number | null; target?: string | null } }
    validateProducts: { result: { of: 'ValidateProductsType' } | null; args: { products: readonly (SchemaInputs['ValidateProductInputType'] | null)[]; storeHash?: string | null; channelId?: number | null; target?: string | null } }
  }
  Mutation: {
    productUpload: { result: { of: 'ProductsUpload' } | null; args: { productListData: SchemaInputs['ProductUploadInputType'] } }
    productAnonUpload: { result: { of: 'ProductsAnonUpload' } | null; args: { productListData?: SchemaInputs['ProductAnonUploadInputType'] | null } }
    updateAccountSettings: { result: { of: 'UpdateAccount' } | null; args: { updateData: SchemaInputs['InputAccountType'] } }
    updateCustomerAccountSettings: { result: { of: 'UpdateCustomerAccount' } | null; args: { updateData?: SchemaInputs['InputCustomerAccountType'] | null } }
    invoicePdf: { result: { of: 'invoicePdf' } | null; args: { invoiceId: number; isPayNow?: boolean | null } }
    invoicesExport: { result: { of: 'invoicesExport' } | null; args: { invoiceFilterData?: SchemaInputs['InvoiceFilterDataType'] | null; lang?: string | null } }
    invoiceCreateBcCart: { result: { of: 'CreateBcCartMutation' } | null; args: { bcCartData: SchemaInputs['BcCartInputType'] } }
    invoiceFinishBcPayment: { result: { of: 'FinishBcPayMutation' } | null; args: { comment?: string | null; orderId: number } }
    createOrder: { result: { of: 'OrderCreate' } | null; args: { createData: SchemaInputs['OrderCreateInputType'] } }
    shoppingListsCreate: { result: { of: 'ShoppingListsCreate' } | null; args: { shoppingListData: SchemaInputs['ShoppingListsInputType'] } }
    shoppingListsUpdate: { result: { of: 'ShoppingListsUpdate' } | null; args: { id?: number | null; shoppingListData?: SchemaInputs['ShoppingListsInputType'] | null } }
    shoppingListsDelete: { result: { of: 'ShoppingListsDelete' } | null; args: { id: number } }
    shoppingListsDuplicate: { result: { of: 'ShoppingListsDuplicate' } | null; args: { sampleShoppingListId: number; shoppingListData: SchemaInputs['ShoppingListsDuplicateInputType'] } }
    shoppingListsItemsCreate: { result: { of: 'ShoppingListsItemsCreate' } | null; args: { items: readonly (SchemaInputs['ShoppingListsItemsInputType'] | null)[]; shoppingListId: number } }
    shoppingListsItemsUpdate: { result: { of: 'ShoppingListsItemsUpdate' } | null; args: { itemData: SchemaInputs['ShoppingListsItemsUpdateInputType']; itemId: number; shoppingListId: number } }
    shoppingListsItemsDelete: { result: { of: 'ShoppingListsItemsDelete' } | null; args: { itemId: number; shoppingListId: number } }
    customerShoppingListsCreate: { result: { of: 'CustomerShoppingListsCreate' } | null; args: { shoppingListData: SchemaInputs['CustomerShoppingListsInputType'] } }
    customerShoppingListsUpdate: { result: { of: 'CustomerShoppingListsUpdate' } | null; args: { id: number; shoppingListData: SchemaInputs['CustomerShoppingListsInputType'] } }
    customerShoppingListsDelete: { result: { of: 'CustomerShoppingListsDelete' } | null; args: { id: number } }
    customerShoppingListsDuplicate: { result: { of: 'CustomerShoppingListsDuplicate' } | null; args: { sampleShoppingListId: number; shoppingListData: SchemaInputs['ShoppingListsDuplicateInputType'] } }
    customerShoppingListsItemsCreate: { result: { of: 'CustomerShoppingListsItemsCreate' } | null; args: { items?: readonly (SchemaInputs['ShoppingListsItemsInputType'] | null)[] | null; shoppingListId?: number | null } }
    customerShoppingListsItemsUpdate: { result: { of: 'CustomerShoppingListsItemsUpdate' } | null; args: { itemData: SchemaInputs['ShoppingListsItemsUpdateInputType']; itemId: number; shoppingListId: number } }
    customerShoppingListsItemsDelete: { result: { of: 'CustomerShoppingListsItemsDelete' } | null; args: { itemId: number; shoppingListId: number } }
    quoteCreate: { result: { of: 'QuoteCreate' } | null; args: { quoteData: SchemaInputs['QuoteInputType'] } }
    quoteUpdate: { result: { of: 'QuoteUpdate' } | null; args: { id: number; quoteData: SchemaInputs['QuoteUpdateInputType'] } }
    quoteCheckout: { result: { of: 'QuoteCheckout' } | null; args: { id: number; storeHash: string; uuid?: string | null } }
    quoteOrdered: { result: { of: 'QuoteOrdered' } | null; args: { id: number; orderedData: SchemaInputs['QuoteOrderedInputType'] } }
    quoteEmail: { result: { of: 'QuoteEmail' } | null; args: { emailData: SchemaInputs['QuoteEmailInputType'] } }
    quotePdfExport: { result: { of: 'QuotePdfExport' } | null; args: { currency: SchemaInputs['QuoteCurrencyInputType']; quoteId: number; storeHash: string } }
    quoteAttachFileDelete: { result: { of: 'QuoteAttachmentDelete' } | null; args: { fileId: number; quoteId: number } }
    quoteAttachFileCreate: { result: { of: 'QuoteAttachmentCreate' } | null; args: { fileList?: readonly (SchemaInputs['QuoteFileListInputType'] | null)[] | null; quoteId: number } }
    quoteFrontendPdf: { result: { of: 'QuoteFrontendPdf' } | null; args: { createdAt: number; isPreview?: boolean | null; lang: string; quoteId: number; storeHash: string } }
    superAdminBeginMasquerade: { result: { of: 'SuperAdminBeginMasquerade' } | null; args: { companyId: number; userId?: number | null } }
    superAdminEndMasquerade: { result: { of: 'SuperAdminEndMasquerade' } | null; args: { companyId: number; userId?: number | null } }
    companyCreate: { result: { of: 'CompanyCreate' } | null; args: { companyData?: SchemaInputs['CompanyInputType'] | null } }
    login: { result: { of: 'UserLogin' } | null; args: { loginData: SchemaInputs['UserLoginType'] } }
    checkoutLogin: { result: { of: 'UserCheckoutLogin' } | null; args: { cartData: SchemaInputs['CheckoutLoginType'] } }
    authorization: { result: { of: 'UserAuthorization' } | null; args: { authData: SchemaInputs['UserAuthType'] } }
    userCreate: { result: { of: 'UserCreate' } | null; args: { userData: SchemaInputs['UserInputType'] } }
    userUpdate: { result: { of: 'UserUpdate' } | null; args: { userData: SchemaInputs['UserUpdateInputType'] } }
    userDelete: { result: { of: 'UserDelete' } | null; args: { companyId: number; userId: number } }
    storeFrontToken: { result: { of: 'UserStoreFrontToken' } | null; args: { storeFrontTokenData: SchemaInputs['CustomerStoreFrontTokenInputType'] } }
    customerCreate: { result: { of: 'CustomerCreate' } | null; args: { customerData: SchemaInputs['CustomerInputType']; recaptchaUserResponse?: string | null } }
    customerSubscribersCreate: { result: { of: 'CustomerSubscribersCreate' } | null; args: { subscribersData: SchemaInputs['CustomerSubscribersInputType'] } }
    userMasqueradingCompanyBegin: { result: { of: 'UserMasqueradingCompanyBegin' } | null; args: { companyId: number } }
    userMasqueradingCompanyEnd: { result: { of: 'UserMasqueradingCompanyEnd' } | null; args: object }
    addressCreate: { result: { of: 'AddressCreate' } | null; args: { addressData: SchemaInputs['AddressInputType'] } }
    addressUpdate: { result: { of: 'AddressUpdate' } | null; args: { addressData: SchemaInputs['AddressUpdateType'] } }
    addressDelete: { result: { of: 'AddressDelete' } | null; args: { addressId: number; companyId: number } }
    customerAddressCreate: { result: { of: 'CustomerAddressCreate' } | null; args: { addressData: SchemaInputs['CustomerAddressInputType'] } }
    customerAddressUpdate: { result: { of: 'CustomerAddressUpdate' } | null; args: { addressData: SchemaInputs['CustomerAddressUpdateType'] } }
    customerAddressDelete: { result: { of: 'CustomerAddressDelete' } | null; args: { bcAddressId: number } }
  }
  PageInfo: {
    hasNextPage: { result: boolean; args: object }
    hasPreviousPage: { result: boolean; args: object }
    startCursor: { result: string | null; args: object }
    endCursor: { result: string | null; args: object }
  }
  AuthRolePermissionType: {
    code: { result: string | null; args: object }
    permissionLevel: { result: number | null; args: object }
  }
  CheckoutResultLoginType: {
    redirectUrl: { result: string | null; args: object }
  }
  SuperAdminBeginMasquerade: {
    userInfo: { result: { of: 'UserInfoType' } | null; args: object }
  }
  SuperAdminCompanyExtraFieldsValueType: {
    fieldName: { result: string | null; args: object }
    fieldValue: { result: string | null; args: object }
  }
  SuperAdminCompanyType: {
    companyId: { result: number | null; args: object }
    id: { result: string; args: object }
    companyName: { result: string | null; args: object }
    bcGroupName: { result: string | null; args: object }
    companyAdminName: { result: string | null; args: object }
    companyEmail: { result: string | null; args: object }
    extraFields: { result: readonly ({ of: 'SuperAdminCompanyExtraFieldsValueType' } | null)[] | null; args: object }
  }
  SuperAdminCompanyTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'SuperAdminCompanyTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  SuperAdminCompanyTypeCountableEdge: {
    node: { result: { of: 'SuperAdminCompanyType' }; args: object }
    cursor: { result: string; args: object }
  }
  SuperAdminEndMasquerade: {
    message: { result: string | null; args: object }
  }
  UserAuthorization: {
    result: { result: { of: 'UserAuthResultType' } | null; args: object }
  }
  UserAuthResultType: {
    token: { result: string | null; args: object }
    user: { result: { of: 'UserType' } | null; args: object }
    loginType: { result: number | null; args: object }
    storefrontLoginToken: { result: string | null; args: object }
    permissions: { result: readonly ({ of: 'AuthRolePermissionType' } | null)[] | null; args: object }
  }
  UserCheckoutLogin: {
    result: { result: { of: 'CheckoutResultLoginType' } | null; args: object }
  }
  UserCreate: {
    user: { result: { of: 'UserType' } | null; args: object }
  }
  UserDelete: {
    message: { result: string | null; args: object }
  }
  UserEmailCheckInfoType: {
    id: { result: number | null; args: object }
    email: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
    role: { result: number | null; args: object }
    companyName: { result: string | null; args: object }
    originChannelId: { result: number | null; args: object }
    forcePasswordReset: { result: boolean | null; args: object }
  }
  UserEmailCheckType: {
    userType: { result: number | null; args: object }
    userInfo: { result: { of: 'UserEmailCheckInfoType' } | null; args: object }
  }
  UserExtraFieldsValueType: {
    fieldName: { result: string | null; args: object }
    fieldValue: { result: string | null; args: object }
  }
  UserInfoType: {
    email: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
  }
  UserLogin: {
    result: { result: { of: 'UserAuthResultType' } | null; args: object }
  }
  UserLoginState: {
    forcePasswordReset: { result: boolean | null; args: object }
  }
  UserMasqueradingCompanyBegin: {
    userMasqueradingCompanyBegin: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  UserMasqueradingCompanyEnd: {
    message: { result: string | null; args: object }
  }
  UserStoreFrontToken: {
    token: { result: string | null; args: object }
  }
  UserType: {
    id: { result: string; args: object }
    createdAt: { result: number; args: object }
    updatedAt: { result: number; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    email: { result: string; args: object }
    phone: { result: string | null; args: object }
    bcId: { result: number; args: object }
    role: { result: number; args: object }
    masqueradingCompanyId: { result: number | null; args: object }
    uuid: { result: string | null; args: object }
    extraFields: { result: readonly ({ of: 'UserExtraFieldsValueType' } | null)[] | null; args: object }
    companyRoleId: { result: number | null; args: object }
    companyRoleName: { result: string | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  UserTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'UserTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  UserTypeCountableEdge: {
    node: { result: { of: 'UserType' }; args: object }
    cursor: { result: string; args: object }
  }
  UserUpdate: {
    user: { result: { of: 'UserType' } | null; args: object }
  }
  CompanyCreate: {
    company: { result: { of: 'CompanyType' } | null; args: object }
  }
  CompanyCreditConfigType: {
    creditEnabled: { result: boolean | null; args: object }
    creditCurrency: { result: string | null; args: object }
    availableCredit: { result: number | null; args: object }
    limitPurchases: { result: boolean | null; args: object }
    creditHold: { result: boolean | null; args: object }
    currency: { result: unknown | null; args: object }
  }
  CompanyEmailUserInfoType: {
    id: { result: number | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
    role: { result: number | null; args: object }
    companyRoleId: { result: number | null; args: object }
    companyRoleName: { result: string | null; args: object }
    email: { result: string | null; args: object }
    forcePasswordReset: { result: boolean | null; args: object }
  }
  CompanyEmailValidateType: {
    isValid: { result: boolean | null; args: object }
    userInfo: { result: { of: 'CompanyEmailUserInfoType' } | null; args: object }
  }
  CompanyInfoType: {
    companyId: { result: string | null; args: object }
    companyName: { result: string | null; args: object }
    companyAddress: { result: string | null; args: object }
    companyCountry: { result: string | null; args: object }
    companyState: { result: string | null; args: object }
    companyCity: { result: string | null; args: object }
    companyZipCode: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
    bcId: { result: string | null; args: object }
  }
  CompanyPaymentTermsType: {
    isEnabled: { result: boolean | null; args: object }
    paymentTerms: { result: number | null; args: object }
  }
  CompanyPermissionsType: {
    id: { result: string; args: object }
    name: { result: string | null; args: object }
    description: { result: string | null; args: object }
    isCustom: { result: boolean | null; args: object }
    code: { result: string | null; args: object }
    moduleName: { result: string | null; args: object }
  }
  CompanyRolePermissionsType: {
    id: { result: string; args: object }
    name: { result: string | null; args: object }
    isCustom: { result: boolean | null; args: object }
    code: { result: string | null; args: object }
    permissionLevel: { result: number | null; args: object }
  }
  CompanyRolesType: {
    id: { result: string; args: object }
    name: { result: string | null; args: object }
    roleType: { result: number | null; args: object }
    roleLevel: { result: number | null; args: object }
  }
  CompanyRolesTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CompanyRolesTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  CompanyRolesTypeCountableEdge: {
    node: { result: { of: 'CompanyRolesType' }; args: object }
    cursor: { result: string; args: object }
  }
  CompanyRoleType: {
    id: { result: string; args: object }
    name: { result: string | null; args: object }
    roleType: { result: number | null; args: object }
    roleLevel: { result: number | null; args: object }
    permissions: { result: readonly ({ of: 'CompanyRolePermissionsType' } | null)[] | null; args: object }
  }
  CompanySubsidiariesType: {
    companyId: { result: number | null; args: object }
    companyName: { result: string | null; args: object }
    parentCompanyId: { result: number | null; args: object }
    parentCompanyName: { result: string | null; args: object }
    channelFlag: { result: boolean | null; args: object }
  }
  CompanyType: {
    id: { result: string; args: object }
    companyName: { result: string | null; args: object }
    bcGroupName: { result: string | null; args: object }
    description: { result: string | null; args: object }
    catalogId: { result: string | null; args: object }
    companyStatus: { result: number | null; args: object }
    addressLine1: { result: string | null; args: object }
    addressLine2: { result: string | null; args: object }
    city: { result: string | null; args: object }
    state: { result: string | null; args: object }
    zipCode: { result: string | null; args: object }
    country: { result: string | null; args: object }
    extraFields: { result: readonly ({ of: 'ExtraFieldsValueType' } | null)[] | null; args: object }
    customerGroupId: { result: number | null; args: object }
  }
  CompanyUserInfoType: {
    userType: { result: number | null; args: object }
    userInfo: { result: { of: 'CompanyEmailUserInfoType' } | null; args: object }
  }
  CustomerAccountSettingsType: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    company: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
    email: { result: string | null; args: object }
    formFields: { result: readonly ({ of: 'FormFieldsType' } | null)[] | null; args: object }
  }
  CustomerAddressCreate: {
    address: { result: { of: 'CustomerAddressType' } | null; args: object }
  }
  CustomerAddressDelete: {
    message: { result: string | null; args: object }
  }
  CustomerAddressesType: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    company: { result: string | null; args: object }
    address1: { result: string | null; args: object }
    address2: { result: string | null; args: object }
    city: { result: string | null; args: object }
    stateOrProvince: { result: string | null; args: object }
    postalCode: { result: string | null; args: object }
    countryCode: { result: string | null; args: object }
    phone: { result: string | null; args: object }
    addressType: { result: string | null; args: object }
    customerId: { result: number | null; args: object }
    id: { result: number | null; args: object }
    country: { result: string | null; args: object }
    formFields: { result: readonly ({ of: 'FormFieldsType' } | null)[] | null; args: object }
  }
  CustomerAddressType: {
    id: { result: string; args: object }
    createdAt: { result: number; args: object }
    updatedAt: { result: number; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    company: { result: string; args: object }
    bcAddressId: { result: number; args: object }
    address1: { result: string; args: object }
    address2: { result: string; args: object }
    city: { result: string; args: object }
    stateOrProvince: { result: string; args: object }
    postalCode: { result: string; args: object }
    country: { result: string; args: object }
    countryCode: { result: string; args: object }
    phone: { result: string; args: object }
    addressType: { result: string; args: object }
    formFields: { result: readonly ({ of: 'AddressFormFieldsType' } | null)[] | null; args: object }
  }
  CustomerAddressTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CustomerAddressTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  CustomerAddressTypeCountableEdge: {
    node: { result: { of: 'CustomerAddressType' }; args: object }
    cursor: { result: string; args: object }
  }
  CustomerAddressUpdate: {
    address: { result: { of: 'CustomerAddressType' } | null; args: object }
  }
  CustomerAttributeType: {
    id: { result: number | null; args: object }
    attributeId: { result: number | null; args: object }
    attributeValue: { result: string | null; args: object }
    customerId: { result: number | null; args: object }
    dateCreated: { result: string | null; args: object }
    dateModified: { result: string | null; args: object }
  }
  CustomerAuthenticationType: {
    forcePasswordReset: { result: boolean | null; args: object }
  }
  CustomerCreate: {
    customer: { result: { of: 'CustomerType' } | null; args: object }
  }
  CustomerEmailCheckType: {
    userType: { result: number | null; args: object }
  }
  CustomerInfo: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    userId: { result: number | null; args: object }
    email: { result: string | null; args: object }
    role: { result: string | null; args: object }
  }
  CustomerInfoType: {
    userType: { result: number | null; args: object }
    userInfo: { result: { of: 'CompanyEmailUserInfoType' } | null; args: object }
    permissions: { result: readonly ({ of: 'AuthRolePermissionType' } | null)[] | null; args: object }
  }
  CustomerStoreCreditAmountsType: {
    amount: { result: number | null; args: object }
  }
  CustomerSubscribersCreate: {
    customerSubscribers: { result: { of: 'CustomerSubscribersType' } | null; args: object }
  }
  CustomerSubscribersType: {
    email: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    source: { result: string | null; args: object }
    orderId: { result: number | null; args: object }
    channelId: { result: number | null; args: object }
    id: { result: number | null; args: object }
    dateCreated: { result: string | null; args: object }
    dateModified: { result: string | null; args: object }
    consents: { result: readonly (string | null)[] | null; args: object }
  }
  CustomerType: {
    id: { result: number | null; args: object }
    email: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    company: { result: string | null; args: object }
    phone: { result: string | null; args: object }
    notes: { result: string | null; args: object }
    taxExemptCategory: { result: string | null; args: object }
    registrationIpAddress: { result: string | null; args: object }
    customerGroupId: { result: number | null; args: object }
    dateModified: { result: string | null; args: object }
    dateCreated: { result: string | null; args: object }
    addressCount: { result: number | null; args: object }
    attributeCount: { result: number | null; args: object }
    authentication: { result: { of: 'CustomerAuthenticationType' } | null; args: object }
    addresses: { result: readonly ({ of: 'CustomerAddressesType' } | null)[] | null; args: object }
    attributes: { result: readonly ({ of: 'CustomerAttributeType' } | null)[] | null; args: object }
    formFields: { result: readonly ({ of: 'FormFieldsType' } | null)[] | null; args: object }
    storeCreditAmounts: { result: readonly ({ of: 'CustomerStoreCreditAmountsType' } | null)[] | null; args: object }
    acceptsProductReviewAbandonedCartEmails: { result: boolean | null; args: object }
    originChannelId: { result: number | null; args: object }
    channelIds: { result: readonly (number | null)[] | null; args: object }
  }
  AddressCreate: {
    address: { result: { of: 'AddressType' } | null; args: object }
  }
  AddressDelete: {
    message: { result: string | null; args: object }
  }
  AddressExtraFieldType: {
    fieldName: { result: string | null; args: object }
    fieldValue: { result: string | null; args: object }
  }
  AddressFormFieldsType: {
    name: { result: string; args: object }
    value: { result: unknown; args: object }
    addressId: { result: string | null; args: object }
  }
  AddressStoreConfigType: {
    key: { result: string | null; args: object }
    isEnabled: { result: string | null; args: object }
  }
  AddressType: {
    id: { result: string; args: object }
    createdAt: { result: number; args: object }
    updatedAt: { result: number; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    isShipping: { result: number | null; args: object }
    isBilling: { result: number | null; args: object }
    addressLine1: { result: string | null; args: object }
    addressLine2: { result: string | null; args: object }
    address: { result: string | null; args: object }
    city: { result: string; args: object }
    state: { result: string | null; args: object }
    stateCode: { result: string | null; args: object }
    country: { result: string; args: object }
    countryCode: { result: string | null; args: object }
    zipCode: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
    isActive: { result: number; args: object }
    label: { result: string | null; args: object }
    company: { result: string | null; args: object }
    uuid: { result: string | null; args: object }
    extraFields: { result: readonly ({ of: 'AddressExtraFieldType' } | null)[] | null; args: object }
    isDefaultShipping: { result: number | null; args: object }
    isDefaultBilling: { result: number | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  AddressTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'AddressTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  AddressTypeCountableEdge: {
    node: { result: { of: 'AddressType' }; args: object }
    cursor: { result: string; args: object }
  }
  AddressUpdate: {
    address: { result: { of: 'AddressType' } | null; args: object }
  }
  CountryType: {
    id: { result: string | null; args: object }
    countryName: { result: string | null; args: object }
    countryCode: { result: string | null; args: object }
    states: { result: readonly ({ of: 'StatesType' } | null)[] | null; args: object }
    stateRequired: { result: boolean | null; args: object }
  }
  StatesType: {
    stateName: { result: string | null; args: object }
    stateCode: { result: string | null; args: object }
  }
  QuoteAttachFiles: {
    id: { result: number | null; args: object }
    fileName: { result: string | null; args: object }
    fileType: { result: string | null; args: object }
    fileUrl: { result: string | null; args: object }
    createdBy: { result: string | null; args: object }
  }
  QuoteAttachmentCreate: {
    attachFiles: { result: readonly ({ of: 'QuoteAttachFiles' } | null)[] | null; args: object }
  }
  QuoteAttachmentDelete: {
    message: { result: string | null; args: object }
  }
  QuoteCheckout: {
    quoteCheckout: { result: { of: 'QuoteCheckoutType' } | null; args: object }
  }
  QuoteCheckoutType: {
    checkoutUrl: { result: string | null; args: object }
    cartId: { result: string | null; args: object }
    cartUrl: { result: string | null; args: object }
  }
  QuoteConfigType: {
    switchStatus: { result: readonly ({ of: 'QuoteSwitchConfigType' } | null)[] | null; args: object }
    otherConfigs: { result: readonly ({ of: 'QuoteOtherConfigType' } | null)[] | null; args: object }
  }
  QuoteCreate: {
    quote: { result: { of: 'QuoteType' } | null; args: object }
  }
  QuoteEmail: {
    message: { result: string | null; args: object }
  }
  QuoteExtraFieldsType: {
    fieldName: { result: string | null; args: object }
    fieldType: { result: number | null; args: object }
    isRequired: { result: boolean | null; args: object }
    defaultValue: { result: string | null; args: object }
    maximumLength: { result: string | null; args: object }
    numberOfRows: { result: string | null; args: object }
    maximumValue: { result: string | null; args: object }
    listOfValue: { result: readonly (string | null)[] | null; args: object }
    visibleToEnduser: { result: boolean | null; args: object }
    labelName: { result: string | null; args: object }
    id: { result: string | null; args: object }
    fieldCategory: { result: string | null; args: object }
    isUnique: { result: boolean | null; args: object }
    valueConfigs: { result: unknown | null; args: object }
  }
  QuoteExtraFieldsValueType: {
    fieldName: { result: string | null; args: object }
    fieldValue: { result: string | null; args: object }
  }
  QuoteFrontendPdf: {
    url: { result: string | null; args: object }
    content: { result: string | null; args: object }
  }
  QuoteOrdered: {
    message: { result: string | null; args: object }
  }
  QuoteOtherConfigType: {
    key: { result: string | null; args: object }
    value: { result: string | null; args: object }
  }
  QuotePdfExport: {
    url: { result: string | null; args: object }
  }
  QuoteSwitchConfigType: {
    key: { result: string | null; args: object }
    isEnabled: { result: string | null; args: object }
  }
  QuoteType: {
    id: { result: string; args: object }
    createdAt: { result: number; args: object }
    updatedAt: { result: number; args: object }
    quoteNumber: { result: string | null; args: object }
    quoteTitle: { result: string | null; args: object }
    referenceNumber: { result: string | null; args: object }
    userEmail: { result: string | null; args: object }
    bcCustomerId: { result: number | null; args: object }
    createdBy: { result: string | null; args: object }
    createdByEmail: { result: string | null; args: object }
    expiredAt: { result: number | null; args: object }
    companyId: { result: { of: 'CompanyType' } | null; args: object }
    salesRepStatus: { result: number; args: object }
    customerStatus: { result: number; args: object }
    subtotal: { result: string | null; args: object }
    discount: { result: string | null; args: object }
    grandTotal: { result: string | null; args: object }
    cartId: { result: string | null; args: object }
    cartUrl: { result: string | null; args: object }
    checkoutUrl: { result: string | null; args: object }
    bcOrderId: { result: string | null; args: object }
    currency: { result: unknown | null; args: object }
    contactInfo: { result: unknown | null; args: object }
    trackingHistory: { result: unknown | null; args: object }
    extraFields: { result: readonly ({ of: 'QuoteExtraFieldsValueType' } | null)[] | null; args: object }
    notes: { result: string | null; args: object }
    legalTerms: { result: string | null; args: object }
    shippingTotal: { result: string | null; args: object }
    taxTotal: { result: string | null; args: object }
    totalAmount: { result: string | null; args: object }
    shippingMethod: { result: unknown | null; args: object }
    billingAddress: { result: unknown | null; args: object }
    oldSalesRepStatus: { result: number | null; args: object }
    oldCustomerStatus: { result: number | null; args: object }
    recipients: { result: unknown | null; args: object }
    discountType: { result: number | null; args: object }
    discountValue: { result: string | null; args: object }
    pdfTemplate: { result: string | null; args: object }
    pdfLang: { result: string | null; args: object }
    displayDiscount: { result: boolean | null; args: object }
    allowCheckout: { result: boolean | null; args: object }
    status: { result: number | null; args: object }
    company: { result: string | null; args: object }
    salesRep: { result: string | null; args: object }
    salesRepEmail: { result: string | null; args: object }
    orderId: { result: string | null; args: object }
    shippingAddress: { result: unknown | null; args: object }
    productsList: { result: readonly ({ of: 'ProductType' } | null)[] | null; args: object }
    storefrontAttachFiles: { result: readonly ({ of: 'QuoteAttachFiles' } | null)[] | null; args: object }
    backendAttachFiles: { result: readonly ({ of: 'QuoteAttachFiles' } | null)[] | null; args: object }
    storeInfo: { result: { of: 'StoreInfoType' } | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
    salesRepInfo: { result: { of: 'salesRepInfoType' } | null; args: object }
    quoteLogo: { result: string | null; args: object }
    quoteUrl: { result: string | null; args: object }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
    totalIsTbd: { result: boolean | null; args: object }
    uuid: { result: string | null; args: object }
  }
  QuoteTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'QuoteTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  QuoteTypeCountableEdge: {
    node: { result: { of: 'QuoteType' }; args: object }
    cursor: { result: string; args: object }
  }
  QuoteUpdate: {
    quote: { result: { of: 'QuoteType' } | null; args: object }
  }
  BaseShoppingListItem: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    productId: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    quantity: { result: number | null; args: object }
    productSku: { result: string | null; args: object }
    optionList: { result: unknown | null; args: object }
    itemId: { result: number | null; args: object }
    productNote: { result: string | null; args: object }
  }
  BaseShoppingListItemCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BaseShoppingListItemCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  BaseShoppingListItemCountableEdge: {
    node: { result: { of: 'BaseShoppingListItem' }; args: object }
    cursor: { result: string; args: object }
  }
  CustomerShoppingListIdNameType: {
    id: { result: string; args: object }
    name: { result: string | null; args: object }
  }
  CustomerShoppingListPageType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    name: { result: string | null; args: object }
    description: { result: string | null; args: object }
    reason: { result: string | null; args: object }
    products: { result: { of: 'BaseShoppingListItemCountableConnection' } | null; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
  }
  CustomerShoppingListPageTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CustomerShoppingListPageTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  CustomerShoppingListPageTypeCountableEdge: {
    node: { result: { of: 'CustomerShoppingListPageType' }; args: object }
    cursor: { result: string; args: object }
  }
  CustomerShoppingListsCreate: {
    shoppingList: { result: { of: 'CustomerShoppingListType' } | null; args: object }
  }
  CustomerShoppingListsDelete: {
    message: { result: string | null; args: object }
  }
  CustomerShoppingListsDuplicate: {
    shoppingList: { result: { of: 'CustomerShoppingListType' } | null; args: object }
  }
  CustomerShoppingListsItemsCreate: {
    shoppingListsItems: { result: readonly ({ of: 'ShoppingListItem' } | null)[] | null; args: object }
  }
  CustomerShoppingListsItemsDelete: {
    message: { result: string | null; args: object }
  }
  CustomerShoppingListsItemsUpdate: {
    shoppingListsItem: { result: { of: 'ShoppingListItem' } | null; args: object }
  }
  CustomerShoppingListsUpdate: {
    shoppingList: { result: { of: 'CustomerShoppingListType' } | null; args: object }
  }
  CustomerShoppingListType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    name: { result: string | null; args: object }
    description: { result: string | null; args: object }
    reason: { result: string | null; args: object }
    grandTotal: { result: string | null; args: object }
    totalDiscount: { result: string | null; args: object }
    totalTax: { result: string | null; args: object }
    isShowGrandTotal: { result: boolean | null; args: object }
    products: { result: { of: 'ShoppingListItemCountableConnection' } | null; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
  }
  ShoppingListIdNameType: {
    id: { result: string; args: object }
    name: { result: string | null; args: object }
    status: { result: number; args: object }
  }
  ShoppingListItem: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    productId: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    quantity: { result: number | null; args: object }
    optionList: { result: unknown | null; args: object }
    productName: { result: string | null; args: object }
    itemId: { result: number | null; args: object }
    baseSku: { result: string | null; args: object }
    variantSku: { result: string | null; args: object }
    basePrice: { result: string | null; args: object }
    discount: { result: string | null; args: object }
    tax: { result: string | null; args: object }
    enteredInclusive: { result: boolean | null; args: object }
    productUrl: { result: string | null; args: object }
    primaryImage: { result: string | null; args: object }
    sortOrder: { result: number | null; args: object }
    productNote: { result: string | null; args: object }
  }
  ShoppingListItemCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ShoppingListItemCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  ShoppingListItemCountableEdge: {
    node: { result: { of: 'ShoppingListItem' }; args: object }
    cursor: { result: string; args: object }
  }
  ShoppingListPageType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    name: { result: string | null; args: object }
    description: { result: string | null; args: object }
    reason: { result: string | null; args: object }
    status: { result: number | null; args: object }
    approvedFlag: { result: boolean | null; args: object }
    customerInfo: { result: { of: 'CustomerInfo' } | null; args: object }
    isOwner: { result: boolean | null; args: object }
    products: { result: { of: 'BaseShoppingListItemCountableConnection' } | null; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  ShoppingListPageTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ShoppingListPageTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  ShoppingListPageTypeCountableEdge: {
    node: { result: { of: 'ShoppingListPageType' }; args: object }
    cursor: { result: string; args: object }
  }
  ShoppingListsCreate: {
    shoppingList: { result: { of: 'ShoppingListType' } | null; args: object }
  }
  ShoppingListsDelete: {
    message: { result: string | null; args: object }
  }
  ShoppingListsDuplicate: {
    shoppingList: { result: { of: 'ShoppingListType' } | null; args: object }
  }
  ShoppingListsItemsCreate: {
    shoppingListsItems: { result: readonly ({ of: 'ShoppingListItem' } | null)[] | null; args: object }
  }
  ShoppingListsItemsDelete: {
    message: { result: string | null; args: object }
  }
  ShoppingListsItemsUpdate: {
    shoppingListsItem: { result: { of: 'ShoppingListItem' } | null; args: object }
  }
  ShoppingListsUpdate: {
    shoppingList: { result: { of: 'ShoppingListType' } | null; args: object }
  }
  ShoppingListType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    name: { result: string | null; args: object }
    description: { result: string | null; args: object }
    reason: { result: string | null; args: object }
    status: { result: number | null; args: object }
    approvedFlag: { result: boolean | null; args: object }
    customerInfo: { result: { of: 'CustomerInfo' } | null; args: object }
    isOwner: { result: boolean | null; args: object }
    grandTotal: { result: string | null; args: object }
    totalDiscount: { result: string | null; args: object }
    totalTax: { result: string | null; args: object }
    isShowGrandTotal: { result: boolean | null; args: object }
    products: { result: { of: 'ShoppingListItemCountableConnection' } | null; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null } }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  BcOrderAllowMethodsType: {
    allowMethods: { result: readonly (string | null)[] | null; args: object }
  }
  BcOrderType: {
    id: { result: string; args: object }
    companyName: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    status: { result: string | null; args: object }
    customerId: { result: number | null; args: object }
    customStatus: { result: string | null; args: object }
    dateCreated: { result: string | null; args: object }
    dateModified: { result: string | null; args: object }
    dateShipped: { result: string | null; args: object }
    statusId: { result: number | null; args: object }
    subtotalExTax: { result: string | null; args: object }
    subtotalIncTax: { result: string | null; args: object }
    subtotalTax: { result: string | null; args: object }
    baseShippingCost: { result: string | null; args: object }
    shippingCostExTax: { result: string | null; args: object }
    shippingCostIncTax: { result: string | null; args: object }
    shippingCostTax: { result: string | null; args: object }
    shippingCostTaxClassId: { result: string | null; args: object }
    baseHandlingCost: { result: string | null; args: object }
    handlingCostExTax: { result: string | null; args: object }
    handlingCostIncTax: { result: string | null; args: object }
    handlingCostTax: { result: string | null; args: object }
    handlingCostTaxClassId: { result: number | null; args: object }
    baseWrappingCost: { result: string | null; args: object }
    wrappingCostExTax: { result: string | null; args: object }
    wrappingCostIncTax: { result: string | null; args: object }
    wrappingCostTax: { result: string | null; args: object }
    wrappingCostTaxClassId: { result: number | null; args: object }
    totalExTax: { result: string | null; args: object }
    totalIncTax: { result: string | null; args: object }
    totalTax: { result: string | null; args: object }
    itemsTotal: { result: number | null; args: object }
    itemsShipped: { result: number | null; args: object }
    paymentMethod: { result: string | null; args: object }
    paymentProviderId: { result: string | null; args: object }
    paymentStatus: { result: string | null; args: object }
    refundedAmount: { result: string | null; args: object }
    orderIsDigital: { result: boolean | null; args: object }
    storeCreditAmount: { result: string | null; args: object }
    giftCertificateAmount: { result: string | null; args: object }
    ipAddress: { result: string | null; args: object }
    geoipCountry: { result: string | null; args: object }
    geoipCountryIso2: { result: string | null; args: object }
    currencyId: { result: number | null; args: object }
    currencyCode: { result: string | null; args: object }
    currencyExchangeRate: { result: string | null; args: object }
    defaultCurrencyId: { result: number | null; args: object }
    defaultCurrencyCode: { result: string | null; args: object }
    staffNotes: { result: string | null; args: object }
    customerMessage: { result: string | null; args: object }
    discountAmount: { result: string | null; args: object }
    couponDiscount: { result: string | null; args: object }
    shippingAddressCount: { result: number | null; args: object }
    isDeleted: { result: boolean | null; args: object }
    ebayOrderId: { result: string | null; args: object }
    cartId: { result: string | null; args: object }
    ipAddressV6: { result: string | null; args: object }
    isEmailOptIn: { result: boolean | null; args: object }
    poNumber: { result: string | null; args: object }
    storeDefaultCurrencyCode: { result: string | null; args: object }
    storeDefaultToTransactionalExchangeRate: { result: string | null; args: object }
    customerLocale: { result: string | null; args: object }
    channelId: { result: string | null; args: object }
    orderSource: { result: string | null; args: object }
    externalSource: { result: string | null; args: object }
    creditCardType: { result: string | null; args: object }
    externalId: { result: string | null; args: object }
    externalMerchantId: { result: string | null; args: object }
    taxProviderId: { result: string | null; args: object }
    canReturn: { result: boolean | null; args: object }
    createdEmail: { result: string | null; args: object }
    products: { result: unknown | null; args: object }
    coupons: { result: unknown | null; args: object }
    extraFields: { result: unknown | null; args: object }
    billingAddress: { result: unknown | null; args: object }
    shippingAddresses: { result: unknown | null; args: object }
    shippingAddress: { result: unknown | null; args: object }
    shipments: { result: unknown | null; args: object }
    extraInt1: { result: number | null; args: object }
    extraInt2: { result: number | null; args: object }
    extraInt3: { result: number | null; args: object }
    extraInt4: { result: number | null; args: object }
    extraInt5: { result: number | null; args: object }
    extraStr1: { result: string | null; args: object }
    extraStr2: { result: string | null; args: object }
    extraStr3: { result: string | null; args: object }
    extraStr4: { result: string | null; args: object }
    extraStr5: { result: string | null; args: object }
    extraText: { result: string | null; args: object }
    extraInfo: { result: unknown | null; args: object }
    money: { result: unknown | null; args: object }
    referenceNumber: { result: string | null; args: object }
    isInvoiceOrder: { result: number | null; args: object }
    updatedAt: { result: string | null; args: object }
    externalOrderId: { result: string | null; args: object }
    ipStatus: { result: number | null; args: object }
    invoiceId: { result: number | null; args: object }
    orderHistoryEvent: { result: readonly ({ of: 'OrderHistoryEventType' } | null)[] | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  OrderCreate: {
    orderId: { result: number | null; args: object }
  }
  OrderedProductType: {
    id: { result: string; args: object }
    createdAt: { result: number; args: object }
    updatedAt: { result: number; args: object }
    productName: { result: string; args: object }
    productBrandName: { result: string | null; args: object }
    variantSku: { result: string | null; args: object }
    productId: { result: string; args: object }
    variantId: { result: string; args: object }
    optionList: { result: unknown | null; args: object }
    orderedTimes: { result: string; args: object }
    firstOrderedAt: { result: number; args: object }
    lastOrderedAt: { result: number; args: object }
    lastOrderedItems: { result: string; args: object }
    companyId: { result: { of: 'CompanyType' } | null; args: object }
    ordersInfo: { result: unknown | null; args: object }
    orderProductId: { result: string; args: object }
    sku: { result: string; args: object }
    lastOrdered: { result: string; args: object }
    optionSelections: { result: unknown | null; args: object }
    imageUrl: { result: string | null; args: object }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
    baseSku: { result: string | null; args: object }
    basePrice: { result: string | null; args: object }
    discount: { result: string | null; args: object }
    tax: { result: string | null; args: object }
    enteredInclusive: { result: boolean | null; args: object }
    productUrl: { result: string | null; args: object }
  }
  OrderedProductTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderedProductTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  OrderedProductTypeCountableEdge: {
    node: { result: { of: 'OrderedProductType' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderHistoryEventType: {
    id: { result: number | null; args: object }
    eventType: { result: number | null; args: object }
    status: { result: string | null; args: object }
    extraFields: { result: unknown | null; args: object }
    createdAt: { result: number | null; args: object }
  }
  OrderProductType: {
    notes: { result: string | null; args: object }
    quantity: { result: string | null; args: object }
    productId: { result: string | null; args: object }
    variantId: { result: string | null; args: object }
    optionList: { result: unknown | null; args: object }
  }
  OrderStatusType: {
    systemLabel: { result: string | null; args: object }
    customLabel: { result: string | null; args: object }
    statusCode: { result: string | null; args: object }
  }
  OrderType: {
    id: { result: string; args: object }
    createdAt: { result: number; args: object }
    updatedAt: { result: number; args: object }
    bcOrderId: { result: number; args: object }
    bcCustomerId: { result: number | null; args: object }
    companyId: { result: { of: 'CompanyType' } | null; args: object }
    totalIncTax: { result: number | null; args: object }
    currencyCode: { result: string | null; args: object }
    usdIncTax: { result: number | null; args: object }
    money: { result: string | null; args: object }
    items: { result: number | null; args: object }
    cartId: { result: string | null; args: object }
    userId: { result: number; args: object }
    poNumber: { result: string | null; args: object }
    referenceNumber: { result: string | null; args: object }
    status: { result: string; args: object }
    customStatus: { result: string | null; args: object }
    statusCode: { result: number; args: object }
    isArchived: { result: boolean | null; args: object }
    isInvoiceOrder: { result: SchemaEnums['OrdersOrdersIsInvoiceOrderChoices']; args: object }
    invoiceId: { result: string | null; args: object }
    invoiceNumber: { result: string | null; args: object }
    invoiceStatus: { result: string | null; args: object }
    ipStatus: { result: SchemaEnums['OrdersOrdersIpStatusChoices'] | null; args: object }
    flag: { result: SchemaEnums['OrdersOrdersFlagChoices'] | null; args: object }
    billingName: { result: string | null; args: object }
    merchantEmail: { result: string | null; args: object }
    extraInt1: { result: number | null; args: object }
    extraInt2: { result: number | null; args: object }
    extraInt3: { result: number | null; args: object }
    extraInt4: { result: number | null; args: object }
    extraInt5: { result: number | null; args: object }
    extraStr1: { result: string | null; args: object }
    extraStr2: { result: string | null; args: object }
    extraStr3: { result: string | null; args: object }
    extraStr4: { result: string | null; args: object }
    extraStr5: { result: string | null; args: object }
    extraText: { result: string | null; args: object }
    extraInfo: { result: string | null; args: object }
    bcOrderInfos: { result: string; args: object }
    shippingAddress: { result: string; args: object }
    shipments: { result: string; args: object }
    products: { result: string; args: object }
    customer: { result: string; args: object }
    createdFrom: { result: SchemaEnums['OrdersOrdersCreatedFromChoices'] | null; args: object }
    customOrderStatus: { result: string | null; args: object }
    companyName: { result: string | null; args: object }
    orderStatus: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    orderId: { result: string | null; args: object }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  OrderTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  OrderTypeCountableEdge: {
    node: { result: { of: 'OrderType' }; args: object }
    cursor: { result: string; args: object }
  }
  CreateBcCartMutation: {
    result: { result: { of: 'PaymentBcCartType' } | null; args: object }
  }
  FinishBcPayMutation: {
    result: { result: unknown | null; args: object }
  }
  InvoiceBalanceType: {
    code: { result: string | null; args: object }
    value: { result: string | null; args: object }
  }
  InvoiceCustomerInformationType: {
    companyId: { result: string | null; args: object }
    companyName: { result: string | null; args: object }
    payerId: { result: string | null; args: object }
    payerName: { result: string | null; args: object }
  }
  InvoiceExtraFieldsType: {
    fieldName: { result: string | null; args: object }
    fieldValue: { result: string | null; args: object }
  }
  InvoiceStatsType: {
    totalBalance: { result: number | null; args: object }
    overDueBalance: { result: number | null; args: object }
    hasDueInvoice: { result: boolean | null; args: object }
    hasOverDueInvoice: { result: boolean | null; args: object }
  }
  InvoiceStoreInfoType: {
    name: { result: string | null; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    address: { result: string | null; args: object }
    country: { result: string | null; args: object }
    countryCode: { result: string | null; args: object }
    phone: { result: string | null; args: object }
    adminEmail: { result: string | null; args: object }
  }
  InvoiceType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    storeHash: { result: string | null; args: object }
    customerId: { result: string | null; args: object }
    externalId: { result: string | null; args: object }
    externalCustomerId: { result: string | null; args: object }
    invoiceNumber: { result: string | null; args: object }
    type: { result: string | null; args: object }
    dueDate: { result: number | null; args: object }
    status: { result: number | null; args: object }
    orderNumber: { result: string | null; args: object }
    purchaseOrderNumber: { result: string | null; args: object }
    details: { result: unknown | null; args: object }
    pendingPaymentCount: { result: number | null; args: object }
    source: { result: number | null; args: object }
    originalBalance: { result: { of: 'InvoiceBalanceType' } | null; args: object }
    openBalance: { result: { of: 'InvoiceBalanceType' } | null; args: object }
    notAllowedPay: { result: number | null; args: object }
    bcInformation: { result: { of: 'BCInfomation' } | null; args: object }
    extraFields: { result: readonly ({ of: 'InvoiceExtraFieldsType' } | null)[] | null; args: object }
    timeOffset: { result: number | null; args: object }
    storeInfo: { result: { of: 'InvoiceStoreInfoType' } | null; args: object }
    channelId: { result: number | null; args: object }
    channelName: { result: string | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
    orderUserId: { result: number | null; args: object }
  }
  InvoiceTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'InvoiceTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  InvoiceTypeCountableEdge: {
    node: { result: { of: 'InvoiceType' }; args: object }
    cursor: { result: string; args: object }
  }
  PaymentBcCartType: {
    checkoutUrl: { result: string | null; args: object }
    cartId: { result: string | null; args: object }
  }
  PaymentFeesType: {
    paymentFees: { result: unknown | null; args: object }
  }
  PaymentModuleType: {
    moduleName: { result: string | null; args: object }
    value: { result: unknown | null; args: object }
  }
  PaymentRelatedCartType: {
    cartId: { result: string | null; args: object }
    cartUrl: { result: string | null; args: object }
  }
  ReceiptLinesType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    storeHash: { result: string | null; args: object }
    customerId: { result: number | null; args: object }
    externalId: { result: number | null; args: object }
    externalCustomerId: { result: number | null; args: object }
    receiptId: { result: number | null; args: object }
    invoiceId: { result: number | null; args: object }
    amountCode: { result: string | null; args: object }
    amount: { result: unknown | null; args: object }
    paymentStatus: { result: number | null; args: object }
    paymentType: { result: string | null; args: object }
    invoiceNumber: { result: string | null; args: object }
    paymentId: { result: number | null; args: object }
    transactionType: { result: string | null; args: object }
    referenceNumber: { result: string | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
  }
  ReceiptLinesTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ReceiptLinesTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  ReceiptLinesTypeCountableEdge: {
    node: { result: { of: 'ReceiptLinesType' }; args: object }
    cursor: { result: string; args: object }
  }
  ReceiptType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    storeHash: { result: string | null; args: object }
    customerId: { result: number | null; args: object }
    externalId: { result: number | null; args: object }
    externalCustomerId: { result: number | null; args: object }
    totalCode: { result: string | null; args: object }
    totalAmount: { result: number | null; args: object }
    payerName: { result: string | null; args: object }
    payerCustomerId: { result: string | null; args: object }
    details: { result: unknown | null; args: object }
    paymentId: { result: number | null; args: object }
    transactionType: { result: string | null; args: object }
    paymentType: { result: string | null; args: object }
    referenceNumber: { result: string | null; args: object }
    receiptLineSet: { result: { of: 'ReceiptLinesTypeCountableConnection' }; args: { offset?: number | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null; search?: string | null; orderBy?: string | null; invoiceId?: string | null } }
    total: { result: unknown | null; args: object }
  }
  ReceiptTypeCountableConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ReceiptTypeCountableEdge' })[]; args: object }
    totalCount: { result: number | null; args: object }
  }
  ReceiptTypeCountableEdge: {
    node: { result: { of: 'ReceiptType' }; args: object }
    cursor: { result: string; args: object }
  }
  StoreFrontInvoiceConfigType: {
    value: { result: boolean | null; args: object }
    enabledStatus: { result: boolean | null; args: object }
  }
  BulkPricingType: {
    minimum: { result: number | null; args: object }
    maximum: { result: number | null; args: object }
    discountAmount: { result: number | null; args: object }
    discountType: { result: string | null; args: object }
    taxDiscountAmount: { result: readonly ({ of: 'PriceType' } | null)[] | null; args: object }
  }
  CatalogQuickProductType: {
    isStock: { result: string | null; args: object }
    stock: { result: number | null; args: object }
    calculatedPrice: { result: string | null; args: object }
    imageUrl: { result: string | null; args: object }
    productId: { result: string | null; args: object }
    variantId: { result: string | null; args: object }
    baseSku: { result: string | null; args: object }
    productName: { result: string | null; args: object }
    categories: { result: readonly (string | null)[] | null; args: object }
    option: { result: readonly (unknown | null)[] | null; args: object }
    isVisible: { result: string | null; args: object }
    minQuantity: { result: number | null; args: object }
    maxQuantity: { result: number | null; args: object }
    modifiers: { result: readonly (unknown | null)[] | null; args: object }
    purchasingDisabled: { result: string | null; args: object }
    variantSku: { result: string | null; args: object }
    inventoryTracking: { result: string | null; args: object }
    availableToSell: { result: number | null; args: object }
    unlimitedBackorder: { result: boolean | null; args: object }
    totalOnHand: { result: number | null; args: object }
    backorderMessage: { result: string | null; args: object }
  }
  CatalogsVariantType: {
    sku: { result: string | null; args: object }
    variantId: { result: number | null; args: object }
  }
  PriceDisplaySettingsType: {
    showInclusive: { result: boolean | null; args: object }
    showBothOnDetailView: { result: boolean | null; args: object }
    showBothOnListView: { result: boolean | null; args: object }
  }
  PriceRangeType: {
    minimum: { result: { of: 'PriceType' } | null; args: object }
    maximum: { result: { of: 'PriceType' } | null; args: object }
  }
  PriceType: {
    asEntered: { result: number | null; args: object }
    enteredInclusive: { result: boolean | null; args: object }
    taxExclusive: { result: number | null; args: object }
    taxInclusive: { result: number | null; args: object }
  }
  PricingProductItemOptionsType: {
    optionId: { result: number | null; args: object }
    valueId: { result: number | null; args: object }
  }
  PricingProductType: {
    productId: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    options: { result: readonly ({ of: 'PricingProductItemOptionsType' } | null)[] | null; args: object }
    referenceRequest: { result: { of: 'ReferenceRequestType' } | null; args: object }
    retailPrice: { result: { of: 'PriceType' } | null; args: object }
    salePrice: { result: { of: 'PriceType' } | null; args: object }
    minimumAdvertisedPrice: { result: { of: 'PriceType' } | null; args: object }
    saved: { result: { of: 'PriceType' } | null; args: object }
    price: { result: { of: 'PriceType' } | null; args: object }
    calculatedPrice: { result: { of: 'PriceType' } | null; args: object }
    priceRange: { result: { of: 'PriceRangeType' } | null; args: object }
    retailPriceRange: { result: { of: 'PriceRangeType' } | null; args: object }
    bulkPricing: { result: readonly ({ of: 'BulkPricingType' } | null)[] | null; args: object }
  }
  ProductInfoType: {
    id: { result: number | null; args: object }
    name: { result: string | null; args: object }
    sku: { result: string | null; args: object }
    costPrice: { result: string | null; args: object }
    inventoryLevel: { result: number | null; args: object }
    inventoryTracking: { result: string | null; args: object }
    availability: { result: string | null; args: object }
    orderQuantityMinimum: { result: number | null; args: object }
    orderQuantityMaximum: { result: number | null; args: object }
    variants: { result: readonly (unknown | null)[] | null; args: object }
    currencyCode: { result: string | null; args: object }
    imageUrl: { result: string | null; args: object }
    modifiers: { result: readonly (unknown | null)[] | null; args: object }
    options: { result: readonly (unknown | null)[] | null; args: object }
    optionsV3: { result: readonly (unknown | null)[] | null; args: object }
    channelId: { result: readonly (number | null)[] | null; args: object }
    productUrl: { result: string | null; args: object }
    taxClassId: { result: number | null; args: object }
    isPriceHidden: { result: boolean | null; args: object }
    availableToSell: { result: number | null; args: object }
    unlimitedBackorder: { result: boolean | null; args: object }
    totalOnHand: { result: number | null; args: object }
    backorderMessage: { result: string | null; args: object }
  }
  ProductInventoryType: {
    productId: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    quantity: { result: number | null; args: object }
    modifiers: { result: readonly (unknown | null)[] | null; args: object }
    productInventoryTracking: { result: string | null; args: object }
    productInventoryLevel: { result: number | null; args: object }
    productInventoryWarningLevel: { result: number | null; args: object }
    variantInventoryLevel: { result: number | null; args: object }
    variantInventoryWarningLevel: { result: number | null; args: object }
    purchasingDisabled: { result: boolean | null; args: object }
    isVisible: { result: boolean | null; args: object }
  }
  ProductPurchasableType: {
    availability: { result: string | null; args: object }
    inventoryLevel: { result: number | null; args: object }
    inventoryTracking: { result: string | null; args: object }
    purchasingDisabled: { result: boolean | null; args: object }
    availableToSell: { result: number | null; args: object }
    unlimitedBackorder: { result: boolean | null; args: object }
  }
  ProductsAnonUpload: {
    result: { result: { of: 'ProductUploadType' } | null; args: object }
  }
  ProductsUpload: {
    result: { result: { of: 'ProductUploadType' } | null; args: object }
  }
  ProductType: {
    productId: { result: string | null; args: object }
    sku: { result: string | null; args: object }
    basePrice: { result: string | null; args: object }
    discount: { result: string | null; args: object }
    offeredPrice: { result: string | null; args: object }
    quantity: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    imageUrl: { result: string | null; args: object }
    orderQuantityMaximum: { result: number | null; args: object }
    orderQuantityMinimum: { result: number | null; args: object }
    productName: { result: string | null; args: object }
    options: { result: unknown | null; args: object }
    notes: { result: string | null; args: object }
    purchaseHandled: { result: boolean | null; args: object }
    costPrice: { result: string | null; args: object }
    inventoryTracking: { result: string | null; args: object }
    inventoryLevel: { result: number | null; args: object }
    productUrl: { result: string | null; args: object }
    type: { result: string | null; args: object }
    isFreeShipping: { result: boolean | null; args: object }
    availability: { result: string | null; args: object }
    isPriceHidden: { result: boolean | null; args: object }
    purchasingDisabled: { result: boolean | null; args: object }
    backorderMessage: { result: string | null; args: object }
    totalOnHand: { result: number | null; args: object }
    quantityBackordered: { result: number | null; args: object }
    picklistBackorder: { result: unknown | null; args: object }
  }
  ProductUploadType: {
    errorFile: { result: string | null; args: object }
    errorProduct: { result: unknown | null; args: object }
    validProduct: { result: unknown | null; args: object }
    stockErrorFile: { result: string | null; args: object }
    stockErrorSkus: { result: unknown | null; args: object }
  }
  ProductVariantInfoType: {
    productId: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    companyId: { result: number | null; args: object }
    channelId: { result: readonly (number | null)[] | null; args: object }
    storeHash: { result: string | null; args: object }
    sku: { result: string | null; args: object }
    imageUrl: { result: string | null; args: object }
    hasPriceList: { result: boolean | null; args: object }
    bulkPrices: { result: readonly (string | null)[] | null; args: object }
    purchasingDisabled: { result: boolean | null; args: object }
    costPrice: { result: string | null; args: object }
    inventoryLevel: { result: number | null; args: object }
    modifiers: { result: readonly (unknown | null)[] | null; args: object }
    isAvailable: { result: boolean | null; args: object }
    calculatedPrice: { result: string | null; args: object }
    currencyCode: { result: string | null; args: object }
    optionValues: { result: readonly (unknown | null)[] | null; args: object }
    availability: { result: string | null; args: object }
    isPriceHidden: { result: boolean | null; args: object }
  }
  StorefrontProductSettingType: {
    showProductPrice: { result: boolean | null; args: object }
    showProductSku: { result: boolean | null; args: object }
    showProductWeight: { result: boolean | null; args: object }
    showProductBrand: { result: boolean | null; args: object }
    showProductShipping: { result: boolean | null; args: object }
    showProductRating: { result: boolean | null; args: object }
    showAddToCartLink: { result: boolean | null; args: object }
    defaultPreorderMessage: { result: string | null; args: object }
    showBreadcrumbsProductPages: { result: string | null; args: object }
    showAddToCartQtyBox: { result: boolean | null; args: object }
    showAddToWishlist: { result: boolean | null; args: object }
    hidePriceFromGuests: { result: boolean | null; args: object }
  }
  ValidatedProductType: {
    productId: { result: number | null; args: object }
    variantId: { result: number | null; args: object }
    sku: { result: string | null; args: object }
    availableToSell: { result: number | null; args: object }
    unlimitedBackorder: { result: boolean | null; args: object }
  }
  ValidateProductsType: {
    isValid: { result: boolean | null; args: object }
    products: { result: readonly ({ of: 'ValidateProductType' } | null)[] | null; args: object }
  }
  ValidateProductType: {
    responseType: { result: string | null; args: object }
    message: { result: string | null; args: object }
    errorCode: { result: string | null; args: object }
    product: { result: { of: 'ValidatedProductType' } | null; args: object }
  }
  AccountFormFieldsType: {
    id: { result: string; args: object }
    createdAt: { result: number | null; args: object }
    updatedAt: { result: number | null; args: object }
    formType: { result: number | null; args: object }
    fieldFrom: { result: number | null; args: object }
    fieldId: { result: string | null; args: object }
    fieldIndex: { result: number | null; args: object }
    custom: { result: boolean | null; args: object }
    groupId: { result: number | null; args: object }
    groupName: { result: string | null; args: object }
    isRequired: { result: boolean | null; args: object }
    visible: { result: boolean | null; args: object }
    labelName: { result: string | null; args: object }
    fieldName: { result: string | null; args: object }
    fieldType: { result: string | null; args: object }
    valueConfigs: { result: unknown | null; args: object }
  }
  AccountSettingType: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    company: { result: string | null; args: object }
    phoneNumber: { result: string | null; args: object }
    email: { result: string | null; args: object }
    formFields: { result: readonly ({ of: 'FormFieldsType' } | null)[] | null; args: object }
    role: { result: number | null; args: object }
    extraFields: { result: readonly ({ of: 'UserExtraFieldsValueType' } | null)[] | null; args: object }
    companyRoleId: { result: number | null; args: object }
    companyRoleName: { result: string | null; args: object }
  }
  BackorderDisplaySettingsType: {
    showQuantityOnBackorder: { result: boolean | null; args: object }
    showQuantityOnHand: { result: boolean | null; args: object }
    showBackorderMessage: { result: boolean | null; args: object }
    showDefaultShippingExpectationPrompt: { result: boolean | null; args: object }
    defaultShippingExpectationPrompt: { result: string | null; args: object }
  }
  BCInfomation: {
    customerName: { result: string | null; args: object }
    bcId: { result: number | null; args: object }
    bcGroupName: { result: string | null; args: object }
    bcUrl: { result: string | null; args: object }
  }
  CheckoutConfigType: {
    configName: { result: string | null; args: object }
    id: { result: number | null; args: object }
    value: { result: string | null; args: object }
    type: { result: string | null; args: object }
  }
  CreateByType: {
    results: { result: unknown | null; args: object }
  }
  Currencies: {
    id: { result: string | null; args: object }
    is_default: { result: boolean | null; args: object }
    last_updated: { result: string | null; args: object }
    country_iso2: { result: string | null; args: object }
    default_for_country_codes: { result: readonly (string | null)[] | null; args: object }
    currency_code: { result: string | null; args: object }
    currency_exchange_rate: { result: string | null; args: object }
    name: { result: string | null; args: object }
    token: { result: string | null; args: object }
    auto_update: { result: boolean | null; args: object }
    token_location: { result: string | null; args: object }
    decimal_token: { result: string | null; args: object }
    thousands_token: { result: string | null; args: object }
    decimal_places: { result: number | null; args: object }
    enabled: { result: boolean | null; args: object }
    is_transactional: { result: boolean | null; args: object }
  }
  ExtraFieldsConfigType: {
    fieldName: { result: string | null; args: object }
    fieldType: { result: number | null; args: object }
    isRequired: { result: boolean | null; args: object }
    defaultValue: { result: string | null; args: object }
    maximumLength: { result: string | null; args: object }
    numberOfRows: { result: string | null; args: object }
    maximumValue: { result: string | null; args: object }
    listOfValue: { result: readonly (string | null)[] | null; args: object }
    visibleToEnduser: { result: boolean | null; args: object }
    labelName: { result: string | null; args: object }
  }
  ExtraFieldsValueType: {
    fieldName: { result: string | null; args: object }
    fieldValue: { result: string | null; args: object }
  }
  FormFieldsType: {
    name: { result: string; args: object }
    value: { result: unknown; args: object }
  }
  invoicePdf: {
    url: { result: string | null; args: object }
  }
  invoicesExport: {
    url: { result: string | null; args: object }
  }
  ReferenceRequestType: {
    productId: { result: number; args: object }
    variantId: { result: number | null; args: object }
    options: { result: readonly ({ of: 'PricingProductItemOptionsType' } | null)[] | null; args: object }
  }
  salesRepInfoType: {
    salesRepName: { result: string | null; args: object }
    salesRepEmail: { result: string | null; args: object }
    salesRepPhoneNumber: { result: string | null; args: object }
  }
  StoreAutoLoaderType: {
    storefrontUrl: { result: string | null; args: object }
    checkoutUrl: { result: string | null; args: object }
  }
  StoreBasicInfoType: {
    storeName: { result: string | null; args: object }
    storeAddress: { result: string | null; args: object }
    storeCountry: { result: string | null; args: object }
    storeLogo: { result: string | null; args: object }
    storeUrl: { result: string | null; args: object }
    storeSites: { result: readonly ({ of: 'StoreSitesType' } | null)[] | null; args: object }
    timeFormat: { result: { of: 'StoreTimeFormatType' } | null; args: object }
    multiStorefrontEnabled: { result: boolean | null; args: object }
    backorderEnabled: { result: boolean | null; args: object }
  }
  StoreConfigType: {
    id: { result: string | null; args: object }
    key: { result: string | null; args: object }
    isEnabled: { result: string | null; args: object }
  }
  StoreCurrencies: {
    currencies: { result: readonly ({ of: 'Currencies' } | null)[] | null; args: object }
    channelCurrencies: { result: unknown | null; args: object }
    enteredInclusiveTax: { result: boolean | null; args: object }
  }
  StoreFrontConfigsType: {
    accountSettings: { result: boolean | null; args: object }
    addressBook: { result: boolean | null; args: object }
    buyAgain: { result: boolean | null; args: object }
    dashboard: { result: boolean | null; args: object }
    invoice: { result: { of: 'StoreFrontInvoiceConfigType' } | null; args: object }
    messages: { result: boolean | null; args: object }
    orders: { result: boolean | null; args: object }
    quickOrderPad: { result: boolean | null; args: object }
    quotes: { result: boolean | null; args: object }
    recentlyViewed: { result: boolean | null; args: object }
    returns: { result: boolean | null; args: object }
    shoppingLists: { result: boolean | null; args: object }
    tradeProfessionalApplication: { result: boolean | null; args: object }
    userManagement: { result: boolean | null; args: object }
    wishLists: { result: boolean | null; args: object }
  }
  StorefrontConfigType: {
    key: { result: string | null; args: object }
    value: { result: string | null; args: object }
    extraFields: { result: unknown | null; args: object }
  }
  StoreFrontConfigType: {
    config: { result: { of: 'StoreFrontConfigsType' } | null; args: object }
    configId: { result: number | null; args: object }
  }
  StorefrontLanguageType: {
    language: { result: string | null; args: object }
  }
  StorefrontScriptType: {
    storeHash: { result: string | null; args: object }
    channelId: { result: number | null; args: object }
    script: { result: string | null; args: object }
  }
  StorefrontSettingsType: {
    backorderDisplaySettings: { result: { of: 'BackorderDisplaySettingsType' } | null; args: object }
  }
  StoreInfoType: {
    storeName: { result: string | null; args: object }
    storeAddress: { result: string | null; args: object }
    storeCountry: { result: string | null; args: object }
    storeLogo: { result: string | null; args: object }
    storeUrl: { result: string | null; args: object }
  }
  StoreLimitationsType: {
    canCreate: { result: boolean | null; args: object }
    hasLimitation: { result: boolean | null; args: object }
    limitationCount: { result: number | null; args: object }
    limitationType: { result: number | null; args: object }
    limitationTypeName: { result: string | null; args: object }
    resourceCount: { result: number | null; args: object }
  }
  StoreSitesType: {
    channelId: { result: number | null; args: object }
    urls: { result: readonly (string | null)[] | null; args: object }
    iconUrl: { result: string | null; args: object }
    isEnabled: { result: boolean | null; args: object }
    b2bEnabled: { result: boolean | null; args: object }
    b3ChannelId: { result: number | null; args: object }
    channelLogo: { result: string | null; args: object }
    type: { result: string | null; args: object }
    platform: { result: string | null; args: object }
    translationVersion: { result: number | null; args: object }
  }
  StoreTimeFormatType: {
    display: { result: string | null; args: object }
    export: { result: string | null; args: object }
    extendedDisplay: { result: string | null; args: object }
    offset: { result: number | null; args: object }
  }
  StoreUserInfo: {
    storeInfo: { result: { of: 'StoreInfoType' } | null; args: object }
    companyInfo: { result: { of: 'CompanyInfoType' } | null; args: object }
    salesRepInfo: { result: { of: 'salesRepInfoType' } | null; args: object }
  }
  TaxClassRateType: {
    rate: { result: number | null; args: object }
    taxClassId: { result: number | null; args: object }
  }
  TaxRateType: {
    id: { result: number | null; args: object }
    name: { result: string | null; args: object }
    enabled: { result: boolean | null; args: object }
    priority: { result: number | null; args: object }
    classRates: { result: readonly ({ of: 'TaxClassRateType' } | null)[] | null; args: object }
  }
  TaxZoneRateType: {
    id: { result: number | null; args: object }
    name: { result: string | null; args: object }
    enabled: { result: boolean | null; args: object }
    shopperTargetSettings: { result: { of: 'TaxZoneShopperTargetType' } | null; args: object }
    rates: { result: readonly ({ of: 'TaxRateType' } | null)[] | null; args: object }
    priceDisplaySettings: { result: { of: 'PriceDisplaySettingsType' } | null; args: object }
  }
  TaxZoneShopperTargetLocationType: {
    countryCode: { result: string | null; args: object }
    subdivisionCodes: { result: readonly (string | null)[] | null; args: object }
    postalCodes: { result: readonly (string | null)[] | null; args: object }
  }
  TaxZoneShopperTargetType: {
    locations: { result: readonly ({ of: 'TaxZoneShopperTargetLocationType' } | null)[] | null; args: object }
    customerGroups: { result: readonly (number | null)[] | null; args: object }
  }
  UpdateAccount: {
    result: { result: { of: 'AccountSettingType' } | null; args: object }
  }
  UpdateCustomerAccount: {
    result: { result: { of: 'CustomerAccountSettingsType' } | null; args: object }
  }
}

/** The object types of each interface and union. */
export interface SchemaAbstracts {
  Node: 'SuperAdminCompanyType' | 'UserType' | 'CompanyPermissionsType' | 'CompanyRolePermissionsType' | 'CompanyRolesType' | 'CompanyRoleType' | 'CompanyType' | 'CustomerAddressType' | 'AddressType' | 'QuoteType' | 'BaseShoppingListItem' | 'CustomerShoppingListIdNameType' | 'CustomerShoppingListPageType' | 'CustomerShoppingListType' | 'ShoppingListIdNameType' | 'ShoppingListItem' | 'ShoppingListPageType' | 'ShoppingListType' | 'OrderedProductType' | 'OrderType' | 'InvoiceType' | 'ReceiptLinesType' | 'ReceiptType' | 'AccountFormFieldsType'
}

/** The fields of each input. */
export interface SchemaInputs {
  CheckoutLoginType: { cartId: string }
  CustomerStoreFrontTokenInputType: { storeHash: string; channelId: number; expiresAt: number; allowedCorsOrigins: readonly (string | null)[] }
  UserAuthType: { bcToken: string; channelId: number | null }
  UserExtraField: { fieldName: string; fieldValue: string }
  UserInputType: { companyId: number; email: string; firstName: string; lastName: string; phone: string | null; role?: number | null; companyRoleId?: number | null; uuid: string | null; acceptEmail: boolean | null; extraFields?: readonly (SchemaInputs['UserExtraField'] | null)[] | null; addChannel: boolean | null }
  UserLoginType: { storeHash: string; email: string; password: string; channelId: number | null; redirectUrl: string | null }
  UserUpdateInputType: { companyId: number; userId: number; firstName?: string | null; lastName?: string | null; phone?: string | null; role?: number | null; companyRoleId?: number | null; uuid?: string | null; extraFields?: readonly (SchemaInputs['UserExtraField'] | null)[] | null }
  CompanyAddressExtraField: { fieldName: string; fieldValue: string }
  CompanyAttachedFile: { fileUrl: string; fileName: string; fileType: string; fileSize?: string | null }
  CompanyExtraField: { fieldName: string; fieldValue: string }
  CompanyInputType: { storeHash: string; customerId: string; companyName: string; companyEmail?: string | null; addressLine1: string; addressLine2?: string | null; city: string; companyPhoneNumber?: string | null; country: string; state: string; zipCode: string; extraFields?: readonly (SchemaInputs['CompanyExtraField'] | null)[] | null; fileList?: readonly (SchemaInputs['CompanyAttachedFile'] | null)[] | null; userExtraFields?: readonly (SchemaInputs['CompanyUserExtraField'] | null)[] | null; channelId?: number | null; addressExtraFields?: readonly (SchemaInputs['CompanyAddressExtraField'] | null)[] | null; customerEmail?: string | null }
  CompanyUserExtraField: { fieldName: string; fieldValue: string }
  CustomerAddressInputType: { firstName: string; lastName: string; company?: string | null; address1: string; address2?: string | null; city: string; phone?: string | null; stateOrProvince: string | null; countryCode: string; postalCode: string; addressType?: string | null; formFields: readonly (SchemaInputs['AddressFormFieldsInputType'] | null)[] | null }
  CustomerAddressUpdateType: { firstName: string; lastName: string; company?: string | null; address1: string; address2?: string | null; city: string; phone?: string | null; stateOrProvince: string | null; countryCode: string; postalCode: string; addressType?: string | null; formFields: readonly (SchemaInputs['AddressFormFieldsInputType'] | null)[] | null; bcAddressId: number }
  CustomerAttributeInputType: { attributeId: number; attributeValue: string }
  CustomerAuthenticationInputType: { forcePasswordReset?: boolean | null; newPassword?: string | null }
  CustomerInputType: { storeHash: string; email: string; firstName: string; lastName: string; company?: string | null; phone?: string | null; notes?: string | null; addresses?: readonly (SchemaInputs['CustomerAddressInputType'] | null)[] | null; authentication: SchemaInputs['CustomerAuthenticationInputType'] | null; acceptsProductReviewAbandonedCartEmails?: boolean | null; originChannelId?: number | null; channelIds?: readonly (number | null)[] | null; formFields?: readonly (SchemaInputs['FormFieldsInputType'] | null)[] | null; triggerAccountCreatedNotification?: boolean | null; attributes?: readonly (SchemaInputs['CustomerAttributeInputType'] | null)[] | null; customerGroupId?: number | null; storeCreditAmounts?: readonly (SchemaInputs['CustomerStoreCreditAmountsInputType'] | null)[] | null; taxExemptCategory?: string | null }
  CustomerStoreCreditAmountsInputType: { amount: number }
  CustomerSubscribersInputType: { storeHash: string; email: string; firstName?: string | null; lastName?: string | null; source?: string | null; orderId?: number | null; channelId?: number | null }
  AddressExtraFieldInputType: { fieldName: string; fieldValue: string }
  AddressFormFieldsInputType: { name: string; value: unknown }
  AddressInputType: { companyId: number; firstName: string; lastName: string; addressLine1: string; addressLine2: string | null; country: string; countryCode: string; state: string | null; stateCode: string | null; city: string; zipCode: string; phoneNumber: string | null; isShipping: number | null; isBilling: number | null; isDefaultShipping: number | null; isDefaultBilling: number | null; label: string | null; uuid: string | null; extraFields: readonly (SchemaInputs['AddressExtraFieldInputType'] | null)[] | null; company?: string | null }
  AddressUpdateType: { companyId: number; firstName: string; lastName: string; addressLine1: string; addressLine2: string | null; country: string; countryCode: string; state: string | null; stateCode: string | null; city: string; zipCode: string; phoneNumber: string | null; isShipping: number | null; isBilling: number | null; isDefaultShipping: number | null; isDefaultBilling: number | null; label: string | null; uuid: string | null; extraFields: readonly (SchemaInputs['AddressExtraFieldInputType'] | null)[] | null; company?: string | null; addressId: number }
  BillingAddressInputType: { country?: string | null; state?: string | null; city?: string | null; zipCode?: string | null; address?: string | null; apartment?: string | null; addressId?: number | null; firstName?: string | null; lastName?: string | null; addressLine1?: string | null; addressLine2?: string | null; phoneNumber?: string | null; label?: string | null; extraFields?: readonly (SchemaInputs['QuoteAddressExtraFieldsInputType'] | null)[] | null; companyName?: string | null }
  QuoteAddressExtraFieldsInputType: { fieldName?: string | null; fieldValue?: string | null }
  ShippingAddressInputType: { country?: string | null; state?: string | null; city?: string | null; zipCode?: string | null; address?: string | null; apartment?: string | null; addressId?: number | null; firstName?: string | null; lastName?: string | null; addressLine1?: string | null; addressLine2?: string | null; phoneNumber?: string | null; label?: string | null; extraFields?: readonly (SchemaInputs['QuoteAddressExtraFieldsInputType'] | null)[] | null; shippingCity?: string | null; shippingZipCode?: string | null; companyName?: string | null }
  QuoteCurrencyInputType: { currencyExchangeRate: string; token?: string | null }
  QuoteEmailInputType: { email: string; quoteId: number }
  QuoteExtraFieldsInputType: { id?: number | null; fieldName?: string | null; value?: string | null }
  QuoteFileListInputType: { id?: number | null; fileUrl: string; fileName: string; fileType: string; fileSize?: number | null }
  QuoteInputType: { notes?: string | null; legalTerms?: string | null; totalAmount?: number | null; message?: string | null; subtotal: number; discount: number; grandTotal: number; referenceNumber?: string | null; userEmail?: string | null; expiredAt?: string | null; quoteTitle?: string | null; shippingAddress: SchemaInputs['ShippingAddressInputType']; billingAddress: SchemaInputs['BillingAddressInputType']; contactInfo: SchemaInputs['ContactInfoInputType']; companyId?: number | null; currency: SchemaInputs['CurrencyInputType']; storeHash: string; productList: readonly (SchemaInputs['ProductInputType'] | null)[]; shippingTotal?: number | null; taxTotal?: number | null; shippingMethod?: unknown | null; extraFields?: readonly (SchemaInputs['QuoteExtraFieldsInputType'] | null)[] | null; recipients?: readonly (unknown | null)[] | null; discountType?: number | null; discountValue?: number | null; fileList?: readonly (SchemaInputs['QuoteFileListInputType'] | null)[] | null; channelId?: number | null; totalIsTbd?: boolean | null }
  QuoteOrderedInputType: { orderId: string; storeHash: string; shippingTotal: number; taxTotal: number; shippingMethod: SchemaInputs['ShippingMethodInputType'] }
  QuoteUpdateInputType: { storeHash: string; message?: string | null; userEmail: string; lastMessage?: number | null }
  CustomerShoppingListsInputType: { name: string; description: string; channelId?: number | null }
  ShoppingListsDuplicateInputType: { name: string; description: string }
  ShoppingListsInputType: { name: string; description: string; status: number; companyId?: number | null }
  ShoppingListsItemsInputType: { productId: number; variantId: number; quantity: number; optionList?: readonly (SchemaInputs['ShoppingListsItemsOptionInputType'] | null)[] | null; sortOrder?: number | null; productNote?: string | null }
  ShoppingListsItemsOptionInputType: { optionId: string; optionValue: unknown }
  ShoppingListsItemsUpdateInputType: { variantId?: number | null; quantity?: number | null; optionList?: readonly (SchemaInputs['ShoppingListsItemsOptionInputType'] | null)[] | null; sortOrder?: number | null; productNote?: string | null }
  OrderCreateInputType: { bcOrderId: number; poNumber?: string | null; referenceNumber?: string | null; isSaveOrderComment: string | null; extraInt1?: number | null; extraInt2?: number | null; extraInt3?: number | null; extraInt4?: number | null; extraInt5?: number | null; extraStr1?: string | null; extraStr2?: string | null; extraStr3?: string | null; extraStr4?: string | null; extraStr5?: string | null; extraText?: string | null; extraInfo?: string | null; extraFields?: unknown | null }
  BcCartInputType: { lineItems: readonly (SchemaInputs['InvoiceLineItemsInputType'] | null)[]; currency: string; details: unknown }
  InvoiceFilterDataType: { search?: string | null; invoiceNumber?: string | null; orderNumber?: string | null; beginDateAt?: number | null; endDateAt?: number | null; status?: readonly (number | null)[] | null; idIn?: string | null; orderBy?: string | null; companyIds: readonly (number | null)[] | null }
  InvoiceLineItemsInputType: { invoiceId: number; amount: string }
  PricingProductItemInputType: { productId: number; variantId?: number | null; options?: readonly (SchemaInputs['PricingProductItemOptionsInputType'] | null)[] | null }
  PricingProductItemOptionsInputType: { optionId?: number | null; valueId?: number | null }
  ProductAnonUploadInputType: { productList?: readonly (SchemaInputs['ProductListType'] | null)[] | null; currencyCode?: string | null; channelId?: number | null; isToCart?: boolean | null; withModifiers: boolean | null; storeHash: string }
  ProductInputType: { productId: number; sku: string; basePrice: number; discount: number; offeredPrice: number; quantity: number; variantId: number; imageUrl: string; productName: string; options?: readonly (SchemaInputs['ProductOptionInputType'] | null)[] | null; itemId?: string | null }
  ProductInventoryInputType: { productId: number; variantId?: number | null; quantity?: number | null }
  ProductListType: { sku?: string | null; qty?: string | null }
  ProductOptionInputType: { optionId?: number | null; optionValue?: string | null; optionLabel?: string | null; optionName?: string | null; type?: string | null }
  ProductUploadInputType: { productList?: readonly (SchemaInputs['ProductListType'] | null)[] | null; currencyCode?: string | null; channelId?: number | null; isToCart?: boolean | null; withModifiers: boolean | null }
  ProductVariantInputType: { productId: number; variantId: number }
  ValidateProductInputType: { productId: number; variantId: number; quantity: number; productOptions?: readonly (unknown | null)[] | null }
  ContactInfoInputType: { name: string; email: string; companyName?: string | null; phoneNumber?: string | null }
  CurrencyInputType: { currencyExchangeRate?: string | null; token?: string | null; location?: string | null; decimalToken?: string | null; decimalPlaces?: number | null; thousandsToken?: string | null; currencyCode?: string | null }
  FormFieldsInputType: { name: string; value: unknown }
  InputAccountType: { firstName?: string | null; lastName?: string | null; phoneNumber?: string | null; email?: string | null; currentPassword: string; newPassword?: string | null; confirmPassword?: string | null; formFields: readonly (SchemaInputs['FormFieldsInputType'] | null)[] | null; companyId: number; extraFields?: readonly (SchemaInputs['UserExtraField'] | null)[] | null }
  InputCustomerAccountType: { firstName?: string | null; lastName?: string | null; phoneNumber?: string | null; email?: string | null; currentPassword: string; newPassword?: string | null; confirmPassword?: string | null; formFields: readonly (SchemaInputs['FormFieldsInputType'] | null)[] | null; company?: string | null }
  ShippingMethodInputType: { id: string; type: string; description: string; imageUrl: string; transitTime: string; cost: number; additionalDescription: string }
}

/** The values of each enumeration. @public */
export interface SchemaEnums {
  OrdersOrdersCreatedFromChoices: 'A_0' | 'A_1' | 'A_2' | 'A_3' | 'A_4'
  OrdersOrdersFlagChoices: 'A_0' | 'A_1' | 'A_2' | 'A_3'
  OrdersOrdersIpStatusChoices: 'A_0' | 'A_1' | 'A_2'
  OrdersOrdersIsInvoiceOrderChoices: 'A_0' | 'A_1'
}
