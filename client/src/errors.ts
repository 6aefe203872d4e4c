// Errors of the client. `ApiError` and its classes are answers of the server; the others happen before or without an answer.

/** Any failure of a call. */
export class StorewardError extends Error {
  override name = 'StorewardError'
}

/** The connection failed, or was cut before the whole answer arrived, at each attempt. */
export class ConnectionError extends StorewardError {
  override name = 'ConnectionError'
}

/** No attempt was answered in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** Something answered that isn't the API: a wrong address, or a proxy in between. */
export class AnswerError extends StorewardError {
  override name = 'AnswerError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** A refusal of the storefront's GraphQL, with the server's list of errors. */
export class GraphqlError extends StorewardError {
  override name = 'GraphqlError'
  readonly errors: readonly { message: string }[]
  /** The data of a query of which a part failed. */
  readonly data: unknown

  constructor(errors: readonly { message: string }[], data: unknown) {
    super(errors.map(({ message }) => message).join(' '))
    this.errors = errors
    this.data = data
  }
}

/** A refusal of the server. */
export interface Refusal {
  status: number
  /** The method of the client: `products.create`. */
  operation: string
  /** The server's sentence. */
  title: string
  /** Mistakes by the path of their field: `{ 'variants.0.sku': '...' }`. */
  errors: Record<string, string>
  /** How to mend it. */
  fix: string
  requestId: string | undefined
  /** The body of the answer as it came. */
  body: unknown
}

/** The server refused the call. The class names the status; `fix` says how to mend it. */
export class ApiError extends StorewardError implements Refusal {
  override name = 'ApiError'
  readonly status: number
  readonly operation: string
  readonly title: string
  readonly errors: Record<string, string>
  readonly fix: string
  readonly requestId: string | undefined
  readonly body: unknown

  constructor(refusal: Refusal) {
    const fields = Object.entries(refusal.errors).map(([field, mistake]) => `${field}: ${mistake}`)
    super(
      [`${refusal.operation}: ${refusal.status} ${refusal.title}`, ...fields, refusal.fix].filter(Boolean).join('\n  '),
    )
    this.status = refusal.status
    this.operation = refusal.operation
    this.title = refusal.title
    this.errors = refusal.errors
    this.fix = refusal.fix
    this.requestId = refusal.requestId
    this.body = refusal.body
  }
}

/** 207: a part was stored. `body` has the stored part in `data`, and `errors` the rest. */
export class PartialError extends ApiError {
  override name = 'PartialError'
}
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError'
}
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError'
}
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
export class TooLargeError extends ApiError {
  override name = 'TooLargeError'
}
export class InvalidError extends ApiError {
  override name = 'InvalidError'
}
export class LockedError extends ApiError {
  override name = 'LockedError'
}
export class TooManyRequestsError extends ApiError {
  override name = 'TooManyRequestsError'
}
/** 500 and above. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}
export class UnavailableError extends ServerError {
  override name = 'UnavailableError'
}
/** 507: the store has reached a limit of its plan. */
export class PlanLimitError extends ServerError {
  override name = 'PlanLimitError'
}

const CLASSES: Record<number, typeof ApiError> = {
  207: PartialError,
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  422: InvalidError,
  423: LockedError,
  429: TooManyRequestsError,
  503: UnavailableError,
  507: PlanLimitError,
}

const FIXES: Record<number, string> = {
  207: 'A part was stored: `body.data` has it. Send only the rest again.',
  400: 'Correct the body or the query.',
  401: 'Check that `token` is a token of the store `storeHash`, and that `url` is the server of that store.',
  403: 'Give the API account a scope of this operation, or check `storeHash`.',
  404: 'Check the ids; a resource of another store is missing, too.',
  405: 'Update the client: the server has no such operation.',
  409: 'Read the resource again, and send a change that fits its state.',
  413: 'Send fewer items at once.',
  422: 'Correct the fields in `errors`.',
  423: 'Wait until the running job of the resource has ended.',
  429: 'Send fewer requests at once, or ask the operator for a larger plan.',
  503: 'Wait until the store is open again.',
  507: 'Ask the operator for a larger plan, or delete what is no longer needed.',
}

/** The error of an answer that isn't a success, in the form of any family of the API. */
export function refusalOf(operation: string, status: number, body: unknown, requestId: string | undefined): ApiError {
  const { title, errors, detail } = readRefusal(body)
  const known = CLASSES[status] ?? (status >= 500 ? ServerError : ApiError)
  const fix = detail ?? FIXES[status] ?? ''
  return new known({ status, operation, title: title ?? 'The server gave no reason.', errors, fix, requestId, body })
}

function readRefusal(body: unknown): {
  title: string | undefined
  errors: Record<string, string>
  detail: string | undefined
} {
  // The older family sends a list of one.
  const one = asRecord(Array.isArray(body) ? body[0] : body)
  const inner = asRecord(one.errors)
  const fields = asRecord(inner.errors ?? one.errors ?? asRecord(asRecord(one.data).errors) ?? {})
  const errors: Record<string, string> = {}
  for (const [field, mistake] of Object.entries(fields)) {
    if (!['status', 'title', 'type'].includes(field))
      errors[field] = typeof mistake === 'string' ? mistake : JSON.stringify(mistake)
  }
  const title = text(one.title) ?? text(one.message) ?? text(asRecord(one.meta).message) ?? text(inner.title)
  return { title, errors, detail: text(one.detail) }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
