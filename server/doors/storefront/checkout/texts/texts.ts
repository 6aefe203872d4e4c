import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de, fr, es }

/** The language of a page: its code and its texts. */
export interface Language {
  code: string
  texts: Texts
}

/**
 * The first language that the page has; English if it has none of them.
 * @param wishes locales or values of Accept-Language, the most important first
 */
export function languageFor(...wishes: readonly (string | undefined)[]): Language {
  for (const wish of wishes) {
    for (const part of (wish ?? '').split(',')) {
      const code = /^\s*([a-z]{2})\b/i.exec(part)?.[1]?.toLowerCase() ?? ''
      const texts = Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code] : undefined
      if (texts) return { code, texts }
    }
  }
  return { code: 'en', texts: en }
}
