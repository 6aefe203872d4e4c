import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject, TProperties } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { isObject } from '../../../core/objects.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { storeNameOf } from '../../../stores/directory/profile.ts'
import { isLiveChannel, liveChannels, unknownChannel } from '../../channels/channels.ts'

/** Values of settings by their fields. */
export type Values = Readonly<Record<string, unknown>>

/** Publishes that settings of a channel have changed. */
export type PublishChange = (tx: Tx, channel: number, fields: readonly string[], action: 'updated' | 'deleted') => void

type Field<Shape extends TObject> = keyof Static<Shape> & string

/** The description of a family of settings. */
interface Facts<Shape extends TObject> {
  /** As sentences and the document name it: `catalog settings`. */
  noun: string
  /** The field that is the store's name where the store has settled nothing. */
  named?: Field<Shape>
  /** The example of a PUT, for the document and the isolation matrix. */
  example: Partial<Static<Shape>>
  /** Fields that the server alone sets. */
  readOnly?: readonly Field<Shape>[]
  /** Fields that no channel has of its own, and whether the answer of a channel has them all the same, as null. */
  storeWide?: { fields: readonly Field<Shape>[]; isShown: boolean }
  /** Other names under which fields are read. They are never answered. */
  aliases?: Readonly<Record<string, Field<Shape>>>
  /** Fields that a PUT of the store's values must have, as that of a channel's must have all. */
  required?: readonly Field<Shape>[]
  /** Mistakes of values that would be effective, by field. */
  check?(values: Static<Shape>): Mistakes
  /** The events of a channel; none if not given (docs/contract/settings.md section 5). */
  publishChange?: PublishChange
  /** Whether a change of the store's values also is one of the store's information. */
  isInformation?: boolean
}

/** A family of settings: values of the store, and of each channel that has its own (docs/contract/settings.md section 1). */
export interface SettingsFamily<Shape extends TObject = TObject> extends Facts<Shape> {
  /** Its path below `/settings`, which its rows are called by. */
  readonly path: string
  readonly shape: Shape
  readonly fields: readonly string[]
  /** The defaults, except for the name of the store. */
  readonly defaults: Values
  /** The fields that the answer of a channel has. */
  readonly channelFields: readonly string[]
  /** The fields that a client can set for the store, and for a channel. */
  readonly writable: TProperties
  readonly ownable: TProperties
}

/**
 * @param path below `/settings`
 * @param shape of the store's values, each with its default
 */
export function family<Shape extends TObject>(
  path: string,
  shape: Shape,
  facts: Facts<NoInfer<Shape>>,
): SettingsFamily<Shape> {
  const { readOnly = [], storeWide = { fields: [], isShown: true } } = facts
  const without = (properties: TProperties, left: readonly string[]): TProperties =>
    Object.fromEntries(Object.entries(properties).filter(([field]) => !left.includes(field)))
  const writable = without(shape.properties, readOnly)
  return {
    ...facts,
    path,
    shape,
    fields: Object.keys(shape.properties),
    defaults: Object.fromEntries(
      Object.entries<{ default?: unknown }>(shape.properties).map(([field, schema]) => [field, schema.default]),
    ),
    channelFields: Object.keys(storeWide.isShown ? shape.properties : without(shape.properties, storeWide.fields)),
    writable,
    ownable: without(writable, storeWide.fields),
  }
}

/** The key of rows among the settings. */
export type Rows = Pick<SettingsFamily, 'path'>

/** The channel id of the values that hold for all channels. */
export const ALL_CHANNELS = 0

/** The stored values of a family for a channel and for the store. The own values of channel 0 are those of the store. */
export interface StoredSettings {
  channel: number
  own: Values
  store: Values
  /** The name that the operator gave the store. */
  name: string
}

/**
 * The values in force: the channel's own, else the store's, else the defaults. One statement.
 * @param channel 0 for none in particular; one that is deleted has no values of its own
 */
export async function settingsOf<Shape extends TObject>(
  db: Db,
  family: SettingsFamily<Shape>,
  channel: number = ALL_CHANNELS,
): Promise<Static<Shape>> {
  const { level, isThere } = await findSettings(db, family, channel)
  return effectiveValues(family, isThere ? level : { ...level, own: {} })
}

/** @throws Problem 422 for a channel that the store does not have */
export async function storedSettingsOf(db: Db, family: Rows, channel: number): Promise<StoredSettings> {
  const { level, isThere } = await findSettings(db, family, channel)
  if (!isThere) throw unknownChannel(channel)
  return level
}

/** The values that a channel has of its own, as a column of any statement; null without any. */
export const storedValues = ({ store }: Pick<Db, 'store'>, { path }: Rows, channel: number): Sql =>
  sql`(select value from settings where store_id = ${store.id} and family = ${path} and channel_id = ${channel})`

interface SettingsRow {
  own: Values | null
  store: Values | null
  name: string
  is_there: boolean
}

const ofLevel = (channel: string) =>
  `(select value from settings where store_id = $1 and family = $2 and channel_id = ${channel})`

/** Written out once: it is asked for with every mail and page. $1 is the store, $2 the family, $3 the channel. */
const LEVEL = `
  select ${ofLevel('$3')} as own, ${ofLevel(String(ALL_CHANNELS))} as store, ${storeNameOf('$1')} as name,
    ${isLiveChannel('$1', '$3')} as is_there`

async function findSettings(db: Db, { path }: Rows, channel: number) {
  const row = await db.byKey<SettingsRow>({
    name: 'level of settings',
    text: LEVEL,
    values: [db.store.id, path, channel],
  })
  if (!row) throw new Error('A statement without a condition gave no row.')
  const level: StoredSettings = { channel, own: row.own ?? {}, store: row.store ?? {}, name: row.name }
  return { level, isThere: channel === ALL_CHANNELS || row.is_there }
}

/** The stored values of several families. */
export interface SettingsReader {
  /** The values in force. */
  of<Shape extends TObject>(family: SettingsFamily<Shape>): Static<Shape>
  stored(rows: Rows): StoredSettings
}

/** The row of the columns `settingsColumns`. */
export interface SettingsColumns {
  levels: { family: string; channel: number; value: Values }[] | null
  name: string
}

/** The stored values of several families for a channel that is there, as columns of any statement. */
export const settingsColumns = ({ store }: Pick<Db, 'store'>, families: readonly Rows[], channel: number): Sql => sql`(
    select jsonb_agg(jsonb_build_object('family', family, 'channel', channel_id, 'value', value)) from settings
    where store_id = ${store.id} and family = any(array(select unnest(${families.map(({ path }) => path)}::text[])))
      and channel_id in (${sql.raw(String(ALL_CHANNELS))}, ${channel})
  ) as levels, (select name from store_profiles where store_id = ${store.id}) as name`

/** Reads the columns `settingsColumns`. */
export function settingsReader({ levels, name }: SettingsColumns, channel: number): SettingsReader {
  const valuesAt = (path: string, at: number) =>
    levels?.find((level) => level.family === path && level.channel === at)?.value ?? {}
  const stored = ({ path }: Rows): StoredSettings => ({
    channel,
    own: valuesAt(path, channel),
    store: valuesAt(path, ALL_CHANNELS),
    name,
  })
  return { of: (family) => effectiveValues(family, stored(family)), stored }
}

/** Reads several families for a channel that is there, with one statement. */
export const readSettings = async (db: Db, families: readonly Rows[], channel: number): Promise<SettingsReader> =>
  settingsReader(
    await db.row<SettingsColumns>(prepared(sql`select ${settingsColumns(db, families, channel)}`)),
    channel,
  )

/** As `levelOf`, and locks the level until the transaction ends. */
export async function lockSettings(tx: Tx, family: Rows, channel: number): Promise<StoredSettings> {
  const row = { store_id: tx.store.id, family: family.path, channel_id: channel, value: '{}' }
  const { level } = await tx.together(() => ({
    // A missing row cannot be locked, so an empty one is created.
    row: tx.rows(sql`
      insert into settings ${sql.rows([row])}
      on conflict (store_id, family, channel_id) do update set value = settings.value`),
    level: storedSettingsOf(tx, family, channel),
  }))
  return level
}

/** The values that hold at a level. */
export function effectiveValues<Shape extends TObject>(
  { defaults, named }: SettingsFamily<Shape>,
  level: StoredSettings,
): Static<Shape> {
  const { own, store, name } = level
  // Stored values have passed the shape.
  return { ...defaults, ...(named === undefined ? {} : { [named]: name }), ...store, ...own } as Static<Shape>
}

/** The wire form of stored values: for a channel its own values, and null for missing ones. */
export function settingsToAnswer(family: SettingsFamily, level: StoredSettings): Values {
  if (level.channel === ALL_CHANNELS) {
    const values: Values = effectiveValues(family, level)
    return Object.fromEntries(family.fields.map((field) => [field, values[field]]))
  }
  return Object.fromEntries(family.channelFields.map((field) => [field, level.own[field] ?? null]))
}

/**
 * Stores values of a channel or the store, and publishes the change. Equal values are not written.
 * @param level locked
 * @param values all values of a channel, or some of the store; undefined deletes the values of a channel
 * @throws Problem 422 for values that cannot be combined
 */
export async function saveSettings<Shape extends TObject>(
  tx: Tx,
  family: SettingsFamily<Shape>,
  level: StoredSettings,
  values: Values | undefined,
): Promise<StoredSettings> {
  const { channel } = level
  const own = values === undefined ? {} : { ...level.own, ...merged(values, effectiveValues(family, level), channel) }
  const after = { ...level, own, ...(channel === ALL_CHANNELS ? { store: own } : {}) }
  const [was, is] = [settingsToAnswer(family, level), settingsToAnswer(family, after)]
  const changed = family.fields.filter((field) => !isDeepStrictEqual(was[field], is[field]))
  if (changed.length > 0) {
    refuse(family.check?.(effectiveValues(family, after)) ?? {})
    await storeSettings(tx, family, after)
    await publishChanges(tx, family, { channel, changed, action: values === undefined ? 'deleted' : 'updated' })
  } else if (Object.keys(own).length === 0) await storeSettings(tx, family, after)
  return after
}

/** Of the store's values, a part of an object changes that part. Those of a channel are taken whole. */
function merged(values: Values, before: Values, channel: number): Values {
  if (channel !== ALL_CHANNELS) return values
  const entries = Object.entries(values).map(([field, value]) => [
    field,
    isObject(value) && isObject(before[field]) ? { ...before[field], ...value } : value,
  ])
  return Object.fromEntries(entries)
}

/**
 * Changes some values of the store or a channel, and publishes nothing.
 * @param level locked
 * @param values a null deletes the level's own value
 */
export async function changeSettings(
  tx: Tx,
  family: Rows,
  level: StoredSettings,
  values: Values,
): Promise<StoredSettings> {
  const own = Object.fromEntries(Object.entries({ ...level.own, ...values }).filter(([, value]) => value !== null))
  const after = { ...level, own, ...(level.channel === ALL_CHANNELS ? { store: own } : {}) }
  await storeSettings(tx, family, after)
  return after
}

/** Stores the own values of a locked row, or deletes the row if there are none. */
export async function storeSettings(tx: Tx, { path }: Rows, { channel, own }: StoredSettings) {
  const here = sql`store_id = ${tx.store.id} and family = ${path} and channel_id = ${channel}`
  if (Object.keys(own).length === 0) await tx.rows(sql`delete from settings where ${here}`)
  else await tx.rows(sql`update settings set value = ${JSON.stringify(own)} where ${here}`)
}

/**
 * A change of the store's values is published once for each channel that inherits one of them, that of a channel for this channel
 * (docs/contract/settings.md section 5).
 */
async function publishChanges(
  tx: Tx,
  { path, publishChange, isInformation }: SettingsFamily,
  { channel, changed, action }: { channel: number; changed: readonly string[]; action: 'updated' | 'deleted' },
) {
  if (channel !== ALL_CHANNELS) return publishChange?.(tx, channel, changed, action)
  if (isInformation) publish(tx, 'store/information/updated', 'store information', { type: 'store' })
  if (!publishChange) return
  const { channels, own } = await tx.together(() => ({
    channels: liveChannels(tx),
    own: settingsOfChannels(tx, { path }),
  }))
  for (const id of channels) {
    const inherited = changed.filter((field) => !Object.hasOwn(own.get(id) ?? {}, field))
    if (inherited.length > 0) publishChange(tx, id, inherited, action)
  }
}

/** The own values of channels, by channel. Channels without own values are missing. */
export async function settingsOfChannels(db: Db, { path }: Rows): Promise<ReadonlyMap<number, Values>> {
  const rows = await db.rows<{ channel_id: number; value: Values }>(sql`
    select channel_id, value from settings
    where store_id = ${db.store.id} and family = ${path} and channel_id <> ${ALL_CHANNELS}`)
  return new Map(rows.map(({ channel_id, value }) => [channel_id, value]))
}

/** Deletes all settings of a channel. No event is published. */
export async function deleteSettingsOf(tx: Tx, channel: number) {
  await tx.rows(sql`delete from settings where store_id = ${tx.store.id} and channel_id = ${channel} returning family`)
}
