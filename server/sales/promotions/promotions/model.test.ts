import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../test/document/sized.ts'
import { type Answered, openShop, type Shop } from '../../../test/fixtures/shop.ts'

// Random requests about promotions, their codes and coupons beside a model that is written from docs/contract/promotions.md and
// marketing.md alone.

const CODES = ['SUMMER', 'summer ', 'VIP', 'Vip', 'ONE', 'TWO']
const NAMES = ['Sale', 'sale', 'Gift']

type Kind = 'AUTOMATIC' | 'SINGLE' | 'BULK'
type Command =
  | { do: 'promote'; kind: Kind; name: string; status: 'ENABLED' | 'DISABLED' }
  | { do: 'change'; promotion: number; name: string }
  | { do: 'convert'; promotion: number; kind: Kind }
  | { do: 'end'; promotion: number }
  | { do: 'end some'; promotions: number[] }
  | { do: 'add code'; promotion: number; code: string }
  | { do: 'generate'; promotion: number; count: number }
  | { do: 'remove code'; promotion: number; code: number }
  | { do: 'remove code by text'; code: string }
  | { do: 'add coupon'; name: string; code: string }
  | { do: 'remove coupon'; coupon: number }

const promotion = fc.integer({ min: 0, max: 5 })
const code = fc.constantFrom(...CODES)
const kind = fc.constantFrom<Kind>('AUTOMATIC', 'SINGLE', 'BULK')
const name = fc.constantFrom(...NAMES)
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('promote' as const),
    kind,
    name,
    status: fc.constantFrom('ENABLED' as const, 'DISABLED' as const),
  }),
  fc.record({ do: fc.constant('change' as const), promotion, name }),
  fc.record({ do: fc.constant('convert' as const), promotion, kind }),
  fc.record({ do: fc.constant('end' as const), promotion }),
  fc.record({
    do: fc.constant('end some' as const),
    promotions: fc.uniqueArray(promotion, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('add code' as const), promotion, code }),
  fc.record({ do: fc.constant('generate' as const), promotion, count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('remove code' as const), promotion, code: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('remove code by text' as const), code }),
  fc.record({ do: fc.constant('add coupon' as const), name, code }),
  fc.record({ do: fc.constant('remove coupon' as const), coupon: fc.integer({ min: 1, max: 9 }) }),
)

interface ModelCode {
  id: number
  code: string
  /** Undefined for a coupon of the older family. */
  promotion: number | undefined
  name: string
}

const keyOf = (text: string) => text.trim().toLowerCase()

/** A store as the contract describes it. */
class Model {
  readonly promotions = new Map<number, { kind: Kind; name: string; status: string }>()
  readonly codes = new Map<number, ModelCode>()
  #lastPromotion = 0
  #lastCode = 0

  idOf = (position: number) => position + 1
  codesOf = (promotion: number) => [...this.codes.values()].filter((one) => one.promotion === promotion)
  #isTaken = (code: string) => [...this.codes.values()].some((one) => keyOf(one.code) === keyOf(code))

  #add(one: Omit<ModelCode, 'id'>) {
    const id = ++this.#lastCode
    this.codes.set(id, { id, ...one })
  }

  /** Applies a command. @param sent the answer, for the codes that the server has generated. @returns the status */
  apply(asked: Command, sent: Answered): number {
    const id = 'promotion' in asked ? this.idOf(asked.promotion) : 0
    const found = this.promotions.get(id)
    switch (asked.do) {
      case 'promote':
        this.promotions.set(++this.#lastPromotion, { kind: asked.kind, name: asked.name, status: asked.status })
        return 201
      case 'change':
        if (found) found.name = asked.name
        return found ? 200 : 404
      case 'convert':
        if (!found) return 404
        return (found.kind === 'AUTOMATIC') === (asked.kind === 'AUTOMATIC') && found.kind === asked.kind ? 200 : 422
      case 'end':
        if (this.codesOf(id).length > 0) return 422
        this.promotions.delete(id)
        return 204
      case 'end some': {
        const ids = asked.promotions.map(this.idOf)
        const kept = ids.filter((one) => this.codesOf(one).length > 0)
        for (const one of ids) if (!kept.includes(one)) this.promotions.delete(one)
        if (kept.length > 0) {
          const meta = { total: ids.length, success: ids.length - kept.length, failed: kept.length }
          expect(sent.body.meta).toEqual(meta)
        }
        return kept.length > 0 ? 422 : 204
      }
      case 'add code':
        if (!found) return 404
        if (found.kind === 'AUTOMATIC') return 422
        if (this.#isTaken(asked.code)) return 409
        this.#add({ code: asked.code.trim(), promotion: id, name: found.name })
        return 201
      case 'generate':
        if (!found) return 404
        if (found.kind !== 'BULK') return 405
        for (const { code } of sent.body.data?.codes ?? sent.body.codes ?? [])
          this.#add({ code, promotion: id, name: found.name })
        return 201
      case 'remove code':
        if (this.codes.get(asked.code)?.promotion === id) this.codes.delete(asked.code)
        return 204
      case 'remove code by text':
        for (const one of this.codes.values()) {
          if (one.promotion !== undefined && keyOf(one.code) === keyOf(asked.code)) this.codes.delete(one.id)
        }
        return 204
      case 'add coupon': {
        const isNamed = [...this.codes.values()].some(
          (one) => one.promotion === undefined && keyOf(one.name) === keyOf(asked.name),
        )
        if (this.#isTaken(asked.code) || isNamed) return 409
        this.#add({ code: asked.code.trim(), promotion: undefined, name: asked.name })
        return 201
      }
      case 'remove coupon':
        return this.codes.delete(asked.coupon) ? 204 : 404
    }
  }
}

const rules = [{ action: { cart_value: { discount: { fixed_amount: '1' } } } }]
const typeOf = (kind: Kind) =>
  kind === 'AUTOMATIC' ? { redemption_type: 'AUTOMATIC' } : { redemption_type: 'COUPON', coupon_type: kind }

/** Sends a command. */
function send(shop: Shop, model: Model, asked: Command): Promise<Answered> {
  const id = 'promotion' in asked ? model.idOf(asked.promotion) : 0
  const one = `/promotions/${id}`
  const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
  switch (asked.do) {
    case 'promote':
      return shop.call('POST', '/promotions', { ...typeOf(asked.kind), name: asked.name, status: asked.status, rules })
    case 'change':
      return shop.call('PUT', one, { name: asked.name })
    case 'convert':
      return shop.call('PUT', one, typeOf(asked.kind))
    case 'end':
      return shop.call('DELETE', one)
    case 'end some':
      return shop.call('DELETE', `/promotions?id:in=${asked.promotions.map(model.idOf)}`)
    case 'add code':
      return shop.call('POST', `${one}/codes`, { code: asked.code })
    case 'generate':
      return shop.call('POST', `${one}/codegen`, { batch_size: asked.count })
    case 'remove code':
      return shop.call('DELETE', `${one}/codes/${asked.code}`)
    case 'remove code by text':
      return shop.call('DELETE', `/promotions/codes?code=${encodeURIComponent(asked.code)}`)
    case 'add coupon':
      return v2('POST', '/coupons', {
        name: asked.name,
        code: asked.code,
        type: 'per_total_discount',
        amount: '1',
        applies_to: { entity: 'categories', ids: [0] },
      })
    case 'remove coupon':
      return v2('DELETE', `/coupons/${asked.coupon}`)
  }
}

async function expectSame(shop: Shop, model: Model) {
  const { data } = (await shop.call('GET', '/promotions')).body
  const listed = data.map((one: Record<string, unknown>) => [
    one.id,
    one.name,
    one.status,
    one.redemption_type === 'AUTOMATIC' ? 'AUTOMATIC' : one.coupon_type,
    one.multiple_codes,
  ])
  const several = (id: number, kind: Kind) =>
    kind === 'AUTOMATIC' ? undefined : { has_multiple_codes: kind === 'BULK' || model.codesOf(id).length > 1 }
  expect(listed).toEqual(
    [...model.promotions].map(([id, { name, status, kind }]) => [id, name, status, kind, several(id, kind)]),
  )
  const { status, body } = await shop.call('GET', '/coupons', undefined, { version: 'v2' })
  const coupons = status === 204 ? [] : body
  expect(coupons.map(({ id, code, type }: Record<string, unknown>) => [id, code, type])).toEqual(
    [...model.codes.values()].map(({ id, code, promotion }) => [
      id,
      code,
      promotion === undefined ? 'per_total_discount' : 'promotion',
    ]),
  )
  for (const id of model.promotions.keys()) {
    const codes = (await shop.call('GET', `/promotions/${id}/codes`)).body.data
    expect(codes.map(({ code }: ModelCode) => code)).toEqual(model.codesOf(id).map(({ code }) => code))
  }
}

test(
  'C-122, C-121: random requests about promotions, codes and coupons have the answers of a model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const [shop, model] = [await openShop(), new Model()]
        for (const asked of commands) {
          const sent = await send(shop, model, asked)
          expect(sent.status, `${JSON.stringify(asked)}: ${sent.text}`).toBe(model.apply(asked, sent))
        }
        await expectSame(shop, model)
      }),
      { numRuns: sized(1_000, 15), endOnFailure: true },
    )
  },
  sized(3_600_000, 120_000),
)
