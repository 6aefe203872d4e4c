import { setTimeout as sleep } from 'node:timers/promises'
import type { Row, StoreBundle } from '../bundle.ts'
import type { Counts } from '../export.ts'
import { changeRefs } from '../fields.ts'
import type { BundleKind } from '../kinds/kind.ts'
import { errorSentence } from '../lists.ts'
import type { StoreAnswer, StoreApi, StoreRequest } from '../store-api.ts'
import type { IdMap, StoredId } from './id-map.ts'

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

/** Paths of the companion API begin with it. */
const COMPANION = '/b2b/'
const REFUSED_MAX = 1_000
/** Requests to a busy store. */
const BUSY_TRIES = 60
const BUSY_MS = 1_000

/** The store failed: nothing more can be imported now. The next run continues. */
export class ImportFault extends Error {}

/**
 * Records the money that an order has moved, and stores the ids of its rows, in one transaction.
 * @param order its former id and its id in the store
 * @throws Problem for money that the order can't have moved
 */
export type MoneyRecorder = (order: { former: unknown; id: number }, money: object) => Promise<readonly StoredId[]>

interface WorkParts {
  api: StoreApi
  ids: IdMap
  recordMoney: MoneyRecorder
}

/** The work of an import: requests to the store, the id map, and the report. */
export class ImportWork {
  readonly report: ImportReport & { refused: RefusedRow[] } = { rows: {}, refused: [], refusals: 0, dropped: {} }
  readonly bundle: StoreBundle
  readonly ids: IdMap
  readonly recordMoney: MoneyRecorder
  readonly #api: StoreApi

  constructor(bundle: StoreBundle, { api, ids, recordMoney }: WorkParts) {
    this.bundle = bundle
    this.#api = api
    this.ids = ids
    this.recordMoney = recordMoney
  }

  /**
   * Sends a request; one that the store has no time for is repeated.
   * @param row names the request in its `Idempotency-Key`
   * @throws ImportFault for a failure of the server
   */
  async send(request: StoreRequest, row?: string): Promise<StoreAnswer> {
    const key = row === undefined ? undefined : `${this.bundle.manifest.id} ${row}`.slice(0, 255)
    let answer = await this.#api.send({ ...request, key })
    for (let tries = 1; answer.status === 503 && tries < BUSY_TRIES; tries++) {
      await sleep(BUSY_MS)
      answer = await this.#api.send({ ...request, key })
    }
    const isFailure = answer.status >= 500 && answer.status !== 507
    // A store may lack the companion API: its rows are refused, and the others are imported.
    const isForbidden = answer.status === 401 || (answer.status === 403 && !request.path.startsWith(COMPANION))
    if (isFailure || isForbidden)
      throw new ImportFault(
        `${request.method} ${request.path} was answered with ${answer.status}: ${errorSentence(answer.body)}`,
      )
    return answer
  }

  /**
   * Sends the creation or the change of a row. If it is refused, it is sent again without extra fields, which the operator of a store
   * defines.
   */
  async sendOrWithout(request: StoreRequest & { body: Row }, kind: Pick<BundleKind, 'name'>, id: unknown) {
    const answer = await this.send(request, `${kind.name} ${request.method} ${String(id)}`)
    const { extraFields, ...body } = request.body
    if (answer.status < 400 || !Array.isArray(extraFields) || extraFields.length === 0) return answer
    this.drop(`${kind.name}: ${errorSentence(answer.body)}`)
    return this.send({ ...request, body }, `${kind.name} ${request.method} again ${String(id)}`)
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
  mapped(kind: Pick<BundleKind, 'name' | 'refs' | 'refsAnywhere'>, row: Row): Row {
    return this.#mapped(kind, row, (path) => this.drop(`${kind.name}.${path}`))
  }

  /** The text that matches a row with one that the store has from its beginning. */
  matched(kind: BundleKind, row: Row): string | undefined {
    return kind.create.match?.by(this.#mapped(kind, row, () => {}))
  }

  #mapped(kind: Pick<BundleKind, 'refs' | 'refsAnywhere'>, row: Row, onMissing: (path: string) => void): Row {
    return changeRefs(kind, row, (target, old, path) => {
      if (isNoRow(old)) return old
      const found = this.ids.find(target, old)
      if (found === undefined) onMissing(path)
      return found
    })
  }

  /** Counts a value that is left out. */
  drop(field: string) {
    this.report.dropped[field] = (this.report.dropped[field] ?? 0) + 1
  }

  /** The first reference that a row needs and that the store does not have. */
  missingRef(kind: BundleKind, row: Row): string | undefined {
    let missing: string | undefined
    changeRefs(kind, row, (target, old, path) => {
      const isMissing = kind.neededRefs?.includes(path) && !isNoRow(old) && this.ids.find(target, old) === undefined
      if (isMissing) missing ??= `${path}: ${String(old)}`
      return old
    })
    return missing
  }

  /** Uploads a file of the bundle. @returns undefined if it could not */
  async upload(
    kind: Pick<BundleKind, 'name'>,
    id: unknown,
    { path, field, name, fields = {} }: Upload,
  ): Promise<StoreAnswer | undefined> {
    const bytes = await this.bundle.file(name)
    if (!bytes) {
      this.refuse(kind, id, {
        status: 0,
        body: { title: `The bundle does not have ${name}, or it is too large.` },
      })
      return undefined
    }
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, value)
    form.append(field, new Blob([new Uint8Array(bytes)]), name.slice('files/'.length))
    const answer = await this.send({ method: 'POST', path, form }, `${field} of ${kind.name} ${String(id)}`)
    if (answer.status >= 400) this.refuse(kind, id, answer)
    return answer.status >= 400 ? undefined : answer
  }
}

/** 0, -1, `*`, an empty text and null stand for no row, or for all rows. */
const isNoRow = (id: unknown) => id === null || id === '' || id === '*' || Number(id) <= 0

interface Upload {
  path: string
  field: string
  /** The name of the file in the bundle. */
  name: string
  fields?: Record<string, string>
}

export const isFileOfBundle = (value: unknown): value is string =>
  typeof value === 'string' && /^files\/[0-9a-f]{64}\./.test(value)
