import { beforeAll, describe, expect, test } from 'vitest'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'

// docs/contract/storefront-tokens.md section 9.

let shop: Shop
let tokens: { private: string; impersonation: string }
beforeAll(async () => {
  shop = await openWithShipping()
  const people = [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }]
  expect((await shop.call('POST', '/customers', people)).status).toBe(200)
  tokens = { private: await makeToken(shop, 'private'), impersonation: await makeToken(shop, 'impersonation') }
})

const GENERATE = `mutation ($redirectTo: String!, $cartId: String, $ipAddress: IpAddress, $analytics: AnalyticsCommonEventInput, $visitId: UUID) {
  generateSessionSyncJwt(redirectTo: $redirectTo, cartId: $cartId, ipAddress: $ipAddress, analytics: $analytics, visitId: $visitId) {
    result { token url } errors { __typename ... on GenerateSessionSyncTokenCartNotFound { message } } } }`
const VALIDATE = `mutation ($jwt: String!) { validateSessionSyncJwt(jwt: $jwt) {
  content { customer { entityId } customerAccessToken { value expiresAt } cart { entityId } redirectTo
    analytics { visitId visitorId initiator { visitId } request { url ip userAgent referer acceptLanguage } consent { targeting analytics functional } } }
  errors { __typename ... on InvalidSessionSyncJwtError { errorType message } ... on JwtTokenExpiredError { message } } } }`

async function generate(variables: object, { customer = 1 }: { customer?: number } = {}) {
  const asked =
    customer > 0
      ? { token: tokens.impersonation, headers: { 'x-svc-customer-id': String(customer) } }
      : { token: tokens.private }
  const { body } = await askStorefront(shop, { ...asked, query: GENERATE, variables })
  return body.data?.generateSessionSyncJwt ?? body
}
const validate = async (jwt: string, more: object = {}) =>
  (await askStorefront(shop, { token: tokens.private, query: VALIDATE, variables: { jwt }, ...more })).body.data
    .validateSessionSyncJwt

async function open(url: string, from = '127.0.0.1') {
  const { server } = await theHouse()
  const { pathname, host } = new URL(url)
  return server.inject({ url: pathname, headers: { host }, remoteAddress: from })
}

describe('a link', () => {
  test('carries customer and cart into the checkout, once', async () => {
    const id = await createCart(shop, { 1: 1 }, { customer_id: 1 })
    const { result, errors } = await generate({ redirectTo: '/checkout', cartId: id })
    expect(errors).toEqual([])
    expect(result.url).toBe(`https://store-${shop.store.hash}.shop.test/login/token/${result.token}`)
    const answer = await open(result.url)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/checkout'])
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^SHOP_TOKEN=[0-9a-f]{64}_\d+; .*HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^SHOP_CART=[^;]+; .*HttpOnly; SameSite=Lax$/),
    ])
    const cookie = [answer.headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';')[0])
      .join('; ')
    const { server } = await theHouse()
    const page = await server.inject({ url: '/checkout', headers: { host: new URL(result.url).host, cookie } })
    expect(page.body).toContain('ann@example.com')
    const again = await open(result.url)
    expect([again.statusCode, again.headers.location]).toEqual([302, '/login.php'])
    expect(String(again.headers['set-cookie'])).not.toContain('SHOP_')
  })

  test('of a guest carries the cart alone', async () => {
    const id = await createCart(shop, { 1: 1 })
    const { result } = await generate({ redirectTo: '/checkout', cartId: id }, { customer: 0 })
    const answer = await open(result.url)
    expect(answer.headers['set-cookie']).toEqual(expect.stringMatching(/^SHOP_CART=/))
  })

  test('to another site is refused', async () => {
    for (const redirectTo of ['//evil.example', 'https://evil.example/', 'checkout', '/\\evil.example']) {
      const body = await generate({ redirectTo })
      expect(body.errors[0].message, redirectTo).toBe('redirectTo must be a path of this storefront.')
    }
  })

  test('with a cart that does not exist for the shopper is refused', async () => {
    const id = await createCart(shop, { 1: 1 }, { customer_id: 1 })
    const refused = await generate({ redirectTo: '/', cartId: id }, { customer: 0 })
    expect(refused).toEqual({
      result: null,
      errors: [{ __typename: 'GenerateSessionSyncTokenCartNotFound', message: 'Not Found' }],
    })
  })
})

describe('the validation', () => {
  test('returns customer, token, cart and the facts of the visit, once', async () => {
    const id = await createCart(shop, { 1: 1 }, { customer_id: 1 })
    const visitId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    const analytics = {
      request: { url: 'https://shop.example/', userAgent: 'Test', ip: '10.0.0.9' },
      consent: { targeting: false, analytics: true, functional: true },
    }
    const { result } = await generate({ redirectTo: '/cart', cartId: id, visitId, analytics })
    const { content, errors } = await validate(result.token)
    expect(errors).toEqual([])
    expect(content).toEqual({
      customer: { entityId: 1 },
      customerAccessToken: { value: expect.stringMatching(/^[0-9a-f]{64}_\d+$/), expiresAt: expect.any(String) },
      cart: { entityId: id },
      redirectTo: '/cart',
      analytics: {
        visitId,
        visitorId: null,
        initiator: { visitId },
        request: {
          url: 'https://shop.example/',
          ip: '10.0.0.9',
          userAgent: 'Test',
          referer: null,
          acceptLanguage: null,
        },
        consent: { targeting: false, analytics: true, functional: true },
      },
    })
    const { value } = content.customerAccessToken
    const me = await askStorefront(shop, {
      token: tokens.private,
      query: '{ customer { entityId } }',
      headers: { 'x-svc-customer-access-token': value },
    })
    expect(me.body.data.customer).toEqual({ entityId: 1 })
    expect((await validate(result.token)).errors).toEqual([
      { __typename: 'JwtTokenExpiredError', message: 'The link was used before, or has expired.' },
    ])
  })

  test('refuses links that are expired, forged, of another store or for another address', async () => {
    const invalid = (errorType: string) => [
      { __typename: 'InvalidSessionSyncJwtError', errorType, message: expect.any(String) },
    ]
    const { clock } = await theHouse()
    const old = (await generate({ redirectTo: '/' })).result.token
    clock.move(300_000)
    expect((await validate(old)).errors).toMatchObject([{ __typename: 'JwtTokenExpiredError' }])
    const { token } = (await generate({ redirectTo: '/' })).result
    const [header, claims] = token.split('.')
    expect((await validate(`${header}.${claims}.AAAA`)).errors).toEqual(invalid('OTHER'))
    expect((await validate('x.y.z')).errors).toEqual(invalid('OTHER'))
    expect((await validate('')).errors).toEqual(invalid('OTHER'))
    const bound = (await generate({ redirectTo: '/', ipAddress: '10.0.0.1' })).result.token
    expect((await validate(bound)).errors).toEqual(invalid('SHOPPER_IP_MISMATCH'))
    const other = await openShop()
    const query = { token: await makeToken(other, 'private'), query: VALIDATE, variables: { jwt: token } }
    const elsewhere = await askStorefront(other, query)
    expect(elsewhere.body.data.validateSessionSyncJwt).toEqual({ content: null, errors: invalid('STORE_ID_MISMATCH') })
    // None of these tries has spent the link.
    expect((await validate(token)).errors).toEqual([])
  })

  test('ends with the customer', async () => {
    const { body } = await shop.call('POST', '/customers', [
      { email: 'gone@example.com', first_name: 'G', last_name: 'One' },
    ])
    const { id } = body.data[0]
    const { token } = (await generate({ redirectTo: '/' }, { customer: id })).result
    await shop.call('DELETE', `/customers?id:in=${id}`)
    expect((await validate(token)).content).toBeNull()
  })
})
