import { isDeepStrictEqual } from 'node:util'
import t, { type TObject } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { capitalized } from '../../../core/rest/lists/operation-names.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId, refuseUnknownChannel } from '../../channels/channels.ts'
import { settingsSubject } from '../families/families.ts'
import {
  ALL_CHANNELS,
  changeSettings,
  family,
  lockSettings,
  type SettingsFamily,
  settingsToAnswer,
  storedSettingsOf,
  type Values,
} from '../families/family.ts'
import { orNull } from '../families/family-routes.ts'

// Settings of carts and of abandoned carts (docs/contract/cart-settings.md). The store has all values. A channel has any of its own,
// and inherits the others.

const { read, write } = access('information')

const YES = t.Boolean({ default: true })
const NO = t.Boolean({ default: false })

/** Whether shoppers can create and change carts. Clients of the management API always can. */
export const cartSettings = family('carts', t.Object({ allow_purchasing: YES }), {
  noun: 'cart settings',
  example: { allow_purchasing: false },
  required: ['allow_purchasing'],
})

/** The reminders of abandoned carts: who gets them, and how often. */
export const abandonedCartSettings = family(
  'abandoned-carts',
  t.Object({
    enable_notification: NO,
    email_customer_until_cart_is_recovered: YES,
    marketing_emails_require_customer_consent: YES,
    email_merchant_when_cart_is_converted: NO,
    email_merchant_when_cart_is_abandoned: NO,
    merchant_email_address: t.Union([t.Literal(''), t.String({ maxLength: 500, pattern: MAIL_ADDRESS })], {
      default: '',
    }),
    merchant_abandoned_cart_email_frequency_type: t.Enum(['digest', 'individual'], { default: 'individual' }),
    merchant_abandoned_cart_digest_email_frequency: t.Integer({ minimum: 2, maximum: 1_000, default: 10 }),
  }),
  {
    noun: 'abandoned cart settings',
    example: {
      enable_notification: true,
      email_customer_until_cart_is_recovered: true,
      marketing_emails_require_customer_consent: true,
      email_merchant_when_cart_is_converted: false,
      email_merchant_when_cart_is_abandoned: true,
      merchant_email_address: 'carts@example.com',
      merchant_abandoned_cart_email_frequency_type: 'digest',
      merchant_abandoned_cart_digest_email_frequency: 10,
    },
    required: [
      'email_customer_until_cart_is_recovered',
      'marketing_emails_require_customer_consent',
      'email_merchant_when_cart_is_converted',
      'email_merchant_when_cart_is_abandoned',
      'merchant_email_address',
      'merchant_abandoned_cart_email_frequency_type',
      'merchant_abandoned_cart_digest_email_frequency',
    ],
  },
)

/** Mounts the routes of both kinds of settings. */
export function cartSettingsRoutes(api: Api) {
  levelRoutes(api, cartSettings, '/carts/settings', (tx, channel) =>
    publish(tx, `store/channel/${channel}/settings/checkout/updated`, settingsSubject(channel), {}),
  )
  levelRoutes(api, abandonedCartSettings, '/abandoned-carts/settings', (tx, channel) =>
    publish(tx, `store/channel/${channel}/notifications/abandonedCart/updated`, settingsSubject(channel), {}),
  )
}

/** The four routes of a family: the values of the store, and the own values of each channel. */
function levelRoutes<Shape extends TObject>(
  api: Api,
  family: SettingsFamily<Shape>,
  path: string,
  publishChange: (tx: Tx, channel: number) => void,
) {
  const { noun, shape, example, required = [] } = family
  const title = capitalized(noun)
  const ofChannel = `${path}/channels/${CHANNEL_SEGMENT}`
  const params = t.Object({ channel_id: ChannelId })
  const isRequired = (field: string) => required.some((name) => name === field)
  const map = (change: (field: string) => t.TSchema): t.TProperties =>
    Object.fromEntries(family.fields.map((field) => [field, change(field)]))
  const own = map((field) => orNull(shape.properties[field] ?? t.Null()))
  const changed = map((field) => {
    const schema = shape.properties[field] ?? t.Null()
    return isRequired(field) ? schema : t.Optional(schema)
  })
  const Settings = t.Unsafe<Values>(t.Object(shape.properties, { title }))
  const Changes = t.Unsafe<Values>(t.Object(changed, { title: `${title}Changes`, examples: [example] }))
  const OfChannel = t.Unsafe<Values>(t.Object(own, { title: `${title}OfChannel` }))
  const ChannelChanges = t.Unsafe<Values>(
    t.Partial(t.Object(own), { title: `${title}OfChannelChanges`, examples: [example] }),
  )

  api.get(
    path,
    {
      ...read,
      schema: { summary: `Get the ${noun}`, operationId: `get${title}`, response: { 200: envelope(Settings) } },
    },
    async ({ db }) => answer(settingsToAnswer(family, await storedSettingsOf(db, family, ALL_CHANNELS))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: `Change the ${noun}`,
        operationId: `update${title}`,
        description: 'They apply to each channel without values of its own.',
        body: Changes,
        response: { 200: envelope(Settings) },
      },
    },
    async ({ db, body }) =>
      answer(
        await db.transaction(async (tx) =>
          settingsToAnswer(
            family,
            await changeSettings(tx, family, await lockSettings(tx, family, ALL_CHANNELS), body),
          ),
        ),
      ),
  )

  api.get(
    ofChannel,
    {
      ...read,
      schema: {
        summary: `Get the ${noun} of a channel`,
        operationId: `get${title}OfChannel`,
        description: "A null means that the store's value applies.",
        params,
        response: { 200: envelope(OfChannel) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      await refuseUnknownChannel(db, channel_id)
      return answer(settingsToAnswer(family, await storedSettingsOf(db, family, channel_id)))
    },
  )

  api.put(
    ofChannel,
    {
      ...write,
      schema: {
        summary: `Change the ${noun} of a channel`,
        operationId: `update${title}OfChannel`,
        description: "Fields that are not sent stay. A null makes the store's value apply.",
        params,
        body: ChannelChanges,
        response: { 200: envelope(OfChannel) },
      },
    },
    async ({ db, params: { channel_id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          await refuseUnknownChannel(tx, channel_id)
          const before = await lockSettings(tx, family, channel_id)
          const after = await changeSettings(tx, family, before, body)
          if (!isDeepStrictEqual(before.own, after.own)) publishChange(tx, channel_id)
          return settingsToAnswer(family, after)
        }),
      ),
  )
}
