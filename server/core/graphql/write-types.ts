import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql'

// Writes the schema as types, so that the compiler compares the resolvers with it (resolver-types.ts). `npm run generate` stores the result in
// schema-types.ts.

const SCALARS: Readonly<Record<string, string>> = {
  Int: 'number',
  Float: 'number',
  Long: 'number',
  BigDecimal: 'number',
  Boolean: 'boolean',
  Decimal: 'number',
  ProductQuantity: 'number',
  CurrencyDecimalPlaces: 'number',
  GenericScalar: 'unknown',
}

/** @returns the source of schema-types.ts */
export function writeTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  const section = (name: string, sentence: string, lines: string[]) =>
    `/** ${sentence} */\nexport interface ${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
  return [
    '// Written by `npm run generate` from schema.graphql. Change that file, and not this one.\n',
    section(
      'SchemaObjects',
      'The fields of each object type: their results and their arguments.',
      types.filter(isObjectType).flatMap(objectLines),
    ),
    section(
      'SchemaAbstracts',
      'The object types of each interface and union.',
      types
        .filter(isAbstractType)
        .map((type) => `${type.name}: ${unionOf(schema.getPossibleTypes(type).map(({ name }) => name))}`),
    ),
    section(
      'SchemaInputs',
      'The fields of each input.',
      types.filter(isInputObjectType).map((type) => `${type.name}: ${inputOf(Object.values(type.getFields()))}`),
    ),
    section(
      'SchemaEnums',
      'The values of each enumeration. @public',
      types.filter(isListed).map((type) => `${type.name}: ${unionOf(type.getValues().map(({ name }) => name))}`),
    ),
  ].join('\n')
}

function objectLines(object: GraphQLObjectType): string[] {
  const fields = Object.values(object.getFields()).map(
    ({ name, type, args }) =>
      `  ${name}: { result: ${resultOf(type)}; args: ${args.length === 0 ? 'object' : inputOf(args)} }`,
  )
  return [`${object.name}: {`, ...fields, '}']
}

/** The result of a field. Objects are named by `of`, since their parents are described elsewhere. */
function resultOf(type: GraphQLType): string {
  if (!isNonNullType(type)) return `${resultOfPresent(type)} | null`
  return resultOfPresent(type.ofType)
}

function resultOfPresent(type: GraphQLType): string {
  if (isListType(type)) return `readonly (${resultOf(type.ofType)})[]`
  if (isNonNullType(type)) return resultOfPresent(type.ofType)
  return isObjectType(type) || isAbstractType(type) ? `{ of: '${type.name}' }` : leafOf(type)
}

function inputOf(fields: readonly (GraphQLArgument | GraphQLInputField)[]): string {
  const lines = fields.map(({ name, type, defaultValue }) => {
    // A value with a default is never missing, but may be null.
    const isOptional = !isNonNullType(type) && defaultValue === undefined
    return `${name}${isOptional ? '?' : ''}: ${inputValueOf(type)}`
  })
  return `{ ${lines.join('; ')} }`
}

function inputValueOf(type: GraphQLType): string {
  if (isNonNullType(type)) return presentInputOf(type.ofType)
  return `${presentInputOf(type)} | null`
}

function presentInputOf(type: GraphQLType): string {
  if (isListType(type)) return `readonly (${inputValueOf(type.ofType)})[]`
  if (isNonNullType(type)) return presentInputOf(type.ofType)
  return isInputObjectType(type) ? `SchemaInputs['${type.name}']` : leafOf(type)
}

/** Countries and currencies would fill pages, and rows have their codes as texts. */
const LISTED_MAX = 100

function leafOf(type: GraphQLNamedType): string {
  if (isScalarType(type)) return SCALARS[type.name] ?? 'string'
  return isListed(type) ? `SchemaEnums['${type.name}']` : 'string'
}

const isListed = (type: GraphQLNamedType): type is GraphQLEnumType =>
  isEnumType(type) && type.getValues().length <= LISTED_MAX

const unionOf = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ')
