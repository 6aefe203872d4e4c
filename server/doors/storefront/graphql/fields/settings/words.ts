import type { Static } from 'typebox'
import type { inventorySettings } from '../../../../../shop/settings/families/families.ts'

// The words of the schema for values of settings.

/** @throws for a word that the settings can't have */
function wordIn<const Word extends string>(words: Readonly<Record<string, Word>>, word: string): Word {
  const found = words[word]
  if (found === undefined) throw new Error(`The setting ${word} has no word in the schema.`)
  return found
}

const SORTS = {
  bestselling: 'BEST_SELLING',
  featured: 'FEATURED',
  newest: 'NEWEST',
  alphaasc: 'A_TO_Z',
  alphadesc: 'Z_TO_A',
  pricedesc: 'HIGHEST_PRICE',
  priceasc: 'LOWEST_PRICE',
  avgcustomerreview: 'BEST_REVIEWED',
  relevance: 'RELEVANCE',
} as const

export const searchSortOf = (word: string) => wordIn(SORTS, word)

const HIDING = {
  do_nothing: 'DO_NOTHING',
  hide_product: 'HIDE_PRODUCT',
  hide_product_and_accessible: 'HIDE_PRODUCT_AND_ACCESSIBLE',
  hide_product_and_redirect: 'HIDE_PRODUCT_AND_REDIRECT',
} as const
const OPTION_HIDING = { do_nothing: 'DO_NOTHING', hide_option: 'HIDE_OPTION', label_option: 'LABEL_OPTION' } as const
const LEVELS = { dont_show: 'DONT_SHOW', show: 'SHOW', show_when_low: 'SHOW_WHEN_LOW' } as const
const UPDATES = {
  order_placed: 'ORDER_PLACED',
  order_completed_or_shipped: 'ORDER_COMPLETED_OR_SHIPPED',
} as const

/** Nothing is sold on backorder, so all its prompts are off. */
export const inventoryToAnswer = (settings: Static<(typeof inventorySettings)['shape']>) => ({
  productOutOfStockBehavior: wordIn(HIDING, settings.product_out_of_stock_behavior),
  optionOutOfStockBehavior: wordIn(OPTION_HIDING, settings.option_out_of_stock_behavior),
  stockLevelDisplay: wordIn(LEVELS, settings.stock_level_display),
  defaultOutOfStockMessage: settings.default_out_of_stock_message,
  hideInProductFiltering: settings.hide_in_product_filtering,
  showPreOrderStockLevels: settings.show_pre_order_stock_levels,
  showOutOfStockMessage: settings.show_out_of_stock_message,
  updateStockBehavior: wordIn(UPDATES, settings.update_stock_behavior),
  showQuantityOnBackorder: false,
  showQuantityOnHand: false,
  showBackorderMessage: false,
  showBackorderAvailabilityPrompt: false,
  backorderAvailabilityPrompt: '',
  showDefaultShippingExpectationPrompt: false,
  defaultShippingExpectationPrompt: '',
})
