import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { NeededLine } from '../../core/rest/input/fields.ts'
import { envelope, Meta } from '../../core/rest/lists/collection.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId, channels, knownChannels } from './channels.ts'

const ITEMS_MAX = 50

/** Standard pages of the control panel. */
const Protected = t.Array(
  t.Enum([
    'overview',
    'storefront_settings',
    'localization',
    'carousel',
    'script_manager',
    'currencies',
    'payments',
    'checkout',
    'domains',
    'notifications',
    'social',
    'pages',
    'data_solutions',
  ]),
)
const Custom = t.Array(t.Object({ title: NeededLine, query_path: NeededLine }))

const Menus = t.Object(
  { bigcommerce_protected_app_sections: Protected, custom_app_sections: Custom },
  { title: 'ChannelMenus' },
)
type Menus = Static<typeof Menus>
const NewMenus = t.Partial(Menus, {
  title: 'NewChannelMenus',
  examples: [
    {
      bigcommerce_protected_app_sections: ['domains', 'currencies'],
      custom_app_sections: [{ title: 'Campaigns', query_path: 'campaigns' }],
    },
  ],
})

const NONE: Menus = { bigcommerce_protected_app_sections: [], custom_app_sections: [] }

/** Routes for the pages of the control panel of a channel. The server only stores them (docs/contract/channels.md section 5). */
export function menuRoutes(api: Api) {
  const { read, write } = access('channels')
  const path = `/channels/${CHANNEL_SEGMENT}/channel-menus`
  const params = t.Object({ channel_id: ChannelId })

  api.get(
    path,
    { ...read, schema: { summary: "Get a channel's menus", params, response: { 200: envelope(Menus) } } },
    async ({ db, params: { channel_id } }) => {
      await refuseUnknownChannel(db, channel_id)
      const [stored] = await db.rows<Menus>(
        prepared(sql`
        select bigcommerce_protected_app_sections, custom_app_sections from channel_menus
        where store_id = ${db.store.id} and channel_id = ${channel_id}`),
      )
      return answer(stored ?? NONE)
    },
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: "Replace a channel's menus",
        description: 'Replaces both lists. A missing one becomes empty.',
        params,
        body: NewMenus,
        response: { 200: envelope(Menus) },
      },
    },
    async ({ db, params: { channel_id }, body }) => {
      const menus = { ...NONE, ...body }
      if (Object.values(menus).some(({ length }) => length > ITEMS_MAX)) {
        throw new Problem(413, `Each menu can have at most ${ITEMS_MAX} items.`)
      }
      await db.transaction((tx) => replaceMenus(tx, channel_id, menus))
      return answer(menus)
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: "Delete a channel's menus",
        params,
        response: { 200: t.Object({ data: ChannelId, meta: Meta }) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      await db.transaction(async (tx) => {
        await refuseUnknownChannel(tx, channel_id)
        await deleteMenus(tx, channel_id)
      })
      return answer(channel_id)
    },
  )
}

/** @throws Problem 404 */
async function refuseUnknownChannel(db: Db, id: number) {
  if (!(await knownChannels(db, [id])).has(id)) throw notFound(channels.noun, id)
}

/** Stores both menus of a channel. @throws Problem 404 */
export async function replaceMenus(tx: Tx, channel_id: number, menus: Menus) {
  await refuseUnknownChannel(tx, channel_id)
  const lists = Object.fromEntries(Object.entries(menus).map(([menu, items]) => [menu, JSON.stringify(items)]))
  await tx.rows(sql`
    insert into channel_menus ${sql.rows([{ store_id: tx.store.id, channel_id, ...lists }])}
    on conflict (store_id, channel_id) do update set ${sql.set(lists)}`)
}

/** Deletes the menus of a channel, which leaves empty ones. */
export async function deleteMenus(tx: Tx, channel: number) {
  await tx.rows(
    sql`delete from channel_menus where store_id = ${tx.store.id} and channel_id = ${channel} returning channel_id`,
  )
}
