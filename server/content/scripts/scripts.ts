import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api, Client } from '../../core/rest/api.ts'
import { Id, ListOf, Moment, NeededLine, Text } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection, envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { change, differences, findWhere, insertOne, remove, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem, unknownId } from '../../core/rest/problem.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'
import { ChannelId, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../../shop/channels/live-channels.ts'
import { access, areas } from '../../stores/accounts/scopes.ts'

const { read, write } = access('content')

/** Most scripts of one channel, and of one client in it. */
const CHANNEL_MAX = 50
const CLIENT_MAX = 10
/** Most `<script>` elements of an `html`. */
const ELEMENTS_MAX = 5

/**
 * A script is code that a client adds to the pages of one channel: the address of a file (`src`) or a piece of HTML (`html`). It belongs
 * to the client that created it; other clients neither see nor change it. Its visibility names the pages that load it. Two visibilities
 * include the checkout and need a scope of their own. The server stores scripts and never runs them. Deleting the client's account deletes
 * the script too, unless `auto_uninstall` is false (docs/contract/scripts.md).
 */
const Script = t.Object({
  id: Id,
  uuid: t.String({ format: 'uuid' }),
  name: NeededLine,
  description: Text,
  html: t.String({ maxLength: 65_536, description: 'Empty for the kind src' }),
  src: t.String({ maxLength: 2_048, description: 'Empty for the kind script_tag' }),
  auto_uninstall: t.Boolean(),
  load_method: t.Enum(['default', 'async', 'defer']),
  location: t.Enum(['head', 'footer']),
  visibility: t.Enum(['storefront', 'all_pages', 'checkout', 'order_confirmation']),
  kind: t.Enum(['src', 'script_tag']),
  api_client_id: t.String({ description: 'The client that created it' }),
  consent_category: t.Enum(['essential', 'functional', 'analytics', 'targeting', 'unknown']),
  enabled: t.Boolean(),
  channel_id: ChannelId,
  integrity_hashes: t.Array(t.String({ maxLength: 255, pattern: '^sha(256|384|512)-[A-Za-z0-9+/]+={0,2}$' })),
  date_created: Moment,
  date_modified: Moment,
})
export type Script = Static<typeof Script>

const { id: _id, ...answered } = Script.properties
const ScriptAnswer = t.Object(answered, { title: 'Script' })

const { uuid: _, api_client_id: __, date_created: ___, date_modified: ____, ...writable } = answered
const examples = [{ name: 'Visits', src: 'https://cdn.example.com/visits.js', load_method: 'async' }]
const Changes = t.Partial(t.Object(writable), { title: 'ScriptChanges', examples: [{ enabled: false }] })
type Changes = Static<typeof Changes>
const NewScript = t.Object({ ...Changes.properties, name: writable.name }, { title: 'NewScript', examples })

export const scripts = collection('scripts', Script, {
  noun: 'script',
  filters: 'channel_id:in',
  sort: ['name', 'description', 'date_created', 'date_modified'],
})

const Listed = t.Unsafe<ListQuery>(
  t.Object(
    {
      'channel_id:in': t.Optional(ListOf(ChannelId)),
      sort: t.Optional(t.Enum([...(scripts.sort ?? [])])),
      direction: t.Optional(t.Enum(['asc', 'desc'])),
      ...paging,
    },
    { additionalProperties: false, table: 'scripts' },
  ),
)

type Values = Omit<Script, 'id' | 'uuid' | 'api_client_id' | 'date_created' | 'date_modified'>

/** The default values (docs/contract/scripts.md section 1). */
const blank: Omit<Values, 'name'> = {
  description: '',
  html: '',
  src: '',
  auto_uninstall: true,
  load_method: 'default',
  location: 'footer',
  visibility: 'storefront',
  kind: 'src',
  consent_category: 'unknown',
  enabled: true,
  channel_id: FIRST_CHANNEL,
  integrity_hashes: [],
}

/** Routes of scripts (docs/contract/scripts.md). */
export function scriptRoutes(api: Api) {
  const all = '/content/scripts'
  const one = `${all}/:uuid(^[0-9a-fA-F-]{36}$)`
  const params = t.Object({ uuid: Script.properties.uuid })
  const response = { 200: envelope(ScriptAnswer) }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the scripts',
        description: 'Lists the scripts of the calling client only.',
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(ScriptAnswer), meta: PageMeta }) },
      },
    },
    async ({ db, client, query }) => {
      const { data, meta } = await findRows(db, scripts, query, visibleTo(db, client))
      return answer(data.map(scriptToAnswer), meta)
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a script',
        description: `A client can have ${CLIENT_MAX} scripts on a channel, and a channel ${CHANNEL_MAX}.`,
        body: NewScript,
        response,
      },
    },
    async ({ db, client, body }) =>
      answer(scriptToAnswer(await db.transaction((tx) => createScript(tx, client, body)))),
  )

  api.get(one, { ...read, schema: { summary: 'Get a script', params, response } }, async ({ db, client, params }) =>
    answer(scriptToAnswer(await findScript(db, client, params.uuid))),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a script',
        description: 'Fields that the body omits remain. A new kind empties the field of the other kind.',
        params,
        body: Changes,
        response,
      },
    },
    async ({ db, client, params, body }) =>
      answer(scriptToAnswer(await db.transaction((tx) => changeScript(tx, client, params.uuid, body)))),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a script', params } },
    async ({ db, client, params: { uuid } }) => {
      await db.transaction(async (tx) => {
        const script = await findScript(tx, client, uuid, sql`for update`)
        refuseCheckout(client, script)
        await remove(tx, scripts, script.id)
      })
      return noContent()
    },
  )
}

const CHECKOUT_VISIBILITIES: readonly Script['visibility'][] = ['all_pages', 'checkout']
const { checkoutContent } = areas

const hasAnyScope = ({ scopes }: Client, names: readonly string[]) => names.some((name) => scopes.has(name))

/** Matches the scripts that a client sees: its own, on channels that are not deleted, and those of the checkout with a scope for it. */
function visibleTo(db: Db, client: Client): Sql {
  const seesCheckout = hasAnyScope(client, [...checkoutContent.read, ...checkoutContent.write])
  return sql.and([
    sql`api_client_id = ${client.id}`,
    isOfLiveChannel(db, 'scripts.channel_id'),
    ...(seesCheckout ? [] : [sql`visibility <> all(${CHECKOUT_VISIBILITIES})`]),
  ])
}

/** @throws Problem 404, also for a script that the client doesn't see */
async function findScript(db: Db, client: Client, uuid: string, lock: Sql = sql.empty): Promise<Script> {
  const [script] = await findWhere(db, scripts, sql`uuid = ${uuid.toLowerCase()} and ${visibleTo(db, client)}`, lock)
  if (!script) throw notFound(scripts.noun, uuid)
  return script
}

/** @throws Problem 403 for a script of the checkout without the scope to write it */
function refuseCheckout(client: Client, { visibility }: Pick<Script, 'visibility'>) {
  if (!CHECKOUT_VISIBILITIES.includes(visibility) || hasAnyScope(client, checkoutContent.write)) return
  throw new Problem(403, `A script with the visibility ${visibility} needs the scope ${checkoutContent.write[0]}.`)
}

/** Creates a script of the client. @throws Problem 422; 403 without the scope of the checkout, or for one script too many */
export async function createScript(tx: Tx, client: Client, body: Static<typeof NewScript>): Promise<Script> {
  const kind = body.kind ?? (body.src || !body.html ? 'src' : 'script_tag')
  const values = { ...blank, ...body, kind }
  refuseCheckout(client, values)
  refuseInconsistent(values)
  // The counter is locked first, so concurrent requests count one after another.
  const ids = await takeIds(tx, [[scripts, 1]])
  await refuseFullChannel(tx, client.id, values.channel_id)
  const script = await insertOne(tx, scripts, {
    ...values,
    id: ids.next(scripts),
    uuid: newUuid(),
    api_client_id: client.id,
    date_created: tx.now.toISOString(),
    date_modified: tx.now.toISOString(),
  })
  publishScript(tx, 'created', script)
  return script
}

/** @throws Problem 404, 422; 403 without the scope of the checkout, or for one script too many on its new channel */
async function changeScript(tx: Tx, client: Client, uuid: string, body: Changes): Promise<Script> {
  if (body.channel_id !== undefined) await lockCounter(tx, scripts.table)
  const before = await findScript(tx, client, uuid, sql`for update`)
  const { kind = before.kind } = body
  const emptied = kind === before.kind ? {} : { [kind === 'src' ? 'html' : 'src']: '' }
  const after = { ...before, ...emptied, ...body }
  refuseCheckout(client, before)
  refuseCheckout(client, after)
  refuseInconsistent(after)
  const changes = differences(before, after)
  if (Object.keys(changes).length === 0) return before
  if (after.channel_id !== before.channel_id) await refuseFullChannel(tx, client.id, after.channel_id)
  const script = await change(tx, scripts, before, { ...changes, date_modified: tx.now.toISOString() })
  publishScript(tx, 'updated', script)
  return script
}

/** @throws Problem 422 for fields that don't fit the kind of a script */
function refuseInconsistent({ kind, src, html, load_method, integrity_hashes }: Values) {
  const mistakes: Mistakes = {}
  if (kind === 'src') {
    if (src === '') mistakes.src = html === '' ? 'A script needs a src or an html.' : 'The kind src needs a src.'
    else if (!isWebAddress(src)) mistakes.src = 'src must be an absolute http or https address.'
    if (html !== '') mistakes.html = 'The kind src has no html.'
  } else {
    const elements = html.match(/<script(?=[\s/>])/gi)?.length ?? 0
    if (elements === 0) mistakes.html = 'The kind script_tag needs an html with a script element.'
    if (elements > ELEMENTS_MAX) mistakes.html = `html can have at most ${ELEMENTS_MAX} script elements.`
    if (src !== '') mistakes.src = 'The kind script_tag has no src.'
    if (load_method !== 'default') mistakes.load_method = 'The kind script_tag has the load_method default.'
    if (integrity_hashes.length > 0) mistakes.integrity_hashes = 'Only the kind src has integrity_hashes.'
  }
  if (integrity_hashes.length > HASHES_MAX) mistakes.integrity_hashes = `A script has at most ${HASHES_MAX} hashes.`
  refuse(mistakes)
}
const HASHES_MAX = 5

const isWebAddress = (text: string) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)

/** Locks a channel against deletion. @throws Problem 422 for an unknown channel, 403 if it or the client has all scripts it may have */
async function refuseFullChannel(tx: Tx, client: string, channel: number) {
  if (!(await lockLiveChannelsShared(tx, [channel])).has(channel)) {
    refuse({ channel_id: unknownId('channel', channel) })
  }
  const { total, own } = await tx.row<{ total: number; own: number }>(sql`
    select count(*)::int as total, count(*) filter (where api_client_id = ${client})::int as own
    from scripts where store_id = ${tx.store.id} and channel_id = ${channel}`)
  if (own >= CLIENT_MAX) throw new Problem(403, `A client can have at most ${CLIENT_MAX} scripts on a channel.`)
  if (total >= CHANNEL_MAX) throw new Problem(403, `A channel can have at most ${CHANNEL_MAX} scripts.`)
}

/** The wire form of a script, which has no id and whose dates have milliseconds. */
const scriptToAnswer = ({ id: _, date_created, date_modified, ...script }: Partial<Script>) => ({
  ...script,
  date_created: inMilliseconds(date_created),
  date_modified: inMilliseconds(date_modified),
})

const inMilliseconds = (moment = '') => new Date(moment).toISOString()

/** Publishes an event of a script (docs/contract/webhooks.md section 6). */
const publishScript = (tx: Tx, action: 'created' | 'updated', { uuid, channel_id }: Script) =>
  publish(tx, `store/channel/${channel_id}/script/${action}`, `script ${uuid}`, { uuid })

/** Deletes the scripts of a deleted account, except for those that shall remain (docs/contract/scripts.md section 3). */
export const deleteScriptsOfAccount = (db: Db, clientId: string) =>
  db.transaction((tx) => removeAll(tx, scripts, sql`api_client_id = ${clientId} and auto_uninstall`))

/** Deletes the scripts of a terminated channel: at most 50, so in one transaction. */
export async function deleteScriptsOfChannel(db: Db, channel: number) {
  await db.transaction((tx) => removeAll(tx, scripts, sql`channel_id = ${channel}`))
}
