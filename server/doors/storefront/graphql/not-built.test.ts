import { readFile } from 'node:fs/promises'
import { buildSchema, type GraphQLObjectType, getNamedType, isAbstractType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'
import { NOT_BUILT } from './not-built.ts'

const schema = buildSchema(await readFile(new URL('schema.graphql', import.meta.url), 'utf8'))
const listed: readonly string[] = NOT_BUILT.flatMap(({ fields }): readonly string[] => fields)

/** The fields below the roots. @param without fields that are left out with everything below them; they are found themselves */
function reachable(without: readonly string[] = listed): Set<string> {
  const [found, types] = [new Set<string>(), new Set<GraphQLObjectType>()]
  const visit = (type: unknown) => {
    if (isAbstractType(type)) for (const each of schema.getPossibleTypes(type)) visit(each)
    if (!isObjectType(type) || types.has(type)) return
    types.add(type)
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`
      found.add(name)
      if (!without.includes(name)) visit(getNamedType(field.type))
    }
  }
  visit(schema.getQueryType())
  visit(schema.getMutationType())
  return found
}

describe('the list of fields that are not built', () => {
  test('names each field once, and only fields that nothing else in the list covers', () => {
    const fields = reachable()
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.filter((name) => !fields.has(name))).toEqual([])
    for (const { why } of NOT_BUILT) expect(why).toMatch(/^[A-Z].*\.$/)
  })

  test('leaves at least 95 % of the fields besides those of purchases answered', () => {
    const ofPurchases = /Cart|Checkout|Order|GiftCertificate|SessionSync/
    const all = [...reachable([])].filter((name) => !ofPurchases.test(name))
    const answered = new Set([...reachable()].filter((name) => !listed.includes(name)))
    expect(all.length).toBeGreaterThan(1_000)
    expect(all.filter((name) => answered.has(name)).length / all.length).toBeGreaterThan(0.95)
  })
})

test('a field that is not built is null or empty, and an error only if its type allows neither', async () => {
  const shop = await openShop()
  const token = await makeToken(shop, 'storefront')
  const ask = (query: string) => askStorefront(shop, { token, query })
  const empty = await ask(`{ site { settings { inactivity { shopperActivityExtendsDuration } } }
    store { metafields(namespace: "n") { edges { cursor } pageInfo { hasNextPage endCursor } } } }`)
  expect(empty.body).toEqual({
    data: {
      site: { settings: { inactivity: null } },
      store: { metafields: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } },
    },
  })
  const refused = await ask('{ site { promotion { banners { content } } } }')
  expect(refused.body).toMatchObject({
    errors: [{ message: 'promotion is not available yet.', extensions: { code: 'NOT_AVAILABLE' } }],
  })
})
