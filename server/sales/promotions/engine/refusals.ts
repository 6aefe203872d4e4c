import { UNITS_MAX, type Units, unitsOf } from '../../../core/money/units.ts'
import { unitsOfText } from './amounts.ts'
import type { CartCondition, ItemMatcher, Promotion, PromotionDiscount, PromotionRule } from './promotion.ts'

// Refuses promotions that can't be compiled. Shapes, bounds of integers and lengths of lists are left to the schema of the body.
// Each mistake has the path of its field (docs/contract/promotions.md section 3).

/** Operators in one another. */
const LEVELS_MAX = 3
/** Ids and texts in all matchers of a promotion. */
const NAMED_MAX = 10_000
const HUNDRED = unitsOf(100)
const MAXIMUM_DISCOUNT = { from: unitsOf(1), to: unitsOf(10_000_000) }

const LEAF_KEYS = {
  matcher: ['brands', 'categories', 'products', 'variants', 'product_option', 'product_custom_field'],
  condition: ['cart'],
  segments: ['id'],
} as const

const ACTIONS = ['cart_items', 'cart_value', 'gift_item', 'fixed_price_set', 'shipping'] as const

interface Tree<Node> {
  and?: readonly Node[] | undefined
  or?: readonly Node[] | undefined
  not?: Node | undefined
}

/** Collects the mistakes of a promotion by the path of their field. */
class Mistakes {
  readonly found: Record<string, string> = {}

  add(path: string, sentence: string) {
    this.found[path] ??= sentence
  }

  /** Checks an amount. @param bounds in units, both included */
  amount(path: string, text: string | null | undefined, { from, to }: { from: Units; to: Units }, sentence: string) {
    if (text === null || text === undefined) return
    const units = unitsOfText(text)
    if (units === undefined || units < from || units > to) this.add(path, sentence)
  }

  /** Checks that nodes of a tree have one key and aren't nested too deep. @param leaf called with each node that has a leaf key */
  tree<Node extends Tree<Node>>(
    path: string,
    node: Node,
    keys: readonly (keyof Node & string)[],
    leaf: (path: string, node: Node) => void,
  ) {
    const walk = (at: string, one: Node, level: number) => {
      const operators = (['and', 'or', 'not'] as const).filter((key) => one[key] !== undefined)
      const set = [...keys.filter((key) => one[key] !== undefined), ...operators]
      if (set.length !== 1) return this.add(at, `Exactly one key is required: ${keys.join(', ')}, and, or, not.`)
      if (operators.length === 0) return leaf(at, one)
      if (level > LEVELS_MAX) return this.add(at, `At most ${LEVELS_MAX} levels of and, or and not are allowed.`)
      if (one.not) return walk(`${at}.not`, one.not, level + 1)
      const [key, children] = one.and ? ['and', one.and] : ['or', one.or ?? []]
      if (children.length === 0) return this.add(`${at}.${key}`, 'At least one entry is required.')
      for (const [i, child] of children.entries()) walk(`${at}.${key}.${i}`, child, level + 1)
    }
    walk(path, node, 1)
  }
}

/**
 * Lists the mistakes of a promotion by the path of their field; empty if it can be compiled.
 * Source: docs/contract/promotions.md section 3.
 */
export function promotionMistakes({
  currency_code,
  customer,
  rules,
}: Pick<Promotion, 'currency_code' | 'customer' | 'rules'>): Record<string, string> {
  const mistakes = new Mistakes()
  let named = 0
  const checkItems = (path: string, items: ItemMatcher | undefined) => {
    if (!items) return
    mistakes.tree(path, items, LEAF_KEYS.matcher, (_, leaf) => {
      named += namedIn(leaf)
    })
  }
  for (const [i, { action, condition }] of rules.entries()) {
    if (condition) checkCondition(mistakes, `rules.${i}.condition`, condition, checkItems)
    const set = ACTIONS.filter((key) => action[key] !== undefined)
    if (set.length === 1) checkAction(mistakes, `rules.${i}.action`, action, { currency_code, checkItems })
    else mistakes.add(`rules.${i}.action`, `Exactly one action is required: ${ACTIONS.join(', ')}.`)
  }
  if (named > NAMED_MAX) {
    mistakes.add('rules', `The matchers of a promotion name at most ${NAMED_MAX.toLocaleString('en')} ids and texts.`)
  }
  if (customer.segments) mistakes.tree('customer.segments', customer.segments, LEAF_KEYS.segments, () => undefined)
  return mistakes.found
}

const namedIn = ({ product_option, product_custom_field, ...ids }: ItemMatcher): number =>
  (ids.brands ?? ids.categories ?? ids.products ?? ids.variants ?? []).length +
  [product_option, product_custom_field].reduce((sum, texts) => sum + (texts ? 1 + texts.values.length : 0), 0)

type CheckItems = (path: string, items: ItemMatcher | undefined) => void

function checkCondition(mistakes: Mistakes, path: string, condition: CartCondition, checkItems: CheckItems) {
  mistakes.tree(path, condition, LEAF_KEYS.condition, (at, { cart = {} }) => {
    const { items, minimum_spend, minimum_quantity } = cart
    checkItems(`${at}.cart.items`, items)
    const spend = { from: 0n, to: UNITS_MAX }
    mistakes.amount(`${at}.cart.minimum_spend`, minimum_spend, spend, 'This must be an amount.')
    if (items && minimum_spend === undefined && minimum_quantity === undefined) {
      mistakes.add(`${at}.cart`, 'Items require minimum_quantity or minimum_spend.')
    }
  })
}

interface ActionContext {
  currency_code: string
  checkItems: CheckItems
}

function checkAction(
  mistakes: Mistakes,
  path: string,
  { cart_items, cart_value, gift_item, fixed_price_set, shipping }: PromotionRule['action'],
  { currency_code, checkItems }: ActionContext,
) {
  const inOneCurrency = (at: string) => {
    if (currency_code === '*') mistakes.add(at, 'A promotion for all currencies can only have percentages.')
  }
  const checkDiscount = (at: string, { fixed_amount, percentage_amount }: PromotionDiscount) => {
    if ((fixed_amount === undefined) === (percentage_amount === undefined)) {
      return mistakes.add(at, 'Exactly one of fixed_amount and percentage_amount is required.')
    }
    if (fixed_amount !== undefined) inOneCurrency(`${at}.fixed_amount`)
    const above0 = { from: 1n, to: UNITS_MAX }
    mistakes.amount(`${at}.fixed_amount`, fixed_amount, above0, 'This must be an amount above 0.')
    const percent = { from: 1n, to: HUNDRED }
    mistakes.amount(`${at}.percentage_amount`, percentage_amount, percent, 'This must be above 0 and at most 100.')
  }
  const maximum = (at: string, text: string | null | undefined) =>
    mistakes.amount(`${at}.maximum_allowed_discount_amount`, text, MAXIMUM_DISCOUNT, 'This must be 1 to 10000000.')

  if (cart_items) {
    const at = `${path}.cart_items`
    checkDiscount(`${at}.discount`, cart_items.discount)
    maximum(at, cart_items.maximum_allowed_discount_amount)
    checkItems(`${at}.items`, cart_items.items)
  }
  if (cart_value) {
    const at = `${path}.cart_value`
    checkDiscount(`${at}.discount`, cart_value.discount)
    maximum(at, cart_value.maximum_allowed_discount_amount)
  }
  if (fixed_price_set) {
    const at = `${path}.fixed_price_set`
    inOneCurrency(`${at}.fixed_price`)
    mistakes.amount(
      `${at}.fixed_price`,
      fixed_price_set.fixed_price,
      { from: 0n, to: UNITS_MAX },
      'This must be an amount.',
    )
    checkItems(`${at}.items`, fixed_price_set.items)
  }
  if (gift_item && (gift_item.product_id === undefined) === (gift_item.variant_id === undefined)) {
    mistakes.add(`${path}.gift_item`, 'Exactly one of product_id and variant_id is required.')
  }
  if (shipping && !shipping.free_shipping) mistakes.add(`${path}.shipping.free_shipping`, 'This must be true.')
}
