// Redirects a client with a fixed host, such as api.bigcommerce.com, to the demo store's server. How:
// docs/fixed-hosts.md
// node examples/fixed-host.mjs api.bigcommerce.com key.pem certificate.pem

import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'

const [host, key, certificate] = process.argv.slice(2)
const { SANDBOX = 'data/sandbox.json', TLS_PORT = '8443', PROXY_PORT = '8888' } = process.env
const { base_url } = JSON.parse(await readFile(SANDBOX, 'utf8'))

// The stand-in for the host: https with the certificate. Each request is forwarded unchanged.
const stand = createTlsServer({ key: await readFile(key), cert: await readFile(certificate) }, (asked, answer) => {
  const { method, url, headers } = asked
  const onward = request(new URL(url, base_url), { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode, answered.headers)
    answered.pipe(answer)
  })
  onward.on('error', (error) => answer.writeHead(502).end(error.message))
  asked.pipe(onward)
})
stand.listen(Number(TLS_PORT), '127.0.0.1')

// For clients with a proxy setting: connections to the host end here, all others go to their target.
const proxy = createServer((_, answer) => answer.writeHead(405).end())
proxy.on('connect', ({ url }, client) => {
  const [name, port] = url.split(':')
  const there = name === host ? connect(stand.address().port, '127.0.0.1') : connect(Number(port), name)
  there.once('connect', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    client.pipe(there).pipe(client)
  })
  client.on('error', () => there.destroy())
  there.on('error', () => client.destroy())
})
proxy.listen(Number(PROXY_PORT), '127.0.0.1', () => {
  console.log(
    `${host} is ${base_url}: HTTPS_PROXY=http://127.0.0.1:${proxy.address().port}, or port ${stand.address().port}`,
  )
})
