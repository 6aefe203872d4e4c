import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount, NullableAmount } from '../../../core/rest/input/amounts.ts'
import { Id, idSegment, nullable, SortOrder } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../../core/rest/lists/pages/inclusions.ts'
import { change, findBelow, lock } from '../../../core/rest/lists/verbs.ts'
import { ImageUrl, type Pictures, uploadRoute } from '../../../shared/pictures/pictures.ts'
import { type Product, products } from '../product-row/shape.ts'
import { deleteComplexRulesOn } from '../sub-resources/complex-rules.ts'
import {
  type ChoiceChanges,
  type ChoiceFamily,
  choiceRoutes,
  createChoice,
  deleteChoicesOf,
  includedChoices,
  type NewChoice,
  publishChoice,
} from './choices.ts'
import {
  ChoiceConfig,
  ChoiceConfigInput,
  modifierTypes,
  Name,
  ValueData,
  ValueDataInput,
  type ValueInput,
} from './rules.ts'

/** An adjuster may lower a price or weight as far as raise it. */
const bounds = { minimum: -99_999_999_999 }
const Adjuster = t.Object({ adjuster: t.Enum(['relative', 'percentage']), adjuster_value: Amount(bounds) })
const AdjusterInput = t.Object({
  adjuster: t.Unsafe<'relative' | 'percentage' | null>({
    type: ['string', 'null'],
    enum: ['relative', 'percentage', null],
  }),
  adjuster_value: NullableAmount(bounds),
})
const PurchasingDisabled = t.Object({ status: t.Boolean(), message: t.String({ maxLength: 65_535 }) })
const Adjusters = t.Object({
  price: nullable(Adjuster),
  weight: nullable(Adjuster),
  image_url: ImageUrl,
  purchasing_disabled: PurchasingDisabled,
})
const AdjustersInput = t.Partial(
  t.Object({
    price: nullable(t.Partial(AdjusterInput)),
    weight: nullable(t.Partial(AdjusterInput)),
    image_url: ImageUrl,
    purchasing_disabled: t.Partial(PurchasingDisabled),
  }),
)

const ModifierValue = t.Object({
  id: Id,
  // The contract calls the id of the modifier so here.
  option_id: Id,
  label: Name,
  sort_order: SortOrder,
  value_data: ValueData,
  is_default: t.Boolean(),
  adjusters: Adjusters,
})
const { label, sort_order, is_default } = ModifierValue.properties
const valueFields = { label, sort_order, is_default, value_data: ValueDataInput, adjusters: AdjustersInput }
const ValueChanges = t.Unsafe<ValueInput>(
  t.Partial(t.Object(valueFields), {
    title: 'ModifierValueChanges',
    examples: [{ label: 'In gold', adjusters: { weight: null } }],
  }),
)
const NewValue = t.Unsafe<ValueInput>(
  t.Object(
    { ...t.Partial(t.Object(valueFields)).properties, label, sort_order },
    {
      title: 'NewModifierValue',
      examples: [
        {
          label: 'In silver',
          sort_order: 3,
          adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } },
        },
      ],
    },
  ),
)
/** In the list of a new modifier, the default sort_order is the position in the list. */
const NewItem = t.Unsafe<ValueInput>(t.Object({ ...t.Partial(t.Object(valueFields)).properties, label }))
/** In the list of a changed modifier: a current value if it has an id, otherwise a new one. */
const ValueItem = t.Unsafe<ValueInput>(t.Partial(t.Object({ id: Id, ...valueFields })))

const Modifier = t.Object({
  id: Id,
  product_id: Id,
  name: t.String(),
  display_name: Name,
  type: t.Enum([...modifierTypes]),
  required: t.Boolean(),
  sort_order: SortOrder,
  config: ChoiceConfig,
})
const { display_name, type, required } = Modifier.properties
const Changes = t.Partial(
  t.Object({
    display_name,
    type,
    required,
    sort_order,
    config: ChoiceConfigInput,
    option_values: t.Array(ValueItem),
  }),
  { title: 'ModifierChanges', examples: [{ required: true }] },
)
const NewModifier = t.Object(
  { ...Changes.properties, display_name, type, required, option_values: t.Optional(t.Array(NewItem)) },
  {
    title: 'NewModifier',
    examples: [
      {
        display_name: 'Engraving',
        type: 'dropdown',
        required: false,
        option_values: [{ label: 'None', sort_order: 0 }],
      },
    ],
  },
)

/** The values of one modifier. */
export const modifierValues = collection('modifier_values', ModifierValue, {
  noun: 'modifier value',
  filters: '',
  order: 'sort_order',
  hidden: ['product_id', 'label_key'],
})

/** The modifiers of one product. */
export const modifiers = collection('modifiers', Modifier, {
  noun: 'modifier',
  filters: '',
  order: 'sort_order',
  hidden: ['display_name_key'],
  parts: { option_values: t.Array(modifierValues.shape) },
  conflicts: {
    modifiers_display_name_unique: ['This product already has a modifier with this display_name.', 'display_name'],
  },
})

/** The owner of the files of values. */
export const VALUE_OWNER = 'modifier_value'

const familyWith = (files: Files): ChoiceFamily => ({
  noun: 'modifier',
  eventType: 'shared_modifier',
  choices: modifiers,
  values: modifierValues,
  bodies: {
    choice: t.Unsafe<NewChoice>(NewModifier),
    choiceChanges: t.Unsafe<ChoiceChanges>(Changes),
    value: NewValue,
    valueChanges: ValueChanges,
  },
  blank: {},
  needsValues: false,
  counters: ['complex_rule_conditions', 'complex_rules', 'modifier_values', 'modifiers'],
  // A stored picture is deleted with its value or when another address replaces it; complex rules with the rows of their
  // conditions.
  async follow(tx, product, { before, now, gone, changed }) {
    const modifiers = now ? [] : [before.id]
    if (modifiers.length + gone.length > 0) {
      await deleteComplexRulesOn(tx, product, { modifiers, modifierValues: gone })
    }
    const replaced = changed.filter(([was, now]) => now.adjusters?.image_url !== was.adjusters?.image_url)
    const pictured = [...gone, ...replaced.map(([{ id }]) => id)]
    if (pictured.length > 0) await files.detachAll(tx, VALUE_OWNER, pictured)
  },
})

/** All 11 operations of modifiers and their values (docs/contract/options.md). */
export function modifierRoutes(app: Api, pictures: Pictures) {
  const { files } = pictures
  const family = familyWith(files)
  choiceRoutes(app, family)

  const image = `/catalog/products/${idSegment('product_id')}/modifiers/${idSegment('modifier_id')}/values/${idSegment('value_id')}/image`
  const params = t.Unsafe<Record<string, number>>(t.Object({ product_id: Id, modifier_id: Id, value_id: Id }))
  uploadRoute(
    app,
    pictures,
    { url: image, params, summary: 'Give a value of a modifier an image' },
    async (tx, ids, name) => {
      const product = await lock(tx, products, Number(ids.product_id))
      const modifier = await findBelow(tx, modifiers, { product_id: product.id }, Number(ids.modifier_id))
      const value = await findBelow(tx, modifierValues, { option_id: modifier.id }, Number(ids.value_id))
      const image_url = await files.attach(tx, { kind: VALUE_OWNER, id: value.id }, name)
      await change(tx, modifierValues, value, { adjusters: { ...value.adjusters, image_url } })
      await publishChoice(tx, family, product, modifier)
      return image_url
    },
  )
}

/** Gives a locked product a modifier. @throws Problem 409 for a display name that is taken, 403 for too many values, 422 */
export const createModifier = (tx: Tx, files: Files, product: Product, body: Static<typeof NewModifier>) =>
  createChoice(tx, familyWith(files), product, body)

/** The modifiers of products with their values. */
export const includedModifiers: Inclusion = includedChoices({ choices: modifiers, values: modifierValues })

/** Deletes the modifiers and pictures of products that are being deleted. Publishes no event. */
export async function deleteModifiersOf(tx: Tx, files: Files, productIds: readonly number[]) {
  const gone = await deleteChoicesOf(tx, { choices: modifiers, values: modifierValues }, productIds)
  await files.detachAll(tx, VALUE_OWNER, gone)
}
