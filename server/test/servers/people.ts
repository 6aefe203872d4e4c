import { expect } from 'vitest'
import { People } from '../../doors/people/people.ts'
import type { Role } from '../../doors/people/roles.ts'
import { theHouse } from '../fixtures/shop.ts'

// People of the console, for tests that send requests as one of them.

const { server, installation, clock } = await theHouse()
export const people = new People({ ...installation, database: installation.directory.database, clock })
export const HOST = 'shop.test'
export const PASSWORD = 'correct horse 7'

interface Reply {
  status: number
  body: ReturnType<typeof JSON.parse>
  cookie: string
}

/** Sends a request to the operator's API as the console does. */
export async function callOperator(
  method: string,
  path: string,
  { cookie = '', body, headers = {} }: { cookie?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const answer = await server.inject({
    method: method as 'GET',
    url: `/operator/v1${path}`,
    headers: { host: HOST, 'x-console': '1', ...(cookie === '' ? {} : { cookie }), ...headers },
    ...(body ? { payload: body } : {}),
  })
  const [set = ''] = [answer.headers['set-cookie'] ?? ''].flat()
  return {
    status: answer.statusCode,
    body: answer.body === '' ? undefined : JSON.parse(answer.body),
    cookie: set.split(';')[0] ?? '',
  }
}

let number = 0
export const address = () => `person${++number}.${process.pid}@example.com`

/** A person with a password, and the cookie of a session. */
export async function join(role: Role, stores: string[] | null = null) {
  const { token, email, id } = await people.invite({ email: address(), role, stores })
  const { status, cookie } = await callOperator('PUT', '/invitation', {
    body: { token, name: 'Ada', password: PASSWORD },
  })
  expect(status).toBe(201)
  return { id, email, cookie }
}
