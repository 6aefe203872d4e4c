import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { FOREIGN, INSTANT, UUID, widgetClient, withTotal } from '../../../test/fixtures/content/widgets.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { TEXT_TEMPLATE } from '../templates/builtin.ts'

let shop: Shop
let client: ReturnType<typeof widgetClient>
let widget: { uuid: string; widget_template: { uuid: string } }
beforeEach(async () => {
  shop = await openShop()
  client = widgetClient(shop)
  widget = await client.widget({ widget_template_uuid: TEXT_TEMPLATE })
})

const create = (fields: object = {}) => client.placement({ widget_uuid: widget.uuid, ...fields })
const change = (uuid: string, body: object) => client.call('PUT', `placements/${uuid}`, body)
const list = async (query = ''): Promise<string[]> =>
  (await client.call('GET', `placements${query}`)).body.data.map(({ region }: { region: string }) => region)

const onHome = () => ({
  uuid: UUID,
  template_file: 'pages/home',
  entity_id: '',
  sort_order: 0,
  region: '',
  status: 'inactive',
  channel_id: 1,
  date_created: INSTANT,
  date_modified: INSTANT,
  widget,
})

describe('a placement', () => {
  test('is created with 200, read, changed and deleted with 204', async () => {
    const created = await create()
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ data: onHome(), meta: {} })
    const { uuid } = created.body.data
    expect((await client.call('GET', `placements/${uuid.toUpperCase()}`)).body).toEqual(created.body)
    const fields = {
      template_file: 'pages/product',
      entity_id: '77',
      sort_order: -3,
      region: 'any text',
      status: 'active',
    }
    const changed = (await change(uuid, fields)).body.data
    expect(changed).toEqual({ ...onHome(), ...fields })
    expect((await change(uuid, changed)).body.data).toEqual(changed)
    expect(await client.call('DELETE', `placements/${uuid}`)).toMatchObject({ status: 204, text: '' })
    expect((await client.call('GET', `placements/${uuid}`)).status).toBe(404)
  })

  test('takes each page of the list, and custom templates', async () => {
    const files = [
      'pages/account/orders/all',
      'pages/errors/404',
      'pages/unavailable/maintenance',
      'pages/custom/page/a b.html',
    ]
    for (const template_file of files) expect((await create({ template_file })).status).toBe(200)
  })

  test.each(['pages/product', 'pages/brand', 'pages/category', 'pages/page', 'pages/custom/brand/x.html'])(
    'takes an entity on %s',
    async (template_file) => {
      expect((await create({ template_file, entity_id: '5' })).body.data.entity_id).toBe('5')
    },
  )
})

describe('a placement is refused', () => {
  test.each([
    ['without a widget', { widget_uuid: undefined }, { widget_uuid: 'error.path.missing' }],
    ['with an unknown widget', { widget_uuid: FOREIGN }, { widget_uuid: `The widget ${FOREIGN} does not exist.` }],
    ['without a file', { template_file: undefined }, { template_file: 'error.path.missing' }],
    ['with an unknown file', { template_file: 'pages/x' }, { template_file: expect.any(String) }],
    ['with a file of no page', { template_file: 'home' }, { template_file: expect.any(String) }],
    [
      'with a custom file of another kind',
      { template_file: 'pages/custom/blog/x.html' },
      { template_file: expect.any(String) },
    ],
    [
      'with a path in a custom file',
      { template_file: 'pages/custom/page/../x' },
      { template_file: expect.any(String) },
    ],
    ['with an entity on the home page', { entity_id: '5' }, { entity_id: 'pages/home has no entities.' }],
    [
      'with an entity on the brands',
      { template_file: 'pages/brands', entity_id: '5' },
      { entity_id: 'pages/brands has no entities.' },
    ],
    ['with an unknown status', { status: 'on' }, { status: expect.any(String) }],
    ['on another channel than its widget', { channel_id: 2 }, { channel_id: 'The widget belongs to the channel 1.' }],
  ])('%s', async (_, fields, errors) => {
    expect((await create(fields)).body).toEqual(invalid(errors))
    expect(await rowsOf(shop, 'widget_placements')).toEqual([])
  })

  test('with a widget of another store', async () => {
    const foreign = await widgetClient(await openShop()).widget({ widget_template_uuid: TEXT_TEMPLATE })
    expect((await create({ widget_uuid: foreign.uuid })).status).toBe(422)
  })

  test('as the 76th of a template file', async () => {
    for (let i = 0; i < 75; i++)
      expect((await create({ template_file: 'pages/page', entity_id: String(i + 1) })).status).toBe(200)
    const full = problem(403, 'A template file can have at most 75 placements on a channel.')
    expect((await create({ template_file: 'pages/page', entity_id: '99' })).body).toEqual(full)
    const { uuid } = (await create()).body.data
    expect((await change(uuid, { template_file: 'pages/page' })).body).toEqual(full)
    expect((await create({ template_file: 'pages/brand' })).status).toBe(200)
  })

  test('beyond 10,000 of a store', async () => {
    await withTotal(shop, 'widget_placements', 9_999, async () => {
      expect((await create()).status).toBe(200)
      expect((await create()).body).toEqual(problem(403, 'A store can hold at most 10000 widget placements.'))
    })
  })

  test('as the 151st widget of a page', async () => {
    const widgets = (count: number) => Array.from({ length: count }, () => ({ widget_template_uuid: TEXT_TEMPLATE }))
    const publish = (count: number) =>
      client.call('POST', 'page-widgets', {
        template_file: 'pages/home',
        regions: [{ name: 'top', children: widgets(count) }],
      })
    await publish(149)
    expect((await create()).status).toBe(200)
    const full = invalid({ template_file: 'A page can have at most 150 widgets.' })
    expect((await create()).body).toEqual(full)
    const { uuid } = (await create({ template_file: 'pages/cart' })).body.data
    expect((await change(uuid, { template_file: 'pages/home' })).body).toEqual(full)
  })
})

describe('the list of placements', () => {
  test('has all in the order of creation, each with its widget', async () => {
    const one = (await create({ region: 'one' })).body.data
    const two = (await create({ region: 'two' })).body.data
    const { body } = await client.call('GET', 'placements')
    expect(body).toEqual({ data: [one, two], meta: { pagination: onlyPage(2) } })
  })

  test('is filtered', async () => {
    const template = await client.template()
    const other = await client.widget({ widget_template_uuid: template.uuid })
    const channel = await client.channel()
    const elsewhere = await client.widget({ widget_template_uuid: TEXT_TEMPLATE, channel_id: channel })
    const { data: site } = (
      await shop.call('POST', `/channels/${channel}/site`, { url: `https://${shop.store.hash}.example.com` })
    ).body
    await create({ region: 'one' })
    await create({ region: 'two', template_file: 'pages/cart', widget_uuid: other.uuid })
    await create({ region: 'three', widget_uuid: elsewhere.uuid })
    expect(await list('?template_file=pages/cart')).toEqual(['two'])
    expect(await list(`?widget_uuid=${other.uuid.toUpperCase()}`)).toEqual(['two'])
    expect(await list(`?widget_template_uuid=${TEXT_TEMPLATE}`)).toEqual(['one', 'three'])
    expect(await list('?widget_template_kind=custom')).toEqual(['two'])
    expect(await list('?widget_template_kind=text')).toEqual(['one', 'three'])
    expect(await list(`?channel_id:in=${channel}`)).toEqual(['three'])
    expect(await list(`?site_id:in=${site.id}`)).toEqual(['three'])
    expect(await list('?channel_id:in=1&template_file=pages/home')).toEqual(['one'])
    expect((await client.call('GET', 'placements?region=one')).status).toBe(422)
  })
})

test.each([
  ['products', 'pages/product', { name: 'Lamp', type: 'physical', weight: 1, price: 1 }],
  ['brands', 'pages/brand', { name: 'Ferm' }],
  ['categories', 'pages/category', { name: 'Lamps', parent_id: 0 }],
])('deleting one of the %s deletes its placements and published widgets', async (kind, template_file, fields) => {
  const { id } = (await shop.call('POST', `/catalog/${kind}`, fields)).body.data
  await create({ template_file, entity_id: String(id) })
  await create({ template_file, region: 'all' })
  const regions = [{ name: 'top', children: [{ widget_template_uuid: TEXT_TEMPLATE }] }]
  await client.call('POST', 'page-widgets', { template_file, entity_id: String(id), regions })
  expect((await shop.call('DELETE', `/catalog/${kind}/${id}`)).status).toBe(204)
  expect(await list()).toEqual(['all'])
  expect(await rowsOf(shop, 'page_widgets')).toEqual([])
})

test('deleting a page deletes its placements', async () => {
  const { id } = (await client.call('POST', 'pages', { type: 'page', name: 'About' })).body.data
  await create({ template_file: 'pages/page', entity_id: String(id) })
  await create({ template_file: 'pages/product', entity_id: String(id), region: 'of a product' })
  expect((await client.call('DELETE', `pages/${id}`)).status).toBe(204)
  expect(await list()).toEqual(['of a product'])
})

test('no placement is left if its widget is deleted meanwhile (C-012)', async () => {
  const db = await dbOf(shop)
  for (let i = 0; i < 10; i++) {
    const doomed = await client.widget({ widget_template_uuid: TEXT_TEMPLATE })
    const [deleted, ...created] = await Promise.all([
      client.call('DELETE', `widgets/${doomed.uuid}`),
      create({ widget_uuid: doomed.uuid, template_file: 'pages/cart' }),
      create({ widget_uuid: doomed.uuid, template_file: 'pages/cart' }),
    ])
    expect(deleted.status).toBe(204)
    for (const { status } of created) expect([200, 422]).toContain(status)
  }
  const orphans = await db.rows(sql`
    select uuid from widget_placements placement where store_id = ${db.store.id}
      and not exists (select from widgets where store_id = ${db.store.id} and uuid = placement.widget_uuid)`)
  expect(orphans).toEqual([])
})
