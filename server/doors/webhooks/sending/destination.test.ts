import { describe, expect, test } from 'vitest'
import { Addresses } from '../../../core/net/addresses.ts'
import { readConfig } from '../../../process/config.ts'
import { refuseDestination } from './destination.ts'

const hosts: Record<string, string[]> = {
  'example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'xn--mller-kva.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.1', 'fd00::1'],
  'metadata.example': ['169.254.169.254'],
  'loop.example': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1', '::1'],
}
const resolve = async (host: string) => hosts[host] ?? Promise.reject(new Error('ENOTFOUND'))

const production = { addresses: new Addresses([], resolve), origins: [] }
const sandbox = {
  addresses: new Addresses(['127.0.0.0/8', '::1/128'], resolve),
  origins: ['http://localhost:8080', 'http://loop.example:*', 'https://127.0.0.1:8443', 'http://inside.example'],
}

const FORM = 'The destination must be an address such as https://example.com/webhooks.'
const HTTPS = 'The destination must begin with https://, unless WEBHOOK_ORIGINS allows it otherwise.'
const PORT = 'The destination must use port 443, unless WEBHOOK_ORIGINS allows it otherwise.'
const USER = 'The destination must have no user name and no password.'
const FRAGMENT = 'The destination must have no fragment.'
const HOST = 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.'
const LENGTH = 'The destination must have at most 2048 characters.'

const long = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`

test.each([
  'https://example.com',
  'https://example.com/webhooks?shop=1&at=a%20b',
  'https://example.com:443/webhooks',
  'HTTPS://EXAMPLE.COM/',
  'https://müller.example/hooks',
  'https://example.com/a@b',
  'https://93.184.216.34/hooks',
  'https://[2606:2800:220:1::1]/hooks',
  long(2_048),
])('a hook may have the destination %s', async (destination) => {
  expect(await refuseDestination(destination, production)).toBeUndefined()
})

test.each([
  ['http', 'http://example.com/', HTTPS],
  ['another port', 'https://example.com:8443/', PORT],
  ['port 80', 'https://example.com:80/', PORT],
  ['user info', 'https://me:secret@example.com/', USER],
  ['a user without a name', 'https://@example.com/', USER],
  ['a fragment', 'https://example.com/#top', FRAGMENT],
  ['an empty fragment', 'https://example.com/#', FRAGMENT],
  ['2,049 characters', long(2_049), LENGTH],
  ['a million characters', long(1_000_000), LENGTH],
  ['no address', 'webhooks', FORM],
  ['nothing', '', FORM],
  ['no scheme', '//example.com/', FORM],
  ['no host', 'https:///', FORM],
  ['another scheme', 'ftp://example.com/', FORM],
  ['a file', 'file:///etc/passwd', FORM],
  ['a script', 'javascript:alert(1)', FORM],
  ['a line end', 'https://example.com/\r\nx: y', FORM],
  ['a null character', 'https://example.com/\0', FORM],
  ['a tab in the host', 'https://exa\tmple.com/', FORM],
  ['a blank before', ' https://example.com/', FORM],
  ['a backslash', 'https:\\\\example.com\\', FORM],
  ['a backslash before the host', 'https://example.com\\@127.0.0.1/', FORM],
  ['no slashes', 'https:example.com', FORM],
  ['a port that is none', 'https://example.com:99999/', FORM],
  ['a host with a blank in code', 'https://exa%20mple.com/', FORM],
])('a hook may not have %s: %s', async (_, destination, sentence) => {
  expect(await refuseDestination(destination, production)).toBe(sentence)
})

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://ⓛocalhost/',
  'https://inside.example/',
  'https://metadata.example/',
  'https://loop.example/',
  'https://nowhere.example/',
])('a hook may not lead into this network or nowhere: %s', async (destination) => {
  expect(await refuseDestination(destination, production)).toBe(HOST)
})

describe('an origin on the list', () => {
  test.each([
    'http://localhost:8080/inspect/one',
    'http://loop.example/',
    'http://loop.example:3000/',
    'https://127.0.0.1:8443/',
    'https://localhost/',
  ])('needs neither https nor port 443: %s', async (destination) => {
    expect(await refuseDestination(destination, sandbox)).toBeUndefined()
  })

  test.each([
    ['http://localhost:8081/', HTTPS],
    ['http://localhost/', HTTPS],
    ['https://localhost:8080/', PORT],
    ['https://loop.example:3000/', PORT],
    ['http://sub.loop.example:3000/', HTTPS],
    ['http://127.0.0.1:8443/', HTTPS],
    ['http://inside.example:80/', HOST],
    ['http://10.0.0.1/', HTTPS],
    ['http://me@localhost:8080/', USER],
    ['http://localhost:8080/#top', FRAGMENT],
  ])('frees no other origin: %s', async (destination, sentence) => {
    expect(await refuseDestination(destination, sandbox)).toBe(sentence)
  })
})

describe('settings', () => {
  test('of a plain installation allow nothing', () => {
    expect(readConfig({})).toMatchObject({ outgoingSubnets: [], webhookOrigins: [] })
  })

  test('are lists separated by blanks', () => {
    const OUTGOING_SUBNETS = ' 127.0.0.0/8  ::1/128 '
    const WEBHOOK_ORIGINS = 'http://localhost:* https://receiver.internal:8443'
    expect(readConfig({ OUTGOING_SUBNETS, WEBHOOK_ORIGINS })).toMatchObject({
      outgoingSubnets: ['127.0.0.0/8', '::1/128'],
      webhookOrigins: ['http://localhost:*', 'https://receiver.internal:8443'],
    })
  })

  test.each([
    ['OUTGOING_SUBNETS', '127.0.0.1'],
    ['OUTGOING_SUBNETS', '127.0.0.0/8,10.0.0.0/8'],
    ['OUTGOING_SUBNETS', 'localhost'],
    ['WEBHOOK_ORIGINS', 'localhost:8080'],
    ['WEBHOOK_ORIGINS', 'http://localhost:8080/'],
    ['WEBHOOK_ORIGINS', 'http://Localhost:8080'],
    ['WEBHOOK_ORIGINS', 'http://localhost:80'],
    ['WEBHOOK_ORIGINS', 'ftp://localhost'],
    ['WEBHOOK_ORIGINS', 'http://*:8080'],
    ['WEBHOOK_ORIGINS', '*'],
  ])('are refused by name if they are malformed: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: "${value.split(' ')[0]}" is not like`)
  })
})
