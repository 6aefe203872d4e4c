import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { findRequests, type RequestFilters, type RequestLine } from '../../stores/requests/search.ts'
import { json, withInstallation } from '../command.ts'

const POLL_MS = 1_000
/** Requests that ended late are shown, too, if they began within this time. */
const LOOK_BACK_MS = 60_000
const LIMIT = 250

interface LogOptions {
  store: string
  errors?: true
  operation?: string
  client?: string
  status?: number
  path?: string
  correlation?: string
  limit: number
  json?: true
}

/** `logs ...`: the requests to a store. */
export function logCommands(program: Command) {
  const logs = program.command('logs').description('the requests to a store')

  withFilters(logs.command('list').description('print the last requests, the newest last'))
    .addOption(limitOption())
    .action((options: LogOptions) => withLog(options, async (find) => show(await find({}), options)))

  withFilters(logs.command('tail').description('print the last requests, and new ones until it is stopped'))
    .addOption(limitOption().default(10))
    .action((options: LogOptions) =>
      withLog(options, async (find) => {
        const printed = new Map<string, number>()
        const showNew = (lines: readonly RequestLine[]) => {
          show(
            lines.filter(({ request_id }) => !printed.has(request_id)),
            options,
          )
          for (const { request_id } of lines) printed.set(request_id, Date.now())
          for (const [id, at] of printed) if (Date.now() - at > 2 * LOOK_BACK_MS) printed.delete(id)
        }
        showNew(await find({}))
        const began = Date.now()
        while (true) {
          await sleep(POLL_MS)
          const since = new Date(Math.max(began, Date.now() - LOOK_BACK_MS)).toISOString()
          showNew(await find({ since }, LIMIT))
        }
      }),
    )
}

const limitOption = () =>
  new Option('--limit <n>', 'at most this many lines, up to 250').default(50).argParser((text) => {
    const limit = Number(text)
    if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT)
      throw new InvalidArgumentError(`It must be 1 to ${LIMIT}.`)
    return limit
  })

const withFilters = (command: Command) =>
  command
    .requiredOption('--store <hash>', 'the store')
    .option('--errors', 'only refused and failed requests')
    .option('--operation <operation>', 'only this operation, such as "GET /v3/catalog/brands"')
    .option('--client <id>', 'only this account')
    .option('--status <status>', 'only this status', Number)
    .option('--path <words>', 'only paths that have these words')
    .option('--correlation <id>', 'only requests with this correlation id')
    .addOption(json)

type Find = (filters: RequestFilters, limit?: number) => Promise<RequestLine[]>

const withLog = (options: LogOptions, work: (find: Find) => Promise<void>) =>
  withInstallation(async ({ directory }) => {
    const store = await directory.find(options.store)
    if (!store) throw new Error(`There is no store "${options.store}".`)
    const cell = directory.cellOf(store)
    const { errors, operation, client: client_id, status, path, correlation: correlation_id } = options
    await work((filters, limit = options.limit) =>
      findRequests(cell, store.id, { errors, operation, client_id, status, path, correlation_id, ...filters }, limit),
    )
  })

/** Prints lines, the newest last. */
function show(lines: readonly RequestLine[], { json }: LogOptions) {
  for (const line of lines.toReversed()) console.log(json ? JSON.stringify(line) : lineOf(line))
}

const lineOf = ({ at, status, ms, operation, path, client_id, request_id }: RequestLine) => {
  const [method] = operation.split(' ', 1)
  return `${at} ${status} ${method} ${path} ${ms} ms, ${client_id ?? 'no client'}, ${request_id}`
}
