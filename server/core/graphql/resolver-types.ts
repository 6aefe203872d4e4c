// The types of resolvers. `npm run generate` writes a schema as types, and each file of `fields/` describes the values that stand for its
// objects. The compiler then finds every field that has neither a fitting property nor a resolver, and is not in the list of missing ones.

/** A schema as types. */
interface SchemaTypes {
  objects: object
  abstracts: object
  /** The values that resolvers receive as their parents, by the name of the type. Other values have a property for each field. */
  parents: object
  /** The fields without an answer, as `Type.field`. */
  notBuilt: string
  caller: unknown
}

type ObjectName<Schema extends SchemaTypes> = keyof Schema['objects']
type FieldName<Schema extends SchemaTypes, Name extends ObjectName<Schema>> = Exclude<
  keyof Schema['objects'][Name],
  NotBuiltOf<Schema, Name>
>

/** The value of an object, interface or union. */
type ParentOf<Schema extends SchemaTypes, Name> = Name extends keyof Schema['parents']
  ? Schema['parents'][Name]
  : Name extends keyof Schema['abstracts']
    ? Concrete<Schema, Schema['abstracts'][Name]>
    : Name extends ObjectName<Schema>
      ? Plain<Schema, Name>
      : never

/** A value of an interface or union names its type. */
type Concrete<Schema extends SchemaTypes, Name> =
  Name extends ObjectName<Schema> ? ParentOf<Schema, Name> & { __typename: Name } : never

type Plain<Schema extends SchemaTypes, Name extends ObjectName<Schema>> = {
  [Field in FieldName<Schema, Name>]: ResultOf<Schema, Name, Field>
}

/** The fields of a type without an answer. */
type NotBuiltOf<Schema extends SchemaTypes, Name extends ObjectName<Schema>> = Schema['notBuilt'] extends infer Listed
  ? Listed extends `${Name & string}.${infer Field}`
    ? Field
    : never
  : never

type ValueOf<Schema extends SchemaTypes, Result> = Result extends { of: infer Name }
  ? ParentOf<Schema, Name>
  : Result extends readonly (infer Item)[]
    ? readonly ValueOf<Schema, Item>[]
    : Result

type ResultOf<
  Schema extends SchemaTypes,
  Name extends ObjectName<Schema>,
  Field extends keyof Schema['objects'][Name],
> = Schema['objects'][Name][Field] extends { result: infer Result } ? ValueOf<Schema, Result> : never

type ArgsOf<
  Schema extends SchemaTypes,
  Name extends ObjectName<Schema>,
  Field extends keyof Schema['objects'][Name],
> = Schema['objects'][Name][Field] extends { args: infer Args } ? Args : never

type Resolver<
  Schema extends SchemaTypes,
  Name extends ObjectName<Schema>,
  Field extends keyof Schema['objects'][Name],
> = (
  parent: ParentOf<Schema, Name>,
  args: ArgsOf<Schema, Name, Field>,
  caller: Schema['caller'],
) => ResultOf<Schema, Name, Field> | undefined | Promise<ResultOf<Schema, Name, Field> | undefined>

/** The fields for which the parent has no fitting property. */
type Unanswered<Schema extends SchemaTypes, Name extends ObjectName<Schema>> = {
  [Field in FieldName<Schema, Name>]: Field extends keyof ParentOf<Schema, Name>
    ? ParentOf<Schema, Name>[Field] extends ResultOf<Schema, Name, Field>
      ? never
      : Field
    : Field
}[FieldName<Schema, Name>]

/** The resolvers of one type. */
type ResolversOfType<Schema extends SchemaTypes, Name extends ObjectName<Schema>> = {
  readonly [Field in Unanswered<Schema, Name>]: Resolver<Schema, Name, Field>
} & {
  readonly [Field in Exclude<keyof Schema['objects'][Name], Unanswered<Schema, Name>>]?: Resolver<Schema, Name, Field>
}

/** The resolvers of several types. */
export type FieldsOf<Schema extends SchemaTypes, Name extends ObjectName<Schema>> = {
  readonly [Type in Name]: ResolversOfType<Schema, Type>
}

/** The types that need resolvers. */
type Resolved<Schema extends SchemaTypes> = {
  [Name in ObjectName<Schema>]: [Unanswered<Schema, Name>] extends [never] ? never : Name
}[ObjectName<Schema>]

/** All resolvers of a schema. A type is missing here only if its values have all its fields. */
export type ResolversOf<Schema extends SchemaTypes> = FieldsOf<Schema, Resolved<Schema>> &
  Partial<FieldsOf<Schema, Exclude<ObjectName<Schema>, Resolved<Schema>>>>
