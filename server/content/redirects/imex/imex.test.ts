import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { onlyPage, problem } from '../../../test/document/expected.ts'
import { CSV_HEADER, doRedirectJobs, redirectJobRunners, uploadCsv } from '../../../test/fixtures/content/redirects.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

const PATH = '/storefront/redirects'
const HEADER = CSV_HEADER
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

let shop: StaffedShop
let host: string
beforeEach(async () => {
  shop = await openStaffedShop()
  host = `store-${shop.store.hash}.shop.test`
})

const upload = (text: string | Buffer, field?: string) => uploadCsv(shop, text, field)
const csv = (...lines: string[]) => [HEADER, ...lines.map((line) => line.replaceAll('HOST', host))].join('\n')
const runJobs = doRedirectJobs
const jobs = async (query = '') => (await shop.call('GET', `${PATH}/imex/jobs${query}`)).body
const importCsv = async (text: string | Buffer) => {
  const answer = await upload(text)
  if (answer.status !== 201) throw new Error(answer.text)
  await runJobs()
  return (await jobs(`?id=${answer.body.id}`)).data[0]
}
const redirects = async (): Promise<string[]> =>
  (await shop.call('GET', `${PATH}?limit=250`)).body.data.map(
    ({ from_path, to }: { from_path: string; to: { type: string; entity_id: number; url: string } }) =>
      `${from_path} ${to.type} ${to.type === 'url' ? to.url : to.entity_id}`,
  )
const beginExport = (body: object = {}) => shop.call('POST', `${PATH}/imex/export`, body)
const download = (id: string) =>
  shop.call('GET', `${PATH}/imex/export/${id}/download`, undefined, { headers: { accept: 'text/csv' } })
const exportCsv = async (body: object = {}) => {
  const { id } = (await beginExport(body)).body
  await runJobs()
  return (await download(id)).text
}
const put = (...paths: string[]) =>
  shop.call(
    'PUT',
    PATH,
    paths.map((from_path) => ({ from_path, site_id: 1_000, to: { type: 'url', url: '/new' } })),
  )

describe('an import', () => {
  test('answers 201 with an id, stores the rows and reports its end', async () => {
    const brand = (await shop.call('POST', '/catalog/brands', { name: 'Ferm' })).body.data.id
    const begun = await upload(csv('HOST,/a,/b,,', `www.HOST,/c,,brand,${brand}`))
    expect(begun).toMatchObject({ status: 201, body: { id: UUID } })
    expect(Object.keys(begun.body)).toEqual(['id'])
    const job = { id: begun.body.id, type: 'import', failed_items: 0, errors: [], created_at: INSTANT }
    const waiting = { ...job, status: 'new', completed_items: 0, total_items: 0 }
    expect(await jobs()).toEqual({
      data: [waiting],
      meta: { pagination: { ...onlyPage(1), per_page: 10, links: { current: '?page=1&limit=10' } } },
    })
    await runJobs()
    const complete = { ...job, status: 'complete', completed_items: 2, total_items: 2, completed_at: INSTANT }
    expect((await jobs()).data).toEqual([complete])
    expect(await redirects()).toEqual(['/a url /b', `/c brand ${brand}`])
    const events = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/redirects/updated')
    expect(events).toHaveLength(2)
  })

  test('overwrites redirects, and keeps their ids', async () => {
    await put('/a', '/b')
    expect(await importCsv(csv('HOST,/A/,/other,,', 'HOST,/b,/new,,', 'HOST,/c,/d,,', 'HOST,/c,/e,,'))).toMatchObject({
      status: 'complete',
      completed_items: 4,
    })
    expect(await redirects()).toEqual(['/A/ url /other', '/b url /new', '/c url /e'])
  })

  test('names bad rows and stores the good ones (C-142)', async () => {
    const lines = [
      'HOST,/good,/b,,',
      'other.example,/a,/b,,',
      'HOST,/,/b,,',
      'HOST,/a,javascript:alert(1),,',
      'HOST,/a,//evil.example,,',
      'HOST,/a,\\\\evil.example,,',
      'HOST,/a,,Product,99',
      'HOST,/a,,Thing,1',
      'HOST,/a,/a,,',
      'HOST,/a,/b',
      'HOST,/a%00b,/b,,',
      `HOST,/${'x'.repeat(2_048)},/b,,`,
      'HOST,/a\u0000,/b,,',
      'HOST,=1+1,/kept,,',
      '',
      'HOST,/last,/b,,',
    ]
    const job = await importCsv(csv(...lines))
    expect(job).toMatchObject({ status: 'complete', completed_items: 3, failed_items: 12, total_items: 15 })
    expect(job.errors.map(({ row }: { row: number }) => row)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    expect(job.errors[0].message).toBe('The domain "other.example" belongs to no site.')
    expect(job.errors[5].message).toBe('The product 99 does not exist.')
    expect(await redirects()).toEqual(['/good url /b', '/=1+1 url /kept', '/last url /b'])
  })

  test('takes a byte order mark, and rows in many transactions', async () => {
    const lines = Array.from({ length: 1_203 }, (_, i) => `HOST,/old-${i},/new-${i},,`)
    expect(await importCsv(`\ufeff${csv(...lines)}`)).toMatchObject({ completed_items: 1_203, total_items: 1_203 })
    expect(await rowsOf(shop, 'redirects')).toHaveLength(1_203)
  })

  test('of a file with a header only is complete', async () => {
    expect(await importCsv(HEADER)).toMatchObject({ status: 'complete', completed_items: 0, total_items: 0 })
  })

  test('reports the first 1,000 errors and counts all', async () => {
    const job = await importCsv(csv(...Array.from({ length: 1_200 }, () => 'HOST,/a,,,')))
    expect(job).toMatchObject({ status: 'complete', completed_items: 0, failed_items: 1_200 })
    expect(job.errors).toHaveLength(1_000)
    expect(job.errors.at(-1).row).toBe(1_001)
  })

  test('fails at a quote that never ends, with the rows before it stored (C-142)', async () => {
    const job = await importCsv(csv('HOST,/a,/b,,', '"HOST,/c,/d,,', ...Array(3_000).fill('HOST,/e,/f,,')))
    expect(job).toMatchObject({
      status: 'failed',
      completed_items: 1,
      failed_items: 1,
      errors: [{ row: 3, message: expect.any(String) }],
    })
    expect(await redirects()).toEqual(['/a url /b'])
  })

  test('takes 20 MiB, and one byte more is 413; one long line fails (C-142)', async () => {
    const begin = `${csv('HOST,/a,/b,,')}\n`
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'x')
    bytes.write(begin)
    expect(await importCsv(bytes)).toMatchObject({ status: 'failed', completed_items: 1, errors: [{ row: 3 }] })
    expect((await upload(Buffer.concat([bytes, Buffer.from('x')]))).status).toBe(413)
  })

  test('continues behind the rows that are done, as after a crash (C-007, C-142)', async () => {
    const lines = Array.from({ length: 1_203 }, (_, i) => `HOST,/old-${i},/new-${i},,`)
    const job = await importCsv(csv(...lines))
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      await tx.rows(sql`delete from redirects where store_id = ${tx.store.id} and id > 500`)
      await tx.rows(sql`update counters set total = 500 where store_id = ${tx.store.id} and resource = 'redirects'`)
      await tx.rows(sql`
        update redirect_jobs set status = 'working', completed_at = null, rows_done = 501, completed_items = 500
        where store_id = ${tx.store.id} and id = ${job.id}`)
    })
    await again(job.id)
    expect((await jobs()).data[0]).toMatchObject({
      status: 'complete',
      completed_items: 1_203,
      failed_items: 0,
      total_items: 1_203,
    })
    expect(await rowsOf(shop, 'redirects')).toHaveLength(1_203)
  })

  test('is done once, although its job runs twice', async () => {
    const job = await importCsv(csv('HOST,/a,/b,,'))
    await again(job.id)
    expect((await jobs()).data).toEqual([job])
  })

  /** Runs the job of an import once more. */
  async function again(job: string) {
    const [importRunner] = await redirectJobRunners()
    await importRunner?.run({
      id: '1',
      db: await dbOf(shop),
      payload: { job },
      attempt: 1,
      signal: new AbortController().signal,
    })
  }
})

describe('an import is refused', () => {
  test.each([
    ['with a wrong header', 'a,b\n1,2'],
    ['with a header in another order', 'Old Path,Domain,Manual URL/Path,Dynamic Target Type,Dynamic Target ID\n'],
    ['with an empty file', ''],
    ['with a file that is no CSV', '{"redirects":[]}'],
  ])('%s: 400', async (_, text) => {
    expect((await upload(text)).body).toEqual(problem(400, `The file must be CSV with the header ${HEADER}.`))
    expect(await rowsOf(shop, 'contents')).toEqual([])
    expect(await rowsOf(shop, 'redirect_jobs')).toEqual([])
  })

  test('without a form or with another part: 400', async () => {
    expect((await shop.call('POST', `${PATH}/imex/import`, { import_file: 'x' })).status).toBe(400)
    expect((await upload(HEADER, 'file')).body).toEqual(
      problem(400, 'The form must have one part, the file import_file.'),
    )
  })

  test('with any other form: 400 or 413, and it leaves nothing behind (C-063)', async () => {
    const part = (name: string, filename = 'a.csv', content = HEADER) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${content}\r\n`
    const end = '--b--\r\n'
    const nested = `--b\r\ncontent-type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\na\r\n--i--\r\n${end}`
    for (const payload of [
      end,
      part('import_file', '') + end,
      nested,
      part('import_file') + part('import_file') + end,
      part('import_file') + part('other').repeat(1_000) + end,
      `--b\r\ncontent-disposition: form-data; name="import_file"\r\n\r\ntext\r\n${end}`,
      `--b\r\ncontent-disposition: form-data; name="${'n'.repeat(1024 * 1024)}"; filename="a"\r\n\r\n\r\n${end}`,
      part('import_file'),
    ]) {
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      const answer = await shop.call('POST', `${PATH}/imex/import`, undefined, { payload, headers })
      expect([400, 413], payload.slice(0, 80)).toContain(answer.status)
    }
    const { files } = await theHouse()
    expect(await readdir(join(files.folder, shop.store.hash)).catch(() => [])).toEqual([])
    expect(await rowsOf(shop, 'contents')).toEqual([])
    expect(await rowsOf(shop, 'redirect_jobs')).toEqual([])
  })

  test('while another job is active: 429 with X-Retry-After', async () => {
    await upload(HEADER)
    for (const answer of [await upload(HEADER), await beginExport()]) {
      if (answer.status === 409) continue
      expect(answer.status).toBe(429)
      expect(answer.headers['x-retry-after']).toBe('5')
    }
    await runJobs()
    expect((await upload(HEADER)).status).toBe(201)
    await runJobs()
  })
})

test('a job without progress for ten minutes is aborted, and the next one can begin', async () => {
  await upload(HEADER)
  const db = await dbOf(shop)
  const since = (minutes: number, status: string) =>
    db.transaction((tx) =>
      tx.rows(sql`
        update redirect_jobs set status = ${status}, updated_at = ${new Date(tx.now.getTime() - minutes * 60_000)}
        where store_id = ${tx.store.id} and status in ('new', 'working')`),
    )
  await since(9, 'working')
  expect((await upload(HEADER)).status).toBe(429)
  await since(11, 'working')
  expect((await upload(HEADER)).status).toBe(201)
  await since(59, 'new')
  expect((await upload(HEADER)).status).toBe(429)
  await since(61, 'new')
  expect((await upload(HEADER)).status).toBe(201)
  expect((await jobs()).data.map(({ status }: { status: string }) => status)).toEqual(['new', 'aborted', 'aborted'])
})

describe('an export', () => {
  test('writes all redirects, with their targets if they are asked for', async () => {
    const brand = (await shop.call('POST', '/catalog/brands', { name: 'Ferm' })).body.data.id
    await put('/a', '/ü,"x"')
    await shop.call('PUT', PATH, [{ from_path: '/c', site_id: 1_000, to: { type: 'brand', entity_id: brand } }])
    const begun = await beginExport()
    expect(begun).toMatchObject({ status: 201, body: { id: UUID } })
    expect((await download(begun.body.id)).status).toBe(404)
    await runJobs()
    const file = await download(begun.body.id)
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="redirects.csv"',
    })
    expect(file.text).toBe(`${csv('HOST,/a,/new,,', 'HOST,"/ü,""x""",/new,,', `HOST,/c,,Brand,${brand}`)}\n`)
    expect((await jobs()).data).toEqual([
      {
        id: begun.body.id,
        type: 'export',
        status: 'complete',
        completed_items: 3,
        failed_items: 0,
        total_items: 3,
        errors: [],
        created_at: INSTANT,
        completed_at: INSTANT,
      },
    ])
    expect(await exportCsv({ include_dynamic_target_urls: true })).toBe(
      `${HEADER},Dynamic Target URL\n${[
        `/a,/new,,,https://HOST/new`,
        `"/ü,""x""",/new,,,https://HOST/new`,
        `/c,,Brand,${brand},https://HOST/ferm/`,
      ]
        .map((line) => `HOST,${line}\n`)
        .join('')
        .replaceAll('HOST', host)}`,
    )
  })

  test('writes those of a site or with some ids', async () => {
    await put('/a', '/b')
    const { data } = (await shop.call('GET', PATH)).body
    expect(await exportCsv({ site_id: null, redirect_ids: [data[1].id] })).toBe(`${csv('HOST,/b,/new,,')}\n`)
    expect(await exportCsv({ site_id: 1_000, redirect_ids: [] })).toContain('/a,')
    for (const body of [{ site_id: 99 }, { redirect_ids: [999] }]) {
      expect((await beginExport(body)).body).toEqual(problem(409, 'No redirect matches this export.'))
    }
    expect(
      (await beginExport({ redirect_ids: Array.from({ length: 1_001 }, (_, i) => i + 1) })).status,
    ).toBeGreaterThanOrEqual(413)
  })

  test('that is imported again changes nothing (C-142)', async () => {
    const brand = (await shop.call('POST', '/catalog/brands', { name: 'Ferm' })).body.data.id
    await put('/a', '/B/', '/c?x=1', '/ü "quoted", and more', "/'=1", '/=1')
    await shop.call('PUT', PATH, [{ from_path: '/d', site_id: 1_000, to: { type: 'brand', entity_id: brand } }])
    const before = await rowsOf(shop, 'redirects')
    const events = async () => (await rowsOf(shop, 'events')).length
    const count = await events()
    for (const include_dynamic_target_urls of [false, true]) {
      const text = await exportCsv({ include_dynamic_target_urls })
      expect(await importCsv(text)).toMatchObject({ status: 'complete', completed_items: 7, failed_items: 0 })
    }
    expect(await rowsOf(shop, 'redirects')).toEqual(before)
    expect(await events()).toBe(count)
  })

  test('has a file for 24 hours', async () => {
    await put('/a')
    const { id } = (await beginExport()).body
    await runJobs()
    const { clock } = await theHouse()
    clock.move(24 * 3_600_000 - 60_000)
    expect((await download(id)).status).toBe(200)
    clock.move(120_000)
    expect((await download(id)).body).toEqual(problem(404, `The file of the export ${id} does not exist.`))
    await runJobs()
    expect(await rowsOf(shop, 'contents')).toEqual([])
  })

  test('of an import, of another store or without Accept for CSV has no file', async () => {
    const job = await importCsv(csv('HOST,/a,/b,,'))
    expect((await download(job.id)).status).toBe(404)
    const { id } = (await beginExport()).body
    await runJobs()
    expect(
      (
        await shop.call('GET', `${PATH}/imex/export/${id}/download`, undefined, {
          headers: { accept: 'application/json' },
        })
      ).status,
    ).toBe(406)
  })
})

test('the list of jobs is filtered, newest first, ten a page', async () => {
  await put('/a')
  await exportCsv()
  for (let i = 0; i < 11; i++) await importCsv(HEADER)
  const { data, meta } = await jobs()
  expect(data).toHaveLength(10)
  expect(meta.pagination).toMatchObject({ total: 12, per_page: 10 })
  expect((await jobs('?type=export')).data).toHaveLength(1)
  expect((await jobs('?status=complete&limit=250')).data).toHaveLength(12)
  expect((await jobs('?status=failed')).data).toEqual([])
  expect((await jobs(`?id=${data[3].id.toUpperCase()}`)).data).toEqual([data[3]])
  const times = data.map(({ created_at }: { created_at: string }) => created_at)
  expect(times).toEqual(times.toSorted().reverse())
  expect((await shop.call('GET', `${PATH}/imex/jobs?keyword=a`)).status).toBe(422)
})

test('jobs are deleted after 30 days', async () => {
  await importCsv(HEADER)
  const { clock } = await theHouse()
  clock.move(30 * 86_400_000 + 60_000)
  expect((await jobs()).data).toEqual([])
  await upload(HEADER)
  expect(await rowsOf(shop, 'redirect_jobs')).toHaveLength(1)
  await runJobs()
})
