import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, Moment, NeededLine } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { startCounter } from '../../../core/rest/lists/counters.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'

const Token = t.String({ minLength: 1, maxLength: 4 })

/** A currency of a store as it is stored (docs/contract/currencies.md section 1). */
export const Currency = t.Object({
  id: Id,
  is_default: t.Boolean(),
  country_iso2: t.String({ pattern: '^([A-Za-z]{2})?$' }),
  currency_code: t.String({ minLength: 3, maxLength: 3 }),
  currency_exchange_rate: t.String(),
  auto_update: t.Boolean(),
  token_location: t.Enum(['left', 'right']),
  token: Token,
  decimal_token: Token,
  thousands_token: Token,
  decimal_places: t.Integer({ minimum: 0, maximum: 8 }),
  name: NeededLine,
  enabled: t.Boolean(),
  is_transactional: t.Boolean(),
  last_updated: Moment,
})
export type Currency = Static<typeof Currency>

export const currencies = collection('currencies', Currency, {
  noun: 'currency',
  filters: '',
  conflicts: { currencies_code_unique: ['The store has this currency already.', 'currency_code'] },
})

/** The rate of the default currency. All other rates are relative to it. */
export const RATE_OF_DEFAULT = '1.0000000000'

/** Creates the default currency of a new store. Does nothing if one exists. */
export async function openFirstCurrency(tx: Tx) {
  const first: Currency = {
    id: 1,
    is_default: true,
    country_iso2: 'US',
    currency_code: 'USD',
    currency_exchange_rate: RATE_OF_DEFAULT,
    auto_update: false,
    token_location: 'left',
    token: '$',
    decimal_token: '.',
    thousands_token: ',',
    decimal_places: 2,
    name: 'US Dollar',
    enabled: true,
    is_transactional: true,
    last_updated: toSeconds(tx.now),
  }
  await startCounter(tx, currencies.table, { last_id: first.id, total: 1 })
  await tx.rows(sql`insert into currencies ${sql.rows([{ store_id: tx.store.id, ...first }])} on conflict do nothing`)
}

/** The default currency of the store. */
export const defaultCurrency = (db: Db): Promise<Currency> =>
  db.row<Currency>(sql`
    select ${sql.join(currencies.columns.map(sql.id))} from currencies where store_id = ${db.store.id} and is_default`)

/**
 * Returns a currency by its code, and the default one.
 * @returns undefined for a code that the store does not have
 */
export async function currencyPair(db: Db, code: string | undefined) {
  return pairOf(
    await findWhere(db, currencies, sql`(is_default or currency_code = ${code?.toUpperCase() ?? ''})`),
    code,
  )
}

/** The same from the rows of `currencyRows`. */
export function pairOf(found: readonly Currency[], code: string | undefined) {
  const standard = found.find(({ is_default }) => is_default)
  if (!standard) throw new Error('The store has no default currency.')
  const wanted = code === undefined ? standard : found.find(({ currency_code }) => currency_code === code.toUpperCase())
  return { standard, wanted }
}

/** Keeps currencies from being deleted until the transaction ends. @returns the codes of those that are there, in capitals */
export async function lockCurrenciesShared(tx: Tx, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const wanted = [...new Set(codes.map((code) => code.toUpperCase()))]
  const rows = await tx.rows<{ currency_code: string }>(
    prepared(sql`
    select currency_code from currencies
    where store_id = ${tx.store.id} and currency_code = any(${wanted}) order by id for key share`),
  )
  return new Set(rows.map(({ currency_code }) => currency_code))
}

/** All currencies, as a column of any statement: a list of rows. */
export const allCurrencyRows = ({ store }: Pick<Db, 'store'>): Sql => sql`(
  select jsonb_agg(to_jsonb(currency) order by id) from currencies currency where currency.store_id = ${store.id}
)`

/** The currencies that a channel has of its own, as a column of any statement; null without any. */
export const assignedCurrencies = ({ store }: Pick<Db, 'store'>, channel: number): Sql => sql`(
  select jsonb_build_object('enabled', enabled_currencies, 'standard', default_currency) from channel_currencies
  where store_id = ${store.id} and channel_id = ${channel}
)`

/** A currency by its code, if there is one, and the default one, as a column of any statement: a list of rows. */
export const currencyRows = ({ store }: Pick<Db, 'store'>, code: string | undefined): Sql => sql`(
  select jsonb_agg(to_jsonb(currency)) from currencies currency
  where currency.store_id = ${store.id} and (is_default or currency_code = ${code?.toUpperCase() ?? ''})
)`
