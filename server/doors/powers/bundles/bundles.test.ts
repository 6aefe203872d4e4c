import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { tarEnd, tarHeader, tarPadding } from '../../../core/files/tar.ts'
import { Maker, type Operation, theOperations } from '../../../test/document/operations.ts'
import { enableCompanion } from '../../../test/fixtures/companion.ts'
import { bundleParts, contentOf, exportTo, made, png, withThemeJobs } from '../../../test/fixtures/content/bundles.ts'
import { doMoney, refundedOrder } from '../../../test/fixtures/orders.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { asAdministrator, holdTable } from '../../../test/harness/administrator.ts'
import { DamagedBundle, openBundle, TarTarget } from './bundle.ts'
import { importBundle } from './imports/import.ts'
import { ImportFault } from './imports/work.ts'
import { kinds } from './kinds/kinds.ts'
import { localApi, type StoreApi } from './store-api.ts'
import { ImportRefusal, importInto, moneyRecorder } from './store-bundles.ts'
import { storedIds } from './stored-ids.ts'

const { server, installation } = await theHouse()
const { directory } = installation
const parts = await bundleParts()

let key: string
let folder: string
beforeAll(async () => {
  key = (await installation.operatorKeys.create('bundles')).key
  folder = await mkdtemp(join(tmpdir(), 'storeward-bundles-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
const exportedFolder = (shop: Pick<Shop, 'store'>) => exportTo(folder, shop)
const exported = async (shop: Pick<Shop, 'store'>) => openBundle(await exportedFolder(shop))

/**
 * Imports a bundle in runs that end, each one request later than the one before, or before its ids are stored.
 * @returns the number of runs
 */
async function importInPieces(bundle: Awaited<ReturnType<typeof exported>>, other: Shop): Promise<number> {
  const db = await dbOf(other)
  const stored = storedIds(db)
  const record = moneyRecorder(db)
  let runs = 0
  for (let isDone = false; !isDone; runs++) {
    expect(runs).toBeLessThan(200)
    const api = localApi(parts, { db })
    let left = 3 + runs
    const ending: StoreApi = {
      ...api,
      async send(request) {
        if (request.method !== 'GET' && left-- === 0) throw new Error('killed')
        return api.send(request)
      },
    }
    const ids = {
      ...stored,
      store: async (more: Parameters<typeof stored.store>[0]) => {
        if (runs % 3 === 1 && left === 2) throw new Error('killed')
        await stored.store(more)
      },
    }
    // It ends before the money of an order is recorded, or right after.
    const recordMoney: typeof record = async (order, money) => {
      if (left-- === 0) throw new Error('killed')
      const recorded = await record(order, money)
      if (left-- === 0) throw new Error('killed')
      return recorded
    }
    try {
      const report = await importBundle(bundle, { api: ending, ids, recordMoney })
      expect(report.refused).toEqual([])
      isDone = true
    } catch (error) {
      expect(String(error)).toContain('killed')
    } finally {
      api.end()
    }
  }
  return runs
}

async function operator(path: string, authorization = `Bearer ${key}`) {
  const answer = await server.inject({ method: 'GET', url: `/operator/v1/stores/${path}`, headers: { authorization } })
  return { status: answer.statusCode, answer }
}

/** A shop whose rows refer to each other in all ways, with pictures. */
async function knotted(): Promise<Shop> {
  const shop = await openShop({ isTest: true })
  const brand = await made(shop, 'POST /catalog/brands', { name: 'Umbra' })
  const upload = (path: string, bytes: Uint8Array) =>
    shop.call('POST', path, undefined, form('image_file', 'a.png', bytes))
  expect((await upload(`/catalog/brands/${brand.id}/image`, png(1))).status).toBe(200)
  const [top] = await made(shop, 'POST /catalog/trees/categories', [{ tree_id: 1, parent_id: 0, name: 'Top' }])
  const [below] = await made(shop, 'POST /catalog/trees/categories', [{ tree_id: 1, parent_id: 0, name: 'Below' }])
  const [last] = await made(shop, 'POST /catalog/trees/categories', [{ tree_id: 1, parent_id: 0, name: 'Last' }])
  // The parent has the higher id.
  await made(shop, 'PUT /catalog/trees/categories', [{ category_id: below.category_id, parent_id: last.category_id }])
  const product = (name: string, more: object = {}) =>
    made(shop, 'POST /catalog/products?include=variants', { name, type: 'physical', weight: 1, price: 10, ...more })
  const first = await product('First', { brand_id: brand.id, categories: [top.category_id, below.category_id] })
  const second = await product('Second', {
    inventory_tracking: 'variant',
    variants: ['S', 'M'].map((label) => ({
      sku: `SECOND-${label}`,
      inventory_level: 7,
      option_values: [{ option_display_name: 'Size', label }],
    })),
  })
  await made(shop, `PUT /catalog/products/${first.id}`, { related_products: [second.id] })
  const pictured = await upload(`/catalog/products/${first.id}/images`, png(2))
  expect(pictured.status).toBe(200)
  await made(shop, `PUT /catalog/products/${first.id}/images/${pictured.body.data.id}`, {
    description: 'The front',
    is_thumbnail: true,
  })
  const ofVariant = `/catalog/products/${second.id}/variants/${second.variants[0].id}/image`
  expect((await upload(ofVariant, png(1))).status).toBe(200)
  // Another type, and an option that the variants before it do not name.
  await made(shop, `POST /catalog/products/${second.id}/options`, {
    display_name: 'Colour',
    type: 'swatch',
    option_values: [
      { label: 'Red', sort_order: 1, value_data: { colors: ['#ff0000'] } },
      { label: 'Blue', sort_order: 0, value_data: { colors: ['#0000ff'] } },
    ],
  })
  await made(shop, `POST /catalog/products/${second.id}/variants`, {
    sku: 'SECOND-L-RED',
    price: 12,
    option_values: [
      { option_display_name: 'Size', label: 'S' },
      { option_display_name: 'Colour', label: 'Red' },
    ],
  })
  const modifier = await made(shop, `POST /catalog/products/${first.id}/modifiers`, {
    display_name: 'Wrapping',
    type: 'dropdown',
    required: false,
    option_values: [
      { label: 'Paper', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: 2 } } },
    ],
  })
  await made(shop, `POST /catalog/products/${first.id}/complex-rules`, {
    enabled: true,
    price_adjuster: { adjuster: 'relative', adjuster_value: 5 },
    conditions: [{ modifier_id: modifier.id, modifier_value_id: modifier.option_values[0].id }],
  })
  const list = await made(shop, 'POST /pricelists', { name: 'Trade' })
  await made(shop, `PUT /pricelists/${list.id}/records`, [
    { variant_id: second.variants[1].id, currency: 'usd', price: 8 },
  ])
  const [customer] = await made(shop, 'POST /customers', [
    { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee', store_credit_amounts: [{ amount: 3 }] },
  ])
  await made(shop, 'POST /wishlists', {
    customer_id: customer.id,
    name: 'Later',
    items: [{ product_id: second.id, variant_id: second.variants[0].id }],
  })
  await refundedOrder(shop)
  await doMoney(shop)
  return shop
}

describe('export and import', () => {
  test('a store with all examples comes back from its bundle, except for ids and times', async () => {
    const operations: Operation[] = await theOperations()
    const shop = await openShop({ isTest: true })
    const maker = new Maker(shop, operations)
    for (const operation of operations) {
      if (operation.example === undefined || /\/payment_actions\/(capture|void)$/.test(operation.template)) continue
      await maker.prepare(operation).catch((error) => {
        // A busy machine renders no template in time.
        if (!String(error).includes('answered with 503')) throw error
      })
    }
    const bundle = await exported(shop)
    const other = await openShop({ isTest: true })
    await enableCompanion(other)
    const report = await withThemeJobs(importInto(parts, await dbOf(other), bundle))
    expect(report).toMatchObject({ refused: [], refusals: 0, dropped: {} })
    const content = await contentOf(bundle)
    expect(Object.values(content).filter((rows) => rows.length > 0).length).toBeGreaterThan(22)
    // The example of a route shows a theme that does not exist.
    const active = content['active-themes']?.filter((row) => Object(row).active_theme_uuid !== undefined)
    expect(await contentOf(await exported(other))).toEqual({ ...content, 'active-themes': active })
  })

  test('references, pictures and the order of options survive, and the id map names every row', async () => {
    const shop = await knotted()
    const bundle = await exported(shop)
    const other = await openShop({ isTest: true })
    await made(other, 'POST /catalog/products', { name: 'To shift ids', type: 'physical', weight: 1, price: 1 })
    const report = await importInto(parts, await dbOf(other), bundle, { overData: true })
    expect(report).toMatchObject({ refused: [], dropped: {}, rows: { products: 2, categories: 3, customers: 1 } })
    const { body } = await other.call('GET', '/catalog/products?name=First&include=images')
    const [first] = body.data
    const [image] = first.images
    expect(image).toMatchObject({ description: 'The front', is_thumbnail: true })
    const path = new URL(image.url_standard).pathname
    expect((await server.inject({ method: 'GET', url: path })).rawPayload.equals(png(2))).toBe(true)
    const second = (await other.call('GET', '/catalog/products?name=Second')).body.data[0]
    expect(first.related_products).toEqual([second.id])
    await other.call('DELETE', '/catalog/products?name=To shift ids')
    expect(await contentOf(await exported(other))).toEqual(await contentOf(bundle))

    const ids = await operator(`${other.store.hash}/import-ids?kind=products`)
    expect(ids.answer.json()).toEqual({
      data: [
        { kind: 'products', old_id: '1', new_id: String(first.id) },
        { kind: 'products', old_id: '2', new_id: String(second.id) },
      ],
      meta: {},
    })
    const one = await operator(`${other.store.hash}/import-ids?kind=products&old_id=2&new_id=${second.id}`)
    expect(one.answer.json().data).toEqual([{ kind: 'products', old_id: '2', new_id: String(second.id) }])
    const page = (await operator(`${other.store.hash}/import-ids?limit=1`)).answer.json()
    const next = (await operator(`${other.store.hash}/import-ids?limit=1&after=${page.meta.after}`)).answer.json()
    expect(next.data).not.toEqual(page.data)
    expect((await operator(`${other.store.hash}/import-ids?limit=1001`)).status).toBe(413)
  })

  test('an import that ends anywhere continues, and nothing is there twice', async () => {
    const bundle = await exported(await knotted())
    const expected = await contentOf(bundle)
    const other = await openShop({ isTest: true })
    expect(await importInPieces(bundle, other)).toBeGreaterThan(5)
    expect(await contentOf(await exported(other))).toEqual(expected)
  })

  test('so does one that completes ten products while it creates the next ten', async () => {
    const shop = await openShop({ isTest: true })
    for (let n = 0; n < 25; n++) {
      const variants = ['S', 'M'].map((label) => ({
        sku: `CUP-${n}-${label}`,
        price: 5 + n,
        option_values: [{ option_display_name: 'Size', label }],
      }))
      await made(shop, 'POST /catalog/products', { name: `Cup ${n}`, type: 'physical', weight: 1, price: 4, variants })
    }
    const bundle = await exported(shop)
    const expected = await contentOf(bundle)
    const other = await openShop({ isTest: true })
    expect(await importInPieces(bundle, other)).toBeGreaterThan(5)
    expect(await contentOf(await exported(other))).toEqual(expected)
  })

  test('--only selects areas, and drops references to the others', async () => {
    const bundle = await exported(await knotted())
    const other = await openShop({ isTest: true })
    const report = await importInto(parts, await dbOf(other), bundle, { areas: ['store', 'customers'] })
    expect(report.rows).toMatchObject({ customers: 1 })
    expect(report.rows.products).toBeUndefined()
    expect(report.dropped).toMatchObject({ 'wishlists.items[].product_id': 1 })
  })

  test('customers keep their values of form fields, except for those that a field does not take any more', async () => {
    const shop = await openShop({ isTest: true })
    const fields = (options: string[]) => ({
      customer: [{ name: 'Colour', type: 'picklist', required: false, options }],
    })
    await made(shop, 'PUT /settings/form-fields', fields(['Red', 'Blue']))
    const people = ['Red', 'Blue'].map((value) => ({
      email: `${value}@example.com`,
      first_name: value,
      last_name: 'Lee',
      form_fields: [{ name: 'Colour', value }],
    }))
    await made(shop, 'POST /customers', people)
    await made(shop, 'PUT /settings/form-fields', fields(['Red']))
    const other = await openShop({ isTest: true })
    const report = await importInto(parts, await dbOf(other), await exported(shop))
    expect(report).toMatchObject({ rows: { customers: 2 }, refused: [] })
    expect(Object.keys(report.dropped)).toEqual([expect.stringMatching(/^customers: .*form_fields/)])
    const { data } = (await other.call('GET', '/customers?include=formfields&sort=date_created:asc')).body
    expect(
      data.map((customer: { first_name: string; form_fields: unknown }) => [customer.first_name, customer.form_fields]),
    ).toEqual([
      ['Red', [expect.objectContaining({ name: 'Colour', value: 'Red' })]],
      ['Blue', []],
    ])
  })

  test('the stock of a product with variants is that of the product', async () => {
    const shop = await openShop({ isTest: true })
    const variants = ['S', 'L'].map((label) => ({
      sku: `MUG-${label}`,
      option_values: [{ option_display_name: 'Size', label }],
    }))
    const mug = {
      name: 'Mug',
      type: 'physical',
      weight: 1,
      price: 9,
      inventory_tracking: 'product',
      inventory_level: 7,
    }
    await made(shop, 'POST /catalog/products', { ...mug, variants })
    const other = await openShop({ isTest: true })
    const report = await importInto(parts, await dbOf(other), await exported(shop))
    expect(report.refused).toEqual([])
    const [product] = (await other.call('GET', '/catalog/products')).body.data
    expect(product).toMatchObject({ inventory_tracking: 'product', inventory_level: 7 })
  })

  test('a store with other data is refused, and so are rows of another bundle', async () => {
    const bundle = await exported(await knotted())
    const full = await knotted()
    await expect(importInto(parts, await dbOf(full), bundle)).rejects.toThrow(ImportRefusal)
    expect((await full.call('GET', '/catalog/products')).body.meta.pagination.total).toBe(2)
    const other = await openShop({ isTest: true })
    await importInto(parts, await dbOf(other), bundle)
    const another = await exported(full)
    await expect(importInto(parts, await dbOf(other), another, { overData: true })).rejects.toThrow(
      `The store ${other.store.hash} has rows of another bundle. Import this one into a new store.`,
    )
  })

  test('rows that the store refuses are reported, and a store that fails ends the import', async () => {
    const path = await exportedFolder(await knotted())
    const file = join(path, 'catalog/brands/000001.jsonl')
    await writeFile(
      file,
      `${JSON.stringify({ id: 8, name: 'x'.repeat(256) })}\n${JSON.stringify({ id: 9, name: 'Fine' })}\n`,
    )
    const other = await openShop({ isTest: true })
    const db = await dbOf(other)
    const report = await importInto(parts, db, await openBundle(path))
    expect(report.refusals).toBe(1)
    expect(report.refused).toEqual([{ kind: 'brands', id: '8', status: 422, reason: expect.stringContaining('name') }])
    expect(report.dropped).toEqual({ 'products.brand_id': 1 })
    const failing: StoreApi = {
      isStill: false,
      send: async () => ({ status: 500, body: {} }),
      picture: async () => undefined,
      themeArchive: async () => 'lost',
      end() {},
    }
    await expect(
      importBundle(await openBundle(path), { api: failing, ids: storedIds(db), recordMoney: moneyRecorder(db) }),
    ).rejects.toThrow(ImportFault)
  })
})

describe('the bundle', () => {
  test('has kinds with names of their own', () => {
    expect(kinds.map(({ name }) => name)).toEqual([...new Set(kinds.map(({ name }) => name))])
  })

  test('the operator gets it as a tar archive, without a copy that stays', async () => {
    const shop = await knotted()
    const { status, answer } = await operator(`${shop.store.hash}/bundle?only=catalog`)
    expect([status, answer.headers['content-type']]).toEqual([200, 'application/x-tar'])
    const path = join(folder, 'one.tar')
    await writeFile(path, answer.rawPayload)
    const bundle = await openBundle(path)
    expect(bundle.manifest).toMatchObject({ format: 1, source: shop.store.hash, areas: ['catalog'] })
    const content = await contentOf(bundle)
    expect([content.products?.length, content.customers?.length]).toEqual([2, 0])
    await bundle.close()
    for (const secret of [shop.admin.access_token, shop.admin.client_secret])
      expect(answer.rawPayload.includes(Buffer.from(secret))).toBe(false)
    const copies = sql`select store_id from directory.forks where source_id = ${shop.store.id}`
    expect(await directory.database.system(copies)).toEqual([])
    expect((await operator(`${shop.store.hash}/bundle?only=nothing`)).status).toBe(422)
    expect((await operator('nosuch1/bundle')).status).toBe(404)
    expect((await operator(`${shop.store.hash}/bundle`, 'Bearer no')).status).toBe(401)
    expect((await operator('nosuch1/import-ids')).status).toBe(404)
  })

  test('a fifth export at the same time is refused, and a slot is free again after one', async () => {
    const shop = await knotted()
    // The copies wait for this table.
    const release = await holdTable(shop, 'brands')
    const exports = Array.from({ length: 5 }, () => operator(`${shop.store.hash}/bundle?only=store`))
    const first = await Promise.race(exports).finally(release)
    expect([first.status, first.answer.headers['x-retry-after']]).toEqual([429, '10'])
    expect(first.answer.json().title).toBe(
      'The server writes 4 bundles now, the most at the same time. Try again when one of them is complete.',
    )
    expect((await Promise.all(exports)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429])
    expect((await operator(`${shop.store.hash}/bundle?only=store`)).status).toBe(200)
  })

  test('an export that fails before its first byte is answered with a status, and its slot is free', async () => {
    const shop = await knotted()
    const onlyOriginal = `alter table brands add constraint only_original check (store_id = ${shop.store.id}) not valid`
    await asAdministrator({ cell: shop.store.cell }, (client) => client.query(onlyOriginal))
    try {
      for (let n = 0; n < 5; n++) expect((await operator(`${shop.store.hash}/bundle`)).status).toBe(500)
    } finally {
      await asAdministrator({ cell: shop.store.cell }, (client) =>
        client.query('alter table brands drop constraint only_original'),
      )
    }
    expect((await operator(`${shop.store.hash}/bundle?only=store`)).status).toBe(200)
  })

  test('a reader that stops ends the export', async () => {
    const stopped = new Writable({ highWaterMark: 1, write() {} })
    await expect(new TarTarget(stopped, { patienceMs: 1 }).write('manifest.json', Buffer.from('{}'))).rejects.toThrow(
      'The bundle could not be written as a whole: its reader has stopped.',
    )
  })

  const entry = (name: string, bytes: Uint8Array) => [
    tarHeader(name, bytes.byteLength),
    bytes,
    tarPadding(bytes.byteLength),
  ]
  const manifest = Buffer.from(
    JSON.stringify({ format: 1, id: 'a', source: 's', exported_at: '', areas: [], omitted: [] }),
  )
  const archive = (...entries: Uint8Array[][]) => Buffer.concat([...entries.flat(), tarEnd()])
  const end = Buffer.from('{}')
  const whole = [entry('manifest.json', manifest), entry('end.json', end)]
  const link = tarHeader('files/a', 0)
  link.write('2', 156)

  test.each<[string, Buffer, RegExp]>([
    ['an upper folder', archive(...whole, entry('../x.json', end)), /has a file that no bundle has: "\.\.\/x\.json"/],
    ['an absolute path', archive(...whole, entry('/etc/x', end)), /has a file that no bundle has/],
    ['a damaged header', Buffer.concat([Buffer.alloc(512, 1), tarEnd()]), /not a tar archive, or damaged/],
    ['a link', archive(...whole, [link]), /not a tar archive, or damaged|no file/],
    ['no end', archive(entry('manifest.json', manifest)), /not complete: it has no end\.json/],
    ['another format', archive(entry('manifest.json', Buffer.from('{"format":2}')), entry('end.json', end)), /format/],
    ['no JSON', archive(entry('manifest.json', Buffer.from('{')), entry('end.json', end)), /format/],
    [
      'cut off in the middle',
      archive(...whole, entry('catalog/brands/000001.jsonl', Buffer.alloc(5_000, 97))).subarray(0, 3_000),
      /cut off/,
    ],
    ['cut off before its end', archive(...whole).subarray(0, 2_048), /cut off/],
    ['nothing', Buffer.alloc(0), /cut off/],
    ['zeros', Buffer.alloc(100_000), /not complete: it has no manifest\.json/],
  ])('with %s is refused', async (name, bytes, sentence) => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.tar`)
    await writeFile(path, bytes)
    await expect(openBundle(path)).rejects.toThrow(sentence)
    await expect(openBundle(path)).rejects.toThrow(DamagedBundle)
  })

  test('a file of rows with more than 32 MiB is refused before it is read', async () => {
    const path = await mkdtemp(join(folder, 'large-'))
    await mkdir(join(path, 'catalog/brands'), { recursive: true })
    await writeFile(join(path, 'manifest.json'), manifest)
    await writeFile(join(path, 'end.json'), end)
    await writeFile(join(path, 'catalog/brands/000001.jsonl'), '')
    // Zeros that take no space on the disk.
    await truncate(join(path, 'catalog/brands/000001.jsonl'), 10 * 1024 ** 3)
    const bundle = await openBundle(path)
    await expect(contentOf(bundle)).rejects.toThrow('catalog/brands/000001.jsonl of the bundle has more than 32 MiB.')
  })

  test('rows that are no tree, or no objects, are refused with their place', async () => {
    const path = await exportedFolder(await knotted())
    const circle = await mkdtemp(join(folder, 'circle-'))
    await cp(path, circle, { recursive: true })
    const rows = [
      { category_id: 1, parent_id: 2, tree_id: 1, name: 'A' },
      { category_id: 2, parent_id: 1, tree_id: 1, name: 'B' },
    ]
    await writeFile(join(circle, 'catalog/categories/000001.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
    const other = await openShop({ isTest: true })
    const db = await dbOf(other)
    await expect(importInto(parts, db, await openBundle(circle))).rejects.toThrow(
      'The categories of the bundle are no tree: 1 is below 2.',
    )
    await writeFile(join(circle, 'catalog/categories/000001.jsonl'), '[]\n')
    await expect(importInto(parts, db, await openBundle(circle))).rejects.toThrow(
      'catalog/categories/000001.jsonl, line 1 of the bundle is not a JSON object.',
    )
    // A row can't name a store.
    await writeFile(join(circle, 'catalog/categories/000001.jsonl'), '')
    const brand = { id: 3, name: 'Foreign', store_id: 1 }
    await writeFile(join(circle, 'catalog/brands/000001.jsonl'), JSON.stringify(brand))
    await importInto(parts, db, await openBundle(circle))
    expect((await other.call('GET', '/catalog/brands?name=Foreign')).body.data).toHaveLength(1)
  })

  test('a picture is in it once, and its name is the digest of its bytes', async () => {
    const path = await exportedFolder(await knotted())
    expect(await readdir(join(path, 'files'))).toHaveLength(2)
    expect(await readFile(join(path, 'catalog/brands/000001.jsonl'), 'utf8')).toMatch(
      /"image_url":"files\/[0-9a-f]{64}\.png"/,
    )
  })
})
