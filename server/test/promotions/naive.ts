import type { CouponV2, EvaluatedCart } from '../../sales/promotions/engine/cart.ts'
import type {
  CartCondition,
  CartMinimum,
  ItemMatcher,
  Promotion,
  PromotionRule,
} from '../../sales/promotions/engine/promotion.ts'

// A second calculator of promotions, which moves single units and shares no code with the engine. Amounts are whole numbers of
// ten-thousandths. It reads promotions as they are stored, and runs them as somebody would on a table of price tags.

interface Tag {
  line: number
  price: number
  left: number
}

interface Table {
  tags: Tag[]
  /** `line promotion code` to amount. */
  taken: Map<string, number>
  pending: { promotion: Promotion; code: string; rule: PromotionRule; rounds: number }[]
  gifts: Map<string, number>
  giftsWorth: number
  stock: Map<string, { price: number; available: number }>
  offers: number[]
  applied: { promotion: Promotion; code: string }[]
}

const parse = (text: string) => Math.round(Number(text) * 10_000)

/** `amount * part / whole`, to a multiple of the step, halves up. */
function divided(amount: number, part: number, whole: number, step: number): number {
  const divisor = BigInt(whole) * BigInt(step)
  return Number((2n * BigInt(amount) * BigInt(part) + divisor) / (2n * divisor)) * step
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)

function fits(matcher: ItemMatcher, line: EvaluatedCart['lines'][number]): boolean {
  const same = (one: string, other: string) => one.toUpperCase() === other.toUpperCase()
  if (matcher.and) return matcher.and.every((inner) => fits(inner, line))
  if (matcher.or) return matcher.or.some((inner) => fits(inner, line))
  if (matcher.not) return !fits(matcher.not, line)
  if (matcher.products) return matcher.products.includes(line.product_id)
  if (matcher.variants) return matcher.variants.includes(line.variant_id)
  if (matcher.brands) return matcher.brands.some((brand) => brand === line.brand_id)
  if (matcher.categories) return matcher.categories.some((category) => line.categories?.includes(category))
  const texts = matcher.product_option ?? matcher.product_custom_field
  const facts = (matcher.product_option ? line.options : line.customFields) ?? []
  return facts.some(
    (fact) => texts && same(fact.name, texts.name) && texts.values.some((value) => same(value, fact.value)),
  )
}

/** The amounts of a cart: text keys, so that two results can be compared. */
export interface NaiveResult {
  /** `line promotion code` to amount, for discounts of items. */
  items: Record<string, number>
  /** Amount left of each line. */
  left: number[]
  order: Record<string, number>
  codes: Record<string, number>
  shipping: number
  gifts: Record<string, number>
  offers: number[]
  applied: number[]
}

export function calculate(
  promotions: readonly Promotion[],
  cart: EvaluatedCart,
  coupons: ReadonlyMap<string, CouponV2>,
): NaiveResult {
  const step = 10 ** (4 - cart.shopper.currency.decimals)
  const { settings } = cart
  const isOriginal = settings.promotions_applied_on_original_product_price
  const base = ({ price, left }: Tag) => (isOriginal ? price : left)
  const lineOf = ({ line }: Tag) => cart.lines[line] ?? Object.create(null)

  const isOpen = (tag: Tag) => {
    const { kind, isAddedByPromotion, isPriceOverridden } = lineOf(tag)
    if (kind !== 'catalog' || isAddedByPromotion) return false
    return !isPriceOverridden || settings.promotions_apply_on_products_with_custom_product_price
  }
  const counts = (tag: Tag) =>
    isOpen(tag) && (tag.price > 0 || settings.promotions_triggered_by_products_with_zero_product_price)
  const isOfOrder = (tag: Tag) => lineOf(tag).kind !== 'certificate' && !lineOf(tag).isAddedByPromotion

  const tagsOf = ({ items }: CartMinimum, tags: readonly Tag[]) =>
    tags.filter((tag) =>
      items
        ? counts(tag) && fits(items, lineOf(tag))
        : isOfOrder(tag) && (lineOf(tag).kind === 'custom' || counts(tag)),
    )

  const fresh = (): Table => ({
    tags: cart.lines.flatMap(({ quantity, price }, line) =>
      Array.from({ length: quantity }, () => ({ line, price: Number(price), left: Number(price) })),
    ),
    taken: new Map(),
    pending: [],
    gifts: new Map(),
    giftsWorth: 0,
    stock: new Map([...cart.goods].map(([key, { price, available }]) => [key, { price: Number(price), available }])),
    offers: [],
    applied: [],
  })

  function give(table: Table, id: number, key: string, quantity: number) {
    const good = table.stock.get(key)
    if (!good) return
    good.available -= quantity
    table.giftsWorth += good.price * quantity
    table.gifts.set(`${id} ${key}`, (table.gifts.get(`${id} ${key}`) ?? 0) + quantity)
  }

  /** Runs a rule on a table. @returns whether it was applied */
  function runRule(table: Table, promotion: Promotion, code: string, rule: PromotionRule): boolean {
    const { cart_items, cart_value, gift_item, fixed_price_set, shipping } = rule.action
    const take = (tag: Tag, amount: number) => {
      const key = `${tag.line} ${promotion.id} ${code}`
      tag.left -= amount
      if (amount > 0) table.taken.set(key, (table.taken.get(key) ?? 0) + amount)
      return amount
    }
    const selection = cart_items ?? fixed_price_set
    const strategy = selection?.strategy ?? 'LEAST_EXPENSIVE'
    const sign = strategy.startsWith('MOST') ? -1 : 1
    const order = table.tags.toSorted(
      (one, other) => sign * (base(one) - base(other)) || one.line - other.line || other.left - one.left,
    )
    const used = new Set<Tag>()
    const spends = new Map<CartMinimum, number>()
    const spendIn = (minimum: CartMinimum, tags: readonly Tag[]) => sumOf(tagsOf(minimum, tags).map(base))

    /** The minimums that make a condition true in a round, null if it is false. */
    function met(condition: CartCondition, round: number): CartMinimum[] | null {
      if (condition.not) return met(condition.not, round) ? null : []
      if (condition.or) return condition.or.map((inner) => met(inner, round)).find((found) => found !== null) ?? null
      if (condition.and) {
        const all = condition.and.map((inner) => met(inner, round))
        return all.every((found) => found !== null) ? all.flat() : null
      }
      const minimum = condition.cart ?? {}
      const spend = parse(minimum.minimum_spend ?? '0')
      if (minimum.items && minimum.minimum_quantity) {
        const unused = table.tags.filter((tag) => !used.has(tag))
        const isEnough = tagsOf(minimum, unused).length >= minimum.minimum_quantity
        return isEnough && spendIn(minimum, unused) >= spend ? [minimum] : null
      }
      const atStart = spends.get(minimum) ?? spendIn(minimum, table.tags)
      spends.set(minimum, atStart)
      return atStart >= spend * (round + 1) ? [minimum] : null
    }
    const usesUp = (condition: CartCondition): boolean => {
      if (condition.and) return condition.and.some(usesUp)
      if (condition.or) return condition.or.every(usesUp)
      const { items, minimum_quantity, minimum_spend } = condition.cart ?? {}
      return (items !== undefined && minimum_quantity !== undefined) || Number(minimum_spend ?? 0) > 0
    }

    let rounds = 0
    let sum = 0
    let added = 0
    for (let round = 0; round < (rule.apply_once ? 1 : 1_000); round++) {
      const minimums = rule.condition ? met(rule.condition, round) : []
      if (!minimums) break
      const ofCondition = new Set<Tag>()
      for (const minimum of minimums) {
        if (!minimum.items || !minimum.minimum_quantity) continue
        const free = tagsOf(minimum, order.toReversed()).filter((tag) => !used.has(tag))
        for (const tag of free.slice(0, minimum.minimum_quantity)) ofCondition.add(tag)
      }
      const taken: Tag[] = []
      if (selection) {
        const { items, exclude_items_on_sale, include_items_considered_by_condition } = selection
        const pool = order.filter(
          (tag) =>
            isOpen(tag) &&
            tag.price > 0 &&
            !used.has(tag) &&
            (!items || fits(items, lineOf(tag))) &&
            !(exclude_items_on_sale && lineOf(tag).isOnSale) &&
            (include_items_considered_by_condition || !ofCondition.has(tag)),
        )
        const [first] = pool
        const wanted = strategy.endsWith('ONLY') ? pool.filter((tag) => first && base(tag) === base(first)) : pool
        taken.push(...wanted.slice(0, selection.quantity ?? wanted.length))
      }
      const together = (amount: number) => {
        const whole = sumOf(taken.map(({ left }) => left))
        const wanted = divided(Math.max(0, amount), 1, 1, step)
        let before = 0
        const parts = taken.map(({ left }) => {
          const part = divided(wanted, before + left, whole || 1, step) - divided(wanted, before, whole || 1, step)
          before += left
          return wanted >= whole ? left : Math.min(left, part)
        })
        taken.forEach((tag, i) => {
          sum += take(tag, parts[i] ?? 0)
        })
      }
      if (cart_items) {
        const { discount, quantity, as_total } = cart_items
        const maximum = Number(cart_items.maximum_allowed_discount_amount ?? 1e9) * 10_000
        let isAdded = false
        const only = cart_items.items?.products ?? cart_items.items?.variants ?? []
        const key = `${cart_items.items?.products ? 'product' : 'variant'} ${only[0]}`
        const good = only.length === 1 ? table.stock.get(key) : undefined
        const mayAdd = round === 0 || (rule.condition && usesUp(rule.condition))
        if (good && quantity && cart_items.add_free_item && Number(discount.percentage_amount) === 100 && mayAdd) {
          let number = Math.min(quantity - taken.length, good.available)
          while (number > 0 && sum + number * good.price > maximum) number--
          if (number > 0) {
            give(table, promotion.id, key, number)
            sum += number * good.price
            added += number
            isAdded = true
          }
        }
        if (taken.length === 0 && !isAdded) break
        if (discount.fixed_amount && as_total) together(Math.min(parse(discount.fixed_amount), maximum - sum))
        else {
          for (const tag of taken) {
            const each = discount.fixed_amount
              ? parse(discount.fixed_amount)
              : divided(base(tag), parse(discount.percentage_amount ?? ''), 1_000_000, step)
            sum += take(tag, Math.min(each, tag.left, maximum - sum))
          }
        }
      } else if (fixed_price_set) {
        if (taken.length < fixed_price_set.quantity) break
        together(sumOf(taken.map(({ left }) => left)) - parse(fixed_price_set.fixed_price))
      } else if (gift_item) {
        const key = gift_item.product_id ? `product ${gift_item.product_id}` : `variant ${gift_item.variant_id}`
        if ((table.stock.get(key)?.available ?? 0) < gift_item.quantity) break
        give(table, promotion.id, key, gift_item.quantity)
        added += gift_item.quantity
      } else if (shipping && round === 0) table.offers.push(promotion.id)
      for (const tag of [...ofCondition, ...taken]) used.add(tag)
      rounds++
    }
    if (cart_value && rounds > 0) {
      table.pending.push({ promotion, code, rule, rounds })
      return orderLeft(table) > 0
    }
    return sum > 0 || added > 0 || (shipping !== undefined && rounds > 0)
  }

  const orderLeft = ({ tags }: Table) => sumOf(tags.filter(isOfOrder).map(({ left }) => left))

  function orderAmounts(table: Table) {
    let rest = orderLeft(table)
    const original = sumOf(table.tags.filter(isOfOrder).map(({ price }) => price))
    return table.pending.map(({ promotion, code, rule, rounds }) => {
      const { discount = {}, maximum_allowed_discount_amount: maximum } = rule.action.cart_value ?? {}
      const once = discount.fixed_amount
        ? parse(discount.fixed_amount)
        : divided(isOriginal ? original : rest, parse(discount.percentage_amount ?? ''), 1_000_000, step)
      const amount = Math.min(once * rounds, parse(maximum ?? '90000000'), rest)
      rest -= amount
      return { id: promotion.id, code, amount }
    })
  }

  const worth = (table: Table) =>
    sumOf([...table.taken.values()]) + sumOf(orderAmounts(table).map(({ amount }) => amount)) + table.giftsWorth

  function runPromotion(table: Table, promotion: Promotion, code: string): boolean {
    let isApplied = false
    for (const rule of promotion.rules) {
      if (!runRule(table, promotion, code, rule)) continue
      isApplied = true
      if (rule.stop) break
    }
    if (isApplied) table.applied.push({ promotion, code })
    return isApplied
  }

  let table = fresh()
  let isOver = false
  const automatic = promotions
    .filter(({ redemption_type }) => redemption_type === 'AUTOMATIC')
    .toSorted((one, other) => one.priority - other.priority || one.id - other.id)
  const typed = cart.codes.flatMap(({ code, of }) => {
    const promotion = promotions.find(({ id }) => id === of)
    return promotion ? { promotion, code } : []
  })
  for (const list of [automatic.map((promotion) => ({ promotion, code: '' })), typed]) {
    for (const { promotion, code } of list) {
      if (isOver) break
      const isExclusive = !promotion.can_be_used_with_other_promotions
      if (isExclusive && table.applied.length > 0) {
        const isGreater = promotion.coupon_overrides_automatic_when_offering_higher_discounts
        const mayReplaceAutomatic = isGreater && table.applied.every((one) => one.code === '')
        if (!code || !(promotion.coupon_overrides_other_promotions || mayReplaceAutomatic)) continue
        const alone = fresh()
        if (!runPromotion(alone, promotion, code)) continue
        if (!promotion.coupon_overrides_other_promotions && worth(alone) <= worth(table)) continue
        table = alone
        isOver = true
      } else if (runPromotion(table, promotion, code)) {
        if (isExclusive) isOver = true
        if (promotion.stop) break
      }
    }
  }

  const amounts = orderAmounts(table)
  const left = cart.lines.map((_, i) => sumOf(table.tags.filter(({ line }) => line === i).map((tag) => tag.left)))
  const codes: Record<string, number> = {}
  const addTo = (code: string, amount: number) => {
    if (amount > 0) codes[code] = (codes[code] ?? 0) + amount
  }
  for (const [key, amount] of table.taken) {
    const code = key.split(' ')[2]
    if (code) addTo(code, amount)
  }
  const divide = (among: readonly number[], amount: number) => {
    const whole = sumOf(among.map((i) => left[i] ?? 0))
    const total = Math.min(amount, whole)
    let before = 0
    for (const i of among) {
      const value = left[i] ?? 0
      const share = divided(total, before + value, whole || 1, 1) - divided(total, before, whole || 1, 1)
      before += value
      left[i] = value - share
    }
    return total
  }
  const all = cart.lines.flatMap((line, i) => (line.kind === 'certificate' || line.isAddedByPromotion ? [] : i))
  divide(all, sumOf(amounts.filter(({ code }) => code === '').map(({ amount }) => amount)))
  for (const { code, amount } of amounts) if (code) addTo(code, divide(all, amount))

  const subtotal =
    sumOf(cart.lines.map(({ price, quantity }) => Number(price) * quantity)) -
    sumOf([...table.taken].filter(([key]) => key.endsWith(' ')).map(([, amount]) => amount))
  const costs = cart.consignments.map(({ cost, ...consignment }) => ({ ...consignment, cost: Number(cost) }))
  const costBefore = sumOf(costs.map(({ cost }) => cost))
  for (const { code } of cart.codes) {
    const coupon = coupons.get(code)
    if (!coupon || isOver || subtotal < Number(coupon.min_purchase)) continue
    const { type, applies_to, shipping_methods } = coupon
    const amount = Number(coupon.amount)
    const isFor = (i: number) => {
      const { product_id = 0, categories = [] } = cart.lines[i] ?? {}
      const ids = applies_to?.ids ?? []
      if (applies_to?.entity === 'products') return ids.includes(product_id)
      return ids.includes(0) || ids.some((id) => categories.includes(id))
    }
    const lines = all.filter(
      (i) => table.tags.some((tag) => tag.line === i && isOpen(tag) && tag.price > 0) && isFor(i),
    )
    if (lines.length === 0) continue
    const reduce = (i: number, wanted: number) => {
      const taken = Math.min(left[i] ?? 0, wanted)
      left[i] = (left[i] ?? 0) - taken
      addTo(code, taken)
    }
    if (type === 'per_item_discount') {
      for (const i of lines) {
        reduce(i, sumOf(table.tags.filter(({ line }) => line === i).map((tag) => Math.min(amount, tag.left))))
      }
    } else if (type === 'percentage_discount') {
      for (const i of lines) reduce(i, divided(left[i] ?? 0, amount, 1_000_000, step))
    } else if (type === 'per_total_discount') addTo(code, divide(lines, amount))
    else {
      let rest = amount
      for (const consignment of costs) {
        const { method_id, cost } = consignment
        const isChosen = shipping_methods.length === 0 || (method_id !== null && shipping_methods.includes(method_id))
        const wanted = type === 'shipping_discount' ? Math.min(rest, cost) : isChosen ? cost : 0
        rest -= wanted
        consignment.cost -= wanted
        addTo(code, wanted)
      }
    }
  }
  const ofOrder: Record<string, number> = {}
  for (const { id, code, amount } of amounts) if (!code && amount > 0) ofOrder[id] = (ofOrder[id] ?? 0) + amount
  const effective = new Set([
    ...[...table.taken.keys()].map((key) => Number(key.split(' ')[1])),
    ...amounts.filter(({ amount }) => amount > 0).map(({ id }) => id),
    ...[...table.gifts.keys()].map((key) => Number(key.split(' ')[0])),
    ...table.offers,
  ])
  return {
    items: Object.fromEntries(table.taken),
    left,
    order: ofOrder,
    codes,
    shipping: costBefore - sumOf(costs.map(({ cost }) => cost)),
    gifts: Object.fromEntries(table.gifts),
    offers: table.offers,
    applied: [...effective].sort((one, other) => one - other),
  }
}
