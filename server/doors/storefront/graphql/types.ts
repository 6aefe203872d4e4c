import type { FieldsOf, ResolversOf } from '../../../core/graphql/resolver-types.ts'
import type { StorefrontCaller } from '../caller.ts'
import type { NotBuilt } from './not-built.ts'
import type { SchemaAbstracts, SchemaObjects } from './schema-types.ts'

/**
 * The values that resolvers receive as their parents, by the name of the type. The files of `fields/` add theirs. Of all other types the
 * value has a property for each field.
 * @public
 */
export interface Parents {
  Query: undefined
  Mutation: undefined
}

/** The schema of storefronts (core/graphql/resolver-types.ts). */
interface StorefrontSchema {
  objects: SchemaObjects
  abstracts: SchemaAbstracts
  parents: Parents
  notBuilt: NotBuilt
  caller: StorefrontCaller
}

/** The resolvers of several types. */
export type Fields<Name extends keyof SchemaObjects> = FieldsOf<StorefrontSchema, Name>

export type StorefrontResolvers = ResolversOf<StorefrontSchema>
