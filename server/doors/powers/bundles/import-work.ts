import type { Row, StoreBundle } from './bundle.ts'
import { type Counts, errorSentence } from './export.ts'
import { changeAt } from './fields.ts'
import type { IdMap } from './id-map.ts'
import type { BundleKind } from './kinds/kind.ts'
import type { StoreAnswer, StoreApi, StoreRequest } from './store-api.ts'

/** A row that the store refused, with its reason. */
export interface RefusedRow {
  kind: string
  id: string
  status: number
  reason: string
}

export interface ImportReport {
  /** The rows that are in the store now, by kind, with those of former runs. */
  rows: Counts
  /** The first rows that were refused, and the number of all. */
  refused: readonly RefusedRow[]
  refusals: number
  /** References that were dropped because the bundle or the selection does not have the other row, by kind and field. */
  dropped: Counts
}

const REFUSED_MAX = 1_000

/** The store failed: nothing more can be imported now. The next run continues. */
export class ImportFault extends Error {}

/** The work of an import: requests to the store, the id map, and the report. */
export class ImportWork {
  readonly report: ImportReport & { refused: RefusedRow[] } = { rows: {}, refused: [], refusals: 0, dropped: {} }
  readonly bundle: StoreBundle
  readonly ids: IdMap
  readonly #api: StoreApi

  constructor(bundle: StoreBundle, api: StoreApi, ids: IdMap) {
    this.bundle = bundle
    this.#api = api
    this.ids = ids
  }

  /** @param row names the request in its `Idempotency-Key` @throws ImportFault for a failure of the server */
  async send(request: StoreRequest, row?: string): Promise<StoreAnswer> {
    const key = row === undefined ? undefined : `${this.bundle.manifest.id} ${row}`.slice(0, 255)
    const answer = await this.#api.send({ ...request, key })
    const isFailure = answer.status >= 500 && answer.status !== 507
    if (isFailure || answer.status === 401 || answer.status === 403)
      throw new ImportFault(
        `${request.method} ${request.path} was answered with ${answer.status}: ${errorSentence(answer.body)}`,
      )
    return answer
  }

  refuse(kind: Pick<BundleKind, 'name'>, id: unknown, { status, body }: StoreAnswer) {
    this.report.refusals++
    const refused = { kind: kind.name, id: String(id), status, reason: errorSentence(body) }
    if (this.report.refused.length < REFUSED_MAX) this.report.refused.push(refused)
  }

  count(kind: Pick<BundleKind, 'name'>) {
    this.report.rows[kind.name] = (this.report.rows[kind.name] ?? 0) + 1
  }

  /** A row with the ids of the store. References to rows that it does not have are dropped and counted. */
  mapped(kind: Pick<BundleKind, 'name' | 'refs'>, row: Row): Row {
    return Object.entries(kind.refs ?? {}).reduce<Row>(
      (changed, [path, target]) =>
        changeAt(changed, path, (old) => {
          // 0, -1 and null stand for no row, or for all rows.
          if (old === null || Number(old) <= 0 || old === '') return old
          const found = this.ids.find(target, old)
          const field = `${kind.name}.${path}`
          if (found === undefined) this.report.dropped[field] = (this.report.dropped[field] ?? 0) + 1
          return found
        }),
      row,
    )
  }

  /** Uploads a picture of the bundle. @returns whether it could */
  async upload(
    kind: Pick<BundleKind, 'name'>,
    id: unknown,
    { path, field, name, fields = {} }: Upload,
  ): Promise<StoreAnswer | undefined> {
    const bytes = await this.bundle.picture(name)
    if (!bytes) {
      this.refuse(kind, id, {
        status: 0,
        body: { title: `The bundle does not have ${name}, or it has more than 8 MiB.` },
      })
      return undefined
    }
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, value)
    form.append(field, new Blob([new Uint8Array(bytes)]), name.slice('files/'.length))
    const answer = await this.send({ method: 'POST', path, form }, `picture of ${kind.name} ${String(id)}`)
    if (answer.status >= 400) this.refuse(kind, id, answer)
    return answer.status >= 400 ? undefined : answer
  }
}

interface Upload {
  path: string
  field: string
  /** The name of the file in the bundle. */
  name: string
  fields?: Record<string, string>
}

export const isPictureOfBundle = (value: unknown): value is string =>
  typeof value === 'string' && /^files\/[0-9a-f]{64}\./.test(value)
