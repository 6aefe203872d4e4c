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
