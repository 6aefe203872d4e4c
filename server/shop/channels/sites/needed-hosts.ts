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
  /** Whether its host is the one that the server gives the site. Nobody else can have that, so it is not claimed. */
  readonly isDefault: boolean
}

/**
 * An address that a client wants for a site of a channel.
 * @throws Problem 422, also for a host of the server's own; 400 for its port; 409 if its host is one that the server gives to another site
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

/** The hosts that a site must have for its two addresses. The one that the server gives it needs no claim. */
export function neededHosts(
  store: Store,
  { channel_id, url, checkout_url }: Pick<SiteRow, 'channel_id' | 'url' | 'checkout_url'>,
  rules: AddressRules,
): string[] {
  const addresses = [url, checkout_url]
    .filter((text) => text !== '')
    // What is stored has been allowed once: a setting that changed since then does not matter.
    .map((text) => readAddress(text, { allowsPorts: true }))
  const keys = addresses.filter((address) => !isCanonical(store, channel_id, address, rules)).map(({ key }) => key)
  return [...new Set(keys)]
}

/**
 * The host of an address if a site does not have it yet, and has to claim it.
 * @param site undefined for a new one
 * @throws Problem 409 if another site of the store has it
 */
export async function hostToClaim(db: Db, site: number | undefined, { key, isDefault }: SiteAddress) {
  if (isDefault) return undefined
  const holder = await siteAt(db, key)
  if (holder === undefined) return key
  if (holder !== site) throw hostTaken(key)
  return undefined
}
