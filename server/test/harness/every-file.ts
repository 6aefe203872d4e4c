import { afterAll, expect } from 'vitest'
import { wrongTotals } from '../fixtures/shop.ts'
import { waitsInTransactions, watchTransactions } from './quiet-transactions.ts'
import { faultyStatements } from './recorder.ts'

const prototypeKeys = Reflect.ownKeys(Object.prototype).join()

/** What Node warns of, such as the use of what a library will no longer have in its next version. */
const warnings: string[] = []
const hear = (warning: Error) => warnings.push(String(warning))
process.on('warning', hear)

watchTransactions()

// What must hold after every file, whatever it did.
afterAll(async () => {
  expect(Reflect.ownKeys(Object.prototype).join()).toBe(prototypeKeys)
  process.off('warning', hear)
  expect(warnings.filter((text) => text.includes('Deprecat'))).toEqual([])
  expect(waitsInTransactions()).toEqual([])
  expect(await wrongTotals()).toEqual([])
  const faulty = await faultyStatements()
  // The tests of the ground send statements of all kinds.
  if (!expect.getState().testPath?.includes('/core/db/')) expect(faulty).toEqual([])
})
