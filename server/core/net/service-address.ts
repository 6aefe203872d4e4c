import { isIP } from 'node:net'
import { Addresses } from './addresses.ts'
import { isFreedOrigin } from './service-client.ts'

const LENGTH_MAX = 2_048

/**
 * Checks the address of a service that an operator registers.
 * @param origins that need neither https nor port 443
 * @throws Error with a sentence for the operator
 */
export function parseServiceAddress(address: string, origins: readonly string[]): URL {
  const url = address.length <= LENGTH_MAX ? URL.parse(address) : null
  if (url?.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Error(`"${address}" is no address such as https://service.example.com/v1, without a query and a user.`)
  }
  if (!isFreedOrigin(url, origins) && (url.protocol !== 'https:' || url.port !== '')) {
    throw new Error(`"${address}" must begin with https:// and use port 443.`)
  }
  if (!isFreedOrigin(url, origins) && leadsInward(url.hostname)) {
    throw new Error(`"${address}" must name a public host.`)
  }
  return url
}

const PUBLIC = new Addresses([])

/** Whether a host is an address that no call may go to, or this machine. Names are resolved by each call. */
function leadsInward(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !PUBLIC.allows(host)
  return /(^|\.)localhost\.?$/.test(host)
}
