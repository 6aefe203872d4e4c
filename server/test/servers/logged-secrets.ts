import { channel } from 'node:diagnostics_channel'
import { hasCheckDigit } from '../../doors/storefront/checkout/payment.ts'
import { RequestRecorder } from '../../stores/requests/recorder.ts'

// With REQUEST_LOG=bodies the suite proves C-103 for the request log: what it stores has no secret of any request of the same file, and no
// field with the name of a secret. The list of routes by which the server decides has no part in it.

const isOn = process.env.REQUEST_LOG === 'bodies'

const NAMES =
  'password|new_?password|current_?password|access_token|client_secret|secret_key|x-auth-token|verification_value|jwt|private_key'
/** A shorter value is found by chance. */
const VALUE = '[^"]{8,}'
const SECRET_FIELD = new RegExp(`^(${NAMES})$`, 'i')
const SECRET_IN_TEXT = new RegExp(`\\\\?"(${NAMES})\\\\?":\\\\?"(${VALUE})"`, 'i')
/** The number of a card, as it is typed. Numbers of goods can have as many digits. */
const isCard = (text: string) => /^\d{15,16}$/.test(text) && hasCheckDigit(text)

const secrets = new Set<string>()
const logged: string[] = []

/** Settings of a server whose log is watched. */
export const watchedLog = isOn ? { REQUEST_LOG: 'bodies' } : {}

/** Watches everything that is recorded for the request log, and the requests of tests. */
export function watchLog() {
  if (!isOn) return
  const { record } = RequestRecorder.prototype
  RequestRecorder.prototype.record = function (request) {
    logged.push(JSON.stringify(request))
    record.call(this, request)
  }
  channel('tracing:fastify.request.handler:start').subscribe((message) => {
    const { request } = message as { request: { body: unknown; headers: unknown } }
    collect(request.headers)
    collect(request.body)
  })
}

/** The secrets that the log has stored since the last call, each with the beginning of its row. */
export function loggedSecrets(): string[] {
  const found = logged.flatMap((row) => {
    const secret = [...secrets].find((one) => row.includes(one)) ?? SECRET_IN_TEXT.exec(row)?.[0]
    return secret === undefined ? [] : [`${secret} in ${row.slice(0, 300)}`]
  })
  secrets.clear()
  logged.length = 0
  return found
}

function collect(value: unknown) {
  // Bytes of a file have an entry each.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const isSecret = typeof inner === 'string' && inner.length >= 8 && (SECRET_FIELD.test(name) || isCard(inner))
    if (isSecret) secrets.add(inner)
    else collect(inner)
  }
}
