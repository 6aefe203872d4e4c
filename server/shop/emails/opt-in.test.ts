import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { optIn } from './opt-in.ts'

// A server that opts no store in by itself.

let server: FastifyInstance
let shop: Shop
beforeAll(async () => {
  const { installation, files } = await theHouse()
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', EMAIL_TEMPLATES: 'false' })
  const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://shop.test')
  server = app.server
  shop = await openShop()
})
afterAll(() => server.close())

const ask = (method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: string, of = shop) =>
  server.inject({
    method,
    url: `/stores/${of.store.hash}/v3/marketing/email-templates${path}`,
    headers: {
      'x-auth-token': of.admin.access_token,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload }),
  })

const everything = () => [
  ask('GET', ''),
  ask('GET', '?channel=nonsense'),
  ask('GET', '/invoice_email'),
  ask('PUT', '/invoice_email', '{"subject":5}'),
  ask('PUT', '/invoice_email?channel_id=7', '{"subject":"a","body":"b"}'),
  ask('DELETE', '/invoice_email'),
  ask('DELETE', '/invoice_email?channel_id=1'),
]

test('before a store has opted in every method is 404, and after that there is no way back', async () => {
  for (const answer of await Promise.all(everything())) {
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ title: 'This store has not opted in to e-mail templates.', errors: {} })
  }
  const db = await dbOf(shop)
  await optIn(db)
  await optIn(db)
  const statuses = (await Promise.all(everything())).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([200, 422, 200, 422, 422, 422, 200])
  expect((await ask('GET', '', undefined, await openShop())).statusCode).toBe(404)
})
