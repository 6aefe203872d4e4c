/**
 * The routes whose bodies have secrets: passwords, tokens, cards, credentials, certificates. Their bodies and the values of their queries
 * are never logged. A test compares this list with the schemas of all routes. GraphQL requests can have any of these in their variables.
 */
const SECRET_ROUTES: readonly RegExp[] = [
  /\/graphql/,
  // Passwords.
  /\/customers$/,
  /\/customers\/:customer_id[^/]*$/,
  /\/customers\/:customer_id[^/]*\/validate$/,
  /\/validate-credentials$/,
  /\/tax\/providers\/:provider_id[^/]*\/connection$/,
  /\/shipping\/carrier\/connection$/,
  /\/settings\/storefront\/status$/,
  /\/settings\/analytics/,
  // Tokens, and links that work like tokens.
  /\/wishlists/,
  /\/redirect_urls$/,
  /\/checkouts\/:checkout_id[^/]*\/token$/,
  /\/abandoned-carts/,
  /\/unsubscribe-reminders\.php$/,
  /\/storefront\/api-token/,
  /\/auth\//,
  /\/backend\/tokens/,
  /\/v2\/login$/,
  /\/login\/token\//,
  // Cards and tokens of cards.
  /\/payments/,
  /\/checkout(\/|$)/,
  // Events of a gateway have the secret of a payment.
  /^\/gateways\//,
  /\/stored-instruments$/,
  /\/transactions$/,
  // Certificates, which are money to whoever knows their codes, and keys.
  /\/gift_certificates/,
  /\/certificate$/,
  // Headers that a client sends to itself.
  /\/hooks/,
]

/** Names of parameters and fields that have secrets. */
export const SECRET_NAME =
  /pass(word|wd|phrase)|secret|token|jwt|signature|credential|api_?key|private_key|authorization|card_?number|verification_value|\bcvv\b/i

/** @param template the path of a route, with parameters after a colon */
export const hidesBodies = (template: string): boolean => SECRET_ROUTES.some((route) => route.test(template))

const HIDDEN = '***'

/** A path with its query, without values that are secret. @param template the path of its route */
export function loggedPath(url: string, template: string): string {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const safePath = SECRET_NAME.test(template) ? withoutSecretSegments(path, template) : path
  if (at < 0) return safePath
  const hidesAll = hidesBodies(template)
  const query = url.slice(at + 1)
  if (!hidesAll && !SECRET_NAME.test(query)) return `${safePath}?${query}`
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1)
    return hidesAll || SECRET_NAME.test(name) ? `${name}=${HIDDEN}` : pair
  })
  return `${safePath}?${pairs.join('&')}`
}

const isSecretSegment = (segment: string) => segment.startsWith(':') && SECRET_NAME.test(segment)

function withoutSecretSegments(path: string, template: string): string {
  const segments = template.split('/')
  return path
    .split('/')
    .map((segment, i) => (isSecretSegment(segments[i] ?? '') ? HIDDEN : segment))
    .join('/')
}
