import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { fold } from '../../core/rest/fold.ts'
import { Problem } from '../../core/rest/problem.ts'
import { isUrlPath, withSlash } from '../addresses/slug.ts'
import { malformed } from '../addresses/urls.ts'
import { createBrand } from '../brands/brands.ts'
import { missingCategories } from '../product-row/categories.ts'
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
  const missing = await missingCategories(
    tx,
    bodies.flatMap(({ categories = [] }) => categories),
  )
  if (missing.size === 0) return
  throw new Problem(
    409,
    'A category is not there.',
    Object.fromEntries(
      bodies.flatMap(({ categories = [] }, i) =>
        categories.flatMap((id, j) =>
          missing.has(id) ? [[at(i, `categories.${j}`), `There is no category ${id}.`]] : [],
        ),
      ),
    ),
  )
}

/**
 * The brand of each product, if its body names one: by id, which counts more, or by its name.
 * @throws Problem 409 for a brand that is not there
 */
export async function brandsFor(tx: Tx, bodies: readonly ProductFields[], at: At): Promise<(number | undefined)[]> {
  const ids = bodies.flatMap(({ brand_id }) => brand_id || [])
  const found = ids.length > 0 ? await brandsThere(tx, ids) : new Set<number>()
  const missing = bodies.flatMap(({ brand_id = 0 }, i): [string, string][] =>
    brand_id === 0 || found.has(brand_id) ? [] : [[at(i, 'brand_id'), `There is no brand ${brand_id}.`]],
  )
  if (missing.length > 0) throw new Problem(409, 'A brand is not there.', Object.fromEntries(missing))
  const named: (number | undefined)[] = []
  for (const { brand_id, brand_name } of bodies) {
    named.push(brand_id || (brand_name === undefined ? brand_id : await brandNamed(tx, brand_name)))
  }
  return named
}

/** The brands can't be deleted until the transaction ends. */
async function brandsThere(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(sql`
    select id from brands where store_id = ${tx.store.id} and id = any(${ids}) order by id for key share`)
  return new Set(rows.map(({ id }) => id))
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
