import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { Id, IdList, NeededLine } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../../core/rest/lists/collection.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { change, insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { access } from '../../../stores/accounts/scopes.ts'

// A tax rate is one tax of a zone, such as "State": a percentage for each tax class. A class without a percentage is not taxed by it.
// Rates of equal priority add up; a rate of a higher priority number also taxes the taxes of the lower ones.

const { read, write } = access('information')

const WRITTEN_MAX = 100
const RATES_MAX = 5_000
/** Classes have ids up to 255. */
const CLASS_RATES_MAX = 256
/** Percentages in all rates of a store: processes keep them in memory. */
const STORE_CLASS_RATES_MAX = 50_000

const ClassRate = t.Object(
  {
    rate: t.Unsafe<number>({ ...Amount({ maximum: 100 }), description: 'In percent, with four decimals' }),
    tax_class_id: t.Integer({ minimum: 0, maximum: 255 }),
  },
  { title: 'TaxClassRate' },
)
type ClassRate = Static<typeof ClassRate>

const TaxRate = t.Object({
  id: Id,
  name: NeededLine,
  enabled: t.Boolean(),
  priority: t.Integer({ minimum: 1, maximum: 10 }),
  tax_zone_id: Id,
  class_rates: t.Array(ClassRate, { maxItems: CLASS_RATES_MAX }),
})
export type TaxRate = Static<typeof TaxRate>

export const taxRates = collection('tax_rates', TaxRate, {
  noun: 'tax rate',
  filters: 'id:in tax_zone_id:in',
  max: RATES_MAX,
  counted: true,
})

const { id, name, tax_zone_id, class_rates, ...others } = TaxRate.properties
const NewTaxRate = t.Object(
  { name, tax_zone_id, class_rates, ...t.Partial(t.Object(others)).properties },
  {
    title: 'NewTaxRate',
  },
)
type NewTaxRate = Static<typeof NewTaxRate>
const Changes = t.Object(
  { id, ...t.Partial(t.Object({ name, tax_zone_id, class_rates, ...others })).properties },
  { title: 'TaxRateChanges' },
)
type Changes = Static<typeof Changes>

const response = { 200: envelope(t.Array(taxRates.shape)) }

/** Tax rates (docs/contract/tax.md section 4). */
export function taxRateRoutes(api: Api) {
  const path = '/tax/rates'
  const class_rates = [{ rate: 6.25, tax_class_id: 0 }]

  api.get(path, { ...read, schema: { summary: 'List the tax rates', ...taxRates.list } }, ({ db, query }) =>
    findPage(db, taxRates, query),
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create tax rates',
        description: 'All are stored, or none.',
        body: t.Array(NewTaxRate, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ name: 'State', tax_zone_id: 1, class_rates }]],
        }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => createTaxRates(tx, body))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change tax rates',
        description: 'All are stored, or none. Percentages of classes that are not sent stay.',
        body: t.Array(Changes, { minItems: 1, maxItems: WRITTEN_MAX, examples: [[{ id: 1, class_rates }]] }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => changeRates(tx, body))),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete tax rates',
        querystring: t.Object(
          { 'id:in': t.Optional(IdList) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      if (!ids) throw new Problem(422, 'A DELETE of tax rates needs id:in in its query.')
      await db.transaction(async (tx) => {
        await changeStamp(tx, 'tax')
        await removeAll(tx, taxRates, sql`id = any(${ids})`)
      })
      return noContent()
    },
  )
}

/** @throws Problem 422 with all mistakes, 403 past the rates of a store */
export async function createTaxRates(tx: Tx, bodies: readonly NewTaxRate[]): Promise<TaxRate[]> {
  await changeStamp(tx, 'tax')
  refuse(await mistakesIn(tx, bodies))
  const ids = await takeIds(tx, [[taxRates, bodies.length]])
  const rows = bodies.map((body) => ({ enabled: true, priority: 1, ...body, id: ids.next(taxRates) }))
  const stored = await insertAll(tx, taxRates, rows)
  await refuseTooManyClassRates(tx)
  return stored
}

/** Changes rates in the order of the body, in which a rate may occur twice. @throws Problem 422, 403 */
async function changeRates(tx: Tx, bodies: readonly Changes[]): Promise<TaxRate[]> {
  await changeStamp(tx, 'tax')
  const ids = bodies.map(({ id }) => id)
  const rates = new Map(await lockAll(tx, taxRates, ids))
  const unknown = missing(
    ids,
    rates,
    (i) => `${i}.id`,
    (id) => unknownId('tax rate', id),
  )
  refuse({ ...unknown, ...(await mistakesIn(tx, bodies)) })
  const changed: TaxRate[] = []
  for (const { id, class_rates = [], ...changes } of bodies) {
    const before = rates.get(id)
    if (!before) continue
    const rate = await change(tx, taxRates, before, {
      ...changes,
      class_rates: mergedRates(before.class_rates, class_rates),
    })
    rates.set(id, rate)
    changed.push(rate)
  }
  await refuseTooManyClassRates(tx)
  return changed
}

/** Rates in the place of those of the same class, and new ones behind them. */
const mergedRates = (before: readonly ClassRate[], given: readonly ClassRate[]): ClassRate[] => [
  ...new Map([...before, ...given].map((rate) => [rate.tax_class_id, rate])).values(),
]

/** Unknown zones and classes, and classes that a rate has twice. With the stamp changed, nobody deletes a zone or a class meanwhile. */
async function mistakesIn(tx: Tx, bodies: readonly (Changes | NewTaxRate)[]): Promise<Mistakes> {
  const { zones, classes } = await tx.row<{ zones: number[]; classes: number[] }>(sql`
    select (select coalesce(jsonb_agg(id), '[]') from tax_zones where store_id = ${tx.store.id}) as zones,
      (select coalesce(jsonb_agg(id), '[]') from tax_classes where store_id = ${tx.store.id}) as classes`)
  const [knownZones, knownClasses] = [new Set(zones), new Set(classes).add(0)]
  const mistakes: Mistakes = {}
  for (const [i, { tax_zone_id, class_rates = [] }] of bodies.entries()) {
    if (tax_zone_id !== undefined && !knownZones.has(tax_zone_id)) {
      mistakes[`${i}.tax_zone_id`] = unknownId('tax zone', tax_zone_id)
    }
    const place = (j: number) => `${i}.class_rates.${j}.tax_class_id`
    Object.assign(
      mistakes,
      repeated(class_rates, (rate) => String(rate.tax_class_id), place, 'Another entry is for this class.'),
      missing(
        class_rates.map(({ tax_class_id }) => tax_class_id),
        knownClasses,
        place,
        (id) => unknownId('tax class', id),
      ),
    )
  }
  return mistakes
}

/** @throws Problem 403 */
async function refuseTooManyClassRates(tx: Tx) {
  const { count } = await tx.row<{ count: number }>(sql`
    select coalesce(sum(jsonb_array_length(class_rates)), 0)::int as count from tax_rates
    where store_id = ${tx.store.id}`)
  if (count > STORE_CLASS_RATES_MAX) {
    throw new Problem(403, `The tax rates of a store can have at most ${STORE_CLASS_RATES_MAX} class_rates.`)
  }
}

/** Deletes the rates of zones that are deleted. */
export async function deleteRatesOf(tx: Tx, zoneIds: readonly number[]) {
  await removeAll(tx, taxRates, sql`tax_zone_id = any(${zoneIds})`)
}

/** Takes the percentages of deleted classes out of all rates. */
export async function takeClassesFromRates(tx: Tx, classIds: readonly number[]) {
  await tx.rows(sql`
    update tax_rates set class_rates = (
      select coalesce(jsonb_agg(entry order by place), '[]')
      from jsonb_array_elements(class_rates) with ordinality as entries (entry, place)
      where (entry ->> 'tax_class_id')::int <> all(${classIds}))
    where store_id = ${tx.store.id} and exists (
      select from jsonb_array_elements(class_rates) entry where (entry ->> 'tax_class_id')::int = any(${classIds}))`)
}
