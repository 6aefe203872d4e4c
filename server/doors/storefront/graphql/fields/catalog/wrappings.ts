import { Load } from '../../../../../core/graphql/loads.ts'
import { listWrappings, type StoreWrapping } from '../../../../../sales/carts/wrappings.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import type { ProductCard } from './rows/product-row.ts'

/** The wrappings of the store, at most 100. */
const wrappingLoad = new Load<StorefrontCaller, 'all', StoreWrapping[]>(
  async ({ storefront: { db } }) => new Map([['all', await listWrappings(db)]]),
)

type Wrapped = Pick<ProductCard, 'gift_wrapping_options_type' | 'gift_wrapping_options_list'>

/** The visible gift wrappings that a product can have. Each takes a message; none has a picture. */
export async function wrappingConnection(
  caller: StorefrontCaller,
  { gift_wrapping_options_type: type, gift_wrapping_options_list: list }: Wrapped,
  args: PageArgs,
) {
  const all = type === 'none' ? [] : ((await wrappingLoad.find(caller, 'all', undefined)) ?? [])
  const offered = all.filter(({ id, is_visible }) => is_visible && (type === 'any' || list.includes(id)))
  return connectionOf(
    offered.map(({ id, name }) => ({ entityId: id, name, allowComments: true, previewImageUrl: null })),
    args,
  )
}
