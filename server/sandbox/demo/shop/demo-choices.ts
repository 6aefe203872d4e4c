import type { Tx } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { createModifier } from '../../../goods/catalog/choices/modifiers.ts'
import { products } from '../../../goods/catalog/product-row/shape.ts'

type NewModifier = Parameters<typeof createModifier>[3]

const values = (...labels: string[]) => labels.map((label, sort_order) => ({ label, sort_order }))

/** A choice of each type that a shopper can make, all of them optional. The product also has colours and sizes. */
const ALL: readonly NewModifier[] = [
  {
    display_name: 'Name on the collar',
    type: 'text',
    required: false,
    config: { text_characters_limited: true, text_min_length: 2, text_max_length: 12 },
  },
  { display_name: 'Note for the parcel', type: 'multi_line_text', required: false },
  {
    display_name: 'Sleeve length in cm',
    type: 'numbers_only_text',
    required: false,
    config: { number_limited: true, number_limit_mode: 'range', number_lowest_value: 50, number_highest_value: 75 },
  },
  {
    display_name: 'Deliver on',
    type: 'date',
    required: false,
    config: { date_limited: true, date_limit_mode: 'earliest', date_earliest_value: '2026-01-01T00:00:00Z' },
  },
  { display_name: 'Gift box', type: 'checkbox', required: false, config: { checkbox_label: 'Pack it in a gift box' } },
  {
    display_name: 'Lining',
    type: 'dropdown',
    required: false,
    option_values: [
      { label: 'Cotton', sort_order: 0, is_default: true },
      { label: 'Wool', sort_order: 1, adjusters: { price: { adjuster: 'relative', adjuster_value: 25 } } },
    ],
  },
  { display_name: 'Fit', type: 'radio_buttons', required: false, option_values: values('Regular', 'Wide') },
  {
    display_name: 'Zip',
    type: 'swatch',
    required: false,
    option_values: [
      { label: 'Brass', sort_order: 0, value_data: { colors: ['#B8923A'] } },
      { label: 'Black and steel', sort_order: 1, value_data: { colors: ['#1D1D1D', '#8A9199'] } },
    ],
  },
  {
    display_name: 'Add a second thing',
    type: 'product_list_with_images',
    required: false,
    option_values: [
      { label: 'A mug', sort_order: 0, value_data: { product_id: 1 } },
      { label: 'A lamp', sort_order: 1, value_data: { product_id: 8 } },
    ],
  },
]

/** A product that can't be bought without a text. */
const ENGRAVED: readonly NewModifier[] = [
  {
    display_name: 'Engraving',
    type: 'text',
    required: true,
    config: { text_characters_limited: true, text_max_length: 20 },
  },
]

const CHOICES: readonly { product: number; modifiers: readonly NewModifier[] }[] = [
  { product: 7, modifiers: ALL },
  { product: 8, modifiers: ENGRAVED },
]

/** Gives products of the demo store further choices. */
export async function addChoices(tx: Tx, files: Files) {
  for (const { product, modifiers } of CHOICES) {
    const owner = await lock(tx, products, product)
    for (const modifier of modifiers) await createModifier(tx, files, owner, modifier)
  }
}
