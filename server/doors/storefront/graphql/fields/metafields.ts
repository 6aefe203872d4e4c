import { prepared } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { Load } from '../../../../core/graphql/loads.ts'
import type { MetafieldOwner } from '../../../../shared/metafields/metafields.ts'
import type { StorefrontCaller } from '../../caller.ts'
import { connectionOf, type PageArgs } from './connections.ts'
import { globalId } from './global-ids.ts'

interface MetafieldRow {
  id: number
  resource_id: number
  key: string
  value: string
  description: string
}
type Kind = MetafieldOwner['kind']

/** An owner has at most 250 of each client, so all of a namespace are read. */
const metafieldLoad = new Load<StorefrontCaller, number, MetafieldRow[], { kind: Kind; namespace: string }>(
  async ({ storefront: { db } }, ids, { kind, namespace }) => {
    const rows = await db.rows<MetafieldRow>(
      prepared(sql`
      select id, resource_id, key, value, description from metafields
      where store_id = ${db.store.id} and resource_type = ${kind} and resource_id = ${sql.anyOf(ids)}
        and namespace = ${namespace} and permission_set in ('read_and_sf_access', 'write_and_sf_access')
      order by resource_id, id`),
    )
    return Map.groupBy(rows, ({ resource_id }) => resource_id)
  },
)

/** The same of owners with uuids. */
const uuidMetafieldLoad = new Load<StorefrontCaller, string, MetafieldRow[], { kind: Kind; namespace: string }>(
  async ({ storefront: { db } }, uuids, { kind, namespace }) => {
    const rows = await db.rows<MetafieldRow & { resource_uuid: string }>(
      prepared(sql`
      select id, resource_uuid, key, value, description from metafields
      where store_id = ${db.store.id} and resource_type = ${kind} and resource_uuid = any(${uuids})
        and namespace = ${namespace} and permission_set in ('read_and_sf_access', 'write_and_sf_access')
      order by resource_uuid, id`),
    )
    return Map.groupBy(rows, ({ resource_uuid }) => resource_uuid)
  },
)

interface MetafieldArgs extends PageArgs {
  namespace: string
  keys: readonly string[] | null
}

/** The metafields of an owner that storefronts may read, of one namespace. */
export async function metafieldConnection(
  caller: StorefrontCaller,
  { kind, id }: { kind: Kind; id: number },
  args: MetafieldArgs,
) {
  const { namespace } = args
  return toConnection(isStorable(namespace) ? await metafieldLoad.find(caller, id, { kind, namespace }) : [], args)
}

/** The same of an owner with a uuid. */
export async function uuidMetafieldConnection(
  caller: StorefrontCaller,
  { kind, uuid }: { kind: Kind; uuid: string },
  args: MetafieldArgs,
) {
  const { namespace } = args
  return toConnection(
    isStorable(namespace) ? await uuidMetafieldLoad.find(caller, uuid, { kind, namespace }) : [],
    args,
  )
}

/** The database stores no text with this character. */
const isStorable = (namespace: string) => !namespace.includes('\0')

function toConnection(rows: readonly MetafieldRow[] = [], { keys, ...args }: MetafieldArgs) {
  const wanted = rows.filter(({ key }) => keys === null || keys.length === 0 || keys.includes(key))
  return connectionOf(wanted.map(metafieldToAnswer), args)
}

export const metafieldToAnswer = ({ id, key, value, description }: Omit<MetafieldRow, 'resource_id'>) => ({
  id: globalId('Metafields', id),
  entityId: id,
  key,
  value,
  description,
})
