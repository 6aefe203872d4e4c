import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../../../core/db/database.ts'
import { documentKind } from '../../../../core/files/document-type.ts'
import { sendFile } from '../../../../core/files/serve.ts'
import { readForm } from '../../../../core/files/upload.ts'
import { complaintOf, Problem, toProblem } from '../../../../core/rest/problem.ts'
import { countUpload } from '../../../../customers/logins/attempts.ts'
import { extraFieldsOf } from '../../../../sales/b2b/extra-fields/definitions.ts'
import type { ExtraFieldKind } from '../../../../sales/b2b/extra-fields/field.ts'
import { newExtraMistakes } from '../../../../sales/b2b/extra-fields/values.ts'
import { findQuoteFile } from '../../../../sales/b2b/portal/quote-files.ts'
import { portalSettingsOf } from '../../../../sales/b2b/portal/settings.ts'
import { findUpload, keepUpload } from '../../../../sales/b2b/portal/uploads.ts'
import { FIRST_CHANNEL } from '../../../../shop/channels/channels.ts'
import { refuseClosed } from '../../../../stores/gate/gate.ts'
import type { ShopGraph } from '../../../storefront/graphql/shop-graph.ts'
import { refusalB2b } from '../../grammar/envelope.ts'
import { guesserAt } from '../../tokens/sign-in.ts'
import { refuseDisabled } from '../../tokens/store.ts'
import { readCaller } from '../caller.ts'
import { type BuyerDoorParts, CORS_PREFLIGHT, tokenIn } from '../door.ts'

// The requests of the portal beside GraphQL: uploads, and checks of extra fields (docs/contract/b2b-graphql.md section 9).

/** One byte more is 413. */
const FILE_MAX = 10 * 1024 * 1024
const FIELD = 'mediaFile'
const NAME_MAX = 255

const Uploaded = t.Object({ requestType: t.Enum(['companyAttachedFile', 'quoteAttachedFile']) })
const Written = t.Object({
  storeHash: t.String({ maxLength: 64 }),
  extraFields: t.Array(
    t.Object({
      fieldName: t.String({ maxLength: 200 }),
      fieldValue: t.Union([t.String({ maxLength: 10_000 }), t.Number(), t.Null()]),
    }),
    { maxItems: 100 },
  ),
})

interface FormParts extends BuyerDoorParts {
  shop: ShopGraph
}

export function buyerFormRoutes(door: FastifyInstance, parts: FormParts) {
  const upload = '/api/v2/media/upload'
  door.options(upload, CORS_PREFLIGHT)
  door.post(upload, refusals, async (request) => {
    const { db, customer } = await uploader(parts, request)
    const { bytes, file, texts } = await readForm(request, FIELD, FILE_MAX)
    if (!bytes || !file) throw new Problem(422, '', { [FIELD]: `The form has no file ${FIELD}.` })
    check(Uploaded, texts)
    const kind = documentKind({ head: bytes.subarray(0, ENDS), tail: bytes.subarray(-ENDS), size: bytes.length })
    if (kind === undefined) throw new Problem(422, '', { [FIELD]: 'Files of this type are not accepted.' })
    const draft = await parts.files.draft(db.store, onePiece(bytes), 'bin')
    await draft.keep()
    const { id } = await keepUpload(db, parts.files, customer, draft.name)
    return success({
      fileId: id,
      fileUrl: `${parts.publicUrl}/b2b/uploads/${db.store.hash}/${id}`,
      fileName: file.name.slice(0, NAME_MAX),
      // The bytes decide the type, and the name does not.
      fileType: kind,
      fileSize: bytes.length,
    })
  })

  const setting = '/api/v2/store-configs/channel-storefront-type'
  door.options(setting, CORS_PREFLIGHT)
  // The portal sends it at every load, and nobody needs a token for it. So it stores nothing.
  door.put(setting, refusals, async () => success({}))

  for (const kind of ['company', 'user', 'address', 'quote'] as const) {
    const path = `/api/v2/extra-fields/${kind}/validate`
    door.options(path, CORS_PREFLIGHT)
    door.post(path, refusals, async (request) => {
      const body = check(Written, request.body)
      const db = await storeNamed(parts, body.storeHash)
      await refuseMistakes(db, kind, body.extraFields)
      return success({})
    })
  }

  door.get('/storefront/translation/:store/:channel/:page', refusals, async () => ({ message: {} }))

  door.get('/uploads/:store/:id', refusals, async (request, reply) => {
    const { store: hash = '', id = '' }: { store?: string; id?: string } = request.params ?? {}
    const db = await storeNamed(parts, hash)
    const found = UUID.test(id) ? ((await findUpload(db, id, db.now)) ?? (await findQuoteFile(db, id))) : undefined
    if (!found) throw new Problem(404, 'This file no longer exists.')
    reply.header('content-disposition', 'attachment')
    reply.header('cache-control', 'private, no-store')
    return sendFile(request, reply, parts.files, { hash, name: found.content, type: 'application/octet-stream' })
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The bytes that identify a kind. */
const ENDS = 65_536

const success = (data: object) => ({ code: 200, data, message: 'SUCCESS', meta: { message: 'SUCCESS' } })

/** Refusals as the portal reads them: `message` beside the parts of the envelope. */
const refusals = {
  errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const problem = toProblem(error)
    if (problem.status >= 500 && !(error instanceof Problem)) request.log.error({ err: error }, complaintOf(error))
    const { status, body } = refusalB2b(problem)
    return reply
      .status(status)
      .headers(problem.headers)
      .send({ ...body, message: body.detail })
  },
}

async function* onePiece(bytes: Buffer) {
  yield bytes
}

/** @throws Problem 422 */
function check<Shape extends TSchema>(shape: Shape, value: unknown) {
  if (Value.Check(shape, value)) return value
  throw new Problem(422, 'The body is not valid.')
}

/**
 * The store of an upload with its customer. A guest's store is that of its page, and guests upload only while companies may register.
 * @throws Problem 401, 403, 429
 */
async function uploader(parts: FormParts, request: FastifyRequest): Promise<{ db: Db; customer: number | null }> {
  const { headers, ip } = request
  const sent = Array.isArray(headers.authtoken) ? undefined : headers.authtoken
  const { shopper, isTokenEnded } = await readCaller(parts, tokenIn(`Bearer ${sent ?? ''}`), ip)
  if (isTokenEnded) throw new Problem(401, 'The authToken has expired or was revoked.')
  if (shopper) return { db: shopper.db, customer: shopper.customer.id }
  const named = headers['store-hash'] ?? headers['x-store-hash']
  const host = URL.parse(headers.origin ?? '')?.host
  const site = named === undefined && host !== undefined ? await parts.shop.storefrontAt(host) : undefined
  if (named === undefined && !site) throw new Problem(401, 'Sign in, or upload from a page of the store.')
  const db = site?.db ?? (await storeNamed(parts, String(named)))
  const disabled = await refuseDisabled(db)
  if (disabled) throw disabled
  if (!(await portalSettingsOf(db, site?.channel ?? FIRST_CHANNEL)).isOn('account_login_registration')) {
    throw new Problem(403, 'Companies may not register.')
  }
  await countUpload(db, guesserAt({ ip }))
  return { db, customer: null }
}

/** @throws Problem 403, 404, 503 */
async function storeNamed({ directory }: FormParts, hash: string): Promise<Db> {
  const store = await directory.find(hash)
  const db = store && (await directory.dbById(store.id))
  if (!db) throw new Problem(404, 'There is no such store.')
  const refusal = refuseClosed(store.state) ?? (await refuseDisabled(db))
  if (refusal) throw refusal
  return db
}

/** @throws Problem 422 with the first mistake, as `name:sentence` */
async function refuseMistakes(
  db: Db,
  kind: ExtraFieldKind,
  written: readonly { fieldName: string; fieldValue: string | number | null }[],
) {
  const fields = await extraFieldsOf(db, kind)
  for (const { fieldName, fieldValue } of written) {
    const own = fields.filter(({ field_name }) => field_name === fieldName)
    const value = String(fieldValue ?? '')
    const mistake = newExtraMistakes(own, [{ fieldName, fieldValue: value }]).extraFields
    if (mistake !== undefined) throw new Problem(422, `${fieldName}:${mistake}`)
  }
}
