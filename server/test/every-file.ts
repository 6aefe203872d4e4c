import { afterAll, expect } from 'vitest'
import { faultyStatements } from './recorder.ts'
import { wrongTotals } from './shop.ts'

const prototypeKeys = Reflect.ownKeys(Object.prototype).join()

// What must hold after every file, whatever it did.
afterAll(async () => {
  expect(Reflect.ownKeys(Object.prototype).join()).toBe(prototypeKeys)
  expect(await wrongTotals()).toEqual([])
  expect(await faultyStatements()).toEqual([])
})
