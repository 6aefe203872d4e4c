import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { settingsSubject } from './families.ts'
import { family, lockSettings, saveSettings, settingsOf } from './family.ts'

/** Most links of a storefront. */
const LINKS_MAX = 50
const NAME_MAX = 255
const URL_MAX = 2_048

const SocialLink = t.Object({ name: t.String(), url: t.String() })
type SocialLink = Static<typeof SocialLink>

/**
 * The pages of a shop in social networks, which its storefront shows. Public APIs only read them: an operator sets them for each channel
 * (docs/contract/channels.md section 12).
 */
export const socialLinks = family('social-links', t.Object({ links: t.Array(SocialLink, { default: [] }) }), {
  noun: 'social links',
  example: { links: [{ name: 'Instagram', url: 'https://www.instagram.com/fern' }] },
  publishChange: (tx, channel) =>
    publish(tx, `store/channel/${channel}/socialMediaLinks/updated`, settingsSubject(channel), {}),
})

/** The options of `storeward channel social-links`. */
export interface SocialLinkOptions {
  /** Texts such as `Instagram=https://www.instagram.com/fern`, which replace all links. */
  set?: string[]
  clear?: true
}

/**
 * Applies the options.
 * @returns the links of the channel in their order
 * @throws Problem 422 for a channel that the store does not have, or for a text that is no link
 */
export async function editSocialLinks(db: Db, channel: number, options: SocialLinkOptions): Promise<SocialLink[]> {
  const { set, clear } = options
  if (set === undefined && clear === undefined) return (await settingsOf(db, socialLinks, channel)).links
  const links = clear ? [] : (set ?? []).map(linkIn)
  const sentence = mistakeIn(links)
  if (sentence !== undefined) throw new Problem(422, sentence)
  return db.transaction(async (tx) => {
    const level = await lockSettings(tx, socialLinks, channel)
    await saveSettings(tx, socialLinks, level, links.length === 0 ? undefined : { links })
    return links
  })
}

function linkIn(text: string): SocialLink {
  const [name = '', ...rest] = text.split('=')
  return { name: name.trim(), url: rest.join('=').trim() }
}

function mistakeIn(links: readonly SocialLink[]): string | undefined {
  if (links.length > LINKS_MAX) return `A storefront has at most ${LINKS_MAX} social links.`
  for (const { name, url } of links) {
    if (name === '' || name.length > NAME_MAX) return `A name has 1 to ${NAME_MAX} characters.`
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '') || url.length > URL_MAX) {
      return `The address of ${name} must begin with http:// or https://, and has at most ${URL_MAX} characters.`
    }
  }
  return undefined
}
