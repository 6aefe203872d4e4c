import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// There are two times: that of the server, and that of a store, whose clock may be ahead (server/core/db/store-clocks.ts). Code of an area
// uses `db.now` or `tx.now`. These files need the time of the server.

const OF_THE_SERVER: Readonly<Record<string, string>> = {
  'doors/b2b/access/storefront-sign-in.ts': 'before the store of a request is found',
  'doors/b2b/companies/attachments.ts': 'links that are made and read by the same clock',
  'doors/b2b/tokens/backend-tokens.ts': 'before the store of a request is found',
  'doors/b2b/graphql/exports.ts': 'links that are made and read by the same clock',
  'doors/console/store/event-routes.ts': 'attempts have real time',
  'doors/operator/pages/inspector/inspector.ts': 'the inspector belongs to no store',
  'doors/powers/bundles/store-bundles.ts': 'the time of an export, which people read',
  'doors/powers/copies.ts': 'a clock stands later than that of the server',
  'doors/powers/found-stores.ts': 'the end of a test store, which its clock does not move',
  'doors/webhooks/history/history.ts': 'attempts have real time',
  'doors/webhooks/history/upkeep.ts': 'work across stores',
  'doors/webhooks/hooks/hooks.ts': 'blocks of hosts are leases',
  'doors/webhooks/queue/backlog.ts': 'a cache of this process',
  'doors/webhooks/worker/failure-limit.ts': 'counts of this process',
  'doors/webhooks/worker/host-blocks.ts': 'counts of this process',
  'doors/webhooks/worker/lane-sender.ts': 'receivers compare the time of a callback with their own',
  'sales/b2b/documents/pdf-files.ts': 'links that are made and read by the same clock',
  'sales/b2b/quotes/expiry.ts': 'work across stores',
  'sales/carts/time/due-carts.ts': 'work across stores',
  'sales/orders/shopper-payments/process.ts': 'a token of no store',
  'sales/shipping/carriers/quotes.ts': 'a cache of this process',
  'sales/tax/estimates/answer-memory.ts': 'a cache of this process',
  'sales/tax/routes.ts': 'the date of a trial sale',
  'shop/settings/system-logs.ts': 'work across stores',
  'shop/themes/transfer/links.ts': 'links that are made and read by the same clock',
}
const AREAS = /^(shared|shop|goods|customers|sales|content|doors)\/(?!people\/)/ // People belong to no store.

test('areas use the time of the store', () => {
  const root = join(import.meta.dirname, '..')
  const using = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => AREAS.test(file) && file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\bclock\.now\(\)/.test(readFileSync(join(root, file), 'utf8')))
  expect(using.sort()).toEqual(Object.keys(OF_THE_SERVER).sort())
})
