import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { change, findBelow, findOne, insert, lock, lockBelow, remove } from '../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { listV2, pageV2, rowsV2 } from '../../core/rest/v2.ts'
import { liveChannels } from '../../shop/channels/channels.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { missingCodes, mistakesOfValues } from './carriers/carriers.ts'
import { lockConnected } from './carriers/connections.ts'
import {
  type CostRange,
  Method,
  MethodFees,
  MethodSettings,
  OWN_TYPES,
  type OwnType,
  shippingMethods,
} from './methods-row.ts'
import { refuseWrittenId, Unwritable } from './unwritable.ts'
import { mistakesOfFees, shippingZones } from './zones.ts'

const { read, write } = access('information')

const METHODS_MAX = 100
const CARRIER_OPTIONS_BYTES_MAX = 16 * 1024

const ChannelIds = t.Array(t.Integer({ minimum: 1 }), { description: 'All channels if not given; `[]` is none' })
const { zone_id: _zone, ...fields } = Method.properties
const Answered = t.Object({ ...fields, channel_ids: ChannelIds }, { title: 'ShippingMethod' })
const AnsweredWithZone = t.Object({ ...Answered.properties, zone_id: Id }, { title: 'ShippingMethodOfZone' })

const Fields = t.Partial(
  t.Object({
    id: Unwritable,
    name: Method.properties.name,
    type: Method.properties.type,
    settings: MethodSettings,
    enabled: t.Boolean(),
    handling_fees: MethodFees,
    is_fallback: t.Boolean(),
    channel_ids: t.Array(t.Integer({ minimum: 1 }), { maxItems: 1_000 }),
  }),
)
const NewMethod = t.Object(
  { ...Fields.properties, name: Method.properties.name, type: Method.properties.type },
  { title: 'NewShippingMethod', examples: [{ name: 'Courier', type: 'perorder', settings: { rate: 7 } }] },
)
const Changes = t.Object(Fields.properties, { title: 'ShippingMethodChanges', examples: [{ name: 'Courier' }] })

/** The methods of a shipping zone (docs/contract/shipping.md section 3). */
export function shippingMethodRoutes(api: Api) {
  const all = `/shipping/zones/${idSegment('zone_id')}/methods`
  const one = `${all}/${idSegment('method_id')}`
  const ofZone = t.Object({ zone_id: Id })
  const ofMethod = t.Object({ zone_id: Id, method_id: Id })

  api.get(
    '/shipping/methods',
    {
      ...read,
      schema: {
        summary: 'List the shipping methods of all zones',
        operationId: 'listAllShippingMethods',
        querystring: pageV2,
        response: { 200: t.Array(AnsweredWithZone), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const rows = await rowsV2(db, { collection: shippingMethods, query })
      const channels = await liveChannels(db)
      return listV2(rows.map((row) => ({ ...methodToAnswer(row, channels), zone_id: row.zone_id })))
    },
  )

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the methods of a shipping zone',
        params: ofZone,
        querystring: pageV2,
        response: { 200: t.Array(Answered), 204: t.Null() },
      },
    },
    async ({ db, params: { zone_id }, query }) => {
      await findOne(db, shippingZones, zone_id)
      const where = sql`zone_id = ${zone_id}`
      const rows = await rowsV2(db, { collection: shippingMethods, query, where })
      const channels = await liveChannels(db)
      return listV2(rows.map((row) => methodToAnswer(row, channels)))
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a shipping method',
        params: ofZone,
        body: NewMethod,
        response: { 200: Answered },
      },
    },
    async ({ db, params, body }) =>
      new Answer(await db.transaction((tx) => createShippingMethod(tx, params.zone_id, body))),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a shipping method', params: ofMethod, response: { 200: Answered } } },
    async ({ db, params: { zone_id, method_id } }) => {
      const row = await findBelow(db, shippingMethods, { zone_id }, method_id)
      return new Answer(methodToAnswer(row, await liveChannels(db)))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: { summary: 'Change a shipping method', params: ofMethod, body: Changes, response: { 200: Answered } },
    },
    async ({ db, params, body }) => new Answer(await changeMethod(db, params, body)),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a shipping method', params: ofMethod } },
    async ({ db, params: { zone_id, method_id } }) => {
      await db.transaction(async (tx) => {
        await lockBelow(tx, shippingMethods, { zone_id }, method_id)
        await remove(tx, shippingMethods, method_id)
      })
      return noContent()
    },
  )
}

const methodToAnswer = ({ zone_id: _, ...method }: Method, channels: readonly number[]): Static<typeof Answered> => ({
  ...method,
  channel_ids: method.channel_ids ?? [...channels],
})

/** @throws Problem 400, 403 at the maximum of methods, 404 for the zone */
export async function createShippingMethod(tx: Tx, zone_id: number, body: Static<typeof NewMethod>) {
  refuseWrittenId(body)
  const { id: _, ...fields } = body
  const method = {
    zone_id,
    settings: {},
    enabled: true,
    handling_fees: {},
    is_fallback: false,
    channel_ids: null,
    ...fields,
  }
  // The lock of the zone lets no race get past the maximum.
  await lock(tx, shippingZones, zone_id)
  const channels = await liveChannels(tx)
  refuseInvalid(method, channels)
  refuse(await mistakesOfCarrier(tx, method))
  await refuseTooMany(tx, zone_id)
  const row = await insert(tx, shippingMethods, { ...method, settings: settingsOf(method) })
  return methodToAnswer(row, channels)
}

/** @throws Problem 400, 404 */
async function changeMethod(
  db: Db,
  { zone_id, method_id }: { zone_id: number; method_id: number },
  body: Static<typeof Changes>,
) {
  refuseWrittenId(body)
  const { id: _, ...fields } = body
  return db.transaction(async (tx) => {
    const before = await lockBelow(tx, shippingMethods, { zone_id }, method_id)
    const after = { ...before, ...fields }
    const channels = await liveChannels(tx)
    refuseInvalid(after, fields.channel_ids === undefined ? [...channels, ...(before.channel_ids ?? [])] : channels)
    // A method can be renamed or disabled after its carrier has refused the connection.
    if (fields.type !== undefined || fields.settings !== undefined) refuse(await mistakesOfCarrier(tx, after))
    return methodToAnswer(
      await change(tx, shippingMethods, before, { ...after, settings: settingsOf(after) }),
      channels,
    )
  })
}

async function refuseTooMany(tx: Tx, zone_id: number) {
  const { count } = await tx.row<{ count: number }>(
    prepared(sql`
      select count(*)::int as count from shipping_methods where store_id = ${tx.store.id} and zone_id = ${zone_id}`),
  )
  if (count >= METHODS_MAX) throw new Problem(403, `A shipping zone can have at most ${METHODS_MAX} methods.`)
}

/** @param channels the ids that a method may name @throws Problem 400 by field */
function refuseInvalid(method: Omit<Method, 'id'>, channels: readonly number[]) {
  const { type, settings, handling_fees, channel_ids } = method
  const mistakes: Mistakes = { ...mistakesOfFees(handling_fees), ...mistakesOfSettings(type, settings) }
  const unknown = channel_ids?.find((id) => !channels.includes(id))
  if (unknown !== undefined) mistakes.channel_ids = unknownId('channel', unknown)
  refuse(mistakes)
}

async function mistakesOfCarrier(tx: Tx, { type, settings }: Pick<Method, 'type' | 'settings'>): Promise<Mistakes> {
  if (isOwnType(type)) return {}
  const { carrier_options = {} } = settings
  const carrier = await lockConnected(tx, type)
  if (!carrier) {
    return { type: `type must be one of ${OWN_TYPES.join(', ')}, or the id of a connected carrier.` }
  }
  const path = 'settings.carrier_options'
  const required = missingCodes(carrier.settings_schema, carrier_options).map((code) => `${path}.${code}`)
  return {
    ...mistakesOfValues(carrier.settings_schema, carrier_options, path),
    ...Object.fromEntries(required.map((field) => [field, `${field} is required.`])),
  }
}

const isOwnType = (type: string): type is OwnType => OWN_TYPES.some((name) => name === type)

function mistakesOfSettings(
  type: string,
  { rate, default_cost, range = [], carrier_options }: MethodSettings,
): Mistakes {
  if (type === 'perorder' || type === 'peritem') {
    return rate === undefined ? { 'settings.rate': `settings.rate is required for the type ${type}.` } : {}
  }
  if (type === 'weight' || type === 'total') {
    if (default_cost === undefined) {
      return {
        'settings.default_cost': 'settings.default_cost is required; null offers the method in its ranges only.',
      }
    }
    return mistakesOfRanges(range)
  }
  if (Buffer.byteLength(JSON.stringify(carrier_options ?? {})) > CARRIER_OPTIONS_BYTES_MAX) {
    return { 'settings.carrier_options': `carrier_options can have at most ${CARRIER_OPTIONS_BYTES_MAX} bytes.` }
  }
  return {}
}

/** Ranges may share a border and no more. */
function mistakesOfRanges(ranges: readonly CostRange[]): Mistakes {
  const mistakes: Mistakes = {}
  const sorted = [...ranges.entries()].sort(([, one], [, other]) => one.lower_limit - other.lower_limit)
  for (const [nth, [i, { lower_limit, upper_limit }]] of sorted.entries()) {
    const field = `settings.range.${i}`
    if (lower_limit > upper_limit) mistakes[`${field}.lower_limit`] = 'lower_limit must be at most upper_limit.'
    const before = sorted[nth - 1]?.[1]
    if (before && lower_limit < before.upper_limit) mistakes[field] = 'The range overlaps with another one.'
  }
  return mistakes
}

/** The settings that the type of a method has; others are left out. */
function settingsOf({ type, settings }: Pick<Method, 'type' | 'settings'>): MethodSettings {
  const { rate, default_cost, default_cost_type = 'fixed_amount', range = [], carrier_options } = settings
  if (type === 'perorder' || type === 'peritem') return rate === undefined ? {} : { rate }
  if (type === 'weight' || type === 'total') return { default_cost: default_cost ?? null, default_cost_type, range }
  return type === 'freeshipping' || carrier_options === undefined ? {} : { carrier_options }
}

/** Removes a channel that has ended from the methods that name it. */
export const removeChannelFromMethods = (db: Db, channel: number) =>
  db.transaction(async (tx) => {
    await tx.rows(sql`
      update shipping_methods set channel_ids =
        (select coalesce(jsonb_agg(number), '[]') from jsonb_array_elements(channel_ids) as named (number)
         where number <> ${String(channel)}::jsonb)
      where store_id = ${tx.store.id} and channel_ids @> ${String(channel)}::jsonb returning id`)
  })
