import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  asAdministrator,
  ask,
  clientOf,
  figure,
  newFolder,
  postmasterOf,
  rawConnection,
  startServer,
  until,
} from './rig.ts'

test('C-103: the output of the server has no token, secret or body, for any kind of failure', {
  timeout: 300_000,
}, async () => {
  const { folder, shop } = await newFolder()
  const server = await startServer(folder, { LOG_LEVEL: 'trace' })
  const call = clientOf(server, shop)
  const strange = 'MARKED-strange-token'
  const path = `/stores/${shop.hash}/v3/catalog/brands`

  await call('POST', '/catalog/brands', { name: 'MARKED-name', meta_description: 'MARKED-text' })
  await call('POST', '/catalog/brands', { name: 'MARKED-name' })
  await call('POST', '/catalog/brands', { name: 7, page_title: 'MARKED-invalid' })
  await call('POST', '/catalog/brands', undefined, {
    payload: '{"name": MARKED-broken',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'MARKED-key' },
  })
  await call('GET', '/catalog/brands?name=MARKED-filter&access_token=MARKED-query')
  await call('GET', '/MARKED-path')
  await ask(server.url, 'GET', path, { headers: { 'x-auth-token': strange } })
  await ask(server.url, 'GET', path, {
    headers: { authorization: 'Bearer MARKED-bearer', cookie: 'session=MARKED-cookie' },
  })
  const broken = rawConnection(server)
  broken.socket.write(`MARKED-verb / HTTP/1.1\r\nx-auth-token: ${strange}\r\n\r\n`)
  await until('the broken request is answered', broken.isClosed)

  // An unexpected failure: the database names the row in its refusal.
  await asAdministrator(folder, (admin) =>
    admin.query(`alter table brands add constraint nobody_expects_it check (name not like 'MARKED-row%')`),
  )
  expect((await call('POST', '/catalog/brands', { name: 'MARKED-row' })).status).toBe(500)
  process.kill(postmasterOf(folder) ?? 0, 'SIGQUIT')
  await until('its end is told', () => server.printed().includes('PostgreSQL has ended unexpectedly'))
  await until('the database is back', async () => (await call('GET', '/catalog/brands')).status === 200)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  const printed = server.printed()
  expect(printed).toContain('nobody_expects_it')
  const secrets = {
    'access token': shop.token,
    'client secret': shop.secret,
    'key of the installation': readFileSync(join(folder, 'secret'), 'utf8'),
    'password of the database': readFileSync(join(folder, 'postgres/password'), 'utf8'),
    'marked text': 'MARKED',
  }
  for (const [name, secret] of Object.entries(secrets)) {
    const lines = printed.split('\n').filter((line) => line.includes(secret))
    expect(lines, name).toEqual([])
  }
  figure(
    'C-103',
    `${printed.split('\n').length} lines of log with marked tokens, secrets, bodies, paths and queries: 0 hits`,
  )
})
