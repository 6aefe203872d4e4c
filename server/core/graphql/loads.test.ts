import { expect, test, vi } from 'vitest'
import { STOREFRONT_LIMITS } from '../../doors/storefront/graphql/limits.ts'
import { OperationBudget } from './cost/operation-budget.ts'
import { openEngine } from './engine.ts'
import { Load, type Loading, LoadTurns } from './loads.ts'

interface Caller extends Loading {
  /** The reads of each load. */
  readonly reads: [string, readonly number[], unknown][]
  /** How many works left in one piece. */
  readonly pieces: number[]
}

function callerOf(): Caller {
  const [budget, pieces] = [new OperationBudget(), [] as number[]]
  const turns = new LoadTurns(budget, async (begin) => {
    const works = begin()
    pieces.push(works.length)
    await Promise.all(works)
  })
  return { budget, turns, reads: [], pieces }
}

const names = new Load<Caller, number, string>(async ({ reads }, keys) => {
  reads.push(['names', keys, undefined])
  await Promise.resolve()
  return new Map(keys.filter((key) => key !== 4).map((key) => [key, `name ${key}`]))
})
const friends = new Load<Caller, number, number[], { first: number }>(async ({ reads }, keys, args) => {
  reads.push(['friends', keys, args])
  await Promise.resolve()
  if (keys.includes(1_000_000)) throw new Error('The friends of somebody are broken.')
  return new Map(keys.map((key) => [key, Array.from({ length: args.first }, (_, i) => key + i + 1)]))
})

const schema = `
  type Query { people(count: Int = 2): [Person!]! broken: Person all(first: Int): PersonConnection }
  type PersonConnection { edges: [Person!] }
  type Person { id: Int! name: String friends(first: Int!): [Person!] }`
const people = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const engine = openEngine<Caller>({
  schema,
  limits: STOREFRONT_LIMITS,
  errors: { refusal: ({ message }) => ({ message }) },
  introspection: false,
  resolvers: {
    Query: {
      people: (_: unknown, { count }: { count: number }) => people(count),
      broken: () => 1_000_000,
      all: () => ({ edges: people(50) }),
    },
    Person: {
      id: (id: number) => id,
      name: (id: number, _: object, caller: Caller) => names.find(caller, id, undefined),
      friends: (id: number, args: { first: number }, caller: Caller) => friends.find(caller, id, { first: args.first }),
    },
  },
})
const run = (query: string, caller = callerOf()) =>
  engine.run({ query, variables: {}, operationName: undefined }, caller)

test('the keys of a turn are read together and once, each kind of data and each set of arguments by itself', async () => {
  const caller = callerOf()
  const query = `{ people { name again: name a: friends(first: 1) { name } b: friends(first: 2) { name } } }`
  const { body } = await run(query, caller)
  const [two, three] = [{ name: 'name 2' }, { name: 'name 3' }]
  expect(body).toEqual({
    data: {
      people: [
        { name: 'name 1', again: 'name 1', a: [two], b: [two, three] },
        { name: 'name 2', again: 'name 2', a: [three], b: [three, { name: null }] },
      ],
    },
  })
  expect(caller.reads).toEqual([
    ['names', [1, 2], undefined],
    ['friends', [1, 2], { first: 1 }],
    ['friends', [1, 2], { first: 2 }],
    ['names', [3, 4], undefined],
  ])
  expect(caller.pieces).toEqual([3, 1])
})

test('a failed load fails the whole request, and nothing is kept for the next one', async () => {
  const unhandled = vi.fn()
  process.once('unhandledRejection', unhandled)
  await expect(run('{ broken { friends(first: 1) { id } } people { name } }')).rejects.toThrow(
    'The friends of somebody',
  )
  const caller = callerOf()
  await run('{ people { name } }', caller)
  await run('{ people { name } }', callerOf())
  expect(caller.reads).toEqual([['names', [1, 2], undefined]])
  expect(unhandled).not.toHaveBeenCalled()
  process.off('unhandledRejection', unhandled)
})

test('an answer has at most 25,000 objects, and an operation at most 64 loads', async () => {
  const inTwelveExecutions = async (query: string) => {
    const bodies = new Set<string>()
    // The later ones are compiled.
    for (let i = 0; i < 12; i++) bodies.add(JSON.stringify((await run(query)).body))
    return [...bodies]
  }
  const [whole] = await inTwelveExecutions('{ people(count: 25000) { id } }')
  expect(whole).toMatch(/^{"data":{"people":\[{"id":1}/)
  const refusal = (sentence: string) => JSON.stringify({ errors: [{ message: `${sentence} Ask for less at once.` }] })
  expect(await inTwelveExecutions('{ people(count: 25001) { id } }')).toEqual([
    refusal('The answer has more than 25000 objects.'),
  ])
  expect(await inTwelveExecutions('{ people(count: 200) { friends(first: 130) { id } } }')).toEqual([
    refusal('The answer has more than 25000 objects.'),
  ])
  const loads = (count: number) =>
    `{ people(count: 1) { ${Array.from({ length: count }, (_, i) => `f${i}: friends(first: ${i + 1}) { id }`).join(' ')} } }`
  expect((await run(loads(64))).body).toMatchObject({ data: { people: [{ f63: expect.any(Array) }] } })
  expect(await inTwelveExecutions(loads(65))).toEqual([refusal('The operation needs more than 64 loads of data.')])
})
