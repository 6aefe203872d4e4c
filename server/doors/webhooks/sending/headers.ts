/** The headers that a client sets on its hook; sent with every callback. */
export type HookHeaders = Record<string, string>

const HEADERS_MAX = 10
const NAME_MAX = 64
const VALUE_MAX = 1_024

/**
 * Headers that the server or the connection sets (docs/contract/webhooks.md section 1). The contract names them up to
 * `webhook-.*`. With one of the others a callback could not be sent, or would carry a header twice.
 */
const FORBIDDEN =
  /^(host|content-length|content-type|connection|transfer-encoding|webhook-.*|keep-alive|upgrade|expect|te|trailer|user-agent|x-svc-.*)$/i

/** Checks headers. @returns sentences by field path. They don't repeat values, which are often secrets. */
export function refuseHeaders(headers: HookHeaders): Record<string, string> {
  const names = Object.keys(headers)
  if (names.length > HEADERS_MAX) return { headers: `headers must hold at most ${HEADERS_MAX}, not ${names.length}.` }
  const mistakes = Object.entries(headers).map(([name, value]) => [`headers.${name}`, mistake(name, value, names)])
  return Object.fromEntries(mistakes.filter(([, sentence]) => sentence !== undefined))
}

function mistake(name: string, value: string, names: readonly string[]): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name)) return 'This is not the name of a header.'
  if (name.length > NAME_MAX) return `The name of a header must have at most ${NAME_MAX} characters.`
  if (FORBIDDEN.test(name)) return 'The server sets this header itself.'
  if (names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase())) {
    return 'This header is named twice.'
  }
  if (!/^[\t\x20-\x7e]*$/.test(value)) return 'The value of a header must be of printable ASCII characters.'
  if (value.length > VALUE_MAX) return `The value of a header must have at most ${VALUE_MAX} characters.`
  return undefined
}
