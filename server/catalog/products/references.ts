import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { keepIds } from '../../core/rest/batch.ts'
import { fold } from '../../core/rest/fold.ts'
import { hasAny, type Mistakes, missing } from '../../core/rest/mistakes.ts'
import { Problem } from '../../core/rest/problem.ts'
import { isUrlPath, withSlash } from '../addresses/slug.ts'
import { malformed } from '../addresses/urls.ts'
import { brands, createBrand } from '../brands/brands.ts'
import { categories } from '../categories/shape.ts'
import type { ProductFields } from '../product-row/shape.ts'

/** Where a field of the nth product stands in a body: `name`, or `0.name` where the body is a list. */
export type At = (i: number, field: string) => string

/** What to say about an address that no product can have. Nothing if none is asked for. */
export function faultyAddress({
  url,
  is_customized,
}: NonNullable<ProductFields['custom_url']> = {}): string | undefined {
  if (url === undefined || is_customized === false || isUrlPath(withSlash(url))) return undefined
  return malformed(url)
}

/** @throws Problem 409 for categories that are not there (docs/contract/catalog.md section 5) */
export async function refuseMissingCategories(tx: Tx, bodies: readonly ProductFields[], at: At) {
  const there = await keepIds(
    tx,
    categories,
    bodies.flatMap((body) => body.categories ?? []),
  )
  const mistakes: Mistakes = {}
  for (const [i, body] of bodies.entries()) {
    const place = (j: number) => at(i, `categories.${j}`)
    Object.assign(
      mistakes,
      missing(body.categories ?? [], there, place, (id) => `There is no category ${id}.`),
    )
  }
  if (hasAny(mistakes)) throw new Problem(409, 'A category is not there.', mistakes)
}

/**
 * The brand of each product, if its body names one: by id, which counts more, or by its name.
 * @throws Problem 409 for a brand that is not there
 */
export async function brandsFor(tx: Tx, bodies: readonly ProductFields[], at: At): Promise<(number | undefined)[]> {
  const ids = bodies.flatMap(({ brand_id }) => brand_id || [])
  const found = await keepIds(tx, brands, ids)
  const mistakes: Mistakes = {}
  for (const [i, { brand_id }] of bodies.entries()) {
    if (brand_id && !found.has(brand_id)) mistakes[at(i, 'brand_id')] = `There is no brand ${brand_id}.`
  }
  if (hasAny(mistakes)) throw new Problem(409, 'A brand is not there.', mistakes)
  const named: (number | undefined)[] = []
  for (const { brand_id, brand_name } of bodies) {
    named.push(brand_id || (brand_name === undefined ? brand_id : await brandNamed(tx, brand_name)))
  }
  return named
}

async function brandNamed(tx: Tx, name: string): Promise<number> {
  const there = await brandCalled(tx, name)
  if (there !== undefined) return there
  try {
    return (await tx.savepoint(() => createBrand(tx, { name }))).row.id
  } catch (error) {
    // Another request made it meanwhile: it is there for both.
    const made = error instanceof Problem && error.status === 409 ? await brandCalled(tx, name) : undefined
    if (made === undefined) throw error
    return made
  }
}

async function brandCalled(tx: Tx, name: string): Promise<number | undefined> {
  const row = await tx.maybeRow<{ id: number }>(sql`
    select id from brands where store_id = ${tx.store.id} and name_key = ${fold(name)} for key share`)
  return row?.id
}
