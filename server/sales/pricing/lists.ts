import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { publish } from '../../core/events/publish.ts'
import { answer, dated, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, IdList, idSegment } from '../../core/rest/input/fields.ts'
import { ComparedText, refuseBlanks } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findPage } from '../../core/rest/lists/pages.ts'
import { change, differences, findOne, insert, lock, pick } from '../../core/rest/lists/verbs.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { deleteLists } from './deletion.ts'
import { degradable, degradableAnswers, PriceList, priceLists } from './price-list.ts'

const { read, write } = access('catalog')

const { name, active } = PriceList.properties
const Changes = t.Partial(t.Object({ name, active }), {
  title: 'PriceListChanges',
  examples: [{ name: 'Trade', active: true }],
})
const NewList = t.Object(
  { ...Changes.properties, name },
  { title: 'NewPriceList', examples: [{ name: 'Trade', active: true }] },
)

const ListsToDelete = t.Object(
  { 'id:in': t.Optional(IdList), name: t.Optional(ComparedText) },
  { additionalProperties: false, examples: [{ 'id:in': '1' }] },
)

/** Price lists themselves (docs/contract/price-lists.md section 2). */
export function listRoutes(api: Api) {
  const one = `/pricelists/${idSegment('price_list_id')}`
  const params = t.Object({ price_list_id: Id })
  const deletions = sharedLimit('price lists: delete', 1)

  api.get(
    '/pricelists',
    { ...read, schema: { summary: 'List the price lists', ...priceLists.list } },
    ({ db, query }) => findPage(db, priceLists, query),
  )

  api.post(
    '/pricelists',
    { ...write, schema: { summary: 'Create a price list', body: NewList, ...priceLists.answersOne } },
    async ({ db, body }) => answer(await db.transaction((tx) => createPriceList(tx, body))),
  )

  api.delete(
    '/pricelists',
    {
      config: { ...write.config, ...degradable },
      schema: {
        summary: 'Delete price lists',
        description: 'Without a filter all price lists of the store are deleted, with their records and assignments.',
        querystring: ListsToDelete,
        ...degradableAnswers,
      },
    },
    async ({ db, query }) => {
      refuseBlanks(query)
      await deleteMatching(db, query)
      return noContent()
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a price list', params, ...priceLists.one } },
    async ({ db, params, query }) => {
      const row = await findOne(db, priceLists, params.price_list_id)
      return dated(pick(priceLists, row, query), row.date_modified)
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: { summary: 'Change a price list', params, body: Changes, ...priceLists.answersOne },
    },
    async ({ db, params, body }) =>
      answer(await db.transaction((tx) => changePriceList(tx, params.price_list_id, body))),
  )

  api.delete(
    one,
    {
      config: { ...write.config, ...degradable },
      schema: {
        summary: 'Delete a price list',
        description: 'With its records and assignments, and the rule of each group that has it.',
        params,
        ...degradableAnswers,
      },
    },
    ({ db, params: { price_list_id } }) =>
      deletions.run(db.store, async () => {
        await db.transaction(async (tx) => {
          await lock(tx, priceLists, price_list_id)
          await deleteLists(tx, [price_list_id])
          publishList(tx, 'deleted', price_list_id)
        })
        return noContent()
      }),
  )
}

/** @throws Problem 409 */
export async function createPriceList(tx: Tx, body: Static<typeof NewList>): Promise<PriceList> {
  const now = toSeconds(tx.now)
  const row = await insert(tx, priceLists, { active: true, ...body, date_created: now, date_modified: now })
  publishList(tx, 'created', row.id)
  return row
}

/** @throws Problem 404, 409 */
async function changePriceList(tx: Tx, id: number, body: Static<typeof Changes>): Promise<PriceList> {
  const before = await lock(tx, priceLists, id)
  const changes = differences(before, body)
  if (Object.keys(changes).length === 0) return before
  const changed = await change(tx, priceLists, before, { ...changes, date_modified: toSeconds(tx.now) })
  publishList(tx, 'updated', id)
  if (changed.active !== before.active) publishList(tx, changed.active ? 'activated' : 'deactivated', id)
  return changed
}

/** Deletes lists in steps, each with an event of its own: a store may have any number of them. */
const deleteMatching = (db: Db, { 'id:in': ids, name }: Static<typeof ListsToDelete>) =>
  inSteps(db, async (tx) => {
    const where = [
      ...(ids === undefined ? [] : [sql`id = any(${ids})`]),
      ...(name === undefined ? [] : [sql`name_key = ${fold(name)}`]),
    ]
    const found = await tx.rows<{ id: number }>(sql`
      select id from price_lists where store_id = ${tx.store.id} and ${sql.and(where)}
      order by id limit ${STEP_ROWS} for update`)
    if (found.length === 0) return false
    const price_list_ids = found.map(({ id }) => id)
    await deleteLists(tx, price_list_ids)
    publish(tx, 'store/priceLists/deleted', 'price lists', { price_list_ids })
    return found.length === STEP_ROWS
  })

/** Publishes an event of one list (docs/contract/webhooks.md section 6). */
function publishList(
  tx: Tx,
  deed: 'created' | 'updated' | 'activated' | 'deactivated' | 'deleted',
  price_list_id: number,
) {
  publish(tx, `store/priceList/${deed}`, `price list ${price_list_id}`, { price_list_id })
}
