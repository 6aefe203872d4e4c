import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings } = await openCommandStores('operator_keys')
const run = (...args: string[]) => command(args, settings)

test('keys of operators are created, listed without the key, and revoked', async () => {
  const created = JSON.parse((await run('operator-key', 'create', '--name', 'kit', '--json')).out)
  expect(created).toEqual({
    id: 1,
    name: 'kit',
    created_at: expect.any(String),
    key: expect.stringMatching(/^[a-z0-9]{64}$/),
  })
  expect((await run('operator-key', 'create', '--name', 'kim')).out).toMatch(
    /^Operator key {2}[a-z0-9]{64}\nIt is shown only once\.\n$/,
  )
  const { out } = await run('operator-key', 'list')
  expect(out).toMatch(/^ID {2}CREATED AT .*NAME\n1 .*kit\n2 .*kim\n$/)
  expect(out).not.toContain(created.key)
  expect(await run('operator-key', 'revoke', '1')).toEqual({
    code: 0,
    out: 'The operator key 1 is revoked.\n',
    err: '',
  })
  for (const id of ['1', '0', '-1', 'x', '9999999999']) {
    const { code, err } = await run('operator-key', 'revoke', '--', id)
    expect([code, err], id).toEqual([1, `There is no operator key "${id}".\n`])
  }
})

test('a store is a test store if --test says so', async () => {
  const create = ['store', 'create', '--name', 'Trial', '--hash', 'trial1']
  expect((await run(...create, '--test')).out).toBe('Test store trial1 (number 2) is open.\n')
  const stores = JSON.parse((await run('store', 'list', '--json')).out)
  expect(stores).toMatchObject([
    { hash: 'shop1', is_test: false },
    { hash: 'trial1', is_test: true },
  ])
  expect((await run('store', 'list')).out).toMatch(/trial1 {2}2 +active {2}standard {2}yes {3}Trial\n/)
})

test('faults are for test stores, and a server without TEST_STORES does not start while there are any', async () => {
  const refused = (err: string) => ({ code: 1, out: '', err: `${err}\n` })
  expect(await run('faults', 'add', 'shop1', '{"status":500}')).toEqual(
    refused('Store shop1 is a real store. Only test stores can have faults.'),
  )
  const malformed = 'The rule of a fault is JSON such as {"status":503,"next":2} (docs/powers.md).'
  for (const rule of ['{', '[]', '{"status":200}', '{"status":500,"path":"x"}', 'null']) {
    expect(await run('faults', 'add', 'trial1', rule), rule).toEqual(refused(malformed))
  }
  expect(await run('faults', 'add', 'trial1', '{}')).toEqual(refused('A fault needs a status, a delay_ms or a reset.'))
  expect((await run('faults', 'add', 'trial1', '{"status":503,"next":2}')).out).toMatch(/^The fault 1 ends at .*\.\n$/)
  expect((await run('faults', 'list', 'trial1')).out).toMatch(
    /^ID .*RULE\n1 {3}0 .*\{"next":2,"status":503\}|\{"status":503,"next":2\}\n$/,
  )
  expect(await run('serve')).toEqual(
    refused(
      'Requests to these test stores are made to fail: trial1. Set TEST_STORES=true, or run "storeward faults clear <store>" for each.',
    ),
  )
  expect((await run('faults', 'clear', 'trial1')).out).toBe('1 faults are cleared.\n')
  expect(JSON.parse((await run('faults', 'list', 'trial1', '--json')).out)).toEqual([])
})

test('a fork may have a clock that stands, with which a server without TEST_STORES does not start', async () => {
  const fork = (...args: string[]) => run('store', 'fork', 'shop1', '--hash', 'standing1', ...args)
  for (const time of ['2020-01-01', '2036-01-01T00:00:00Z', 'noon']) {
    expect(await fork('--stands-at', time), time).toEqual({
      code: 1,
      out: '',
      err: 'A clock stands at a time that is later than now, and before 2036-01-01T00:00:00.000Z.\n',
    })
  }
  expect((await fork('--stands-at', '2035-01-01T12:00:00Z')).out).toMatch(
    /^Test store standing1 \(number \d+\) is a fork of shop1\.\n/,
  )
  expect((await run('clock', 'show', 'standing1')).out).toBe(
    'The clock of store standing1 stands: 2035-01-01T12:00:00.000Z.\n',
  )
  expect((await run('serve')).err).toMatch(/^The clocks of these test stores are ahead or stand: standing1\./)
  expect((await run('clock', 'clear', 'standing1')).out).toBe('The clock of store standing1 is that of the server.\n')
  expect(JSON.parse((await run('clock', 'show', 'standing1', '--json')).out)).toMatchObject({ stands: false })
})
