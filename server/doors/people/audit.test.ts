import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SCOPES } from '../../stores/accounts/scopes.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { callOperator as call, join, PASSWORD } from '../../test/servers/people.ts'
import { Audit } from './audit.ts'

const { installation, clock } = await theHouse()
const { database } = installation.directory

let shop: Shop
let owner: { id: number; email: string; cookie: string }
beforeAll(async () => {
  owner = await join('owner')
})
beforeEach(async () => {
  shop = await openShop()
})

describe('the audit', () => {
  test('records actions of people and keys, and refused ones, with their outcome', async () => {
    const { email, cookie } = await join('viewer')
    const path = `/stores/${shop.store.hash}`
    await call('PUT', path, { cookie, body: { name: 'New' } })
    const { key } = await installation.operatorKeys.create('kit')
    await call('PUT', path, { headers: { authorization: `Bearer ${key}` }, body: { name: 'Newer' } })
    const { body } = await call('GET', `/audit?store_hash=${shop.store.hash}`, { cookie: owner.cookie })
    const record = {
      id: expect.any(String),
      at: expect.any(String),
      store_hash: shop.store.hash,
      action: 'PUT /operator/v1/stores/:store_hash',
      object: `/operator/v1${path}`,
      request_id: expect.any(String),
      finished_at: expect.any(String),
    }
    expect(body.data).toEqual([
      {
        ...record,
        kind: 'key',
        actor: 'kit',
        status: 200,
        body_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        before: expect.objectContaining({ hash: shop.store.hash, plan: expect.any(String) }),
        after: expect.objectContaining({ hash: shop.store.hash, name: 'Newer' }),
      },
      { ...record, kind: 'person', actor: email, status: 403, body_digest: '', before: null, after: null },
    ])
    expect((await call('GET', `/audit?actor=${email}`, { cookie: owner.cookie })).body.data).toHaveLength(1)
    const before = await call('GET', `/audit?before=${body.data[0].id}&limit=1`, { cookie: owner.cookie })
    expect(before.body.data).toHaveLength(1)
    expect((await call('GET', '/audit?limit=251', { cookie: owner.cookie })).status).toBe(413)
    for (const query of ['limit=0', 'before=x', 'from=yesterday', 'store_hash=UPPER']) {
      expect((await call('GET', `/audit?${query}`, { cookie: owner.cookie })).status, query).toBe(422)
    }
  })

  test('records changes of a store by people, and not those of its clients', async () => {
    const { email, cookie } = await join('owner')
    const { hash } = shop.store
    const tokenOf = async (of: string) => (await call('POST', `/stores/${hash}/token`, { cookie: of })).body.data.token
    const person = { as: { access_token: await tokenOf(cookie) } }
    await shop.call('POST', '/catalog/brands', { name: 'By a client' })
    const made = await shop.call('POST', '/catalog/brands', { name: 'By a person' }, person)
    expect(made.status).toBe(200)
    await shop.call('GET', '/catalog/brands', undefined, person)
    const viewer = await join('viewer')
    const refused = { as: { access_token: await tokenOf(viewer.cookie) }, version: 'v2' as const }
    expect((await shop.call('PUT', '/orders/1', { status_id: 2 }, refused)).status).toBe(403)
    const { body } = await call('GET', `/audit?store_hash=${hash}&words=stores`, { cookie: owner.cookie })
    const ofStore = body.data.filter(({ action }: { action: string }) => !action.includes('/operator/'))
    const record = { kind: 'person', store_hash: hash, before: null, after: null }
    expect(ofStore).toEqual([
      expect.objectContaining({
        ...record,
        actor: viewer.email,
        status: 403,
        action: 'PUT /v2/orders/{order_id}',
        object: `/stores/${hash}/v2/orders/1`,
      }),
      expect.objectContaining({
        ...record,
        actor: email,
        status: 200,
        action: 'POST /v3/catalog/brands',
        request_id: made.headers['x-request-id'],
      }),
    ])
  })

  test('lists the newest first, also past the tenth record', async () => {
    const { email, cookie } = await join('owner')
    for (let n = 0; n < 12; n++) await call('PUT', `/stores/${shop.store.hash}`, { cookie, body: { name: `No ${n}` } })
    const list = async (query: string) =>
      (await call('GET', `/audit?actor=${email}&limit=8${query}`, { cookie: owner.cookie })).body.data
    const newest = await list('')
    const older = await list(`&before=${newest.at(-1).id}`)
    const ids = [...newest, ...older].map(({ id }) => Number(id))
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    expect(ids).toHaveLength(12)
  })

  test('has the object before and after its change, without secrets', async () => {
    const { cookie, email } = await join('owner')
    const path = `/stores/${shop.store.hash}`
    const made = await call('POST', `${path}/accounts`, { cookie, body: { name: 'Feed', scopes: ['store_v2_orders'] } })
    const { client_id } = made.body.data
    await call('PUT', `${path}/accounts/${client_id}`, { cookie, body: { scopes: ['store_v2_orders_read_only'] } })
    await call('PUT', `${path}/request-log`, { cookie, body: { level: 'off' } })
    await call('DELETE', `${path}/accounts/${client_id}`, { cookie })
    const person = await join('viewer')
    await call('PUT', `/people/${person.id}`, { cookie, body: { role: 'support' } })
    const { body } = await call('GET', `/audit?actor=${email}&limit=5`, { cookie })
    const account = { id: expect.any(Number), name: 'Feed', client_id, created_at: expect.any(String) }
    const read = { ...account, scopes: [...DEFAULT_SCOPES, 'store_v2_orders_read_only'] }
    const values = body.data.map(({ before, after }: { before: unknown; after: unknown }) => [before, after])
    expect(values).toEqual([
      [expect.objectContaining({ role: 'viewer' }), expect.objectContaining({ role: 'support' })],
      [read, null],
      [expect.objectContaining({ chosen: null }), { level: 'off', chosen: 'off' }],
      [{ ...account, scopes: [...DEFAULT_SCOPES, 'store_v2_orders'] }, read],
      [null, null],
    ])
    const { access_token, client_secret } = made.body.data
    for (const secret of [access_token, client_secret]) expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('has no password and no digest of one', async () => {
    const { email, cookie } = await join('viewer')
    await call('PUT', '/password', { cookie, body: { password: PASSWORD, new_password: 'another 1234' } })
    const { body } = await call('GET', `/audit?actor=${email}`, { cookie: owner.cookie })
    expect(body.data).toEqual([
      expect.objectContaining({ action: 'PUT /operator/v1/password', body_digest: '', status: 204 }),
    ])
  })

  test('can be neither changed nor deleted by the server', async () => {
    for (const text of [
      `update directory.audit set actor = 'x' returning id`,
      'delete from directory.audit returning id',
      'update directory.audit_outcomes set status = 0 returning status',
      'delete from directory.audit_outcomes returning status',
      'truncate directory.audit',
    ]) {
      await expect(database.system({ name: '', text, values: [] }), text).rejects.toThrow()
    }
    // The function takes no earlier time, whatever it is asked for.
    const [result] = await database.system<{ deleted: number }>({
      name: '',
      text: 'select directory.delete_old_audit(now()) as deleted',
      values: [],
    })
    expect(result?.deleted).toBe(0)
    expect(await new Audit({ database, clock }).deleteOld()).toBe(0)
  })
})
