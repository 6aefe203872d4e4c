import { describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, delivered, failed, happen, rowsOf, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { claimHook } from '../queue/claims.ts'
import { deactivate } from '../queue/hook-state.ts'
import { parseEventId } from '../sending/event-id.ts'

// docs/contract/webhooks.md sections 4, 5 and 7. worker.test.ts tests the callbacks themselves.

const inactive = problem(409, 'The webhook is not active: set is_active to true first.')

/** Waits differ by minutes; on a busy machine seconds may pass between two moments of a test. */
const LATE_S = 20
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const MOMENT = expect.toSatisfy((seconds: unknown) => Number.isSafeInteger(seconds))
const EVENT_ID = expect.stringMatching(/^evt_[0-9A-Z]{26}$/)

const seconds = async () => Math.floor((await theHouse()).clock.now().getTime() / 1_000)
const later = async (ms: number) => (await theHouse()).clock.move(ms)

async function hookedShop(scope = SCOPE): Promise<StaffedShop> {
  const shop = await openStaffedShop()
  await shop.call('POST', '/hooks', { scope, destination: 'https://example.com/hooks' })
  return shop
}

const log = async (shop: StaffedShop, query = '') => (await shop.call('GET', `/hooks/1/deliveries?${query}`)).body.data
const dids = async (shop: StaffedShop, query = '') => (await log(shop, query)).map(({ id }: { id: string }) => id)
const waiting = async (shop: StaffedShop) => (await rowsOf(shop, 'lanes')).map(({ resource }) => resource)

describe('the log of a webhook', () => {
  test('shows each attempt completely, newest first', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, failed)
    await later(60_000)
    await attempt(shop, 1, delivered)
    const { status, body } = await shop.call('GET', '/hooks/1/deliveries')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: '1-2',
          event_id: EVENT_ID,
          scope: SCOPE,
          attempt: 2,
          started_at: MOMENT,
          duration_ms: 12,
          status_code: 204,
          outcome: 'delivered',
          error: null,
          excerpt: '',
          next_attempt_at: null,
        },
        {
          id: '1-1',
          event_id: body.data[0].event_id,
          scope: SCOPE,
          attempt: 1,
          started_at: MOMENT,
          duration_ms: 12,
          status_code: 500,
          outcome: 'refused',
          error: 'The receiver answered 500.',
          excerpt: 'Oh no',
          next_attempt_at: MOMENT,
        },
      ],
      meta: { pagination: onlyPage(2) },
    })
    const [second, first] = body.data
    expect(parseEventId(first.event_id)).toMatchObject({ seq: 1 })
    expect(Math.abs(first.started_at + 60 - second.started_at)).toBeLessThan(LATE_S)
    expect(Math.abs(first.next_attempt_at - second.started_at)).toBeLessThan(LATE_S)
    expect((await shop.call('GET', '/hooks/1/deliveries/1-1')).body).toEqual({ data: first, meta: {} })
    expect((await shop.call('GET', '/hooks/1/deliveries/1-2')).body).toEqual({ data: second, meta: {} })
  })

  test('shows an attempt in progress, and an event that is no longer kept', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    const db = await dbOf(shop)
    await db.transaction((tx) => claimHook(tx, 1, () => 1))
    const under = { duration_ms: null, status_code: null, outcome: null, error: null, excerpt: null }
    expect(await log(shop)).toMatchObject([{ id: '1-1', event_id: EVENT_ID, ...under, next_attempt_at: null }])
    await db.transaction((tx) => tx.rows(sql`delete from events where store_id = ${tx.store.id}`))
    expect(await log(shop)).toMatchObject([{ id: '1-1', event_id: null, scope: null, attempt: 1 }])
  })

  test('belongs to one webhook, and has pages', async () => {
    const shop = await hookedShop()
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://example.com/other' })
    await happen(shop, 'category 1', 'category 2', 'category 3')
    await attempt(shop, 1, delivered)
    expect((await shop.call('GET', '/hooks/2/deliveries')).body.data).toEqual([])
    expect(await dids(shop, 'limit=2')).toEqual(['3-1', '2-1'])
    expect(await dids(shop, 'limit=2&page=2')).toEqual(['1-1'])
    expect(await dids(shop, 'limit=2&page=3')).toEqual([])
    expect((await shop.call('GET', '/hooks/1/deliveries?limit=2&page=2')).body.meta.pagination).toMatchObject({
      total: 3,
      links: { previous: '?page=1&limit=2', current: '?page=2&limit=2' },
    })
    expect((await shop.call('GET', '/hooks/1/deliveries?limit=251')).status).toBe(413)
    expect((await shop.call('GET', '/hooks/1/deliveries?scope=x')).status).toBe(422)
    expect((await shop.call('GET', '/hooks/2/deliveries/1-1')).status).toBe(404)
  })

  test.each([['2-1'], ['1-2'], ['1'], ['1-'], ['1-0'], ['0-1'], ['x-1'], ['1-1-1'], ['999999999999999-999999999']])(
    'has no delivery %s',
    async (did) => {
      const shop = await hookedShop()
      const missing = problem(404, `The delivery ${did} does not exist.`)
      expect(await shop.call('GET', `/hooks/1/deliveries/${did}`)).toMatchObject({ status: 404, body: missing })
      expect(await shop.call('POST', `/hooks/1/deliveries/${did}/resend`)).toMatchObject({ status: 404, body: missing })
    },
  )
})

describe('a resent delivery', () => {
  test('is sent once, under the same id and a new number, independent of its outcome', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, delivered)
    const [{ event_id }] = await log(shop)
    const resent = await shop.call('POST', '/hooks/1/deliveries/1-1/resend')
    expect(resent).toMatchObject({ status: 202, body: { data: { event_id }, meta: {} } })
    await shop.call('POST', '/hooks/1/deliveries/1-1/resend')
    expect(await waiting(shop), 'the same wish twice').toEqual(['resend 1'])
    await attempt(shop, 1, failed)
    expect(await log(shop)).toMatchObject([
      { id: '1-2', event_id, outcome: 'refused', next_attempt_at: null },
      { id: '1-1', event_id, outcome: 'delivered' },
    ])
    expect(await waiting(shop)).toEqual([])
    expect((await shop.call('GET', '/hooks/1')).body.data.is_active).toBe(true)
    await shop.call('POST', '/hooks/1/deliveries/1-2/resend')
    await attempt(shop, 1, delivered)
    expect(await dids(shop)).toEqual(['1-3', '1-2', '1-1'])
  })

  test('does not count in the schedule of a waiting one', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, failed)
    const [before] = await rowsOf(shop, 'lanes')
    await shop.call('POST', '/hooks/1/deliveries/1-1/resend')
    await attempt(shop, 1, failed)
    expect(await rowsOf(shop, 'lanes')).toEqual([before])
    await later(60_000)
    await attempt(shop, 1, failed)
    const [last] = await log(shop)
    expect(last).toMatchObject({ id: '1-3', attempt: 3 })
    expect(Math.abs(last.next_attempt_at - last.started_at - 180), 'the second wait').toBeLessThan(LATE_S)
    expect(await dids(shop)).toEqual(['1-3', '1-2', '1-1'])
  })

  test('needs an active webhook and an event that is still kept', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, delivered)
    await shop.call('PUT', '/hooks/1', { is_active: false })
    expect(await shop.call('POST', '/hooks/1/deliveries/1-1/resend')).toMatchObject({ status: 409, body: inactive })
    await shop.call('PUT', '/hooks/1', { is_active: true })
    await (await dbOf(shop)).transaction((tx) => tx.rows(sql`delete from events where store_id = ${tx.store.id}`))
    expect(await shop.call('POST', '/hooks/1/deliveries/1-1/resend')).toMatchObject({
      status: 409,
      body: problem(409, 'The event of this delivery is no longer kept.'),
    })
    expect(await waiting(shop)).toEqual([])
  })

  test('is dropped if the webhook is deactivated before', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, delivered)
    await shop.call('POST', '/hooks/1/deliveries/1-1/resend')
    await shop.call('POST', '/hooks/1/test', {})
    await shop.call('PUT', '/hooks/1', { is_active: false })
    expect(await waiting(shop)).toEqual([])
    expect(await rowsOf(shop, 'parked_deliveries')).toEqual([])
  })
})

describe('missed deliveries', () => {
  test('are recovered from a given time on, oldest first, with the same ids and further numbers (C-034)', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1', 'category 2', 'category 1')
    const [claimed] = await attempt(shop, 1, failed)
    expect(claimed).toMatchObject({ resource: 'category 1', deliveries: [{ seq: 1 }, { seq: 3 }] })
    await later(10_000)
    const since = await seconds()
    await happen(shop, 'category 3')
    await shop.call('PUT', '/hooks/1', { is_active: false })
    expect(await shop.call('POST', '/hooks/1/recover', { since })).toMatchObject({ status: 409, body: inactive })
    await shop.call('PUT', '/hooks/1', { is_active: true })

    const recover = async (from: number) => shop.call('POST', '/hooks/1/recover', { since: from })
    expect((await recover(since + 5)).body.data).toEqual({ recovered: 0 })
    expect(await recover(since)).toMatchObject({ status: 202, body: { data: { recovered: 1 }, meta: {} } })
    expect(await waiting(shop)).toEqual(['category 3'])
    expect((await recover(0)).body.data).toEqual({ recovered: 3 })
    expect((await recover(0)).body.data).toEqual({ recovered: 0 })

    const events = new Map((await log(shop)).map((row: { id: string; event_id: string }) => [row.id, row.event_id]))
    const lanes = await attempt(shop, 1, delivered)
    expect(
      lanes.map(({ resource, deliveries }) => [resource, ...deliveries.map(({ seq, attempt }) => [seq, attempt])]),
    ).toEqual([
      ['category 1', [1, 2], [3, 1]],
      ['category 2', [2, 2]],
      ['category 3', [4, 1]],
    ])
    expect((await log(shop)).find(({ id }: { id: string }) => id === '1-2').event_id).toBe(events.get('1-1'))
    expect(await waiting(shop)).toEqual([])
  })

  test('start their schedule again', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    for (const wait of [60_000, 180_000]) {
      await attempt(shop, 1, failed)
      await later(wait)
    }
    await shop.call('PUT', '/hooks/1', { is_active: false })
    await shop.call('PUT', '/hooks/1', { is_active: true })
    await shop.call('POST', '/hooks/1/recover', { since: 0 })
    await attempt(shop, 1, failed)
    const [last] = await log(shop)
    expect(last.id).toBe('1-3')
    expect(Math.abs(last.next_attempt_at - last.started_at - 60)).toBeLessThan(LATE_S)
  })

  test('are kept for 7 days', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await shop.call('PUT', '/hooks/1', { is_active: false })
    await later(7 * DAY_MS - HOUR_MS)
    await shop.call('PUT', '/hooks/1', { is_active: true })
    await happen(shop, 'category 2')
    await shop.call('PUT', '/hooks/1', { is_active: false })
    await later(2 * HOUR_MS)
    await shop.call('PUT', '/hooks/1', { is_active: true })
    expect((await shop.call('POST', '/hooks/1/recover', { since: 0 })).body.data).toEqual({ recovered: 1 })
    expect(await waiting(shop)).toEqual(['category 2'])
  })

  test.each([
    [{}, { since: 'error.path.missing' }],
    [{ since: '2025-01-01' }, { since: 'error.expected.jsnumber' }],
    [{ since: -1 }, { since: 'since must be at least 0, not -1.' }],
    [{ since: 1.5 }, { since: 'since must be a whole number, not 1.5.' }],
    [{ since: 1e13 }, { since: 'since must be at most 9999999999, not 10000000000000.' }],
  ])('are not recovered by %j', async (body, errors) => {
    const shop = await hookedShop()
    expect(await shop.call('POST', '/hooks/1/recover', body)).toMatchObject({ status: 422, body: invalid(errors) })
  })
})

describe('a webhook that the server deactivates', () => {
  test('keeps missed events, shows its reason and mails the client after the last attempt (C-033, W4)', async () => {
    const shop = await hookedShop()
    await shop.call('PUT', '/hooks/admin', { emails: ['one@example.com', 'two@example.com'] })
    await happen(shop, 'category 1', 'category 1', 'category 2')
    for (let i = 1; i <= 12; i++) {
      await attempt(shop, 1, failed)
      await later(DAY_MS)
    }
    expect((await shop.call('GET', '/hooks/1')).body.data.is_active).toBe(false)
    expect((await shop.call('GET', '/hooks/admin')).body.data.hooks_list).toMatchObject([{ status: 'deactivated' }])
    expect(await rowsOf(shop, 'hooks')).toMatchObject([{ reason: 'The last attempt at a callback failed.' }])
    expect(await waiting(shop)).toEqual([])
    const mails = await rowsOf(shop, 'mails')
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual(['one@example.com', 'two@example.com'])
    expect(mails[0]).toMatchObject({
      subject: `Webhook 1 of store ${shop.store.hash} was deactivated`,
      text: expect.stringContaining('The last attempt at a callback failed.'),
      sent_at: null,
    })
    expect(mails[0]?.text).toContain('https://example.com/hooks')

    const numbers = (await log(shop, 'limit=250')).map(({ id }: { id: string }) => id)
    expect(new Set(numbers).size).toBe(numbers.length)
    await shop.call('PUT', '/hooks/1', { is_active: true })
    expect((await shop.call('POST', '/hooks/1/recover', { since: 0 })).body.data).toEqual({ recovered: 3 })
    const lanes = await attempt(shop, 1, delivered)
    expect(lanes.flatMap(({ deliveries }) => deliveries.map(({ seq, attempt }) => [seq, attempt]))).toEqual([
      [1, 13],
      [2, 1],
      [3, 13],
    ])
  })

  test('is deactivated once, and only its client gets mail', async () => {
    const shop = await hookedShop()
    await shop.call('PUT', '/hooks/admin', { emails: ['other@example.com'] }, { as: shop.otherclient })
    const db = await dbOf(shop)
    const off = () => db.transaction((tx) => deactivate(tx, { id: 1, client_id: shop.admin.client_id }, 'For a test.'))
    expect(await off()).toBe(true)
    expect(await off()).toBe(false)
    expect(await rowsOf(shop, 'mails')).toEqual([])
    expect(await rowsOf(shop, 'hooks')).toMatchObject([
      { is_active: false, status: 'deactivated', reason: 'For a test.' },
    ])
  })
})

describe('a test of a webhook', () => {
  test('is an event with ids 0 for this webhook only, sent once', async () => {
    const shop = await hookedShop()
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://example.com/other' })
    const tested = await shop.call('POST', '/hooks/1/test', {})
    expect(tested).toMatchObject({ status: 202, body: { data: { event_id: EVENT_ID }, meta: {} } })
    expect(parseEventId(tested.body.data.event_id)).toMatchObject({ seq: 1 })
    await happen(shop)
    expect(await rowsOf(shop, 'deliveries')).toMatchObject([{ hook_id: 1, resource: 'test 1', seq: 1 }])
    const [lane] = await attempt(shop, 1, failed)
    expect(lane).toMatchObject({
      resource: 'test 1',
      deliveries: [{ event: { scope: SCOPE, data: '{"type":"category","id":0}' }, attempt: 1 }],
    })
    expect(await waiting(shop)).toEqual([])
    expect(await log(shop)).toMatchObject([{ id: '1-1', event_id: tested.body.data.event_id, next_attempt_at: null }])
    expect((await shop.call('GET', '/hooks/1')).body.data.is_active).toBe(true)
    await shop.call('POST', '/hooks/1/deliveries/1-1/resend')
    expect(await waiting(shop), 'a test stays a test').toEqual(['test 1'])
  })

  test.each([
    ['store/category/created', undefined, 'store/category/created'],
    ['store/category/*', undefined, 'store/category/created'],
    ['store/category/*', 'store/category/metafield/deleted', 'store/category/metafield/deleted'],
    ['store/order/*', 'store/order/refund/created', 'store/order/refund/created'],
    ['store/channel/7/order/*', undefined, 'store/channel/7/order/created'],
    ['store/channel/*/order/created', undefined, 'store/channel/1/order/created'],
    ['store/channel/*/order/created', 'store/channel/3/order/created', 'store/channel/3/order/created'],
    ['store/channel/*/inventory/product/stock_changed', undefined, 'store/channel/*/inventory/product/stock_changed'],
    ['store/channel/7/*', undefined, 'store/channel/7/order/created'],
  ])('of %s, requested for %s, is %s', async (scope, asked, sent) => {
    const shop = await hookedShop(scope)
    expect((await shop.call('POST', '/hooks/1/test', asked === undefined ? {} : { scope: asked })).status).toBe(202)
    expect(await rowsOf(shop, 'events')).toMatchObject([{ scope: sent, resource: 'test' }])
  })

  const unknown = 'No event has this scope.'
  test.each([
    ['store/category/*', 'store/category/*', unknown],
    ['store/channel/*/order/created', 'store/channel/*/order/created', unknown],
    ['store/category/*', 'store/category/moved', unknown],
    ['store/channel/7/*', 'store/channel/{channel_id}/order/created', unknown],
    ['store/category/*', '', 'scope must have at least 1 character.'],
    ['store/category/*', 'store/order/created', 'The webhook listens to store/category/* only.'],
    ['store/channel/7/*', 'store/channel/8/order/created', 'The webhook listens to store/channel/7/* only.'],
  ])('of %s is refused for %s', async (scope, asked, sentence) => {
    const shop = await hookedShop(scope)
    expect(await shop.call('POST', '/hooks/1/test', { scope: asked })).toMatchObject({
      status: 422,
      body: invalid({ scope: sentence }),
    })
    expect(await rowsOf(shop, 'events')).toEqual([])
  })

  test('needs an active webhook and a body', async () => {
    const shop = await hookedShop()
    expect((await shop.call('POST', '/hooks/1/test')).status).toBe(400)
    await shop.call('PUT', '/hooks/1', { is_active: false })
    expect(await shop.call('POST', '/hooks/1/test', {})).toMatchObject({ status: 409, body: inactive })
  })
})
