import pg from 'pg'
import { expect, test } from 'vitest'
import { sendMail } from '../../core/mail/outbox.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { connectAsAdministrator } from '../../test/harness/administrator.ts'
import { eraseCustomer, exportCustomer } from './personal-data.ts'

// docs/operations.md, "A customer's data".

const ann = { email: 'Ann.Lee@x.test', first_name: 'Ann', last_name: 'Lee' }
const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  address1: '12 Harbour Street',
  city: 'Sydney',
  state_or_province: 'New South Wales',
  postal_code: '2000',
  country_code: 'AU',
}

async function openWithAnn() {
  const shop = await openShop()
  await shop.call('POST', '/customers/attributes', [{ name: 'Size', type: 'string' }])
  const customer = {
    ...ann,
    addresses: [address],
    attributes: [{ attribute_id: 1, attribute_value: 'lee-size' }],
    store_credit_amounts: [{ amount: 5 }],
    authentication: { new_password: 'correct horse 7' },
    trigger_account_created_notification: true,
  }
  const other = { email: 'bo@x.test', first_name: 'Bo', last_name: 'Ek' }
  await shop.call('POST', '/customers', [customer, other], { headers: { 'idempotency-key': 'ann' } })
  await shop.call('POST', '/customers/subscribers', { email: ann.email })
  await shop.call('POST', '/customers/validate-credentials', { email: ann.email, password: 'wrong 1' })
  await (await dbOf(shop)).transaction((tx) =>
    sendMail(tx, { to: 'ann.lee@x.test', subject: 'Hello Ann', text: 'Lee' }),
  )
  return shop
}

/** The tables in which a store has a text, however it is written. */
async function tablesWith({ store }: Shop, text: string): Promise<string[]> {
  const admin = await connectAsAdministrator(store)
  const { rows: tables } = await admin.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'store_id'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await admin.query(
      `select 1 from ${pg.escapeIdentifier(name)} t where store_id = $1 and to_jsonb(t)::text ilike $2 limit 1`,
      [store.id, `%${text}%`],
    )
    if (rowCount) found.push(name)
  }
  await admin.end()
  return found
}

/** The tables whose rows go with their customer: what a new area may add and forget to export. */
async function tablesOfCustomers({ store }: Shop): Promise<string[]> {
  // Those of the companion API are exported by its own room.
  const admin = await connectAsAdministrator(store)
  const { rows } = await admin.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'customers'::regclass and conrelid <> 'customer_names'::regclass
       and conrelid::regclass::text not like 'b2b\\_%' order by 1`,
  )
  await admin.end()
  return rows.map(({ name }) => name)
}

test('all that is kept of a customer is exported, and the password is not', async () => {
  const shop = await openWithAnn()
  const exported = await exportCustomer(await dbOf(shop), 1)
  expect(exported).toMatchObject({
    customer: { id: 1, ...ann, store_credit: 5 },
    addresses: [{ ...address, id: 1 }],
    attribute_values: [{ attribute_id: 1, attribute_value: 'lee-size' }],
    form_field_values: [],
    store_credit_changes: [{ version: 1, amount_before: 0, amount_after: 5 }],
    subscribers: [{ email: ann.email }],
    mails: [{ subject: 'Hello Ann' }],
  })
  expect(JSON.stringify(exported)).not.toMatch(/argon2|fingerprint|_key"/)
  await expect(exportCustomer(await dbOf(shop), 7)).rejects.toMatchObject({ status: 404 })
})

test('a customer who is erased is named nowhere any more, and others stay', async () => {
  const shop = await openWithAnn()
  expect(await tablesWith(shop, 'ann.lee@x.test')).toEqual(
    expect.arrayContaining(['customers', 'idempotent_answers', 'mails', 'owed_emails', 'subscribers']),
  )
  const erased = await eraseCustomer(await dbOf(shop), 1)
  expect(erased).toMatchObject({ id: 1, mails: 2, stored_answers: 1 })
  for (const text of ['ann.lee@x.test', 'Harbour', 'lee-size', 'Hello Ann']) {
    expect(await tablesWith(shop, text), text).toEqual([])
  }
  expect(await tablesWith(shop, 'bo@x.test')).toContain('customers')
  expect(await tablesWith(shop, 'deletion')).toEqual(['store_credit_changes'])
  await expect(eraseCustomer(await dbOf(shop), 1)).rejects.toMatchObject({ status: 404 })
})

test('every table of customers is in the export', async () => {
  const shop = await openShop()
  await shop.call('POST', '/customers', [ann])
  const exported = Object.keys(await exportCustomer(await dbOf(shop), 1))
  // Each is exported under the end of its name.
  const names = (await tablesOfCustomers(shop)).map((table) => table.replace(/^customer_/, ''))
  expect(names.length).toBeGreaterThan(3)
  expect(exported).toEqual(expect.arrayContaining(names))
})
