import { vi } from 'vitest'
import { Connection } from '../../core/db/wire/connection.ts'
import type { Statement } from '../../core/db/wire/exchange.ts'

/**
 * Listens to what is sent to the database from now on, until it is told to stop: the statements, and those of each piece that
 * left together.
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
