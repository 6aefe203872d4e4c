import type { TSchema } from 'typebox'
import { isObject } from '../../../core/objects.ts'
import type { Api } from '../../../core/rest/api.ts'
import type { Companion } from '../../../core/rest/document/openapi.ts'
import { CompanionRefusal } from './envelope.ts'

// Alternative forms of addresses and bodies in the companion API (docs/contract/b2b.md section 1).

/** The prefix of the companion API. A proxy can map another address to it. */
export const COMPANION = '/b2b/api'

/** The description of the family in the API document. */
export const companionFamily: Companion = {
  family: 'b2b',
  place: COMPANION,
  refusal: CompanionRefusal,
  storeHeader: 'X-Store-Hash',
}

/** Paths that clients send with or without a version. They are registered without. */
const UNVERSIONED = /^\/b2b\/api\/v3\/io\/(?=(?:auth|backend)(?:\/|\?|$))/

/** Removes the version from an address if the contract allows both forms. */
export const withoutVersion = (url: string): string =>
  url.startsWith(`${COMPANION}/v3/`) ? url.replace(UNVERSIONED, `${COMPANION}/io/`) : url

/**
 * Accepts `company_name` for `companyName` in bodies if the latter is absent, and `paymentStatus[]` for `paymentStatus` in queries
 * (docs/contract/companies.md section 1).
 */
export function takeTwins(api: Api) {
  api.addHook('preHandler', async (request) => {
    const { body: schema, querystring } = request.routeOptions.schema ?? {}
    if (request.body !== undefined && schema !== undefined) request.body = renamed(request.body, schema as TSchema)
    request.query = withoutBrackets(request.query, querystring as SchemaFacts | undefined)
  })
}

interface SchemaFacts {
  properties?: Record<string, unknown>
  items?: TSchema
}

function withoutBrackets(query: unknown, { properties = {} }: SchemaFacts = {}): unknown {
  if (!isObject(query)) return query
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const plain = name.replace(/\[\]$/, '')
      return [Object.hasOwn(properties, plain) && !Object.hasOwn(query, plain) ? plain : name, value]
    }),
  )
}

function renamed(body: unknown, schema: TSchema): unknown {
  const { properties, items }: SchemaFacts = schema
  if (Array.isArray(body)) return items ? body.map((item) => renamed(item, items)) : body
  if (!isObject(body) || properties === undefined) return body
  const named = new Map(Object.entries(body))
  for (const [name, property] of Object.entries(properties)) {
    const twin = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (!named.has(name) && named.has(twin)) named.set(name, named.get(twin))
    if (named.has(name)) named.set(name, renamed(named.get(name), property as TSchema))
  }
  return Object.fromEntries(named)
}
