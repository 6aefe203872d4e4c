import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { type ChoiceRow, choicesOf } from './rows/choices.ts'
import { findCard, isId, type ProductCard } from './rows/product-row.ts'
import { findVariant, type VariantOnPage } from './rows/variant-row.ts'

/** A choice of a shopper. */
export interface WishedValue {
  optionEntityId: number
  valueEntityId: number
}

/** A product with the choices of a shopper, whose variant overlays it. */
export interface ConfiguredProduct {
  card: ProductCard
  /** The variant that is chosen. */
  variant: VariantOnPage | undefined
  /** Undefined if the request chooses nothing. */
  chosen: readonly WishedValue[] | undefined
}

export const productOf = (card: ProductCard): ConfiguredProduct => ({ card, variant: undefined, chosen: undefined })

interface ProductArgs {
  id?: string | null
  entityId?: number | null
  variantEntityId?: number | null
  optionValueIds: readonly WishedValue[] | null
  sku?: string | null
  useDefaultOptionSelections?: boolean | null
}

/**
 * A product by one of its ids, by a variant, or by a SKU, with the choices that the arguments make.
 * @param globalId reads a global id of a product
 * @returns null if it is unknown, or if the shopper may not see it
 */
export async function selectProduct(
  caller: StorefrontCaller,
  { id, entityId, variantEntityId, optionValueIds, sku, useDefaultOptionSelections }: ProductArgs,
  globalId: (id: string) => number | undefined,
): Promise<ConfiguredProduct | null> {
  let named: { product: number | undefined; variant: VariantOnPage | undefined }
  if (entityId != null) named = { product: entityId, variant: undefined }
  else if (id != null) named = { product: globalId(id), variant: undefined }
  else if (variantEntityId != null) {
    const variant = isId(variantEntityId) ? await findVariant(caller, variantEntityId) : undefined
    named = { product: variant?.product_id, variant }
  } else if (sku != null) named = await findSku(caller, sku)
  else return null
  const card = named.product === undefined ? undefined : await findCard(caller, named.product)
  if (!card) return null
  const variant = named.variant && named.variant.id !== card.base_variant_id ? named.variant : undefined
  const given = optionValueIds ?? []
  if (given.length === 0 && !variant && !useDefaultOptionSelections) return productOf(card)
  const choices = await choicesOf(caller, card.id)
  const ofVariant = variant ? valuesOf(variant) : []
  // Options and modifiers count their ids apart, so a choice belongs to the one that has its value.
  const chosen = choices.flatMap((choice) => {
    const has = ({ optionEntityId, valueEntityId }: WishedValue) =>
      optionEntityId === choice.id && choice.values.some((value) => value.id === valueEntityId)
    const found = given.find(has) ?? (choice.isOption ? ofVariant.find(has) : undefined)
    return found ?? (useDefaultOptionSelections ? defaultOf(choice) : undefined) ?? []
  })
  return { card, variant: variant ?? (await variantWith(caller, card, choices, chosen)), chosen }
}

const valuesOf = ({ option_values }: VariantOnPage): WishedValue[] =>
  option_values.map(({ id, option_id }) => ({ optionEntityId: option_id, valueEntityId: id }))

function defaultOf({ id, values }: ChoiceRow): WishedValue | undefined {
  const value = values.find(({ is_default }) => is_default)
  return value && { optionEntityId: id, valueEntityId: value.id }
}

/** The owner of a SKU. */
interface SkuOwner {
  sku_key: string
  product_id: number
  /** Null for the SKU of a product itself. */
  variant_id: number | null
}

const skuLoad = new Load<StorefrontCaller, string, SkuOwner>(async ({ storefront: { db } }, keys) => {
  const rows = await db.rows<SkuOwner>(
    prepared(sql`
    select distinct on (sku_key) sku_key, product_id, variant_id from (
      select sku_key, id as product_id, null::int as variant_id from products
      where store_id = ${db.store.id} and sku_key = any(${keys})
      union all
      select sku_key, product_id, id from variants where store_id = ${db.store.id} and sku_key = any(${keys})
    ) found order by sku_key, variant_id nulls first, product_id`),
  )
  return new Map(rows.map((row) => [row.sku_key, row]))
})

async function findSku(caller: StorefrontCaller, sku: string) {
  const key = fold(sku)
  // The database stores no text with this character.
  const found = key.includes('\0') ? undefined : await skuLoad.find(caller, key, undefined)
  const variant = found?.variant_id == null ? undefined : await findVariant(caller, found.variant_id)
  return { product: found?.product_id, variant }
}

/** The variant with a value of each option; undefined while one is not chosen. */
async function variantWith(
  caller: StorefrontCaller,
  card: ProductCard,
  choices: readonly ChoiceRow[],
  chosen: readonly WishedValue[],
): Promise<VariantOnPage | undefined> {
  const options = choices.filter(({ isOption }) => isOption)
  const values = options.flatMap(
    ({ id, values }) =>
      chosen.find((one) => one.optionEntityId === id && values.some((value) => value.id === one.valueEntityId))
        ?.valueEntityId ?? [],
  )
  if (options.length === 0 || values.length < options.length) return undefined
  const found = await chosenLoad.find(caller, card.id, values)
  return found === undefined ? undefined : findVariant(caller, found)
}

/** The variants of products that have all of some values. */
const chosenLoad = new Load<StorefrontCaller, number, number, readonly number[]>(
  async ({ storefront: { db } }, products, values) => {
    // A product has at most 600 variants.
    const rows = await db.rows<{ product_id: number; id: number }>(
      prepared(sql`
      select product_id, min(id) as id from variants where store_id = ${db.store.id} and product_id = any(${products}) and (
        select count(*) from jsonb_array_elements(option_values) value where (value ->> 'id')::int = any(${values})
      ) = ${values.length} group by product_id`),
    )
    return new Map(rows.map(({ product_id, id }) => [product_id, id]))
  },
)
