import t from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import { type Api, wantsStrict } from '../../../core/rest/api.ts'
import { Id, IdList, idSegment, ListOf } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { itemByItem } from '../../../core/rest/input/validator.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { ComparedText, refuseBlanks } from '../../../core/rest/lists/filters.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { lockVariantsShared, skusOfVariants, variantsWithSkus } from '../../../goods/catalog/variants/references.ts'
import { lockCurrenciesShared } from '../../../shop/channels/currencies/shape.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { degradable, degradableAnswers, lockPriceListsShared, priceLists } from '../price-list.ts'
import { priceBatchAnswers, storeBatch } from './batches.ts'
import { findRecord, findRecords, IncludeQuery, RecordList, RecordsQuery, VariantRecordsQuery } from './reading.ts'
import { deleteLiveRecords, emptyList, lockSetsOfList, publishRecord, publishRecords } from './sets.ts'
import { AnsweredRecord, ListedRecordItem, RecordChanges, RecordItem, type RecordRow, tierMistakes } from './shape.ts'
import { storeRecords } from './writing.ts'

const { read, write } = access('catalog')

const NEW_MAX = 100
const CHANGED_MAX = 1_000

const RecordsToDelete = t.Object(
  {
    currency: t.Optional(ComparedText),
    'variant_id:in': t.Optional(IdList),
    'sku:in': t.Optional(ListOf(ComparedText)),
  },
  { additionalProperties: false, examples: [{ 'variant_id:in': '1' }] },
)

const EACH = 'Valid records are saved, and 422 names the others.'
const record = { variant_id: 1, currency: 'USD', price: 12.5, sale_price: 11 }

/** The prices of lists (docs/contract/price-lists.md section 3). */
export function recordRoutes(api: Api) {
  const ofLists = '/pricelists/records'
  const all = `/pricelists/${idSegment('price_list_id')}/records`
  const ofVariant = `${all}/${idSegment('variant_id')}`
  const one = `${ofVariant}/:currency_code(^[A-Za-z]{3}$)`
  const ofList = t.Object({ price_list_id: Id })
  const underVariant = t.Object({ price_list_id: Id, variant_id: Id })
  const underBoth = t.Object({ price_list_id: Id, variant_id: Id, currency_code: t.String() })
  const keyOf = ({ price_list_id, variant_id, currency_code }: RecordParams) => ({
    list: price_list_id,
    variant: variant_id,
    currency: currency_code.toLowerCase(),
  })

  for (const { method, verb, max, atOnce } of [
    {
      method: 'post',
      verb: 'Create',
      max: NEW_MAX,
      atOnce: {
        many: sharedLimit('price records: create', 10),
        one: sharedLimit('price records of a list: create', 10),
      },
    },
    {
      method: 'put',
      verb: 'Change',
      max: CHANGED_MAX,
      atOnce: { many: sharedLimit('price records: change', 1), one: sharedLimit('price records of a list: change', 2) },
    },
  ] as const) {
    const onlyNew = method === 'post'
    api[method](
      ofLists,
      {
        ...write,
        schema: {
          summary: `${verb} records of several price lists`,
          operationId: `${verb.toLowerCase()}RecordsOfPriceLists`,
          description: EACH,
          body: itemByItem(ListedRecordItem, max, [[{ price_list_id: 1, ...record }]]),
          ...priceBatchAnswers,
        },
      },
      (request) =>
        atOnce.many.run(request.db.store, () =>
          request.db.transaction((tx) =>
            storeBatch(tx, { items: request.body, onlyNew, isStrict: wantsStrict(request) }),
          ),
        ),
    )

    api[method](
      all,
      {
        ...write,
        schema: {
          summary: `${verb} records of a price list`,
          operationId: `${verb.toLowerCase()}PriceListRecords`,
          description: EACH,
          params: ofList,
          body: itemByItem(RecordItem, max, [[record]]),
          ...priceBatchAnswers,
        },
      },
      (request) =>
        atOnce.one.run(request.db.store, () =>
          request.db.transaction((tx) =>
            storeBatch(tx, {
              items: request.body,
              list: request.params.price_list_id,
              onlyNew,
              isStrict: wantsStrict(request),
            }),
          ),
        ),
    )
  }

  const lists = sharedLimit('price records of a list: list', 10)
  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the records of a price list',
        params: ofList,
        querystring: RecordsQuery,
        response: { 200: RecordList },
      },
    },
    ({ db, params, query }) =>
      lists.run(db.store, async () => {
        const { id } = await findOne(db, priceLists, params.price_list_id)
        return (await findRecords(db, id, query)).answer
      }),
  )

  api.delete(
    all,
    {
      config: { ...write.config, ...degradable },
      schema: {
        summary: 'Delete records of a price list',
        description: 'Without a filter all records of the list are deleted.',
        params: ofList,
        querystring: RecordsToDelete,
        ...degradableAnswers,
      },
    },
    async ({ db, params, query }) => {
      refuseBlanks(query)
      await db.transaction((tx) => deleteRecords(tx, params.price_list_id, query))
      return noContent()
    },
  )

  const ofOneVariant = sharedLimit('price records of a variant: list', 40)
  api.get(
    ofVariant,
    {
      ...read,
      schema: {
        summary: 'List the records of a variant in a price list',
        operationId: 'listPricelistRecordsOfVariant',
        params: underVariant,
        querystring: VariantRecordsQuery,
        response: { 200: RecordList },
      },
    },
    ({ db, params, query }) =>
      ofOneVariant.run(db.store, async () => {
        const { id } = await findOne(db, priceLists, params.price_list_id)
        const { variant_id } = params
        const found = await findRecords(db, id, query, [sql`variant_id = ${variant_id}`])
        // A variant without records has an empty list.
        if (found.isEmpty && !(await skusOfVariants(db, [variant_id])).has(variant_id)) {
          throw notFound('variant', variant_id)
        }
        return found.answer
      }),
  )

  const [reads, changes, deletions] = [
    sharedLimit('price record: read', 50),
    sharedLimit('price record: change', 40),
    sharedLimit('price record: delete', 25),
  ]
  api.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get a record of a price list',
        params: underBoth,
        querystring: IncludeQuery,
        response: { 200: envelope(AnsweredRecord) },
      },
    },
    ({ db, params, query }) =>
      reads.run(db.store, async () => {
        const found = await findRecord(db, keyOf(params), query)
        if (!found) throw missingRecord(params)
        return answer(found)
      }),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Create or change a record of a price list',
        description: 'Absent fields stay. A new record needs a price.',
        params: underBoth,
        body: RecordChanges,
        response: { 200: envelope(AnsweredRecord) },
      },
    },
    ({ db, params, body }) =>
      changes.run(db.store, async () => {
        refuse(tierMistakes(body.bulk_pricing_tiers ?? []))
        const { generation: _, ...stored } = await db.transaction((tx) => storeRecord(tx, params, body))
        return answer(stored)
      }),
  )

  api.delete(
    one,
    {
      config: { ...write.config, ...degradable },
      schema: {
        summary: 'Delete a record of a price list',
        description: 'The variant costs the price of the catalog again.',
        params: underBoth,
        ...degradableAnswers,
      },
    },
    ({ db, params }) =>
      deletions.run(db.store, async () => {
        await db.transaction((tx) => deleteRecord(tx, params))
        return noContent()
      }),
  )
}

interface RecordParams {
  price_list_id: number
  variant_id: number
  currency_code: string
}

const missingRecord = ({ price_list_id, variant_id, currency_code }: RecordParams) =>
  new Problem(404, `The price list ${price_list_id} has no record of the variant ${variant_id} in ${currency_code}.`)

/** @throws Problem 404 for the list and the variant, 422 for the currency and a new record without a price */
async function storeRecord(
  tx: Tx,
  { price_list_id, variant_id, currency_code }: RecordParams,
  changes: RecordChanges,
): Promise<RecordRow> {
  const code = currency_code.toUpperCase()
  const { lists, variants, currencies } = await tx.together(() => ({
    lists: lockPriceListsShared(tx, [price_list_id]),
    variants: lockVariantsShared(tx, { ids: [variant_id], skus: [] }),
    currencies: lockCurrenciesShared(tx, [code]),
  }))
  const variant = variants.byId.get(variant_id)
  if (!lists.has(price_list_id)) throw notFound(priceLists.noun, price_list_id)
  if (!variant) throw notFound('variant', variant_id)
  if (!currencies.has(code)) refuse({ currency_code: `The store has no currency ${code}.` })
  const { product_id } = variant
  const key = { price_list_id, variant_id, currency: code.toLowerCase() }
  const [outcome] = await storeRecords(tx, [{ ...key, product_id, changes }])
  if (!outcome || outcome.kind === 'refused') {
    refuse(outcome?.mistakes ?? {})
    throw new Error('A record was neither stored nor refused.')
  }
  if (outcome.kind !== 'unchanged') publishRecord(tx, outcome.kind, key)
  return outcome.row
}

/** @throws Problem 404 */
async function deleteRecord(tx: Tx, params: RecordParams) {
  const { price_list_id, variant_id, currency_code } = params
  const currency = currency_code.toLowerCase()
  await lockSetsOfList(tx, price_list_id)
  const [gone] = await deleteLiveRecords(
    tx,
    sql`price_list_id = ${price_list_id} and variant_id = ${variant_id} and currency = ${currency}`,
  )
  if (!gone) throw missingRecord(params)
  publishRecord(tx, 'deleted', gone)
}

interface RecordsFilter {
  currency?: string
  'variant_id:in'?: number[]
  'sku:in'?: string[]
}

/** @throws Problem 404 for the list */
async function deleteRecords(tx: Tx, list: number, query: RecordsFilter) {
  const { currency, 'variant_id:in': ids, 'sku:in': skus } = query
  if (!(await lockPriceListsShared(tx, [list])).has(list)) throw notFound(priceLists.noun, list)
  if (ids === undefined && skus === undefined) return emptyList(tx, list, currency?.toLowerCase())
  await lockSetsOfList(tx, list)
  const where = [
    sql`price_list_id = ${list}`,
    ...(currency === undefined ? [] : [sql`currency = ${currency.toLowerCase()}`]),
    ...(ids === undefined ? [] : [sql`variant_id = any(${ids})`]),
    ...(skus === undefined ? [] : [sql`variant_id in (${variantsWithSkus(tx, skus)})`]),
  ]
  publishRecords(tx, 'deleted', await deleteLiveRecords(tx, sql.and(where)))
}
