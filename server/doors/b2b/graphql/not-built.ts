import { type GraphQLSchema, isObjectType } from 'graphql'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'

// The root fields of the schema that nobody answers yet, with the reason. They answer an error with the code 501, and never made-up data.

export const FIELDS_NOT_BUILT = [
  {
    why: 'Public clients never ask for it: a quote has the data itself.',
    fields: ['Query.quoteUserStoreInfo'],
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
