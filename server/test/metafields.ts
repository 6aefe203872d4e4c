import { expect } from 'vitest'
import type { NewAccount } from '../stores/accounts.ts'
import { METAFIELD_WRITE_ALL } from '../stores/scopes.ts'
import { openStaffedShop, type StaffedShop, theHouse } from './shop.ts'

// What tests of metafields begin with: stores with things that can have them.

export const ids = (data: { id: number }[]) => data.map(({ id }) => id)
export const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

export const bin = { key: 'bin', value: '4', namespace: 'wh', permission_set: 'write' }
export const named = (key: string, permission_set = 'write') => ({ ...bin, key, permission_set })

export const kinds = [
  { kind: 'brand', path: '/catalog/brands', other: '/catalog/categories', parent: (name: string) => ({ name }) },
  {
    kind: 'category',
    path: '/catalog/categories',
    other: '/catalog/brands',
    parent: (name: string) => ({ name, parent_id: 0 }),
  },
  {
    kind: 'product',
    path: '/catalog/products',
    other: '/catalog/brands',
    parent: (name: string) => ({ name, type: 'physical', weight: 1, price: 1 }),
  },
] as const
export const [brand] = kinds

/** A store with three resources of a kind, and an account that may do all to everybody's metafields. */
export async function openStock({ path, parent }: (typeof kinds)[number]): Promise<StaffedShop & { full: NewAccount }> {
  const shop = await openStaffedShop()
  for (const name of ['One', 'Two', 'Three']) await shop.call('POST', path, parent(name))
  const { accounts } = (await theHouse()).installation
  return { ...shop, full: await accounts.create(shop.store.hash, 'full', ['all', METAFIELD_WRITE_ALL]) }
}
