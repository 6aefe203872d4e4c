import {
  defaultFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getDirectiveValues,
  isObjectType,
} from 'graphql'

/** A method, so that each resolver may declare the parent and the arguments that its field has in the schema. */
type Resolver<Context> = { resolve(parent: unknown, args: object, context: Context): unknown }['resolve']

/** The resolvers of a schema by type and field. A field without a resolver has the property of its name. */
export type Resolvers<Context> = Readonly<Record<string, Readonly<Record<string, Resolver<Context>>>>>

/** Guards the fields that have a directive. */
export interface FieldGuard<Context> {
  directive: string
  /** Makes the check of a field from the arguments of its directive. It runs when the schema is opened. */
  checkOf(args: Readonly<Record<string, unknown>>): (context: Context) => void
}

/** Gives the fields of a schema their resolvers. @throws if the schema lacks one of the fields */
export function addResolvers<Context>(schema: GraphQLSchema, resolvers: Resolvers<Context>) {
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName)
    for (const [name, resolve] of Object.entries(fields)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined
      if (!field) throw new Error(`The schema lacks the field ${typeName}.${name}, which has a resolver.`)
      field.resolve = resolve
    }
  }
}

/** Runs the guard before the resolver of each field that has its directive. */
export function guardFields<Context>(schema: GraphQLSchema, { directive, checkOf }: FieldGuard<Context>) {
  const definition = schema.getDirective(directive)
  if (!definition) throw new Error(`The schema lacks the directive ${directive}.`)
  for (const field of Object.values(schema.getTypeMap()).filter(isObjectType).flatMap(fieldsOf)) {
    const args = field.astNode && getDirectiveValues(definition, field.astNode)
    if (!args) continue
    const check = checkOf(args)
    const { resolve = defaultFieldResolver } = field
    field.resolve = (parent, args, context: Context, info) => {
      check(context)
      return resolve(parent, args, context, info)
    }
  }
}

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields())
