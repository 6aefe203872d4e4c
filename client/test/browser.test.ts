import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { openShop } from '../../server/test/fixtures/shop.ts'
import { testInBrowser } from '../../server/test/harness/browser.ts'
import { openPort, type Port } from '../../test/port.ts'
import { clientOf } from './clients.ts'

// The client in a page and in a worker of a browser: the storefront, and no token of an account.

const source = join(import.meta.dirname, '../src')

let port: Port
let pages: Server
let origin: string
beforeAll(async () => {
  port = await openPort()
  // A page of a shop, and the modules of the client without their types.
  pages = createServer((request, response) => {
    const path = request.url ?? ''
    if (!path.endsWith('.ts'))
      return void response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Shop</title>')
    const file = join(source, path.startsWith('/generated/') ? 'generated' : '', basename(path))
    const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    response.setHeader('Content-Type', 'text/javascript').end(code)
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const address = pages.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  pages.close()
  pages.closeAllConnections()
  port.close()
})

testInBrowser('the client asks the storefront, and refuses the token of an account', async (browser) => {
  const shop = await openShop()
  const { token } = await clientOf(port, shop).storefront.apiToken.create({
    channel_id: 1,
    expires_at: 0,
    allowed_cors_origins: [origin],
  })
  const given = {
    url: port.origin,
    storeHash: shop.store.hash,
    storefrontToken: token,
    secret: shop.admin.access_token,
  }
  // The same text runs in the page and in a worker.
  const program = `async ({ url, storeHash, storefrontToken, secret }) => {
    const { storeward } = await import('${origin}/index.ts')
    const said = (error) => error.name + ': ' + error.message
    const store = storeward({ url, storeHash, storefrontToken })
    return {
      data: await store.graphql('{ site { settings { storeName } } }'),
      mistake: await store.graphql('{ nonsense }').catch((error) => error.name),
      list: await store.products.list().all().catch((error) => error.name),
      refused: (() => { try { storeward({ url, storeHash, token: secret }) } catch (error) { return said(error) } })(),
    }
  }`
  const page = await browser.newPage()
  await page.goto(origin)
  const inPage: unknown = await page.evaluate(`(${program})(${JSON.stringify(given)})`)
  const worker = `
    const program = ${program}
    program(${JSON.stringify(given)}).then(postMessage, (error) => postMessage({ failed: String(error) }))`
  const inWorker: unknown = await page.evaluate(
    `new Promise((resolve) => {
      const address = URL.createObjectURL(new Blob([${JSON.stringify(worker)}], { type: 'text/javascript' }))
      new Worker(address, { type: 'module' }).onmessage = ({ data }) => resolve(data)
    })`,
  )
  const expected = {
    data: { site: { settings: { storeName: 'A shop' } } },
    mistake: 'GraphqlError',
    // The management API answers no other origin.
    list: expect.stringMatching(/Error$/),
    refused: expect.stringMatching(/^StorewardError: A browser must not have the `token` of an API account/),
  }
  expect(inPage).toEqual(expected)
  expect(inWorker).toEqual(expected)
})
