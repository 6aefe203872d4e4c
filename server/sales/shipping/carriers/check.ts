import t from 'typebox'
import { Value } from 'typebox/value'
import type { ServiceClient } from '../../../core/net/service-client.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Carrier } from './carriers.ts'
import { CarrierMessages, linesOf } from './messages.ts'

const CHECK_MS = 5_000

/** The body of a connection: the account of a store with a carrier. */
export type CarrierAccount = Readonly<Record<string, unknown>>

/** The outcome of the check of a connection. */
export interface ConnectionCheck {
  isValid: boolean
  /** The event for the system log; `''` for none. */
  summary: string
  lines: readonly string[]
}

export const UNCHECKED: ConnectionCheck = { isValid: true, summary: '', lines: [] }

const CheckAnswer = t.Object({ valid: t.Boolean(), messages: t.Optional(CarrierMessages) })

/**
 * Asks a carrier whether an account is valid (docs/contract/shipping.md section 4). A carrier that doesn't answer keeps no store from
 * connecting: the account counts as valid, and the system log says so. Never call it in a transaction.
 */
export async function checkConnection(
  { services, secrets }: { services: ServiceClient; secrets: Pick<Secrets, 'unseal'> },
  { carrier_id, check_url, secret }: Carrier,
  account: CarrierAccount,
): Promise<ConnectionCheck> {
  if (check_url === '') return UNCHECKED
  const outcome = await services.post({
    kind: 'carrier_check',
    url: check_url,
    headers: {},
    body: { connection_options: account },
    totalMs: CHECK_MS,
    secret: secret === '' ? undefined : secrets.unseal(secret),
  })
  const unchecked = (reason: string) => ({
    isValid: true,
    summary: `The carrier ${carrier_id} did not check the connection: ${reason}.`,
    lines: [],
  })
  if (!outcome.ok) return unchecked(outcome.reason)
  if (outcome.status !== 200) return unchecked(`status ${outcome.status}`)
  if (!Value.Check(CheckAnswer, outcome.body)) return unchecked('unreadable')
  const { valid, messages = [] } = outcome.body
  const lines = linesOf(messages, account)
  if (!valid) return { isValid: false, summary: `The carrier ${carrier_id} refused the connection.`, lines }
  return {
    isValid: true,
    summary: lines.length > 0 ? `The carrier ${carrier_id} has remarks about the connection.` : '',
    lines,
  }
}
