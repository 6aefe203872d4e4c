import { slug } from '../../goods/catalog/addresses/slug.ts'
import type { NewProduct } from '../../goods/catalog/products/create.ts'
import type { NewReview } from '../../goods/catalog/sub-resources/reviews.ts'
import type { Colour } from './canvas.ts'
import { at, BRANDS, brandName } from './catalog.ts'
import { draw, type Figure, isFigure } from './figures.ts'
import {
  choices,
  deliveries,
  givenNames,
  houses,
  type Kind,
  opinions,
  praises,
  promises,
  series,
  towns,
  trades,
} from './words.ts'

/** A product of the sample data, before it is known which ids its brand and its categories have. */
export interface Article {
  body: Omit<NewProduct, 'brand_id' | 'categories' | 'images'>
  /** Which brand, counted from 0. */
  brand: number
  /** The paths of its categories. */
  places: string[]
  reviews: NewReview[]
  /** The drawings: one picture or two. */
  pictures: Drawing[]
}

export interface Drawing {
  figure: Figure
  body: Colour
  frame: Colour
  description: string
}

const kinds = trades.flatMap(({ kinds }, trade) => kinds.map((kind) => ({ ...kind, trade })))

// Without a common divisor with the number of kinds and of series: neighbours differ, and all come up before one does again.
const KIND_STEP = 1_009
const SERIES_STEP = 35

/** The facts of a product from which all its other fields follow. */
interface Identity {
  name: string
  kind: Kind
  /** Which trade, counted from 0. */
  trade: number
  line: string
  material: string
}

/**
 * No two have the same name: of each kind every series comes once before one comes again, then of another material, and when
 * all materials are through as a further edition.
 */
export function identity(index: number): Identity {
  const place = (index * KIND_STEP) % kinds.length
  const { trade, ...kind } = at(kinds, place)
  const round = Math.floor(index / kinds.length)
  const lap = Math.floor(round / series.length)
  const turn = (round * SERIES_STEP + place * 11) % series.length
  const line = at(series, turn)
  const material = at(kind.materials, lap + turn)
  const edition = Math.floor(lap / kind.materials.length)
  const name = `${line} ${material} ${kind.noun}${edition > 0 ? ` No. ${edition + 1}` : ''}`
  return { name, kind, trade, line, material }
}

/** The first products, which a newcomer orders by their ids: without options or bulk prices, in stock and for sale. */
const PLAIN = 5
/** The first products are in the category "Shop all", to whose address public shops link. */
const SHOWN = 120
const ORDERABLE = {
  inventory_tracking: 'product',
  inventory_level: 40,
  inventory_warning_level: 5,
  is_visible: true,
  availability: 'available',
  order_quantity_maximum: 0,
} as const

/** One of as many different products as one likes, the same at each call. */
export function article(index: number): Article {
  const { name, kind, trade, line, material } = identity(index)
  const roll = dice(index)
  const brand = trade + trades.length * roll(BRANDS / trades.length)
  const price = tagged(kind.price.from + roll(1 + kind.price.to - kind.price.from), roll)
  const isOnSale = roll(8) === 0
  const isSecond = roll(40) === 0
  const sku = `${slug(kind.noun).slice(0, 3).toUpperCase()}-${String(index + 1).padStart(6, '0')}`
  const isPlain = index < PLAIN
  const chosen = variantsOf(kind, { sku, price }, roll)
  const variants = isPlain ? [] : chosen
  const { width, depth, height } = measures(kind.weight, roll)
  return {
    brand,
    places: [
      kind.place,
      ...(price < 50 && roll(3) === 0 ? ['Gifts/Under 50'] : []),
      ...(kind.place.startsWith('Home/') && roll(6) === 0 ? ['Gifts/For the home'] : []),
      ...(isSecond ? ['Sample sale'] : []),
      ...(index < SHOWN ? ['Shop all'] : []),
    ],
    body: {
      name,
      type: 'physical',
      sku,
      description: describe(name, kind, brand, roll),
      weight: Math.round(kind.weight * (80 + roll(50))) / 100,
      width,
      depth,
      height,
      price,
      cost_price: Math.round(price * (38 + roll(20))) / 100,
      retail_price: roll(4) === 0 ? tagged(price * 1.2, roll) : 0,
      sale_price: isOnSale ? tagged(price * 0.75, roll) : 0,
      ...stockOf(variants.length > 0, roll),
      total_sold: roll(3) === 0 ? 0 : roll(900),
      view_count: roll(12_000),
      is_visible: roll(20) > 0,
      is_featured: roll(16) === 0,
      is_free_shipping: price >= 500,
      availability: at(['available', 'available', 'available', 'available', 'disabled', 'preorder'] as const, roll(40)),
      condition: isSecond ? at(['Refurbished', 'Used'] as const, roll(2)) : 'New',
      is_condition_shown: isSecond,
      warranty: price >= 200 ? 'Five years on everything, also on what was our idea.' : '',
      bin_picking_number: `${at(ROWS, roll(ROWS.length))}-${1 + roll(40)}-${1 + roll(6)}`,
      mpn: `${line.slice(0, 2).toUpperCase()}${10_000 + ((index * 7) % 90_000)}`,
      gtin: gtin(index),
      search_keywords: [material, kind.noun, ...at(trades, trade).keywords].join(', '),
      page_title: `${name} | ${brandName(brand)}`,
      meta_keywords: [kind.noun, material, line],
      meta_description: `${name} by ${brandName(brand)}. ${at(promises, roll(promises.length))}`,
      order_quantity_maximum: roll(10) === 0 ? 5 : 0,
      // Most have the address that their name makes.
      ...(roll(25) === 0 ? { custom_url: { url: `/finds/${index + 1}/`, is_customized: true } } : {}),
      variants,
      custom_fields: [
        { name: 'Material', value: material },
        { name: 'Made in', value: at(towns, brand) },
        { name: 'Delivery', value: at(deliveries, roll(deliveries.length)) },
        ...(roll(3) === 0 ? [{ name: 'Series', value: line }] : []),
      ],
      bulk_pricing_rules: price < 100 && roll(3) === 0 ? BULK_PRICES : [],
      ...(isPlain ? { ...ORDERABLE, bulk_pricing_rules: [] } : {}),
    },
    reviews: Array.from({ length: Math.max(0, roll(6) - 3) }, () => review(roll)),
    pictures: picturesOf(name, kind),
  }
}

const ROWS = ['A', 'B', 'C', 'D', 'E', 'F']

const BULK_PRICES: NonNullable<NewProduct['bulk_pricing_rules']> = [
  { quantity_min: 6, quantity_max: 11, type: 'percent', amount: 5 },
  { quantity_min: 12, quantity_max: 23, type: 'percent', amount: 10 },
  { quantity_min: 24, quantity_max: 0, type: 'percent', amount: 15 },
]

/** A whole number from 0 on, and below the one that is given. */
type Roll = (below: number) => number

/** Numbers as if by chance, the same for the same seed (Mulberry32). */
function dice(seed: number): Roll {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }
}

/** An amount as it stands on price tags. */
function tagged(amount: number, roll: Roll): number {
  if (amount >= 200) return Math.max(10, Math.round(amount / 10) * 10) - roll(2)
  const endings = amount < 30 ? [0.5, 0.9, 0.95] : [0, 0.5, 0.95]
  return Math.floor(amount) + at(endings, roll(endings.length))
}

/** In centimetres, as something of this weight may be. */
function measures(kilograms: number, roll: Roll) {
  const side = 18 * Math.cbrt(kilograms)
  const about = () => Math.round(side * (70 + roll(70))) / 100
  return { width: about(), depth: about(), height: about() }
}

/** Sizes that cost more from one to the next; people pay the same for theirs. */
const DEARER = new Set(['bed', 'rug', 'length', 'pan'])

/** A shop does not have everything: a few labels of each option, in their order. Some have no choice at all. */
function variantsOf(
  { options }: Kind,
  product: { sku: string; price: number },
  roll: Roll,
): NonNullable<NewProduct['variants']> {
  if (options.length === 0 || roll(5) === 0) return []
  let combinations: { option_display_name: string; label: string; step: number }[][] = [[]]
  for (const option of options) {
    const choice = choices[option]
    if (!choice) throw new Error(`There is no choice "${option}".`)
    const { name, labels } = choice
    const many = Math.min(labels.length, 2 + roll(name === 'Size' ? 4 : 3))
    const first = roll(labels.length - many + 1)
    const offered = labels.slice(first, first + many).map((label, i) => ({
      option_display_name: name,
      label,
      step: DEARER.has(option) ? i : 0,
    }))
    combinations = combinations.flatMap((former) => offered.map((value) => [...former, value]))
  }
  return combinations.map((values) => {
    const step = values.reduce((sum, { step }) => sum + step, 0)
    return {
      sku: [product.sku, ...values.map(({ label }) => slug(label).toUpperCase())].join('-'),
      option_values: values.map(({ option_display_name, label }) => ({ option_display_name, label })),
      price: step > 0 ? tagged(product.price * (1 + step * 0.18), roll) : null,
      inventory_level: roll(6) === 0 ? 0 : roll(40),
      inventory_warning_level: 3,
      ...(roll(60) === 0 ? { purchasing_disabled: true, purchasing_disabled_message: 'Back in spring' } : {}),
    }
  })
}

/** The tracked unit of a product: itself, its variants, or nothing. */
function stockOf(hasVariants: boolean, roll: Roll) {
  const tracked = hasVariants
    ? (['variant', 'variant', 'variant', 'variant', 'product', 'none'] as const)
    : (['product', 'product', 'product', 'none'] as const)
  const inventory_tracking = at<'none' | 'product' | 'variant'>(tracked, roll(tracked.length))
  return {
    inventory_tracking,
    inventory_level: inventory_tracking === 'none' || roll(9) === 0 ? 0 : roll(120),
    inventory_warning_level: inventory_tracking === 'none' ? 0 : 5,
  }
}

function describe(name: string, { noun }: Kind, brand: number, roll: Roll): string {
  const first = roll(praises.length)
  const second = first + 1 + roll(praises.length - 1)
  const maker = brandName(brand).replace('&', '&amp;')
  return (
    `<p>The ${name} comes from ${maker} in ${at(towns, brand)}. ${at(praises, first)} ${at(praises, second)}</p>` +
    `<ul><li>${at(promises, roll(promises.length))}</li><li>Questions about the ${noun}? We answer the telephone.</li></ul>`
  )
}

/** 13 digits, the last of which follows from the others. 200 to 299 is for numbers within a house. */
function gtin(index: number): string {
  const digits = `2${String(index + 1).padStart(11, '0')}`
  const sum = [...digits].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

// Within 2025: a review isn't newer than the current version of its product.
const REVIEWED_FROM = Date.UTC(2025, 0, 1)
const MINUTES_OF_A_YEAR = 365 * 24 * 60

function review(roll: Roll): NewReview {
  const given = at(givenNames, roll(givenNames.length))
  const house = at(houses, roll(houses.length))
  return {
    ...at(opinions, roll(opinions.length)),
    status: at(['approved', 'approved', 'approved', 'pending', 'disapproved'] as const, roll(5)),
    name: `${given} ${house}`,
    email: `${slug(given)}.${slug(house)}@example.com`,
    date_reviewed: new Date(REVIEWED_FROM + roll(MINUTES_OF_A_YEAR) * 60_000).toISOString(),
  }
}

/** Colours of things, and of their stands. */
const BODIES: readonly Colour[] = [
  [217, 199, 163],
  [111, 125, 79],
  [39, 52, 77],
  [181, 83, 47],
  [91, 142, 151],
  [107, 58, 82],
  [201, 141, 43],
  [93, 103, 112],
  [219, 167, 155],
  [226, 219, 204],
]
const FRAMES: readonly Colour[] = [
  [176, 132, 88],
  [120, 84, 56],
  [206, 170, 120],
  [88, 84, 80],
]

/** The name decides about the colours. Every third product is shown in a second one. */
function picturesOf(name: string, { figure }: Kind): Drawing[] {
  if (!isFigure(figure)) throw new Error(`There is no picture of "${figure}".`)
  const roll = dice([...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7))
  const body = roll(BODIES.length)
  const frame = at(FRAMES, roll(FRAMES.length))
  const front = { figure, body: at(BODIES, body), frame, description: name }
  if (roll(3) > 0) return [front]
  const other = at(BODIES, body + 1 + roll(BODIES.length - 1))
  return [front, { figure, body: other, frame, description: `${name}, another colour` }]
}

/** The picture as a PNG. */
export const pngOf = ({ figure, body, frame }: Drawing): Promise<Buffer> => draw(figure, body, frame)
