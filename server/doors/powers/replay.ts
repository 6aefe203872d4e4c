import { randomUUID } from 'node:crypto'
import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Accounts } from '../../stores/accounts/accounts.ts'
import type { Directory } from '../../stores/directory/directory.ts'
import { answerDifferences } from '../../stores/requests/differences.ts'
import type { RequestRecorder } from '../../stores/requests/recorder.ts'
import { findRequest, type WholeRequest } from '../../stores/requests/search.ts'
import { hidesBodies } from '../../stores/requests/secrecy.ts'
import type { PersonSessions } from '../people/sessions.ts'
import { findStore } from './found-stores.ts'

interface ReplayParts {
  directory: Directory
  accounts: Accounts
  sessions: PersonSessions
  recorder: RequestRecorder
}

const READING = new Set(['GET', 'HEAD'])
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const

/** Sends a logged request again, and compares both answers (docs/powers.md). */
export function replayRoutes(api: Api, { directory, accounts, sessions, recorder }: ReplayParts) {
  api.post(
    '/stores/:store_hash/requests/:request_id/replay',
    {
      config: { isForPeople: true },
      schema: {
        summary: 'Send a request again as the same client',
        params: t.Object({ store_hash: t.String(), request_id: t.String({ pattern: '^[0-9a-f]{32}$' }) }),
      },
    },
    async (request) => {
      const { params, signedIn, server } = request
      if (!signedIn) throw new Error('The route is for people.')
      const store = await findStore(directory, params.store_hash)
      await recorder.flush()
      const logged = await findRequest(directory.cellOf(store), store.id, params.request_id)
      if (!logged) throw new Problem(404, 'The log has no such request.')
      const [named = ''] = logged.operation.split(' ', 1)
      const method = METHODS.find((one) => one === named)
      const refusal = method === undefined ? 'This method is not sent again.' : refusalOf(logged, method, store.is_test)
      if (method === undefined || refusal !== undefined) throw new Problem(409, refusal ?? '')
      const account = (await accounts.list(store.hash)).find(({ client_id }) => client_id === logged.client_id)
      const { token } = await sessions.createToken(signedIn, store.id, account)
      const answer = await server.inject({
        method,
        url: `/stores/${store.hash}${logged.path}`,
        headers: {
          'x-auth-token': token,
          ...(READING.has(method) ? {} : { 'idempotency-key': randomUUID() }),
          ...(logged.request_body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(logged.request_body === null ? {} : { payload: logged.request_body }),
      })
      const isWhole = logged.answer_body !== null && isUncut(logged.answer_body, logged.answer_bytes)
      return new Answer({
        data: {
          request_id: String(answer.headers['x-request-id']),
          status: answer.statusCode,
          former_status: logged.status,
          answer_body: answer.body,
          // Null if the log does not have the former answer as a whole.
          differences: isWhole ? answerDifferences(parsed(logged.answer_body ?? ''), parsed(answer.body)) : null,
        },
        meta: {},
      })
    },
  )
}

/** The reason why a request can't be sent again. */
function refusalOf(logged: WholeRequest, method: string, isTest: boolean): string | undefined {
  const { path, request_body, request_bytes, client_id, operation } = logged
  if (!/^\/v[23]\//.test(path)) return 'Only requests of management clients to /v2 and /v3 can be sent again.'
  if (client_id === null) return 'The request had no valid token.'
  if (!isTest && !READING.has(method)) return 'This is a real store. Only requests that read can be sent again.'
  if (hidesBodies(`/stores${operation.slice(method.length + 1).replaceAll(/\{(\w+)\}/g, ':$1')}`))
    return 'The log does not have the secrets of this request.'
  if (READING.has(method) || method === 'DELETE') return undefined
  if (request_body === null) return 'The log does not have the body of this request.'
  return isUncut(request_body, request_bytes)
    ? undefined
    : 'The log has only the beginning of the body of this request.'
}

const isUncut = (text: string, bytes: number | null) => bytes === Buffer.byteLength(text)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
