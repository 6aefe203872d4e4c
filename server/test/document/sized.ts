/** Whether this is `npm run reliability`, at full size (docs/reliability.md). */
export const isFull = process.env.RELIABILITY === 'full'

/** One number for the full size, another for daily runs. */
export const sized = (full: number, small: number): number => (isFull ? full : small)

/**
 * The first seed of a run, and the one behind its last. `SEEDS=4000-8000` runs a piece of a full size that takes hours.
 * @param full the number of seeds at full size
 * @param small that of daily runs
 */
export function seedsOf(full: number, small: number): readonly [first: number, end: number] {
  const [, first, end] = /^(\d+)-(\d+)$/.exec(process.env.SEEDS ?? '') ?? []
  return first === undefined ? [0, sized(full, small)] : [Number(first), Number(end)]
}
