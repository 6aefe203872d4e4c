import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { type Customer, customers } from '../row/shape.ts'
import { channelsWithGlobalLogins } from '../settings.ts'

// Resolves the account of an e-mail address at a channel (docs/contract/customers.md section 2.5).

/** The channels where an account may log in. Null stands for every channel that allows global logins. */
type Access = Customer['channel_ids']

/** Whether both may log in at one channel. True for two accounts without a list. */
export function shareChannel(one: Access, other: Access, isGlobal: (channel: number) => boolean): boolean {
  if (one === null && other === null) return true
  if (one === null) return other?.some(isGlobal) ?? false
  if (other === null) return one.some(isGlobal)
  return one.some((channel) => other.includes(channel))
}

/** Returns a function that tests whether a channel is not deleted and allows global logins. */
export async function globalLogins(db: Db): Promise<(channel: number) => boolean> {
  const channels = await channelsWithGlobalLogins(db)
  return (channel) => channels.has(channel)
}

/** Whether an account may log in at a channel that is not deleted. */
export const mayLogIn = async (db: Db, access: Access, channel: number): Promise<boolean> =>
  access === null ? (await globalLogins(db))(channel) : access.includes(channel)

/**
 * The counter that serializes changes of e-mail addresses and channels in a store. Each change locks it (`lockCounters`), or takes ids of
 * customers, which locks the same row, before it searches for conflicting accounts. The search then sees every earlier change, and no other
 * change can follow before the commit: two requests never both get an address. A unique index can't do this, since accounts
 * may share an address. A store without the counter has no customers, and the first id creates it.
 */
export const LOGINS = customers.table

/** An account after its change. */
export interface Login {
  /** Undefined for a new account. */
  id?: number
  email: string
  channel_ids: Access
  /** The field to report a conflict at; undefined if the account is not checked. */
  blamed: string | undefined
}

/** Mistakes of accounts that would share e-mail address and channel with another one, stored or in the list. */
export async function takenLogins(
  tx: Tx,
  logins: readonly Login[],
  isGlobal: (channel: number) => boolean,
): Promise<Mistakes> {
  const keys = logins.map(({ email }) => fold(email))
  const rows = await tx.rows<Pick<Customer, 'id' | 'channel_ids'> & { email_key: string }>(
    prepared(sql`
    select id, email_key, channel_ids from customers
    where store_id = ${tx.store.id} and email_key = any(${[...new Set(keys)]})`),
  )
  const changing = new Set(logins.map(({ id }) => id))
  const others = rows.filter(({ id }) => !changing.has(id))
  const mistakes: Mistakes = {}
  for (const [i, { email, channel_ids, blamed }] of logins.entries()) {
    if (blamed === undefined) continue
    const meets = (other: { channel_ids: Access }) => shareChannel(channel_ids, other.channel_ids, isGlobal)
    const isStored = others.some((other) => other.email_key === keys[i] && meets(other))
    // The later of two changing accounts is refused.
    const isBeside = logins.some(
      (other, j) => j !== i && keys[j] === keys[i] && (j < i || other.blamed === undefined) && meets(other),
    )
    if (isStored || isBeside) mistakes[blamed] = inUse(email)
  }
  return mistakes
}

/** Clients look for the words. */
const inUse = (email: string) => `${email} is already in use`
