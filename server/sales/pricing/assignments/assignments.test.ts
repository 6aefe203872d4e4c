import { beforeEach, describe, expect, test } from 'vitest'
import { invalid } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { deleteListsOfChannel } from '../deletion.ts'

let shop: Shop
let [group, discounted] = [0, 0]
beforeEach(async () => {
  shop = await openShop()
  for (const name of ['Trade', 'Net']) await shop.call('POST', '/pricelists', { name })
  group = (await groups('POST', '', { name: 'Dealers' })).body.id
  const discount_rules = [{ type: 'all', method: 'percent', amount: 10 }]
  discounted = (await groups('POST', '', { name: 'Staff', discount_rules })).body.id
})

const groups = (method: string, path: string, body?: unknown) =>
  shop.call(method, `/customer_groups${path}`, body, { version: 'v2' })
const call = (method: string, path: string, body?: unknown) => shop.call(method, `/pricelists/assignments${path}`, body)
const put = (list: number, body: object) => shop.call('PUT', `/pricelists/${list}/assignments`, body)
const rows = async (query = '') =>
  (await call('GET', query)).body.data.map((row: Record<string, number | null>) => [
    row.price_list_id,
    row.customer_group_id,
    row.channel_id,
  ])
const published = async () =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .filter(({ scope }) => String(scope).startsWith('store/priceList/assignment'))
    .map(({ scope, data }) => [String(scope).replace('store/priceList/assignment/', ''), JSON.parse(String(data))])
const data = (price_list_id: number, customer_group_id: number | null, channel_id: number | null) => ({
  price_list_id,
  channel_id,
  customer_group_id,
})
const some = expect.any(String)

describe('assignments', () => {
  test('are created in batches, which save the valid ones and name the others', async () => {
    const answer = await call('POST', '', [
      { price_list_id: 1, customer_group_id: group },
      { price_list_id: 1, customer_group_id: group, channel_id: 1 },
      { price_list_id: 2, channel_id: 1 },
      { price_list_id: 1 },
      { price_list_id: 9, channel_id: 9 },
      { price_list_id: 1, customer_group_id: 99 },
      { price_list_id: 1, customer_group_id: discounted },
      { price_list_id: 1, channel_id: 1 },
      { price_list_id: 2, channel_id: 1 },
    ])
    expect(answer.status).toBe(422)
    expect(answer.body.meta).toEqual({ saved_records: 4 })
    expect(answer.body.errors).toEqual({
      '3.customer_group_id': some,
      '4.price_list_id': some,
      '4.channel_id': some,
      '5.customer_group_id': some,
      '6.customer_group_id': some,
      '7.price_list_id': some,
    })
    expect(await rows()).toEqual([
      [1, group, null],
      [1, group, 1],
      [2, null, 1],
    ])
    const again = await call('POST', '', [{ price_list_id: 2, channel_id: 1 }])
    expect(again).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
    expect(await published()).toEqual([
      ['updated', data(1, group, null)],
      ['updated', data(1, group, 1)],
      ['updated', data(2, null, 1)],
    ])
  })

  test('without group and channel are 422, and none is saved', async () => {
    const answer = await call('POST', '', [{ price_list_id: 2 }])
    expect(answer).toMatchObject({ status: 422, body: { meta: { saved_records: 0 } } })
    expect(
      (
        await call(
          'POST',
          '',
          Array.from({ length: 26 }, () => ({ price_list_id: 1 })),
        )
      ).status,
    ).toBe(413)
    expect((await call('POST', '', [])).status).toBe(422)
  })

  test('of a pair are replaced by PUT', async () => {
    const made = await put(1, { customer_group_id: group, channel_id: 1 })
    const row = { id: 1, price_list_id: 1, customer_group_id: group, channel_id: 1 }
    expect(made).toMatchObject({ status: 200, body: { data: row, meta: {} } })
    expect((await put(1, { customer_group_id: group, channel_id: 1 })).body.data).toEqual(row)
    expect((await put(2, { customer_group_id: group, channel_id: 1 })).body.data).toEqual({ ...row, price_list_id: 2 })
    expect((await put(2, { customer_group_id: 3 })).body).toEqual(invalid({ channel_id: 'error.path.missing' }))
    expect((await put(9, { customer_group_id: group, channel_id: 1 })).status).toBe(404)
    expect((await put(2, { customer_group_id: 99, channel_id: 1 })).status).toBe(404)
    expect((await put(2, { customer_group_id: group, channel_id: 99 })).status).toBe(404)
    expect((await put(2, { customer_group_id: discounted, channel_id: 1 })).status).toBe(422)
    expect(await rows()).toEqual([[2, group, 1]])
    expect(await published()).toEqual([
      ['updated', data(1, group, 1)],
      ['updated', data(2, group, 1)],
    ])
  })

  test('are filtered and deleted by their fields', async () => {
    await call('POST', '', [
      { price_list_id: 1, customer_group_id: group },
      { price_list_id: 1, customer_group_id: group, channel_id: 1 },
      { price_list_id: 2, channel_id: 1 },
    ])
    const found = async (query: string) => (await call('GET', query)).body.data.map(({ id }: { id: number }) => id)
    expect(await found(`?customer_group_id=${group}`)).toEqual([1, 2])
    expect(await found(`?customer_group_id:in=${group}`)).toEqual([1, 2])
    expect(await found('?channel_id=1')).toEqual([2, 3])
    expect(await found('?channel_id:in=1,2')).toEqual([2, 3])
    expect(await found('?price_list_id=2')).toEqual([3])
    expect(await found('?price_list_id:in=2')).toEqual([3])
    expect(await found('?id=2')).toEqual([2])
    expect(await found('?id:in=1,2')).toEqual([1, 2])
    expect((await call('DELETE', '')).status).toBe(422)
    expect((await call('DELETE', '?colour=1')).status).toBe(422)
    const before = (await published()).length
    expect((await call('DELETE', `?customer_group_id=${group}&channel_id=1`)).status).toBe(204)
    expect(await found('')).toEqual([1, 3])
    expect((await call('DELETE', '?channel_id:in=1')).status).toBe(204)
    expect((await call('DELETE', '?price_list_id=1&id=9')).status).toBe(204)
    expect(await found('')).toEqual([1])
    expect((await published()).slice(before)).toEqual([
      ['updated', data(1, group, 1)],
      ['deleted', data(1, group, 1)],
      ['updated', data(2, null, 1)],
      ['deleted', data(2, null, 1)],
    ])
  })

  test('go silently with their group, list and channel', async () => {
    const channel = await shop.call('POST', '/channels', {
      name: 'Fair',
      type: 'pos',
      platform: 'custom',
      status: 'connected',
    })
    const channel_id = channel.body.data.id
    await call('POST', '', [
      { price_list_id: 1, customer_group_id: group },
      { price_list_id: 2, channel_id: 1 },
      { price_list_id: 1, channel_id },
      { price_list_id: 2, customer_group_id: group, channel_id },
    ])
    const before = (await published()).length
    await groups('DELETE', `/${group}`)
    expect(await rows()).toEqual([
      [2, null, 1],
      [1, null, channel_id],
    ])
    await shop.call('DELETE', '/pricelists/2')
    expect(await rows()).toEqual([[1, null, channel_id]])
    const db = await dbOf(shop)
    await deleteListsOfChannel(db, channel_id)
    expect(await rows()).toEqual([])
    expect(await published()).toHaveLength(before)
  })
})

describe('the price_list rule of a group', () => {
  const rule = (price_list_id: number) => ({ discount_rules: [{ type: 'price_list', price_list_id }] })

  test('is the assignment without a channel, in both directions', async () => {
    expect((await groups('PUT', `/${group}`, rule(1))).body.discount_rules).toEqual(rule(1).discount_rules)
    expect(await rows()).toEqual([[1, group, null]])
    expect((await groups('PUT', `/${group}`, rule(2))).body.discount_rules).toEqual(rule(2).discount_rules)
    await groups('PUT', `/${group}`, { name: 'Dealers 2' })
    expect(await rows()).toEqual([[2, group, null]])
    await call('DELETE', '?price_list_id=2')
    expect((await groups('GET', `/${group}`)).body.discount_rules).toEqual([])
    await call('POST', '', [{ price_list_id: 1, customer_group_id: group }])
    expect((await groups('GET', `/${group}`)).body.discount_rules).toEqual(rule(1).discount_rules)
    expect(
      (await groups('GET', '')).body.map(({ discount_rules }: { discount_rules: object[] }) => discount_rules),
    ).toEqual([rule(1).discount_rules, expect.any(Array)])
    await groups('PUT', `/${group}`, { discount_rules: [] })
    expect(await rows()).toEqual([])
    expect((await published()).map(([deed, { price_list_id }]) => [deed, price_list_id])).toEqual([
      ['updated', 1],
      ['updated', 2],
      ['updated', 2],
      ['deleted', 2],
      ['updated', 1],
      ['updated', 1],
      ['deleted', 1],
    ])
    const made = await groups('POST', '', { name: 'New', ...rule(2) })
    expect(made.body.discount_rules).toEqual(rule(2).discount_rules)
  })

  test('names a list that exists: 400', async () => {
    const unknown = [expect.objectContaining({ status: 400 })]
    expect(await groups('PUT', `/${group}`, rule(9))).toMatchObject({ status: 400, body: unknown })
    expect(await groups('POST', '', { name: 'New', ...rule(9) })).toMatchObject({ status: 400, body: unknown })
  })

  test('goes with other rules that replace it, while lists of channels block them: 409', async () => {
    await groups('PUT', `/${group}`, rule(1))
    const discounts = { discount_rules: [{ type: 'all', method: 'price', amount: '1.0000' }] }
    expect((await groups('PUT', `/${group}`, discounts)).status).toBe(200)
    expect(await rows()).toEqual([])
    expect((await call('POST', '', [{ price_list_id: 1, customer_group_id: group }])).status).toBe(422)
    await groups('PUT', `/${group}`, { discount_rules: [] })
    await put(1, { customer_group_id: group, channel_id: 1 })
    expect((await groups('PUT', `/${group}`, discounts)).status).toBe(409)
    expect(await rows()).toEqual([[1, group, 1]])
  })
})
