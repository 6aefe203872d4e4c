import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, problem } from '../../../test/document/expected.ts'
import { FOREIGN, UUID, widgetClient } from '../../../test/fixtures/content/widgets.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { TEXT_TEMPLATE } from '../templates/builtin.ts'

let shop: Shop
let client: ReturnType<typeof widgetClient>
beforeEach(async () => {
  shop = await openShop()
  client = widgetClient(shop)
})

const HOME = 'pages/home'
const publish = (regions: object[], fields: object = { template_file: HOME }) =>
  client.call('POST', 'page-widgets', { regions, ...fields })
const regions = async (query = `?template_file=${HOME}`) =>
  (await client.call('GET', `page-widgets${query}`)).body.data.regions
const top = (...children: object[]) => [{ name: 'top', children }]
const text = (fields: object = {}) => ({ widget_template_uuid: TEXT_TEMPLATE, ...fields })
const shown = (fields: object = {}) => ({
  type: 'widget',
  widget_template_uuid: TEXT_TEMPLATE,
  name: '',
  description: '',
  configuration: {},
  storefront_api_query_params: {},
  ...fields,
})

describe('the widgets of a page', () => {
  test('are replaced with 204 and read', async () => {
    expect((await client.call('GET', `page-widgets?template_file=${HOME}`)).body).toEqual({
      data: { regions: [] },
      meta: {},
    })
    const layout = {
      type: 'layout',
      name: 'Columns',
      layout_template_uuid: FOREIGN,
      configuration: { columns: 2 },
      dropzones: [{ configuration: { width: 1 }, widgets: [text({ name: 'Left' })] }, { widgets: [] }],
    }
    const whole = {
      name: 'Hi',
      description: 'd',
      configuration: { text: 'x', _: 1 },
      storefront_api_query_params: { id: 1 },
    }
    expect(await publish([...top(layout, text(whole)), { name: 'empty' }])).toMatchObject({ status: 204, text: '' })
    expect(await regions()).toEqual([
      {
        name: 'top',
        children: [
          {
            ...layout,
            layout_template_uuid: UUID,
            dropzones: [
              { configuration: { width: 1 }, widgets: [shown({ name: 'Left' })] },
              { configuration: {}, widgets: [] },
            ],
          },
          shown(whole),
        ],
      },
      { name: 'empty', children: [] },
    ])
  })

  test('a second POST replaces everything of that page and of no other', async () => {
    await publish(top(text({ name: 'old' }), text()))
    await publish(top(text({ name: 'other' })), { template_file: 'pages/cart' })
    await publish(top(text({ name: 'new' })))
    expect(await regions()).toEqual(top(shown({ name: 'new' })))
    expect(await regions('?template_file=pages/cart')).toEqual(top(shown({ name: 'other' })))
    await publish([])
    expect(await regions()).toEqual([])
    expect(await rowsOf(shop, 'page_widgets')).toHaveLength(1)
  })

  test('an answer that is sent back changes nothing', async () => {
    await publish(top({ dropzones: [{ widgets: [text()] }] }, text()))
    const before = await regions()
    await publish(before)
    const after = await regions()
    before[0].children[0].layout_template_uuid = after[0].children[0].layout_template_uuid
    expect(after).toEqual(before)
  })

  test('are those of all pages without a template file, and of one entity with it', async () => {
    const channel = await client.channel()
    await publish([{ name: 'header--global', children: [text()] }], {})
    await publish(top(text({ name: 'one' })), { template_file: 'pages/product', entity_id: '7' })
    await publish(top(text({ name: 'all' })), { template_file: 'pages/product' })
    await publish(top(text({ name: 'second' })), { channel_id: channel })
    expect(await regions('')).toEqual([{ name: 'header--global', children: [shown()] }])
    expect(await regions('?template_file=pages/product&entity_id=7')).toEqual(top(shown({ name: 'one' })))
    expect(await regions('?template_file=pages/product')).toEqual(top(shown({ name: 'all' })))
    expect(await regions(`?channel_id=${channel}`)).toEqual(top(shown({ name: 'second' })))
  })

  test('include active placements with a region, which a POST replaces too', async () => {
    const widget = await client.widget({
      widget_template_uuid: TEXT_TEMPLATE,
      name: 'Placed',
      widget_configuration: { text: 'x' },
    })
    const place = (fields: object) => client.placement({ widget_uuid: widget.uuid, ...fields })
    const placed = shown({ name: 'Placed', configuration: { text: 'x' } })
    await publish(top(text()))
    await place({ status: 'active', region: 'top' })
    await place({ status: 'active', region: 'below', sort_order: 1 })
    await place({ region: 'top' })
    await place({ status: 'active' })
    await place({ status: 'active', region: 'top', template_file: 'pages/cart' })
    expect(await regions()).toEqual([...top(shown(), placed), { name: 'below', children: [placed] }])
    await publish(top(text({ name: 'new' })))
    expect(await regions()).toEqual(top(shown({ name: 'new' })))
    const left = (await rowsOf(shop, 'widget_placements')).map(({ status, region, template_file }) => [
      status,
      region,
      template_file,
    ])
    expect(left).toEqual([
      ['inactive', 'top', HOME],
      ['active', '', HOME],
      ['active', 'top', 'pages/cart'],
    ])
  })

  test('keep the version of their template until they are published again', async () => {
    const template = await client.template()
    const versions = async () => (await rowsOf(shop, 'page_widget_versions')).map(({ version_uuid }) => version_uuid)
    await publish(top({ widget_template_uuid: template.uuid.toUpperCase() }))
    expect(await versions()).toEqual([template.current_version_uuid])
    const changed = (await client.call('PUT', `widget-templates/${template.uuid}`, { create_new_version: true })).body
      .data
    expect(await versions()).toEqual([template.current_version_uuid])
    await publish(top({ widget_template_uuid: template.uuid }, text()))
    expect(new Set(await versions())).toContain(changed.current_version_uuid)
    await publish(top(text()))
    expect(await versions()).toHaveLength(1)
  })
})

describe('a page is refused, and nothing is changed', () => {
  const long = { a: 'x'.repeat(65_536) }
  test.each([
    ['without regions', { regions: undefined }, { regions: 'error.path.missing' }],
    [
      'with an unknown template',
      { regions: top(text(), text({ widget_template_uuid: FOREIGN })) },
      { 'regions.0.children.1.widget_template_uuid': `The widget template ${FOREIGN} does not exist.` },
    ],
    [
      'without a template',
      { regions: top({ type: 'widget' }) },
      { 'regions.0.children.0.widget_template_uuid': 'error.path.missing' },
    ],
    [
      'with an unknown template in a dropzone',
      { regions: top({ dropzones: [{ widgets: [{ widget_template_uuid: FOREIGN }] }] }) },
      { 'regions.0.children.0.dropzones.0.widgets.0.widget_template_uuid': expect.any(String) },
    ],
    [
      'with a long configuration',
      { regions: top(text({ configuration: long })) },
      { 'regions.0.children.0.configuration': expect.any(String) },
    ],
    ['with an unknown file', { regions: [], template_file: 'pages/x' }, { template_file: expect.any(String) }],
    [
      'with an entity without a file',
      { regions: [], template_file: undefined, entity_id: '1' },
      { entity_id: 'entity_id needs a template_file.' },
    ],
    ['with an unknown channel', { regions: [], channel_id: 99 }, { channel_id: 'The channel 99 does not exist.' }],
  ])('%s', async (_, fields, errors) => {
    await publish(top(text({ name: 'before' })))
    const before = await rowsOf(shop, 'page_widgets')
    const { body } = await client.call('POST', 'page-widgets', { template_file: HOME, ...fields })
    expect(body).toEqual(invalid(errors))
    expect(await rowsOf(shop, 'page_widgets')).toEqual(before)
  })

  test('with a template of another channel or store', async () => {
    const channel = await client.channel()
    const elsewhere = await client.template({ channel_id: channel })
    const foreign = await widgetClient(await openShop()).template()
    for (const { uuid } of [elsewhere, foreign])
      expect((await publish(top({ widget_template_uuid: uuid }))).status).toBe(422)
    expect((await publish(top({ widget_template_uuid: elsewhere.uuid }), { channel_id: channel })).status).toBe(204)
  })

  test('with 151 widgets or layouts', async () => {
    const many = (count: number, child: object) => top(...Array.from({ length: count }, () => child))
    expect((await publish(many(150, text()))).status).toBe(204)
    expect((await publish(many(151, text()))).body).toEqual(
      invalid({ regions: 'A page can have at most 150 widgets.' }),
    )
    const spread = top(
      { dropzones: [{ widgets: Array.from({ length: 100 }, () => text()) }] },
      ...Array.from({ length: 51 }, () => text()),
    )
    expect((await publish(spread)).status).toBe(422)
    expect((await publish(many(150, { type: 'layout' }))).status).toBe(204)
    expect((await publish(many(151, { type: 'layout' }))).body).toEqual(
      invalid({ regions: 'A page can have at most 150 layouts.' }),
    )
  })

  test.each([
    ['layouts', 9_999, { type: 'layout' }, 'A channel can have at most 10000 layouts.'],
    ['widgets', 49_999, text(), 'A channel can have at most 50000 widgets on its pages.'],
  ])('with more %s than a channel may have', async (column, count, child, sentence) => {
    await publish(top(text()), { template_file: 'pages/cart' })
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`update page_widgets set ${sql.id(column)} = ${count} where store_id = ${tx.store.id}`),
    )
    expect((await publish(top(child))).status).toBe(204)
    expect((await publish(top(child, child))).body).toEqual(problem(403, sentence))
    expect((await publish(top(child))).status).toBe(204)
  })

  test('as a query with an unknown channel, file or entity', async () => {
    for (const query of [
      'channel_id=99',
      'template_file=pages/x',
      'entity_id=1',
      'template_file=pages/home&entity_id=1',
    ]) {
      expect((await client.call('GET', `page-widgets?${query}`)).status).toBe(422)
    }
  })
})

test('pages are published side by side', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      publish(top(text({ name: String(i) })), { template_file: i < 3 ? HOME : 'pages/cart' }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204))
  expect(await rowsOf(shop, 'page_widgets')).toHaveLength(2)
})
