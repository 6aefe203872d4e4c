import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { writeSystemLog } from '../../../shop/settings/system-logs.ts'

/** A message of a carrier to the merchant. */
export const CarrierMessage = t.Object({
  text: t.String({ minLength: 1, maxLength: 500 }),
  type: t.Enum(['INFO', 'WARNING', 'ERROR']),
})
export type CarrierMessage = Static<typeof CarrierMessage>

export const CarrierMessages = t.Array(CarrierMessage, { maxItems: 20 })

const SECRET_LENGTH_MIN = 4

/** The errors and warnings as lines. Values of the connection that a carrier repeats are left out. */
export function linesOf(messages: readonly CarrierMessage[], connection: Record<string, unknown>): string[] {
  const secrets = Object.values(connection).filter(
    (value) => typeof value === 'string' && value.length >= SECRET_LENGTH_MIN,
  )
  return messages
    .filter(({ type }) => type !== 'INFO')
    .map(({ type, text }) =>
      secrets.reduce<string>((line, secret) => line.replaceAll(String(secret), '***'), `${type}: ${text}`),
    )
}

/** Appends an entry about a carrier to the system log of the store. */
export const logCarrier = (tx: Tx, severity: 'warnings' | 'errors', summary: string, lines: readonly string[]) =>
  writeSystemLog(tx, { type: 'shipping', module: 'carrier', severity, summary, message: lines.join('\n') })
