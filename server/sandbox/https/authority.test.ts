import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Authority, serialNumber } from './authority.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const DAY_MS = 24 * 3_600 * 1_000
const folder = await mkdtemp(join(tmpdir(), 'storeward-authority-'))
afterAll(() => rm(folder, { recursive: true }))

const open = (name: string, domain = 'localhost', now = NOW) => Authority.open(join(folder, name), domain, now)
const read = (name: string) => readFile(join(folder, name, 'authority.pem'), 'utf8')

test('an authority signs for its names, and its key is readable by the server only', async () => {
  const authority = await open('names', 'shops.example.com')
  expect((await stat(join(folder, 'names', 'authority-key.pem'))).mode & 0o777).toBe(0o600)
  expect(await read('names')).not.toContain('PRIVATE')
  const hosts = ['localhost', 'store-abc-1.localhost', 'store-abc.shops.example.com', '127.0.0.1', '::1']
  const issuer = new X509Certificate(await read('names'))
  const issued = new X509Certificate((await authority.issue(hosts, NOW)).certificate)
  expect([issued.checkIssued(issuer), issued.verify(issuer.publicKey), issuer.ca, issued.ca]).toEqual([
    true,
    true,
    true,
    false,
  ])
  for (const host of hosts.slice(0, 3)) expect(issued.checkHost(host)).toBe(host)
  for (const address of hosts.slice(3)) expect(issued.checkIP(address)).toBe(address)
  expect(issued.validToDate.getTime() - issued.validFromDate.getTime()).toBe(397 * DAY_MS)
  const names = ['localhost', 'a.localhost', 'shops.example.com', 'a.shops.example.com']
  expect(names.map(authority.covers)).toEqual([true, true, true, true])
  const others = ['example.com', 'notlocalhost', 'localhost.example.com', '']
  expect(others.map(authority.covers)).toEqual([false, false, false, false])
})

test('serial numbers are positive and need no padding byte', () => {
  // One of 512 random numbers begins with a byte of 0 and a byte below 128.
  const numbers = Array.from({ length: 10_000 }, serialNumber)
  expect(numbers.filter((number) => !/^[4-7][0-9a-f]{31}$/.test(number))).toEqual([])
  expect(new Set(numbers).size).toBe(10_000)
})

test('an authority stays the same until it is for another domain, expires soon, lost its key, or is not readable', async () => {
  await open('same')
  const first = await read('same')
  await rm(join(folder, 'same', 'authority.pem'))
  await open('same')
  expect(await read('same')).toBe(first)
  await open('same', 'shops.example.com')
  const second = await read('same')
  expect(second).not.toBe(first)
  await open('same', 'shops.example.com', new Date(NOW.getTime() + 3_300 * DAY_MS))
  const third = await read('same')
  expect(third).not.toBe(second)
  await writeFile(join(folder, 'same', 'authority-key.pem'), '')
  await open('same', 'shops.example.com')
  const fourth = await read('same')
  expect(fourth).not.toBe(third)
  const keyFile = join(folder, 'same', 'authority-key.pem')
  await writeFile(keyFile, (await readFile(keyFile, 'utf8')).replace('BEGIN CERTIFICATE-----\n', '$&AA'))
  await open('same', 'shops.example.com')
  expect(await read('same')).not.toBe(fourth)
})
