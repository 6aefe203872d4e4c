import { openBlogPage } from '../../content/pages/blog-page.ts'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Client } from '../../core/rest/api.ts'
import { readCounters } from '../../core/rest/lists/counters.ts'
import { assignChannels, unassignChannels } from '../../goods/catalog/product-row/channels.ts'
import { listedProducts } from '../../goods/catalog/routes.ts'
import { createMetafield } from '../../shared/metafields/metafields.ts'
import { channelMetafields, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { saveListings } from '../../shop/channels/listings.ts'
import { replaceMenus } from '../../shop/channels/menus.ts'
import { createChannel } from '../../shop/channels/routes.ts'

/** Every third product is on the marketplace, every second at the counter; every 25th is sold at the counter only. */
const EVERY = { marketplace: 3, counter: 2, counterOnly: 25 }
/** Products of the marketplace that have a listing there. */
const LISTED = 48

const STATES = ['active', 'active', 'active', 'pending', 'disabled', 'rejected'] as const

const MENUS = {
  marketplace: {
    bigcommerce_protected_app_sections: ['currencies', 'notifications'],
    custom_app_sections: [
      { title: 'Listings', query_path: 'listings' },
      { title: 'Fees and payouts', query_path: 'payouts' },
    ],
  },
  counter: {
    bigcommerce_protected_app_sections: ['payments', 'currencies'],
    custom_app_sections: [{ title: 'Opening hours', query_path: 'hours' }],
  },
} as const

/** The store also sells on a marketplace and at a counter. @param client who notes something about both */
export async function openChannels(tx: Tx, client: Client) {
  const market = await createChannel(
    tx,
    { name: 'Nordic-Makers-on-Etsy', type: 'marketplace', platform: 'etsy', external_id: 'shop-48213377' },
    openBlogPage,
  )
  const counter = await createChannel(
    tx,
    {
      name: 'Copenhagen-Studio',
      type: 'pos',
      platform: 'square',
      external_id: 'LH2Q8CPH',
      is_listable_from_ui: false,
    },
    openBlogPage,
  )

  const count = (await readCounters(tx)).get('products')?.last_id ?? 0
  const products = Array.from({ length: count }, (_, i) => i + 1)
  const everyNth = (n: number) => products.filter((id) => id % n === 0)
  const counterOnly = everyNth(EVERY.counterOnly)
  const onMarket = everyNth(EVERY.marketplace).filter((id) => !counterOnly.includes(id))
  const atCounter = [...new Set([...everyNth(EVERY.counter), ...counterOnly])]
  await assignChannels(tx, [
    ...onMarket.map((product_id) => ({ product_id, channel_id: market.id })),
    ...atCounter.map((product_id) => ({ product_id, channel_id: counter.id })),
  ])
  await unassignChannels(tx, sql`channel_id = ${FIRST_CHANNEL} and product_id = any(${counterOnly})`)

  await list(tx, market.id, onMarket.slice(0, LISTED))
  await replaceMenus(tx, market.id, copyOf(MENUS.marketplace))
  await replaceMenus(tx, counter.id, copyOf(MENUS.counter))
  const note = (channel: number, key: string, value: string) =>
    createMetafield(
      tx,
      client,
      { owner: channelMetafields, thing: { id: channel } },
      {
        namespace: 'operations',
        key,
        value,
        permission_set: 'read',
      },
    )
  await note(market.id, 'fee_percent', '6.5')
  await note(market.id, 'account_manager', 'Ida Lund')
  await note(counter.id, 'opening_hours', 'Tue-Sat 11:00-18:00')
  await note(counter.id, 'till_count', '2')
}

/** Lists products with all their variants. */
async function list(tx: Tx, channel: number, productIds: readonly number[]) {
  const count = (await readCounters(tx)).get('variants')?.last_id ?? 0
  const owners = await listedProducts.ofVariants(
    tx,
    Array.from({ length: count }, (_, i) => i + 1),
  )
  const variants = Map.groupBy(owners.keys(), (id) => owners.get(id) ?? 0)
  const inputs = productIds.map((product_id, position) => {
    const state = STATES[position % STATES.length] ?? 'active'
    const ofProduct = (variants.get(product_id) ?? []).map((variant_id) => ({ variant_id, product_id, state }))
    return { position, product_id, state, external_id: `etsy-${1_204_800_000 + product_id}`, variants: ofProduct }
  })
  await saveListings(tx, listedProducts, channel, inputs)
}

const copyOf = (menus: (typeof MENUS)[keyof typeof MENUS]) => ({
  bigcommerce_protected_app_sections: [...menus.bigcommerce_protected_app_sections],
  custom_app_sections: [...menus.custom_app_sections],
})
