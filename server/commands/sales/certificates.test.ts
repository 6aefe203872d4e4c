import { expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { unitsOf } from '../../core/money/units.ts'
import { readConfig } from '../../process/config.ts'
import { openInstallation } from '../../process/installation.ts'
import { moveCertificate, recordChange } from '../../sales/promotions/certificate-balance.ts'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings } = await openCommandStores('certificates')
await spend()

/** Creates the certificate 7, which pays the order 118. */
async function spend() {
  const installation = await openInstallation(readConfig(settings))
  const store = await installation.directory.find('shop1')
  const db = store && (await installation.directory.dbById(store.id))
  await db?.transaction(async (tx) => {
    const row = { code: 'GIFT-1', code_key: 'gift-1', template: 'general.html', message: '', status: 'active' }
    const people = ['to_name', 'to_email', 'from_name', 'from_email'].flatMap((field) => [
      [field, 'ann'],
      [`${field}_key`, 'ann'],
    ])
    const money = { amount: 25, balance: 25, currency_code: 'USD', purchase_date: tx.now, expiry_date: null }
    const owner = { store_id: tx.store.id, id: 7, customer_id: 0, order_id: 0 }
    await tx.rows(
      sql`insert into gift_certificates ${sql.rows([
        { ...owner, ...row, ...Object.fromEntries(people), ...money },
      ])} returning id`,
    )
    await recordChange(tx, { id: 7, balance: 25 }, { before: 0, cause: 'created' })
    await moveCertificate(tx, 7, -unitsOf(9.5), { cause: 'payment', order: { id: 118, currency_code: 'USD' } })
  })
  await installation.close()
}

const show = (...args: string[]) => command(['certificate', 'show', ...args], settings)

test('the history of a gift certificate is printed, by its id or its code', async () => {
  const byId = await show('shop1', '7')
  expect(byId.code).toBe(0)
  const [head, , titles, ...rows] = byId.out.trimEnd().split('\n')
  expect(head).toBe('The gift certificate 7: GIFT-1, active, 15.5000 of 25.0000 USD')
  expect(titles).toMatch(/^TIME +CAUSE +ORDER +CHANGE +BALANCE$/)
  expect(rows.map((row) => row.split(/ +/).slice(1))).toEqual([
    ['created', '25.0000', '25.0000'],
    ['payment', '118', '-9.5000', '15.5000'],
  ])
  expect((await show('shop1', 'gift-1')).out).toBe(byId.out)
  expect(JSON.parse((await show('shop1', '7', '--json')).out)).toMatchObject({
    id: 7,
    certificate: { code: 'GIFT-1', balance: 15.5 },
    changes: [
      { version: 1, cause: 'created', change: 25 },
      { version: 2, cause: 'payment', order_id: 118 },
    ],
  })
  expect(await show('shop1', '8')).toEqual({
    code: 1,
    out: '',
    err: 'The store shop1 has no gift certificate 8.\n',
  })
  expect((await show('shop1', 'GIFT-2')).code).toBe(1)
})
