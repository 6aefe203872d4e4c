import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { typedClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The client of public-client.test.ts gives a store and one of its channels an e-mail template of their own.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

test('it reads the templates, changes one for all channels and for one, and resets both', async () => {
  const client = typedClient(port, await openShop())
  const path = { 'template-name': 'createaccount_email' }
  const one = '/marketing/email-templates/{template-name}'
  expect(await client.get('/marketing/email-templates')).toHaveLength(12)
  const builtin = await client.get(one, { path })
  const template = {
    type_id: 'createaccount_email' as const,
    subject: 'Welcome to {{store.name}}',
    body: "<p>{{lang 'hello' name=customer.first_name}}</p>",
    translations: [{ locale: 'en', keys: { hello: 'Hello {name}' } }],
  }
  expect(await client.put(one, { path, body: template })).toEqual(template)
  const own = { ...template, subject: 'Hi' }
  const query = { channel_id: 1 }
  expect(await client.put(one, { path, query, body: own })).toEqual(own)
  expect(await client.get(one, { path, query })).toEqual(own)
  expect(await client.get(one, { path })).toEqual(template)
  await client.delete(one, { path, query })
  expect(await client.get(one, { path, query })).toEqual(template)
  expect(builtin).not.toEqual(template)
})
