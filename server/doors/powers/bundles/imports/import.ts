import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../../core/objects.ts'
import { DamagedBundle, type Row, type StoreBundle } from '../bundle.ts'
import { folderOf, inOrder } from '../export.ts'
import { changeAt, valuesAt } from '../fields.ts'
import { AREAS, type BundleArea, type BundleKind, without } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { errorSentence, idOf } from '../lists.ts'
import type { StoreApi } from '../store-api.ts'
import { importCompanies } from './companies.ts'
import { IdMap, type IdStore } from './id-map.ts'
import { importInvoicePayments } from './invoices.ts'
import { importLogos } from './logos.ts'
import { finishOrders, importOrders } from './orders.ts'
import { importPayments } from './payments.ts'
import { importProducts, relateProducts } from './products.ts'
import { importSites } from './sites.ts'
import { importActiveThemes, importConfigurations, importThemes } from './themes.ts'
import { ImportFault, type ImportReport, ImportWork, isFileOfBundle, type MoneyRecorder } from './work.ts'

interface ImportParts {
  api: StoreApi
  ids: IdStore
  recordMoney: MoneyRecorder
}

export interface ImportOptions {
  areas?: readonly BundleArea[] | undefined
  progress?: ((kind: string, rows: number) => void) | undefined
}

/**
 * Brings the rows of a bundle into a store, by the requests that a client would send, in the order in which rows refer to each other. The id
 * map is stored with each step, so an interrupted import continues where it was; an `Idempotency-Key` for each row keeps a row
 * from being created twice by a run that ended between the two.
 * @throws DamagedBundle for a damaged bundle; ImportFault if the store fails
 */
export async function importBundle(
  bundle: StoreBundle,
  { ids: store, ...parts }: ImportParts,
  { areas = AREAS, progress }: ImportOptions = {},
): Promise<ImportReport> {
  const ids = new IdMap(store)
  await ids.load()
  const work = new ImportWork(bundle, { ...parts, ids })
  for (const kind of kinds) {
    if (!areas.includes(kind.area)) continue
    const importer = IMPORTERS[kind.create.by ?? 'requests']
    await importer(work, kind, bundle.rows(folderOf(kind)))
    if (kind.name === 'shipments') await finishOrders(work, bundle.rows('orders/orders'))
    await ids.flush()
    progress?.(kind.name, work.report.rows[kind.name] ?? 0)
  }
  return work.report
}

type Importer = (work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) => Promise<void>

/** The functions that create rows, by `create.by` of their kinds. */
const IMPORTERS: Readonly<Record<NonNullable<BundleKind['create']['by']> | 'requests', Importer>> = {
  requests: (work, kind, rows) =>
    importKind(work, kind, kind.parent === undefined ? rows : parentsFirst(kind, kind.parent, rows)),
  async products(work, kind, rows) {
    await importProducts(work, kind, rows)
    await relateProducts(work, work.bundle.rows(folderOf(kind)))
  },
  orders: importOrders,
  payments: importPayments,
  sites: importSites,
  logo: importLogos,
  companies: importCompanies,
  'invoice payments': importInvoicePayments,
  themes: importThemes,
  'theme configurations': importConfigurations,
  'active themes': importActiveThemes,
  'with another kind': async () => {},
}

/** A row without fields that are null: they mean the default. */
const withoutNulls = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** Creates the rows of a kind, several in one request if the store takes lists. */
async function importKind(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  const first = kind.create.match ? await rowsOfStore(work, kind) : new Map<string, Row>()
  const { batch = 0 } = kind.create
  let gathered: Pending[] = []
  for await (const row of rows) {
    const key = importKeyOf(kind, row)
    if (work.ids.has(kind.name, key)) {
      work.count(kind)
      continue
    }
    // A batch is for one owner, and a row of a tree may need a row of the same batch.
    const [before] = gathered
    const needsOther =
      kind.parent !== undefined && gathered.some(({ row: other }) => idOf(kind, other) === row[kind.parent ?? ''])
    if (before && (before.row.$under !== row.$under || needsOther)) {
      await createRows(work, kind, gathered)
      gathered = []
    }
    const match = work.matched(kind, row)
    const there = match === undefined ? undefined : first.get(match)
    const missing = work.missingRef(kind, row)
    if (missing !== undefined)
      work.refuse(kind, key, { status: 0, body: { title: `It needs a row that is not in the store (${missing}).` } })
    else if (there) await changeRow(work, kind, { key, row, there })
    else gathered.push({ key, row })
    if (gathered.length < Math.max(batch, 1)) continue
    await createRows(work, kind, gathered)
    gathered = []
  }
  await createRows(work, kind, gathered)
}

interface Pending {
  /** Its id, or a text that identifies it. */
  key: string
  row: Row
}

/** The id of a row, or the digest of a row without one. */
export const importKeyOf = (kind: BundleKind, row: Row): string =>
  String(idOf(kind, row) ?? hash('sha256', JSON.stringify(row), 'base64url'))

/** The rows that a store has from its beginning, by the text that matches them. */
async function rowsOfStore(work: ImportWork, kind: BundleKind): Promise<Map<string, Row>> {
  const answer = await work.send({ method: 'GET', path: `${kind.list}${kind.list.includes('?') ? '&' : '?'}limit=250` })
  const data = isObject(answer.body) ? answer.body.data : answer.body
  const rows = (Array.isArray(data) ? data : []).filter(isObject)
  return new Map(rows.map((row) => [kind.create.match?.by(row) ?? '', row]))
}

/** Changes a row that the store has from its beginning, unless it is right already. */
async function changeRow(work: ImportWork, kind: BundleKind, { key, row, there }: Pending & { there: Row }) {
  const { match } = kind.create
  const id = String(idOf(kind, there))
  const body = bodyOf(work, kind, row)
  if (match && isObject(body) && !isMatch(there, body)) {
    const path = match.path.replace('{id}', id)
    const changes = match.isBatch ? [{ ...body, [kind.key ?? 'id']: Number(id) }] : body
    const answer = await work.send({ method: 'PUT', path, body: changes })
    if (answer.status >= 400) work.refuse(kind, key, answer)
  }
  work.ids.set(kind.name, key, id)
  work.count(kind)
}

/** Whether a row has all values of a body. */
const isMatch = (row: Row, body: Row): boolean =>
  Object.entries(body).every(([field, value]) => isDeepStrictEqual(row[field], value))

/** The body of a request that creates a row. */
export const bodyOf = (work: ImportWork, kind: BundleKind, row: Row): Row | string | undefined =>
  bodyOfMapped(kind, work.mapped(kind, row), row)

/** @param mapped the row with the ids of the store to which it is sent */
export function bodyOfMapped(kind: BundleKind, mapped: Row, row: Row): Row | string | undefined {
  const { key = 'id' } = kind
  const { $under: _, ...fields } = mapped
  const body = without(withoutNulls(fields), ...(key === null ? [] : [key]))
  const whole = (kind.pictures ?? []).reduce<Row>(
    (changed, path) => changeAt(changed, path, (value) => (isFileOfBundle(value) ? '' : value)),
    body,
  )
  const made = kind.create.body ? kind.create.body(whole, row) : whole
  return typeof made === 'object' ? Object.fromEntries(Object.entries(made)) : made
}

/** Creates rows in one request. If a list is refused, each of its rows is tried alone. */
async function createRows(
  work: ImportWork,
  kind: BundleKind,
  pending: readonly Pending[],
  attempt = '',
): Promise<void> {
  const [first] = pending
  if (!first) return
  const { method = 'POST', path, batch = 0, bodyOfAll } = kind.create
  const { second } = kind.create
  const bodies = pending.map(({ row }) => {
    const body = bodyOf(work, kind, row)
    return attempt !== '' && second && isObject(body) ? second(body) : body
  })
  const wanted = pending.filter((_, i) => bodies[i] !== undefined)
  const body = bodies.filter((each) => each !== undefined)
  if (body.length === 0) return
  const owner =
    kind.under && first.row.$under !== undefined ? work.ids.find(kind.under.kind, first.row.$under) : undefined
  if (kind.under && owner === undefined) {
    for (const { key } of pending)
      work.refuse(kind, key, { status: 0, body: { title: `Its owner (${kind.under.kind}) is not in the store.` } })
    return
  }
  const list = bodyOfAll ? bodyOfAll(body.filter(isObject)) : body
  const at = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(name === 'under' ? owner : first.row[name])),
  )
  const request = { method, path: at, body: batch > 0 ? list : body[0] }
  const answer = await work.send(request, `${kind.name}${attempt} ${wanted.map(({ key }) => key).join(' ')}`)
  if (answer.status >= 400 || answer.status === 207) {
    if (pending.length > 1) {
      for (const one of pending) await createRows(work, kind, [one], attempt)
      return
    }
    if (!second || attempt !== '') return work.refuse(kind, first.key, answer)
    work.drop(`${kind.name}: ${errorSentence(answer.body)}`)
    return createRows(work, kind, [first], ' again')
  }
  const created = createdIn(kind, answer.body)
  for (const [i, { key, row }] of wanted.entries()) {
    const id = created[i] || (await foundAfter(work, kind, row))
    work.ids.set(kind.name, key, id)
    work.count(kind)
    await uploadPicture(work, kind, { row, id })
  }
  await work.ids.flush()
}

/** The ids in the answer to a creation, in the order of the rows. */
function createdIn(kind: BundleKind, body: unknown): string[] {
  const data = isObject(body) && 'data' in body ? body.data : body
  const rows = (Array.isArray(data) ? data : [data]).filter(isObject)
  const named = kind.create.idAt === undefined ? kind : { ...kind, key: kind.create.idAt }
  return rows.map((row) => String(idOf(named, row) ?? ''))
}

/** The id of a row whose creation was answered without one; empty for a row that has none. */
async function foundAfter(work: ImportWork, kind: BundleKind, row: Row): Promise<string> {
  const path = kind.create.find?.(row)
  if (path === undefined) return ''
  const [id] = createdIn(kind, (await work.send({ method: 'GET', path })).body)
  if (id === undefined || id === '')
    throw new ImportFault(`The store does not have the row that it has created: GET ${path}.`)
  return id
}

async function uploadPicture(work: ImportWork, kind: BundleKind, { row, id }: { row: Row; id: string }) {
  const { upload } = kind.create
  if (!upload) return
  const name = valuesAt(row, kind.pictures?.[0] ?? '').find(isFileOfBundle)
  if (name === undefined) return
  await work.upload(kind, id, { path: upload.path.replace('{id}', id), field: upload.field, name })
}

/** @throws DamagedBundle for a circle, and for rows below a row that the bundle does not have */
async function* parentsFirst(kind: BundleKind, parent: string, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  const there = new Set<unknown>([0, null, undefined])
  for (const row of inOrder(kind, parent, all)) {
    if (!there.has(row[parent]))
      throw new DamagedBundle(
        `The ${kind.name} of the bundle are no tree: ${String(idOf(kind, row))} is below ${String(row[parent])}.`,
      )
    there.add(idOf(kind, row))
    yield row
  }
}
