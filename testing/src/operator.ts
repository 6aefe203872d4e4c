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

/** How often a request is sent again that a busy server refused, and how long the kit waits before. */
const REPEATS = 20
const WAIT_MS = 1_000

/**
 * Sends a request to the operator's API, again while the server is too busy for it (503).
 * @returns the data of the answer. @throws OperatorError with the server's sentence
 */
export async function ask<T>({ url, operatorKey }: Server, verb: string, path: string, body?: unknown): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
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
    if (answer.status !== 503 || repeats === REPEATS) {
      throw new OperatorError(`${verb} ${path}: ${answer.status} ${found.title ?? ''}`, answer.status)
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
}

/** A test store with the account that the kit uses. */
export interface ForkedStore {
  hash: string
  name: string
  account: { client_id: string; client_secret: string; access_token: string }
}
