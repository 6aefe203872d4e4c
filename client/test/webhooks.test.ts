import { expect, test } from 'vitest'
import { verifyWebhook, type WebhookEvent } from '../src/index.ts'

// The vector of docs/contract/webhooks.md, section 3.
const SECRET = 'example-client-secret'
const BODY =
  '{"producer":"stores/abc123","hash":"d53943434ee4121dc1028f88a3a1f2ed39aee542","created_at":1561479335,"store_id":"1025646","scope":"store/order/created","data":{"type":"order","id":250}}'
const HEADERS = {
  'webhook-id': 'evt_01J0000000000000000000000A',
  'webhook-timestamp': '1561479336',
  'webhook-signature': 'v1,6iyaH8038SmiXErUzsUKmvXq5IwF1UQRqyrvhIfhlfs=',
}
const NOW = { now: new Date(1_561_479_340_000) }

test('a webhook of the contract is verified and read', async () => {
  const event: WebhookEvent = await verifyWebhook(HEADERS, BODY, SECRET, NOW)
  expect(event).toEqual(JSON.parse(BODY))
  // The scope narrows the data.
  if (event.scope === 'store/order/created') expect(event.data.id satisfies number).toBe(250)
  if (event.scope === 'store/cart/created') expect(event.data.id satisfies string).toBe('never')
})

test('headers and bodies are read in any form', async () => {
  const upper = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), [value]]))
  const several = { ...HEADERS, 'webhook-signature': `v1,AAAA v0,x ${HEADERS['webhook-signature']}` }
  for (const headers of [new Headers(HEADERS), upper, several]) {
    expect(await verifyWebhook(headers, new TextEncoder().encode(BODY), SECRET, NOW)).toHaveProperty('scope')
  }
})

test.each([
  { name: 'without a signature', changed: { 'webhook-signature': undefined }, reason: 'headers' },
  { name: 'with another secret', secret: 'other', reason: 'signature' },
  { name: 'with a changed body', body: BODY.replace('250', '251'), reason: 'signature' },
  { name: 'with a body that was parsed', body: JSON.stringify(JSON.parse(BODY), null, 1), reason: 'signature' },
  { name: 'with a signature that is no base64', changed: { 'webhook-signature': 'v1,%%%' }, reason: 'signature' },
  { name: 'with a time that is no number', changed: { 'webhook-timestamp': 'now' }, reason: 'clock' },
  { name: 'with another time', changed: { 'webhook-timestamp': '1561479337' }, reason: 'signature' },
])('a webhook $name is refused', async ({ changed = {}, body = BODY, secret = SECRET, reason }) => {
  await expect(verifyWebhook({ ...HEADERS, ...changed }, body, secret, NOW)).rejects.toMatchObject({
    name: 'WebhookError',
    reason,
  })
})

test('a clock ten minutes off is named', async () => {
  const late = { now: new Date(1_561_479_336_000 + 600_000) }
  await expect(verifyWebhook(HEADERS, BODY, SECRET, late)).rejects.toThrow(
    'was signed 10 minutes ago. If it was just sent, set the clock',
  )
  const early = { now: new Date(1_561_479_336_000 - 600_000) }
  await expect(verifyWebhook(HEADERS, BODY, SECRET, early)).rejects.toThrow('10 minutes from now')
  expect(await verifyWebhook(HEADERS, BODY, SECRET, { ...late, toleranceSeconds: 601 })).toHaveProperty('data')
})
