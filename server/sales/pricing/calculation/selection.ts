import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import type {
  PricedModifier,
  PricedModifierValue,
  PricedProduct,
  PricedVariant,
} from '../../../goods/catalog/product-row/priced.ts'

/** An item as a request names it. */
export interface NamedItem {
  product_id: number
  variant_id?: number
  options?: readonly { option_id: number; value_id: number }[]
}

/** A value of a modifier that was chosen. */
export interface ChosenModifier {
  modifier: PricedModifier
  value: PricedModifierValue
}

/** The variant and the modifiers of an item. */
export interface ItemSelection {
  /** Undefined while not all options of the product are chosen. */
  variant: PricedVariant | undefined
  /** In the order of the modifiers. */
  modifiers: readonly ChosenModifier[]
}

/**
 * Finds the variant and the modifier values that an item names. Options and modifiers count their ids apart: if the options name the
 * variant, an entry that fits both is about the option; if the variant is named, about the modifier. Modifiers without values to choose
 * from take any value, and dates come as three entries.
 */
export function selectionOf(
  { variant_id = 0, options = [] }: NamedItem,
  product: PricedProduct,
  mistakes: Mistakes,
  at: (field: string) => string,
): ItemSelection {
  const named = product.variants.find(({ id }) => id === variant_id)
  if (variant_id !== 0 && !named) {
    mistakes[at('variant_id')] = `The product ${product.id} has no variant ${variant_id}.`
  }
  const ofOptions = new Map<number, number>()
  const ofModifiers = new Map<number, ChosenModifier>()
  for (const [i, { option_id, value_id }] of options.entries()) {
    const isOption = product.optionValues.some(([option, value]) => option === option_id && value === value_id)
    const modifier = product.modifiers.find(({ id }) => id === option_id)
    const value = modifier?.values.find(({ id }) => id === value_id)
    const fitsModifier = modifier !== undefined && (value !== undefined || modifier.values.length === 0)
    const fitsOption = isOption && !ofOptions.has(option_id)
    if (fitsOption && !(variant_id !== 0 && fitsModifier)) ofOptions.set(option_id, value_id)
    else if (fitsModifier) {
      if (value && ofModifiers.has(option_id)) {
        mistakes[at(`options.${i}.option_id`)] = `Another entry is about the option ${option_id}.`
      } else if (value) ofModifiers.set(option_id, { modifier, value })
    } else {
      const isKnown = modifier !== undefined || product.optionValues.some(([option]) => option === option_id)
      if (isKnown) mistakes[at(`options.${i}.value_id`)] = `The option ${option_id} has no value ${value_id}.`
      else mistakes[at(`options.${i}.option_id`)] = `The product ${product.id} has no option ${option_id}.`
    }
  }
  const chosenModifiers = product.modifiers.flatMap(({ id }) => ofModifiers.get(id) ?? [])
  return { variant: named ?? variantOf(product, ofOptions), modifiers: chosenModifiers }
}

function variantOf({ base_variant_id, variants }: PricedProduct, chosen: ReadonlyMap<number, number>) {
  if (base_variant_id !== null) return variants.find(({ id }) => id === base_variant_id)
  return variants.find(({ values }) => values.every(([option, value]) => chosen.get(option) === value))
}
