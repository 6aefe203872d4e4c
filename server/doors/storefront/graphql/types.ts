import type { StorefrontCaller } from '../caller.ts'
import type { NotBuilt } from './not-built.ts'
import type { SchemaAbstracts, SchemaObjects } from './schema-types.ts'

// The types of resolvers. `schema-types.ts` has the schema, and each file of `fields/` describes the values that stand for its objects.
// The compiler then finds every field that has neither a fitting property nor a resolver, and is not in the list of `not-built.ts`.

/**
 * The values that resolvers receive as their parents, by the name of the type. The files of `fields/` add theirs. Of all other types the
 * value has a property for each field.
 * @public
 */
export interface Parents {
  Query: undefined
  Mutation: undefined
}

type ObjectName = keyof SchemaObjects

/** The value of an object, interface or union. */
type ParentOf<Name> = Name extends keyof Parents
  ? Parents[Name]
  : Name extends keyof SchemaAbstracts
    ? Concrete<SchemaAbstracts[Name]>
    : Name extends ObjectName
      ? Plain<Name>
      : never

/** A value of an interface or union names its type. */
type Concrete<Name> = Name extends ObjectName ? ParentOf<Name> & { __typename: Name } : never

type Plain<Name extends ObjectName> = {
  [Field in Exclude<keyof SchemaObjects[Name], NotBuiltOf<Name>>]: ResultOf<Name, Field>
}

/** The fields of a type that nobody answers. */
type NotBuiltOf<Name extends ObjectName> = NotBuilt extends infer Listed
  ? Listed extends `${Name & string}.${infer Field}`
    ? Field
    : never
  : never

type ValueOf<Result> = Result extends { of: infer Name }
  ? ParentOf<Name>
  : Result extends readonly (infer Item)[]
    ? readonly ValueOf<Item>[]
    : Result

type ResultOf<Name extends ObjectName, Field extends keyof SchemaObjects[Name]> = SchemaObjects[Name][Field] extends {
  result: infer Result
}
  ? ValueOf<Result>
  : never

type ArgsOf<Name extends ObjectName, Field extends keyof SchemaObjects[Name]> = SchemaObjects[Name][Field] extends {
  args: infer Args
}
  ? Args
  : never

type Resolver<Name extends ObjectName, Field extends keyof SchemaObjects[Name]> = (
  parent: ParentOf<Name>,
  args: ArgsOf<Name, Field>,
  caller: StorefrontCaller,
) => ResultOf<Name, Field> | undefined | Promise<ResultOf<Name, Field> | undefined>

/** The fields for which the parent has no fitting property. */
type Unanswered<Name extends ObjectName> = {
  [Field in Exclude<keyof SchemaObjects[Name], NotBuiltOf<Name>>]: Field extends keyof ParentOf<Name>
    ? ParentOf<Name>[Field] extends ResultOf<Name, Field>
      ? never
      : Field
    : Field
}[Exclude<keyof SchemaObjects[Name], NotBuiltOf<Name>>]

/** The resolvers of one type. */
type ResolversOf<Name extends ObjectName> = {
  readonly [Field in Unanswered<Name>]: Resolver<Name, Field>
} & { readonly [Field in Exclude<keyof SchemaObjects[Name], Unanswered<Name>>]?: Resolver<Name, Field> }

/** The resolvers of several types. */
export type Fields<Name extends ObjectName> = { readonly [Type in Name]: ResolversOf<Type> }

/** The types that need resolvers. */
type Resolved = { [Name in ObjectName]: [Unanswered<Name>] extends [never] ? never : Name }[ObjectName]

/** All resolvers of the schema. A type is missing here only if its values have all its fields. */
export type StorefrontResolvers = Fields<Resolved> & Partial<Fields<Exclude<ObjectName, Resolved>>>
