import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { isObject } from '../../../core/objects.ts'
import { Answer } from '../../../core/rest/answer.ts'
import { hasAny, type Mistakes } from '../../../core/rest/input/mistakes.ts'
import { itemReader } from '../../../core/rest/input/validator.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem, ProblemBody, unknownId } from '../../../core/rest/problem.ts'
import { lockVariantsShared, type NamedVariants } from '../../../goods/catalog/variants/references.ts'
import { lockCurrenciesShared } from '../../../shop/channels/currencies/shape.ts'
import { lockPriceListsShared } from '../price-list.ts'
import { publishRecords } from './sets.ts'
import { ListedRecordItem, RecordItem, tierMistakes } from './shape.ts'
import { storeRecords, type WishedRecord } from './writing.ts'

const Named = t.Object(
  {
    price_list_id: t.Optional(t.Unknown()),
    variant_id: t.Optional(t.Unknown()),
    sku: t.Optional(t.Unknown()),
    currency: t.Optional(t.Unknown()),
  },
  { title: 'PriceRecordReference', description: 'The names that the item has, as they were sent' },
)
const Failure = t.Object(
  { data: Named, field_errors: t.Record(t.String(), t.String()) },
  { title: 'PriceRecordFailure' },
)
const Saved = t.Object({ data: t.Object({}), meta: t.Object({}) }, { title: 'PriceRecordBatch' })
const Failed = t.Object(
  {
    batch_errors: t.Array(Failure),
    data: t.Optional(Named),
    field_errors: t.Optional(Failure.properties.field_errors),
  },
  { title: 'PriceRecordBatchFailure' },
)
export const priceBatchAnswers = { response: { 200: Saved, 422: t.Union([Failed, ProblemBody]) } }

/** A batch of records. */
export interface RecordBatch {
  items: readonly unknown[]
  /** The list of all items; undefined if each names its own. */
  list?: number
  /** Whether existing records are refused. */
  onlyNew: boolean
  isStrict: boolean
}

const readItem = itemReader(RecordItem)
const readListedItem = itemReader(ListedRecordItem)

/** An item that passed its schema. */
type Item = Static<typeof ListedRecordItem>

/**
 * Stores the valid records of a batch and names the others. An item that has the key of one before it is refused.
 * @throws Problem 404 if the list of all items is missing
 */
export async function storeBatch(tx: Tx, batch: RecordBatch): Promise<Answer> {
  const { items, list, onlyNew } = batch
  const mistakes: Mistakes[] = items.map(() => ({}))
  const read = items.map((item, i) => readAlone(item, batch, mistakes[i] ?? {}))
  const given = read.flatMap((item) => item ?? [])
  const { lists, variants, currencies } = await tx.together(() => ({
    lists: lockPriceListsShared(tx, list === undefined ? given.map(({ price_list_id }) => price_list_id) : [list]),
    variants: lockVariantsShared(tx, {
      ids: given.flatMap(({ variant_id }) => variant_id ?? []),
      skus: given.flatMap(({ sku }) => sku ?? []),
    }),
    currencies: lockCurrenciesShared(
      tx,
      given.map(({ currency }) => currency),
    ),
  }))
  if (list !== undefined && !lists.has(list)) throw new Problem(404, unknownId('price list', list))
  const seen = new Set<string>()
  const wishes: { index: number; wish: WishedRecord }[] = []
  for (const [index, item] of read.entries()) {
    const found = mistakes[index] ?? {}
    const wish = item && wishOf(item, { lists, variants, currencies }, found)
    if (!wish) continue
    const key = `${wish.price_list_id} ${wish.variant_id} ${wish.currency}`
    if (seen.has(key)) found.variant_id = 'Another item before it is for this variant and currency.'
    else wishes.push({ index, wish })
    seen.add(key)
  }
  const outcomes = await storeRecords(
    tx,
    wishes.map(({ wish }) => wish),
    onlyNew,
  )
  for (const [i, outcome] of outcomes.entries()) {
    const found = mistakes[wishes[i]?.index ?? 0]
    if (outcome.kind === 'refused' && found) Object.assign(found, outcome.mistakes)
  }
  for (const deed of ['created', 'updated'] as const) {
    publishRecords(
      tx,
      deed,
      outcomes.flatMap((outcome) => (outcome.kind === deed ? [outcome.row] : [])),
    )
  }
  return answerOf(batch, mistakes)
}

/** An item by itself, without the database. */
function readAlone(item: unknown, { list, isStrict }: RecordBatch, mistakes: Mistakes): Item | undefined {
  try {
    const read =
      list === undefined ? readListedItem(item, isStrict) : { ...readItem(item, isStrict), price_list_id: list }
    if (read.variant_id === undefined && fold(read.sku ?? '') === '') mistakes.variant_id = 'error.path.missing'
    Object.assign(mistakes, tierMistakes(read.bulk_pricing_tiers ?? []))
    return hasAny(mistakes) ? undefined : read
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    Object.assign(mistakes, error.errors)
    return undefined
  }
}

interface Known {
  lists: ReadonlySet<number>
  variants: NamedVariants
  currencies: ReadonlySet<string>
}

/** The record that an item means; undefined if list, variant or currency are missing. */
function wishOf(
  { price_list_id, variant_id, sku, currency, ...changes }: Item,
  { lists, variants, currencies }: Known,
  mistakes: Mistakes,
): WishedRecord | undefined {
  if (!lists.has(price_list_id)) mistakes.price_list_id = unknownId('price list', price_list_id)
  if (!currencies.has(currency.toUpperCase())) mistakes.currency = `The store has no currency ${currency}.`
  const key = fold(sku ?? '')
  const [byId, bySku] = [variants.byId.get(variant_id ?? 0), variants.bySku.get(key)]
  if (variant_id !== undefined && !byId) mistakes.variant_id = unknownId('variant', variant_id)
  if (variants.ofProducts.has(key)) {
    mistakes.sku = 'This is the SKU of a product with options: name one of its variants.'
  } else if (key !== '' && !bySku) mistakes.sku = `There is no variant with the SKU ${sku}.`
  else if (byId && bySku && byId.id !== bySku.id) mistakes.sku = `This is the SKU of the variant ${bySku.id}.`
  const variant = byId ?? bySku
  if (hasAny(mistakes) || !variant) return undefined
  return {
    price_list_id,
    variant_id: variant.id,
    product_id: variant.product_id,
    currency: currency.toLowerCase(),
    changes,
  }
}

function answerOf({ items, list }: RecordBatch, mistakes: readonly Mistakes[]): Answer {
  const batch_errors = mistakes.flatMap((field_errors, i) =>
    hasAny(field_errors) ? [{ data: namesOf(items[i], list === undefined), field_errors }] : [],
  )
  const [first] = batch_errors
  if (!first) return new Answer({ data: {}, meta: {} })
  return new Answer({ batch_errors, ...(list === undefined ? first : {}) }, 422)
}

/** The fields of an item that name its record, as they were sent. */
function namesOf(item: unknown, namesList: boolean): object {
  if (!isObject(item)) return {}
  const names = [...(namesList ? ['price_list_id'] : []), 'variant_id', 'sku', 'currency']
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
}
