import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Meta } from '../../../core/rest/lists/collection.ts'
import { invalid } from '../../../core/rest/problem.ts'
import { CHANNEL_SEGMENT, ChannelId, refuseUnknownChannel } from '../../../shop/channels/channels.ts'
import {
  ALL_CHANNELS,
  lockSettings,
  storedSettingsOf,
  storedValues,
  storeSettings,
  type Values,
} from '../../../shop/settings/families/family.ts'
import { access } from '../../../stores/accounts/scopes.ts'

// E-mail addresses in the shop that are notified of orders (docs/contract/order-payments.md section 5). Those of the store apply to each
// channel without addresses of its own.

const { read, write } = access('orders')

/** The settings family of these rows: a list of addresses for each of the names below. */
const ORDERS = { path: 'orders' }
const NAMES = ['order_placed', 'forward_invoice'] as const

/** The lists of a channel, or of the store. */
type Addresses = Partial<Record<(typeof NAMES)[number], string[]>>

const Mails = t.Array(t.String({ format: 'email', maxLength: 255 }), { maxItems: 10 })
const MailsOrNone = t.Unsafe<string[] | null>({ ...Mails, type: ['array', 'null'] })

const Stored = t.Object({ email_addresses: Mails }, { title: 'OrderNotification' })
const ChannelNotification = t.Object({ email_addresses: MailsOrNone }, { title: 'OrderNotificationOfChannel' })
const Settings = t.Object(
  { notifications: t.Object({ order_placed: Stored, forward_invoice: Stored }), meta: Meta },
  { title: 'OrderSettings' },
)
const ChannelSettings = t.Object(
  { notifications: t.Object({ order_placed: ChannelNotification, forward_invoice: ChannelNotification }), meta: Meta },
  { title: 'OrderSettingsOfChannel' },
)
const example = {
  notifications: {
    order_placed: { email_addresses: ['orders@example.com'] },
    forward_invoice: { email_addresses: ['books@example.com'] },
  },
}
const partly = <List extends typeof Mails | typeof MailsOrNone>(list: List, title: string) => {
  const one = t.Optional(t.Object({ email_addresses: t.Optional(list) }))
  const notifications = t.Optional(t.Object({ order_placed: one, forward_invoice: one }))
  return t.Object({ notifications }, { title, examples: [example] })
}
const Changes = partly(Mails, 'OrderSettingsChanges')
const ChannelChanges = partly(MailsOrNone, 'OrderSettingsOfChannelChanges')

/** Routes of the settings. Their answers have no `data`. */
export function orderSettingsRoutes(api: Api) {
  const ofStore = '/orders/settings'
  const ofChannel = `/orders/settings/channels/${CHANNEL_SEGMENT}`
  const params = t.Object({ channel_id: ChannelId })

  api.get(
    ofStore,
    {
      ...read,
      schema: { summary: 'Get the order settings', operationId: 'getOrderSettings', response: { 200: Settings } },
    },
    async ({ db }) => new Answer(storeToAnswer((await storedSettingsOf(db, ORDERS, ALL_CHANNELS)).own)),
  )

  api.put(
    ofStore,
    {
      ...write,
      schema: {
        summary: 'Change the order settings',
        operationId: 'updateOrderSettings',
        description:
          'Fields that the body omits remain. The settings apply to each channel without settings of its own.',
        body: Changes,
        response: { 200: Settings },
      },
    },
    async ({ db, body }) =>
      new Answer(storeToAnswer(await db.transaction((tx) => changeLevel(tx, ALL_CHANNELS, listsIn(body))))),
  )

  api.get(
    ofChannel,
    {
      ...read,
      schema: {
        summary: 'Get the order settings of a channel',
        operationId: 'getOrderSettingsOfChannel',
        description: 'null if the settings of the store apply.',
        params,
        response: { 200: ChannelSettings },
      },
    },
    async ({ db, params: { channel_id } }) => {
      await refuseUnknownChannel(db, channel_id)
      return new Answer(channelToAnswer((await storedSettingsOf(db, ORDERS, channel_id)).own))
    },
  )

  api.put(
    ofChannel,
    {
      ...write,
      schema: {
        summary: 'Change the order settings of a channel',
        operationId: 'updateOrderSettingsOfChannel',
        description: 'Either both lists are set for the channel, or both are null.',
        params,
        body: ChannelChanges,
        response: { 200: ChannelSettings },
      },
    },
    async ({ db, params: { channel_id }, body }) => {
      const own = await db.transaction(async (tx) => {
        await refuseUnknownChannel(tx, channel_id)
        return changeLevel(tx, channel_id, listsIn(body))
      })
      return new Answer(channelToAnswer(own))
    },
  )
}

/** The lists in a body. */
const listsIn = ({ notifications = {} }: Static<typeof ChannelChanges>): Values =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const list = notifications[name]?.email_addresses
      return list === undefined ? [] : [[name, list]]
    }),
  )

/** @throws Problem 422 for a channel that would have only one of the lists */
async function changeLevel(tx: Tx, channel: number, lists: Values): Promise<Values> {
  const level = await lockSettings(tx, ORDERS, channel)
  const own = Object.fromEntries(Object.entries({ ...level.own, ...lists }).filter(([, list]) => list !== null))
  const count = Object.keys(own).length
  if (channel !== ALL_CHANNELS && count !== 0 && count !== NAMES.length) {
    throw invalid({ notifications: 'Either set both lists for the channel, or set both to null.' })
  }
  await storeSettings(tx, ORDERS, { ...level, own })
  return own
}

/** Returns the addresses in the shop that get a copy of the invoice of a placed order: those of both lists. */
export async function invoiceCopies(db: Db, channel: number): Promise<readonly string[]> {
  const { own, store } = await db.row<{ own: Values | null; store: Values | null }>(
    prepared(sql`
    select ${storedValues(db, ORDERS, channel)} as own, ${storedValues(db, ORDERS, ALL_CHANNELS)} as store`),
  )
  const lists = NAMES.map((name) => addressesIn(own ?? {})[name] ?? addressesIn(store ?? {})[name] ?? [])
  return [...new Set(lists.flat())]
}

/** Stored values have passed the schema. */
const addressesIn = (values: Values) => values as Addresses

function storeToAnswer(values: Values): Static<typeof Settings> {
  const { order_placed = [], forward_invoice = [] } = addressesIn(values)
  return toAnswer(order_placed, forward_invoice)
}

function channelToAnswer(values: Values): Static<typeof ChannelSettings> {
  const { order_placed = null, forward_invoice = null } = addressesIn(values)
  return toAnswer(order_placed, forward_invoice)
}

const toAnswer = <List>(order_placed: List, forward_invoice: List) => ({
  notifications: {
    order_placed: { email_addresses: order_placed },
    forward_invoice: { email_addresses: forward_invoice },
  },
  meta: {},
})
