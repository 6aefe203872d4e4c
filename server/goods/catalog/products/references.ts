import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { hasAny, type Mistakes, missing } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { isUrlPath, withSlash } from '../addresses/slug.ts'
import { addressMalformed } from '../addresses/urls.ts'
import { brands, createBrand } from '../brands/brands.ts'
import { categories } from '../categories/shape.ts'
import type { LockTaxClasses } from '../dependents.ts'
import type { ProductFields } from '../product-row/shape.ts'

/** The path of a field of the nth product in a body: `name`, or `0.name` if the body is a list. */
export type BodyPath = (i: number, field: string) => string

/** The mistake of an address that no product can have; undefined for a good or missing address. */
export function addressMistake({
  url,
  is_customized,
}: NonNullable<ProductFields['custom_url']> = {}): string | undefined {
  if (url === undefined || is_customized === false || isUrlPath(withSlash(url))) return undefined
  return addressMalformed(url)
}

/** @throws Problem 409 for unknown categories (docs/contract/catalog.md section 5) */
export async function refuseMissingCategories(tx: Tx, bodies: readonly ProductFields[], at: BodyPath) {
  const there = await lockIdsShared(
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
  if (hasAny(mistakes)) throw new Problem(409, 'A category does not exist.', mistakes)
}

/** @throws Problem 409 for tax classes that don't exist (docs/contract/tax.md section 2) */
export async function refuseMissingTaxClasses(
  tx: Tx,
  bodies: readonly ProductFields[],
  at: BodyPath,
  lockTaxClassesShared: LockTaxClasses,
) {
  const named = bodies.flatMap(({ tax_class_id }) => tax_class_id || [])
  if (named.length === 0) return
  const known = await lockTaxClassesShared(tx, named)
  const mistakes: Mistakes = {}
  for (const [i, { tax_class_id }] of bodies.entries()) {
    if (tax_class_id && !known.has(tax_class_id)) {
      mistakes[at(i, 'tax_class_id')] = unknownId('tax class', tax_class_id)
    }
  }
  if (hasAny(mistakes)) throw new Problem(409, 'A tax class does not exist.', mistakes)
}

/**
 * Finds the brands of products by id or by name, and locks them against deletion. An id takes precedence.
 * @returns ids by the keys of the names; a name without an id has no brand yet
 * @throws Problem 409 for an unknown id
 */
export async function findBrands(tx: Tx, bodies: readonly ProductFields[], at: BodyPath): Promise<Map<string, number>> {
  const { found, called } = await tx.together(() => ({
    found: lockIdsShared(
      tx,
      brands,
      bodies.flatMap(({ brand_id }) => brand_id || []),
    ),
    called: brandsNamed(
      tx,
      bodies.flatMap(({ brand_id, brand_name }) => (brand_id ? [] : (brand_name ?? []))),
    ),
  }))
  const mistakes: Mistakes = {}
  for (const [i, { brand_id }] of bodies.entries()) {
    if (brand_id && !found.has(brand_id)) mistakes[at(i, 'brand_id')] = `There is no brand ${brand_id}.`
  }
  if (hasAny(mistakes)) throw new Problem(409, 'A brand does not exist.', mistakes)
  return called
}

/**
 * The brand of each product, if its body has one. Creates brands for unknown names.
 * @param called the result of `findBrands`
 */
export async function brandsFor(
  tx: Tx,
  bodies: readonly ProductFields[],
  called: Map<string, number>,
): Promise<(number | undefined)[]> {
  const named: (number | undefined)[] = []
  for (const { brand_id, brand_name } of bodies) {
    if (brand_id || brand_name === undefined) {
      named.push(brand_id)
    } else {
      const id = called.get(fold(brand_name)) ?? (await createMissingBrand(tx, brand_name))
      called.set(fold(brand_name), id)
      named.push(id)
    }
  }
  return named
}

async function createMissingBrand(tx: Tx, name: string): Promise<number> {
  try {
    return (await tx.savepoint(() => createBrand(tx, { name }))).row.id
  } catch (error) {
    // Another request created the brand meanwhile.
    const isTaken = error instanceof Problem && error.status === 409
    const made = isTaken ? (await brandsNamed(tx, [name])).get(fold(name)) : undefined
    if (made === undefined) throw error
    return made
  }
}

async function brandsNamed(tx: Tx, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; name_key: string }>(
    prepared(sql`
    select id, name_key from brands where store_id = ${tx.store.id} and name_key = any(${[...new Set(names.map(fold))]})
    order by id for key share`),
  )
  return new Map(rows.map(({ id, name_key }) => [name_key, id]))
}
