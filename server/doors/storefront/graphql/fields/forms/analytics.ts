import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'

/** Writes an event to the log. It has no data of the shopper: neither addresses nor the ids of visits. */
function record({ storefront: { db, channel }, log }: StorefrontCaller, event: string, more: object = {}) {
  log.info({ store: db.store.id, channel, event, ...more }, 'an event of a storefront')
  return { executed: true }
}

/** Events that shops send in the background (docs/contract/storefront-graphql.md section 9). */
export const analyticsFields: Fields<'AnalyticsMutations'> = {
  AnalyticsMutations: {
    productViewedEvent: (_, { input }, caller) =>
      record(caller, 'product_viewed', { product: input.productInput.productEntityId }),
    pageViewedEvent: (_, _args, caller) => record(caller, 'page_viewed'),
    visitStartedEvent: (_, _args, caller) => record(caller, 'visit_started'),
    searchProductEvent: (_, { input }, caller) =>
      record(caller, 'products_searched', { hits: input.productIds.length }),
  },
}
