import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { undici } from './undici.ts'

type Ip = ipaddr.IPv4 | ipaddr.IPv6
type Subnet = [Ip, number]

/** Answers every address of a host name, or throws. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** No address of the host may be connected to. Its sentence contains none of them: they may be secrets of this network. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} has no address that may be connected to.`)
  }
}

/** The host name has no address, or no name server answered. */
export class UnresolvedHost extends Error {
  constructor(host: string, cause: unknown) {
    super(`${host} does not resolve.`, { cause })
  }
}

const DNS_TIMEOUT_MS = 4_000
const DNS_TRY_TIMEOUT_MS = 1_500
const DNS_TRIES_MAX = 2
// One that does not answer leaves time for the next within the connect time-out.
const ADDRESS_TIMEOUT_MS = 1_000

// The space that global addresses come from; ipaddr.js calls everything unicast that it has no other word for, ::127.0.0.1 too.
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96]
// By its range it is public, but from a machine at Azure it is the metadata service of that machine.
const AZURE_METADATA = '168.63.129.16'

/**
 * The addresses that the server may connect to: public ones, and those in a subnet of OUTGOING_SUBNETS (docs/contract/webhooks.md
 * section 7). An address is checked in the step that passes it to the connection, so a name server that answers differently the
 * next time changes nothing.
 */
export class Addresses {
  readonly #subnets: readonly Subnet[]
  readonly #resolve: Resolve

  constructor(subnets: readonly string[], resolve: Resolve = resolver()) {
    this.#subnets = subnets.map((subnet) => ipaddr.parseCIDR(subnet))
    this.#resolve = resolve
  }

  allows(address: string): boolean {
    // ipaddr.js takes the deprecated ::127.0.0.1 for ::ffff:127.0.0.1, the system does not.
    if (isIP(address) === 0 || /^::\d+\./.test(address)) return false
    const ip = ipaddr.process(address)
    return isPublic(ip) || this.#subnets.some((subnet) => contains(subnet, ip))
  }

  /**
   * The addresses of a host, or of a URL's hostname, that may be connected to.
   * @throws ForbiddenAddress, UnresolvedHost
   */
  async resolve(host: string): Promise<{ address: string; family: number }[]> {
    const literal = host.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(literal) === 0 ? await this.#ask(host) : [literal]
    const allowed = addresses.filter((address) => this.allows(address))
    if (allowed.length === 0) throw new ForbiddenAddress(host)
    return allowed.map((address) => ({ address, family: isIP(address) }))
  }

  async #ask(host: string) {
    try {
      return await this.#resolve(host)
    } catch (error) {
      throw new UnresolvedHost(host, error)
    }
  }

  /** Takes the place of `dns.lookup` in a connection. Not called for literal addresses: `connector` checks those. */
  readonly lookup: LookupFunction = (host, { all }, callback) => {
    this.resolve(host).then(
      (addresses) => {
        if (all) return callback(null, addresses)
        for (const { address, family } of addresses.slice(0, 1)) callback(null, address, family)
      },
      (error) => callback(error, ''),
    )
  }

  /** The `connect` of an undici Agent whose connections all go where they may. Its errors are the two of this file and the network's. */
  connector(options: buildConnector.BuildOptions): buildConnector.connector {
    const connect = undici().buildConnector({
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
      ...options,
      lookup: this.lookup,
    })
    return (to, callback) => {
      if (isIP(to.hostname) === 0 || this.allows(to.hostname)) connect(to, callback)
      else process.nextTick(callback, new ForbiddenAddress(to.hostname), null)
    }
  }
}

/** Whether a text is a subnet such as 10.0.0.0/8 or fd00::/8. */
export function isSubnet(text: string): boolean {
  // ipaddr.js would take 10.1/8 for 10.0.0.1/8, and 010.0.0.0/8 for 8.0.0.0/8.
  return isIP(text.split('/')[0] ?? '') !== 0 && ipaddr.isValidCIDR(text)
}

function isPublic(ip: Ip): boolean {
  if (ip.kind() === 'ipv6' && contains(NAT64, ip)) return isPublic(new ipaddr.IPv4(ip.toByteArray().slice(-4)))
  if (ip.range() !== 'unicast') return false
  return ip.kind() === 'ipv6' ? contains(GLOBAL_UNICAST, ip) : ip.toString() !== AZURE_METADATA
}

const contains = (subnet: Subnet, ip: Ip) => subnet[0].kind() === ip.kind() && ip.match(subnet)

/**
 * Asks the hosts file, then DNS. Not `dns.lookup`: it occupies one of four threads while a name server is silent, so four hosts
 * with hanging name servers would stop all files and all other names. The price: no search domains and no mDNS.
 * @param nameServers addresses with ports; those of the machine if undefined
 */
export function resolver(nameServers?: readonly string[]): Resolve {
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1']
    const known = await inHostsFile(name)
    if (known.length > 0) return known

    // A new resolver reads the current DNS settings of the machine.
    const dns = new Resolver({ timeout: DNS_TRY_TIMEOUT_MS, tries: DNS_TRIES_MAX })
    if (nameServers) dns.setServers(nameServers)
    const late = setTimeout(() => dns.cancel(), DNS_TIMEOUT_MS)
    const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
    clearTimeout(late)
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    throw new AggregateError(answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined)))
  }
}

async function inHostsFile(name: string): Promise<string[]> {
  // A machine without one is no mistake.
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  return lines.flatMap(([address = '', ...names]) => (names.includes(name) ? [address] : []))
}
