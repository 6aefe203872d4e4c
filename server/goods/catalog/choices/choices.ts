import { isDeepStrictEqual } from 'node:util'
import t, { type TUnsafe } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { answer, answerJson, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { Collection, FieldsQuery } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { withArticle } from '../../../core/rest/lists/operation-names.ts'
import { type Inclusion, type Inclusions, included, withInclusions } from '../../../core/rest/lists/pages/inclusions.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import {
  asksFor,
  change,
  findBelow,
  findOne,
  findWhere,
  insertAll,
  insertOne,
  lock,
  pick,
  remove,
  removeAll,
  takeIds,
} from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type Product, products, touchProduct } from '../product-row/shape.ts'
import {
  type ChoiceConfig,
  type ChoiceConfigInput,
  type ChoiceType,
  type ChoiceValue,
  checkboxValues,
  isChecked,
  mergeConfig,
  productsNamed,
  putValue,
  replaceValues,
  VALUES_MAX,
  type ValueDraft,
  type ValueInput,
  type ValueRules,
} from './rules.ts'

const { read, write } = access('catalog')

/** A choice of a product: an option or a modifier, as both are stored. */
export interface Choice {
  id: number
  product_id: number
  name: string
  display_name: string
  type: ChoiceType
  config: ChoiceConfig
  sort_order: number
}

/** A choice and its product, which is locked. */
interface OwnedChoice {
  product: Product
  choice: Choice
}

/** The fields of a choice in a request, without those that only one family has. */
export interface ChoiceChanges {
  display_name?: string
  type?: ChoiceType
  config?: ChoiceConfigInput
  sort_order?: number
  option_values?: ValueInput[]
}
export type NewChoice = ChoiceChanges & Required<Pick<ChoiceChanges, 'display_name' | 'type'>>

/** A value before and after a change. */
type ChangedValue = readonly [before: ChoiceValue, now: ChoiceValue]

/** The changes of the values of a choice. */
interface ValueOutcome {
  /** Ids in the order of the request. */
  added: readonly number[]
  gone: readonly number[]
  changed: readonly ChangedValue[]
}

/** The changes of a choice. `now` is undefined if the choice was deleted with its values. */
export interface ChoiceOutcome extends ValueOutcome {
  before: Choice
  now: Choice | undefined
}

/** The facts in which options and modifiers differ. */
export interface ChoiceFamily {
  noun: 'option' | 'modifier'
  /** The type in the event of the contract. */
  eventType: 'local_option' | 'shared_modifier'
  choices: Collection<Choice>
  values: Collection<ChoiceValue>
  bodies: {
    choice: TUnsafe<NewChoice>
    choiceChanges: TUnsafe<ChoiceChanges>
    value: TUnsafe<ValueInput>
    valueChanges: TUnsafe<ValueInput>
  }
  /** The defaults of a new choice. */
  blank: object
  needsValues: boolean
  /** The counters that a deletion of a choice or value changes, in the order in which all transactions lock them. */
  counters: readonly string[]
  /** Changes the rows that depend on a choice and its values. */
  follow(tx: Tx, product: Product, outcome: ChoiceOutcome): Promise<void>
}

/**
 * The options or the modifiers of products, and their values: five operations each (docs/contract/catalog.md section 2,
 * docs/contract/options.md). Every change locks the product, so that changes of its choices run one after another.
 */
export function choiceRoutes(app: Api, family: ChoiceFamily) {
  const { noun, choices, values, bodies } = family
  const choice_id = `${noun}_id`
  const list = `/catalog/products/${idSegment('product_id')}/${noun}s`
  const one = `${list}/${idSegment(choice_id)}`
  const valueList = `${one}/values`
  const oneValue = `${valueList}/${idSegment('value_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const ofChoice = t.Unsafe<Record<string, number> & { product_id: number }>(
    t.Object({ product_id: Id, [choice_id]: Id }),
  )
  const ofValue = t.Unsafe<Record<string, number> & { product_id: number; value_id: number }>(
    t.Object({ product_id: Id, [choice_id]: Id, value_id: Id }),
  )
  const partsOf = (query: FieldsQuery): Inclusions =>
    asksFor(query, 'option_values') ? { option_values: included(values, 'option_id') } : {}

  /** Changes one choice of a product, with the product locked. @throws Problem 404 */
  const changing = <T>(
    db: Db,
    params: Record<string, number> & { product_id: number },
    work: (tx: Tx, of: OwnedChoice) => Promise<T>,
  ) =>
    db.transaction(async (tx) => {
      const product = await lock(tx, products, params.product_id)
      return work(tx, { product, choice: await choiceOf(tx, params) })
    })
  const choiceOf = (db: Db, params: Record<string, number> & { product_id: number }) =>
    findBelow(db, choices, { product_id: params.product_id }, Number(params[choice_id]))

  app.get(
    list,
    { ...read, schema: { summary: `List the ${noun}s of a product`, params: ofProduct, ...choices.list } },
    async ({ db, params, query }) => {
      const { id } = await findOne(db, products, params.product_id)
      return findPage(db, choices, query, { where: sql`product_id = ${id}`, inclusions: partsOf(query) })
    },
  )

  app.post(
    list,
    {
      ...write,
      schema: {
        summary: `Create ${withArticle(noun)} of a product`,
        params: ofProduct,
        body: bodies.choice,
        ...choices.answersOne,
      },
    },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => createChoice(tx, family, await lock(tx, products, params.product_id), body)),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: `Get ${withArticle(noun)} of a product`, params: ofChoice, ...choices.one } },
    async ({ db, params, query }) => {
      const choice = await choiceOf(db, params)
      const shown = await withInclusions(db, [choice], (row) => pick(choices, row, query), partsOf(query))
      return answerJson(shown.join())
    },
  )

  app.put(
    one,
    {
      ...write,
      schema: {
        summary: `Change ${withArticle(noun)} of a product`,
        description:
          'A list of values replaces all values: a missing one is deleted with its variants and complex rules.',
        params: ofChoice,
        body: bodies.choiceChanges,
        ...choices.answersOne,
      },
    },
    async ({ db, params, body }) => answer(await changing(db, params, (tx, of) => changeChoice(tx, family, of, body))),
  )

  app.delete(
    one,
    { ...write, schema: { summary: `Delete ${withArticle(noun)} of a product`, params: ofChoice } },
    async ({ db, params }) => {
      await changing(db, params, (tx, of) => deleteChoice(tx, family, of))
      return noContent()
    },
  )

  app.get(
    valueList,
    { ...read, schema: { summary: `List the values of ${withArticle(noun)}`, params: ofChoice, ...values.list } },
    async ({ db, params, query }) => {
      const { id } = await choiceOf(db, params)
      return findPage(db, values, query, { where: sql`option_id = ${id}` })
    },
  )

  app.post(
    valueList,
    {
      ...write,
      schema: {
        summary: `Add a value to ${withArticle(noun)}`,
        params: ofChoice,
        body: bodies.value,
        ...values.answersOne,
      },
    },
    async ({ db, params, body }) =>
      answer(
        await changing(db, params, async (tx, { product, choice }) => {
          const before = await valuesOf(tx, family, choice)
          const after = putValue(await rulesFor(tx, family, choice, [body]), before, body)
          const stored = await storeValues(tx, family, choice, { before, values: after })
          await settle(tx, family, product, { before: choice, now: choice, ...stored })
          return findOne(tx, values, Number(stored.added[0]))
        }),
      ),
  )

  app.get(
    oneValue,
    { ...read, schema: { summary: `Get a value of ${withArticle(noun)}`, params: ofValue, ...values.one } },
    async ({ db, params, query }) => {
      const { id } = await choiceOf(db, params)
      return answer(pick(values, await findBelow(db, values, { option_id: id }, params.value_id), query))
    },
  )

  app.put(
    oneValue,
    {
      ...write,
      schema: {
        summary: `Change a value of ${withArticle(noun)}`,
        params: ofValue,
        body: bodies.valueChanges,
        ...values.answersOne,
      },
    },
    async ({ db, params: { value_id, ...params }, body }) =>
      answer(
        await changing(db, params, async (tx, { product, choice }) => {
          const before = await valuesOf(tx, family, choice)
          requireValue(family, before, value_id)
          const input = { ...body, id: value_id }
          const after = putValue(await rulesFor(tx, family, choice, [input]), before, input)
          const stored = await storeValues(tx, family, choice, { before, values: after })
          await settle(tx, family, product, { before: choice, now: choice, ...stored })
          return findOne(tx, values, value_id)
        }),
      ),
  )

  app.delete(
    oneValue,
    { ...write, schema: { summary: `Delete a value of ${withArticle(noun)}`, params: ofValue } },
    async ({ db, params: { value_id, ...params } }) => {
      await changing(db, params, async (tx, { product, choice }) => {
        const before = await valuesOf(tx, family, choice)
        refuseDeletion(family, choice, before, requireValue(family, before, value_id))
        const left = before.filter(({ id }) => id !== value_id)
        const stored = await storeValues(tx, family, choice, { before, values: left })
        await settle(tx, family, product, { before: choice, now: choice, ...stored })
      })
      return noContent()
    },
  )
}

/** @throws Problem 409 for a display name that is taken, 403 for too many values, 422 */
export async function createChoice(
  tx: Tx,
  family: ChoiceFamily,
  product: Product,
  { option_values = [], config, ...fields }: NewChoice,
) {
  const { choices, values } = family
  const settings = mergeConfig(fields.type, [], config)
  const given = fields.type === 'checkbox' && option_values.length === 0 ? checkboxValues(settings) : option_values
  const rules = await rulesFor(tx, family, { type: fields.type, product_id: product.id }, given)
  const drafts = replaceValues(rules, [], given)
  const taken = await takeIds(tx, [
    [choices, 1],
    [values, drafts.length],
  ])
  const choice = await insertOne(tx, choices, {
    ...family.blank,
    ...fields,
    id: taken.next(choices),
    product_id: product.id,
    name: internalNameOf(fields.display_name, product, tx.now),
    display_name_key: fold(fields.display_name),
    config: settings,
    sort_order: fields.sort_order ?? (await nextSortOrder(tx, family, product)),
  })
  refuseTooMany(family, drafts)
  await insertAll(tx, values, rowsOf(choice, drafts, taken.next(values, drafts.length)))
  await publishChoice(tx, family, product, choice)
  return withValues(tx, family, choice)
}

/** The internal name. It stays when the choice is renamed, because scripts may use it (docs/contract/options.md section 2). */
export const internalNameOf = (display_name: string, { id }: { id: number }, now: Date) =>
  `${display_name.replaceAll(/\s/g, '-')}${Math.floor(now.getTime() / 1_000)}-${id}`

/** The sort_order after all choices of the product. */
async function nextSortOrder(tx: Tx, { choices }: ChoiceFamily, product: Product): Promise<number> {
  const { place } = await tx.row<{ place: number }>(sql`
    select least(greatest(coalesce(max(sort_order), -1)::bigint + 1, 0), 2147483647) as place
    from ${sql.id(choices.table)} where store_id = ${tx.store.id} and product_id = ${product.id}`)
  return place
}

/** @throws Problem 422 also for another type, which would break the data of the values */
async function changeChoice(
  tx: Tx,
  family: ChoiceFamily,
  { product, choice }: OwnedChoice,
  { option_values, config, type = choice.type, ...changes }: ChoiceChanges,
) {
  const { display_name } = changes
  const mistakes: Mistakes =
    type === choice.type ? {} : { type: `The type of this ${family.noun} is ${choice.type} and cannot change.` }
  if (!option_values) refuse(mistakes)
  const before = await valuesOf(tx, family, choice)
  const after = option_values
    ? replaceValues(await rulesFor(tx, family, choice, option_values), before, option_values, mistakes)
    : before
  const now = await change(tx, family.choices, choice, {
    ...changes,
    ...(display_name === choice.display_name ? {} : { display_name_key: display_name && fold(display_name) }),
    config: mergeConfig(choice.type, choice.config, config),
  })
  const stored = await storeValues(tx, family, choice, { before, values: after })
  await settle(tx, family, product, { before: choice, now, ...stored })
  return withValues(tx, family, now)
}

/** Deletes a choice with its values and dependent rows. */
async function deleteChoice(tx: Tx, family: ChoiceFamily, { product, choice }: OwnedChoice) {
  await lockCounters(tx, family.counters)
  const gone = await removeAll(tx, family.values, sql`option_id = ${choice.id}`)
  await remove(tx, family.choices, choice.id)
  await settle(tx, family, product, { before: choice, now: undefined, added: [], gone, changed: [] })
}

/** The current and the new values of a choice. */
interface Edit {
  before: readonly ChoiceValue[]
  values: readonly ValueDraft[]
}

/** Reads the data against which the values of a request are checked. */
async function rulesFor(
  tx: Tx,
  { values: { columns } }: ChoiceFamily,
  { type, product_id }: Pick<ValueRules, 'type' | 'product_id'>,
  inputs: readonly ValueInput[],
): Promise<ValueRules> {
  const products = await existing(tx, productsNamed(inputs))
  return { type, product_id, products, hasAdjusters: columns.includes('adjusters') }
}

async function existing(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const found = await tx.rows<{ id: number }>(
    sql`select id from products where store_id = ${tx.store.id} and id = any(${ids})`,
  )
  return new Set(found.map(({ id }) => id))
}

/** The values of a choice, in the order of lists. */
const valuesOf = (tx: Tx, { values }: ChoiceFamily, { id }: Choice) =>
  findWhere(tx, values, sql`option_id = ${id}`, sql`order by sort_order, id`)

/** Stores the changed values: deleted, changed and new ones by one statement each. @throws Problem 403 for too many */
async function storeValues(
  tx: Tx,
  family: ChoiceFamily,
  choice: Choice,
  { before, values }: Edit,
): Promise<ValueOutcome> {
  const drafts = new Map(values.map((draft) => [draft.id, draft]))
  const gone = before.filter(({ id }) => !drafts.has(id)).map(({ id }) => id)
  const changed = before.flatMap((value): ChangedValue[] => {
    const now = { ...value, ...drafts.get(value.id), id: value.id }
    return isDeepStrictEqual(value, now) ? [] : [[value, now]]
  })
  const fresh = values.filter(({ id }) => id === undefined)
  if (gone.length > 0) {
    await lockCounters(tx, family.counters)
    await removeAll(tx, family.values, sql`id = any(${gone})`)
  }
  if (changed.length > 0) await rewriteValues(tx, family, choice, changed)
  if (fresh.length === 0) return { added: [], gone, changed }
  refuseTooMany(family, values)
  const taken = await takeIds(tx, [[family.values, fresh.length]])
  const added = await insertAll(tx, family.values, rowsOf(choice, fresh, taken.next(family.values, fresh.length)))
  return { added: added.map(({ id }) => id), gone, changed }
}

/** One statement, at whose end the labels must be unique: two values can exchange theirs. */
async function rewriteValues(
  tx: Tx,
  { values: { table, columns } }: ChoiceFamily,
  choice: Choice,
  changed: readonly ChangedValue[],
) {
  const written = [...columns.filter((column) => column !== 'id'), 'label_key'].map(sql.id)
  const rows = changed.map(([, now]) => ({ ...now, option_id: choice.id, label_key: fold(now.label) }))
  await tx.rows(sql`
    update ${sql.id(table)} value set ${sql.join(written.map((column) => sql`${column} = now.${column}`))}
    from json_populate_recordset(null::${sql.id(table)}, ${JSON.stringify(rows)}::json) now
    where value.store_id = ${tx.store.id} and value.id = now.id`)
}

/** The rows of new values. */
const rowsOf = (choice: Choice, drafts: readonly ValueDraft[], firstId: number) =>
  drafts.map((draft, i) => ({
    ...draft,
    id: firstId + i,
    product_id: choice.product_id,
    option_id: choice.id,
    label_key: fold(draft.label),
  }))

/** @throws Problem 403 */
function refuseTooMany({ noun }: { noun: string }, values: readonly unknown[]) {
  if (values.length > VALUES_MAX) throw new Problem(403, `Each ${noun} can have at most ${VALUES_MAX} values.`)
}

/** @throws Problem 404 */
function requireValue({ values: { noun } }: ChoiceFamily, before: readonly ChoiceValue[], id: number): ChoiceValue {
  const value = before.find((value) => value.id === id)
  if (!value) throw notFound(noun, id)
  return value
}

/** @throws Problem 409 for a value that the choice needs */
function refuseDeletion(
  { needsValues }: ChoiceFamily,
  choice: Choice,
  before: readonly ChoiceValue[],
  value: ChoiceValue,
) {
  if (needsValues && before.length === 1) {
    throw new Problem(409, 'The last value of an option cannot be deleted: delete the option.')
  }
  if (choice.type === 'checkbox' && isChecked(value)) {
    throw new Problem(409, 'The checked value of a checkbox cannot be deleted.')
  }
}

/** Changes the rows that depend on a choice and publishes its change, if it has changed at all. */
async function settle(tx: Tx, family: ChoiceFamily, product: Product, outcome: ChoiceOutcome) {
  const { before, now, added, gone, changed } = outcome
  if (before === now && added.length + gone.length + changed.length === 0) return
  await family.follow(tx, product, outcome)
  await publishChoice(tx, family, product, before)
}

/** Publishes the change of a choice, then that of its product (docs/contract/webhooks.md section 6). */
export async function publishChoice(
  tx: Tx,
  { noun, eventType }: Pick<ChoiceFamily, 'noun' | 'eventType'>,
  product: { id: number },
  { id }: { id: number },
) {
  publish(tx, `store/${noun}/updated`, `${noun} ${id}`, {
    type: eventType,
    id,
    affected_product_ids: [product.id],
    context: {},
  })
  await touchProduct(tx, product)
}

const withValues = async (tx: Tx, family: ChoiceFamily, choice: Choice) => ({
  ...choice,
  option_values: await valuesOf(tx, family, choice),
})

/** Reads the choices of any number of products with their values, in one statement. */
export const includedChoices =
  ({ choices, values }: Pick<ChoiceFamily, 'choices' | 'values'>): Inclusion =>
  async (db, ids) => {
    const rows = await db.rows<{ product_id: number; text: string }>(sql`
      select product_id, '[' || string_agg(row_to_json(choice)::text, ',' order by sort_order, id) || ']' as text
      from (
        select ${sql.join(choices.columns.map(sql.id))}, coalesce((
          select ('[' || string_agg(row_to_json(value)::text, ',' order by sort_order, id) || ']')::json
          from (
            select ${sql.join(values.columns.map(sql.id))} from ${sql.id(values.table)}
            where store_id = ${db.store.id} and option_id = listed.id
          ) value
        ), '[]') as option_values
        from ${sql.id(choices.table)} listed where store_id = ${db.store.id} and product_id = any(${ids})
      ) choice group by product_id`)
    return new Map(rows.map(({ product_id, text }) => [product_id, text]))
  }

/** Deletes the choices of products that are being deleted. Publishes no event. @returns the ids of the values */
export async function deleteChoicesOf(
  tx: Tx,
  { choices, values }: Pick<ChoiceFamily, 'choices' | 'values'>,
  productIds: readonly number[],
): Promise<number[]> {
  const gone = await removeAll(tx, values, sql`product_id = any(${productIds})`)
  await removeAll(tx, choices, sql`product_id = any(${productIds})`)
  return gone
}
