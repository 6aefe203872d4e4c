import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { connectionOf, type PageArgs } from '../connections.ts'

interface ScriptRow {
  uuid: string
  kind: 'src' | 'script_tag'
  src: string
  html: string
  location: 'head' | 'footer'
  visibility: 'storefront' | 'all_pages' | 'checkout' | 'order_confirmation'
  consent_category: 'essential' | 'functional' | 'analytics' | 'targeting' | 'unknown'
  integrity_hashes: string[]
}

/** The enabled scripts of the channel, at most 50. */
const scriptLoad = new Load<StorefrontCaller, 'all', ScriptRow[]>(async ({ storefront: { db, channel } }) => {
  const rows = await db.rows<ScriptRow>(
    prepared(sql`
    select uuid, kind, src, html, location, visibility, consent_category, integrity_hashes from scripts
    where store_id = ${db.store.id} and channel_id = ${channel} and enabled order by id`),
  )
  return new Map([['all', rows]])
})

const upper = <Text extends string>(text: Text) => text.toUpperCase() as Uppercase<Text>

interface ScriptArgs extends PageArgs {
  filters?: {
    visibilities?: readonly string[] | null
    consentCategories?: readonly string[] | null
    location?: string | null
  } | null
}

/** The scripts of the storefront, as their clients stored them. */
export async function scriptConnection(caller: StorefrontCaller, { filters, ...args }: ScriptArgs) {
  const { visibilities, consentCategories, location } = filters ?? {}
  const rows = ((await scriptLoad.find(caller, 'all', undefined)) ?? []).filter(
    (script) =>
      (visibilities?.includes(upper(script.visibility)) ?? true) &&
      (consentCategories?.includes(upper(script.consent_category)) ?? true) &&
      (location == null || location === upper(script.location)),
  )
  return connectionOf(rows.map(scriptToAnswer), args)
}

function scriptToAnswer({ uuid, kind, src, html, ...row }: ScriptRow) {
  const script = {
    entityId: uuid,
    consentCategory: upper(row.consent_category),
    visibility: upper(row.visibility),
    location: upper(row.location),
    integrityHashes: row.integrity_hashes.map((hash) => ({ hash })),
  }
  return kind === 'src'
    ? { __typename: 'SrcScript' as const, ...script, src }
    : { __typename: 'InlineScript' as const, ...script, scriptTag: html }
}
