import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openShop } from '../fixtures/shop.ts'
import { dbOf } from '../fixtures/webhooks.ts'
import { waitsInTransactions } from './quiet-transactions.ts'

/** The first word of each finding: the kind of resource. */
const kinds = () => waitsInTransactions().map((finding) => finding.split(' ')[0])

test('a file that opens a file or a connection in a transaction fails', async () => {
  const db = await dbOf(await openShop())
  await readFile(import.meta.filename)
  await db.transaction(async (tx) => {
    tx.afterCommit(async () => {
      await readFile(import.meta.filename)
    })
  })
  expect(kinds()).toEqual([])
  await db.transaction(() => readFile(import.meta.filename))
  expect(kinds()).toContain('FSREQPROMISE')
  await db.transaction(async () => {
    await once(connect(1, '127.0.0.1'), 'connect').catch(() => {})
  })
  expect(kinds()).toEqual(['TCPCONNECTWRAP'])
})

test('work that a transaction has started may go on after it', async () => {
  const db = await dbOf(await openShop())
  const committed = Promise.withResolvers<void>()
  let later = Promise.resolve<unknown>(undefined)
  await db.transaction(async () => {
    later = committed.promise.then(() => readFile(import.meta.filename))
  })
  committed.resolve()
  await later
  expect(kinds()).toEqual([])
})
