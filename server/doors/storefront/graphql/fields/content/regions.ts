import { renderRegions } from '../../../../../content/widgets/placements/rendered-regions.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'

/** A page with widgets: the file of its template, and the id of its entity, which is empty without one. */
export interface WidgetPage {
  file: string
  entity: string
}

declare module '../../types.ts' {
  interface Parents {
    RenderedRegionsByPageType: WidgetPage
  }
}

/** The files of pages whose name follows another rule than that of their type. */
const FILES: Readonly<Record<string, string>> = {
  ACCOUNT_ADDRESS: 'account/addresses',
  AUTH_CREATE_ACC: 'auth/create-account',
  AUTH_FORGOT_PASS: 'auth/forgot-password',
  AUTH_NEW_PASS: 'auth/new-password',
  AUTH_ACCOUNT_CREATED: 'auth/account-created',
  ACCOUNT_ORDERS_ALL: 'account/orders/all',
  ACCOUNT_ORDERS_COMPLETED: 'account/orders/completed',
  ACCOUNT_ORDERS_DETAILS: 'account/orders/details',
  ACCOUNT_ORDERS_INVOICE: 'account/orders/invoice',
  GIFT_CERT_BALANCE: 'gift-certificate/balance',
  GIFT_CERT_PURCHASE: 'gift-certificate/purchase',
  GIFT_CERT_REDEEM: 'gift-certificate/redeem',
  ORDER_INFO: 'order-confirmation',
  CONTACT_US: 'contact-us',
  BLOG_POST: 'blog-post',
}

const ENTITIES: readonly string[] = ['PRODUCT', 'CATEGORY', 'BRAND', 'PAGE']

/** The page of a type, such as `pages/account/wishlists` of ACCOUNT_WISHLISTS. */
export function widgetPage(type: string, entity?: number): WidgetPage {
  const name =
    FILES[type] ??
    type
      .toLowerCase()
      .replace(/^(account|auth)_/, '$1/')
      .replaceAll('_', '-')
  return { file: `pages/${name}`, entity: entity === undefined || !ENTITIES.includes(type) ? '' : String(entity) }
}

type Regions = Awaited<ReturnType<typeof renderRegions>>

/** The regions of pages, by file and entity. A page is rendered once for an operation. */
const regionLoad = new Load<StorefrontCaller, string, Regions>(async ({ storefront, renderers }, keys) => {
  const { db, channel } = storefront
  const found: [string, Regions][] = []
  for (const key of keys) {
    const [template_file = '', entity_id = ''] = key.split(' ')
    found.push([key, await renderRegions(renderers, db, { channel, template_file, entity_id })])
  }
  return new Map(found)
})

/** Widgets of pages (docs/contract/storefront-graphql.md section 10). */
export const regionFields: Fields<'RenderedRegionsByPageType'> = {
  RenderedRegionsByPageType: {
    regions: async ({ file, entity }, _, caller) =>
      (await regionLoad.find(caller, `${file} ${entity}`, undefined)) ?? [],
  },
}
