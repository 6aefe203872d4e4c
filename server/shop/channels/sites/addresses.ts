import { isIP } from 'node:net'
import { Problem } from '../../../core/rest/problem.ts'

/** The rules for addresses of sites, from the settings of the server. */
export interface AddressRules {
  /** Every store has a host below this domain: `store-<hash>` for channel 1, `store-<hash>-<channel>` for each other one. */
  readonly domain: string
  /** The public address of the server. */
  readonly publicUrl: string
  /** Whether addresses may have other ports than 80 and 443. */
  readonly allowsPorts: boolean
  /** The port of https at the hosts below the domain, if it is not 443. */
  readonly httpsPort?: number | undefined
}

/** An address of a site. */
export interface ParsedAddress {
  /** The stored form: the input with a normalized host. */
  readonly url: string
  /** The host in lower case and ASCII, an IPv6 address in brackets. */
  readonly host: string
  /** The part that is unique among sites: the host without www, with its port unless it is 80 or 443. */
  readonly key: string
}

const PARTS = /^(https?):\/\/([^/?#\\\s]*)(.*)$/is
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const HOST_MAX = 253
const PORT_MAX = 65_535

/**
 * Reads the address of a site (docs/contract/sites.md section 2).
 * @throws Problem 422, or 400 for a port that the settings don't allow
 */
export function readAddress(text: string, { allowsPorts }: Pick<AddressRules, 'allowsPorts'>): ParsedAddress {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? refuseUrl('an absolute http or https address')
  if (authority.includes('@')) refuseUrl('an address without user and password')
  if (rest !== '' && rest !== '/') refuseUrl('an address without path, query and fragment')
  const [, given = '', port] = HOST_AND_PORT.exec(authority) ?? refuseUrl('an address with a host and, at most, a port')
  const host =
    readHost(given) ?? refuseUrl('an address with a DNS name that has a dot, localhost or an IP address as its host')
  if (port !== undefined && (Number(port) > PORT_MAX || Number(port) === 0))
    refuseUrl('an address with a port up to 65535')
  const isUsual = port === undefined || Number(port) === 80 || Number(port) === 443
  if (!isUsual && !allowsPorts) {
    const sentence = `url must have the port 80 or 443, or none, not ${port}.`
    throw new Problem(400, sentence, { url: sentence })
  }
  return {
    url: `${scheme.toLowerCase()}://${host}${port === undefined ? '' : `:${port}`}${rest}`,
    host,
    key: withoutWww(host) + (isUsual ? '' : `:${Number(port)}`),
  }
}

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** Reads the address of a checkout, which may lack its scheme. @throws as `readAddress` */
export const readCheckoutAddress = (text: string, rules: AddressRules): ParsedAddress =>
  readAddress(text.includes('://') ? text : `https://${text}`, rules)

/** The normalized form of a host; undefined if a site cannot have it. */
function readHost(given: string): string | undefined {
  const host = URL.parse(`http://${given}`)?.hostname
  if (host === undefined || host.length > HOST_MAX) return undefined
  if (isIP(host.replace(/^\[|\]$/g, '')) > 0 || host === 'localhost') return host
  return host.includes('.') && host.split('.').every((label) => LABEL.test(label)) ? host : undefined
}

function refuseUrl(wanted: string): never {
  const sentence = `url must be ${wanted}.`
  throw new Problem(422, sentence, { url: sentence })
}

/** The default address of the site of a channel. */
export const canonicalUrl = (
  hash: string,
  channel: number,
  { domain, httpsPort }: Pick<AddressRules, 'domain' | 'httpsPort'>,
): string => `https://store-${hash}${channel === 1 ? '' : `-${channel}`}.${authorityOf(domain, httpsPort)}`

/** A host with its port, as in an address with https. @param httpsPort 0 if it is free to choose, which only the sandbox does */
export const authorityOf = (domain: string, httpsPort: number | undefined): string =>
  !httpsPort || httpsPort === 443 ? domain : `${domain}:${httpsPort}`

/** The store and the channel that a default host belongs to; undefined for any other host. */
export function ownerOfHost(
  host: string,
  { domain }: Pick<AddressRules, 'domain'>,
): { hash: string; channel: number } | undefined {
  if (!host.endsWith(`.${domain}`)) return undefined
  const [, hash, channel] = /^store-([a-z0-9]+)(?:-([1-9]\d{0,15}))?$/.exec(host.slice(0, -domain.length - 1)) ?? []
  return hash === undefined ? undefined : { hash, channel: Number(channel ?? 1) }
}

/** Whether a host has the form of a default host of any store. */
export const isDefaultHost = (host: string, { domain }: Pick<AddressRules, 'domain'>): boolean =>
  host.endsWith(`.${domain}`) && /^(?:www\.)?store-[a-z0-9]+(?:-\d+)?$/.test(host.slice(0, -domain.length - 1))

/**
 * Whether an address belongs to the server: the host of its public address, the domain of default hosts, or any name below that
 * domain. A site there would receive requests for the server or for other stores.
 */
export function isServerAddress(
  { host, key }: Pick<ParsedAddress, 'host' | 'key'>,
  { domain, publicUrl }: Pick<AddressRules, 'domain' | 'publicUrl'>,
): boolean {
  const { hostname, port } = new URL(publicUrl)
  const name = withoutWww(host)
  const isOwn = name === withoutWww(hostname) || name === withoutWww(domain) || name.endsWith(`.${domain}`)
  // Another port of the same host is another server, for example a storefront in development on this machine.
  return isOwn && (key === name || key === `${name}:${port}`)
}

/** Whether two hosts belong to one owner: they are equal or below the same registered domain. */
export async function shareDomain(one: string, other: string): Promise<boolean> {
  if (one === other) return true
  // The list of public suffixes, which most processes never need.
  const { getDomain } = await import('tldts')
  // Below a suffix such as github.io each name belongs to another owner.
  const domain = getDomain(one, { allowPrivateDomains: true })
  return domain !== null && domain === getDomain(other, { allowPrivateDomains: true })
}
