import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import t from 'typebox'
import { Answer, SentBody } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { refuseCopy } from '../copies.ts'
import { findStore, StorePath } from '../found-stores.ts'
import { TarTarget } from './bundle.ts'
import { AREAS } from './kinds/kind.ts'
import { type BundleParts, exportBundle } from './store-bundles.ts'
import { findImportedIds } from './stored-ids.ts'

const PAGE_MAX = 1_000
/** Exports of a server at the same time. Each keeps a copy of a store until its client has read the bundle. */
const EXPORTS_MAX = 4
/** An export ends when its client has read nothing for this time. */
const READER_PATIENCE_MS = 60_000

/** The bundle of a store, and the ids of an imported one (docs/powers.md). */
export function bundleRoutes(api: Api, parts: BundleParts) {
  const { directory } = parts
  let exports = 0

  api.get(
    '/stores/:store_hash/bundle',
    {
      config: { answerType: 'application/x-tar' },
      schema: {
        summary: 'Export a store as a bundle',
        params: StorePath,
        querystring: t.Object({ only: t.Optional(t.Array(t.Enum([...AREAS]))) }),
      },
    },
    async ({ params, query, log }) => {
      const { hash, state } = await findStore(directory, params.store_hash)
      if (state === 'upgrading') throw new Problem(409, 'The store is not complete.')
      if (exports >= EXPORTS_MAX)
        throw new Problem(
          429,
          `The server writes ${EXPORTS_MAX} bundles now, the most at the same time. Try again when one of them is complete.`,
          {},
          { headers: { 'x-retry-after': '10' } },
        )
      exports++
      const out = new PassThrough()
      const target = new TarTarget(out, { patienceMs: READER_PATIENCE_MS })
      const written = exportBundle(parts, hash, target, { areas: query.only })
        .then(() => void out.end())
        .finally(() => exports--)
      // The copy of the store is complete at the first byte. A failure before it has a status.
      await Promise.race([once(out, 'readable'), written]).catch(refuseCopy)
      // The answer has begun when a later failure comes: its client sees a connection that is cut.
      written.catch((error) => {
        log.error({ err: error }, 'a bundle could not be written')
        out.destroy(error instanceof Error ? error : new Error('The bundle could not be written.'))
      })
      const headers = {
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename="${hash}.tar"`,
      }
      return new Answer(new SentBody((_request, reply) => reply.headers(headers).send(out)))
    },
  )

  api.get(
    '/stores/:store_hash/import-ids',
    {
      schema: {
        summary: 'List the ids of an imported bundle',
        params: StorePath,
        querystring: t.Object({
          kind: t.Optional(t.String({ maxLength: 64 })),
          old_id: t.Optional(t.String({ maxLength: 255 })),
          new_id: t.Optional(t.String({ maxLength: 255 })),
          limit: t.Optional(t.Integer({ minimum: 1, maximum: PAGE_MAX })),
          after: t.Optional(t.String({ maxLength: 400, pattern: '^[a-z-]+ ' })),
        }),
      },
    },
    async ({ params, query: { kind, old_id, new_id, limit = 250, after } }) => {
      const { id } = await findStore(directory, params.store_hash)
      const db = await directory.dbById(id)
      if (!db) throw new Problem(404, 'There is no such store.')
      const [ofKind = '', ...rest] = (after ?? '').split(' ')
      const place = after === undefined ? undefined : { kind: ofKind, old_id: rest.join(' ') }
      const data = await findImportedIds(db, { kind, old_id, new_id, after: place, limit })
      const last = data.at(-1)
      return new Answer({
        data,
        meta: data.length === limit && last ? { after: `${last.kind} ${last.old_id}` } : {},
      })
    },
  )
}
