// The operator's API of a server, as far as tests need it (docs/powers.md, docs/console.md).

/** A server and a key of its operator. */
export interface Server {
  url: string
  operatorKey: string
}

/** The server refused a request of the kit. */
export class OperatorError extends Error {
  override name = 'OperatorError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** How long a request is sent again that a busy server refused, and the longest wait before each time: many workers ask at once. */
const PATIENCE_MS = 300_000
const WAIT_MS = 1_000

/**
 * Sends a request to the operator's API, again while the server is too busy for it (503, or 429 while a hundred forks of the store wait).
 * @returns the data of the answer. @throws OperatorError with the server's sentence
 */
export async function ask<T>({ url, operatorKey }: Server, verb: string, path: string, body?: unknown): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await fetch(`${url}/operator/v1${path}`, {
      method: verb,
      headers: {
        Authorization: `Bearer ${operatorKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const found: { data?: T; title?: string } = text.startsWith('{') ? JSON.parse(text) : {}
    if (answer.ok) return found.data as T
    if ((answer.status !== 503 && answer.status !== 429) || Date.now() >= end) {
      throw new OperatorError(`${verb} ${path}: ${answer.status} ${found.title ?? ''}`, answer.status)
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS * Math.random()))
  }
}

/** Servers follow a new fault, or a store that was restored, within a second. */
export const FOLLOWED_MS = 1_100

/** A test store with the account that the kit uses. */
export interface ForkedStore {
  hash: string
  name: string
  account: { client_id: string; client_secret: string; access_token: string }
}
