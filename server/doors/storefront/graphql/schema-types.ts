// Written by `npm run generate` from schema.graphql. Change that file, and not this one.

/** The fields of each object type: their results and their arguments. */
export interface SchemaObjects {
  Query: {
    site: { result: { of: 'Site' }; args: object }
    channel: { result: { of: 'Channel' }; args: object }
    customer: { result: { of: 'Customer' } | null; args: object }
    node: { result: { of: 'Node' } | null; args: { id: string } }
    inventory: { result: { of: 'Inventory' }; args: object }
    shopperPreferences: { result: { of: 'ShopperPreferences' }; args: object }
    store: { result: { of: 'Store' }; args: object }
    geography: { result: { of: 'Geography' }; args: object }
    company: { result: { of: 'CompanyQueries' } | null; args: object }
  }
  Mutation: {
    cart: { result: { of: 'CartMutations' }; args: object }
    checkout: { result: { of: 'CheckoutMutations' }; args: object }
    login: { result: { of: 'LoginResult' }; args: { email: string; password: string; guestCartEntityId?: string | null } }
    logout: { result: { of: 'LogoutResult' }; args: { cartEntityId?: string | null } }
    wishlist: { result: { of: 'WishlistMutations' }; args: object }
    loginWithCustomerLoginJwt: { result: { of: 'LoginWithCustomerLoginJwtResult' }; args: { jwt: string; guestCartEntityId?: string | null } }
    submitContactUs: { result: { of: 'SubmitContactUsResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['SubmitContactUsInput'] } }
    generateSessionSyncJwt: { result: { of: 'GenerateSessionSyncTokenResult' }; args: { redirectTo: string; cartId?: string | null; paymentWalletData?: SchemaInputs['PaymentWalletDataInput'] | null; visitorId?: string | null; visitId?: string | null; ipAddress?: string | null; analytics?: SchemaInputs['AnalyticsCommonEventInput'] | null } }
    validateSessionSyncJwt: { result: { of: 'ValidateSessionSyncJwtResult' }; args: { jwt: string } }
    analytics: { result: { of: 'AnalyticsMutations' }; args: object }
    previewGiftCertificate: { result: { of: 'GiftCertificatePreview' }; args: { input: SchemaInputs['GiftCertificatePreviewInput'] } }
    company: { result: { of: 'CompanyMutations' }; args: object }
    catalog: { result: { of: 'CatalogMutations' }; args: object }
    customer: { result: { of: 'CustomerMutations' }; args: object }
    newsletter: { result: { of: 'NewsletterMutations' }; args: object }
    order: { result: { of: 'OrderMutations' }; args: object }
  }
  AlreadyExistsError: {
    message: { result: string; args: object }
  }
  CollectionInfo: {
    totalItems: { result: number | null; args: object }
  }
  DateTimeExtended: {
    utc: { result: string; args: object }
  }
  Distance: {
    value: { result: number; args: object }
    lengthUnit: { result: SchemaEnums['LengthUnit']; args: object }
  }
  Image: {
    url: { result: string; args: { width: number; height?: number | null; lossy?: boolean | null } }
    urlOriginal: { result: string; args: { lossy?: boolean | null } }
    urlTemplate: { result: string; args: { lossy?: boolean | null } }
    altText: { result: string; args: object }
    isDefault: { result: boolean; args: object }
  }
  ImageConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ImageEdge' })[] | null; args: object }
  }
  ImageEdge: {
    node: { result: { of: 'Image' }; args: object }
    cursor: { result: string; args: object }
  }
  LimitExceededError: {
    limit: { result: number; args: object }
    message: { result: string; args: object }
  }
  LocaleAlternate: {
    path: { result: string; args: object }
    url: { result: string; args: object }
  }
  LocaleAlternateConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'LocaleAlternateEdge' })[] | null; args: object }
  }
  LocaleAlternateEdge: {
    node: { result: { of: 'LocaleAlternate' }; args: object }
    cursor: { result: string; args: object }
  }
  Measurement: {
    value: { result: number; args: object }
    unit: { result: string; args: object }
  }
  MetafieldConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'MetafieldEdge' })[] | null; args: object }
  }
  MetafieldEdge: {
    node: { result: { of: 'Metafields' }; args: object }
    cursor: { result: string; args: object }
  }
  Metafields: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    key: { result: string; args: object }
    value: { result: string; args: object }
    description: { result: string; args: object }
  }
  Money: {
    currencyCode: { result: string; args: object }
    value: { result: number; args: object }
    formatted: { result: string | null; args: object }
    formattedV2: { result: string | null; args: object }
  }
  MoneyRange: {
    min: { result: { of: 'Money' }; args: object }
    max: { result: { of: 'Money' }; args: object }
  }
  NotAuthorisedError: {
    message: { result: string; args: object }
  }
  NotFoundError: {
    message: { result: string; args: object }
  }
  PageInfo: {
    hasNextPage: { result: boolean; args: object }
    hasPreviousPage: { result: boolean; args: object }
    startCursor: { result: string | null; args: object }
    endCursor: { result: string | null; args: object }
  }
  SeoDetails: {
    pageTitle: { result: string; args: object }
    metaDescription: { result: string; args: object }
    metaKeywords: { result: string; args: object }
  }
  UrlField: {
    vanityUrl: { result: string; args: object }
    cdnUrl: { result: string; args: object }
    checkoutUrl: { result: string | null; args: object }
  }
  ValidationError: {
    path: { result: readonly (string)[]; args: object }
    message: { result: string; args: object }
  }
  Video: {
    title: { result: string; args: object }
    url: { result: string; args: object }
  }
  VideoConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'VideoEdge' })[] | null; args: object }
  }
  VideoEdge: {
    node: { result: { of: 'Video' }; args: object }
    cursor: { result: string; args: object }
  }
  ActiveCompany: {
    addresses: { result: { of: 'CompanyAddressConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; filters?: SchemaInputs['CompanyAddressFiltersInput'] | null; sort?: readonly (SchemaInputs['CompanyAddressSortInput'])[] | null; includesExtraFields: boolean | null } }
    companyUser: { result: { of: 'CompanyUser' } | null; args: object }
    orders: { result: { of: 'OrdersConnection' } | null; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; filters?: SchemaInputs['CompanyOrdersFiltersInput'] | null; sortBy?: SchemaEnums['OrdersSortInput'] | null } }
    customersWithOrders: { result: { of: 'CompanyCustomerConnection' } | null; args: { filters?: SchemaInputs['CustomerWithOrdersFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  CompanyAddress: {
    entityId: { result: number; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    address1: { result: string; args: object }
    address2: { result: string | null; args: object }
    city: { result: string; args: object }
    country: { result: string; args: object }
    countryCode: { result: string; args: object }
    stateOrProvince: { result: string | null; args: object }
    stateOrProvinceCode: { result: string | null; args: object }
    phone: { result: string | null; args: object }
    postalCode: { result: string | null; args: object }
    label: { result: string | null; args: object }
    isDefaultShipping: { result: boolean | null; args: object }
    isDefaultBilling: { result: boolean | null; args: object }
    isBilling: { result: boolean | null; args: object }
    isShipping: { result: boolean | null; args: object }
    extraFields: { result: readonly ({ of: 'ExtraFieldValue' })[]; args: object }
  }
  CompanyAddressConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CompanyAddressEdge' })[] | null; args: object }
  }
  CompanyAddressEdge: {
    node: { result: { of: 'CompanyAddress' }; args: object }
    cursor: { result: string; args: object }
  }
  CompanyCustomer: {
    entityId: { result: number; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    email: { result: string; args: object }
  }
  CompanyCustomerConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CompanyCustomerEdge' })[] | null; args: object }
  }
  CompanyCustomerEdge: {
    node: { result: { of: 'CompanyCustomer' }; args: object }
    cursor: { result: string; args: object }
  }
  CompanyMutations: {
    registerCompany: { result: { of: 'RegisterCompanyResult' }; args: { input: SchemaInputs['RegisterCompanyInput'] } }
    updateCompanyUser: { result: { of: 'UpdateCompanyUserResult' }; args: { input: SchemaInputs['UpdateCompanyUserInput'] } }
  }
  CompanyQueries: {
    addresses: { result: { of: 'CompanyAddressConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; filters?: SchemaInputs['CompanyAddressFiltersInput'] | null; sort?: readonly (SchemaInputs['CompanyAddressSortInput'])[] | null; includesExtraFields: boolean | null } }
    companyUser: { result: { of: 'CompanyUser' } | null; args: object }
  }
  CompanyUser: {
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    company: { result: string; args: object }
    phoneNumber: { result: string; args: object }
    email: { result: string; args: object }
    formFields: { result: readonly ({ of: 'CustomerFormFieldValue' })[]; args: object }
    extraFields: { result: readonly ({ of: 'ExtraFieldValue' })[]; args: object }
    companyRoleName: { result: string | null; args: object }
  }
  OrderCompany: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  RegisterCompanyResult: {
    entityId: { result: number | null; args: object }
    status: { result: SchemaEnums['CompanyStatus'] | null; args: object }
    errors: { result: readonly ({ of: 'RegisterCompanyError' })[]; args: object }
  }
  UpdateCompanyUserError: {
    field: { result: string; args: object }
    message: { result: string; args: object }
    code: { result: string | null; args: object }
  }
  UpdateCompanyUserResult: {
    errors: { result: readonly ({ of: 'UpdateCompanyUserError' })[]; args: object }
  }
  CancelOrderReturnResult: {
    entityId: { result: string | null; args: object }
    errors: { result: readonly ({ of: 'Error' })[]; args: object }
  }
  CreateOrderReturnResult: {
    entityId: { result: string | null; args: object }
    errors: { result: readonly ({ of: 'Error' })[]; args: object }
  }
  CreditCardPaymentInstrument: {
    brand: { result: string; args: object }
    last4: { result: string; args: object }
  }
  GiftCertificatePaymentInstrument: {
    code: { result: string; args: object }
  }
  Order: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    orderedAt: { result: { of: 'DateTimeExtended' }; args: object }
    updatedAt: { result: { of: 'DateTimeExtended' }; args: object }
    status: { result: { of: 'OrderStatus' }; args: object }
    billingAddress: { result: { of: 'OrderBillingAddress' }; args: object }
    isTaxIncluded: { result: boolean; args: object }
    consignments: { result: { of: 'OrderConsignments' } | null; args: object }
    subTotal: { result: { of: 'Money' }; args: object }
    discountedSubTotal: { result: { of: 'Money' } | null; args: object }
    discounts: { result: { of: 'OrderDiscounts' }; args: object }
    wrappingCostTotal: { result: { of: 'Money' }; args: object }
    shippingCostTotal: { result: { of: 'Money' }; args: object }
    handlingCostTotal: { result: { of: 'Money' }; args: object }
    taxTotal: { result: { of: 'Money' }; args: object }
    taxes: { result: readonly ({ of: 'OrderTax' })[]; args: object }
    totalIncTax: { result: { of: 'Money' }; args: object }
    customerMessage: { result: string | null; args: object }
    totalProductQuantity: { result: number; args: object }
    backorderShippingExpectationMessage: { result: string | null; args: object }
    comparisonShippingCost: { result: { of: 'Money' } | null; args: object }
    fees: { result: readonly ({ of: 'OrderFee' })[]; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    cartMetafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    permalink: { result: string | null; args: object }
    reference: { result: string | null; args: object }
    poNumber: { result: string | null; args: object }
    company: { result: { of: 'OrderCompany' } | null; args: object }
    placedBy: { result: { of: 'CompanyCustomer' } | null; args: object }
    history: { result: readonly ({ of: 'OrderHistoryEvent' })[]; args: object }
    invoice: { result: { of: 'OrderInvoice' } | null; args: object }
  }
  OrderAutomaticShippingDiscount: {
    entityId: { result: number; args: object }
    amount: { result: { of: 'Money' }; args: object }
  }
  OrderBillingAddress: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    company: { result: string | null; args: object }
    address1: { result: string | null; args: object }
    address2: { result: string | null; args: object }
    city: { result: string | null; args: object }
    stateOrProvince: { result: string | null; args: object }
    stateOrProvinceCode: { result: string | null; args: object }
    country: { result: string; args: object }
    countryCode: { result: string; args: object }
    postalCode: { result: string; args: object }
    phone: { result: string | null; args: object }
    email: { result: string | null; args: object }
  }
  OrderConsignments: {
    downloads: { result: readonly ({ of: 'OrderDownloadConsignment' })[]; args: object }
    email: { result: { of: 'OrderEmailConsignments' }; args: object }
    pickups: { result: { of: 'OrderPickupConsignmentConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    shipping: { result: { of: 'OrderShippingConsignmentConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  OrderCouponDiscount: {
    couponCode: { result: string; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
  }
  OrderDigitalLineItem: {
    entityId: { result: number; args: object }
    productEntityId: { result: number; args: object }
    name: { result: string; args: object }
    sku: { result: string; args: object }
    variantEntityId: { result: number | null; args: object }
    quantity: { result: number; args: object }
    subTotalListPrice: { result: { of: 'Money' }; args: object }
    subTotalSalePrice: { result: { of: 'Money' }; args: object }
    refundedQuantity: { result: number; args: object }
    brand: { result: string | null; args: object }
    downloadFileUrls: { result: readonly (string)[]; args: object }
    downloadPageUrl: { result: string | null; args: object }
    productOptions: { result: readonly ({ of: 'OrderLineItemProductOption' })[]; args: object }
    image: { result: { of: 'Image' } | null; args: object }
    baseCatalogProduct: { result: { of: 'Product' } | null; args: object }
    catalogProductWithOptionSelections: { result: { of: 'Product' } | null; args: object }
  }
  OrderDigitalLineItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderDigitalLineItemEdge' })[] | null; args: object }
  }
  OrderDigitalLineItemEdge: {
    node: { result: { of: 'OrderDigitalLineItem' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderDiscounts: {
    nonCouponDiscountTotal: { result: { of: 'Money' }; args: object }
    couponDiscounts: { result: readonly ({ of: 'OrderCouponDiscount' })[]; args: object }
    totalDiscount: { result: { of: 'Money' } | null; args: object }
    orderBasedAutoDiscountTotal: { result: { of: 'Money' } | null; args: object }
    manualDiscountTotal: { result: { of: 'Money' } | null; args: object }
  }
  OrderDownloadConsignment: {
    recipientEmail: { result: string; args: object }
    lineItems: { result: { of: 'OrderDigitalLineItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  OrderEmailConsignments: {
    giftCertificates: { result: { of: 'OrderGiftCertificateConsignmentConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  OrderFee: {
    entityId: { result: string; args: object }
    feeType: { result: SchemaEnums['FeeType']; args: object }
    displayName: { result: string; args: object }
    cost: { result: { of: 'Money' }; args: object }
    source: { result: string; args: object }
  }
  OrderGiftCertificateConsignment: {
    recipientEmail: { result: string; args: object }
    lineItems: { result: { of: 'OrderGiftCertificateLineItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  OrderGiftCertificateConsignmentConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderGiftCertificateConsignmentEdge' })[] | null; args: object }
  }
  OrderGiftCertificateConsignmentEdge: {
    node: { result: { of: 'OrderGiftCertificateConsignment' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderGiftCertificateLineItem: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    salePrice: { result: { of: 'Money' }; args: object }
    refundedQuantity: { result: number; args: object }
  }
  OrderGiftCertificateLineItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderGiftCertificateLineItemEdge' })[] | null; args: object }
  }
  OrderGiftCertificateLineItemEdge: {
    node: { result: { of: 'OrderGiftCertificateLineItem' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderHistoryEvent: {
    id: { result: string; args: object }
    eventType: { result: SchemaEnums['OrderHistoryEventType']; args: object }
    statusLabel: { result: string; args: object }
    source: { result: string | null; args: object }
    createdAt: { result: string; args: object }
  }
  OrderInvoice: {
    id: { result: string; args: object }
  }
  OrderLineItemProductOption: {
    name: { result: string; args: object }
    value: { result: string; args: object }
    productAttributeEntityId: { result: number | null; args: object }
    productAttributeValueEntityId: { result: number | null; args: object }
  }
  OrderLineItemWrapping: {
    name: { result: string; args: object }
    cost: { result: { of: 'Money' }; args: object }
  }
  OrderMutations: {
    return: { result: { of: 'OrderReturnMutations' }; args: object }
  }
  OrderPhysicalLineItem: {
    entityId: { result: number; args: object }
    productEntityId: { result: number; args: object }
    name: { result: string; args: object }
    sku: { result: string; args: object }
    variantEntityId: { result: number | null; args: object }
    quantity: { result: number; args: object }
    subTotalListPrice: { result: { of: 'Money' }; args: object }
    subTotalSalePrice: { result: { of: 'Money' }; args: object }
    refundedQuantity: { result: number; args: object }
    parentLineItemEntityId: { result: number | null; args: object }
    brand: { result: string | null; args: object }
    wrapping: { result: { of: 'OrderLineItemWrapping' } | null; args: object }
    productOptions: { result: readonly ({ of: 'OrderLineItemProductOption' })[]; args: object }
    image: { result: { of: 'Image' } | null; args: object }
    baseCatalogProduct: { result: { of: 'Product' } | null; args: object }
    catalogProductWithOptionSelections: { result: { of: 'Product' } | null; args: object }
    backorderedQuantity: { result: number; args: object }
    backorderMessage: { result: string | null; args: object }
  }
  OrderPhysicalLineItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderPhysicalLineItemEdge' })[] | null; args: object }
  }
  OrderPhysicalLineItemEdge: {
    node: { result: { of: 'OrderPhysicalLineItem' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderPickupConsignment: {
    entityId: { result: number; args: object }
    pickupMethodName: { result: string; args: object }
    collectionInstructions: { result: string; args: object }
    collectionTimeDescription: { result: string; args: object }
    locationName: { result: string; args: object }
    address: { result: { of: 'OrderPickupLocationAddress' }; args: object }
    lineItems: { result: { of: 'OrderPhysicalLineItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  OrderPickupConsignmentConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderPickupConsignmentEdge' })[] | null; args: object }
  }
  OrderPickupConsignmentEdge: {
    node: { result: { of: 'OrderPickupConsignment' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderPickupLocationAddress: {
    address1: { result: string; args: object }
    address2: { result: string | null; args: object }
    city: { result: string; args: object }
    stateOrProvince: { result: string | null; args: object }
    country: { result: string; args: object }
    countryCode: { result: string; args: object }
    postalCode: { result: string; args: object }
    email: { result: string; args: object }
    phone: { result: string | null; args: object }
  }
  OrderReturnMutations: {
    createReturn: { result: { of: 'CreateOrderReturnResult' }; args: { input: SchemaInputs['CreateOrderReturnInput'] } }
    cancelReturn: { result: { of: 'CancelOrderReturnResult' }; args: { input: SchemaInputs['CancelOrderReturnInput'] } }
    startReturnGuestSession: { result: { of: 'StartReturnGuestSessionResult' }; args: { input: SchemaInputs['StartReturnGuestSessionInput'] } }
  }
  OrdersConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrdersEdge' })[] | null; args: object }
    collectionInfo: { result: { of: 'CollectionInfo' } | null; args: object }
  }
  OrdersEdge: {
    node: { result: { of: 'Order' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderShipment: {
    entityId: { result: number; args: object }
    shippedAt: { result: { of: 'DateTimeExtended' }; args: object }
    shippingProviderName: { result: string; args: object }
    shippingMethodName: { result: string; args: object }
    tracking: { result: { of: 'OrderShipmentTracking' } | null; args: object }
    items: { result: readonly ({ of: 'OrderShipmentLineItem' })[]; args: object }
  }
  OrderShipmentConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderShipmentEdge' })[] | null; args: object }
  }
  OrderShipmentEdge: {
    node: { result: { of: 'OrderShipment' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderShipmentLineItem: {
    lineItemId: { result: number; args: object }
    quantity: { result: number; args: object }
  }
  OrderShipmentNumberAndUrlTracking: {
    url: { result: string; args: object }
    number: { result: string; args: object }
  }
  OrderShipmentNumberOnlyTracking: {
    number: { result: string; args: object }
  }
  OrderShipmentUrlOnlyTracking: {
    url: { result: string; args: object }
  }
  OrderShippingAddress: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    company: { result: string | null; args: object }
    address1: { result: string | null; args: object }
    address2: { result: string | null; args: object }
    city: { result: string | null; args: object }
    stateOrProvince: { result: string | null; args: object }
    stateOrProvinceCode: { result: string | null; args: object }
    country: { result: string; args: object }
    countryCode: { result: string; args: object }
    postalCode: { result: string; args: object }
    phone: { result: string | null; args: object }
    email: { result: string | null; args: object }
  }
  OrderShippingConsignment: {
    entityId: { result: number; args: object }
    shippingAddress: { result: { of: 'OrderShippingAddress' }; args: object }
    lineItems: { result: { of: 'OrderPhysicalLineItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    shippingCost: { result: { of: 'Money' }; args: object }
    handlingCost: { result: { of: 'Money' }; args: object }
    shipments: { result: { of: 'OrderShipmentConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    shippingCostBeforeDiscount: { result: { of: 'Money' } | null; args: object }
    comparisonShippingCost: { result: { of: 'Money' } | null; args: object }
    nonCouponDiscounts: { result: readonly ({ of: 'OrderNonCouponShippingDiscount' })[]; args: object }
  }
  OrderShippingConsignmentConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OrderShippingConsignmentEdge' })[] | null; args: object }
  }
  OrderShippingConsignmentEdge: {
    node: { result: { of: 'OrderShippingConsignment' }; args: object }
    cursor: { result: string; args: object }
  }
  OrderStatus: {
    value: { result: SchemaEnums['OrderStatusValue'] | null; args: object }
    label: { result: string; args: object }
  }
  OrderTax: {
    name: { result: string; args: object }
    amount: { result: { of: 'Money' }; args: object }
  }
  OrderWithPayments: {
    id: { result: string; args: object }
    payments: { result: { of: 'PaymentsConnection' }; args: { filters?: SchemaInputs['PaymentsFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    entityId: { result: number; args: object }
    orderedAt: { result: { of: 'DateTimeExtended' }; args: object }
    updatedAt: { result: { of: 'DateTimeExtended' }; args: object }
    status: { result: { of: 'OrderStatus' }; args: object }
    billingAddress: { result: { of: 'OrderBillingAddress' }; args: object }
    isTaxIncluded: { result: boolean; args: object }
    consignments: { result: { of: 'OrderConsignments' } | null; args: object }
    subTotal: { result: { of: 'Money' }; args: object }
    discountedSubTotal: { result: { of: 'Money' } | null; args: object }
    discounts: { result: { of: 'OrderDiscounts' }; args: object }
    wrappingCostTotal: { result: { of: 'Money' }; args: object }
    shippingCostTotal: { result: { of: 'Money' }; args: object }
    handlingCostTotal: { result: { of: 'Money' }; args: object }
    taxTotal: { result: { of: 'Money' }; args: object }
    taxes: { result: readonly ({ of: 'OrderTax' })[]; args: object }
    totalIncTax: { result: { of: 'Money' }; args: object }
    customerMessage: { result: string | null; args: object }
    totalProductQuantity: { result: number; args: object }
    backorderShippingExpectationMessage: { result: string | null; args: object }
    comparisonShippingCost: { result: { of: 'Money' } | null; args: object }
    fees: { result: readonly ({ of: 'OrderFee' })[]; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    cartMetafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    permalink: { result: string | null; args: object }
    reference: { result: string | null; args: object }
    poNumber: { result: string | null; args: object }
    company: { result: { of: 'OrderCompany' } | null; args: object }
    placedBy: { result: { of: 'CompanyCustomer' } | null; args: object }
    history: { result: readonly ({ of: 'OrderHistoryEvent' })[]; args: object }
    invoice: { result: { of: 'OrderInvoice' } | null; args: object }
  }
  Payment: {
    paymentMethodId: { result: string; args: object }
    paymentMethodName: { result: string; args: object }
    amount: { result: { of: 'Money' }; args: object }
    detail: { result: { of: 'PaymentInstrument' } | null; args: object }
  }
  PaymentsConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'PaymentsEdge' })[] | null; args: object }
  }
  PaymentsEdge: {
    node: { result: { of: 'Payment' }; args: object }
    cursor: { result: string; args: object }
  }
  StartReturnGuestSessionResult: {
    errors: { result: readonly ({ of: 'Error' })[]; args: object }
  }
  AddCheckoutBillingAddressResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  AddCheckoutShippingConsignmentsResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  ApplyCheckoutCouponResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  ApplyCheckoutGiftCertificateResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  ApplyCheckoutSpamProtectionResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  Checkout: {
    id: { result: string; args: object }
    entityId: { result: string; args: object }
    currencyCode: { result: string; args: object }
    displayCurrencyCode: { result: string; args: object }
    billingAddress: { result: { of: 'CheckoutBillingAddress' } | null; args: object }
    cart: { result: { of: 'Cart' } | null; args: object }
    shippingConsignments: { result: readonly ({ of: 'CheckoutShippingConsignment' })[] | null; args: object }
    shippingCostTotal: { result: { of: 'Money' } | null; args: object }
    shippingCostTotalInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    shippingCostBeforeDiscount: { result: { of: 'Money' }; args: object }
    shippingCostBeforeDiscountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    comparisonShippingCost: { result: { of: 'Money' }; args: object }
    comparisonShippingCostInDisplayCurrency: { result: { of: 'Money' }; args: object }
    giftWrappingCostTotal: { result: { of: 'Money' } | null; args: object }
    giftWrappingCostTotalInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    handlingCostTotal: { result: { of: 'Money' } | null; args: object }
    handlingCostTotalInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    taxTotal: { result: { of: 'Money' } | null; args: object }
    taxTotalInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    taxes: { result: readonly ({ of: 'CheckoutTax' })[] | null; args: object }
    subtotal: { result: { of: 'Money' } | null; args: object }
    subtotalInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    grandTotal: { result: { of: 'Money' } | null; args: object }
    grandTotalInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    createdAt: { result: { of: 'DateTimeExtended' }; args: object }
    updatedAt: { result: { of: 'DateTimeExtended' }; args: object }
    customerMessage: { result: string | null; args: object }
    outstandingBalance: { result: { of: 'Money' } | null; args: object }
    outstandingBalanceInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    coupons: { result: readonly ({ of: 'CheckoutCoupon' })[]; args: object }
    giftCertificates: { result: readonly ({ of: 'CheckoutGiftCertificate' })[]; args: object }
    promotions: { result: readonly ({ of: 'CheckoutPromotion' })[]; args: object }
    fees: { result: readonly ({ of: 'CheckoutFee' })[]; args: object }
    version: { result: number | null; args: object }
    totalDiscount: { result: { of: 'Money' }; args: object }
    totalDiscountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    displayDiscountTotal: { result: { of: 'Money' }; args: object }
    displayDiscountTotalInDisplayCurrency: { result: { of: 'Money' }; args: object }
    orderBasedAutoDiscountTotal: { result: { of: 'Money' }; args: object }
    orderBasedAutoDiscountTotalInDisplayCurrency: { result: { of: 'Money' }; args: object }
    manualDiscountTotal: { result: { of: 'Money' }; args: object }
    manualDiscountTotalInDisplayCurrency: { result: { of: 'Money' }; args: object }
    order: { result: { of: 'Order' } | null; args: object }
  }
  CheckoutAddressCheckboxesCustomField: {
    valueEntityIds: { result: readonly (number)[]; args: object }
    entityId: { result: number; args: object }
  }
  CheckoutAddressDateCustomField: {
    date: { result: { of: 'DateTimeExtended' }; args: object }
    entityId: { result: number; args: object }
  }
  CheckoutAddressMultipleChoiceCustomField: {
    valueEntityId: { result: number; args: object }
    entityId: { result: number; args: object }
  }
  CheckoutAddressNumberCustomField: {
    number: { result: number; args: object }
    entityId: { result: number; args: object }
  }
  CheckoutAddressPasswordCustomField: {
    password: { result: string; args: object }
    entityId: { result: number; args: object }
  }
  CheckoutAddressTextFieldCustomField: {
    text: { result: string; args: object }
    entityId: { result: number; args: object }
  }
  CheckoutAvailableShippingOption: {
    entityId: { result: string; args: object }
    description: { result: string; args: object }
    type: { result: string; args: object }
    imageUrl: { result: string | null; args: object }
    cost: { result: { of: 'Money' }; args: object }
    costInDisplayCurrency: { result: { of: 'Money' }; args: object }
    transitTime: { result: string | null; args: object }
    isRecommended: { result: boolean; args: object }
    image: { result: { of: 'Image' } | null; args: object }
    costAfterDiscount: { result: { of: 'Money' }; args: object }
    costAfterDiscountInDisplayCurrency: { result: { of: 'Money' }; args: object }
  }
  CheckoutBillingAddress: {
    entityId: { result: string; args: object }
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    email: { result: string | null; args: object }
    company: { result: string | null; args: object }
    address1: { result: string | null; args: object }
    address2: { result: string | null; args: object }
    city: { result: string | null; args: object }
    stateOrProvince: { result: string | null; args: object }
    stateOrProvinceCode: { result: string | null; args: object }
    countryCode: { result: string; args: object }
    postalCode: { result: string | null; args: object }
    phone: { result: string | null; args: object }
    customFields: { result: readonly ({ of: 'CheckoutAddressCustomField' })[]; args: object }
  }
  CheckoutBillingAddressError: {
    code: { result: SchemaEnums['CheckoutErrorCode']; args: object }
    context: { result: readonly ({ of: 'CheckoutErrorContext' })[] | null; args: object }
    message: { result: string; args: object }
  }
  CheckoutConsignmentAddress: {
    firstName: { result: string | null; args: object }
    lastName: { result: string | null; args: object }
    email: { result: string | null; args: object }
    company: { result: string | null; args: object }
    address1: { result: string | null; args: object }
    address2: { result: string | null; args: object }
    city: { result: string | null; args: object }
    stateOrProvince: { result: string | null; args: object }
    stateOrProvinceCode: { result: string | null; args: object }
    countryCode: { result: string; args: object }
    postalCode: { result: string | null; args: object }
    phone: { result: string | null; args: object }
    customFields: { result: readonly ({ of: 'CheckoutAddressCustomField' })[]; args: object }
  }
  CheckoutCoupon: {
    entityId: { result: number; args: object }
    promotionEntityId: { result: number; args: object }
    code: { result: string; args: object }
    couponType: { result: SchemaEnums['CouponType'] | null; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    displayName: { result: string | null; args: object }
    status: { result: SchemaEnums['CouponStatus'] | null; args: object }
    hasMaxLimitReached: { result: boolean; args: object }
  }
  CheckoutCouponError: {
    code: { result: SchemaEnums['CheckoutErrorCode']; args: object }
    context: { result: readonly ({ of: 'CheckoutErrorContext' })[] | null; args: object }
    message: { result: string; args: object }
  }
  CheckoutDiscountAllocation: {
    entityId: { result: string; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
  }
  CheckoutErrorContext: {
    field: { result: string; args: object }
    value: { result: string | null; args: object }
  }
  CheckoutFee: {
    id: { result: string; args: object }
    feeType: { result: SchemaEnums['FeeType']; args: object }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    cost: { result: { of: 'Money' }; args: object }
    costInDisplayCurrency: { result: { of: 'Money' }; args: object }
    source: { result: string; args: object }
    taxClassId: { result: number | null; args: object }
  }
  CheckoutGiftCertificate: {
    entityId: { result: number; args: object }
    code: { result: string; args: object }
    balance: { result: { of: 'Money' }; args: object }
    balanceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    remaining: { result: { of: 'Money' }; args: object }
    remainingInDisplayCurrency: { result: { of: 'Money' }; args: object }
    used: { result: { of: 'Money' }; args: object }
    usedInDisplayCurrency: { result: { of: 'Money' }; args: object }
    purchaseDate: { result: { of: 'DateTimeExtended' }; args: object }
  }
  CheckoutMutations: {
    updateCheckout: { result: { of: 'UpdateCheckoutResult' } | null; args: { input: SchemaInputs['UpdateCheckoutInput'] } }
    createCheckout: { result: { of: 'CreateCheckoutResult' } | null; args: { input: SchemaInputs['CreateCheckoutInput'] } }
    addCheckoutBillingAddress: { result: { of: 'AddCheckoutBillingAddressResult' } | null; args: { input: SchemaInputs['AddCheckoutBillingAddressInput'] } }
    updateCheckoutBillingAddress: { result: { of: 'UpdateCheckoutBillingAddressResult' } | null; args: { input: SchemaInputs['UpdateCheckoutBillingAddressInput'] } }
    updateCheckoutCustomerMessage: { result: { of: 'UpdateCheckoutCustomerMessageResult' } | null; args: { input: SchemaInputs['UpdateCheckoutCustomerMessageInput'] } }
    selectCheckoutShippingOption: { result: { of: 'SelectCheckoutShippingOptionResult' } | null; args: { input: SchemaInputs['SelectCheckoutShippingOptionInput'] } }
    applyCheckoutCoupon: { result: { of: 'ApplyCheckoutCouponResult' } | null; args: { input: SchemaInputs['ApplyCheckoutCouponInput'] } }
    unapplyCheckoutCoupon: { result: { of: 'UnapplyCheckoutCouponResult' } | null; args: { input: SchemaInputs['UnapplyCheckoutCouponInput'] } }
    applyCheckoutGiftCertificate: { result: { of: 'ApplyCheckoutGiftCertificateResult' } | null; args: { input: SchemaInputs['ApplyCheckoutGiftCertificateInput'] } }
    unapplyCheckoutGiftCertificate: { result: { of: 'UnapplyCheckoutGiftCertificateResult' } | null; args: { input: SchemaInputs['UnapplyCheckoutGiftCertificateInput'] } }
    applyCheckoutSpamProtection: { result: { of: 'ApplyCheckoutSpamProtectionResult' } | null; args: { input: SchemaInputs['ApplyCheckoutSpamProtectionInput'] } }
    addCheckoutShippingConsignments: { result: { of: 'AddCheckoutShippingConsignmentsResult' } | null; args: { input: SchemaInputs['AddCheckoutShippingConsignmentsInput'] } }
    updateCheckoutShippingConsignment: { result: { of: 'UpdateCheckoutShippingConsignmentResult' } | null; args: { input: SchemaInputs['UpdateCheckoutShippingConsignmentInput'] } }
    deleteCheckoutConsignment: { result: { of: 'DeleteCheckoutConsignmentResult' } | null; args: { input: SchemaInputs['DeleteCheckoutConsignmentInput'] } }
    completeCheckout: { result: { of: 'CompleteCheckoutResult' } | null; args: { input: SchemaInputs['CompleteCheckoutInput'] } }
  }
  CheckoutPromotion: {
    banners: { result: readonly ({ of: 'CheckoutPromotionBanner' })[]; args: object }
    entityId: { result: number | null; args: object }
    displayName: { result: string | null; args: object }
    priority: { result: number | null; args: object }
    discounts: { result: readonly ({ of: 'CheckoutPromotionDiscount' })[]; args: object }
  }
  CheckoutPromotionBanner: {
    entityId: { result: number; args: object }
    type: { result: SchemaEnums['CheckoutPromotionBannerType']; args: object }
    locations: { result: readonly (SchemaEnums['CheckoutPromotionBannerLocation'])[]; args: object }
    text: { result: string; args: object }
  }
  CheckoutPromotionDiscount: {
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    type: { result: SchemaEnums['CheckoutPromotionType'] | null; args: object }
    target: { result: SchemaEnums['CheckoutPromotionTarget'] | null; args: object }
    allocations: { result: readonly ({ of: 'CheckoutDiscountAllocation' })[]; args: object }
  }
  CheckoutSelectedShippingOption: {
    entityId: { result: string; args: object }
    description: { result: string; args: object }
    type: { result: string; args: object }
    imageUrl: { result: string | null; args: object }
    cost: { result: { of: 'Money' }; args: object }
    costInDisplayCurrency: { result: { of: 'Money' }; args: object }
    transitTime: { result: string | null; args: object }
    image: { result: { of: 'Image' } | null; args: object }
  }
  CheckoutSettings: {
    reCaptchaEnabled: { result: boolean; args: object }
    persistentCartEnabled: { result: boolean; args: object }
    termsAndConditionsEnabled: { result: boolean; args: object }
    termsAndConditionsType: { result: string | null; args: object }
    termsAndConditionsUrl: { result: string | null; args: object }
    termsAndConditionsTextarea: { result: string | null; args: object }
  }
  CheckoutShippingConsignment: {
    entityId: { result: string; args: object }
    address: { result: { of: 'CheckoutConsignmentAddress' }; args: object }
    availableShippingOptions: { result: readonly ({ of: 'CheckoutAvailableShippingOption' })[] | null; args: object }
    selectedShippingOption: { result: { of: 'CheckoutSelectedShippingOption' } | null; args: object }
    coupons: { result: readonly ({ of: 'CheckoutCoupon' })[] | null; args: object }
    shippingCost: { result: { of: 'Money' } | null; args: object }
    shippingCostInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    shippingCostBeforeDiscount: { result: { of: 'Money' }; args: object }
    shippingCostBeforeDiscountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    comparisonShippingCost: { result: { of: 'Money' }; args: object }
    comparisonShippingCostInDisplayCurrency: { result: { of: 'Money' }; args: object }
    handlingCost: { result: { of: 'Money' } | null; args: object }
    handlingCostInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
    lineItemIds: { result: readonly (string)[]; args: object }
  }
  CheckoutShippingConsignmentError: {
    code: { result: SchemaEnums['CheckoutErrorCode']; args: object }
    context: { result: readonly ({ of: 'CheckoutErrorContext' })[] | null; args: object }
    message: { result: string; args: object }
  }
  CheckoutTax: {
    name: { result: string; args: object }
    amount: { result: { of: 'Money' }; args: object }
    amountInDisplayCurrency: { result: { of: 'Money' }; args: object }
  }
  CheckoutTaxError: {
    code: { result: SchemaEnums['CheckoutTaxErrorCode']; args: object }
    context: { result: readonly ({ of: 'CheckoutErrorContext' })[] | null; args: object }
    message: { result: string; args: object }
  }
  CompleteCheckoutResult: {
    orderEntityId: { result: number | null; args: object }
    paymentAccessToken: { result: string | null; args: object }
    errors: { result: readonly ({ of: 'CompleteCheckoutError' })[]; args: object }
  }
  CreateCheckoutResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
    errors: { result: readonly ({ of: 'CreateCheckoutError' })[]; args: object }
  }
  DeleteCheckoutConsignmentResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  SelectCheckoutShippingOptionResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  UnapplyCheckoutCouponResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  UnapplyCheckoutGiftCertificateResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  UpdateCheckoutBillingAddressResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  UpdateCheckoutCustomerMessageResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  UpdateCheckoutResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
    errors: { result: readonly ({ of: 'UpdateCheckoutError' })[]; args: object }
  }
  UpdateCheckoutShippingConsignmentResult: {
    checkout: { result: { of: 'Checkout' } | null; args: object }
  }
  AddCartLineItemsResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
  }
  AssignCartToCustomerResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
  }
  Cart: {
    id: { result: string; args: object }
    entityId: { result: string; args: object }
    currencyCode: { result: string; args: object }
    displayCurrencyCode: { result: string; args: object }
    isTaxIncluded: { result: boolean; args: object }
    baseAmount: { result: { of: 'Money' }; args: object }
    baseAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    amount: { result: { of: 'Money' }; args: object }
    amountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    discounts: { result: readonly ({ of: 'CartDiscount' })[]; args: object }
    lineItems: { result: { of: 'CartLineItems' }; args: object }
    createdAt: { result: { of: 'DateTimeExtended' }; args: object }
    updatedAt: { result: { of: 'DateTimeExtended' }; args: object }
    locale: { result: string; args: object }
    version: { result: number | null; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  CartBulkPrice: {
    basePrice: { result: { of: 'Money' }; args: object }
    discountPercentage: { result: number | null; args: object }
    discountAmount: { result: { of: 'Money' } | null; args: object }
    basePriceInTransactionalCurrency: { result: { of: 'Money' }; args: object }
    basePriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    discountAmountInTransactionalCurrency: { result: { of: 'Money' } | null; args: object }
    discountAmountInDisplayCurrency: { result: { of: 'Money' } | null; args: object }
  }
  CartCustomItem: {
    entityId: { result: string; args: object }
    sku: { result: string | null; args: object }
    name: { result: string; args: object }
    quantity: { result: number; args: object }
    listPrice: { result: { of: 'Money' }; args: object }
    listPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedListPrice: { result: { of: 'Money' }; args: object }
    extendedListPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
  }
  CartDigitalItem: {
    entityId: { result: string; args: object }
    parentEntityId: { result: string | null; args: object }
    productEntityId: { result: number; args: object }
    variantEntityId: { result: number | null; args: object }
    sku: { result: string | null; args: object }
    name: { result: string; args: object }
    url: { result: string; args: object }
    imageUrl: { result: string | null; args: object }
    isMutable: { result: boolean; args: object }
    brand: { result: string | null; args: object }
    quantity: { result: number; args: object }
    isTaxable: { result: boolean; args: object }
    discounts: { result: readonly ({ of: 'CartDiscount' })[]; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    couponAmount: { result: { of: 'Money' }; args: object }
    couponAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    listPrice: { result: { of: 'Money' }; args: object }
    listPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    originalPrice: { result: { of: 'Money' }; args: object }
    originalPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    salePrice: { result: { of: 'Money' }; args: object }
    salePriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedListPrice: { result: { of: 'Money' }; args: object }
    extendedListPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedSalePrice: { result: { of: 'Money' }; args: object }
    extendedSalePriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedComparisonPrice: { result: { of: 'Money' }; args: object }
    extendedComparisonPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    comparisonPrice: { result: { of: 'Money' }; args: object }
    comparisonPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    retailPrice: { result: { of: 'Money' }; args: object }
    retailPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    taxTotal: { result: { of: 'Money' }; args: object }
    taxTotalInDisplayCurrency: { result: { of: 'Money' }; args: object }
    selectedOptions: { result: readonly ({ of: 'CartSelectedOption' })[]; args: object }
    addedByAttributeId: { result: string | null; args: object }
    stockPosition: { result: { of: 'CartItemStockPosition' } | null; args: object }
    path: { result: string; args: object }
    image: { result: { of: 'Image' } | null; args: object }
    baseCatalogProduct: { result: { of: 'Product' } | null; args: object }
    catalogProductWithOptionSelections: { result: { of: 'Product' } | null; args: object }
    bulkPrice: { result: { of: 'CartBulkPrice' } | null; args: object }
  }
  CartDiscount: {
    entityId: { result: string; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
  }
  CartError: {
    code: { result: SchemaEnums['CartErrorCode']; args: object }
    context: { result: readonly ({ of: 'CheckoutErrorContext' })[] | null; args: object }
    message: { result: string; args: object }
  }
  CartGiftCertificate: {
    entityId: { result: string; args: object }
    name: { result: string; args: object }
    theme: { result: SchemaEnums['CartGiftCertificateTheme']; args: object }
    amount: { result: { of: 'Money' }; args: object }
    amountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    isTaxable: { result: boolean; args: object }
    sender: { result: { of: 'CartGiftCertificateSender' }; args: object }
    recipient: { result: { of: 'CartGiftCertificateRecipient' }; args: object }
    message: { result: string | null; args: object }
  }
  CartGiftCertificateRecipient: {
    name: { result: string; args: object }
    email: { result: string; args: object }
  }
  CartGiftCertificateSender: {
    name: { result: string; args: object }
    email: { result: string; args: object }
  }
  CartGiftWrapping: {
    name: { result: string; args: object }
    amount: { result: { of: 'Money' }; args: object }
    amountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    message: { result: string | null; args: object }
  }
  CartItemStockPosition: {
    quantityOnHand: { result: number; args: object }
    quantityBackordered: { result: number; args: object }
    quantityOutOfStock: { result: number; args: object }
    backorderMessage: { result: string | null; args: object }
  }
  CartLineItemError: {
    code: { result: SchemaEnums['CartErrorCode']; args: object }
    context: { result: readonly ({ of: 'CheckoutErrorContext' })[] | null; args: object }
    message: { result: string; args: object }
  }
  CartLineItems: {
    physicalItems: { result: readonly ({ of: 'CartPhysicalItem' })[]; args: object }
    digitalItems: { result: readonly ({ of: 'CartDigitalItem' })[]; args: object }
    giftCertificates: { result: readonly ({ of: 'CartGiftCertificate' })[]; args: object }
    customItems: { result: readonly ({ of: 'CartCustomItem' })[]; args: object }
    totalQuantity: { result: number; args: object }
  }
  CartMutations: {
    createCart: { result: { of: 'CreateCartResult' } | null; args: { input: SchemaInputs['CreateCartInput'] } }
    deleteCart: { result: { of: 'DeleteCartResult' } | null; args: { input: SchemaInputs['DeleteCartInput'] } }
    addCartLineItems: { result: { of: 'AddCartLineItemsResult' } | null; args: { input: SchemaInputs['AddCartLineItemsInput'] } }
    updateCartLineItem: { result: { of: 'UpdateCartLineItemResult' } | null; args: { input: SchemaInputs['UpdateCartLineItemInput'] } }
    deleteCartLineItem: { result: { of: 'DeleteCartLineItemResult' } | null; args: { input: SchemaInputs['DeleteCartLineItemInput'] } }
    updateCartCurrency: { result: { of: 'UpdateCartCurrencyResult' } | null; args: { input: SchemaInputs['UpdateCartCurrencyInput'] } }
    assignCartToCustomer: { result: { of: 'AssignCartToCustomerResult' } | null; args: { input: SchemaInputs['AssignCartToCustomerInput'] } }
    unassignCartFromCustomer: { result: { of: 'UnassignCartFromCustomerResult' } | null; args: { input: SchemaInputs['UnassignCartFromCustomerInput'] } }
    createCartMetafield: { result: { of: 'CreateCartMetafieldResult' }; args: { input: SchemaInputs['CreateCartMetafieldInput'] } }
    updateCartMetafield: { result: { of: 'UpdateCartMetafieldResult' }; args: { input: SchemaInputs['UpdateCartMetafieldInput'] } }
    deleteCartMetafield: { result: { of: 'DeleteCartMetafieldResult' }; args: { input: SchemaInputs['DeleteCartMetafieldInput'] } }
    createCartRedirectUrls: { result: { of: 'CreateCartRedirectUrlsResult' }; args: { input?: SchemaInputs['CreateCartRedirectUrlsInput'] | null } }
    updateCartLocale: { result: { of: 'UpdateCartLocaleResult' } | null; args: { input: SchemaInputs['UpdateCartLocaleInput'] } }
  }
  CartPhysicalItem: {
    entityId: { result: string; args: object }
    parentEntityId: { result: string | null; args: object }
    productEntityId: { result: number; args: object }
    variantEntityId: { result: number | null; args: object }
    sku: { result: string | null; args: object }
    allowGiftWrapping: { result: boolean; args: object }
    name: { result: string; args: object }
    url: { result: string; args: object }
    imageUrl: { result: string | null; args: object }
    brand: { result: string | null; args: object }
    quantity: { result: number; args: object }
    isTaxable: { result: boolean; args: object }
    isMutable: { result: boolean; args: object }
    discounts: { result: readonly ({ of: 'CartDiscount' })[]; args: object }
    discountedAmount: { result: { of: 'Money' }; args: object }
    discountedAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    couponAmount: { result: { of: 'Money' }; args: object }
    couponAmountInDisplayCurrency: { result: { of: 'Money' }; args: object }
    listPrice: { result: { of: 'Money' }; args: object }
    listPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    originalPrice: { result: { of: 'Money' }; args: object }
    originalPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    salePrice: { result: { of: 'Money' }; args: object }
    salePriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedListPrice: { result: { of: 'Money' }; args: object }
    extendedListPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedComparisonPrice: { result: { of: 'Money' }; args: object }
    extendedComparisonPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    comparisonPrice: { result: { of: 'Money' }; args: object }
    comparisonPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    extendedSalePrice: { result: { of: 'Money' }; args: object }
    extendedSalePriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    retailPrice: { result: { of: 'Money' }; args: object }
    retailPriceInDisplayCurrency: { result: { of: 'Money' }; args: object }
    taxTotal: { result: { of: 'Money' }; args: object }
    taxTotalInDisplayCurrency: { result: { of: 'Money' }; args: object }
    isShippingRequired: { result: boolean; args: object }
    selectedOptions: { result: readonly ({ of: 'CartSelectedOption' })[]; args: object }
    addedByAttributeId: { result: string | null; args: object }
    giftWrapping: { result: { of: 'CartGiftWrapping' } | null; args: object }
    stockPosition: { result: { of: 'CartItemStockPosition' } | null; args: object }
    path: { result: string; args: object }
    image: { result: { of: 'Image' } | null; args: object }
    baseCatalogProduct: { result: { of: 'Product' } | null; args: object }
    catalogProductWithOptionSelections: { result: { of: 'Product' } | null; args: object }
    bulkPrice: { result: { of: 'CartBulkPrice' } | null; args: object }
  }
  CartRedirectUrls: {
    redirectedCheckoutUrl: { result: string; args: object }
    embeddedCheckoutUrl: { result: string; args: object }
    externalCheckoutUrl: { result: string; args: object }
  }
  CartSelectedCheckboxOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    value: { result: string; args: object }
    valueEntityId: { result: number; args: object }
    attributeId: { result: string; args: object }
  }
  CartSelectedDateFieldOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    date: { result: { of: 'DateTimeExtended' }; args: object }
    attributeId: { result: string; args: object }
  }
  CartSelectedFileUploadOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    fileName: { result: string; args: object }
    attributeId: { result: string; args: object }
  }
  CartSelectedMultiLineTextFieldOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    text: { result: string; args: object }
    attributeId: { result: string; args: object }
  }
  CartSelectedMultipleChoiceOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    value: { result: string; args: object }
    valueEntityId: { result: number; args: object }
    attributeId: { result: string; args: object }
  }
  CartSelectedNumberFieldOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    number: { result: number; args: object }
    attributeId: { result: string; args: object }
  }
  CartSelectedTextFieldOption: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    text: { result: string; args: object }
    attributeId: { result: string; args: object }
  }
  CartUnassignInaccessibleError: {
    message: { result: string; args: object }
  }
  CartUnassignNotAllowedError: {
    message: { result: string; args: object }
  }
  CartUnassignResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
    errors: { result: readonly ({ of: 'CartUnassignError' })[]; args: object }
  }
  CreateCartMetafieldResult: {
    metafield: { result: { of: 'Metafields' } | null; args: object }
    errors: { result: readonly ({ of: 'CreateCartMetafieldError' })[]; args: object }
  }
  CreateCartRedirectUrlsResult: {
    redirectUrls: { result: { of: 'CartRedirectUrls' } | null; args: object }
    errors: { result: readonly ({ of: 'CreateCartRedirectUrlsError' })[]; args: object }
  }
  CreateCartResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
  }
  DeleteCartLineItemResult: {
    deletedLineItemEntityId: { result: string | null; args: object }
    cart: { result: { of: 'Cart' } | null; args: object }
    deletedCartEntityId: { result: string | null; args: object }
  }
  DeleteCartMetafieldResult: {
    deletedMetafieldEntityId: { result: number | null; args: object }
    errors: { result: readonly ({ of: 'DeleteCartMetafieldError' })[]; args: object }
  }
  DeleteCartResult: {
    deletedCartEntityId: { result: string | null; args: object }
  }
  GenerateSessionSyncTokenCartNotFound: {
    message: { result: string; args: object }
  }
  UnassignCartFromCustomerResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
  }
  UpdateCartCurrencyResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
  }
  UpdateCartLineItemResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
  }
  UpdateCartLocaleResult: {
    cart: { result: { of: 'Cart' } | null; args: object }
    errors: { result: readonly ({ of: 'UpdateCartLocaleError' })[]; args: object }
  }
  UpdateCartMetafieldResult: {
    metafield: { result: { of: 'Metafields' } | null; args: object }
    errors: { result: readonly ({ of: 'UpdateCartMetafieldError' })[]; args: object }
  }
  CustomAmountGiftCertificateSettings: {
    minimumAmount: { result: { of: 'Money' }; args: object }
    maximumAmount: { result: { of: 'Money' }; args: object }
    currencyCode: { result: string; args: object }
    isEnabled: { result: boolean; args: object }
    expiry: { result: { of: 'GiftCertificateExpirySettings' } | null; args: object }
  }
  FixedAmountGiftCertificateSettings: {
    amounts: { result: readonly ({ of: 'Money' })[]; args: object }
    currencyCode: { result: string; args: object }
    isEnabled: { result: boolean; args: object }
    expiry: { result: { of: 'GiftCertificateExpirySettings' } | null; args: object }
  }
  GiftCertificate: {
    amount: { result: { of: 'Money' }; args: object }
    balance: { result: { of: 'Money' }; args: object }
    code: { result: string; args: object }
    currencyCode: { result: string; args: object }
    message: { result: string | null; args: object }
    status: { result: SchemaEnums['GiftCertificateStatus']; args: object }
    recipient: { result: { of: 'GiftCertificateCustomerInfo' }; args: object }
    sender: { result: { of: 'GiftCertificateCustomerInfo' }; args: object }
    purchasedAt: { result: { of: 'DateTimeExtended' }; args: object }
    expiresAt: { result: { of: 'DateTimeExtended' } | null; args: object }
    theme: { result: SchemaEnums['GiftCertificateTheme']; args: object }
    html: { result: string | null; args: object }
  }
  GiftCertificateCustomerInfo: {
    name: { result: string; args: object }
    email: { result: string; args: object }
  }
  GiftCertificateExpirySettings: {
    value: { result: number | null; args: object }
    unit: { result: SchemaEnums['GiftCertificateExpiryTimeUnit'] | null; args: object }
  }
  GiftCertificatePreview: {
    html: { result: string | null; args: object }
    errors: { result: readonly ({ of: 'GiftCertificatePreviewError' })[]; args: object }
  }
  AddWishlistItemsResult: {
    result: { result: { of: 'Wishlist' }; args: object }
  }
  CreateWishlistResult: {
    result: { result: { of: 'Wishlist' }; args: object }
  }
  DeleteWishlistItemsResult: {
    result: { result: { of: 'Wishlist' }; args: object }
  }
  DeleteWishlistResult: {
    result: { result: string; args: object }
  }
  PublicWishlist: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    token: { result: string; args: object }
    items: { result: { of: 'WishlistItemConnection' }; args: { hideOutOfStock?: boolean | null; filters?: SchemaInputs['WishlistItemsFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    isOwner: { result: boolean | null; args: object }
  }
  UpdateWishlistResult: {
    result: { result: { of: 'Wishlist' }; args: object }
  }
  Wishlist: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    isPublic: { result: boolean; args: object }
    token: { result: string; args: object }
    items: { result: { of: 'WishlistItemConnection' }; args: { hideOutOfStock?: boolean | null; filters?: SchemaInputs['WishlistItemsFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  WishlistConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'WishlistEdge' })[] | null; args: object }
  }
  WishlistEdge: {
    node: { result: { of: 'Wishlist' }; args: object }
    cursor: { result: string; args: object }
  }
  WishlistItem: {
    entityId: { result: number; args: object }
    product: { result: { of: 'Product' } | null; args: object }
    productEntityId: { result: number; args: object }
    variantEntityId: { result: number | null; args: object }
  }
  WishlistItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'WishlistItemEdge' })[] | null; args: object }
    collectionInfo: { result: { of: 'CollectionInfo' } | null; args: object }
  }
  WishlistItemEdge: {
    node: { result: { of: 'WishlistItem' }; args: object }
    cursor: { result: string; args: object }
  }
  WishlistMutations: {
    createWishlist: { result: { of: 'CreateWishlistResult' } | null; args: { input: SchemaInputs['CreateWishlistInput'] } }
    addWishlistItems: { result: { of: 'AddWishlistItemsResult' } | null; args: { input: SchemaInputs['AddWishlistItemsInput'] } }
    deleteWishlistItems: { result: { of: 'DeleteWishlistItemsResult' } | null; args: { input: SchemaInputs['DeleteWishlistItemsInput'] } }
    updateWishlist: { result: { of: 'UpdateWishlistResult' } | null; args: { input: SchemaInputs['UpdateWishlistInput'] } }
    deleteWishlists: { result: { of: 'DeleteWishlistResult' } | null; args: { input: SchemaInputs['DeleteWishlistsInput'] } }
  }
  BrandSearchFilter: {
    displayProductCount: { result: boolean; args: object }
    displayItemsCount: { result: number; args: object }
    brands: { result: { of: 'BrandSearchFilterItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    isCollapsedByDefault: { result: boolean; args: object }
  }
  BrandSearchFilterItem: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    isSelected: { result: boolean; args: object }
    productCount: { result: number; args: object }
  }
  BrandSearchFilterItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BrandSearchFilterItemEdge' })[] | null; args: object }
  }
  BrandSearchFilterItemEdge: {
    node: { result: { of: 'BrandSearchFilterItem' }; args: object }
    cursor: { result: string; args: object }
  }
  CategorySearchFilter: {
    displayProductCount: { result: boolean; args: object }
    displayItemsCount: { result: number; args: object }
    categories: { result: { of: 'CategorySearchFilterItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    isCollapsedByDefault: { result: boolean; args: object }
  }
  CategorySearchFilterItem: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    isSelected: { result: boolean; args: object }
    productCount: { result: number; args: object }
    subCategories: { result: { of: 'SubCategorySearchFilterItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  CategorySearchFilterItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CategorySearchFilterItemEdge' })[] | null; args: object }
  }
  CategorySearchFilterItemEdge: {
    node: { result: { of: 'CategorySearchFilterItem' }; args: object }
    cursor: { result: string; args: object }
  }
  OtherSearchFilter: {
    displayProductCount: { result: boolean; args: object }
    freeShipping: { result: { of: 'OtherSearchFilterItem' } | null; args: object }
    isFeatured: { result: { of: 'OtherSearchFilterItem' } | null; args: object }
    isInStock: { result: { of: 'OtherSearchFilterItem' } | null; args: object }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    isCollapsedByDefault: { result: boolean; args: object }
  }
  OtherSearchFilterItem: {
    displayName: { result: string; args: object }
    isSelected: { result: boolean; args: object }
    productCount: { result: number; args: object }
  }
  PriceSearchFilter: {
    selected: { result: { of: 'PriceSearchFilterItem' } | null; args: object }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    isCollapsedByDefault: { result: boolean; args: object }
  }
  PriceSearchFilterItem: {
    minPrice: { result: number | null; args: object }
    maxPrice: { result: number | null; args: object }
  }
  ProductAttributeSearchFilter: {
    displayProductCount: { result: boolean; args: object }
    displayItemsCount: { result: number; args: object }
    filterName: { result: string; args: object }
    filterKey: { result: string; args: object }
    attributes: { result: { of: 'ProductAttributeSearchFilterItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    isCollapsedByDefault: { result: boolean; args: object }
  }
  ProductAttributeSearchFilterItem: {
    value: { result: string; args: object }
    isSelected: { result: boolean; args: object }
    productCount: { result: number; args: object }
  }
  ProductAttributeSearchFilterItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ProductAttributeSearchFilterItemEdge' })[] | null; args: object }
  }
  ProductAttributeSearchFilterItemEdge: {
    node: { result: { of: 'ProductAttributeSearchFilterItem' }; args: object }
    cursor: { result: string; args: object }
  }
  RatingSearchFilter: {
    ratings: { result: { of: 'RatingSearchFilterItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    displayName: { result: string; args: object }
    isCollapsedByDefault: { result: boolean; args: object }
  }
  RatingSearchFilterItem: {
    value: { result: string; args: object }
    isSelected: { result: boolean; args: object }
    productCount: { result: number; args: object }
  }
  RatingSearchFilterItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'RatingSearchFilterItemEdge' })[] | null; args: object }
  }
  RatingSearchFilterItemEdge: {
    node: { result: { of: 'RatingSearchFilterItem' }; args: object }
    cursor: { result: string; args: object }
  }
  Search: {
    productFilteringEnabled: { result: boolean; args: object }
    defaultSearchProductSort: { result: SchemaEnums['SearchProductsSort']; args: object }
  }
  SearchProductEventResult: {
    executed: { result: boolean; args: object }
  }
  SearchProductFilterConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'SearchProductFilterEdge' })[] | null; args: object }
  }
  SearchProductFilterEdge: {
    node: { result: { of: 'SearchProductFilter' }; args: object }
    cursor: { result: string; args: object }
  }
  SearchProducts: {
    products: { result: { of: 'ProductConnection' }; args: { after?: string | null; first?: number | null; before?: string | null; last?: number | null } }
    filters: { result: { of: 'SearchProductFilterConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    suggestions: { result: readonly ({ of: 'SearchProductSuggestion' })[]; args: object }
  }
  SearchProductSuggestion: {
    sourceField: { result: string; args: object }
    results: { result: readonly ({ of: 'SearchProductSuggestionResult' })[]; args: object }
  }
  SearchProductSuggestionResult: {
    text: { result: string; args: object }
  }
  SearchQueries: {
    searchProducts: { result: { of: 'SearchProducts' }; args: { filters: SchemaInputs['SearchProductsFiltersInput']; sort?: SchemaEnums['SearchProductsSortInput'] | null } }
  }
  ShopByPriceConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ShopByPriceEdge' })[] | null; args: object }
  }
  ShopByPriceEdge: {
    node: { result: { of: 'ShopByPriceRange' }; args: object }
    cursor: { result: string; args: object }
  }
  ShopByPriceRange: {
    ranges: { result: { of: 'MoneyRange' }; args: object }
  }
  SubCategorySearchFilterItem: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    isSelected: { result: boolean; args: object }
    productCount: { result: number; args: object }
    subCategories: { result: { of: 'SubCategorySearchFilterItemConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  SubCategorySearchFilterItemConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'SubCategorySearchFilterItemEdge' })[] | null; args: object }
  }
  SubCategorySearchFilterItemEdge: {
    node: { result: { of: 'SubCategorySearchFilterItem' }; args: object }
    cursor: { result: string; args: object }
  }
  CustomerAccessToken: {
    value: { result: string; args: object }
    expiresAt: { result: string; args: object }
  }
  GenerateSessionSyncTokenData: {
    token: { result: string; args: object }
    url: { result: string; args: object }
  }
  GenerateSessionSyncTokenResult: {
    result: { result: { of: 'GenerateSessionSyncTokenData' } | null; args: object }
    errors: { result: readonly ({ of: 'GenerateSessionSyncTokenError' })[]; args: object }
  }
  InvalidSessionSyncJwtError: {
    errorType: { result: SchemaEnums['InvalidSessionSyncJwtErrorType']; args: object }
    message: { result: string; args: object }
  }
  JwtTokenExpiredError: {
    message: { result: string; args: object }
  }
  LoginResult: {
    result: { result: string; args: object }
    customer: { result: { of: 'Customer' } | null; args: object }
    cart: { result: { of: 'Cart' } | null; args: object }
    customerAccessToken: { result: { of: 'CustomerAccessToken' } | null; args: object }
  }
  LoginWithCustomerLoginJwtResult: {
    redirectTo: { result: string; args: object }
    customer: { result: { of: 'Customer' } | null; args: object }
    cart: { result: { of: 'Cart' } | null; args: object }
    customerAccessToken: { result: { of: 'CustomerAccessToken' } | null; args: object }
  }
  LogoutResult: {
    result: { result: string; args: object }
    cartUnassignResult: { result: { of: 'CartUnassignResult' }; args: object }
  }
  SessionSyncJwtContent: {
    customer: { result: { of: 'Customer' } | null; args: object }
    customerAccessToken: { result: { of: 'CustomerAccessToken' } | null; args: object }
    cart: { result: { of: 'Cart' } | null; args: object }
    analytics: { result: { of: 'ValidateSessionSyncJwtAnalytics' } | null; args: object }
    redirectTo: { result: string; args: object }
  }
  ValidateSessionSyncJwtAnalytics: {
    visitorId: { result: string | null; args: object }
    visitId: { result: string | null; args: object }
    initiator: { result: { of: 'ValidateSessionSyncJwtAnalyticsInitiator' }; args: object }
    request: { result: { of: 'ValidateSessionSyncJwtAnalyticsRequest' }; args: object }
    consent: { result: { of: 'ValidateSessionSyncJwtAnalyticsConsent' }; args: object }
  }
  ValidateSessionSyncJwtAnalyticsConsent: {
    targeting: { result: boolean; args: object }
    analytics: { result: boolean; args: object }
    functional: { result: boolean; args: object }
  }
  ValidateSessionSyncJwtAnalyticsInitiator: {
    visitorId: { result: string | null; args: object }
    visitId: { result: string | null; args: object }
  }
  ValidateSessionSyncJwtAnalyticsRequest: {
    url: { result: string | null; args: object }
    ip: { result: string | null; args: object }
    userAgent: { result: string | null; args: object }
    referer: { result: string | null; args: object }
    acceptLanguage: { result: string | null; args: object }
  }
  ValidateSessionSyncJwtResult: {
    content: { result: { of: 'SessionSyncJwtContent' } | null; args: object }
    errors: { result: readonly ({ of: 'ValidateSessionSyncJwtError' })[]; args: object }
  }
  AccountCreationDisabledError: {
    message: { result: string; args: object }
  }
  AddCustomerAddressResult: {
    address: { result: { of: 'CustomerAddress' } | null; args: object }
    errors: { result: readonly ({ of: 'AddCustomerAddressError' })[]; args: object }
  }
  AddressConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'AddressEdge' })[] | null; args: object }
    collectionInfo: { result: { of: 'CollectionInfo' } | null; args: object }
  }
  AddressDoesNotExistError: {
    message: { result: string; args: object }
  }
  AddressEdge: {
    node: { result: { of: 'CustomerAddress' }; args: object }
    cursor: { result: string; args: object }
  }
  ChangePasswordResult: {
    errors: { result: readonly ({ of: 'ChangePasswordError' })[]; args: object }
  }
  CheckboxesFormField: {
    options: { result: readonly ({ of: 'FormFieldOption' })[]; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  CheckboxesFormFieldValue: {
    valueEntityIds: { result: readonly (number)[]; args: object }
    values: { result: readonly (string)[]; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  Customer: {
    entityId: { result: number; args: object }
    company: { result: string; args: object }
    customerGroupId: { result: number; args: object }
    customerGroupName: { result: string | null; args: object }
    email: { result: string; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    notes: { result: string; args: object }
    phone: { result: string; args: object }
    taxExemptCategory: { result: string; args: object }
    addressCount: { result: number; args: object }
    attributeCount: { result: number; args: object }
    storeCredit: { result: readonly ({ of: 'Money' })[]; args: object }
    attributes: { result: { of: 'CustomerAttributes' }; args: object }
    wishlists: { result: { of: 'WishlistConnection' }; args: { filters?: SchemaInputs['WishlistFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    formFields: { result: readonly ({ of: 'CustomerFormFieldValue' })[]; args: object }
    addresses: { result: { of: 'AddressConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    activeCompany: { result: { of: 'ActiveCompany' } | null; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    orders: { result: { of: 'OrdersConnection' } | null; args: { filters?: SchemaInputs['OrdersFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    isSubscribedToNewsletter: { result: boolean; args: object }
    notificationPreferences: { result: readonly (string)[]; args: object }
  }
  CustomerAddress: {
    entityId: { result: number; args: object }
    firstName: { result: string; args: object }
    lastName: { result: string; args: object }
    address1: { result: string; args: object }
    address2: { result: string | null; args: object }
    addressType: { result: SchemaEnums['DestinationAddressType'] | null; args: object }
    city: { result: string; args: object }
    country: { result: string | null; args: object }
    countryId: { result: number | null; args: object }
    countryCode: { result: string; args: object }
    stateOrProvince: { result: string | null; args: object }
    stateId: { result: number | null; args: object }
    phone: { result: string | null; args: object }
    postalCode: { result: string | null; args: object }
    company: { result: string | null; args: object }
    formFields: { result: readonly ({ of: 'CustomerFormFieldValue' })[]; args: object }
  }
  CustomerAddressCreationError: {
    message: { result: string; args: object }
  }
  CustomerAddressDeletionError: {
    message: { result: string; args: object }
  }
  CustomerAddressUpdateError: {
    message: { result: string; args: object }
  }
  CustomerAlreadyReviewedProductError: {
    message: { result: string; args: object }
  }
  CustomerAttribute: {
    entityId: { result: number; args: object }
    value: { result: string | null; args: object }
    name: { result: string; args: object }
  }
  CustomerAttributes: {
    attribute: { result: { of: 'CustomerAttribute' }; args: { entityId: number } }
  }
  CustomerDoesNotExistError: {
    message: { result: string; args: object }
  }
  CustomerMutations: {
    changePassword: { result: { of: 'ChangePasswordResult' }; args: { input: SchemaInputs['ChangePasswordInput'] } }
    requestResetPassword: { result: { of: 'RequestResetPasswordResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['RequestResetPasswordInput'] } }
    resetPassword: { result: { of: 'ResetPasswordResult' }; args: { input: SchemaInputs['ResetPasswordInput'] } }
    registerCustomer: { result: { of: 'RegisterCustomerResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['RegisterCustomerInput'] } }
    updateCustomer: { result: { of: 'UpdateCustomerResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['UpdateCustomerInput'] } }
    addCustomerAddress: { result: { of: 'AddCustomerAddressResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['AddCustomerAddressInput'] } }
    updateCustomerAddress: { result: { of: 'UpdateCustomerAddressResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['UpdateCustomerAddressInput'] } }
    deleteCustomerAddress: { result: { of: 'DeleteCustomerAddressResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['DeleteCustomerAddressInput'] } }
  }
  CustomerNotLoggedInError: {
    message: { result: string; args: object }
  }
  CustomerPasswordError: {
    message: { result: string; args: object }
  }
  CustomerRegistrationError: {
    message: { result: string; args: object }
  }
  CustomersSettings: {
    passwordComplexitySettings: { result: { of: 'PasswordComplexitySettings' } | null; args: object }
  }
  DateFormField: {
    defaultDate: { result: string | null; args: object }
    minDate: { result: string | null; args: object }
    maxDate: { result: string | null; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  DateFormFieldValue: {
    date: { result: { of: 'DateTimeExtended' }; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  DeleteCustomerAddressResult: {
    errors: { result: readonly ({ of: 'DeleteCustomerAddressError' })[]; args: object }
  }
  EmailAlreadyInUseError: {
    message: { result: string; args: object }
  }
  FormFieldOption: {
    entityId: { result: number; args: object }
    label: { result: string; args: object }
  }
  FormFields: {
    customer: { result: readonly ({ of: 'FormField' })[]; args: { filters?: SchemaInputs['FormFieldFiltersInput'] | null; sortBy: SchemaEnums['FormFieldSortInput'] | null } }
    shippingAddress: { result: readonly ({ of: 'FormField' })[]; args: { filters?: SchemaInputs['FormFieldFiltersInput'] | null; sortBy: SchemaEnums['FormFieldSortInput'] | null } }
    billingAddress: { result: readonly ({ of: 'FormField' })[]; args: { filters?: SchemaInputs['FormFieldFiltersInput'] | null; sortBy: SchemaEnums['FormFieldSortInput'] | null } }
  }
  MultilineTextExtraFieldValue: {
    multilineText: { result: string; args: object }
    name: { result: string; args: object }
    fieldEntityId: { result: number | null; args: object }
  }
  MultilineTextFormField: {
    defaultText: { result: string | null; args: object }
    rows: { result: number; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  MultilineTextFormFieldValue: {
    multilineText: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  MultipleChoiceExtraFieldValue: {
    value: { result: string; args: object }
    name: { result: string; args: object }
    fieldEntityId: { result: number | null; args: object }
  }
  MultipleChoiceFormFieldValue: {
    valueEntityId: { result: number; args: object }
    value: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  NumberExtraFieldValue: {
    number: { result: number; args: object }
    name: { result: string; args: object }
    fieldEntityId: { result: number | null; args: object }
  }
  NumberFormField: {
    defaultNumber: { result: number | null; args: object }
    maxLength: { result: number | null; args: object }
    minNumber: { result: number | null; args: object }
    maxNumber: { result: number | null; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  NumberFormFieldValue: {
    number: { result: number; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  PasswordComplexitySettings: {
    minimumPasswordLength: { result: number; args: object }
    requireLowerCase: { result: boolean; args: object }
    requireUpperCase: { result: boolean; args: object }
    requireNumbers: { result: boolean; args: object }
    minimumNumbers: { result: number; args: object }
    requireSpecialCharacters: { result: boolean; args: object }
    minimumSpecialCharacters: { result: number; args: object }
  }
  PasswordFormField: {
    defaultText: { result: string | null; args: object }
    maxLength: { result: number | null; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  PasswordFormFieldValue: {
    password: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  PicklistFormField: {
    choosePrefix: { result: string; args: object }
    options: { result: readonly ({ of: 'FormFieldOption' })[]; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  PicklistOrTextFormField: {
    maxLength: { result: number | null; args: object }
    picklistPrefix: { result: string; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  RadioButtonsFormField: {
    options: { result: readonly ({ of: 'FormFieldOption' })[]; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  RegisterCustomerResult: {
    customer: { result: { of: 'Customer' } | null; args: object }
    errors: { result: readonly ({ of: 'RegisterCustomerError' })[]; args: object }
  }
  RequestResetPasswordResult: {
    errors: { result: readonly ({ of: 'RequestResetPasswordError' })[]; args: object }
  }
  ResetPasswordResult: {
    errors: { result: readonly ({ of: 'ResetPasswordError' })[]; args: object }
  }
  TextExtraFieldValue: {
    text: { result: string; args: object }
    name: { result: string; args: object }
    fieldEntityId: { result: number | null; args: object }
  }
  TextFormField: {
    defaultText: { result: string | null; args: object }
    maxLength: { result: number | null; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    sortOrder: { result: number; args: object }
    isBuiltIn: { result: boolean; args: object }
    isRequired: { result: boolean; args: object }
    builtInFieldId: { result: SchemaEnums['BuiltInFormFieldId'] | null; args: object }
  }
  TextFormFieldValue: {
    text: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
  }
  UnexpectedUpdateCustomerError: {
    message: { result: string; args: object }
  }
  UpdateCustomerAddressResult: {
    address: { result: { of: 'CustomerAddress' } | null; args: object }
    errors: { result: readonly ({ of: 'UpdateCustomerAddressError' })[]; args: object }
  }
  UpdateCustomerResult: {
    customer: { result: { of: 'Customer' } | null; args: object }
    errors: { result: readonly ({ of: 'UpdateCustomerError' })[]; args: object }
  }
  Author: {
    name: { result: string; args: object }
  }
  Banner: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    content: { result: string; args: object }
    location: { result: SchemaEnums['BannerLocation']; args: object }
  }
  BannerConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BannerEdge' })[] | null; args: object }
  }
  BannerEdge: {
    node: { result: { of: 'Banner' }; args: object }
    cursor: { result: string; args: object }
  }
  Banners: {
    homePage: { result: { of: 'BannerConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    searchPage: { result: { of: 'BannerConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    categoryPage: { result: { of: 'CategoryPageBannerConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; categoryEntityId: number } }
    brandPage: { result: { of: 'BrandPageBannerConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; brandEntityId: number } }
  }
  Blog: {
    id: { result: string; args: object }
    name: { result: string; args: object }
    description: { result: string; args: object }
    path: { result: string; args: object }
    isVisibleInNavigation: { result: boolean; args: object }
    posts: { result: { of: 'BlogPostConnection' }; args: { filters?: SchemaInputs['BlogPostsFiltersInput'] | null; sort: SchemaEnums['sortBy'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    post: { result: { of: 'BlogPost' } | null; args: { entityId: number } }
    renderedRegions: { result: { of: 'RenderedRegionsByPageType' }; args: object }
  }
  BlogIndexPage: {
    id: { result: string; args: object }
    path: { result: string; args: object }
    renderedRegions: { result: { of: 'RenderedRegionsByPageType' }; args: object }
    entityId: { result: number; args: object }
    parentEntityId: { result: number | null; args: object }
    breadcrumbs: { result: { of: 'BreadcrumbConnection' }; args: { depth: number; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    isVisibleInNavigation: { result: boolean; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    children: { result: { of: 'PageConnection' }; args: { filters?: SchemaInputs['WebPageChildrenFiltersInput'] | null; sortBy: SchemaEnums['WebPageSortInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  BlogPost: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    tags: { result: readonly (string)[]; args: object }
    path: { result: string; args: object }
    htmlBody: { result: string; args: object }
    plainTextSummary: { result: string; args: { characterLimit: number | null } }
    publishedDate: { result: { of: 'DateTimeExtended' }; args: object }
    author: { result: string | null; args: object }
    thumbnailImage: { result: { of: 'Image' } | null; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    renderedRegions: { result: { of: 'RenderedRegionsByPageType' }; args: object }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  BlogPostConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BlogPostEdge' })[] | null; args: object }
    collectionInfo: { result: { of: 'CollectionInfo' } | null; args: object }
  }
  BlogPostEdge: {
    node: { result: { of: 'BlogPost' }; args: object }
    cursor: { result: string; args: object }
  }
  BlogPostRedirect: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    path: { result: string; args: object }
  }
  BrandPageBannerConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BrandPageBannerEdge' })[] | null; args: object }
  }
  BrandPageBannerEdge: {
    node: { result: { of: 'Banner' }; args: object }
    cursor: { result: string; args: object }
  }
  BrandRedirect: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    path: { result: string; args: object }
  }
  CategoryPageBannerConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CategoryPageBannerEdge' })[] | null; args: object }
  }
  CategoryPageBannerEdge: {
    node: { result: { of: 'Banner' }; args: object }
    cursor: { result: string; args: object }
  }
  CategoryRedirect: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    path: { result: string; args: object }
  }
  ContactPage: {
    id: { result: string; args: object }
    path: { result: string; args: object }
    htmlBody: { result: string; args: object }
    plainTextSummary: { result: string; args: { characterLimit: number | null } }
    contactFields: { result: readonly (string)[]; args: object }
    renderedRegions: { result: { of: 'RenderedRegionsByPageType' }; args: object }
    entityId: { result: number; args: object }
    parentEntityId: { result: number | null; args: object }
    breadcrumbs: { result: { of: 'BreadcrumbConnection' }; args: { depth: number; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    isVisibleInNavigation: { result: boolean; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    children: { result: { of: 'PageConnection' }; args: { filters?: SchemaInputs['WebPageChildrenFiltersInput'] | null; sortBy: SchemaEnums['WebPageSortInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  Content: {
    renderedRegionsByPageType: { result: { of: 'RenderedRegionsByPageType' }; args: { pageType: SchemaEnums['PageType'] } }
    renderedRegionsByPageTypeAndEntityId: { result: { of: 'RenderedRegionsByPageType' }; args: { entityId: number; entityPageType: SchemaEnums['EntityPageType'] } }
    pages: { result: { of: 'PageConnection' }; args: { filters?: SchemaInputs['WebPagesFiltersInput'] | null; sortBy: SchemaEnums['WebPageSortInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    page: { result: { of: 'WebPage' } | null; args: { entityId: number } }
    blog: { result: { of: 'Blog' } | null; args: object }
    banners: { result: { of: 'Banners' } | null; args: object }
    scripts: { result: { of: 'ScriptTypeConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; filters?: SchemaInputs['ScriptsFilters'] | null } }
  }
  ExternalLinkPage: {
    link: { result: string; args: object }
    entityId: { result: number; args: object }
    parentEntityId: { result: number | null; args: object }
    breadcrumbs: { result: { of: 'BreadcrumbConnection' }; args: { depth: number; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    isVisibleInNavigation: { result: boolean; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    children: { result: { of: 'PageConnection' }; args: { filters?: SchemaInputs['WebPageChildrenFiltersInput'] | null; sortBy: SchemaEnums['WebPageSortInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  FeaturedPromotion: {
    entityId: { result: number; args: object }
    text: { result: string; args: object }
    priority: { result: number; args: object }
    category: { result: SchemaEnums['FeaturedPromotionCategory']; args: object }
  }
  FeaturedPromotionConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'FeaturedPromotionEdge' })[] | null; args: object }
  }
  FeaturedPromotionEdge: {
    node: { result: { of: 'FeaturedPromotion' }; args: object }
    cursor: { result: string; args: object }
  }
  InlineScript: {
    scriptTag: { result: string; args: object }
    entityId: { result: string; args: object }
    consentCategory: { result: SchemaEnums['ScriptConsentCategory']; args: object }
    visibility: { result: SchemaEnums['ScriptVisibility']; args: object }
    integrityHashes: { result: readonly ({ of: 'ScriptHash' })[]; args: object }
    location: { result: SchemaEnums['ScriptLocation']; args: object }
  }
  ManualRedirect: {
    url: { result: string; args: object }
  }
  NormalPage: {
    id: { result: string; args: object }
    path: { result: string; args: object }
    htmlBody: { result: string; args: object }
    plainTextSummary: { result: string; args: { characterLimit: number | null } }
    renderedRegions: { result: { of: 'RenderedRegionsByPageType' }; args: object }
    entityId: { result: number; args: object }
    parentEntityId: { result: number | null; args: object }
    breadcrumbs: { result: { of: 'BreadcrumbConnection' }; args: { depth: number; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    isVisibleInNavigation: { result: boolean; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    children: { result: { of: 'PageConnection' }; args: { filters?: SchemaInputs['WebPageChildrenFiltersInput'] | null; sortBy: SchemaEnums['WebPageSortInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  PageConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'PageEdge' })[] | null; args: object }
  }
  PageEdge: {
    node: { result: { of: 'WebPage' }; args: object }
    cursor: { result: string; args: object }
  }
  PageRedirect: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    path: { result: string; args: object }
  }
  PageViewedEventResult: {
    executed: { result: boolean; args: object }
  }
  ProductRedirect: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    path: { result: string; args: object }
  }
  Promotion: {
    banners: { result: readonly ({ of: 'PromotionBanner' })[]; args: { cartEntityId?: string | null; filters?: SchemaInputs['PromotionBannersFiltersInput'] | null } }
  }
  PromotionBanner: {
    content: { result: string; args: object }
    locations: { result: readonly (SchemaEnums['PromotionBannerLocation'])[]; args: object }
  }
  RawHtmlPage: {
    id: { result: string; args: object }
    path: { result: string; args: object }
    htmlBody: { result: string; args: object }
    plainTextSummary: { result: string; args: { characterLimit: number | null } }
    entityId: { result: number; args: object }
    parentEntityId: { result: number | null; args: object }
    breadcrumbs: { result: { of: 'BreadcrumbConnection' }; args: { depth: number; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    name: { result: string; args: object }
    isVisibleInNavigation: { result: boolean; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    children: { result: { of: 'PageConnection' }; args: { filters?: SchemaInputs['WebPageChildrenFiltersInput'] | null; sortBy: SchemaEnums['WebPageSortInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  Redirect: {
    id: { result: string; args: object }
    fromPath: { result: string; args: object }
    to: { result: { of: 'RedirectTo' }; args: object }
    toUrl: { result: string; args: object }
  }
  Region: {
    name: { result: string; args: object }
    html: { result: string; args: object }
  }
  RenderedRegionsByPageType: {
    regions: { result: readonly ({ of: 'Region' })[]; args: object }
  }
  Route: {
    node: { result: { of: 'Node' } | null; args: object }
    redirect: { result: { of: 'Redirect' } | null; args: object }
  }
  ScriptHash: {
    hash: { result: string; args: object }
  }
  ScriptTypeConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ScriptTypeEdge' })[] | null; args: object }
  }
  ScriptTypeEdge: {
    node: { result: { of: 'Script' }; args: object }
    cursor: { result: string; args: object }
  }
  SrcScript: {
    src: { result: string; args: object }
    entityId: { result: string; args: object }
    consentCategory: { result: SchemaEnums['ScriptConsentCategory']; args: object }
    visibility: { result: SchemaEnums['ScriptVisibility']; args: object }
    integrityHashes: { result: readonly ({ of: 'ScriptHash' })[]; args: object }
    location: { result: SchemaEnums['ScriptLocation']; args: object }
  }
  SubmitContactUsResult: {
    errors: { result: readonly ({ of: 'SubmitContactUsError' })[]; args: object }
  }
  Brand: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    defaultImage: { result: { of: 'Image' } | null; args: object }
    pageTitle: { result: string; args: object }
    metaDesc: { result: string; args: object }
    metaKeywords: { result: readonly (string)[]; args: object }
    seo: { result: { of: 'SeoDetails' }; args: object }
    searchKeywords: { result: readonly (string)[]; args: object }
    path: { result: string; args: object }
    products: { result: { of: 'ProductConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; hideOutOfStock?: boolean | null } }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  BrandConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BrandEdge' })[] | null; args: object }
  }
  BrandEdge: {
    node: { result: { of: 'Brand' }; args: object }
    cursor: { result: string; args: object }
  }
  Breadcrumb: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    path: { result: string | null; args: object }
  }
  BreadcrumbConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'BreadcrumbEdge' })[] | null; args: object }
  }
  BreadcrumbEdge: {
    node: { result: { of: 'Breadcrumb' }; args: object }
    cursor: { result: string; args: object }
  }
  Category: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    path: { result: string; args: object }
    defaultImage: { result: { of: 'Image' } | null; args: object }
    description: { result: string; args: object }
    breadcrumbs: { result: { of: 'BreadcrumbConnection' }; args: { depth: number; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    products: { result: { of: 'ProductConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; hideOutOfStock?: boolean | null; sortBy?: SchemaEnums['CategoryProductSort'] | null } }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    seo: { result: { of: 'SeoDetails' }; args: object }
    shopByPriceRanges: { result: { of: 'ShopByPriceConnection' }; args: { currencyCode?: string | null; includeTax: boolean | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    defaultProductSort: { result: SchemaEnums['CategoryProductSort'] | null; args: object }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  CategoryConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CategoryEdge' })[] | null; args: object }
  }
  CategoryEdge: {
    node: { result: { of: 'Category' }; args: object }
    cursor: { result: string; args: object }
  }
  CategoryTreeItem: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    path: { result: string; args: object }
    description: { result: string; args: object }
    productCount: { result: number; args: object }
    image: { result: { of: 'Image' } | null; args: object }
    hasChildren: { result: boolean; args: object }
    children: { result: readonly ({ of: 'CategoryTreeItem' })[]; args: object }
  }
  PopularBrandConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'PopularBrandEdge' })[] | null; args: object }
  }
  PopularBrandEdge: {
    node: { result: { of: 'PopularBrandType' }; args: object }
    cursor: { result: string; args: object }
  }
  PopularBrandType: {
    entityId: { result: number; args: object }
    count: { result: number; args: object }
    name: { result: string; args: object }
    path: { result: string | null; args: object }
  }
  AddProductReviewResult: {
    errors: { result: readonly ({ of: 'AddProductReviewError' })[]; args: object }
  }
  Aggregated: {
    availableToSell: { result: number; args: object }
    warningLevel: { result: number; args: object }
    availableOnHand: { result: number; args: object }
    unlimitedBackorder: { result: boolean; args: object }
    availableForBackorder: { result: number | null; args: object }
  }
  AggregatedInventory: {
    availableToSell: { result: number; args: object }
    warningLevel: { result: number; args: object }
    availableOnHand: { result: number; args: object }
    unlimitedBackorder: { result: boolean; args: object }
    availableForBackorder: { result: number | null; args: object }
  }
  BulkPricingFixedPriceDiscount: {
    price: { result: number; args: object }
    minimumQuantity: { result: number; args: object }
    maximumQuantity: { result: number | null; args: object }
  }
  BulkPricingPercentageDiscount: {
    percentOff: { result: number; args: object }
    minimumQuantity: { result: number; args: object }
    maximumQuantity: { result: number | null; args: object }
  }
  BulkPricingRelativePriceDiscount: {
    priceAdjustment: { result: number; args: object }
    minimumQuantity: { result: number; args: object }
    maximumQuantity: { result: number | null; args: object }
  }
  Catalog: {
    productComparisonsEnabled: { result: boolean | null; args: object }
  }
  CatalogMutations: {
    addProductReview: { result: { of: 'AddProductReviewResult' }; args: { reCaptchaV2?: SchemaInputs['ReCaptchaV2Input'] | null; input: SchemaInputs['AddProductReviewInput'] } }
  }
  CheckboxOption: {
    checkedByDefault: { result: boolean; args: object }
    label: { result: string; args: object }
    checkedOptionValueEntityId: { result: number; args: object }
    uncheckedOptionValueEntityId: { result: number; args: object }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  CustomField: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    value: { result: string; args: object }
  }
  CustomFieldConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CustomFieldEdge' })[] | null; args: object }
  }
  CustomFieldEdge: {
    node: { result: { of: 'CustomField' }; args: object }
    cursor: { result: string; args: object }
  }
  DateFieldOption: {
    defaultValue: { result: string | null; args: object }
    earliest: { result: string | null; args: object }
    latest: { result: string | null; args: object }
    limitDateBy: { result: SchemaEnums['LimitDateOption']; args: object }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  FileUploadFieldOption: {
    maxFileSize: { result: number; args: object }
    fileTypes: { result: readonly (string)[]; args: object }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  GiftWrapping: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    allowComments: { result: boolean; args: object }
    previewImageUrl: { result: string | null; args: object }
  }
  GiftWrappingConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'GiftWrappingEdge' })[] | null; args: object }
  }
  GiftWrappingEdge: {
    node: { result: { of: 'GiftWrapping' }; args: object }
    cursor: { result: string; args: object }
  }
  Inventory: {
    locations: { result: { of: 'InventoryLocationConnection' }; args: { entityIds: readonly (number)[] | null; codes: readonly (string)[] | null; typeIds: readonly (string)[] | null; serviceTypeIds: readonly (string)[] | null; distanceFilter?: SchemaInputs['DistanceFilter'] | null; countryCodes: readonly (string)[] | null; states: readonly (string)[] | null; cities: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  InventoryAddress: {
    entityId: { result: number; args: object }
    code: { result: string; args: object }
    label: { result: string; args: object }
    description: { result: string | null; args: object }
    address1: { result: string; args: object }
    address2: { result: string; args: object }
    city: { result: string; args: object }
    stateOrProvince: { result: string; args: object }
    countryCode: { result: string; args: object }
    postalCode: { result: string; args: object }
    phone: { result: string; args: object }
    email: { result: string; args: object }
    latitude: { result: number | null; args: object }
    longitude: { result: number | null; args: object }
  }
  InventoryByLocations: {
    locationEntityId: { result: number; args: object }
    availableToSell: { result: number; args: object }
    warningLevel: { result: number; args: object }
    isInStock: { result: boolean; args: object }
    locationDistance: { result: { of: 'Distance' } | null; args: object }
    locationEntityTypeId: { result: string | null; args: object }
    locationEntityServiceTypeIds: { result: readonly (string)[]; args: object }
    locationEntityCode: { result: string; args: object }
    backorderMessage: { result: string; args: object }
  }
  InventoryLocation: {
    entityId: { result: number; args: object }
    code: { result: string; args: object }
    label: { result: string; args: object }
    description: { result: string | null; args: object }
    typeId: { result: string | null; args: object }
    serviceTypeIds: { result: readonly (string)[]; args: object }
    address: { result: { of: 'InventoryAddress' } | null; args: object }
    operatingHours: { result: { of: 'OperatingHours' } | null; args: object }
    distance: { result: { of: 'Distance' } | null; args: object }
    blackoutHours: { result: readonly ({ of: 'SpecialHour' })[]; args: object }
    specialHours: { result: readonly ({ of: 'SpecialHour' })[]; args: object }
    timeZone: { result: string | null; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  InventoryLocationConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'InventoryLocationEdge' })[] | null; args: object }
  }
  InventoryLocationEdge: {
    node: { result: { of: 'InventoryLocation' }; args: object }
    cursor: { result: string; args: object }
  }
  InventorySettings: {
    productOutOfStockBehavior: { result: SchemaEnums['ProductOutOfStockBehavior'] | null; args: object }
    optionOutOfStockBehavior: { result: SchemaEnums['OptionOutOfStockBehavior'] | null; args: object }
    stockLevelDisplay: { result: SchemaEnums['StockLevelDisplay'] | null; args: object }
    defaultOutOfStockMessage: { result: string; args: object }
    hideInProductFiltering: { result: boolean; args: object }
    showPreOrderStockLevels: { result: boolean; args: object }
    showOutOfStockMessage: { result: boolean; args: object }
    updateStockBehavior: { result: SchemaEnums['UpdateStockBehavior'] | null; args: object }
    showQuantityOnBackorder: { result: boolean; args: object }
    showQuantityOnHand: { result: boolean; args: object }
    showBackorderMessage: { result: boolean; args: object }
    showBackorderAvailabilityPrompt: { result: boolean; args: object }
    backorderAvailabilityPrompt: { result: string; args: object }
    showDefaultShippingExpectationPrompt: { result: boolean; args: object }
    defaultShippingExpectationPrompt: { result: string; args: object }
  }
  LinkedProduct: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    inventory: { result: { of: 'LinkedProductInventory' }; args: object }
  }
  LinkedProductInventory: {
    isInStock: { result: boolean; args: object }
    isStockTracked: { result: boolean; args: object }
    hasVariantInventory: { result: boolean; args: object }
    aggregated: { result: { of: 'AggregatedInventory' } | null; args: object }
  }
  LocationConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'LocationEdge' })[] | null; args: object }
  }
  LocationEdge: {
    node: { result: { of: 'InventoryByLocations' }; args: object }
    cursor: { result: string; args: object }
  }
  MultiLineTextFieldOption: {
    defaultValue: { result: string | null; args: object }
    minLength: { result: number | null; args: object }
    maxLength: { result: number | null; args: object }
    maxLines: { result: number | null; args: object }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  MultipleChoiceOption: {
    displayStyle: { result: string; args: object }
    values: { result: { of: 'ProductOptionValueConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  MultipleChoiceOptionValue: {
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    isDefault: { result: boolean; args: object }
    isSelected: { result: boolean | null; args: object }
  }
  NotAuthorizedToAddProductReviewError: {
    message: { result: string; args: object }
  }
  NumberFieldOption: {
    defaultValue: { result: number | null; args: object }
    lowest: { result: number | null; args: object }
    highest: { result: number | null; args: object }
    isIntegerOnly: { result: boolean; args: object }
    limitNumberBy: { result: SchemaEnums['LimitInputBy']; args: object }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  OperatingDay: {
    open: { result: boolean; args: object }
    opening: { result: string; args: object }
    closing: { result: string; args: object }
  }
  OperatingHours: {
    sunday: { result: { of: 'OperatingDay' } | null; args: object }
    monday: { result: { of: 'OperatingDay' } | null; args: object }
    tuesday: { result: { of: 'OperatingDay' } | null; args: object }
    wednesday: { result: { of: 'OperatingDay' } | null; args: object }
    thursday: { result: { of: 'OperatingDay' } | null; args: object }
    friday: { result: { of: 'OperatingDay' } | null; args: object }
    saturday: { result: { of: 'OperatingDay' } | null; args: object }
  }
  OptionConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OptionEdge' })[] | null; args: object }
  }
  OptionEdge: {
    node: { result: { of: 'ProductOption' }; args: object }
    cursor: { result: string; args: object }
  }
  OptionValueConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'OptionValueEdge' })[] | null; args: object }
  }
  OptionValueEdge: {
    node: { result: { of: 'ProductOptionValue' }; args: object }
    cursor: { result: string; args: object }
  }
  PriceRanges: {
    priceRange: { result: { of: 'MoneyRange' }; args: object }
    retailPriceRange: { result: { of: 'MoneyRange' } | null; args: object }
  }
  Prices: {
    price: { result: { of: 'Money' }; args: object }
    salePrice: { result: { of: 'Money' } | null; args: object }
    basePrice: { result: { of: 'Money' } | null; args: object }
    retailPrice: { result: { of: 'Money' } | null; args: object }
    mapPrice: { result: { of: 'Money' } | null; args: object }
    priceRange: { result: { of: 'MoneyRange' }; args: object }
    retailPriceRange: { result: { of: 'MoneyRange' } | null; args: object }
    saved: { result: { of: 'Money' } | null; args: object }
    bulkPricing: { result: readonly ({ of: 'BulkPricingTier' })[]; args: object }
  }
  Product: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    sku: { result: string; args: object }
    path: { result: string; args: object }
    name: { result: string; args: object }
    description: { result: string; args: object }
    plainTextDescription: { result: string; args: { characterLimit: number | null } }
    warranty: { result: string; args: object }
    minPurchaseQuantity: { result: number | null; args: object }
    maxPurchaseQuantity: { result: number | null; args: object }
    addToCartUrl: { result: string; args: object }
    addToWishlistUrl: { result: string; args: object }
    isPriceHidden: { result: boolean; args: object }
    prices: { result: { of: 'Prices' } | null; args: { includeTax: boolean | null; currencyCode?: string | null } }
    priceRanges: { result: { of: 'PriceRanges' } | null; args: { includeTax: boolean | null } }
    weight: { result: { of: 'Measurement' } | null; args: object }
    height: { result: { of: 'Measurement' } | null; args: object }
    width: { result: { of: 'Measurement' } | null; args: object }
    depth: { result: { of: 'Measurement' } | null; args: object }
    options: { result: { of: 'OptionConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    productOptions: { result: { of: 'ProductOptionConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    reviewSummary: { result: { of: 'Reviews' }; args: object }
    type: { result: string; args: object }
    availability: { result: string; args: object }
    availabilityDescription: { result: string; args: object }
    availabilityV2: { result: { of: 'ProductAvailability' }; args: object }
    categories: { result: { of: 'CategoryConnection' }; args: { sortBy?: SchemaEnums['ProductCategorySort'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    brand: { result: { of: 'Brand' } | null; args: object }
    variants: { result: { of: 'VariantConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; isPurchasable?: boolean | null; entityIds: readonly (number)[] | null; optionValueIds: readonly (SchemaInputs['OptionValueId'])[] | null; skus: readonly (string)[] | null } }
    customFields: { result: { of: 'CustomFieldConnection' }; args: { names: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    images: { result: { of: 'ImageConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    defaultImage: { result: { of: 'Image' } | null; args: object }
    relatedProducts: { result: { of: 'RelatedProductsConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; hideOutOfStock?: boolean | null } }
    inventory: { result: { of: 'ProductInventory' }; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    upc: { result: string | null; args: object }
    mpn: { result: string | null; args: object }
    gtin: { result: string | null; args: object }
    createdAt: { result: { of: 'DateTimeExtended' }; args: object }
    reviews: { result: { of: 'ReviewConnection' }; args: { sort?: SchemaEnums['ProductReviewsSortInput'] | null; filters?: SchemaInputs['ProductReviewsFiltersInput'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    seo: { result: { of: 'SeoDetails' }; args: object }
    giftWrappingOptions: { result: { of: 'GiftWrappingConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    condition: { result: SchemaEnums['ProductConditionType'] | null; args: object }
    showCartAction: { result: boolean; args: object }
    videos: { result: { of: 'VideoConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    featuredPromotions: { result: { of: 'FeaturedPromotionConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    locales: { result: { of: 'LocaleAlternateConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  ProductAvailable: {
    status: { result: SchemaEnums['ProductAvailabilityStatus']; args: object }
    description: { result: string; args: object }
  }
  ProductConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ProductEdge' })[] | null; args: object }
    collectionInfo: { result: { of: 'CollectionInfo' } | null; args: object }
  }
  ProductEdge: {
    node: { result: { of: 'Product' }; args: object }
    cursor: { result: string; args: object }
  }
  ProductIdNotFoundError: {
    message: { result: string; args: object }
  }
  ProductInventory: {
    isInStock: { result: boolean; args: object }
    isStockTracked: { result: boolean; args: object }
    hasVariantInventory: { result: boolean; args: object }
    aggregated: { result: { of: 'AggregatedInventory' } | null; args: object }
    byLocation: { result: { of: 'ProductLocationConnection' } | null; args: { locationEntityIds: readonly (number)[] | null; locationEntityCodes: readonly (string)[] | null; locationEntityTypeIds: readonly (string)[] | null; distanceFilter?: SchemaInputs['DistanceFilter'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  ProductInventoryByLocation: {
    locationEntityId: { result: number; args: object }
    locationEntityCode: { result: string; args: object }
    availableToSell: { result: number; args: object }
    warningLevel: { result: number; args: object }
    isInStock: { result: boolean; args: object }
    locationDistance: { result: { of: 'Distance' } | null; args: object }
    locationEntityTypeId: { result: string; args: object }
  }
  ProductLocationConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ProductLocationEdge' })[] | null; args: object }
  }
  ProductLocationEdge: {
    node: { result: { of: 'ProductInventoryByLocation' }; args: object }
    cursor: { result: string; args: object }
  }
  ProductOption: {
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    values: { result: { of: 'OptionValueConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  ProductOptionConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ProductOptionEdge' })[] | null; args: object }
  }
  ProductOptionEdge: {
    node: { result: { of: 'CatalogProductOption' }; args: object }
    cursor: { result: string; args: object }
  }
  ProductOptionValue: {
    entityId: { result: number; args: object }
    label: { result: string; args: object }
  }
  ProductOptionValueConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ProductOptionValueEdge' })[] | null; args: object }
  }
  ProductOptionValueEdge: {
    node: { result: { of: 'CatalogProductOptionValue' }; args: object }
    cursor: { result: string; args: object }
  }
  ProductPickListOptionValue: {
    productId: { result: number; args: object }
    defaultImage: { result: { of: 'Image' } | null; args: object }
    autoAdjustInventory: { result: boolean; args: object }
    linkedProduct: { result: { of: 'LinkedProduct' } | null; args: object }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    isDefault: { result: boolean; args: object }
    isSelected: { result: boolean | null; args: object }
  }
  ProductPreOrder: {
    message: { result: string | null; args: object }
    willBeReleasedAt: { result: { of: 'DateTimeExtended' } | null; args: object }
    status: { result: SchemaEnums['ProductAvailabilityStatus']; args: object }
    description: { result: string; args: object }
  }
  ProductUnavailable: {
    message: { result: string | null; args: object }
    status: { result: SchemaEnums['ProductAvailabilityStatus']; args: object }
    description: { result: string; args: object }
  }
  ProductViewedEventResult: {
    executed: { result: boolean; args: object }
  }
  RelatedProductsConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'RelatedProductsEdge' })[] | null; args: object }
  }
  RelatedProductsEdge: {
    node: { result: { of: 'Product' }; args: object }
    cursor: { result: string; args: object }
  }
  Review: {
    entityId: { result: number; args: object }
    author: { result: { of: 'Author' }; args: object }
    title: { result: string; args: object }
    text: { result: string; args: object }
    rating: { result: number; args: object }
    createdAt: { result: { of: 'DateTimeExtended' }; args: object }
  }
  ReviewConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'ReviewEdge' })[] | null; args: object }
  }
  ReviewEdge: {
    node: { result: { of: 'Review' }; args: object }
    cursor: { result: string; args: object }
  }
  Reviews: {
    averageRating: { result: number; args: object }
    numberOfReviews: { result: number; args: object }
    summationOfRatings: { result: number; args: object }
  }
  ReviewsSettings: {
    enabled: { result: boolean; args: object }
    onlyAcceptPreviousCustomerReviews: { result: boolean; args: object }
  }
  SpecialHour: {
    label: { result: string; args: object }
    open: { result: boolean; args: object }
    opening: { result: string | null; args: object }
    closing: { result: string | null; args: object }
  }
  SwatchOptionValue: {
    hexColors: { result: readonly (string)[]; args: object }
    imageUrl: { result: string | null; args: { width: number; height?: number | null; lossy?: boolean | null } }
    entityId: { result: number; args: object }
    label: { result: string; args: object }
    isDefault: { result: boolean; args: object }
    isSelected: { result: boolean | null; args: object }
  }
  TextFieldOption: {
    defaultValue: { result: string | null; args: object }
    minLength: { result: number | null; args: object }
    maxLength: { result: number | null; args: object }
    entityId: { result: number; args: object }
    displayName: { result: string; args: object }
    isRequired: { result: boolean; args: object }
    isVariantOption: { result: boolean; args: object }
  }
  UnexpectedAddReviewError: {
    message: { result: string; args: object }
  }
  Variant: {
    id: { result: string; args: object }
    entityId: { result: number; args: object }
    sku: { result: string; args: object }
    weight: { result: { of: 'Measurement' } | null; args: object }
    height: { result: { of: 'Measurement' } | null; args: object }
    width: { result: { of: 'Measurement' } | null; args: object }
    depth: { result: { of: 'Measurement' } | null; args: object }
    options: { result: { of: 'OptionConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    productOptions: { result: { of: 'ProductOptionConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    defaultImage: { result: { of: 'Image' } | null; args: object }
    prices: { result: { of: 'Prices' } | null; args: { includeTax: boolean | null; currencyCode?: string | null } }
    inventory: { result: { of: 'VariantInventory' } | null; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    upc: { result: string | null; args: object }
    mpn: { result: string | null; args: object }
    gtin: { result: string | null; args: object }
    isPurchasable: { result: boolean; args: object }
  }
  VariantConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'VariantEdge' })[] | null; args: object }
  }
  VariantEdge: {
    node: { result: { of: 'Variant' }; args: object }
    cursor: { result: string; args: object }
  }
  VariantInventory: {
    aggregated: { result: { of: 'Aggregated' } | null; args: object }
    isInStock: { result: boolean; args: object }
    byLocation: { result: { of: 'LocationConnection' } | null; args: { locationEntityIds: readonly (number)[] | null; locationEntityCodes: readonly (string)[] | null; locationEntityTypeIds: readonly (string)[] | null; locationEntityServiceTypeIds: readonly (string)[] | null; distanceFilter?: SchemaInputs['DistanceFilter'] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  AnalyticsMutations: {
    productViewedEvent: { result: { of: 'ProductViewedEventResult' }; args: { input: SchemaInputs['ProductViewedEventInput'] } }
    pageViewedEvent: { result: { of: 'PageViewedEventResult' }; args: { input: SchemaInputs['PageViewedEventInput'] } }
    visitStartedEvent: { result: { of: 'VisitStartedEventResult' }; args: { input: SchemaInputs['VisitStartedEventInput'] } }
    searchProductEvent: { result: { of: 'SearchProductEventResult' }; args: { input: SchemaInputs['SearchProductEventInput'] } }
  }
  CreateSubscriberAlreadyExistsError: {
    message: { result: string; args: object }
  }
  CreateSubscriberEmailInvalidError: {
    message: { result: string; args: object }
  }
  CreateSubscriberFirstNameInvalidError: {
    message: { result: string; args: object }
  }
  CreateSubscriberLastNameInvalidError: {
    message: { result: string; args: object }
  }
  CreateSubscriberResult: {
    errors: { result: readonly ({ of: 'CreateSubscriberError' })[]; args: object }
  }
  CreateSubscriberUnexpectedError: {
    message: { result: string; args: object }
  }
  GA4Provider: {
    tagId: { result: string; args: object }
  }
  MetaPixelProvider: {
    pixelId: { result: string; args: object }
  }
  NewsletterMutations: {
    subscribe: { result: { of: 'CreateSubscriberResult' }; args: { input: SchemaInputs['CreateSubscriberInput'] } }
    unsubscribe: { result: { of: 'RemoveSubscriberResult' }; args: { input: SchemaInputs['RemoveSubscriberInput'] } }
  }
  NewsletterSettings: {
    showNewsletterSignup: { result: boolean; args: object }
    newsletterCheckedByDefault: { result: boolean; args: object }
  }
  RemoveSubscriberEmailInvalidError: {
    message: { result: string; args: object }
  }
  RemoveSubscriberResult: {
    errors: { result: readonly ({ of: 'RemoveSubscriberError' })[]; args: object }
  }
  RemoveSubscriberUnexpectedError: {
    message: { result: string; args: object }
  }
  SegmentProvider: {
    writeKey: { result: string; args: object }
  }
  VisitStartedEventResult: {
    executed: { result: boolean; args: object }
  }
  WebAnalytics: {
    ga4: { result: { of: 'GA4Provider' } | null; args: object }
    segment: { result: { of: 'SegmentProvider' } | null; args: object }
    metaPixel: { result: { of: 'MetaPixelProvider' } | null; args: object }
  }
  Channel: {
    entityId: { result: number; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  ContactField: {
    address: { result: string; args: object }
    country: { result: string; args: object }
    addressType: { result: string; args: object }
    email: { result: string; args: object }
    phone: { result: string; args: object }
  }
  Country: {
    entityId: { result: number; args: object }
    code: { result: string; args: object }
    name: { result: string; args: object }
    iso3: { result: string; args: object }
    currency: { result: { of: 'CountryCurrency' }; args: object }
    statesOrProvinces: { result: readonly ({ of: 'StateOrProvince' })[]; args: object }
    stateRequired: { result: boolean; args: object }
  }
  CountryCurrency: {
    code: { result: string; args: object }
    name: { result: string; args: object }
    symbol: { result: string; args: object }
  }
  Currency: {
    entityId: { result: number; args: object }
    code: { result: string; args: object }
    name: { result: string; args: object }
    flagImage: { result: string | null; args: object }
    isActive: { result: boolean; args: object }
    exchangeRate: { result: number; args: object }
    isTransactional: { result: boolean; args: object }
    display: { result: { of: 'CurrencyDisplay' }; args: object }
    isDefault: { result: boolean; args: object }
  }
  CurrencyConnection: {
    pageInfo: { result: { of: 'PageInfo' }; args: object }
    edges: { result: readonly ({ of: 'CurrencyEdge' })[] | null; args: object }
  }
  CurrencyDisplay: {
    symbol: { result: string; args: object }
    symbolPlacement: { result: SchemaEnums['CurrencySymbolPosition']; args: object }
    decimalToken: { result: string; args: object }
    thousandsToken: { result: string; args: object }
    decimalPlaces: { result: number; args: object }
  }
  CurrencyEdge: {
    node: { result: { of: 'Currency' }; args: object }
    cursor: { result: string; args: object }
  }
  CurrencySettings: {
    defaultCurrency: { result: string; args: object }
  }
  DisplayField: {
    shortDateFormat: { result: string; args: object }
    extendedDateFormat: { result: string; args: object }
    showProductRating: { result: boolean; args: object }
  }
  Geography: {
    countries: { result: readonly ({ of: 'Country' })[] | null; args: { filters?: SchemaInputs['CountryFiltersInput'] | null } }
  }
  HstsSettings: {
    hstsOnStorefrontEnabled: { result: boolean; args: object }
    hstsInPreloadEnabled: { result: boolean; args: object }
    hstsInSubdomainsEnabled: { result: boolean; args: object }
    hstsMaxAgeDurationSeconds: { result: number; args: object }
  }
  InactivitySettings: {
    shopperInactivityDurationSeconds: { result: number | null; args: object }
    shopperActivityExtendsDuration: { result: boolean | null; args: object }
    controlPanelInactivityDurationSeconds: { result: number | null; args: object }
  }
  InvalidInputFieldsError: {
    fields: { result: readonly (string)[]; args: object }
    message: { result: string; args: object }
  }
  Locale: {
    code: { result: string; args: object }
    isDefault: { result: boolean; args: object }
    fullPath: { result: string; args: object }
    path: { result: string; args: object }
  }
  LocaleInvalidError: {
    message: { result: string; args: object }
  }
  LogoField: {
    title: { result: string; args: object }
    image: { result: { of: 'Image' }; args: object }
  }
  PrivacySettings: {
    cookieConsentEnabled: { result: boolean; args: object }
    privacyPolicyUrl: { result: string | null; args: object }
  }
  ReCaptchaSettings: {
    siteKey: { result: string; args: object }
    isEnabledOnStorefront: { result: boolean; args: object }
    isEnabledOnCheckout: { result: boolean; args: object }
    failedLoginLockoutDurationSeconds: { result: number | null; args: object }
  }
  SecuritySettings: {
    customCspHeader: { result: string | null; args: object }
    xFrameOptions: { result: string | null; args: object }
    hsts: { result: { of: 'HstsSettings' } | null; args: object }
  }
  Settings: {
    storeName: { result: string; args: object }
    storeHash: { result: string; args: object }
    storeCountryCode: { result: string; args: object }
    status: { result: SchemaEnums['StorefrontStatusType']; args: object }
    logo: { result: { of: 'LogoField' }; args: object }
    logoV2: { result: { of: 'StoreLogo' }; args: object }
    contact: { result: { of: 'ContactField' } | null; args: object }
    url: { result: { of: 'UrlField' }; args: object }
    display: { result: { of: 'DisplayField' }; args: object }
    channelId: { result: number; args: object }
    tax: { result: { of: 'TaxDisplaySettings' } | null; args: object }
    search: { result: { of: 'Search' }; args: object }
    storefront: { result: { of: 'Storefront' }; args: object }
    isGoogleAiPredictionEnabled: { result: boolean; args: object }
    inventory: { result: { of: 'InventorySettings' } | null; args: object }
    reCaptcha: { result: { of: 'ReCaptchaSettings' }; args: object }
    socialMediaLinks: { result: readonly ({ of: 'SocialMediaLink' })[]; args: object }
    checkout: { result: { of: 'CheckoutSettings' } | null; args: object }
    statusMessage: { result: string | null; args: object }
    customers: { result: { of: 'CustomersSettings' } | null; args: object }
    locales: { result: readonly ({ of: 'Locale' })[]; args: object }
    faviconUrl: { result: string | null; args: object }
    webAnalytics: { result: { of: 'WebAnalytics' } | null; args: object }
    currency: { result: { of: 'CurrencySettings' }; args: object }
    formFields: { result: { of: 'FormFields' }; args: object }
    seo: { result: { of: 'SeoDetails' } | null; args: object }
    robotsTxt: { result: string | null; args: object }
    security: { result: { of: 'SecuritySettings' } | null; args: object }
    privacy: { result: { of: 'PrivacySettings' } | null; args: object }
    inactivity: { result: { of: 'InactivitySettings' } | null; args: object }
    shipping: { result: { of: 'Shipping' } | null; args: object }
    giftCertificates: { result: { of: 'GiftCertificateSettings' } | null; args: { currencyCode?: string | null } }
    reviews: { result: { of: 'ReviewsSettings' }; args: object }
    newsletter: { result: { of: 'NewsletterSettings' }; args: object }
  }
  Shipping: {
    supportedShippingDestinations: { result: { of: 'SupportedShippingDestinations' }; args: object }
  }
  ShopperLocale: {
    resolved: { result: string | null; args: object }
  }
  ShopperPreferences: {
    locale: { result: { of: 'ShopperLocale' } | null; args: object }
  }
  Site: {
    search: { result: { of: 'SearchQueries' }; args: object }
    categoryTree: { result: readonly ({ of: 'CategoryTreeItem' })[]; args: { rootEntityId?: number | null } }
    category: { result: { of: 'Category' } | null; args: { entityId: number } }
    brands: { result: { of: 'BrandConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; productEntityIds: readonly (number)[] | null; entityIds: readonly (number)[] | null } }
    products: { result: { of: 'ProductConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; ids: readonly (string)[] | null; entityIds: readonly (number)[] | null; hideOutOfStock?: boolean | null } }
    newestProducts: { result: { of: 'ProductConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; hideOutOfStock?: boolean | null } }
    bestSellingProducts: { result: { of: 'ProductConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; hideOutOfStock?: boolean | null } }
    featuredProducts: { result: { of: 'ProductConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null; hideOutOfStock?: boolean | null } }
    product: { result: { of: 'Product' } | null; args: { id?: string | null; entityId?: number | null; variantEntityId?: number | null; optionValueIds: readonly (SchemaInputs['OptionValueId'])[] | null; sku?: string | null; useDefaultOptionSelections?: boolean | null } }
    route: { result: { of: 'Route' }; args: { path: string; redirectBehavior: SchemaEnums['RouteRedirectBehavior'] } }
    settings: { result: { of: 'Settings' } | null; args: object }
    content: { result: { of: 'Content' }; args: object }
    currency: { result: { of: 'Currency' } | null; args: { currencyCode: string } }
    currencies: { result: { of: 'CurrencyConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    publicWishlist: { result: { of: 'PublicWishlist' } | null; args: { token: string } }
    popularBrands: { result: { of: 'PopularBrandConnection' }; args: { before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
    cart: { result: { of: 'Cart' } | null; args: { entityId?: string | null } }
    checkout: { result: { of: 'Checkout' } | null; args: { entityId?: string | null } }
    giftCertificate: { result: { of: 'GiftCertificate' } | null; args: { code: string } }
    brand: { result: { of: 'Brand' } | null; args: { entityId: number } }
    order: { result: { of: 'OrderWithPayments' } | null; args: { filter?: SchemaInputs['OrderFilterInput'] | null } }
    promotion: { result: { of: 'Promotion' }; args: object }
  }
  SocialMediaLink: {
    name: { result: string; args: object }
    url: { result: string; args: object }
  }
  StateOrProvince: {
    entityId: { result: number; args: object }
    name: { result: string; args: object }
    abbreviation: { result: string; args: object }
  }
  Store: {
    entityId: { result: number; args: object }
    metafields: { result: { of: 'MetafieldConnection' }; args: { namespace: string; keys: readonly (string)[] | null; before?: string | null; after?: string | null; first?: number | null; last?: number | null } }
  }
  Storefront: {
    catalog: { result: { of: 'Catalog' } | null; args: object }
  }
  StoreImageLogo: {
    image: { result: { of: 'Image' }; args: object }
  }
  StoreTextLogo: {
    text: { result: string; args: object }
  }
  SupportedShippingDestinations: {
    countries: { result: readonly ({ of: 'Country' })[] | null; args: object }
  }
  TaxDisplaySettings: {
    pdp: { result: SchemaEnums['TaxPriceDisplay']; args: object }
    plp: { result: SchemaEnums['TaxPriceDisplay']; args: object }
  }
}

/** The object types of each interface and union. */
export interface SchemaAbstracts {
  Error: 'AlreadyExistsError' | 'LimitExceededError' | 'NotAuthorisedError' | 'NotFoundError' | 'ValidationError' | 'CheckoutBillingAddressError' | 'CheckoutCouponError' | 'CheckoutShippingConsignmentError' | 'CheckoutTaxError' | 'CartError' | 'CartLineItemError' | 'CartUnassignInaccessibleError' | 'CartUnassignNotAllowedError' | 'GenerateSessionSyncTokenCartNotFound' | 'InvalidSessionSyncJwtError' | 'JwtTokenExpiredError' | 'AccountCreationDisabledError' | 'AddressDoesNotExistError' | 'CustomerAddressCreationError' | 'CustomerAddressDeletionError' | 'CustomerAddressUpdateError' | 'CustomerAlreadyReviewedProductError' | 'CustomerDoesNotExistError' | 'CustomerNotLoggedInError' | 'CustomerPasswordError' | 'CustomerRegistrationError' | 'EmailAlreadyInUseError' | 'UnexpectedUpdateCustomerError' | 'NotAuthorizedToAddProductReviewError' | 'ProductIdNotFoundError' | 'UnexpectedAddReviewError' | 'CreateSubscriberAlreadyExistsError' | 'CreateSubscriberEmailInvalidError' | 'CreateSubscriberFirstNameInvalidError' | 'CreateSubscriberLastNameInvalidError' | 'CreateSubscriberUnexpectedError' | 'RemoveSubscriberEmailInvalidError' | 'RemoveSubscriberUnexpectedError' | 'InvalidInputFieldsError' | 'LocaleInvalidError'
  Node: 'Order' | 'OrderWithPayments' | 'Checkout' | 'Cart' | 'Banner' | 'Blog' | 'BlogIndexPage' | 'BlogPost' | 'ContactPage' | 'NormalPage' | 'RawHtmlPage' | 'Redirect' | 'Brand' | 'Category' | 'Product' | 'Variant'
  RegisterCompanyError: 'ValidationError'
  BaseOrder: 'Order' | 'OrderWithPayments'
  OrderAddress: 'OrderBillingAddress' | 'OrderShippingAddress'
  OrderLineItemInterface: 'OrderDigitalLineItem' | 'OrderGiftCertificateLineItem' | 'OrderPhysicalLineItem'
  OrderNonCouponShippingDiscount: 'OrderAutomaticShippingDiscount'
  OrderShipmentTracking: 'OrderShipmentUrlOnlyTracking' | 'OrderShipmentNumberOnlyTracking' | 'OrderShipmentNumberAndUrlTracking'
  PaymentInstrument: 'GiftCertificatePaymentInstrument' | 'CreditCardPaymentInstrument'
  CheckoutAddress: 'CheckoutBillingAddress' | 'CheckoutConsignmentAddress'
  CheckoutAddressCustomField: 'CheckoutAddressCheckboxesCustomField' | 'CheckoutAddressDateCustomField' | 'CheckoutAddressMultipleChoiceCustomField' | 'CheckoutAddressNumberCustomField' | 'CheckoutAddressPasswordCustomField' | 'CheckoutAddressTextFieldCustomField'
  CompleteCheckoutError: 'CartError' | 'CartLineItemError' | 'CheckoutShippingConsignmentError' | 'CheckoutBillingAddressError' | 'CheckoutCouponError' | 'CheckoutTaxError'
  CreateCheckoutError: 'CartError' | 'CartLineItemError' | 'CheckoutShippingConsignmentError' | 'CheckoutCouponError' | 'CheckoutTaxError'
  UpdateCheckoutError: 'CartError' | 'CartLineItemError' | 'CheckoutShippingConsignmentError' | 'CheckoutBillingAddressError' | 'CheckoutCouponError' | 'CheckoutTaxError'
  CartSelectedOption: 'CartSelectedCheckboxOption' | 'CartSelectedDateFieldOption' | 'CartSelectedFileUploadOption' | 'CartSelectedMultiLineTextFieldOption' | 'CartSelectedMultipleChoiceOption' | 'CartSelectedNumberFieldOption' | 'CartSelectedTextFieldOption'
  CartUnassignError: 'CartUnassignInaccessibleError' | 'CartUnassignNotAllowedError'
  CreateCartMetafieldError: 'NotFoundError' | 'AlreadyExistsError' | 'ValidationError' | 'LimitExceededError'
  CreateCartRedirectUrlsError: 'NotFoundError'
  DeleteCartMetafieldError: 'NotFoundError' | 'ValidationError' | 'NotAuthorisedError'
  UpdateCartLocaleError: 'NotFoundError' | 'LocaleInvalidError'
  UpdateCartMetafieldError: 'NotFoundError' | 'AlreadyExistsError' | 'ValidationError' | 'NotAuthorisedError'
  GiftCertificatePreviewError: 'ValidationError'
  GiftCertificateSettings: 'CustomAmountGiftCertificateSettings' | 'FixedAmountGiftCertificateSettings'
  SearchProductFilter: 'BrandSearchFilter' | 'CategorySearchFilter' | 'OtherSearchFilter' | 'PriceSearchFilter' | 'ProductAttributeSearchFilter' | 'RatingSearchFilter'
  GenerateSessionSyncTokenError: 'GenerateSessionSyncTokenCartNotFound'
  ValidateSessionSyncJwtError: 'InvalidSessionSyncJwtError' | 'JwtTokenExpiredError'
  AddCustomerAddressError: 'CustomerNotLoggedInError' | 'CustomerAddressCreationError' | 'ValidationError'
  ChangePasswordError: 'ValidationError' | 'CustomerDoesNotExistError' | 'CustomerPasswordError' | 'CustomerNotLoggedInError'
  CustomerFormFieldValue: 'CheckboxesFormFieldValue' | 'DateFormFieldValue' | 'MultilineTextFormFieldValue' | 'MultipleChoiceFormFieldValue' | 'NumberFormFieldValue' | 'PasswordFormFieldValue' | 'TextFormFieldValue'
  DeleteCustomerAddressError: 'CustomerNotLoggedInError' | 'CustomerAddressDeletionError'
  ExtraFieldValue: 'MultilineTextExtraFieldValue' | 'MultipleChoiceExtraFieldValue' | 'NumberExtraFieldValue' | 'TextExtraFieldValue'
  FormField: 'CheckboxesFormField' | 'DateFormField' | 'MultilineTextFormField' | 'NumberFormField' | 'PasswordFormField' | 'PicklistFormField' | 'PicklistOrTextFormField' | 'RadioButtonsFormField' | 'TextFormField'
  RegisterCustomerError: 'EmailAlreadyInUseError' | 'AccountCreationDisabledError' | 'CustomerRegistrationError' | 'ValidationError'
  RequestResetPasswordError: 'ValidationError'
  ResetPasswordError: 'ValidationError' | 'CustomerPasswordError'
  UpdateCustomerAddressError: 'CustomerNotLoggedInError' | 'AddressDoesNotExistError' | 'CustomerAddressUpdateError' | 'ValidationError'
  UpdateCustomerError: 'UnexpectedUpdateCustomerError' | 'EmailAlreadyInUseError' | 'ValidationError' | 'CustomerDoesNotExistError' | 'CustomerNotLoggedInError'
  RedirectTo: 'ManualRedirect' | 'ProductRedirect' | 'BrandRedirect' | 'BlogPostRedirect' | 'CategoryRedirect' | 'PageRedirect'
  Script: 'InlineScript' | 'SrcScript'
  SubmitContactUsError: 'ValidationError'
  WebPage: 'BlogIndexPage' | 'ContactPage' | 'ExternalLinkPage' | 'NormalPage' | 'RawHtmlPage'
  AddProductReviewError: 'CustomerAlreadyReviewedProductError' | 'NotAuthorizedToAddProductReviewError' | 'ProductIdNotFoundError' | 'InvalidInputFieldsError' | 'UnexpectedAddReviewError'
  BulkPricingTier: 'BulkPricingFixedPriceDiscount' | 'BulkPricingPercentageDiscount' | 'BulkPricingRelativePriceDiscount'
  CatalogProductOption: 'CheckboxOption' | 'DateFieldOption' | 'FileUploadFieldOption' | 'MultiLineTextFieldOption' | 'MultipleChoiceOption' | 'NumberFieldOption' | 'TextFieldOption'
  CatalogProductOptionValue: 'MultipleChoiceOptionValue' | 'ProductPickListOptionValue' | 'SwatchOptionValue'
  ProductAvailability: 'ProductAvailable' | 'ProductPreOrder' | 'ProductUnavailable'
  CreateSubscriberError: 'CreateSubscriberEmailInvalidError' | 'CreateSubscriberFirstNameInvalidError' | 'CreateSubscriberLastNameInvalidError' | 'CreateSubscriberAlreadyExistsError' | 'CreateSubscriberUnexpectedError'
  RemoveSubscriberError: 'RemoveSubscriberEmailInvalidError' | 'RemoveSubscriberUnexpectedError'
  StoreLogo: 'StoreTextLogo' | 'StoreImageLogo'
}

/** The fields of each input. */
export interface SchemaInputs {
  DistanceFilter: { radius: number; longitude: number; latitude: number; lengthUnit: SchemaEnums['LengthUnit'] }
  AddCompanyAddressInput: { firstName: string; lastName: string; address1: string; address2?: string | null; city: string; countryCode: string; stateOrProvince?: string | null; phone?: string | null; postalCode?: string | null; extraFields?: SchemaInputs['CompanyExtraFieldsInput'] | null }
  AddCompanyFileInput: { fileId: string; fileUrl?: string | null; fileName?: string | null; contentType?: string | null; fileSize?: number | null }
  AddCompanyUsersInput: { extraFields?: SchemaInputs['CompanyExtraFieldsInput'] | null }
  CompanyAddressFiltersInput: { isDefaultShipping?: boolean | null; isDefaultBilling?: boolean | null; isShipping?: boolean | null; isBilling?: boolean | null; searchQuery?: string | null }
  CompanyAddressSortInput: { field: SchemaEnums['CompanyAddressSortField']; direction: SchemaEnums['CompanyAddressSortDirection'] }
  CompanyExtraFieldsInput: { multipleChoices?: readonly (SchemaInputs['MultipleChoiceExtraFieldInput'])[] | null; numbers?: readonly (SchemaInputs['NumberExtraFieldInput'])[] | null; texts?: readonly (SchemaInputs['TextExtraFieldInput'])[] | null; multilineTexts?: readonly (SchemaInputs['MultilineTextExtraFieldInput'])[] | null }
  CompanyOrdersFiltersInput: { search?: string | null; status?: readonly (string)[] | null; customerId?: readonly (number)[] | null; companyIds?: readonly (string)[] | null; dateRange?: SchemaInputs['OrderDateRangeFilterInput'] | null }
  RegisterCompanyInput: { name: string; email: string; phone: string; fileList?: readonly (SchemaInputs['AddCompanyFileInput'])[] | null; companyUser?: SchemaInputs['AddCompanyUsersInput'] | null; extraFields?: SchemaInputs['CompanyExtraFieldsInput'] | null; address: SchemaInputs['AddCompanyAddressInput'] }
  UpdateCompanyUserInput: { firstName?: string | null; lastName?: string | null; phone?: string | null; email?: string | null; currentPassword?: string | null; newPassword?: string | null; formFields?: SchemaInputs['CustomerFormFieldsInput'] | null; extraFields?: SchemaInputs['CompanyExtraFieldsInput'] | null }
  CancelOrderReturnInput: { returnId: string }
  CreateOrderReturnInput: { orderEntityId: number; items: readonly (SchemaInputs['CreateOrderReturnItemInput'])[]; note?: string | null }
  CreateOrderReturnItemInput: { lineItemEntityId: number; quantity: number; reasonEntityId: string; requestedResolution?: SchemaInputs['RequestedResolutionInput'] | null }
  OrderDateRangeFilterInput: { from: string; to?: string | null }
  OrderFilterInput: { entityId: number; cartEntityId?: string | null }
  OrdersFiltersInput: { status?: SchemaEnums['OrderStatusValue'] | null; dateRange?: SchemaInputs['OrderDateRangeFilterInput'] | null }
  PaymentsFiltersInput: { status?: SchemaEnums['PaymentResultStatus'] | null }
  RequestedResolutionInput: { type: SchemaEnums['RequestedResolutionType']; customResolutionEntityId?: string | null }
  StartReturnGuestSessionInput: { orderEntityId: number; email: string }
  AddCheckoutBillingAddressDataInput: { address: SchemaInputs['CheckoutAddressInput'] }
  AddCheckoutBillingAddressInput: { checkoutEntityId: string; data: SchemaInputs['AddCheckoutBillingAddressDataInput']; version?: number | null }
  AddCheckoutShippingConsignmentsDataInput: { consignments: readonly (SchemaInputs['CheckoutShippingConsignmentInput'])[] }
  AddCheckoutShippingConsignmentsInput: { checkoutEntityId: string; data: SchemaInputs['AddCheckoutShippingConsignmentsDataInput']; version?: number | null }
  ApplyCheckoutCouponDataInput: { couponCode: string }
  ApplyCheckoutCouponInput: { checkoutEntityId: string; data: SchemaInputs['ApplyCheckoutCouponDataInput']; version?: number | null }
  ApplyCheckoutGiftCertificateDataInput: { giftCertificateCode: string }
  ApplyCheckoutGiftCertificateInput: { checkoutEntityId: string; data: SchemaInputs['ApplyCheckoutGiftCertificateDataInput']; version?: number | null }
  ApplyCheckoutSpamProtectionDataInput: { token: string }
  ApplyCheckoutSpamProtectionInput: { checkoutEntityId: string; data: SchemaInputs['ApplyCheckoutSpamProtectionDataInput'] }
  CartLineItemUpdateCheckoutInput: { entityId?: string | null; quantity: number; productEntityId?: number | null; variantEntityId?: number | null; sku?: string | null; selectedOptions?: SchemaInputs['CartSelectedOptionsInput'] | null }
  CheckoutAddressCheckboxesCustomFieldInput: { fieldEntityId: number; fieldValueEntityIds: readonly (number)[] }
  CheckoutAddressCustomFieldInput: { checkboxes?: readonly (SchemaInputs['CheckoutAddressCheckboxesCustomFieldInput'])[] | null; multipleChoices?: readonly (SchemaInputs['CheckoutAddressMultipleChoiceCustomFieldInput'])[] | null; numbers?: readonly (SchemaInputs['CheckoutAddressNumberCustomFieldInput'])[] | null; dates?: readonly (SchemaInputs['CheckoutAddressDateCustomFieldInput'])[] | null; texts?: readonly (SchemaInputs['CheckoutAddressTextCustomFieldInput'])[] | null; passwords?: readonly (SchemaInputs['CheckoutAddressPasswordCustomFieldInput'])[] | null }
  CheckoutAddressDateCustomFieldInput: { fieldEntityId: number; date: string }
  CheckoutAddressInput: { firstName?: string | null; lastName?: string | null; email?: string | null; company?: string | null; address1?: string | null; address2?: string | null; city?: string | null; stateOrProvince?: string | null; stateOrProvinceCode?: string | null; countryCode: string; postalCode?: string | null; phone?: string | null; customFields?: SchemaInputs['CheckoutAddressCustomFieldInput'] | null; shouldSaveAddress: boolean }
  CheckoutAddressMultipleChoiceCustomFieldInput: { fieldEntityId: number; fieldValueEntityId: number }
  CheckoutAddressNumberCustomFieldInput: { fieldEntityId: number; number: number }
  CheckoutAddressPasswordCustomFieldInput: { fieldEntityId: number; password: string }
  CheckoutAddressTextCustomFieldInput: { fieldEntityId: number; text: string }
  CheckoutConsignmentLineItemInput: { lineItemEntityId: string; quantity: number }
  CheckoutShippingConsignmentInput: { address: SchemaInputs['CheckoutAddressInput']; lineItems: readonly (SchemaInputs['CheckoutConsignmentLineItemInput'])[] }
  CompleteCheckoutInput: { checkoutEntityId: string }
  CreateCheckoutInput: { lineItems?: readonly (SchemaInputs['CartLineItemInput'])[] | null; giftCertificates?: readonly (SchemaInputs['CartGiftCertificateInput'])[] | null; currencyCode?: string | null; locale?: string | null; shippingConsignments?: readonly (SchemaInputs['CreateCheckoutShippingConsignmentInput'])[] | null; billingAddress?: SchemaInputs['CheckoutAddressInput'] | null; coupons?: readonly (string)[] | null }
  CreateCheckoutShippingConsignmentInput: { address: SchemaInputs['CheckoutAddressInput']; selectRecommendedOption?: boolean | null }
  DeleteCheckoutConsignmentInput: { checkoutEntityId: string; consignmentEntityId: string; version?: number | null }
  SelectCheckoutShippingOptionDataInput: { shippingOptionEntityId: string }
  SelectCheckoutShippingOptionInput: { checkoutEntityId: string; consignmentEntityId: string; data: SchemaInputs['SelectCheckoutShippingOptionDataInput']; version?: number | null }
  ShippingConsignmentUpdateCheckoutInput: { entityId?: string | null; address?: SchemaInputs['CheckoutAddressInput'] | null; lineItems?: readonly (SchemaInputs['CheckoutConsignmentLineItemInput'])[] | null; shippingOptionEntityId?: string | null; selectRecommendedOption?: boolean | null }
  UnapplyCheckoutCouponDataInput: { couponCode: string }
  UnapplyCheckoutCouponInput: { checkoutEntityId: string; data: SchemaInputs['UnapplyCheckoutCouponDataInput']; version?: number | null }
  UnapplyCheckoutGiftCertificateDataInput: { giftCertificateCode: string }
  UnapplyCheckoutGiftCertificateInput: { checkoutEntityId: string; data: SchemaInputs['UnapplyCheckoutGiftCertificateDataInput']; version?: number | null }
  UpdateCheckoutBillingAddressDataInput: { address: SchemaInputs['CheckoutAddressInput'] }
  UpdateCheckoutBillingAddressInput: { checkoutEntityId: string; addressEntityId: string; data: SchemaInputs['UpdateCheckoutBillingAddressDataInput']; version?: number | null }
  UpdateCheckoutCustomerMessageDataInput: { message: string }
  UpdateCheckoutCustomerMessageInput: { checkoutEntityId: string; data: SchemaInputs['UpdateCheckoutCustomerMessageDataInput']; version?: number | null }
  UpdateCheckoutDataInput: { lineItems?: readonly (SchemaInputs['CartLineItemUpdateCheckoutInput'])[] | null; shippingConsignments?: readonly (SchemaInputs['ShippingConsignmentUpdateCheckoutInput'])[] | null; billingAddress?: SchemaInputs['CheckoutAddressInput'] | null; customerMessage?: string | null; coupons?: readonly (string)[] | null }
  UpdateCheckoutInput: { checkoutEntityId: string; data: SchemaInputs['UpdateCheckoutDataInput']; version?: number | null }
  UpdateCheckoutShippingConsignmentDataInput: { consignment: SchemaInputs['CheckoutShippingConsignmentInput'] }
  UpdateCheckoutShippingConsignmentInput: { checkoutEntityId: string; consignmentEntityId: string; data: SchemaInputs['UpdateCheckoutShippingConsignmentDataInput']; version?: number | null }
  AddCartLineItemsDataInput: { lineItems?: readonly (SchemaInputs['CartLineItemInput'])[] | null; giftCertificates?: readonly (SchemaInputs['CartGiftCertificateInput'])[] | null }
  AddCartLineItemsInput: { cartEntityId: string; data: SchemaInputs['AddCartLineItemsDataInput']; version?: number | null }
  AssignCartToCustomerInput: { cartEntityId: string; version?: number | null }
  CartGiftCertificateInput: { name: string; theme: SchemaEnums['CartGiftCertificateTheme']; amount: number; quantity: number; sender: SchemaInputs['CartGiftCertificateSenderInput']; recipient: SchemaInputs['CartGiftCertificateRecipientInput']; message?: string | null }
  CartGiftCertificateRecipientInput: { name: string; email: string }
  CartGiftCertificateSenderInput: { name: string; email: string }
  CartLineItemInput: { quantity: number; productEntityId?: number | null; variantEntityId?: number | null; sku?: string | null; selectedOptions?: SchemaInputs['CartSelectedOptionsInput'] | null }
  CartSelectedCheckboxOptionInput: { optionEntityId: number; optionValueEntityId: number }
  CartSelectedDateFieldOptionInput: { optionEntityId: number; date: string }
  CartSelectedFileUploadOptionInput: { optionEntityId: number; fileName: string; downloadUrl: string }
  CartSelectedMultiLineTextFieldOptionInput: { optionEntityId: number; text: string }
  CartSelectedMultipleChoiceOptionInput: { optionEntityId: number; optionValueEntityId: number }
  CartSelectedNumberFieldOptionInput: { optionEntityId: number; number: number }
  CartSelectedOptionsInput: { checkboxes?: readonly (SchemaInputs['CartSelectedCheckboxOptionInput'])[] | null; dateFields?: readonly (SchemaInputs['CartSelectedDateFieldOptionInput'])[] | null; multiLineTextFields?: readonly (SchemaInputs['CartSelectedMultiLineTextFieldOptionInput'])[] | null; multipleChoices?: readonly (SchemaInputs['CartSelectedMultipleChoiceOptionInput'])[] | null; numberFields?: readonly (SchemaInputs['CartSelectedNumberFieldOptionInput'])[] | null; textFields?: readonly (SchemaInputs['CartSelectedTextFieldOptionInput'])[] | null; fileFields?: readonly (SchemaInputs['CartSelectedFileUploadOptionInput'])[] | null }
  CartSelectedTextFieldOptionInput: { optionEntityId: number; text: string }
  CreateCartInput: { lineItems?: readonly (SchemaInputs['CartLineItemInput'])[] | null; giftCertificates?: readonly (SchemaInputs['CartGiftCertificateInput'])[] | null; currencyCode?: string | null; locale?: string | null }
  CreateCartMetafieldDataInput: { key: string; value: string }
  CreateCartMetafieldInput: { cartEntityId: string; data: SchemaInputs['CreateCartMetafieldDataInput'] }
  CreateCartRedirectUrlsInput: { cartEntityId?: string | null; queryParams?: readonly (SchemaInputs['CreateCartRedirectUrlsQueryParamsInput'])[] | null; ipAddress?: string | null; visitorId?: string | null; visitId?: string | null; paymentWalletData?: SchemaInputs['PaymentWalletDataInput'] | null; analytics?: SchemaInputs['AnalyticsCommonEventInput'] | null }
  CreateCartRedirectUrlsQueryParamsInput: { key: string; value: string }
  DeleteCartInput: { cartEntityId: string }
  DeleteCartLineItemInput: { cartEntityId: string; lineItemEntityId: string; version?: number | null }
  DeleteCartMetafieldInput: { cartEntityId: string; metafieldEntityId: number }
  UnassignCartFromCustomerInput: { cartEntityId: string; version?: number | null }
  UpdateCartCurrencyDataInput: { currencyCode: string }
  UpdateCartCurrencyInput: { cartEntityId: string; data: SchemaInputs['UpdateCartCurrencyDataInput'] }
  UpdateCartLineItemDataInput: { lineItem?: SchemaInputs['CartLineItemInput'] | null; giftCertificate?: SchemaInputs['CartGiftCertificateInput'] | null }
  UpdateCartLineItemInput: { cartEntityId: string; lineItemEntityId: string; data: SchemaInputs['UpdateCartLineItemDataInput']; version?: number | null }
  UpdateCartLocaleDataInput: { locale: string }
  UpdateCartLocaleInput: { cartEntityId: string; data: SchemaInputs['UpdateCartLocaleDataInput'] }
  UpdateCartMetafieldDataInput: { key?: string | null; value?: string | null }
  UpdateCartMetafieldInput: { cartEntityId: string; metafieldEntityId: number; data: SchemaInputs['UpdateCartMetafieldDataInput'] }
  GiftCertificatePreviewCustomerInput: { name: string }
  GiftCertificatePreviewInput: { amount: number; currencyCode: string; message?: string | null; theme: SchemaEnums['GiftCertificateTheme']; sender: SchemaInputs['GiftCertificatePreviewCustomerInput']; recipient: SchemaInputs['GiftCertificatePreviewCustomerInput'] }
  AddWishlistItemsInput: { entityId: number; items: readonly (SchemaInputs['WishlistItemInput'])[] }
  CreateWishlistInput: { name: string; isPublic: boolean; items?: readonly (SchemaInputs['WishlistItemInput'])[] | null }
  DeleteWishlistItemsInput: { entityId: number; itemEntityIds: readonly (number)[] }
  DeleteWishlistsInput: { entityIds: readonly (number)[] }
  UpdateWishlistInput: { entityId: number; data: SchemaInputs['WishlistUpdateDataInput'] }
  WishlistFiltersInput: { entityIds?: readonly (number)[] | null; productEntityIds?: readonly (number)[] | null; variantEntityIds?: readonly (number)[] | null }
  WishlistItemInput: { productEntityId: number; variantEntityId?: number | null }
  WishlistItemsFiltersInput: { productEntityIds?: readonly (number)[] | null; variantEntityIds?: readonly (number)[] | null }
  WishlistUpdateDataInput: { name?: string | null; isPublic?: boolean | null }
  PriceSearchFilterInput: { minPrice?: number | null; maxPrice?: number | null }
  ProductAttributeSearchFilterInput: { attribute: string; values: readonly (string)[] }
  RatingSearchFilterInput: { minRating?: number | null; maxRating?: number | null }
  SearchProductEventInput: { commonInput: SchemaInputs['AnalyticsCommonEventInput']; searchTerm: string; productIds: readonly (number)[] }
  SearchProductsFiltersInput: { searchTerm?: string | null; price?: SchemaInputs['PriceSearchFilterInput'] | null; rating?: SchemaInputs['RatingSearchFilterInput'] | null; categoryEntityId?: number | null; categoryEntityIds?: readonly (number)[] | null; searchSubCategories?: boolean | null; brandEntityIds?: readonly (number)[] | null; productAttributes?: readonly (SchemaInputs['ProductAttributeSearchFilterInput'])[] | null; isFreeShipping?: boolean | null; isFeatured?: boolean | null; hideOutOfStock?: boolean | null; topLevelOnly?: boolean | null; categoryIdsFilter?: SchemaInputs['CategoryEntityIdsFilterInput'] | null }
  AddCustomerAddressInput: { firstName: string; lastName: string; address1: string; address2?: string | null; city: string; company?: string | null; countryCode: string; stateOrProvince?: string | null; phone?: string | null; postalCode?: string | null; formFields?: SchemaInputs['CustomerFormFieldsInput'] | null }
  ChangePasswordInput: { currentPassword: string; newPassword: string }
  CheckboxesFormFieldInput: { fieldEntityId: number; fieldValueEntityIds: readonly (number)[] }
  CustomerFormFieldsInput: { checkboxes?: readonly (SchemaInputs['CheckboxesFormFieldInput'])[] | null; multipleChoices?: readonly (SchemaInputs['MultipleChoiceFormFieldInput'])[] | null; numbers?: readonly (SchemaInputs['NumberFormFieldInput'])[] | null; dates?: readonly (SchemaInputs['DateFormFieldInput'])[] | null; texts?: readonly (SchemaInputs['TextFormFieldInput'])[] | null; multilineTexts?: readonly (SchemaInputs['MultilineTextFormFieldInput'])[] | null; passwords?: readonly (SchemaInputs['PasswordFormFieldInput'])[] | null }
  CustomerWithOrdersFiltersInput: { companyIds?: readonly (string)[] | null }
  DateFormFieldInput: { fieldEntityId: number; date: string }
  DeleteCustomerAddressInput: { addressEntityId: number }
  FormFieldFiltersInput: { entityIds?: readonly (number)[] | null; isRequired?: boolean | null; isBuiltIn?: boolean | null }
  MultilineTextExtraFieldInput: { name: string; multilineText: string }
  MultilineTextFormFieldInput: { fieldEntityId: number; multilineText: string }
  MultipleChoiceExtraFieldInput: { name: string; fieldValue: string }
  MultipleChoiceFormFieldInput: { fieldEntityId: number; fieldValueEntityId: number }
  NumberExtraFieldInput: { name: string; number: number }
  NumberFormFieldInput: { fieldEntityId: number; number: number }
  PasswordFormFieldInput: { fieldEntityId: number; password: string }
  ReCaptchaV2Input: { token: string }
  RegisterCustomerInput: { firstName: string; lastName: string; email: string; password: string; phone?: string | null; company?: string | null; address?: SchemaInputs['AddCustomerAddressInput'] | null; formFields?: SchemaInputs['CustomerFormFieldsInput'] | null }
  RequestResetPasswordInput: { email: string; path?: string | null }
  ResetPasswordInput: { customerEntityId: number; token: string; newPassword: string }
  TextExtraFieldInput: { name: string; text: string }
  TextFormFieldInput: { fieldEntityId: number; text: string }
  UpdateCustomerAddressDataInput: { firstName?: string | null; lastName?: string | null; address1?: string | null; address2?: string | null; city?: string | null; company?: string | null; countryCode?: string | null; stateOrProvince?: string | null; phone?: string | null; postalCode?: string | null; formFields?: SchemaInputs['CustomerFormFieldsInput'] | null }
  UpdateCustomerAddressInput: { addressEntityId: number; data: SchemaInputs['UpdateCustomerAddressDataInput'] }
  UpdateCustomerInput: { firstName?: string | null; lastName?: string | null; email?: string | null; phone?: string | null; company?: string | null; formFields?: SchemaInputs['CustomerFormFieldsInput'] | null }
  BlogPostsFiltersInput: { entityIds?: readonly (number)[] | null; tags?: readonly (string)[] | null }
  PageViewedEventInput: { commonInput: SchemaInputs['AnalyticsCommonEventInput'] }
  PromotionBannersFiltersInput: { locations: readonly (SchemaEnums['PromotionBannerLocation'])[] }
  ScriptsFilters: { visibilities?: readonly (SchemaEnums['ScriptVisibility'])[] | null; consentCategories?: readonly (SchemaEnums['ScriptConsentCategory'])[] | null; location?: SchemaEnums['ScriptLocation'] | null }
  SubmitContactUsDataInput: { fullName?: string | null; phoneNumber?: string | null; email: string; orderNumber?: string | null; companyName?: string | null; rmaNumber?: string | null; comments: string }
  SubmitContactUsInput: { pageEntityId: number; data: SchemaInputs['SubmitContactUsDataInput'] }
  WebPageChildrenFiltersInput: { entityIds?: readonly (number)[] | null; pageType?: SchemaEnums['WebPageType'] | null; isVisibleInNavigation?: boolean | null }
  WebPagesFiltersInput: { entityIds?: readonly (number)[] | null; pageType?: SchemaEnums['WebPageType'] | null; isVisibleInNavigation?: boolean | null; parentEntityIds?: readonly (number)[] | null }
  CategoryEntityIdsFilterInput: { entityIds: readonly (number)[]; matchBehavior: SchemaEnums['ListMatchBehavior'] }
  AddProductReviewInput: { productEntityId: number; review: SchemaInputs['ProductReviewInput'] }
  OptionValueId: { optionEntityId: number; valueEntityId: number }
  ProductReviewInput: { author: string; title: string; text: string; rating: number; email?: string | null }
  ProductReviewsFiltersInput: { rating?: SchemaInputs['ProductReviewsRatingFilterInput'] | null }
  ProductReviewsRatingFilterInput: { minRating?: number | null; maxRating?: number | null }
  ProductViewed: { productEntityId: number; searchKeyword?: string | null }
  ProductViewedEventInput: { commonInput: SchemaInputs['AnalyticsCommonEventInput']; productInput: SchemaInputs['ProductViewed'] }
  AnalyticsCommonEventInput: { initiator?: SchemaInputs['AnalyticsEventInitiatorInput'] | null; request: SchemaInputs['AnalyticsEventRequestInput']; consent?: SchemaInputs['AnalyticsEventConsentInput'] | null }
  AnalyticsEventConsentInput: { targeting: boolean; analytics: boolean; functional: boolean }
  AnalyticsEventInitiatorInput: { visitId: string; visitorId: string }
  AnalyticsEventRequestInput: { url: string; userAgent: string; refererUrl?: string | null; ip?: string | null; acceptLanguage?: string | null }
  CreateSubscriberInput: { email: string; firstName?: string | null; lastName?: string | null }
  RemoveSubscriberInput: { email: string }
  VisitStartedEventInput: { commonInput: SchemaInputs['AnalyticsCommonEventInput'] }
  PaymentWalletDataInput: { initializationId?: string | null; providerOrderId?: string | null; providerId?: string | null }
  CountryFiltersInput: { name?: string | null; code?: string | null }
}

/** The values of each enumeration. @public */
export interface SchemaEnums {
  CacheControlScope: 'PUBLIC'
  TokenScope: 'TOKEN_SCOPE_B2B' | 'TOKEN_SCOPE_CUSTOMER' | 'TOKEN_SCOPE_UNAUTHENTICATED'
  LengthUnit: 'Kilometres' | 'Miles'
  CompanyAddressSortDirection: 'ASC' | 'DESC'
  CompanyAddressSortField: 'CREATED_AT'
  CompanyStatus: 'APPROVED' | 'DELETED' | 'INACTIVE' | 'PENDING' | 'REJECTED'
  OrderHistoryEventType: 'ORDER_CREATED' | 'ORDER_UPDATED'
  OrdersSortInput: 'CREATED_AT_NEWEST' | 'CREATED_AT_OLDEST' | 'HIGHEST_TOTAL_INC_TAX' | 'ID_A_TO_Z' | 'ID_Z_TO_A' | 'LOWEST_TOTAL_INC_TAX' | 'PLACED_BY_A_TO_Z' | 'PLACED_BY_Z_TO_A' | 'REFERENCE_A_TO_Z' | 'REFERENCE_Z_TO_A' | 'STATUS_A_TO_Z' | 'STATUS_Z_TO_A'
  OrderStatusValue: 'AWAITING_FULFILLMENT' | 'AWAITING_PAYMENT' | 'AWAITING_PICKUP' | 'AWAITING_SHIPMENT' | 'CANCELLED' | 'COMPLETED' | 'DECLINED' | 'DISPUTED' | 'INCOMPLETE' | 'MANUAL_VERIFICATION_REQUIRED' | 'PARTIALLY_REFUNDED' | 'PARTIALLY_SHIPPED' | 'PENDING' | 'REFUNDED' | 'SHIPPED'
  PaymentResultStatus: 'ERROR' | 'FAILURE' | 'PENDING' | 'SUCCESS'
  RequestedResolutionType: 'CUSTOM' | 'EXCHANGE' | 'REFUND' | 'STORE_CREDIT'
  CheckoutErrorCode: 'BILLING_ADDRESS_MODIFICATION_NOT_ALLOWED' | 'CONSIGNMENT_LIMIT_EXCEEDED' | 'CONSIGNMENT_NOT_FOUND' | 'COUPON_EXPIRED' | 'COUPON_INELIGIBLE' | 'COUPON_INVALID' | 'COUPON_INVALID_LOCATION' | 'COUPON_MIN_PURCHASE' | 'COUPON_MODIFICATION_NOT_ALLOWED' | 'COUPON_NOT_APPLICABLE' | 'INCOMPLETE_BILLING_ADDRESS' | 'INCOMPLETE_SHIPPING_ADDRESS' | 'INVALID_SHIPPING_OPTION' | 'ITEM_MISSING_SHIPPING_ADDRESS' | 'MISSING_SHIPPING_ADDRESS' | 'SHIPPING_CONSIGNMENT_MISSING_ITEM'
  CheckoutPromotionBannerLocation: 'CART_PAGE' | 'CHECKOUT_PAGE' | 'HOME_PAGE' | 'PRODUCT_PAGE'
  CheckoutPromotionBannerType: 'APPLIED' | 'ELIGIBLE' | 'PROMOTION' | 'UPSELL'
  CheckoutPromotionTarget: 'ORDER' | 'PRODUCT' | 'SHIPPING'
  CheckoutPromotionType: 'AUTOMATIC' | 'COUPON' | 'MANUAL'
  CheckoutTaxErrorCode: 'TAX_QUOTE_UNAVAILABLE'
  CouponStatus: 'APPLIED' | 'STAGED'
  CouponType: 'FREE_SHIPPING' | 'PERCENTAGE_DISCOUNT' | 'PER_ITEM_DISCOUNT' | 'PER_TOTAL_DISCOUNT' | 'PROMOTION' | 'SHIPPING_DISCOUNT'
  FeeType: 'CUSTOM_FEE'
  CartErrorCode: 'ATTRIBUTES_NOT_APPLICABLE' | 'CART_ALREADY_EXISTS' | 'CART_CONFLICT' | 'CART_CONSISTENCY_ERROR' | 'CART_ITEM_MODIFICATION_NOT_ALLOWED' | 'CART_NOT_FOUND' | 'CURRENCY_NOT_TRANSACTIONAL' | 'EMPTY_CART_CREATION' | 'INSUFFICIENT_STOCK' | 'INVALID_CHANNEL' | 'INVALID_CURRENCY' | 'INVALID_GIFT_CERTIFICATE_AMOUNT' | 'INVALID_GIFT_CERTIFICATE_THEME' | 'INVALID_ITEM_QUANTITY' | 'INVALID_PRODUCT' | 'ITEM_LIMIT_REACHED' | 'ITEM_NOT_FOUND' | 'MAXIMUM_QUANTITY_EXCEEDED' | 'MINIMUM_QUANTITY_NOT_MET' | 'MISSING_VARIANT_ATTRIBUTES' | 'MODIFIER_OPTIONS_REQUIRED' | 'OPTION_VALIDATION_FAILED' | 'PRODUCT_NOT_PURCHASABLE' | 'PRODUCT_UNAVAILABLE' | 'SKU_NOT_FOUND' | 'STOCK_CHECK' | 'VARIANT_ID_REQUIRED' | 'VARIANT_NOT_PURCHASABLE'
  CartGiftCertificateTheme: 'BIRTHDAY' | 'BOY' | 'CELEBRATION' | 'CHRISTMAS' | 'GENERAL' | 'GIRL' | 'NONE'
  GiftCertificateExpiryTimeUnit: 'DAYS' | 'MONTHS' | 'WEEKS' | 'YEARS'
  GiftCertificateStatus: 'ACTIVE' | 'DISABLED' | 'EXPIRED' | 'PENDING'
  GiftCertificateTheme: 'BIRTHDAY' | 'BOY' | 'CELEBRATION' | 'CHRISTMAS' | 'GENERAL' | 'GIRL'
  ListMatchBehavior: 'AND' | 'OR'
  SearchProductsSort: 'A_TO_Z' | 'BEST_REVIEWED' | 'BEST_SELLING' | 'FEATURED' | 'HIGHEST_PRICE' | 'LOWEST_PRICE' | 'NEWEST' | 'RELEVANCE' | 'Z_TO_A'
  SearchProductsSortInput: 'A_TO_Z' | 'BEST_REVIEWED' | 'BEST_SELLING' | 'FEATURED' | 'HIGHEST_PRICE' | 'LOWEST_PRICE' | 'NEWEST' | 'RELEVANCE' | 'Z_TO_A'
  InvalidSessionSyncJwtErrorType: 'OTHER' | 'SHOPPER_IP_MISMATCH' | 'STORE_ID_MISMATCH'
  BuiltInFormFieldId: 'AddressLine1' | 'AddressLine2' | 'City' | 'CompanyName' | 'ConfirmPassword' | 'Country' | 'CurrentPassword' | 'EmailAddress' | 'FirstName' | 'LastName' | 'Password' | 'Phone' | 'ReceiveMarketingEmails' | 'State' | 'Zip'
  FormFieldSortInput: 'FIELD_ID' | 'SORT_ORDER'
  LimitDateOption: 'EARLIEST_DATE' | 'LATEST_DATE' | 'NO_LIMIT' | 'RANGE'
  LimitInputBy: 'HIGHEST_VALUE' | 'LOWEST_VALUE' | 'NO_LIMIT' | 'RANGE'
  BannerLocation: 'BOTTOM' | 'TOP'
  EntityPageType: 'BLOG_POST' | 'BRAND' | 'CATEGORY' | 'CONTACT_US' | 'PAGE' | 'PRODUCT'
  FeaturedPromotionCategory: 'CART' | 'SHIPPING'
  PageType: 'ACCOUNT_ADDRESS' | 'ACCOUNT_ADD_ADDRESS' | 'ACCOUNT_ADD_PAYMENT_METHOD' | 'ACCOUNT_ADD_RETURN' | 'ACCOUNT_ADD_WISHLIST' | 'ACCOUNT_DOWNLOAD_ITEM' | 'ACCOUNT_EDIT' | 'ACCOUNT_INBOX' | 'ACCOUNT_ORDERS_ALL' | 'ACCOUNT_ORDERS_COMPLETED' | 'ACCOUNT_ORDERS_DETAILS' | 'ACCOUNT_ORDERS_INVOICE' | 'ACCOUNT_RECENT_ITEMS' | 'ACCOUNT_RETURNS' | 'ACCOUNT_RETURN_SAVED' | 'ACCOUNT_WISHLISTS' | 'ACCOUNT_WISHLIST_DETAILS' | 'AUTH_ACCOUNT_CREATED' | 'AUTH_CREATE_ACC' | 'AUTH_FORGOT_PASS' | 'AUTH_LOGIN' | 'AUTH_NEW_PASS' | 'BLOG' | 'BRANDS' | 'CART' | 'COMPARE' | 'GIFT_CERT_BALANCE' | 'GIFT_CERT_PURCHASE' | 'GIFT_CERT_REDEEM' | 'HOME' | 'ORDER_INFO' | 'SEARCH' | 'SITEMAP' | 'SUBSCRIBED' | 'UNSUBSCRIBE'
  PromotionBannerLocation: 'CART_PAGE' | 'CHECKOUT_PAGE' | 'HOME_PAGE' | 'PRODUCT_PAGE'
  RouteRedirectBehavior: 'FOLLOW' | 'IGNORE'
  ScriptConsentCategory: 'ANALYTICS' | 'ESSENTIAL' | 'FUNCTIONAL' | 'TARGETING' | 'UNKNOWN'
  ScriptLocation: 'FOOTER' | 'HEAD'
  ScriptVisibility: 'ALL_PAGES' | 'CHECKOUT' | 'ORDER_CONFIRMATION' | 'STOREFRONT'
  sortBy: 'NEWEST' | 'OLDEST'
  WebPageSortInput: 'PAGE_ID' | 'PARENT_ID_AND_SORT_ORDER_AND_TITLE' | 'SORT_ORDER'
  WebPageType: 'BLOG' | 'CONTACT' | 'LINK' | 'NORMAL' | 'RAW'
  CategoryProductSort: 'A_TO_Z' | 'BEST_REVIEWED' | 'BEST_SELLING' | 'DEFAULT' | 'FEATURED' | 'HIGHEST_PRICE' | 'LOWEST_PRICE' | 'NEWEST' | 'Z_TO_A'
  OptionOutOfStockBehavior: 'DO_NOTHING' | 'HIDE_OPTION' | 'LABEL_OPTION'
  ProductAvailabilityStatus: 'Available' | 'Preorder' | 'Unavailable'
  ProductCategorySort: 'PRODUCT_ASSIGNED_DATE'
  ProductConditionType: 'NEW' | 'REFURBISHED' | 'USED'
  ProductOutOfStockBehavior: 'DO_NOTHING' | 'HIDE_PRODUCT' | 'HIDE_PRODUCT_AND_ACCESSIBLE' | 'HIDE_PRODUCT_AND_REDIRECT'
  ProductReviewsSortInput: 'HIGHEST_RATING' | 'LOWEST_RATING' | 'NEWEST' | 'OLDEST'
  StockLevelDisplay: 'DONT_SHOW' | 'SHOW' | 'SHOW_WHEN_LOW'
  TaxPriceDisplay: 'BOTH' | 'EX' | 'INC'
  UpdateStockBehavior: 'ORDER_COMPLETED_OR_SHIPPED' | 'ORDER_PLACED'
  CurrencySymbolPosition: 'LEFT' | 'RIGHT'
  DestinationAddressType: 'COMMERCIAL' | 'RESIDENTIAL'
  StorefrontStatusType: 'HIBERNATION' | 'LAUNCHED' | 'MAINTENANCE' | 'PRE_LAUNCH'
}
