import { codeOfCountry } from '../../../../core/geography/countries.ts'
import { cartSettings } from '../../../../shop/settings/carts/cart-settings.ts'
import { storeProfile } from '../../../../shop/settings/families/families.ts'
import { readSettings } from '../../../../shop/settings/families/family.ts'
import { storeLocale } from '../../../../shop/settings/locale/locale.ts'
import { logo } from '../../../../shop/settings/logo.ts'
import { settingsOfTheme } from '../../../../shop/themes/theme-parts.ts'
import type { Storefront } from '../../storefronts.ts'
import { type Language, languageFor } from '../texts/texts.ts'
import { accentIn } from './colours.ts'

/** The shop as its pages show it. */
export interface ShopFace {
  name: string
  /** The path of its logo; empty for none. */
  logo: string
  url: string
  language: Language
  /** Whether shoppers can buy at present. */
  isSelling: boolean
  /** The colour of buttons and links, such as `#0b57a4`. */
  accent: string
  /** The two-letter code of the country of the shop; empty for none. */
  country: string
}

/** Reads the face of a shop. @param locale that of the cart */
export async function readFace(
  { db, channel, url }: Storefront,
  acceptLanguage: string | undefined,
  locale = '',
): Promise<ShopFace> {
  const { settings, theme } = await db.together(() => ({
    settings: readSettings(db, [cartSettings, storeProfile, logo, storeLocale], channel),
    theme: settingsOfTheme(db, channel),
  }))
  const { logo_image_url, logo_text, type } = settings.of(logo)
  const { default_shopper_language, store_country } = settings.of(storeLocale)
  const isStored = type === 'image' && logo_image_url.startsWith('/files/')
  return {
    name: settings.of(storeProfile).store_name || logo_text || db.store.hash,
    logo: isStored ? logo_image_url : '',
    url,
    language: languageFor(locale, acceptLanguage, default_shopper_language),
    isSelling: settings.of(cartSettings).allow_purchasing,
    accent: accentIn(theme),
    country: codeOfCountry(store_country) ?? '',
  }
}
