import type { CartLine, NamedText } from './cart.ts'
import type { ItemMatcher } from './promotion.ts'

// Compiles item matchers: one function for each tree, with sets of ids and folded texts.

/** Facts of lines that have to be read for the matchers of promotions. */
export interface LineFacts {
  brands: boolean
  categories: boolean
  options: boolean
  customFields: boolean
}

/** A line with its texts folded. */
export interface MatchedLine {
  brand_id: number | undefined
  categories: readonly number[]
  product_id: number
  variant_id: number
  options: readonly string[]
  customFields: readonly string[]
  /** Looks that a matcher pays for each of its leaves. */
  looks: number
}

export interface CompiledMatcher {
  matches(line: MatchedLine): boolean
  leaves: number
}

/** Lists of ids up to this length are searched as they are. */
const LIST_MAX = 8
/** Facts of a line that one look passes. */
const FACTS_OF_LOOK = 16

const fold = ({ name, value }: NamedText) => `${name.toLowerCase()}\n${value.toLowerCase()}`

export function toMatchedLine(line: CartLine): MatchedLine {
  const { brand_id, categories = [], product_id, variant_id } = line
  const options = (line.options ?? []).map(fold)
  const customFields = (line.customFields ?? []).map(fold)
  const facts = categories.length + options.length + customFields.length
  const looks = 1 + Math.floor(facts / FACTS_OF_LOOK)
  return { brand_id, categories, product_id, variant_id, options, customFields, looks }
}

/** @param facts gets the facts that the matcher needs */
export function compileMatcher(matcher: ItemMatcher, facts: LineFacts): CompiledMatcher {
  const { and, or, not } = matcher
  if (and) return compileList(and, facts, (children) => (line) => children.every((child) => child.matches(line)))
  if (or) return compileList(or, facts, (children) => (line) => children.some((child) => child.matches(line)))
  if (not) {
    const child = compileMatcher(not, facts)
    return { matches: (line) => !child.matches(line), leaves: child.leaves }
  }
  return { matches: compileLeaf(matcher, facts), leaves: 1 }
}

function compileList(
  nodes: readonly ItemMatcher[],
  facts: LineFacts,
  combine: (children: readonly CompiledMatcher[]) => CompiledMatcher['matches'],
): CompiledMatcher {
  const children = nodes.map((node) => compileMatcher(node, facts))
  return { matches: combine(children), leaves: children.reduce((sum, { leaves }) => sum + leaves, 0) }
}

function compileLeaf(matcher: ItemMatcher, facts: LineFacts): CompiledMatcher['matches'] {
  const { brands, categories, products, variants, product_option, product_custom_field } = matcher
  if (products) {
    const has = inIds(products)
    return ({ product_id }) => has(product_id)
  }
  if (variants) {
    const has = inIds(variants)
    return ({ variant_id }) => has(variant_id)
  }
  if (brands) {
    facts.brands = true
    const has = inIds(brands)
    return ({ brand_id }) => brand_id !== undefined && has(brand_id)
  }
  if (categories) {
    facts.categories = true
    const [first, ...others] = categories
    if (first !== undefined && others.length === 0) return (line) => line.categories.includes(first)
    const has = inIds(categories)
    return (line) => line.categories.some(has)
  }
  if (product_option) {
    facts.options = true
    const has = inTexts(product_option)
    return ({ options }) => options.some(has)
  }
  if (product_custom_field) {
    facts.customFields = true
    const has = inTexts(product_custom_field)
    return ({ customFields }) => customFields.some(has)
  }
  return () => false
}

function inIds(ids: readonly number[]): (id: number) => boolean {
  if (ids.length <= LIST_MAX) return (id) => ids.includes(id)
  const set = new Set(ids)
  return (id) => set.has(id)
}

function inTexts({ name, values }: { name: string; values: readonly string[] }): (text: string) => boolean {
  const texts = new Set(values.map((value) => fold({ name, value })))
  return (text) => texts.has(text)
}
