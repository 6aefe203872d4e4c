import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string

beforeEach(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'private')
})

async function send(field: 'subscribe' | 'unsubscribe', input: object) {
  const type = field === 'subscribe' ? 'CreateSubscriberInput' : 'RemoveSubscriberInput'
  const { status, body } = await askStorefront(shop, {
    token,
    query: `mutation M($input: ${type}!) { newsletter { ${field}(input: $input) { errors { __typename ... on Error { message } } } } }`,
    variables: { input },
  })
  expect([status, body.errors]).toEqual([200, undefined])
  return body.data.newsletter[field].errors
}
const subscribers = async () => (await shop.call('GET', '/customers/subscribers')).body.data

test('an address is subscribed once, and unsubscribed without a trace', async () => {
  expect(await send('subscribe', { email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee' })).toEqual([])
  expect(await subscribers()).toMatchObject([
    {
      email: 'ann@example.com',
      first_name: 'Ann',
      last_name: 'Lee',
      source: 'storefront',
      channel_id: 1,
      consents: ['marketing_newsletter'],
    },
  ])
  expect(await send('subscribe', { email: 'Ann@example.com' })).toEqual([
    { __typename: 'CreateSubscriberAlreadyExistsError', message: 'The email address is subscribed already.' },
  ])
  expect(await send('unsubscribe', { email: 'ANN@example.com' })).toEqual([])
  expect(await subscribers()).toEqual([])
  expect(await send('unsubscribe', { email: 'ann@example.com' })).toEqual([])
})

test('other consents of a subscriber remain', async () => {
  await shop.call('POST', '/customers/subscribers', { email: 'bo@example.com', consents: ['abandoned_cart'] })
  expect(await send('subscribe', { email: 'bo@example.com' })).toEqual([])
  expect((await subscribers())[0].consents).toEqual(['abandoned_cart', 'marketing_newsletter'])
  expect(await send('unsubscribe', { email: 'bo@example.com' })).toEqual([])
  expect((await subscribers())[0].consents).toEqual(['abandoned_cart'])
})

test('the mistakes of each field', async () => {
  const names = { firstName: 'x'.repeat(256), lastName: 'y'.repeat(256) }
  expect(await send('subscribe', { email: 'no address', ...names })).toEqual([
    { __typename: 'CreateSubscriberEmailInvalidError', message: 'The email address is invalid.' },
    { __typename: 'CreateSubscriberFirstNameInvalidError', message: 'The first name is invalid.' },
    { __typename: 'CreateSubscriberLastNameInvalidError', message: 'The last name is invalid.' },
  ])
  expect(await send('unsubscribe', { email: '' })).toEqual([
    { __typename: 'RemoveSubscriberEmailInvalidError', message: 'The email address is invalid.' },
  ])
})

test('events of shops are executed', async () => {
  const commonInput = `{ request: { url: "https://www.example.com/mug/", userAgent: "Mozilla" }, initiator: { visitId: "a", visitorId: "b" } }`
  for (const [field, more] of [
    ['visitStartedEvent', ''],
    ['pageViewedEvent', ''],
    ['productViewedEvent', ', productInput: { productEntityId: 1 }'],
    ['searchProductEvent', ', searchTerm: "mug", productIds: [1]'],
  ]) {
    const query = `mutation { analytics { ${field}(input: { commonInput: ${commonInput}${more} }) { executed } } }`
    const { body } = await askStorefront(shop, { token, query })
    expect(body, field).toEqual({ data: { analytics: { [field as string]: { executed: true } } } })
  }
})
