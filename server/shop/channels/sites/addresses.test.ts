import { expect, test } from 'vitest'
import { Problem } from '../../../core/rest/problem.ts'
import {
  canonicalUrl,
  isDefaultHost,
  isServerAddress,
  readAddress,
  readCheckoutAddress,
  shareDomain,
} from './addresses.ts'

const strict = { domain: 'shops.test', publicUrl: 'https://api.example.com:8443', allowsPorts: false }
const local = { ...strict, allowsPorts: true }

function statusOf(work: () => unknown): number {
  try {
    work()
    return 200
  } catch (error) {
    if (error instanceof Problem) return error.status
    throw error
  }
}

test('an address is kept as it came, but for its scheme and host', () => {
  const kept: [given: string, url: string, key: string][] = [
    ['https://example.com', 'https://example.com', 'example.com'],
    ['HTTPS://WWW.Example.COM/', 'https://www.example.com/', 'example.com'],
    ['http://example.com:80', 'http://example.com:80', 'example.com'],
    ['https://example.com:443/', 'https://example.com:443/', 'example.com'],
    ['http://example.com:443', 'http://example.com:443', 'example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['http://localhost', 'http://localhost', 'localhost'],
    ['http://127.0.0.1', 'http://127.0.0.1', '127.0.0.1'],
    ['http://2130706433', 'http://127.0.0.1', '127.0.0.1'],
    ['http://[::1]', 'http://[::1]', '[::1]'],
    ['http://[2001:DB8:0::1]/', 'http://[2001:db8::1]/', '[2001:db8::1]'],
  ]
  for (const [given, url, key] of kept) expect(readAddress(given, strict)).toMatchObject({ url, key })
})

test.each([
  '',
  'example.com',
  'ftp://example.com',
  'https:/example.com',
  'https://',
  'https:///path',
  'https://user@example.com',
  'https://user:secret@example.com',
  'https://example.com/shop',
  'https://example.com//',
  'https://example.com?a=1',
  'https://example.com/?',
  'https://example.com#top',
  'https://shop',
  'https://example.com.',
  'https://.example.com',
  'https://exa_mple.com',
  'https://-a.example.com',
  'https://a..example.com',
  'https://exam ple.com',
  'https://example.com\\@other.com',
  'https://example.com\n',
  'https://[::1',
  'https://1.2.3.256',
  'https://example.com:',
  'https://example.com:0',
  'https://example.com:65536',
  'https://example.com:8O',
  `https://${'a'.repeat(64)}.com`,
  `https://${'a.'.repeat(130)}com`,
])('%j is no address of a site', (given) => {
  expect(statusOf(() => readAddress(given, local))).toBe(422)
})

test('another port than the usual ones is refused with 400, unless the settings allow it', () => {
  expect(statusOf(() => readAddress('http://localhost:3000', strict))).toBe(400)
  expect(readAddress('http://localhost:3000', local)).toEqual({
    url: 'http://localhost:3000',
    host: 'localhost',
    key: 'localhost:3000',
  })
})

test('the address of a checkout may lack its scheme', () => {
  expect(readCheckoutAddress('checkout.example.com', strict).url).toBe('https://checkout.example.com')
  expect(readCheckoutAddress('http://checkout.example.com/', strict).url).toBe('http://checkout.example.com/')
  expect(statusOf(() => readCheckoutAddress('checkout.example.com/pay', strict))).toBe(422)
})

test('hosts that the server gives are reserved', () => {
  const reserved = ['store-abc123.shops.test', 'store-abc123-664159.shops.test', 'www.store-x.shops.test']
  for (const host of reserved) expect(isDefaultHost(host, strict)).toBe(true)
  const free = ['shops.test', 'my.shops.test', 'store-a.b.shops.test', 'store-abc.other.test', 'xstore-a.shops.test']
  for (const host of free) expect(isDefaultHost(host, strict)).toBe(false)
})

test.each([
  ['https://api.example.com', true],
  ['http://WWW.API.example.com:80', true],
  ['https://api.example.com:8443', true],
  // Another port is another server.
  ['https://api.example.com:3000', false],
  ['https://www.example.com', false],
  ['https://my.api.example.com', false],
  ['https://shops.test', true],
  ['https://www.shops.test', true],
  ['https://admin.shops.test', true],
  ['https://a.b.shops.test/', true],
  ['https://my-shops.test', false],
])("%s is the server's own: %s", (given, isOwn) => {
  expect(isServerAddress(readAddress(given, local), local)).toBe(isOwn)
})

test.each([
  ['shop.example.com', 'checkout.example.com', true],
  ['example.com', 'checkout.example.com', true],
  ['www.example.co.uk', 'checkout.example.co.uk', true],
  ['one.co.uk', 'other.co.uk', false],
  ['example.com', 'example.org', false],
  ['one.github.io', 'other.github.io', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['localhost', 'localhost', true],
  ['localhost', 'example.com', false],
  ['shop.internal.test', 'checkout.internal.test', true],
])('%s and %s belong together: %s', async (one, other, are) => {
  expect(await shareDomain(one, other)).toBe(are)
})

test('a default address has the port of https, unless it is 443', () => {
  const urlAt = (httpsPort?: number) => canonicalUrl('abc', 1, { domain: 'shops.test', httpsPort })
  expect([urlAt(), urlAt(0), urlAt(443), urlAt(8_081)]).toEqual([
    'https://store-abc.shops.test',
    'https://store-abc.shops.test',
    'https://store-abc.shops.test',
    'https://store-abc.shops.test:8081',
  ])
  expect(canonicalUrl('abc', 7, { domain: 'shops.test', httpsPort: 8_081 })).toBe('https://store-abc-7.shops.test:8081')
})
