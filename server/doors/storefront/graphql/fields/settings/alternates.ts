import type { StorefrontCaller } from '../../../caller.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import { localesFor, pathOfLocale, resolveLocale } from './locales.ts'

/**
 * The addresses of a page in the other languages of the storefront: those that the request didn't ask for [our choice]. Pages have the same
 * path below each language.
 * @param path undefined for links to other places, which have none
 */
export async function localeAlternates(caller: StorefrontCaller, path: string | undefined, args: PageArgs) {
  const locales = await localesFor(caller)
  const current = resolveLocale(locales, caller.acceptLanguage)
  const others = path === undefined ? [] : locales.filter(({ code }) => code !== current)
  const alternates = others.map((locale) => {
    const there = `${pathOfLocale(locale)}${path}`
    return { path: there, url: `${caller.storefront.url}${there}` }
  })
  return connectionOf(alternates, args)
}
