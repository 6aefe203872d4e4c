import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { amountOf, ratio } from '../../../core/money/units.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { addressOfPicture } from '../../../core/rest/input/picture-addresses.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { findRemindedShopper, type RemindedShopper } from '../../../customers/accounts/reminder-consent.ts'
import { defaultCurrency } from '../../../shop/channels/currencies/shape.ts'
import { urlOfSite } from '../../../shop/channels/sites/shape.ts'
import { addressOfRoute } from '../../../shop/channels/sites/site-routes.ts'
import type { ContextOf } from '../../../shop/emails/contents/contexts.ts'
import { findReminders, type Reminder } from '../../../shop/emails/reminders.ts'
import { sendEmail } from '../../../shop/emails/sending/send.ts'
import { abandonedCartSettings } from '../../../shop/settings/carts/cart-settings.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { findCodes } from '../../promotions/evaluation/cart-codes.ts'
import type { CartParts } from '../changes/change.ts'
import { evaluateCart } from '../evaluation/evaluate.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import { factsOf, gatherFacts } from '../evaluation/gather-facts.ts'
import type { CartResult, ResultLine } from '../evaluation/result.ts'
import { type Cart, type FoundCart, findCart } from '../row/cart.ts'
import { cartOptionsOf } from '../views/line-items.ts'
import { issueRedirectUrls } from '../views/redirect-urls.ts'
import { nextReminders } from './schedule.ts'
import { unsubscribeLink, wantsNoReminders } from './unsubscribe.ts'

// Reminders of abandoned carts (docs/contract/carts.md section 13). Each is a transaction that locks the cart, so a cart that is changed or
// ordered at the same time gets none.

const TYPE = 'abandoned_cart_email'
type ReminderContext = ContextOf<typeof TYPE>

/** Parts of other areas that reminders need. */
export interface ReminderParts extends Pick<CartParts, 'countOrders' | 'sites'> {
  secrets: Pick<Secrets, 'tokenHash' | 'linkSignature'>
}

interface DueCart {
  token: string
  updated_at: string
  reminder_at: string
  reminders: number
  expires_at: string
}

/** Sends the reminders of a cart that are due, and finds the time of the next ones. Does nothing if another transaction has the cart. */
export async function remind(db: Db, id: string, now: Date, parts: ReminderParts) {
  await db.transaction(async (tx) => {
    const [due] = await tx.rows<DueCart>(
      prepared(sql`
      select token, updated_at, reminder_at, reminders, expires_at from carts
      where store_id = ${tx.store.id} and id = ${id} and reminder_at <= ${now} and expires_at > ${now}
      for update skip locked`),
    )
    if (!due) return
    const [found] = await findCart(tx, id, now).then((cart) => [cart], none)
    const reminders = found ? (await findReminders(tx))(found.cart.channel_id) : []
    const updatedAt = new Date(due.updated_at)
    const wanted = nextReminders(updatedAt, reminders, new Date(new Date(due.reminder_at).getTime() - 1))
    const isTheirTime = wanted?.at.getTime() === new Date(due.reminder_at).getTime()
    const sent = found && isTheirTime ? await sendReminders(tx, { found, due, reminders: wanted.reminders }, parts) : 0
    const next = nextReminders(updatedAt, reminders, new Date(due.reminder_at))
    await storeNext(tx, id, { due, sent, next: next?.at })
  })
}

/** A cart of an ended channel, which is 404. */
function none(error: unknown): [] {
  if (error instanceof Problem) return []
  throw error
}

async function storeNext(
  tx: Tx,
  id: string,
  { due, sent, next }: { due: DueCart; sent: number; next: Date | undefined },
) {
  const expires = new Date(due.expires_at)
  const reminder_at = next && next < expires ? toSeconds(next) : null
  await tx.rows(
    prepared(sql`
    update carts set reminder_at = ${reminder_at}, reminders = reminders + ${sent}, due_at = ${reminder_at ?? toSeconds(expires)}
    where store_id = ${tx.store.id} and id = ${id}`),
  )
}

/** @returns the number of reminders that were enqueued */
async function sendReminders(
  tx: Tx,
  { found, due, reminders }: { found: FoundCart; due: DueCart; reminders: readonly Reminder[] },
  parts: ReminderParts,
): Promise<number> {
  const { cart } = found
  if (!new RegExp(MAIL_ADDRESS, 'u').test(cart.email)) return 0
  const settings = await settingsOf(tx, abandonedCartSettings, cart.channel_id)
  if (!settings.enable_notification) return 0
  const left = settings.email_customer_until_cart_is_recovered ? reminders.length : 1 - due.reminders
  const sent = reminders.slice(0, Math.max(0, left))
  if (sent.length === 0 || (await wantsNoReminders(tx, cart.email, parts.secrets))) return 0
  const shopper = await findRemindedShopper(tx, cart)
  if (settings.marketing_emails_require_customer_consent && !shopper.hasConsent) return 0
  const evaluated = await evaluateStored(tx, found, parts)
  if (!evaluated) return 0
  for (const reminder of sent) {
    const context = await contextOf(tx, { found, due, shopper, reminder, ...evaluated }, parts)
    const { channel_id: channel, email: to, document } = cart
    await sendEmail(tx, TYPE, { to, channel, locale: document.locale, context, reminder: reminder.id })
  }
  return sent.length
}

/** Evaluates a cart without its tax provider: a reminder shows prices before tax, and no transaction waits for others. */
async function evaluateStored(
  tx: Tx,
  { cart, customer, stamps }: FoundCart,
  { countOrders }: ReminderParts,
): Promise<{ result: CartResult; facts: CartFacts } | undefined> {
  const options = { at: tx.now, promotionsStamp: stamps.promotions, countOrders }
  const gathered = await gatherFacts(tx, { ...cart, customer }, options)
  try {
    const facts = factsOf(gathered, cart.currency_code)
    const result = evaluateCart(cart.document, facts)
    // A cart whose products were all deleted has nothing to remind of.
    return result.lines.length > 0 ? { result, facts } : undefined
  } catch (error) {
    // Nobody can pay in the currency of the cart any more.
    if (error instanceof Problem) return undefined
    throw error
  }
}

interface RemindedCart {
  found: FoundCart
  due: DueCart
  shopper: RemindedShopper
  reminder: Reminder
  result: CartResult
  facts: CartFacts
}

async function contextOf(
  tx: Tx,
  { found, due, shopper, reminder, result, facts }: RemindedCart,
  parts: ReminderParts,
): Promise<ReminderContext> {
  const { cart, site } = found
  const { billing } = cart.document
  const first_name = shopper.first_name || (billing?.first_name ?? '')
  const last_name = shopper.last_name || (billing?.last_name ?? '')
  const unsubscribe_link = await unsubscribeLink(tx, cart, parts)
  const money = moneyIn(cart.currency_code, result.decimals)
  const siteUrl = urlOfSite(tx.store, site, parts.sites)
  const coupon = await couponOf(tx, reminder.coupon_code, facts)
  return {
    customer: {
      first_name,
      full_name: [first_name, last_name].filter((name) => name !== '').join(' '),
      email: cart.email,
      group: [],
    },
    notification: { unsubscribe_link, checkout_link: await recoveryLink(tx, cart, due.token, parts) },
    ...(coupon ? { coupon } : {}),
    cart: {
      products: result.lines.map((line) => mailedLine(line, { siteUrl, publicUrl: parts.sites.publicUrl, money })),
    },
    abandoned_cart: { body: '', unsubscribe_link },
  }
}

/** The link back into the cart: that of the site with the token of the idle spell, or a redirect URL. */
async function recoveryLink(tx: Tx, cart: Cart, token: string, parts: ReminderParts): Promise<string> {
  const route = { channel: cart.channel_id, type: 'recover_abandoned_cart', tokens: { id: cart.id } } as const
  const page = await addressOfRoute(tx, route, parts.sites)
  if (page !== undefined) return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ t: token })}`
  return (await issueRedirectUrls(tx, cart, parts)).cart_url
}

type Money = (amount: number) => { value: number; formatted: string }

function moneyIn(currency: string, decimals: number): Money {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return (value) => ({ value, formatted: format.format(value) })
}

function mailedLine(
  line: ResultLine,
  { siteUrl, publicUrl, money }: { siteUrl: string; publicUrl: string; money: Money },
): ReminderContext['cart']['products'][number] {
  const { item, name, quantity, product_id, sale, isDigital, input } = line
  const image = item?.image_url ?? (input && 'image_url' in input ? input.image_url : '')
  return {
    id: product_id,
    url: item ? `${siteUrl}${item.path}` : siteUrl,
    name,
    quantity,
    sku: item?.sku ?? (input && 'sku' in input ? input.sku : ''),
    thumbnail: addressOfPicture(publicUrl, image),
    attributes: cartOptionsOf(line).map((option) => ({ name: option.name, value: option.value })),
    price: money(amountOf(ratio(sale, 1n, BigInt(quantity)))),
    type: { name: isDigital ? 'digital' : 'physical' },
  }
}

/** The coupon of a reminder; undefined for a code that doesn't exist. */
async function couponOf(tx: Tx, code: string, facts: CartFacts): Promise<ReminderContext['coupon']> {
  if (code === '') return undefined
  const [found] = await findCodes(tx, [code], (await defaultCurrency(tx)).currency_code)
  if (found?.of === undefined) return undefined
  if (typeof found.of === 'number') {
    const name = facts.promotions.coupons.get(found.of)?.promotion.name
    return name === undefined ? undefined : { code, type: { name: 'promotion' }, amount: { value: 0, formatted: name } }
  }
  const { type, amount, currency_code } = found.of
  const value = amountOf(amount)
  const formatted = type === 'percentage_discount' ? `${value} %` : moneyIn(currency_code, 2)(value).formatted
  return { code, type: { name: type }, amount: { value, formatted } }
}
