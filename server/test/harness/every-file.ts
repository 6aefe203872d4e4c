import { afterAll, expect } from 'vitest'
import { wrongTotals } from '../fixtures/shop.ts'
import { loggedSecrets, watchLog } from '../servers/logged-secrets.ts'
import { waitsInTransactions, watchTransactions } from './quiet-transactions.ts'
import { faultyStatements } from './recorder.ts'

const prototypeKeys = Reflect.ownKeys(Object.prototype).join()

/** Warnings of Node, such as the use of a deprecated function by a library. */
const warnings: string[] = []
const hear = (warning: Error) => warnings.push(String(warning))
process.on('warning', hear)

watchTransactions()
watchLog()

// Checks after every file, independent of its tests.
afterAll(async () => {
  expect(Reflect.ownKeys(Object.prototype).join()).toBe(prototypeKeys)
  process.off('warning', hear)
  expect(warnings.filter((text) => text.includes('Deprecat'))).toEqual([])
  expect(waitsInTransactions()).toEqual([])
  expect(await wrongTotals()).toEqual([])
  expect(loggedSecrets()).toEqual([])
  const faulty = await faultyStatements()
  // The tests of the database layer send statements of all kinds.
  if (!expect.getState().testPath?.includes('/core/db/')) expect(faulty).toEqual([])
})
