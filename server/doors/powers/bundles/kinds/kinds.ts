import { catalogKinds } from './catalog.ts'
import { contentKinds } from './content.ts'
import { customerKinds } from './customers.ts'
import { inventoryKinds } from './inventory.ts'
import type { BundleKind } from './kind.ts'
import { priceKinds, priceListKinds } from './prices.ts'
import { promotionKinds } from './promotions.ts'
import { storeKinds } from './store.ts'
import { taxKinds, taxZoneKinds } from './tax.ts'

/** All kinds, in the order in which rows refer to each other. */
export const kinds: readonly BundleKind[] = [
  ...storeKinds,
  ...taxKinds,
  ...catalogKinds,
  ...inventoryKinds,
  ...priceListKinds,
  ...customerKinds,
  ...taxZoneKinds,
  ...priceKinds,
  ...promotionKinds,
  ...contentKinds,
]

/** Data that no bundle has, because no API shows them, because they are secret, or because requests can't make them again. */
export const OMITTED = [
  'passwords of customers: they ask for a new one',
  'form fields: an import leaves out their values, which the customers of the bundle have',
  'cards and other stored instruments',
  'accounts, tokens and secrets of clients',
  'credentials of gateways, tax providers, carriers and sites',
  'metafields that only their client may read, and metafields of orders, carts and channels',
  'orders with their payments, carts and checkouts',
  'promotions with their codes, segments and shipping',
  'settings, sites, themes, e-mail templates, widgets with their places, and redirects',
  'companies with their users, quotes and invoices',
  'webhooks, events, jobs and sessions',
] as const
