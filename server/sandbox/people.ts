import type { Tx } from '../core/db/database.ts'
import { createCustomers, type NewAccount } from '../customers/create.ts'
import { createGroup } from '../customers/groups-v2.ts'
import { createProfiles } from '../customers/segments/profiles.ts'
import { addMembers, createSegments } from '../customers/segments/segments.ts'
import type { Customer } from '../customers/shape.ts'
import { createSubscriber } from '../customers/subscribers.ts'
import { createWishlist } from '../customers/wishlists.ts'
import { at } from './catalog.ts'
import { askCustomers, demoParts } from './customer-parts.ts'
import { givenNames, houses } from './words.ts'

/** Customers of the sample data. */
const CUSTOMERS = 200
/** The first of them have a wishlist. */
const WITH_WISHLIST = 40
/** The first of them are subscribers, and in segments. */
const SUBSCRIBERS = 30
const IN_SEGMENTS = 24
/** The wishes are among the first products of the store. */
const WISHED = 12

const segments = [
  { name: 'Regulars', description: 'Ten orders a year, or more' },
  { name: 'New this year', description: 'The first order was in this year' },
  { name: 'Not seen for long', description: 'No order for twelve months' },
]

const groups = [
  { name: 'Trade', discount_rules: [{ type: 'all' as const, method: 'percent' as const, amount: 10 }] },
  { name: 'Friends of the house' },
  { name: 'Staff', discount_rules: [{ type: 'all' as const, method: 'percent' as const, amount: 25 }] },
]

/** 200 customers with groups, attributes, addresses and wishlists of products that the store has. */
export async function makeCustomers(tx: Tx) {
  const groupIds: number[] = []
  for (const group of groups) groupIds.push((await createGroup(tx, group)).id)
  await askCustomers(tx)
  const accounts = Array.from({ length: CUSTOMERS }, (_, n) => person(n, groupIds))
  const customers = await createCustomers(tx, accounts, {
    at: (i, field) => `${i}.${field}`,
    refuseTaken: (_, taken) => {
      throw new Error(`Sample customers share an address: ${Object.values(taken).join()}.`)
    },
    clientId: 'seed',
  })
  for (const [n, { id, first_name }] of customers.slice(0, WITH_WISHLIST).entries()) {
    const items = [n, n + 5].map((wish) => ({ product_id: 1 + (wish % WISHED) }))
    await createWishlist(tx, { customer_id: id, name: `${first_name}'s wishes`, is_public: n % 3 === 0, items })
  }
  await makeAudience(tx, customers)
}

/** Subscribers, and segments with the first customers in them. */
async function makeAudience(tx: Tx, customers: readonly Customer[]) {
  for (const [n, { email, first_name, last_name }] of customers.slice(0, SUBSCRIBERS).entries()) {
    const source = n % 2 === 0 ? 'storefront' : 'order'
    await createSubscriber(tx, {
      email,
      first_name,
      last_name,
      source,
      consents: n % 5 === 0 ? [] : ['marketing_newsletter'],
    })
  }
  const profiles = await createProfiles(
    tx,
    customers.slice(0, IN_SEGMENTS).map(({ id }) => ({ customer_id: id })),
  )
  for (const [n, { uuid }] of (await createSegments(tx, segments)).entries()) {
    const members = profiles.filter((_, i) => i % segments.length === n)
    await addMembers(
      tx,
      uuid,
      members.map((profile) => profile.uuid),
    )
  }
}

/** The nth of them. Every fourth is a company, every fifth is in a group. */
function person(n: number, groupIds: readonly number[]): NewAccount {
  const first_name = at(givenNames, n % givenNames.length)
  const last_name = at(houses, (n * 7) % houses.length)
  const company = n % 4 === 0 ? `${last_name} Interiors` : ''
  return {
    first_name,
    last_name,
    company,
    email: `${plain(first_name)}.${plain(last_name)}.${n + 1}@example.com`,
    phone: `555 ${String(1_000 + n * 37).slice(-4)}`,
    customer_group_id: n % 5 === 0 ? at(groupIds, (n / 5) % groupIds.length) : 0,
    accepts_product_review_abandoned_cart_emails: n % 3 !== 0,
    store_credit: n % 10 === 0 ? 5 + n / 10 : 0,
    ...demoParts(n, { first_name, last_name, company }),
  }
}

/** As an e-mail address has it: without accents. */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
