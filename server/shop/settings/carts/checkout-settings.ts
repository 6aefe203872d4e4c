import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { nullable } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId } from '../../channels/channels.ts'
import { settingsSubject } from '../families/families.ts'
import {
  ALL_CHANNELS,
  changeSettings,
  effectiveValues,
  family,
  lockSettings,
  type StoredSettings,
  storedSettingsOf,
  type Values,
} from '../families/family.ts'

// Settings of the checkout page (docs/contract/cart-settings.md section 3). A shop can replace the built-in page by a script of its
// own. The store has the values about scripts; a channel can have its own, and has some about its shoppers besides.

const { read, write } = access('checkoutSettings')

const ADDRESS_MAX = 2_048
const HASHES_MAX = 5

const No = t.Boolean({ default: false })
const Address = t.String({ maxLength: ADDRESS_MAX, default: '' })
const Hashes = t.String({ maxLength: 512, default: '', description: `At most ${HASHES_MAX}, separated by blanks` })
const Words = t.String({ maxLength: 255, default: '' })

const ofScripts = {
  custom_checkout_script_url: Address,
  order_confirmation_use_custom_checkout_script: No,
  custom_order_confirmation_script_url: Address,
  custom_checkout_supports_uco_settings: No,
  custom_checkout_sri_hash: Hashes,
  custom_order_confirmation_sri_hash: Hashes,
}
const ofShoppers = {
  checkout_type: Words,
  guest_checkout_type: Words,
  guest_checkout_for_existing_accounts: Words,
  policy_consent: Words,
  order_confirmation_contact_email: Words,
  is_order_terms_and_conditions_enabled: No,
  order_terms_and_conditions_type: Words,
  order_terms_and_conditions_link: Words,
  order_terms_and_conditions_textarea: t.String({ maxLength: 65_535, default: '' }),
  should_redirect_to_storefront_for_auth: No,
}

const exampleOfStore = { custom_checkout_script_url: 'https://cdn.example.com/checkout.js' }
const exampleOfChannel = { ...exampleOfStore, checkout_type: 'one-page' }

const CheckoutSettings = t.Object(ofScripts, { title: 'CheckoutSettings' })
const Changes = t.Partial(CheckoutSettings, { title: 'CheckoutSettingsChanges', examples: [exampleOfStore] })
const OfChannel = t.Object({ ...ofShoppers, ...ofScripts }, { title: 'CheckoutSettingsOfChannel' })
const ChannelChanges = t.Unsafe<Values>(
  t.Partial(
    t.Object(
      Object.fromEntries(
        Object.entries(OfChannel.properties).map(([field, schema]) => [
          field,
          t.IsString(schema) ? nullable(schema) : schema,
        ]),
      ),
    ),
    { title: 'CheckoutSettingsOfChannelChanges', examples: [exampleOfChannel] },
  ),
)

export const checkoutSettings = family('checkouts', OfChannel, { noun: 'checkout settings', example: exampleOfChannel })

/** Mounts the routes of the store's values and of a channel's. */
export function checkoutSettingsRoutes(api: Api) {
  const ofStore = '/checkouts/settings'
  const ofChannel = `${ofStore}/channels/${CHANNEL_SEGMENT}`
  const params = t.Object({ channel_id: ChannelId })

  api.get(
    ofStore,
    {
      ...read,
      schema: {
        summary: 'Get the checkout settings',
        operationId: 'getCheckoutSettings',
        response: { 200: envelope(CheckoutSettings) },
      },
    },
    async ({ db }) => answer(storeToAnswer(await storedSettingsOf(db, checkoutSettings, ALL_CHANNELS))),
  )

  api.put(
    ofStore,
    {
      ...write,
      schema: {
        summary: 'Change the checkout settings',
        operationId: 'updateCheckoutSettings',
        description: 'Fields that are not sent stay. The settings apply to each channel without values of its own.',
        body: Changes,
        response: { 200: envelope(CheckoutSettings) },
      },
    },
    async ({ db, body }) =>
      answer(await db.transaction(async (tx) => storeToAnswer(await changeLevel(tx, ALL_CHANNELS, body)))),
  )

  api.get(
    ofChannel,
    {
      ...read,
      schema: {
        summary: 'Get the checkout settings of a channel',
        operationId: 'getCheckoutSettingsOfChannel',
        description: "The values in force: the channel's own, else the store's.",
        params,
        response: { 200: envelope(OfChannel) },
      },
    },
    async ({ db, params: { channel_id } }) =>
      answer(effectiveValues(checkoutSettings, await storedSettingsOf(db, checkoutSettings, channel_id))),
  )

  api.put(
    ofChannel,
    {
      ...write,
      schema: {
        summary: 'Change the checkout settings of a channel',
        operationId: 'updateCheckoutSettingsOfChannel',
        description: "Fields that are not sent stay. A text that is null makes the store's value apply.",
        params,
        body: ChannelChanges,
        response: { 200: envelope(OfChannel) },
      },
    },
    async ({ db, params: { channel_id }, body }) =>
      answer(
        await db.transaction(async (tx) => effectiveValues(checkoutSettings, await changeLevel(tx, channel_id, body))),
      ),
  )
}

/** @throws Problem 422 for an unknown channel, and for invalid addresses and hashes */
async function changeLevel(tx: Tx, channel: number, values: Values): Promise<StoredSettings> {
  refuse(mistakesIn(values))
  const before = await lockSettings(tx, checkoutSettings, channel)
  const { order_confirmation_use_custom_checkout_script: usesCheckoutScript } = { ...before.own, ...values }
  const after = await changeSettings(tx, checkoutSettings, before, {
    ...values,
    // The script of the checkout then shows the confirmation too.
    ...(usesCheckoutScript === true ? { custom_order_confirmation_script_url: '' } : {}),
  })
  if (channel !== ALL_CHANNELS && !isDeepStrictEqual(before.own, after.own)) {
    publish(tx, `store/channel/${channel}/settings/checkout/updated`, settingsSubject(channel), {})
  }
  return after
}

const HASH = /^(sha256-[A-Za-z0-9+/]{43}=|sha384-[A-Za-z0-9+/]{64}|sha512-[A-Za-z0-9+/]{86}==)$/

function mistakesIn(values: Values): Mistakes {
  const mistakes: Record<string, string> = {}
  for (const [field, value] of Object.entries(values)) {
    if (typeof value !== 'string' || value === '') continue
    if (field.endsWith('_script_url') && !isSecureAddress(value)) {
      mistakes[field] = 'Must be an absolute https address, or empty for the built-in page.'
    }
    if (field.endsWith('_sri_hash') && !areHashes(value)) {
      mistakes[field] = `Must be at most ${HASHES_MAX} hashes such as sha384-..., in base64 and separated by blanks.`
    }
  }
  return mistakes
}

const isSecureAddress = (text: string) => URL.canParse(text) && /^https:\/\//i.test(text)

function areHashes(text: string): boolean {
  const hashes = text.trim().split(/ +/)
  return hashes.length <= HASHES_MAX && hashes.every((hash) => HASH.test(hash))
}

function storeToAnswer(level: StoredSettings): Static<typeof CheckoutSettings> {
  const values = effectiveValues(checkoutSettings, level)
  return {
    custom_checkout_script_url: values.custom_checkout_script_url,
    order_confirmation_use_custom_checkout_script: values.order_confirmation_use_custom_checkout_script,
    custom_order_confirmation_script_url: values.custom_order_confirmation_script_url,
    custom_checkout_supports_uco_settings: values.custom_checkout_supports_uco_settings,
    custom_checkout_sri_hash: values.custom_checkout_sri_hash,
    custom_order_confirmation_sri_hash: values.custom_order_confirmation_sri_hash,
  }
}
