import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings, query } = await openCommandStores('wrappings', ['shop1', 'shop2', 'shop3'])
const run = (...args: string[]) => command(['wrapping', ...args], settings)

test('wrappings are added, listed and removed, and their ids are not used twice', async () => {
  expect(await run('add', 'shop1', ' Paper ', '--price', '2.5')).toEqual({
    code: 0,
    out: 'The wrapping 1 "Paper" is added.\n',
    err: '',
  })
  const added = await run('add', 'shop1', 'Box', '--price', '99999999999', '--hidden', '--json')
  expect(JSON.parse(added.out)).toEqual({ id: 2, name: 'Box', price: 99_999_999_999, is_visible: false })
  expect((await run('list', 'shop1')).out.split('\n')).toEqual([
    'WRAPPING  PRICE             VISIBLE  NAME',
    '1         2.5000            yes      Paper',
    '2         99999999999.0000  no       Box',
    '',
  ])
  expect(JSON.parse((await run('list', 'shop2', '--json')).out)).toEqual([])
  expect((await run('remove', 'shop2', '2')).err).toBe('The store shop2 has no wrapping 2.\n')
  expect(await run('remove', 'shop1', '2')).toEqual({ code: 0, out: 'The wrapping 2 is removed.\n', err: '' })
  expect(await run('remove', 'shop1', '2')).toEqual({ code: 1, out: '', err: 'The store shop1 has no wrapping 2.\n' })
  expect(JSON.parse((await run('add', 'shop1', 'Foil', '--price', '0', '--json')).out)).toMatchObject({ id: 3 })
})

test.each([
  [['', '--price', '1'], 'The name of a wrapping has 1 to 100 characters.\n'],
  [['x'.repeat(101), '--price', '1'], 'The name of a wrapping has 1 to 100 characters.\n'],
  ...['100000000000', '1.00001', '1e3', 'free'].map((price): [string[], string] => [
    ['Paper', '--price', price],
    `A price is a number from 0 to 99999999999 with at most four places, not "${price}".\n`,
  ]),
])('a wrapping %j is refused', async (args, err) => {
  expect(await run('add', 'shop2', ...args)).toEqual({ code: 1, out: '', err })
  expect(JSON.parse((await run('list', 'shop2', '--json')).out)).toEqual([])
})

test('the id of a wrapping is a number', async () => {
  expect((await run('remove', 'shop1', 'Paper')).err).toBe('The wrapping must be a number, not "Paper".\n')
})

test('a store has at most 100 wrappings', async () => {
  // The newest store is shop3.
  await query(`insert into counters (store_id, resource, last_id, total, version)
    select max(store_id), 'wrappings', 99, 99, 1 from store_profiles`)
  expect((await run('add', 'shop3', 'Paper', '--price', '1')).code).toBe(0)
  expect((await run('add', 'shop3', 'Paper', '--price', '1')).err).toBe('A store can hold at most 100 wrappings.\n')
})
