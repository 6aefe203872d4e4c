import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { nullable } from '../../core/rest/input/fields.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { CHANNEL_SEGMENT, ChannelId, refuseUnknownChannel } from '../../shop/channels/channels.ts'
import { ALL_CHANNELS, changeSettings, lockSettings, storedSettingsOf } from '../../shop/settings/families/family.ts'
import { access } from '../../stores/accounts/scopes.ts'

const { read, write } = access('customs')

/** The name of the rows among the settings. */
const SHIPPING = { path: 'shipping' }

const Message = t.String({ maxLength: 500, description: 'Shown to shoppers whom no shipping zone serves' })
const STRATEGIES = ['DISPLAY_ALL_COUNTRIES', 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES'] as const
const fields = { country_list_strategy: t.Enum(STRATEGIES), out_of_delivery_zone_message: Message }
const ofChannelFields = { out_of_delivery_zone_message: nullable(Message) }

const Settings = t.Object({ checkout: t.Object(fields) }, { title: 'ShippingSettings' })
const OfChannel = t.Object({ checkout: t.Object(ofChannelFields) }, { title: 'ShippingSettingsOfChannel' })
const Changes = t.Object(
  { checkout: t.Optional(t.Partial(t.Object(fields))) },
  {
    title: 'ShippingSettingsChanges',
    examples: [{ checkout: { country_list_strategy: 'DISPLAY_ONLY_SHIPPABLE_COUNTRIES' } }],
  },
)
const ChannelChanges = t.Object(
  { checkout: t.Optional(t.Partial(t.Object(ofChannelFields))) },
  {
    title: 'ShippingSettingsOfChannelChanges',
    examples: [{ checkout: { out_of_delivery_zone_message: 'We do not ship there yet.' } }],
  },
)

/** The stored values of a store or a channel. */
type Stored = Partial<Static<typeof Settings>['checkout']>

/** The shipping settings of the store and of its channels (docs/contract/shipping.md section 7). */
export function shippingSettingsRoutes(api: Api) {
  const ofStore = '/shipping/settings'
  const ofChannel = `/shipping/settings/channels/${CHANNEL_SEGMENT}`
  const params = t.Object({ channel_id: ChannelId })

  api.get(
    ofStore,
    {
      ...read,
      schema: {
        summary: 'Get the shipping settings',
        operationId: 'getShippingSettings',
        response: { 200: envelope(Settings) },
      },
    },
    async ({ db }) => answer(toAnswer(await storedAt(db, ALL_CHANNELS))),
  )

  api.put(
    ofStore,
    {
      ...write,
      schema: {
        summary: 'Change the shipping settings',
        operationId: 'updateShippingSettings',
        description: 'Fields that the body leaves out keep their values.',
        body: Changes,
        response: { 200: envelope(Settings) },
      },
    },
    async ({ db, body }) => answer(toAnswer(await changeAt(db, ALL_CHANNELS, body.checkout))),
  )

  api.get(
    ofChannel,
    {
      ...read,
      schema: {
        summary: 'Get the shipping settings of a channel',
        operationId: 'getShippingSettingsOfChannel',
        description: 'A null message means that the message of the store applies.',
        params,
        response: { 200: envelope(OfChannel) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      await refuseUnknownChannel(db, channel_id)
      return answer(channelToAnswer(await storedAt(db, channel_id)))
    },
  )

  api.put(
    ofChannel,
    {
      ...write,
      schema: {
        summary: 'Change the shipping settings of a channel',
        operationId: 'updateShippingSettingsOfChannel',
        params,
        body: ChannelChanges,
        response: { 200: envelope(OfChannel) },
      },
    },
    async ({ db, params: { channel_id }, body }) => {
      await refuseUnknownChannel(db, channel_id)
      return answer(channelToAnswer(await changeAt(db, channel_id, body.checkout)))
    },
  )
}

async function storedAt(db: Db, channel: number): Promise<Stored> {
  const { own }: { own: Stored } = await storedSettingsOf(db, SHIPPING, channel)
  return own
}

/** Stores the given values; null deletes the value of a channel. */
const changeAt = (db: Db, channel: number, values: object = {}): Promise<Stored> =>
  db.transaction(async (tx) => {
    const level = await lockSettings(tx, SHIPPING, channel)
    const { own }: { own: Stored } = await changeSettings(tx, SHIPPING, level, { ...values })
    return own
  })

const toAnswer = ({
  country_list_strategy = 'DISPLAY_ALL_COUNTRIES',
  out_of_delivery_zone_message = '',
}: Stored): Static<typeof Settings> => ({ checkout: { country_list_strategy, out_of_delivery_zone_message } })

const channelToAnswer = ({
  out_of_delivery_zone_message = null,
}: Record<string, unknown>): Static<typeof OfChannel> => ({
  checkout: {
    out_of_delivery_zone_message: out_of_delivery_zone_message === null ? null : String(out_of_delivery_zone_message),
  },
})
