import { prepared } from '../../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import type { Variant } from '../../../../../../goods/catalog/variants/shape.ts'
import type { StorefrontCaller } from '../../../../caller.ts'

const COLUMNS = [
  'id',
  'product_id',
  'sku',
  'weight',
  'width',
  'height',
  'depth',
  'purchasing_disabled',
  'image_url',
  'upc',
  'mpn',
  'gtin',
  'inventory_level',
  'inventory_warning_level',
  'option_values',
] as const satisfies readonly (keyof Variant)[]

/** A variant as a product shows it. */
export type VariantOnPage = Pick<Variant, (typeof COLUMNS)[number]>

export const variantColumns: Sql = sql.join(COLUMNS.map(sql.id))

const variantLoad = new Load<StorefrontCaller, number, VariantOnPage>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<VariantOnPage>(
    prepared(sql`select ${variantColumns} from variants where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map((row) => [row.id, row]))
})

/** A variant by its id. Whether the shopper may see it depends on its product. */
export const findVariant = (caller: StorefrontCaller, id: number) => variantLoad.find(caller, id, undefined)
