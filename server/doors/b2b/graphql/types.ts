import type { FieldsOf, ResolversOf } from '../../../core/graphql/resolver-types.ts'
import type { BuyerCaller } from './caller.ts'
import type { FieldNotBuilt } from './not-built.ts'
import type { SchemaAbstracts, SchemaObjects } from './schema-types.ts'

/**
 * The values that resolvers receive as their parents, by the name of the type. The files of `fields/` add theirs. Of all other types the
 * value has a property for each field.
 * @public
 */
export interface BuyerParents {
  Query: undefined
  Mutation: undefined
}

/** The schema of buyers (core/graphql/resolver-types.ts). */
interface BuyerSchema {
  objects: SchemaObjects
  abstracts: SchemaAbstracts
  parents: BuyerParents
  notBuilt: FieldNotBuilt
  caller: BuyerCaller
}

type RootFields = FieldsOf<BuyerSchema, 'Query' | 'Mutation'>
export type QueryFields<Field extends keyof RootFields['Query']> = Pick<RootFields['Query'], Field>
export type MutationFields<Field extends keyof RootFields['Mutation']> = Pick<RootFields['Mutation'], Field>

/** The resolvers of some types. */
export type BuyerFields<Name extends keyof BuyerResolvers> = Required<Pick<BuyerResolvers, Name>>

export type BuyerResolvers = ResolversOf<BuyerSchema>
