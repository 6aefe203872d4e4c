import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { deleteScriptsOfChannel } from './scripts.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const path = '/content/scripts'
const src = 'https://cdn.example.com/visits.js'
const html = '<script>visit()</script>'
const create = (fields: object = {}, as = shop.admin) =>
  shop.call('POST', path, { name: 'Visits', src, ...fields }, { as })
const createTag = (fields: object = {}) => create({ src: undefined, html, ...fields })
const get = (uuid: string, as = shop.admin) => shop.call('GET', `${path}/${uuid}`, undefined, { as })
const change = (uuid: string, body: object, as = shop.admin) => shop.call('PUT', `${path}/${uuid}`, body, { as })
const list = async (query = '', as = shop.admin): Promise<{ name: string; uuid: string }[]> =>
  (await shop.call('GET', `${path}${query}`, undefined, { as })).body.data
const eventsOf = async () =>
  (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('script')).map(({ scope }) => scope)
const accountWith = async (...scopes: string[]) => {
  const { installation } = await theHouse()
  return installation.accounts.create(shop.store.hash, 'another', scopes)
}

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const some = expect.any(String)
const visits = () => ({
  uuid: UUID,
  name: 'Visits',
  description: '',
  html: '',
  src,
  auto_uninstall: true,
  load_method: 'default',
  location: 'footer',
  visibility: 'storefront',
  kind: 'src',
  api_client_id: shop.admin.client_id,
  consent_category: 'unknown',
  enabled: true,
  channel_id: 1,
  integrity_hashes: [],
  date_created: INSTANT,
  date_modified: INSTANT,
})

describe('a script', () => {
  test('is created with 200, read, changed and deleted', async () => {
    const created = await create()
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ data: visits(), meta: {} })
    const { data: script } = created.body
    expect((await get(script.uuid)).body).toEqual(created.body)
    expect((await get(script.uuid.toUpperCase())).body).toEqual(created.body)
    const { body } = await shop.call('GET', path)
    expect(body).toEqual({ data: [script], meta: { pagination: onlyPage(1) } })
    const changed = await change(script.uuid, { name: 'Counter', enabled: false, uuid: 'mine', api_client_id: 'me' })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({ ...script, name: 'Counter', enabled: false, date_modified: INSTANT })
    expect((await get(script.uuid)).body).toEqual(changed.body)
    expect(await shop.call('DELETE', `${path}/${script.uuid}`)).toMatchObject({ status: 204, text: '' })
    expect((await get(script.uuid)).body).toEqual(problem(404, `The script ${script.uuid} does not exist.`))
    expect(await list()).toEqual([])
  })

  test('stores every field', async () => {
    const fields = {
      name: 'Chat',
      description: 'Talks',
      src: 'http://cdn.example.com/chat.js?v=1#a',
      auto_uninstall: false,
      load_method: 'defer',
      location: 'head',
      visibility: 'order_confirmation',
      consent_category: 'functional',
      enabled: false,
      integrity_hashes: ['sha384-BBBB', 'sha256-AAA=', 'sha512-C+/='],
    }
    const { body } = await create(fields)
    expect(body.data).toEqual({ ...visits(), ...fields })
    const again = await change(body.data.uuid, body.data)
    expect(again.body).toEqual(body)
  })

  test('has the kind of the field that is sent', async () => {
    expect((await createTag()).body.data).toMatchObject({ kind: 'script_tag', html, src: '' })
    expect((await create({ html: '' })).body.data).toMatchObject({ kind: 'src', html: '', src })
    expect((await create({ src: '', html, kind: 'script_tag' })).body.data).toMatchObject({
      kind: 'script_tag',
      src: '',
    })
  })

  test('changes its kind, which empties the other field', async () => {
    const { uuid } = (await create()).body.data
    expect((await change(uuid, { kind: 'script_tag', html })).body.data).toMatchObject({ html, src: '' })
    expect((await change(uuid, { kind: 'src', src })).body.data).toMatchObject({ html: '', src })
    expect((await change(uuid, { kind: 'script_tag' })).body).toEqual(invalid({ html: some }))
    expect((await change(uuid, { kind: 'script_tag', html, src })).body).toEqual(invalid({ src: some }))
    expect((await change(uuid, { html })).body).toEqual(invalid({ html: some }))
  })

  test('publishes its creation and each change, but neither an empty change nor its deletion', async () => {
    const { uuid } = (await create()).body.data
    await change(uuid, { name: 'Counter' })
    await change(uuid, { name: 'Counter' })
    await shop.call('DELETE', `${path}/${uuid}`)
    expect(await eventsOf()).toEqual(['store/channel/1/script/created', 'store/channel/1/script/updated'])
    const [event] = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/channel/1/script/created')
    expect(event?.data).toBe(JSON.stringify({ uuid }))
  })
})

describe('a script is refused', () => {
  const long = (length: number) => 'a'.repeat(length)
  const tags = (count: number) => html.repeat(count)

  test.each<[string, object, object]>([
    ['without a name', { name: undefined }, { name: 'error.path.missing' }],
    ['with an empty name', { name: '' }, { name: some }],
    ['with a name of 256 characters', { name: long(256) }, { name: some }],
    ['with neither src nor html', { src: undefined }, { src: some }],
    ['with src and html', { html }, { html: some }],
    ['with a relative src', { src: '/visits.js' }, { src: some }],
    ['with a javascript address', { src: 'javascript:alert(1)' }, { src: some }],
    ['with a src without a host', { src: 'https://' }, { src: some }],
    ['with a line break in src', { src: 'https://a.example/\nb' }, { src: some }],
    ['with a src of 2,049 characters', { src: `https://a.example/${long(2_031)}` }, { src: some }],
    ['with an html without an element', { src: '', html: '<b>a</b>', kind: 'script_tag' }, { html: some }],
    ['with another element of a similar name', { src: '', html: '<scripted>' }, { html: some }],
    ['with six elements', { src: '', html: tags(6) }, { html: some }],
    ['with an html of 65,537 characters', { src: '', html: html + long(65_537 - html.length) }, { html: some }],
    ['with an html that loads async', { src: '', html, load_method: 'async' }, { load_method: some }],
    ['with hashes of an html', { src: '', html, integrity_hashes: ['sha256-AA=='] }, { integrity_hashes: some }],
    ['with six hashes', { integrity_hashes: Array(6).fill('sha256-AA==') }, { integrity_hashes: some }],
    ['with a hash of MD5', { integrity_hashes: ['md5-AA=='] }, { 'integrity_hashes.0': some }],
    ['with a hash that is not base64', { integrity_hashes: ['sha256-!'] }, { 'integrity_hashes.0': some }],
    ['with an unknown channel', { channel_id: 99 }, { channel_id: 'The channel 99 does not exist.' }],
    ['with an unknown kind', { kind: 'css' }, { kind: some }],
    ['with an unknown location', { location: 'body' }, { location: some }],
    ['with an unknown visibility', { visibility: 'cart' }, { visibility: some }],
    ['with an unknown category', { consent_category: 'none' }, { consent_category: some }],
    ['with a null', { enabled: null }, { enabled: 'error.expected.jsboolean' }],
  ])('%s', async (_, fields, errors) => {
    expect(await create(fields)).toMatchObject({ status: 422, body: invalid(errors) })
  })

  test('in a list', async () => {
    expect((await shop.call('POST', path, [{ name: 'Visits', src }])).status).toBe(422)
  })

  test('but the bounds are accepted', async () => {
    for (const fields of [
      { name: long(255) },
      { src: `https://a.example/${long(2_030)}` },
      { src: '', html: tags(5) },
      { src: '', html: html + long(65_536 - html.length) },
      { integrity_hashes: Array(5).fill('sha256-AA==') },
      { consent_category: 'unknown' },
    ]) {
      expect((await create(fields)).status).toBe(200)
    }
  })

  test('at a malformed or foreign uuid with 404', async () => {
    const { uuid } = (await create()).body.data
    for (const unknown of ['x', '1', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect((await get(unknown)).status).toBe(404)
      expect((await change(unknown, {})).status).toBe(404)
      expect((await shop.call('DELETE', `${path}/${unknown}`)).status).toBe(404)
    }
    const other = await accountWith('all')
    expect(await list('', other)).toEqual([])
    expect((await get(uuid, other)).status).toBe(404)
    expect((await change(uuid, { name: 'Mine' }, other)).status).toBe(404)
    expect((await shop.call('DELETE', `${path}/${uuid}`, undefined, { as: other })).status).toBe(404)
  })

  test('as the 11th of a client on a channel, and as the 51st of the channel', async () => {
    for (let i = 0; i < 10; i++) expect((await create()).status).toBe(200)
    const full = problem(403, 'A client can have at most 10 scripts on a channel.')
    expect(await create()).toMatchObject({ status: 403, body: full })
    const { body: channel } = await shop.call('POST', '/channels', {
      name: 'Second',
      type: 'storefront',
      platform: 'custom',
    })
    const elsewhere = await create({ channel_id: channel.data.id })
    expect(elsewhere.status).toBe(200)
    expect((await change(elsewhere.body.data.uuid, { channel_id: 1 })).body).toEqual(full)
    for (let client = 0; client < 4; client++) {
      const account = await accountWith('store_v2_content')
      for (let i = 0; i < 10; i++) await create({}, account)
    }
    const last = await accountWith('store_v2_content')
    expect((await create({}, last)).body).toEqual(problem(403, 'A channel can have at most 50 scripts.'))
    const [first] = await list()
    await shop.call('DELETE', `${path}/${first?.uuid}`)
    const answers = await Promise.all([1, 2, 3].map(() => create({}, last)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })
})

describe('the list of scripts', () => {
  const names = async (query: string) => (await list(query)).map(({ name }) => name)

  test('is sorted and filtered', async () => {
    const { body } = await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
    const channel = body.data.id
    await create({ name: 'b', description: '1' })
    await create({ name: 'C', description: '3', channel_id: channel })
    await create({ name: 'a', description: '2' })
    const [first] = await list()
    await change(first?.uuid ?? '', { location: 'head' })
    expect(await names('')).toEqual(['b', 'C', 'a'])
    expect(await names('?sort=name')).toEqual(['a', 'b', 'C'])
    expect(await names('?sort=description&direction=desc')).toEqual(['C', 'a', 'b'])
    expect(await names('?sort=date_created&direction=desc')).toEqual(['a', 'C', 'b'])
    expect(await names('?sort=date_modified')).toEqual(['C', 'a', 'b'])
    expect(await names(`?channel_id:in=${channel}`)).toEqual(['C'])
    expect(await names(`?channel_id:in=1,${channel}&limit=1&page=2`)).toEqual(['C'])
    expect((await shop.call('GET', `${path}?name=a`)).status).toBe(422)
    expect((await shop.call('GET', `${path}?sort=uuid`)).status).toBe(422)
    expect((await shop.call('GET', `${path}?limit=251`)).status).toBe(413)
  })

  test('omits scripts of a deleted channel, which are deleted when it ends', async () => {
    const { body } = await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
    const channel = body.data.id
    const { uuid } = (await create({ channel_id: channel })).body.data
    await shop.call('PUT', `/channels/${channel}`, { status: 'deleted' })
    expect(await list()).toEqual([])
    expect((await get(uuid)).status).toBe(404)
    await deleteScriptsOfChannel(await dbOf(shop), channel)
    expect(await rowsOf(shop, 'scripts')).toEqual([])
  })
})

describe('scripts of the checkout', () => {
  test.each(['all_pages', 'checkout'])('with the visibility %s need a second scope', async (visibility) => {
    const plain = await accountWith('store_v2_content')
    const reader = await accountWith('store_v2_content', 'store_content_checkout_read_only')
    const writer = await accountWith('store_v2_content', 'store_content_checkout')
    for (const client of [plain, reader]) {
      expect((await create({ visibility }, client)).status).toBe(403)
      const { uuid } = (await create({}, client)).body.data
      expect((await change(uuid, { visibility }, client)).status).toBe(403)
    }
    const { uuid } = (await create({ visibility }, writer)).body.data
    expect((await change(uuid, { name: 'Pay' }, writer)).status).toBe(200)
    expect((await list('', writer)).length).toBe(1)

    await give(uuid, reader)
    expect((await get(uuid, reader)).status).toBe(200)
    expect((await list('', reader)).length).toBe(2)
    expect((await change(uuid, { visibility: 'storefront' }, reader)).status).toBe(403)
    expect((await shop.call('DELETE', `${path}/${uuid}`, undefined, { as: reader })).status).toBe(403)

    await give(uuid, plain)
    expect((await get(uuid, plain)).status).toBe(404)
    expect((await change(uuid, { name: 'Pay' }, plain)).status).toBe(404)
    expect((await list('', plain)).length).toBe(1)

    await give(uuid, writer)
    expect((await shop.call('DELETE', `${path}/${uuid}`, undefined, { as: writer })).status).toBe(204)
  })

  /** Gives a script another owner, because an account's new scopes are known within a second only. */
  const give = async (uuid: string, { client_id }: { client_id: string }) => {
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`update scripts set api_client_id = ${client_id} where store_id = ${db.store.id} and uuid = ${uuid}`),
    )
  }
})

test('scripts are deleted with the account of their client, unless auto_uninstall is false', async () => {
  const client = await accountWith('store_v2_content')
  await create({ name: 'Goes' }, client)
  await create({ name: 'Stays', auto_uninstall: false }, client)
  await create({ name: 'Of another client' })
  const { installation } = await theHouse()
  await installation.accounts.delete(shop.store.hash, client.client_id)
  expect((await rowsOf(shop, 'scripts')).map(({ name }) => name)).toEqual(['Stays', 'Of another client'])
})
