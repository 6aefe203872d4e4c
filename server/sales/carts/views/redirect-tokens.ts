import { randomBytes } from 'node:crypto'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { hasLiveChannel } from '../../../shop/channels/channels.ts'
import { type Cart, isUuid } from '../row/cart.ts'

// The tokens in redirect URLs (docs/contract/carts.md section 11). Each works once.

/** Days until a token that nobody used ends. */
const TOKEN_DAYS = 30
/** Tokens of a cart; the oldest ends when there is one more. */
const TOKENS_MAX = 50

/** The time for which a redirect URL logs its customer in. After that it leads into the cart only. */
const LOGIN_MS = 300_000

/** The secrets that redirect tokens need: only their keyed hashes are stored. */
export interface RedirectTokenParts {
  secrets: Pick<Secrets, 'tokenHash'>
}

/**
 * Stores a new token of a cart, and deletes those that are too old or too many. The caller has created or locked the cart.
 * @param customer_id the customer whom its visit logs in; 0 for nobody
 * @returns 64 hexadecimal digits
 */
export async function issueRedirectToken(
  tx: Tx,
  { cart_id, customer_id }: { cart_id: string; customer_id: number },
  { secrets }: RedirectTokenParts,
): Promise<string> {
  const { store, now } = tx
  const token = randomBytes(32).toString('hex')
  const expires_at = toSeconds(new Date(now.getTime() + TOKEN_DAYS * 86_400_000))
  const [newest] = await tx.rows<{ number: number }>(
    prepared(sql`
    insert into cart_redirect_tokens (store_id, cart_id, number, token_hash, expires_at, customer_id)
    select ${store.id}, ${cart_id}, coalesce(max(number), 0) + 1, ${secrets.tokenHash(token)}, ${expires_at}, ${customer_id}
    from cart_redirect_tokens where store_id = ${store.id} and cart_id = ${cart_id}
    returning number`),
  )
  const last = (newest?.number ?? 0) - TOKENS_MAX
  await tx.rows(
    prepared(sql`
    delete from cart_redirect_tokens
    where store_id = ${store.id} and cart_id = ${cart_id} and (number <= ${last} or expires_at <= ${now})`),
  )
  return token
}

/** A cart that a shopper enters. */
interface EnteredCart extends Pick<Cart, 'id' | 'channel_id'> {
  /** The customer whom the visit logs in; 0 for nobody. */
  login: number
}

/**
 * Spends the token of a redirect URL. Of many visits at once one succeeds. The cart keeps its version and its time.
 * @param visit the parameters `id` and `token` of the address
 * @returns the cart
 * @throws Problem 404 for a token that is unknown, spent or too old, and for a cart that has ended
 */
export async function spendRedirectToken(
  tx: Tx,
  { id, token }: { id: string; token: string },
  { secrets }: RedirectTokenParts,
): Promise<EnteredCart> {
  if (!isUuid(id)) throw spent()
  const loginUntil = new Date(tx.now.getTime() + TOKEN_DAYS * 86_400_000 - LOGIN_MS)
  const [cart] = await tx.rows<EnteredCart>(
    prepared(sql`
    delete from cart_redirect_tokens spent using carts cart
    where spent.store_id = ${tx.store.id} and spent.token_hash = ${secrets.tokenHash(token)}
      and spent.cart_id = ${id.toLowerCase()} and spent.expires_at > ${tx.now}
      and cart.store_id = ${tx.store.id} and cart.id = spent.cart_id and cart.expires_at > ${tx.now}
      and ${hasLiveChannel(tx, sql`cart.channel_id`)}
    returning cart.id, cart.channel_id,
      case when spent.customer_id = cart.customer_id and spent.expires_at > ${loginUntil} then cart.customer_id else 0 end as login`),
  )
  if (!cart) throw spent()
  return cart
}

const spent = () => new Problem(404, 'This link was used already, or is too old.')
