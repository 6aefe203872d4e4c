import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import { globalId } from '../global-ids.ts'

interface BannerRow {
  id: number
  name: string
  content: string
  location: 'top' | 'bottom'
  page: 'home_page' | 'category_page' | 'brand_page' | 'search_page'
  item_id: number
}

declare module '../../types.ts' {
  interface Parents {
    Banners: object
  }
}

/** The banners of the store that shoppers see now: at most 1,000. */
const bannerLoad = new Load<StorefrontCaller, 'all', BannerRow[]>(async ({ storefront: { db }, now }) => {
  const rows = await db.rows<BannerRow>(sql`
    select id, name, content, location, page, item_id from banners
    where store_id = ${db.store.id} and visible and (
      date_type = 'always'
      or ((date_from is null or date_from <= ${now}) and (date_to is null or date_to > ${now}))
    ) order by id`)
  return new Map([['all', rows]])
})

async function bannersOn(caller: StorefrontCaller, page: BannerRow['page'], args: PageArgs, item = 0) {
  const rows = (await bannerLoad.find(caller, 'all', undefined)) ?? []
  const banners = rows.filter((row) => row.page === page && row.item_id === item)
  return connectionOf(
    banners.map(({ id, name, content, location }) => ({
      id: globalId('Banner', id),
      entityId: id,
      name,
      content,
      location: location === 'top' ? ('TOP' as const) : ('BOTTOM' as const),
    })),
    args,
  )
}

/** Banners, which all storefronts of a store have in common. */
export const bannerFields: Fields<'Banners'> = {
  Banners: {
    homePage: (_, args, caller) => bannersOn(caller, 'home_page', args),
    searchPage: (_, args, caller) => bannersOn(caller, 'search_page', args),
    categoryPage: (_, { categoryEntityId, ...args }, caller) =>
      bannersOn(caller, 'category_page', args, categoryEntityId),
    brandPage: (_, { brandEntityId, ...args }, caller) => bannersOn(caller, 'brand_page', args, brandEntityId),
  },
}
