/** A postal code, or a pattern of postal codes, as it is compared: in capitals, without blanks and hyphens. */
export const zipKey = (zip: string): string => zip.toUpperCase().replace(/[\s-]+/g, '')

/** The part of a key before its first wildcard. */
export const zipPrefix = (key: string): string => /^[^*?]*/.exec(key)?.[0] ?? ''

/** Every beginning of a key, from the empty text to the whole key. */
export const zipPrefixes = (key: string): string[] => Array.from({ length: key.length + 1 }, (_, i) => key.slice(0, i))

/**
 * Whether a key matches a pattern, in which `*` stands for any text and `?` for one character. Takes at most the product of both
 * lengths.
 */
export function matchesZip(key: string, pattern: string): boolean {
  let [at, next, star, retry] = [0, 0, -1, 0]
  while (at < key.length) {
    if (pattern[next] === '*') {
      star = next++
      retry = at
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === key[at])) {
      at++
      next++
    } else if (star >= 0) {
      next = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[next] === '*') next++
  return next === pattern.length
}
