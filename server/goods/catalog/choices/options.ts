import t from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, SortOrder } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../../core/rest/lists/pages/inclusions.ts'
import { ImageUrl } from '../../../shared/pictures/pictures.ts'
import type { VariantDependents } from '../dependents.ts'
import type { Product } from '../product-row/shape.ts'
import { deleteVariantsUsing, relabelVariants, restoreBaseVariant, type VariantOption } from '../variants/shape.ts'
import {
  type ChoiceChanges,
  type ChoiceFamily,
  type ChoiceOutcome,
  choiceRoutes,
  deleteChoicesOf,
  includedChoices,
  type NewChoice,
} from './choices.ts'
import {
  ChoiceConfig,
  ChoiceConfigInput,
  Name,
  optionTypes,
  ValueData,
  ValueDataInput,
  type ValueInput,
} from './rules.ts'

// An option is a choice that leads to another variant, such as a size. It belongs to one product and has 1 to 250 values,
// which are created and changed with it or one by one. Variants name exactly one value of every option. The display name is
// unique in the product; the internal name never changes. The type decides the data of the values and never changes either.
// A renamed option or value is renamed in the variants. A deleted value deletes the variants that use it, and a deleted
// option deletes all variants with it. A new option changes no existing variant. Modifiers are choices that lead to no other
// variant (modifiers.ts); choices.ts has the routes of both.

const OptionValue = t.Object({
  id: Id,
  label: Name,
  sort_order: SortOrder,
  value_data: ValueData,
  is_default: t.Boolean(),
})
const { label, sort_order, is_default } = OptionValue.properties

const ValueChanges = t.Unsafe<ValueInput>(
  t.Partial(t.Object({ label, sort_order, is_default, value_data: ValueDataInput }), {
    title: 'OptionValueChanges',
    examples: [{ label: 'Extra large' }],
  }),
)
const NewValue = t.Unsafe<ValueInput>(
  t.Object(
    { label, sort_order, is_default: t.Optional(is_default), value_data: t.Optional(ValueDataInput) },
    { title: 'NewOptionValue', examples: [{ label: 'XL', sort_order: 3 }] },
  ),
)
/** In the list of a changed option: a current value if it has an id, otherwise a new one. */
const ValueItem = t.Unsafe<ValueInput>(
  t.Partial(t.Object({ id: Id, label, sort_order, is_default, value_data: ValueDataInput })),
)

/** The values of one option. */
export const optionValues = collection('option_values', OptionValue, {
  noun: 'option value',
  filters: '',
  order: 'sort_order',
  hidden: ['product_id', 'option_id', 'label_key'],
})

const Option = t.Object({
  id: Id,
  product_id: Id,
  name: t.String(),
  display_name: Name,
  type: t.Enum([...optionTypes]),
  config: ChoiceConfig,
  sort_order: SortOrder,
  image_url: ImageUrl,
})
const { display_name, type, image_url } = Option.properties
const Changes = t.Partial(
  t.Object({
    display_name,
    type,
    config: ChoiceConfigInput,
    sort_order,
    image_url,
    option_values: t.Array(ValueItem, { minItems: 1 }),
  }),
  { title: 'OptionChanges', examples: [{ display_name: 'Format' }] },
)
const example = {
  display_name: 'Size',
  type: 'rectangles',
  option_values: [
    { label: 'S', sort_order: 0 },
    { label: 'M', sort_order: 1, is_default: true },
  ],
}
const NewOption = t.Object(
  { ...Changes.properties, display_name, type, option_values: t.Array(NewValue, { minItems: 1 }) },
  { title: 'NewOption', examples: [example] },
)

/** The options of one product. */
export const options = collection('options', Option, {
  noun: 'option',
  filters: '',
  order: 'sort_order',
  hidden: ['display_name_key'],
  parts: { option_values: t.Array(optionValues.shape) },
  conflicts: {
    options_display_name_unique: ['This product already has an option with this display_name.', 'display_name'],
  },
})

const family: Omit<ChoiceFamily, 'follow'> = {
  noun: 'option',
  eventType: 'local_option',
  choices: options,
  values: optionValues,
  bodies: {
    choice: t.Unsafe<NewChoice>(NewOption),
    choiceChanges: t.Unsafe<ChoiceChanges>(Changes),
    value: NewValue,
    valueChanges: ValueChanges,
  },
  blank: { image_url: '' },
  needsValues: true,
  counters: ['complex_rule_conditions', 'complex_rules', 'metafields', 'option_values', 'options', 'variants'],
}

/** All 10 operations of options and their values (docs/contract/options.md). */
export function optionRoutes(app: Api, dependents: VariantDependents) {
  choiceRoutes(app, { ...family, follow: (tx, product, outcome) => follow(tx, dependents, product, outcome) })
}

/** The options of products with their values. */
export const includedOptions: Inclusion = includedChoices(family)

/**
 * Updates the variants: deletes those with deleted values, and renames options and values in the others
 * (docs/contract/catalog.md section 2, Cascades).
 */
async function follow(
  tx: Tx,
  dependents: VariantDependents,
  product: Product,
  { before, now, gone, changed }: ChoiceOutcome,
) {
  if (!now) {
    const without = await deleteVariantsUsing(tx, dependents, product, { option_id: before.id })
    const left = await tx.maybeRow(sql`
      select id from variants where store_id = ${tx.store.id} and product_id = ${product.id} limit 1`)
    if (!left) await restoreBaseVariant(tx, without)
    return
  }
  if (gone.length > 0) await deleteVariantsUsing(tx, dependents, product, { value_ids: gone })
  if (now.display_name !== before.display_name) {
    await relabelVariants(tx, product.id, { option_id: now.id, display_name: now.display_name })
  }
  const labels = new Map(changed.flatMap(([was, { id, label }]) => (was.label === label ? [] : [[id, label]])))
  if (labels.size > 0) await relabelVariants(tx, product.id, { labels })
}

/** The options of products for their variants, by product, in the order of the options. */
export async function optionsOf(
  tx: Tx,
  productIds: readonly number[],
): Promise<ReadonlyMap<number, readonly VariantOption[]>> {
  const texts = await includedOptions(tx, productIds)
  return new Map([...texts].map(([id, text]) => [id, JSON.parse(text)]))
}

/** Deletes the options of products that are being deleted. Publishes no event. */
export async function deleteOptionsOf(tx: Tx, productIds: readonly number[]) {
  await deleteChoicesOf(tx, family, productIds)
}
