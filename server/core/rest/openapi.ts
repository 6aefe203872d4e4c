import swagger, { type FastifyDynamicSwaggerOptions, type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import t, { type TSchema } from 'typebox'
import { ProblemBody } from './problem.ts'
import { ProblemListV2 } from './v2.ts'

interface Described {
  params?: TSchema & { properties?: Record<string, TSchema> }
  querystring?: TSchema & { properties?: Record<string, TSchema> }
  body?: TSchema
  response?: Record<string, TSchema>
  [other: string]: unknown
}

/**
 * Makes the OpenAPI document from the live routes; it is the only description of the wire. Register it before them.
 * @param version of the product
 */
export async function documentApi(app: FastifyInstance, version: string) {
  const options: FastifyDynamicSwaggerOptions = {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'storeward store administration API',
        description: 'Generated from the routes of the server. Rules: docs/contract in the repository.',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } } },
      security: [{ token: [] }],
    },
    transform: ({ schema, url, route }) => {
      if (!url.startsWith('/stores/')) return { schema: { ...schema, hide: true }, url }
      const method = String(route.method)
      const described = schema as Described | undefined
      return {
        schema: {
          ...described,
          tags: [url.split('/').slice(4, 6).join('/').replace(/\/:.*/, '')],
          params: t.Object({ store_hash: t.String(), ...described?.params?.properties }),
          response: {
            ...(described?.response ?? { 204: t.Null({ description: 'No content' }) }),
            ...(url.split('/')[3] === 'v2' ? refusalsV2(method, described) : refusals(method, described)),
          },
        },
        url,
      }
    },
    transformObject: withCommaLists,
  }
  await app.register(swagger, options)
}

/** Arrays of a query are comma lists: OpenAPI says so beside the schema of the parameter, by style and explode. */
const withCommaLists: SwaggerTransformObject = (made) => {
  if (!('openapiObject' in made)) return made.swaggerObject
  for (const operation of Object.values(made.openapiObject.paths ?? {}).flatMap((path) => Object.values(path ?? {}))) {
    if (typeof operation !== 'object' || !('parameters' in operation)) continue
    for (const parameter of operation.parameters ?? []) {
      const schema = 'schema' in parameter ? parameter.schema : undefined
      if (schema && 'type' in schema && schema.type === 'array') {
        Object.assign(parameter, { style: 'form', explode: false })
      }
    }
  }
  return made.openapiObject
}

const reasons: Record<number, string> = {
  400: 'The request is malformed',
  401: 'The token is missing or not valid for this store',
  403: 'A scope is missing, or a platform limit is reached',
  404: 'There is no such thing',
  406: 'Accept excludes application/json',
  409: 'A conflict with what is stored',
  413: 'Too much was asked or sent',
  414: 'The request line is too long',
  415: 'The Content-Type is not supported here',
  422: 'The query or the body is not valid',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'The store or the service is not available',
  507: 'A limit of the plan is reached',
}

/** The same refusals below `/v2`, where what is not valid is 400. */
function refusalsV2(method: string, schema: Described | undefined): Record<number, TSchema> {
  const { 422: invalid, ...others } = refusals(method, schema)
  const statuses = new Set([...Object.keys(others), ...(invalid ? ['400'] : [])].map(Number))
  return Object.fromEntries(
    [...statuses].map((status) => [status, { ...ProblemListV2, description: reasons[status] ?? '' }]),
  )
}

/** What a route can refuse with, by what it takes (docs/contract/conventions.md section 8). */
function refusals(method: string, schema: Described | undefined): Record<number, TSchema> {
  const statuses = [401, 403, 404, 406, 414, 429, 500, 503]
  if (schema?.querystring) statuses.push(413, 422)
  if (schema?.body) statuses.push(400, 413, 415, 422)
  if (method === 'POST' || method === 'PUT') statuses.push(409, 422, 507)
  // A DELETE that takes no body may get one, which is then judged as any other.
  if (method === 'DELETE') statuses.push(400, 409, 413, 415, 422)
  return Object.fromEntries(
    statuses
      .filter((status) => !schema?.response?.[status])
      .map((status) => [status, { ...ProblemBody, description: reasons[status] ?? '' }]),
  )
}
