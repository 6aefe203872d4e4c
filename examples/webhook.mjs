// Creates a product in the demo store, receives its webhook, and verifies the signature of storeward.
// Run npm start in one terminal, node examples/webhook.mjs in another.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const { base_url, store_hash, tokens, clients } = JSON.parse(
  await readFile(process.argv[2] ?? 'data/sandbox.json', 'utf8'),
)

async function call(method, path, body) {
  const answer = await fetch(`${base_url}/stores/${store_hash}/v3${path}`, {
    method,
    headers: { 'X-Auth-Token': tokens.admin, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? undefined : (await answer.json()).data
}

// The client secret signs the callbacks of the client's webhooks; the library expects it in base64.
const verifier = new Webhook(Buffer.from(clients.admin.client_secret).toString('base64'))
const receiver = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  // Throws for a forged or an old callback. Pass the received bytes, not JSON that was parsed and written again.
  const event = verifier.verify(Buffer.concat(chunks).toString(), request.headers)
  response.writeHead(204).end()
  receiver.emit('heard', event)
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

const destination = `http://127.0.0.1:${receiver.address().port}/`
const hook = await call('POST', '/hooks', { scope: 'store/product/created', destination })
const heard = once(receiver, 'heard')
const product = await call('POST', '/catalog/products', {
  name: `Lamp ${Date.now()}`,
  type: 'physical',
  weight: 1,
  price: 49,
})
console.log(`Made product ${product.id}.`)
const [event] = await heard
console.log(`Heard and verified: ${event.scope} ${event.data.id}`)
await call('DELETE', `/hooks/${hook.id}`)
await call('DELETE', `/catalog/products/${product.id}`)
receiver.close()
