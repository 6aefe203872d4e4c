import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

// docs/contract/b2b-quotes.md section 7.

test('a draft of a quote is created from a file, and sent once', async () => {
  const stores = await openCommandStores('quote_drafts')
  const settings = { ...stores.settings, PUBLIC_URL: 'https://api.example.com' }
  const run = (...args: string[]) => command(args, settings)
  const statuses = async () =>
    (await stores.query('select status from b2b_quotes order by id')).rows.map(({ status }) => status)
  expect((await run('b2b', 'enable', 'shop1')).code).toBe(0)
  expect((await run('seed', '--store', 'shop1', '--size', 'tiny')).code).toBe(0)
  const file = join(stores.folder, 'quote.json')
  const quote = {
    subtotal: 40,
    discount: 5,
    grandTotal: 35,
    expiredAt: '12/31/2099',
    contactInfo: { name: 'Ann Lee', email: 'ann@acme.example.com' },
    productList: [{ productId: 1, sku: 'MUG', basePrice: 40, discount: 5, offeredPrice: 35, quantity: 1 }],
  }
  await writeFile(file, JSON.stringify(quote))
  const made = await run('b2b', 'quote-draft', 'create', 'shop1', file, '--json')
  expect([made.code, made.err]).toEqual([0, ''])
  const answer = { hash: 'shop1', id: expect.any(Number), number: expect.stringMatching(/^QN\d{6}$/) }
  expect(JSON.parse(made.out)).toEqual(answer)
  const { number } = JSON.parse(made.out)
  expect(await statuses()).toEqual([7])
  expect((await run('b2b', 'quote-draft', 'send', 'shop1', number)).out).toBe(`The quote ${number} is sent.\n`)
  expect(await statuses()).toEqual([2])
  for (const again of [number, 'QN999999']) {
    const refused = await run('b2b', 'quote-draft', 'send', 'shop1', again)
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).not.toBe('')
  }
  await writeFile(file, JSON.stringify({ ...quote, grandTotal: 99 }))
  expect((await run('b2b', 'quote-draft', 'create', 'shop1', file)).code).toBe(1)
  expect((await run('b2b', 'quote-draft', 'create', 'shop1', join(stores.folder, 'none.json'))).code).toBe(1)
  expect(await statuses()).toEqual([2])
})
