import { type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql'

/** Reads the value of a scalar that a client sends. @throws GraphQLError for another value */
type ScalarReader = (value: unknown) => unknown

/** The readers of scalars by name, the same for literals and variables. Other scalars accept any value. */
export type Scalars = Readonly<Record<string, ScalarReader>>

/** Gives the scalars of a schema their readers. @throws if the schema lacks one */
export function addScalars(schema: GraphQLSchema, scalars: Scalars) {
  for (const [name, read] of Object.entries(scalars)) {
    const type = schema.getType(name)
    if (!isScalarType(type)) throw new Error(`The schema lacks the scalar ${name}, which has a reader.`)
    type.parseValue = read
    type.parseLiteral = (node, variables) => read(valueFromASTUntyped(node, variables))
  }
}
