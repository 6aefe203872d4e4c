import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings } = await openCommandStores('tax_classes')
const run = (...args: string[]) => command(['tax-classes', 'shop1', ...args], settings)

test('the classes of costs are listed and changed', async () => {
  expect(await run()).toEqual({
    code: 0,
    out: 'COST      CLASS  NAME\nshipping  2      Shipping\nhandling  2      Shipping\nwrapping  3      Gift Wrapping\n',
    err: '',
  })
  const changed = await run('--handling', '0', '--wrapping', '1', '--json')
  expect(JSON.parse(changed.out)).toEqual({ shipping: 2, handling: 0, wrapping: 1 })
  expect((await run()).out).toContain('wrapping  1      Non-Taxable Products\n')
})

test.each([
  ['9', 'The store has no tax class 9.\n'],
  ['books', 'A tax class is a number from 0 to 255, not "books".\n'],
])('the class "%s" is refused', async (id, err) => {
  expect(await run('--shipping', id)).toEqual({ code: 1, out: '', err })
  expect(JSON.parse((await run('--json')).out)).toMatchObject({ shipping: 2 })
})
