import t, { type Static, type TProperties } from 'typebox'
import type { Db, Tx } from '../core/db/database.ts'
import { publish } from '../core/events/publish.ts'
import { answer } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { ID_MAX, nullable } from '../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../core/rest/input/mistakes.ts'
import { envelope } from '../core/rest/lists/collection.ts'
import { lockCounter } from '../core/rest/lists/counters.ts'
import { notFound, unknownId } from '../core/rest/problem.ts'
import { CHANNEL_SEGMENT, ChannelId, FIRST_CHANNEL, knownChannels, liveChannels } from '../shop/channels/channels.ts'
import { settingsSubject } from '../shop/settings/families/families.ts'
import {
  ALL_CHANNELS,
  lockSettings,
  type StoredSettings,
  settingsOfChannels,
  storedSettingsOf,
  storeSettings,
  type Values,
} from '../shop/settings/families/family.ts'
import { access } from '../stores/accounts/scopes.ts'
import { groups, lockGroupsShared, markedGroups, markGroups } from './row/groups.ts'

// Settings about customers, of a store and of each channel (docs/contract/customer-settings.md). The values of the store apply to each channel
// without values of its own. The two groups of the store are stored as marks of the groups.

const { read, write } = access('customers')

/** The settings family of these rows. A row is flat: its fields have the names of the leaves below. */
export const customerSettingsRows = { path: 'customers' }

const GroupId = t.Integer({ minimum: 0, maximum: ID_MAX, description: 'The id of a customer group; 0 for none' })
const privacy = {
  ask_shopper_for_tracking_consent: t.Boolean(),
  policy_url: t.String({ maxLength: 2_048, description: 'An absolute address, or empty' }),
  ask_shopper_for_tracking_consent_on_checkout: t.Boolean(),
}
const marked = { guest_customer_group_id: GroupId, default_customer_group_id: GroupId }

/** The effective values. */
const Leaves = t.Object({ ...privacy, ...marked })
type Leaves = Static<typeof Leaves>
type Privacy = Pick<Leaves, keyof typeof privacy>
/** The values of a channel. */
type ChannelValues = Partial<Leaves> & { allow_global_logins?: boolean }

const defaults: Privacy = {
  ask_shopper_for_tracking_consent: false,
  policy_url: '',
  ask_shopper_for_tracking_consent_on_checkout: false,
}

const inherited = {
  privacy: {
    ask_shopper_for_tracking_consent: nullable(privacy.ask_shopper_for_tracking_consent),
    policy_url: nullable(privacy.policy_url),
    ask_shopper_for_tracking_consent_on_checkout: nullable(privacy.ask_shopper_for_tracking_consent_on_checkout),
  },
  marked: { guest_customer_group_id: nullable(GroupId), default_customer_group_id: nullable(GroupId) },
}

const Settings = t.Object(
  { privacy_settings: t.Object(privacy), customer_group_settings: t.Object(marked) },
  { title: 'CustomerSettings' },
)
const ChannelSettings = t.Object(
  {
    privacy_settings: t.Object(inherited.privacy),
    customer_group_settings: t.Object(inherited.marked),
    allow_global_logins: t.Boolean({ description: 'Whether customers without channels of their own may log in here' }),
  },
  { title: 'CustomerChannelSettings' },
)

const some = <P extends TProperties>(properties: P) => t.Optional(t.Partial(t.Object(properties)))
const Changes = t.Object(
  { privacy_settings: some(privacy), customer_group_settings: some(marked) },
  {
    title: 'CustomerSettingsChanges',
    examples: [
      { privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: 'https://example.com/privacy' } },
    ],
  },
)
const ChannelChanges = t.Object(
  {
    privacy_settings: some(inherited.privacy),
    customer_group_settings: some(inherited.marked),
    allow_global_logins: t.Optional(t.Boolean()),
  },
  { title: 'CustomerChannelSettingsChanges', examples: [{ allow_global_logins: true }] },
)

/** Routes of the settings (docs/contract/customer-settings.md). */
export function customerSettingsRoutes(api: Api) {
  const ofStore = '/customers/settings'
  const ofChannel = `/customers/settings/channels/${CHANNEL_SEGMENT}`
  const params = t.Object({ channel_id: ChannelId })

  api.get(
    ofStore,
    { ...read, schema: { summary: 'Get the customer settings', response: { 200: envelope(Settings) } } },
    async ({ db }) => answer(storeToAnswer(await readStore(db))),
  )

  api.put(
    ofStore,
    {
      ...write,
      schema: {
        summary: 'Change the customer settings',
        description: 'Fields that the body omits remain. The values apply to each channel without a value of its own.',
        body: Changes,
        response: { 200: envelope(Settings) },
      },
    },
    async ({ db, body: { privacy_settings = {}, customer_group_settings = {} } }) => {
      const stored = await db.transaction((tx) => changeStore(tx, privacy_settings, customer_group_settings))
      return answer(storeToAnswer(stored))
    },
  )

  api.get(
    ofChannel,
    {
      ...read,
      schema: {
        summary: 'Get the customer settings of a channel',
        description: 'null if the channel has no value of its own: then that of the store applies.',
        params,
        response: { 200: envelope(ChannelSettings) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      await refuseUnknown(db, channel_id)
      return answer(channelToAnswer(channel_id, (await storedSettingsOf(db, customerSettingsRows, channel_id)).own))
    },
  )

  api.put(
    ofChannel,
    {
      ...write,
      schema: {
        summary: 'Change the customer settings of a channel',
        description: 'Fields that the body omits remain. null removes the value of the channel.',
        params,
        body: ChannelChanges,
        response: { 200: envelope(ChannelSettings) },
      },
    },
    async ({ db, params: { channel_id }, body: { privacy_settings, customer_group_settings, ...rest } }) => {
      const changes = { ...privacy_settings, ...customer_group_settings, ...rest }
      const own = await db.transaction((tx) => changeChannel(tx, channel_id, changes))
      return answer(channelToAnswer(channel_id, own))
    },
  )
}

/** @throws Problem 404 */
async function refuseUnknown(db: Db, channel: number) {
  if (!(await knownChannels(db, [channel])).has(channel)) throw notFound('channel', channel)
}

/** Stored values have passed the schema. */
const channelValuesIn = (values: Values = {}) => values as ChannelValues

async function readStore(db: Db): Promise<Leaves> {
  const { store } = await storedSettingsOf(db, customerSettingsRows, ALL_CHANNELS)
  return { ...defaults, ...channelValuesIn(store), ...(await markedGroups(db)) }
}

/** The privacy settings in force, from the stored values of `customerSettingsRows`. */
export const privacyOf = ({ own, store }: StoredSettings): Privacy => ({
  ...defaults,
  ...channelValuesIn(store),
  ...channelValuesIn(own),
})

/** Whether the store asks shoppers for consent to tracking. */
export const asksForConsent = async (db: Db): Promise<boolean> => (await readStore(db)).ask_shopper_for_tracking_consent

/** @throws Problem 422 */
async function changeStore(tx: Tx, privacyChanges: Partial<Privacy>, marks: Partial<Leaves>): Promise<Leaves> {
  refuse(faultyUrl(privacyChanges.policy_url))
  return withChannelEvents(tx, async () => {
    await refuseMissingGroups(tx, marks)
    const level = await lockSettings(tx, customerSettingsRows, ALL_CHANNELS)
    await storeSettings(tx, customerSettingsRows, { ...level, own: { ...level.own, ...privacyChanges } })
    await markGroups(tx, marks)
    return readStore(tx)
  })
}

/** @throws Problem 404 for the channel, 422 */
async function changeChannel(tx: Tx, channel: number, changes: Values): Promise<Values> {
  await refuseUnknown(tx, channel)
  refuse(faultyUrl(changes.policy_url))
  return withChannelEvents(tx, async () => {
    await refuseMissingGroups(tx, changes)
    const level = await lockSettings(tx, customerSettingsRows, channel)
    const entries = Object.entries({ ...level.own, ...changes }).filter(([, value]) => value !== null)
    const own: Values = Object.fromEntries(entries)
    await storeSettings(tx, customerSettingsRows, { ...level, own })
    return own
  })
}

function faultyUrl(url: unknown): Mistakes {
  if (typeof url !== 'string' || url === '') return {}
  const protocol = URL.parse(url)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return {}
  return { 'privacy_settings.policy_url': 'policy_url must be an absolute address (http or https), or empty.' }
}

async function refuseMissingGroups(tx: Tx, values: Values) {
  const wanted = Object.keys(marked).flatMap((field) => {
    const id = values[field]
    return typeof id === 'number' && id !== 0 ? [{ field, id }] : []
  })
  const there = await lockGroupsShared(
    tx,
    wanted.map(({ id }) => id),
  )
  const missing = wanted.filter(({ id }) => !there.has(id))
  refuse(
    Object.fromEntries(
      missing.map(({ field, id }) => [`customer_group_settings.${field}`, unknownId('customer group', id)]),
    ),
  )
}

const storeToAnswer = (leaves: Leaves): Static<typeof Settings> => ({
  privacy_settings: {
    ask_shopper_for_tracking_consent: leaves.ask_shopper_for_tracking_consent,
    policy_url: leaves.policy_url,
    ask_shopper_for_tracking_consent_on_checkout: leaves.ask_shopper_for_tracking_consent_on_checkout,
  },
  customer_group_settings: {
    guest_customer_group_id: leaves.guest_customer_group_id,
    default_customer_group_id: leaves.default_customer_group_id,
  },
})

function channelToAnswer(channel: number, values: Values): Static<typeof ChannelSettings> {
  const own = channelValuesIn(values)
  return {
    privacy_settings: {
      ask_shopper_for_tracking_consent: own.ask_shopper_for_tracking_consent ?? null,
      policy_url: own.policy_url ?? null,
      ask_shopper_for_tracking_consent_on_checkout: own.ask_shopper_for_tracking_consent_on_checkout ?? null,
    },
    customer_group_settings: {
      guest_customer_group_id: own.guest_customer_group_id ?? null,
      default_customer_group_id: own.default_customer_group_id ?? null,
    },
    allow_global_logins: own.allow_global_logins ?? isGlobalByDefault(channel),
  }
}

/** Whether a channel allows global logins without a setting. */
const isGlobalByDefault = (channel: number) => channel === FIRST_CHANNEL

/**
 * Runs a change of settings or marks of groups, and publishes events of each channel whose effective values have changed. The counter of
 * groups serializes such changes: they lock groups only after it.
 */
export async function withChannelEvents<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await lockCounter(tx, groups.table)
  const before = await effectiveByChannel(tx)
  const result = await work()
  const after = await effectiveByChannel(tx)
  for (const [channel, is] of after) {
    const was = before.get(channel)
    const differs = (fields: object) =>
      Object.keys(fields).some((field) => Reflect.get(is, field) !== (was && Reflect.get(was, field)))
    for (const [name, fields] of [
      ['customerPrivacy', privacy],
      ['defaultCustomerGroup', marked],
    ] as const) {
      if (differs(fields))
        publish(tx, `store/channel/${channel}/settings/${name}/updated`, settingsSubject(channel), {})
    }
  }
  return result
}

async function effectiveByChannel(tx: Tx): Promise<Map<number, Leaves>> {
  const { store, channels, own } = await tx.together(() => ({
    store: readStore(tx),
    channels: liveChannels(tx),
    own: settingsOfChannels(tx, customerSettingsRows),
  }))
  return new Map(channels.map((id) => [id, { ...store, ...channelValuesIn(own.get(id)) }]))
}

/** Removes a deleted group from the values of channels. Call it in `withChannelEvents`. */
export async function removeGroupFromChannels(tx: Tx, group: number) {
  for (const [channel, values] of await settingsOfChannels(tx, customerSettingsRows)) {
    if (!Object.keys(marked).some((field) => values[field] === group)) continue
    const own = Object.entries(values).filter(([field, value]) => !(field in marked && value === group))
    await storeSettings(tx, customerSettingsRows, {
      ...(await lockSettings(tx, customerSettingsRows, channel)),
      own: Object.fromEntries(own),
    })
  }
}

/**
 * The groups of new customers by channel: the value of the channel, else that of the store; 0 for none
 * (docs/contract/customer-settings.md section 3). They are locked against deletion until the transaction ends.
 */
export async function defaultGroupsOf(tx: Tx, channels: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (channels.length === 0) return new Map()
  const { own, store } = await tx.together(() => ({
    own: settingsOfChannels(tx, customerSettingsRows),
    store: markedGroups(tx),
  }))
  const wanted = new Map(
    channels.map((id) => [
      id,
      channelValuesIn(own.get(id)).default_customer_group_id ?? store.default_customer_group_id,
    ]),
  )
  const there = await lockGroupsShared(
    tx,
    [...wanted.values()].filter((group) => group !== 0),
  )
  return new Map([...wanted].map(([id, group]) => [id, there.has(group) ? group : 0]))
}

/** The channels that allow global logins. Deleted channels allow none. */
export async function channelsWithGlobalLogins(db: Db): Promise<Set<number>> {
  const own = await settingsOfChannels(db, customerSettingsRows)
  const channels = await liveChannels(db)
  return new Set(channels.filter((id) => channelValuesIn(own.get(id)).allow_global_logins ?? isGlobalByDefault(id)))
}
