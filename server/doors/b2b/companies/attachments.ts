import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t from 'typebox'
import type { Clock } from '../../../core/clock.ts'
import type { Store } from '../../../core/db/database.ts'
import { documentKind, watchingEnds } from '../../../core/files/document-type.ts'
import type { Content, Files } from '../../../core/files/files.ts'
import { ReceivedFiles } from '../../../core/files/received-files.ts'
import { sendFile } from '../../../core/files/serve.ts'
import type { Api } from '../../../core/rest/api.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { Problem, problemBody, toProblem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import {
  type Attachment,
  attach,
  attachmentsOf,
  detach,
  findAttachment,
} from '../../../sales/b2b/companies/attachment.ts'
import { companies, companyIdOf, companyPath, refuseUnassigned } from '../../../sales/b2b/companies/company.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { answering, companionAnswer, Deleted } from '../grammar/envelope.ts'
import { refuseTooOften } from '../grammar/windows.ts'

const { write } = access('b2b')
const tag = 'Company attachments'
const FIELD = 'attachmentFile'
/** One byte more is 413 (docs/contract/limits.md section 8). */
const FILE_MAX = 10 * 1024 * 1024
/** Uploads in a minute and store. */
const UPLOADS_MAX = 15
/** Forms of a store that a process receives at once. */
const RECEIVED_AT_ONCE = 10
const VALID_MS = 86_400_000

const AttachmentAnswer = t.Object(
  { id: t.String(), attachmentFile: t.String({ description: 'A link that works for 24 hours' }) },
  { title: 'CompanyAttachment' },
)
const StoredFile = t.Unsafe<Content>({ contentMediaType: 'application/octet-stream' })

export interface AttachmentParts {
  files: Files
  directory: Directory
  secrets: Pick<Secrets, 'linkSignature'>
  clock: Clock
  /** The address of the server as clients see it. */
  publicUrl: string
}

/** Attachments of companies (docs/contract/companies.md section 10). */
export function attachmentRoutes(api: Api, parts: AttachmentParts) {
  const { files } = parts
  const path = '/v3/io/companies/:company_id/attachments'
  const received = new ReceivedFiles(files, {
    field: FIELD,
    bytesMax: FILE_MAX,
    extension: 'bin',
    atOnce: RECEIVED_AT_ONCE,
    tooMany: () => new Problem(429, `At most ${RECEIVED_AT_ONCE} uploads at once are allowed.`),
    refuse: async () => {},
    check: onlyDocuments,
  })
  const toAnswer = (store: Store, { id }: Attachment) => ({ id, attachmentFile: linkTo(parts, store, id) })

  api.get(
    path,
    {
      ...write,
      schema: {
        summary: 'List the attachments of a company',
        operationId: 'listCompanyAttachments',
        tag,
        params: companyPath,
        ...answering(t.Array(AttachmentAnswer)),
      },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await findOne(db, companies, id)
      const rows = await attachmentsOf(db, id)
      return companionAnswer(rows.map((row) => toAnswer(db.store, row)))
    },
  )

  api.post(
    path,
    {
      config: { ...write.config, isUpload: true, prepare: (request) => received.store(request) },
      schema: {
        summary: 'Attach a file to a company',
        description: 'Pictures and documents of at most 10 MiB. At most 15 calls a minute and store.',
        operationId: 'createCompanyAttachment',
        tag,
        params: companyPath,
        body: t.Object({ [FIELD]: StoredFile }, { title: 'NewCompanyAttachment' }),
        ...answering(AttachmentAnswer),
      },
      preValidation: async (request) => {
        const id = companyIdOf({ company_id: String(Object(request.params).company_id) })
        await refuseUnassigned(request.db, request.salesRep, [id])
        await findOne(request.db, companies, id)
        await refuseTooOften(request.db, 'attachments', UPLOADS_MAX)
        request.body = { [FIELD]: await received.receive(request) }
      },
    },
    async (request) => {
      const { db, params, body } = request
      const { name } = body[FIELD]
      const row = await attach(db, files, companyIdOf(params), name)
      received.end(request)
      return companionAnswer(toAnswer(db.store, row))
    },
  )

  api.delete(
    `${path}/:attachment_id`,
    {
      ...write,
      schema: {
        summary: 'Delete an attachment of a company',
        operationId: 'deleteCompanyAttachment',
        tag,
        params: t.Object({ ...companyPath.properties, attachment_id: t.String() }),
        ...answering(Deleted),
      },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await findOne(db, companies, id)
      await detach(db, files, id, params.attachment_id)
      return companionAnswer({})
    },
  )
}

/** Passes the bytes of a document on. @throws Problem 422 at the end of other files */
async function* onlyDocuments(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let kind: string | undefined
  yield* watchingEnds(bytes, (ends) => {
    kind = documentKind(ends)
  })
  if (kind === undefined) throw new Problem(422, '', { [FIELD]: 'Files of this type are not accepted.' })
}

/** A link that works without a token, for a day. */
function linkTo({ secrets, clock, publicUrl }: AttachmentParts, { hash }: Store, id: string): string {
  const expires = String(Math.ceil((clock.now().getTime() + VALID_MS) / 1_000))
  return `${publicUrl}/b2b/attachments/${hash}/${id}?expires=${expires}&signature=${sign(secrets, hash, id, expires)}`
}

const sign = (secrets: AttachmentParts['secrets'], hash: string, id: string, expires: string): string =>
  secrets.linkSignature(`company attachment ${hash} ${id} ${expires}`)

type OfAttachment = FastifyRequest<{
  Params: { store: string; id: string }
  Querystring: { expires?: unknown; signature?: unknown }
}>

/** The route of links to attachments. A browser downloads the file and never renders it. */
export function attachmentFiles(server: FastifyInstance, parts: AttachmentParts & { docsBase: string }) {
  const { directory, secrets, clock, files, docsBase } = parts
  server.register(async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed')
      return reply.status(problem.status).headers(problem.headers).send(problemBody(problem, docsBase))
    })
    app.get('/b2b/attachments/:store/:id', async (request: OfAttachment, reply) => {
      const { store: hash, id } = request.params
      const { expires = '', signature = '' } = request.query
      const [given, right] = [Buffer.from(String(signature)), Buffer.from(sign(secrets, hash, id, String(expires)))]
      const isOurs = given.length === right.length && timingSafeEqual(given, right)
      if (!isOurs || Number(expires) * 1_000 <= clock.now().getTime()) {
        throw new Problem(403, 'This link is invalid or has expired. List the attachments again for a new link.')
      }
      const store = await directory.find(hash)
      const db = store && (await directory.dbById(store.id))
      const found = db && (await findAttachment(db, id))
      if (!found) throw new Problem(404, 'This attachment no longer exists.')
      reply.header('content-disposition', 'attachment')
      reply.header('cache-control', 'private, no-store')
      return sendFile(request, reply, files, { hash, name: found.content, type: 'application/octet-stream' })
    })
  })
}
