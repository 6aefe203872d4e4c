import { CART_SENTENCES } from './carts.ts'
import { COMPANY_SENTENCES } from './companies.ts'
import { CONTENT_SENTENCES } from './content.ts'
import { CUSTOMER_SENTENCES } from './customers.ts'
import { GOODS_SENTENCES } from './goods.ts'
import type { Sentences } from './groups.ts'
import { MONEY_SENTENCES } from './money.ts'
import { ORDER_SENTENCES } from './orders.ts'
import { PRICE_SENTENCES } from './prices.ts'
import { QUOTE_SENTENCES } from './quotes.ts'
import { SERVICE_SENTENCES } from './service.ts'
import { SHOP_SENTENCES } from './shop.ts'

const GROUPS: Sentences = [
  ...CART_SENTENCES,
  ...QUOTE_SENTENCES,
  ...COMPANY_SENTENCES,
  ...ORDER_SENTENCES,
  ...CONTENT_SENTENCES,
  ...CUSTOMER_SENTENCES,
  ...GOODS_SENTENCES,
  ...PRICE_SENTENCES,
  ...MONEY_SENTENCES,
  ...SERVICE_SENTENCES,
  ...SHOP_SENTENCES,
]

/**
 * The sentence for a field of a component, by the first group that has one.
 * @param parent the name of the field that contains it, or of the component
 */
export function groupSentence(component: string, parent: string, name: string): string | undefined {
  for (const [components, fields] of GROUPS) {
    if (!components.test(component)) continue
    const sentence = fields[`${parent}.${name}`] ?? fields[name]
    if (sentence !== undefined) return sentence
  }
  return undefined
}
