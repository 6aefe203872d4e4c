import t, { type Static } from 'typebox'
import { Id } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { itemReader } from '../../../core/rest/input/validator.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type {
  CartCondition,
  ItemMatcher,
  PromotionAction,
  PromotionCustomer,
  PromotionRule,
  SegmentMatcher,
} from '../engine/promotion.ts'

// The rules of a promotion as bodies spell them. A tree of `and`, `or` and `not` is read node by node, since a schema of all levels
// would have thousands of parts (docs/contract/promotions.md section 3).

/** The engine refuses operators that are nested deeper. */
const LEVELS_MAX = 3
const RULES_MAX = 50
const TEXTS_MAX = 10

const Node = t.Unsafe<object>({ type: 'object', additionalProperties: true })
const operators = {
  and: t.Optional(t.Array(Node)),
  or: t.Optional(t.Array(Node)),
  not: t.Optional(Node),
}
const Named = t.String({ minLength: 1, maxLength: 255 })
const Named10 = t.Array(Named, { minItems: 1, maxItems: TEXTS_MAX })
const Ids = t.Optional(t.Array(Id))

const Matcher = t.Object(
  {
    brands: Ids,
    categories: Ids,
    products: Ids,
    variants: Ids,
    product_option: t.Optional(t.Object({ type: t.Optional(t.Enum(['string_match'])), name: Named, values: Named10 })),
    product_custom_field: t.Optional(t.Object({ name: Named, values: Named10 })),
    ...operators,
  },
  {
    title: 'PromotionItemMatcher',
    description: 'Exactly one key. `and`, `or` and `not` have such matchers, up to three levels',
  },
)

/** An amount as text; numbers are taken too. */
const AmountText = t.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 40, description: 'An amount' })
const Quantity = t.Integer({ minimum: 1, maximum: 2_147_483_647 })

const Condition = t.Object(
  {
    cart: t.Optional(
      t.Object({
        items: t.Optional(Matcher),
        minimum_spend: t.Optional(AmountText),
        minimum_quantity: t.Optional(Quantity),
      }),
    ),
    ...operators,
  },
  {
    title: 'PromotionCondition',
    description: 'Exactly one key. `and`, `or` and `not` have such conditions, up to three levels',
  },
)

const Discount = t.Object(
  { fixed_amount: t.Optional(AmountText), percentage_amount: t.Optional(AmountText) },
  { title: 'PromotionDiscount', description: 'Exactly one of both' },
)
const Cap = t.Optional(
  t.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 40, description: '1 to 10000000' }),
)
const Strategy = t.Enum(['LEAST_EXPENSIVE', 'LEAST_EXPENSIVE_ONLY', 'MOST_EXPENSIVE', 'MOST_EXPENSIVE_ONLY'])
const selection = {
  items: t.Optional(Matcher),
  strategy: t.Optional(Strategy),
  exclude_items_on_sale: t.Optional(t.Boolean()),
  include_items_considered_by_condition: t.Optional(t.Boolean()),
}

const Action = t.Object(
  {
    cart_items: t.Optional(
      t.Object({
        discount: Discount,
        maximum_allowed_discount_amount: Cap,
        as_total: t.Optional(t.Boolean()),
        quantity: t.Optional(Quantity),
        add_free_item: t.Optional(t.Boolean()),
        ...selection,
      }),
    ),
    cart_value: t.Optional(t.Object({ discount: Discount, maximum_allowed_discount_amount: Cap })),
    gift_item: t.Optional(t.Object({ quantity: Quantity, product_id: t.Optional(Id), variant_id: t.Optional(Id) })),
    fixed_price_set: t.Optional(t.Object({ quantity: Quantity, fixed_price: AmountText, ...selection })),
    shipping: t.Optional(
      t.Object({
        free_shipping: t.Boolean(),
        zone_ids: t.Unsafe<'*' | number[]>({ description: '`*` for all zones, or ids of zones' }),
      }),
    ),
  },
  { title: 'PromotionAction', description: 'Exactly one key' },
)

const Rule = t.Object(
  {
    action: Action,
    apply_once: t.Optional(t.Boolean()),
    stop: t.Optional(t.Boolean()),
    condition: t.Optional(t.Union([Condition, t.Null()])),
  },
  { title: 'PromotionRule' },
)
type RuleBody = Static<typeof Rule>

export const Rules = t.Array(Rule, { minItems: 1, maxItems: RULES_MAX })

const Segments = t.Object(
  { id: t.Optional(t.Array(t.String({ maxLength: 36 }), { minItems: 1, maxItems: 1_000 })), ...operators },
  {
    title: 'PromotionSegments',
    description: 'Exactly one key. `and`, `or` and `not` have such objects, up to three levels',
  },
)

/** The customers of a promotion, as bodies spell them. */
export const Customers = t.Object(
  {
    group_ids: t.Optional(t.Array(t.Integer({ minimum: 0, maximum: 2_147_483_647 }), { maxItems: 1_000 })),
    excluded_group_ids: t.Optional(t.Array(t.Integer({ minimum: 0, maximum: 2_147_483_647 }), { maxItems: 1_000 })),
    minimum_order_count: t.Optional(t.Integer({ minimum: 0, maximum: 1_000_000 })),
    segments: t.Optional(t.Union([Segments, t.Null()])),
  },
  { title: 'PromotionCustomers' },
)

/** Reads rules with their defaults. Nodes of trees that have a wrong shape are recorded among the mistakes. */
export const readRules = (rules: readonly RuleBody[], mistakes: Mistakes): PromotionRule[] =>
  rules.map((rule, i) => {
    const at = `rules.${i}`
    const condition = rule.condition && readCondition(rule.condition, `${at}.condition`, mistakes)
    return {
      action: readAction(rule.action, `${at}.action`, mistakes),
      apply_once: rule.apply_once ?? true,
      stop: rule.stop ?? false,
      ...(condition ? { condition } : {}),
    }
  })

/** Reads the customers of a promotion with their defaults. */
export const readCustomers = (
  { group_ids = [], excluded_group_ids = [], minimum_order_count = 0, segments = null }: Static<typeof Customers>,
  mistakes: Mistakes,
): PromotionCustomer => ({
  group_ids,
  minimum_order_count,
  excluded_group_ids,
  segments: segments && readSegments(segments, mistakes),
})

function readAction(action: RuleBody['action'], at: string, mistakes: Mistakes): PromotionAction {
  const { cart_items, cart_value, gift_item, fixed_price_set, shipping } = action
  return {
    ...(cart_items ? { cart_items: readCartItems(cart_items, `${at}.cart_items`, mistakes) } : {}),
    ...(cart_value ? { cart_value: { discount: readDiscount(cart_value.discount), ...capOf(cart_value) } } : {}),
    ...(gift_item ? { gift_item } : {}),
    ...(fixed_price_set ? { fixed_price_set: readSet(fixed_price_set, `${at}.fixed_price_set`, mistakes) } : {}),
    ...(shipping ? { shipping: { ...shipping, zone_ids: readZones(shipping.zone_ids, at, mistakes) } } : {}),
  }
}

type Body<Kind extends keyof PromotionAction> = NonNullable<RuleBody['action'][Kind]>
type Read<Kind extends keyof PromotionAction> = NonNullable<PromotionAction[Kind]>

function readCartItems(
  { items, maximum_allowed_discount_amount, discount, ...fields }: Body<'cart_items'>,
  at: string,
  mistakes: Mistakes,
): Read<'cart_items'> {
  return {
    strategy: 'LEAST_EXPENSIVE',
    add_free_item: true,
    as_total: false,
    include_items_considered_by_condition: false,
    exclude_items_on_sale: false,
    ...fields,
    discount: readDiscount(discount),
    ...capOf({ maximum_allowed_discount_amount }),
    ...(items ? { items: readMatcher(items, `${at}.items`, mistakes) } : {}),
  }
}

function readSet(
  { items, fixed_price, ...fields }: Body<'fixed_price_set'>,
  at: string,
  mistakes: Mistakes,
): Read<'fixed_price_set'> {
  return {
    strategy: 'LEAST_EXPENSIVE',
    include_items_considered_by_condition: true,
    exclude_items_on_sale: false,
    ...fields,
    fixed_price: String(fixed_price),
    ...(items ? { items: readMatcher(items, `${at}.items`, mistakes) } : {}),
  }
}

const readDiscount = ({ fixed_amount, percentage_amount }: Static<typeof Discount>) => ({
  ...(fixed_amount === undefined ? {} : { fixed_amount: String(fixed_amount) }),
  ...(percentage_amount === undefined ? {} : { percentage_amount: String(percentage_amount) }),
})

const capOf = ({
  maximum_allowed_discount_amount: cap,
}: {
  maximum_allowed_discount_amount?: string | number | null | undefined
}) => (cap === undefined ? {} : { maximum_allowed_discount_amount: cap === null ? null : String(cap) })

function readZones(zones: unknown, at: string, mistakes: Mistakes): '*' | number[] {
  if (zones === '*') return zones
  const isList = Array.isArray(zones) && zones.length > 0 && zones.length <= 1_000
  const ids = isList ? zones.filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647) : []
  if (isList && ids.length === zones.length) return [...new Set<number>(ids)]
  mistakes[`${at}.shipping.zone_ids`] = 'zone_ids must be * or a list of ids of shipping zones.'
  return []
}

const matcherReader = itemReader(Matcher)
const conditionReader = itemReader(Condition)
const segmentsReader = itemReader(Segments)

const readMatcher = (matcher: Static<typeof Matcher>, at: string, mistakes: Mistakes): ItemMatcher =>
  readTree<Static<typeof Matcher>, ItemMatcher>(matcher, at, {
    read: matcherReader,
    mistakes,
    toNode: ({ product_option, ...leaf }, nested) => ({
      ...leaf,
      ...(product_option ? { product_option: { ...product_option, type: 'string_match' } } : {}),
      ...nested,
    }),
  })

const readCondition = (condition: Static<typeof Condition>, at: string, mistakes: Mistakes): CartCondition =>
  readTree<Static<typeof Condition>, CartCondition>(condition, at, {
    read: conditionReader,
    mistakes,
    toNode({ cart }, nested, path) {
      if (!cart) return nested
      const { items, minimum_spend, ...minimum } = cart
      return {
        cart: {
          ...minimum,
          ...(items ? { items: readMatcher(items, `${path}.cart.items`, mistakes) } : {}),
          ...(minimum_spend === undefined ? {} : { minimum_spend: String(minimum_spend) }),
        },
        ...nested,
      }
    },
  })

const readSegments = (segments: Static<typeof Segments>, mistakes: Mistakes): SegmentMatcher =>
  readTree<Static<typeof Segments>, SegmentMatcher>(segments, 'customer.segments', {
    read: segmentsReader,
    mistakes,
    toNode: (leaf, nested) => ({ ...leaf, ...nested }),
  })

interface Nested<Node> {
  and?: Node[]
  or?: Node[]
  not?: Node
}

interface TreeReader<Body, Node> {
  /** @throws Problem 422 */
  read(node: object): Body
  mistakes: Mistakes
  /** Makes a node of its own keys and of the nodes below it. */
  toNode(keys: Omit<Body, keyof Nested<unknown>>, nested: Nested<Node>, path: string): Node
}

/** Reads a node of a tree that has its shape, and the nodes below it. */
function readTree<Body extends Nested<object>, Node>(
  body: Body,
  at: string,
  reader: TreeReader<Body, Node>,
  level = 1,
): Node {
  const { and, or, not, ...keys } = body
  const child = (node: object, path: string): Node[] => {
    if (level > LEVELS_MAX) {
      reader.mistakes[at] = `At most ${LEVELS_MAX} levels of and, or and not are allowed.`
      return []
    }
    const read = readNode(node, path, reader)
    return read ? [readTree(read, path, reader, level + 1)] : []
  }
  const children = (nodes: readonly object[], key: string) =>
    nodes.flatMap((node, i) => child(node, `${at}.${key}.${i}`))
  const [negated] = not ? child(not, `${at}.not`) : []
  const nested = {
    ...(and ? { and: children(and, 'and') } : {}),
    ...(or ? { or: children(or, 'or') } : {}),
    ...(negated ? { not: negated } : {}),
  }
  return reader.toNode(keys, nested, at)
}

/** @returns undefined if the node has a wrong shape */
function readNode<Body>(
  node: object,
  path: string,
  { read, mistakes }: Pick<TreeReader<Body, unknown>, 'read' | 'mistakes'>,
) {
  try {
    return read(node)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    for (const [field, sentence] of Object.entries(error.errors)) mistakes[`${path}.${field}`] = sentence
    return undefined
  }
}
