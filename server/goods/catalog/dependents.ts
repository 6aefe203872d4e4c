import type { Db, Tx } from '../../core/db/database.ts'
import type { Files } from '../../core/files/files.ts'

/** Rows of areas above the catalog that belong to products and categories. `app.ts` passes the functions that delete them. */
export interface DependentAreas {
  /** Deletes large numbers of rows in steps, before the transaction that deletes the products. Each step is a transaction. */
  deleteManyRowsOfProducts(db: Db, ids: readonly number[]): Promise<void>
  /** In the transaction that deletes the products, with the products locked. */
  deleteRowsOfProducts(tx: Tx, ids: readonly number[]): Promise<void>
  /** In the transaction that deletes variants, by themselves or with their product or option. */
  deleteRowsOfVariants(tx: Tx, ids: readonly number[]): Promise<void>
  /** In the transaction that deletes the categories, with the categories locked. */
  deleteRowsOfCategories(tx: Tx, ids: readonly number[]): Promise<void>
  /** In the transaction that deletes the brand, with the brand locked. */
  deleteRowsOfBrand(tx: Tx, id: number): Promise<void>
  lockTaxClassesShared: LockTaxClasses
}

/** Keeps tax classes from being deleted until the transaction ends. @returns the ids of those that exist */
export type LockTaxClasses = (tx: Tx, ids: readonly number[]) => Promise<{ has(id: number): boolean }>

/** Deletions of variants need the files of the variants, and the areas above. */
export interface VariantDependents {
  files: Files
  above: Pick<DependentAreas, 'deleteRowsOfVariants'>
}
