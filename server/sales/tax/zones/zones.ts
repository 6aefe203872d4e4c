import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { ID_MAX, Id, IdList, NeededLine } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse } from '../../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../../core/rest/lists/collection.ts'
import { startCounter } from '../../../core/rest/lists/counters.ts'
import { conditionsOf } from '../../../core/rest/lists/filters.ts'
import { change, findWhere, insertAll, insertOne, pick, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { lockGroupsShared } from '../../../customers/row/groups.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { leaveZones } from '../settings.ts'
import { countCodes, LocationInput, locationMistakes, TaxLocation, toLocation } from './locations.ts'
import { deleteRatesOf } from './rates.ts'

// A tax zone is a set of places, and perhaps of customer groups, whose shoppers pay the same rates. Zone 1 exists in every store and
// covers all places that no other zone covers. Zones may overlap: `zone-search.ts` decides which of them serves an address.

export const DEFAULT_ZONE = 1

const { read, write } = access('information')

const WRITTEN_MAX = 100
const ZONES_MAX = 1_000
/** Customer groups of a zone. */
const GROUPS_MAX = 1_000
/** Codes in all zones of a store: processes keep them in memory. */
const STORE_CODES_MAX = 50_000

const PriceDisplay = t.Object(
  { show_inclusive: t.Boolean(), show_both_on_detail_view: t.Boolean(), show_both_on_list_view: t.Boolean() },
  { title: 'TaxPriceDisplay' },
)
const Target = t.Object(
  {
    locations: t.Array(TaxLocation),
    customer_groups: t.Array(t.Integer(), { description: 'Empty for all; 0 for guests and customers without a group' }),
  },
  { title: 'TaxZoneTarget' },
)

const TaxZone = t.Object({
  id: Id,
  name: NeededLine,
  enabled: t.Boolean(),
  price_display_settings: PriceDisplay,
  shopper_target_settings: Target,
})
export type TaxZone = Static<typeof TaxZone>

export const taxZones = collection('tax_zones', TaxZone, {
  noun: 'tax zone',
  filters: 'id:in',
  hidden: ['code_count'],
  max: ZONES_MAX,
})

const { name, enabled } = TaxZone.properties
const { show_inclusive } = PriceDisplay.properties
const SomeDisplay = t.Partial(PriceDisplay)
const groupIds = t.Array(t.Integer({ minimum: 0, maximum: ID_MAX }), { maxItems: GROUPS_MAX })
const locations = t.Array(LocationInput)
const NewTaxZone = t.Object(
  {
    name,
    enabled: t.Optional(enabled),
    price_display_settings: t.Optional(t.Object({ ...SomeDisplay.properties, show_inclusive })),
    shopper_target_settings: t.Object({ locations, customer_groups: t.Optional(groupIds) }),
  },
  { title: 'NewTaxZone' },
)
type NewTaxZone = Static<typeof NewTaxZone>
const Changes = t.Object(
  {
    id: Id,
    name: t.Optional(name),
    enabled: t.Optional(enabled),
    price_display_settings: t.Optional(t.Object(SomeDisplay.properties)),
    shopper_target_settings: t.Optional(
      t.Object({ locations: t.Optional(locations), customer_groups: t.Optional(groupIds) }),
    ),
  },
  { title: 'TaxZoneChanges' },
)
type Changes = Static<typeof Changes>

const response = { 200: envelope(t.Array(taxZones.shape)) }

/** Tax zones (docs/contract/tax.md section 3). */
export function taxZoneRoutes(api: Api) {
  const path = '/tax/zones'
  const target = { locations: [{ country_code: 'US', subdivision_codes: ['CA'] }], customer_groups: [] }

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'List the tax zones',
        description: 'All of them: the list has no pages.',
        querystring: taxZones.list.querystring,
        response: { 200: envelope(t.Array(taxZones.shape)) },
      },
    },
    async ({ db, query }) => {
      const rows = await findWhere(db, taxZones, sql.and(conditionsOf(taxZones.filterList, query)))
      return answer(rows.map((row) => pick(taxZones, row, query)))
    },
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create tax zones',
        description: 'All are stored, or none.',
        body: t.Array(NewTaxZone, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ name: 'California', shopper_target_settings: target }]],
        }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => createTaxZones(tx, body))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change tax zones',
        description: 'All are stored, or none. Fields that are not sent stay, also those inside of others.',
        body: t.Array(Changes, { minItems: 1, maxItems: WRITTEN_MAX, examples: [[{ id: 1, name: 'Elsewhere' }]] }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => changeZones(tx, body))),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete tax zones',
        description: 'Their rates are deleted too. Settings that name one of them name zone 1 instead.',
        querystring: t.Object(
          { 'id:in': t.Optional(IdList) },
          { additionalProperties: false, examples: [{ 'id:in': '2' }] },
        ),
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      if (!ids) throw new Problem(422, 'A DELETE of tax zones needs id:in in its query.')
      if (ids.includes(DEFAULT_ZONE)) {
        throw new Problem(422, `The tax zone ${DEFAULT_ZONE} covers all places without a zone and can't be deleted.`)
      }
      await db.transaction(async (tx) => {
        await changeStamp(tx, 'tax')
        await deleteRatesOf(tx, ids)
        await leaveZones(tx, ids)
        await removeAll(tx, taxZones, sql`id = any(${ids})`)
      })
      return noContent()
    },
  )
}

/** Gives a new store the zone of all places. */
export async function openFirstZone(tx: Tx) {
  if (!(await startCounter(tx, taxZones.table, { last_id: DEFAULT_ZONE, total: 1 }))) return
  const first = {
    id: DEFAULT_ZONE,
    name: 'Default Tax Zone',
    enabled: true,
    price_display_settings: noDisplay,
    shopper_target_settings: { locations: [], customer_groups: [] },
    code_count: 0,
  }
  await insertOne(tx, taxZones, first)
}

const noDisplay = { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false }

const pathOf = (i: number, field: 'locations' | 'customer_groups') => `${i}.shopper_target_settings.${field}`

/** @throws Problem 422 with all mistakes, 403 past the zones or codes of a store */
export async function createTaxZones(tx: Tx, bodies: readonly NewTaxZone[]): Promise<TaxZone[]> {
  refuseFaultyLocations(bodies)
  await refuseUnknownGroups(tx, bodies)
  await changeStamp(tx, 'tax')
  const ids = await takeIds(tx, [[taxZones, bodies.length]])
  const rows = bodies.map(({ name, enabled = true, price_display_settings, shopper_target_settings: target }) => ({
    id: ids.next(taxZones),
    name,
    enabled,
    price_display_settings: { ...noDisplay, ...price_display_settings },
    shopper_target_settings: targetOf(target),
    code_count: countCodes(target.locations),
  }))
  const stored = await insertAll(tx, taxZones, rows)
  await refuseTooManyCodes(tx)
  return stored
}

/** Changes zones in the order of the body, in which a zone may occur twice. @throws Problem 422, 403 */
async function changeZones(tx: Tx, bodies: readonly Changes[]): Promise<TaxZone[]> {
  refuseFaultyLocations(bodies)
  await refuseUnknownGroups(tx, bodies)
  await changeStamp(tx, 'tax')
  const ids = bodies.map(({ id }) => id)
  const zones = new Map(await lockAll(tx, taxZones, ids))
  refuse({
    ...missing(
      ids,
      zones,
      (i) => `${i}.id`,
      (id) => unknownId('tax zone', id),
    ),
    ...defaultMistakes(bodies, zones),
  })
  const changed: TaxZone[] = []
  for (const { id, price_display_settings, shopper_target_settings, ...changes } of bodies) {
    const before = zones.get(id)
    if (!before) continue
    const target = { ...before.shopper_target_settings, ...shopper_target_settings }
    const after = {
      ...changes,
      price_display_settings: { ...before.price_display_settings, ...price_display_settings },
      shopper_target_settings: targetOf(target),
      ...(shopper_target_settings?.locations ? { code_count: countCodes(target.locations) } : {}),
    }
    const zone = await change(tx, taxZones, before, after)
    zones.set(id, zone)
    changed.push(zone)
  }
  await refuseTooManyCodes(tx)
  return changed
}

const targetOf = ({
  locations,
  customer_groups = [],
}: {
  locations: readonly Static<typeof LocationInput>[]
  customer_groups?: readonly number[]
}) => ({ locations: locations.map(toLocation), customer_groups: [...new Set(customer_groups)] })

/** @throws Problem 422 */
function refuseFaultyLocations(bodies: readonly Changes[] | readonly NewTaxZone[]) {
  const mistakes: Mistakes = {}
  for (const [i, { shopper_target_settings: target }] of bodies.entries()) {
    if (target?.locations && !isDefaultZone(bodies[i])) {
      Object.assign(mistakes, locationMistakes(target.locations, pathOf(i, 'locations')))
    }
  }
  refuse(mistakes)
}

const isDefaultZone = (body: Changes | NewTaxZone | undefined) =>
  body !== undefined && 'id' in body && body.id === DEFAULT_ZONE

/** Zone 1 takes part in every search, and has neither locations nor groups. */
function defaultMistakes(bodies: readonly Changes[], zones: ReadonlyMap<number, TaxZone>): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, { id, enabled, shopper_target_settings: target }] of bodies.entries()) {
    const zone = zones.get(id)
    if (id !== DEFAULT_ZONE || !zone) continue
    if (enabled === false) mistakes[`${i}.enabled`] = `The tax zone ${DEFAULT_ZONE} is always enabled.`
    if (target && !isDeepStrictEqual({ ...zone.shopper_target_settings, ...target }, zone.shopper_target_settings)) {
      mistakes[`${i}.shopper_target_settings`] = `The tax zone ${DEFAULT_ZONE} covers all places without a zone.`
    }
  }
  return mistakes
}

/** Groups are locked before the stamp is changed: the deletion of a group locks them in this order too. @throws Problem 422 */
async function refuseUnknownGroups(tx: Tx, bodies: readonly (Changes | NewTaxZone)[]) {
  const groupsOf = (body: Changes | NewTaxZone) => body.shopper_target_settings?.customer_groups ?? []
  const known = (await lockGroupsShared(tx, bodies.flatMap(groupsOf))).add(0)
  const mistakes: Mistakes = {}
  for (const [i, body] of bodies.entries()) {
    const place = (j: number) => `${pathOf(i, 'customer_groups')}.${j}`
    Object.assign(
      mistakes,
      missing(groupsOf(body), known, place, (id) => unknownId('customer group', id)),
    )
  }
  refuse(mistakes)
}

/** @throws Problem 403 */
async function refuseTooManyCodes(tx: Tx) {
  const { count } = await tx.row<{ count: number }>(sql`
    select coalesce(sum(code_count), 0)::int as count from tax_zones where store_id = ${tx.store.id}`)
  if (count > STORE_CODES_MAX) {
    throw new Problem(403, `The tax zones of a store can have at most ${STORE_CODES_MAX} codes in their locations.`)
  }
}

/**
 * Takes a group, which is deleted and locked, out of all zones. A zone of no other group is disabled: with an empty list it would serve
 * everybody.
 */
export async function removeGroupFromTaxZones(tx: Tx, group: number) {
  await changeStamp(tx, 'tax')
  await tx.rows(sql`
    update tax_zones set
      enabled = enabled and jsonb_array_length(shopper_target_settings -> 'customer_groups') > 1,
      shopper_target_settings = jsonb_set(shopper_target_settings, '{customer_groups}', (
        select coalesce(jsonb_agg(id order by place), '[]')
        from jsonb_array_elements(shopper_target_settings -> 'customer_groups') with ordinality as groups (id, place)
        where id <> to_jsonb(${group}::int)))
    where store_id = ${tx.store.id} and shopper_target_settings -> 'customer_groups' @> to_jsonb(${group}::int)`)
}
