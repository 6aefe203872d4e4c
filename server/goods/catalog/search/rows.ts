import { type NamedQuery, prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { attributeKey, attributeValue, EVERY_PRODUCT, FLAGS, KIND_SIZE, literal, VALUES } from './values.ts'

// Storefronts search products in copies of the catalog (docs/decisions/085-search-by-rows.md): a row for each product and channel, and a row
// for each value of a product. A product that no shopper may see has none. The copies are written by one statement, at the end of each
// transaction that changes a product. It reads no more of the product than may have changed.

const PRODUCTS_AT_ONCE = 500

/**
 * The changed part of a product: columns by which searches sort, any columns of its row, or anything else too, such as its categories,
 * options and custom fields. Each part contains the one before it.
 */
const PARTS = ['sorting', 'row', 'any'] as const
type ChangedPart = (typeof PARTS)[number]

const changed = new WeakMap<Tx, Map<number, ChangedPart>>()

/**
 * Updates the search rows of products at the end of the transaction. Call it whenever a product or a part of it changes.
 * @param part `row` if only columns of the products have changed, and not whether they are visible; `sorting` if these are prices, units
 * sold, positions, names or ratings. For both, this transaction has locked the products
 */
export function updateSearchRows(tx: Tx, ids: readonly number[], part: ChangedPart = 'any') {
  if (ids.length === 0) return
  const all = changedIn(tx)
  for (const id of ids) all.set(id, larger(part, all.get(id)))
}

const larger = (part: ChangedPart, known: ChangedPart = part): ChangedPart =>
  PARTS.indexOf(part) > PARTS.indexOf(known) ? part : known

function changedIn(tx: Tx): Map<number, ChangedPart> {
  const known = changed.get(tx)
  if (known) return known
  const parts = new Map<number, ChangedPart>()
  changed.set(tx, parts)
  tx.onUndo(() => changed.delete(tx))
  // Before the events, whose statements lock the stream of the store.
  tx.beforeCommit(() => piecesFor(tx, parts), { comesFirst: true })
  return parts
}

function piecesFor(tx: Tx, parts: ReadonlyMap<number, ChangedPart>): StatementBatch[] {
  const ids = [...parts.keys()].toSorted((a, b) => a - b)
  const pieces: StatementBatch[] = []
  for (let start = 0; start < ids.length; start += PRODUCTS_AT_ONCE) {
    const some = ids.slice(start, start + PRODUCTS_AT_ONCE)
    const byPart = Map.groupBy(some, (id) => parts.get(id))
    const [any, row, sorting] = [byPart.get('any'), byPart.get('row'), byPart.get('sorting')]
    pieces.push([
      ...(any ? [locking(tx, any), writing(tx, comparison(tx, any))] : []),
      ...(row ? [writing(tx, rowComparison(tx, row))] : []),
      ...(sorting ? [sorted(tx, sorting)] : []),
    ])
  }
  return pieces
}

/** Two transactions that change one product write its rows one after another. */
const locking = ({ store }: Tx, ids: readonly number[]): NamedQuery =>
  prepared(sql`
  select id from products where store_id = ${store.id} and id = any(${ids}::int[]) order by id for no key update`)

/** The columns of a product that its search rows copy. */
const COPIED = sql`id, round(calculated_price * 10000)::bigint as price, total_sold as sold, sort_order as featured,
      case when reviews_count = 0 then 0 else (reviews_rating_sum::bigint * 100 / reviews_count)::int end as rating, name_key,
      (inventory_tracking = 'none' or inventory_level > 0) as in_stock, is_featured, is_free_shipping, brand_id`

/** Copies the columns that searches sort by. No value of a product follows from them. */
const sorted = ({ store }: Tx, ids: readonly number[]): NamedQuery =>
  prepared(sql`
  update search_rows as old set price = product.price, sold = product.sold, featured = product.featured, rating = product.rating,
    name_key = product.name_key
  from (
    select ${COPIED} from products where store_id = ${store.id} and id = any(${ids}::int[]) and is_visible
  ) product
  where old.store_id = ${store.id} and old.product_id = product.id
    and (old.price, old.sold, old.featured, old.rating, old.name_key) is distinct from
      (product.price, product.sold, product.featured, product.rating, product.name_key)`)

/** The values that follow from these columns, as pieces of a union. */
const ROW_VALUES = sql`select id as product_id, ${literal(EVERY_PRODUCT)} as value from product
      union all select id, ${literal(VALUES.brand)} + brand_id from product where brand_id > 0
      union all select id, ${literal(FLAGS.featured)} from product where is_featured
      union all select id, ${literal(FLAGS.freeShipping)} from product where is_free_shipping
      union all select id, ${literal(FLAGS.inStock)} from product where in_stock
      union all select id, ${literal(VALUES.rating)} + rating / 100 from product where rating >= 100`

/** The tables of a comparison: `fresh` rows, the rows `before`, and others. */
interface Comparison {
  tables: Sql
  /** More statements behind them. */
  more: Sql
}

/**
 * Compares products of which only columns of the row have changed: the values of their categories, options and custom fields stay. A product
 * without search rows is not visible, or it has changed in more than its row.
 */
const rowComparison = ({ store }: Tx, ids: readonly number[]): Comparison => ({
  tables: sql`product as materialized (
    select ${COPIED} from products where store_id = ${store.id} and id = any(${ids}::int[]) and is_visible
  ), before as materialized (
    select product_id, channel_id, facets, search_rows.in_stock from product join search_rows
      on search_rows.store_id = ${store.id} and search_rows.product_id = product.id
  ), own as materialized (
    select product_id, array_agg(value) as facets from (${ROW_VALUES}) value group by product_id
  ), fresh as materialized (
    select before.product_id, channel_id, price, sold, featured, rating, name_key, product.in_stock, array(
      select value from unnest(own.facets || before.facets) with ordinality one (value, nr)
      where nr <= cardinality(own.facets) or value >= ${literal(VALUES.attribute)}
        or (value >= ${literal(VALUES.category)} and value < ${literal(VALUES.tree + KIND_SIZE)})
      order by value
    ) as facets
    from before join product on product.id = before.product_id join own on own.product_id = before.product_id
  )`,
  more: sql.empty,
})

/** Compares products with all of their parts. */
function comparison({ store }: Tx, ids: readonly number[]): Comparison {
  const [optionName, optionLabel] = [attributeKey(sql`one.display_name`), attributeKey(sql`given.label`)]
  const [fieldName, fieldLabel] = [attributeKey(sql`name`), attributeKey(sql`value`)]
  return {
    tables: sql`product as materialized (
    select ${COPIED} from products where store_id = ${store.id} and id = any(${ids}::int[]) and is_visible
  ), place as materialized (
    select place.product_id, place.category_id from product join product_categories place
      on place.store_id = ${store.id} and place.product_id = product.id
  ), inside as materialized (
    with recursive tree as (
      select place.product_id, category.id, category.parent_id from place join categories category
        on category.store_id = ${store.id} and category.id = place.category_id
      union
      select tree.product_id, above.id, above.parent_id from tree join categories above
        on above.store_id = ${store.id} and above.id = tree.parent_id
    ) select product_id, id from tree
  ), attribute as materialized (
    select one.product_id, ${optionName} as attribute_key, btrim(one.display_name) as attribute, ${optionLabel} as label_key,
      btrim(given.label) as label, given.sort_order as position, ${attributeValue(optionName, optionLabel)} as value
    from product join options one on one.store_id = ${store.id} and one.product_id = product.id
    join option_values given on given.store_id = ${store.id} and given.option_id = one.id
    union all
    select product_id, ${fieldName}, btrim(name), ${fieldLabel}, btrim(value), 0, ${attributeValue(fieldName, fieldLabel)}
    from product join custom_fields field on field.store_id = ${store.id} and field.product_id = product.id
  ), valued as (
    select product_id, array_agg(distinct value order by value) as facets from (
      ${ROW_VALUES}
      union all select product_id, ${literal(VALUES.category)} + category_id from place
      union all select product_id, ${literal(VALUES.tree)} + id from inside
      union all select product_id, value from attribute
    ) value group by product_id
  ), fresh as materialized (
    select product.id as product_id, sold_in.channel_id, price, sold, featured, rating, name_key, in_stock, facets
    from product join valued on valued.product_id = product.id
    join product_channels sold_in on sold_in.store_id = ${store.id} and sold_in.product_id = product.id
  ), before as materialized (
    select product_id, channel_id, facets, in_stock from search_rows
    where store_id = ${store.id} and product_id = any(${ids}::int[])
  )`,
    more: sql`, named as (
    insert into facet_values (store_id, value, attribute_key, attribute, label_key, label, position)
    select distinct on (value) ${store.id}::int, value, attribute_key, attribute, label_key, label, position from attribute
    where not exists (select from facet_values known where known.store_id = ${store.id} and known.value = attribute.value)
    order by value on conflict do nothing
  ), gone as (
    delete from search_rows old where store_id = ${store.id} and product_id = any(${ids}::int[])
      and not exists (select from fresh where fresh.product_id = old.product_id and fresh.channel_id = old.channel_id)
  )`,
  }
}

/** Writes the differences of a comparison. */
function writing({ store }: Tx, { tables, more }: Comparison): NamedQuery {
  return prepared(sql`
  with ${tables}${more}, uncounted as (
    insert into uncounted_facets (store_id, product_id, channel_id, facets, in_stock, changes)
    select ${store.id}::int, product_id, channel_id, coalesce(before.facets, '{}'), coalesce(before.in_stock, false), 1
    from before full join fresh using (product_id, channel_id)
    where (before.facets, before.in_stock) is distinct from (fresh.facets, fresh.in_stock)
    order by product_id, channel_id
    -- Waits for a worker that counts the row now.
    on conflict (store_id, product_id, channel_id) do update set changes = uncounted_facets.changes + 1
  ), stored as (
    insert into search_rows as old (store_id, product_id, channel_id, price, sold, featured, rating, name_key, in_stock, facets)
    select ${store.id}::int, product_id, channel_id, price, sold, featured, rating, name_key, in_stock, facets from fresh
    on conflict (store_id, product_id, channel_id) do update set price = excluded.price, sold = excluded.sold,
      featured = excluded.featured, rating = excluded.rating, name_key = excluded.name_key, in_stock = excluded.in_stock,
      facets = excluded.facets
    where (old.price, old.sold, old.featured, old.rating, old.name_key, old.in_stock, old.facets) is distinct from
      (excluded.price, excluded.sold, excluded.featured, excluded.rating, excluded.name_key, excluded.in_stock, excluded.facets)
  ), old_value as (
    select product_id, value from before, unnest(facets) value where value > 0
  ), new_value as (
    select product_id, value from fresh, unnest(facets) value where value > 0
  ), dropped as (
    delete from product_facets facet using (select * from old_value except select * from new_value) old
    where facet.store_id = ${store.id} and facet.value = old.value and facet.product_id = old.product_id
  )
  insert into product_facets (store_id, value, product_id)
  select ${store.id}::int, value, product_id from (select * from new_value except select * from old_value) new
  on conflict do nothing`)
}
