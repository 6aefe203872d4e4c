import { areas, DEFAULT_SCOPES, presets } from '../../stores/accounts/scopes.ts'

/** The roles of people, from the most powerful one to the least. */
export const PERSON_ROLES = ['owner', 'admin', 'developer', 'support', 'viewer'] as const
export type Role = (typeof PERSON_ROLES)[number]

const readScopes = presets.read_only.filter((scope) => !DEFAULT_SCOPES.some((name) => name === scope))

/** The areas that support changes: customers, their orders and the money that goes back. */
const SUPPORTED = ['customers', 'orders', 'transactions', 'refunds', 'fulfillment', 'pickups', 'carts'] as const

/**
 * The scopes of a role's access tokens for a store. `store_v2_default` also creates webhooks, so only roles that may do that have
 * it (docs/contract/auth.md section 6).
 */
export const scopesOf: Readonly<Record<Role, readonly string[]>> = {
  owner: presets.all,
  admin: presets.all,
  developer: presets.read_only,
  support: [...new Set([...readScopes, ...SUPPORTED.flatMap((area) => areas[area].write)])],
  viewer: readScopes,
}

const EVERYBODY: readonly Role[] = PERSON_ROLES
const OPERATORS: readonly Role[] = ['owner', 'admin']
const DEVELOPERS: readonly Role[] = [...OPERATORS, 'developer']
const SUPPORTERS: readonly Role[] = [...OPERATORS, 'support']
const OWNERS: readonly Role[] = ['owner']

const S = '/operator/v1/stores/:store_hash'

/**
 * The roles that may send a request of the operator's API. A route that is not listed is open to owners and admins. Operator keys
 * open all routes except those of people, which are for people only.
 */
const ACCESS: Readonly<Record<string, readonly Role[]>> = {
  'GET /operator/v1/session': EVERYBODY,
  'DELETE /operator/v1/session': EVERYBODY,
  'POST /operator/v1/session/confirmation': EVERYBODY,
  'GET /operator/v1/sessions': EVERYBODY,
  'DELETE /operator/v1/sessions/:session_id': EVERYBODY,
  'PUT /operator/v1/password': EVERYBODY,
  'POST /operator/v1/session/passkey-confirmation': EVERYBODY,
  'GET /operator/v1/passkeys': EVERYBODY,
  'POST /operator/v1/passkeys/challenge': EVERYBODY,
  'POST /operator/v1/passkeys': EVERYBODY,
  'DELETE /operator/v1/passkeys/:passkey_id': EVERYBODY,
  'GET /operator/v1/people': OWNERS,
  'POST /operator/v1/people': OWNERS,
  'PUT /operator/v1/people/:person_id': OWNERS,
  'DELETE /operator/v1/people/:person_id': OWNERS,
  'POST /operator/v1/people/:person_id/invitation': OWNERS,
  'GET /operator/v1/people/:person_id/sessions': OWNERS,
  'DELETE /operator/v1/people/:person_id/sessions/:session_id': OWNERS,
  'GET /operator/v1/audit': OPERATORS,
  'GET /operator/v1/stores': EVERYBODY,
  'GET /operator/v1/load': EVERYBODY,
  'GET /operator/v1/plans': EVERYBODY,
  'GET /operator/v1/client-methods/:operation_id': EVERYBODY,
  [`GET ${S}`]: EVERYBODY,
  [`POST ${S}/token`]: EVERYBODY,
  [`GET ${S}/overview`]: EVERYBODY,
  [`GET ${S}/accounts`]: DEVELOPERS,
  [`POST ${S}/accounts`]: DEVELOPERS,
  [`PUT ${S}/accounts/:client_id`]: DEVELOPERS,
  [`DELETE ${S}/accounts/:client_id`]: DEVELOPERS,
  [`POST ${S}/accounts/:client_id/secret`]: DEVELOPERS,
  [`GET ${S}/jobs`]: EVERYBODY,
  [`POST ${S}/jobs/:job_id/retry`]: DEVELOPERS,
  [`POST ${S}/jobs/:job_id/skip`]: DEVELOPERS,
  [`GET ${S}/mails`]: SUPPORTERS,
  [`GET ${S}/mails/:mail_id`]: SUPPORTERS,
  [`POST ${S}/email-templates/:type/preview`]: [...DEVELOPERS, 'support'],
  [`POST ${S}/email-templates/:type/test`]: SUPPORTERS,
  [`GET ${S}/themes/:theme_uuid/files`]: EVERYBODY,
  [`GET ${S}/themes/:theme_uuid/files/text`]: EVERYBODY,
  [`GET ${S}/themes/:theme_uuid/files/picture`]: EVERYBODY,
  [`GET ${S}/customers/:customer_id/sessions`]: SUPPORTERS,
  [`DELETE ${S}/customers/:customer_id/sessions`]: SUPPORTERS,
  [`POST ${S}/customers/:customer_id/export`]: SUPPORTERS,
  [`GET ${S}/hooks`]: DEVELOPERS,
  [`GET ${S}/events`]: DEVELOPERS,
  [`GET ${S}/events/:event_id`]: DEVELOPERS,
  [`GET ${S}/callbacks`]: DEVELOPERS,
  [`POST ${S}/events`]: DEVELOPERS,
  [`GET ${S}/faults`]: DEVELOPERS,
  [`POST ${S}/faults`]: DEVELOPERS,
  [`DELETE ${S}/faults`]: DEVELOPERS,
  [`GET ${S}/requests`]: EVERYBODY,
  [`GET ${S}/requests/:request_id`]: DEVELOPERS,
  [`POST ${S}/requests/:request_id/replay`]: DEVELOPERS,
  [`GET ${S}/request-log`]: EVERYBODY,
  [`PUT ${S}/request-log`]: DEVELOPERS,
  [`GET ${S}/clock`]: EVERYBODY,
  [`POST ${S}/clock/advance`]: DEVELOPERS,
  'GET /operator/v1/server': OPERATORS,
  'GET /operator/v1/server/findings': OPERATORS,
}

/** @param operation method and path of a route, such as `GET /operator/v1/stores` */
export const rolesFor = (operation: string): readonly Role[] => ACCESS[operation] ?? OPERATORS

/** Whether a person of any role may send a request, such as one about the own session. */
export const isForEverybody = (operation: string): boolean => rolesFor(operation) === EVERYBODY

/** The operations of `ACCESS`, for the test that compares them with the routes. */
export const listedOperations: readonly string[] = Object.keys(ACCESS)
