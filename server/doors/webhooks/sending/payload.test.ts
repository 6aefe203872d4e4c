import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../../core/secrets/signature.ts'
import { eventId, parseEventId } from './event-id.ts'
import { payloadOf } from './payload.ts'

// The vectors of docs/contract/webhooks.md sections 2 and 3.
const id = 'evt_01J0000000000000000000000A'
const event = {
  id,
  storeId: 1025646,
  storeHash: 'abc123',
  ms: 1561479335_999,
  scope: 'store/order/created',
  data: '{"type":"order","id":250}',
}

test('the hash and the order of keys follow the contract', () => {
  expect(payloadOf(event)).toBe(
    '{"producer":"stores/abc123","hash":"d53943434ee4121dc1028f88a3a1f2ed39aee542","created_at":1561479335,' +
      '"store_id":"1025646","scope":"store/order/created","data":{"type":"order","id":250}}',
  )
})

test('two events never share a hash, even within one second', () => {
  const hashes = new Set(
    Array.from(
      { length: 10_000 },
      (_, i) => JSON.parse(payloadOf({ ...event, id: eventId({ ms: event.ms, seq: i, nonce: 7 }) })).hash,
    ),
  )
  expect(hashes.size).toBe(10_000)
})

test('the signature follows the contract', () => {
  const headers = signatureHeaders(id, new Date(1561479336_000), payloadOf(event), ['example-client-secret'])
  expect(headers).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1561479336',
    'webhook-signature': 'v1,6iyaH8038SmiXErUzsUKmvXq5IwF1UQRqyrvhIfhlfs=',
  })
})

test('an independent verifier accepts it, and refuses a changed byte or a delay of five minutes', () => {
  const verifier = new Webhook(Buffer.from('example-client-secret').toString('base64'))
  const body = payloadOf(event)
  const headers = signatureHeaders(id, new Date(), body, ['example-client-secret'])
  expect(verifier.verify(body, headers)).toMatchObject({ scope: 'store/order/created' })
  expect(() => verifier.verify(body.replace('250', '251'), headers)).toThrow()
  const old = signatureHeaders(id, new Date(Date.now() - 301_000), body, ['example-client-secret'])
  expect(() => verifier.verify(body, old)).toThrow()
})

test('while a secret is replaced, receivers with either secret accept the callback', () => {
  const body = payloadOf(event)
  const headers = signatureHeaders(id, new Date(), body, ['the new one', 'the old one'])
  for (const secret of ['the new one', 'the old one']) {
    expect(new Webhook(Buffer.from(secret).toString('base64')).verify(body, headers)).toBeTruthy()
  }
  expect(() => new Webhook(Buffer.from('another').toString('base64')).verify(body, headers)).toThrow()
})

test('an event id is a ULID that rises with its number and can be parsed', () => {
  const key = { ms: 1_561_479_335_999, seq: 42, nonce: 2 ** 31 - 1 }
  expect(eventId(key)).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(parseEventId(eventId(key))).toEqual(key)
  expect(eventId({ ...key, nonce: 5 }) < eventId({ ...key, seq: 43, nonce: 0 })).toBe(true)
  expect(eventId(key) < eventId({ ...key, ms: key.ms + 1, seq: 1 })).toBe(true)
  for (const odd of [
    '',
    'evt_',
    'evt_01J0000000000000000000000',
    'evt_01J000000000000000000000IL',
    'msg_01J0000000000000000000000A',
  ]) {
    expect(parseEventId(odd)).toBeUndefined()
  }
})

describe('the verifiers of the guide', () => {
  const guide = readFileSync(new URL('../../../../docs/contract/webhook-steps.md', import.meta.url), 'utf8')
  const [, js = ''] = /^```js\n(.*?)^```$/ms.exec(guide) ?? []
  const [, python = ''] = /^```python\n(.*?)^```$/ms.exec(guide) ?? []
  const body = payloadOf(event)
  const secrets = ['example-client-secret', 'an older secret']
  const genuine = signatureHeaders(id, new Date(), body, secrets)
  const old = signatureHeaders(id, new Date(Date.now() - 301_000), body, secrets)
  const cases: [headers: Record<string, string>, body: string, secret: string, isGenuine: boolean][] = [
    [genuine, body, 'example-client-secret', true],
    [genuine, body, 'an older secret', true],
    [genuine, body, 'another secret', false],
    [genuine, body.replace('250', '251'), 'example-client-secret', false],
    [old, body, 'example-client-secret', false],
  ]
  const wanted = cases.map(([, , , isGenuine]) => isGenuine)

  test('in JavaScript accept a genuine callback alone', async () => {
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(js)}`)
    expect(cases.map(([headers, bytes, secret]) => isGenuine(headers, bytes, secret))).toEqual(wanted)
  })

  test('in Python accept a genuine callback alone', (context) => {
    if (spawnSync('python3', ['--version']).status !== 0) return context.skip('there is no python3 on this machine')
    const program = `${python}\nimport json, sys\nfor headers, body, secret, _ in json.load(sys.stdin):\n    print(is_genuine(headers, body.encode(), secret))`
    const { stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify(cases), encoding: 'utf8' })
    expect(stdout.trim().split('\n')).toEqual(wanted.map((isGenuine) => (isGenuine ? 'True' : 'False')))
  })
})
