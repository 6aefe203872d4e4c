import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { misbehave, sendJson, startTestService, type TestService } from './test-service.ts'

// `testcarrier`, a carrier to try things on (docs/contract/shipping.md section 4). It knows two services: Standard costs 5.00 and 1.00
// for each begun kilogram, Express twice as much. A connection is valid unless its `auth_key` is `refused`. The setting `behaviour` of
// a method makes it slow or broken.

const GRAMS: Readonly<Record<string, number>> = { g: 1, oz: 28.349523125 }

const RateRequest = t.Object({
  base_options: t.Object({
    items: t.Array(
      t.Object({
        quantity: t.Number(),
        weight: t.Object({ units: t.Enum(['g', 'oz']), value: t.Number() }),
        discounted_price: t.Object({ currency: t.String() }),
      }),
    ),
  }),
  zone_options: t.Object({
    /** Settings of a method. */
    behaviour: t.Optional(t.String()),
    delay_ms: t.Optional(t.Number()),
    currency: t.Optional(t.String()),
    ttl: t.Optional(t.Number()),
  }),
})
type RateRequest = Static<typeof RateRequest>
const CheckRequest = t.Object({ connection_options: t.Object({ auth_key: t.Optional(t.String()) }) })

export const startTestCarrier = (): Promise<TestService> =>
  startTestService(async ({ path, body }, response) => {
    if (path === '/check' && Value.Check(CheckRequest, body)) answerCheck(response, body)
    else if (path === '/rate' && Value.Check(RateRequest, body)) await answerRate(response, body)
    else response.writeHead(400).end('{}')
  })

function answerCheck(response: ServerResponse, { connection_options }: Static<typeof CheckRequest>) {
  const { auth_key = '' } = connection_options
  const valid = auth_key !== 'refused'
  const messages = valid ? [] : [{ text: `The key ${auth_key} is unknown.`, type: 'ERROR' }]
  sendJson(response, { valid, messages })
}

async function answerRate(response: ServerResponse, request: RateRequest) {
  const { behaviour = '', delay_ms = 0 } = request.zone_options
  if (delay_ms > 0) await sleep(delay_ms)
  if (misbehave(behaviour, response)) return
  const answer = ratesFor(request)
  const amount = AMOUNTS[behaviour]
  if (amount === undefined) return sendJson(response, answer)
  response.end(JSON.stringify(answer).replace(/"amount":[\d.]+/, `"amount":${amount}`))
}

/** Broken amounts of the first quote, as JSON. */
const AMOUNTS: Readonly<Record<string, string>> = { negative: '-1', huge: '1e400', large: '100000000000', nan: '"NaN"' }

function ratesFor({ base_options: { items }, zone_options: { behaviour, currency, ttl } }: RateRequest) {
  const grams = items.reduce(
    (sum, { quantity, weight }) => sum + quantity * weight.value * (GRAMS[weight.units] ?? 1),
    0,
  )
  const cost = 5 + Math.ceil(grams / 1_000)
  const money = (amount: number) => ({ currency: currency ?? items[0]?.discounted_price.currency ?? 'USD', amount })
  const quotes = [
    {
      code: 'standard',
      display_name: 'Standard',
      cost: money(cost),
      description: 'By road',
      transit_time: { units: 'BUSINESS_DAYS', duration: 3 },
    },
    {
      code: 'express',
      display_name: 'Express',
      cost: money(4 * cost),
      discounted_cost: money(2 * cost),
      transit_time: { units: 'BUSINESS_DAYS', duration: 1 },
    },
  ]
  const messages = behaviour === 'warn' ? [{ text: 'The tariff ends soon.', type: 'WARNING' }] : []
  return {
    quote_id: 'test',
    ...(ttl === undefined ? {} : { ttl }),
    messages,
    carrier_quotes:
      behaviour === 'none' ? [] : [{ carrier_info: { code: 'testcarrier', display_name: 'Test carrier' }, quotes }],
  }
}
