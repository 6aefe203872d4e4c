import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSettings, misspeltSettings, readConfig } from './config.ts'

test('without settings each value is the default that --help shows', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8_080,
    dataFolder: resolve('data'),
    publicUrl: undefined,
    docsBase: undefined,
    databaseUrl: undefined,
    directoryUrl: undefined,
    cells: undefined,
    secret: undefined,
    logLevel: 'info',
    headerPrefix: 'X-Svc',
    requireHttps: false,
    trustProxy: undefined,
    failedLoginsMax: 100,
    connectionsMax: 10_000,
    poolSize: 8,
    headersSeconds: 10,
    requestSeconds: 30,
    idleSeconds: 60,
    drainSeconds: 5,
    stopSeconds: 20,
    role: 'all',
    webhookJitter: 10,
    outgoingSubnets: [],
    webhookOrigins: [],
  })
})

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['HTTPS_PORT', '', { httpsPort: undefined }],
  ['HTTPS_PORT', '0', { httpsPort: 0 }],
  ['HTTPS_PORT', '65535', { httpsPort: 65_535 }],
  ['STOREWARD_DATA', '/srv/storeward', { dataFolder: '/srv/storeward' }],
  ['STOREWARD_DATA', 'here/../there', { dataFolder: resolve('there') }],
  ['PUBLIC_URL', 'https://shop.example', { publicUrl: 'https://shop.example' }],
  ['PUBLIC_URL', 'https://shop.example/api/', { publicUrl: 'https://shop.example/api' }],
  ['DOCS_BASE', 'http://docs.example/', { docsBase: 'http://docs.example' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['HEADER_PREFIX', 'X-Acme', { headerPrefix: 'X-Acme' }],
  ['REQUIRE_HTTPS', 'true', { requireHttps: true }],
  ['TRUST_PROXY', '1', { trustProxy: 1 }],
  ['TRUST_PROXY', '9', { trustProxy: 9 }],
  ['TRUST_PROXY', ' 10.0.0.0/8 ::1/128 ', { trustProxy: ['10.0.0.0/8', '::1/128'] }],
  ['POOL_SIZE', '1', { poolSize: 1 }],
  ['ROLE', 'worker', { role: 'worker' }],
  ['WEBHOOK_JITTER', '0', { webhookJitter: 0 }],
  ['WEBHOOK_JITTER', '50', { webhookJitter: 50 }],
  ['OUTGOING_SUBNETS', ' 10.0.0.0/8  ::1/128 ', { outgoingSubnets: ['10.0.0.0/8', '::1/128'] }],
  ['WEBHOOK_ORIGINS', 'http://a.internal http://[::1]:*', { webhookOrigins: ['http://a.internal', 'http://[::1]:*'] }],
])('%s=%s is read', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toEqual({ ...readConfig({}), ...expected })
})

test('an empty setting counts as missing', () => {
  const names = [...describeSettings().matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name = '']) => name)
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test.each([
  ['PORT', 'http', 'PORT must be a whole number, not "http".'],
  ['PORT', '-1', 'PORT must be a whole number, not "-1".'],
  ['PORT', '80.5', 'PORT must be a whole number, not "80.5".'],
  ['PORT', ' 80', 'PORT must be a whole number, not " 80".'],
  ['PORT', '65536', 'PORT must be at most 65535, not 65536.'],
  ['HTTPS_PORT', '65536', 'HTTPS_PORT must be at most 65535, not 65536.'],
  ['POOL_SIZE', '0', 'POOL_SIZE must be at least 1, not 0.'],
  ['REQUIRE_HTTPS', 'yes', 'REQUIRE_HTTPS must be true or false, not "yes".'],
  [
    'TRUST_PROXY',
    'true',
    'TRUST_PROXY=true would believe any address that a client sends. Set the number of proxies in front of the server, ' +
      'such as 1, or their subnets, such as 10.0.0.0/8.',
  ],
  ['DATABASE_URL', 'db.internal/shop', 'DATABASE_URL must be like postgres://user:password@host:5432/name.'],
  ['DIRECTORY_URL', 'mysql://a:b@c/d', 'DIRECTORY_URL must be like postgres://user:password@host:5432/name.'],
  ['ROLE', 'both', 'ROLE must be one of api, worker, all, not "both".'],
  ['WEBHOOK_JITTER', '51', 'WEBHOOK_JITTER must be at most 50, not 51.'],
  ['OUTGOING_SUBNETS', '10.0.0.0/8 10.1/8', 'OUTGOING_SUBNETS: "10.1/8" is not like 10.0.0.0/8 or ::1/128.'],
  [
    'WEBHOOK_ORIGINS',
    'http://a.internal/hooks',
    'WEBHOOK_ORIGINS: "http://a.internal/hooks" is not like http://receiver.internal or http://localhost:*.',
  ],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, silent, not "loud".'],
  ['HEADER_PREFIX', 'X Acme', 'HEADER_PREFIX must be letters, digits and hyphens, not "X Acme".'],
  ['PUBLIC_URL', 'shop.example', 'PUBLIC_URL must be an http or https address, not "shop.example".'],
  [
    'PUBLIC_URL',
    'https://shop.example?x=1',
    'PUBLIC_URL must be an http or https address, not "https://shop.example?x=1".',
  ],
  ['DOCS_BASE', 'ftp://docs.example', 'DOCS_BASE must be an http or https address, not "ftp://docs.example".'],
])('%s=%s is refused by name', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(new Error(sentence))
})

test.each(['0', '10', '-1', '1.5', 'false', '10.0.0.1', '0.0.0.0/0', '::/0'])('TRUST_PROXY=%s is refused', (value) => {
  expect(() => readConfig({ TRUST_PROXY: value })).toThrow(
    new Error(`TRUST_PROXY must be 1 to 9, or subnets like 10.0.0.0/8 or ::1/128; "${value}" is neither.`),
  )
})

test.each(['DATABASE_URL', 'DIRECTORY_URL', 'CELLS'])('%s needs SECRET', (name) => {
  expect(() => readConfig({ [name]: 'postgres://somewhere/storeward' })).toThrow(
    /^DATABASE_URL, DIRECTORY_URL and CELLS need SECRET: /,
  )
  expect(() => readConfig({ [name]: 'postgres://somewhere/storeward', SECRET: 'x'.repeat(32) })).not.toThrow()
})

test('all mistakes are reported at once', () => {
  expect(() => readConfig({ PORT: 'x', FETCH_IMAGES: 'x' })).toThrow(
    new Error('PORT must be a whole number, not "x".\nFETCH_IMAGES must be true or false, not "x".'),
  )
})

test('the description has a line with a sentence for every setting, and all names differ', () => {
  const lines = describeSettings().split('\n')
  expect(lines).toHaveLength(Object.keys(readConfig({})).length)
  for (const line of lines) expect(line).toMatch(/^ {2}[A-Z][A-Z0-9_]+ +\S.*\.( \[.+\])?$/)
  expect(new Set(lines.map((line) => line.trim().split(' ')[0])).size).toBe(lines.length)
})

describe('names in the environment', () => {
  test.each([
    ['POLL_SIZE', 'POOL_SIZE'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PROT', 'PORT'],
    ['SECERT', 'SECRET'],
    ['STOREWARD_DATE', 'STOREWARD_DATA'],
  ])('%s is reported as a misspelt %s', (value, meant) => {
    expect(misspeltSettings({ [value]: 'x', PORT: '1' })).toEqual([`${value} is not a setting. Did you mean ${meant}?`])
  })

  test('settings, and names of other programs that are close to short ones, are not', () => {
    const settings = Object.fromEntries(
      [...describeSettings().matchAll(/^ {2}([A-Z0-9_]+)/gm)].map(([, name = '']) => [name, '']),
    )
    const others = ['HOME', 'NODE', 'MODE', 'PATH', 'PWD', 'SHELL', 'TERM', 'USER', 'LANG', 'MAIL', 'HOSTNAME', 'TZ']
    const more = [
      'AWS_REGION',
      'NODE_ENV',
      'PGHOST',
      'PGPORT',
      'SMTP_USER',
      'DATABASE_USER',
      'HTTP_PROXY',
      'npm_node_execpath',
    ]
    expect(
      misspeltSettings({ ...settings, ...Object.fromEntries([...others, ...more].map((name) => [name, 'x'])) }),
    ).toEqual([])
  })
})
