import { vi } from 'vitest'
import { Connection } from '../../core/db/wire/connection.ts'
import type { Statement } from '../../core/db/wire/exchange.ts'

/**
 * Records statements that are sent to the database until it is stopped, alone and in the pieces in which they were
 * sent.
 */
export function overhear(): { statements: Statement[]; pieces: (readonly Statement[])[]; stop(): void } {
  const statements: Statement[] = []
  const pieces: (readonly Statement[])[] = []
  const { send } = Connection.prototype
  const spy = vi.spyOn(Connection.prototype, 'send').mockImplementation(function (this: Connection, sent, onAnswer) {
    statements.push(...sent)
    pieces.push(sent)
    return send.call(this, sent, onAnswer)
  })
  return { statements, pieces, stop: () => spy.mockRestore() }
}
