import { randomBytes } from 'node:crypto'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { sweep } from '../../../core/db/steps.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'

// Tokens of checkouts (docs/contract/checkouts.md section 11). A back end gives one to a shopper, whom it lets see the checkout or the order
// that comes of it. A token names its cart, and no order: the order may not exist yet.

/** Tokens of a checkout; the oldest ends when there is one more. */
const TOKENS_MAX = 50

/** The secrets that tokens of checkouts need: only their keyed hashes are stored. */
export interface CheckoutTokenParts {
  secrets: Pick<Secrets, 'tokenHash'>
}

/**
 * Issues a token of a checkout. The caller has locked the cart.
 * @param ttl seconds until it ends
 * @returns 64 hexadecimal digits
 */
export async function issueCheckoutToken(
  tx: Tx,
  { cart_id, maxUses, ttl }: { cart_id: string; maxUses: number; ttl: number },
  { secrets }: CheckoutTokenParts,
): Promise<string> {
  const { store, now } = tx
  const token = randomBytes(32).toString('hex')
  const expires_at = toSeconds(new Date(now.getTime() + ttl * 1_000))
  const [newest] = await tx.rows<{ number: number }>(
    prepared(sql`
    insert into checkout_tokens (store_id, cart_id, number, token_hash, uses_left, expires_at)
    select ${store.id}, ${cart_id}, coalesce(max(number), 0) + 1, ${secrets.tokenHash(token)}, ${maxUses}, ${expires_at}
    from checkout_tokens where store_id = ${store.id} and cart_id = ${cart_id}
    returning number`),
  )
  const last = (newest?.number ?? 0) - TOKENS_MAX
  await tx.rows(
    prepared(sql`
    delete from checkout_tokens where store_id = ${store.id} and cart_id = ${cart_id} and number <= ${last}`),
  )
  await sweep(tx, { table: 'checkout_tokens', key: ['cart_id', 'number'], moment: 'expires_at', until: now })
  return token
}

/**
 * Counts a use of a checkout token. The cart may have become an order meanwhile.
 * @throws Problem 404 for a token that is unknown, used up or too old
 */
export async function useCheckoutToken(
  tx: Tx,
  token: string,
  { secrets }: CheckoutTokenParts,
): Promise<{ cart_id: string }> {
  const [used] = await tx.rows<{ cart_id: string }>(
    prepared(sql`
    update checkout_tokens set uses_left = uses_left - 1
    where store_id = ${tx.store.id} and token_hash = ${secrets.tokenHash(token)} and uses_left > 0
      and expires_at > ${tx.now}
    returning cart_id`),
  )
  if (!used) throw new Problem(404, 'This link was used already, or is too old.')
  return used
}
