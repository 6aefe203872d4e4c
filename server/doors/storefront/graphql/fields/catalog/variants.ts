import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { globalId } from '../global-ids.ts'
import { metafieldConnection } from '../metafields.ts'
import { measurement } from './measurement.ts'
import { choiceToAnswer, plainOption } from './options.ts'
import { pricesFor } from './prices.ts'
import { type ChoiceRow, choicesOf } from './rows/choices.ts'
import { isId, type ProductCard } from './rows/product-row.ts'
import { type VariantOnPage, variantColumns } from './rows/variant-row.ts'
import type { ConfiguredProduct, WishedValue } from './selection.ts'

/** A variant with its product. */
interface VariantOfProduct {
  row: VariantOnPage
  card: ProductCard
}

declare module '../../types.ts' {
  interface Parents {
    Variant: VariantOfProduct
  }
}

interface VariantArgs extends PageArgs {
  isPurchasable?: boolean | null
  entityIds: readonly number[] | null
  optionValueIds: readonly WishedValue[] | null
  skus: readonly string[] | null
}

const BY_ID: Order = { columns: ['id'], isFalling: false }

/** One page of the variants of each product. */
const variantPageLoad = new Load<StorefrontCaller, number, VariantOnPage[], VariantArgs>(
  async ({ storefront: { db } }, products, { isPurchasable, entityIds, optionValueIds, skus, ...args }) => {
    const plan = planPage(args, BY_ID)
    const values = (optionValueIds ?? []).map(({ valueEntityId }) => valueEntityId)
    const ids = (entityIds ?? []).filter(isId)
    const conditions = [
      plan.where,
      ...(isPurchasable == null ? [] : [sql`purchasing_disabled <> ${isPurchasable}`]),
      ...(entityIds?.length ? [sql`id = any(${ids})`] : []),
      ...(skus?.length ? [sql`sku = any(${skus.filter((text) => !text.includes('\0'))})`] : []),
      ...(values.length > 0
        ? [
            sql`(select count(*) from jsonb_array_elements(option_values) value
              where (value ->> 'id')::int = any(${values.filter(isId)})) = ${values.length}`,
          ]
        : []),
    ]
    const statement = sql`
      select found.* from ${sql.each(products)} wanted (product) cross join lateral (
        select ${variantColumns} from variants
        where store_id = ${db.store.id} and product_id = wanted.product and ${sql.join(conditions, ' and ')} ${plan.tail}
      ) found`
    // The index of products serves all stores, unless a filter is better.
    const rows = await db.rows<VariantOnPage>(conditions.length === 1 ? prepared(statement) : statement)
    return Map.groupBy(rows, ({ product_id }) => product_id)
  },
)

/** One page of the variants of a product. That of a product without options is its base variant. */
export async function variantConnection(caller: StorefrontCaller, { card }: ConfiguredProduct, args: VariantArgs) {
  const plan = planPage(args, BY_ID)
  const rows = (await variantPageLoad.find(caller, card.id, args)) ?? []
  return keyedConnection(plan, rows, { keyOf: ({ id }) => [id], nodeOf: (row) => ({ row, card }) })
}

/** The options of a variant, each with the one value that the variant has. */
async function optionsOf({ row, card }: VariantOfProduct, caller: StorefrontCaller): Promise<ChoiceRow[]> {
  const choices = await choicesOf(caller, card.id)
  return row.option_values.flatMap(({ id, option_id }) => {
    const choice = choices.find((one) => one.isOption && one.id === option_id)
    return choice ? [{ ...choice, values: choice.values.filter((value) => value.id === id) }] : []
  })
}

/** Variants of products. */
export const variantFields: Fields<'Variant'> = {
  Variant: {
    id: ({ row }) => globalId('Variant', row.id),
    entityId: ({ row }) => row.id,
    sku: ({ row, card }) => row.sku || card.sku,
    weight: ({ row, card }, _, caller) => measurement(caller, row.weight ?? card.weight, 'weight'),
    height: ({ row, card }, _, caller) => measurement(caller, row.height ?? card.height, 'length'),
    width: ({ row, card }, _, caller) => measurement(caller, row.width ?? card.width, 'length'),
    depth: ({ row, card }, _, caller) => measurement(caller, row.depth ?? card.depth, 'length'),
    options: async (variant, args, caller) => connectionOf((await optionsOf(variant, caller)).map(plainOption), args),
    productOptions: async (variant, args, caller) => {
      const { picturesUrl } = caller.storefront
      const choices = await optionsOf(variant, caller)
      return connectionOf(
        choices.map((choice) => choiceToAnswer(choice, undefined, picturesUrl)),
        args,
      )
    },
    defaultImage: ({ row, card }) =>
      row.image_url === '' ? null : { kept: row.image_url, altText: card.name, isDefault: true },
    prices: ({ row, card }, args, caller) =>
      pricesFor({ product_id: card.id, variant_id: row.id, options: [] }, args, caller),
    inventory: (variant) => variant,
    metafields: ({ row }, args, caller) => metafieldConnection(caller, { kind: 'variant', id: row.id }, args),
    upc: ({ row, card }) => row.upc || card.upc || null,
    mpn: ({ row, card }) => row.mpn || card.mpn || null,
    gtin: ({ row, card }) => row.gtin || card.gtin || null,
    isPurchasable: ({ row, card }) => !row.purchasing_disabled && card.availability !== 'disabled',
  },
}
