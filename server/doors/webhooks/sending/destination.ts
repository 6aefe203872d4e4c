import { Addresses, ForbiddenAddress, UnresolvedHost } from '../../../core/net/addresses.ts'

/** Where callbacks may go. */
export interface Policy {
  addresses: Addresses
  /** Origins freed from https and port 443, such as http://localhost:3000 or http://localhost:*. */
  origins: readonly string[]
}

/** The policy of the settings. */
export const policyOf = (config: {
  outgoingSubnets: readonly string[]
  webhookOrigins: readonly string[]
}): Policy => ({
  addresses: new Addresses(config.outgoingSubnets),
  origins: config.webhookOrigins,
})

const LENGTH_MAX = 2_048

/** The host that callbacks are paced by, with its port unless that is 443. @param destination one that a hook has */
export const hostOf = (destination: string): string => new URL(destination).host

/**
 * Why a hook can't have this destination, as a sentence for `errors.destination` (docs/contract/webhooks.md section 1).
 * Waits for DNS: not to be called inside a transaction.
 */
export async function refusal(destination: string, { addresses, origins }: Policy): Promise<string | undefined> {
  const flaw = formRefusal(destination, origins)
  if (flaw !== undefined) return flaw
  try {
    await addresses.resolve(new URL(destination).hostname)
    return undefined
  } catch (error) {
    // One sentence for both, so that nobody learns which names this network knows.
    if (error instanceof ForbiddenAddress || error instanceof UnresolvedHost) {
      return 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.'
    }
    throw error
  }
}

/** The part of the rules that needs no DNS. It is asked again before each attempt: settings may have changed since. */
export function formRefusal(destination: string, origins: readonly string[]): string | undefined {
  if (destination.length > LENGTH_MAX) return `The destination must have at most ${LENGTH_MAX} characters.`
  // URL would silently drop blanks and line ends, and turn backslashes into slashes.
  const url = /^https?:\/\/[^\p{Cc}\s\\]+$/iu.test(destination) ? URL.parse(destination) : null
  if (!url) return 'The destination must be an address such as https://example.com/webhooks.'
  if (/^\w+:\/\/[^/?#]*@/.test(destination)) return 'The destination must have no user name and no password.'
  if (destination.includes('#')) return 'The destination must have no fragment.'
  if (isFreed(url, origins)) return undefined
  if (url.protocol !== 'https:')
    return 'The destination must begin with https://, unless WEBHOOK_ORIGINS allows it otherwise.'
  if (url.port !== '') return 'The destination must use port 443, unless WEBHOOK_ORIGINS allows it otherwise.'
  return undefined
}

const isFreed = ({ protocol, hostname, origin }: URL, origins: readonly string[]) =>
  origins.includes(origin) || origins.includes(`${protocol}//${hostname}:*`)
