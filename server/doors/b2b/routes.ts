import type { Api } from '../../core/rest/api.ts'
import { companionChannelRoutes } from './access/channels.ts'
import { storefrontSignInRoutes } from './access/storefront-sign-in.ts'
import { companyAddressRoutes } from './addresses/addresses.ts'
import { placeRoutes } from './addresses/places.ts'
import { type AttachmentParts, attachmentRoutes } from './companies/attachments.ts'
import { companyBulkRoutes } from './companies/bulk.ts'
import { companyCatalogRoutes } from './companies/catalogs.ts'
import { companyRoutes } from './companies/companies.ts'
import { hierarchyRoutes } from './companies/hierarchy.ts'
import { permissionRoutes } from './companies/permissions.ts'
import { roleRoutes } from './companies/roles.ts'
import { creditRoutes } from './credit/credit.ts'
import { companyMethodRoutes } from './credit/payment-methods.ts'
import { invoiceRoutes } from './invoices/invoices.ts'
import { invoicePaymentRoutes } from './invoices/payments.ts'
import { receiptRoutes } from './invoices/receipts.ts'
import { shoppingListRoutes } from './purchases/lists.ts'
import { companyOrderRoutes } from './purchases/orders.ts'
import { quoteEmailRoutes } from './purchases/quote-emails.ts'
import { companyQuoteRoutes, type QuoteAreaParts } from './purchases/quotes.ts'
import { salesStaffRoutes } from './staff/sales-staff.ts'
import { superAdminAssignmentRoutes } from './super-admins/assignments.ts'
import { superAdminRoutes } from './super-admins/super-admins.ts'
import { backendTokenRoutes } from './tokens/backend-tokens.ts'
import type { SignInParts } from './tokens/sign-in.ts'
import { userRoutes } from './users/users.ts'

/** The companion business-to-business API, below `/b2b/api`. */
export function companionRoutes(api: Api, parts: SignInParts & AttachmentParts & QuoteAreaParts) {
  backendTokenRoutes(api, parts)
  storefrontSignInRoutes(api, parts)
  companionChannelRoutes(api, parts.sites)
  companyRoutes(api, parts.files)
  attachmentRoutes(api, parts)
  companyBulkRoutes(api)
  companyCatalogRoutes(api)
  superAdminRoutes(api)
  superAdminAssignmentRoutes(api)
  roleRoutes(api)
  userRoutes(api)
  salesStaffRoutes(api)
  hierarchyRoutes(api)
  permissionRoutes(api)
  companyAddressRoutes(api)
  placeRoutes(api)
  creditRoutes(api)
  companyMethodRoutes(api)
  companyQuoteRoutes(api, parts)
  quoteEmailRoutes(api, parts)
  shoppingListRoutes(api)
  companyOrderRoutes(api)
  invoiceRoutes(api, parts)
  invoicePaymentRoutes(api)
  receiptRoutes(api)
}
