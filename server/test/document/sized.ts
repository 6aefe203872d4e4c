/** Whether this is `npm run reliability`, at full size (docs/reliability.md). */
export const isFull = process.env.RELIABILITY === 'full'

/** One number for the full size, another for daily runs. */
export const sized = (full: number, small: number): number => (isFull ? full : small)
