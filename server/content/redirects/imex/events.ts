import { Readable } from 'node:stream'
import t from 'typebox'
import { Answer, SentBody } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { findRedirectJob, IMEX_PATH, IMEX_TAG } from './jobs.ts'
import type { JobStreams } from './streams.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would collect events.
  'x-accel-buffering': 'no',
}

/** Streams of events (docs/contract/redirects.md section 5). */
export function redirectEventRoutes(api: Api, streams: JobStreams) {
  const { read } = access('content')
  for (const kind of ['import', 'export'] as const) {
    api.get(
      `${IMEX_PATH}/${kind}/:uuid(^[0-9a-fA-F-]{36}$)/events`,
      {
        config: { ...read.config, answerType: 'text/event-stream' },
        schema: {
          summary: `Watch an ${kind} of redirects`,
          description:
            'Sends an event for each change, and ends with the job or after ten minutes. A store can have 5 streams.',
          operationId: `watchRedirect${kind === 'import' ? 'Import' : 'Export'}`,
          tag: IMEX_TAG,
          params: t.Object({ uuid: t.String({ format: 'uuid' }) }),
          response: { 200: t.String() },
        },
      },
      async ({ db, client, params, method }) => {
        const job = await findRedirectJob(db, params.uuid, kind)
        const body = method === 'HEAD' ? Readable.from([]) : await streams.open(db, client.id, job)
        return new Answer(new SentBody((_request, reply) => reply.headers(HEADERS).send(body)))
      },
    )
  }
}
