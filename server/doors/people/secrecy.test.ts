import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { dumpOf, spellings } from '../../test/harness/administrator.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { address, HOST, people } from '../../test/servers/people.ts'

const { installation, files } = await theHouse()
const WRONG = 'marked wrong password 9'
const PASSWORD = 'marked right password 8'

test('passwords, links, sessions and tokens of people are in no row (C-097) and in no line of the log (C-103)', async () => {
  const shop = await openShop()
  let log = ''
  const output = new Writable({
    write(chunk, _, done) {
      log += String(chunk)
      done()
    },
  })
  const config = readConfig({ SECRET, LOG_LEVEL: 'trace', FAILED_LOGINS_MAX: '100' })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'trace' }, output) },
    config,
    `http://${HOST}`,
  )
  onTestFinished(() => server.close())
  let answers = ''
  const send = async (method: string, path: string, body?: object, cookie = '') => {
    const answer = await server.inject({
      method: method as 'GET',
      url: `/operator/v1${path}`,
      headers: { host: HOST, 'x-console': '1', ...(cookie === '' ? {} : { cookie }) },
      ...(body ? { payload: body } : {}),
    })
    // A refusal repeats nothing that was sent.
    if (answer.statusCode >= 400) answers += answer.body
    return answer
  }
  const { token: link, email } = await people.invite({ email: address(), role: 'owner' })
  const unused = await people.invite({ email: address(), role: 'viewer' })
  await send('PUT', '/invitation', { token: `${link}x`, name: 'Ada', password: PASSWORD })
  await send('PUT', '/invitation', { token: link, name: 'Ada', password: 'short' })
  const accepted = await send('PUT', '/invitation', { token: link, name: 'Ada', password: PASSWORD })
  const [cookie = ''] = [accepted.headers['set-cookie'] ?? ''].flat().map((text) => text.split(';')[0] ?? '')
  const session = cookie.split('=')[1] ?? ''
  await send('POST', '/session', { email, password: WRONG })
  await send('POST', '/session/confirmation', { password: WRONG }, cookie)
  await send('PUT', '/password', { password: WRONG, new_password: PASSWORD }, cookie)
  await send('GET', '/session', undefined, `${cookie.slice(0, -1)}0`)
  const path = `/stores/${shop.store.hash}`
  const token = (await send('POST', `${path}/token`, {}, cookie)).json().data.token
  const account = (await send('POST', `${path}/accounts`, { name: 'Feed', scopes: ['none'] }, cookie)).json().data
  const { client_secret: second } = (
    await send('POST', `${path}/accounts/${account.client_id}/secret`, undefined, cookie)
  ).json().data
  const url = `/stores/${shop.store.hash}/v3/catalog/brands`
  await server.inject({ url, headers: { 'x-auth-token': token } })
  await server.inject({ url, headers: { 'x-auth-token': account.access_token } })
  await server.inject({ url: '/metrics' })

  const rows = await dumpOf(shop.store.id, installation.directory.cells)
  // The searches do find texts.
  expect(rows).toContain(email)
  expect(log).toContain('/operator/v1/session')
  const { access_token, client_secret } = account
  const secrets = { WRONG, PASSWORD, link, unused: unused.token, session, token, access_token, client_secret, second }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10)
    for (const spelling of spellings(secret)) {
      expect(rows.includes(spelling), `${name} in a row`).toBe(false)
      expect(log.includes(spelling), `${name} in the log`).toBe(false)
      expect(answers.includes(spelling), `${name} in a refusal`).toBe(false)
    }
  }
})
