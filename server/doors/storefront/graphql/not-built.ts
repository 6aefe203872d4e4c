import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'

// The fields of the schema that nobody answers yet, with the reason. An entry covers everything below its field. A field in the list is
// null or empty if its type allows it, since clients take any error for the failure of the whole page.

export const NOT_BUILT = [
  {
    why: 'The mutations of orders are those of returns, which are not built.',
    fields: ['Mutation.order'],
  },
  {
    why: 'Customers register companies by the API of buyers.',
    fields: ['Mutation.company'],
  },
  {
    why: 'Promotions are shown by storefronts together with carts.',
    fields: ['Site.promotion'],
  },
  {
    why: 'These parts have no data for storefronts yet.',
    fields: ['Product.featuredPromotions'],
  },
  {
    why: 'Sessions of shoppers end with their tokens: there is no time of inactivity.',
    fields: ['Settings.inactivity'],
  },
  { why: 'The metafields of the store itself have ids of their own.', fields: ['Store.metafields'] },
] as const satisfies readonly { why: string; fields: readonly string[] }[]

/** A field as `Type.field`. */
export type NotBuilt = (typeof NOT_BUILT)[number]['fields'][number]

/** Gives the fields of the list their answers. @throws if the schema lacks one, or it has a resolver */
export function answerNotBuilt(schema: GraphQLSchema) {
  for (const name of NOT_BUILT.flatMap(({ fields }): readonly string[] => fields)) {
    const [typeName = '', fieldName = ''] = name.split('.')
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (!field || field.resolve)
      throw new Error(`${name} is in the list of missing fields, and has a resolver or is unknown.`)
    field.resolve = emptyAnswer(field)
  }
}

function emptyAnswer({ name, type }: ReturnType<GraphQLObjectType['getFields']>[string]): () => unknown {
  if (!isNonNullType(type)) return () => null
  if (isListType(type.ofType)) return () => []
  if (getNamedType(type).name.endsWith('Connection')) return () => EMPTY_CONNECTION
  return () => {
    throw new GraphRefusal(`${name} is not available yet.`, 'NOT_AVAILABLE')
  }
}

const EMPTY_CONNECTION = {
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  collectionInfo: { totalItems: 0 },
}
