import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import { sendFile } from '../../../core/files/serve.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { findUpload, keepUpload } from '../../../sales/b2b/portal/uploads.ts'
import type { BuyerParts } from './caller.ts'

// Files that a buyer exports: stored once, and read by a link that is signed for an hour (docs/contract/b2b-graphql.md section 12).

const VALID_MS = 3_600_000

/** Stores a text as a file. @returns a link that works without a token, for an hour */
export async function exportUrl(
  parts: BuyerParts,
  db: Db,
  { customer, text }: { customer: number; text: string },
): Promise<string> {
  const draft = await parts.files.draft(db.store, onePiece(Buffer.from(text)), 'csv')
  await draft.keep()
  const { id } = await keepUpload(db, parts.files, customer, draft.name)
  const expires = String(Math.ceil((parts.clock.now().getTime() + VALID_MS) / 1_000))
  const signature = sign(parts, db.store.hash, id, expires)
  return `${parts.publicUrl}/b2b/exports/${db.store.hash}/${id}.csv?expires=${expires}&signature=${signature}`
}

async function* onePiece(bytes: Buffer) {
  yield bytes
}

const sign = ({ secrets }: BuyerParts, hash: string, id: string, expires: string): string =>
  secrets.linkSignature(`buyer export ${hash} ${id} ${expires}`)

/** The route of such links. */
export function exportRoutes(door: FastifyInstance, parts: BuyerParts) {
  door.get('/exports/:store/:file', async (request, reply) => {
    const { store: hash = '', file = '' }: { store?: string; file?: string } = request.params ?? {}
    const { expires = '', signature = '' }: { expires?: unknown; signature?: unknown } = request.query ?? {}
    const [, id = ''] = /^([0-9a-f-]{36})\.csv$/.exec(file) ?? []
    const [sent, right] = [Buffer.from(String(signature)), Buffer.from(sign(parts, hash, id, String(expires)))]
    const isOurs = sent.length === right.length && timingSafeEqual(sent, right)
    if (!isOurs || Number(expires) * 1_000 <= parts.clock.now().getTime()) {
      throw new Problem(403, 'This link is invalid or has expired.')
    }
    const store = await parts.directory.find(hash)
    const db = store && (await parts.directory.dbById(store.id))
    const found = db && (await findUpload(db, id, db.now))
    if (!found) throw new Problem(404, 'This file no longer exists.')
    reply.header('content-disposition', 'attachment; filename="invoices.csv"')
    reply.header('cache-control', 'private, no-store')
    return sendFile(request, reply, parts.files, { hash, name: found.content, type: 'text/csv; charset=utf-8' })
  })
}
