import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { collection, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { change, findBelow, insert, lock, pick, remove } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touchProduct } from '../product-row/shape.ts'
import {
  findSubResources,
  lockSubResource,
  type Replacement,
  refuseOverMaximum,
  replaceSubResources,
  subResourcesOf,
} from './sub-resource.ts'

const BULK_PRICING_RULES_MAX = 250
const PERCENT_MAX = 100

const { read, write } = access('catalog')

const Quantity = t.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** The discount of a shopper who buys from quantity_min to quantity_max units. A quantity_max of 0 is no upper bound. */
const BulkPricingRule = t.Object({
  id: Id,
  quantity_min: Quantity,
  quantity_max: Quantity,
  type: t.Enum(['price', 'percent', 'fixed']),
  amount: Amount(),
})
type BulkPricingRule = Static<typeof BulkPricingRule>
type Terms = Omit<BulkPricingRule, 'id'>

const { quantity_min, quantity_max, type, amount } = BulkPricingRule.properties
const Changes = t.Partial(t.Object({ quantity_min, quantity_max, type, amount }), {
  title: 'BulkPricingRuleChanges',
  examples: [{ amount: 12.5 }],
})
const NewRule = t.Object(
  { quantity_min, quantity_max, type, amount },
  { title: 'NewBulkPricingRule', examples: [{ quantity_min: 10, quantity_max: 19, type: 'percent', amount: 10 }] },
)
const RuleItem = t.Object({ ...NewRule.properties, id: t.Optional(Id) }, { title: 'BulkPricingRuleItem' })

/** The list in the body of a new product. */
export const NewBulkPricingRules = t.Array(NewRule, { maxItems: BULK_PRICING_RULES_MAX })
/** The list in the body of a changed product. */
export const BulkPricingRuleItems = t.Array(RuleItem, { maxItems: BULK_PRICING_RULES_MAX })

export const bulkPricingRules = collection('bulk_pricing_rules', BulkPricingRule, {
  noun: 'bulk pricing rule',
  filters: '',
  order: 'quantity_min',
  hidden: ['product_id'],
})

/** The five operations of a product's bulk pricing rules (docs/contract/product-parts.md section 4). */
export function bulkPricingRuleRoutes(app: Api) {
  const list = `/catalog/products/${idSegment('product_id')}/bulk-pricing-rules`
  const one = `${list}/${idSegment('bulk_pricing_rule_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, bulk_pricing_rule_id: Id })

  app.get(
    list,
    {
      ...read,
      schema: { summary: 'List the bulk pricing rules of a product', params: ofProduct, ...bulkPricingRules.list },
    },
    ({ db, params, query }) => findSubResources(db, bulkPricingRules, params.product_id, query),
  )

  app.post(
    list,
    {
      ...write,
      schema: {
        summary: 'Create a bulk pricing rule',
        params: ofProduct,
        body: NewRule,
        ...bulkPricingRules.answersOne,
      },
    },
    async ({ db, params, body }) => {
      refuse(mistakesOf(body, ''))
      return answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          refuseClash(body, await subResourcesOf(tx, bulkPricingRules, product))
          const { rule } = await tx.together(() => ({
            rule: insert(tx, bulkPricingRules, bulkPricingRuleRow(product, body)),
            limit: refuseOverMaximum(tx, bulkPricingRules, product, BULK_PRICING_RULES_MAX),
            product: touchProduct(tx, product),
          }))
          return rule
        }),
      )
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a bulk pricing rule', params, ...bulkPricingRules.one } },
    async ({ db, params: { product_id, bulk_pricing_rule_id }, query }) =>
      answer(
        pick(bulkPricingRules, await findBelow(db, bulkPricingRules, { product_id }, bulk_pricing_rule_id), query),
      ),
  )

  app.put(
    one,
    {
      ...write,
      schema: { summary: 'Change a bulk pricing rule', params, body: Changes, ...bulkPricingRules.answersOne },
    },
    async ({ db, params: { product_id, bulk_pricing_rule_id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const [product, rule] = await lockSubResource(tx, bulkPricingRules, product_id, bulk_pricing_rule_id)
          const terms = { ...rule, ...body }
          refuse(mistakesOf(terms, ''))
          const others = (await subResourcesOf(tx, bulkPricingRules, product)).filter(({ id }) => id !== rule.id)
          refuseClash(terms, others)
          const changed = await change(tx, bulkPricingRules, rule, body)
          if (changed !== rule) await touchProduct(tx, product)
          return changed
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a bulk pricing rule', params } },
    async ({ db, params: { product_id, bulk_pricing_rule_id } }) => {
      await db.transaction(async (tx) => {
        const [product, rule] = await lockSubResource(tx, bulkPricingRules, product_id, bulk_pricing_rule_id)
        await remove(tx, bulkPricingRules, rule.id)
        await touchProduct(tx, product)
      })
      return noContent()
    },
  )
}

/** The row of a new rule, without its id. */
export const bulkPricingRuleRow = (product: RowWithId, { quantity_min, quantity_max, type, amount }: Terms) => ({
  product_id: product.id,
  quantity_min,
  quantity_max,
  type,
  amount,
})

/**
 * @throws Problem 422 for a type that the other rules do not have, 409 for quantities that overlap with those of another rule
 */
function refuseClash(terms: Terms, others: readonly Terms[]) {
  const [other] = others
  if (other && other.type !== terms.type) throw invalid({ type: oneType(other) })
  if (others.some((rule) => overlap(rule, terms))) throw new Problem(409, OVERLAP, { quantity_min: OVERLAP })
}

/** The mistakes of the bulk pricing rules in the body of a product. */
export function bulkPricingRuleMistakes(rules: readonly Terms[], path: string): Mistakes {
  const mistakes: Mistakes = {}
  const [first] = rules
  for (const [i, rule] of rules.entries()) {
    Object.assign(mistakes, mistakesOf(rule, `${path}.${i}.`))
    if (first && first.type !== rule.type) mistakes[`${path}.${i}.type`] = oneType(first)
    const isTaken = rules.slice(0, i).some((before) => overlap(before, rule))
    if (isTaken) mistakes[`${path}.${i}.quantity_min`] = OVERLAP
  }
  return mistakes
}

function mistakesOf({ quantity_min, quantity_max, type, amount }: Terms, at: string): Mistakes {
  const mistakes: Mistakes = {}
  if (quantity_max !== 0 && quantity_max < quantity_min) {
    mistakes[`${at}quantity_max`] =
      `quantity_max must be 0, for no upper bound, or at least quantity_min, not ${quantity_max}.`
  }
  if (type === 'percent' && amount > PERCENT_MAX) {
    mistakes[`${at}amount`] = `amount must be at most ${PERCENT_MAX} percent, not ${amount}.`
  }
  return mistakes
}

const OVERLAP = 'The quantities overlap with those of another bulk pricing rule of this product.'
const oneType = ({ type }: Terms) => `All bulk pricing rules of a product have one type, which is ${type}.`

const endOf = ({ quantity_max }: Terms) => (quantity_max === 0 ? Number.POSITIVE_INFINITY : quantity_max)

const overlap = (one: Terms, other: Terms) => one.quantity_min <= endOf(other) && other.quantity_min <= endOf(one)

/** Replaces the bulk pricing rules of a product by a list. @returns whether anything has changed */
export const replaceBulkPricingRules = (tx: Tx, list: Replacement<Static<typeof RuleItem>>) =>
  replaceSubResources(tx, bulkPricingRules, list, (item) => bulkPricingRuleRow(list.product, item))
