import { addressOfPicture } from '../../../../../core/rest/input/picture-addresses.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import { aggregatedStock, isSellable, isTracked } from './inventory.ts'
import { pickedImage } from './parts.ts'
import { type ChoiceRow, type ChoiceValueRow, choicesOf } from './rows/choices.ts'
import { findCard } from './rows/product-row.ts'
import type { WishedValue } from './selection.ts'

// Options of variants and modifiers, in the kinds of the schema.

/** The fields that all values have. */
const valueToAnswer = ({ id, label, is_default }: ChoiceValueRow, chosen: readonly WishedValue[] | undefined) => ({
  entityId: id,
  label,
  isDefault: is_default,
  // Null if the arguments of the product choose nothing.
  isSelected: chosen ? chosen.some(({ valueEntityId }) => valueEntityId === id) : null,
})
type PlainValue = ReturnType<typeof valueToAnswer>

interface PickedProduct extends PlainValue {
  productId: number
  autoAdjustInventory: boolean
}
type MultipleChoice = ReturnType<typeof multipleChoice>

declare module '../../types.ts' {
  interface Parents {
    MultipleChoiceOption: MultipleChoice
    ProductPickListOptionValue: PickedProduct
    ProductOption: {
      entityId: number
      displayName: string
      isRequired: boolean
      plainValues: { entityId: number; label: string }[]
    }
  }
}

export const optionFields: Fields<'MultipleChoiceOption' | 'ProductPickListOptionValue' | 'ProductOption'> = {
  MultipleChoiceOption: {
    values: ({ allValues }, args) => connectionOf(allValues, args),
  },
  ProductPickListOptionValue: {
    defaultImage: async ({ productId }, _, caller) => (await pickedImage(caller, productId)) ?? null,
    async linkedProduct({ productId }, _, caller) {
      const card = await findCard(caller, productId)
      if (!card) return null
      return {
        entityId: card.id,
        name: card.name,
        inventory: {
          isInStock: isSellable(card),
          isStockTracked: isTracked(card),
          hasVariantInventory: card.inventory_tracking === 'variant',
          aggregated: await aggregatedStock(caller, card),
        },
      }
    },
  },
  ProductOption: {
    values: ({ plainValues }, args) => connectionOf(plainValues, args),
  },
}

/** The options and modifiers of a product. @param chosen the choices of the shopper; undefined without any */
export async function productOptionConnection(
  caller: StorefrontCaller,
  product: number,
  chosen: readonly WishedValue[] | undefined,
  args: PageArgs,
) {
  const rows = await choicesOf(caller, product)
  const { picturesUrl } = caller.storefront
  return connectionOf(
    rows.map((row) =>
      choiceToAnswer(
        row,
        chosen?.filter(({ optionEntityId }) => optionEntityId === row.id),
        picturesUrl,
      ),
    ),
    args,
  )
}

/** The options of variants in their older form. */
export async function plainOptionConnection(caller: StorefrontCaller, product: number, args: PageArgs) {
  const rows = await choicesOf(caller, product)
  return connectionOf(rows.filter(({ isOption }) => isOption).map(plainOption), args)
}

export const plainOption = ({ id, display_name, required, values }: Omit<ChoiceRow, 'product_id'>) => ({
  entityId: id,
  displayName: display_name,
  isRequired: required,
  plainValues: values.map((value) => ({ entityId: value.id, label: value.label })),
})

export function choiceToAnswer(row: ChoiceRow, chosen: readonly WishedValue[] | undefined, picturesUrl: string) {
  const { id, display_name, required, isOption, type } = row
  const config = Array.isArray(row.config) ? {} : row.config
  const choice = { entityId: id, displayName: display_name, isRequired: required, isVariantOption: isOption }
  switch (type) {
    case 'checkbox':
      return {
        __typename: 'CheckboxOption' as const,
        ...choice,
        checkedByDefault: config.checked_by_default ?? false,
        label: config.checkbox_label ?? '',
        checkedOptionValueEntityId: checkboxValue(row, true),
        uncheckedOptionValueEntityId: checkboxValue(row, false),
      }
    case 'date':
      return {
        __typename: 'DateFieldOption' as const,
        ...choice,
        defaultValue: momentIn(config.default_value),
        earliest: momentIn(config.date_earliest_value),
        latest: momentIn(config.date_latest_value),
        limitDateBy: config.date_limited ? DATE_LIMITS[config.date_limit_mode ?? 'range'] : NO_LIMIT,
      }
    case 'file':
      return {
        __typename: 'FileUploadFieldOption' as const,
        ...choice,
        maxFileSize: config.file_max_size ?? 0,
        fileTypes: [...(config.file_types_supported ?? []), ...(config.file_types_other ?? [])],
      }
    case 'text':
    case 'multi_line_text': {
      const limited = config.text_characters_limited ?? false
      const text = {
        ...choice,
        defaultValue: config.default_value ?? null,
        minLength: limited ? (config.text_min_length ?? null) : null,
        maxLength: limited ? (config.text_max_length ?? null) : null,
      }
      if (type === 'text') return { __typename: 'TextFieldOption' as const, ...text }
      const maxLines = config.text_lines_limited ? (config.text_max_lines ?? null) : null
      return { __typename: 'MultiLineTextFieldOption' as const, ...text, maxLines }
    }
    case 'numbers_only_text': {
      const usual = Number(config.default_value || Number.NaN)
      return {
        __typename: 'NumberFieldOption' as const,
        ...choice,
        defaultValue: Number.isFinite(usual) ? usual : null,
        lowest: config.number_limited ? (config.number_lowest_value ?? null) : null,
        highest: config.number_limited ? (config.number_highest_value ?? null) : null,
        isIntegerOnly: config.number_integers_only ?? false,
        limitNumberBy: config.number_limited ? NUMBER_LIMITS[config.number_limit_mode ?? 'range'] : NO_LIMIT,
      }
    }
    default:
      return multipleChoice(row, chosen, picturesUrl)
  }
}

function multipleChoice(row: ChoiceRow, chosen: readonly WishedValue[] | undefined, picturesUrl: string) {
  const { id, display_name, required, isOption, type, values } = row
  const config = Array.isArray(row.config) ? {} : row.config
  return {
    __typename: 'MultipleChoiceOption' as const,
    entityId: id,
    displayName: display_name,
    isRequired: required,
    isVariantOption: isOption,
    displayStyle: STYLES[type] ?? type,
    allValues: values.map((value) => {
      const plain = valueToAnswer(value, chosen)
      if (type === 'swatch') {
        const { colors = [], image_url = '' } = value.value_data ?? {}
        const imageUrl = image_url === '' ? null : addressOfPicture(picturesUrl, image_url)
        return { __typename: 'SwatchOptionValue' as const, ...plain, hexColors: colors, imageUrl }
      }
      const picked = value.value_data?.product_id
      if (picked !== undefined) {
        const autoAdjustInventory = config.product_list_adjusts_inventory ?? false
        return { __typename: 'ProductPickListOptionValue' as const, ...plain, productId: picked, autoAdjustInventory }
      }
      return { __typename: 'MultipleChoiceOptionValue' as const, ...plain }
    }),
  }
}

/** The styles in the words of public clients. */
const STYLES: Readonly<Record<string, string>> = {
  radio_buttons: 'RadioButtons',
  rectangles: 'RectangleBoxes',
  dropdown: 'DropdownList',
  product_list: 'ProductPickList',
  product_list_with_images: 'ProductPickListWithImages',
  swatch: 'Swatch',
}
const NO_LIMIT = 'NO_LIMIT' as const
const DATE_LIMITS = { earliest: 'EARLIEST_DATE', latest: 'LATEST_DATE', range: 'RANGE' } as const
const NUMBER_LIMITS = { lowest: 'LOWEST_VALUE', highest: 'HIGHEST_VALUE', range: 'RANGE' } as const

const checkboxValue = ({ values }: ChoiceRow, isChecked: boolean) =>
  values.find(({ value_data }) => (value_data?.checked_value ?? false) === isChecked)?.id ?? 0

/** The configuration has texts, of which some may be no moment. */
function momentIn(text: string | undefined): string | null {
  const moment = new Date(text ?? '')
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
