import Big from 'big.js'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { Answer, modifiedAt, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { change, differences, findOne, insert, lock, removeAll } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { dateV2, pageV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { channelsUsing, deleteAssignmentsOfCurrencies, usedCodes } from './assignments.ts'
import { CURRENCY_CODES, currencyName } from './iso-4217.ts'
import { Currency, currencies, RATE_OF_DEFAULT } from './shape.ts'

const { read, write } = access('information')

const CurrencyV2 = t.Object(
  {
    ...Currency.properties,
    last_updated: t.String({ description: 'RFC 2822' }),
    default_for_country_codes: t.Array(t.String(), { description: 'Always empty' }),
    use_default_name: t.Boolean({ description: 'Whether the name is the English one of the currency' }),
  },
  { title: 'CurrencyV2' },
)

/** More than 0, with at most ten digits on each side of the point. */
const Rate = t.Unsafe<string | number>({ type: ['string', 'number'], description: 'As text or as a number' })

const { id: _id, last_updated: _updated, currency_code, ...writable } = Currency.properties
const Changes = t.Partial(t.Object({ ...writable, currency_exchange_rate: Rate }), {
  title: 'CurrencyChangesV2',
  examples: [{ currency_exchange_rate: '1.0000000000' }],
})
const { name, token_location, token, decimal_token, thousands_token, decimal_places } = writable
const NewCurrency = t.Object(
  {
    ...Changes.properties,
    currency_code,
    currency_exchange_rate: Rate,
    name,
    token_location,
    token,
    decimal_token,
    thousands_token,
    decimal_places,
  },
  {
    title: 'NewCurrencyV2',
    examples: [
      {
        name: 'Euro',
        currency_code: 'EUR',
        currency_exchange_rate: '0.9200000000',
        token_location: 'right',
        token: '€',
        decimal_token: ',',
        thousands_token: '.',
        decimal_places: 2,
      },
    ],
  },
)

/** The defaults of a new currency. */
const blank = { is_default: false, country_iso2: '', auto_update: false, enabled: true, is_transactional: false }

/** Deletes prices in currencies that are deleted. Pricing, an area above, owns them: `app.ts` passes its function. */
type DeletePrices = (tx: Tx, codes: readonly string[]) => Promise<void>

/** The currencies of a store (docs/contract/currencies.md section 1). */
export function currencyRoutesV2(api: Api, deletePrices: DeletePrices) {
  const one = `/currencies/${idSegment('currency_id')}`
  const params = t.Object({ currency_id: Id })

  api.get(
    '/currencies',
    {
      ...read,
      schema: {
        summary: 'List the currencies',
        querystring: pageV2,
        response: { 200: t.Array(CurrencyV2), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const { data } = await findRows(db, currencies, query)
      // Without a selection of fields each row is whole.
      return data.length === 0 ? noContent() : new Answer(data.map((row) => currencyToAnswer(row as Currency)))
    },
  )

  api.post(
    '/currencies',
    { ...write, schema: { summary: 'Create a currency', body: NewCurrency, response: { 200: CurrencyV2 } } },
    async ({ db, body }) => new Answer(currencyToAnswer(await createCurrency(db, body))),
  )

  api.delete(
    '/currencies',
    {
      ...write,
      schema: {
        summary: 'Delete all currencies but the default',
        description: 'Those that channels are assigned to stay.',
      },
    },
    async ({ db }) => {
      await db.transaction((tx) => deleteUnused(tx, deletePrices))
      return noContent()
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a currency', params, response: { 200: CurrencyV2 } } },
    async ({ db, params }) => {
      const currency = await findOne(db, currencies, params.currency_id)
      return new Answer(currencyToAnswer(currency), 200, modifiedAt(currency.last_updated))
    },
  )

  api.put(
    one,
    { ...write, schema: { summary: 'Change a currency', params, body: Changes, response: { 200: CurrencyV2 } } },
    async ({ db, params, body }) => new Answer(currencyToAnswer(await changeCurrency(db, params.currency_id, body))),
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a currency',
        description: 'Not the default, nor one that a channel is assigned to: 409.',
        params,
      },
    },
    async ({ db, params }) => {
      await db.transaction((tx) => deleteCurrency(tx, params.currency_id, deletePrices))
      return noContent()
    },
  )
}

const currencyToAnswer = (currency: Currency): Static<typeof CurrencyV2> => ({
  ...currency,
  last_updated: dateV2(currency.last_updated),
  default_for_country_codes: [],
  use_default_name: currency.name === currencyName(currency.currency_code),
})

/** @throws Problem 400, 409 if the store has it already */
export async function createCurrency(db: Db, body: Static<typeof NewCurrency>): Promise<Currency> {
  const mistakes: Mistakes = {}
  const code = body.currency_code.toUpperCase()
  if (!CURRENCY_CODES.has(code)) mistakes.currency_code = `currency_code must be a code of ISO 4217, not ${code}.`
  const { currency_exchange_rate, ...fields } = body
  const rate = rateIn(currency_exchange_rate, mistakes)
  refuseSameTokens(body, mistakes)
  refuse(mistakes)
  const values = withDerivedFields({ ...blank, ...fields, currency_code: code, currency_exchange_rate: rate })
  return db.transaction(async (tx) => {
    if (values.is_default) await unsetDefault(tx, await lockCurrencies(tx))
    const created = await insert(tx, currencies, { ...values, last_updated: toSeconds(tx.now) })
    if (created.is_default) publishDefaultCurrency(tx)
    return created
  })
}

/** @throws Problem 400, 404, 409 if a channel is assigned to a currency that would be disabled */
async function changeCurrency(db: Db, id: number, body: Static<typeof Changes>): Promise<Currency> {
  const mistakes: Mistakes = {}
  const { currency_exchange_rate: given, ...fields } = body
  const changes: Partial<Currency> =
    given === undefined ? fields : { ...fields, currency_exchange_rate: rateIn(given, mistakes) }
  refuse(mistakes)
  return db.transaction(async (tx) => {
    const all = changes.is_default ? await lockCurrencies(tx) : [await lock(tx, currencies, id)]
    const before = all.find((currency) => currency.id === id)
    if (!before) throw notFound(currencies.noun, id)
    if (before.is_default) refuseInvalidDefault(changes, mistakes)
    const after = withDerivedFields({ ...before, ...changes })
    refuseSameTokens(after, mistakes)
    refuse(mistakes)
    const differing = differences(before, after)
    if (Object.keys(differing).length === 0) return before
    if (before.enabled && !after.enabled) await refuseUsed(tx, before, 'disabled')
    if (after.is_default && !before.is_default) await unsetDefault(tx, all)
    const changed = await change(tx, currencies, before, { ...differing, last_updated: toSeconds(tx.now) })
    if (changed.is_default) publishDefaultCurrency(tx)
    return changed
  })
}

/** @throws Problem 404, 409 for the default and for one that a channel is assigned to */
async function deleteCurrency(tx: Tx, id: number, deletePrices: DeletePrices) {
  const currency = await lock(tx, currencies, id)
  if (currency.is_default) throw new Problem(409, 'The default currency cannot be deleted.')
  await refuseUsed(tx, currency, 'deleted')
  await deletePrices(tx, [currency.currency_code])
  await removeAll(tx, currencies, sql`id = ${id}`)
}

async function deleteUnused(tx: Tx, deletePrices: DeletePrices) {
  const all = await lockCurrencies(tx)
  const used = await usedCodes(tx)
  const unused = all.filter(({ is_default, currency_code }) => !is_default && !used.has(currency_code))
  const codes = unused.map(({ currency_code }) => currency_code)
  await deleteAssignmentsOfCurrencies(tx, codes)
  await deletePrices(tx, codes)
  await removeAll(tx, currencies, sql`id = any(${unused.map(({ id }) => id)})`)
}

function rateIn(given: string | number, mistakes: Mistakes): string {
  const rate = readRate(given)
  if (rate !== undefined) return rate
  mistakes.currency_exchange_rate =
    'currency_exchange_rate must be more than 0, with at most ten digits on each side of the point.'
  return ''
}

const RATE = /^\d{1,10}(\.\d{1,10})?$/

/** A rate with ten decimals; undefined if it is invalid. */
export function readRate(given: string | number): string | undefined {
  const text = typeof given === 'string' ? given : Number.isFinite(given) ? new Big(given).toFixed() : ''
  return RATE.test(text) && new Big(text).gt(0) ? new Big(text).toFixed(10) : undefined
}

/** Adds dependent values: the default is enabled, transactional and has the rate 1; a transactional currency keeps its rate. */
function withDerivedFields<Values extends Omit<Currency, 'id' | 'last_updated'>>(values: Values): Values {
  const country_iso2 = values.country_iso2.toUpperCase()
  if (!values.is_default)
    return { ...values, country_iso2, auto_update: values.auto_update && !values.is_transactional }
  const standard = {
    enabled: true,
    is_transactional: true,
    auto_update: false,
    currency_exchange_rate: RATE_OF_DEFAULT,
  }
  return { ...values, country_iso2, ...standard }
}

/** Refuses changes that would disable the default currency or change its rate. */
function refuseInvalidDefault(changes: Partial<Currency>, mistakes: Mistakes) {
  if (changes.is_default === false)
    mistakes.is_default = 'Another currency must be made the default in place of this one.'
  if (changes.enabled === false) mistakes.enabled = 'The default currency is always enabled.'
  if (changes.is_transactional === false) mistakes.is_transactional = 'The default currency is always transactional.'
  if ((changes.currency_exchange_rate ?? RATE_OF_DEFAULT) !== RATE_OF_DEFAULT) {
    mistakes.currency_exchange_rate = 'The rate of the default currency is 1.'
  }
}

function refuseSameTokens(
  { decimal_token, thousands_token }: Pick<Currency, 'decimal_token' | 'thousands_token'>,
  mistakes: Mistakes,
) {
  if (decimal_token === thousands_token) mistakes.thousands_token = 'thousands_token must differ from decimal_token.'
}

/** @throws Problem 409 with the channels that are assigned to the currency */
async function refuseUsed(tx: Tx, { currency_code }: Currency, action: 'disabled' | 'deleted') {
  const channels = await channelsUsing(tx, currency_code)
  if (channels.length > 0) {
    throw new Problem(
      409,
      `${currency_code} cannot be ${action}: the channels [${channels.join(', ')}] are assigned to it.`,
    )
  }
  await deleteAssignmentsOfCurrencies(tx, [currency_code])
}

/**
 * Locks all currencies, so that two changes of the default run one after the other. The counter is locked first: after waiting
 * for rows only, a request would not see a currency created meanwhile.
 */
async function lockCurrencies(tx: Tx): Promise<Currency[]> {
  await lockCounter(tx, currencies.table)
  return tx.rows<Currency>(sql`
    select ${sql.join(currencies.columns.map(sql.id))} from currencies where store_id = ${tx.store.id} order by id for update`)
}

/**
 * Removes the mark of the current default before another one gets it.
 * @param all currencies of the store, locked
 */
async function unsetDefault(tx: Tx, all: readonly Currency[]) {
  const former = all.find(({ is_default }) => is_default)
  if (former) await change(tx, currencies, former, { is_default: false, last_updated: toSeconds(tx.now) })
}

/** The information of the store includes its default currency (docs/contract/currencies.md section 3). */
const publishDefaultCurrency = (tx: Tx) => publish(tx, 'store/information/updated', 'store', { type: 'store' })
