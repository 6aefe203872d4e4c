import type { FastifyContextConfig } from 'fastify'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll, lockIdsShared } from '../../../core/rest/batch.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { AnyInteger, Id, Moment } from '../../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse, repeated, repeatedIds } from '../../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../../core/rest/lists/collection.ts'
import { startCounter } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem, ProblemBody, unknownId } from '../../../core/rest/problem.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { takeClassesFromRates } from '../zones/rates.ts'
import { leaveCostClasses } from './cost-classes.ts'

// A tax class is a kind of things that are taxed alike: goods, books, shipping. Products and fees name a class, and each rate has a
// percentage for each class. Class 0, the default, always exists: it is in no list and can't be changed. Classes 1 to 3 exist in
// every store. They may be renamed, but never deleted, since shipping and wrapping refer to them.

/** The class of products and fees that name no other. */
export const DEFAULT_CLASS = 0
const DEFAULT_CLASS_NAME = 'Default Tax Class'
/** The class of things that nobody pays tax for. */
export const NON_TAXABLE_CLASS = 1

const FIRST_CLASSES = [
  { id: NON_TAXABLE_CLASS, name: 'Non-Taxable Products' },
  { id: 2, name: 'Shipping' },
  { id: 3, name: 'Gift Wrapping' },
]

const { write } = access('information')

const WRITTEN_MAX = 50
/** Ids are never given twice, and products name classes by 0 to 255. */
const CLASS_ID_MAX = 255

const TaxClass = t.Object({
  id: Id,
  // At least one character is not a blank.
  name: t.String({ minLength: 1, maxLength: 100, pattern: '^(?=\\s*\\S)[^<>{}();|`]*$' }),
  created_at: Moment,
  updated_at: Moment,
})
export type TaxClass = Static<typeof TaxClass>

/** Names are unique in a store, and compared folded. */
export const taxClasses = collection('tax_classes', TaxClass, {
  noun: 'tax class',
  filters: '',
  twins: ['name'],
  conflicts: { tax_classes_name_unique: ['A tax class with this name already exists.', 'name'] },
})

const { id, name } = TaxClass.properties
const NewTaxClass = t.Object({ name }, { title: 'NewTaxClass' })
const Changes = t.Object({ id, name }, { title: 'TaxClassChanges' })

/** The body of an error of this family. */
const ClassProblems = t.Object(
  { errors: t.Array(ProblemBody), meta: t.Object({}) },
  { title: 'TaxClassProblems', description: 'One entry' },
)
const STATUSES = [400, 401, 403, 404, 406, 409, 413, 414, 415, 422, 429, 500, 503, 507] as const
const refusals = Object.fromEntries(STATUSES.map((status) => [status, ClassProblems]))
const config: FastifyContextConfig = {
  ...write.config,
  hasClosedBody: true,
  errorType: 'application/problem+json',
  errorBody: (refusal: Static<typeof ProblemBody>): Static<typeof ClassProblems> => ({ errors: [refusal], meta: {} }),
}
const response = { 200: envelope(t.Array(taxClasses.shape)), ...refusals }

/** Changes the products of deleted classes. These are functions of the catalog, which `app.ts` passes in. */
export interface ProductsOfClasses {
  /** Gives the products of large classes the default class in steps, before the transaction that deletes the classes. */
  leaveLargeTaxClasses(db: Db, ids: readonly number[]): Promise<void>
  /** Gives all other products of the classes the default class, in the transaction that deletes the classes. */
  leaveTaxClasses(tx: Tx, ids: readonly number[]): Promise<void>
}

/** Creating, renaming and deleting tax classes. The older family lists them (docs/contract/tax.md section 2). */
export function taxClassRoutes(api: Api, products: ProductsOfClasses) {
  const path = '/tax/classes'
  const examples = { created: [[{ name: 'Books' }]], changed: [[{ id: 2, name: 'Delivery' }]] }

  api.post(
    path,
    {
      config,
      schema: {
        summary: 'Create tax classes',
        description: 'All are stored, or none.',
        body: t.Array(NewTaxClass, { minItems: 1, maxItems: WRITTEN_MAX, examples: examples.created }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => createClasses(tx, body))),
  )

  api.put(
    path,
    {
      config,
      schema: {
        summary: 'Rename tax classes',
        description: 'All are stored, or none.',
        body: t.Array(Changes, { minItems: 1, maxItems: WRITTEN_MAX, examples: examples.changed }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => renameClasses(tx, body))),
  )

  api.delete(
    path,
    {
      config,
      schema: {
        summary: 'Delete tax classes',
        description: 'All are deleted, or none. Their products fall back to the default class.',
        querystring: t.Object(
          { 'id:in': t.Optional(t.Array(AnyInteger, { maxItems: WRITTEN_MAX })) },
          { additionalProperties: false, examples: [{ 'id:in': '4' }] },
        ),
        response: { 204: t.Null(), ...refusals },
      },
    },
    async ({ db, query: { 'id:in': ids = [] } }) => {
      if (ids.length === 0) throw new Problem(404, 'A DELETE of tax classes needs id:in in its query.')
      await refuseUndeletable(db, ids)
      await products.leaveLargeTaxClasses(db, ids)
      await db.transaction(async (tx) => {
        await changeStamp(tx, 'tax')
        await lockAll(tx, taxClasses, ids)
        await refuseUndeletable(tx, ids)
        await products.leaveTaxClasses(tx, ids)
        await takeClassesFromRates(tx, ids)
        await leaveCostClasses(tx, ids)
        await removeAll(tx, taxClasses, sql`id = any(${ids})`)
      })
      return noContent()
    },
  )
}

/** Gives a new store its first classes. */
export async function openFirstClasses(tx: Tx) {
  const count = FIRST_CLASSES.length
  if (!(await startCounter(tx, taxClasses.table, { last_id: count, total: count }))) return
  const now = toSeconds(tx.now)
  await insertAll(
    tx,
    taxClasses,
    FIRST_CLASSES.map((row) => ({ ...row, created_at: now, updated_at: now })),
  )
}

/** @throws Problem 422 for names that are twice in the body, 409 for names that are stored, 403 past the last id */
async function createClasses(tx: Tx, bodies: readonly Static<typeof NewTaxClass>[]): Promise<TaxClass[]> {
  await changeStamp(tx, 'tax')
  await refuseTakenNames(tx, bodies)
  const ids = await takeIds(tx, [[taxClasses, bodies.length]])
  const now = toSeconds(tx.now)
  const rows = bodies.map(({ name }) => ({ id: ids.next(taxClasses), name, created_at: now, updated_at: now }))
  if (rows.some(({ id }) => id > CLASS_ID_MAX)) {
    throw new Problem(403, `The ids of tax classes end at ${CLASS_ID_MAX}, and no id is given twice.`)
  }
  return insertAll(tx, taxClasses, rows)
}

/** @throws Problem 422, 400 for unknown ids, 409 */
async function renameClasses(tx: Tx, bodies: readonly Static<typeof Changes>[]): Promise<TaxClass[]> {
  refuse(repeatedIds(bodies, (i) => `${i}.id`))
  await changeStamp(tx, 'tax')
  const before = await lockAll(
    tx,
    taxClasses,
    bodies.map(({ id }) => id),
  )
  refuseUnknown(
    bodies.map(({ id }) => id),
    before,
    (i) => `${i}.id`,
  )
  await refuseTakenNames(tx, bodies)
  const renamed: TaxClass[] = []
  for (const { id, name } of bodies) {
    const stored = before.get(id)
    if (!stored) continue
    const isSame = stored.name === name
    renamed.push(isSame ? stored : await change(tx, taxClasses, stored, { name, updated_at: toSeconds(tx.now) }))
  }
  return renamed
}

/** A name that an item of the body gives up is free in the next request. */
async function refuseTakenNames(tx: Tx, bodies: readonly { id?: number; name: string }[]) {
  const keys = bodies.map(({ name }) => fold(name))
  const place = (i: number) => `${i}.name`
  refuse(repeated(keys, (key) => key, place, 'Another item has this name.'))
  const rows = await tx.rows<{ id: number; name_key: string }>(sql`
    select id, name_key from tax_classes where store_id = ${tx.store.id} and name_key = any(${keys})`)
  const owners = new Map(rows.map(({ id, name_key }) => [name_key, id]))
  const mistakes: Mistakes = {}
  for (const [i, { id, name }] of bodies.entries()) {
    const owner = owners.get(keys[i] ?? '') ?? (keys[i] === fold(DEFAULT_CLASS_NAME) ? DEFAULT_CLASS : undefined)
    if (owner !== undefined && owner !== id) mistakes[place(i)] = `The tax class ${owner} has the name ${name}.`
  }
  if (hasAny(mistakes)) throw new Problem(409, 'A tax class with this name already exists.', mistakes)
}

async function refuseUndeletable(db: Db, ids: readonly number[]) {
  const first = ids.filter((id) => FIRST_CLASSES.some((one) => one.id === id))
  if (first.length > 0) {
    const sentence = `The tax classes ${FIRST_CLASSES.map(({ id }) => id).join(', ')} can't be deleted.`
    throw new Problem(400, sentence, Object.fromEntries(first.map((id) => [String(ids.indexOf(id)), sentence])))
  }
  const rows = await db.rows<{ id: number }>(sql`
    select id from tax_classes where store_id = ${db.store.id} and id = any(${ids})`)
  refuseUnknown(ids, new Set(rows.map(({ id }) => id)), String)
}

/** @throws Problem 400 */
function refuseUnknown(ids: readonly number[], known: { has(id: number): boolean }, place: (i: number) => string) {
  const entries = ids.flatMap((id, i) => (known.has(id) ? [] : [[place(i), unknownId('tax class', id)]]))
  if (entries.length > 0) throw new Problem(400, 'A tax class does not exist.', Object.fromEntries(entries))
}

/** Keeps tax classes from being deleted until the transaction ends. @returns the ids of those that exist */
export async function lockTaxClassesShared(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const named = ids.filter((id) => id !== DEFAULT_CLASS)
  return (await lockIdsShared(tx, taxClasses, named)).add(DEFAULT_CLASS)
}

/** The names of all classes of a store, the default class among them. */
export async function taxClassNames(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db.rows<Pick<TaxClass, 'id' | 'name'>>(sql`
    select id, name from tax_classes where store_id = ${db.store.id} order by id`)
  return new Map([[DEFAULT_CLASS, DEFAULT_CLASS_NAME], ...rows.map(({ id, name }) => [id, name] as const)])
}
