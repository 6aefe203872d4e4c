import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { countFacetsOf } from '../../goods/catalog/search/counts.ts'
import { channelDeletions } from '../../process/background.ts'
import { problem } from '../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { activate } from '../../test/fixtures/themes.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { connectAsAdministrator } from '../../test/harness/administrator.ts'
import { doJobs } from '../../test/harness/jobs.ts'
import { restoreChannel, terminationRunner } from './deletion.ts'

// docs/contract/channels.md section 3.

const CHANNEL = 664_159
const ONE = `/channels/${CHANNEL}`
const DAY_MS = 86_400_000
const TEMPLATE = `/marketing/email-templates/invoice_email?channel_id=${CHANNEL}`
const template = { subject: 'Bill', body: '<p>Bill</p>' }
const status = { down_for_maintenance_message: 'Back soon', prelaunch_message: 'Opening in May' }
const metafield = { key: 'pin', value: '4', namespace: 'warehouse', permission_set: 'read' }

let shop: Shop
let call: Shop['call']
/** A channel with all kinds of data, and product 1 in it. */
beforeEach(async () => {
  shop = await openShop()
  call = shop.call
  const made = [
    ['POST', '/channels', { name: 'Web', type: 'storefront', platform: 'catalyst', status: 'active' }],
    ['POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 1 }],
    ['PUT', '/catalog/products/channel-assignments', [{ product_id: 1, channel_id: CHANNEL }]],
    ['PUT', '/catalog/trees', [{ name: 'Web', channels: [CHANNEL] }]],
    [
      'POST',
      `${ONE}/listings`,
      [{ product_id: 1, state: 'active', variants: [{ product_id: 1, variant_id: 1, state: 'active' }] }],
    ],
    ['POST', `${ONE}/channel-menus`, { bigcommerce_protected_app_sections: ['social'] }],
    ['POST', `${ONE}/metafields`, metafield],
    ['PUT', TEMPLATE, template],
    ['POST', `${ONE}/site`, { url: `https://${shop.store.hash}.example.com` }],
    ['POST', `${ONE}/currency-assignments`, { enabled_currencies: ['USD'], default_currency: 'USD' }],
    ['PUT', `/settings/storefront/status?channel_id=${CHANNEL}`, status],
  ] as const
  for (const [method, path, body] of made) {
    const { status, text } = await call(method, path, body)
    expect([200, 204], `${path} ${text}`).toContain(status)
  }
  await activate(shop, CHANNEL)
  await countFacetsOf(await dbOf(shop))
})

const put = async (body: object) => (await call('PUT', ONE, body)).status
/** Runs the termination, and the counts of facets that follow it. */
const ends = async () => {
  const { files } = await theHouse()
  await doJobs([terminationRunner(channelDeletions(files))])
  await countFacetsOf(await dbOf(shop))
}
/** The tables that have rows of the channel, and how many: also those of areas to come. */
async function kept(): Promise<Record<string, number>> {
  const admin = await connectAsAdministrator(shop.store)
  const { rows: tables } = await admin.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'channel_id'`,
  )
  const counts: [string, number][] = []
  for (const { name } of [...tables, { name: 'listing_variants' }, { name: 'metafields' }]) {
    const here = tables.some((table) => table.name === name) ? `and channel_id = ${CHANNEL}` : ''
    const { rows } = await admin.query(`select count(*)::int from ${name} where store_id = ${shop.store.id} ${here}`)
    if (rows[0].count > 0) counts.push([name, rows[0].count])
  }
  await admin.end()
  return Object.fromEntries(counts)
}
const all = {
  product_channels: 1,
  trees: 1,
  listings: 1,
  channel_menus: 1,
  active_themes: 1,
  channel_currencies: 1,
  settings: 1,
  sites: 1,
  email_templates: 1,
  listing_variants: 1,
  metafields: 1,
  // The page of the blog, which every storefront has.
  pages: 1,
  urls: 1,
  // The copy of the product for searches, and the counts of its facets.
  search_rows: 1,
  facet_counts: 2,
}

describe('a deleted channel', () => {
  beforeEach(async () => {
    expect(await put({ status: 'deleted' })).toBe(200)
  })

  test('is found by its id and cannot be changed', async () => {
    expect((await call('GET', ONE)).body.data).toMatchObject({ status: 'deleted', is_enabled: false })
    for (const body of [{}, { name: 'New' }, { status: 'active' }, { status: 'deleted' }]) {
      const { status, body: answer } = await call('PUT', ONE, body)
      expect({ status, body: answer }).toEqual({
        status: 422,
        body: problem(422, `The channel ${CHANNEL} is deleted: it can't be changed.`),
      })
    }
  })

  test.each([
    ['GET', `${ONE}/listings`, undefined, 200],
    ['POST', `${ONE}/listings`, [{ product_id: 1, state: 'active', variants: [] }], 422],
    ['PUT', `${ONE}/listings`, [{ listing_id: 1, state: 'active' }], 422],
    ['GET', `${ONE}/listings/1`, undefined, 404],
    ['GET', `${ONE}/channel-menus`, undefined, 404],
    ['POST', `${ONE}/channel-menus`, {}, 404],
    ['DELETE', `${ONE}/channel-menus`, undefined, 404],
    ['GET', `${ONE}/active-theme`, undefined, 404],
    ['GET', TEMPLATE, undefined, 422],
    ['PUT', TEMPLATE, template, 422],
    ['PUT', '/catalog/products/channel-assignments', [{ product_id: 1, channel_id: CHANNEL }], 422],
    ['PUT', '/catalog/trees', [{ name: 'New', channels: [CHANNEL] }], 422],
    ['PUT', '/catalog/trees', [{ id: 2, name: 'Again', channels: [CHANNEL] }], 200],
    ['GET', `${ONE}/metafields/1`, undefined, 200],
    ['PUT', `${ONE}/metafields/1`, { value: '5' }, 200],
    ['GET', `/catalog/products?channel_id:in=${CHANNEL}`, undefined, 200],
    ['DELETE', `/catalog/products/channel-assignments?channel_id:in=${CHANNEL}`, undefined, 204],
  ])('%s %s', async (method, path, body, status) => {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(status)
    if (path.endsWith('/listings') && status === 200) expect(answer.body.data).toEqual([])
    if (path.includes('channel_id:in') && status === 200) expect(answer.body.data).toHaveLength(1)
  })

  test('keeps its data for 90 days; then it is terminated, and only its own event is published', async () => {
    const { clock } = await theHouse()
    clock.move(90 * DAY_MS - 60_000)
    await ends()
    expect(await kept()).toEqual(all)
    const before = (await rowsOf(shop, 'events')).length
    clock.move(120_000)
    await ends()
    expect((await call('GET', ONE)).body.data.status).toBe('terminated')
    expect(await kept()).toEqual({ metafields: 1 })
    expect((await rowsOf(shop, 'events')).slice(before).map(({ scope, data }) => [scope, data])).toEqual([
      ['store/channel/updated', JSON.stringify({ type: 'channel', id: CHANNEL })],
    ])
    // The tree stays, and so does the data of other channels.
    expect((await call('GET', '/catalog/trees')).body.data).toEqual([
      { id: 1, name: 'Default catalog tree', channels: [1] },
      { id: 2, name: 'Web', channels: [] },
    ])
    expect(await rowsOf(shop, 'product_channels')).toMatchObject([{ product_id: 1, channel_id: 1 }])
    expect((await call('GET', '/channels?status:in=terminated')).body.data).toHaveLength(1)
    expect(await put({ status: 'active' })).toBe(422)
    await expect(restoreChannel(await dbOf(shop), CHANNEL)).rejects.toThrow('is terminated, not deleted.')
    expect((await call('POST', '/channels', { name: 'New', type: 'pos', platform: 'custom' })).body.data.id).toBe(
      CHANNEL + 1,
    )
  })

  test('has its data after a restoration, and is terminated 90 days after its next deletion', async () => {
    const { clock } = await theHouse()
    clock.move(60 * DAY_MS)
    expect(await restoreChannel(await dbOf(shop), CHANNEL)).toMatchObject({ status: 'inactive', is_enabled: false })
    expect(await kept()).toEqual(all)
    expect((await call('GET', `${ONE}/listings`)).body.data).toHaveLength(1)
    expect(await put({ status: 'deleted' })).toBe(200)
    clock.move(60 * DAY_MS)
    await ends()
    expect((await call('GET', ONE)).body.data.status).toBe('deleted')
    clock.move(31 * DAY_MS)
    await ends()
    expect((await call('GET', ONE)).body.data.status).toBe('terminated')
  })

  test('is not restored if another channel has its name', async () => {
    const { status } = await call('POST', '/channels', { name: 'web', type: 'storefront', platform: 'catalyst' })
    expect(status).toBe(200)
    await expect(restoreChannel(await dbOf(shop), CHANNEL)).rejects.toThrow('already exists')
    await expect(restoreChannel(await dbOf(shop), 1)).rejects.toThrow('The channel 1 is active, not deleted.')
    await expect(restoreChannel(await dbOf(shop), 5)).rejects.toThrow('The channel 5 does not exist.')
  })

  test('is terminated by a second attempt if the first was stopped, also with much data', async () => {
    const db = await dbOf(shop)
    const products = 4_100
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into product_channels (store_id, product_id, channel_id)
        select ${tx.store.id}, n, ${CHANNEL} from generate_series(10, ${products}) n returning product_id`)
      await tx.rows(sql`
        insert into listings (store_id, id, channel_id, product_id, external_id, state, name, description, date_created, date_modified)
        select ${tx.store.id}, n, ${CHANNEL}, n, '', 'active', '', '', now(), now() from generate_series(10, ${products}) n returning id`)
      await tx.rows(sql`
        update counters set last_id = ${products}, total = total + ${products - 9}
        where store_id = ${tx.store.id} and resource = 'listings' returning total`)
    })
    const { clock } = await theHouse()
    clock.move(90 * DAY_MS)
    const breaks = async () => {
      throw new Error('stopped')
    }
    await doJobs([terminationRunner([breaks, ...channelDeletions((await theHouse()).files)])])
    expect((await call('GET', ONE)).body.data.status).toBe('terminated')
    expect((await kept()).product_channels).toBeGreaterThan(products - 100)
    clock.move(2 * 3_600_000)
    await ends()
    expect(await kept()).toEqual({ metafields: 1 })
  })
})
