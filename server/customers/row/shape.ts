import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { MAIL_ADDRESS } from '../../core/mail/outbox.ts'
import { lockIds } from '../../core/rest/batch.ts'
import { ID_MAX, Id, Line, NeededText, nullable, TimeOfRecord } from '../../core/rest/input/fields.ts'
import { collection, type Facts } from '../../core/rest/lists/collection.ts'
import type { MetafieldOwner } from '../../shared/metafields/metafields.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { access } from '../../stores/accounts/scopes.ts'

// What belongs to a customer and goes with it:
//
// - A table of it has `foreign key (store_id, customer_id) references customers on delete cascade`, and an index that begins with
//   these columns. That holds for all that is bounded, up to some thousand rows of a customer: values, consent, a profile.
// - A list whose total is counted (`counted: true`) needs that total to stay right: name its collection in `COUNTED_PARTS` of
//   `deletion.ts`, which deletes its rows together with the customer. They have a column `customer_id`.
// - What may be more than a statement should delete, such as the items of wishlists, goes in steps before that
//   (`core/db/steps.ts`): `deletion.ts` calls a function `(db, customerIds) => Promise<void>` which its area exports.
// - Metafields, and what else names a customer without a foreign key, is deleted by `deletion.ts`, by the function of its room.

/** What opens the routes of customers (docs/contract/customers.md section 1). */
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
 * Locks customers until the transaction ends, in the order of their ids. Whoever changes what belongs to customers, or their counts
 * of it, calls it first, behind `takeIds` or `lockCounters` and before all other rows.
 * @returns the ids of those that are there
 */
export const lockCustomers = (tx: Tx, ids: readonly number[]): Promise<Set<number>> => lockIds(tx, customers, ids)
