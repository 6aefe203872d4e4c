import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { answer, answerJson } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { type Mistakes, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { envelope, Meta } from '../../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../../core/rest/lists/pages/inclusions.ts'
import { paging } from '../../../core/rest/lists/paging.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId, CurrencyAssignment, knownChannels } from '../channels.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../live-channels.ts'
import { CURRENCY_CODES } from './iso-4217.ts'

const { read, write } = access('channels')

const ITEMS_MAX = 50
const CODES_MAX = 100

const Code = t.String({ minLength: 3, maxLength: 3 })
export type Assignment = Static<typeof CurrencyAssignment>

const NewAssignment = t.Object(
  { enabled_currencies: t.Array(Code, { minItems: 1, maxItems: CODES_MAX }), default_currency: Code },
  { title: 'NewCurrencyAssignment', examples: [{ enabled_currencies: ['USD'], default_currency: 'USD' }] },
)
const NewAssignments = t.Array(
  t.Object({ channel_id: ChannelId, ...NewAssignment.properties }, { title: 'ChannelCurrencyAssignment' }),
  {
    minItems: 1,
    maxItems: ITEMS_MAX,
    examples: [[{ channel_id: 1, enabled_currencies: ['USD'], default_currency: 'USD' }]],
  },
)

/** Routes for the currencies that channels use (docs/contract/currencies.md section 2). */
export function currencyAssignmentRoutes(api: Api) {
  const all = '/channels/currency-assignments'
  const one = `/channels/${CHANNEL_SEGMENT}/currency-assignments`
  const params = t.Object({ channel_id: ChannelId })
  const answersMany = { response: { 200: t.Object({ data: t.Array(CurrencyAssignment), meta: Meta }) } }
  const answersOne = { response: { 200: envelope(CurrencyAssignment) } }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the currency assignments of all channels',
        operationId: 'listCurrencyAssignments',
        description: 'Only of channels that have one of their own; the others use all enabled currencies of the store.',
        querystring: t.Object(paging, { additionalProperties: false }),
        ...answersMany,
      },
    },
    async ({ db }) => {
      const found = await db.jsonRows(
        prepared(sql`
          select channel_id, enabled_currencies, default_currency from channel_currencies assignment
          where store_id = ${db.store.id} and ${isOfLiveChannel(db, 'assignment.channel_id')} order by channel_id`),
        Object.keys(CurrencyAssignment.properties),
      )
      return answerJson(`[${found.takeTexts().join(',')}]`)
    },
  )

  for (const [method, verb] of [
    ['post', 'Create'],
    ['put', 'Change'],
  ] as const) {
    api[method](
      all,
      {
        ...write,
        schema: {
          summary: `${verb} currency assignments of channels`,
          operationId: `${method === 'post' ? 'create' : 'update'}CurrencyAssignments`,
          description: 'Each replaces what the channel had. All items are stored, or none.',
          body: NewAssignments,
          ...answersMany,
        },
      },
      async ({ db, body }) => {
        const mistakes: Mistakes = repeated(
          body,
          ({ channel_id }) => String(channel_id),
          (i) => `${i}.channel_id`,
          'Another item is for this channel.',
        )
        const items = body.map((item, i) => ({ ...normalized(item, `${i}.`, mistakes), channel_id: item.channel_id }))
        refuse(mistakes)
        return answer(await db.transaction((tx) => assign(tx, items, (i) => `${i}.`)))
      },
    )

    api[method](
      one,
      {
        ...write,
        schema: {
          summary: `${verb} the currency assignment of a channel`,
          operationId: `${method === 'post' ? 'create' : 'update'}ChannelCurrencyAssignment`,
          description: 'Replaces what the channel had.',
          params,
          body: NewAssignment,
          ...answersOne,
        },
      },
      async ({ db, params: { channel_id }, body }) => {
        const mistakes: Mistakes = {}
        const item = { ...normalized(body, '', mistakes), channel_id }
        refuse(mistakes)
        const [stored] = await db.transaction((tx) => assign(tx, [item], () => ''))
        return answer(stored)
      },
    )
  }

  api.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get the currency assignment of a channel',
        operationId: 'getChannelCurrencyAssignment',
        description: 'A channel without one of its own has all enabled currencies of the store, and its default.',
        params,
        ...answersOne,
      },
    },
    async ({ db, params: { channel_id } }) => {
      if (!(await knownChannels(db, [channel_id])).has(channel_id)) throw notFound('channel', channel_id)
      const [found] = await assignmentsInForce(db, [channel_id])
      return answer(found)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete the currency assignment of a channel',
        operationId: 'deleteChannelCurrencyAssignment',
        description: 'The channel has all enabled currencies of the store again.',
        params,
        response: { 200: envelope(ChannelId) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      await db.transaction(async (tx) => {
        if (!(await lockLiveChannelsShared(tx, [channel_id])).has(channel_id)) throw notFound('channel', channel_id)
        if (await deleteAssignmentOfChannel(tx, channel_id)) publishCurrencies(tx, channel_id)
      })
      return answer(channel_id)
    },
  )
}

/** Converts an assignment to its stored form, with unique codes in capitals. Adds its own mistakes to `mistakes`. */
function normalized(
  { enabled_currencies, default_currency }: Static<typeof NewAssignment>,
  place: string,
  mistakes: Mistakes,
): Omit<Assignment, 'channel_id'> {
  const codes = [...new Set(enabled_currencies.map((code) => code.toUpperCase()))]
  const standard = default_currency.toUpperCase()
  const unknown = codes.filter((code) => !CURRENCY_CODES.has(code))
  if (unknown.length > 0) {
    mistakes[`${place}enabled_currencies`] =
      `enabled_currencies must be codes of ISO 4217, not [${unknown.join(', ')}].`
  }
  if (!codes.includes(standard)) {
    mistakes[`${place}default_currency`] = `default_currency must be one of enabled_currencies, not ${standard}.`
  }
  return { enabled_currencies: codes, default_currency: standard }
}

/**
 * Assigns currencies to channels, all or none.
 * @param place returns the prefix of the field names of an item
 * @throws Problem 422 if a channel is unknown, or a currency is not enabled in the store
 */
export async function assign(
  tx: Tx,
  items: readonly Assignment[],
  place: (i: number) => string,
): Promise<Assignment[]> {
  const ids = items.map(({ channel_id }) => channel_id)
  const live = await lockLiveChannelsShared(tx, ids)
  const missing = ids.filter((id) => !live.has(id))
  if (missing.length > 0) {
    throw new Problem(422, `These are no channels of the store ${tx.store.id}: [${missing.join(', ')}].`)
  }
  await refuseForeignCurrencies(tx, items, place)
  const stored = await tx.rows<Assignment>(sql`
    select channel_id, enabled_currencies, default_currency from channel_currencies
    where store_id = ${tx.store.id} and channel_id = any(${ids}::bigint[]) order by channel_id for update`)
  const before = new Map(stored.map((assignment) => [assignment.channel_id, textOf(assignment)]))
  const changed = items.filter((item) => before.get(item.channel_id) !== textOf(item))
  await tx.rows(sql`
    insert into channel_currencies (store_id, channel_id, enabled_currencies, default_currency)
    select ${tx.store.id}, channel_id, enabled_currencies, default_currency from unnest(
      ${changed.map(({ channel_id }) => channel_id)}::bigint[],
      ${changed.map(({ enabled_currencies }) => JSON.stringify(enabled_currencies))}::jsonb[],
      ${changed.map(({ default_currency }) => default_currency)}::text[]
    ) as item (channel_id, enabled_currencies, default_currency)
    order by channel_id
    on conflict (store_id, channel_id) do update set
      enabled_currencies = excluded.enabled_currencies, default_currency = excluded.default_currency`)
  for (const { channel_id } of changed) publishCurrencies(tx, channel_id)
  return items.map(({ channel_id, enabled_currencies, default_currency }) => ({
    channel_id,
    enabled_currencies,
    default_currency,
  }))
}

/** Refuses unknown and disabled currencies, and locks the others until the transaction ends. */
async function refuseForeignCurrencies(tx: Tx, items: readonly Assignment[], place: (i: number) => string) {
  const wanted = new Set(items.flatMap(({ enabled_currencies }) => enabled_currencies))
  const locked = await tx.rows<{ currency_code: string }>(
    prepared(sql`
    select currency_code from currencies
    where store_id = ${tx.store.id} and currency_code = any(${[...wanted]}) and enabled order by id for share`),
  )
  const there = new Set(locked.map(({ currency_code }) => currency_code))
  const errors = items.flatMap(({ enabled_currencies }, i) => {
    const missing = enabled_currencies.filter((code) => !there.has(code))
    if (missing.length === 0) return []
    return [
      [`${place(i)}enabled_currencies`, `These are not enabled currencies of the store: [${missing.join(', ')}].`],
    ]
  })
  if (errors.length === 0) return
  throw new Problem(422, 'enabled_currencies must be enabled currencies of the store.', Object.fromEntries(errors))
}

const textOf = ({ enabled_currencies, default_currency }: Assignment) =>
  JSON.stringify([enabled_currencies, default_currency])

const publishCurrencies = (tx: Tx, channel: number) =>
  publish(tx, `store/channel/${channel}/settings/currency/updated`, `currencies of channel ${channel}`, {})

/** The effective currencies of channels: their assignment, or all enabled currencies of the store and its default. */
export const assignmentsInForce = (db: Db, channels: readonly number[]): Promise<Assignment[]> =>
  db.rows<Assignment>(
    prepared(sql`
    with enabled as (
      select jsonb_agg(currency_code order by id) as codes from currencies where store_id = ${db.store.id} and enabled
    ), standard as (
      select currency_code from currencies where store_id = ${db.store.id} and is_default
    )
    select channel.id as channel_id,
      coalesce(assignment.enabled_currencies, (select codes from enabled)) as enabled_currencies,
      coalesce(assignment.default_currency, (select currency_code from standard)) as default_currency
    from channels channel left join channel_currencies assignment
      on assignment.store_id = ${db.store.id} and assignment.channel_id = channel.id
    where channel.store_id = ${db.store.id} and channel.id = any(${channels}::bigint[])
    order by channel.id`),
  )

/** `include=currencies` of channels. */
export const currenciesOfChannels: Inclusion = async (db, ids) =>
  new Map((await assignmentsInForce(db, ids)).map((found) => [found.channel_id, JSON.stringify(found)]))

/** The channels with this currency in their assignment, except for deleted channels. */
export async function channelsUsing(db: Db, code: string): Promise<number[]> {
  const rows = await db.rows<{ channel_id: number }>(sql`
    select channel_id from channel_currencies assignment
    where store_id = ${db.store.id} and enabled_currencies @> to_jsonb(${code}::text)
      and ${isOfLiveChannel(db, 'assignment.channel_id')}
    order by channel_id`)
  return rows.map(({ channel_id }) => channel_id)
}

/** The currencies in assignments of channels, except for deleted channels. */
export async function usedCodes(db: Db): Promise<Set<string>> {
  const rows = await db.rows<{ code: string }>(sql`
    select distinct code from channel_currencies assignment, jsonb_array_elements_text(enabled_currencies) code
    where store_id = ${db.store.id} and ${isOfLiveChannel(db, 'assignment.channel_id')}`)
  return new Set(rows.map(({ code }) => code))
}

/** Deletes the assignments of deleted channels with these currencies: they would be wrong after a restoration. */
export async function deleteAssignmentsOfCurrencies(tx: Tx, codes: readonly string[]) {
  await tx.rows(sql`
    delete from channel_currencies assignment
    where store_id = ${tx.store.id} and not ${isOfLiveChannel(tx, 'assignment.channel_id')}
      and exists (select 1 from jsonb_array_elements_text(enabled_currencies) code where code = any(${codes}))
    returning channel_id`)
}

/** @returns whether the channel had an assignment */
async function deleteAssignmentOfChannel(tx: Tx, channel: number): Promise<boolean> {
  const gone = await tx.rows(sql`
    delete from channel_currencies where store_id = ${tx.store.id} and channel_id = ${channel} returning channel_id`)
  return gone.length > 0
}

/** Deletes the assignment of a terminated channel (docs/contract/channels.md section 3). */
export const deleteCurrenciesOfChannel = (db: Db, channel: number) =>
  db.transaction(async (tx) => {
    await deleteAssignmentOfChannel(tx, channel)
  })
