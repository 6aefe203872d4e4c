import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { assign } from '../../../shop/channels/currencies/assignments.ts'
import { createCurrency } from '../../../shop/channels/currencies/currencies-v2.ts'
import { SiteHosts } from '../../../shop/channels/sites/hosts.ts'
import { addressFor } from '../../../shop/channels/sites/needed-hosts.ts'
import { findSiteOfChannel } from '../../../shop/channels/sites/shape.ts'
import { changeSite, createSite } from '../../../shop/channels/sites/sites.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

const euro = {
  name: 'Euro',
  currency_code: 'EUR',
  country_iso2: 'DE',
  currency_exchange_rate: '0.9200000000',
  token_location: 'right',
  token: '€',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
  is_transactional: true,
} as const
const yen = {
  name: 'Yen',
  currency_code: 'JPY',
  country_iso2: 'JP',
  currency_exchange_rate: '150.0000000000',
  token_location: 'left',
  token: '¥',
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 0,
} as const

/** The currencies of each type of channel, and the address of its site; a point of sale has none. A developer serves a shop at port 3000. */
const SHOPS: Readonly<Record<string, { currencies: string[]; site?: string }>> = {
  storefront: { currencies: ['USD', 'EUR', 'JPY'], site: 'http://localhost:3000' },
  marketplace: { currencies: ['EUR', 'USD'], site: 'https://market.demo.example.com' },
  pos: { currencies: ['USD'] },
}

/** Gives the demo store three currencies, and each of its channels some of them and a site. */
export async function openShops(tx: Tx, directory: Directory) {
  for (const currency of [euro, yen]) await createCurrency(tx, currency)
  const channels = await tx.rows<{ id: number; type: string }>(
    sql`select id, type from channels where store_id = ${tx.store.id} order by id`,
  )
  const shops = channels.flatMap(({ id, type }) => (SHOPS[type] ? [{ channel_id: id, ...SHOPS[type] }] : []))
  const assignments = shops.map(({ channel_id, currencies: [first = 'USD', ...others] }) => ({
    channel_id,
    enabled_currencies: [first, ...others],
    default_currency: first,
  }))
  await assign(tx, assignments, (i) => `${i}.`)
  const parts = {
    hosts: new SiteHosts(directory),
    rules: { domain: 'localhost', publicUrl: 'http://localhost', allowsPorts: true },
  }
  for (const { channel_id, site } of shops) {
    if (site === undefined) continue
    if (channel_id === FIRST_CHANNEL)
      await changeSite(tx, parts, await findSiteOfChannel(tx, channel_id), { url: site })
    else await createSite(tx, parts, channel_id, addressFor(tx.store, channel_id, site, parts))
  }
}
