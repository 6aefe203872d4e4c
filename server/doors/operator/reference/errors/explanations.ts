import { Problem } from '../../../../core/rest/problem.ts'

export interface StatusMeaning {
  means: string
  todo: string
  /** An answer as it comes; edge.ts, which answers before there is a request, uses the words of HTTP. */
  example: Problem
}

const WAIT = 'Send the same request again after the seconds of the header'

/** The meaning of each status of a refusal, in the order of numbers (docs/contract/conventions.md section 8). */
export const EXPLANATIONS: Readonly<Record<number, StatusMeaning>> = {
  400: {
    means:
      "The server can't read the request: its body is missing, is not valid JSON or has no Content-Type. Below /v2 an invalid value is a 400 too.",
    todo: 'If the body is not valid JSON, detail names the line and column.',
    example: new Problem(400, 'The body is not valid JSON.', {}, { detail: 'Syntax error at line 1, column 9' }),
  },
  401: {
    means: 'The header X-Auth-Token is missing, or its token is unknown, revoked or belongs to another store.',
    todo: 'Compare the store hash in the path with the store of the token. `storeward account list <store>` shows the accounts of a store, `storeward account create` creates a new token.',
    example: new Problem(401, 'Unauthorized: client or token not valid for this store'),
  },
  403: {
    means:
      'The token is valid, but may not do this: it lacks a scope, the store hash in the path is unknown, the metafield belongs to another client, or a limit of the platform is reached, such as the number of brands.',
    todo: 'If a scope is missing, detail names the scopes that allow the request: create an account with one of them. If a limit is reached, the title names it. If there is no detail, compare the store hash in the path.',
    example: new Problem(
      403,
      "You don't have a required scope to access the endpoint",
      {},
      { detail: 'Any one of these scopes opens it: store_v2_products, store_v2_products_read_only.' },
    ),
  },
  404: {
    means: 'The path does not exist, or the store has no resource with this id.',
    todo: 'Compare the path with the reference. Ids of other stores are unknown too.',
    example: new Problem(404, 'The brand 77 does not exist.'),
  },
  405: {
    means: 'The path exists but does not support this method.',
    todo: 'The header Allow lists the methods that it supports.',
    example: new Problem(405, 'PUT is not supported here; GET, HEAD, POST, DELETE, OPTIONS are.'),
  },
  406: {
    means: 'The header Accept excludes application/json, the type of all answers.',
    todo: 'Send `Accept: application/json`, or omit the header.',
    example: new Problem(406, 'Answers are application/json, which the Accept header excludes.'),
  },
  408: {
    means: 'The whole request did not arrive in time.',
    todo: 'Send it again. The operator sets the times with HEADERS_SECONDS and REQUEST_SECONDS.',
    example: new Problem(408, 'Request Timeout'),
  },
  409: {
    means:
      'The request conflicts with stored data: a name or an address is taken, or another resource needs the resource that you want to delete.',
    todo: 'errors names the field, if there is one. Choose another value, or change the other resource first.',
    example: new Problem(409, 'The brand name Common Good is taken.', { name: 'Another brand has this name.' }),
  },
  413: {
    means:
      'The request is too large: its body has too many bytes or values, a list has too many items, or the limit is above its maximum.',
    todo: 'Send several smaller requests. The title names the maximum.',
    example: new Problem(413, 'At most 10 objects may be sent at once.'),
  },
  414: {
    means: 'The request line (method and address) is longer than 16 KiB.',
    todo: 'Split long lists of ids into several requests.',
    example: new Problem(414, 'The request line is longer than 16384 bytes.'),
  },
  415: {
    means:
      'The route does not take bodies of this type. Most routes take application/json in UTF-8, uploads take multipart/form-data.',
    todo: 'The title or detail names the type that the route takes. Bodies must not be compressed.',
    example: new Problem(415, 'This route takes JSON.'),
  },
  416: {
    means: 'The header Range asks for bytes beyond the end of the file.',
    todo: 'The header Content-Range of the answer has the size of the file.',
    example: new Problem(416, 'The file has 5120 bytes.'),
  },
  422: {
    means: 'A field or a parameter is missing or invalid. The answer reports all mistakes at once.',
    todo: 'errors has a sentence or a code for each field, by its path: 0.variants.1.price is a field of the second variant of the first item. For a parameter, the title describes the mistake.',
    example: new Problem(
      422,
      'JSON data is missing or invalid',
      { name: 'error.path.missing', weight: 'error.expected.jsnumber' },
      { detail: 'name is missing; weight must be a number.' },
    ),
  },
  423: {
    means: 'The resource is locked by work that must finish first.',
    todo: 'Send the same request again after that work.',
    example: new Problem(423, 'The theme is held by a job.'),
  },
  429: {
    means: 'The client, or its address, has sent too many requests in a short time.',
    todo: `${WAIT} X-Retry-After. X-Rate-Limit-Requests-Left is the number of requests that are left.`,
    example: new Problem(429, 'Too many requests'),
  },
  431: {
    means: 'The headers are larger than 32 KiB together.',
    todo: 'Send fewer or shorter headers; cookies are ignored here.',
    example: new Problem(431, 'Request Header Fields Too Large'),
  },
  500: {
    means: 'The server has a bug. Its log has the cause.',
    todo: 'Give the value of the header X-Request-Id to the operator: the line in the log has the same request_id.',
    example: new Problem(500, 'Internal error'),
  },
  501: {
    means: 'The method is not supported on any path.',
    todo: 'Use GET, HEAD, POST, PUT, DELETE or OPTIONS. A PUT may change some of the fields, as PATCH does in other services.',
    example: new Problem(501, 'The method PATCH is not supported.'),
  },
  503: {
    means: 'The store is temporarily closed, or the database of the server does not answer.',
    todo: `${WAIT} Retry-After. The operator finds the cause at /readyz.`,
    example: new Problem(503, 'The service is not available at the moment.'),
  },
  507: {
    means: 'The store has reached a limit of its plan.',
    todo: 'Delete something, or ask the operator for a larger plan.',
    example: new Problem(507, 'The plan of this store allows 100 brands.'),
  },
}

/** Values in errors that are codes, since clients compare them (docs/contract/conventions.md section 7). */
export const CODES = [
  ['error.path.missing', 'The field is required but missing.'],
  ['error.expected.jsstring', 'The value must be text.'],
  ['error.expected.jsnumber', 'The value must be a number, without quotation marks.'],
  ['error.expected.jsboolean', 'The value must be true or false, without quotation marks.'],
  ['error.expected.jsarray', 'The value must be a list: [ ... ].'],
  ['error.expected.jsobject', 'The value must be an object: { ... }.'],
] as const
