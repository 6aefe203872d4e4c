import type { Db } from '../../../core/db/database.ts'
import { addLocale, type ChannelLocale, changeLocale, deleteLocale, localesOf } from '../../channels/locales.ts'
import { settingsOf } from '../families/family.ts'
import { storeLocale } from './locale.ts'

/** The options of `storeward channel locales`. */
export interface LocaleOptions {
  add?: string
  change?: string
  delete?: string
  default?: true
  active?: true
  inactive?: true
}

/**
 * Applies the options.
 * @returns the new languages of the channel
 * @throws Problem with a sentence for the operator
 */
export async function editLocales(db: Db, channel: number, options: LocaleOptions): Promise<ChannelLocale[]> {
  const { default_shopper_language: standard } = await settingsOf(db, storeLocale)
  const localized = { channel, standard }
  const change = {
    ...(options.active ? { isActive: true } : {}),
    ...(options.inactive ? { isActive: false } : {}),
    ...(options.default ? { isDefault: true as const } : {}),
  }
  if (options.add !== undefined) await addLocale(db, localized, options.add, change)
  if (options.change !== undefined) await changeLocale(db, localized, options.change, change)
  if (options.delete !== undefined) await deleteLocale(db, localized, options.delete)
  return localesOf(db, localized)
}
