// The states of a quote (docs/contract/b2b-quotes.md section 2). Pure.

export const NEW = 0
export const IN_PROCESS = 2
export const UPDATED_BY_CUSTOMER = 3
export const ORDERED = 4
export const EXPIRED = 5
export const ARCHIVED = 6
export const DRAFT = 7
export const QUOTE_STATUSES = [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER, ORDERED, EXPIRED, ARCHIVED, DRAFT] as const

/** The deeds that move a quote. `renew` is a change with a later date of expiry. */
export type QuoteDeed = 'change' | 'message' | 'order' | 'expire' | 'renew' | 'archive' | 'publish'

const MOVES: Readonly<Record<QuoteDeed, { from: readonly number[]; to: number }>> = {
  change: { from: [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER], to: IN_PROCESS },
  message: { from: [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER], to: UPDATED_BY_CUSTOMER },
  order: { from: [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER], to: ORDERED },
  expire: { from: [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER], to: EXPIRED },
  renew: { from: [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER, EXPIRED], to: IN_PROCESS },
  archive: { from: [NEW, IN_PROCESS, UPDATED_BY_CUSTOMER, EXPIRED], to: ARCHIVED },
  publish: { from: [DRAFT], to: IN_PROCESS },
}

/** @returns the status after a deed; undefined for a deed that the status forbids */
export function quoteStatusAfter(status: number, deed: QuoteDeed): number | undefined {
  const { from, to } = MOVES[deed]
  return from.includes(status) ? to : undefined
}

/** Whether a quote can still be changed, checked out and ordered. */
export const isOpenQuote = (status: number): boolean => quoteStatusAfter(status, 'order') !== undefined

/** The status at a moment: an open quote has expired once its last day is over, also before the job has found it. */
export const quoteStatusAt = ({ status, expires_at }: { status: number; expires_at: string }, now: Date): number =>
  isOpenQuote(status) && Date.parse(expires_at) < Math.floor(now.getTime() / 1_000) * 1_000 ? EXPIRED : status

const DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** The last second of a day `m/d/Y`, by the clock of the store; undefined for other text. */
export function endOfDay(text: string): Date | undefined {
  const [, month = '', day = '', year = ''] = DAY.exec(text) ?? []
  const end = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), 23, 59, 59))
  const isReal = Number(year) > 0 && end.getUTCMonth() === Number(month) - 1 && end.getUTCDate() === Number(day)
  return isReal ? end : undefined
}
