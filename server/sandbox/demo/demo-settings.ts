import type { Static, TObject } from 'typebox'
import type { Store, Tx } from '../../core/db/database.ts'
import type { Files } from '../../core/files/files.ts'
import { FIRST_CHANNEL, liveChannels } from '../../shop/channels/channels.ts'
import { addLocale } from '../../shop/channels/locales.ts'
import {
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

/** Draws the logo of the demo store. @returns the name of its file, which belongs to nothing yet */
export const drawLogo = async (files: Files, store: Store): Promise<string> =>
  files.write(store, await draw('vase', [111, 125, 79], [181, 83, 47]), 'png')

/** Sets the name and the looks of the demo store; its second shop has a name and a title of its own. */
export async function settleDemoStore(tx: Tx, files: Files, logoFile: string) {
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
  await attachLogo(tx, files, logoFile, { kind: 'logo', channel: ALL_CHANNELS })
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
