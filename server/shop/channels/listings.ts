import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { ID_MAX, Id, idSegment, Line, Moment } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, repeated } from '../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../core/rest/lists/collection.ts'
import { conditionsOf, filterSchema } from '../../core/rest/lists/filters.ts'
import { linkTo, PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { differences, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId, knownChannels } from './channels.ts'

const SAVED_AT_ONCE = 50
/** The maximum of variants of a product (docs/contract/limits.md section 2). */
const VARIANTS_MAX = 600
/** Fields in the title of a refusal; its errors have all of them. */
const NAMED_MAX = 10

const VARIANT_STATES = [
  'active',
  'disabled',
  'error',
  'pending',
  'pending_disable',
  'pending_delete',
  'queued',
  'rejected',
  'submitted',
  'deleted',
] as const
const State = t.Enum([...VARIANT_STATES, 'partially_rejected'])
const VariantState = t.Enum([...VARIANT_STATES])

/** Texts of a channel that differ from the catalog; empty if they are the same. */
const words = { external_id: Line, name: Line, description: t.String({ maxLength: 65_535 }) }
const optionalWords = t.Partial(t.Object(words)).properties
const dates = { date_created: Moment, date_modified: Moment }

/** A listing as it is stored, without its variants. */
const ListingRow = t.Object({ id: Id, channel_id: ChannelId, product_id: Id, state: State, ...words, ...dates })
type ListingRow = Static<typeof ListingRow>

const listings = collection('listings', ListingRow, {
  noun: 'listing',
  filters:
    'product_id:in date_created date_created:min date_created:max date_modified date_modified:min date_modified:max',
})

/** A variant in a listing as it is stored. */
const VariantRow = t.Object({ listing_id: Id, variant_id: Id, state: VariantState, ...words, ...dates })
type VariantRow = Static<typeof VariantRow>

const ListedVariant = t.Object(
  { channel_id: ChannelId, product_id: Id, ...t.Omit(VariantRow, ['listing_id']).properties },
  { title: 'ListingVariant' },
)
const Listing = t.Object(
  { listing_id: Id, ...t.Omit(ListingRow, ['id']).properties, variants: t.Array(ListedVariant) },
  { title: 'Listing' },
)
type Listing = Static<typeof Listing>

const NewListedVariant = t.Object(
  { variant_id: Id, product_id: Id, state: VariantState, ...optionalWords },
  { title: 'NewListingVariant' },
)
const NewListings = t.Array(
  t.Object(
    { product_id: Id, state: State, ...optionalWords, variants: t.Array(NewListedVariant, { maxItems: VARIANTS_MAX }) },
    { title: 'NewListing' },
  ),
  { minItems: 1, maxItems: SAVED_AT_ONCE, examples: [[{ product_id: 1, state: 'active', variants: [] }]] },
)

const ListedVariantChanges = t.Object(
  { variant_id: Id, product_id: t.Optional(Id), state: t.Optional(VariantState), ...optionalWords },
  { title: 'ListingVariantChanges' },
)
const ListingChanges = t.Array(
  t.Object(
    {
      // Its bounds have an error of their own.
      listing_id: t.Integer(),
      state: t.Optional(State),
      ...optionalWords,
      variants: t.Optional(t.Array(ListedVariantChanges, { maxItems: VARIANTS_MAX })),
    },
    { title: 'ListingChanges' },
  ),
  { minItems: 1, maxItems: SAVED_AT_ONCE, examples: [[{ listing_id: 1, state: 'disabled' }]] },
)

// Cursors are listing ids. Clients may count pages instead.
const ListQuery = t.Unsafe<{ page: number; limit: number; after?: number }>(
  t.Object(
    {
      ...Object.fromEntries(listings.filterList.map((filter) => [filter.name, t.Optional(filterSchema(filter))])),
      ...paging,
      after: t.Optional(
        t.Integer({ minimum: 0, maximum: ID_MAX, description: 'The last listing_id of the page before' }),
      ),
    },
    { additionalProperties: false },
  ),
)
const answersList = { response: { 200: t.Object({ data: t.Array(Listing), meta: PageMeta }) } }

/** Functions on products that listings need. The catalog stands above channels, so `app.ts` passes them. */
export interface ListedProducts {
  /**
   * Locks products, and with them their variants, until the transaction ends.
   * @returns the ids of existing products
   */
  lock(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** The products of these variants. Unknown variants are missing. */
  ofVariants(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/**
 * Routes for the listings of a channel: its products, with texts of its own for them and their variants
 * (docs/contract/channels.md section 4).
 */
export function listingRoutes(api: Api, products: ListedProducts) {
  const { read, write } = access('listings')
  const path = `/channels/${CHANNEL_SEGMENT}/listings`
  const params = t.Object({ channel_id: ChannelId })

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: "List a channel's listings",
        description: 'An unknown channel has none.',
        params,
        querystring: ListQuery,
        ...answersList,
      },
    },
    async ({ db, params: { channel_id }, query }) => {
      const { after = 0, page, limit } = query
      const { total, rows, isLast } = await pageOf(db, channel_id, query)
      const position = { ...(after > 0 ? { after } : {}), ...(page > 1 ? { page } : {}), limit }
      const next = isLast ? {} : { next: linkTo(query, { after: rows.at(-1)?.id ?? after, limit }) }
      return answer(await withVariants(db, rows), {
        pagination: {
          total,
          count: rows.length,
          per_page: limit,
          current_page: page,
          total_pages: Math.ceil(total / limit),
          links: { current: linkTo(query, position), ...next },
        },
      })
    },
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create listings',
        description: 'If the channel already lists a product, its listing is changed. All listings are saved, or none.',
        params,
        body: NewListings,
        ...answersList,
      },
    },
    async ({ db, params: { channel_id }, body }) => {
      refuseItems(
        body.length,
        repeatedIn(body, ({ product_id }) => product_id, 'product_id'),
      )
      const inputs = body.map((input, position) => ({ ...input, position }))
      return answerSaved(await db.transaction((tx) => saveListings(tx, products, channel_id, inputs)))
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change listings',
        description: 'Unknown listings are skipped. Variants that are missing in the body do not change.',
        params,
        body: ListingChanges,
        ...answersList,
      },
    },
    async ({ db, params: { channel_id }, body }) => {
      refuseItems(body.length, {
        ...notPositive(body),
        ...repeatedIn(body, ({ listing_id }) => listing_id, 'listing_id'),
      })
      return answerSaved(
        await db.transaction(async (tx) => {
          const ids = body.map(({ listing_id }) => listing_id)
          const found = await rowsWhere(tx, sql`channel_id = ${channel_id} and id = any(${ids}::bigint[])`)
          const listed = new Map(found.map(({ id, product_id }) => [id, product_id]))
          const inputs = body.flatMap(({ listing_id, ...input }, position) => {
            const product_id = listed.get(listing_id)
            return product_id === undefined ? [] : [{ ...input, product_id, position, isThere: true }]
          })
          return saveListings(tx, products, channel_id, inputs)
        }),
      )
    },
  )

  api.get(
    `${path}/${idSegment('listing_id')}`,
    {
      ...read,
      schema: {
        summary: 'Get a listing',
        params: t.Object({ channel_id: ChannelId, listing_id: Id }),
        response: { 200: envelope(Listing) },
      },
    },
    async ({ db, params: { channel_id, listing_id } }) => {
      const known = await knownChannels(db, [channel_id])
      const rows = await rowsWhere(db, sql`channel_id = any(${[...known]}::bigint[]) and id = ${listing_id}`)
      const [listing] = await withVariants(db, rows)
      if (!listing) throw notFound(listings.noun, listing_id)
      return answer(listing)
    },
  )
}

const answerSaved = (saved: readonly Listing[]) =>
  answer(saved, {
    pagination: {
      total: saved.length,
      count: saved.length,
      per_page: SAVED_AT_ONCE,
      current_page: 1,
      total_pages: Math.min(saved.length, 1),
      links: { current: linkTo({}, { limit: SAVED_AT_ONCE }) },
    },
  })

async function pageOf(db: Db, channel: number, query: Static<typeof ListQuery>) {
  const known = await knownChannels(db, [channel])
  const { after = 0, page, limit } = query
  const where = sql.and([
    sql`channel_id = any(${[...known]}::bigint[])`,
    ...conditionsOf(listings.filterList, { ...query }),
  ])
  // One row more than the page, to detect a next page.
  const found = await db.rows<{ total: number } & (ListingRow | { id: null })>(sql`
    select found.total, page.* from (
      select count(*) as total from listings where store_id = ${db.store.id} and ${where}
    ) found left join (
      select ${columns} from listings where store_id = ${db.store.id} and ${where} and id > ${after}
      order by id limit ${limit + 1} offset ${(page - 1) * limit}
    ) page on true order by page.id`)
  const rows = found.flatMap(({ total, ...row }) => (row.id === null ? [] : [row]))
  return { total: found[0]?.total ?? 0, rows: rows.slice(0, limit), isLast: rows.length <= limit }
}

const columns = sql.join(listings.columns.map(sql.id))

/** Listings in the order of their ids. */
const rowsWhere = (db: Db, where: Sql) =>
  db.rows<ListingRow>(sql`select ${columns} from listings where store_id = ${db.store.id} and ${where} order by id`)

const variantRows = (db: Db, listingIds: readonly number[]) =>
  db.rows<VariantRow>(
    prepared(sql`
    select ${sql.join(Object.keys(VariantRow.properties).map(sql.id))} from listing_variants
    where store_id = ${db.store.id} and listing_id = any(${listingIds}) order by listing_id, variant_id`),
  )

/** Converts listings to their wire form. */
async function withVariants(db: Db, rows: readonly ListingRow[]): Promise<Listing[]> {
  if (rows.length === 0) return []
  const found = await variantRows(
    db,
    rows.map(({ id }) => id),
  )
  const variants = Map.groupBy(found, ({ listing_id }) => listing_id)
  return rows.map(({ id, channel_id, product_id, ...row }) => ({
    channel_id,
    listing_id: id,
    product_id,
    ...row,
    variants: (variants.get(id) ?? []).map(({ listing_id: _, ...variant }) => ({ channel_id, product_id, ...variant })),
  }))
}

/** The input for one listing. */
interface ListingInput extends Omit<Static<typeof ListingChanges>[number], 'listing_id'> {
  product_id: number
  /** The position of the item in the body. */
  position: number
  /** Whether the listing existed when the request came. Then it is not created again. */
  isThere?: boolean
}

/**
 * Stores listings of a channel, one for each product. Existing listings are changed.
 * @param inputs of different products
 * @returns the complete listings in the order of the inputs
 * @throws Problem 422 with all mistakes
 */
export async function saveListings(
  tx: Tx,
  products: ListedProducts,
  channel: number,
  inputs: readonly ListingInput[],
): Promise<Listing[]> {
  const productIds = inputs.map(({ product_id }) => product_id)
  const variantIds = inputs.flatMap(({ variants = [] }) => variants.map(({ variant_id }) => variant_id))
  // Locked first, so that requests for the same listing run one after another and no variant is deleted meanwhile.
  const locked = await products.lock(tx, productIds)
  const { known, owners, before } = await tx.together(() => ({
    known: knownChannels(tx, [channel]),
    owners: products.ofVariants(tx, variantIds),
    before: rowsWhere(tx, sql`channel_id = ${channel} and product_id = any(${productIds})`),
  }))
  if (!known.has(channel)) throw new Problem(422, `There is no channel ${channel} in this store.`)
  const rows = new Map(before.map((row) => [row.product_id, row]))
  const mentioned = await variantRows(
    tx,
    before.map(({ id }) => id),
  )
  const variants = new Map(mentioned.map((row) => [keyOf(row), row]))
  const existing = inputs.filter(({ product_id, isThere }) => !isThere || rows.has(product_id))
  refuseItems(
    inputs.length,
    Object.assign(
      {},
      ...existing.map((input) =>
        mistakesOf(input, { locked, owners, variants, listing_id: rows.get(input.product_id)?.id ?? 0 }),
      ),
    ),
  )

  const ids = await takeIds(tx, [[listings, existing.filter(({ product_id }) => !rows.has(product_id)).length]])
  const now = toSeconds(tx.now)
  const drafts = existing.map(
    ({ product_id, variants: variantInputs = [], position: _place, isThere: _isThere, ...words }) => {
      const row = rows.get(product_id)
      const id = row?.id ?? ids.next(listings)
      const changedVariants = variantInputs.flatMap(({ product_id: _, ...words }) => {
        const old = variants.get(keyOf({ listing_id: id, ...words }))
        if (old && Object.keys(differences(old, words)).length === 0) return []
        return [{ ...blank, date_created: now, ...old, ...words, listing_id: id, date_modified: now }]
      })
      const isSame = row && changedVariants.length === 0 && Object.keys(differences(row, words)).length === 0
      const whole = {
        ...blank,
        channel_id: channel,
        product_id,
        date_created: now,
        ...row,
        ...words,
        id,
        date_modified: now,
      }
      return { id, row: isSame ? [] : [whole], changedVariants }
    },
  )
  await upsert(
    tx,
    'listings',
    ['id'],
    drafts.flatMap(({ row }) => row),
  )
  await upsert(
    tx,
    'listing_variants',
    ['listing_id', 'variant_id'],
    drafts.flatMap(({ changedVariants }) => changedVariants),
  )
  const stored = await rowsWhere(tx, sql`id = any(${drafts.map(({ id }) => id)})`)
  const shown = new Map((await withVariants(tx, stored)).map((listing) => [listing.listing_id, listing]))
  return drafts.flatMap(({ id }) => shown.get(id) ?? [])
}

const blank = { external_id: '', name: '', description: '' }

const keyOf = ({ listing_id, variant_id }: Pick<VariantRow, 'listing_id' | 'variant_id'>) =>
  `${listing_id} ${variant_id}`

interface KnownRows {
  locked: ReadonlySet<number>
  owners: ReadonlyMap<number, number>
  variants: ReadonlyMap<string, VariantRow>
  /** 0 for a new listing. */
  listing_id: number
}

/** Mistakes of an item beyond its shape. */
function mistakesOf({ product_id, position, variants = [] }: ListingInput, there: KnownRows): Mistakes {
  if (!there.locked.has(product_id)) return { [`${position}.product_id`]: `There is no product ${product_id}.` }
  const mistakes = repeatedIn(variants, ({ variant_id }) => variant_id, 'variant_id', `${position}.variants.`)
  for (const [i, variant] of variants.entries()) {
    const at = (field: string) => `${position}.variants.${i}.${field}`
    const { variant_id, state } = variant
    if (variant.product_id !== undefined && variant.product_id !== product_id) {
      mistakes[at('product_id')] = `The listing is one of the product ${product_id}.`
    }
    if (there.owners.get(variant_id) !== product_id) {
      mistakes[at('variant_id')] = `The product ${product_id} has no variant ${variant_id}.`
    }
    if (state === undefined && !there.variants.has(keyOf({ ...there, variant_id }))) {
      mistakes[at('state')] = 'error.path.missing'
    }
  }
  return mistakes
}

const repeatedIn = <Item>(items: readonly Item[], idOf: (item: Item) => number, field: string, path = '') =>
  repeated(
    items,
    (item) => String(idOf(item)),
    (i) => `${path}${i}.${field}`,
    `Another item has this ${field}.`,
  )

/** The error also stands under the name that the public service uses (docs/contract/channels.md section 4). */
function notPositive(items: readonly { listing_id: number }[]): Mistakes {
  const sentence = 'A listing_id must be at least 1.'
  const wrong = items.flatMap(({ listing_id }, i) => (listing_id < 1 ? [[`${i}.listing_id`, sentence]] : []))
  return wrong.length === 0 ? {} : { group_id: sentence, ...Object.fromEntries(wrong) }
}

/** @throws Problem 422 with the number of saved listings, which is 0, and the names of fields */
function refuseItems(count: number, mistakes: Mistakes) {
  if (!hasAny(mistakes)) return
  const fields = Object.keys(mistakes).slice(0, NAMED_MAX).join(', ')
  throw new Problem(422, `0 of ${count} listings were saved. Invalid fields: ${fields}.`, mistakes)
}

/** Inserts complete rows, or replaces those with the same key. */
async function upsert<Row extends object>(
  tx: Tx,
  table: string,
  key: readonly (keyof Row & string)[],
  rows: readonly Row[],
) {
  const [first] = rows
  if (!first) return
  const fields = Object.keys(first).sort()
  const names = sql.join(fields.map(sql.id))
  await tx.rows(sql`
    insert into ${sql.id(table)} (store_id, ${names})
    select ${tx.store.id}, ${names} from json_populate_recordset(null::${sql.id(table)}, ${JSON.stringify(rows)}::json)
    on conflict (${sql.join(['store_id', ...key].map(sql.id))}) do update set ${sql.join(
      fields.map((field) => sql`${sql.id(field)} = excluded.${sql.id(field)}`),
    )}`)
}

/** Deletes the listings of products that are being deleted. Their counter is locked. */
export async function deleteListingsOfProducts(tx: Tx, productIds: readonly number[]) {
  await removeListings(tx, sql`product_id = any(${productIds})`)
}

/** The counter that a deletion of listings changes. */
export const listingCounter = listings.table

/** Deletes the parts of listings about variants that are being deleted. */
export async function deleteListedVariants(tx: Tx, variantIds: readonly number[]) {
  if (variantIds.length === 0) return
  await tx.rows(sql`
    delete from listing_variants where store_id = ${tx.store.id} and variant_id = any(${variantIds}) returning listing_id`)
}

/** Deletes the listings of a terminated channel in steps. */
export const deleteListingsOfChannel = (db: Db, channel: number) =>
  inSteps(db, async (tx) => {
    const gone = await removeListings(
      tx,
      sql`id = any(array(
        select id from listings where store_id = ${tx.store.id} and channel_id = ${channel} order by id limit ${STEP_ROWS}))`,
    )
    return gone.length === STEP_ROWS
  })

async function removeListings(tx: Tx, where: Sql): Promise<number[]> {
  const gone = await removeAll(tx, listings, where)
  if (gone.length > 0) {
    await tx.rows(sql`
      delete from listing_variants where store_id = ${tx.store.id} and listing_id = any(${gone}) returning listing_id`)
  }
  return gone
}
