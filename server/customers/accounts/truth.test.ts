import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '../../core/rest/lists/fold.ts'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// A customer is one truth under both families (docs/contract/customers.md section 5, C-121).

const RUNS = sized(1_000, 10)
const LIMIT_MS = sized(1_800_000, 120_000)

/** A customer as a model of the contract has it. */
interface Person {
  email: string
  first_name: string
  last_name: string
  company: string
  store_credit: number
  registration_ip_address: string
  isForced: boolean
}

type Fields = Partial<Person>

const fields = fc.record(
  {
    email: fc.constantFrom('a@x.test', 'A@X.test', 'b@x.test', 'c@x.test', 'd@x.test'),
    first_name: fc.constantFrom('Ann', 'Bo'),
    last_name: fc.constantFrom('Lee', 'Ek'),
    company: fc.constantFrom('', 'Lee & Co'),
    store_credit: fc.constantFrom(0, 5, 12.5),
    registration_ip_address: fc.constantFrom('', '10.0.0.1'),
    isForced: fc.boolean(),
  },
  { requiredKeys: [] },
)
const id = fc.integer({ min: 1, max: 5 })
const family = fc.constantFrom('v2' as const, 'v3' as const)

type Command =
  | { deed: 'create'; family: 'v2' | 'v3'; given: Fields }
  | { deed: 'change'; family: 'v2' | 'v3'; id: number; given: Fields }
  | { deed: 'delete'; family: 'v2' | 'v3'; id: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ deed: fc.constant('create' as const), family, given: fields }) },
  { weight: 4, arbitrary: fc.record({ deed: fc.constant('change' as const), family, id, given: fields }) },
  { weight: 1, arbitrary: fc.record({ deed: fc.constant('delete' as const), family, id }) },
)

/** The customers of a store, and the answers, by the contract. */
class Model {
  readonly people = new Map<number, Person>()
  #last = 0

  do(command: Command): number {
    const { deed, family } = command
    if (deed === 'create') return this.#create(family, command.given)
    if (deed === 'delete') return this.people.delete(command.id) || family === 'v3' ? 204 : 404
    return this.#change(family, command.id, command.given)
  }

  #create(family: 'v2' | 'v3', given: Fields): number {
    const { email, first_name, last_name } = given
    const refused = family === 'v2' ? 400 : 422
    if (email === undefined || first_name === undefined || last_name === undefined) return refused
    if (this.#isTaken(email)) return family === 'v2' ? 409 : 422
    const blank = { company: '', store_credit: 0, registration_ip_address: '', isForced: false }
    this.people.set(++this.#last, { ...blank, ...written(family, given), email, first_name, last_name })
    return 200
  }

  #change(family: 'v2' | 'v3', id: number, given: Fields): number {
    const person = this.people.get(id)
    if (!person) return family === 'v2' ? 404 : 422
    if (given.email !== undefined && this.#isTaken(given.email, id)) return family === 'v2' ? 409 : 422
    this.people.set(id, { ...person, ...written(family, given) })
    return 200
  }

  #isTaken = (email: string, but = 0) =>
    [...this.people].some(([id, person]) => id !== but && fold(person.email) === fold(email))
}

/** The newer family does not write the address that somebody registered from. */
function written(family: 'v2' | 'v3', { registration_ip_address, ...given }: Fields): Fields {
  return family === 'v3' || registration_ip_address === undefined ? given : { ...given, registration_ip_address }
}

async function send({ call }: Shop, command: Command): Promise<number> {
  const { deed, family } = command
  const older = { version: family } as const
  if (deed === 'delete') {
    const path = family === 'v2' ? `/customers/${command.id}` : `/customers?id:in=${command.id}`
    return (await call('DELETE', path, undefined, older)).status
  }
  const { isForced, store_credit, ...plain } = command.given
  if (family === 'v2') {
    const body = { ...plain, store_credit: store_credit?.toFixed(4), reset_pass_on_login: isForced }
    const [method, path] = deed === 'create' ? ['POST', '/customers'] : ['PUT', `/customers/${command.id}`]
    return (await call(method ?? '', path ?? '', body, older)).status
  }
  const item = {
    ...plain,
    ...(store_credit === undefined ? {} : { store_credit_amounts: [{ amount: store_credit }] }),
    ...(isForced === undefined ? {} : { authentication: { force_password_reset: isForced } }),
  }
  const body = deed === 'create' ? [item] : [{ ...item, id: command.id }]
  return (await call(deed === 'create' ? 'POST' : 'PUT', '/customers', body)).status
}

test('writes of v2 and v3 in turns match one model, and both show the result', { timeout: LIMIT_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), async (commands) => {
      const shop = await openShop()
      const model = new Model()
      for (const command of commands) {
        expect(await send(shop, command), JSON.stringify(command)).toBe(model.do(command))
      }
      const people = [...model.people].sort(([one], [other]) => one - other)
      const { data } = (await shop.call('GET', '/customers?include=storecredit')).body
      expect(data).toMatchObject(
        people.map(([id, { store_credit, isForced, ...same }]) => ({
          id,
          ...same,
          store_credit_amounts: [{ amount: store_credit }],
          authentication: { force_password_reset: isForced },
        })),
      )
      const older = await shop.call('GET', '/customers', undefined, { version: 'v2' })
      expect(older.body ?? []).toMatchObject(
        people.map(([id, { store_credit, isForced, ...same }]) => ({
          id,
          ...same,
          store_credit: store_credit.toFixed(4),
          reset_pass_on_login: isForced,
        })),
      )
      // The history of store credit leads to the balance of each customer.
      const after = new Map<unknown, unknown>()
      for (const change of await rowsOf(shop, 'store_credit_changes')) {
        expect(change.amount_before).toBe(after.get(change.customer_id) ?? 0)
        after.set(change.customer_id, change.amount_after)
      }
      for (const [id, { store_credit }] of people) expect(after.get(id) ?? 0).toBe(store_credit)
    }),
    { numRuns: RUNS },
  )
})

test('of many changes that are sent at once each is whole, and none is a mixture (C-018)', async () => {
  const shop = await openShop()
  const { call } = shop
  const bodies = Array.from({ length: 12 }, (_, n) => ({ first_name: `N${n}`, last_name: `L${n}`, company: `C${n}` }))
  await call('POST', '/customers', [{ email: 'a@x.test', first_name: 'N', last_name: 'L' }])
  const answers = await Promise.all(
    bodies.map((body, n) =>
      // Of the newer family three at once.
      n % 4 === 0
        ? call('PUT', '/customers', [{ id: 1, ...body, store_credit_amounts: [{ amount: n + 1 }] }])
        : call('PUT', '/customers/1', { ...body, store_credit: n + 1 }, { version: 'v2' }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
  const [row] = (await call('GET', '/customers?include=storecredit')).body.data
  const last = Number(row.first_name.slice(1))
  expect(row).toMatchObject({ ...bodies[last], store_credit_amounts: [{ amount: last + 1 }] })
  expect((await call('GET', `/customers?name:in=n${last}%20l${last}`)).body.data).toMatchObject([{ id: 1 }])
  expect((await call('GET', '/customers?name:like=n')).body.data).toHaveLength(1)
  const changes = await rowsOf(shop, 'store_credit_changes')
  expect(changes.map(({ version }) => version)).toEqual(changes.map((_, n) => n + 1))
  expect(changes.at(-1)?.amount_after).toBe(last + 1)
})

test('a sub-resource of one customer is not found under another (C-066)', async () => {
  const { call } = await openShop()
  const address = {
    address1: 'Nyhavn 12',
    city: 'Copenhagen',
    country_code: 'DK',
    state_or_province: '',
    postal_code: '1051',
  }
  const name = { first_name: 'A', last_name: 'B' }
  await call('POST', '/customers', [
    { ...name, email: 'a@x.test', addresses: [{ ...name, ...address }] },
    { ...name, email: 'b@x.test' },
  ])
  for (const [method, body] of [['GET'], ['PUT', { city: 'Aarhus' }], ['DELETE']] as const) {
    for (const path of ['/customers/2/addresses/1', '/customers/9/addresses/1']) {
      expect((await call(method, path, body, { version: 'v2' })).status, `${method} ${path}`).toBe(404)
    }
  }
  expect((await call('GET', '/customers/1/addresses/1', undefined, { version: 'v2' })).body.city).toBe('Copenhagen')
})
