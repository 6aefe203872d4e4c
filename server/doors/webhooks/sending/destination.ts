import { Addresses, ForbiddenAddress, UnresolvedHost } from '../../../core/net/addresses.ts'
import { isFreedOrigin } from '../../../core/net/service-client.ts'

/** The destinations that callbacks may have. */
export interface Policy {
  addresses: Addresses
  /** Origins that need neither https nor port 443, such as http://localhost:3000 or http://localhost:*. */
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

/** The host of a hook's destination, with its port unless that is 443. Callbacks are paced by host. */
export const destinationHost = (destination: string): string => new URL(destination).host

/**
 * Checks a destination (docs/contract/webhooks.md section 1). It waits for DNS, so don't call it inside a transaction.
 * @returns a sentence for `errors.destination`, or undefined
 */
export async function refuseDestination(
  destination: string,
  { addresses, origins }: Policy,
): Promise<string | undefined> {
  const flaw = formRefusal(destination, origins)
  if (flaw !== undefined) return flaw
  try {
    await addresses.resolve(new URL(destination).hostname)
    return undefined
  } catch (error) {
    // Both have one sentence, so that it doesn't reveal which names this network resolves.
    if (error instanceof ForbiddenAddress || error instanceof UnresolvedHost) {
      return 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.'
    }
    throw error
  }
}

/** Checks the form of a destination, without DNS. It is repeated before each attempt, since settings may have changed. */
export function formRefusal(destination: string, origins: readonly string[]): string | undefined {
  if (destination.length > LENGTH_MAX) return `The destination must have at most ${LENGTH_MAX} characters.`
  // `URL` silently drops blanks and line ends, and turns backslashes into slashes.
  const url = /^https?:\/\/[^\p{Cc}\s\\]+$/iu.test(destination) ? URL.parse(destination) : null
  if (!url) return 'The destination must be an address such as https://example.com/webhooks.'
  if (/^\w+:\/\/[^/?#]*@/.test(destination)) return 'The destination must have no user name and no password.'
  if (destination.includes('#')) return 'The destination must have no fragment.'
  if (isFreedOrigin(url, origins)) return undefined
  if (url.protocol !== 'https:')
    return 'The destination must begin with https://, unless WEBHOOK_ORIGINS allows it otherwise.'
  if (url.port !== '') return 'The destination must use port 443, unless WEBHOOK_ORIGINS allows it otherwise.'
  return undefined
}
