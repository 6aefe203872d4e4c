import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { endMasqueradesFromAbove } from '../portal/masquerades.ts'
import { type CompanyCaller, refuseOutside } from '../shared/caller.ts'
import { companies, publishCompany } from './company.ts'

// Companies below other companies (docs/contract/companies.md section 2). A tree has at most five layers and 500 companies.

export const LAYERS_MAX = 5
const TREE_MAX = 500

/** A company in a tree; `layer` counts from 1 at the company that was asked for. */
export interface TreeCompany {
  id: number
  parent_id: number
  layer: number
  company_name: string
  company_status: number
}

/** A company with all companies below it, by one bounded statement. The top one is first. */
export const treeBelow = (db: Db, id: number): Promise<TreeCompany[]> =>
  db.rows<TreeCompany>(sql`
    with recursive below as (
      select id, parent_id, 1 as layer, company_name, company_status from companies
      where store_id = ${db.store.id} and id = ${id}
      union all
      select lower.id, lower.parent_id, layer + 1, lower.company_name, lower.company_status
      from companies lower join below on lower.parent_id = below.id
      where lower.store_id = ${db.store.id} and lower.parent_id > 0 and layer < ${LAYERS_MAX}
    )
    select * from below order by layer, id limit ${TREE_MAX + 1}`)

/** The ids of a company and of all above it, from below. */
async function pathToTop(db: Db, id: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    with recursive above as (
      select id, parent_id, 1 as step from companies where store_id = ${db.store.id} and id = ${id}
      union all
      select upper.id, upper.parent_id, step + 1
      from companies upper join above on upper.id = above.parent_id
      where upper.store_id = ${db.store.id} and step < ${LAYERS_MAX}
    )
    select id from above order by step`)
  return rows.map((row) => row.id)
}

/**
 * Puts a company without a parent, and its subsidiaries, below another company. One transaction of a store at a time changes trees,
 * so that two of them can't make a circle or a sixth layer.
 * @throws Problem 400 for a circle or a tree that is too deep or too large, 403, 404
 */
export async function attachCompany(db: Db, caller: CompanyCaller, id: number, parentId: number) {
  refuseOutside(caller, id)
  refuseOutside(caller, parentId)
  await db.transaction(async (tx) => {
    await lockTrees(tx)
    const { parent_id } = await findOne(tx, companies, id)
    await findOne(tx, companies, parentId)
    if (id === parentId) throw new Problem(400, "A company can't be its own parent.")
    if (parent_id !== 0) throw new Problem(400, 'The company has a parent. Detach it first.')
    const above = await pathToTop(tx, parentId)
    if (above.includes(id)) throw new Problem(400, 'The parent is a subsidiary of the company.')
    const moved = await treeBelow(tx, id)
    const layers = above.length + (moved.at(-1)?.layer ?? 0)
    if (layers > LAYERS_MAX) throw new Problem(400, `A tree of companies has at most ${LAYERS_MAX} layers.`)
    const others = await treeBelow(tx, above.at(-1) ?? parentId)
    if (moved.length + others.length > TREE_MAX) {
      throw new Problem(400, `A tree has at most ${TREE_MAX} companies.`)
    }
    await setParent(tx, id, parentId)
  })
}

/** Trees change only while this counter is locked, which the creation and the deletion of companies also lock. */
const lockTrees = (tx: Tx) => lockCounters(tx, [companies.table])

async function setParent(tx: Tx, id: number, parent: number) {
  await tx.rows(sql`
    update companies set parent_id = ${parent}, updated_at = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and id = ${id} returning id`)
  publishCompany(tx, 'updated', id)
}

/**
 * Makes a direct subsidiary the top of a tree of its own. It keeps its subsidiaries.
 * @throws Problem 400 for a company that is no direct subsidiary, 403, 404
 */
export async function detachCompany(db: Db, caller: CompanyCaller, id: number, childId: number) {
  refuseOutside(caller, id)
  refuseOutside(caller, childId)
  await db.transaction(async (tx) => {
    await lockTrees(tx)
    await findOne(tx, companies, id)
    const { parent_id } = await findOne(tx, companies, childId)
    if (parent_id !== id) throw new Problem(400, `The company ${childId} is no direct subsidiary of the company ${id}.`)
    const below = await treeBelow(tx, childId)
    await endMasqueradesFromAbove(
      tx,
      below.map((company) => company.id),
    )
    await setParent(tx, childId, 0)
  })
}

/** Makes the direct subsidiaries of a deleted company the tops of their own trees. The caller has locked the counter of companies. */
export async function detachSubsidiaries(tx: Tx, id: number) {
  const children = await tx.rows<{ id: number }>(sql`
    update companies set parent_id = 0, updated_at = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and parent_id = ${id} returning id`)
  for (const child of children) publishCompany(tx, 'updated', child.id)
}

/** A company with its subsidiaries in answers. */
export interface CompanyNode {
  companyId: number
  companyName: string
  companyStatus: number
  subsidiaries: CompanyNode[]
}

/**
 * A company with its whole tree. A sales representative sees only assigned companies in it, and none below other ones.
 * @throws Problem 403, 404
 */
export async function hierarchyOf(db: Db, caller: CompanyCaller, id: number): Promise<CompanyNode> {
  refuseOutside(caller, id)
  const rows = await treeBelow(db, id)
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const node = (row: TreeCompany): CompanyNode => ({
    companyId: row.id,
    companyName: row.company_name,
    companyStatus: row.company_status,
    subsidiaries: (children.get(row.id) ?? [])
      .filter((child) => caller.kind !== 'staff' || caller.companies.has(child.id))
      .map(node),
  })
  const [top] = rows
  if (!top) throw notFound(companies.noun, id)
  return node(top)
}
