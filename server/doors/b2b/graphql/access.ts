import { defaultFieldResolver, type GraphQLSchema } from 'graphql'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'
import { unstorableTexts } from '../../../core/rest/bodies/body.ts'
import type { BuyerCaller } from './caller.ts'
import { type FieldNotBuilt, NOT_BUILT_FIELDS } from './not-built.ts'
import type { SchemaObjects } from './schema-types.ts'

// The callers of each root field (docs/contract/b2b-graphql.md section 4).

/**
 * The right that a field needs: none, also with an ended token (`signIn`) or only without one (`anybody`); a valid token (`shopper`), of a
 * super admin (`superAdmin`), or of a caller who acts for an approved company (`buyer`); the permission of a code, or one of several, of
 * which the resolver checks the right one. With `alone`, people who act for no company need no code: customers, or guests too; they reach
 * what is theirs.
 */
type Access =
  | 'signIn'
  | 'anybody'
  | 'shopper'
  | 'superAdmin'
  | 'buyer'
  | { code: string; alone?: 'guests' | 'customers' }
  | { anyOf: readonly string[] }

type RootField = `Query.${keyof SchemaObjects['Query']}` | `Mutation.${keyof SchemaObjects['Mutation']}`

export const ACCESS: Readonly<Record<Exclude<RootField, FieldNotBuilt>, Access>> = {
  'Query.customerInfo': 'shopper',
  'Query.currentUser': 'shopper',
  'Query.userCompany': 'shopper',
  'Query.users': { code: 'get_users' },
  'Query.user': { code: 'get_user_detail' },
  'Query.companyRoles': { code: 'get_roles' },
  'Query.companyRole': { code: 'get_roles' },
  'Query.companyPermissions': { code: 'get_roles' },
  'Query.addresses': { code: 'get_addresses' },
  'Query.address': { code: 'get_address_detail' },
  'Query.defaultShippingAddress': { code: 'get_default_shipping' },
  'Query.defaultBillingAddress': { code: 'get_default_billing' },
  'Query.countries': 'anybody',
  'Mutation.addressCreate': { code: 'create_address' },
  'Mutation.addressUpdate': { code: 'update_address' },
  'Mutation.addressDelete': { code: 'delete_address' },
  'Query.storefrontConfigs': 'anybody',
  'Query.storefrontConfig': 'anybody',
  'Query.storeConfigSwitchStatus': 'shopper',
  'Query.storeBasicInfo': 'anybody',
  'Query.currencies': 'anybody',
  'Query.storefrontDefaultLanguage': 'anybody',
  'Query.storefrontSettings': 'anybody',
  'Query.storefrontProductSettings': 'anybody',
  'Query.autoLoader': 'anybody',
  'Query.storeLimitations': 'anybody',
  'Query.storefrontScript': 'anybody',
  'Query.storeCheckoutConfig': 'shopper',
  'Query.addressConfig': 'anybody',
  'Query.quoteConfig': 'anybody',
  'Query.companyExtraFields': 'anybody',
  'Query.userExtraFields': 'shopper',
  'Query.addressExtraFields': 'anybody',
  'Query.quoteExtraFieldsConfig': 'anybody',
  'Query.accountFormFields': 'anybody',
  'Query.companySubsidiaries': 'buyer',
  'Query.userMasqueradingCompany': 'buyer',
  'Query.superAdminCompanies': 'superAdmin',
  'Query.superAdminMasquerading': 'superAdmin',
  'Query.accountSettings': 'shopper',
  'Query.customerAccountSettings': 'shopper',
  'Query.companyCreditConfig': 'buyer',
  'Query.companyPaymentTerms': 'buyer',
  'Query.userEmailCheck': 'anybody',
  'Query.customerEmailCheck': 'anybody',
  'Query.userLoginState': 'anybody',
  'Query.companyValidateEmail': 'anybody',
  'Query.companyUserInfo': 'anybody',
  'Query.productsSearch': 'anybody',
  'Query.variantSku': 'anybody',
  'Query.priceProducts': 'anybody',
  'Query.productPurchasable': 'anybody',
  'Query.productsLoad': 'shopper',
  'Query.productsInventory': 'shopper',
  'Query.productVariantsInfo': 'shopper',
  'Query.validateProduct': 'anybody',
  'Query.validateProducts': 'anybody',
  'Mutation.productUpload': 'shopper',
  'Mutation.productAnonUpload': 'anybody',
  'Query.allOrders': { code: 'get_orders' },
  'Query.customerOrders': 'shopper',
  'Query.order': { code: 'get_order_detail' },
  'Query.customerOrder': 'shopper',
  'Query.orderProducts': { code: 'get_order_detail' },
  'Query.orderedProducts': { code: 'get_orders', alone: 'customers' },
  'Query.orderStatuses': { code: 'get_orders' },
  'Query.bcOrderStatuses': 'shopper',
  'Mutation.createOrder': 'shopper',
  'Query.invoices': { code: 'get_invoices' },
  'Query.invoice': { code: 'get_invoice_detail' },
  'Query.invoiceStats': { code: 'get_invoices' },
  'Query.invoiceCustomerInformation': { code: 'get_invoices' },
  'Query.invoicePaymentModules': { code: 'pay_invoice' },
  'Query.invoiceBcOrderAllowMethods': { code: 'pay_invoice' },
  'Query.invoicePaymentFees': { code: 'pay_invoice' },
  'Query.invoicePaymentBcCart': { code: 'pay_invoice' },
  'Mutation.invoicePdf': { code: 'get_invoice_pdf' },
  'Mutation.invoicesExport': { code: 'export_invoices' },
  'Mutation.invoiceCreateBcCart': { code: 'pay_invoice' },
  'Mutation.invoiceFinishBcPayment': { code: 'pay_invoice' },
  'Query.receipts': { code: 'get_invoice_payments_history' },
  'Query.receipt': { code: 'get_invoice_payments_history' },
  'Query.allReceiptLines': { code: 'get_invoice_payments_history' },
  'Query.receiptLine': { code: 'get_invoice_payments_history' },
  'Query.receiptLines': { code: 'get_invoice_payments_history' },
  'Query.quotes': { code: 'get_quotes' },
  'Query.customerQuotes': 'shopper',
  'Query.quote': { code: 'get_quote_detail', alone: 'guests' },
  'Mutation.quoteCreate': { code: 'create_quote', alone: 'guests' },
  'Mutation.quoteUpdate': { code: 'update_quote_message', alone: 'customers' },
  'Mutation.quoteCheckout': { code: 'checkout_with_quote', alone: 'guests' },
  'Mutation.quoteOrdered': { code: 'checkout_with_quote', alone: 'customers' },
  'Mutation.quoteEmail': { code: 'get_quote_pdf', alone: 'customers' },
  'Mutation.quotePdfExport': { code: 'get_quote_pdf', alone: 'customers' },
  'Mutation.quoteFrontendPdf': { code: 'get_quote_pdf', alone: 'customers' },
  'Mutation.quoteAttachFileCreate': { code: 'create_quote', alone: 'customers' },
  'Mutation.quoteAttachFileDelete': { code: 'create_quote', alone: 'customers' },
  'Query.shoppingLists': { code: 'get_shopping_lists' },
  'Query.shoppingListsIdName': { code: 'get_shopping_lists' },
  'Query.shoppingList': { code: 'get_shopping_list_detail' },
  'Query.customerShoppingLists': 'shopper',
  'Query.customerShoppingList': 'shopper',
  'Query.customerShoppingListsIdName': 'shopper',
  'Mutation.shoppingListsCreate': { code: 'create_shopping_list' },
  'Mutation.shoppingListsUpdate': {
    anyOf: ['update_shopping_list', 'submit_shopping_list_for_approval', 'approve_draft_shopping_list'],
  },
  'Mutation.shoppingListsDelete': { code: 'delete_shopping_list' },
  'Mutation.shoppingListsDuplicate': { code: 'deplicate_shopping_list' },
  'Mutation.shoppingListsItemsCreate': { code: 'create_shopping_list_item' },
  'Mutation.shoppingListsItemsUpdate': { code: 'update_shopping_list_item' },
  'Mutation.shoppingListsItemsDelete': { code: 'delete_shopping_list_item' },
  'Mutation.customerShoppingListsCreate': 'shopper',
  'Mutation.customerShoppingListsUpdate': 'shopper',
  'Mutation.customerShoppingListsDelete': 'shopper',
  'Mutation.customerShoppingListsDuplicate': 'shopper',
  'Mutation.customerShoppingListsItemsCreate': 'shopper',
  'Mutation.customerShoppingListsItemsUpdate': 'shopper',
  'Mutation.customerShoppingListsItemsDelete': 'shopper',
  'Query.customerAddresses': 'shopper',
  'Query.customerAddress': 'shopper',
  'Mutation.customerAddressCreate': 'shopper',
  'Mutation.customerAddressUpdate': 'shopper',
  'Mutation.customerAddressDelete': 'shopper',
  'Query.createdByUser': { anyOf: ['get_orders', 'get_shopping_lists', 'get_quotes'] },
  'Mutation.userMasqueradingCompanyBegin': { code: 'get_company_subsidiaries' },
  'Mutation.userMasqueradingCompanyEnd': 'shopper',
  'Mutation.superAdminBeginMasquerade': 'superAdmin',
  'Mutation.superAdminEndMasquerade': 'superAdmin',
  'Mutation.updateAccountSettings': 'shopper',
  'Mutation.updateCustomerAccountSettings': 'shopper',
  'Mutation.userCreate': { code: 'create_user' },
  'Mutation.userUpdate': { code: 'update_user' },
  'Mutation.userDelete': { code: 'delete_user' },
  'Mutation.companyCreate': 'anybody',
  'Mutation.customerCreate': 'anybody',
  'Mutation.customerSubscribersCreate': 'anybody',
  'Mutation.checkoutLogin': 'shopper',
  'Mutation.storeFrontToken': 'signIn',
  'Mutation.login': 'signIn',
  'Mutation.authorization': 'signIn',
}

/** Checks the caller before each root field. @throws if a field declares no access */
export function guardRoots(schema: GraphQLSchema) {
  const declared = new Map<string, Access>(Object.entries(ACCESS))
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const name = `${root?.name}.${field.name}`
      if (NOT_BUILT_FIELDS.has(name)) continue
      const access = declared.get(name)
      if (access === undefined) throw new Error(`${name} declares no access.`)
      const { resolve = defaultFieldResolver } = field
      field.resolve = (parent, args, caller: BuyerCaller, info) => {
        refuseCaller(caller, access)
        if (unstorableTexts(args) !== undefined)
          throw new GraphRefusal("A text has characters that can't be stored.", 422)
        return resolve(parent, args, caller, info)
      }
    }
  }
}

/** @throws GraphRefusal 40101 for an ended token, 401 without a token, 403 without the permission */
function refuseCaller({ shopper, isTokenEnded }: BuyerCaller, access: Access) {
  if (access === 'signIn') return
  if (isTokenEnded) throw new GraphRefusal('The authToken has expired or was revoked.', 40_101)
  if (access === 'anybody') return
  const alone = typeof access === 'object' && 'alone' in access ? access.alone : undefined
  if (!shopper && alone === 'guests') return
  if (!shopper) throw new GraphRefusal('Sign in first.', 401)
  if (access === 'shopper') return
  if (access === 'superAdmin' ? shopper.superAdmin !== undefined : access === 'buyer' && shopper.buyer) return
  if (alone !== undefined && !shopper.buyer && shopper.superAdmin === undefined) return
  const codes = typeof access === 'string' ? [] : 'code' in access ? [access.code] : access.anyOf
  if (shopper.buyer?.grants.some(({ code }) => codes.includes(code))) return
  throw new GraphRefusal('Your role does not permit this.', 403)
}
