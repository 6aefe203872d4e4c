import type { Static, TObject } from 'typebox'
import type { Store, Tx } from '../../core/db/database.ts'
import type { Files } from '../../core/files/files.ts'
import { FIRST_CHANNEL, liveChannels } from '../../shop/channels/channels.ts'
import { addLocale } from '../../shop/channels/locales.ts'
import {
  categorySettings,
  inventoryNotifications,
  seoSettings,
  storeProfile,
  unitSettings,
} from '../../shop/settings/families/families.ts'
import { ALL_CHANNELS, lockSettings, type SettingsFamily, saveSettings } from '../../shop/settings/families/family.ts'
import { storeLocale } from '../../shop/settings/locale/locale.ts'
import { attachLogo, logo } from '../../shop/settings/logo.ts'
import { draw } from '../samples/figures.ts'

const NAME = 'Fern & Field'
/** The languages of its first shop. */
const LANGUAGES = { standard: 'en', others: ['de', 'fr'] }

/** The files of the logo and of the favicon, which belong to nothing yet. */
type Signs = Readonly<Record<'logo' | 'favicon', string>>

/** Draws the logo and the favicon of the demo store. */
export async function drawSigns(files: Files, store: Store): Promise<Signs> {
  const vase = await draw('vase', [111, 125, 79], [181, 83, 47])
  return { logo: await files.write(store, vase, 'png'), favicon: await files.write(store, vase, 'png') }
}

/** Sets the name and the looks of the demo store; its second shop has a name and a title of its own. */
export async function settleDemoStore(tx: Tx, files: Files, signs: Signs) {
  await settle(tx, storeProfile, {
    store_name: NAME,
    store_address: '12 Canal Street\nSpringfield',
    store_address_type: 'Retail',
    store_email: 'hello@example.com',
    store_phone: '+1 555 0100',
  })
  await settle(tx, storeLocale, { default_shopper_language: LANGUAGES.standard })
  for (const code of LANGUAGES.others) {
    await addLocale(tx, { channel: FIRST_CHANNEL, standard: LANGUAGES.standard }, code, {})
  }
  await settle(tx, unitSettings, { weight_measurement: 'KGS', length_measurement: 'Centimeters' })
  await settle(tx, inventoryNotifications, { low_stock_notification_address: ['stock@example.com'] })
  await settle(tx, seoSettings, { page_title: NAME, meta_description: 'Things for the house, made to last.' })
  for (const kind of ['logo', 'favicon'] as const) {
    await attachLogo(tx, files, signs[kind], { kind, channel: ALL_CHANNELS })
  }
  // The categories of the menu have their products in the categories below them.
  await settle(tx, categorySettings, { listing_mode: 'child_categories_if_category_empty' })
  await settle(tx, logo, { type: 'image', logo_text: NAME })
  const second = (await liveChannels(tx)).find((id) => id !== FIRST_CHANNEL)
  if (second === undefined) return
  const profile = { store_address: '', store_email: 'market@example.com', store_phone: '' }
  await settle(tx, storeProfile, { ...profile, store_name: `${NAME} Market` }, second)
  const titles = { meta_description: '', meta_keywords: '', www_redirect: 'none' } as const
  await settle(tx, seoSettings, { ...titles, page_title: `${NAME} Market` }, second)
}

const settle = async <Shape extends TObject>(
  tx: Tx,
  family: SettingsFamily<Shape>,
  values: Partial<Static<Shape>>,
  channel = ALL_CHANNELS,
) => saveSettings(tx, family, await lockSettings(tx, family, channel), { ...values })
