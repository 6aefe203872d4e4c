import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { MAIL_ADDRESS } from '../../core/mail/outbox.ts'
import { lockIds } from '../../core/rest/batch.ts'
import { ID_MAX, Id, Line, NeededText, nullable, TimeOfRecord } from '../../core/rest/input/fields.ts'
import { collection, type Facts } from '../../core/rest/lists/collection.ts'
import type { MetafieldOwner } from '../../shared/metafields/metafields.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { access } from '../../stores/accounts/scopes.ts'

// A customer is an account of a store: a person with an e-mail address who can log in, place orders and own addresses. The API, a storefront or a
// B2B company creates it, at an origin channel and with the default group of that channel. Without a password it can't log in. It may log in
// at the channels of its list, or without a list at every channel that allows global logins. Two customers may share an e-mail
// address only if they share no channel. Requests change its fields, and each change publishes an event. Store credit changes with a
// history. Its numbers of addresses and attributes follow their rows. Deleting a customer deletes its sub-resources and makes its orders
// orders of a guest. A password is stored as a hash and never returned.
//
// Sub-resources are deleted with their customer:
//
// - A table with up to some thousand rows of a customer, such as values, consent or a profile, has `foreign key (store_id, customer_id)
//   references customers on delete cascade`, and an index that begins with these columns.
// - A list with a counted total (`counted: true`) is named in `COUNTED_PARTS` of `deletion.ts`, which deletes its rows with the customer and
//   updates the total. Its rows have a column `customer_id`.
// - Rows that are too many for a statement, such as the items of wishlists, are deleted in steps before that (`core/db/steps.ts`):
//   `deletion.ts` calls a function `(db, customerIds) => Promise<void>` of their area.
// - Metafields and other rows without a foreign key are deleted by `deletion.ts` with a function of their area.

/** The scopes of the routes of customers (docs/contract/customers.md section 1). */
export const customersAccess = access('customers')

const Name = NeededText(100)
/** The group of a customer; 0 for none. */
const GroupId = t.Integer({ minimum: 0, maximum: ID_MAX })

/** A customer (docs/contract/customers.md section 2). */
export const Customer = t.Object({
  id: Id,
  email: t.String({ minLength: 3, maxLength: 255, pattern: MAIL_ADDRESS }),
  first_name: Name,
  last_name: Name,
  company: Line,
  phone: t.String({ maxLength: 50 }),
  registration_ip_address: t.String({ maxLength: 30 }),
  notes: t.String({ maxLength: 65_535 }),
  tax_exempt_category: Line,
  customer_group_id: GroupId,
  date_modified: TimeOfRecord,
  date_created: TimeOfRecord,
  address_count: t.Integer(),
  attribute_count: t.Integer(),
  authentication: t.Object({ force_password_reset: t.Boolean() }),
  accepts_product_review_abandoned_cart_emails: t.Boolean(),
  origin_channel_id: ChannelId,
  channel_ids: nullable(t.Array(ChannelId, { description: 'Null: every channel that allows global logins' })),
})
export type Customer = Static<typeof Customer>

export const customerFacts: Facts = {
  noun: 'customer',
  filters: `id:in company:in customer_group_id:in email:in phone:in registration_ip_address:in
    date_created date_created:min date_created:max date_modified date_modified:min date_modified:max`,
  sort: [
    'date_created:asc',
    'date_created:desc',
    'last_name:asc',
    'last_name:desc',
    'date_modified:asc',
    'date_modified:desc',
  ],
  twins: ['first_name', 'tax_exempt_category'],
  hidden: ['password_hash', 'store_credit'],
  counted: true,
  cursors: 'first page',
}

export const customers = collection('customers', Customer, customerFacts)

export const customerMetafields: MetafieldOwner = {
  kind: 'customer',
  resources: customers,
  path: '/customers',
  access: customersAccess,
}

/**
 * Locks customers until the transaction ends, in the order of their ids. Every change of their sub-resources or counts calls it after
 * `takeIds` or `lockCounters` and before it locks other rows.
 * @returns the ids of the existing ones
 */
export const lockCustomers = (tx: Tx, ids: readonly number[]): Promise<Set<number>> => lockIds(tx, customers, ids)
