import { type Db, prepared, type Store, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { isSameSignature } from '../../../core/secrets/signature.ts'
import { withdrawReminderConsent } from '../../../customers/accounts/reminder-consent.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { checkoutUrlOf } from '../../../shop/channels/sites/shape.ts'

// The end of reminders (docs/contract/carts.md section 13). A link in each reminder names an address by a signature, and leads to a page with a
// button: mail scanners follow links, and must not unsubscribe anybody.

/** The path of the page at a storefront. */
export const UNSUBSCRIBE_PAGE = '/unsubscribe-reminders.php'

interface LinkParts {
  secrets: Pick<Secrets, 'linkSignature'>
  sites: AddressRules
}

/** The address of the page that ends the reminders to an e-mail address. */
export async function unsubscribeLink(
  db: Db,
  { channel_id, email }: { channel_id: number; email: string },
  { secrets, sites }: LinkParts,
): Promise<string> {
  const signature = signatureOf(db.store, email, secrets)
  const params = new URLSearchParams({ address: Buffer.from(email).toString('base64url'), signature })
  return `${await checkoutUrlOf(db, channel_id, sites)}${UNSUBSCRIBE_PAGE}?${params}`
}

/** The e-mail address of a link; undefined for one that this server has not made. */
export function addressOfLink(
  store: Store,
  { address = '', signature = '' }: { address?: string | undefined; signature?: string | undefined },
  secrets: LinkParts['secrets'],
): string | undefined {
  const email = Buffer.from(address, 'base64url').toString()
  return isSameSignature(signature, signatureOf(store, email, secrets)) ? email : undefined
}

const signatureOf = ({ hash }: Store, email: string, { linkSignature }: LinkParts['secrets']) =>
  linkSignature(`reminders of carts ${hash} ${fold(email)}`)

type HashSecrets = Pick<Secrets, 'tokenHash'>

const hashOf = (email: string, { tokenHash }: HashSecrets) => tokenHash(`reminders of carts ${fold(email)}`)

/** Ends the reminders to an address in this store: withdraws the consent, and remembers the wish for stores that ask for none. */
export async function endReminders(tx: Tx, email: string, secrets: HashSecrets) {
  const row = { store_id: tx.store.id, address_hash: hashOf(email, secrets), created_at: tx.now }
  await tx.rows(sql`insert into reminder_refusals ${sql.rows([row])} on conflict do nothing`)
  await withdrawReminderConsent(tx, email)
}

/** Whether the owner of an address has ended the reminders. */
export async function wantsNoReminders(db: Db, email: string, secrets: HashSecrets): Promise<boolean> {
  const found = await db.rows(
    prepared(sql`
    select created_at from reminder_refusals
    where store_id = ${db.store.id} and address_hash = ${hashOf(email, secrets)}`),
  )
  return found.length > 0
}
