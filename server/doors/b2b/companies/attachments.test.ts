import { beforeAll, describe, expect, test } from 'vitest'
import { ask, backendToken, enableCompanion, makeCompany, refused } from '../../../test/fixtures/companion.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// docs/contract/companies.md section 10.

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const pathOf = (company: number | string) => `/v3/io/companies/${company}/attachments`

/** A shop of its own for each test: 15 uploads a minute are allowed. */
async function open() {
  const shop = await openShop()
  await enableCompanion(shop)
  return { shop, companyId: (await makeCompany(shop, 'Acme')).companyId }
}

async function upload(shop: Shop, path: string, bytes: Uint8Array, { field = 'attachmentFile', headers = {} } = {}) {
  const { server } = await theHouse()
  const sent = form(field, 'drawing.png', bytes)
  const own = { 'x-auth-token': shop.admin.access_token, 'x-store-hash': shop.store.hash }
  const answer = await server.inject({
    method: 'POST',
    url: `/b2b/api${path}`,
    payload: sent.payload,
    headers: { ...sent.headers, ...(Object.keys(headers).length > 0 ? headers : own) },
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function download(link: string) {
  const { server } = await theHouse()
  const { pathname, search } = new URL(link)
  return server.inject({ method: 'GET', url: `${pathname}${search}` })
}

describe('the attachments of a company', () => {
  test('are stored, listed, downloaded and deleted', async () => {
    const { shop, companyId } = await open()
    const made = await upload(shop, pathOf(companyId), PNG)
    expect(made).toEqual({
      status: 200,
      body: {
        code: 200,
        data: { id: expect.any(String), attachmentFile: expect.any(String) },
        meta: { message: 'SUCCESS' },
      },
    })
    const { id } = made.body.data
    const list = async () => (await ask(shop, 'GET', pathOf(companyId))).body
    expect(await list()).toEqual({
      code: 200,
      data: [{ id, attachmentFile: expect.any(String) }],
      meta: { message: 'SUCCESS' },
    })
    const file = await download(made.body.data.attachmentFile)
    expect(file.rawPayload).toEqual(PNG)
    expect(file.headers).toMatchObject({
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/octet-stream',
    })
    const gone = await ask(shop, 'DELETE', `${pathOf(companyId)}/${id}`)
    expect(gone.body).toEqual({ code: 200, data: {}, meta: { message: 'SUCCESS' } })
    expect((await list()).data).toEqual([])
    expect((await download(made.body.data.attachmentFile)).statusCode).toBe(404)
    expect((await ask(shop, 'DELETE', `${pathOf(companyId)}/${id}`)).status).toBe(404)
  })

  test('are downloaded by a valid link only, for a day', async () => {
    const { shop, companyId } = await open()
    const link = (await upload(shop, pathOf(companyId), PNG)).body.data.attachmentFile
    expect((await download(link.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')))).statusCode).toBe(403)
    expect((await download(link.replace('expires=', 'expires=9'))).statusCode).toBe(403)
    const { clock } = await theHouse()
    clock.move(86_000_000)
    expect((await download(link)).statusCode).toBe(200)
    clock.move(1_000_000)
    expect((await download(link)).statusCode).toBe(403)
  })

  test('are identified by their bytes', async () => {
    const { shop, companyId } = await open()
    const html = await upload(shop, pathOf(companyId), Buffer.from('<html><script>alert(1)</script></html>'))
    expect(html).toEqual({
      status: 422,
      body: refused(422, 'Parameter Error', { attachmentFile: ['Files of this type are not accepted.'] }),
    })
    const other = await upload(shop, pathOf(companyId), PNG, { field: 'file' })
    expect(other.status).toBe(422)
    expect((await ask(shop, 'POST', pathOf(companyId), {})).status).toBe(415)
    expect((await ask(shop, 'GET', pathOf(companyId))).body.data).toEqual([])
  })

  test('have at most 10 MiB', async () => {
    const { shop, companyId } = await open()
    const most = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024 - PNG.length)])
    expect((await upload(shop, pathOf(companyId), most)).status).toBe(200)
    expect((await upload(shop, pathOf(companyId), Buffer.concat([most, Buffer.alloc(1)]))).status).toBe(413)
  })

  test('are at most ten; 15 uploads a minute are allowed', async () => {
    const { shop, companyId } = await open()
    const statuses: number[] = []
    for (let i = 0; i < 16; i++) statuses.push((await upload(shop, pathOf(companyId), PNG)).status)
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(422), 429])
  })

  test('are deleted with the company', async () => {
    const { shop, companyId } = await open()
    const link = (await upload(shop, pathOf(companyId), PNG)).body.data.attachmentFile
    expect((await ask(shop, 'DELETE', `/v3/io/companies/${companyId}`)).status).toBe(200)
    expect((await download(link)).statusCode).toBe(404)
    expect((await ask(shop, 'GET', pathOf(companyId))).status).toBe(404)
    expect((await upload(shop, pathOf(companyId), PNG)).status).toBe(404)
    expect((await upload(shop, pathOf('abc'), PNG)).status).toBe(400)
  })
})

describe('a sales representative', () => {
  let shop: Shop
  let companyId: number
  let rep: string
  beforeAll(async () => {
    ;({ shop, companyId } = await open())
    rep = await backendToken(shop, true)
  })

  test('attaches files to assigned companies only', async () => {
    const headers = { authtoken: rep }
    for (const company of [companyId, 999_999]) {
      const answer = await upload(shop, pathOf(company), PNG, { headers })
      expect(answer).toEqual({ status: 403, body: refused(403, 'Permission denied', 'Permission denied') })
    }
    const [{ id }] = (await ask(shop, 'GET', '/v3/io/sales-staffs')).body.data
    await ask(shop, 'PUT', `/v3/io/sales-staffs/${id}`, [{ companyId, assignStatus: true }])
    expect((await upload(shop, pathOf(companyId), PNG, { headers })).status).toBe(200)
  })
})
