/** A request that the server has refused, or that did not reach it. */
export class Refusal extends Error {
  /** 0 if the server did not answer. */
  readonly status: number
  /** A sentence by field. */
  readonly errors: Readonly<Record<string, string>>
  readonly requestId: string
  /** The hash of the store whose API has refused; undefined for the operator's API. */
  readonly store: string | undefined

  constructor(
    status: number,
    title: string,
    errors: Record<string, string> = {},
    { requestId = '', store }: { requestId?: string; store?: string | undefined } = {},
  ) {
    super(title)
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.store = store
  }
}

export interface Reply<T> {
  status: number
  body: T
  headers: Headers
}

interface Problem {
  title?: string
  message?: string
  errors?: Record<string, string>
}

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null

/** The first error of the older family, which answers with a list. */
const problemOf = (body: unknown): Problem => {
  const first: unknown = Array.isArray(body) ? body[0] : body
  return isProblem(first) ? first : {}
}

/** @throws Refusal */
export async function send<T>(
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply<T>> {
  const isForm = body instanceof FormData
  // The browser names the boundary of a form itself.
  const type: Record<string, string> = body === undefined || isForm ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...type, ...headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, 'The server does not answer.')
  })
  const text = await answer.text()
  const parsed = parse(text)
  if (answer.ok) return { status: answer.status, body: parsed as T, headers: answer.headers }
  const { title, message, errors } = problemOf(parsed)
  const requestId = answer.headers.get('x-request-id') ?? ''
  const store = /^\/stores\/([^/?]+)/.exec(url)?.[1]
  throw new Refusal(answer.status, title ?? message ?? `The server answered ${answer.status}.`, errors, {
    requestId,
    store,
  })
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Asks the person for the password; rejects if the person declines. The frame sets it. */
let confirmIdentity: () => Promise<void> = () => Promise.reject(new Refusal(403, 'Confirm your identity first.'))
export const onConfirmation = (ask: () => Promise<void>) => {
  confirmIdentity = ask
}

/** Called when the session has ended. The frame sets it. */
let signedOut: () => void = () => {}
export const onSignedOut = (callback: () => void) => {
  signedOut = callback
}

/**
 * Sends a request to the operator's API with the session of the person. If the person must confirm the identity, asks for the
 * password and sends it again.
 * @throws Refusal
 */
export async function operator<T>(method: string, path: string, body?: unknown): Promise<T> {
  const attempt = () => send<{ data: T }>(method, `/operator/v1${path}`, { headers: { 'x-console': '1' }, body })
  try {
    return (await attempt()).body?.data
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 401 && path !== '/session') signedOut()
    if (error.errors.confirmation === undefined) throw error
    await confirmIdentity()
    return (await attempt()).body?.data
  }
}

export interface Person {
  id: number
  email: string
  name: string
  role: Role
  stores: string[] | null
  is_active: boolean
  created_at: string
}

export const ROLES = ['owner', 'admin', 'developer', 'support', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export interface Store {
  hash: string
  name: string
  state: string
  plan: string
  limits: Record<string, number>
  is_test: boolean
}

export interface Account {
  id: number
  name: string
  client_id: string
  scopes: string[]
  created_at: string
  /** Among the newest 10,000 requests of the store; null without one. */
  last_request_at: string | null
}
