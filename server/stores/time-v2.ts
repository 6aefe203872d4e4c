import t from 'typebox'
import { Answer } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { access } from './accounts/scopes.ts'

const { read } = access('information')

/** GET /time: the time of the server in Unix seconds. Clients that sign tokens correct their clocks by it. */
export function timeRoutesV2(app: Api) {
  const schema = { summary: 'Get the time of the server', response: { 200: t.Object({ time: t.Integer() }) } }
  app.get('/time', { ...read, schema }, ({ db }) => new Answer({ time: Math.floor(db.now.getTime() / 1_000) }))
}
