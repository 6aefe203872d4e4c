/**
 * Buyers who click through a portal. They have a process of their own, so that their work doesn't delay the measurement, and a low
 * priority, as if they were on other machines. Each message asks for some seconds of clicks and is answered at their end.
 */
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Clicks {
  port: number
  hash: string
  tokens: string[]
  seconds: number
}

/** The longest time between two clicks of a buyer. */
const READING_MS = 8_000

/** The operations of the first page of a portal after the sign-in. */
export const BUYER_PAGES = [
  'configs',
  'store',
  'currencies',
  'language',
  'quote settings',
  'settings',
  'caller',
  'company',
  'addresses',
] as const

const pages: Record<string, (hash: string) => string> = {
  configs: (hash) =>
    `{ storefrontConfigs(storeHash: "${hash}", keys: ["quote_logo", "quote_for_b2b", "shopping_list_on_product_page"]) { key value extraFields } }`,
  store: (hash) =>
    `{ storeBasicInfo(storeHash: "${hash}", bcChannelId: 1) { storeName multiStorefrontEnabled storeSites { channelId b3ChannelId b2bEnabled urls } timeFormat { display offset } } }`,
  currencies: (hash) =>
    `{ currencies(storeHash: "${hash}", channelId: "1") { currencies { id currency_code token_location is_default } channelCurrencies enteredInclusiveTax } }`,
  language: (hash) => `{ storefrontDefaultLanguage(storeHash: "${hash}", channelId: 1) { language } }`,
  'quote settings': (hash) => `{ quoteConfig(storeHash: "${hash}") { switchStatus { key isEnabled } } }`,
  settings: (hash) =>
    `{ storefrontConfig(storeHash: "${hash}") { configId config { buyAgain dashboard orders messages invoice { enabledStatus value } } } }`,
  caller: () =>
    '{ customerInfo { userType permissions { code permissionLevel } userInfo { email role companyRoleName } } }',
  company: () => '{ companySubsidiaries { companyId companyName parentCompanyId channelFlag } }',
  addresses: (hash) => `{ addressConfig(storeHash: "${hash}") { key isEnabled } }`,
  quotes: () =>
    `{ quotes(first: 10, offset: 0, orderBy: "-createdAt") { totalCount edges { node {
      id quoteNumber quoteTitle createdAt createdBy updatedAt expiredAt status totalAmount grandTotal currency } } } }`,
  orders: () =>
    `{ allOrders(first: 10, offset: 0, q: "1", status: "11", orderBy: "-bcOrderId") { totalCount edges { node {
      bcOrderId totalIncTax poNumber status createdAt companyName firstName lastName } } } }`,
  lists: () => '{ shoppingLists(first: 10, offset: 0) { totalCount edges { node { id name status updatedAt } } } }',
}

/** The text of an operation of a portal. */
export function buyerPage(name: string, hash: string): string {
  const page = pages[name]
  if (!page) throw new Error(`There is no page "${name}".`)
  return page(hash)
}

/** Sends an operation. @throws if it is refused */
async function send({ port }: Clicks, query: string, token: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/b2b/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
  const text = await answer.text()
  if (!answer.ok || text.includes('"errors"')) throw new Error(`${answer.status} ${text.slice(0, 300)}`)
}

/** A buyer opens the portal, and then its lists in turn. @returns the number of its requests */
async function buy(clicks: Clicks, nth: number): Promise<number> {
  const { tokens, hash, seconds } = clicks
  const end = Date.now() + seconds * 1_000
  const lists = ['quotes', 'orders', 'lists']
  let clicked = 0
  await sleep((nth / tokens.length) * READING_MS)
  for (let n = 0; Date.now() < end; n++) {
    for (const page of n === 0 ? BUYER_PAGES : lists.slice(n % 3, (n % 3) + 1)) {
      await send(clicks, buyerPage(page, hash), tokens[nth] ?? '')
      clicked++
    }
    await sleep(Math.min(READING_MS, Math.max(0, end - Date.now())))
  }
  return clicked
}

const buyAll = async (clicks: Clicks) => {
  const counts = await Promise.all(clicks.tokens.map((_, nth) => buy(clicks, nth)))
  return counts.reduce((sum, count) => sum + count, 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setPriority(constants.priority.PRIORITY_LOW)
  process.on('message', (clicks: Clicks) => {
    buyAll(clicks).then(
      (clicked) => process.send?.({ clicked }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
