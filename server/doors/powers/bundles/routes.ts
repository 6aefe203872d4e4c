import { PassThrough } from 'node:stream'
import t from 'typebox'
import { Answer, SentBody } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { CopyRefusal } from '../../../stores/forks/forks.ts'
import { findStore, StorePath } from '../found-stores.ts'
import { TarTarget } from './bundle.ts'
import { AREAS } from './kinds/kind.ts'
import { type BundleParts, exportBundle } from './store-bundles.ts'
import { findImportedIds } from './stored-ids.ts'

const PAGE_MAX = 1_000

/** The bundle of a store, and the ids of an imported one (docs/powers.md). */
export function bundleRoutes(api: Api, parts: BundleParts) {
  const { directory } = parts

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
      const out = new PassThrough()
      // The answer has begun when an export fails: its client sees a connection that is cut.
      exportBundle(parts, hash, new TarTarget(out), { areas: query.only }).then(
        () => out.end(),
        (error) => {
          if (!(error instanceof CopyRefusal)) log.error({ err: error }, 'a bundle could not be written')
          out.destroy(error instanceof Error ? error : new Error('The bundle could not be written.'))
        },
      )
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
