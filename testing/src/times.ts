const UNITS: Record<string, number> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `5 s`, `500 ms`, `2 min`, `3 h` or `90 d`, or of a number of milliseconds. @throws Error for another text */
export function milliseconds(time: string | number): number {
  if (typeof time === 'number') return time
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(time) ?? []
  const size = UNITS[unit]
  if (count === undefined || size === undefined) {
    throw new Error(`"${time}" is no time: write a number and ms, s, min, h or d, such as "5 s".`)
  }
  return Number(count) * size
}
