import { vi } from 'vitest'
import { Connection } from '../../core/db/wire/connection.ts'
import type { Statement } from '../../core/db/wire/exchange.ts'
import { withoutShards } from '../citus/cluster.ts'

/**
 * The check of an idle connection, and what a process reads each second: the counts that processes share, the levels of the request log, and the
 * clocks of stores. They come at any time.
 */
const isBackground = ({ text }: Statement) =>
  text === 'select' ||
  /\bdirectory\.(?:quota_windows|quota_minutes|failed_logins|running_requests)\b|\brequest_log\b|\bclock_ahead_s > 0/.test(
    text,
  )

/** Whether the gate sends a statement: it reads an account and its store again after a second. */
export const isOfGate = ({ text }: Statement) => /\bapi_accounts\b|\bdirectory\.\w/.test(text)

/** The reads of the companion API's gates: the setting of the store, and the shopper of a token. */
export const isOfCompanionGate = ({ text }: Statement) =>
  /select is_enabled from b2b_settings|from b2b_storefront_tokens token/.test(text)

/** Begin, wall and commit, of which a statement of a gate has its own. */
export const isFrame = ({ text }: Statement) => /^(?:begin|commit)$|'app\.store'/.test(text)

/** Records the statements that requests send to the database until it is stopped, alone and in the pieces in which they are sent. */
export function overhear(): { statements: Statement[]; pieces: (readonly Statement[])[]; stop(): void } {
  const statements: Statement[] = []
  const pieces: (readonly Statement[])[] = []
  const { send } = Connection.prototype
  const spy = vi.spyOn(Connection.prototype, 'send').mockImplementation(function (this: Connection, sent, onAnswer) {
    const heard = sent.map((statement) => ({ ...statement, text: withoutShards(statement.text) }))
    if (!heard.some(isBackground)) {
      statements.push(...heard)
      pieces.push(heard)
    }
    return send.call(this, sent, onAnswer)
  })
  return { statements, pieces, stop: () => spy.mockRestore() }
}
