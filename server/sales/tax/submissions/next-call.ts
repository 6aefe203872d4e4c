import type { ProviderCall } from '../providers/providers.ts'

/** The calls about documents that a provider keeps. */
export type SubmissionCall = Exclude<ProviderCall, 'estimate'>

/** Whether an order needs a document at its tax provider. An order that is on hold keeps the one that it has. */
export type DocumentNeed = 'needed' | 'as before' | 'not needed'

/** A document that a provider has. */
export interface LiveDocument {
  digest: string
}

/** Returns the next call about the document of an order; undefined if the provider is up to date. Pure. */
export function nextCall(
  live: LiveDocument | undefined,
  need: DocumentNeed,
  digest: string,
): SubmissionCall | undefined {
  if (!live) return need === 'needed' ? 'commit' : undefined
  if (need === 'not needed') return 'void'
  return live.digest === digest ? undefined : 'adjust'
}

/** Delays in minutes between the attempts of a call. */
const DELAYS_MINUTES = [1, 5, 30, 120, 360]

/** Returns the delay in ms before the next attempt; undefined after the last. Pure. @param failures attempts so far, at least 1 */
export function submissionRetryDelay(failures: number): number | undefined {
  const minutes = DELAYS_MINUTES[failures - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}
