import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { builtinTemplate } from './contents/builtin.ts'
import { EMAIL_TYPES } from './contents/contexts.ts'
import { deleteTemplatesOfChannel } from './templates.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const ALL = '/marketing/email-templates'
const PASSWORD = `${ALL}/account_reset_password_email`
const german = {
  subject: 'Neues Passwort bei {{store.name}}',
  body: `<p>{{lang 'message' store=store.name}}</p><a href="{{reset_password.link}}">{{reset_password.link}}</a>`,
  translations: [{ locale: 'de', keys: { message: 'Passwort für {store} ändern:' } }],
}
const template = { type_id: 'account_reset_password_email', ...german }

const get = (path: string) => shop.call('GET', path)
const put = (body: unknown, path = PASSWORD) => shop.call('PUT', path, body)
const remove = (path: string) => shop.call('DELETE', path)
const events = async () =>
  (await rowsOf(shop, 'events')).map(({ scope, resource, data }) => [scope, resource, JSON.parse(String(data))])

test('the twelve types are there from the start, in the order of their names', async () => {
  const { status, body } = await get(ALL)
  expect(status).toBe(200)
  expect(body).toEqual({ data: EMAIL_TYPES.map(builtinTemplate), meta: {} })
  expect(body.data.map(({ type_id }: { type_id: string }) => type_id)).toEqual([
    'abandoned_cart_email',
    'account_details_changed_email',
    'account_reset_password_email',
    'combined_order_status_email',
    'createaccount_email',
    'createguestaccount_email',
    'giftcertificate_email',
    'invoice_email',
    'ordermessage_notification',
    'product_review_email',
    'return_confirmation_email',
    'return_statuschange_email',
  ])
})

test('one template is answered whole', async () => {
  const { status, body } = await get(PASSWORD)
  expect(status).toBe(200)
  expect(body).toEqual({ data: builtinTemplate('account_reset_password_email'), meta: {} })
  expect(Object.keys(body.data)).toEqual(['type_id', 'body', 'subject', 'translations'])
  expect(body.data.translations).toMatchObject([{ locale: 'en', keys: { title: 'Choose a new password' } }])
})

test.each([
  ['POST', ALL, 405],
  ['POST', PASSWORD, 405],
  ['PATCH', PASSWORD, 501],
  ['DELETE', ALL, 405],
  ['GET', `${ALL}/Account_reset_password_email`, 404],
  ['PUT', `${ALL}/order_ready_for_pickup_email`, 404],
  ['DELETE', `${ALL}/passwordless_sign_in?channel_id=1`, 404],
  ['GET', `${ALL}/__proto__`, 404],
])('%s %s is %s', async (method, path, status) => {
  const body = method === 'PUT' || method === 'POST' ? german : undefined
  expect((await shop.call(method, path, body)).status).toBe(status)
})

describe("the store's own template", () => {
  test('replaces the one that came with the server, in all channels, and one event tells of it', async () => {
    const { status, body } = await put({ type_id: 'account_reset_password_email', ...german, lang: 'de', id: 7 })
    expect(status).toBe(200)
    expect(body).toEqual({ data: template, meta: {} })
    expect((await get(PASSWORD)).body).toEqual({ data: template, meta: {} })
    expect((await get(`${PASSWORD}?channel_id=1`)).body).toEqual({ data: template, meta: {} })
    const list = (await get(ALL)).body
    expect(list.meta).toEqual({})
    expect(list.data[2]).toEqual(template)
    expect(list.data[3]).toEqual(builtinTemplate('combined_order_status_email'))
    expect(await events()).toEqual([
      [
        'store/channel/0/email/templates/updated',
        'email template account_reset_password_email',
        { template_kind: 'account_reset_password_email' },
      ],
    ])
  })

  test('keeps its translations where a change brings none, and has none where it brings an empty list', async () => {
    await put(german)
    const { subject, body } = german
    expect((await put({ subject: 'Neu', body })).body.data).toEqual({ ...template, subject: 'Neu' })
    expect((await put({ subject, body, translations: [] })).body).toEqual({
      data: { ...template, translations: [] },
      meta: { warnings: ['No locale has the phrase "message".'] },
    })
  })

  test('that is put again as it is tells nothing', async () => {
    await put(german)
    await put(german)
    await put({ ...german, translations: [{ locale: 'de', keys: { ...german.translations[0]?.keys } }] })
    expect(await events()).toHaveLength(1)
    const { type_id, ...same } = builtinTemplate('invoice_email')
    expect((await put(same, `${ALL}/${type_id}`)).status).toBe(200)
    expect(await events()).toHaveLength(1)
    expect(await rowsOf(shop, 'email_templates')).toHaveLength(1)
  })
})

describe('the template of a channel', () => {
  const ofChannel = `${PASSWORD}?channel_id=1`

  test('is in force there only, until it is deleted', async () => {
    const { status, body } = await put(german, ofChannel)
    expect([status, body]).toEqual([200, { data: template, meta: {} }])
    const builtin = builtinTemplate('account_reset_password_email')
    expect((await get(ofChannel)).body.data).toEqual(template)
    expect((await get(PASSWORD)).body.data).toEqual(builtin)
    const list = (await get(`${ALL}?channel_id=1`)).body
    expect(list.meta).toEqual({ overridden: ['account_reset_password_email'] })
    expect(list.data[2]).toEqual(template)
    expect(list.data).toHaveLength(12)

    const gone = await remove(ofChannel)
    expect([gone.status, gone.body]).toEqual([200, { data: {}, meta: {} }])
    expect((await get(ofChannel)).body.data).toEqual(builtin)
    expect((await get(`${ALL}?channel_id=1`)).body.meta).toEqual({ overridden: [] })
    expect((await events()).map(([scope]) => scope)).toEqual([
      'store/channel/1/email/templates/updated',
      'store/channel/1/email/templates/deleted',
    ])
    expect((await remove(ofChannel)).status).toBe(200)
    expect(await events()).toHaveLength(2)
  })

  test('is a whole copy: it begins with the translations in force, and does not follow the store any more', async () => {
    await put(german)
    const { subject, body } = german
    expect((await put({ subject, body }, ofChannel)).body.data).toEqual(template)
    await put({ ...german, subject: 'Anders', translations: [] })
    expect((await get(ofChannel)).body.data).toEqual(template)
    expect((await get(PASSWORD)).body.data).toMatchObject({ subject: 'Anders', translations: [] })
    await remove(ofChannel)
    expect((await get(ofChannel)).body.data).toMatchObject({ subject: 'Anders', translations: [] })
  })

  test('ends with the channel, and nothing tells of that', async () => {
    await put(german, ofChannel)
    await put(german)
    await deleteTemplatesOfChannel(await dbOf(shop), 1)
    expect(await rowsOf(shop, 'email_templates')).toMatchObject([{ channel_id: 0 }])
    expect(await events()).toHaveLength(2)
  })

  test.each([
    ['that there is none of', 'channel_id=664158', { channel_id: 'channel_id 664158 is no channel of this store.' }],
    ['that is no number', 'channel_id=x', {}],
    ['zero', 'channel_id=0', {}],
    ['that is too large', 'channel_id=9007199254740993', {}],
    ['under another name', 'channel=1', {}],
  ])('%s is refused everywhere', async (_, query, errors) => {
    for (const answer of [
      await get(`${ALL}?${query}`),
      await get(`${PASSWORD}?${query}`),
      await put(german, `${PASSWORD}?${query}`),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { errors } })
      expect(answer.body.title).toMatch(/^The query is not valid: .*channel/)
    }
    expect((await remove(`${PASSWORD}?${query}`)).status).toBe(422)
    expect(await rowsOf(shop, 'email_templates')).toEqual([])
  })

  test('must be named when one is deleted', async () => {
    expect(await remove(PASSWORD)).toMatchObject({
      status: 422,
      body: { title: 'The query is not valid: channel_id is missing.', errors: { channel_id: 'error.path.missing' } },
    })
  })
})

describe('refused is', () => {
  const long = (length: number) => 'a'.repeat(length)
  test.each<[string, object, Record<string, unknown>]>([
    ['no subject', { subject: undefined }, { subject: 'error.path.missing' }],
    ['no body', { body: undefined }, { body: 'error.path.missing' }],
    ['an empty subject', { subject: '' }, { subject: 'subject must have at least 1 character.' }],
    ['an empty body', { body: '' }, { body: 'body must have at least 1 character.' }],
    ['a subject of 256 characters', { subject: long(256) }, { subject: expect.stringContaining('at most 255') }],
    ['a body of 65,537 characters', { body: long(65_537) }, { body: expect.stringContaining('at most 65536') }],
    ['a subject of two lines', { subject: 'One\nTwo' }, { subject: 'subject must be one line.' }],
    ['a subject with a carriage return', { subject: 'One\rTwo' }, { subject: 'subject must be one line.' }],
    ['a body that is no text', { body: 5 }, { body: 'error.expected.jsstring' }],
    [
      'another type than in the path',
      { type_id: 'giftcertificate_email' },
      { type_id: expect.stringContaining('account_reset') },
    ],
    ['translations that are no list', { translations: {} }, { translations: 'error.expected.jsarray' }],
    ['translations that are null', { translations: null }, { translations: 'error.expected.jsarray' }],
    [
      'a translation without a locale',
      { translations: [{ keys: {} }] },
      { 'translations.0.locale': 'error.path.missing' },
    ],
    [
      'a locale that is none',
      { translations: [{ locale: 'english', keys: {} }] },
      { 'translations.0.locale': expect.any(String) },
    ],
    [
      'a locale that is there twice',
      {
        translations: [
          { locale: 'en-US', keys: {} },
          { locale: 'en-us', keys: {} },
        ],
      },
      { 'translations.1.locale': 'en-us is there twice.' },
    ],
    [
      'a translation without phrases',
      { translations: [{ locale: 'en' }] },
      { 'translations.0.keys': 'error.path.missing' },
    ],
    [
      'a phrase with a name that is none',
      { translations: [{ locale: 'en', keys: { 'a b': 'x', ok: 'y', [long(65)]: 'z' } }] },
      { 'translations.0.keys.a b': expect.any(String), [`translations.0.keys.${long(65)}`]: expect.any(String) },
    ],
    [
      'a phrase of 2,001 characters',
      { translations: [{ locale: 'en', keys: { a: long(2_001) } }] },
      { 'translations.0.keys.a': expect.stringContaining('at most 2000') },
    ],
    [
      'a phrase that is no text',
      { translations: [{ locale: 'en', keys: { a: 1 } }] },
      { 'translations.0.keys.a': 'error.expected.jsstring' },
    ],
    [
      '501 phrases',
      {
        translations: [
          { locale: 'en', keys: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, ''])) },
        ],
      },
      { 'translations.0.keys': 'keys must hold at most 500 phrases.' },
    ],
    ['a block that is not closed', { body: '{{#if order}}' }, { body: 'line 1, column 14: block if is not closed' }],
    [
      'a helper that there is none of',
      { body: '<p>{{money 5}}' },
      { body: 'line 1, column 4: there is no helper "money"' },
    ],
    ['a partial', { body: '{{> header}}' }, { body: 'line 1, column 1: partials ({{> name}}) are not supported' }],
    [
      'a raw value in the subject',
      { subject: '{{{store.name}}}' },
      { subject: expect.stringContaining('only be used in HTML') },
    ],
    ['a way to the constructor', { body: '{{constructor}}' }, { body: "line 1, column 3: constructor can't be read" }],
    [
      'too much of several kinds at once',
      { type_id: 'x', subject: '{{', body: '{{/if}}', translations: [{ locale: 'en', keys: { ' ': '' } }] },
      {
        type_id: expect.any(String),
        subject: expect.any(String),
        body: expect.any(String),
        'translations.0.keys. ': expect.any(String),
      },
    ],
  ])('%s', async (_, change, errors) => {
    const answer = await put({ ...german, ...change })
    expect(answer).toMatchObject({ status: 422, body: { title: 'JSON data is missing or invalid' } })
    expect(answer.body.errors).toEqual(errors)
    expect(await rowsOf(shop, 'email_templates')).toEqual([])
  })

  test('malformed JSON', async () => {
    const answer = await shop.call('PUT', PASSWORD, undefined, {
      payload: '{"subject":',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
  })

  test('nothing that is as large as it may be', async () => {
    const phrases = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`phrase.${i}-x_Y`, '']))
    const largest = {
      subject: long(255),
      body: long(65_536),
      translations: [
        { locale: 'en', keys: { ...phrases, 'phrase.0-x_Y': long(2_000) } },
        { locale: 'zh-hant-tw', keys: { [long(64)]: '' } },
      ],
    }
    const answer = await put(largest)
    expect(answer).toMatchObject({ status: 200, body: { meta: {} } })
    expect((await get(PASSWORD)).body.data).toEqual({ type_id: 'account_reset_password_email', ...largest })
  })
})

test('a template that exceeds a limit with its sample data is refused', async () => {
  const loops = `${'{{#each @root.order.products}}'.repeat(11)}x${'{{/each}}'.repeat(11)}`
  // 503 while a busy machine gives the renderers no time.
  await expect
    .poll(() => put({ subject: 'x', body: loops }, `${ALL}/invoice_email`))
    .toMatchObject({
      status: 422,
      body: { errors: { body: 'rendering takes more steps than allowed' } },
    })
  expect((await put({ subject: 'x', body: loops })).status).toBe(200)
})

test('phrases that no locale has are warned of, and taken', async () => {
  const body = "{{lang 'message'}}{{lang 'later' name=(lang 'nested')}}"
  expect((await put({ ...german, body })).body).toEqual({
    data: { ...template, body },
    meta: { warnings: ['No locale has the phrase "later".', 'No locale has the phrase "nested".'] },
  })
})

test('an Idempotency-Key stores the answer', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await shop.call('PUT', PASSWORD, german, { headers })
  expect(first.status).toBe(200)
  await put({ ...german, subject: 'Later' })
  const again = await shop.call('PUT', PASSWORD, german, { headers })
  expect(again.body).toEqual(first.body)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect((await get(PASSWORD)).body.data.subject).toBe('Later')
})

test('templates of one store are not those of another, nor are its channels', async () => {
  const other = await openShop()
  await other.call('PUT', PASSWORD, german)
  await other.call('PUT', `${PASSWORD}?channel_id=1`, german)
  expect((await get(PASSWORD)).body.data).toEqual(builtinTemplate('account_reset_password_email'))
  expect((await get(`${ALL}?channel_id=1`)).body.meta).toEqual({ overridden: [] })
})
