import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t from 'typebox'
import { Compile } from 'typebox/compile'
import { isObject } from '../../../core/objects.ts'
import { bodyReader } from '../../../core/rest/input/validator.ts'
import { complaintOf, locating, Problem, problemBody, toProblem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { countCall } from '../../../customers/logins/attempts.ts'
import { findOptions, PICKUP_ITEMS_MAX, PickupSearch } from '../../../goods/pickup/options.ts'
import { STOREFRONT_PREFIXES } from '../storefronts.ts'

const PREFLIGHT_SECONDS = 600

const { search_area, items } = PickupSearch.properties
const { variant_id, quantity } = items.items.properties

/** The body of the management route in camel case. */
const ShopperSearch = t.Object({
  searchArea: t.Object(search_area.properties),
  items: t.Array(t.Object({ variantId: variant_id, quantity }), { minItems: 1, maxItems: PICKUP_ITEMS_MAX }),
})

export interface PickupSearchParts {
  secrets: Pick<Secrets, 'tokenHash'>
  docsBase: string
}

/**
 * The search for pickup options by the pages of a shop (docs/contract/pickup.md section 7). It needs no token: the origin must be that of
 * the channel, and searches are counted by the address of the shopper.
 */
export function pickupSearchRoutes(door: FastifyInstance, { secrets, docsBase }: PickupSearchParts) {
  const read = bodyReader(ShopperSearch)
  const isSearch = Compile(ShopperSearch)

  const search = async (request: FastifyRequest) => {
    const { db, ip } = request
    await countCall(db, `shopper ${secrets.tokenHash(ip)}`)
    const body = read(request.body)
    if (!isSearch.Check(body)) throw new Error('A search was not validated.')
    const items = body.items.map(({ variantId, quantity }) => ({ variant_id: variantId, quantity }))
    const found = await locating(camelCasePath, () =>
      findOptions(db, { search_area: body.searchArea, items }, { isForShoppers: true }),
    )
    return { results: inCamelCase(found) }
  }

  // Errors have the contract's form here, and not that of GraphQL.
  door.register(async (shop) => {
    shop.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500 && !(error instanceof Problem)) request.log.error({ err: error }, complaintOf(error))
      return reply.status(problem.status).headers(problem.headers).send(problemBody(problem, docsBase))
    })
    for (const prefix of STOREFRONT_PREFIXES) {
      const url = `${prefix}/api/storefront/pickup-options`
      shop.options(url, { onRequest: refuseForeignOrigin }, preflight)
      shop.post(url, { onRequest: refuseForeignOrigin }, search)
    }
  })
}

/** @throws Problem 403 for a page that is not of the channel, before the body is read */
async function refuseForeignOrigin({ headers, storefront, protocol, host }: FastifyRequest, reply: FastifyReply) {
  const { origin } = headers
  // A channel has the origin of its site and, at hosts of its own, the one that the server assigns.
  const isOwn = origin === storefront.origin || (storefront.path === '' && origin === `${protocol}://${host}`)
  if (origin === undefined || !isOwn)
    throw new Problem(403, 'Only pages of this storefront can search for pickup options.')
  reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin' })
}

const preflight = (_request: FastifyRequest, reply: FastifyReply) =>
  reply
    .headers({
      allow: 'POST, OPTIONS',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    .status(204)
    .send()

const camelCaseName = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `items.0.variant_id` becomes `items.0.variantId`. */
const camelCasePath = (path: string) => path.split('.').map(camelCaseName).join('.')

/** The same value with the names of its fields in camel case. */
function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camelCaseName(name), inCamelCase(one)]))
}
