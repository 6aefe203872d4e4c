import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../../server/core/db/setup/embedded.ts'
import {
  asAdministrator,
  clientOf,
  figure,
  isFull,
  newFolder,
  newShop,
  percentile,
  sized,
  startServer,
  until,
  whenFileEnds,
} from '../rig.ts'

// Very many carts are due at once, at two servers: each idle one is published once, each shopper with an address is reminded once, and
// expired ones are deleted without an event. No piece locks its carts for long.

const [IDLE, EXPIRED, REMINDED] = [sized(70_000, 300), sized(29_000, 250), sized(1_000, 20)]
const LOCK_MAX_MS = 100
const LOOK_MS = 5
const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()

const SETTINGS = {
  enable_notification: true,
  email_customer_until_cart_is_recovered: true,
  marketing_emails_require_customer_consent: false,
  email_merchant_when_cart_is_converted: false,
  email_merchant_when_cart_is_abandoned: false,
  merchant_email_address: 'boss@example.com',
  merchant_abandoned_cart_email_frequency_type: 'individual',
  merchant_abandoned_cart_digest_email_frequency: 2,
}

/** Copies of the only cart of a store, with a prefix of their ids. They were changed 61 minutes ago. */
const COPIES = `
  insert into carts select copy.* from carts cart, generate_series(1, $2::int) n,
    lateral jsonb_populate_record(cart, jsonb_build_object('id', $1 || right(md5(n::text)::uuid::text, 28),
      'email', case when $3 then 'shopper' || n || '@example.com' else '' end,
      'email_key', case when $3 then 'shopper' || n || '@example.com' else '' end,
      'updated_at', now() - interval '61 minutes', 'idle_at', now() - interval '1 minute', 'due_at', now() - interval '1 minute',
      'expires_at', case when $4 then now() else now() + interval '29 days' end)) copy
  where cart.id = $5`

/** The age of the oldest transaction that has written carts, in milliseconds. */
const OLDEST_LOCK = `
  select coalesce(max(extract(epoch from clock_timestamp() - activity.xact_start) * 1000), 0)::float8 as ms
  from pg_stat_activity activity join pg_locks held on held.pid = activity.pid and held.granted
    and held.relation = 'carts'::regclass and held.mode = 'RowExclusiveLock'
  where activity.usename = 'storeward'`

const EVENTS = `select data::json ->> 'id' as id from events where scope = 'store/cart/abandoned'`

test(
  'C-140: 100,000 carts that are due at once are published, reminded of and deleted once each, by two servers',
  options,
  async () => {
    const { folder } = await newFolder(atEnd)
    const database = await startEmbedded({ folder })
    atEnd(() => database.stop())
    const url = new URL(database.url)
    url.pathname = '/storeward'
    const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
    const shop = await newShop(folder)
    const first = await startServer(folder, env, atEnd)
    const call = clientOf(first, shop)
    expect((await call('PUT', '/abandoned-carts/settings', SETTINGS)).status).toBe(200)
    expect((await call('POST', '/marketing/abandoned-cart-emails', { notify_at_minutes: 60 })).status).toBe(200)
    const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]
    const { id } = (await call('POST', '/carts', { custom_items })).body.data
    first.child.kill('SIGTERM')
    await first.ended

    await asAdministrator(folder, async (client) => {
      await client.query(COPIES, ['aaaaaaaa', IDLE, false, false, id])
      await client.query(COPIES, ['bbbbbbbb', EXPIRED, false, true, id])
      await client.query(COPIES, ['cccccccc', REMINDED, true, false, id])
      await client.query('vacuum analyze carts')
      const began = performance.now()
      await Promise.all([startServer(folder, env, atEnd), startServer(join(folder, 'second'), env, atEnd)])

      const locks: number[] = []
      const isDone = async () => {
        locks.push((await client.query(OLDEST_LOCK)).rows[0].ms)
        await sleep(LOOK_MS)
        const { rows } = await client.query('select 1 from carts where due_at <= now() limit 1')
        return rows.length === 0
      }
      await until('no cart is due', isDone, options.timeout)
      const seconds = (performance.now() - began) / 1_000

      const { rows: events } = await client.query<{ id: string }>(EVENTS)
      expect(events).toHaveLength(IDLE + REMINDED)
      expect(new Set(events.map((event) => event.id)).size).toBe(IDLE + REMINDED)
      const { rows: left } = await client.query(
        `select spell, count(*)::int from carts where id <> $1 group by spell`,
        [id],
      )
      expect(left).toEqual([{ spell: 1, count: IDLE + REMINDED }])
      const { rows: mails } =
        await client.query(`select count(*)::int, count(distinct recipient)::int as shoppers from (
      select recipient from owed_emails union all select recipient from mails) one`)
      expect(mails).toEqual([{ count: REMINDED, shoppers: REMINDED }])
      const [usual, longest] = [percentile(locks, 0.99), Math.max(...locks)]
      figure(
        'C-140',
        `${IDLE} idle, ${EXPIRED} expired and ${REMINDED} reminded carts at two servers in ${seconds.toFixed(0)} s; transactions that lock carts are ${usual.toFixed(0)} ms old at p99 and ${longest.toFixed(0)} at most, of ${locks.length} looks`,
      )
      if (isFull) expect(usual).toBeLessThan(LOCK_MAX_MS)
    })
  },
)
