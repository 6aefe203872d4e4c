import { expect, test } from 'vitest'
import { PREDEFINED } from '../../../../../sales/b2b/shared/permissions.ts'
import { askGraph, dataOf, makeRole, makeUser, openBuyers } from '../../../../../test/buyers.ts'
import { ask } from '../../../../../test/fixtures/companion.ts'
import type { Shop } from '../../../../../test/fixtures/shop.ts'

// Roles can't climb (docs/contract/b2b-graphql.md section 8): no series of changes gives a user, or anybody whom the user changes, a
// permission that the user does not have.

interface Person {
  id: number
  companyRoleId: number
}

const peopleOf = async (shop: Shop, companyId: number): Promise<Person[]> =>
  (await ask(shop, 'GET', `/v3/io/users?companyId=${companyId}&limit=250`)).body.data

test.each(['update_user', 'create_user'])('a user with %s alone gets and gives nothing in four steps', async (code) => {
  const { shop, companyId } = await openBuyers()
  const own = { [code]: 2, get_users: 2 }
  const me = await makeUser(shop, companyId, own)
  const weaker = await makeRole(shop, { get_users: 1 })
  const higher = await makeRole(shop, { [code]: 3, get_users: 2 })
  const wider = await makeRole(shop, { ...own, get_orders: 1 })
  const same = await makeRole(shop, own)
  const junior = await makeUser(shop, companyId, 2)
  // The role of this one may be taken and given.
  await makeUser(shop, companyId, own)
  const [{ companyRoleId: mine } = { companyRoleId: 0 }] = (await peopleOf(shop, companyId)).filter(
    ({ id }) => id === me.id,
  )
  const roles = [1, 2, 3, weaker, higher, wider, same, mine]
  /** The level of each code of a role. */
  const levels = new Map<number, ReadonlyMap<string, number>>([
    ...[PREDEFINED.Admin, PREDEFINED['Senior Buyer'], PREDEFINED['Junior Buyer']].map(
      (grants, i) => [i + 1, new Map(grants.map((grant) => [grant.code, grant.permissionLevel]))] as const,
    ),
    ...(
      [
        [weaker, { get_users: 1 }],
        [higher, { [code]: 3, get_users: 2 }],
        [wider, { ...own, get_orders: 1 }],
        [same, own],
        [mine, own],
      ] as const
    ).map(([id, codes]) => [id, new Map(Object.entries(codes))] as const),
  ])
  const isWithin = (role: number) => [...(levels.get(role) ?? [])].every(([name, level]) => level <= (own[name] ?? 0))

  let made = 0
  const steps = (people: readonly Person[]) => [
    ...people.flatMap(({ id }) => [
      ...roles.map(
        (role) =>
          `userUpdate(userData: {companyId: ${companyId}, userId: ${id}, companyRoleId: ${role}}) { user { id } }`,
      ),
      ...[0, 1, 2].map(
        (role) => `userUpdate(userData: {companyId: ${companyId}, userId: ${id}, role: ${role}}) { user { id } }`,
      ),
    ]),
    ...roles.map(
      (role) =>
        `userCreate(userData: {companyId: ${companyId}, email: "n${++made}.${code}@example.com", firstName: "N", lastName: "U", companyRoleId: ${role}}) { user { id } }`,
    ),
    ...people.map(({ id }) => `userDelete(companyId: ${companyId}, userId: ${id}) { message }`),
  ]

  let changes = 0
  let before = await peopleOf(shop, companyId)
  // Each turn tries every step from the state that the last change has led to; a change begins the next turn.
  for (let turn = 0; turn < 4; turn++) {
    for (const step of steps(before)) {
      const { body } = await askGraph(`mutation { ${step} }`, { token: me.token })
      if (body.errors) continue
      changes++
      const after = await peopleOf(shop, companyId)
      for (const { id, companyRoleId } of after) {
        const old = before.find((person) => person.id === id)
        if (old?.companyRoleId !== companyRoleId) expect(isWithin(companyRoleId), `${step} of turn ${turn}`).toBe(true)
      }
      before = after
    }
  }
  const { customerInfo } = await dataOf('{ customerInfo { permissions { code permissionLevel } } }', {
    token: me.token,
  })
  expect(
    Object.fromEntries(
      customerInfo.permissions.map((grant: { code: string; permissionLevel: number }) => [
        grant.code,
        grant.permissionLevel,
      ]),
    ),
  ).toEqual(own)
  expect(before.find(({ id }) => id === junior.id)?.companyRoleId).toBe(3)
  expect(before.find(({ id }) => id === 1)?.companyRoleId).toBe(1)
  expect(changes).toBeGreaterThan(0)
})
