import { createSocket, type Socket as DnsSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { Addresses, ForbiddenAddress, isSubnet, resolver, UnresolvedHost } from './addresses.ts'

const production = new Addresses([])
const sandbox = new Addresses(['127.0.0.0/8', '::1/128'])

describe('a public address is allowed', () => {
  test.each([
    ['IPv4', '93.184.216.34'],
    ['the first after a private range', '11.0.0.0'],
    ['the last before a private range', '172.15.255.255'],
    ['the first after the shared range', '100.128.0.0'],
    ['IPv6', '2606:2800:220:1:248:1893:25c8:1946'],
    ['an IPv4 address in IPv6 clothes', '::ffff:93.184.216.34'],
    ['an IPv4 address in IPv6 clothes, as a URL writes it', '::ffff:5db8:d822'],
    ['an IPv4 address behind NAT64', '64:ff9b::93.184.216.34'],
  ])('%s: %s', (_, address) => {
    expect(production.allows(address)).toBe(true)
  })
})

describe('no other address is allowed', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback, further in', '127.255.255.254'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private 10', '10.0.0.1'],
    ['private 172', '172.16.0.1'],
    ['private 172, its end', '172.31.255.255'],
    ['private 192', '192.168.0.1'],
    ['shared by a carrier', '100.64.0.1'],
    ['the metadata service of Alibaba', '100.100.100.200'],
    ['link-local, and the metadata service of most clouds', '169.254.169.254'],
    ['the metadata service of Azure', '168.63.129.16'],
    ['the metadata service of Azure in IPv6 clothes', '::ffff:168.63.129.16'],
    ['the metadata service of Oracle', '192.0.0.192'],
    ['the metadata service of Amazon', 'fd00:ec2::254'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with a zone', 'fe80::1%eth0'],
    ['IPv6 unique local', 'fc00::1'],
    ['IPv6 site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 discard', '100::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 documentation, the newer', '3fff::1'],
    ['IPv6 benchmarks', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['segment routing', '5f00::1'],
    ['a space nobody has', '4000::1'],
    ['loopback mapped', '::ffff:127.0.0.1'],
    ['loopback mapped, as a URL writes it', '::ffff:7f00:1'],
    ['loopback in the deprecated form', '::127.0.0.1'],
    ['a public address in the deprecated form', '::93.184.216.34'],
    ['loopback translated', '::ffff:0:127.0.0.1'],
    ['loopback behind NAT64', '64:ff9b::127.0.0.1'],
    ['a private address behind NAT64', '64:ff9b::10.0.0.1'],
    ['a public address behind a NAT64 of this network', '64:ff9b:1::93.184.216.34'],
    ['loopback by 6to4', '2002:7f00:1::'],
    ['a public address by 6to4', '2002:5db8:d822::'],
    ['Teredo', '2001:0:5db8:d822::1'],
    ['a short form', '127.1'],
    ['a decimal number', '2130706433'],
    ['a hexadecimal part', '0x7f.1'],
    ['leading zeros', '0177.0.0.1'],
    ['a public address with leading zeros', '093.184.216.034'],
    ['a name', 'example.com'],
    ['nothing', ''],
  ])('%s: %s', (_, address) => {
    expect(production.allows(address)).toBe(false)
  })
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['93.184.216.34', true],
  ['::2', false],
  ['::127.0.0.1', false],
  ['10.0.0.1', false],
  ['169.254.169.254', false],
  ['64:ff9b::127.0.0.1', false],
])('with loopback in its subnets the sandbox may connect to %s: %s', (address, expected) => {
  expect(sandbox.allows(address)).toBe(expected)
})

test.each([
  ['10.0.0.0/8', true],
  ['10.1.2.3/32', true],
  ['0.0.0.0/0', true],
  ['fd00::/8', true],
  ['::1/128', true],
  ['10.0.0.0', false],
  ['10.0.0.0/33', false],
  ['::1/129', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/-1', false],
  ['10.0.0.0/8/8', false],
  ['10.1/8', false],
  ['010.0.0.0/8', false],
  ['localhost/8', false],
  ['', false],
])('%s is a subnet: %s', (text, expected) => {
  expect(isSubnet(text)).toBe(expected)
})

describe('a host', () => {
  const resolving = (addresses: string[]) => new Addresses(['127.0.0.0/8'], async () => addresses)

  test('answers its allowed addresses only', async () => {
    const found = await resolving(['10.0.0.1', '93.184.216.34', 'fe80::1', '2606:2800:220:1::1']).resolve('example.com')
    expect(found).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800:220:1::1', family: 6 },
    ])
  })

  test('without an allowed address is refused, and the sentence names no address', async () => {
    const refused = resolving(['10.1.2.3', 'fd00::4']).resolve('example.com')
    await expect(refused).rejects.toThrow(ForbiddenAddress)
    await expect(refused).rejects.toThrow(/^(?!.*(10\.1|fd00))/)
  })

  test('without any address is refused', async () => {
    await expect(resolving([]).resolve('example.com')).rejects.toThrow(ForbiddenAddress)
  })

  test('that does not resolve says so, with the reason as its cause', async () => {
    const cause = new Error('ENOTFOUND')
    const lost = new Addresses([], async () => Promise.reject(cause))
    await expect(lost.resolve('example.com')).rejects.toThrow(UnresolvedHost)
    await expect(lost.resolve('example.com')).rejects.toMatchObject({ cause })
  })

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['93.184.216.34', '93.184.216.34'],
    ['[2606:2800:220:1::1]', '2606:2800:220:1::1'],
  ])('that is an address is not looked up by DNS: %s', async (host, address) => {
    const silent = new Addresses(['127.0.0.0/8'], async () => Promise.reject(new Error('DNS was asked.')))
    expect(await silent.resolve(host)).toMatchObject([{ address }])
  })

  test.each(['localhost', 'localhost.', 'LOCALHOST', 'shop.localhost'])(
    'named %s is loopback without DNS',
    async (host) => {
      await expect(production.resolve(host)).rejects.toThrow(ForbiddenAddress)
      expect(await sandbox.resolve(host)).toContainEqual({ address: '127.0.0.1', family: 4 })
    },
  )

  test('has the addresses that DNS knows, of both kinds', async () => {
    const known = new Addresses(['127.0.0.0/8', '::1/128'], resolver([await nameServer('127.0.0.1', '::1')]))
    expect(await known.resolve('Receiver.test.')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  })

  test('with addresses of one kind only has those', async () => {
    const known = new Addresses(['127.0.0.0/8'], resolver([await nameServer('127.0.0.1')]))
    expect(await known.resolve('receiver.test')).toEqual([{ address: '127.0.0.1', family: 4 }])
  })

  test('that no name server knows is unresolved', async () => {
    const unknown = new Addresses([], resolver([await nameServer()]))
    await expect(unknown.resolve('no-such-host.invalid')).rejects.toThrow(UnresolvedHost)
  })

  test('whose name servers are silent is unresolved', async () => {
    const silent = new Addresses([], resolver([await listening(createSocket('udp4'))]))
    await expect(silent.resolve('no-such-host.invalid')).rejects.toThrow(UnresolvedHost)
  })

  const sockets: DnsSocket[] = []
  afterAll(() => {
    for (const socket of sockets) socket.close()
  })

  /** @returns the address of the socket, as a name server is named */
  async function listening(socket: DnsSocket): Promise<string> {
    sockets.push(socket)
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return `127.0.0.1:${socket.address().port}`
  }

  /** A name server on loopback for which every name has these addresses, or for which there is no name at all. */
  async function nameServer(ip4?: string, ip6?: string): Promise<string> {
    const socket = createSocket('udp4')
    socket.on('message', (query, { address, port }) => {
      // The header, then the name up to its empty label, then type and class.
      const question = query.subarray(12, query.indexOf(0, 12) + 5)
      const ip = question.at(-3) === 28 ? ip6 : ip4
      const data = ip === undefined ? [] : ip === '::1' ? [...Array(15).fill(0), 1] : ip.split('.').map(Number)
      const flags = ip4 === undefined ? 0x83 : 0x80
      const header = [...query.subarray(0, 2), 0x81, flags, 0, 1, 0, ip === undefined ? 0 : 1, 0, 0, 0, 0]
      const answer = [0xc0, 12, ...question.subarray(-4), 0, 0, 0, 60, 0, data.length, ...data]
      socket.send(Buffer.from([...header, ...question, ...(ip === undefined ? [] : answer)]), port, address)
    })
    return listening(socket)
  }
})

describe('a connection', () => {
  const arrivals: Socket[] = []
  const canary = createServer((socket) => arrivals.push(socket))
  const port = new Promise<string>((resolve) => {
    canary.listen(0, '127.0.0.1', () => {
      const address = canary.address()
      resolve(String(typeof address === 'object' ? address?.port : ''))
    })
  })
  afterAll(() => canary.close())

  const connect = async (addresses: Addresses, hostname: string) => {
    const to = { hostname, protocol: 'http:', port: await port }
    return new Promise<Socket>((resolve, reject) =>
      addresses.connector({ timeout: 2_000 })(to, (error, socket) => (error ? reject(error) : resolve(socket))),
    )
  }

  test.each(['127.0.0.1', 'receiver.test'])('to %s is refused before anything is sent', async (host) => {
    const addresses = new Addresses([], async () => ['127.0.0.1'])
    await expect(connect(addresses, host)).rejects.toThrow(ForbiddenAddress)
    expect(arrivals).toEqual([])
  })

  test.each(['127.0.0.1', 'receiver.test'])('to %s stands if its subnet is allowed', async (host) => {
    const addresses = new Addresses(['127.0.0.0/8'], async () => ['10.0.0.1', '127.0.0.1'])
    const socket = await connect(addresses, host)
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })
})
