import { prepared } from '../../../../../../core/db/database.ts'
import { sql } from '../../../../../../core/db/sql.ts'
import type { Mistakes } from '../../../../../../core/rest/input/mistakes.ts'
import { bodyReader } from '../../../../../../core/rest/input/validator.ts'
import { fold } from '../../../../../../core/rest/lists/fold.ts'
import { unknownId } from '../../../../../../core/rest/problem.ts'
import { refuseWithTitle } from '../../../../../../sales/carts/changes/refusal.ts'
import {
  type NewCartLine,
  NewItems,
  type NewLines,
  type SelectionInput,
} from '../../../../../../sales/carts/lines/bodies.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import { findCard, isId } from '../../catalog/rows/product-row.ts'
import { findVariant } from '../../catalog/rows/variant-row.ts'

// Converts lines of the storefront's inputs to those of the REST operations, which check them.

type LineInput = SchemaInputs['CartLineItemInput']
type CertificateInput = SchemaInputs['CartGiftCertificateInput']

/** Lines as mutations take them. */
export interface LinesInput {
  lineItems?: readonly LineInput[] | null
  giftCertificates?: readonly CertificateInput[] | null
}

const readItems = bodyReader(NewItems)

/** Most lines of one request: a cart has fewer. */
const LINES_MAX = 500
const QUANTITY_MAX = 2_147_483_647

/** @throws Problem 422 with mistakes by the paths of the REST body */
export async function toNewLines(
  caller: StorefrontCaller,
  { lineItems, giftCertificates }: LinesInput,
): Promise<NewLines> {
  const [lines, certificates] = [lineItems ?? [], giftCertificates ?? []]
  const mistakes: Mistakes = {}
  if (lines.length + certificates.length > LINES_MAX) {
    refuseWithTitle({ line_items: `A cart can have at most ${LINES_MAX} lines.` })
  }
  const skus = await findSkus(caller, lines)
  const items = await Promise.all(
    lines.map((line, i) =>
      toNewLine(caller, line, skus, (field, sentence) => (mistakes[`line_items.${i}.${field}`] = sentence)),
    ),
  )
  for (const [i, { quantity }] of certificates.entries()) {
    if (!isQuantity(quantity)) mistakes[`gift_certificates.${i}.quantity`] = wrongQuantity(quantity)
  }
  refuseWithTitle(mistakes)
  const found: NewLines = {
    line_items: items.flatMap((item) => item ?? []),
    gift_certificates: certificates.map(toNewCertificate),
  }
  readItems(structuredClone(found))
  return found
}

export const toNewCertificate = ({ theme, message, ...certificate }: CertificateInput) => ({
  ...certificate,
  theme: THEME_NAMES[theme],
  ...(message == null ? {} : { message }),
})

const THEME_NAMES = {
  BIRTHDAY: 'Birthday',
  BOY: 'Boy',
  CELEBRATION: 'Celebration',
  CHRISTMAS: 'Christmas',
  GENERAL: 'General',
  GIRL: 'Girl',
  NONE: 'General',
} as const

const isQuantity = (quantity: number) => quantity >= 1 && quantity <= QUANTITY_MAX
const wrongQuantity = (quantity: number) => `The quantity must be 1 to ${QUANTITY_MAX}, not ${quantity}.`

/** The product and the variant that a line names. */
interface NamedItem {
  product_id: number
  variant_id: number | undefined
}

type Complain = (field: string, sentence: string) => void

/** @returns undefined with a mistake */
async function toNewLine(
  caller: StorefrontCaller,
  line: LineInput,
  skus: ReadonlyMap<string, NamedItem>,
  complain: Complain,
): Promise<NewCartLine | undefined> {
  const { quantity, selectedOptions } = line
  if (!isQuantity(quantity)) complain('quantity', wrongQuantity(quantity))
  const named = await findItem(caller, line, skus, complain)
  // The back end may sell hidden products; shoppers may not buy what they can't see.
  if (!named || !(await findCard(caller, named.product_id))) {
    if (named) complain('product_id', unknownId('product', named.product_id))
    return undefined
  }
  if (selectedOptions?.fileFields?.length) complain('option_selections', 'Files can not be sent to this store yet.')
  const { product_id, variant_id } = named
  return {
    product_id,
    quantity,
    ...(variant_id === undefined ? {} : { variant_id }),
    option_selections: selectionsOf(selectedOptions),
  }
}

async function findItem(
  caller: StorefrontCaller,
  { productEntityId, variantEntityId, sku }: LineInput,
  skus: ReadonlyMap<string, NamedItem>,
  complain: Complain,
): Promise<NamedItem | undefined> {
  if (productEntityId != null) {
    if (isId(productEntityId)) return { product_id: productEntityId, variant_id: variantEntityId ?? undefined }
    complain('product_id', unknownId('product', productEntityId))
    return undefined
  }
  if (sku != null) {
    const found = skus.get(fold(sku))
    if (!found) complain('product_id', `There is no product with the SKU ${sku}.`)
    return found
  }
  if (variantEntityId != null) {
    const variant = isId(variantEntityId) ? await findVariant(caller, variantEntityId) : undefined
    if (!variant) complain('variant_id', unknownId('variant', variantEntityId))
    return variant && { product_id: variant.product_id, variant_id: variant.id }
  }
  complain('product_id', 'A line needs a productEntityId or a sku.')
  return undefined
}

/** The products and variants of all SKUs, with one statement. A variant of a product with options comes before its product. */
async function findSkus(
  { storefront: { db } }: StorefrontCaller,
  lines: readonly LineInput[],
): Promise<ReadonlyMap<string, NamedItem>> {
  const keys = lines.flatMap(({ productEntityId, sku }) =>
    productEntityId == null && sku && !sku.includes('\0') ? [fold(sku)] : [],
  )
  if (keys.length === 0) return new Map()
  const rows = await db.rows<{ sku_key: string; product_id: number; variant_id: number | null }>(
    prepared(sql`
    select sku_key, id as product_id, null::int as variant_id from products
    where store_id = ${db.store.id} and sku_key = any(${keys})
    union all
    select sku_key, product_id, id from variants where store_id = ${db.store.id} and sku_key = any(${keys})
    order by variant_id nulls first`),
  )
  return new Map(
    rows.map(({ sku_key, product_id, variant_id }) => [sku_key, { product_id, variant_id: variant_id ?? undefined }]),
  )
}

function selectionsOf(options: LineInput['selectedOptions']): SelectionInput[] {
  if (!options) return []
  const { checkboxes, dateFields, multiLineTextFields, multipleChoices, numberFields, textFields } = options
  return [
    ...[...(checkboxes ?? []), ...(multipleChoices ?? [])].map(({ optionEntityId, optionValueEntityId }) => ({
      option_id: optionEntityId,
      option_value: optionValueEntityId,
    })),
    ...(dateFields ?? []).map(({ optionEntityId, date }) => ({ option_id: optionEntityId, option_value: date })),
    ...[...(multiLineTextFields ?? []), ...(textFields ?? [])].map(({ optionEntityId, text }) => ({
      option_id: optionEntityId,
      option_value: text,
    })),
    ...(numberFields ?? []).map(({ optionEntityId, number }) => ({ option_id: optionEntityId, option_value: number })),
  ]
}
