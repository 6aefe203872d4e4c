import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, failed, type Outcome, task, tryAgain } from '../../../core/jobs/task.ts'
import type { ServiceClient } from '../../../core/net/service-client.ts'
import { isObject } from '../../../core/objects.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { writeSystemLog } from '../../../shop/settings/system-logs.ts'
import { digestOf, type TaxDocument } from '../estimates/document.ts'
import { callTaxProvider } from '../providers/client.ts'
import { recordTaxFailure, UNAUTHORIZED } from '../providers/health.ts'
import {
  findTaxProvider,
  isConfigured,
  servesRegion,
  type TaxProvider,
  taxProvidersOf,
} from '../providers/providers.ts'
import { type DocumentNeed, nextCall, type SubmissionCall, submissionRetryDelay } from './next-call.ts'

// Documents of orders at tax providers (docs/contract/tax.md section 11).
//
// A provider that the operator registered with documents gets one document of each order that counts as paid: committed once, adjusted
// when its sums change, voided when the order is cancelled or refunded. A change of an order only enqueues a job; so no request waits for a
// provider. The job compares the order as it is now with the document that the provider has, and makes the calls that are missing. A call is
// stored with its body before it is sent. If its answer is lost, the same call is sent again, before any other. So an order never has two
// documents, and a document is voided only after the provider has confirmed it. Jobs of one order run one after another, in a lane of
// their own: captures and refunds don't wait for them.

export const submissionTask = task('submit_tax_document', t.Object({ order_id: t.Integer() }), {
  // Up to three calls of 10 s.
  maxMs: 45_000,
  retryDelay: submissionRetryDelay,
})

/** Most calls of one run: one that was not answered, an adjustment, a void. */
const CALLS_MAX = 3

/** Enqueues the job of an order, if a provider of the store gets documents or has one of this order. */
export async function submitTaxDocument(tx: Tx, order_id: number) {
  const [found] = await tx.rows(
    prepared(sql`
      select 1 from tax_providers where store_id = ${tx.store.id} and is_active and submits_orders
      union all select 1 from tax_documents where store_id = ${tx.store.id} and order_id = ${order_id} limit 1`),
  )
  if (found) await enqueue(tx, submissionTask, { key: `tax document of order ${order_id}`, payload: { order_id } })
}

const DocumentRow = t.Object({
  provider_id: t.String(),
  document_id: t.String(),
  digest: t.String(),
  call: t.Unsafe<SubmissionCall | null>(t.Union([t.String(), t.Null()])),
  call_digest: t.Union([t.String(), t.Null()]),
  body: t.Union([t.String(), t.Null()]),
  nr: t.Integer(),
})
type DocumentRow = Static<typeof DocumentRow>

const columns = sql.join(Object.keys(DocumentRow.properties).map(sql.id))

const findDocument = (db: Db, order_id: number): Promise<DocumentRow | undefined> =>
  db.maybeRow<DocumentRow>(
    sql`select ${columns} from tax_documents where store_id = ${db.store.id} and order_id = ${order_id}`,
  )

/** The document that an order needs now. */
export interface WantedDocument {
  need: DocumentNeed
  /** With the current sums of the order. */
  document: TaxDocument
}

export interface SubmissionParts {
  services: Pick<ServiceClient, 'post'>
  secrets: Pick<Secrets, 'unseal'>
}

/**
 * Brings the document of an order at its provider up to date.
 * @param wanted reads the order as it is now
 * @param attempt of the job, from 1
 */
export async function submit(
  db: Db,
  parts: SubmissionParts,
  { order_id, attempt, wanted }: { order_id: number; attempt: number; wanted(): Promise<WantedDocument> },
): Promise<Outcome> {
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    const stored = await findDocument(db, order_id)
    const isAgain = stored !== undefined && stored.call !== null
    const planned = isAgain ? stored : await plan(db, order_id, stored, await wanted())
    if (!planned) return done
    const provider = await findTaxProvider(db, planned.provider_id)
    if (!provider || !isConfigured(provider)) {
      return giveUp(db, order_id, `The tax provider ${planned.provider_id} is not connected any more.`)
    }
    const outcome = await send(db, parts, { provider, planned, isAgain })
    if (typeof outcome === 'string') {
      if (submissionRetryDelay(attempt) !== undefined) return tryAgain(outcome)
      return giveUp(db, order_id, `${planned.call}: ${outcome}`)
    }
    await settle(db, order_id, planned, outcome)
  }
  return tryAgain('The order has changed meanwhile.')
}

/** Stores the next call before it is sent. @returns undefined if none is needed */
async function plan(
  db: Db,
  order_id: number,
  stored: DocumentRow | undefined,
  { need, document }: WantedDocument,
): Promise<DocumentRow | undefined> {
  const digest = digestOf(document)
  const live = stored && stored.document_id !== '' ? stored : undefined
  const call = nextCall(live, need, digest)
  if (call === undefined) return undefined
  const provider_id = live?.provider_id ?? (await submittingProvider(db, document))?.provider_id
  if (provider_id === undefined) return undefined
  const row: DocumentRow = {
    provider_id,
    document_id: live?.document_id ?? '',
    digest: live?.digest ?? '',
    call,
    call_digest: digest,
    body: call === 'void' ? null : JSON.stringify(call === 'adjust' ? { ...document, ...ADJUSTED } : document),
    nr: (stored?.nr ?? 0) + 1,
  }
  await db.transaction((tx) =>
    tx.rows(
      prepared(sql`
        insert into tax_documents ${sql.rows([{ store_id: tx.store.id, order_id, ...row }])}
        on conflict (store_id, order_id) do update set ${sql.set(row)}`),
    ),
  )
  return row
}

const ADJUSTED = { adjust_description: 'The order was changed or refunded in part.' }

/** The provider that gets the documents of the store's orders, if it serves all destinations of this one. */
const submittingProvider = async (db: Db, { documents }: TaxDocument): Promise<TaxProvider | undefined> =>
  (await taxProvidersOf(db)).find(
    (one) =>
      one.is_active &&
      one.submits_orders &&
      isConfigured(one) &&
      documents.every(({ destination_address: { country_code, region_code } }) =>
        servesRegion(one, { country_code, subdivision_code: region_code }),
      ),
  )

interface PlannedCall {
  provider: TaxProvider
  planned: DocumentRow
  /** Whether it may have been sent before. */
  isAgain: boolean
}

/** The id of the document after a call, or why it has to be repeated. */
type SubmissionOutcome = { document_id: string } | string

async function send(db: Db, { services, secrets }: SubmissionParts, call: PlannedCall): Promise<SubmissionOutcome> {
  const { provider, planned, isAgain } = call
  const { document_id, body } = planned
  const outcome = await callTaxProvider(
    services,
    provider,
    {
      call: planned.call ?? 'void',
      store: db.store.hash,
      document: body === null ? undefined : JSON.parse(body),
      ...(planned.call === 'commit' ? {} : { id: document_id }),
    },
    secrets,
  )
  if (!outcome.ok) return outcome.reason
  const { status } = outcome
  if (status === 401) await recordTaxFailure(db, provider.provider_id, UNAUTHORIZED)
  // A void that was sent before may have had its effect, although its answer was lost.
  const isGone = planned.call === 'void' && isAgain && (status === 400 || status === 404)
  if (!isGone && (status < 200 || status > 299)) return `The tax provider answered ${status}.`
  if (planned.call !== 'commit') return { document_id: planned.call === 'void' ? '' : document_id }
  const id = isObject(outcome.body) ? outcome.body.id : undefined
  if (typeof id !== 'string' || id === '' || id.length > ID_LENGTH_MAX) return 'The answer has no id.'
  return { document_id: id }
}

const ID_LENGTH_MAX = 255

/** Stores the answer to a call, unless a later call was stored meanwhile. */
const settle = (
  db: Db,
  order_id: number,
  { nr, call, call_digest }: DocumentRow,
  { document_id }: { document_id: string },
) =>
  db.transaction((tx) =>
    tx.rows(
      prepared(sql`
        update tax_documents set ${sql.set({
          document_id,
          digest: call === 'void' ? '' : (call_digest ?? ''),
          call: null,
          call_digest: null,
          body: null,
        })}
        where store_id = ${tx.store.id} and order_id = ${order_id} and nr = ${nr}`),
    ),
  )

/** After the last attempt. The next change of the order begins again, with the call that was not answered. */
async function giveUp(db: Db, order_id: number, reason: string): Promise<Outcome> {
  await db.transaction((tx) =>
    writeSystemLog(tx, {
      type: 'tax',
      module: 'tax provider',
      severity: 'errors',
      summary: `The tax document of order ${order_id} could not be submitted.`,
      message: reason,
    }),
  )
  return failed(reason)
}
