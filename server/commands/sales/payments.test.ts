import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

// `storeward payments` and `storeward doctor` for stores without a provider, and stores with the test gateway.

const { settings, folder } = await openCommandStores('payments', ['shop1', 'shop2'])

const payments = (...args: string[]) => command(['payments', ...args], settings)
/** The findings of `doctor` about payments. */
async function found(): Promise<string[]> {
  const { out } = await command(['doctor', '--json'], settings)
  const findings: { state: string; of: string; says: string }[] = JSON.parse(out)
  return findings.filter(({ of }) => of === 'payments').map(({ state, says }) => `${state}: ${says}`)
}

const NONE = 'Warning: no provider is set up, so payments are refused. Run: storeward payments set shop1 <gateway>\n'
const TEST = 'Warning: the test gateway takes no money, and anyone can pay with its public card numbers.\n'

test('stores without a provider and stores with the test gateway cause warnings', async () => {
  expect(await payments('list', 'shop1')).toEqual({
    code: 0,
    out: 'GATEWAY  CHANNEL  CURRENCY  MODE  TEST  OPTIONS\n',
    err: NONE,
  })
  expect(await payments('list', 'shop1', '--json')).toEqual({ code: 0, out: '[]\n', err: NONE })
  expect(await found()).toEqual([
    'look: 2 stores (1 "The shop1", 2 "The shop2") have no payment provider, so payments are refused: "storeward payments set" adds one.',
  ])

  expect((await payments('set', 'shop1', 'testgateway')).code).toBe(0)
  expect(await payments('list', 'shop1', '--json')).toMatchObject({ code: 0, err: TEST })
  expect((await payments('set', 'shop2', 'cod')).code).toBe(0)
  expect(await payments('list', 'shop2')).toMatchObject({ code: 0, err: '' })
  expect(await found()).toEqual([
    'look: 1 store (1 "The shop1") has the test gateway, which takes no money: anyone can pay with its public card numbers.',
  ])

  expect(await payments('remove', 'shop1', 'testgateway')).toEqual({
    code: 0,
    out: 'The provider testgateway is removed.\n',
    err: NONE,
  })
  expect(await found()).toEqual([
    'look: 1 store (1 "The shop1") has no payment provider, so payments are refused: "storeward payments set" adds one.',
  ])
})

test('a test store takes credentials of a test account only', async () => {
  const create = ['store', 'create', '--name', 'Trial', '--hash', 'trial1', '--test']
  expect((await command(create, settings)).code).toBe(0)
  const set = async (secret_key: string, store = 'trial1') => {
    const path = join(folder, 'stripe.json')
    await writeFile(path, JSON.stringify({ secret_key }))
    return payments('set', store, 'stripe', '--credentials', path)
  }
  expect(await set('sk_live_123456789')).toEqual({
    code: 1,
    out: '',
    err: 'A test store takes no money: its credentials of stripe must be those of a test account.\n',
  })
  expect(JSON.parse((await payments('list', 'trial1', '--json')).out)).toEqual([])
  expect((await set('sk_test_123456789')).code).toBe(0)
  expect((await set('sk_live_123456789')).code).toBe(1)
  expect(JSON.parse((await payments('list', 'trial1', '--json')).out)).toMatchObject([
    { gateway: 'stripe', is_test: true },
  ])
  expect((await set('sk_live_123456789', 'shop2')).code).toBe(0)
})
