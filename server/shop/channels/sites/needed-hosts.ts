import type { Db, Store } from '../../../core/db/database.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import {
  type AddressRules,
  canonicalUrl,
  isDefaultHost,
  isServerAddress,
  type ParsedAddress,
  readAddress,
  readCheckoutAddress,
} from './addresses.ts'
import { hostTaken, siteAt } from './hosts.ts'
import type { SiteRow } from './shape.ts'

/** An address that a site may have. */
export interface SiteAddress extends ParsedAddress {
  /** Whether its host is the default host of the site. It needs no claim, because no other site can have it. */
  readonly isDefault: boolean
}

/**
 * Checks an address that a client chose for a site of a channel.
 * @throws Problem 422, also for a host of the server; 400 for its port; 409 for the default host of another site
 */
export function addressFor(
  store: Store,
  channel: number,
  url: string,
  { rules, use = 'primary' }: { rules: AddressRules; use?: 'primary' | 'checkout' },
): SiteAddress {
  const address = use === 'primary' ? readAddress(url, rules) : readCheckoutAddress(url, rules)
  const isDefault = isCanonical(store, channel, address, rules)
  if (isDefaultHost(address.host, rules) && !isDefault) {
    const sentence = `The host ${address.host} is one that the server gives to other sites.`
    throw new Problem(409, sentence, { url: sentence })
  }
  if (isServerAddress(address, rules) && !isDefault)
    refuse({ url: `The host ${address.host} is reserved for the server.` })
  return { ...address, isDefault }
}

const isCanonical = (store: Store, channel: number, { host }: Pick<ParsedAddress, 'host'>, rules: AddressRules) =>
  host === new URL(canonicalUrl(store.hash, channel, rules)).hostname

/** The hosts that a site needs for its two addresses. Its default host needs no claim. */
export function neededHosts(
  store: Store,
  { channel_id, url, checkout_url }: Pick<SiteRow, 'channel_id' | 'url' | 'checkout_url'>,
  rules: AddressRules,
): string[] {
  const addresses = [url, checkout_url]
    .filter((text) => text !== '')
    // Stored addresses passed the rules once. Later changes of the settings do not matter.
    .map((text) => readAddress(text, { allowsPorts: true }))
  const keys = addresses.filter((address) => !isCanonical(store, channel_id, address, rules)).map(({ key }) => key)
  return [...new Set(keys)]
}

/**
 * Returns the host of an address if the site has to claim it.
 * @param site undefined for a new site
 * @throws Problem 409 if another site of the store has the host
 */
export async function hostToClaim(db: Db, site: number | undefined, { key, isDefault }: SiteAddress) {
  if (isDefault) return undefined
  const holder = await siteAt(db, key)
  if (holder === undefined) return key
  if (holder !== site) throw hostTaken(key)
  return undefined
}
