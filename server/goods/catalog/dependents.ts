import type { Db, Tx } from '../../core/db/database.ts'

/** What areas above the catalog keep of its products and categories. It goes with them: `app.ts` hands in how. */
export interface DependentAreas {
  /** Before the transaction that deletes products: what is much goes in steps, each a transaction of its own. */
  deleteManyRowsOfProducts(db: Db, ids: readonly number[]): Promise<void>
  /** In the transaction that deletes products, with the products locked. */
  deleteRowsOfProducts(tx: Tx, ids: readonly number[]): Promise<void>
  /** In the transaction that deletes categories, with the categories locked. */
  deleteRowsOfCategories(tx: Tx, ids: readonly number[]): Promise<void>
}
