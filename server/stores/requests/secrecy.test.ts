import { describe, expect, test } from 'vitest'
import { theHouse } from '../../test/fixtures/shop.ts'
import { hidesBodies, loggedPath, SECRET_NAME } from './secrecy.ts'

/** Fields and parameters that only look like secrets. */
const HARMLESS: Readonly<Record<string, string>> = {
  token: 'the symbol of a currency',
  token_location: 'the side of the symbol',
  decimal_token: 'a separator',
  thousands_token: 'a separator',
  dimension_decimal_token: 'a separator',
  dimension_thousands_token: 'a separator',
  decimalToken: 'a separator',
  thousandsToken: 'a separator',
  currencyToken: 'the symbol of a currency',
}
/** The routes in which `token` is the symbol of a currency. */
const OF_CURRENCIES = /\/v2\/currencies|\/units-of-measurement|\/v2\/store$|\/io\/rfq|\/io\/orders/

/** Routes that change something, and describe no body. */
const WITHOUT_SECRETS: readonly RegExp[] = [
  // They have no body.
  /\/payment_actions\//,
  /\/checkouts\/:checkout_id[^/]*\/orders$/,
  // Files, and values that the operator or the merchant defines.
  /\/media\/upload$/,
  /\/channel-storefront-type$/,
  /\/extra-fields\/\w+\/validate$/,
  /\/pickup-options$/,
]

function secretsIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) if (SECRET_NAME.test(name)) found.add(name)
    }
    secretsIn(value, found)
  }
  return found
}

test('every route whose schemas name a secret hides its bodies', async () => {
  const { mounted } = await theHouse()
  const named = mounted.flatMap(({ method, url, schema }) => {
    const names = [...secretsIn(schema?.body), ...secretsIn(schema?.response), ...secretsIn(schema?.querystring)]
    const secrets = names.filter((name) => !(OF_CURRENCIES.test(url) && HARMLESS[name] !== undefined))
    return secrets.length > 0 ? [{ route: `${method} ${url}`, url, secrets }] : []
  })
  expect(named.length).toBeGreaterThan(30)
  // Requests of the operator are not in this log.
  const open = named.filter(({ url }) => !hidesBodies(url) && !url.startsWith('/operator/'))
  expect(open.map(({ route, secrets }) => `${route}: ${secrets}`)).toEqual([])
  // Forms have no schema: a route that takes one hides its bodies, or is known to have no secret.
  const forms = mounted.filter(({ method, url, schema }) => {
    const isWrite = [method].flat().some((one) => one === 'POST' || one === 'PUT' || one === 'PATCH')
    return isWrite && schema?.body === undefined && !hidesBodies(url) && !url.startsWith('/operator/')
  })
  const unknown = forms.map(({ url }) => url).filter((url) => !WITHOUT_SECRETS.some((known) => known.test(url)))
  expect(unknown).toEqual([])
  // The list is not wider than needed: plain routes keep their bodies.
  const plain = [
    '/stores/:store_hash/v3/catalog/products',
    '/stores/:store_hash/v2/orders',
    '/stores/:store_hash/v2/currencies',
  ]
  expect(plain.filter(hidesBodies)).toEqual([])
})

describe('a path in the log', () => {
  test.each([
    ['/v3/catalog/brands?name=A&page=2', '/v3/catalog/brands', '/v3/catalog/brands?name=A&page=2'],
    ['/v3/catalog/brands', '/v3/catalog/brands', '/v3/catalog/brands'],
    ['/a?token=abc&page=1', '/a', '/a?token=***&page=1'],
    ['/a?page=1&X-Signature=abc', '/a', '/a?page=1&X-Signature=***'],
    ['/a?b=?token=x', '/a', '/a?b=?token=x'],
    ['/login/token/abc.def', '/login/token/:jwt', '/login/token/***'],
    ['/v2/gift_certificates?code=AB1', '/v2/gift_certificates', '/v2/gift_certificates?code=***'],
    ['/v3/abandoned-carts/xyz?a=1', '/v3/abandoned-carts/:token', '/v3/abandoned-carts/***?a=***'],
    ['/a?', '/a', '/a?'],
  ])('%s', (url, template, logged) => {
    expect(loggedPath(url, template)).toBe(logged)
  })
})
