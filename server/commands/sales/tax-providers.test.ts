import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings, query } = await openCommandStores('tax_providers')

const run = (...args: string[]) => command(['tax-provider', ...args], settings)

test('a tax provider is registered, listed and removed', async () => {
  const url = 'https://tax.example.com/v1'
  const regions = ['--region', 'US', 'CA-QC']
  expect(await run('set', 'shop1', 'one', '--url', url, '--active', '--estimate-ms', '900', ...regions)).toEqual({
    code: 0,
    out: 'The tax provider one is registered, and not connected yet. The server knows it at once.\n',
    err: '',
  })
  expect((await run('set', 'shop1', 'one', '--documents')).code).toBe(0)
  expect((await run('list', 'shop1')).out).toBe(
    'PROVIDER  ACTIVE  CONNECTED  DOCUMENTS  REGIONS   ESTIMATE\n' +
      'one       yes     no         yes        US,CA-QC  900 ms\n',
  )
  expect((await run('set', 'shop1', 'one', '--no-active')).code).toBe(0)
  expect(JSON.parse((await run('list', 'shop1', '--json')).out)).toMatchObject([{ is_active: false }])
  expect((await run('set', 'shop1', 'two')).code).toBe(1)
  expect((await run('remove', 'shop1', 'one')).out).toBe('The tax provider one is removed.\n')
  expect((await run('remove', 'shop1', 'one')).code).toBe(1)
})

test('doctor reports an active provider that has been failing for more than five minutes', async () => {
  const reports = async () => {
    const findings: { of: string; says: string }[] = JSON.parse((await command(['doctor', '--json'], settings)).out)
    return findings.filter(({ of }) => of === 'tax').map(({ says }) => says)
  }
  const failSince = (minutes: number) =>
    query(`update tax_providers set failing_since = now() - interval '${minutes} minutes', failure = 'timeout'`)
  expect((await run('set', 'shop1', 'one', '--url', 'https://tax.example.com/v1', '--active')).code).toBe(0)
  expect(await reports()).toEqual([])
  await failSince(4)
  expect(await reports()).toEqual([])
  await failSince(6)
  expect(await reports()).toEqual([
    expect.stringMatching(
      /^The tax provider one of store 1 has been failing since [\d-]+ [\d:]+ UTC \(timeout\): the fall-back of the store applies\.$/,
    ),
  ])
  expect((await run('set', 'shop1', 'one', '--no-active')).code).toBe(0)
  expect(await reports()).toEqual([])
})
