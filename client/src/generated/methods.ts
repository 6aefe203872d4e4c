// Generated from server/openapi.json by npm run generate. Do not edit.
import type { BodyOptions, Call, CountedPages, EventStream, Options, Pages } from '../calls.ts'
import type * as q from './queries.ts'
import type * as s from './schemas.ts'

export interface Operations {
  readonly channels: ChannelsMethods
  readonly sites: SitesMethods
  readonly brands: BrandsMethods
  readonly categories: CategoriesMethods
  readonly products: ProductsMethods
  readonly summary: SummaryMethods
  readonly variants: VariantsMethods
  readonly trees: TreesMethods
  readonly inventory: InventoryMethods
  readonly pickup: PickupMethods
  readonly customers: CustomersMethods
  readonly settings: SettingsMethods
  readonly segments: SegmentsMethods
  readonly shopperProfiles: ShopperProfilesMethods
  readonly wishlists: WishlistsMethods
  readonly tax: TaxMethods
  readonly pricelists: PricelistsMethods
  readonly pricing: PricingMethods
  readonly shipping: ShippingMethods
  readonly promotions: PromotionsMethods
  readonly carts: CartsMethods
  readonly checkouts: CheckoutsMethods
  readonly abandonedCarts: AbandonedCartsMethods
  readonly orders: OrdersMethods
  readonly payments: PaymentsMethods
  readonly content: ContentMethods
  readonly storefront: StorefrontMethods
  readonly store: StoreMethods
  readonly marketing: MarketingMethods
  readonly themes: ThemesMethods
  readonly hooks: HooksMethods
  readonly v2: V2Methods
  readonly b2b: B2bMethods
}

interface AbandonedCartsMethods {
  /** Get an abandoned cart by its token. Scope: store_v2_information_read_only or store_v2_information. */
  get(token: string, options?: Options): Call<s.AbandonedCart>
  readonly settings: AbandonedCartsSettingsMethods
}

interface AbandonedCartsSettingsMethods {
  /** Get the abandoned cart settings. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.AbandonedCartSettings>
  /** Change the abandoned cart settings. They apply to each channel without values of its own. Scope: store_v2_information. */
  update(body: s.AbandonedCartSettingsChanges, options?: Options): Call<s.AbandonedCartSettings>
  readonly channels: AbandonedCartsSettingsChannelsMethods
}

interface AbandonedCartsSettingsChannelsMethods {
  /** Get the abandoned cart settings of a channel. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(channel_id: number, options?: Options): Call<s.AbandonedCartSettingsOfChannel>
  /** Change the abandoned cart settings of a channel. Fields that are not sent stay. A null makes the store's value apply. Scope: store_v2_information. */
  update(channel_id: number, body?: s.AbandonedCartSettingsOfChannelChanges, options?: Options): Call<s.AbandonedCartSettingsOfChannel>
}

interface B2bMethods {
  readonly auth: B2bAuthMethods
  readonly backend: B2bBackendMethods
  readonly login: B2bLoginMethods
  readonly channels: B2bChannelsMethods
  readonly companies: B2bCompaniesMethods
  readonly customerGroups: B2bCustomerGroupsMethods
  readonly superAdmins: B2bSuperAdminsMethods
  readonly users: B2bUsersMethods
  readonly salesStaffs: B2bSalesStaffsMethods
  readonly addresses: B2bAddressesMethods
  readonly countries: B2bCountriesMethods
  readonly states: B2bStatesMethods
  readonly payments: B2bPaymentsMethods
  readonly companyPaymentMethods: B2bCompanyPaymentMethodsMethods
  readonly rfq: B2bRfqMethods
  readonly shoppingList: B2bShoppingListMethods
  readonly orders: B2bOrdersMethods
  readonly customers: B2bCustomersMethods
  readonly invoices: B2bInvoicesMethods
  readonly receipts: B2bReceiptsMethods
  readonly receiptLines: B2bReceiptLinesMethods
}

interface B2bAddressesMethods {
  /** List the addresses of companies. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyAddressesQuery, options?: Options): CountedPages<s.CompanyAddress>
  /** Create an address of a company. Scope: store_b2b_edition. */
  create(body: s.NewCompanyAddress, options?: Options): Call<s.CompanyAddressReference>
  /** Create up to 10 addresses of companies. All of them, or none. Scope: store_b2b_edition. */
  createMany(body: s.NewCompanyAddress[], options?: Options): Call<s.CompanyAddress[]>
  /** Get an address of a company. Scope: store_b2b_edition. */
  get(address_id: number, options?: Options): Call<s.CompanyAddress>
  /** Change an address of a company. Other fields stay unchanged, and so does the company. Scope: store_b2b_edition. */
  update(address_id: number, body?: s.CompanyAddressChanges, options?: Options): Call<s.CompanyAddressReference>
  /** Delete an address of a company. Scope: store_b2b_edition. */
  delete(address_id: number, options?: Options): Call<s.CompanyAddressReference>
  readonly extraFields: B2bAddressesExtraFieldsMethods
}

interface B2bAddressesExtraFieldsMethods {
  /** List the extra fields of addresses of companies. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyAddressExtraFieldsQuery, options?: Options): CountedPages<s.ExtraFieldDefinition>
}

interface B2bAuthMethods {
  readonly backend: B2bAuthBackendMethods
  readonly storefront: B2bAuthStorefrontMethods
  readonly customers: B2bAuthCustomersMethods
}

interface B2bAuthBackendMethods {
  /** Create a backend token from credentials of staff. Deprecated by the contract: use X-Auth-Token. Custom roles are not supported. */
  create(body: s.NewBackendToken, options?: Options): Call<s.BackendTokenValue[]>
  /** Delete a backend token. The token fails at once. A token can delete itself; an X-Auth-Token can't be deleted. Scope: store_b2b_edition. */
  delete(body: s.BackendTokenReference, options?: Options): Call<null[]>
}

interface B2bAuthCustomersMethods {
  /** Create an authToken from credentials of a shopper. */
  create(body: s.ShopperCredentials, options?: Options): Call<s.BackendTokenValue>
  readonly storefront: B2bAuthCustomersStorefrontMethods
}

interface B2bAuthCustomersStorefrontMethods {
  /** Create an authToken for a customer. With a customer access token, it ends together with that token. Scope: store_b2b_edition. */
  create(body: s.NewStorefrontAuthToken, options?: Options): Call<s.StorefrontAuthTokens>
  /** End an authToken of a shopper. Needs no credentials besides the token. An unknown token has the same answer. */
  delete(body: s.StorefrontSignOut, options?: Options): Call<null[]>
}

interface B2bAuthStorefrontMethods {
  /** Get an authToken by a current-customer JWT. Returns the last token while it is valid for more than a minute, or else a new one. */
  get(query: q.GetStorefrontAuthTokenQuery, options?: Options): Call<s.StorefrontAuthToken>
}

interface B2bBackendMethods {
  readonly tokens: B2bBackendTokensMethods
}

interface B2bBackendTokensMethods {
  /** List the backend tokens. Each with its whole value. Expired tokens are omitted. Scope: store_b2b_edition. */
  list(query?: q.ListBackendTokensQuery, options?: Options): CountedPages<s.BackendToken>
}

interface B2bChannelsMethods {
  /** List the storefront channels. Scope: store_b2b_edition. */
  list(options?: Options): Call<s.CompanionChannel[]>
  /** Get a storefront channel. Scope: store_b2b_edition. */
  get(channel_id: number, options?: Options): Call<s.CompanionChannel>
}

interface B2bCompaniesMethods {
  /** List the companies. Newest first, unless sortBy is given. Scope: store_b2b_edition. */
  list(query?: q.ListCompaniesQuery, options?: Options): CountedPages<s.ListedCompany>
  /** Create a company. Also creates its first user, the admin. It is the customer with that e-mail address, which is created if none exists. Scope: store_b2b_edition. */
  create(body: s.NewBuyingCompany, options?: Options): Call<s.CreatedCompany>
  /** Get a company. Scope: store_b2b_edition. */
  get(company_id: string, options?: Options): Call<s.Company>
  /** Change a company. Other fields stay unchanged. Scope: store_b2b_edition. */
  update(company_id: string, body?: s.BuyingCompanyChanges, options?: Options): Call<s.CompanyReference>
  /** Delete a company. Its users become plain customers, and their tokens end. Scope: store_b2b_edition. */
  delete(company_id: string, options?: Options): Call<Record<string, never>>
  /** Create up to 10 companies. All of them, or none. No events of companies and users are published. Scope: store_b2b_edition. */
  createMany(body: s.NewBuyingCompany[], options?: Options): Call<s.CompanyReference[]>
  /** Change up to 10 companies. One by one: a refused item leaves the others changed, and the answer is 400. Scope: store_b2b_edition. */
  updateMany(body: s.CompanyOfList[], options?: Options): Call<s.CompanyReference[]>
  readonly extraFields: B2bCompaniesExtraFieldsMethods
  readonly status: B2bCompaniesStatusMethods
  readonly attachments: B2bCompaniesAttachmentsMethods
  readonly catalogs: B2bCompaniesCatalogsMethods
  readonly superAdmins: B2bCompaniesSuperAdminsMethods
  readonly roles: B2bCompaniesRolesMethods
  readonly parent: B2bCompaniesParentMethods
  readonly subsidiaries: B2bCompaniesSubsidiariesMethods
  readonly hierarchy: B2bCompaniesHierarchyMethods
  readonly permissions: B2bCompaniesPermissionsMethods
  readonly credit: B2bCompaniesCreditMethods
  readonly paymentTerms: B2bCompaniesPaymentTermsMethods
  readonly payments: B2bCompaniesPaymentsMethods
}

interface B2bCompaniesAttachmentsMethods {
  /** List the attachments of a company. Scope: store_b2b_edition. */
  list(company_id: string, options?: Options): Call<s.CompanyAttachment[]>
  /** Attach a file to a company. Pictures and documents of at most 10 MiB. At most 15 calls a minute and store. Scope: store_b2b_edition. */
  create(company_id: string, body: s.NewCompanyAttachment, options?: Options): Call<s.CompanyAttachment>
  /** Delete an attachment of a company. Scope: store_b2b_edition. */
  delete(company_id: string, attachment_id: string, options?: Options): Call<Record<string, never>>
}

interface B2bCompaniesCatalogsMethods {
  /** Set the price list of a company. Only of stores with dependent companies; others answer 405. Scope: store_b2b_edition. */
  update(company_id: string, body: s.CompanyCatalog, options?: Options): Call<s.CompanyReference>
}

interface B2bCompaniesCreditMethods {
  /** Get the credit of a company. Scope: store_b2b_edition. */
  get(company_id: string, options?: Options): Call<s.CompanyCredit>
  /** Change the credit of a company. Other fields stay unchanged. Scope: store_b2b_edition. */
  update(company_id: string, body?: s.CompanyCreditChanges, options?: Options): Call<s.CompanyCredit>
}

interface B2bCompaniesExtraFieldsMethods {
  /** List the extra fields of companies. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyExtraFieldsQuery, options?: Options): CountedPages<s.ExtraFieldDefinition>
}

interface B2bCompaniesHierarchyMethods {
  /** Get the hierarchy below a company. A list with the company, which has its subsidiaries. At most 15 calls a minute and store. Scope: store_b2b_edition. */
  get(company_id: string, query?: q.GetCompanyHierarchyQuery, options?: Options): CountedPages<{
  /** The company: a business whose users buy together */
  companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  companyStatus: number
  subsidiaries: {
    /** The company: a business whose users buy together */
    companyId: number
    /** The name of the company, as its account has it */
    companyName: string
    companyStatus: number
    subsidiaries: {
      /** The company: a business whose users buy together */
      companyId: number
      /** The name of the company, as its account has it */
      companyName: string
      companyStatus: number
      subsidiaries: {
        /** The company: a business whose users buy together */
        companyId: number
        /** The name of the company, as its account has it */
        companyName: string
        companyStatus: number
        subsidiaries: {
          /** The company: a business whose users buy together */
          companyId: number
          /** The name of the company, as its account has it */
          companyName: string
          companyStatus: number
          subsidiaries: Record<string, never>[]
        }[]
      }[]
    }[]
  }[]
}>
}

interface B2bCompaniesParentMethods {
  /** Set the parent of a company. Scope: store_b2b_edition. */
  create(company_id: string, body: s.NewCompanyParent, options?: Options): Call<null[]>
}

interface B2bCompaniesPaymentTermsMethods {
  /** Get the payment terms of a company. Scope: store_b2b_edition. */
  get(company_id: string, options?: Options): Call<s.PaymentTerms>
  /** Set the payment terms of a company. Scope: store_b2b_edition. */
  update(company_id: string, body: s.PaymentTerms, options?: Options): Call<s.PaymentTerms>
}

interface B2bCompaniesPaymentsMethods {
  /** List the payment methods of a company. Scope: store_b2b_edition. */
  list(company_id: string, options?: Options): Call<s.CompanyPaymentMethod[]>
  /** Enable or disable payment methods of a company. Changes only the listed methods: all of them, or none. Scope: store_b2b_edition. */
  update(company_id: string, body: s.CompanyPaymentMethodChanges, options?: Options): Call<null[]>
}

interface B2bCompaniesPermissionsMethods {
  /** List the permissions of company users. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyPermissionsQuery, options?: Options): Call<s.CompanyPermission[]>
  /** Create a permission. Scope: store_b2b_edition. */
  create(body: s.CompanyPermissionBody, options?: Options): Call<s.CompanyPermission>
  /** Change a permission. Predefined permissions are fixed. Roles keep the permission under its new code. Scope: store_b2b_edition. */
  update(permission_id: number, body: s.CompanyPermissionBody, options?: Options): Call<s.CompanyPermission>
  /** Delete a permission. Also deletes it from roles. Scope: store_b2b_edition. */
  delete(permission_id: number, options?: Options): Call<Record<string, never>>
}

interface B2bCompaniesRolesMethods {
  /** List the company roles. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyRolesQuery, options?: Options): CountedPages<s.CompanyRoleSummary>
  /** Create a company role. Scope: store_b2b_edition. */
  create(body: s.NewCompanyRole, options?: Options): Call<s.CompanyRole>
  /** Get a company role. Scope: store_b2b_edition. */
  get(role_id: number, options?: Options): Call<s.CompanyRole>
  /** Change a company role. The permissions replace the former ones. The first three roles are fixed. Scope: store_b2b_edition. */
  update(role_id: number, body: s.CompanyRoleChanges, options?: Options): Call<s.CompanyRole>
  /** Delete a company role. Scope: store_b2b_edition. */
  delete(role_id: number, options?: Options): Call<Record<string, never>>
}

interface B2bCompaniesStatusMethods {
  /** Change the status of a company. Scope: store_b2b_edition. */
  update(company_id: string, body: s.CompanyStatusChange, options?: Options): Call<s.CompanyReference>
}

interface B2bCompaniesSubsidiariesMethods {
  /** List the subsidiaries of a company. The direct ones are paged. Each has all of its own. Scope: store_b2b_edition. */
  list(company_id: string, query?: q.ListCompanySubsidiariesQuery, options?: Options): CountedPages<{
  /** The company: a business whose users buy together */
  companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  companyStatus: number
  subsidiaries: {
    /** The company: a business whose users buy together */
    companyId: number
    /** The name of the company, as its account has it */
    companyName: string
    companyStatus: number
    subsidiaries: {
      /** The company: a business whose users buy together */
      companyId: number
      /** The name of the company, as its account has it */
      companyName: string
      companyStatus: number
      subsidiaries: {
        /** The company: a business whose users buy together */
        companyId: number
        /** The name of the company, as its account has it */
        companyName: string
        companyStatus: number
        subsidiaries: Record<string, never>[]
      }[]
    }[]
  }[]
}>
  /** Detach a subsidiary. It becomes the top of a tree of its own, with its subsidiaries. Scope: store_b2b_edition. */
  delete(company_id: string, child_company_id: string, options?: Options): Call<void>
}

interface B2bCompaniesSuperAdminsMethods {
  /** List the super admins. Scope: store_b2b_edition. */
  list(query?: q.ListSuperAdminsQuery, options?: Options): CountedPages<s.SuperAdmin>
  /** List the super admins of a company. Scope: store_b2b_edition. */
  listOfCompany(company_id: string, query?: q.ListSuperAdminsOfCompanyQuery, options?: Options): CountedPages<s.SuperAdmin>
  /** Assign super admins to a company. Changes only the listed super admins: all of them, or none. Scope: store_b2b_edition. */
  assign(company_id: string, body: s.SuperAdminsOfCompany, options?: Options): Call<Record<string, never>>
}

interface B2bCompanyPaymentMethodsMethods {
  /** List the enabled payment methods of companies. Last changed first. Scope: store_b2b_edition. */
  list(query?: q.ListEnabledPaymentMethodsQuery, options?: Options): CountedPages<s.EnabledPaymentMethod>
}

interface B2bCountriesMethods {
  /** Find a country by its name or code. Scope: store_b2b_edition. */
  find(query: q.FindCompanyCountryQuery, options?: Options): Call<s.CountryHit>
}

interface B2bCustomerGroupsMethods {
  readonly companies: B2bCustomerGroupsCompaniesMethods
}

interface B2bCustomerGroupsCompaniesMethods {
  /** Create a company for a customer group. Only of stores with dependent companies and one storefront; others answer 405. Scope: store_b2b_edition. */
  create(customer_group_id: number, body: s.CompanyOfCustomerGroup, options?: Options): Call<s.CompanyReference>
}

interface B2bCustomersMethods {
  /** Move the orders of a customer to its company. Scope: store_b2b_edition. */
  moveOrders(customer_id: number, body?: s.MovedCustomerOrders, options?: Options): Call<s.MovedOrders>
  /** Move the orders of a customer to a dependent company. Only of stores with dependent companies; others answer 405. Scope: store_b2b_edition. */
  moveOrdersToGroup(customer_id: number, body: s.OrdersOfGroup, options?: Options): Call<s.MovedOrders>
}

interface B2bInvoicesMethods {
  /** List the invoices. Newest first, unless sortBy is given. Scope: store_b2b_edition. */
  list(query?: q.ListIpInvoicesQuery, options?: Options): CountedPages<s.Invoice>
  /** Create an invoice. Without dueDate it is due after the payment terms of the company. Scope: store_b2b_edition. */
  create(body: s.NewInvoice, options?: Options): Call<s.CreatedInvoice>
  /** Get an invoice. Scope: store_b2b_edition. */
  get(invoice_id: number, options?: Options): Call<s.Invoice>
  /** Change an invoice. Other fields stay unchanged. The details are replaced as a whole. Scope: store_b2b_edition. */
  update(invoice_id: number, body?: s.InvoiceChanges, options?: Options): Call<s.InvoiceReference>
  /** Delete an invoice. Refused while payments name it. Scope: store_b2b_edition. */
  delete(invoice_id: number, options?: Options): Call<s.InvoiceReference>
  readonly extraFields: B2bInvoicesExtraFieldsMethods
  readonly downloadPdf: B2bInvoicesDownloadPdfMethods
}

interface B2bInvoicesDownloadPdfMethods {
  /** Get the PDF of an invoice. Scope: store_b2b_edition. */
  get(invoice_id: number, options?: Options): Call<s.InvoicePdf>
}

interface B2bInvoicesExtraFieldsMethods {
  /** List the extra fields of invoices. Scope: store_b2b_edition. */
  list(query?: q.ListInvoiceExtraFieldsQuery, options?: Options): CountedPages<s.ExtraFieldDefinition>
}

interface B2bLoginMethods {
  /** Get an authToken by a current-customer JWT (older clients). */
  create(body: s.StorefrontLogin, options?: Options): Call<s.StorefrontAuthToken>
}

interface B2bOrdersMethods {
  /** List the orders. Those that were created or changed in the last 365 days, unless a filter by time or order is given. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyOrdersQuery, options?: Options): CountedPages<s.ListedCompanyOrder>
  /** Set the purchase order number of an order. And its extra fields. Every order of the store has a record already. Scope: store_b2b_edition. */
  create(body: s.NewCompanyOrder, options?: Options): Call<s.ListedCompanyOrder>
  /** Get an order. Scope: store_b2b_edition. */
  get(order_id: number, options?: Options): Call<s.CompanyOrder>
  /** Change an order. Its purchase order number or its extra fields. The order of the store stays as it is. Fields that the body omits keep their values. Scope: store_b2b_edition. */
  update(order_id: number, body?: s.CompanyOrderChanges, options?: Options): Call<s.CompanyOrder>
  readonly extraFields: B2bOrdersExtraFieldsMethods
  readonly products: B2bOrdersProductsMethods
  readonly invoices: B2bOrdersInvoicesMethods
}

interface B2bOrdersExtraFieldsMethods {
  /** List the extra fields of orders. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyOrderExtraFieldsQuery, options?: Options): CountedPages<s.ExtraFieldDefinition>
}

interface B2bOrdersInvoicesMethods {
  /** Create the invoice of an order. The path has the id of the record of the order. An order has one invoice. Scope: store_b2b_edition. */
  create(company_order_id: number, body?: s.NewOrderInvoice, options?: Options): Call<s.OrderInvoice>
}

interface B2bOrdersProductsMethods {
  /** List the products of an order. Not paged. Each id is that of the line. Scope: store_b2b_edition. */
  list(order_id: number, options?: Options): Call<s.CompanyOrderProduct[]>
}

interface B2bPaymentsMethods {
  /** List the payment methods of the store. Scope: store_b2b_edition. */
  list(options?: Options): Call<s.CompanionPaymentMethod[]>
  /** List the payments of invoices. Scope: store_b2b_edition. */
  listOfInvoices(query?: q.ListInvoicePaymentsQuery, options?: Options): CountedPages<s.InvoicePayment>
  /** Get a payment of invoices. Scope: store_b2b_edition. */
  get(payment_id: number, options?: Options): Call<s.InvoicePayment>
  /** Delete a payment of invoices. Applied amounts are added back to the open balances. Its receipts are deleted. Scope: store_b2b_edition. */
  delete(payment_id: number, options?: Options): Call<s.InvoicePaymentReference>
  readonly operations: B2bPaymentsOperationsMethods
  readonly processingStatus: B2bPaymentsProcessingStatusMethods
  readonly transactions: B2bPaymentsTransactionsMethods
  readonly offline: B2bPaymentsOfflineMethods
}

interface B2bPaymentsOfflineMethods {
  /** Record an offline payment. It is applied at once, unless processingStatus says otherwise. Scope: store_b2b_edition. */
  create(body: s.NewOfflinePayment, options?: Options): Call<s.CreatedInvoicePayment>
  /** Replace an offline payment. Reverts its amounts and applies the new ones. Scope: store_b2b_edition. */
  replace(payment_id: number, body: s.OfflinePaymentChanges, options?: Options): Call<s.CreatedInvoicePayment>
}

interface B2bPaymentsOperationsMethods {
  /** List the operations that a payment allows. Scope: store_b2b_edition. */
  list(payment_id: number, options?: Options): Call<s.InvoicePaymentOperations>
  /** Apply or revert a payment. Scope: store_b2b_edition. */
  operate(payment_id: number, body: s.InvoicePaymentOperation, options?: Options): Call<s.InvoicePaymentReference>
}

interface B2bPaymentsProcessingStatusMethods {
  /** Change the processing status of a payment. Scope: store_b2b_edition. */
  update(payment_id: number, body: s.ProcessingStatusChange, options?: Options): Call<s.InvoicePaymentReference>
}

interface B2bPaymentsTransactionsMethods {
  /** List the transactions of a payment. Scope: store_b2b_edition. */
  list(payment_id: number, options?: Options): Call<s.OfflineTransaction[]>
}

interface B2bReceiptLinesMethods {
  /** List the lines of all receipts. Scope: store_b2b_edition. */
  listAll(query?: q.ListAllReceiptLinesQuery, options?: Options): CountedPages<s.ReceiptLine>
}

interface B2bReceiptsMethods {
  /** List the receipts. Scope: store_b2b_edition. */
  list(query?: q.ListIpReceiptsQuery, options?: Options): CountedPages<s.Receipt>
  /** Get a receipt. Scope: store_b2b_edition. */
  get(receipt_id: number, options?: Options): Call<s.Receipt>
  /** Delete a receipt. Deletes the record only: balances stay. Scope: store_b2b_edition. */
  delete(receipt_id: number, options?: Options): Call<s.ReceiptReference>
  readonly lines: B2bReceiptsLinesMethods
}

interface B2bReceiptsLinesMethods {
  /** List the lines of a receipt. Scope: store_b2b_edition. */
  list(receipt_id: number, query?: q.ListIpReceiptLinesQuery, options?: Options): CountedPages<s.ReceiptLine>
  /** Get a line of a receipt. Scope: store_b2b_edition. */
  get(receipt_id: number, receipt_line_id: number, options?: Options): Call<s.ReceiptLine>
  /** Delete a line of a receipt. Deletes the record only: balances stay. The last line takes the receipt with it. Scope: store_b2b_edition. */
  delete(receipt_id: number, receipt_line_id: number, options?: Options): Call<s.ReceiptReference>
}

interface B2bRfqMethods {
  /** List the quotes. The one that was changed last comes first, unless sortBy is given. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyQuotesQuery, options?: Options): CountedPages<s.ListedQuote>
  /** Create a quote. The buyer sees it at once. Only companyId links it to a company. Scope: store_b2b_edition. */
  create(body: s.NewCompanyQuote, options?: Options): Call<s.CreatedQuote>
  /** Get a quote. Scope: store_b2b_edition. */
  get(quote_id: number, options?: Options): Call<s.CompanyQuote>
  /** Change a quote. Other fields stay unchanged; a productList replaces all lines. The quote is then in process. Scope: store_b2b_edition. */
  update(quote_id: number, body?: s.CompanyQuoteChanges, options?: Options): Call<s.CreatedQuote>
  /** Delete a quote. Refused for an ordered quote. Scope: store_b2b_edition. */
  delete(quote_id: number, options?: Options): Call<Record<string, never>>
  /** Check out a quote. Makes a new cart at the offered prices, which are final. The quote stays as it is. Scope: store_b2b_edition. */
  checkout(quote_id: number, body?: s.QuoteCheckout, options?: Options): Call<s.QuoteCart>
  /** Mark a quote as ordered. Links it to an order of the store. It can never be changed again. Scope: store_b2b_edition. */
  markAsOrdered(quote_id: number, body: s.OrderedQuote, options?: Options): Call<Record<string, never>>
  /** Export a quote as PDF. The currency converts the amounts of this file only. Scope: store_b2b_edition. */
  exportPdf(quote_id: number, body?: s.QuotePdfExport, options?: Options): Call<s.QuotePdf>
  /** Send a quote by e-mail. To the buyer, and copies to others. The quote stays as it is. Scope: store_b2b_edition. */
  email(body: s.QuoteEmail, options?: Options): Call<Record<string, never>>
  readonly extraFields: B2bRfqExtraFieldsMethods
  readonly custom: B2bRfqCustomMethods
  readonly shippingRates: B2bRfqShippingRatesMethods
  readonly shippingRate: B2bRfqShippingRateMethods
}

interface B2bRfqCustomMethods {
  readonly shippingMethods: B2bRfqCustomShippingMethodsMethods
}

interface B2bRfqCustomShippingMethodsMethods {
  /** List the custom shipping methods. Not paged. Scope: store_b2b_edition. */
  list(options?: Options): Call<s.CustomShippingMethod[]>
}

interface B2bRfqExtraFieldsMethods {
  /** List the extra fields of quotes. Scope: store_b2b_edition. */
  list(query?: q.ListQuoteExtraFieldsQuery, options?: Options): CountedPages<s.ExtraFieldDefinition>
}

interface B2bRfqShippingRateMethods {
  /** Set the shipping of a quote. The choice replaces the former one. The totals become those of the lines with shipping and tax. Scope: store_b2b_edition. */
  set(quote_id: number, body?: s.QuoteShippingChoice, options?: Options): Call<Record<string, never>>
  /** Remove the shipping of a quote. Scope: store_b2b_edition. */
  remove(quote_id: number, options?: Options): Call<void>
}

interface B2bRfqShippingRatesMethods {
  /** List the shipping rates of a quote. Those of the store and of its carriers for the lines and the address; none without a country. Scope: store_b2b_edition. */
  list(quote_id: number, options?: Options): Call<s.QuoteShippingRate[]>
}

interface B2bSalesStaffsMethods {
  /** List the sales staff. Scope: store_b2b_edition. */
  list(query?: q.ListSalesStaffsQuery, options?: Options): CountedPages<s.ListedSalesStaff>
  /** Get a sales representative. Scope: store_b2b_edition. */
  get(sales_staff_id: number, options?: Options): Call<s.SalesStaff>
  /** Assign companies to a sales representative. Changes only the listed companies: all of them, or none. Scope: store_b2b_edition. */
  assign(sales_staff_id: number, body: s.CompanyAssignment[], options?: Options): Call<s.SalesStaff>
}

interface B2bShoppingListMethods {
  /** List the shopping lists of a buyer. Needs userId or customerId. The newest comes first. Scope: store_b2b_edition. */
  list(query?: q.ListShoppingListsQuery, options?: Options): CountedPages<s.ShoppingList>
  /** Create a shopping list. Needs userId or customerId. It is approved, unless the body says otherwise. Scope: store_b2b_edition. */
  create(body: s.NewShoppingList, options?: Options): Call<s.ShoppingListReference>
  /** Get a shopping list. With its items, by sortOrder unless sortBy is given. Scope: store_b2b_edition. */
  get(shopping_list_id: number, query?: q.GetShoppingListQuery, options?: Options): Call<s.ShoppingListWithItems>
  /** Change a shopping list. Other fields and items stay unchanged. The quantity 0 removes an item. Scope: store_b2b_edition. */
  update(shopping_list_id: number, body?: s.ShoppingListChanges, options?: Options): Call<s.ShoppingList>
  /** Delete a shopping list. Scope: store_b2b_edition. */
  delete(shopping_list_id: number, query?: q.DeleteShoppingListQuery, options?: Options): Call<s.ShoppingListReference>
  readonly items: B2bShoppingListItemsMethods
}

interface B2bShoppingListItemsMethods {
  /** Delete an item of a shopping list. Scope: store_b2b_edition. */
  delete(shopping_list_id: number, item_id: number, options?: Options): Call<Record<string, never>>
}

interface B2bStatesMethods {
  /** Find a state by its name or code. Scope: store_b2b_edition. */
  find(query: q.FindCompanyStateQuery, options?: Options): Call<s.StateHit>
}

interface B2bSuperAdminsMethods {
  /** Create a super admin. The customer with the e-mail address becomes one, or is created. Scope: store_b2b_edition. */
  create(body: s.NewSuperAdmin, options?: Options): Call<s.CreatedSuperAdmin>
  /** Create up to 10 super admins. All of them, or none. Scope: store_b2b_edition. */
  createMany(body: s.NewSuperAdmin[], options?: Options): Call<s.CreatedSuperAdmins>
  /** Assign companies to a super admin. Changes only the listed companies: all of them, or none. Scope: store_b2b_edition. */
  assign(super_admin_id: number, body: s.CompaniesOfSuperAdmin, options?: Options): Call<Record<string, never>>
  readonly info: B2bSuperAdminsInfoMethods
  readonly companies: B2bSuperAdminsCompaniesMethods
}

interface B2bSuperAdminsCompaniesMethods {
  /** List the companies with the number of their super admins. Most super admins first, unless orderBy is ASC. Scope: store_b2b_edition. */
  listAll(query?: q.ListCompaniesWithSuperAdminsQuery, options?: Options): CountedPages<s.CompanyWithSuperAdmins>
  /** List the companies of a super admin. Scope: store_b2b_edition. */
  list(super_admin_id: number, query?: q.ListCompaniesOfSuperAdminQuery, options?: Options): CountedPages<s.CompanyOfSuperAdmin>
}

interface B2bSuperAdminsInfoMethods {
  /** Get a super admin. Scope: store_b2b_edition. */
  get(super_admin_id: number, options?: Options): Call<s.SuperAdminInfo>
  /** Change a super admin. Other fields stay unchanged. The name is also changed in the customer. Scope: store_b2b_edition. */
  update(super_admin_id: number, body?: s.SuperAdminChanges, options?: Options): Call<s.SuperAdmin>
}

interface B2bUsersMethods {
  /** List the company users. Scope: store_b2b_edition. */
  list(query?: q.ListUsersQuery, options?: Options): CountedPages<s.CompanyUser>
  /** Create a company user. Links the customer with the e-mail address, which is created if none exists. Scope: store_b2b_edition. */
  create(body: s.NewCompanyUser, options?: Options): Call<s.CreatedCompanyUser>
  /** Create up to 10 company users. All of them, or none. Scope: store_b2b_edition. */
  createMany(body: s.NewCompanyUser[], options?: Options): Call<s.CreatedCompanyUser[]>
  /** Get a company user. Scope: store_b2b_edition. */
  get(user_id: number, options?: Options): Call<s.CompanyUser>
  /** Change a company user. Other fields stay unchanged. Name and e-mail address are also changed in the customer. Scope: store_b2b_edition. */
  update(user_id: number, body?: s.CompanyUserChanges, options?: Options): Call<s.CompanyUser>
  /** Delete a company user. The customer stays, without a group. The last user of a company can't be deleted. Scope: store_b2b_edition. */
  delete(user_id: number, options?: Options): Call<s.CompanyUserReference>
  readonly extraFields: B2bUsersExtraFieldsMethods
  readonly customer: B2bUsersCustomerMethods
}

interface B2bUsersCustomerMethods {
  /** Get the company user of a customer. Scope: store_b2b_edition. */
  get(customer_id: number, options?: Options): Call<s.CompanyUser>
}

interface B2bUsersExtraFieldsMethods {
  /** List the extra fields of company users. Scope: store_b2b_edition. */
  list(query?: q.ListCompanyUserExtraFieldsQuery, options?: Options): CountedPages<s.ExtraFieldDefinition>
}

interface BrandsMethods {
  /** List the brands. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListBrandsQuery, options?: Options): CountedPages<s.Brand>
  /** Create a brand. If the address is taken or malformed, everything else is saved, and the answer is 207. Scope: store_v2_products. */
  create(body: s.NewBrand, options?: Options): Call<s.Brand>
  /** Delete brands by their name. Deletes all brands with this name in any case. The name is required (422). Scope: store_v2_products. */
  deleteMany(query: q.DeleteBrandsQuery, options?: Options): Call<void>
  /** Get a brand. Scope: store_v2_products_read_only or store_v2_products. */
  get(brand_id: number, query?: q.GetBrandQuery, options?: Options): Call<s.Brand>
  /** Change a brand. If the address is taken or malformed, everything else is saved, and the answer is 207. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(brand_id: number, body?: s.BrandChanges, options?: Options): Call<s.Brand>
  /** Delete a brand. Its products stay, without a brand. Scope: store_v2_products. */
  delete(brand_id: number, options?: Options): Call<void>
  readonly image: BrandsImageMethods
  readonly metafields: BrandsMetafieldsMethods
}

interface BrandsImageMethods {
  /** Set the image of a brand. Scope: store_v2_products. */
  create(brand_id: number, body: s.ImageUpload, options?: Options): Call<s.ImageAddress>
  /** Delete the image of a brand. Scope: store_v2_products. */
  delete(brand_id: number, options?: Options): Call<void>
}

interface BrandsMetafieldsMethods {
  /** List the metafields of a brand. Scope: store_v2_products_read_only or store_v2_products. */
  list(brand_id: number, query?: q.ListBrandMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a brand. One client has at most 250 on one brand. Scope: store_v2_products. */
  create(brand_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a brand. Scope: store_v2_products_read_only or store_v2_products. */
  get(brand_id: number, metafield_id: number, query?: q.GetBrandMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a brand. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(brand_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a brand. Scope: store_v2_products. */
  delete(brand_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all brands. Scope: store_v2_products_read_only or store_v2_products. */
  listAll(query?: q.ListAllBrandMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several brands. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several brands. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_products. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several brands. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface CartsMethods {
  /** Create a cart. Needs at least one entry in line_items, custom_items or gift_certificates. Scope: store_cart. */
  create(body?: s.NewCart, options?: BodyOptions<q.CreateCartQuery>): Call<s.Cart>
  /** Get a cart. Shows current prices, promotions and taxes, and changes nothing. Scope: store_cart_read_only or store_cart. */
  get(cart_id: string, query?: q.GetCartQuery, options?: Options): Call<s.Cart>
  /** Change the customer of a cart. Removes coupons and consignments, and applies the prices and promotions of the new customer. Fields that the body omits keep their values. Scope: store_cart. */
  update(cart_id: string, body?: s.CartChanges, options?: BodyOptions<q.UpdateCartQuery>): Call<s.Cart>
  /** Delete a cart. Scope: store_cart. */
  delete(cart_id: string, options?: Options): Call<void>
  readonly redirectUrls: CartsRedirectUrlsMethods
  readonly items: CartsItemsMethods
  readonly metafields: CartsMetafieldsMethods
  readonly settings: CartsSettingsMethods
}

interface CartsItemsMethods {
  /** Add lines to a cart. A line that equals one of the cart adds its quantity to that line. Scope: store_cart. */
  create(cart_id: string, body?: s.NewCartItems, options?: BodyOptions<q.CreateCartItemQuery>): Call<s.Cart>
  /** Change a line of a cart. Changes quantity and list_price of a line with a product. The quantity 0 deletes the line. Fields that the body omits keep their values. Scope: store_cart. */
  update(cart_id: string, item_id: string, body?: s.CartItemChange, options?: BodyOptions<q.UpdateCartItemQuery>): Call<s.Cart | undefined>
  /** Delete a line of a cart. The last line takes the cart with it: the answer is 204. Scope: store_cart. */
  delete(cart_id: string, item_id: string, body?: s.CartVersion, options?: BodyOptions<q.DeleteCartItemQuery>): Call<s.Cart | undefined>
}

interface CartsMetafieldsMethods {
  /** List the metafields of a cart. Scope: store_cart_read_only or store_cart. */
  list(cart_id: string, query?: q.ListCartMetafieldsQuery, options?: Options): CountedPages<s.UuidMetafield>
  /** Create a metafield of a cart. Scope: store_cart. */
  create(cart_id: string, body: s.NewMetafield, options?: Options): Call<s.UuidMetafield>
  /** Get a metafield of a cart. Scope: store_cart_read_only or store_cart. */
  get(cart_id: string, metafield_id: number, query?: q.GetCartMetafieldQuery, options?: Options): Call<s.UuidMetafield>
  /** Change a metafield of a cart. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_cart. */
  update(cart_id: string, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.UuidMetafield>
  /** Delete a metafield of a cart. Scope: store_cart. */
  delete(cart_id: string, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all carts. Scope: store_cart_read_only or store_cart. */
  listAll(query?: q.ListAllCartMetafieldsQuery, options?: Options): CountedPages<s.UuidMetafield>
  /** Create metafields of several carts. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_cart. */
  createMany(body: s.NewUuidMetafield[], options?: Options): Call<s.UuidMetafield[]>
  /** Change metafields of several carts. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_cart. */
  updateMany(body: s.UuidMetafieldChangesById[], options?: Options): Call<s.UuidMetafield[]>
  /** Delete metafields of several carts. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_cart. */
  deleteMany(body: (number | string)[], options?: Options): Call<number[]>
}

interface CartsRedirectUrlsMethods {
  /** Create redirect URLs of a cart. Each request makes a new token. The cart keeps its version. Scope: store_cart. */
  create(cart_id: string, body?: s.NewCartRedirectUrls, options?: Options): Call<s.CartRedirectUrls>
}

interface CartsSettingsMethods {
  /** Get the cart settings. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.CartSettings>
  /** Change the cart settings. They apply to each channel without values of its own. Scope: store_v2_information. */
  update(body: s.CartSettingsChanges, options?: Options): Call<s.CartSettings>
  readonly channels: CartsSettingsChannelsMethods
}

interface CartsSettingsChannelsMethods {
  /** Get the cart settings of a channel. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(channel_id: number, options?: Options): Call<s.CartSettingsOfChannel>
  /** Change the cart settings of a channel. Fields that are not sent stay. A null makes the store's value apply. Scope: store_v2_information. */
  update(channel_id: number, body?: s.CartSettingsOfChannelChanges, options?: Options): Call<s.CartSettingsOfChannel>
}

interface CategoriesMethods {
  /** List the categories of the first tree. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListCategoriesQuery, options?: Options): CountedPages<s.Category>
  /** Create a category in the first tree. Scope: store_v2_products. */
  create(body: s.NewCategory, options?: Options): Call<s.Category>
  /** Delete categories of the first tree by a filter. Refused (409) for a category with child categories, and if a product would have no category left. Scope: store_v2_products. */
  deleteMany(query?: q.DeleteCategoriesQuery, options?: Options): Call<void>
  /** Get a category. Scope: store_v2_products_read_only or store_v2_products. */
  get(category_id: number, query?: q.GetCategoryQuery, options?: Options): Call<s.Category>
  /** Change a category. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(category_id: number, body?: s.CategoryChanges, options?: Options): Call<s.Category>
  /** Delete a category. Refused (409) for a category with child categories, and if a product would have no category left. Scope: store_v2_products. */
  delete(category_id: number, options?: Options): Call<void>
  readonly image: CategoriesImageMethods
  readonly metafields: CategoriesMetafieldsMethods
  readonly products: CategoriesProductsMethods
}

interface CategoriesImageMethods {
  /** Set the image of a category. Scope: store_v2_products. */
  create(category_id: number, body: s.ImageUpload, options?: Options): Call<s.ImageAddress>
  /** Delete the image of a category. Scope: store_v2_products. */
  delete(category_id: number, options?: Options): Call<void>
}

interface CategoriesMetafieldsMethods {
  /** List the metafields of a category. Scope: store_v2_products_read_only or store_v2_products. */
  list(category_id: number, query?: q.ListCategoryMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a category. One client has at most 250 on one category. Scope: store_v2_products. */
  create(category_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a category. Scope: store_v2_products_read_only or store_v2_products. */
  get(category_id: number, metafield_id: number, query?: q.GetCategoryMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a category. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(category_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a category. Scope: store_v2_products. */
  delete(category_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all categories. Scope: store_v2_products_read_only or store_v2_products. */
  listAll(query?: q.ListAllCategoryMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several categories. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several categories. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_products. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several categories. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface CategoriesProductsMethods {
  readonly sortOrder: CategoriesProductsSortOrderMethods
}

interface CategoriesProductsSortOrderMethods {
  /** Get the order of a category's products. Scope: store_v2_products_read_only or store_v2_products. */
  get(category_id: number, query?: q.GetCategoryProductSortOrderQuery, options?: Options): CountedPages<s.ProductSortOrder>
  /** Change the order of a category's products. Products that the body leaves out keep their sort_order. Scope: store_v2_products. */
  update(category_id: number, body: s.ProductSortOrder[], options?: Options): Call<s.ProductSortOrder[]>
}

interface ChannelsMethods {
  /** List the channels. Scope: store_channel_settings_read_only or store_channel_settings. */
  list(query?: q.ListChannelsQuery, options?: Options): CountedPages<s.Channel>
  /** Create a channel. Type and platform must match, and cannot change later. Scope: store_channel_settings. */
  create(body: s.NewChannel, options?: Options): Call<s.Channel>
  /** Get a channel. Scope: store_channel_settings_read_only or store_channel_settings. */
  get(channel_id: number, query?: q.GetChannelQuery, options?: Options): Call<s.Channel>
  /** Change a channel. A channel with the status deleted counts as unknown everywhere. It is terminated permanently after 90 days. Fields that the body omits keep their values. Scope: store_channel_settings. */
  update(channel_id: number, body?: s.ChannelChanges, options?: Options): Call<s.Channel>
  readonly listings: ChannelsListingsMethods
  readonly channelMenus: ChannelsChannelMenusMethods
  readonly currencyAssignments: ChannelsCurrencyAssignmentsMethods
  readonly site: ChannelsSiteMethods
  readonly activeTheme: ChannelsActiveThemeMethods
  readonly metafields: ChannelsMetafieldsMethods
}

interface ChannelsActiveThemeMethods {
  /** Get a channel's active theme. Scope: store_channel_settings_read_only or store_themes_read_only or store_themes_manage or store_channel_settings. */
  get(channel_id: number, options?: Options): Call<s.ActiveTheme>
}

interface ChannelsChannelMenusMethods {
  /** Get a channel's menus. Scope: store_channel_settings_read_only or store_channel_settings. */
  get(channel_id: number, options?: Options): Call<s.ChannelMenus>
  /** Replace a channel's menus. Replaces both lists. A missing one becomes empty. Scope: store_channel_settings. */
  create(channel_id: number, body?: s.NewChannelMenus, options?: Options): Call<s.ChannelMenus>
  /** Delete a channel's menus. Scope: store_channel_settings. */
  deleteMany(channel_id: number, options?: Options): Call<number>
}

interface ChannelsCurrencyAssignmentsMethods {
  /** List the currency assignments of all channels. Only of channels that have one of their own; the others use all enabled currencies of the store. Scope: store_channel_settings_read_only or store_channel_settings. */
  list(query?: q.ListCurrencyAssignmentsQuery, options?: Options): CountedPages<s.CurrencyAssignment>
  /** Create currency assignments of channels. Each replaces what the channel had. All items are stored, or none. Scope: store_channel_settings. */
  createMany(body: s.ChannelCurrencyAssignment[], options?: Options): Call<s.CurrencyAssignment[]>
  /** Change currency assignments of channels. Each replaces what the channel had. All items are stored, or none. Scope: store_channel_settings. */
  updateMany(body: s.ChannelCurrencyAssignment[], options?: Options): Call<s.CurrencyAssignment[]>
  /** Create the currency assignment of a channel. Replaces what the channel had. Scope: store_channel_settings. */
  create(channel_id: number, body: s.NewCurrencyAssignment, options?: Options): Call<s.CurrencyAssignment>
  /** Change the currency assignment of a channel. Replaces what the channel had. Scope: store_channel_settings. */
  update(channel_id: number, body: s.NewCurrencyAssignment, options?: Options): Call<s.CurrencyAssignment>
  /** Get the currency assignment of a channel. A channel without one of its own has all enabled currencies of the store, and its default. Scope: store_channel_settings_read_only or store_channel_settings. */
  get(channel_id: number, options?: Options): Call<s.CurrencyAssignment>
  /** Delete the currency assignment of a channel. The channel has all enabled currencies of the store again. Scope: store_channel_settings. */
  delete(channel_id: number, options?: Options): Call<number>
}

interface ChannelsListingsMethods {
  /** List a channel's listings. An unknown channel has none. Scope: store_channel_listings_read_only or store_channel_listings. */
  list(channel_id: number, query?: q.ListChannelListingsQuery, options?: Options): CountedPages<s.Listing>
  /** Create listings. If the channel already lists a product, its listing is changed. All listings are saved, or none. Scope: store_channel_listings. */
  createMany(channel_id: number, body: s.NewListing[], options?: Options): Call<s.Listing[]>
  /** Change listings. Unknown listings are skipped. Variants that are missing in the body do not change. Scope: store_channel_listings. */
  updateMany(channel_id: number, body: s.ListingChanges[], options?: Options): Call<s.Listing[]>
  /** Get a listing. Scope: store_channel_listings_read_only or store_channel_listings. */
  get(channel_id: number, listing_id: number, options?: Options): Call<s.Listing>
}

interface ChannelsMetafieldsMethods {
  /** List the metafields of a channel. Scope: store_channel_settings_read_only or store_channel_settings. */
  list(channel_id: number, query?: q.ListChannelMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a channel. One client has at most 250 on one channel. Scope: store_channel_settings. */
  create(channel_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a channel. Scope: store_channel_settings_read_only or store_channel_settings. */
  get(channel_id: number, metafield_id: number, query?: q.GetChannelMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a channel. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_channel_settings. */
  update(channel_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a channel. Scope: store_channel_settings. */
  delete(channel_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all channels. Scope: store_channel_settings_read_only or store_channel_settings. */
  listAll(query?: q.ListAllChannelMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several channels. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_channel_settings. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several channels. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_channel_settings. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several channels. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_channel_settings. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface ChannelsSiteMethods {
  /** Get the site of a channel. Scope: store_sites_read_only or store_sites. */
  get(channel_id: number, options?: Options): Call<s.Site>
  /** Create the site of a channel. Scope: store_sites. */
  create(channel_id: number, body: s.NewChannelSite, options?: Options): Call<s.Site>
  /** Change the site of a channel. Scope: store_sites. */
  update(channel_id: number, body?: s.SiteChanges, options?: Options): Call<s.Site>
  /** Delete the site of a channel. With its routes. The site of channel 1 stays: 409. Scope: store_sites. */
  delete(channel_id: number, options?: Options): Call<void>
  readonly checkoutUrl: ChannelsSiteCheckoutUrlMethods
}

interface ChannelsSiteCheckoutUrlMethods {
  /** Set the checkout address of a channel. Below the registered domain of the site. The answer is the site. Scope: store_sites. */
  update(channel_id: number, body: s.CheckoutUrl, options?: Options): Call<s.Site>
  /** Delete the checkout address of a channel. The checkout is at the shared address again. Scope: store_sites. */
  delete(channel_id: number, options?: Options): Call<Record<string, never>>
}

interface CheckoutsMethods {
  /** Get a checkout. Scope: store_checkouts_read_only or store_checkout_read_only or store_checkouts or store_checkout. */
  get(checkout_id: string, query?: q.GetCheckoutQuery, options?: Options): Call<s.Checkout>
  /** Change a checkout. Sets the shopper's message to the shop. Scope: store_checkouts or store_checkout. */
  update(checkout_id: string, body: s.CheckoutChanges, options?: BodyOptions<q.UpdateCheckoutQuery>): Call<s.Checkout>
  readonly billingAddress: CheckoutsBillingAddressMethods
  readonly consignments: CheckoutsConsignmentsMethods
  readonly coupons: CheckoutsCouponsMethods
  readonly discounts: CheckoutsDiscountsMethods
  readonly fees: CheckoutsFeesMethods
  readonly orders: CheckoutsOrdersMethods
  readonly token: CheckoutsTokenMethods
  readonly settings: CheckoutsSettingsMethods
}

interface CheckoutsBillingAddressMethods {
  /** Set the billing address of a checkout. A checkout has one; another one replaces it. Scope: store_checkouts or store_checkout. */
  create(checkout_id: string, body: s.CheckoutBillingAddress, options?: BodyOptions<q.CreateCheckoutBillingAddressQuery>): Call<s.Checkout>
  /** Change the billing address of a checkout. All fields are replaced. Scope: store_checkouts or store_checkout. */
  update(checkout_id: string, address_id: string, body: s.CheckoutBillingAddress, options?: BodyOptions<q.UpdateCheckoutBillingAddressQuery>): Call<s.Checkout>
}

interface CheckoutsConsignmentsMethods {
  /** Create consignments of a checkout. Units that another consignment has move to the new one. A checkout with a pickup has no other consignment. Scope: store_checkouts or store_checkout. */
  createMany(checkout_id: string, body: s.NewCheckoutConsignment[], options?: BodyOptions<q.CreateCheckoutConsignmentsQuery>): Call<s.Checkout>
  /** Change a consignment of a checkout. Exactly one of address with line_items (or one of both), shipping_option_id, custom_shipping and pickup_option. An address or lines drop the chosen option. Scope: store_checkouts or store_checkout. */
  update(checkout_id: string, consignment_id: string, body?: s.CheckoutConsignmentChanges, options?: BodyOptions<q.UpdateCheckoutConsignmentQuery>): Call<s.Checkout>
  /** Delete a consignment of a checkout. Scope: store_checkouts or store_checkout. */
  delete(checkout_id: string, consignment_id: string, body?: s.CheckoutConsignmentDeletion, options?: BodyOptions<q.DeleteCheckoutConsignmentQuery>): Call<s.Checkout>
}

interface CheckoutsCouponsMethods {
  /** Apply a coupon to a checkout. Scope: store_checkouts or store_checkout. */
  create(checkout_id: string, body?: s.CheckoutCouponCode, options?: BodyOptions<q.CreateCheckoutCouponQuery>): Call<s.Checkout>
  /** Remove a coupon from a checkout. Scope: store_checkouts or store_checkout. */
  delete(checkout_id: string, coupon_code: string, body?: s.CheckoutCouponDeletion, options?: BodyOptions<q.DeleteCheckoutCouponQuery>): Call<s.Checkout>
}

interface CheckoutsDiscountsMethods {
  /** Discount a checkout by hand. Replaces all earlier discounts by hand. Automatic promotions are off until a request has only amounts of 0. Scope: store_checkouts or store_checkout. */
  create(checkout_id: string, body: s.ManualDiscounts, options?: BodyOptions<q.CreateCheckoutDiscountQuery>): Call<s.Checkout>
}

interface CheckoutsFeesMethods {
  /** Create fees of a checkout. A checkout has at most five. Scope: store_checkouts or store_checkout. */
  create(checkout_id: string, body: s.NewCheckoutFees, options?: BodyOptions<q.CreateCheckoutFeesQuery>): Call<s.Checkout>
  /** Change fees of a checkout. Fees that the body does not name remain. Scope: store_checkouts or store_checkout. */
  update(checkout_id: string, body: s.CheckoutFeesChanges, options?: BodyOptions<q.UpdateCheckoutFeesQuery>): Call<s.Checkout>
  /** Delete fees of a checkout. Scope: store_checkouts or store_checkout. */
  deleteMany(checkout_id: string, body: s.CheckoutFeesDeletion, options?: BodyOptions<q.DeleteCheckoutFeesQuery>): Call<s.Checkout>
}

interface CheckoutsOrdersMethods {
  /** Create an order from a checkout. The order is incomplete until it is paid. Each call creates another one from the cart as it is. Scope: store_checkouts or store_checkout. */
  create(checkout_id: string, options?: Options): Call<s.CheckoutOrder>
}

interface CheckoutsSettingsMethods {
  /** Get the checkout settings. Scope: store_checkout_content_read_only or store_checkouts_read_only or store_checkout_read_only or store_checkout_content or store_checkouts or store_checkout. */
  get(options?: Options): Call<s.CheckoutSettings>
  /** Change the checkout settings. Fields that are not sent stay. The settings apply to each channel without values of its own. Scope: store_checkout_content or store_checkouts or store_checkout. */
  update(body?: s.CheckoutSettingsChanges, options?: Options): Call<s.CheckoutSettings>
  readonly channels: CheckoutsSettingsChannelsMethods
}

interface CheckoutsSettingsChannelsMethods {
  /** Get the checkout settings of a channel. The values in force: the channel's own, else the store's. Scope: store_checkout_content_read_only or store_checkouts_read_only or store_checkout_read_only or store_checkout_content or store_checkouts or store_checkout. */
  get(channel_id: number, options?: Options): Call<s.CheckoutSettingsOfChannel>
  /** Change the checkout settings of a channel. Fields that are not sent stay. A text that is null makes the store's value apply. Scope: store_checkout_content or store_checkouts or store_checkout. */
  update(channel_id: number, body?: s.CheckoutSettingsOfChannelChanges, options?: Options): Call<s.CheckoutSettingsOfChannel>
}

interface CheckoutsTokenMethods {
  /** Create a token of a checkout. Lets a shopper see the checkout, or the order that comes of it. The checkout keeps its version. Scope: store_checkouts or store_checkout. */
  create(checkout_id: string, body?: s.NewCheckoutToken, options?: Options): Call<s.CheckoutToken>
}

interface ContentMethods {
  readonly pages: ContentPagesMethods
  readonly scripts: ContentScriptsMethods
  readonly regions: ContentRegionsMethods
  readonly widgetTemplates: ContentWidgetTemplatesMethods
  readonly widgets: ContentWidgetsMethods
  readonly placements: ContentPlacementsMethods
  readonly pageWidgets: ContentPageWidgetsMethods
}

interface ContentPageWidgetsMethods {
  /** Get the widgets of a page. Without template_file the regions of all pages. Scope: store_v2_content_read_only or store_v2_content. */
  get(query?: q.GetPageWidgetsQuery, options?: Options): Call<s.PageRegions>
  /** Replace the widgets of a page. Replaces all widgets that the page shows. An empty list of regions removes them. Scope: store_v2_content. */
  replace(body: s.PageWidgets, options?: Options): Call<void>
}

interface ContentPagesMethods {
  /** List the pages. Bodies are included only with include=body. Unknown query parameters are 400. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListContentPagesQuery, options?: Options): CountedPages<s.Page>
  /** Create pages. Takes one page or a list. The valid pages of a list are saved. If the address is taken or malformed, everything else is saved, and the answer is 207. Scope: store_v2_content. */
  create(body: s.NewPage, options?: BodyOptions<q.CreatePagesQuery>): Call<s.Page>
  /** Create pages. Takes one page or a list. The valid pages of a list are saved. If the address is taken or malformed, everything else is saved, and the answer is 207. Scope: store_v2_content. */
  create(body: s.NewPage[], options?: BodyOptions<q.CreatePagesQuery>): Call<s.Page[]>
  /** Change pages. Takes one page or a list. Either all are saved or none. If the address is taken or malformed, everything else is saved, and the answer is 207. Fields that the body omits keep their values. Scope: store_v2_content. */
  updateMany(body: s.PageChangesById | s.PageChangesById[], options?: BodyOptions<q.UpdatePagesQuery>): Call<s.Page[]>
  /** Delete pages. Children move to the top and become invisible; with delete_children they are deleted too. Scope: store_v2_content. */
  deleteMany(query: q.DeletePagesQuery, options?: Options): Call<void>
  /** Get a page. A page that does not match the query is 404. Scope: store_v2_content_read_only or store_v2_content. */
  get(page_id: string, query?: q.GetContentPageQuery, options?: Options): Call<s.Page>
  /** Change a page. If the address is taken or malformed, everything else is saved, and the answer is 207. Fields that the body omits keep their values. Scope: store_v2_content. */
  update(page_id: string, body?: s.PageChanges, options?: BodyOptions<q.UpdateContentPageQuery>): Call<s.Page>
  /** Delete a page. Its children move to the top and become invisible. The query is ignored. Scope: store_v2_content. */
  delete(page_id: string, options?: Options): Call<void>
}

interface ContentPlacementsMethods {
  /** List the placements. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListContentPlacementsQuery, options?: Options): CountedPages<s.Placement>
  /** Create a placement. A template file can have 75 placements on a channel, and a store 10000. Scope: store_v2_content. */
  create(body: s.NewPlacement, options?: Options): Call<s.Placement>
  /** Get a placement. Scope: store_v2_content_read_only or store_v2_content. */
  get(uuid: string, options?: Options): Call<s.Placement>
  /** Change a placement. Fields that the body omits keep their values. Scope: store_v2_content. */
  update(uuid: string, body?: s.PlacementChanges, options?: Options): Call<s.Placement>
  /** Delete a placement. Scope: store_v2_content. */
  delete(uuid: string, options?: Options): Call<void>
}

interface ContentRegionsMethods {
  /** List the regions of a template. Scope: store_v2_content_read_only or store_v2_content. */
  list(query: q.ListRegionsQuery, options?: Options): CountedPages<s.ThemeRegion>
}

interface ContentScriptsMethods {
  /** List the scripts. Lists the scripts of the calling client only. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListContentScriptsQuery, options?: Options): CountedPages<s.Script>
  /** Create a script. A client can have 10 scripts on a channel, and a channel 50. Scope: store_v2_content. */
  create(body: s.NewScript, options?: Options): Call<s.Script>
  /** Get a script. Scope: store_v2_content_read_only or store_v2_content. */
  get(uuid: string, options?: Options): Call<s.Script>
  /** Change a script. Fields that the body omits remain. A new kind empties the field of the other kind. Scope: store_v2_content. */
  update(uuid: string, body?: s.ScriptChanges, options?: Options): Call<s.Script>
  /** Delete a script. Scope: store_v2_content. */
  delete(uuid: string, options?: Options): Call<void>
}

interface ContentWidgetTemplatesMethods {
  /** List the widget templates. Built-in templates come first. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListContentWidgetTemplatesQuery, options?: Options): CountedPages<s.WidgetTemplate>
  /** Create a widget template. A channel can have 1000 templates, and a store 5000. Scope: store_v2_content. */
  create(body: s.NewWidgetTemplate, options?: Options): Call<s.WidgetTemplate>
  /** Get a widget template. Scope: store_v2_content_read_only or store_v2_content. */
  get(uuid: string, query?: q.GetContentWidgetTemplateQuery, options?: Options): Call<s.WidgetTemplate>
  /** Change a widget template. A change of the texts changes all widgets of the current version, unless it creates a new version. Fields that the body omits keep their values. Scope: store_v2_content. */
  update(uuid: string, body?: s.WidgetTemplateChanges, options?: Options): Call<s.WidgetTemplate>
  /** Delete a widget template. Scope: store_v2_content. */
  delete(uuid: string, options?: Options): Call<void>
  /** Preview a widget template. Takes if, unless, each, with and lookup. Other helpers, and templates beyond the limits, are 422. Scope: store_v2_content. */
  preview(uuid: string, body?: s.WidgetPreview, options?: Options): Call<s.WidgetHtml>
}

interface ContentWidgetsMethods {
  /** List the widgets. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListContentWidgetsQuery, options?: Options): CountedPages<s.Widget>
  /** Create a widget. A store can have 100000 widgets. Scope: store_v2_content. */
  create(body: s.NewWidget, options?: Options): Call<s.Widget>
  /** Get a widget. Scope: store_v2_content_read_only or store_v2_content. */
  get(uuid: string, options?: Options): Call<s.Widget>
  /** Change a widget. Another template, or upgrade, moves the widget to the current version of its template. Fields that the body omits keep their values. Scope: store_v2_content. */
  update(uuid: string, body?: s.WidgetChanges, options?: Options): Call<s.Widget>
  /** Delete a widget. Scope: store_v2_content. */
  delete(uuid: string, options?: Options): Call<void>
}

interface CustomersMethods {
  /** List the customers. To read one customer, use id:in. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomersQuery, options?: Options): CountedPages<s.Customer>
  /** Create customers. At most 10. Either all are stored or none. An account without a password can't log in until one is set. Scope: store_v2_customers. */
  createMany(body: s.NewCustomer[], options?: Options): Call<s.Customer[]>
  /** Change customers. At most 10. Either all changes are stored or none. Fields that an item omits remain. Scope: store_v2_customers. */
  updateMany(body: s.CustomerChanges[], options?: Options): Call<s.Customer[]>
  /** Delete customers by their ids. Deletes them with all their data. Unknown ids are skipped. Without id:in, nothing is deleted: 204. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteCustomersQuery, options?: Options): Call<void>
  /** Validate credentials. Always 200; true for an account that may log in at the channel. False answers are limited by e-mail address, calls by client: 429. Scope: store_v2_customers. */
  validateCredentials(body: s.Credentials, options?: Options): Call<s.CredentialsValidation>
  readonly addresses: CustomersAddressesMethods
  readonly attributes: CustomersAttributesMethods
  readonly attributeValues: CustomersAttributeValuesMethods
  readonly formFieldValues: CustomersFormFieldValuesMethods
  readonly settings: CustomersSettingsMethods
  readonly subscribers: CustomersSubscribersMethods
  readonly consent: CustomersConsentMethods
  readonly storedInstruments: CustomersStoredInstrumentsMethods
  readonly metafields: CustomersMetafieldsMethods
}

interface CustomersAddressesMethods {
  /** List the addresses of customers. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomerAddressesQuery, options?: Options): CountedPages<s.CustomerAddress>
  /** Create addresses of customers. Either all are stored or none. The answer omits addresses that the customer has already. Scope: store_v2_customers. */
  createMany(body: s.NewCustomerAddress[], options?: Options): Call<s.CustomerAddress[]>
  /** Change addresses of customers. Either all are stored or none. The answer omits addresses that would become equal to another of their customer. Scope: store_v2_customers. */
  updateMany(body: s.CustomerAddressChanges[], options?: Options): Call<s.CustomerAddress[]>
  /** Delete addresses of customers. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteCustomerAddressesQuery, options?: Options): Call<void>
}

interface CustomersAttributeValuesMethods {
  /** List the attribute values of customers. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomerAttributeValuesQuery, options?: Options): CountedPages<s.AttributeValue>
  /** Set attribute values of customers. Values of at most 10 customers. Either all are stored or none. Existing values are replaced. Fields that the body omits keep their values. Scope: store_v2_customers. */
  updateMany(body: s.AttributeValueChanges[], options?: Options): Call<s.AttributeValue[]>
  /** Delete attribute values of customers. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteCustomerAttributeValuesQuery, options?: Options): Call<void>
}

interface CustomersAttributesMethods {
  /** List the attributes of customers. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomerAttributesQuery, options?: Options): CountedPages<s.CustomerAttribute>
  /** Create attributes of customers. Either all are stored or none. Scope: store_v2_customers. */
  createMany(body: s.NewCustomerAttribute[], options?: Options): Call<s.CustomerAttribute[]>
  /** Rename attributes of customers. Either all are stored or none. The type never changes. Scope: store_v2_customers. */
  updateMany(body: s.CustomerAttributeChanges[], options?: Options): Call<s.CustomerAttribute[]>
  /** Delete attributes of customers. Deletes their values too. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteCustomerAttributesQuery, options?: Options): Call<void>
}

interface CustomersConsentMethods {
  /** Get the consent of a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(customer_id: number, options?: Options): Call<s.CustomerConsent>
  /** Change the consent of a customer. Replaces both lists. A list that the body omits becomes empty. Scope: store_v2_customers. */
  update(customer_id: number, body?: s.NewCustomerConsent, options?: Options): Call<s.CustomerConsent>
}

interface CustomersFormFieldValuesMethods {
  /** List the values of form fields. With customer_id, lists the values of the customer without those of the addresses. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomerFormFieldValuesQuery, options?: Options): CountedPages<s.CustomerFormFieldValue | s.AddressFormFieldValue>
  /** Set values of form fields. Replaces the values of the same fields. Either all are stored or none. Scope: store_v2_customers. */
  updateMany(body: s.FormFieldValueOfOwner[], options?: Options): Call<(s.CustomerFormFieldValue | s.AddressFormFieldValue)[]>
}

interface CustomersMetafieldsMethods {
  /** List the metafields of a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(customer_id: number, query?: q.ListCustomerMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a customer. One client has at most 250 on one customer. Scope: store_v2_customers. */
  create(customer_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(customer_id: number, metafield_id: number, query?: q.GetCustomerMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a customer. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_customers. */
  update(customer_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a customer. Scope: store_v2_customers. */
  delete(customer_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all customers. Scope: store_v2_customers_read_only or store_v2_customers. */
  listAll(query?: q.ListAllCustomerMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several customers. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_customers. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several customers. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_customers. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several customers. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_customers. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface CustomersSettingsMethods {
  /** Get the customer settings. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(options?: Options): Call<s.CustomerSettings>
  /** Change the customer settings. Fields that the body omits remain. The values apply to each channel without a value of its own. Scope: store_v2_customers. */
  update(body?: s.CustomerSettingsChanges, options?: Options): Call<s.CustomerSettings>
  readonly channels: CustomersSettingsChannelsMethods
}

interface CustomersSettingsChannelsMethods {
  /** Get the customer settings of a channel. null if the channel has no value of its own: then that of the store applies. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(channel_id: number, options?: Options): Call<s.CustomerChannelSettings>
  /** Change the customer settings of a channel. Fields that the body omits remain. null removes the value of the channel. Scope: store_v2_customers. */
  update(channel_id: number, body?: s.CustomerChannelSettingsChanges, options?: Options): Call<s.CustomerChannelSettings>
}

interface CustomersStoredInstrumentsMethods {
  /** List the stored instruments of a customer. The default comes first, then the newest. Scope: store_stored_payment_instruments_read_only or store_stored_payment_instruments. */
  list(customer_id: number, query?: q.ListCustomerStoredInstrumentsQuery, options?: Options): Pages<s.StoredCard | s.StoredPaypalAccount | s.StoredBankAccount>
}

interface CustomersSubscribersMethods {
  /** List the subscribers. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomerSubscribersQuery, options?: Options): CountedPages<s.Subscriber>
  /** Create a subscriber. Scope: store_v2_customers. */
  create(body: s.NewSubscriber, options?: Options): Call<s.Subscriber>
  /** Delete subscribers by a filter. Without a filter, deletes every subscriber of the store. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteCustomerSubscribersQuery, options?: Options): Call<void>
  /** Get a subscriber. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(subscriber_id: number, query?: q.GetCustomerSubscriberQuery, options?: Options): Call<s.Subscriber>
  /** Change a subscriber. Fields that the body omits remain. Scope: store_v2_customers. */
  update(subscriber_id: number, body?: s.SubscriberChanges, options?: Options): Call<s.Subscriber>
  /** Delete a subscriber. Scope: store_v2_customers. */
  delete(subscriber_id: number, options?: Options): Call<void>
}

interface HooksMethods {
  /** List the webhooks. Scope: store_v2_default or store_v2_default. */
  list(query?: q.ListWebhooksQuery, options?: Options): CountedPages<s.Webhook>
  /** Create a webhook. Callbacks are signed as Standard Webhooks, with the client secret. Scope: store_v2_default. */
  create(body: s.NewWebhook, options?: Options): Call<s.Webhook>
  /** Get a webhook. Scope: store_v2_default or store_v2_default. */
  get(webhook_id: number, query?: q.GetWebhookQuery, options?: Options): Call<s.Webhook>
  /** Change a webhook. Fields that the body omits keep their values. Scope: store_v2_default. */
  update(webhook_id: number, body?: s.WebhookChanges, options?: Options): Call<s.Webhook>
  /** Delete a webhook. Scope: store_v2_default. */
  delete(webhook_id: number, options?: Options): Call<s.Webhook>
  /** Recover missed deliveries. Scope: store_v2_default. */
  recover(webhook_id: number, body: s.WebhookRecovery, options?: Options): Call<s.AcceptedRecovery>
  /** Send a webhook a test event. Scope: store_v2_default. */
  test(webhook_id: number, body?: s.WebhookTest, options?: Options): Call<s.AcceptedEvent>
  readonly admin: HooksAdminMethods
  readonly deliveries: HooksDeliveriesMethods
  readonly events: HooksEventsMethods
}

interface HooksAdminMethods {
  /** Get the administrators and the state of webhooks. Scope: store_v2_default or store_v2_default. */
  get(query?: q.GetWebhookAdminQuery, options?: Options): Call<s.WebhookAdmin>
  /** Change the administrators of webhooks. Scope: store_v2_default. */
  update(body?: s.WebhookAdminChanges, options?: Options): Call<void>
}

interface HooksDeliveriesMethods {
  /** List the deliveries of a webhook. Scope: store_v2_default or store_v2_default. */
  list(webhook_id: number, query?: q.ListWebhookDeliveriesQuery, options?: Options): CountedPages<s.WebhookDelivery>
  /** Get a delivery of a webhook. Scope: store_v2_default or store_v2_default. */
  get(webhook_id: number, did: string, options?: Options): Call<s.WebhookDelivery>
  /** Resend a delivery. The event keeps its id, so a receiver can recognize it. Scope: store_v2_default. */
  resend(webhook_id: number, did: string, options?: Options): Call<s.AcceptedEvent>
}

interface HooksEventsMethods {
  /** List the events of the last days. Scope: store_v2_default or store_v2_default. */
  list(query?: q.ListWebhookEventsQuery, options?: Options): CountedPages<s.PastEvent>
}

interface InventoryMethods {
  readonly locations: InventoryLocationsMethods
  readonly items: InventoryItemsMethods
  readonly adjustments: InventoryAdjustmentsMethods
}

interface InventoryAdjustmentsMethods {
  /** Set amounts of stock. At most 2000 items. All items are stored, or none. Scope: store_inventory. */
  set(body: s.AbsoluteAdjustments, options?: Options): Call<s.Transaction>
  /** Change amounts of stock. At most 2000 items. All items are stored, or none. An amount that was never set can't be changed, and none falls below the safety stock. Scope: store_inventory. */
  adjust(body: s.RelativeAdjustments, options?: Options): Call<s.Transaction>
  /** List the stock changes of an item. The query names one item by sku, variant_id or product_id. The latest change comes first. Scope: store_inventory_read_only or store_inventory. */
  list(query?: q.ListStockChangesQuery, options?: Options): CountedPages<s.StockChange>
}

interface InventoryItemsMethods {
  /** List items at all locations. Lists items of tracked products. A filter by location also limits the locations of each item. Scope: store_inventory_read_only or store_inventory. */
  list(query?: q.ListInventoryItemsQuery, options?: Options): CountedPages<s.InventoryItem>
}

interface InventoryLocationsMethods {
  /** List the locations. Scope: store_locations_read_only or store_locations. */
  list(query?: q.ListInventoryLocationsQuery, options?: Options): CountedPages<s.Location>
  /** Create locations. All locations are stored, or none. The answer has no ids: find the locations by location_code:in. Scope: store_locations. */
  createMany(body: s.NewLocation[], options?: Options): Call<s.Transaction>
  /** Change locations. All changes are stored, or none. A day in operating_hours replaces that day, and special_hours replaces the whole list. Fields that the body omits keep their values. Scope: store_locations. */
  updateMany(body: s.LocationChanges[], options?: Options): Call<s.Transaction>
  /** Delete locations. Deletes their stock and pickup methods too. All locations are deleted, or none. Scope: store_locations. */
  deleteMany(query: q.DeleteInventoryLocationsQuery, options?: Options): Call<s.Transaction>
  readonly metafields: InventoryLocationsMetafieldsMethods
  readonly items: InventoryLocationsItemsMethods
}

interface InventoryLocationsItemsMethods {
  /** List the items of a location. Scope: store_inventory_read_only or store_inventory. */
  list(location_id: number, query?: q.ListLocationItemsQuery, options?: Options): CountedPages<s.InventoryItemOfLocation>
  /** Change settings of items at a location. At most 2000 items. Missing settings stay. All items are stored, or none. Scope: store_inventory. */
  update(location_id: number, body: s.ItemSettings, options?: Options): Call<s.Transaction>
}

interface InventoryLocationsMetafieldsMethods {
  /** List the metafields of a location. Scope: store_locations_read_only or store_locations. */
  list(location_id: number, query?: q.ListInventoryLocationMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a location. One client has at most 250 on one location. Scope: store_locations. */
  create(location_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a location. Scope: store_locations_read_only or store_locations. */
  get(location_id: number, metafield_id: number, query?: q.GetInventoryLocationMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a location. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_locations. */
  update(location_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a location. Scope: store_locations. */
  delete(location_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all locations. Scope: store_locations_read_only or store_locations. */
  listAll(query?: q.ListAllLocationMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several locations. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_locations. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several locations. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_locations. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several locations. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_locations. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface MarketingMethods {
  readonly emailTemplates: MarketingEmailTemplatesMethods
  readonly abandonedCartEmails: MarketingAbandonedCartEmailsMethods
}

interface MarketingAbandonedCartEmailsMethods {
  /** List abandoned cart emails. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListMarketingAbandonedCartEmailsQuery, options?: Options): CountedPages<s.AbandonedCartEmail>
  /** Create an abandoned cart email. Scope: store_v2_information. */
  create(body?: s.AbandonedCartEmailChanges, options?: BodyOptions<q.CreateMarketingAbandonedCartEmailQuery>): Call<s.AbandonedCartEmail>
  /** Get an abandoned cart email. Scope: store_v2_information_read_only or store_v2_information. */
  get(id: number, options?: Options): Call<s.AbandonedCartEmail>
  /** Change an abandoned cart email. A template is replaced as a whole. Fields that the body omits keep their values. Scope: store_v2_information. */
  update(id: number, body?: s.AbandonedCartEmailChanges, options?: Options): Call<s.AbandonedCartEmail>
  /** Delete an abandoned cart email. Scope: store_v2_information. */
  delete(id: number, options?: Options): Call<void>
  readonly default: MarketingAbandonedCartEmailsDefaultMethods
  readonly settings: MarketingAbandonedCartEmailsSettingsMethods
}

interface MarketingAbandonedCartEmailsDefaultMethods {
  /** Get the template of new abandoned cart emails. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.AbandonedCartEmailTemplate>
}

interface MarketingAbandonedCartEmailsSettingsMethods {
  /** Get a channel's settings of abandoned cart emails. Scope: store_v2_information_read_only or store_v2_information. */
  get(query: q.GetMarketingAbandonedCartEmailSettingsQuery, options?: Options): Call<s.AbandonedCartEmailSettings>
  /** Change a channel's settings of abandoned cart emails. Scope: store_v2_information. */
  update(body: s.AbandonedCartEmailSettings, options?: BodyOptions<q.UpdateMarketingAbandonedCartEmailSettingsQuery>): Call<s.AbandonedCartEmailSettings>
}

interface MarketingEmailTemplatesMethods {
  /** List e-mail templates. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListMarketingEmailTemplatesQuery, options?: Options): CountedPages<s.EmailTemplate>
  /** Get an e-mail template. Scope: store_v2_information_read_only or store_v2_information. */
  get(template_name: string, query?: q.GetMarketingEmailTemplateQuery, options?: Options): Call<s.EmailTemplate>
  /** Replace an e-mail template. Scope: store_v2_information. */
  update(template_name: string, body: s.EmailTemplateChange, options?: BodyOptions<q.UpdateMarketingEmailTemplateQuery>): Call<s.EmailTemplate>
  /** Delete a channel's e-mail template. Scope: store_v2_information. */
  delete(template_name: string, query: q.DeleteMarketingEmailTemplateQuery, options?: Options): Call<Record<string, never>>
}

interface OrdersMethods {
  /** Capture the payment of an order. The request is accepted and processed later. payment_status is "capture pending" until the gateway has answered. Scope: store_v2_orders or store_v2_transactions. */
  capture(order_id: number, options?: Options): Call<s.OrderPaymentAction>
  /** Void the payment of an order. The request is accepted and processed later. payment_status is "void pending" until the gateway has answered. Scope: store_v2_orders or store_v2_transactions. */
  void(order_id: number, options?: Options): Call<s.OrderPaymentAction>
  readonly metafields: OrdersMetafieldsMethods
  readonly pickups: OrdersPickupsMethods
  readonly transactions: OrdersTransactionsMethods
  readonly refundQuotes: OrdersRefundQuotesMethods
  readonly refunds: OrdersRefundsMethods
  readonly settings: OrdersSettingsMethods
}

interface OrdersMetafieldsMethods {
  /** List the metafields of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of an order. One client has at most 250 on one order. Scope: store_v2_orders. */
  create(order_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, metafield_id: number, query?: q.GetOrderMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of an order. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_orders. */
  update(order_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of an order. Scope: store_v2_orders. */
  delete(order_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all orders. Scope: store_v2_orders_read_only or store_v2_orders. */
  listAll(query?: q.ListAllOrderMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several orders. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_orders. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several orders. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_orders. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several orders. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_orders. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface OrdersPickupsMethods {
  /** List the pickups of orders. Scope: store_order_fulfillment_read_only or store_order_fulfillment_manage. */
  list(query?: q.ListOrderPickupsQuery, options?: Options): CountedPages<s.OrderPickup>
  /** Create pickups of orders. Either all are stored or none. With collected_at, the items were collected already. Scope: store_order_fulfillment_manage. */
  createMany(body: s.NewOrderPickup[], options?: Options): Call<s.OrderPickup[]>
  /** Change pickups of orders. Either all changes are stored or none. collected_at null means that nothing was collected yet. Fields that the body omits keep their values. Scope: store_order_fulfillment_manage. */
  updateMany(body: s.OrderPickupChanges[], options?: Options): Call<s.OrderPickup[]>
  /** Delete pickups of orders. Their items can be in other pickups afterwards. Scope: store_order_fulfillment_manage. */
  deleteMany(query: q.DeleteOrderPickupsQuery, options?: Options): Call<void>
}

interface OrdersRefundQuotesMethods {
  /** Quote a refund. Returns the amounts and the methods of a refund. It stores nothing. Scope: store_v2_orders or store_v2_transactions. */
  create(order_id: number, body?: s.NewRefundQuote, options?: Options): Call<s.RefundQuote>
  /** Quote refunds of several orders. Scope: store_v2_orders or store_v2_transactions. */
  createMany(body: s.NewRefundQuoteOfOrder[], options?: Options): Call<s.RefundQuote[]>
}

interface OrdersRefundsMethods {
  /** Create a refund. Refunds units of lines, and amounts of other items, to `payments`: one of the `refund_methods` of a refund quote for the same items. The payments are made later; refunds of an order one after another. Scope: store_v2_orders or store_v2_transactions. */
  create(order_id: number, body?: s.NewRefund, options?: Options): Call<s.Refund>
  /** List the refunds of an order. All refunds are on one page unless the query has a limit. Scope: store_v2_transactions_read_only or store_v2_orders_read_only or store_v2_orders or store_v2_transactions. */
  list(order_id: number, query?: q.ListOrderRefundsQuery, options?: Options): CountedPages<s.Refund>
  /** List the refunds of all orders. Scope: store_v2_transactions_read_only or store_v2_orders_read_only or store_v2_orders or store_v2_transactions. */
  listAll(query?: q.ListRefundsQuery, options?: Options): CountedPages<s.Refund>
  /** Get a refund. Scope: store_v2_transactions_read_only or store_v2_orders_read_only or store_v2_orders or store_v2_transactions. */
  get(refund_id: number, options?: Options): Call<s.Refund>
}

interface OrdersSettingsMethods {
  /** Get the order settings. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(options?: Options): Call<s.OrderSettings>
  /** Change the order settings. Fields that the body omits remain. The settings apply to each channel without settings of its own. Scope: store_v2_orders. */
  update(body?: s.OrderSettingsChanges, options?: Options): Call<s.OrderSettings>
  readonly channels: OrdersSettingsChannelsMethods
}

interface OrdersSettingsChannelsMethods {
  /** Get the order settings of a channel. null if the settings of the store apply. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(channel_id: number, options?: Options): Call<s.OrderSettingsOfChannel>
  /** Change the order settings of a channel. Either both lists are set for the channel, or both are null. Scope: store_v2_orders. */
  update(channel_id: number, body?: s.OrderSettingsOfChannelChanges, options?: Options): Call<s.OrderSettingsOfChannel>
}

interface OrdersTransactionsMethods {
  /** List the transactions of an order. Scope: store_v2_transactions_read_only or store_v2_transactions. */
  list(order_id: number, query?: q.ListOrderTransactionsQuery, options?: Options): CountedPages<s.OrderTransaction>
}

interface PaymentsMethods {
  readonly accessTokens: PaymentsAccessTokensMethods
  readonly methods: PaymentsMethodsMethods
}

interface PaymentsAccessTokensMethods {
  /** Create a payment access token. The token pays one incomplete order. It is valid for an hour and for one successful payment. Scope: store_payments_access_token_create. */
  create(body: s.NewPaymentAccessToken, options?: Options): Call<{
    /** The token */
    id: string
  }>
}

interface PaymentsMethodsMethods {
  /** List the payment methods of an order or a checkout. order_id or checkout_id is required. Scope: store_payments_methods_read. */
  list(query?: q.ListPaymentMethodsQuery, options?: Options): CountedPages<s.PaymentMethod>
}

interface PickupMethods {
  readonly methods: PickupMethodsMethods
  readonly options: PickupOptionsMethods
}

interface PickupMethodsMethods {
  /** List the pickup methods. Scope: store_order_fulfillment_read_only or store_fulfillment_methods_read_only or store_order_fulfillment_manage or store_fulfillment_methods_manage. */
  list(query?: q.ListPickupMethodsQuery, options?: Options): CountedPages<s.PickupMethod>
  /** Create pickup methods. All methods are stored, or none. Their locations must be enabled. Scope: store_order_fulfillment_manage or store_fulfillment_methods_manage. */
  createMany(body: s.NewPickupMethod[], options?: Options): Call<s.PickupMethod[]>
  /** Change pickup methods. All changes are stored, or none. Missing fields stay. Scope: store_order_fulfillment_manage or store_fulfillment_methods_manage. */
  updateMany(body: s.PickupMethodChanges[], options?: Options): Call<s.PickupMethod[]>
  /** Delete pickup methods. Scope: store_order_fulfillment_manage or store_fulfillment_methods_manage. */
  deleteMany(query: q.DeletePickupMethodsQuery, options?: Options): Call<void>
}

interface PickupOptionsMethods {
  /** Find where items can be collected. Finds at most ten pickup methods, nearest first, at locations that each have all items. Nothing is reserved. Scope: store_order_fulfillment_read_only or store_fulfillment_methods_read_only or store_order_fulfillment_manage or store_fulfillment_methods_manage. */
  find(body: s.PickupSearch, options?: Options): Call<s.PickupOptions[]>
}

interface PricelistsMethods {
  /** List the price lists. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListPricelistsQuery, options?: Options): CountedPages<s.PriceList>
  /** Create a price list. Scope: store_v2_products. */
  create(body: s.NewPriceList, options?: Options): Call<s.PriceList>
  /** Delete price lists. Without a filter all price lists of the store are deleted, with their records and assignments. Scope: store_v2_products. */
  deleteMany(query?: q.DeletePricelistsQuery, options?: Options): Call<void>
  /** Get a price list. Scope: store_v2_products_read_only or store_v2_products. */
  get(price_list_id: number, query?: q.GetPricelistQuery, options?: Options): Call<s.PriceList>
  /** Change a price list. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(price_list_id: number, body?: s.PriceListChanges, options?: Options): Call<s.PriceList>
  /** Delete a price list. With its records and assignments, and the rule of each group that has it. Scope: store_v2_products. */
  delete(price_list_id: number, options?: Options): Call<void>
  readonly assignments: PricelistsAssignmentsMethods
  readonly records: PricelistsRecordsMethods
}

interface PricelistsAssignmentsMethods {
  /** List the assignments of price lists. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListPricelistAssignmentsQuery, options?: Options): CountedPages<s.PriceListAssignment>
  /** Assign price lists. Valid items are saved, and 422 names the others by their index. Scope: store_v2_products. */
  createMany(body: s.NewPriceListAssignment[], options?: Options): Call<Record<string, never>>
  /** Delete assignments of price lists. At least one filter is needed. Scope: store_v2_products. */
  deleteMany(query?: q.DeletePricelistAssignmentsQuery, options?: Options): Call<void>
  /** Assign a price list to a group in a channel. Replaces the list that the group had in the channel. Scope: store_v2_products. */
  upsert(price_list_id: number, body: s.PriceListAssignmentPair, options?: Options): Call<{
    id: number
    /** The price list whose prices apply */
    price_list_id: number
    /** The customer group, which decides prices and visible categories; 0 for none */
    customer_group_id: number | null
    /** The channel: a storefront or another place of sale. The first storefront is 1 */
    channel_id: number | null
  }>
}

interface PricelistsRecordsMethods {
  /** Create records of several price lists. Valid records are saved, and 422 names the others. Scope: store_v2_products. */
  createRecords(body: s.PriceRecordItemOfList[], options?: Options): Call<Record<string, never>>
  /** Change records of several price lists. Valid records are saved, and 422 names the others. Scope: store_v2_products. */
  updateRecords(body: s.PriceRecordItemOfList[], options?: Options): Call<Record<string, never>>
  /** Create records of a price list. Valid records are saved, and 422 names the others. Scope: store_v2_products. */
  createMany(price_list_id: number, body: s.PriceRecordItem[], options?: Options): Call<Record<string, never>>
  /** Change records of a price list. Valid records are saved, and 422 names the others. Scope: store_v2_products. */
  updateMany(price_list_id: number, body: s.PriceRecordItem[], options?: Options): Call<Record<string, never>>
  /** List the records of a price list. Scope: store_v2_products_read_only or store_v2_products. */
  list(price_list_id: number, query?: q.ListPricelistRecordsQuery, options?: Options): CountedPages<s.PriceRecord>
  /** Delete records of a price list. Without a filter all records of the list are deleted. Scope: store_v2_products. */
  deleteMany(price_list_id: number, query?: q.DeletePricelistRecordsQuery, options?: Options): Call<void>
  /** List the records of a variant in a price list. Scope: store_v2_products_read_only or store_v2_products. */
  listOfVariant(price_list_id: number, variant_id: number, query?: q.ListPricelistRecordsOfVariantQuery, options?: Options): CountedPages<s.PriceRecord>
  /** Get a record of a price list. Scope: store_v2_products_read_only or store_v2_products. */
  get(price_list_id: number, variant_id: number, currency_code: string, query?: q.GetPricelistRecordQuery, options?: Options): Call<s.PriceRecord>
  /** Create or change a record of a price list. Absent fields stay. A new record needs a price. Scope: store_v2_products. */
  update(price_list_id: number, variant_id: number, currency_code: string, body?: s.PriceRecordChanges, options?: Options): Call<s.PriceRecord>
  /** Delete a record of a price list. The variant costs the price of the catalog again. Scope: store_v2_products. */
  delete(price_list_id: number, variant_id: number, currency_code: string, options?: Options): Call<void>
}

interface PricingMethods {
  readonly products: PricingProductsMethods
}

interface PricingProductsMethods {
  /** Get the prices of items. Answers in the order of the items. A faulty item refuses the request. Scope: store_v2_products_read_only or store_v2_products. */
  get(body: s.PricingRequest, options?: Options): Call<s.ItemPrice[]>
}

interface ProductsMethods {
  /** List the products. A page that includes options or modifiers has at most 10 products. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListProductsQuery, options?: Options): CountedPages<s.Product>
  /** Create a product, or several. Takes a product or a list of at most 100 products. All products are stored, or none. The values that variants name create the options of the product. Scope: store_v2_products. */
  create(body: s.NewProduct, options?: BodyOptions<q.CreateProductQuery>): Call<s.Product>
  /** Create a product, or several. Takes a product or a list of at most 100 products. All products are stored, or none. The values that variants name create the options of the product. Scope: store_v2_products. */
  create(body: s.NewProduct[], options?: BodyOptions<q.CreateProductQuery>): Call<s.Product[]>
  /** Change several products. All products are stored, or none. A list in a product replaces all its items: missing ones are deleted. Scope: store_v2_products. */
  updateMany(body: s.ProductChangesById[], options?: BodyOptions<q.UpdateProductsQuery>): Call<s.Product[]>
  /** Delete products by a filter. Deletes at most 250 products; the others stay. A filter is required (422). Scope: store_v2_products. */
  deleteMany(query?: q.DeleteProductsQuery, options?: Options): Call<void>
  /** Get a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, query?: q.GetProductQuery, options?: Options): Call<s.Product>
  /** Change a product. A list in the body replaces all its items: missing ones are deleted. Scope: store_v2_products. */
  update(product_id: number, body?: s.ProductChanges, options?: BodyOptions<q.UpdateProductQuery>): Call<s.Product>
  /** Delete a product. Scope: store_v2_products. */
  delete(product_id: number, options?: Options): Call<void>
  readonly metafields: ProductsMetafieldsMethods
  readonly categoryAssignments: ProductsCategoryAssignmentsMethods
  readonly channelAssignments: ProductsChannelAssignmentsMethods
  readonly variants: ProductsVariantsMethods
  readonly images: ProductsImagesMethods
  readonly videos: ProductsVideosMethods
  readonly customFields: ProductsCustomFieldsMethods
  readonly bulkPricingRules: ProductsBulkPricingRulesMethods
  readonly complexRules: ProductsComplexRulesMethods
  readonly reviews: ProductsReviewsMethods
  readonly options: ProductsOptionsMethods
  readonly modifiers: ProductsModifiersMethods
}

interface ProductsBulkPricingRulesMethods {
  /** List the bulk pricing rules of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductBulkPricingRulesQuery, options?: Options): CountedPages<s.BulkPricingRule>
  /** Create a bulk pricing rule. Scope: store_v2_products. */
  create(product_id: number, body: s.NewBulkPricingRule, options?: Options): Call<s.BulkPricingRule>
  /** Get a bulk pricing rule. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, bulk_pricing_rule_id: number, query?: q.GetProductBulkPricingRuleQuery, options?: Options): Call<s.BulkPricingRule>
  /** Change a bulk pricing rule. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, bulk_pricing_rule_id: number, body?: s.BulkPricingRuleChanges, options?: Options): Call<s.BulkPricingRule>
  /** Delete a bulk pricing rule. Scope: store_v2_products. */
  delete(product_id: number, bulk_pricing_rule_id: number, options?: Options): Call<void>
}

interface ProductsCategoryAssignmentsMethods {
  /** List the category assignments of products. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListProductCategoryAssignmentsQuery, options?: Options): CountedPages<s.CategoryAssignment>
  /** Assign products to categories. Existing assignments stay. All assignments are stored, or none. Scope: store_v2_products. */
  updateMany(body: s.CategoryAssignment[], options?: Options): Call<void>
  /** Remove products from categories. Scope: store_v2_products. */
  deleteMany(query?: q.DeleteProductCategoryAssignmentsQuery, options?: Options): Call<void>
}

interface ProductsChannelAssignmentsMethods {
  /** List the channel assignments of products. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListProductChannelAssignmentsQuery, options?: Options): CountedPages<s.ChannelAssignment>
  /** Assign products to channels. Scope: store_v2_products. */
  updateMany(body: s.ChannelAssignment[], options?: Options): Call<void>
  /** Remove products from channels. Scope: store_v2_products. */
  deleteMany(query?: q.DeleteProductChannelAssignmentsQuery, options?: Options): Call<void>
}

interface ProductsComplexRulesMethods {
  /** List the complex rules of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductComplexRulesQuery, options?: Options): CountedPages<s.ComplexRule>
  /** Create a complex rule. Scope: store_v2_products. */
  create(product_id: number, body?: s.NewComplexRule, options?: Options): Call<s.ComplexRule>
  /** Get a complex rule. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, complex_rule_id: number, query?: q.GetProductComplexRuleQuery, options?: Options): Call<s.ComplexRule>
  /** Change a complex rule. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, complex_rule_id: number, body?: s.ComplexRuleChanges, options?: Options): Call<s.ComplexRule>
  /** Delete a complex rule. Scope: store_v2_products. */
  delete(product_id: number, complex_rule_id: number, options?: Options): Call<void>
}

interface ProductsCustomFieldsMethods {
  /** List the custom fields of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductCustomFieldsQuery, options?: Options): CountedPages<s.CustomField>
  /** Create a custom field of a product. Scope: store_v2_products. */
  create(product_id: number, body: s.NewCustomField, options?: Options): Call<s.CustomField>
  /** Get a custom field of a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, custom_field_id: number, query?: q.GetProductCustomFieldQuery, options?: Options): Call<s.CustomField>
  /** Change a custom field of a product. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, custom_field_id: number, body?: s.CustomFieldChanges, options?: Options): Call<s.CustomField>
  /** Delete a custom field of a product. Scope: store_v2_products. */
  delete(product_id: number, custom_field_id: number, options?: Options): Call<void>
}

interface ProductsImagesMethods {
  /** List the images of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductImagesQuery, options?: Options): CountedPages<s.ProductImage>
  /** Add an image to a product. Scope: store_v2_products. */
  create(product_id: number, body?: s.NewPicture, options?: Options): Call<s.ProductImage>
  /** Get an image of a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, image_id: number, query?: q.GetProductImageQuery, options?: Options): Call<s.ProductImage>
  /** Change an image of a product. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, image_id: number, body?: s.PictureChanges, options?: Options): Call<s.ProductImage>
  /** Delete an image of a product. Scope: store_v2_products. */
  delete(product_id: number, image_id: number, options?: Options): Call<void>
}

interface ProductsMetafieldsMethods {
  /** List the metafields of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a product. One client has at most 250 on one product. Scope: store_v2_products. */
  create(product_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, metafield_id: number, query?: q.GetProductMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a product. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a product. Scope: store_v2_products. */
  delete(product_id: number, metafield_id: number, options?: Options): Call<void>
  /** List the metafields of all products. Scope: store_v2_products_read_only or store_v2_products. */
  listAll(query?: q.ListAllProductMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several products. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several products. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_products. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several products. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface ProductsModifiersMethods {
  /** List the modifiers of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductModifiersQuery, options?: Options): CountedPages<s.Modifier>
  /** Create a modifier of a product. Scope: store_v2_products. */
  create(product_id: number, body: s.NewModifier, options?: Options): Call<s.Modifier>
  /** Get a modifier of a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, modifier_id: number, query?: q.GetProductModifierQuery, options?: Options): Call<s.Modifier>
  /** Change a modifier of a product. A list of values replaces all values: a missing one is deleted with its variants and complex rules. Scope: store_v2_products. */
  update(product_id: number, modifier_id: number, body?: s.ModifierChanges, options?: Options): Call<s.Modifier>
  /** Delete a modifier of a product. Scope: store_v2_products. */
  delete(product_id: number, modifier_id: number, options?: Options): Call<void>
  readonly values: ProductsModifiersValuesMethods
}

interface ProductsModifiersValuesMethods {
  /** List the values of a modifier. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, modifier_id: number, query?: q.ListProductModifierValuesQuery, options?: Options): CountedPages<s.ModifierValue>
  /** Add a value to a modifier. Scope: store_v2_products. */
  create(product_id: number, modifier_id: number, body: s.NewModifierValue, options?: Options): Call<s.ModifierValue>
  /** Get a value of a modifier. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, modifier_id: number, value_id: number, query?: q.GetProductModifierValueQuery, options?: Options): Call<s.ModifierValue>
  /** Change a value of a modifier. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, modifier_id: number, value_id: number, body?: s.ModifierValueChanges, options?: Options): Call<s.ModifierValue>
  /** Delete a value of a modifier. Scope: store_v2_products. */
  delete(product_id: number, modifier_id: number, value_id: number, options?: Options): Call<void>
  readonly image: ProductsModifiersValuesImageMethods
}

interface ProductsModifiersValuesImageMethods {
  /** Give a value of a modifier an image. Scope: store_v2_products. */
  create(product_id: number, modifier_id: number, value_id: number, body: s.ImageUpload, options?: Options): Call<s.ImageAddress>
}

interface ProductsOptionsMethods {
  /** List the options of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductOptionsQuery, options?: Options): CountedPages<s.Option>
  /** Create an option of a product. Scope: store_v2_products. */
  create(product_id: number, body: s.NewOption, options?: Options): Call<s.Option>
  /** Get an option of a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, option_id: number, query?: q.GetProductOptionQuery, options?: Options): Call<s.Option>
  /** Change an option of a product. A list of values replaces all values: a missing one is deleted with its variants and complex rules. Scope: store_v2_products. */
  update(product_id: number, option_id: number, body?: s.OptionChanges, options?: Options): Call<s.Option>
  /** Delete an option of a product. Scope: store_v2_products. */
  delete(product_id: number, option_id: number, options?: Options): Call<void>
  readonly values: ProductsOptionsValuesMethods
}

interface ProductsOptionsValuesMethods {
  /** List the values of an option. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, option_id: number, query?: q.ListProductOptionValuesQuery, options?: Options): CountedPages<s.OptionValue>
  /** Add a value to an option. Scope: store_v2_products. */
  create(product_id: number, option_id: number, body: s.NewOptionValue, options?: Options): Call<s.OptionValue>
  /** Get a value of an option. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, option_id: number, value_id: number, query?: q.GetProductOptionValueQuery, options?: Options): Call<s.OptionValue>
  /** Change a value of an option. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, option_id: number, value_id: number, body?: s.OptionValueChanges, options?: Options): Call<s.OptionValue>
  /** Delete a value of an option. Scope: store_v2_products. */
  delete(product_id: number, option_id: number, value_id: number, options?: Options): Call<void>
}

interface ProductsReviewsMethods {
  /** List the reviews of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductReviewsQuery, options?: Options): CountedPages<s.Review>
  /** Create a review. Scope: store_v2_products. */
  create(product_id: number, body: s.NewReview, options?: Options): Call<s.Review>
  /** Get a review. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, review_id: number, query?: q.GetProductReviewQuery, options?: Options): Call<s.Review>
  /** Change a review. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, review_id: number, body?: s.ReviewChanges, options?: Options): Call<s.Review>
  /** Delete a review. Scope: store_v2_products. */
  delete(product_id: number, review_id: number, options?: Options): Call<void>
}

interface ProductsVariantsMethods {
  /** List the variants of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductVariantsQuery, options?: Options): CountedPages<s.Variant>
  /** Create a variant. The body names one value of each option of the product. Scope: store_v2_products. */
  create(product_id: number, body: s.NewVariant, options?: Options): Call<s.Variant>
  /** Get a variant. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, variant_id: number, query?: q.GetProductVariantQuery, options?: Options): Call<s.Variant>
  /** Change a variant. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, variant_id: number, body?: s.VariantChanges, options?: Options): Call<s.Variant>
  /** Delete a variant. Scope: store_v2_products. */
  delete(product_id: number, variant_id: number, options?: Options): Call<void>
  readonly image: ProductsVariantsImageMethods
  readonly metafields: ProductsVariantsMetafieldsMethods
}

interface ProductsVariantsImageMethods {
  /** Give a variant an image. Scope: store_v2_products. */
  create(product_id: number, variant_id: number, body?: s.VariantPicture, options?: Options): Call<s.ImageAddress>
}

interface ProductsVariantsMetafieldsMethods {
  /** List the metafields of a variant. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, variant_id: number, query?: q.ListProductVariantMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create a metafield of a variant. One client has at most 250 on one variant. Scope: store_v2_products. */
  create(product_id: number, variant_id: number, body: s.NewMetafield, options?: Options): Call<s.Metafield>
  /** Get a metafield of a variant. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, variant_id: number, metafield_id: number, query?: q.GetProductVariantMetafieldQuery, options?: Options): Call<s.Metafield>
  /** Change a metafield of a variant. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, variant_id: number, metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.Metafield>
  /** Delete a metafield of a variant. Scope: store_v2_products. */
  delete(product_id: number, variant_id: number, metafield_id: number, options?: Options): Call<void>
}

interface ProductsVideosMethods {
  /** List the videos of a product. Scope: store_v2_products_read_only or store_v2_products. */
  list(product_id: number, query?: q.ListProductVideosQuery, options?: Options): CountedPages<s.Video>
  /** Create a video of a product. Scope: store_v2_products. */
  create(product_id: number, body: s.NewVideo, options?: Options): Call<s.Video>
  /** Get a video of a product. Scope: store_v2_products_read_only or store_v2_products. */
  get(product_id: number, id: number, query?: q.GetProductVideoQuery, options?: Options): Call<s.Video>
  /** Change a video of a product. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(product_id: number, id: number, body?: s.VideoChanges, options?: Options): Call<s.Video>
  /** Delete a video of a product. Scope: store_v2_products. */
  delete(product_id: number, id: number, options?: Options): Call<void>
}

interface PromotionsMethods {
  /** List the promotions. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  list(query?: q.ListPromotionsQuery, options?: Options): CountedPages<s.Promotion>
  /** Create a promotion. A rule that would repeat without end makes the promotion INVALID: it is stored and does not run. Scope: store_v2_marketing. */
  create(body: s.NewPromotion, options?: Options): Call<s.Promotion>
  /** Delete promotions. Promotions with codes are refused one by one, the others are deleted. Scope: store_v2_marketing. */
  deleteMany(query?: q.DeletePromotionsQuery, options?: Options): Call<void>
  /** Get a promotion. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  get(id: number, options?: Options): Call<s.Promotion>
  /** Change a promotion. Fields that the body leaves out stay. Lists are replaced as a whole. Scope: store_v2_marketing. */
  update(id: number, body?: s.PromotionChanges, options?: Options): Call<s.Promotion>
  /** Delete a promotion. A promotion that has codes is refused. Scope: store_v2_marketing. */
  delete(id: number, options?: Options): Call<void>
  readonly settings: PromotionsSettingsMethods
  readonly codes: PromotionsCodesMethods
}

interface PromotionsCodesMethods {
  /** Find a coupon code. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  find(query: q.FindPromotionCodeQuery, options?: Options): Call<s.PromotionCode[]>
  /** Delete a coupon code by its text. Scope: store_v2_marketing. */
  deleteByText(query: q.DeletePromotionCodeByTextQuery, options?: Options): Call<void>
  /** List the codes of a promotion. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  list(promotion_id: number, query?: q.ListPromotionCodesQuery, options?: Options): CountedPages<s.PromotionCode>
  /** Create a code of a promotion. Scope: store_v2_marketing. */
  create(promotion_id: number, body: s.NewPromotionCode, options?: Options): Call<s.PromotionCode>
  /** Delete codes of a promotion. Ids of codes of other promotions are skipped. Scope: store_v2_marketing. */
  deleteMany(promotion_id: number, query?: q.DeletePromotionCodesQuery, options?: Options): Call<void>
  /** Delete a code of a promotion. Scope: store_v2_marketing. */
  delete(promotion_id: number, code_id: number, options?: Options): Call<void>
  /** Generate codes of a promotion. For promotions of the coupon_type BULK. The codes are listed without their ids. Scope: store_v2_marketing. */
  generate(promotion_id: number, body: s.NewPromotionCodes, options?: Options): Call<s.GeneratedPromotionCodes>
}

interface PromotionsSettingsMethods {
  /** Get the promotion settings. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  get(options?: Options): Call<s.PromotionSettings>
  /** Change the promotion settings. All four are required. The first three can be changed with some plans only. Scope: store_v2_marketing. */
  update(body: s.PromotionSettings, options?: Options): Call<s.PromotionSettings>
}

interface SegmentsMethods {
  /** List the segments. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListSegmentsQuery, options?: Options): CountedPages<s.Segment>
  /** Create segments. At most 50 items. Either all are saved or none. Scope: store_v2_customers. */
  createMany(body: s.NewSegment[], options?: Options): Call<s.Segment[]>
  /** Change segments. At most 50 items. Either all are saved or none. Fields that the body omits keep their values. Scope: store_v2_customers. */
  updateMany(body: s.SegmentChanges[], options?: Options): Call<s.Segment[]>
  /** Delete segments. Without id:in, deletes every segment of the store. The profiles remain. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteSegmentsQuery, options?: Options): Call<void>
  readonly shopperProfiles: SegmentsShopperProfilesMethods
}

interface SegmentsShopperProfilesMethods {
  /** List the shopper profiles of a segment. Needs the scope to modify, as in the contract. Scope: store_v2_customers. */
  list(segment_id: string, query?: q.ListSegmentShopperProfilesQuery, options?: Options): CountedPages<s.ShopperProfile>
  /** Add shopper profiles to a segment. At most 50 items. Either all are saved or none. Scope: store_v2_customers. */
  createMany(segment_id: string, body: string[], options?: Options): Call<s.ShopperProfile[]>
  /** Remove shopper profiles from a segment. Without id:in, removes all of them. The profiles remain. Scope: store_v2_customers. */
  deleteMany(segment_id: string, query?: q.DeleteSegmentShopperProfilesQuery, options?: Options): Call<void>
}

interface SettingsMethods {
  /** Get the catalog settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetCatalogSettingsQuery, options?: Options): Call<s.CatalogSettings>
  /** Change the catalog settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.CatalogSettingsChanges, options?: BodyOptions<q.UpdateCatalogSettingsQuery>): Call<s.CatalogSettings>
  readonly formFields: SettingsFormFieldsMethods
  readonly analytics: SettingsAnalyticsMethods
  readonly search: SettingsSearchMethods
  readonly storefront: SettingsStorefrontMethods
  readonly store: SettingsStoreMethods
  readonly logo: SettingsLogoMethods
  readonly favicon: SettingsFaviconMethods
  readonly emailStatuses: SettingsEmailStatusesMethods
  readonly inventory: SettingsInventoryMethods
  readonly pickups: SettingsPickupsMethods
}

interface SettingsAnalyticsMethods {
  /** List the analytics providers. Scope: store_v2_content_read_only or store_v2_information_read_only or store_v2_content or store_v2_information. */
  list(query?: q.ListAnalyticsProvidersQuery, options?: Options): CountedPages<s.AnalyticsProvider>
  /** Get an analytics provider. Scope: store_v2_content_read_only or store_v2_information_read_only or store_v2_content or store_v2_information. */
  get(analytics_provider_id: number, query?: q.GetAnalyticsProviderQuery, options?: Options): Call<s.AnalyticsProvider>
  /** Change an analytics provider. Fields that the body omits keep their values. Scope: store_v2_content or store_v2_information. */
  update(analytics_provider_id: number, body?: s.AnalyticsProviderChanges, options?: BodyOptions<q.UpdateAnalyticsProviderQuery>): Call<s.AnalyticsProvider>
}

interface SettingsEmailStatusesMethods {
  /** Get the email statuses. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetEmailStatusesQuery, options?: Options): Call<s.EmailStatuses>
  /** Change the email statuses. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.EmailStatusesChanges, options?: BodyOptions<q.UpdateEmailStatusesQuery>): Call<s.EmailStatuses>
}

interface SettingsFaviconMethods {
  readonly image: SettingsFaviconImageMethods
}

interface SettingsFaviconImageMethods {
  /** Set the favicon image of the store or a channel. Scope: store_v2_information. */
  upload(body: s.FaviconUpload, options?: BodyOptions<q.UploadFaviconImageQuery>): Call<void>
}

interface SettingsFormFieldsMethods {
  /** Get the form fields. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.FormFields>
  /** Change the form fields. Each list in the body replaces the stored one. Fields that are not in it are deleted with all their values. Fields that the body omits keep their values. Scope: store_v2_information. */
  update(body?: s.FormFieldChanges, options?: Options): Call<s.FormFields>
}

interface SettingsInventoryMethods {
  /** Get the inventory settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetInventorySettingsQuery, options?: Options): Call<s.InventorySettings>
  /** Change the inventory settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.InventorySettingsChanges, options?: BodyOptions<q.UpdateInventorySettingsQuery>): Call<s.InventorySettings>
  readonly notifications: SettingsInventoryNotificationsMethods
}

interface SettingsInventoryNotificationsMethods {
  /** Get the inventory notification settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetInventoryNotificationSettingsQuery, options?: Options): Call<s.InventoryNotificationSettings>
  /** Change the inventory notification settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.InventoryNotificationSettingsChanges, options?: BodyOptions<q.UpdateInventoryNotificationSettingsQuery>): Call<s.InventoryNotificationSettings>
}

interface SettingsLogoMethods {
  /** Get the logo settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetLogoSettingsQuery, options?: Options): Call<s.LogoSettings>
  /** Change the logo settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.LogoSettingsChanges, options?: BodyOptions<q.UpdateLogoSettingsQuery>): Call<s.LogoSettings>
  readonly image: SettingsLogoImageMethods
}

interface SettingsLogoImageMethods {
  /** Set the logo image of the store or a channel. Scope: store_v2_information. */
  upload(body: s.LogoUpload, options?: BodyOptions<q.UploadLogoImageQuery>): Call<void>
}

interface SettingsPickupsMethods {
  /** Get the pickup settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetPickupSettingsQuery, options?: Options): Call<s.PickupSettings>
  /** Change the pickup settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.PickupSettingsChanges, options?: BodyOptions<q.UpdatePickupSettingsQuery>): Call<s.PickupSettings>
}

interface SettingsSearchMethods {
  readonly filters: SettingsSearchFiltersMethods
}

interface SettingsSearchFiltersMethods {
  /** List the search filters. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListSearchFiltersQuery, options?: Options): CountedPages<s.SearchFilter>
  /** Replace the search filters. Shoppers see them in the order of the list. Missing filters are deleted. Scope: store_v2_information. */
  replaceMany(body: s.SearchFilter[], options?: Options): Call<s.SearchFilter[]>
  readonly available: SettingsSearchFiltersAvailableMethods
  readonly contexts: SettingsSearchFiltersContextsMethods
}

interface SettingsSearchFiltersAvailableMethods {
  /** List the available search filters. One for each kind of facet, and one for each option and custom field of the products. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListAvailableSearchFiltersQuery, options?: Options): CountedPages<s.AvailableSearchFilter>
}

interface SettingsSearchFiltersContextsMethods {
  /** List the search filters of channels and categories. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListSearchFilterContextsQuery, options?: Options): CountedPages<s.SearchFilterContext>
  /** Change the search filters of channels and categories. The filters of a category come before those of its channel, and these before the store's. An empty list deletes them. Scope: store_v2_information. */
  upsertMany(body: s.SearchFilterContext[], options?: Options): Call<s.SearchFilterContext[]>
}

interface SettingsStoreMethods {
  readonly locale: SettingsStoreLocaleMethods
  readonly profile: SettingsStoreProfileMethods
  readonly unitsOfMeasurement: SettingsStoreUnitsOfMeasurementMethods
}

interface SettingsStoreLocaleMethods {
  /** Get the store locale. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.StoreLocale>
  /** Change the store locale. Scope: store_v2_information. */
  update(body: s.StoreLocaleChanges, options?: Options): Call<s.StoreLocale>
}

interface SettingsStoreProfileMethods {
  /** Get the store profile. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetStoreProfileQuery, options?: Options): Call<s.StoreProfile>
  /** Change the store profile. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.StoreProfileChanges, options?: BodyOptions<q.UpdateStoreProfileQuery>): Call<s.StoreProfile>
}

interface SettingsStoreUnitsOfMeasurementMethods {
  /** Get the units of measurement. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetUnitsOfMeasurementQuery, options?: Options): Call<s.UnitsOfMeasurement>
  /** Change the units of measurement. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.UnitsOfMeasurementChanges, options?: BodyOptions<q.UpdateUnitsOfMeasurementQuery>): Call<s.UnitsOfMeasurement>
}

interface SettingsStorefrontMethods {
  readonly status: SettingsStorefrontStatusMethods
  readonly category: SettingsStorefrontCategoryMethods
  readonly product: SettingsStorefrontProductMethods
  readonly robotstxt: SettingsStorefrontRobotstxtMethods
  readonly search: SettingsStorefrontSearchMethods
  readonly security: SettingsStorefrontSecurityMethods
  readonly seo: SettingsStorefrontSeoMethods
}

interface SettingsStorefrontCategoryMethods {
  /** Get the storefront category settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetStorefrontCategorySettingsQuery, options?: Options): Call<s.StorefrontCategorySettings>
  /** Change the storefront category settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.StorefrontCategorySettingsChanges, options?: BodyOptions<q.UpdateStorefrontCategorySettingsQuery>): Call<s.StorefrontCategorySettings>
}

interface SettingsStorefrontProductMethods {
  /** Get the storefront product settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetStorefrontProductSettingsQuery, options?: Options): Call<s.StorefrontProductSettings>
  /** Change the storefront product settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.StorefrontProductSettingsChanges, options?: BodyOptions<q.UpdateStorefrontProductSettingsQuery>): Call<s.StorefrontProductSettings>
}

interface SettingsStorefrontRobotstxtMethods {
  /** Get the robots settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetRobotsSettingsQuery, options?: Options): Call<s.RobotsSettings>
  /** Change the robots settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.RobotsSettingsChanges, options?: BodyOptions<q.UpdateRobotsSettingsQuery>): Call<s.RobotsSettings>
}

interface SettingsStorefrontSearchMethods {
  /** Get the storefront search settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetStorefrontSearchSettingsQuery, options?: Options): Call<s.StorefrontSearchSettings>
  /** Change the storefront search settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.StorefrontSearchSettingsChanges, options?: BodyOptions<q.UpdateStorefrontSearchSettingsQuery>): Call<s.StorefrontSearchSettings>
}

interface SettingsStorefrontSecurityMethods {
  /** Get the storefront security settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetStorefrontSecuritySettingsQuery, options?: Options): Call<s.StorefrontSecuritySettings>
  /** Change the storefront security settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.StorefrontSecuritySettingsChanges, options?: BodyOptions<q.UpdateStorefrontSecuritySettingsQuery>): Call<s.StorefrontSecuritySettings>
}

interface SettingsStorefrontSeoMethods {
  /** Get the search engine settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetSearchEngineSettingsQuery, options?: Options): Call<s.SearchEngineSettings>
  /** Change the search engine settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.SearchEngineSettingsChanges, options?: BodyOptions<q.UpdateSearchEngineSettingsQuery>): Call<s.SearchEngineSettings>
}

interface SettingsStorefrontStatusMethods {
  /** Get the storefront status settings. With a channel, only its own values are returned. A null means that the store's value applies. Scope: store_v2_information_read_only or store_v2_information. */
  get(query?: q.GetStorefrontStatusSettingsQuery, options?: Options): Call<s.StorefrontStatusSettings>
  /** Change the storefront status settings. For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply. Scope: store_v2_information. */
  update(body?: s.StorefrontStatusSettingsChanges, options?: BodyOptions<q.UpdateStorefrontStatusSettingsQuery>): Call<s.StorefrontStatusSettings>
}

interface ShippingMethods {
  readonly products: ShippingProductsMethods
  readonly settings: ShippingSettingsMethods
}

interface ShippingProductsMethods {
  readonly customsInformation: ShippingProductsCustomsInformationMethods
}

interface ShippingProductsCustomsInformationMethods {
  /** List the customs information of products. Scope: store_v2_products_read_only or store_v2_information_read_only or store_v2_products or store_v2_information. */
  list(query?: q.ListCustomsInformationQuery, options?: Options): CountedPages<s.CustomsInformation>
  /** Store the customs information of products. Creates a record, or replaces the stored one. Scope: store_v2_products or store_v2_information. */
  update(body: s.CustomsInformationChanges, options?: Options): Call<s.CustomsInformation[]>
  /** Delete the customs information of products. Scope: store_v2_products or store_v2_information. */
  delete(query: q.DeleteCustomsInformationQuery, options?: Options): Call<void>
}

interface ShippingSettingsMethods {
  /** Get the shipping settings. Scope: store_v2_products_read_only or store_v2_information_read_only or store_v2_products or store_v2_information. */
  get(options?: Options): Call<s.ShippingSettings>
  /** Change the shipping settings. Fields that the body leaves out keep their values. Scope: store_v2_products or store_v2_information. */
  update(body?: s.ShippingSettingsChanges, options?: Options): Call<s.ShippingSettings>
  readonly channels: ShippingSettingsChannelsMethods
}

interface ShippingSettingsChannelsMethods {
  /** Get the shipping settings of a channel. A null message means that the message of the store applies. Scope: store_v2_products_read_only or store_v2_information_read_only or store_v2_products or store_v2_information. */
  get(channel_id: number, options?: Options): Call<s.ShippingSettingsOfChannel>
  /** Change the shipping settings of a channel. Scope: store_v2_products or store_v2_information. */
  update(channel_id: number, body?: s.ShippingSettingsOfChannelChanges, options?: Options): Call<s.ShippingSettingsOfChannel>
}

interface ShopperProfilesMethods {
  /** List the shopper profiles. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListShopperProfilesQuery, options?: Options): CountedPages<s.ShopperProfile>
  /** Create shopper profiles. At most 50, either all are saved or none. A customer has at most one. Scope: store_v2_customers. */
  createMany(body: s.NewShopperProfile[], options?: Options): Call<s.ShopperProfile[]>
  /** Delete shopper profiles. Without id:in, deletes every profile of the store. The customers remain. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteShopperProfilesQuery, options?: Options): Call<void>
  readonly segments: ShopperProfilesSegmentsMethods
}

interface ShopperProfilesSegmentsMethods {
  /** List the segments of a shopper profile. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(shopper_profile_id: string, query?: q.ListShopperProfileSegmentsQuery, options?: Options): CountedPages<s.Segment>
}

interface SitesMethods {
  /** List the sites. Scope: store_sites_read_only or store_sites. */
  list(query?: q.ListSitesQuery, options?: Options): CountedPages<s.Site>
  /** Create a site. Scope: store_sites. */
  create(body: s.NewSite, options?: Options): Call<s.Site>
  /** Get a site. Scope: store_sites_read_only or store_sites. */
  get(site_id: number, options?: Options): Call<s.Site>
  /** Change a site. Scope: store_sites. */
  update(site_id: number, body?: s.SiteChanges, options?: Options): Call<s.Site>
  /** Delete a site. With its routes. The first site stays: 409. Scope: store_sites. */
  delete(site_id: number, options?: Options): Call<void>
  readonly routes: SitesRoutesMethods
  readonly certificates: SitesCertificatesMethods
  readonly certificate: SitesCertificateMethods
}

interface SitesCertificateMethods {
  /** Get the certificate of a site. Scope: store_sites_read_only or store_sites. */
  get(site_id: number, options?: Options): Call<{
    status: "dedicated" | "shared"
    installed_certificate: s.InstalledCertificate | null
  }>
  /** Install a certificate for a site. In PEM. The key is stored encrypted and is never returned. Scope: store_sites. */
  update(site_id: number, body: s.NewCertificate, options?: Options): Call<Record<string, never>>
}

interface SitesCertificatesMethods {
  /** List the certificates of sites. Scope: store_sites_read_only or store_sites. */
  list(query?: q.ListSiteCertificatesQuery, options?: Options): CountedPages<s.InstalledCertificate>
}

interface SitesRoutesMethods {
  /** List the routes of a site. Scope: store_sites_read_only or store_sites. */
  list(site_id: number, query?: q.ListSiteRoutesQuery, options?: Options): CountedPages<s.SiteRoute>
  /** Create a route of a site. Scope: store_sites. */
  create(site_id: number, body: s.NewSiteRoute, options?: Options): Call<s.SiteRoute>
  /** Create and change routes of a site. An item with an id is changed, one without is created. All items are stored, or none. Scope: store_sites. */
  upsertMany(site_id: number, body: s.SiteRouteUpsert[], options?: Options): Call<s.SiteRoute[]>
  /** Get a route of a site. Scope: store_sites_read_only or store_sites. */
  get(site_id: number, route_id: number, options?: Options): Call<s.SiteRoute>
  /** Change a route of a site. Scope: store_sites. */
  update(site_id: number, route_id: number, body: s.NewSiteRoute, options?: Options): Call<s.SiteRoute>
  /** Delete a route of a site. Scope: store_sites. */
  delete(site_id: number, route_id: number, options?: Options): Call<void>
}

interface StoreMethods {
  readonly metafields: StoreMetafieldsMethods
  readonly systemlogs: StoreSystemlogsMethods
}

interface StoreMetafieldsMethods {
  /** List the metafields of the store. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListStoreMetafieldsQuery, options?: Options): CountedPages<s.StoreMetafield>
  /** Create metafields of the store. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_information. */
  createMany(body: s.NewMetafield[], options?: Options): Call<s.StoreMetafield[]>
  /** Change metafields of the store. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_information. */
  updateMany(body: s.StoreMetafieldChangesById[], options?: Options): Call<s.StoreMetafield[]>
  /** Delete metafields of the store. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_information. */
  deleteMany(body: (number | string)[], options?: Options): Call<number[]>
  /** Get a metafield of the store. Scope: store_v2_information_read_only or store_v2_information. */
  get(metafield_id: number, query?: q.GetStoreMetafieldQuery, options?: Options): Call<s.StoreMetafield>
  /** Change a metafield of the store. Only the client that created it may change key, namespace and permission_set. Fields that the body omits keep their values. Scope: store_v2_information. */
  update(metafield_id: number, body?: s.MetafieldChanges, options?: Options): Call<s.StoreMetafield>
  /** Delete a metafield of the store. Scope: store_v2_information. */
  delete(metafield_id: number, options?: Options): Call<void>
}

interface StoreSystemlogsMethods {
  /** List the system logs. Scope: store_logs_read_only. */
  list(query?: q.ListSystemLogsQuery, options?: Options): CountedPages<s.SystemLog>
}

interface StorefrontMethods {
  readonly redirects: StorefrontRedirectsMethods
  readonly customTemplateAssociations: StorefrontCustomTemplateAssociationsMethods
  readonly apiToken: StorefrontApiTokenMethods
  readonly apiTokenPrivate: StorefrontApiTokenPrivateMethods
  readonly apiTokenCustomerImpersonation: StorefrontApiTokenCustomerImpersonationMethods
}

interface StorefrontApiTokenMethods {
  /** Create a storefront token. For pages of the allowed origins; it is not secret. With expires_at 0 the token never expires. Scope: store_storefront_api. */
  create(body: s.NewStorefrontToken, options?: Options): Call<s.StorefrontToken>
  /** Revoke a token. Send the token, of any type, in the header Sf-Api-Token. It fails within a second. The client needs a scope that creates tokens of its type. Scope: store_storefront_api or store_storefront_api_customer_impersonation. */
  revoke(options?: Options): Call<Record<string, never>>
}

interface StorefrontApiTokenCustomerImpersonationMethods {
  /** Create a customer impersonation token. For servers; it is secret. Each request names the customer that it acts for. A request without a body, but with the header X-Svc-Customer-Id, creates a token for channel 1 and a day. Scope: store_storefront_api_customer_impersonation. */
  create(body: s.NewImpersonationToken, options?: Options): Call<s.StorefrontToken>
  /** Revoke a customer impersonation token. Send the token, of any type, in the header Sf-Api-Token. It fails within a second. The client needs a scope that creates tokens of its type. Scope: store_storefront_api or store_storefront_api_customer_impersonation. */
  revoke(options?: Options): Call<Record<string, never>>
}

interface StorefrontApiTokenPrivateMethods {
  /** Create a private token. For servers. It reads and changes the fields of its scopes. With expires_at 0 the token never expires. Scope: store_storefront_api. */
  create(body: s.NewPrivateToken, options?: Options): Call<s.StorefrontToken>
}

interface StorefrontCustomTemplateAssociationsMethods {
  /** List the template associations. Scope: store_themes_read_only or store_themes_manage. */
  list(query?: q.ListTemplateAssociationsQuery, options?: Options): CountedPages<s.TemplateAssociation>
  /** Create or change template associations. Overwrites the file of associations of the same channel and entity. Either all are saved or none. Scope: store_themes_manage. */
  upsertMany(body: s.NewTemplateAssociation[], options?: Options): Call<s.TemplateAssociation[]>
  /** Delete template associations by a filter. Needs at least one filter. Associations that match all of them are deleted. Scope: store_themes_manage. */
  deleteMany(query?: q.DeleteTemplateAssociationsQuery, options?: Options): Call<void>
}

interface StorefrontRedirectsMethods {
  /** List the redirects. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListRedirectsQuery, options?: Options): CountedPages<s.Redirect>
  /** Create or change redirects. Overwrites redirects of the same site and path. Either all are saved or none. Scope: store_v2_content. */
  upsertMany(body: s.NewRedirect[], options?: Options): Call<s.Redirect[]>
  /** Delete redirects by a filter. Needs id:in or site_id. Redirects that match both are deleted. Scope: store_v2_content. */
  deleteMany(query?: q.DeleteRedirectsQuery, options?: Options): Call<void>
  /** Import redirects. A job stores the rows of a CSV file. A store can have one import or export at a time. Scope: store_v2_content. */
  import(body: s.RedirectImport, options?: Options): Call<s.RedirectJobId>
  /** Export redirects. A job writes a CSV file. A store can have one import or export at a time. Scope: store_v2_content. */
  export(body?: s.RedirectExport, options?: Options): Call<s.RedirectJobId>
  /** Get the file of an export. Works for 24 hours. Scope: store_v2_content_read_only or store_v2_content. */
  downloadExport(uuid: string, options?: Options): Call<string>
  /** Watch an import of redirects. Sends an event for each change, and ends with the job or after ten minutes. A store can have 5 streams. Scope: store_v2_content_read_only or store_v2_content. */
  watchImport(uuid: string, options?: Options): EventStream
  /** Watch an export of redirects. Sends an event for each change, and ends with the job or after ten minutes. A store can have 5 streams. Scope: store_v2_content_read_only or store_v2_content. */
  watchExport(uuid: string, options?: Options): EventStream
  readonly jobs: StorefrontRedirectsJobsMethods
}

interface StorefrontRedirectsJobsMethods {
  /** List the imports and exports of redirects. The newest come first. Jobs remain for 30 days. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListRedirectJobsQuery, options?: Options): CountedPages<s.RedirectJob>
}

interface SummaryMethods {
  /** Get figures about the catalog. Scope: store_v2_products_read_only or store_v2_products. */
  get(options?: Options): Call<s.CatalogSummary>
}

interface TaxMethods {
  readonly classes: TaxClassesMethods
  readonly zones: TaxZonesMethods
  readonly rates: TaxRatesMethods
  readonly settings: TaxSettingsMethods
  readonly providers: TaxProvidersMethods
  readonly properties: TaxPropertiesMethods
  readonly customers: TaxCustomersMethods
  readonly products: TaxProductsMethods
}

interface TaxClassesMethods {
  /** Create tax classes. All are stored, or none. Scope: store_v2_information. */
  createMany(body: s.NewTaxClass[], options?: Options): Call<s.TaxClass[]>
  /** Rename tax classes. All are stored, or none. Scope: store_v2_information. */
  updateMany(body: s.TaxClassChanges[], options?: Options): Call<s.TaxClass[]>
  /** Delete tax classes. All are deleted, or none. Their products fall back to the default class. Scope: store_v2_information. */
  deleteMany(query?: q.DeleteTaxClassesQuery, options?: Options): Call<void>
}

interface TaxCustomersMethods {
  /** List the tax properties of customers. Only customers that have values are listed. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListCustomerTaxPropertiesQuery, options?: Options): CountedPages<s.CustomerTaxProperties>
  /** Set tax properties of customers. All are stored, or none. Values of codes that are not sent stay; null takes a value away. Scope: store_v2_information. */
  set(body: s.CustomerTaxPropertyChanges[], options?: Options): Call<s.CustomerTaxProperties[]>
  /** Take all tax properties from customers. Scope: store_v2_information. */
  deleteMany(query: q.DeleteCustomerTaxPropertiesQuery, options?: Options): Call<void>
}

interface TaxProductsMethods {
  readonly properties: TaxProductsPropertiesMethods
}

interface TaxProductsPropertiesMethods {
  /** List the tax properties of products. Only products that have values are listed. Scope: store_v2_information_read_only or store_v2_information. */
  list(query: q.ListProductTaxPropertiesQuery, options?: Options): CountedPages<s.ProductTaxProperties>
  /** Set tax properties of products. All are stored, or none. Values of codes that are not sent stay; null takes a value away. Scope: store_v2_information. */
  set(body: s.ProductTaxPropertyChanges[], options?: Options): Call<s.ProductTaxProperties[]>
  /** Take all tax properties from products. Scope: store_v2_information. */
  deleteMany(query: q.DeleteProductTaxPropertiesQuery, options?: Options): Call<void>
}

interface TaxPropertiesMethods {
  /** List the tax properties. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListTaxPropertiesQuery, options?: Options): CountedPages<s.TaxProperty>
  /** Create tax properties. All are stored, or none. Scope: store_v2_information. */
  createMany(body: s.NewTaxProperty[], options?: Options): Call<s.TaxProperty[]>
  /** Change tax properties. All are stored, or none. The type never changes. Fields that the body omits keep their values. Scope: store_v2_information. */
  updateMany(body: s.TaxPropertyChanges[], options?: Options): Call<s.TaxProperty[]>
  /** Delete tax properties. None is deleted if a customer or product has a value of one of them. Scope: store_v2_information. */
  deleteMany(query: q.DeleteTaxPropertiesQuery, options?: Options): Call<void>
}

interface TaxProvidersMethods {
  readonly connection: TaxProvidersConnectionMethods
}

interface TaxProvidersConnectionMethods {
  /** Get the connection of a tax provider. Scope: store_v2_information_read_only or store_v2_information. */
  get(provider_id: string, options?: Options): Call<s.TaxProviderConnection>
  /** Connect a tax provider. Fields that are not sent stay. The password is never answered. Scope: store_v2_information. */
  update(provider_id: string, body?: s.TaxProviderConnectionChanges, options?: Options): Call<s.TaxProviderConnection>
  /** Disconnect a tax provider. If it was active, the store's own rates apply again. Scope: store_v2_information. */
  delete(provider_id: string, options?: Options): Call<s.TaxProviderConnection>
}

interface TaxRatesMethods {
  /** List the tax rates. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListTaxRatesQuery, options?: Options): CountedPages<s.TaxRate>
  /** Create tax rates. All are stored, or none. Scope: store_v2_information. */
  createMany(body: s.NewTaxRate[], options?: Options): Call<s.TaxRate[]>
  /** Change tax rates. All are stored, or none. Percentages of classes that are not sent stay. Scope: store_v2_information. */
  updateMany(body: s.TaxRateChanges[], options?: Options): Call<s.TaxRate[]>
  /** Delete tax rates. Scope: store_v2_information. */
  deleteMany(query?: q.DeleteTaxRatesQuery, options?: Options): Call<void>
}

interface TaxSettingsMethods {
  /** Get the tax settings. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.TaxSettings>
  /** Change the tax settings. Fields that are not sent stay. Scope: store_v2_information. */
  update(body?: s.TaxSettingsChanges, options?: Options): Call<s.TaxSettings>
}

interface TaxZonesMethods {
  /** List the tax zones. All of them: the list has no pages. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListTaxZonesQuery, options?: Options): CountedPages<s.TaxZone>
  /** Create tax zones. All are stored, or none. Scope: store_v2_information. */
  createMany(body: s.NewTaxZone[], options?: Options): Call<s.TaxZone[]>
  /** Change tax zones. All are stored, or none. Fields that are not sent stay, also those inside of others. Scope: store_v2_information. */
  updateMany(body: s.TaxZoneChanges[], options?: Options): Call<s.TaxZone[]>
  /** Delete tax zones. Their rates are deleted too. Settings that name one of them name zone 1 instead. Scope: store_v2_information. */
  deleteMany(query?: q.DeleteTaxZonesQuery, options?: Options): Call<void>
  /** Find the tax zones of places. One zone for each place, in the order of the body. Scope: store_v2_information_read_only or store_v2_information. */
  check(body: s.TaxZoneCheck[], options?: Options): Call<s.TaxZone[]>
}

interface ThemesMethods {
  /** List the themes. All themes on one page: first the ones that channels show, then the last changed ones. Scope: store_themes_read_only or store_themes_manage. */
  list(query?: q.ListThemesQuery, options?: Options): CountedPages<s.Theme>
  /** Upload a theme. A job validates the archive. A store can have 20 private themes, and one upload at a time. Scope: store_themes_manage. */
  upload(body: s.ThemeUpload, options?: Options): Call<s.ThemeJobId>
  /** Get a theme. Scope: store_themes_read_only or store_themes_manage. */
  get(uuid: string, options?: Options): Call<s.Theme>
  /** Delete a theme. Deletes its variations and configurations, too. The built-in theme, and a theme that a channel shows, cannot be deleted. Scope: store_themes_manage. */
  delete(uuid: string, options?: Options): Call<void>
  /** Download a theme. A job makes the archive. The body is optional. The same request has the same job for an hour. A store can have 4 downloads in progress. Scope: store_themes_manage. */
  download(uuid: string, body?: s.ThemeDownload, options?: Options): Call<s.ThemeJobId>
  /** Activate a theme on a channel. Each field can be in the body or in the query. The first channel is used if no channel and no site are given. Scope: store_themes_manage. */
  activate(body?: s.ThemeActivation, options?: BodyOptions<q.ActivateThemeQuery>): Call<void>
  readonly customTemplates: ThemesCustomTemplatesMethods
  readonly jobs: ThemesJobsMethods
  readonly configurations: ThemesConfigurationsMethods
}

interface ThemesConfigurationsMethods {
  /** List the configurations of a theme. At least one filter is required. By channel, the active and the last saved configurations are returned. Scope: store_themes_read_only or store_themes_manage. */
  list(uuid: string, query?: q.ListThemeConfigurationsQuery, options?: Options): CountedPages<s.ThemeConfiguration>
  /** Save a configuration of a theme. A theme can have 100 configurations. With a channel, the new one is its last saved configuration. Scope: store_themes_manage. */
  create(uuid: string, body: s.NewThemeConfiguration, options?: Options): Call<s.ThemeConfiguration>
  /** Try a configuration of a theme. Scope: store_themes_manage. */
  validate(uuid: string, body: s.ThemeConfigurationToValidate, options?: Options): Call<Record<string, never>>
}

interface ThemesCustomTemplatesMethods {
  /** List the custom templates of a theme. File names in `templates/pages/custom`, by kind of page. Scope: store_themes_read_only or store_themes_manage. */
  get(version_uuid: string, options?: Options): Call<s.CustomTemplates>
}

interface ThemesJobsMethods {
  /** Get a theme job. The progress of an upload or a download is available for 24 hours. A download link works for 60 seconds. Scope: store_themes_read_only or store_themes_manage. */
  get(job_id: string, options?: Options): Call<s.ThemeJob>
}

interface TreesMethods {
  /** List the category trees. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListCategoryTreesQuery, options?: Options): CountedPages<s.CategoryTree>
  /** Create and change category trees. Items with an id are changed, items without one are created. All items are stored, or none. Fields that the body omits keep their values. Scope: store_v2_products. */
  upsertMany(body: s.CategoryTreeUpsert[], options?: Options): Call<s.CategoryTree[]>
  /** Delete category trees. Deletes their categories too. Refused (409) if a product would have no category left. Scope: store_v2_products. */
  deleteMany(query?: q.DeleteCategoryTreesQuery, options?: Options): Call<void>
  readonly categories: TreesCategoriesMethods
}

interface TreesCategoriesMethods {
  /** Get all categories of a tree, each below its parent. One request at a time for each store. Scope: store_v2_products_read_only or store_v2_products. */
  get(tree_id: number, query?: q.GetCategoryTreeQuery, options?: Options): CountedPages<{
  id: number
  parent_id: number
  /** The depth in the store's unit of length */
  depth: number
  path: number[]
  name: string
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  url: string
  children: {
    id: number
    parent_id: number
    /** The depth in the store's unit of length */
    depth: number
    path: number[]
    name: string
    /** Whether shoppers see it in storefronts */
    is_visible: boolean
    url: string
    children: {
      id: number
      parent_id: number
      /** The depth in the store's unit of length */
      depth: number
      path: number[]
      name: string
      /** Whether shoppers see it in storefronts */
      is_visible: boolean
      url: string
      children: {
        id: number
        parent_id: number
        /** The depth in the store's unit of length */
        depth: number
        path: number[]
        name: string
        /** Whether shoppers see it in storefronts */
        is_visible: boolean
        url: string
        children: {
          id: number
          parent_id: number
          /** The depth in the store's unit of length */
          depth: number
          path: number[]
          name: string
          /** Whether shoppers see it in storefronts */
          is_visible: boolean
          url: string
          children: {
            id: number
            parent_id: number
            /** The depth in the store's unit of length */
            depth: number
            path: number[]
            name: string
            /** Whether shoppers see it in storefronts */
            is_visible: boolean
            url: string
            children: {
              id: number
              parent_id: number
              /** The depth in the store's unit of length */
              depth: number
              path: number[]
              name: string
              /** Whether shoppers see it in storefronts */
              is_visible: boolean
              url: string
              children: {
                id: number
                parent_id: number
                /** The depth in the store's unit of length */
                depth: number
                path: number[]
                name: string
                /** Whether shoppers see it in storefronts */
                is_visible: boolean
                url: string
                children: Record<string, never>[]
              }[]
            }[]
          }[]
        }[]
      }[]
    }[]
  }[]
}>
  /** List the categories of all trees. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListTreeCategoriesQuery, options?: Options): CountedPages<s.TreeCategory>
  /** Create categories in any trees. Each item is saved by itself. Mistakes of the others are reported by their index (207; 422 if no item is saved). Scope: store_v2_products. */
  createMany(body: s.NewTreeCategory[], options?: Options): Call<s.TreeCategory[]>
  /** Change categories of any trees. Each item is saved by itself. Mistakes of the others are reported by their index (207; 422 if no item is saved). Fields that the body omits keep their values. Scope: store_v2_products. */
  updateMany(body: s.TreeCategoryChanges[], options?: Options): Call<{
    meta: s.BatchMeta
  }>
  /** Delete categories of any trees by a filter. Scope: store_v2_products. */
  deleteMany(query?: q.DeleteTreeCategoriesQuery, options?: Options): Call<{
    meta: s.BatchMeta
  }>
}

interface V2Methods {
  readonly brands: V2BrandsMethods
  readonly currencies: V2CurrenciesMethods
  readonly customers: V2CustomersMethods
  readonly customerGroups: V2CustomerGroupsMethods
  readonly taxClasses: V2TaxClassesMethods
  readonly store: V2StoreMethods
  readonly countries: V2CountriesMethods
  readonly blog: V2BlogMethods
  readonly pages: V2PagesMethods
  readonly redirects: V2RedirectsMethods
  readonly time: V2TimeMethods
  readonly shipping: V2ShippingMethods
  readonly giftCertificates: V2GiftCertificatesMethods
  readonly banners: V2BannersMethods
  readonly coupons: V2CouponsMethods
  readonly orders: V2OrdersMethods
  readonly orderStatuses: V2OrderStatusesMethods
  readonly payments: V2PaymentsMethods
}

interface V2BannersMethods {
  /** List the banners. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  list(query?: q.ListBannersV2Query, options?: Options): Pages<s.Banner>
  /** Create a banner. Scope: store_v2_marketing. */
  create(body: s.NewBanner, options?: Options): Call<s.Banner>
  /** Delete all banners. Scope: store_v2_marketing. */
  deleteMany(options?: Options): Call<void>
  /** Count the banners. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  count(options?: Options): Call<s.BannerCount>
  /** Get a banner. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  get(id: number, options?: Options): Call<s.Banner>
  /** Change a banner. Fields that the body leaves out keep their values. Scope: store_v2_marketing. */
  update(id: number, body?: s.BannerChanges, options?: Options): Call<s.Banner>
  /** Delete a banner. Scope: store_v2_marketing. */
  delete(id: number, options?: Options): Call<void>
}

interface V2BlogMethods {
  readonly posts: V2BlogPostsMethods
  readonly tags: V2BlogTagsMethods
}

interface V2BlogPostsMethods {
  /** List the blog posts. The newest come first. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListBlogPostsV2Query, options?: Options): Pages<s.BlogPost>
  /** Create a blog post. If the address is taken or malformed, everything else is saved, and the answer is 207. Scope: store_v2_content. */
  create(body: s.NewBlogPost, options?: Options): Call<s.BlogPost>
  /** Delete a page of the blog posts. Deletes the posts of one page of the list, by default the 50 newest. Scope: store_v2_content. */
  deleteMany(query?: q.DeleteBlogPostsV2Query, options?: Options): Call<void>
  /** Count the blog posts. Scope: store_v2_content_read_only or store_v2_content. */
  count(options?: Options): Call<s.BlogPostCount>
  /** Get a blog post. Scope: store_v2_content_read_only or store_v2_content. */
  get(post_id: number, options?: Options): Call<s.BlogPost>
  /** Change a blog post. Without is_published the post goes offline; other fields that the body omits keep their values. If the address is taken or malformed, everything else is saved, and the answer is 207. Scope: store_v2_content. */
  update(post_id: number, body?: s.BlogPostChanges, options?: Options): Call<s.BlogPost>
  /** Delete a blog post. Scope: store_v2_content. */
  delete(post_id: number, options?: Options): Call<void>
}

interface V2BlogTagsMethods {
  /** List the blog tags. All tags of all posts, in alphabetical order, on one page. Scope: store_v2_content_read_only or store_v2_content. */
  list(options?: Options): Call<s.BlogTag[] | undefined>
}

interface V2BrandsMethods {
  /** List the brands. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListBrandsV2Query, options?: Options): Pages<s.Brand>
  /** Create a brand. Scope: store_v2_products. */
  create(body: s.NewBrandV2, options?: Options): Call<s.Brand>
  /** Get a brand. Scope: store_v2_products_read_only or store_v2_products. */
  get(brand_id: number, options?: Options): Call<s.Brand>
  /** Change a brand. Fields that the body omits keep their values. Scope: store_v2_products. */
  update(brand_id: number, body?: s.BrandChanges, options?: Options): Call<s.Brand>
  /** Delete a brand. Scope: store_v2_products. */
  delete(brand_id: number, options?: Options): Call<void>
}

interface V2CountriesMethods {
  /** List the countries. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListCountriesV2Query, options?: Options): Pages<s.Country>
  /** Count the countries. Scope: store_v2_information_read_only or store_v2_information. */
  count(options?: Options): Call<s.GeographyCount>
  /** Get a country. Scope: store_v2_information_read_only or store_v2_information. */
  get(id: number, options?: Options): Call<s.Country>
  readonly states: V2CountriesStatesMethods
}

interface V2CountriesStatesMethods {
  /** List the states of all countries. Scope: store_v2_information_read_only or store_v2_information. */
  listAll(query?: q.ListAllStatesQuery, options?: Options): Pages<s.CountryState>
  /** Count the states of all countries. Scope: store_v2_information_read_only or store_v2_information. */
  countAll(options?: Options): Call<s.GeographyCount>
  /** List the states of a country. Scope: store_v2_information_read_only or store_v2_information. */
  list(country_id: number, query?: q.ListCountryStatesQuery, options?: Options): Pages<s.CountryState>
  /** Count the states of a country. Scope: store_v2_information_read_only or store_v2_information. */
  count(country_id: number, options?: Options): Call<s.GeographyCount>
  /** Get a state of a country. Scope: store_v2_information_read_only or store_v2_information. */
  get(country_id: number, id: number, options?: Options): Call<s.CountryState>
}

interface V2CouponsMethods {
  /** List the coupons. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  list(query?: q.ListCouponsV2Query, options?: Options): Pages<s.Coupon>
  /** Create a coupon. Scope: store_v2_marketing. */
  create(body: s.NewCoupon, options?: Options): Call<s.Coupon>
  /** Delete coupons. Without ids all coupons are deleted, and the codes of promotions with them. Scope: store_v2_marketing. */
  deleteMany(query?: q.DeleteCouponsV2Query, options?: Options): Call<void>
  /** Count the coupons. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  count(options?: Options): Call<s.CouponCount>
  /** Get a coupon. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  get(id: number, options?: Options): Call<s.Coupon>
  /** Change a coupon. Fields that the body leaves out keep their values, except for applies_to: without it the coupon matches nothing. Scope: store_v2_marketing. */
  update(id: number, body?: s.CouponChanges, options?: Options): Call<s.Coupon>
  /** Delete a coupon. Scope: store_v2_marketing. */
  delete(id: number, options?: Options): Call<void>
}

interface V2CurrenciesMethods {
  /** List the currencies. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListCurrenciesV2Query, options?: Options): Pages<s.CurrencyV2>
  /** Create a currency. Scope: store_v2_information. */
  create(body: s.NewCurrencyV2, options?: Options): Call<s.CurrencyV2>
  /** Delete all currencies but the default. Those that channels are assigned to stay. Scope: store_v2_information. */
  deleteMany(options?: Options): Call<void>
  /** Get a currency. Scope: store_v2_information_read_only or store_v2_information. */
  get(currency_id: number, options?: Options): Call<s.CurrencyV2>
  /** Change a currency. Fields that the body omits keep their values. Scope: store_v2_information. */
  update(currency_id: number, body?: s.CurrencyChangesV2, options?: Options): Call<s.CurrencyV2>
  /** Delete a currency. Not the default, nor one that a channel is assigned to: 409. Scope: store_v2_information. */
  delete(currency_id: number, options?: Options): Call<void>
}

interface V2CustomerGroupsMethods {
  /** List the customer groups. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomerGroupsV2Query, options?: Options): Pages<s.CustomerGroupV2>
  /** Create a customer group. Either one rule names a price list, or the rules are discounts for all products, categories and products. Scope: store_v2_customers. */
  create(body: s.NewCustomerGroupV2, options?: Options): Call<s.CustomerGroupV2>
  /** Count the customer groups. Scope: store_v2_customers_read_only or store_v2_customers. */
  count(query?: q.GetCustomerGroupCountV2Query, options?: Options): Call<s.CountV2>
  /** Get a customer group. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(customer_group_id: number, options?: Options): Call<s.CustomerGroupV2>
  /** Change a customer group. Fields that the body omits remain. discount_rules replaces all rules of the group. Scope: store_v2_customers. */
  update(customer_group_id: number, body?: s.CustomerGroupChangesV2, options?: Options): Call<s.CustomerGroupV2>
  /** Delete a customer group. Its members remain, without a group. Scope: store_v2_customers. */
  delete(customer_group_id: number, options?: Options): Call<void>
}

interface V2CustomersMethods {
  /** List the customers. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListCustomersV2Query, options?: Options): Pages<s.CustomerV2>
  /** Create a customer. Scope: store_v2_customers. */
  create(body: s.NewCustomerV2, options?: Options): Call<s.CustomerV2>
  /** Delete customers by a filter. At most 100 in one call, those with the lowest ids. Without a filter all match. Scope: store_v2_customers. */
  deleteMany(query?: q.DeleteCustomersV2Query, options?: Options): Call<void>
  /** Count the customers. Scope: store_v2_customers_read_only or store_v2_customers. */
  count(query?: q.CountCustomersV2Query, options?: Options): Call<s.CountV2>
  /** Get a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(customer_id: number, options?: Options): Call<s.CustomerV2>
  /** Change a customer. Fields that the body omits keep their values. Scope: store_v2_customers. */
  update(customer_id: number, body?: s.CustomerChangesV2, options?: Options): Call<s.CustomerV2>
  /** Delete a customer. Scope: store_v2_customers. */
  delete(customer_id: number, options?: Options): Call<void>
  /** Validate the password of a customer. Checks the password for every channel where the customer may log in. Attempts are limited, together with those of v3: 429. Scope: store_v2_customers. */
  validate(customer_id: number, body: s.CustomerPassword, options?: Options): Call<s.PasswordValidation>
  readonly addresses: V2CustomersAddressesMethods
}

interface V2CustomersAddressesMethods {
  /** List the addresses of a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(customer_id: number, query?: q.ListCustomerAddressesV2Query, options?: Options): Pages<s.CustomerAddressV2>
  /** Create an address of a customer. If the customer has an equal address, the answer is that one. Scope: store_v2_customers. */
  create(customer_id: number, body: s.NewCustomerAddressV2, options?: Options): Call<s.CustomerAddressV2>
  /** Delete all addresses of a customer. Deletes all of them. page and limit are ignored. Scope: store_v2_customers. */
  deleteMany(customer_id: number, query?: q.DeleteCustomerAddressesV2Query, options?: Options): Call<void>
  /** Count the addresses of a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  count(customer_id: number, options?: Options): Call<s.CountV2>
  /** Get an address of a customer. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(customer_id: number, customer_address_id: number, options?: Options): Call<s.CustomerAddressV2>
  /** Change an address of a customer. If the customer has an equal address, nothing changes. Fields that the body omits keep their values. Scope: store_v2_customers. */
  update(customer_id: number, customer_address_id: number, body?: s.CustomerAddressChangesV2, options?: Options): Call<s.CustomerAddressV2>
  /** Delete an address of a customer. Scope: store_v2_customers. */
  delete(customer_id: number, customer_address_id: number, options?: Options): Call<void>
}

interface V2GiftCertificatesMethods {
  /** List the gift certificates. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  list(query?: q.ListGiftCertificatesV2Query, options?: Options): Pages<s.GiftCertificate>
  /** Create a gift certificate. No e-mail is sent. Without a code the server makes one. Scope: store_v2_marketing. */
  create(body: s.NewGiftCertificate, options?: Options): Call<s.GiftCertificate>
  /** Delete all gift certificates. Scope: store_v2_marketing. */
  deleteMany(options?: Options): Call<void>
  /** Get a gift certificate. Scope: store_v2_marketing_read_only or store_v2_marketing. */
  get(id: number, options?: Options): Call<s.GiftCertificate>
  /** Change a gift certificate. Fields that the body leaves out keep their values. Scope: store_v2_marketing. */
  update(id: number, body?: s.GiftCertificateChanges, options?: Options): Call<s.GiftCertificate>
  /** Delete a gift certificate. Scope: store_v2_marketing. */
  delete(id: number, options?: Options): Call<void>
}

interface V2OrderStatusesMethods {
  /** List the statuses of orders. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(options?: Options): Call<s.OrderStatus[]>
  /** Get a status of orders. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(status_id: number, options?: Options): Call<s.OrderStatus>
}

interface V2OrdersMethods {
  /** List the orders. Filters choose orders by status, customer, time (`min_date_created`) and more. Archived orders are listed only with `is_deleted=true`. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(query?: q.ListOrdersV2Query, options?: Options): Pages<s.Order>
  /** Create an order. The order can have products of the catalog and custom ones. Prices in the body are not recalculated. Scope: store_v2_orders. */
  create(body: s.NewOrder, options?: BodyOptions<q.CreateOrderV2Query>): Call<s.Order>
  /** Archive orders. Lists omit all orders at once; their events follow within seconds. With a limit, archives the first orders that are not archived yet. Scope: store_v2_orders. */
  deleteMany(query?: q.DeleteOrdersV2Query, options?: Options): Call<void>
  /** Count the orders by status. Scope: store_v2_orders_read_only or store_v2_orders. */
  count(query?: q.GetOrderCountV2Query, options?: Options): Call<s.OrderCount>
  /** Get an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, query?: q.GetOrderV2Query, options?: Options): Call<s.Order>
  /** Change an order. Products are patched: without an id one is added, with quantity 0 it is removed. Fees are replaced as a whole. Fields that the body omits keep their values. Scope: store_v2_orders. */
  update(order_id: number, body?: s.OrderChanges, options?: Options): Call<s.Order>
  /** Archive an order. Scope: store_v2_orders. */
  delete(order_id: number, options?: Options): Call<void>
  readonly products: V2OrdersProductsMethods
  readonly shippingAddresses: V2OrdersShippingAddressesMethods
  readonly taxes: V2OrdersTaxesMethods
  readonly fees: V2OrdersFeesMethods
  readonly consignments: V2OrdersConsignmentsMethods
  readonly coupons: V2OrdersCouponsMethods
  readonly messages: V2OrdersMessagesMethods
  readonly shipments: V2OrdersShipmentsMethods
}

interface V2OrdersConsignmentsMethods {
  /** Get the consignments of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, query?: q.GetOrderConsignmentsV2Query, options?: Options): Call<s.OrderConsignments>
  readonly shipping: V2OrdersConsignmentsShippingMethods
}

interface V2OrdersConsignmentsShippingMethods {
  readonly shippingQuotes: V2OrdersConsignmentsShippingShippingQuotesMethods
}

interface V2OrdersConsignmentsShippingShippingQuotesMethods {
  /** Get the shipping quotes of a shipping consignment of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, address_id: number, options?: Options): Call<s.OrderShippingQuote | undefined>
}

interface V2OrdersCouponsMethods {
  /** List the coupons of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderCouponsV2Query, options?: Options): Pages<s.OrderCoupon>
}

interface V2OrdersFeesMethods {
  /** List the fees of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderFeesV2Query, options?: Options): Pages<s.OrderFee>
}

interface V2OrdersMessagesMethods {
  /** List the messages of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderMessagesV2Query, options?: Options): Pages<s.OrderMessage>
}

interface V2OrdersProductsMethods {
  /** List the products of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderProductsV2Query, options?: Options): Pages<s.OrderProduct>
  /** Get a product of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, product_id: number, options?: Options): Call<s.OrderProduct>
}

interface V2OrdersShipmentsMethods {
  /** List the shipments of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderShipmentsV2Query, options?: Options): Pages<s.OrderShipment>
  /** Create a shipment. Without items, ships everything that was not shipped yet. Scope: store_v2_orders. */
  create(order_id: number, body?: s.NewOrderShipment, options?: Options): Call<s.OrderShipment>
  /** Delete the shipments of an order. Scope: store_v2_orders. */
  deleteMany(order_id: number, options?: Options): Call<void>
  /** Count the shipments of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  count(order_id: number, options?: Options): Call<{
    count: number
  }>
  /** Get a shipment. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, shipment_id: number, options?: Options): Call<s.OrderShipment>
  /** Change a shipment. The items of a shipment never change. Fields that the body omits keep their values. Scope: store_v2_orders. */
  update(order_id: number, shipment_id: number, body?: s.OrderShipmentChanges, options?: Options): Call<s.OrderShipment>
  /** Delete a shipment. Scope: store_v2_orders. */
  delete(order_id: number, shipment_id: number, options?: Options): Call<void>
}

interface V2OrdersShippingAddressesMethods {
  /** List the shipping addresses of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderShippingAddressesV2Query, options?: Options): Pages<s.OrderShippingAddress>
  /** Get a shipping address of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, address_id: number, options?: Options): Call<s.OrderShippingAddress>
  /** Change a shipping address of an order. Shipping and tax are not recalculated. Fields that the body omits keep their values. Scope: store_v2_orders. */
  update(order_id: number, address_id: number, body?: s.OrderShippingAddressChanges, options?: Options): Call<s.OrderShippingAddress>
  readonly shippingQuotes: V2OrdersShippingAddressesShippingQuotesMethods
}

interface V2OrdersShippingAddressesShippingQuotesMethods {
  /** Get the shipping quotes of a shipping address of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  get(order_id: number, address_id: number, options?: Options): Call<s.OrderShippingQuote | undefined>
}

interface V2OrdersTaxesMethods {
  /** List the taxes of an order. Scope: store_v2_orders_read_only or store_v2_orders. */
  list(order_id: number, query?: q.ListOrderTaxesV2Query, options?: Options): Pages<s.OrderTax>
}

interface V2PagesMethods {
  /** List the pages. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListPagesV2Query, options?: Options): Pages<s.PageV2>
  /** Create a page. Scope: store_v2_content. */
  create(body: s.NewPageV2, options?: Options): Call<s.PageV2>
  /** Count the pages. Scope: store_v2_content_read_only or store_v2_content. */
  count(options?: Options): Call<s.PageCount>
  /** Get a page. Scope: store_v2_content_read_only or store_v2_content. */
  get(page_id: number, options?: Options): Call<s.PageV2>
  /** Change a page. Fields that the body omits keep their values. Scope: store_v2_content. */
  update(page_id: number, body?: s.PageChangesV2, options?: Options): Call<s.PageV2>
  /** Delete a page. Its children move to the top and become invisible. Scope: store_v2_content. */
  delete(page_id: number, options?: Options): Call<void>
}

interface V2PaymentsMethods {
  readonly methods: V2PaymentsMethodsMethods
}

interface V2PaymentsMethodsMethods {
  /** List the payment methods of the store. Scope: store_payments_methods_read. */
  list(query?: q.ListPaymentMethodsV2Query, options?: Options): Pages<s.PaymentMethodV2>
}

interface V2RedirectsMethods {
  /** List the redirects. Scope: store_v2_content_read_only or store_v2_content. */
  list(query?: q.ListRedirectsV2Query, options?: Options): Pages<s.RedirectV2>
  /** Create a redirect. Scope: store_v2_content. */
  create(body: s.NewRedirectV2, options?: Options): Call<s.RedirectV2>
  /** Delete all redirects. Scope: store_v2_content. */
  deleteMany(options?: Options): Call<void>
  /** Count the redirects. Scope: store_v2_content_read_only or store_v2_content. */
  count(options?: Options): Call<s.RedirectCount>
  /** Get a redirect. Scope: store_v2_content_read_only or store_v2_content. */
  get(id: number, options?: Options): Call<s.RedirectV2>
  /** Replace a redirect. Scope: store_v2_content. */
  update(id: number, body: s.NewRedirectV2, options?: Options): Call<s.RedirectV2>
  /** Delete a redirect. Scope: store_v2_content. */
  delete(id: number, options?: Options): Call<void>
}

interface V2ShippingMethods {
  readonly zones: V2ShippingZonesMethods
  readonly methods: V2ShippingMethodsMethods
  readonly carrier: V2ShippingCarrierMethods
}

interface V2ShippingCarrierMethods {
  readonly connection: V2ShippingCarrierConnectionMethods
}

interface V2ShippingCarrierConnectionMethods {
  /** Connect a carrier. Stores the connection. Add a method to a zone to offer the carrier. Scope: store_v2_information. */
  create(body: s.CarrierConnection, options?: Options): Call<void>
  /** Change the connection of a carrier. Creates the connection if there is none. Scope: store_v2_information. */
  update(body: s.CarrierConnection, options?: Options): Call<void>
  /** Disconnect a carrier. Deletes the methods of the carrier too. Scope: store_v2_information. */
  delete(body: s.CarrierOfConnection, options?: Options): Call<void>
}

interface V2ShippingMethodsMethods {
  /** List the shipping methods of all zones. Scope: store_v2_information_read_only or store_v2_information. */
  listAll(query?: q.ListAllShippingMethodsQuery, options?: Options): Pages<s.ShippingMethodOfZone>
}

interface V2ShippingZonesMethods {
  /** List the shipping zones. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListShippingZonesV2Query, options?: Options): Pages<s.ShippingZone>
  /** Create a shipping zone. Scope: store_v2_information. */
  create(body: s.NewShippingZone, options?: Options): Call<s.ShippingZone>
  /** Get a shipping zone. Scope: store_v2_information_read_only or store_v2_information. */
  get(id: number, options?: Options): Call<s.ShippingZone>
  /** Change a shipping zone. A list of locations replaces the stored one; its locations get new ids. Scope: store_v2_information. */
  update(id: number, body: s.ShippingZoneChanges, options?: Options): Call<s.ShippingZone>
  /** Delete a shipping zone and its methods. Scope: store_v2_information. */
  delete(id: number, options?: Options): Call<void>
  readonly methods: V2ShippingZonesMethodsMethods
}

interface V2ShippingZonesMethodsMethods {
  /** List the methods of a shipping zone. Scope: store_v2_information_read_only or store_v2_information. */
  list(zone_id: number, query?: q.ListShippingZoneMethodsV2Query, options?: Options): Pages<s.ShippingMethod>
  /** Create a shipping method. Scope: store_v2_information. */
  create(zone_id: number, body: s.NewShippingMethod, options?: Options): Call<s.ShippingMethod>
  /** Get a shipping method. Scope: store_v2_information_read_only or store_v2_information. */
  get(zone_id: number, method_id: number, options?: Options): Call<s.ShippingMethod>
  /** Change a shipping method. Fields that the body omits keep their values. Scope: store_v2_information. */
  update(zone_id: number, method_id: number, body?: s.ShippingMethodChanges, options?: Options): Call<s.ShippingMethod>
  /** Delete a shipping method. Scope: store_v2_information. */
  delete(zone_id: number, method_id: number, options?: Options): Call<void>
}

interface V2StoreMethods {
  /** Get the store information. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<s.StoreInformation>
}

interface V2TaxClassesMethods {
  /** List the tax classes. Scope: store_v2_information_read_only or store_v2_information. */
  list(query?: q.ListTaxClassesV2Query, options?: Options): Pages<s.TaxClassV2>
  /** Get a tax class. Scope: store_v2_information_read_only or store_v2_information. */
  get(id: number, options?: Options): Call<s.TaxClassV2>
}

interface V2TimeMethods {
  /** Get the time of the server. Scope: store_v2_information_read_only or store_v2_information. */
  get(options?: Options): Call<{
    time: number
  }>
}

interface VariantsMethods {
  /** List the variants of all products. Scope: store_v2_products_read_only or store_v2_products. */
  list(query?: q.ListVariantsQuery, options?: Options): CountedPages<s.Variant>
  /** Change several variants. All variants are stored, or none. Fields that the body omits keep their values. Scope: store_v2_products. */
  updateMany(body: s.VariantChangesById[], options?: Options): Call<s.Variant[]>
  readonly metafields: VariantsMetafieldsMethods
}

interface VariantsMetafieldsMethods {
  /** List the metafields of all variants. Scope: store_v2_products_read_only or store_v2_products. */
  listAll(query?: q.ListAllVariantMetafieldsQuery, options?: Options): CountedPages<s.Metafield>
  /** Create metafields of several variants. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  createMany(body: s.NewMetafieldOfResource[], options?: Options): Call<s.Metafield[]>
  /** Change metafields of several variants. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Fields that the body omits keep their values. Scope: store_v2_products. */
  updateMany(body: s.MetafieldChangesById[], options?: Options): Call<s.Metafield[]>
  /** Delete metafields of several variants. At most 10 items, checked one by one: valid ones are saved, and 422 names the others by their index. Scope: store_v2_products. */
  deleteMany(body: number[], options?: Options): Call<number[]>
}

interface WishlistsMethods {
  /** List the wishlists. Scope: store_v2_customers_read_only or store_v2_customers. */
  list(query?: q.ListWishlistsQuery, options?: Options): CountedPages<s.Wishlist>
  /** Create a wishlist. Scope: store_v2_customers. */
  create(body: s.NewWishlist, options?: Options): Call<s.Wishlist>
  /** Get a wishlist. Scope: store_v2_customers_read_only or store_v2_customers. */
  get(wishlist_id: number, options?: Options): Call<s.Wishlist>
  /** Change a wishlist. Items that the body omits remain. Other operations add and remove items. Scope: store_v2_customers. */
  update(wishlist_id: number, body?: s.WishlistChanges, options?: Options): Call<s.Wishlist>
  /** Delete a wishlist. Scope: store_v2_customers. */
  delete(wishlist_id: number, options?: Options): Call<void>
  readonly items: WishlistsItemsMethods
}

interface WishlistsItemsMethods {
  /** Add items to a wishlist. Items that the list has already are skipped. Scope: store_v2_customers. */
  create(wishlist_id: number, body: s.NewWishlistItems, options?: Options): Call<s.Wishlist>
  /** Remove an item from a wishlist. The answer is the remaining list. Scope: store_v2_customers. */
  delete(wishlist_id: number, item_id: number, options?: Options): Call<s.Wishlist>
}
