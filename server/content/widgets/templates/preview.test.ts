import { beforeAll, describe, expect, test } from 'vitest'
import { invalid } from '../../../test/document/expected.ts'
import { FOREIGN, widgetClient } from '../../../test/fixtures/content/widgets.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { TEXT_TEMPLATE } from './builtin.ts'

let shop: Shop
let client: ReturnType<typeof widgetClient>
beforeAll(async () => {
  shop = await openShop()
  client = widgetClient(shop)
})

const previewOf = (uuid: string, widget_configuration?: object) =>
  client.call('POST', `widget-templates/${uuid}/preview`, { widget_configuration })
/** The HTML of a template, or the body of its refusal. */
async function preview(template: string, widget_configuration?: object) {
  const { uuid } = await client.template({ template })
  const { status, body } = await previewOf(uuid, widget_configuration)
  return status === 200 ? body.data.html : body
}

test('a preview answers 200 with HTML', async () => {
  const answer = await previewOf(TEXT_TEMPLATE, { heading: 'A & B', text: '<b>' })
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { html: '<h2>A &amp; B</h2><p>&lt;b&gt;</p>' }, meta: {} },
  })
})

test.each([
  ['{{#if a}}1{{else}}0{{/if}}{{#unless b}}2{{/unless}}', { a: 1 }, '12'],
  ['{{#each list}}{{@index}}{{name}}{{/each}}', { list: [{ name: 'x' }, { name: 'y' }] }, '0x1y'],
  ['{{#with a}}{{b}}{{/with}}', { a: { b: 'c' } }, 'c'],
  ['{{lookup prices size}}', { prices: { s: 1 }, size: 's' }, '1'],
  ['{{text}}{{{text}}}', { text: '<i>' }, '&lt;i&gt;<i>'],
  ['{{missing}}', undefined, ''],
])('%s is rendered', async (template, configuration, html) => {
  expect(await preview(template, configuration)).toBe(html)
})

test('a preview has the uuid of its template as that of the widget', async () => {
  const { uuid } = await client.template({ template: '{{_.id}}' })
  expect((await previewOf(uuid, { _: { id: 'mine' } })).body.data.html).toBe(uuid)
})

test('a preview shows the current version', async () => {
  const { uuid } = await client.template({ template: 'old' })
  await client.call('PUT', `widget-templates/${uuid}`, { template: 'new', create_new_version: true })
  expect((await previewOf(uuid)).body.data.html).toBe('new')
})

test.each([
  ['an unknown helper', '{{money 5}}', 'line 1, column 1: there is no helper "money"'],
  ['a helper of mails', 'a\n {{lang "x"}}', 'line 2, column 2: there is no helper "lang"'],
  ['bad syntax', '{{#if a}}\n{{/each}}', 'line 1, column 4: block if is closed as each'],
  ['a partial', '{{> x}}', 'line 1, column 1: partials ({{> name}}) are not supported'],
])('%s is 422 with line and name', async (_, template, sentence) => {
  expect(await preview(template)).toEqual(invalid({ template: sentence }))
})

describe('templates that attack (C-092, C-093, C-094, C-141)', () => {
  const refused = (piece: string) => ({ status: 422, errors: { template: expect.stringContaining(piece) } })

  test('500 nested blocks are refused', async () => {
    expect(await preview('{{#if a}}'.repeat(500) + '{{/if}}'.repeat(500))).toMatchObject(refused('20 deep'))
  })

  test.each(['{{constructor}}', '{{a.__proto__}}', '{{#with __proto__}}x{{/with}}', '{{lookup.constructor}}'])(
    '%s is refused',
    async (template) => {
      expect(await preview(template, { a: 1 })).toMatchObject(refused("can't be read"))
    },
  )

  test('lookup reads own values only', async () => {
    const template = '[{{lookup a "constructor"}}{{lookup a "__proto__"}}{{lookup (lookup a "toString") "name"}}]'
    expect(await preview(template, { a: {} })).toBe('[]')
  })

  test('values named constructor and __proto__ in a configuration are data', async () => {
    const { uuid } = await client.template({ template: '{{lookup this "constructor"}}' })
    const body = '{"widget_configuration":{"constructor":"own","__proto__":{"polluted":1}}}'
    const answer = await shop.call('POST', `/content/widget-templates/${uuid}/preview`, undefined, {
      payload: Buffer.from(body),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.body.data.html).toBe('own')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('a template that prints 100 MB is stopped', async () => {
    const template = `{{#each list}}${'x'.repeat(200_000)}{{/each}}`
    expect(await preview(template, { list: Array.from({ length: 500 }, (_, i) => i) })).toMatchObject(
      refused('longer than'),
    )
  })

  test('four nested loops are stopped', async () => {
    const template = `${'{{#each @root.list}}'.repeat(4)}x${'{{/each}}'.repeat(4)}`
    expect(await preview(template, { list: Array.from({ length: 60 }, (_, i) => i) })).toMatchObject(
      refused('more steps'),
    )
  })

  test('others are served meanwhile (C-095)', async () => {
    const template = `${'{{#each @root.list}}'.repeat(4)}x${'{{/each}}'.repeat(4)}`
    const { uuid } = await client.template({ template })
    const list = Array.from({ length: 60 }, (_, i) => i)
    const hostile = Array.from({ length: 5 }, () => previewOf(uuid, { list }))
    expect((await previewOf(TEXT_TEMPLATE, { text: 'fine' })).body.data.html).toBe('<p>fine</p>')
    for (const { status } of await Promise.all(hostile)) expect(status).toBe(422)
  })
})

test('a configuration of more than 64 KB is refused, and an unknown template is 404', async () => {
  expect((await previewOf(TEXT_TEMPLATE, { text: 'x'.repeat(65_536) })).body).toEqual(
    invalid({ widget_configuration: 'widget_configuration must have at most 65536 bytes.' }),
  )
  expect((await previewOf(FOREIGN)).status).toBe(404)
})

test('a preview is answered once for an Idempotency-Key', async () => {
  const send = () =>
    shop.call(
      'POST',
      `/content/widget-templates/${TEXT_TEMPLATE}/preview`,
      { widget_configuration: { text: 'a' } },
      {
        headers: { 'idempotency-key': 'a preview' },
      },
    )
  expect((await send()).body).toEqual((await send()).body)
})

test('busy renderers are 503 with Retry-After', async () => {
  const { renderers } = await theHouse()
  const all = Array.from({ length: 60 }, () => previewOf(TEXT_TEMPLATE, { text: 'a' }))
  const answers = await Promise.all(all)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
  expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('1')
  expect(renderers.pids.length).toBeLessThanOrEqual(2)
})
