import { type GraphQLSchema, isObjectType } from 'graphql'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'

// The root fields of the schema that nobody answers yet, with the reason. They answer an error with the code 501, and never made-up data.

export const FIELDS_NOT_BUILT = [
  {
    why: 'Orders and bought products follow the reads of companies.',
    fields: [
      'Query.invoiceBcOrderAllowMethods',
      'Query.order',
      'Query.allOrders',
      'Query.orderProducts',
      'Query.orderedProducts',
      'Query.customerOrders',
      'Query.customerOrder',
      'Query.orderStatuses',
      'Query.bcOrderStatuses',
      'Mutation.createOrder',
      'Mutation.quoteOrdered',
    ],
  },
  {
    why: 'Quotes of buyers follow; messages, files and e-mails of quotes are written by the seller first.',
    fields: [
      'Query.quotes',
      'Query.customerQuotes',
      'Query.quote',
      'Query.quoteUserStoreInfo',
      'Mutation.quoteCreate',
      'Mutation.quoteUpdate',
      'Mutation.quoteCheckout',
      'Mutation.quoteEmail',
      'Mutation.quotePdfExport',
      'Mutation.quoteAttachFileDelete',
      'Mutation.quoteAttachFileCreate',
      'Mutation.quoteFrontendPdf',
    ],
  },
  {
    why: 'Shopping lists of buyers follow.',
    fields: [
      'Query.shoppingLists',
      'Query.shoppingList',
      'Query.shoppingListsIdName',
      'Query.customerShoppingLists',
      'Query.customerShoppingList',
      'Query.customerShoppingListsIdName',
      'Mutation.shoppingListsCreate',
      'Mutation.shoppingListsUpdate',
      'Mutation.shoppingListsDelete',
      'Mutation.shoppingListsDuplicate',
      'Mutation.shoppingListsItemsCreate',
      'Mutation.shoppingListsItemsUpdate',
      'Mutation.shoppingListsItemsDelete',
      'Mutation.customerShoppingListsCreate',
      'Mutation.customerShoppingListsUpdate',
      'Mutation.customerShoppingListsDelete',
      'Mutation.customerShoppingListsDuplicate',
      'Mutation.customerShoppingListsItemsCreate',
      'Mutation.customerShoppingListsItemsUpdate',
      'Mutation.customerShoppingListsItemsDelete',
    ],
  },
  {
    why: 'Invoices, payments and receipts of buyers follow.',
    fields: [
      'Query.invoices',
      'Query.invoice',
      'Query.invoiceStats',
      'Query.invoiceCustomerInformation',
      'Query.invoicePaymentModules',
      'Query.invoicePaymentBcCart',
      'Query.invoicePaymentFees',
      'Query.receipts',
      'Query.receipt',
      'Query.allReceiptLines',
      'Query.receiptLine',
      'Query.receiptLines',
      'Mutation.invoicePdf',
      'Mutation.invoicesExport',
      'Mutation.invoiceCreateBcCart',
      'Mutation.invoiceFinishBcPayment',
    ],
  },
  {
    why: 'Addresses of plain customers and the settings of addresses follow.',
    fields: [
      'Query.customerAddresses',
      'Query.customerAddress',
      'Mutation.customerAddressCreate',
      'Mutation.customerAddressUpdate',
      'Mutation.customerAddressDelete',
    ],
  },
  {
    why: 'Products for buyers follow, with their prices.',
    fields: [
      'Query.productVariantsInfo',
      'Query.variantSku',
      'Query.productsInventory',
      'Query.productsLoad',
      'Query.productsSearch',
      'Query.taxZoneRates',
      'Query.productPurchasable',
      'Query.priceProducts',
      'Query.validateProduct',
      'Query.validateProducts',
      'Mutation.productUpload',
      'Mutation.productAnonUpload',
    ],
  },
  {
    why: 'Users, roles, registration and masquerading follow.',
    fields: [
      'Query.createdByUser',
    ],
  },
] as const satisfies readonly { why: string; fields: readonly string[] }[]

/** A field as `Type.field`. */
export type FieldNotBuilt = (typeof FIELDS_NOT_BUILT)[number]['fields'][number]

export const NOT_BUILT_FIELDS: ReadonlySet<string> = new Set(
  FIELDS_NOT_BUILT.flatMap(({ fields }): readonly string[] => fields),
)

/** Gives the fields of the list their refusals. @throws if the schema lacks one, or it has a resolver */
export function refuseNotBuilt(schema: GraphQLSchema) {
  for (const name of NOT_BUILT_FIELDS) {
    const [typeName = '', fieldName = ''] = name.split('.')
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (!field || field.resolve) throw new Error(`${name} is listed as missing, and has a resolver or is unknown.`)
    field.resolve = () => {
      throw new GraphRefusal(`${fieldName} is not available yet.`, 501)
    }
  }
}
