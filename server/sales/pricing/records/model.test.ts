import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// Random requests about price lists, records and assignments beside a model that is written from docs/contract/price-lists.md alone.

const VARIANTS = 3
const LISTS = ['Trade', 'trade', 'Net', 'Retail']

type Currency = 'usd' | 'eur'
/** An id of a list is the position of a list that was created, so that most commands find one. */
interface Item {
  list: number
  variant: number
  currency: Currency
  price: number | undefined
}
type Command =
  | { kind: 'create' | 'rename'; list: number; name: string }
  | { kind: 'remove'; list: number }
  | { kind: 'put' | 'post'; list: number; items: Omit<Item, 'list'>[] }
  | { kind: 'put all' | 'post all'; items: Item[] }
  | { kind: 'put one'; item: Item }
  | { kind: 'remove one'; list: number; variant: number; currency: Currency }
  | { kind: 'remove records'; list: number; currency: Currency | undefined }
  | { kind: 'assign' | 'take'; list: number; channel: number }
  | { kind: 'activate'; list: number; active: boolean }

const list = fc.integer({ min: 0, max: 3 })
const fields = {
  // One more than there are.
  variant: fc.integer({ min: 1, max: VARIANTS + 1 }),
  currency: fc.constantFrom<Currency>('usd', 'eur'),
  price: fc.option(fc.integer({ min: 0, max: 9_999 }), { nil: undefined, freq: 4 }),
}
const item = fc.record({ list, ...fields })
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create' as const, 'rename' as const), list, name: fc.constantFrom(...LISTS) }),
  fc.record({ kind: fc.constant('remove' as const), list }),
  fc.record({
    kind: fc.constantFrom('put' as const, 'post' as const),
    list,
    items: fc.array(fc.record(fields), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constantFrom('put all' as const, 'post all' as const),
    items: fc.array(item, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('put one' as const), item }),
  fc.record({ kind: fc.constant('remove one' as const), list, variant: fields.variant, currency: fields.currency }),
  fc.record({
    kind: fc.constant('remove records' as const),
    list,
    currency: fc.option(fields.currency, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constantFrom('assign' as const, 'take' as const),
    list,
    channel: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({ kind: fc.constant('activate' as const), list, active: fc.boolean() }),
)

interface ModelList {
  id: number
  name: string
  active: boolean
  /** The prices by variant and currency. */
  records: Map<string, number>
}

/** A store as the contract describes it. */
class Model {
  readonly lists = new Map<number, ModelList>()
  /** The list of each channel. */
  readonly assigned = new Map<number, number>()
  readonly created: number[] = []
  #last = 0

  idOf = (position: number) => this.created[position % Math.max(this.created.length, 1)] ?? 99

  #isTaken = (name: string, except?: number) =>
    [...this.lists.values()].some((one) => one.id !== except && one.name.toLowerCase() === name.toLowerCase())

  /** Applies a command. @returns the status of its answer, and the positions of failed items of a batch */
  apply(asked: Command): { status: number; failed?: number[] } {
    switch (asked.kind) {
      case 'create': {
        if (this.#isTaken(asked.name)) return { status: 409 }
        const id = ++this.#last
        this.created.push(id)
        this.lists.set(id, { id, name: asked.name, active: true, records: new Map() })
        return { status: 200 }
      }
      case 'rename': {
        const found = this.lists.get(this.idOf(asked.list))
        if (!found) return { status: 404 }
        if (this.#isTaken(asked.name, found.id)) return { status: 409 }
        found.name = asked.name
        return { status: 200 }
      }
      case 'activate': {
        const found = this.lists.get(this.idOf(asked.list))
        if (found) found.active = asked.active
        return { status: found ? 200 : 404 }
      }
      case 'remove': {
        const id = this.idOf(asked.list)
        for (const [channel, of] of this.assigned) if (of === id) this.assigned.delete(channel)
        return { status: this.lists.delete(id) ? 204 : 404 }
      }
      case 'put':
      case 'post': {
        if (!this.lists.has(this.idOf(asked.list))) return { status: 404 }
        const items = asked.items.map((one) => ({ ...one, list: asked.list }))
        return this.#store(items, asked.kind === 'post')
      }
      case 'put all':
      case 'post all':
        return this.#store(asked.items, asked.kind === 'post all')
      case 'put one': {
        const { variant, currency, price } = asked.item
        const records = this.lists.get(this.idOf(asked.item.list))?.records
        if (!records || variant > VARIANTS) return { status: 404 }
        if (price === undefined && !records.has(`${variant} ${currency}`)) return { status: 422 }
        if (price !== undefined) records.set(`${variant} ${currency}`, price)
        return { status: 200 }
      }
      case 'remove one': {
        const records = this.lists.get(this.idOf(asked.list))?.records
        return { status: records?.delete(`${asked.variant} ${asked.currency}`) ? 204 : 404 }
      }
      case 'remove records': {
        const records = this.lists.get(this.idOf(asked.list))?.records
        if (!records) return { status: 404 }
        for (const key of records.keys()) {
          if (asked.currency === undefined || key.endsWith(asked.currency)) records.delete(key)
        }
        return { status: 204 }
      }
      case 'assign': {
        const id = this.idOf(asked.list)
        if (!this.lists.has(id) || asked.channel > 1) return { status: 422 }
        const holder = this.assigned.get(asked.channel)
        if (holder !== undefined && holder !== id) return { status: 422 }
        this.assigned.set(asked.channel, id)
        return { status: 200 }
      }
      case 'take':
        this.assigned.delete(asked.channel)
        return { status: 204 }
    }
  }

  #store(items: readonly Item[], onlyNew: boolean): { status: number; failed: number[] } {
    const seen = new Set<string>()
    const failed = items.flatMap(({ list, variant, currency, price }, i) => {
      const id = this.idOf(list)
      const records = this.lists.get(id)?.records
      const key = `${variant} ${currency}`
      const isFirst = !seen.has(`${id} ${key}`)
      if (!records || variant > VARIANTS || !isFirst) return [i]
      seen.add(`${id} ${key}`)
      if (price === undefined && (onlyNew || !records.has(key))) return [i]
      if (onlyNew && records.has(key)) return [i]
      if (price !== undefined) records.set(key, price)
      return []
    })
    return { status: failed.length === 0 ? 200 : 422, failed }
  }

  /** The price of the product of a variant for guests. */
  priceOf(variant: number, currency: Currency): number {
    const of = this.lists.get(this.assigned.get(1) ?? 0)
    const record = of?.active ? of.records.get(`${variant} ${currency}`) : undefined
    return record ?? (currency === 'usd' ? 20 : 10)
  }
}

/** Sends a command. */
function send(shop: Shop, model: Model, asked: Command) {
  const call = (method: string, path: string, body?: unknown) => shop.call(method, `/pricelists${path}`, body)
  const record = ({ variant, currency, price }: Omit<Item, 'list'>) => ({ variant_id: variant, currency, price })
  const withList = (one: Item) => ({ price_list_id: model.idOf(one.list), ...record(one) })
  const id = 'list' in asked ? model.idOf(asked.list) : 0
  switch (asked.kind) {
    case 'create':
      return call('POST', '', { name: asked.name })
    case 'rename':
      return call('PUT', `/${id}`, { name: asked.name })
    case 'activate':
      return call('PUT', `/${id}`, { active: asked.active })
    case 'remove':
      return call('DELETE', `/${id}`)
    case 'put':
    case 'post':
      return call(asked.kind.toUpperCase(), `/${id}/records`, asked.items.map(record))
    case 'put all':
      return call('PUT', '/records', asked.items.map(withList))
    case 'post all':
      return call('POST', '/records', asked.items.map(withList))
    case 'put one': {
      const { list, variant, currency, price } = asked.item
      return call('PUT', `/${model.idOf(list)}/records/${variant}/${currency}`, { price })
    }
    case 'remove one':
      return call('DELETE', `/${id}/records/${asked.variant}/${asked.currency}`)
    case 'remove records':
      return call('DELETE', `/${id}/records${asked.currency === undefined ? '' : `?currency=${asked.currency}`}`)
    case 'assign':
      return call('POST', '/assignments', [{ price_list_id: id, channel_id: asked.channel }])
    case 'take':
      return call('DELETE', `/assignments?channel_id=${asked.channel}`)
  }
}

async function expectSame(shop: Shop, model: Model) {
  const lists = (await shop.call('GET', '/pricelists')).body.data
  const modelled = [...model.lists.values()]
  expect(lists.map(({ id, name, active }: ModelList) => ({ id, name, active }))).toEqual(
    modelled.map(({ id, name, active }) => ({ id, name, active })),
  )
  for (const { id, records } of modelled) {
    const { data } = (await shop.call('GET', `/pricelists/${id}/records`)).body
    const shown = data.map((one: { variant_id: number; currency: string; price: number }) => [
      `${one.variant_id} ${one.currency}`,
      one.price,
    ])
    expect(new Map(shown)).toEqual(records)
  }
  const assignments = (await shop.call('GET', '/pricelists/assignments')).body.data
  expect(
    new Map(
      assignments.map((one: { channel_id: number; price_list_id: number }) => [one.channel_id, one.price_list_id]),
    ),
  ).toEqual(model.assigned)
  for (const currency of ['usd', 'eur'] as const) {
    const items = Array.from({ length: VARIANTS }, (_, i) => ({ product_id: i + 1 }))
    const body = { channel_id: 1, currency_code: currency.toUpperCase(), items }
    const { data } = (await shop.call('POST', '/pricing/products', body)).body
    expect(
      data.map(({ calculated_price }: { calculated_price: { as_entered: number } }) => calculated_price.as_entered),
    ).toEqual(items.map((_, i) => model.priceOf(i + 1, currency)))
  }
}

async function openStore(): Promise<Shop> {
  const shop = await openShop()
  const goods = Array.from({ length: VARIANTS }, (_, i) => ({
    name: `Mug ${i}`,
    type: 'physical',
    weight: 1,
    price: 20,
  }))
  await shop.call('POST', '/catalog/products', goods)
  const euro = {
    currency_code: 'EUR',
    currency_exchange_rate: '0.5',
    name: 'Euro',
    token: '€',
    token_location: 'left',
    decimal_token: ',',
    thousands_token: '.',
    decimal_places: 2,
    enabled: true,
    is_transactional: true,
  }
  await shop.call('POST', '/currencies', euro, { version: 'v2' })
  return shop
}

test(
  'C-122, C-121: random requests about price lists have the answers and the prices of a model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const [shop, model] = [await openStore(), new Model()]
        for (const asked of commands) {
          const sent = await send(shop, model, asked)
          const expected = model.apply(asked)
          expect(sent.status, `${JSON.stringify(asked)}: ${sent.text}`).toBe(expected.status)
          if (expected.failed?.length) expect(sent.body.batch_errors).toHaveLength(expected.failed.length)
          await expectSame(shop, model)
        }
      }),
      { numRuns: sized(1_000, 15), endOnFailure: true },
    )
  },
  sized(3_600_000, 120_000),
)
