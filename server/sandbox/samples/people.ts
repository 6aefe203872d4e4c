import type { Tx } from '../../core/db/database.ts'
import { createCustomers, type NewCustomerAccount } from '../../customers/accounts/create.ts'
import { createAttributes } from '../../customers/attributes/attributes.ts'
import { createGroup } from '../../customers/groups-v2.ts'
import type { Customer } from '../../customers/row/shape.ts'
import { createProfiles } from '../../customers/segments/profiles.ts'
import { addMembers, createSegments } from '../../customers/segments/segments.ts'
import { createSubscriber } from '../../customers/subscribers.ts'
import { createWishlist } from '../../customers/wishlists/wishlists.ts'
import { listsOfGroups, replaceListOfGroup } from '../../sales/pricing/assignments/assignments.ts'
import { deleteListsOfGroup } from '../../sales/pricing/deletion.ts'
import { at } from './catalog.ts'
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

const attributes = [
  { name: 'Birthday', type: 'date' as const },
  { name: 'Favourite material', type: 'string' as const },
]
const materials = ['Oak', 'Linen', 'Stoneware', 'Wool', 'Brass', 'Glass']

const places = [
  { city: 'Copenhagen', state_or_province: '', postal_code: '1051', country_code: 'DK', street: 'Nyhavn' },
  { city: 'Oslo', state_or_province: '', postal_code: '0152', country_code: 'NO', street: 'Storgata' },
  {
    city: 'Sydney',
    state_or_province: 'New South Wales',
    postal_code: '2000',
    country_code: 'AU',
    street: 'George Street',
  },
  { city: 'Portland', state_or_province: 'Oregon', postal_code: '97205', country_code: 'US', street: 'Alder Street' },
  { city: 'Toronto', state_or_province: 'Ontario', postal_code: 'M5H 2N2', country_code: 'CA', street: 'Queen Street' },
  { city: 'Lyon', state_or_province: '', postal_code: '69002', country_code: 'FR', street: 'Rue de la République' },
]

/** The price lists of groups, for functions of the customers wing. */
export const groupLists = { listsOfGroups, replaceListOfGroup, deleteListsOfGroup }

/** 200 customers with groups, attributes, addresses and wishlists of products that the store has. */
export async function makeCustomers(tx: Tx) {
  const groupIds: number[] = []
  for (const group of groups) groupIds.push((await createGroup(tx, group, groupLists)).id)
  const attributeIds = (await createAttributes(tx, attributes)).map(({ id }) => id)
  const accounts = Array.from({ length: CUSTOMERS }, (_, n) => person(n, groupIds, attributeIds))
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

/** The nth of them. Every fourth is a company, every fifth is in a group, every third has two addresses. */
function person(n: number, groupIds: readonly number[], attributeIds: readonly number[]): NewCustomerAccount {
  const first_name = at(givenNames, n % givenNames.length)
  const last_name = at(houses, (n * 7) % houses.length)
  const [birthday, material] = attributeIds
  const day = new Date(Date.UTC(1950 + ((n * 13) % 55), n % 12, 1 + ((n * 5) % 28))).toISOString().slice(0, 10)
  return {
    first_name,
    last_name,
    email: `${plain(first_name)}.${plain(last_name)}.${n + 1}@example.com`,
    company: n % 4 === 0 ? `${last_name} Interiors` : '',
    phone: `555 ${String(1_000 + n * 37).slice(-4)}`,
    customer_group_id: n % 5 === 0 ? at(groupIds, (n / 5) % groupIds.length) : 0,
    accepts_product_review_abandoned_cart_emails: n % 3 !== 0,
    store_credit: n % 10 === 0 ? 5 + n / 10 : 0,
    addresses: [addressOf(n, first_name, last_name), ...(n % 3 === 0 ? [addressOf(n + 1, first_name, last_name)] : [])],
    attributes: [
      ...(birthday === undefined ? [] : [{ attribute_id: birthday, attribute_value: day }]),
      ...(material === undefined || n % 2 === 0
        ? []
        : [{ attribute_id: material, attribute_value: at(materials, n % materials.length) }]),
    ],
  }
}

function addressOf(n: number, first_name: string, last_name: string) {
  const { street, ...place } = at(places, n % places.length)
  return { ...place, first_name, last_name, address1: `${street} ${1 + ((n * 11) % 90)}` }
}

/** As an e-mail address has it: without accents. */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
