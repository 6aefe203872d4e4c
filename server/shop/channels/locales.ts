import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import { isLive } from './channels.ts'

/** A language of the pages of a channel (docs/contract/channels.md section 9). */
export interface ChannelLocale {
  /** A language, or language and region: `de`, `fr-CA`. Compared without case. */
  code: string
  /** Whether shoppers can choose it. */
  is_active: boolean
  /** Whether it is the fallback. Each channel has exactly one default. */
  is_default: boolean
}

/** The languages of a channel, as a column of any statement; null until it is given some. */
export const localeRows = ({ store }: Pick<Db, 'store'>, channel: number): Sql => sql`(
  select jsonb_agg(jsonb_build_object('code', code, 'is_active', is_active, 'is_default', is_default) order by code)
  from channel_locales where store_id = ${store.id} and channel_id = ${channel}
)`

const LOCALES_MAX = 5
const CODE_MAX = 35
const CODE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

/** A channel, with the language of its store. */
interface LocalizedChannel {
  channel: number
  /** The language of the store, which a channel uses until it gets others. */
  standard: string
}

/**
 * The languages of a channel, in the order of their codes.
 * @param standard the language of the store, which a channel has until it is given others
 */
export async function localesOf(db: Db, { channel, standard }: LocalizedChannel): Promise<ChannelLocale[]> {
  const rows = await db.rows<ChannelLocale>(sql`
    select code, is_active, is_default from channel_locales
    where store_id = ${db.store.id} and channel_id = ${channel} order by code`)
  return rows.length > 0 ? rows : [{ code: standard, is_active: true, is_default: true }]
}

/** A change of a language by the operator. */
export interface LocaleChange {
  isActive?: boolean
  /** Makes it the default in place of another language. */
  isDefault?: true
}

/**
 * Adds a language to a storefront, active by default.
 * @throws Problem 404, 409 if the channel has it, 422 for an invalid code and for channels of other types, 403 at the maximum
 */
export function addLocale(
  db: Db,
  { channel, standard }: LocalizedChannel,
  code: string,
  { isActive = true, isDefault }: LocaleChange,
) {
  if (!CODE.test(code) || code.length > CODE_MAX)
    throw new Problem(422, `${JSON.stringify(code)} is no language, such as de or fr-CA.`)
  return db.transaction(async (tx) => {
    const locales = await lockLocales(tx, channel, standard)
    if (find(locales, code)) throw new Problem(409, `The channel ${channel} has the language ${code} already.`)
    if (locales.length >= LOCALES_MAX) throw new Problem(403, `A channel can have at most ${LOCALES_MAX} languages.`)
    const added = { code, is_active: isActive, is_default: false }
    await store(tx, channel, changed([...locales, added], added, { isActive, ...(isDefault ? { isDefault } : {}) }))
    publish(tx, `store/channel/${channel}/settings/locale/added`, `locales of channel ${channel}`, {})
  })
}

/** @throws Problem 404, 422 if the default would be inactive */
export const changeLocale = (db: Db, { channel, standard }: LocalizedChannel, code: string, change: LocaleChange) =>
  db.transaction(async (tx) => {
    const locales = await lockLocales(tx, channel, standard)
    const after = changed(locales, mustFind(locales, channel, code), change)
    if (JSON.stringify(after) === JSON.stringify(locales)) return
    await store(tx, channel, after)
    publish(tx, `store/channel/${channel}/settings/locale/updated`, `locales of channel ${channel}`, {})
  })

/** @throws Problem 404, 409 for the default */
export const deleteLocale = (db: Db, { channel, standard }: LocalizedChannel, code: string) =>
  db.transaction(async (tx) => {
    const locales = await lockLocales(tx, channel, standard)
    const found = mustFind(locales, channel, code)
    if (found.is_default) throw new Problem(409, `${found.code} is the default language of the channel ${channel}.`)
    await store(
      tx,
      channel,
      locales.filter((locale) => locale !== found),
    )
    publish(tx, `store/channel/${channel}/settings/locale/deleted`, `locales of channel ${channel}`, {})
  })

/**
 * Locks a channel and returns its languages.
 * @throws Problem 404, 422
 */
async function lockLocales(tx: Tx, channel: number, standard: string): Promise<ChannelLocale[]> {
  const [found] = await tx.rows<{ type: string }>(sql`
    select type from channels where store_id = ${tx.store.id} and id = ${channel} and ${isLive} for update`)
  if (!found) throw notFound('channel', channel)
  if (found.type !== 'storefront')
    throw new Problem(422, `The channel ${channel} is no storefront: it has no languages.`)
  return localesOf(tx, { channel, standard })
}

const find = (locales: readonly ChannelLocale[], code: string) =>
  locales.find((locale) => locale.code.toLowerCase() === code.toLowerCase())

function mustFind(locales: readonly ChannelLocale[], channel: number, code: string): ChannelLocale {
  const found = find(locales, code)
  if (!found) throw new Problem(404, `The channel ${channel} does not have the language ${JSON.stringify(code)}.`)
  return found
}

/** The languages after one of them has changed. @throws Problem 422 */
function changed(locales: readonly ChannelLocale[], one: ChannelLocale, { isActive, isDefault }: LocaleChange) {
  const after = locales.map((locale) => {
    if (locale === one) {
      return { ...one, is_active: isActive ?? one.is_active, is_default: isDefault ?? one.is_default }
    }
    return isDefault ? { ...locale, is_default: false } : locale
  })
  if (after.some(({ is_active, is_default }) => is_default && !is_active)) {
    throw new Problem(422, 'The default language of a channel is always active.')
  }
  return after
}

/** Replaces all languages, which are at most five. */
async function store(tx: Tx, channel: number, locales: readonly ChannelLocale[]) {
  await deleteLocales(tx, channel)
  for (const locale of locales) {
    await tx.rows(
      sql`insert into channel_locales ${sql.rows([{ store_id: tx.store.id, channel_id: channel, ...locale }])}`,
    )
  }
}

const deleteLocales = (tx: Tx, channel: number) =>
  tx.rows(sql`delete from channel_locales where store_id = ${tx.store.id} and channel_id = ${channel} returning code`)

/** Deletes the languages of a terminated channel (docs/contract/channels.md section 3). */
export const deleteLocalesOfChannel = (db: Db, channel: number) =>
  db.transaction(async (tx) => {
    await deleteLocales(tx, channel)
  })
