import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { FOREIGN, INSTANT, UUID, widgetClient, withTotal } from '../../../test/fixtures/content/widgets.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { BUILTIN_TEMPLATES, TEXT_TEMPLATE } from './builtin.ts'

let shop: Shop
let client: ReturnType<typeof widgetClient>
beforeEach(async () => {
  shop = await openShop()
  client = widgetClient(shop)
})

const path = 'widget-templates'
const create = (fields: object = {}) =>
  client.call('POST', path, { name: 'Greeting', template: '<p>{{text}}</p>', ...fields })
const change = (uuid: string, body: object) => client.call('PUT', `${path}/${uuid}`, body)
const get = (uuid: string, query = '') => client.call('GET', `${path}/${uuid}${query}`)
const list = async (query = ''): Promise<string[]> =>
  (await client.call('GET', `${path}${query}`)).body.data.map(({ name }: { name: string }) => name)

const greeting = {
  uuid: UUID,
  name: 'Greeting',
  kind: 'custom',
  channel_id: 1,
  icon_name: 'default',
  client_rerender: false,
  template_engine: 'handlebars_v3',
  schema: [],
  schema_translations: '',
  template: '<p>{{text}}</p>',
  storefront_api_query: '',
  current_version_uuid: UUID,
  date_created: INSTANT,
  date_modified: INSTANT,
}

const SCHEMA = [
  {
    type: 'tab',
    label: 'Content',
    sections: [
      { label: 'Text', settings: [{ type: 'input', id: 'text', label: 'Text', default: 'Hi', unknown: [1, null] }] },
    ],
  },
  {
    type: 'array',
    id: 'slides',
    label: 'Slides',
    defaultCount: 2,
    thumbnail: { type: 'image', valueKey: 'url' },
    schema: [{ type: 'hidden', settings: [{ type: 'productId', id: 'product' }] }, { type: 'tab' }],
  },
  { type: 'hidden', settings: [] },
]

describe('a widget template', () => {
  test('is created with 200, read, changed and deleted with 204', async () => {
    const created = await create()
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ data: greeting, meta: {} })
    const { uuid } = created.body.data
    expect((await get(uuid)).body).toEqual(created.body)
    expect((await get(uuid.toUpperCase())).body).toEqual(created.body)
    const changed = await change(uuid, { name: 'Welcome', kind: 'mine', icon_name: 'x', uuid: FOREIGN })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({ ...created.body.data, name: 'Welcome', date_modified: INSTANT })
    expect(await client.call('DELETE', `${path}/${uuid}`)).toMatchObject({ status: 204, text: '' })
    expect((await get(uuid)).body).toEqual(problem(404, `The widget template ${uuid} does not exist.`))
    expect(await rowsOf(shop, 'widget_template_versions')).toEqual([])
  })

  test('stores every field as sent', async () => {
    const fields = {
      name: 'Carousel',
      schema: SCHEMA,
      schema_translations: '{"de":{}}',
      template: '{{#partial "x"}}{{> y}} {{lang "a"}}{{{{raw}}}}',
      storefront_api_query: 'query { site { settings { storeName } } }',
    }
    const { body } = await create(fields)
    expect(body.data).toEqual({ ...greeting, ...fields })
    expect((await change(body.data.uuid, body.data)).body).toEqual(body)
  })

  test('may have an empty template', async () => {
    expect((await create({ template: '' })).body.data).toEqual({ ...greeting, template: '' })
  })

  test.each(['x', '1', FOREIGN])('is 404 under %s', async (uuid) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await client.call(method, `${path}/${uuid}`, method === 'PUT' ? {} : undefined)).status).toBe(404)
    }
  })
})

describe('a template is refused', () => {
  const setting = (type: unknown) => [{ type: 'tab', sections: [{ settings: [{ type }] }] }]
  test.each([
    ['without a name', { name: undefined }, { name: 'error.path.missing' }],
    ['without a template', { template: undefined }, { template: 'error.path.missing' }],
    ['with an empty name', { name: '' }, { name: expect.any(String) }],
    ['with a name of 256 characters', { name: 'x'.repeat(256) }, { name: expect.any(String) }],
    ['with an unknown channel', { channel_id: 99 }, { channel_id: 'The channel 99 does not exist.' }],
    ['with an unknown element', { schema: [{ type: 'table' }] }, { 'schema.0.type': expect.any(String) }],
    [
      'with an unknown setting',
      { schema: setting('money') },
      { 'schema.0.sections.0.settings.0.type': expect.any(String) },
    ],
    [
      'with a setting without a type',
      { schema: setting(null) },
      { 'schema.0.sections.0.settings.0.type': expect.any(String) },
    ],
    [
      'with sections that are no list',
      { schema: [{ type: 'tab', sections: {} }] },
      { 'schema.0.sections': 'error.expected.jsarray' },
    ],
    [
      'with an array in an array',
      { schema: [{ type: 'array', schema: [{ type: 'array' }] }] },
      { 'schema.0.schema.0.type': expect.any(String) },
    ],
    ['with NUL', { template: 'a\u0000' }, { template: expect.any(String) }],
  ])('%s', async (_, fields, errors) => {
    expect((await create(fields)).body).toEqual(invalid(errors))
    expect(await rowsOf(shop, 'widget_templates')).toEqual([])
  })

  test.each(['template', 'storefront_api_query', 'schema_translations'])(
    'with a %s of more than 256 KiB',
    async (field) => {
      const long = 'é'.repeat(128 * 1024)
      const { body } = await create({ [field]: long })
      expect(body.data[field]).toBe(long)
      expect((await create({ [field]: `${long}x` })).body).toEqual(
        invalid({ [field]: `${field} must have at most 262144 bytes.` }),
      )
    },
  )

  test('with a schema of more than 256 KiB', async () => {
    const schema = (length: number) => [{ type: 'hidden', label: 'x'.repeat(length) }]
    const fixed = JSON.stringify(schema(0)).length
    expect((await create({ schema: schema(262_144 - fixed) })).status).toBe(200)
    expect((await create({ schema: schema(262_145 - fixed) })).body).toEqual(
      invalid({ schema: 'schema must have at most 262144 bytes.' }),
    )
  })

  test('on another channel than its own', async () => {
    const { uuid } = await client.template()
    const channel = await client.channel()
    expect((await change(uuid, { channel_id: 1 })).status).toBe(200)
    expect((await change(uuid, { channel_id: channel })).body).toEqual(
      invalid({ channel_id: 'A template stays on its channel.' }),
    )
  })
})

describe('the list of templates', () => {
  const builtin = BUILTIN_TEMPLATES.map(({ name }) => name)

  test('begins with the built-in ones and has the others in the order of creation', async () => {
    expect((await client.call('GET', path)).body).toEqual({
      data: BUILTIN_TEMPLATES,
      meta: { pagination: onlyPage(builtin.length) },
    })
    for (const name of ['b', 'a', 'c']) await create({ name })
    expect(await list()).toEqual([...builtin, 'b', 'a', 'c'])
    expect(await list('?limit=2&page=2')).toEqual(['b', 'a'])
    expect(await list('?limit=3')).toEqual([...builtin, 'b'])
    expect(await list('?limit=3&page=2')).toEqual(['a', 'c'])
    expect(await list('?page=9')).toEqual([])
    const { body } = await client.call('GET', `${path}?limit=3&page=2`)
    expect(body.meta.pagination).toMatchObject({ total: 5, count: 2, total_pages: 2 })
  })

  test('is filtered by kind and channel', async () => {
    const channel = await client.channel()
    await create({ name: 'one' })
    await create({ name: 'two', channel_id: channel })
    expect(await list('?widget_template_kind=custom')).toEqual(['one', 'two'])
    expect(await list('?widget_template_kind=html')).toEqual(['HTML'])
    expect(await list('?widget_template_kind=unknown')).toEqual([])
    expect(await list(`?channel_id:in=${channel}`)).toEqual(['two'])
    expect(await list('?channel_id:in=1&widget_template_kind=custom')).toEqual(['one'])
    expect((await client.call('GET', `${path}?name=one`)).status).toBe(422)
    expect((await client.call('GET', `${path}?limit=251`)).status).toBe(413)
  })

  test('is 413 if its texts have more than 16 MiB together', async () => {
    const texts = { template: 'x'.repeat(262_144), storefront_api_query: 'x'.repeat(262_144) }
    for (let i = 0; i < 32; i++) await create(texts)
    // The empty schemas of all have some bytes too.
    expect((await client.call('GET', path)).body).toMatchObject({ status: 413, detail: 'Lower limit.' })
    expect((await client.call('GET', `${path}?limit=30`)).status).toBe(200)
  })
})

describe('versions', () => {
  test('a change in place changes the texts of all widgets without touching their rows', async () => {
    const template = await client.template()
    const [one, two] = [
      await client.widget({ widget_template_uuid: template.uuid }),
      await client.widget({ widget_template_uuid: template.uuid }),
    ]
    const before = await rowsOf(shop, 'widgets')
    const changed = (await change(template.uuid, { template: 'new', schema: SCHEMA })).body.data
    expect(changed.current_version_uuid).toBe(template.current_version_uuid)
    for (const { uuid } of [one, two]) {
      const { data } = (await client.call('GET', `widgets/${uuid}`)).body
      expect(data.widget_template).toEqual(changed)
      expect(data.version_uuid).toBe(template.current_version_uuid)
    }
    expect(await rowsOf(shop, 'widgets')).toEqual(before)
  })

  test('a new version leaves existing widgets theirs, and new ones have the new version', async () => {
    const template = await client.template()
    const old = await client.widget({ widget_template_uuid: template.uuid })
    const changed = (await change(template.uuid, { template: 'new', create_new_version: true })).body.data
    expect(changed).toEqual({ ...template, template: 'new', current_version_uuid: UUID, date_modified: INSTANT })
    expect(changed.current_version_uuid).not.toBe(template.current_version_uuid)
    const shown = (await client.call('GET', `widgets/${old.uuid}`)).body.data
    expect(shown.version_uuid).toBe(template.current_version_uuid)
    expect(shown.widget_template).toEqual({ ...changed, template: template.template })
    const later = await client.widget({ widget_template_uuid: template.uuid })
    expect(later.version_uuid).toBe(changed.current_version_uuid)
    expect(later.widget_template).toEqual(changed)
  })

  test('are read by version_uuid; unknown ones and those of other templates are 404', async () => {
    const template = await client.template()
    const other = await client.template()
    await change(template.uuid, { template: 'new', create_new_version: true })
    const { body } = await get(template.uuid, `?version_uuid=${template.current_version_uuid.toUpperCase()}`)
    expect(body.data).toMatchObject({ template: template.template, name: 'Greeting' })
    for (const version of [FOREIGN, other.current_version_uuid]) {
      expect((await get(template.uuid, `?version_uuid=${version}`)).body).toEqual(
        problem(404, `The version ${version} does not exist.`),
      )
    }
    expect((await get(template.uuid, '?version_uuid=1')).status).toBe(422)
  })

  test('are at most 100: another one replaces the oldest without widgets, and is 403 if all have widgets', async () => {
    const template = await client.template()
    const used = await client.widget({ widget_template_uuid: template.uuid })
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`
        insert into widget_template_versions (store_id, uuid, template_uuid, number, template, schema, storefront_api_query, bytes)
        select ${tx.store.id}, gen_random_uuid()::text, ${template.uuid}, number, 'v' || number, '[]', '', 4
        from generate_series(2, 99) number on conflict do nothing`),
    )
    const numbers = async () =>
      (await rowsOf(shop, 'widget_template_versions')).map(({ number }) => Number(number)).sort((a, b) => a - b)
    expect((await change(template.uuid, { create_new_version: true })).status).toBe(200)
    expect(await numbers()).toHaveLength(100)
    expect((await change(template.uuid, { create_new_version: true })).status).toBe(200)
    expect((await numbers()).slice(0, 2)).toEqual([1, 3])
    expect((await client.call('GET', `widgets/${used.uuid}`)).status).toBe(200)
    await db.transaction((tx) =>
      tx.rows(sql`
        insert into widgets (store_id, id, uuid, channel_id, name, name_key, description, widget_template_uuid, version_uuid,
          widget_configuration, date_created, date_modified)
        select store_id, 1000 + number, gen_random_uuid()::text, 1, 'w', 'w', '', template_uuid, uuid, '{}', ${tx.now}, ${tx.now}
        from widget_template_versions where store_id = ${tx.store.id} and number > 1 on conflict do nothing`),
    )
    expect((await change(template.uuid, { create_new_version: true })).body).toEqual(
      problem(403, 'A widget template can have at most 100 versions in use.'),
    )
    await db.transaction((tx) => tx.rows(sql`delete from widgets where store_id = ${tx.store.id} and id > 1000`))
  })
})

test('a template with widgets is not deleted', async () => {
  const { uuid } = await client.template()
  const widget = await client.widget({ widget_template_uuid: uuid })
  const refused = problem(422, 'Widgets use this template. Delete them first.')
  expect((await client.call('DELETE', `${path}/${uuid}`)).body).toEqual(refused)
  await client.call('DELETE', `widgets/${widget.uuid}`)
  const page = { regions: [{ name: 'top', children: [{ widget_template_uuid: uuid }] }] }
  expect((await client.call('POST', 'page-widgets', page)).status).toBe(204)
  expect((await client.call('DELETE', `${path}/${uuid}`)).body).toEqual(refused)
  await client.call('POST', 'page-widgets', { regions: [] })
  expect((await client.call('DELETE', `${path}/${uuid}`)).status).toBe(204)
})

test('built-in templates are the same in every store, and are neither changed nor deleted', async () => {
  const { data } = (await get(TEXT_TEMPLATE)).body
  expect(data).toEqual(BUILTIN_TEMPLATES[0])
  expect(data).toMatchObject({ kind: 'text', channel_id: 0 })
  expect((await get(TEXT_TEMPLATE, `?version_uuid=${data.current_version_uuid}`)).body.data).toEqual(data)
  const refused = problem(422, 'A built-in template can be neither changed nor deleted.')
  expect((await change(TEXT_TEMPLATE, { name: 'x' })).body).toEqual(refused)
  expect((await client.call('DELETE', `${path}/${TEXT_TEMPLATE}`)).body).toEqual(refused)
})

describe('limits', () => {
  test('a store has 5,000 templates', async () => {
    await withTotal(shop, 'widget_templates', 4_999, async () => {
      expect((await create()).status).toBe(200)
      expect((await create()).body).toEqual(problem(403, 'A store can hold at most 5000 widget templates.'))
    })
  })

  test('a channel has 1,000 templates', async () => {
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`
        insert into widget_templates (store_id, id, uuid, channel_id, name, schema_translations, current_version_uuid, date_created, date_modified)
        select ${tx.store.id}, 10000 + i, gen_random_uuid()::text, 1, 'x', '', 'x', ${tx.now}, ${tx.now} from generate_series(1, 999) i on conflict do nothing`),
    )
    expect((await create()).status).toBe(200)
    expect((await create()).body).toEqual(problem(403, 'A channel can have at most 1000 widget templates.'))
    expect((await create({ channel_id: await client.channel() })).status).toBe(200)
    await db.transaction((tx) =>
      tx.rows(sql`delete from widget_templates where store_id = ${tx.store.id} and id > 10000`),
    )
  })
})
