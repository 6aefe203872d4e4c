import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answered, openShop } from '../../server/test/fixtures/shop.ts'
import { figure, sized } from './rig.ts'

// Compares a catalog, after any sequence of requests, with a model of a few arrays in memory that is written from
// docs/contract alone: the answer of each request, refusals included, and every few requests the whole state by its
// lists.

const RUNS = sized(1_000, 25)
const LIMIT_MS = sized(3_600_000, 90_000)
/** The number of requests between two comparisons of the whole state. */
const LOOK_EVERY = 8

interface Brand {
  id: number
  name: string
}
interface Category {
  id: number
  name: string
  parent_id: number
  sort_order: number
}
interface Value {
  id: number
  label: string
  sort_order: number
  is_default: boolean
}
interface Option {
  id: number
  display_name: string
  type: string
  sort_order: number
  values: Value[]
}
interface Variant {
  id: number
  sku: string
  price: number | null
  sale_price: number | null
  inventory_level: number | null
  /** Pairs of option and value, in the order of the options when the variant was created. */
  chosen: { option_id: number; id: number }[]
}
interface Product {
  id: number
  name: string
  sku: string
  price: number
  sale_price: number
  inventory_tracking: 'none' | 'product' | 'variant'
  inventory_level: number
  /** Its own stock, besides that of its variants. Answers show it unless the variants are tracked. */
  own_level: number
  categories: number[]
  brand_id: number
  base_variant_id: number | null
  options: Option[]
  variants: Variant[]
}

const kinds = ['brands', 'categories', 'products', 'options', 'values', 'variants'] as const
type Kind = (typeof kinds)[number]

class Model {
  brands: Brand[] = []
  categories: Category[] = []
  products: Product[] = []
  /** Assigned ids: none may be assigned twice. */
  readonly given: Record<Kind, number[]> = {
    brands: [],
    categories: [],
    products: [],
    options: [],
    values: [],
    variants: [],
  }

  /** The id in an answer. It must be larger than all before it, those of deleted rows included. */
  fresh(kind: Kind, id: number): number {
    expect(id, `the id of new ${kind}`).toBeGreaterThan(this.given[kind].at(-1) ?? 0)
    this.given[kind].push(id)
    return id
  }

  allIds(kind: Kind): number[] {
    const { products } = this
    if (kind === 'options') return products.flatMap(({ options }) => idsOf(options))
    if (kind === 'values') return products.flatMap(({ options }) => options.flatMap(({ values }) => idsOf(values)))
    if (kind === 'variants') return products.flatMap(({ variants }) => idsOf(variants))
    return idsOf(this[kind])
  }

  /** Usually one of the given ids; sometimes one of another owner, a deleted one or one that never existed. */
  pick(kind: Kind, n: number, own: readonly number[] = this.allIds(kind)): number {
    const there = this.allIds(kind)
    const others = there.filter((id) => !own.includes(id))
    const gone = this.given[kind].filter((id) => !there.includes(id))
    const from = n < 10 ? own : n === 10 ? others : n === 11 ? gone : []
    return from[n % from.length] ?? 99_999
  }

  /** The same for a body, which leaves the field out if there is nothing to choose from. */
  pickSome = (kind: Kind, refs: readonly number[]) =>
    refs.filter((n) => n >= 10 || this.allIds(kind).length > 0).map((n) => this.pick(kind, n))

  product = (id: number) => this.products.find((product) => product.id === id)

  /** The product of this variant. */
  ownerOf = (id: number) => this.products.find(({ variants }) => variants.some((variant) => variant.id === id))

  /** Whether another one has the SKU. A base variant has that of its product. */
  isSkuTaken(sku: string, except: { product?: number; variant?: number } = {}): boolean {
    if (fold(sku) === '') return false
    return this.products.some(
      (product) =>
        (product.id !== except.product && fold(product.sku) === fold(sku)) ||
        product.variants.some(
          ({ id, sku: other }) => id !== product.base_variant_id && id !== except.variant && fold(other) === fold(sku),
        ),
    )
  }

  isNameTaken(kind: 'brands' | 'products', name: string, except?: number): boolean {
    return this[kind].some((other) => other.id !== except && fold(other.name) === fold(name))
  }

  isSiblingNamed(name: string, parent_id: number, except?: number): boolean {
    return this.categories.some(
      (other) => other.id !== except && other.parent_id === parent_id && fold(other.name) === fold(name),
    )
  }

  children = (id: number) => this.categories.filter(({ parent_id }) => parent_id === id)

  depth(id: number): number {
    const category = this.categories.find((category) => category.id === id)
    return category ? 1 + this.depth(category.parent_id) : 0
  }

  height = (id: number): number => 1 + Math.max(0, ...this.children(id).map((child) => this.height(child.id)))

  isBelow(id: number, upper: number): boolean {
    if (id === upper) return true
    const category = this.categories.find((category) => category.id === id)
    return category !== undefined && category.parent_id !== 0 && this.isBelow(category.parent_id, upper)
  }

  canStandBelow(parent_id: number, moved?: number): boolean {
    if (parent_id === 0) return true
    if (!this.categories.some(({ id }) => id === parent_id)) return false
    if (moved !== undefined && this.isBelow(parent_id, moved)) return false
    return this.depth(parent_id) + (moved === undefined ? 1 : this.height(moved)) <= 8
  }

  /** Whether these categories can't be deleted: they have children, or a product would have no category left. */
  keepsCategories(ids: readonly number[]): boolean {
    return (
      this.categories.some(({ id, parent_id }) => ids.includes(parent_id) && !ids.includes(id)) ||
      this.products.some(({ categories }) => categories.length > 0 && categories.every((id) => ids.includes(id)))
    )
  }

  deleteCategories(ids: readonly number[]) {
    this.categories = this.categories.filter(({ id }) => !ids.includes(id))
    for (const product of this.products) product.categories = product.categories.filter((id) => !ids.includes(id))
  }

  deleteBrands(ids: readonly number[]) {
    this.brands = this.brands.filter(({ id }) => !ids.includes(id))
    for (const product of this.products) if (ids.includes(product.brand_id)) product.brand_id = 0
  }
}

const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id)
const fold = (text: string) => text.normalize('NFC').trim().toLowerCase()
const stored = (text: string) => text.normalize('NFC')
const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
const inOrder = <T extends { sort_order: number; id: number }>(items: readonly T[]) =>
  items.toSorted((a, b) => a.sort_order - b.sort_order || a.id - b.id)

/** A product and its sub-resources, as answers show them. */
const shownProduct = ({ options: _, variants: __, own_level: ___, ...own }: Product) => ({
  ...own,
  calculated_price: own.sale_price || own.price,
})
const shownOption = ({ values, ...own }: Option) => ({ ...own, option_values: inOrder(values) })
function shownVariant(product: Product, { chosen, ...stored }: Variant) {
  const isBase = stored.id === product.base_variant_id
  const own = isBase ? { ...stored, price: product.price, sale_price: product.sale_price } : stored
  const sale = own.sale_price ?? (own.price === null ? product.sale_price : 0)
  return {
    ...own,
    product_id: product.id,
    sku: isBase ? product.sku : own.sku,
    sku_id: isBase ? null : own.id,
    calculated_price: sale > 0 ? sale : (own.price ?? product.price),
    option_values: chosen.map(({ option_id, id }) => {
      const option = product.options.find((option) => option.id === option_id)
      const value = option?.values.find((value) => value.id === id)
      return { option_id, id, option_display_name: option?.display_name, label: value?.label }
    }),
  }
}
const shownWhole = (product: Product) => ({
  ...shownProduct(product),
  options: inOrder(product.options).map(shownOption),
  variants: product.variants.map((variant) => shownVariant(product, variant)),
})

/** The contract's answer to a request, by the state that the request finds. */
interface Request {
  method: string
  path: string
  body?: unknown
  /** One status; both if two rules are broken and the contract has no order for them. */
  status: number | readonly number[]
  /** The fields that a refusal may name. */
  fields?: readonly string[]
  /** The total of a list. */
  total?: number
  /** Compares the data of a success, and updates the model. */
  keep?(data: Answered['body'], read: (path: string) => Promise<Answered>): unknown
}

interface Command {
  plan(model: Model): Request
  [fc.toStringMethod](): string
}

const command = <T>(name: string, drawn: fc.Arbitrary<T>, plan: (model: Model, drawn: T) => Request) =>
  drawn.map(
    (drawn): Command => ({
      plan: (model) => plan(model, drawn),
      [fc.toStringMethod]: () => `${name}(${fc.stringify(drawn)})`,
    }),
  )

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The number by which `Model.pick` chooses. */
const ref = fc.oneof({ weight: 9, arbitrary: fc.nat(9) }, fc.integer({ min: 10, max: 12 }))
// Names that are equal except for case, blanks or composition, or only as addresses, or not at all.
const name = fc.constantFrom('Oak', 'oak', ' OAK ', 'Elm', 'Fir & Pine', 'fir pine', 'É', 'E\u0301', 'e')
const sku = fc.oneof(
  fc.constantFrom('', 'S-1', 's-1', ' S-1'),
  fc.integer({ min: 1, max: 20 }).map((n) => `S-${n}`),
)
const realSku = sku.filter((sku) => sku !== '')
const label = fc.constantFrom('Red', 'red', ' RED', 'Blue', 'Green', 'Grün')
const place = fc.integer({ min: -1, max: 2 })
/** The value in a request and the stored one: four places, rounded half up. */
const money = fc.constantFrom<readonly [number | string, number]>(
  [0, 0],
  [10, 10],
  [9.99, 9.99],
  ['10.00', 10],
  ['0.00005', 0.0001],
  ['12.34565', 12.3457],
  [12.34564, 12.3456],
)

// Brands

const createBrand = command('createBrand', name, (model, name) => ({
  method: 'POST',
  path: '/catalog/brands',
  body: { name },
  ...(model.isNameTaken('brands', name)
    ? { status: 409, fields: ['name'] }
    : {
        status: 200,
        keep(data) {
          model.brands.push({ id: model.fresh('brands', data.id), name: stored(name) })
          expect(data).toMatchObject({ name: stored(name) })
        },
      }),
}))

const changeBrand = command('changeBrand', fc.record({ brand: ref, name }), (model, { brand, name }) => {
  const id = model.pick('brands', brand)
  const there = model.brands.find((brand) => brand.id === id)
  const request = { method: 'PUT', path: `/catalog/brands/${id}`, body: { name } }
  if (!there) return { ...request, status: 404 }
  if (model.isNameTaken('brands', name, id)) return { ...request, status: 409, fields: ['name'] }
  return {
    ...request,
    status: 200,
    keep(data) {
      there.name = stored(name)
      expect(data).toMatchObject(there)
    },
  }
})

const deleteBrand = command('deleteBrand', ref, (model, brand) => {
  const id = model.pick('brands', brand)
  return {
    method: 'DELETE',
    path: `/catalog/brands/${id}`,
    status: model.brands.some((brand) => brand.id === id) ? 204 : 404,
    keep: () => model.deleteBrands([id]),
  }
})

const deleteBrandsNamed = command('deleteBrandsNamed', name, (model, name) => ({
  method: 'DELETE',
  path: `/catalog/brands?name=${encodeURIComponent(name)}`,
  status: 204,
  keep: () => model.deleteBrands(idsOf(model.brands.filter((brand) => fold(brand.name) === fold(name)))),
}))

// Categories

/** 0 is the root. The last created category is chosen more often, so that trees grow high. */
const parent = fc.oneof(fc.constant('top' as const), fc.constant('last' as const), ref)
function parentOf(model: Model, parent: 'top' | 'last' | number): number {
  if (parent === 'top') return 0
  return parent === 'last' ? (model.categories.at(-1)?.id ?? 0) : model.pick('categories', parent)
}

const newCategory = (parent: fc.Arbitrary<'top' | 'last' | number>) =>
  command('createCategory', fc.record({ name, parent, sort_order: place }), (model, { name, parent, sort_order }) => {
    const parent_id = parentOf(model, parent)
    const request = { method: 'POST', path: '/catalog/categories', body: { name, parent_id, sort_order } }
    if (!model.canStandBelow(parent_id)) return { ...request, status: 422, fields: ['parent_id'] }
    if (model.isSiblingNamed(name, parent_id)) return { ...request, status: 409, fields: ['name'] }
    return {
      ...request,
      status: 200,
      keep(data) {
        const category = { id: model.fresh('categories', data.id), name: stored(name), parent_id, sort_order }
        model.categories.push(category)
        expect(data).toMatchObject(category)
      },
    }
  })
const createCategory = newCategory(parent)
/** Adds level by level, down to the last allowed one. */
const createBelow = newCategory(fc.constant('last'))

const changeCategory = command(
  'changeCategory',
  fc.record({ category: ref, name: optional(name), parent: optional(parent), sort_order: optional(place) }),
  (model, { category, name, parent, sort_order }) => {
    const id = model.pick('categories', category)
    const parent_id = parent === undefined ? undefined : parentOf(model, parent)
    const there = model.categories.find((category) => category.id === id)
    const body = given({ name, parent_id, sort_order })
    const request = { method: 'PUT', path: `/catalog/categories/${id}`, body }
    if (!there) return { ...request, status: 404 }
    const now = { ...there, ...body, name: stored(name ?? there.name) }
    if (now.parent_id !== there.parent_id && !model.canStandBelow(now.parent_id, id)) {
      return { ...request, status: 422, fields: ['parent_id'] }
    }
    if (model.isSiblingNamed(now.name, now.parent_id, id)) return { ...request, status: 409, fields: ['name'] }
    return {
      ...request,
      status: 200,
      keep(data) {
        Object.assign(there, now)
        expect(data).toMatchObject(now)
      },
    }
  },
)

const deleteCategory = command('deleteCategory', ref, (model, category) => {
  const id = model.pick('categories', category)
  const isThere = model.categories.some((category) => category.id === id)
  return {
    method: 'DELETE',
    path: `/catalog/categories/${id}`,
    status: !isThere ? 404 : model.keepsCategories([id]) ? 409 : 204,
    keep: () => model.deleteCategories([id]),
  }
})

const deleteCategories = command(
  'deleteCategories',
  fc.oneof(
    fc.record({ ids: fc.array(ref, { minLength: 1, maxLength: 3 }) }),
    fc.record({ below: parent }),
    fc.record({ like: fc.constantFrom('oak', 'E', 'f') }),
  ),
  (model, filter) => {
    const ids = 'ids' in filter ? filter.ids.map((n) => model.pick('categories', n)) : []
    const below = 'below' in filter ? parentOf(model, filter.below) : undefined
    const [query, found] =
      'ids' in filter
        ? [`id:in=${ids}`, model.categories.filter(({ id }) => ids.includes(id))]
        : 'below' in filter
          ? [`parent_id=${below}`, model.categories.filter(({ parent_id }) => parent_id === below)]
          : [`name:like=${filter.like}`, model.categories.filter(({ name }) => fold(name).includes(fold(filter.like)))]
    return {
      method: 'DELETE',
      path: `/catalog/categories?${query}`,
      status: model.keepsCategories(idsOf(found)) ? 409 : 204,
      keep: () => model.deleteCategories(idsOf(found)),
    }
  },
)

const assign = command(
  'assign',
  fc.array(fc.record({ product: ref, category: ref }), { minLength: 1, maxLength: 3 }),
  (model, links) => {
    const body = links.map(({ product, category }) => ({
      product_id: model.pick('products', product),
      category_id: model.pick('categories', category),
    }))
    const request = { method: 'PUT', path: '/catalog/products/category-assignments', body }
    const fields = body.flatMap(({ product_id, category_id }, i) => [
      ...(model.product(product_id) ? [] : [`${i}.product_id`]),
      ...(model.categories.some(({ id }) => id === category_id) ? [] : [`${i}.category_id`]),
    ])
    if (fields.length > 0) return { ...request, status: 422, fields }
    return {
      ...request,
      status: 204,
      keep() {
        for (const { product_id, category_id } of body) {
          const product = model.product(product_id)
          if (product) product.categories = sorted([...product.categories, category_id])
        }
      },
    }
  },
)

const unassign = command('unassign', fc.record({ product: optional(ref), category: ref }), (model, drawn) => {
  const category_id = model.pick('categories', drawn.category)
  const product_id = drawn.product === undefined ? undefined : model.pick('products', drawn.product)
  const ofProduct = product_id === undefined ? '' : `&product_id:in=${product_id}`
  return {
    method: 'DELETE',
    path: `/catalog/products/category-assignments?category_id:in=${category_id}${ofProduct}`,
    status: 204,
    keep() {
      for (const product of model.products) {
        if (product_id !== undefined && product.id !== product_id) continue
        product.categories = product.categories.filter((id) => id !== category_id)
      }
    },
  }
})

// Products

const productFields = {
  sku: optional(sku),
  sale_price: optional(money),
  categories: optional(fc.array(ref, { maxLength: 3 })),
  inventory_tracking: optional(fc.constantFrom('none', 'product', 'variant')),
  inventory_level: optional(fc.nat(9)),
  brand: optional(fc.oneof(ref, fc.constantFrom('none'))),
  brand_name: optional(name),
}
const chosenOf = (option_display_name: string) =>
  fc.record({ option_display_name: fc.constant(option_display_name), label })
const newVariants = fc.constantFrom(['Colour'], ['Size', 'Colour'], ['Colour', 'colour']).chain((names) =>
  fc.array(
    fc.record({
      sku: fc.oneof({ weight: 20, arbitrary: realSku }, sku),
      price: optional(money),
      inventory_level: optional(fc.nat(9)),
      // Usually a value of each option.
      option_values: fc.oneof(
        { weight: 9, arbitrary: fc.tuple(...names.map((name) => chosenOf(name))) },
        fc.array(chosenOf('Colour'), { minLength: 1, maxLength: 2 }),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
)
const newProduct = fc.record({ ...productFields, name, price: money, variants: optional(newVariants) })
const productChanges = fc.record({ ...productFields, name: optional(name), price: optional(money) })

interface DrawnFields {
  name?: string | undefined
  price?: readonly [number | string, number] | undefined
  sku?: string | undefined
  sale_price?: readonly [number | string, number] | undefined
  inventory_tracking?: Product['inventory_tracking'] | undefined
  inventory_level?: number | undefined
  categories?: number[] | undefined
  brand?: number | string | undefined
  brand_name?: string | undefined
}

/** A product's own fields in a body, with ids of the state at which it is sent. */
type Fields = Omit<DrawnFields, 'brand'> & { brand_id?: number | undefined }

const brandOf = (model: Model, brand: number | string) =>
  brand === 'none' ? 0 : (model.pickSome('brands', [Number(brand)])[0] ?? 0)

const fieldsOf = (model: Model, { categories, brand, ...own }: DrawnFields): Fields => ({
  ...own,
  categories: categories && model.pickSome('categories', categories),
  brand_id: brand === undefined ? undefined : brandOf(model, brand),
})

const bodyOf = ({ price, sale_price, ...own }: Fields) =>
  given({ ...own, price: price?.[0], sale_price: sale_price?.[0] })

/** Whether it names an unknown brand or category. */
const namesMissing = (model: Model, { brand_id, categories = [] }: Fields) =>
  (brand_id !== undefined && brand_id !== 0 && !model.brands.some(({ id }) => id === brand_id)) ||
  categories.some((id) => !model.categories.some((category) => category.id === id))

/** The stored fields. A brand that is only named is created if it is missing. */
function keptOf(model: Model, fields: Fields, data: Answered['body']): Partial<Product> {
  let { brand_id } = fields
  if (!brand_id && fields.brand_name !== undefined) {
    const key = fold(fields.brand_name)
    const there = model.brands.find(({ name }) => fold(name) === key)
    if (!there) model.brands.push({ id: model.fresh('brands', data.brand_id), name: stored(fields.brand_name) })
    brand_id = there?.id ?? data.brand_id
  }
  return given({
    name: fields.name === undefined ? undefined : stored(fields.name),
    sku: fields.sku,
    price: fields.price?.[1],
    sale_price: fields.sale_price?.[1],
    inventory_tracking: fields.inventory_tracking,
    inventory_level: fields.inventory_level,
    categories: fields.categories && sorted(fields.categories),
    brand_id,
  })
}

type DrawnProduct = typeof newProduct extends fc.Arbitrary<infer P> ? P : never

/** The options that variants name, in the spelling and order of their first mention. */
function optionsNamed(variants: NonNullable<DrawnProduct['variants']>) {
  const options: { display_name: string; labels: string[] }[] = []
  for (const { option_display_name, label } of variants.flatMap(({ option_values }) => option_values)) {
    const there = options.find(({ display_name }) => fold(display_name) === fold(option_display_name))
    const option = there ?? { display_name: option_display_name, labels: [] }
    if (!there) options.push(option)
    if (!option.labels.some((other) => fold(other) === fold(label))) option.labels.push(stored(label))
  }
  return options
}

const hasRepeats = (keys: readonly string[]) => new Set(keys).size < keys.length

const combination = (variant: NonNullable<DrawnProduct['variants']>[number]) =>
  JSON.stringify(variant.option_values.map((value) => [fold(value.option_display_name), fold(value.label)]).sort())

/** @returns the status of a refusal */
function refusalOfNew(model: Model, drawn: readonly DrawnProduct[], fields: readonly Fields[]) {
  for (const { variants = [] } of drawn) {
    if (variants.some(({ sku }) => sku === '')) return { status: 422 }
    const count = optionsNamed(variants).length
    for (const { option_values } of variants) {
      const names = option_values.map(({ option_display_name }) => fold(option_display_name))
      if (hasRepeats(names) || names.length < count) return { status: 422 }
    }
  }
  const names = drawn.map(({ name }) => fold(name))
  const skus = drawn.flatMap(({ sku = '', variants = [] }) => [sku, ...variants.map((variant) => variant.sku)])
  const isConflict =
    drawn.some(({ variants = [] }) => hasRepeats(variants.map(combination))) ||
    fields.some((one) => namesMissing(model, one)) ||
    hasRepeats(names) ||
    names.some((name) => model.isNameTaken('products', name)) ||
    hasRepeats(skus.map(fold).filter((key) => key !== '')) ||
    skus.some((sku) => model.isSkuTaken(sku))
  return isConflict ? { status: 409 } : undefined
}

async function keepNew(
  model: Model,
  { one: { variants: drawnVariants }, fields }: { one: DrawnProduct; fields: Fields },
  data: Answered['body'],
  read: (path: string) => Promise<Answered>,
): Promise<Product> {
  const product: Product = {
    id: model.fresh('products', data.id),
    name: '',
    sku: '',
    price: 0,
    sale_price: 0,
    inventory_tracking: 'none',
    inventory_level: 0,
    own_level: 0,
    categories: [],
    brand_id: 0,
    base_variant_id: null,
    options: [],
    variants: [],
    ...keptOf(model, fields, data),
  }
  if (!drawnVariants || product.inventory_tracking !== 'variant') product.own_level = product.inventory_level
  model.products.push(product)
  if (!drawnVariants) {
    product.base_variant_id = model.fresh('variants', data.base_variant_id)
    product.variants = [baseVariant(product)]
    return product
  }
  const { body } = await read(`/catalog/products/${product.id}?include=variants,options`)
  const { variants, options } = body.data
  product.options = optionsNamed(drawnVariants).map(({ display_name, labels }, n) => ({
    id: model.fresh('options', options[n].id),
    display_name,
    type: 'rectangles',
    sort_order: n,
    values: labels.map((label, m) => ({
      id: model.fresh('values', options[n].option_values[m].id),
      label,
      sort_order: m,
      is_default: false,
    })),
  }))
  product.variants = drawnVariants.map(({ sku, price, inventory_level = 0, option_values }, n) => ({
    id: model.fresh('variants', variants[n].id),
    sku,
    price: price?.[1] ?? null,
    sale_price: null,
    inventory_level,
    chosen: product.options.flatMap((option) => {
      const named = option_values.find((value) => fold(value.option_display_name) === fold(option.display_name))
      const value = option.values.find((value) => fold(value.label) === fold(named?.label ?? ''))
      return value ? [{ option_id: option.id, id: value.id }] : []
    }),
  }))
  countAgain(product)
  expect(data.variants).toMatchObject(shownWhole(product).variants)
  return product
}

const baseVariant = ({ base_variant_id, inventory_level }: Product): Variant => ({
  id: base_variant_id ?? 0,
  sku: '',
  price: null,
  sale_price: null,
  inventory_level,
  chosen: [],
})

const isSummed = ({ inventory_tracking, base_variant_id }: Product) =>
  inventory_tracking === 'variant' && base_variant_id === null

/** If variants are tracked, the stock of their product is the sum of theirs. */
function countAgain(product: Product) {
  product.inventory_level = isSummed(product)
    ? product.variants.reduce((sum, { inventory_level }) => sum + (inventory_level ?? 0), 0)
    : product.own_level
}

const createProducts = command(
  'createProducts',
  fc.oneof({ weight: 3, arbitrary: newProduct }, fc.array(newProduct, { minLength: 1, maxLength: 3 })),
  (model, drawn) => {
    const list = [drawn].flat()
    const fields = list.map((one) => fieldsOf(model, one))
    const bodies = list.map(({ variants }, i) => ({
      ...bodyOf(fields[i] ?? {}),
      type: 'physical',
      weight: 1,
      ...(variants && { variants: variants.map(({ price, ...own }) => given({ ...own, price: price?.[0] })) }),
    }))
    return {
      method: 'POST',
      path: '/catalog/products',
      body: Array.isArray(drawn) ? bodies : bodies[0],
      ...(refusalOfNew(model, list, fields) ?? {
        status: 200,
        async keep(data, read) {
          const made = [data].flat()
          expect(made).toHaveLength(list.length)
          for (const [i, one] of list.entries()) {
            const product = await keepNew(model, { one, fields: fields[i] ?? {} }, made[i], read)
            expect(made[i]).toMatchObject(shownProduct(product))
          }
        },
      }),
    }
  },
)

interface Item {
  id: number
  fields: Fields
}

/** Names change one after the other, SKUs all at once. @returns the status of a refusal, or undefined */
function refusalOfChanges(model: Model, items: readonly Item[], isBatch: boolean) {
  if (hasRepeats(items.map(({ id }) => String(id)))) return { status: 422 }
  if (items.some(({ id }) => !model.product(id))) return { status: isBatch ? 422 : 404 }
  if (items.some(({ fields }) => namesMissing(model, fields))) return { status: 409 }
  const after = new Model()
  after.products = structuredClone(model.products)
  for (const { id, fields } of items) {
    const { name, sku } = fields
    if (name !== undefined && after.isNameTaken('products', name, id)) return { status: 409 }
    Object.assign(after.product(id) ?? {}, given({ name, sku }))
  }
  const isTaken = items.some(({ id, fields: { sku = '' } }) => after.isSkuTaken(sku, { product: id }))
  return isTaken ? { status: 409 } : undefined
}

function keepChanges(model: Model, items: readonly Item[], data: Answered['body']) {
  for (const [i, { id, fields }] of items.entries()) {
    const product = model.product(id)
    if (!product) continue
    const before = product.inventory_level
    Object.assign(product, keptOf(model, fields, data[i]))
    if (fields.inventory_level !== undefined && !isSummed(product)) product.own_level = fields.inventory_level
    countAgain(product)
    const base = product.variants.find((variant) => variant.id === product.base_variant_id)
    if (base && product.inventory_level !== before) base.inventory_level = product.inventory_level
    expect(data[i]).toMatchObject(shownProduct(product))
  }
}

const changeProduct = command(
  'changeProduct',
  fc.record({ product: ref, changes: productChanges }),
  (model, { product, changes }) => {
    const item = { id: model.pick('products', product), fields: fieldsOf(model, changes) }
    return {
      method: 'PUT',
      path: `/catalog/products/${item.id}`,
      body: bodyOf(item.fields),
      ...(refusalOfChanges(model, [item], false) ?? {
        status: 200,
        keep: (data) => keepChanges(model, [item], [data]),
      }),
    }
  },
)

const changeProducts = command(
  'changeProducts',
  fc.array(fc.record({ product: ref, changes: productChanges }), { minLength: 1, maxLength: 3 }),
  (model, drawn) => {
    const items = drawn.map(({ product, changes }) => ({
      id: model.pick('products', product),
      fields: fieldsOf(model, changes),
    }))
    return {
      method: 'PUT',
      path: '/catalog/products',
      body: items.map(({ id, fields }) => ({ ...bodyOf(fields), id })),
      ...(refusalOfChanges(model, items, true) ?? { status: 200, keep: (data) => keepChanges(model, items, data) }),
    }
  },
)

const deleteProduct = command('deleteProduct', ref, (model, product) => {
  const id = model.pick('products', product)
  return {
    method: 'DELETE',
    path: `/catalog/products/${id}`,
    status: model.product(id) ? 204 : 404,
    keep() {
      model.products = model.products.filter((product) => product.id !== id)
    },
  }
})

/** A filter of products: its value in the query, and the matching products. */
interface Filter {
  of(model: Model): readonly [value: unknown, finds: (product: Product) => boolean]
  [fc.toStringMethod](): string
}

const filter = <T>(drawn: fc.Arbitrary<T>, of: (model: Model, drawn: T) => ReturnType<Filter['of']>) =>
  drawn.map((drawn): Filter => ({ of: (model) => of(model, drawn), [fc.toStringMethod]: () => fc.stringify(drawn) }))

const refs = fc.array(ref, { minLength: 1, maxLength: 3 })
const has = (text: string, piece: string) => fold(text).includes(fold(piece))

/** Filters of both the list and the DELETE, and those of the list only. */
const narrowing = {
  'id:in': filter(refs, (model, refs) => {
    const ids = refs.map((n) => model.pick('products', n))
    return [ids, ({ id }) => ids.includes(id)]
  }),
  categories: filter(ref, (model, n) => {
    const id = model.pick('categories', n)
    return [id, ({ categories }) => categories.includes(id)]
  }),
  brand_id: filter(fc.oneof(ref, fc.constant('none')), (model, brand) => {
    const id = brandOf(model, brand)
    return [id, ({ brand_id }) => brand_id === id]
  }),
  sku: filter(sku, (_, wanted) => [wanted, ({ sku }) => fold(sku) === fold(wanted)]),
  price: filter(money, (_, [, wanted]) => [wanted, ({ price }) => price === wanted]),
  name: filter(name, (_, wanted) => [wanted, ({ name }) => fold(name) === fold(wanted)]),
  keyword: filter(fc.constantFrom('oa', 'S-1', 'É', 'pine', '%'), (_, piece) => [
    piece,
    ({ name, sku }) => has(name, piece) || has(sku, piece),
  ]),
}
const filters = {
  ...narrowing,
  'id:not_in': filter(refs, (model, refs) => {
    const ids = refs.map((n) => model.pick('products', n))
    return [ids, ({ id }) => !ids.includes(id)]
  }),
  'id:min': filter(ref, (model, n) => {
    const least = model.pick('products', n)
    return [least, ({ id }) => id >= least]
  }),
  'sku:in': filter(fc.array(realSku, { minLength: 1, maxLength: 3 }), (_, wanted) => [
    wanted,
    ({ sku }) => wanted.map(fold).includes(fold(sku)),
  ]),
  'categories:in': filter(refs, (model, refs) => {
    const ids = refs.map((n) => model.pick('categories', n))
    return [ids, ({ categories }) => categories.some((id) => ids.includes(id))]
  }),
  'name:like': filter(fc.constantFrom('oa', 'é', '_', 'IR'), (_, piece) => [piece, ({ name }) => has(name, piece)]),
}

/** The query and the products that match it. */
function search(model: Model, asked: Record<string, Filter>) {
  const conditions = Object.entries(asked).map(([name, filter]) => [name, ...filter.of(model)] as const)
  return {
    query: conditions.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`),
    found: model.products.filter((product) => conditions.every(([, , finds]) => finds(product))),
  }
}

const deleteProducts = command('deleteProducts', fc.record(narrowing, { requiredKeys: [] }), (model, drawn) => {
  const { query, found } = search(model, drawn)
  return {
    method: 'DELETE',
    path: `/catalog/products?${query.join('&')}`,
    // A DELETE without a filter or with a blank one is a mistake.
    status: query.length === 0 || query.some((filter) => filter.endsWith('=')) ? 422 : 204,
    keep() {
      model.products = model.products.filter((product) => !found.includes(product))
    },
  }
})

const listProducts = command(
  'listProducts',
  fc.record({
    filters: fc.record(filters, { requiredKeys: [] }),
    order: optional(fc.constantFrom(['price', 'asc'], ['price', 'desc'], ['calculated_price', 'desc'], ['id', 'desc'])),
    page: fc.integer({ min: 1, max: 3 }),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
  (model, { filters, order, page, limit }) => {
    const { query, found } = search(model, filters)
    const [sort, direction] = order ?? ['id', 'asc']
    const by = (product: Product) =>
      sort === 'id' ? product.id : sort === 'price' ? product.price : shownProduct(product).calculated_price
    const rows = found.toSorted((a, b) => (direction === 'desc' ? by(b) - by(a) : by(a) - by(b)) || a.id - b.id)
    const expected = rows.slice((page - 1) * limit, page * limit)
    return {
      method: 'GET',
      path: `/catalog/products?${[...query, `sort=${sort}&direction=${direction}&page=${page}&limit=${limit}`].join('&')}`,
      status: 200,
      total: found.length,
      keep(data) {
        expect(data.map(({ id }: { id: number }) => id)).toEqual(idsOf(expected))
        expect(data).toMatchObject(expected.map(shownProduct))
      },
    }
  },
)

// Options and values

const valueItem = fc.record({ label, sort_order: place, is_default: optional(fc.boolean()) })
const displayName = fc.constantFrom('Colour', 'COLOUR ', 'Size', 'Cut')
const keptValue = (model: Model, { label, sort_order, is_default = false }: ValueItem, id: number): Value => ({
  id: model.fresh('values', id),
  label: stored(label),
  sort_order,
  is_default,
})
type ValueItem = typeof valueItem extends fc.Arbitrary<infer V> ? V : never

const createOption = command(
  'createOption',
  fc.record({
    product: fc.nat(11),
    display_name: displayName,
    type: fc.constantFrom('rectangles', 'dropdown', 'radio_buttons'),
    sort_order: optional(place),
    option_values: fc.array(valueItem, { minLength: 1, maxLength: 3 }),
  }),
  (model, { product: n, display_name, type, sort_order, option_values }) => {
    const id = model.pick('products', n)
    const product = model.product(id)
    const body = given({ display_name, type, sort_order, option_values: option_values.map(given) })
    const request = { method: 'POST', path: `/catalog/products/${id}/options`, body }
    const isFaulty =
      hasRepeats(option_values.map(({ label }) => fold(label))) ||
      option_values.filter(({ is_default }) => is_default).length > 1
    // Equal labels are found in the body alone, but are reported with the mistakes that the database finds.
    if (!product) return { ...request, status: isFaulty ? [404, 422] : 404 }
    if (isFaulty) return { ...request, status: 422 }
    if (product.options.some((option) => fold(option.display_name) === fold(display_name))) {
      return { ...request, status: 409, fields: ['display_name'] }
    }
    return {
      ...request,
      status: 200,
      keep(data) {
        const option: Option = {
          id: model.fresh('options', data.id),
          display_name,
          type,
          sort_order: sort_order ?? Math.max(0, ...product.options.map((option) => option.sort_order + 1)),
          values: [],
        }
        const ids = sorted(idsOf(data.option_values))
        option.values = option_values.map((value, i) => keptValue(model, value, ids[i] ?? 0))
        product.options.push(option)
        expect(data).toMatchObject(shownOption(option))
      },
    }
  },
)

/** A product and an option of it. Either may be missing, or the option may be another product's. */
function pickOption(model: Model, { product: p, option: o }: { product: number; option: number }) {
  const ready = model.products.filter(({ options }) => options.length > 0)
  const product_id = model.pick('products', p, p < 8 ? idsOf(ready) : undefined)
  const product = model.product(product_id)
  const option_id = model.pick('options', o, idsOf(product?.options ?? []))
  const option = product?.options.find(({ id }) => id === option_id)
  return { path: `/catalog/products/${product_id}/options/${option_id}`, product, option }
}

const changeOption = command(
  'changeOption',
  fc.record({
    product: ref,
    option: ref,
    display_name: optional(displayName),
    sort_order: optional(place),
    option_values: optional(
      fc.array(fc.oneof(valueItem, fc.record({ value: ref, label: optional(label) })), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
  }),
  (model, { display_name, sort_order, option_values, ...drawn }) => {
    const { path, product, option } = pickOption(model, drawn)
    const there = option?.values ?? []
    const items = option_values?.map((item) =>
      'value' in item ? { id: model.pick('values', item.value, idsOf(there)), label: item.label } : item,
    )
    const body = given({ display_name, sort_order, option_values: items?.map(given) })
    const request = { method: 'PUT', path, body }
    if (!product || !option) return { ...request, status: 404 }
    // An item without an id means the value with its label, if no other item names that by its id.
    const ids = new Set((items ?? []).flatMap((item) => ('id' in item ? [item.id] : [])))
    const unnamed = new Map(there.filter(({ id }) => !ids.has(id)).map(({ id, label }) => [fold(label), id]))
    const known: { id: number; label?: string | undefined; sort_order?: number; is_default?: boolean | undefined }[] =
      []
    const added: ValueItem[] = []
    for (const item of items ?? []) {
      if ('id' in item) {
        known.push(item)
        continue
      }
      const id = unnamed.get(fold(item.label))
      unnamed.delete(fold(item.label))
      if (id === undefined) added.push(item)
      else known.push({ ...item, id })
    }
    const labelOf = (id: number) => there.find((value) => value.id === id)?.label ?? ''
    const labels = [...known.map(({ id, label }) => label ?? labelOf(id)), ...added.map(({ label }) => label)]
    const defaults = [...known, ...added].filter(({ is_default }) => is_default)
    if (
      known.some(({ id }) => !idsOf(there).includes(id)) ||
      hasRepeats(known.map(({ id }) => String(id))) ||
      hasRepeats(labels.map(fold)) ||
      defaults.length > 1
    ) {
      return { ...request, status: 422 }
    }
    const isTaken = product.options.some(
      (other) => other !== option && display_name !== undefined && fold(other.display_name) === fold(display_name),
    )
    if (isTaken) return { ...request, status: 409, fields: ['display_name'] }
    return {
      ...request,
      status: 200,
      keep(data) {
        Object.assign(option, given({ display_name, sort_order }))
        if (items) {
          const fresh = sorted(idsOf(data.option_values)).filter((id) => !idsOf(there).includes(id))
          const kept = known.map(({ id, label, sort_order, is_default }) => {
            const value = there.find((value) => value.id === id)
            return {
              id,
              label: stored(label ?? labelOf(id)),
              sort_order: sort_order ?? value?.sort_order ?? 0,
              is_default: is_default ?? (defaults.length === 0 && value?.is_default === true),
            }
          })
          option.values = [...kept, ...added.map((value, i) => keptValue(model, value, fresh[i] ?? 0))]
          dropVariants(product, (chosen) => chosen.option_id === option.id && !idsOf(kept).includes(chosen.id))
        }
        expect(data).toMatchObject(shownOption(option))
      },
    }
  },
)

function dropVariants(product: Product, isGone: (chosen: { option_id: number; id: number }) => boolean) {
  product.variants = product.variants.filter(({ chosen }) => !chosen.some(isGone))
  countAgain(product)
}

const deleteOption = command('deleteOption', fc.record({ product: ref, option: ref }), (model, drawn) => {
  const { path, product, option } = pickOption(model, drawn)
  if (!product || !option) return { method: 'DELETE', path, status: 404 }
  return {
    method: 'DELETE',
    path,
    status: 204,
    async keep(_, read) {
      product.options = product.options.filter((other) => other !== option)
      dropVariants(product, ({ option_id }) => option_id === option.id)
      if (product.variants.length > 0) return
      if (isSummed(product)) product.own_level = 0
      const { body } = await read(`/catalog/products/${product.id}`)
      product.base_variant_id = model.fresh('variants', body.data.base_variant_id)
      countAgain(product)
      product.variants = [baseVariant(product)]
    },
  }
})

const createValue = command(
  'createValue',
  fc.record({ product: ref, option: ref, value: valueItem }),
  (model, { value, ...drawn }) => {
    const { path, option } = pickOption(model, drawn)
    const request = { method: 'POST', path: `${path}/values`, body: given(value) }
    if (!option) return { ...request, status: 404 }
    if (option.values.some(({ label }) => fold(label) === fold(value.label))) {
      return { ...request, status: 422, fields: ['label'] }
    }
    return {
      ...request,
      status: 200,
      keep(data) {
        if (value.is_default) for (const other of option.values) other.is_default = false
        const kept = keptValue(model, value, data.id)
        option.values.push(kept)
        expect(data).toMatchObject(kept)
      },
    }
  },
)

const changeValue = command(
  'changeValue',
  fc.record({
    product: ref,
    option: ref,
    value: ref,
    changes: fc.record({ label: optional(label), sort_order: optional(place), is_default: optional(fc.boolean()) }),
  }),
  (model, { value: n, changes, ...drawn }) => {
    const { path, option } = pickOption(model, drawn)
    const id = model.pick('values', n, idsOf(option?.values ?? []))
    const value = option?.values.find((value) => value.id === id)
    const request = { method: 'PUT', path: `${path}/values/${id}`, body: given(changes) }
    if (!option || !value) return { ...request, status: 404 }
    const { label } = changes
    if (label !== undefined && option.values.some((other) => other !== value && fold(other.label) === fold(label))) {
      return { ...request, status: 422, fields: ['label'] }
    }
    return {
      ...request,
      status: 200,
      keep(data) {
        if (changes.is_default) for (const other of option.values) other.is_default = false
        Object.assign(value, given({ ...changes, label: label === undefined ? undefined : stored(label) }))
        expect(data).toMatchObject(value)
      },
    }
  },
)

const deleteValue = command(
  'deleteValue',
  fc.record({ product: ref, option: ref, value: ref }),
  (model, { value: n, ...drawn }) => {
    const { path, product, option } = pickOption(model, drawn)
    const id = model.pick('values', n, idsOf(option?.values ?? []))
    const request = { method: 'DELETE', path: `${path}/values/${id}` }
    if (!product || !option?.values.some((value) => value.id === id)) return { ...request, status: 404 }
    if (option.values.length === 1) return { ...request, status: 409 }
    return {
      ...request,
      status: 204,
      keep() {
        option.values = option.values.filter((value) => value.id !== id)
        dropVariants(product, (chosen) => chosen.id === id)
      },
    }
  },
)

// Variants

const createVariant = command(
  'createVariant',
  fc.record({
    product: ref,
    sku: realSku,
    price: optional(money),
    sale_price: optional(money),
    inventory_level: optional(fc.nat(9)),
    values: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
    named: fc.constantFrom('by ids', 'by names'),
    fault: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.constantFrom('missing', 'unknown', 'twice')),
  }),
  (model, { product: n, sku, price, sale_price, inventory_level, values, named, fault }) => {
    const id = model.pick('products', n)
    const product = model.product(id)
    const options = inOrder(product?.options ?? [])
    const chosen = options.flatMap(({ id, values: there }, i) => {
      const value = inOrder(there)[(values[i % 3] ?? 0) % there.length]
      return value ? [{ option_id: id, id: value.id }] : []
    })
    const option_values: object[] = chosen.map(({ option_id, id }) => {
      const option = options.find((option) => option.id === option_id)
      const label = option?.values.find((value) => value.id === id)?.label.toUpperCase()
      return named === 'by ids' ? { option_id, id } : { option_display_name: option?.display_name, label }
    })
    if (fault === 'missing') option_values.pop()
    if (fault === 'unknown') option_values.push({ option_display_name: 'Glaze', label: 'Red' })
    if (fault === 'twice' && option_values[0]) option_values.push(option_values[0])
    const body = given({ sku, price: price?.[0], sale_price: sale_price?.[0], inventory_level, option_values })
    const request = { method: 'POST', path: `/catalog/products/${id}/variants`, body }
    if (!product) return { ...request, status: 404 }
    if (chosen.length === 0 || fault !== undefined) return { ...request, status: 422 }
    const key = (variant: Pick<Variant, 'chosen'>) => String(sorted(variant.chosen.map(({ id }) => id)))
    if (product.variants.some((variant) => key(variant) === key({ chosen })) || model.isSkuTaken(sku)) {
      return { ...request, status: 409, fields: ['sku', 'option_values'] }
    }
    return {
      ...request,
      status: 200,
      keep(data) {
        const variant: Variant = {
          id: model.fresh('variants', data.id),
          sku,
          price: price?.[1] ?? null,
          sale_price: sale_price?.[1] ?? null,
          inventory_level: inventory_level ?? 0,
          chosen,
        }
        if (product.base_variant_id !== null) product.variants = []
        product.base_variant_id = null
        product.variants.push(variant)
        countAgain(product)
        expect(data).toMatchObject(shownVariant(product, variant))
      },
    }
  },
)

function pickVariant(model: Model, { product: p, variant: v }: { product: number; variant: number }) {
  const product_id = model.pick('products', p)
  const product = model.product(product_id)
  const id = model.pick('variants', v, idsOf(product?.variants ?? []))
  const variant = product?.variants.find((variant) => variant.id === id)
  return { id, path: `/catalog/products/${product_id}/variants/${id}`, product, variant }
}

const nullableMoney = fc.oneof(money, fc.constant(null))
const variantChanges = fc.record({
  sku: optional(sku),
  price: optional(nullableMoney),
  sale_price: optional(nullableMoney),
  inventory_level: optional(fc.option(fc.nat(9))),
})
type VariantChanges = typeof variantChanges extends fc.Arbitrary<infer C> ? C : never
const variantBody = ({ sku, price, sale_price, inventory_level }: VariantChanges) =>
  given({
    sku,
    inventory_level,
    price: price === null ? null : price?.[0],
    sale_price: sale_price === null ? null : sale_price?.[0],
  })

/** SKUs change all at once. @returns the status of a refusal, or undefined */
function refusalOfVariants(model: Model, items: readonly { id: number; changes: VariantChanges }[]) {
  const after = new Model()
  after.products = structuredClone(model.products)
  for (const { id, changes } of items) {
    const product = after.ownerOf(id)
    if (!product) continue
    if (changes.sku === '' && product.base_variant_id !== id) return { status: 422 }
    keepVariant(product, id, changes)
  }
  const isTaken = items.some(({ id, changes: { sku = '' } }) => {
    const product = after.ownerOf(id)
    return after.isSkuTaken(sku, product?.base_variant_id === id ? { product: product.id } : { variant: id })
  })
  return isTaken ? { status: 409 } : undefined
}

function keepVariant(product: Product, id: number, { sku, price, sale_price, inventory_level }: VariantChanges) {
  const variant = product.variants.find((variant) => variant.id === id)
  if (!variant) return
  if (sku !== undefined) {
    if (product.base_variant_id === id) product.sku = sku
    else variant.sku = sku
  }
  if (product.base_variant_id === id) {
    product.price = price?.[1] ?? product.price
    product.sale_price = sale_price?.[1] ?? product.sale_price
  } else {
    if (price !== undefined) variant.price = price?.[1] ?? null
    if (sale_price !== undefined) variant.sale_price = sale_price?.[1] ?? null
  }
  if (inventory_level !== undefined) {
    variant.inventory_level = inventory_level
    if (product.base_variant_id === id) product.own_level = inventory_level ?? 0
    countAgain(product)
  }
}

const changeVariant = command(
  'changeVariant',
  fc.record({ product: ref, variant: ref, changes: variantChanges }),
  (model, { changes, ...drawn }) => {
    const { id, path, product, variant } = pickVariant(model, drawn)
    const request = { method: 'PUT', path, body: variantBody(changes) }
    if (!product || !variant) return { ...request, status: 404 }
    return {
      ...request,
      ...(refusalOfVariants(model, [{ id, changes }]) ?? {
        status: 200,
        keep(data) {
          keepVariant(product, id, changes)
          expect(data).toMatchObject(shownVariant(product, variant))
        },
      }),
    }
  },
)

const changeVariants = command(
  'changeVariants',
  fc.array(fc.record({ product: ref, variant: ref, changes: variantChanges }), { minLength: 1, maxLength: 3 }),
  (model, drawn) => {
    const items = drawn.map(({ changes, ...refs }) => ({ id: pickVariant(model, refs).id, changes }))
    const request = {
      method: 'PUT',
      path: '/catalog/variants',
      body: items.map(({ id, changes }) => ({ ...variantBody(changes), id })),
    }
    const missing = items.flatMap(({ id }, i) => (model.ownerOf(id) ? [] : [`${i}.id`]))
    if (hasRepeats(items.map(({ id }) => String(id)))) return { ...request, status: 422 }
    if (missing.length > 0) return { ...request, status: 422, fields: missing }
    return {
      ...request,
      ...(refusalOfVariants(model, items) ?? {
        status: 200,
        keep(data) {
          for (const [i, { id, changes }] of items.entries()) {
            const product = model.ownerOf(id)
            const variant = product?.variants.find((variant) => variant.id === id)
            if (!product || !variant) continue
            keepVariant(product, id, changes)
            expect(data[i]).toMatchObject(shownVariant(product, variant))
          }
        },
      }),
    }
  },
)

const deleteVariant = command('deleteVariant', fc.record({ product: ref, variant: ref }), (model, drawn) => {
  const { id, path, product, variant } = pickVariant(model, drawn)
  if (!product || !variant) return { method: 'DELETE', path, status: 404 }
  if (product.base_variant_id === id) return { method: 'DELETE', path, status: 409 }
  return {
    method: 'DELETE',
    path,
    status: 204,
    keep() {
      product.variants = product.variants.filter((other) => other !== variant)
      countAgain(product)
    },
  }
})

const listVariants = command(
  'listVariants',
  fc.record({ sku, products: optional(fc.array(ref, { minLength: 1, maxLength: 3 })) }),
  (model, { sku, products }) => {
    const ids = products?.map((n) => model.pick('products', n))
    const found = model.products
      .filter(({ id }) => ids?.includes(id) ?? true)
      .flatMap((product) => product.variants.map((variant) => shownVariant(product, variant)))
      .filter((variant) => fold(variant.sku) === fold(sku))
      .sort((a, b) => a.id - b.id)
    const ofProducts = ids ? `&product_id:in=${ids}` : ''
    return {
      method: 'GET',
      path: `/catalog/variants?sku=${encodeURIComponent(sku)}${ofProducts}`,
      status: 200,
      total: found.length,
      keep: (data) => expect(data).toMatchObject(found),
    }
  },
)

/** The resource at a path, if it exists. */
function lookUp(model: Model, kind: Kind, [one, other, third]: readonly [number, number, number]) {
  if (kind === 'variants') {
    const { path, product, variant } = pickVariant(model, { product: one, variant: other })
    return { path, there: product && variant && shownVariant(product, variant) }
  }
  if (kind === 'options' || kind === 'values') {
    const { path, option } = pickOption(model, { product: one, option: other })
    if (kind === 'options') return { path, there: option && shownOption(option) }
    const id = model.pick('values', third, idsOf(option?.values ?? []))
    return { path: `${path}/values/${id}`, there: option?.values.find((value) => value.id === id) }
  }
  const id = model.pick(kind, one)
  const path = `/catalog/${kind}/${id}`
  if (kind !== 'products') return { path, there: model[kind].find((row) => row.id === id) }
  const product = model.product(id)
  return { path, there: product && shownProduct(product) }
}

const getOne = command(
  'getOne',
  fc.record({ kind: fc.constantFrom(...kinds), ids: fc.tuple(ref, ref, ref) }),
  (model, { kind, ids }) => {
    const { path, there } = lookUp(model, kind, ids)
    return { method: 'GET', path, status: there ? 200 : 404, keep: (data) => expect(data).toMatchObject(there ?? {}) }
  },
)

const few = (arbitrary: fc.Arbitrary<Command>) => ({ weight: 1, arbitrary })
const some = (arbitrary: fc.Arbitrary<Command>) => ({ weight: 3, arbitrary })
const many = (arbitrary: fc.Arbitrary<Command>) => ({ weight: 6, arbitrary })

/** Resources that exist before the first request. */
const beginning = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.array(fc.oneof(createBrand, createCategory), { maxLength: 5, size: 'max' }) },
      fc.array(createBelow, { minLength: 6, maxLength: 9 }),
    ),
    fc.array(createProducts, { maxLength: 4, size: 'max' }),
    fc.array(createOption, { maxLength: 4, size: 'max' }),
    fc.array(createVariant, { maxLength: 4, size: 'max' }),
  )
  .map((commands) => commands.flat())

const anyCommand = fc.oneof(
  some(createBrand),
  few(changeBrand),
  few(deleteBrand),
  few(deleteBrandsNamed),
  many(createCategory),
  some(changeCategory),
  some(deleteCategory),
  few(deleteCategories),
  some(assign),
  few(unassign),
  many(createProducts),
  many(changeProduct),
  some(changeProducts),
  few(deleteProduct),
  few(deleteProducts),
  some(listProducts),
  some(createOption),
  many(changeOption),
  few(deleteOption),
  some(createValue),
  many(changeValue),
  some(deleteValue),
  many(createVariant),
  some(changeVariant),
  some(changeVariants),
  few(deleteVariant),
  few(listVariants),
  some(getOne),
)

type Call = (method: string, path: string, body?: unknown) => Promise<Answered>

/** Sends a request and compares its answer with the model. */
async function perform(model: Model, { plan }: Command, call: Call) {
  const { method, path, body, status, fields, total, keep } = plan(model)
  const answer = await call(method, path, body)
  const expected = [status].flat()
  expect(expected, `the status is one of ${expected}, not`).toContain(answer.status)
  if (answer.status < 300) {
    if (total !== undefined) expect(answer.body.meta.pagination.total).toBe(total)
    await keep?.(answer.body?.data, (path) => call('GET', path))
    return
  }
  expect(answer.body.errors).toBeTypeOf('object')
  if (!fields) return
  expect(Object.keys(answer.body.errors)).not.toEqual([])
  expect(fields).toEqual(expect.arrayContaining(Object.keys(answer.body.errors)))
}

/** Everything, page by page. */
async function everything(call: Call, list: string): Promise<Answered['body'][]> {
  const rows = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `${list}${list.includes('?') ? '&' : '?'}page=${page}`)
    rows.push(...body.data)
    const { total, total_pages } = body.meta.pagination
    if (page < total_pages) continue
    expect(rows).toHaveLength(total)
    return rows
  }
}

/** The whole catalog equals the model: each list in its order, with its total. */
async function compare(model: Model, call: Call) {
  const brands = await everything(call, '/catalog/brands?limit=7')
  expect(brands).toMatchObject(model.brands)
  const categories = await everything(call, '/catalog/categories?limit=7')
  expect(categories).toMatchObject(model.categories)
  const products = await everything(call, '/catalog/products?include=options,variants')
  expect(products).toMatchObject(model.products.map(shownWhole))
  const variants = await everything(call, '/catalog/variants?limit=9')
  expect(variants.map(({ id }) => id)).toEqual(sorted(model.allIds('variants')))
  const links = await everything(call, '/catalog/products/category-assignments')
  expect(links).toEqual(
    model.products.flatMap(({ id, categories }) => categories.map((category_id) => ({ product_id: id, category_id }))),
  )
  const { body } = await call('GET', '/catalog/trees/1/categories')
  const nodes = (parent_id: number): object[] =>
    inOrder(model.children(parent_id)).map(({ id, name }) => ({ id, name, parent_id, children: nodes(id) }))
  expect(body.data).toMatchObject(nodes(0))
  const addresses = [...brands, ...categories, ...products].map(({ custom_url }) => custom_url.url)
  expect(new Set(addresses).size).toBe(addresses.length)
}

test(
  'after any sequence of requests a catalog equals a model of it',
  async () => {
    const statuses: Record<number, number> = { 200: 0, 204: 0, 404: 0, 409: 0, 422: 0 }
    await fc.assert(
      fc.asyncProperty(beginning, fc.array(anyCommand, { maxLength: 50, size: 'max' }), async (first, then) => {
        const shop = await openShop()
        const model = new Model()
        const trace: string[] = []
        const call: Call = async (method, path, body) => {
          const answer = await shop.call(method, path, body)
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
          const text = answer.text.slice(0, 600)
          trace.push(`${method} ${path} ${JSON.stringify(body) ?? ''}\n    ${answer.status} ${text}`)
          return answer
        }
        try {
          for (const [i, command] of [...first, ...then].entries()) {
            await perform(model, command, call)
            if (i % LOOK_EVERY === LOOK_EVERY - 1) await compare(model, call)
          }
          await compare(model, call)
        } catch (error) {
          throw new Error(`${error instanceof Error ? error.message : error}\n\n${trace.slice(-12).join('\n')}`)
        }
      }),
      // So that a failure is reported on slow machines too.
      { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS },
    )
    // A run in which every request, or no request, was refused has tested nothing.
    expect(Object.values(statuses).every((count) => count > 0)).toBe(true)
    figure('C-121', `${RUNS} sequences; answers by status ${JSON.stringify(statuses)}`)
  },
  LIMIT_MS + 60_000,
)
