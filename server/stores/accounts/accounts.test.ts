import { expect, test } from 'vitest'
import { openStaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { asAdministrator, dumpOf, spellings } from '../../test/harness/administrator.ts'
import { overhear } from '../../test/harness/overhear.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import type { CreatedAccount } from './accounts.ts'
import { ACCOUNT_SCOPES } from './scopes.ts'

const { accounts, directory, secrets } = (await theHouse()).installation

test('a new account has the formats of docs/contract/auth.md section 2, and only its creation shows token and secret', async () => {
  const { store } = await openStaffedShop()
  const created = await accounts.create(store.hash, 'Stock sync', ['store_inventory', 'store_v2_products_read_only'])
  expect(created).toEqual({
    id: 5,
    name: 'Stock sync',
    client_id: expect.stringMatching(/^[a-z0-9]{31}$/),
    access_token: expect.stringMatching(/^[a-z0-9]{31}$/),
    client_secret: expect.stringMatching(/^[a-z0-9]{64}$/),
    scopes: ['store_v2_default', 'store_metafield_write', 'store_inventory', 'store_v2_products_read_only'],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  })
  const { access_token: _, client_secret: __, ...shown } = created
  const listed = await accounts.list(store.hash)
  expect(listed.map(({ name }) => name)).toEqual(['admin', 'readonly', 'noscope', 'otherclient', 'Stock sync'])
  expect(listed.at(-1)).toEqual(shown)
})

test.each([
  ['one', ['store_sites'], ['store_sites']],
  ['the same twice', ['store_sites', 'store_sites'], ['store_sites']],
  ['a preset and more', ['none', 'store_metafield_write_all'], ['store_metafield_write_all']],
  ['nothing', [], []],
])('scopes: %s', async (_, asked, granted) => {
  const { store } = await openStaffedShop()
  const { scopes } = await accounts.create(store.hash, 'x', asked)
  expect(scopes).toEqual(['store_v2_default', 'store_metafield_write', ...granted])
})

test.each(['store_everything', '', 'all ', 'ALL', '*', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'the scope "%s" is refused by its name, and no account is made',
  async (scope) => {
    const { store } = await openStaffedShop()
    await expect(accounts.create(store.hash, 'x', ['all', scope])).rejects.toThrow(
      `There is no scope "${scope}". Scopes are ${[...ACCOUNT_SCOPES].join(', ')}; presets are all, read_only, none.`,
    )
    expect(await accounts.list(store.hash)).toHaveLength(4)
  },
)

test('a store has at most 50 accounts, also when many are made at once; a deleted one makes room', async () => {
  const { store, otherclient } = await openStaffedShop()
  const attempts = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) => accounts.create(store.hash, `account ${i}`, ['none'])),
  )
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(46)
  for (const attempt of attempts) {
    if (attempt.status === 'rejected') expect(attempt.reason).toEqual(new Error('A store has at most 50 API accounts.'))
  }
  expect(await accounts.list(store.hash)).toHaveLength(50)
  await expect(accounts.create(store.hash, 'one more', ['none'])).rejects.toThrow('at most 50')
  await accounts.delete(store.hash, otherclient.client_id)
  expect((await accounts.create(store.hash, 'one more', ['none'])).id).toBe(51)
})

test('an account is deleted in its own store only', async () => {
  const [here, there] = [await openStaffedShop(), await openStaffedShop()]
  expect(await accounts.delete(here.store.hash, there.admin.client_id)).toBe(false)
  expect(await accounts.delete(here.store.hash, 'nobody')).toBe(false)
  expect(await accounts.delete(here.store.hash, here.admin.client_id)).toBe(true)
  expect(await accounts.delete(here.store.hash, here.admin.client_id)).toBe(false)
  expect(await accounts.list(there.store.hash)).toHaveLength(4)
})

test('the token of a deleted account fails at once, however long its webhooks take to be removed', async () => {
  const { store, otherclient, call } = await openStaffedShop()
  const as = otherclient
  expect(
    (await call('POST', '/hooks', { scope: 'store/order/*', destination: 'https://example.com/a' }, { as })).status,
  ).toBe(200)
  const works = async () => (await call('GET', '/catalog/brands', undefined, { as })).status
  expect(await works()).toBe(200)
  await asAdministrator(store, async (client) => {
    // The removal of the webhook has to wait for this transaction.
    await client.query('begin')
    await client.query('select from hooks where store_id = $1 for update', [store.id])
    const deletion = accounts.delete(store.hash, otherclient.client_id)
    await expect.poll(works).toBe(401)
    await client.query('rollback')
    // It may have waited for too long. Then the next attempt removes the webhook.
    await deletion.catch(() => {})
  })
  await accounts.delete(store.hash, otherclient.client_id)
  expect((await call('GET', '/hooks')).body.meta.pagination.total).toBe(0)
  await asAdministrator(store, async (client) => {
    const { rows } = await client.query('select id from hooks where store_id = $1', [store.id])
    expect(rows).toEqual([])
  })
})

test.each([
  ['create', (hash: string) => accounts.create(hash, 'x', ['none'])],
  ['list', (hash: string) => accounts.list(hash)],
  ['delete', (hash: string) => accounts.delete(hash, 'x')],
])('%s reports an unknown store', async (_, action) => {
  await expect(action('nosuchstore')).rejects.toThrow('There is no store "nosuchstore".')
  await expect(action("x'; --")).rejects.toThrow(`There is no store "x'; --".`)
})

test('the whole database holds no token, secret or password in clear (C-097)', async () => {
  const shop = await openStaffedShop()
  const marked = await accounts.create(shop.store.hash, 'marked', ['all'])
  const all = [marked, shop.admin, shop.readonly, shop.noscope, shop.otherclient]
  const text = await dumpOf(shop.store.id, directory.cells)
  // The search does find texts: the dump has the ids of these accounts.
  for (const { client_id } of all) expect(text).toContain(client_id)
  const hidden = [...all.flatMap(secretsOf), SECRET, secrets.rolePassword]
  expect(hidden.flatMap(spellings).filter((spelling) => text.includes(spelling))).toEqual([])
  const { rows } = await asAdministrator({ cell: 'main' }, (client) =>
    client.query("select rolpassword from pg_authid where rolname in ('storeward', 'storeward_system')"),
  )
  for (const { rolpassword } of rows) expect(rolpassword).toMatch(/^SCRAM-SHA-256\$/)
})

const secretsOf = ({ access_token, client_secret }: CreatedAccount) => [access_token, client_secret]

test('the key of the server decrypts the secret of an account', async () => {
  const { store, admin } = await openStaffedShop()
  const { rows } = await asAdministrator(store, (client) =>
    client.query('select client_secret from api_accounts where store_id = $1 and client_id = $2', [
      store.id,
      admin.client_id,
    ]),
  )
  expect(secrets.unseal(rows[0].client_secret)).toBe(admin.client_secret)
})

// C-098 demands that the time of an answer reveals nothing about the correct part of a guessed token. No token is compared: the
// lookup uses its keyed hash, which differs wholly from the hash of a similar token, so no guess is partly right. This test shows
// that; measured times on a shared machine would not.
test('a token is looked up by its keyed hash: neither it nor a part of it reaches the database (C-098)', async () => {
  const { call, admin } = await openStaffedShop()
  const heard = overhear()
  const wrong = `${admin.access_token.slice(0, 30)}${admin.access_token.endsWith('x') ? 'y' : 'x'}`
  await call('GET', '/catalog/brands', undefined, { as: { access_token: wrong } })
  const asked = JSON.stringify(heard.statements)
  heard.stop()
  expect(asked).toContain(secrets.tokenHash(wrong))
  for (let i = 0; i + 6 <= wrong.length; i++) expect(asked).not.toContain(wrong.slice(i, i + 6))
  const [right, almost] = [secrets.tokenHash(admin.access_token), secrets.tokenHash(wrong)]
  const same = [...right].filter((letter, i) => letter === almost[i]).length
  expect(same).toBeLessThan(24)
})
