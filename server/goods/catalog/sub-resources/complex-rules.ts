import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, answerJson, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { Id, idSegment, nullable, SortOrder } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, type FieldsQuery, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { type Inclusions, included, withInclusions } from '../../../core/rest/lists/pages/inclusions.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import {
  asksFor,
  change,
  findBelow,
  findOne,
  findWhere,
  insertAll,
  lock,
  pick,
  removeAll,
  takeIds,
} from '../../../core/rest/lists/verbs.ts'
import { ImageUrl } from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touchProduct } from '../product-row/shape.ts'
import { lockSubResource, refuseOverMaximum } from './sub-resource.ts'

const COMPLEX_RULES_MAX = 1_000
const CONDITIONS_MAX = 50
const VALUE_MAX = 99_999_999_999

const { read, write } = access('catalog')

const Adjuster = t.Object({
  adjuster: t.Unsafe<'relative' | 'percentage' | null>({ enum: ['relative', 'percentage', null] }),
  adjuster_value: Amount({ minimum: -VALUE_MAX }),
})
const Condition = t.Object({
  id: Id,
  rule_id: Id,
  modifier_id: nullable(Id),
  modifier_value_id: nullable(Id),
  variant_id: nullable(Id),
})

/** A rule that applies when the choices of a shopper meet all its conditions. */
const ComplexRule = t.Object({
  id: Id,
  product_id: Id,
  sort_order: SortOrder,
  enabled: t.Boolean(),
  stop: t.Boolean(),
  purchasing_disabled: t.Boolean(),
  purchasing_disabled_message: t.String({ maxLength: 255 }),
  purchasing_hidden: t.Boolean(),
  image_url: ImageUrl,
  price_adjuster: Adjuster,
  weight_adjuster: Adjuster,
})
type ComplexRule = Static<typeof ComplexRule>

const { id: _, product_id: __, price_adjuster, weight_adjuster, ...plain } = ComplexRule.properties
const ConditionInput = t.Partial(t.Omit(Condition, ['id', 'rule_id']))
type ConditionInput = Static<typeof ConditionInput>
const input = t.Partial(
  t.Object({
    ...plain,
    price_adjuster: t.Partial(price_adjuster),
    weight_adjuster: t.Partial(weight_adjuster),
    conditions: t.Array(ConditionInput, { maxItems: CONDITIONS_MAX }),
  }),
)
const NewRule = t.Object(input.properties, {
  title: 'NewComplexRule',
  examples: [{ sort_order: 1, price_adjuster: { adjuster: 'relative', adjuster_value: 5 }, conditions: [] }],
})
const Changes = t.Object(input.properties, { title: 'ComplexRuleChanges', examples: [{ enabled: false }] })
type Changes = Static<typeof Changes>

export const complexRules = collection('complex_rules', ComplexRule, {
  noun: 'complex rule',
  filters: '',
  order: 'sort_order',
  hidden: ['conditions_key'],
  parts: { conditions: t.Array(Condition) },
  conflicts: { complex_rules_unique: ['This product already has a complex rule with these conditions.', 'conditions'] },
})

export const complexRuleConditions = collection('complex_rule_conditions', Condition, {
  noun: 'condition',
  filters: '',
  hidden: ['product_id'],
})

/** Includes the conditions of rules if the query asks for them. */
const conditionsFor = (query: FieldsQuery): Inclusions =>
  asksFor(query, 'conditions') ? { conditions: included(complexRuleConditions, 'rule_id') } : {}

const blank = {
  sort_order: 0,
  enabled: true,
  stop: false,
  purchasing_disabled: false,
  purchasing_disabled_message: '',
  purchasing_hidden: false,
  image_url: '' as const,
  price_adjuster: { adjuster: null, adjuster_value: 0 },
  weight_adjuster: { adjuster: null, adjuster_value: 0 },
}

/** The five operations of a product's complex rules (docs/contract/product-parts.md section 7). */
export function complexRuleRoutes(app: Api) {
  const list = `/catalog/products/${idSegment('product_id')}/complex-rules`
  const one = `${list}/${idSegment('complex_rule_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, complex_rule_id: Id })

  app.get(
    list,
    { ...read, schema: { summary: 'List the complex rules of a product', params: ofProduct, ...complexRules.list } },
    async ({ db, params, query }) => {
      const { id } = await findOne(db, products, params.product_id)
      return findPage(db, complexRules, query, { where: sql`product_id = ${id}`, inclusions: conditionsFor(query) })
    },
  )

  app.post(
    list,
    {
      ...write,
      schema: { summary: 'Create a complex rule', params: ofProduct, body: NewRule, ...complexRules.answersOne },
    },
    async ({ db, params, body: { conditions: given = [], ...values } }) => {
      validateConditions(given)
      return answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          await refuseUnknownReferences(tx, product, given)
          const taken = await takeIds(tx, [
            [complexRules, 1],
            [complexRuleConditions, given.length],
          ])
          const row = merged({ ...blank, product_id: product.id }, values)
          const rule = { ...row, id: taken.next(complexRules), conditions_key: keyOfConditions(given) }
          const [stored] = await insertAll(tx, complexRules, [rule])
          const conditions = await insertConditions(tx, rule, given, taken.next(complexRuleConditions, given.length))
          await refuseOverMaximum(tx, complexRules, product, COMPLEX_RULES_MAX)
          await touchProduct(tx, product)
          return { ...stored, conditions }
        }),
      )
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a complex rule', params, ...complexRules.one } },
    async ({ db, params: { product_id, complex_rule_id }, query }) => {
      const rule = await findBelow(db, complexRules, { product_id }, complex_rule_id)
      const shown = await withInclusions(db, [rule], (row) => pick(complexRules, row, query), conditionsFor(query))
      return answerJson(shown.join())
    },
  )

  app.put(
    one,
    { ...write, schema: { summary: 'Change a complex rule', params, body: Changes, ...complexRules.answersOne } },
    async ({ db, params: { product_id, complex_rule_id }, body: { conditions: given, ...values } }) => {
      validateConditions(given ?? [])
      return answer(
        await db.transaction(async (tx) => {
          const [product, rule] = await lockSubResource(tx, complexRules, product_id, complex_rule_id)
          const before = await conditionsOf(tx, rule)
          const isOther = given !== undefined && keyOfConditions(given) !== keyOfConditions(before)
          if (isOther) await refuseUnknownReferences(tx, product, given)
          const changed = await change(tx, complexRules, rule, {
            ...merged(rule, values),
            ...(isOther ? { conditions_key: keyOfConditions(given) } : {}),
          })
          if (changed !== rule) await touchProduct(tx, product)
          return { ...changed, conditions: isOther ? await replaceConditions(tx, rule, given) : before }
        }),
      )
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a complex rule', params } },
    async ({ db, params: { product_id, complex_rule_id } }) => {
      await db.transaction(async (tx) => {
        const [product, rule] = await lockSubResource(tx, complexRules, product_id, complex_rule_id)
        await removeRules(tx, [rule.id])
        await touchProduct(tx, product)
      })
      return noContent()
    },
  )
}

/** Merges changes into a rule. A change may have one half of an adjuster. */
function merged<R extends Omit<ComplexRule, 'id'>>(
  rule: R,
  { price_adjuster, weight_adjuster, ...values }: Omit<Changes, 'conditions'>,
) {
  return {
    ...rule,
    ...values,
    price_adjuster: { ...rule.price_adjuster, ...price_adjuster },
    weight_adjuster: { ...rule.weight_adjuster, ...weight_adjuster },
  }
}

/** A condition as text. Equal conditions have equal texts. */
const keyOfCondition = ({ modifier_id, modifier_value_id, variant_id }: ConditionInput) =>
  variant_id == null ? `${modifier_id}:${modifier_value_id}` : `v${variant_id}`

/** The key of the conditions. A unique rule allows each set of conditions once in a product. */
const keyOfConditions = (conditions: readonly ConditionInput[]) => conditions.map(keyOfCondition).sort().join(' ')

/** @throws Problem 422 for conditions that name nothing, half of a pair or two things, and for repeated conditions */
function validateConditions(conditions: readonly ConditionInput[]) {
  const mistakes: Mistakes = repeated(
    conditions,
    keyOfCondition,
    (i) => `conditions.${i}`,
    'This condition is repeated.',
  )
  for (const [i, { modifier_id, modifier_value_id, variant_id }] of conditions.entries()) {
    const names = [modifier_id, modifier_value_id, variant_id].map((id) => (id == null ? '-' : 'x')).join('')
    if (names !== 'xx-' && names !== '--x') {
      mistakes[`conditions.${i}`] = 'A condition names a modifier_id and one of its modifier_value_id, or a variant_id.'
    }
  }
  refuse(mistakes)
}

/** @throws Problem 422 for variants, modifiers and values of another product */
async function refuseUnknownReferences(tx: Tx, product: RowWithId, conditions: readonly ConditionInput[]) {
  if (conditions.length === 0) return
  const found = await tx.rows<{ key: string }>(sql`
    select 'v' || id as key from variants
    where store_id = ${tx.store.id} and product_id = ${product.id}
      and id = any(${conditions.map(({ variant_id }) => variant_id ?? null)}::int[])
    union all
    select option_id || ':' || id from modifier_values
    where store_id = ${tx.store.id} and product_id = ${product.id}
      and id = any(${conditions.map(({ modifier_value_id }) => modifier_value_id ?? null)}::int[])`)
  const keys = new Set(found.map(({ key }) => key))
  const mistakes: Mistakes = {}
  for (const [i, condition] of conditions.entries()) {
    if (!keys.has(keyOfCondition(condition))) {
      mistakes[`conditions.${i}`] =
        condition.variant_id == null
          ? `This product has no modifier ${condition.modifier_id} with a value ${condition.modifier_value_id}.`
          : `This product has no variant ${condition.variant_id}.`
    }
  }
  refuse(mistakes)
}

const conditionsOf = (tx: Tx, rule: RowWithId) => findWhere(tx, complexRuleConditions, sql`rule_id = ${rule.id}`)

const insertConditions = (
  tx: Tx,
  rule: Pick<ComplexRule, 'id' | 'product_id'>,
  given: readonly ConditionInput[],
  first: number,
) =>
  insertAll(
    tx,
    complexRuleConditions,
    given.map(({ modifier_id = null, modifier_value_id = null, variant_id = null }, i) => ({
      id: first + i,
      rule_id: rule.id,
      product_id: rule.product_id,
      modifier_id,
      modifier_value_id,
      variant_id,
    })),
  )

async function replaceConditions(tx: Tx, rule: ComplexRule, given: readonly ConditionInput[]) {
  const taken = await takeIds(tx, [[complexRuleConditions, given.length]])
  await removeAll(tx, complexRuleConditions, sql`rule_id = ${rule.id}`)
  return insertConditions(tx, rule, given, taken.next(complexRuleConditions, given.length))
}

/** Deletes rules with their conditions. The counter of the conditions is locked first. */
async function removeRules(tx: Tx, ids: readonly number[]) {
  await removeAll(tx, complexRuleConditions, sql`rule_id = any(${ids})`)
  await removeAll(tx, complexRules, sql`id = any(${ids})`)
}

/** The ids of modifiers, values and variants of one product that are being deleted. */
interface Deletion {
  modifiers?: readonly number[]
  modifierValues?: readonly number[]
  variants?: readonly number[]
}

/** Deletes the rules with a condition on deleted rows, because nobody could meet it again. Publishes no event. */
export async function deleteComplexRulesOn(
  tx: Tx,
  product: RowWithId,
  { modifiers = [], modifierValues = [], variants = [] }: Deletion,
) {
  const rules = await tx.rows<{ rule_id: number }>(sql`
    select distinct rule_id from complex_rule_conditions
    where store_id = ${tx.store.id} and product_id = ${product.id} and (
      modifier_id = any(${modifiers}) or modifier_value_id = any(${modifierValues}) or variant_id = any(${variants}))`)
  const ids = rules.map(({ rule_id }) => rule_id)
  if (ids.length > 0) await removeRules(tx, ids)
}
