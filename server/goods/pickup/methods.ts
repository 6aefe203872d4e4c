import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { lockAll, lockIds } from '../../core/rest/batch.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, ListOf, Moment, NeededText } from '../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { collection, Meta } from '../../core/rest/lists/collection.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { change, differences, findWhere, insertAll, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { lockLocationsShared } from '../inventory/locations/location-shape.ts'

// A pickup method is an offer to collect orders at a location, for example at the counter. A client creates it for an
// enabled location, with a name and instructions for customers. Requests change its texts and move it to another enabled
// location. A store has at most 10,000 methods; their names need not be unique. The search for pickup options offers the
// methods of the nearest locations that have all items for sale. An order for pickup locks its method while it is stored. A
// method is deleted by a request or with its location. It has no price and no hours of its own, reserves no stock, and
// publishes no event.

const CREATED_MAX = 100
const CHANGED_MAX = 10
const METHODS_MAX = 10_000

const SORTS = ['date_modified:asc', 'date_modified:desc', 'name:asc', 'name:desc'] as const

const { read, write } = access('fulfillment')

/** Ids have 64 bits in the contract, but a JSON number holds only 53 (docs/contract/conventions.md section 12). */
const MethodId = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Name = NeededText(250)
const Note = t.String({ maxLength: 250 })

const Method = t.Object({
  id: MethodId,
  location_id: Id,
  name: Name,
  collection_instructions: Note,
  collection_time_description: Note,
  date_created: Moment,
  date_modified: Moment,
})
type Method = Static<typeof Method>

const { location_id, collection_instructions, collection_time_description } = Method.properties
const Changes = t.Partial(
  t.Object({ location_id, name: Name, display_name: Name, collection_instructions, collection_time_description }),
)
const NewMethod = t.Object({ ...Changes.properties, location_id }, { title: 'NewPickupMethod' })
type NewMethod = Static<typeof NewMethod>
const ChangesById = t.Object({ ...Changes.properties, id: MethodId }, { title: 'PickupMethodChanges' })
type ChangesById = Static<typeof ChangesById>

const methods = collection('pickup_methods', Method, {
  noun: 'pickup method',
  filters: 'id:in date_created date_created:min date_created:max date_modified date_modified:min date_modified:max',
  sort: SORTS,
  max: METHODS_MAX,
})

// The founding document calls it `name`, public clients `display_name` (docs/contract/README.md, ruling 1).
export const PickupMethodAnswer = t.Object({ ...Method.properties, display_name: Name }, { title: 'PickupMethod' })
/** The name stands under both keys. */
const toAnswer = (method: Partial<Method>) => ({ ...method, display_name: method.name })

const example = {
  location_id: 1,
  display_name: 'At the counter',
  collection_instructions: 'Bring the number of your order.',
  collection_time_description: 'From 9 to 18 on weekdays',
}

const DateFilter = t.Optional(t.String({ format: 'date-time' }))
const MethodIds = ListOf(MethodId)
const ListQuery = t.Object(
  {
    'id:in': t.Optional(MethodIds),
    date_created: DateFilter,
    'date_created:min': DateFilter,
    'date_created:max': DateFilter,
    date_modified: DateFilter,
    'date_modified:min': DateFilter,
    'date_modified:max': DateFilter,
    sort: t.Optional(t.Enum([...SORTS])),
    ...paging,
  },
  { additionalProperties: false },
)
const DeletionQuery = t.Object({ 'id:in': MethodIds }, { additionalProperties: false, examples: [{ 'id:in': '1' }] })

const answersMethods = { response: { 200: t.Object({ data: t.Array(PickupMethodAnswer), meta: Meta }) } }

/** The pickup methods of a store (docs/contract/pickup.md section 2). */
export function pickupMethodRoutes(api: Api) {
  const all = '/pickup/methods'

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the pickup methods',
        querystring: ListQuery,
        response: { 200: t.Object({ data: t.Array(PickupMethodAnswer), meta: PageMeta }) },
      },
    },
    async ({ db, query: { page = 1, limit = 50, ...filters } }) => {
      const { data, meta } = await findRows(db, methods, { ...filters, page, limit })
      return answer(data.map(toAnswer), meta)
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create pickup methods',
        description: 'All methods are stored, or none. Their locations must be enabled.',
        body: t.Array(NewMethod, { minItems: 1, maxItems: CREATED_MAX, examples: [[example]] }),
        ...answersMethods,
      },
    },
    async ({ db, body }) => answer((await db.transaction((tx) => createMethods(tx, body))).map(toAnswer)),
  )

  api.put(
    all,
    {
      ...write,
      schema: {
        summary: 'Change pickup methods',
        description: 'All changes are stored, or none. Missing fields stay.',
        body: t.Array(ChangesById, {
          minItems: 1,
          maxItems: CHANGED_MAX,
          examples: [[{ id: 1, display_name: 'At the back door' }]],
        }),
        ...answersMethods,
      },
    },
    async ({ db, body }) => answer((await db.transaction((tx) => changeMethods(tx, body))).map(toAnswer)),
  )

  api.delete(
    all,
    { ...write, schema: { summary: 'Delete pickup methods', querystring: DeletionQuery } },
    async ({ db, query: { 'id:in': ids } }) => {
      await db.transaction(async (tx) => {
        await lockIds(tx, methods, ids)
        await removeAll(tx, methods, sql`id = any(${ids})`)
      })
      return noContent()
    },
  )
}

/**
 * Creates methods, all or none.
 * @returns the stored methods, in the order of the bodies
 * @throws Problem 422 with all mistakes, 403 for too many methods
 */
export async function createMethods(tx: Tx, bodies: readonly NewMethod[]): Promise<Method[]> {
  const locations = await lockLocationsShared(
    tx,
    bodies.map(({ location_id }) => location_id),
  )
  refuse(Object.assign({}, ...bodies.map((body, i) => mistakesIn(body, locations, (field) => `${i}.${field}`))))
  const ids = await takeIds(tx, [[methods, bodies.length]])
  const now = toSeconds(tx.now)
  const rows = bodies.map((body) => ({
    id: ids.next(methods),
    location_id: body.location_id,
    name: body.display_name ?? body.name ?? '',
    collection_instructions: body.collection_instructions ?? '',
    collection_time_description: body.collection_time_description ?? '',
    date_created: now,
    date_modified: now,
  }))
  const created = await insertAll(tx, methods, rows)
  return created
}

/** @throws Problem 422 with all mistakes */
async function changeMethods(tx: Tx, bodies: readonly ChangesById[]): Promise<Method[]> {
  const wanted = bodies.map(({ id }) => id)
  // Lock locations before methods, like the deletion of locations, so that the two cannot deadlock.
  const locations = await lockLocationsShared(
    tx,
    bodies.flatMap(({ location_id }) => location_id ?? []),
  )
  const before = await lockAll(tx, methods, wanted)
  const position = (i: number) => `${i}.id`
  refuse({
    ...repeatedIds(bodies, position),
    ...missing(wanted, before, position, (id) => unknownId('pickup method', id)),
    ...Object.assign(
      {},
      ...bodies.map((body, i) => mistakesIn(body, locations, (field) => `${i}.${field}`, before.get(body.id))),
    ),
  })
  const stored: Method[] = []
  for (const { id, name, display_name = name, ...rest } of bodies) {
    const method = before.get(id)
    if (method) stored.push(await changeMethod(tx, method, { ...rest, name: display_name }))
  }
  return stored
}

async function changeMethod(tx: Tx, method: Method, wanted: object): Promise<Method> {
  const changes = differences(method, wanted)
  if (Object.keys(changes).length === 0) return method
  return change(tx, methods, method, { ...changes, date_modified: toSeconds(tx.now) })
}

/** The mistakes of a body that matches its schema. @param before the method that the body changes */
function mistakesIn(
  { name, display_name, location_id, ...body }: NewMethod | ChangesById,
  locations: Awaited<ReturnType<typeof lockLocationsShared>>,
  at: (field: string) => string,
  before?: Method,
): Mistakes {
  const mistakes: Mistakes = {}
  if (!('id' in body) && name === undefined && display_name === undefined) {
    mistakes[at('display_name')] = 'error.path.missing'
  }
  if (name !== undefined && display_name !== undefined && name !== display_name) {
    mistakes[at('display_name')] = 'display_name and name are one value: send one of them, or the same text in both.'
  }
  // An unchanged location is accepted even if it was disabled meanwhile: clients may send a method back as they read it.
  if (location_id === undefined || location_id === before?.location_id) return mistakes
  const location = locations.get(location_id)
  if (!location) mistakes[at('location_id')] = unknownId('location', location_id)
  else if (!location.enabled) mistakes[at('location_id')] = `The location ${location_id} is disabled.`
  return mistakes
}

/** Deletes the methods of locations that are locked and being deleted. */
export async function deleteMethodsAt(tx: Tx, locationIds: readonly number[]) {
  const at = sql`location_id = any(${locationIds})`
  await tx.rows(sql`
    select id from ${sql.id(methods.table)} where store_id = ${tx.store.id} and ${at} order by id for update`)
  await removeAll(tx, methods, at)
}

/** Locks pickup methods against changes until the transaction ends. @returns the existing ones, by id */
export async function lockMethodsShared(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Method>> {
  const rows = await findWhere(tx, methods, sql`id = any(${[...new Set(ids)]})`, sql`order by id for share`)
  return new Map(rows.map((method) => [method.id, method]))
}
