import { beforeEach, describe, expect, test } from 'vitest'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'
import { doJobs } from '../../test/harness/jobs.ts'
import { deletionRunner } from './records/sets.ts'

// Price lists, records and assignments in many hands, and beside another store.

const ROUNDS = sized(1_000, 25)

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  await shop.call(
    'POST',
    '/catalog/products',
    Array.from({ length: 10 }, (_, i) => ({ name: `Mug ${i}`, type: 'physical', weight: 1, price: 9, sku: `M-${i}` })),
  )
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/pricelists${path}`, body)
const newList = async (name: string): Promise<number> => (await call('POST', '', { name })).body.data.id
const group = async (name: string): Promise<number> =>
  (await shop.call('POST', '/customer_groups', { name }, { version: 'v2' })).body.id

describe('races', () => {
  test('a list is deleted while records are stored in it, and none is left (C-012)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await newList(`Race ${round}`)
      const [deleted, ...stored] = await Promise.all([
        call('DELETE', `/${id}`),
        call('PUT', `/${id}/records`, [{ variant_id: 1, currency: 'usd', price: 1 }]),
        call('PUT', `/${id}/records/2/usd`, { price: 2 }),
        call('PUT', '/records', [{ price_list_id: id, variant_id: 3, currency: 'usd', price: 3 }]),
      ])
      expect(deleted.status).toBe(204)
      for (const { status, text } of stored) expect([200, 404, 422], text).toContain(status)
      expect((await call('GET', `/${id}/records`)).status).toBe(404)
    }
    await doJobs([deletionRunner()])
    expect([await rowsOf(shop, 'price_records'), await rowsOf(shop, 'price_record_sets')]).toEqual([[], []])
  })

  test('a group or a list is deleted while it is assigned, and no assignment is left (C-012)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [list, members] = [await newList(`Race ${round}`), await group(`Race ${round}`)]
      const isGroup = round % 2 === 0
      const answers = await Promise.all([
        isGroup
          ? shop.call('DELETE', `/customer_groups/${members}`, undefined, { version: 'v2' })
          : call('DELETE', `/${list}`),
        call('POST', '/assignments', [{ price_list_id: list, customer_group_id: members }]),
        call('PUT', `/${list}/assignments`, { customer_group_id: members, channel_id: 1 }),
      ])
      for (const { status, text } of answers) expect([200, 204, 404, 422], text).toContain(status)
      const left = isGroup ? `customer_group_id=${members}` : `price_list_id=${list}`
      expect((await call('GET', `/assignments?${left}`)).body.data).toEqual([])
    }
  })

  test('one of several clients gets the name of a list, in any case and Unicode form (C-017)', async () => {
    for (let round = 0; round < sized(500, 25); round++) {
      const names = [`Åre ${round}`, `A\u030are ${round}`, `åRE ${round}`]
      const answers = await Promise.all(names.map((name) => call('POST', '', { name })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    }
  })

  test('batches of the same records and assignments in opposite order are all answered (C-024)', async () => {
    const lists = [await newList('One'), await newList('Two')]
    const groups = [await group('One'), await group('Two')]
    const records = (price: number) =>
      lists.flatMap((price_list_id) =>
        Array.from({ length: 10 }, (_, i) => ({ price_list_id, variant_id: i + 1, currency: 'usd', price })),
      )
    const inList = (price: number) => records(price).slice(0, 10)
    const assigned = lists.flatMap((price_list_id, i) => [
      { price_list_id, customer_group_id: groups[i], channel_id: 1 },
    ])
    for (let round = 0; round < sized(100, 8); round++) {
      const answers = await Promise.all([
        call('PUT', '/records', round % 2 === 0 ? records(round) : records(round).toReversed()),
        call('PUT', `/${lists[0]}/records`, inList(round)),
        call('PUT', `/${lists[0]}/records`, inList(round).toReversed()),
        call('DELETE', `/${lists[1]}/records`),
        call('POST', '/assignments', assigned),
        call('POST', '/assignments', assigned.toReversed()),
        call('DELETE', '/assignments?channel_id=1'),
      ])
      for (const { status, text } of answers) expect([200, 204], text).toContain(status)
    }
  })
})

describe('another store', () => {
  let other: Shop
  beforeEach(async () => {
    other = await openShop()
    await other.call(
      'POST',
      '/catalog/products',
      Array.from({ length: 40 }, (_, i) => ({
        name: `Pot ${i}`,
        type: 'physical',
        weight: 1,
        price: 5,
        sku: `M-${i}`,
      })),
    )
    // Its list and its variants have ids that this store has not.
    for (const name of ['A', 'B', 'C']) await other.call('POST', '/pricelists', { name })
  })

  test('batches with its ids change nothing there, and name them as any unknown id (C-067)', async () => {
    const id = await newList('Trade')
    const sent = [
      { price_list_id: 3, variant_id: 1, currency: 'usd', price: 1 },
      { price_list_id: id, variant_id: 30, currency: 'usd', price: 1 },
      { price_list_id: id, variant_id: 1, currency: 'usd', price: 1 },
      { price_list_id: 99, variant_id: 1, currency: 'usd', price: 1 },
      { price_list_id: id, variant_id: 999, currency: 'usd', price: 1 },
    ]
    const { status, body } = await call('PUT', '/records', sent)
    expect(status).toBe(422)
    const sentences = body.batch_errors.map(({ field_errors }: { field_errors: object }) =>
      JSON.stringify(field_errors).replaceAll(/\d+/g, 'N'),
    )
    expect([sentences.length, sentences[0], sentences[1]]).toEqual([4, sentences[2], sentences[3]])
    expect((await call('GET', `/${id}/records`)).body.data).toHaveLength(1)
    const assigned = await call('POST', '/assignments', [{ price_list_id: 3, channel_id: 1 }])
    expect([assigned.status, assigned.body.meta.saved_records]).toEqual([422, 0])
    await call('DELETE', '?id:in=1,2,3')
    expect((await other.call('GET', '/pricelists')).body.data).toHaveLength(3)
    expect([await rowsOf(other, 'price_records'), await rowsOf(other, 'price_list_assignments')]).toEqual([[], []])
  })

  test('a record of one list is not found under another (C-066)', async () => {
    const [one, two] = [await newList('One'), await newList('Two')]
    await call('PUT', `/${one}/records/1/usd`, { price: 1 })
    expect((await call('GET', `/${two}/records/1/usd`)).status).toBe(404)
    expect((await call('GET', `/${two}/records/1`)).body.data).toEqual([])
    expect((await call('DELETE', `/${two}/records/1/usd`)).status).toBe(404)
    expect((await call('GET', `/${one}/records/1/usd`)).status).toBe(200)
  })

  test('its changes leave every answer of this store as it is (C-070)', async () => {
    const id = await newList('Trade')
    await call('PUT', `/${id}/records`, [{ variant_id: 1, currency: 'usd', price: 5 }])
    await call('POST', '/assignments', [{ price_list_id: id, channel_id: 1 }])
    await shop.call('POST', '/tax/zones', [
      { name: 'Denmark', shopper_target_settings: { locations: [{ country_code: 'DK' }] } },
    ])
    await shop.call('POST', '/tax/rates', [
      { name: 'Moms', tax_zone_id: 2, class_rates: [{ rate: 25, tax_class_id: 0 }] },
    ])
    const body = { channel_id: 1, currency_code: 'USD', country_code: 'DK', items: [{ product_id: 1 }] }
    const answers = async () => {
      const answers = [
        await shop.call('POST', '/pricing/products', body),
        ...(await Promise.all(
          [
            '/pricelists?limit=1',
            `/pricelists/${id}/records`,
            '/pricelists/assignments',
            '/tax/rates',
            '/tax/zones',
          ].map((path) => shop.call('GET', path)),
        )),
        await call('POST', '', { name: 'trade' }),
        await call('GET', '/3'),
      ]
      return answers.map(({ status, text, headers: { etag, link } }) => ({ status, text, etag, link }))
    }
    const before = await answers()
    await other.call('POST', '/pricelists', { name: 'Trade' })
    await other.call('PUT', '/pricelists/1/records', [{ variant_id: 1, currency: 'usd', price: 1 }])
    await other.call('POST', '/pricelists/assignments', [{ price_list_id: 1, channel_id: 1 }])
    await other.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
    await other.call('POST', '/tax/rates', [
      { name: 'Moms', tax_zone_id: 1, class_rates: [{ rate: 9, tax_class_id: 0 }] },
    ])
    expect(await answers()).toEqual(before)
  })
})
