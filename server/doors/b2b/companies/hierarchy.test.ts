import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { ask, enableCompanion, makeCompany } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/companies.md section 2, Hierarchy.

const COMPANIES = '/v3/io/companies'
let shop: Shop
let names = 0
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
})

const make = async () => (await makeCompany(shop, `Firm${++names}`)).companyId
const attach = (child: number, parentCompanyId: unknown) =>
  ask(shop, 'POST', `${COMPANIES}/${child}/parent`, { parentCompanyId })
const detach = (parent: number, child: unknown) => ask(shop, 'DELETE', `${COMPANIES}/${parent}/subsidiaries/${child}`)
const subsidiaries = (id: number, query = '') => ask(shop, 'GET', `${COMPANIES}/${id}/subsidiaries${query}`)
/** A chain of companies, from the top. */
async function chain(length: number): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < length; i++) {
    ids.push(await make())
    if (i > 0) expect((await attach(ids[i] ?? 0, ids[i - 1])).status).toBe(201)
  }
  return ids
}

const refusal = (code: number, sentence: string, message = 'API logic error') => ({
  code,
  status: code,
  title: sentence,
  errors: { '1': sentence },
  data: { errMsg: sentence },
  meta: { message },
  detail: sentence,
})

test('a company is put below another one, is shown there, and is detached with its own subsidiaries', async () => {
  const [top = 0, middle = 0, low = 0] = [await make(), await make(), await make()]
  expect((await attach(low, middle)).body).toEqual({ code: 201, data: [], meta: { message: 'SUCCESS' } })
  expect((await attach(middle, top)).status).toBe(201)
  const name = async (id: number) => (await ask(shop, 'GET', `${COMPANIES}/${id}`)).body.data.companyName
  const node = async (id: number, below: object[] = []) => ({
    companyId: id,
    companyName: await name(id),
    companyStatus: 1,
    subsidiaries: below,
  })
  const lower = await node(middle, [await node(low)])
  expect((await subsidiaries(top)).body).toEqual({
    code: 200,
    data: [lower],
    meta: { message: 'SUCCESS', pagination: { totalCount: 1, limit: 10, offset: 0 } },
  })
  expect((await ask(shop, 'GET', `${COMPANIES}/${top}/hierarchy`)).body.data).toEqual([await node(top, [lower])])
  // A hierarchy begins at the company that was asked for.
  expect((await ask(shop, 'GET', `${COMPANIES}/${middle}/hierarchy`)).body.data).toEqual([lower])
  expect((await ask(shop, 'GET', `${COMPANIES}/${middle}`)).body.data.parentCompany).toEqual({
    id: top,
    name: await name(top),
  })
  expect((await detach(top, middle)).status).toBe(204)
  expect((await subsidiaries(top)).body.data).toEqual([])
  expect((await subsidiaries(middle)).body.data).toEqual([await node(low)])
  expect((await ask(shop, 'GET', `${COMPANIES}/${middle}`)).body.data.parentCompany).toBe(null)
})

test('the subsidiaries are paged', async () => {
  const top = await make()
  const children = [await make(), await make(), await make()]
  for (const child of children) await attach(child, top)
  const page = (await subsidiaries(top, '?limit=2&offset=1')).body
  expect(page.data.map(({ companyId }: { companyId: number }) => companyId)).toEqual(children.slice(1))
  expect(page.meta.pagination).toEqual({ totalCount: 3, limit: 2, offset: 1 })
  expect((await subsidiaries(top, '?limit=251')).status).toBe(413)
})

describe('a parent is refused', () => {
  test('if it is the company itself, or below it', async () => {
    const [top = 0, middle = 0, low = 0] = await chain(3)
    expect((await attach(top, top)).body).toEqual(refusal(400, "A company can't be its own parent."))
    for (const below of [middle, low]) {
      expect((await attach(top, below)).body).toEqual(refusal(400, 'The parent is a subsidiary of the company.'))
    }
  })

  test('if the company has one already, or does not exist', async () => {
    const [top = 0, low = 0] = await chain(2)
    expect((await attach(low, top)).body).toEqual(refusal(400, 'The company has a parent. Detach it first.'))
    expect((await attach(999_999, top)).body).toEqual(
      refusal(404, 'The company 999999 does not exist.', 'Not Found Error'),
    )
    expect((await attach(top, 999_999)).body).toEqual(
      refusal(404, 'The company 999999 does not exist.', 'Not Found Error'),
    )
    expect((await ask(shop, 'POST', `${COMPANIES}/abc/parent`, { parentCompanyId: top })).status).toBe(400)
    expect((await ask(shop, 'POST', `${COMPANIES}/${low}/parent`, [])).status).toBe(422)
    expect((await attach(low, 'abc')).body.data.errMsg).toHaveProperty('parentCompanyId')
  })

  test('for a sixth layer, counted with the subsidiaries of the company', async () => {
    const [three, two, other] = [await chain(3), await chain(2), await chain(3)]
    expect((await attach(two[0] ?? 0, three[2])).status).toBe(201)
    const layers = refusal(400, 'A tree of companies has at most 5 layers.')
    expect((await attach(await make(), two[1])).body).toEqual(layers)
    expect((await attach(other[0] ?? 0, three[2])).body).toEqual(layers)
  })

  test('for the 501st company of a tree', async () => {
    const [top, low, spare] = [await make(), await make(), await make()]
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`
        insert into companies (store_id, id, company_name, company_name_key, company_email, company_email_key, company_phone,
          address_line1, address_line2, city, state, country, zip_code, company_status, customer_group_id, uuid,
          created_at, updated_at, parent_id)
        select ${tx.store.id}, 5000 + n, 'Many ' || n, 'many ' || n, n || '@many.example.com', n || '@many.example.com',
          '', '', '', '', '', 'Australia', '', 1, 0, '', now(), now(), ${top}::int
        from generate_series(1, 498) n returning id`),
    )
    expect((await attach(low, top)).status).toBe(201)
    expect((await attach(spare, top)).body).toEqual(refusal(400, 'A tree has at most 500 companies.'))
    expect((await subsidiaries(top)).body.meta.pagination.totalCount).toBe(499)
    await db.transaction((tx) =>
      tx.rows(sql`delete from companies where store_id = ${tx.store.id} and id > 5000 returning id`),
    )
  })

  test('if two requests at once would make a circle', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await make(), await make()]
      const answers = await Promise.all([attach(one, other), attach(other, one)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    }
  })
})

test('only a direct subsidiary is detached', async () => {
  const [top = 0, middle = 0, low = 0] = await chain(3)
  expect((await detach(top, low)).body).toEqual(
    refusal(400, `The company ${low} is no direct subsidiary of the company ${top}.`),
  )
  expect((await detach(middle, 999_999)).status).toBe(404)
  expect((await detach(999_999, low)).status).toBe(404)
  expect((await detach(middle, 'abc')).status).toBe(400)
})

test('the subsidiaries of a deleted company become tops', async () => {
  const [top = 0, middle = 0, low = 0] = await chain(3)
  await ask(shop, 'DELETE', `${COMPANIES}/${top}`)
  expect((await ask(shop, 'GET', `${COMPANIES}/${middle}`)).body.data.parentCompany).toBe(null)
  expect((await subsidiaries(middle)).body.data).toHaveLength(1)
  expect(low).toBeGreaterThan(0)
})

test('a parent that is set or removed is an event of the child', async () => {
  const [top, low] = [await make(), await make()]
  const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)
  const before = (await scopes()).length
  await attach(low, top)
  await detach(top, low)
  await detach(top, low)
  expect((await scopes()).slice(before)).toEqual(['store/company/updated', 'store/company/updated'])
})

test('a store reads 15 hierarchies a minute', async () => {
  const { clock } = await theHouse()
  clock.move(61_000)
  const top = await make()
  const read = async () => (await ask(shop, 'GET', `${COMPANIES}/${top}/hierarchy`)).status
  for (let i = 0; i < 15; i++) expect(await read()).toBe(200)
  expect(await read()).toBe(429)
  clock.move(61_000)
  expect(await read()).toBe(200)
})
