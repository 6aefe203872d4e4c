import { catalogKinds } from './catalog.ts'
import { companyKinds } from './companies/companies.ts'
import { contentKinds } from './content.ts'
import { customerKinds } from './customers.ts'
import { emailKinds } from './emails.ts'
import { inventoryKinds } from './inventory.ts'
import type { BundleKind } from './kind.ts'
import { orderKinds } from './orders/orders.ts'
import { priceKinds, priceListKinds } from './prices.ts'
import { promotionKinds } from './promotions.ts'
import { settingKinds } from './settings.ts'
import { shippingKinds } from './shipping.ts'
import { storeKinds } from './store.ts'
import { taxKinds, taxZoneKinds } from './tax.ts'
import { themeKinds } from './themes.ts'

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
  ...shippingKinds,
  ...promotionKinds,
  ...themeKinds,
  ...contentKinds,
  ...settingKinds,
  ...emailKinds,
  ...orderKinds,
  ...companyKinds,
]

/** Data that no bundle has, because no API shows them, because they are secret, or because requests can't make them again. */
export const OMITTED = [
  'passwords of customers: they ask for a new one',
  'cards and other stored instruments',
  'accounts, tokens and secrets of clients',
  'credentials of gateways, tax providers, carriers and sites',
  'metafields that only their client may read, and metafields of carts',
  'discounts and taxes of orders by line, their messages, archived orders, and payments and refunds under way',
  'carts and checkouts',
  'uses of promotions and coupons',
  'shipping methods of carriers, and tax properties',
  'certificates of sites, and addresses of their checkouts',
  'complex rules of products without options and modifiers',
  'published widgets of pages, and reminders of single channels',
  'quotes, shopping lists, attachments, sales staff and super admins of companies, and definitions of extra fields',
  'webhooks, events, jobs and sessions',
] as const
