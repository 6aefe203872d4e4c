import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { bundleOf, doThemeJobs, files, themeBundle, uploadBundle, uploadTheme } from '../../test/fixtures/themes.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { jobOwner, startJob } from './jobs.ts'
import { STOCK, stockBundle } from './stock.ts'

// docs/contract/themes.md.

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const MINUTE_MS = 60_000
const nowhere = '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a01'

const variationsOf = (ids: unknown[]) =>
  STOCK.variations.map(({ name, description, external_id }, i) => ({ uuid: ids[i], name, description, external_id }))
const stock = (changes: object = {}) => ({
  uuid: STOCK.uuid,
  name: 'Homestead',
  is_private: false,
  is_active: true,
  updated_at: moment,
  variations: variationsOf(STOCK.variations.map((variation) => variation.uuid)),
  ...changes,
})

const job = async (shop: Shop, id: string) => (await shop.call('GET', `/themes/jobs/${id}`)).body.data
const theme = async (shop: Shop, id: string) => (await shop.call('GET', `/themes/${id}`)).body.data
const upload = (shop: Shop, bytes: Buffer, headers: Record<string, string> = {}) => {
  const { payload, headers: ofForm } = form('file', 'theme.zip', bytes)
  return shop.call('POST', '/themes', undefined, { payload, headers: { ...ofForm, ...headers } })
}
const activate = (shop: Shop, wish: object) => shop.call('POST', '/themes/actions/activate', wish)
const activeOf = async (shop: Shop, channel = 1) =>
  (await shop.call('GET', `/channels/${channel}/active-theme`)).body.data
/** The names of all files that the store has on disk, also of unfinished ones. */
const stored = async ({ store }: Shop) => readdir(join((await theHouse()).files.folder, store.hash)).catch(() => [])
const download = async (shop: Shop, id: string, body?: object) => {
  const begun = await shop.call('POST', `/themes/${id}/actions/download`, body)
  expect(begun.status, begun.text).toBe(200)
  await doThemeJobs()
  return job(shop, begun.body.job_id)
}
const get = async (url: string, headers: Record<string, string> = {}) =>
  (await theHouse()).server.inject({ url: url.replace('http://shop.test', ''), headers })
const configOf = async (zip: Buffer) => JSON.parse((await files(zip)).get('config.json')?.toString() ?? '')

test('a new store has a theme that its first channel shows, and that cannot be deleted', async () => {
  const shop = await openShop()
  expect((await shop.call('GET', '/themes')).body).toEqual({ data: [stock()], meta: {} })
  expect((await shop.call('GET', `/themes/${STOCK.uuid}`)).body).toEqual({ data: stock(), meta: {} })
  const { status, body } = await shop.call('DELETE', `/themes/${STOCK.uuid}`)
  expect({ status, body }).toEqual({
    status: 409,
    body: problem(409, 'This theme comes with the server and cannot be deleted.'),
  })
  expect((await shop.call('GET', `/themes/custom-templates/${STOCK.version_uuid}`)).body.data).toEqual({
    product: [],
    category: [],
    brand: [],
    page: ['about.html'],
  })
  const { config } = await stockBundle()
  expect(config.variations?.map(({ name, id }) => [name, id])).toEqual(
    STOCK.variations.map(({ name, external_id }) => [name, external_id]),
  )
})

test('an upload is a job that makes a private theme with variations and their configurations', async () => {
  const shop = await openShop()
  const { status, headers, body } = await upload(shop, await themeBundle())
  const id = body.job_id
  expect({ status, body, location: headers.location }).toEqual({
    status: 201,
    body: { job_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    location: `/stores/${shop.store.hash}/v3/themes/jobs/${id}`,
  })
  const queued = { id, time: moment, status: 'QUEUED', percent_complete: 0, result: {}, warnings: [], errors: [] }
  expect((await shop.call('GET', `/themes/jobs/${id}`)).body).toEqual({ data: queued, meta: {} })
  expect((await shop.call('GET', '/themes')).body.data).toHaveLength(1)

  await doThemeJobs()
  const completed = await job(shop, id)
  expect(completed).toMatchObject({
    status: 'COMPLETED',
    percent_complete: 100,
    result: { theme_id: uuid },
    errors: [],
  })
  expect(completed.warnings[0]).toEqual({
    warning: 'The theme has no screenshot of 600x760 pixels.',
    message: 'The theme has no screenshot of 600x760 pixels.',
  })
  const { theme_id } = completed.result
  const made = stock({ uuid: theme_id, is_private: true, is_active: false, variations: variationsOf([uuid, uuid]) })
  expect(await theme(shop, theme_id)).toEqual(made)
  expect((await shop.call('GET', '/themes')).body.data).toEqual([stock(), made])

  const { variations } = await theme(shop, theme_id)
  const path = `/themes/${theme_id}/configurations`
  const { config } = await stockBundle()
  const list = await shop.call('GET', `${path}?variation_uuid=${variations[1].uuid}`)
  const original = {
    uuid,
    theme_uuid: theme_id,
    variation_id: variations[1].uuid,
    variation_uuid: variations[1].uuid,
    settings: { ...config.settings, 'color-text': '#f3efe6', 'color-ground': '#23272b' },
    date_created: moment,
    site_id: 0,
    channel_id: 0,
  }
  expect(list.body).toEqual({
    data: [original],
    meta: {
      pagination: { ...onlyPage(1), links: { current: `?variation_uuid=${variations[1].uuid}&page=1&limit=50` } },
    },
  })
  // The job runs once more after a crash: it has no more effect than once.
  await (await dbOf(shop)).transaction((tx) =>
    tx.rows(sql`update jobs set state = 'waiting' where store_id = ${shop.store.id} and task = 'upload_theme'`),
  )
  await doThemeJobs()
  expect((await shop.call('GET', '/themes')).body.data).toHaveLength(2)
})

test('an upload is refused while another one is under way, and at the limit of themes with the words that clients look for', async () => {
  const shop = await openShop()
  const first = await uploadBundle(shop)
  const busy = problem(409, 'Another theme of this store is being uploaded. Only one can be at a time.')
  expect((await upload(shop, Buffer.from('no zip'))).body).toEqual(busy)
  const before = await stored(shop)
  expect((await upload(shop, Buffer.from('no zip'), { 'idempotency-key': 'one' })).body).toEqual(busy)
  expect(await stored(shop)).toEqual(before)
  await doThemeJobs()
  const { theme_id } = (await job(shop, first)).result
  await (await dbOf(shop)).transaction((tx) =>
    tx.rows(sql`
      insert into themes (store_id, uuid, version_uuid, name, is_private, updated_at)
      select ${shop.store.id}, 'u' || n, 'v' || n, 'Filler', true, ${tx.now} from generate_series(1, 19) n returning uuid`),
  )
  const { status, body } = await upload(shop, await themeBundle())
  expect({ status, body }).toEqual({
    status: 409,
    body: problem(409, 'You have reached your upload limit: a store can have 20 private themes. Delete one.'),
  })
  expect((await shop.call('DELETE', `/themes/${theme_id}`)).status).toBe(204)
  expect((await upload(shop, await themeBundle())).status).toBe(201)
})

test('an upload that is sent again with its key has its answer, also while its job is under way', async () => {
  const shop = await openShop()
  const bytes = await themeBundle()
  const [one, two] = [
    await upload(shop, bytes, { 'idempotency-key': 'twice' }),
    await upload(shop, bytes, { 'idempotency-key': 'twice' }),
  ]
  expect([one.status, two.status, two.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
  expect(two.body).toEqual(one.body)
  expect((await upload(shop, Buffer.from('other'), { 'idempotency-key': 'twice' })).status).toBe(422)
})

test('a form without a theme is refused, and leaves nothing behind (C-063)', async () => {
  const shop = await openShop()
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
  const part = (name: string, filename = 'a.zip', content = 'PK') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${content}\r\n`
  const send = (payload: string, headers: Record<string, string> = multipart) =>
    shop.call('POST', '/themes', undefined, { payload, headers })
  const end = '--b--\r\n'
  expect((await shop.call('POST', '/themes', { file: 'x' })).status).toBe(415)
  const only = 'The form must have one part, the file file.'
  for (const [payload, file] of [
    [end, 'error.path.missing'],
    [part('other') + end, only],
    [part('file', '') + end, only],
    [`--b\r\ncontent-type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\na\r\n--i--\r\n${end}`, 'error.path.missing'],
    [part('file') + part('file') + end, only],
    [part('file') + part('other').repeat(1_000) + end, only],
    [`--b\r\ncontent-disposition: form-data; name="file"\r\n\r\ntext\r\n${end}`, only],
    [`--b\r\ncontent-disposition: form-data; name="${'n'.repeat(1024 * 1024)}"; filename="a"\r\n\r\n\r\n${end}`, only],
  ]) {
    const { status, body } = await send(payload ?? '')
    expect([400, 422], payload?.slice(0, 80)).toContain(status)
    if (status === 422) expect(body).toEqual(invalid({ file }))
  }
  expect((await send(part('file'))).status).toBe(400)
  const long = 'b'.repeat(71)
  expect((await send(end, { 'content-type': `multipart/form-data; boundary=${long}` })).status).toBe(400)
  const { status, body } = await upload(shop, Buffer.alloc(50 * 1024 * 1024 + 1))
  expect({ status, body }).toEqual({ status: 413, body: problem(413, 'The file file is too large.') })
  expect(await stored(shop)).toEqual([])
  expect(await rowsOf(shop, 'theme_jobs')).toEqual([])
})

test('a bundle with faults fails its job, and a store then has no theme of it', async () => {
  const shop = await openShop()
  const id = await uploadBundle(shop, await bundleOf({ 'config.json': '{"meta":{}}', 'schema.json': '[{}]' }))
  await doThemeJobs()
  const failed = await job(shop, id)
  const author = 'config.json has no meta.author_name, no meta.author_email, no meta.author_support_url. (TR-900)'
  expect(failed).toMatchObject({
    status: 'FAILED',
    result: {},
    errors: [
      { error: 'TR-900', error_code: 'TR-900', message: author },
      { error: 'TR-1003', error_code: 'TR-1003', message: 'The group 1 of schema.json has no name. (TR-1003)' },
    ],
  })
  expect((await shop.call('GET', '/themes')).body.data).toHaveLength(1)
  expect(await stored(shop)).toEqual([])
  expect((await upload(shop, Buffer.from('PK no zip'))).status).toBe(201)
})

test('the archive of a failed upload stays if a theme has the same', async () => {
  const shop = await openShop()
  await uploadTheme(shop)
  const kept = await stored(shop)
  const id = await uploadBundle(shop)
  // As a server fault on the last attempt ends it.
  const { files: own } = await theHouse()
  const db = await dbOf(shop)
  const [{ archive = '' } = {}] = await db.rows<{ archive: string }>(sql`
    select archive from theme_jobs where store_id = ${shop.store.id} and id = ${id}`)
  await own.discardOf(db, jobOwner(id), archive)
  expect(await stored(shop)).toEqual(kept)
  await doThemeJobs()
  expect((await job(shop, id)).status).toBe('COMPLETED')
})

test('a store has two uploads received at once by a process, and a third is refused before it is read', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { server } = await theHouse()
  const bytes = await themeBundle()
  const { payload, headers } = form('file', 'theme.zip', bytes)
  const [begun, rest] = [payload.subarray(0, 1_000), payload.subarray(1_000)]
  const slow = ({ store, admin }: Shop) => {
    const body = new PassThrough()
    body.write(begun)
    const answer = server.inject({
      method: 'POST',
      url: `/stores/${store.hash}/v3/themes`,
      headers: { ...headers, 'x-auth-token': admin.access_token, 'content-length': String(payload.length) },
      payload: body,
    })
    return { answer: Promise.resolve(answer), finish: () => body.end(rest) }
  }
  const parts = async () => (await stored(shop)).filter((name) => name.endsWith('.part'))
  const two = [slow(shop), slow(shop)]
  await expect.poll(parts).toHaveLength(2)
  const third = slow(shop)
  expect((await third.answer).statusCode).toBe(409)
  expect(await parts()).toHaveLength(2)
  const elsewhere = slow(other)
  for (const { finish } of [...two, elsewhere]) finish()
  expect((await elsewhere.answer).statusCode).toBe(201)
  const statuses = await Promise.all(two.map(async ({ answer }) => (await answer).statusCode))
  expect(statuses.toSorted()).toEqual([201, 409])
  expect(await parts()).toEqual([])
  // Both places are free again.
  await doThemeJobs()
  expect((await upload(shop, bytes)).status).toBe(201)
})

test('the time of a job counts from its turn: ten minutes of silence end it, and waiting does not', async () => {
  const { clock } = await theHouse()
  const [patient, shop] = [await openShop(), await openShop()]
  const waiting = await uploadBundle(patient)
  clock.move(20 * MINUTE_MS)
  expect(await job(patient, waiting)).toMatchObject({ status: 'QUEUED', errors: [] })
  await doThemeJobs()
  expect(await job(patient, waiting)).toMatchObject({ status: 'COMPLETED' })

  const id = await uploadBundle(shop)
  clock.move(20 * MINUTE_MS)
  // Its turn, in a process that dies.
  await startJob(await dbOf(shop), id)
  clock.move(9 * MINUTE_MS)
  expect(await job(shop, id)).toMatchObject({ status: 'WORKING', percent_complete: 1 })
  clock.move(MINUTE_MS + 1_000)
  const message = 'The job did not end within 10 minutes. (server_error)'
  expect(await job(shop, id)).toMatchObject({
    status: 'FAILED',
    errors: [{ error: 'server_error', error_code: 'server_error', message }],
  })
  await doThemeJobs()
  expect((await shop.call('GET', '/themes')).body.data).toHaveLength(1)
  const never = await uploadBundle(shop)
  clock.move(60 * MINUTE_MS + 1_000)
  expect(await job(shop, never)).toMatchObject({
    status: 'FAILED',
    errors: [{ message: 'The job did not begin within an hour. Try again later. (server_error)' }],
  })
})

test('a job is forgotten after a day', async () => {
  const { clock } = await theHouse()
  const shop = await openShop()
  const id = await uploadBundle(shop)
  clock.move(24 * 60 * MINUTE_MS + 1_000)
  const { status, body } = await shop.call('GET', `/themes/jobs/${id}`)
  expect({ status, body }).toEqual({ status: 404, body: problem(404, `The theme job ${id} does not exist.`) })
  expect((await shop.call('GET', '/themes/jobs/undefined')).status).toBe(404)
})

test('a config.json that is nested deeply fails its upload at the first try, as a fault of the theme', async () => {
  const shop = await openShop()
  const nested = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  const id = await uploadBundle(shop, await bundleOf({ 'config.json': nested }))
  await doThemeJobs()
  const message = 'config.json is nested more than 32 levels deep. (TR-800)'
  expect(await job(shop, id)).toMatchObject({ status: 'FAILED', errors: [{ error_code: 'TR-800', message }] })
})

test('a job whose archive is lost is tried three times, and then fails without a word of the inside', async () => {
  const shop = await openShop()
  const { clock, files: own } = await theHouse()
  const id = await uploadBundle(shop)
  const [row] = await rowsOf(shop, 'theme_jobs')
  await own.discard(shop.store, String(row?.archive))
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect((await job(shop, id)).status).not.toBe('FAILED')
    await doThemeJobs()
    clock.move(2_000)
  }
  expect(await job(shop, id)).toMatchObject({
    status: 'FAILED',
    errors: [{ error_code: 'server_error', message: 'The server could not do it. Try again later. (server_error)' }],
  })
})

describe('a theme', () => {
  let shop: Shop
  let made: { uuid: string; version: string; variation: string }
  let second: number
  const path = (rest = '') => `/themes/${made.uuid}${rest}`
  beforeAll(async () => {
    shop = await openShop()
    made = await uploadTheme(shop)
    const storefront = { name: 'Second', type: 'storefront', platform: 'custom' }
    second = (await shop.call('POST', '/channels', storefront)).body.data.id
  })

  test('is activated on a channel that body or query name, by itself or by its site', async () => {
    const variations = (await theme(shop, made.uuid)).variations
    const [light, dusk] = variations.map((variation: { uuid: string }) => variation.uuid)
    expect((await activate(shop, { variation_id: dusk })).status).toBe(204)
    const shown = await activeOf(shop)
    expect(shown).toEqual({
      active_theme_uuid: made.uuid,
      active_theme_version_uuid: made.version,
      active_theme_configuration_uuid: uuid,
      saved_theme_configuration_uuid: shown.active_theme_configuration_uuid,
    })
    expect(
      (await shop.call('GET', '/themes')).body.data.map(({ is_active }: { is_active: boolean }) => is_active),
    ).toEqual([true, false])
    const query = `?variation_id=${light}&channel_id=${second}&which=original`
    expect((await shop.call('POST', `/themes/actions/activate${query}`)).status).toBe(204)
    expect((await activeOf(shop, second)).active_theme_configuration_uuid).not.toBe(
      shown.active_theme_configuration_uuid,
    )
    expect((await activate(shop, { variation_id: light, site_id: 1_000 })).status).toBe(204)
    expect((await activate(shop, { variation_id: light, site_id: 1_000, channel_id: 1 })).status).toBe(204)
    const events = (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('/theme/'))
    expect(events.map(({ scope, data }) => [scope, JSON.parse(String(data)).theme_id])).toEqual(
      [1, second, 1, 1].map((id) => [`store/channel/${id}/theme/configuration/activated`, made.uuid]),
    )
  })

  test.each([
    [{}, invalid({ variation_id: 'error.path.missing' })],
    [{ variation_id: nowhere }, problem(404, `The theme variation ${nowhere} does not exist.`)],
    [
      { variation_id: STOCK.variations[0].uuid, channel_id: 5 },
      invalid({ channel_id: 'This channel is not a storefront that shows themes.' }),
    ],
    [{ variation_id: STOCK.variations[0].uuid, site_id: 5 }, invalid({ site_id: 'The store has no such site.' })],
    [
      { variation_id: STOCK.variations[0].uuid, site_id: 1_000, channel_id: 2 },
      invalid({ site_id: 'It is the site of the channel 1.' }),
    ],
    [
      { variation_id: STOCK.variations[0].uuid, configuration_id: STOCK.variations[1].configuration },
      invalid({ configuration_id: 'The variation has no such configuration.' }),
    ],
  ])('is not activated by %j', async (wish, body) => {
    const before = await activeOf(shop)
    const answered = await activate(shop, wish)
    expect(answered.body).toEqual(body)
    expect(await activeOf(shop)).toEqual(before)
  })

  test('is not activated on a channel without a storefront, nor by a query that contradicts the body', async () => {
    const pos = (await shop.call('POST', '/channels', { name: 'Till', type: 'pos', platform: 'custom' })).body.data.id
    const wish = { variation_id: made.variation, channel_id: pos }
    expect((await activate(shop, wish)).status).toBe(422)
    const { body } = await shop.call('POST', '/themes/actions/activate?channel_id=1', wish)
    expect(body).toEqual(invalid({ channel_id: 'The query has another value.' }))
    expect((await activate(shop, { variation_id: made.variation, which: 'newest' })).status).toBe(422)
    const misspelt = '/themes/actions/activate?chanel_id=1'
    expect((await shop.call('POST', misspelt, { variation_id: made.variation })).status).toBe(422)
  })

  test('has configurations, which schema.json validates, and a channel saves and chooses by their age', async () => {
    const settings = { headline: 'Hello', 'show-search': false, 'thumb-size': '10x20', 'color-text': '', extra: [1] }
    const tried = { variation_id: made.variation, settings }
    expect((await shop.call('POST', path('/configurations/validate'), tried)).body).toEqual({ data: {}, meta: {} })
    const wrong = {
      headline: 'x'.repeat(65),
      'show-search': 'yes',
      'products-per-row': '5',
      'color-text': 'red',
      'thumb-size': 'large',
      'body-font': 1,
    }
    const faults = {
      'settings.headline': 'It must have at most 64 characters.',
      'settings.show-search': 'It must be true or false.',
      'settings.products-per-row': 'It must be one of the options.',
      'settings.color-text': 'It must be a colour such as #f0a or #ff00aa, or empty.',
      'settings.thumb-size': 'It must be one of the options, or a size such as 600x400.',
      'settings.body-font': 'It must be one of the options.',
    }
    for (const end of ['/configurations/validate', '/configurations']) {
      const { body } = await shop.call('POST', path(end), { variation_id: made.variation, settings: wrong })
      expect(body).toEqual(invalid(faults))
      const other = await shop.call('POST', path(end), { variation_id: STOCK.variations[0].uuid, settings })
      expect(other.body).toEqual(invalid({ variation_id: 'The theme has no such variation.' }))
    }

    await activate(shop, { variation_id: made.variation, channel_id: second })
    const active = await activeOf(shop, second)
    const saved = await shop.call('POST', path('/configurations'), { ...tried, channel_id: second })
    expect({ status: saved.status, body: saved.body }).toEqual({
      status: 201,
      body: {
        data: {
          uuid,
          theme_uuid: made.uuid,
          variation_id: made.variation,
          variation_uuid: made.variation,
          settings,
          date_created: moment,
          site_id: 0,
          channel_id: second,
        },
        meta: {},
      },
    })
    const id = saved.body.data.uuid
    expect(await activeOf(shop, second)).toEqual({ ...active, saved_theme_configuration_uuid: id })
    const list = async (query: string) =>
      (await shop.call('GET', path(`/configurations?${query}`))).body.data.map((row: { uuid: string }) => row.uuid)
    expect(await list(`channel_id:in=${second}`)).toEqual([active.active_theme_configuration_uuid, id])
    expect(await list(`uuid:in=${id},${nowhere}`)).toEqual([id])
    expect(await list('uuid:in=undefined')).toEqual([])
    expect(await list(`variation_uuid=${made.variation}&limit=1&page=2&site_id=4`)).toEqual([id])
    for (const [query, status] of [
      ['', 422],
      ['?colour=red', 422],
      [`?uuid:in=${id}&limit=251`, 413],
    ] as const) {
      expect((await shop.call('GET', path(`/configurations${query}`))).status, query).toBe(status)
    }
    expect((await shop.call('GET', `/themes/${nowhere}/configurations?uuid:in=${id}`)).status).toBe(404)
    expect((await shop.call('POST', path('/configurations'), { ...tried, channel_id: 5 })).status).toBe(422)

    for (const [which, chosen] of [
      ['last_created', id],
      ['original', active.active_theme_configuration_uuid],
      ['last_activated', active.active_theme_configuration_uuid],
    ]) {
      await activate(shop, { variation_id: made.variation, channel_id: second, which })
      expect((await activeOf(shop, second)).active_theme_configuration_uuid, which).toBe(chosen)
    }
    await activate(shop, { variation_id: made.variation, channel_id: second, configuration_id: id, which: 'original' })
    expect((await activeOf(shop, second)).saved_theme_configuration_uuid).toBe(id)
  })

  test('can have 100 configurations, and refuses unstorable ones', async () => {
    const full = await uploadTheme(shop)
    await (await dbOf(shop)).transaction((tx) =>
      tx.rows(sql`
        insert into theme_configurations (store_id, uuid, theme_uuid, variation_uuid, number, is_original, settings, channel_id,
          site_id, date_created)
        select ${shop.store.id}, 'c' || n, ${full.uuid}, ${full.variation}, n, false, '{}', 0, 0, ${tx.now}
        from generate_series(3, 99) n returning uuid`),
    )
    const create = (settings: object) =>
      shop.call('POST', `/themes/${full.uuid}/configurations`, { variation_id: full.variation, settings })
    expect((await create({ 'a\0': 1 })).status).toBe(422)
    expect((await create({ text: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    expect((await create({})).status).toBe(201)
    const { status, body } = await create({})
    expect({ status, body }).toEqual({
      status: 403,
      body: problem(403, 'A theme can have at most 100 configurations.'),
    })
    await shop.call('DELETE', `/themes/${full.uuid}`)
  })

  test('is downloaded as it was uploaded, or with the settings of a configuration, by a link that works for a minute', async () => {
    const { clock } = await theHouse()
    const whole = await download(shop, made.uuid, { which: 'original' })
    expect(whole).toMatchObject({ status: 'COMPLETED', percent_complete: 100, warnings: [], errors: [] })
    const { download_url } = whole.result
    expect(download_url).toMatch(
      /^http:\/\/shop\.test\/downloads\/\w+\/[0-9a-f]{32}\.zip\?expires=\d+&signature=[\w-]{43}$/,
    )
    const answered = await get(download_url)
    expect([answered.statusCode, answered.headers['content-type']]).toEqual([200, 'application/zip'])
    expect(answered.rawPayload).toEqual(await themeBundle())
    expect((await get(download_url, { range: 'bytes=0-1' })).rawPayload.toString()).toBe('PK')

    const changed = await download(shop, made.uuid, { which: 'last_created' })
    const zip = (await get(changed.result.download_url)).rawPayload
    const config = await configOf(zip)
    expect(config.settings).toMatchObject({ headline: 'Hello', extra: [1] })
    expect(config.variations[1].settings).toEqual({ 'color-text': '#f3efe6', 'color-ground': '#23272b' })
    expect([...(await files(zip)).keys()].sort()).toEqual([...(await files(await themeBundle())).keys()].sort())
    // Any other body, and no body, choose the last activated one: the one above.
    for (const body of [undefined, { which: 'newest' }]) {
      const last = await download(shop, made.uuid, body)
      expect(await configOf((await get(last.result.download_url)).rawPayload)).toEqual(config)
    }

    for (const url of [
      download_url.replace('expires=', 'expires=9'),
      download_url.replace(/.$/, '!'),
      download_url.replace(/\?.*/, ''),
    ]) {
      expect((await get(url)).statusCode, url).toBe(403)
    }
    clock.move(MINUTE_MS + 1_000)
    const late = await get(download_url)
    expect([late.statusCode, late.json().title]).toEqual([
      403,
      'This link is invalid or has expired. Get the job again for a new link.',
    ])
    expect((await get((await job(shop, whole.id)).result.download_url)).statusCode).toBe(200)
  })

  test('of every store can be downloaded and uploaded again', async () => {
    const { result } = await download(shop, STOCK.uuid)
    const again = await uploadTheme(shop, (await get(result.download_url)).rawPayload)
    await shop.call('DELETE', `/themes/${again.uuid}`)
  })

  test('is not deleted while a channel shows it or a job works on it, and then with all that hangs on it', async () => {
    const gone = await uploadTheme(shop)
    await activate(shop, { variation_id: gone.variation, channel_id: second })
    const { status, body } = await shop.call('DELETE', `/themes/${gone.uuid}`)
    expect({ status, body }).toEqual({
      status: 409,
      body: problem(409, `The channel ${second} shows this theme. Activate another one there first.`),
    })
    await activate(shop, { variation_id: made.variation, channel_id: second })
    await shop.call('POST', `/themes/${gone.uuid}/actions/download`)
    const held = await shop.call('DELETE', `/themes/${gone.uuid}`)
    expect({ status: held.status, body: held.body }).toEqual({
      status: 423,
      body: problem(423, 'A job is working on this theme. Try again after it has ended.'),
    })
    await doThemeJobs()
    expect((await shop.call('DELETE', `/themes/${gone.uuid}`)).status).toBe(204)
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/actions/download'],
      ['GET', `/configurations?variation_uuid=${gone.variation}`],
    ] as const) {
      expect((await shop.call(method, `/themes/${gone.uuid}${rest}`)).status, `${method} ${rest}`).toBe(404)
    }
    for (const table of ['theme_variations', 'theme_configurations']) {
      expect((await rowsOf(shop, table)).filter(({ theme_uuid }) => theme_uuid === gone.uuid)).toEqual([])
    }
    expect((await shop.call('GET', `/themes/custom-templates/${gone.version}`)).status).toBe(404)
  })
})

test('a wish for a download has one job, and a store has four under way', async () => {
  const { clock } = await theHouse()
  const shop = await openShop()
  const made = await uploadTheme(shop)
  const path = `/themes/${made.uuid}/configurations`
  const configurations: string[] = []
  for (let i = 0; i < 4; i++) {
    const saved = await shop.call('POST', path, { variation_id: made.variation, settings: { headline: `${i}` } })
    configurations.push(saved.body.data.uuid)
  }
  const wish = (which: string) => shop.call('POST', `/themes/${made.uuid}/actions/download`, { which })
  const activated = async (i: number) => {
    clock.move(1_000)
    await activate(shop, { variation_id: made.variation, configuration_id: configurations[i] })
    return wish('last_activated')
  }
  const first = (await wish('original')).body.job_id
  // Sixty wishes at once are one.
  const again = await Promise.all(Array.from({ length: 60 }, () => wish('original')))
  expect(new Set(again.map(({ body }) => body.job_id))).toEqual(new Set([first]))
  const ids = [first]
  for (let i = 0; i < 3; i++) ids.push((await activated(i)).body.job_id)
  expect(new Set(ids).size).toBe(4)
  const refused = await activated(3)
  expect({ status: refused.status, body: refused.body }).toEqual({
    status: 409,
    body: problem(409, 'The store has 4 theme downloads in progress. Try again after one has ended.'),
  })
  expect((await wish('original')).body.job_id).toBe(first)
  const stocked = await shop.call('POST', `/themes/${STOCK.uuid}/actions/download`)
  expect(stocked.status).toBe(409)
  await doThemeJobs()
  expect((await job(shop, ids[3])).status).toBe('COMPLETED')
  // A finished one answers the same wish for an hour.
  expect((await wish('original')).body.job_id).toBe(first)
  const last = (await activated(3)).body.job_id
  expect(ids).not.toContain(last)
  await doThemeJobs()
  clock.move(60 * MINUTE_MS + 1_000)
  expect((await wish('original')).body.job_id).not.toBe(first)
})

test('four of many downloads that are asked for at once begin', async () => {
  const shop = await openShop()
  const made = await uploadTheme(shop)
  const other = await uploadTheme(shop, await bundleOf({ 'assets/a.txt': 'a' }))
  const settings = { headline: 'Hello' }
  const wishes = [made, other, { uuid: STOCK.uuid, variation: STOCK.variations[0].uuid }]
  for (const { uuid, variation } of wishes) {
    const saved = await shop.call('POST', `/themes/${uuid}/configurations`, { variation_id: variation, settings })
    expect(saved.status).toBe(201)
  }
  const answers = await Promise.all(
    wishes.flatMap(({ uuid }) =>
      ['original', 'last_created'].map((which) => shop.call('POST', `/themes/${uuid}/actions/download`, { which })),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409])
})

test('the archives of themes that are gone go an hour later, and not those that another theme has', async () => {
  const { clock, files: own } = await theHouse()
  const shop = await openShop()
  const [one, two] = [await uploadTheme(shop), await uploadTheme(shop)]
  // The same bytes are stored once.
  expect(await stored(shop)).toHaveLength(1)
  const clear = async () => {
    const { JobWorker } = await import('../../core/jobs/worker.ts')
    const { installation } = await theHouse()
    const { themeJobExpiryRunner } = await import('./jobs.ts')
    for (const runner of [themeJobExpiryRunner(own), own.clearRunner()]) {
      const worker = new JobWorker({ stores: installation.directory, runners: [runner], log: { error: () => {} } })
      while ((await worker.beginDue()) > 0) await worker.idle()
    }
  }
  await shop.call('DELETE', `/themes/${one.uuid}`)
  clock.move(25 * 60 * MINUTE_MS)
  await clear()
  clock.move(60 * MINUTE_MS)
  await clear()
  expect(await rowsOf(shop, 'theme_jobs')).toEqual([])
  expect(await stored(shop)).toHaveLength(1)
  await shop.call('DELETE', `/themes/${two.uuid}`)
  clock.move(60 * MINUTE_MS)
  await clear()
  expect(await stored(shop)).toEqual([])
})
