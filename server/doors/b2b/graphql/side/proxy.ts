import type { FastifyInstance } from 'fastify'
import { WorkBudget } from '../../../../core/graphql/cost/budget.ts'
import { readGraphRequest } from '../../../../core/graphql/request.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import { FIRST_CHANNEL } from '../../../../shop/channels/channels.ts'
import { ConcurrencyLimit } from '../../../../stores/quotas/concurrency-limit.ts'
import type { ShopGraph } from '../../../storefront/graphql/shop-graph.ts'
import { refuseDisabled } from '../../tokens/store.ts'
import { readCaller } from '../caller.ts'
import { type BuyerDoorParts, CORS_PREFLIGHT, ENDED, tokenIn } from '../door.ts'

const PATH = '/api/v3/proxy/bc-storefront/graphql'
/** Concurrent requests of a store in a process. Others wait up to a second for their turn. */
const AT_ONCE = 40

/**
 * The GraphQL of the storefront for the customer of an authToken, or for a guest of a named store and channel
 * (docs/contract/b2b-graphql.md section 9). It adds no right: the caller is that customer, and no header names another one.
 */
export function proxyRoutes(door: FastifyInstance, parts: BuyerDoorParts & { shop: ShopGraph }) {
  const budget = new WorkBudget()
  const atOnce = new ConcurrencyLimit(AT_ONCE)

  door.options(PATH, CORS_PREFLIGHT)
  door.post(PATH, async (request, reply) => {
    const { headers, ip, log } = request
    const operation = readGraphRequest(request.body)
    const { shopper, isTokenEnded } = await readCaller(parts, tokenIn(headers.authorization), ip)
    if (isTokenEnded) return { data: null, errors: [ENDED] }
    const [hash, channel] = shopper
      ? [shopper.db.store.hash, shopper.channel]
      : [textOf(headers['store-hash']), channelIn(headers['bc-channel-id'])]
    if (hash === undefined) throw new Problem(401, 'Send an authToken, or the header Store-Hash.')
    const storefront = await parts.shop.storefrontOf(hash, channel)
    if (!shopper) {
      const disabled = await refuseDisabled(storefront.db)
      if (disabled) throw disabled
    }
    const client = { store: storefront.db.store.id, id: shopper?.jti ?? ip, isServer: false }
    budget.admit(client, performance.now())
    return atOnce.run(storefront.db.store, async () => {
      const { body, work } = await parts.shop.run(operation, {
        storefront,
        customer: shopper?.customer.id,
        address: ip,
        acceptLanguage: headers['accept-language'],
        log,
      })
      budget.charge(client, work, performance.now())
      return typeof body === 'string' ? reply.type('application/json; charset=utf-8').send(body) : body
    })
  })
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : String(value)

const channelIn = (value: string | string[] | undefined): number =>
  /^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : FIRST_CHANNEL
