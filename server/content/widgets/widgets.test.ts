import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { FOREIGN, INSTANT, UUID, widgetClient, withTotal } from '../../test/fixtures/content/widgets.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { deleteWidgetsOfChannel } from './deletion.ts'
import { TEXT_TEMPLATE } from './templates/builtin.ts'

let shop: Shop
let client: ReturnType<typeof widgetClient>
let template: { uuid: string; current_version_uuid: string }
beforeEach(async () => {
  shop = await openShop()
  client = widgetClient(shop)
  template = await client.template()
})

const create = (fields: object = {}) =>
  client.call('POST', 'widgets', { name: 'Hello', widget_template_uuid: template.uuid, ...fields })
const change = (uuid: string, body: object) => client.call('PUT', `widgets/${uuid}`, body)
const get = (uuid: string) => client.call('GET', `widgets/${uuid}`)
const list = async (query = ''): Promise<string[]> =>
  (await client.call('GET', `widgets${query}`)).body.data.map(({ name }: { name: string }) => name)

const hello = () => ({
  uuid: UUID,
  name: 'Hello',
  description: '',
  widget_configuration: { _: { id: UUID } },
  widget_template: template,
  version_uuid: template.current_version_uuid,
  channel_id: 1,
  storefront_api_query_params: {},
  date_created: INSTANT,
  date_modified: INSTANT,
})

describe('a widget', () => {
  test('is created with 200, read, changed and deleted with 204', async () => {
    const created = await create({ version_uuid: FOREIGN, uuid: FOREIGN })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ data: hello(), meta: {} })
    const { data: widget } = created.body
    expect(widget.widget_configuration).toEqual({ _: { id: widget.uuid } })
    expect((await get(widget.uuid.toUpperCase())).body).toEqual(created.body)
    const changed = await change(widget.uuid, { description: 'A greeting', date_created: '2020-01-01T00:00:00Z' })
    expect(changed.body.data).toEqual({ ...widget, description: 'A greeting', date_modified: INSTANT })
    expect((await change(widget.uuid, changed.body.data)).body).toEqual(changed.body)
    expect((await client.call('DELETE', `widgets/${widget.uuid}`)).status).toBe(204)
    expect((await get(widget.uuid)).body).toEqual(problem(404, `The widget ${widget.uuid} does not exist.`))
  })

  test('stores any configuration, and ignores the id in it', async () => {
    const configuration = { text: 'Ü', list: [1, { a: null }], constructor: 'c', 'a.b': true }
    const { body } = await create({ widget_configuration: { ...configuration, _: { id: 'mine' } } })
    const expected = { ...configuration, _: { id: body.data.uuid } }
    expect(body.data.widget_configuration).toEqual(expected)
    expect((await get(body.data.uuid)).body.data.widget_configuration).toEqual(expected)
    const { data } = (await change(body.data.uuid, { widget_configuration: { only: 1 } })).body
    expect(data.widget_configuration).toEqual({ only: 1, _: { id: data.uuid } })
  })

  test('has a configuration of at most 64 KB and as many levels as a body', async () => {
    const text = 'x'.repeat(65_536 - '{"a":""}'.length)
    expect((await create({ widget_configuration: { a: text } })).status).toBe(200)
    expect((await create({ widget_configuration: { a: `${text}x` } })).body).toEqual(
      invalid({ widget_configuration: 'widget_configuration must have at most 65536 bytes.' }),
    )
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
    expect((await create({ widget_configuration: nested(63) })).status).toBe(200)
    expect((await create({ widget_configuration: nested(64) })).status).toBeGreaterThanOrEqual(400)
  })

  test('may have a built-in template on every channel', async () => {
    const channel = await client.channel()
    const { body } = await create({ widget_template_uuid: TEXT_TEMPLATE.toUpperCase(), channel_id: channel })
    expect(body.data).toMatchObject({ channel_id: channel, widget_template: { uuid: TEXT_TEMPLATE, kind: 'text' } })
  })
})

describe('a widget is refused', () => {
  test.each([
    ['without a name', { name: undefined }, { name: 'error.path.missing' }],
    ['without a template', { widget_template_uuid: undefined }, { widget_template_uuid: 'error.path.missing' }],
    [
      'with an unknown template',
      { widget_template_uuid: FOREIGN },
      { widget_template_uuid: `The widget template ${FOREIGN} does not exist.` },
    ],
    ['with a malformed uuid', { widget_template_uuid: 'x' }, { widget_template_uuid: expect.any(String) }],
    [
      'with an unknown channel',
      { channel_id: 99 },
      { channel_id: 'The channel 99 does not exist.', widget_template_uuid: expect.any(String) },
    ],
    ['with a list as configuration', { widget_configuration: [] }, { widget_configuration: 'error.expected.jsobject' }],
  ])('%s', async (_, fields, errors) => {
    expect((await create(fields)).body).toEqual(invalid(errors))
    expect(await rowsOf(shop, 'widgets')).toEqual([])
  })

  test('with a template of another channel, and on another channel than its own', async () => {
    const channel = await client.channel()
    const elsewhere = await client.template({ channel_id: channel })
    const another = invalid({ widget_template_uuid: 'The template belongs to another channel.' })
    expect((await create({ widget_template_uuid: elsewhere.uuid })).body).toEqual(another)
    const { uuid } = (await create()).body.data
    expect((await change(uuid, { widget_template_uuid: elsewhere.uuid })).body).toEqual(another)
    expect((await change(uuid, { channel_id: channel })).body).toEqual(
      invalid({ channel_id: 'A widget stays on its channel.' }),
    )
    expect((await change(uuid, { channel_id: 1 })).status).toBe(200)
  })

  test('with a template of another store', async () => {
    const foreign = await widgetClient(await openShop()).template()
    expect((await create({ widget_template_uuid: foreign.uuid })).status).toBe(422)
  })

  test('beyond 100,000 of a store', async () => {
    await withTotal(shop, 'widgets', 99_999, async () => {
      expect((await create()).status).toBe(200)
      expect((await create()).body).toEqual(problem(403, 'A store can hold at most 100000 widgets.'))
    })
  })
})

describe('a widget moves', () => {
  test('to the current version by upgrade', async () => {
    const { uuid } = (await create()).body.data
    const { data: current } = (
      await client.call('PUT', `widget-templates/${template.uuid}`, { template: 'new', create_new_version: true })
    ).body
    expect((await change(uuid, { upgrade: false })).body.data.version_uuid).toBe(template.current_version_uuid)
    const { data } = (await change(uuid, { upgrade: true })).body
    expect(data).toMatchObject({ version_uuid: current.current_version_uuid, widget_template: { template: 'new' } })
  })

  test('to the current version of another template', async () => {
    const { uuid } = (await create()).body.data
    const other = await client.template({ name: 'Other' })
    const { data } = (await change(uuid, { widget_template_uuid: other.uuid })).body
    expect(data).toMatchObject({ version_uuid: other.current_version_uuid, widget_template: { name: 'Other' } })
  })
})

describe('the list of widgets', () => {
  test('has all in the order of creation, each with its template', async () => {
    const one = (await create({ name: 'one' })).body.data
    const two = (await create({ name: 'two' })).body.data
    expect((await client.call('GET', 'widgets')).body).toEqual({ data: [one, two], meta: { pagination: onlyPage(2) } })
    expect(await list('?limit=1&page=2')).toEqual(['two'])
  })

  test('is filtered', async () => {
    const channel = await client.channel()
    const { data: site } = (
      await shop.call('POST', `/channels/${channel}/site`, { url: `https://${shop.store.hash}.example.com` })
    ).body
    await create({ name: 'one' })
    await create({ name: 'two' })
    await create({ name: 'three', widget_template_uuid: TEXT_TEMPLATE, channel_id: channel })
    expect(await list('?name=ONE')).toEqual(['one'])
    expect(await list('?name:in=one,three')).toEqual(['one', 'three'])
    expect(await list('?widget_template_kind=custom')).toEqual(['one', 'two'])
    expect(await list('?widget_template_kind=text')).toEqual(['three'])
    expect(await list('?widget_template_kind=x')).toEqual([])
    expect(await list(`?widget_template_uuid=${template.uuid.toUpperCase()}`)).toEqual(['one', 'two'])
    expect(await list(`?widget_template_uuid=${FOREIGN}`)).toEqual([])
    expect(await list(`?channel_id:in=${channel}`)).toEqual(['three'])
    expect(await list(`?site_id:in=${site.id}`)).toEqual(['three'])
    expect(await list('?site_id:in=1000')).toEqual(['one', 'two'])
    expect((await client.call('GET', 'widgets?widget_template_uuid=x')).status).toBe(422)
    expect((await client.call('GET', 'widgets?color=red')).status).toBe(422)
  })

  test('is 413 if its templates have more than 16 MiB together, also if they are the same', async () => {
    await client.call('PUT', `widget-templates/${template.uuid}`, { template: 'x'.repeat(262_144) })
    for (let i = 0; i < 65; i++) await create({ name: String(i) })
    expect((await client.call('GET', 'widgets?limit=65')).status).toBe(413)
    expect((await client.call('GET', 'widgets?limit=60')).status).toBe(200)
  })
})

test('deleting a widget deletes its placements', async () => {
  const { uuid } = (await create()).body.data
  const other = (await create()).body.data
  await client.placement({ widget_uuid: uuid })
  await client.placement({ widget_uuid: other.uuid })
  await client.call('DELETE', `widgets/${uuid}`)
  expect((await rowsOf(shop, 'widget_placements')).map(({ widget_uuid }) => widget_uuid)).toEqual([other.uuid])
})

test('widgets of a deleted channel are hidden, and deleted when it ends', async () => {
  const channel = await client.channel()
  const elsewhere = await client.template({ channel_id: channel })
  const widget = await client.widget({ widget_template_uuid: elsewhere.uuid, channel_id: channel })
  const { uuid } = (await client.placement({ widget_uuid: widget.uuid })).body.data
  await client.call('POST', 'page-widgets', {
    channel_id: channel,
    regions: [{ name: 'top', children: [{ widget_template_uuid: elsewhere.uuid }] }],
  })
  await shop.call('PUT', `/channels/${channel}`, { status: 'deleted' })
  for (const path of [`widget-templates/${elsewhere.uuid}`, `widgets/${widget.uuid}`, `placements/${uuid}`]) {
    expect((await client.call('GET', path)).status).toBe(404)
  }
  expect(await list()).toEqual([])
  await deleteWidgetsOfChannel(await dbOf(shop), channel)
  for (const table of ['widgets', 'widget_placements', 'page_widgets', 'page_widget_versions']) {
    expect(await rowsOf(shop, table)).toEqual([])
  }
  expect((await rowsOf(shop, 'widget_templates')).map(({ uuid }) => uuid)).toEqual([template.uuid])
  expect((await rowsOf(shop, 'widget_template_versions')).length).toBe(1)
})

test('no widget publishes an event', async () => {
  const { uuid } = (await create()).body.data
  await change(uuid, { name: 'x' })
  await client.call('DELETE', `widgets/${uuid}`)
  expect((await rowsOf(shop, 'events')).filter(({ scope }) => /widget|placement/.test(String(scope)))).toEqual([])
})
