import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { type Customer, customers } from '../row/shape.ts'
import { channelsWithGlobalLogins } from '../settings.ts'

// Which account an e-mail address means at a channel (docs/contract/customers.md section 2.5).

/** Where an account may log in: at the channels of its list, or where it has none at every channel that allows global logins. */
type Access = Customer['channel_ids']

/** Whether there is a channel at which both may log in. Two without a list always count as such. */
export function shareChannel(one: Access, other: Access, isGlobal: (channel: number) => boolean): boolean {
  if (one === null && other === null) return true
  if (one === null) return other?.some(isGlobal) ?? false
  if (other === null) return one.some(isGlobal)
  return one.some((channel) => other.includes(channel))
}

/** Whether a channel that is not deleted lets accounts without a list log in. */
export async function globalLogins(db: Db): Promise<(channel: number) => boolean> {
  const channels = await channelsWithGlobalLogins(db)
  return (channel) => channels.has(channel)
}

/** Whether an account may log in at a channel that is not deleted. */
export const mayLogIn = async (db: Db, access: Access, channel: number): Promise<boolean> =>
  access === null ? (await globalLogins(db))(channel) : access.includes(channel)

/**
 * The counter that lets one transaction of a store at a time give customers e-mail addresses or channels. Whoever does either holds
 * it (`lockCounters`), or takes ids of customers, which locks the same row, before it looks for accounts that are in the way: what it
 * then finds includes all that was committed before, and nothing is added behind its back. So two requests at once, in whatever
 * processes, never both get an address; no unique rule could say so, as addresses may be shared. Where there is no such counter there
 * is no customer to change, and whoever takes the first id makes it.
 */
export const LOGINS = customers.table

/** An account as it is to be. */
export interface Login {
  /** None for one that is not stored yet. */
  id?: number
  email: string
  channel_ids: Access
  /** The field that is wrong where it meets another account; undefined if it is not to be judged. */
  blamed: string | undefined
}

/** What is wrong with accounts that would share an e-mail address and a channel with another one, stored or of the list. */
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
    // Of two that change, the later one is wrong.
    const isBeside = logins.some(
      (other, j) => j !== i && keys[j] === keys[i] && (j < i || other.blamed === undefined) && meets(other),
    )
    if (isStored || isBeside) mistakes[blamed] = inUse(email)
  }
  return mistakes
}

/** Clients look for the words. */
const inUse = (email: string) => `${email} is already in use`
