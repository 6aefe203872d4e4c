import type { Db, Store, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { pathOfFile } from '../../core/rest/input/picture-addresses.ts'
import { readCounters } from '../../core/rest/lists/counters.ts'
import { createBrand } from '../../goods/catalog/brands/brands.ts'
import { createCategory } from '../../goods/catalog/categories/shape.ts'
import { createProducts, type NewProduct } from '../../goods/catalog/products/create.ts'
import { createReviews } from '../../goods/catalog/sub-resources/reviews.ts'
import { lockTaxClassesShared } from '../../sales/tax/classes/classes.ts'
import type { Copies, Picture } from '../../shared/pictures/pictures.ts'
import { at, type DemoBrand, type DemoCategory, demoCatalog } from '../samples/catalog.ts'
import { fillForms } from '../samples/forms.ts'
import { type Article, article, type Drawing, pngOf } from '../samples/goods.ts'
import { makeCustomers } from '../samples/people.ts'
import { openPlaces, stockShops } from '../samples/places.ts'
import { COMPANIES, ORDERS, SIZES, type Size } from '../samples/sizes.ts'
import { colours } from '../samples/words.ts'
import { hasManyCompanies, type ManyCompanies, makeManyCompanies } from './companies/many-companies.ts'
import { type ManyOrders, makeManyOrders, ordersMade } from './many-orders.ts'

/** Products that one transaction makes. With 1,000 it is not faster, and takes 80 MB more. */
const BATCH = 500
/** Only the first products have pictures: files for 250,000 would take a gigabyte and show nothing new. */
const WITH_PICTURES = 500
/** Rows whose statements leave together. */
const PIECE = 50
/** Files that are written at the same time. */
const FILES_AT_ONCE = 16

/** How many of each a store holds. */
type Holdings = Record<
  | 'products'
  | 'variants'
  | 'brands'
  | 'categories'
  | 'images'
  | 'reviews'
  | 'customers'
  | 'orders'
  | 'companies'
  | 'invoices',
  number
>

interface SeedOptions {
  /** How many products in place of as many as the size says. */
  count?: number
  /** If there are several batches: called before the first and after each, with the number of products made so far. */
  progress?: (made: number, count: number) => void
  /** How many orders in place of as many as the size says, and how they are made. */
  orders?: Partial<ManyOrders>
  /** How many companies and invoices in place of as many as the size says, and how they are made. */
  companies?: Partial<ManyCompanies>
  /** Work that belongs to the first transaction, after categories, brands and products. */
  beside?: (tx: Tx) => Promise<void>
}

/**
 * Fills a store that never held a catalog with sample data: the same for each store and size, but for dates, and the names of
 * files and UUIDs, which nobody is to guess. Everything is made as its route would make it, events included, but for the copies of
 * orders (`many-orders.ts`) and invoices (`companies/many-companies.ts`), which come last.
 *
 * A transaction makes up to 500 products, the first one also brands, categories and locations, two of which get stock of the first
 * products. Where a run was stopped, the next one
 * goes on behind the last whole batch.
 * @throws Error with a sentence for the operator where the store holds anything else
 */
export async function seed(
  db: Db,
  files: Files,
  size: Size,
  { count = SIZES[size], progress = () => {}, orders = {}, companies = {}, beside = async () => {} }: SeedOptions = {},
): Promise<Holdings> {
  const contents = contentsOf(size, count)
  const report = count > BATCH ? progress : () => {}
  const wanted = { count: ORDERS[size], ...orders }
  const firms = { ...COMPANIES[size], ...companies }
  const hasOrders = (await ordersMade(db)).made >= wanted.count
  const hasCompanies = await hasManyCompanies(db, firms)
  let made = await productsMade(db, contents, hasOrders && hasCompanies ? count - 1 : count)
  report(made, count)
  while (made < count) {
    const isFirst = made === 0
    const articles = Array.from({ length: Math.min(BATCH, count - made) }, (_, i) => contents.article(made + i))
    const drawings = articles
      .slice(0, Math.max(0, WITH_PICTURES - made))
      .flatMap(({ pictures }, i) => pictures.map((drawing, n): [string, Drawing] => [imageAt(i, n), drawing]))
    await withPictures(files, db.store, new Map(drawings), (copies) =>
      db.transaction(async (tx) => {
        if (isFirst) {
          for (const category of contents.categories) await createCategory(tx, category)
          await inPieces(tx, contents.brands, (brand) => createBrand(tx, brand))
          await openPlaces(tx)
        }
        await makeProducts(tx, files, { contents, articles, copies })
        if (isFirst) await stockShops(tx, articles)
        if (isFirst && size !== 'tiny') {
          await makeCustomers(tx)
          await fillForms(tx)
        }
        if (isFirst) await beside(tx)
      }),
    )
    made += articles.length
    report(made, count)
  }
  if (!hasOrders) await makeManyOrders(db, wanted)
  if (!hasCompanies) await makeManyCompanies(db, firms)
  return holdings(db)
}

/** Makes things that need nothing of each other, many by one round trip. They get their ids in the order of the items. */
export async function inPieces<T>(tx: Tx, items: readonly T[], make: (item: T) => Promise<unknown>) {
  for (let first = 0; first < items.length; first += PIECE) {
    await tx.together(() => items.slice(first, first + PIECE).map(make))
  }
}

/** The contents of a store of some size. */
interface Contents {
  /** The nth product. */
  article(n: number): Article
  brands: DemoBrand[]
  /** Parents before their children. */
  categories: DemoCategory[]
  /** The ids that they will have: of brands by their number, of categories by their path. */
  brandIds: ReadonlyMap<number, number>
  categoryIds: ReadonlyMap<string, number>
}

// Far enough apart that a few products are of many kinds.
const TINY_STEP = 13

/** A tiny store has only the brands and categories that its products need. */
function contentsOf(size: Size, count: number): Contents {
  const all = demoCatalog()
  const paths = pathsOf(all.categories)
  const few = size === 'tiny' ? Array.from({ length: count }, (_, n) => article(n * TINY_STEP)) : undefined
  const isIn = (path: string) => (place: string) => place === path || place.startsWith(`${path}/`)
  const brands = [...all.brands.keys()].filter((i) => few?.some(({ brand }) => brand === i) ?? true)
  const categories = [...paths.keys()].filter(
    (i) => few?.some(({ places }) => places.some(isIn(paths[i] ?? ''))) ?? true,
  )
  const categoryIds = new Map(categories.map((i, place) => [paths[i] ?? '', place + 1]))
  return {
    article: (n) => few?.[n] ?? article(n),
    brands: brands.map((i) => at(all.brands, i)),
    categories: categories.map((i) => {
      const category = at(all.categories, i)
      return { ...category, parent_id: categoryIds.get(paths[category.parent_id - 1] ?? '') ?? 0 }
    }),
    brandIds: new Map(brands.map((i, place) => [i, place + 1])),
    categoryIds,
  }
}

/** `Home/Dining/Chairs` for each category. Their parents are before them, and ids count from 1. */
function pathsOf(categories: readonly DemoCategory[]): string[] {
  const paths: string[] = []
  for (const { parent_id, name } of categories) {
    paths.push(parent_id === 0 ? name : `${paths[parent_id - 1]}/${name}`)
  }
  return paths
}

/**
 * How many products an earlier run has made.
 * @param most as many as leave something to do
 * @throws Error if the store holds anything else
 */
async function productsMade(db: Db, contents: Contents, most: number): Promise<number> {
  const counters = await readCounters(db)
  const made = (resource: string) => counters.get(resource)?.last_id ?? 0
  const products = made('products')
  const [brands, categories] = [made('brands'), made('categories')]
  if (products + brands + categories === 0) return 0
  const last = await db.maybeRow<{ name: string }>(
    sql`select name from products where store_id = ${db.store.id} and id = ${products}`,
  )
  const isOurs =
    brands === contents.brands.length &&
    categories === contents.categories.length &&
    products <= most &&
    last?.name === contents.article(products - 1).body.name
  if (isOurs) return products
  throw new Error(
    `The store ${db.store.hash} is not new: ${products} products, ${brands} brands and ${categories} categories were made in ` +
      'it. Sample data goes into a new store only.',
  )
}

/** The products with their brands, categories and pictures, then the reviews of them. */
async function makeProducts(
  tx: Tx,
  files: Files,
  { contents, articles, copies }: { contents: Contents; articles: readonly Article[]; copies: Copies },
) {
  const bodies = articles.map(
    ({ body, brand, places, pictures }, i): NewProduct => ({
      ...body,
      brand_id: contents.brandIds.get(brand) ?? 0,
      categories: places.flatMap((place) => contents.categoryIds.get(place) ?? []),
      images: pictures.flatMap(({ description }, n) => {
        const copy = copies.get(imageAt(i, n))
        return copy ? [{ image_url: copy.url, description, sort_order: n }] : []
      }),
    }),
  )
  const at = (i: number, field: string) => `${i}.${field}`
  const coloursOf = (label: string) => (colours[label] === undefined ? undefined : [colours[label]])
  const created = await createProducts(tx, { files, bodies, at, copies, coloursOf, lockTaxClassesShared })
  const reviews = articles.flatMap(({ reviews }, i) => {
    const product = created[i]
    return product ? reviews.map((body) => ({ product_id: product.id, body })) : []
  })
  if (reviews.length > 0) await createReviews(tx, reviews)
}

/** Where the nth picture of the ith product of a batch would stand in a body. */
const imageAt = (i: number, n: number) => `${i}.images.${n}.image_url`

/** Draws and writes the pictures, then does the work with them. If it fails, the files are removed. */
async function withPictures(
  files: Files,
  store: Store,
  wanted: ReadonlyMap<string, Drawing>,
  work: (copies: Copies) => Promise<void>,
) {
  const copies = new Map<string, Picture>()
  try {
    const waiting = [...wanted]
    while (waiting.length > 0) {
      const written = waiting.splice(0, FILES_AT_ONCE).map(async ([path, drawing]) => {
        const file = await files.write(store, await pngOf(drawing), 'png')
        copies.set(path, { file, url: pathOfFile(store, file) })
      })
      const failed = (await Promise.allSettled(written)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    }
    await work(copies)
  } catch (error) {
    const written = [...copies.values()].map(({ file }) => file)
    await files.discardUnstored(store, written, error)
    throw error
  }
}

/** The current resources of the store. */
async function holdings(db: Db): Promise<Holdings> {
  const counters = await readCounters(db)
  const total = (resource: string) => counters.get(resource)?.total ?? 0
  return {
    products: total('products'),
    variants: total('variants'),
    brands: total('brands'),
    categories: total('categories'),
    images: total('product_images'),
    reviews: total('reviews'),
    customers: total('customers'),
    orders: total('orders'),
    companies: total('companies'),
    invoices: total('b2b_invoices'),
  }
}
