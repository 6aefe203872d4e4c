import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { channelsById, knownChannels } from '../../../shop/channels/channels.ts'
import { listsOfGroups, replaceListOfGroup } from '../../pricing/assignments/assignments.ts'
import { lockPriceListsShared, priceLists } from '../../pricing/price-list.ts'
import type { CompanyRow, PriceLists } from './company.ts'

// The price lists of dependent companies (docs/contract/companies.md section 9). The catalog of a company is the list of its customer group.

/** The id of a price list in a body, as a number or as text. */
export const CatalogId = t.Union([t.Integer(), t.String({ maxLength: 10 })])

/**
 * Gives companies the catalogs of their bodies. A body without one leaves the company as it is.
 * @throws Problem 422 for an unknown price list
 */
export async function assignCatalogs(
  tx: Tx,
  companies: readonly Pick<CompanyRow, 'customer_group_id'>[],
  bodies: readonly { catalogId?: Static<typeof CatalogId> }[],
) {
  for (const [i, { customer_group_id }] of companies.entries()) {
    const written = bodies[i]?.catalogId
    if (written === undefined) continue
    const list = /^[1-9]\d{0,9}$/.test(String(written)) ? Number(written) : 0
    if (!(await lockPriceListsShared(tx, [list])).has(list)) {
      refuse({ catalogId: unknownId(priceLists.noun, written) })
    }
    await replaceListOfGroup(tx, customer_group_id, { list, hasDiscounts: false })
  }
}

/** @throws Problem 422 for unknown price lists and channels */
export async function refuseUnknownLists(tx: Tx, lists: Static<typeof PriceLists>) {
  const listIds = await lockPriceListsShared(
    tx,
    lists.map(({ priceListId }) => priceListId),
  )
  const channels = await knownChannels(
    tx,
    lists.map(({ channelId }) => channelId),
  )
  const mistakes: Mistakes = {}
  for (const [i, { priceListId, channelId }] of lists.entries()) {
    const at = `priceListAssign.${i}`
    if (!listIds.has(priceListId)) mistakes[`${at}.priceListId`] = unknownId(priceLists.noun, priceListId)
    if (!channels.has(channelId)) mistakes[`${at}.channelId`] = unknownId('channel', channelId)
  }
  refuse(mistakes)
}

/** The catalogs of dependent companies by customer group, and the names of price lists and channels in their answers. */
export async function catalogsOf(db: Db, companies: readonly Pick<CompanyRow, 'customer_group_id' | 'price_lists'>[]) {
  const catalogs = await listsOfGroups(
    db,
    companies.map(({ customer_group_id }) => customer_group_id),
  )
  const assigned = companies.flatMap(({ price_lists }) => price_lists)
  const wanted = [...catalogs.values(), ...assigned.map(({ priceListId }) => priceListId)]
  const rows =
    wanted.length === 0
      ? []
      : await db.rows<{ id: number; name: string }>(sql`
          select id, name from price_lists where store_id = ${db.store.id} and id = any(${[...new Set(wanted)]})`)
  const channels = await channelsById(
    db,
    assigned.map(({ channelId }) => channelId),
  )
  return {
    catalogs,
    priceLists: new Map(rows.map(({ id, name }) => [id, name])),
    channels: new Map([...channels].map(([id, { name }]) => [id, name])),
  }
}
