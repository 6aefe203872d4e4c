import type { ChannelLocale } from '../../../../../shop/channels/locales.ts'
import { storeLocale } from '../../../../../shop/settings/locale/locale.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { settingsFor, shopFor } from '../shop.ts'

type Locale = Pick<ChannelLocale, 'code' | 'is_default'>

/** The active languages of the storefront; the language of the store if the channel has none of its own. */
export async function localesFor(caller: StorefrontCaller): Promise<Locale[]> {
  const [{ locales }, settings] = await Promise.all([shopFor(caller), settingsFor(caller)])
  const active = (locales ?? []).filter(({ is_active }) => is_active)
  return active.length > 0 ? active : [{ code: settings.of(storeLocale).default_shopper_language, is_default: true }]
}

/** The path below which the pages of a language are, without a slash at its end. */
export const pathOfLocale = ({ code, is_default }: Locale): string => (is_default ? '' : `/${code}`)

/** The first accepted language that the storefront has, else its default one. @param accepted the header Accept-Language */
export function resolveLocale(locales: readonly Locale[], accepted: string | undefined): string | null {
  const wishes = (accepted ?? '').split(',').flatMap((part, position) => {
    const [, code, quality = '1'] = /^\s*([a-z0-9-]{1,35})\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(part) ?? []
    return code === undefined ? [] : [{ code: code.toLowerCase(), quality: Number(quality), position }]
  })
  wishes.sort((one, other) => other.quality - one.quality || one.position - other.position)
  for (const { code } of wishes) {
    const found =
      locales.find((locale) => locale.code.toLowerCase() === code) ??
      locales.find((locale) => languageOf(locale.code.toLowerCase()) === languageOf(code))
    if (found) return found.code
  }
  return locales.find(({ is_default }) => is_default)?.code ?? null
}

const languageOf = (code: string) => code.split('-')[0]
