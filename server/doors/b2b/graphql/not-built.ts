import { type GraphQLSchema, isObjectType } from 'graphql'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'

// The root fields of the schema that nobody answers yet, with the reason. They answer an error with the code 501, and never made-up data.

export const FIELDS_NOT_BUILT = [
  {
    why: 'Orders and bought products follow the reads of companies.',
    fields: ['Mutation.quoteOrdered'],
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
    why: 'Public clients never ask for tax zones, and one of them may have 40,000 postal codes.',
    fields: ['Query.taxZoneRates'],
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
