import t, { type Static } from 'typebox'
import type { Clock } from '../../core/clock.ts'
import type { Database, Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, Moment } from '../../core/rest/input/fields.ts'
import { collection, type ListQuery } from '../../core/rest/lists/collection.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta } from '../../core/rest/lists/paging.ts'
import { insert, removeAll } from '../../core/rest/lists/verbs.ts'
import { access } from '../../stores/accounts/scopes.ts'

const { read } = access('logs')

/** The oldest entries of a store give way to new ones. */
const LOGS_MAX = 10_000
const KEPT_MS = 365 * 86_400_000
const STORES_AT_ONCE = 500
const LOGS_AT_ONCE = 1_000
const MESSAGE_MAX = 65_535

const TYPES = [
  'general',
  'payment',
  'shipping',
  'tax',
  'notification',
  'emailintegration',
  'ordersettings',
  'design',
] as const
/** The words of severities, from 1 to 4. */
const SEVERITIES = ['success', 'notices', 'warnings', 'errors'] as const
type Severity = (typeof SEVERITIES)[number]

const SystemLog = t.Object({
  id: Id,
  type: t.Enum([...TYPES]),
  module: t.String(),
  severity: t.Integer({ minimum: 1, maximum: SEVERITIES.length }),
  summary: t.String(),
  message: t.String(),
  date_created: Moment,
})
type SystemLog = Static<typeof SystemLog>

/** As it is answered: with the word of its severity. */
const Entry = t.Partial(t.Object({ ...SystemLog.properties, severity: t.Enum([...SEVERITIES]) }), {
  title: 'SystemLog',
})

const systemLogs = collection('system_logs', SystemLog, {
  noun: 'system log',
  filters: 'type severity severity:min severity:max id:in',
  sort: ['date_created', 'type'],
  queries: {
    'type:not': t.Optional(ComparedText),
    module: t.Optional(ComparedText),
    'module:not': t.Optional(ComparedText),
  },
})

/** Routes for the log of a store, the earliest entry first (docs/contract/store.md section 4). */
export function systemLogRoutes(api: Api) {
  api.get(
    '/store/systemlogs',
    {
      ...read,
      schema: {
        summary: 'List the system logs',
        operationId: 'listSystemLogs',
        tag: 'System logs',
        querystring: systemLogs.list.querystring,
        response: { 200: t.Object({ data: t.Array(Entry), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const since = new Date(db.now.getTime() - KEPT_MS)
      const found = await findRows(
        db,
        systemLogs,
        query,
        sql.and([sql`date_created > ${since}`, ...conditionsOf(query)]),
      )
      return new Answer({ ...found, data: found.data.map(named) })
    },
  )
}

function conditionsOf(query: ListQuery) {
  // In a query a plus is a blank. Who escapes it means a blank too: no module has one.
  const word = (name: string) => (query[name] === undefined ? undefined : String(query[name]).replaceAll('+', ' '))
  const [type, module, notModule] = [word('type:not'), word('module'), word('module:not')]
  return [
    ...(type === undefined ? [] : [sql`type <> ${type}`]),
    ...(module === undefined ? [] : [sql`module = ${module}`]),
    ...(notModule === undefined ? [] : [sql`module <> ${notModule}`]),
  ]
}

const named = (row: Partial<SystemLog>) =>
  row.severity === undefined ? row : { ...row, severity: SEVERITIES[row.severity - 1] }

/** A log entry for a store. */
export interface NewLog {
  type: (typeof TYPES)[number]
  /** `email message`, `order status` and so on; `''` for none. */
  module: string
  severity: Severity
  /** One line. */
  summary: string
  message: string
}

/** Appends a log entry, in the transaction of its cause. */
export async function writeSystemLog(tx: Tx, { severity, message, ...log }: NewLog) {
  const { id } = await insert(tx, systemLogs, {
    ...log,
    severity: SEVERITIES.indexOf(severity) + 1,
    message: message.slice(0, MESSAGE_MAX),
    date_created: toSeconds(tx.now),
  })
  if (id > LOGS_MAX) await removeAll(tx, systemLogs, sql`id <= ${id - LOGS_MAX}`)
}

interface Stores {
  readonly cells: readonly { readonly system: Pick<Database, 'system' | 'clocks'> }[]
  dbById(id: number): Promise<Db | undefined>
}

/** Deletes entries older than a year, in pieces, each in a transaction of its own. Any number of processes may do so at any time. */
export async function deleteOldSystemLogs(stores: Stores, clock: Clock, signal?: AbortSignal) {
  for (const { system } of stores.cells) {
    const isOld = system.clocks.pastIn(clock.now(), (now) => sql`date_created <= ${untilOf(now)}`)
    const old = await system.system<{ store_id: number }>(sql`
      select distinct store_id from system_logs where ${isOld} limit ${STORES_AT_ONCE}`)
    for (const { store_id } of old) {
      const db = await stores.dbById(store_id)
      if (db) await deleteOldSystemLogsOf(db, signal)
    }
  }
}

/** Deletes the entries of one store that are older than a year. */
export async function deleteOldSystemLogsOf(db: Db, signal?: AbortSignal) {
  while (!signal?.aborted && (await clearSome(db, untilOf(db.now))) === LOGS_AT_ONCE) {}
}

const untilOf = (now: Date) => new Date(now.getTime() - KEPT_MS)

/** @returns how many are gone */
async function clearSome(db: Db, until: Date): Promise<number> {
  const gone = await db.transaction((tx) =>
    removeAll(
      tx,
      systemLogs,
      sql`id = any(array(
        select id from system_logs where store_id = ${tx.store.id} and date_created <= ${until} order by id limit ${LOGS_AT_ONCE}))`,
    ),
  )
  return gone.length
}
