import t, { type Static } from 'typebox'
import { type Mistakes, refuse, repeated, repeatedIds } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { Name, VALUES_MAX } from '../choices/rules.ts'
import type { ProductFields } from '../product-row/shape.ts'
import { type BulkPricingRuleItems, bulkPricingRuleMistakes } from '../sub-resources/bulk-pricing-rules.ts'
import { type CustomFieldItems, customFieldMistakes } from '../sub-resources/custom-fields.ts'
import { type ImageItems, imageMistakes } from '../sub-resources/images.ts'
import { type VideoItems, videoMistakes } from '../sub-resources/videos.ts'
import {
  chooserOf,
  combinationOf,
  NeededSku,
  tooManyVariants,
  VARIANTS_MAX,
  VariantChanges,
  type VariantOption,
} from '../variants/shape.ts'
import { addressMistake, type BodyPath } from './references.ts'

// The checks of product bodies that need no database. New and changed products pass the same ones.

/** A variant in the body of a new product. The names of its values make the product's options. */
export const NewVariant = t.Object(
  {
    ...VariantChanges.properties,
    sku: NeededSku,
    option_values: t.Array(t.Object({ option_display_name: Name, label: Name }), { minItems: 1 }),
  },
  { title: 'NewVariantOfProduct' },
)
export type NewVariant = Static<typeof NewVariant>

/** The fields of a product in a request that are checked here. */
interface ProductInput extends Pick<ProductFields, 'custom_url'> {
  /** The id of a product that is changed in a batch. */
  id?: number
  /** Only new products bring variants. */
  variants?: readonly NewVariant[]
  custom_fields?: Static<typeof CustomFieldItems>
  bulk_pricing_rules?: Static<typeof BulkPricingRuleItems>
  images?: Static<typeof ImageItems>
  videos?: Static<typeof VideoItems>
}

/**
 * Checks the bodies of new or changed products without the database, and reports the mistakes of all fields together.
 * @throws Problem 422; 409 for variants with the same values, 403 for too many variants or values
 */
export function validateProducts(bodies: readonly ProductInput[], at: BodyPath) {
  const mistakes: Mistakes = repeatedIds(bodies, (i) => at(i, 'id'))
  for (const [i, body] of bodies.entries()) {
    const address = addressMistake(body.custom_url)
    if (address !== undefined) mistakes[at(i, 'custom_url.url')] = address
    Object.assign(
      mistakes,
      variantMistakes(body.variants ?? [], at(i, 'variants')),
      customFieldMistakes(body.custom_fields ?? [], at(i, 'custom_fields')),
      bulkPricingRuleMistakes(body.bulk_pricing_rules ?? [], at(i, 'bulk_pricing_rules')),
      imageMistakes(body.images ?? [], at(i, 'images')),
      videoMistakes(body.videos ?? [], at(i, 'videos')),
    )
  }
  refuse(mistakes)
  for (const [i, { variants = [] }] of bodies.entries()) {
    if (variants.length > VARIANTS_MAX) throw tooManyVariants()
    refuseSameCombination(variants, at(i, 'variants'))
    const isFull = optionsNamed(variants).some(({ labels }) => labels.length > VALUES_MAX)
    if (isFull) throw new Problem(403, `Each option can have at most ${VALUES_MAX} values.`)
  }
}

/**
 * Every variant of a product names exactly one value of each option that any variant names. Too many variants are not checked
 * here: the check of all variants that fit into a body would block other requests.
 */
function variantMistakes(variants: readonly NewVariant[], path: string): Mistakes {
  if (variants.length > VARIANTS_MAX) return {}
  const choose = chooserOf(provisional(optionsNamed(variants)))
  return Object.assign(
    {},
    ...variants.map(({ option_values }, j) => choose(option_values, `${path}.${j}.option_values`).errors),
  )
}

/** @throws Problem 409 */
function refuseSameCombination(variants: readonly NewVariant[], path: string) {
  const choose = chooserOf(provisional(optionsNamed(variants)))
  const same = repeated(
    variants,
    ({ option_values }) => combinationOf(choose(option_values, '').values),
    (j) => `${path}.${j}.option_values`,
    SAME_VALUES,
  )
  if (Object.keys(same).length > 0) throw new Problem(409, SAME_VALUES, same)
}
const SAME_VALUES = 'Another variant of this product has the same option values.'

/** An option that variants name, with each value once, in its first spelling. */
export interface NamedOption {
  display_name: string
  labels: string[]
}

export function optionsNamed(variants: readonly NewVariant[]): NamedOption[] {
  const options = new Map<string, { display_name: string; labels: Map<string, string> }>()
  for (const { option_display_name, label } of variants.flatMap(({ option_values }) => option_values)) {
    const key = fold(option_display_name)
    const option = options.get(key) ?? { display_name: option_display_name, labels: new Map<string, string>() }
    options.set(key, option)
    if (!option.labels.has(fold(label))) option.labels.set(fold(label), label)
  }
  return [...options.values()].map(({ display_name, labels }) => ({ display_name, labels: [...labels.values()] }))
}

/** The options before they have ids. */
const provisional = (named: readonly NamedOption[]): VariantOption[] =>
  named.map(({ display_name, labels }, n) => ({
    id: n + 1,
    display_name,
    option_values: labels.map((label, m) => ({ id: (n + 1) * 1_000 + m, label })),
  }))
