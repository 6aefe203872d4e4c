import { describe, expect, test } from 'vitest'
import { openShop } from '../../test/fixtures/shop.ts'
import { shareChannel } from './logins.ts'

// Who may share an e-mail address (docs/contract/customers.md section 2.5).

describe('two accounts meet', () => {
  const isGlobal = (channel: number) => channel === 1
  test.each([
    [null, null, true],
    [null, [1], true],
    [null, [2], false],
    [null, [2, 1], true],
    [null, [], false],
    [[1, 2], [2, 3], true],
    [[1, 2], [3], false],
    [[], [], false],
  ])('%j and %j: %j', (one, other, expected) => {
    expect(shareChannel(one, other, isGlobal)).toBe(expected)
    expect(shareChannel(other, one, isGlobal)).toBe(expected)
  })
})

const name = { first_name: 'A', last_name: 'B' }
const at = (channel_ids?: number[] | null, email = 'ann@x.test') => ({
  ...name,
  email,
  ...(channel_ids === undefined ? {} : { channel_ids }),
})
const [TWO, THREE] = [664_159, 664_160]

async function openChain() {
  const shop = await openShop()
  for (const channel of ['Two', 'Three']) {
    await shop.call('POST', '/channels', { name: channel, type: 'storefront', platform: 'custom', status: 'active' })
  }
  return shop
}

describe('an e-mail address', () => {
  test('is shared by accounts that no channel lets both in, and by no others', async () => {
    const { call } = await openChain()
    const post = async (...bodies: object[]) => (await call('POST', '/customers', bodies)).status
    expect(await post(at())).toBe(200)
    expect(await post(at(null))).toBe(422)
    expect(await post(at([1]))).toBe(422)
    expect(await post(at([TWO]))).toBe(200)
    expect(await post(at([TWO, THREE]))).toBe(422)
    expect(await post(at([THREE]))).toBe(200)
    // In one batch it is always refused.
    expect(await post(at([TWO], 'bo@x.test'), at([THREE], 'bo@x.test'))).toBe(422)
    expect(await post(at([TWO], 'bo@x.test'))).toBe(200)
  })

  test('is judged anew when channels or addresses change, and only then', async () => {
    const { call } = await openChain()
    await call('POST', '/customers', [at(null)])
    await call('POST', '/customers', [at([TWO])])
    await call('POST', '/customers', [at([THREE])])
    const put = async (...items: object[]) => {
      const { status, body } = await call('PUT', '/customers', items)
      return status === 200 ? 200 : body.errors
    }
    const taken = 'ann@x.test is already in use'
    expect(await put({ id: 2, channel_ids: [TWO, 1] })).toEqual({ '0.channel_ids': taken })
    expect(await put({ id: 2, channel_ids: null })).toEqual({ '0.channel_ids': taken })
    expect(await put({ id: 2, channel_ids: [TWO, THREE] })).toEqual({ '0.channel_ids': taken })
    expect(await put({ id: 1, notes: 'x' }, { id: 2, channel_ids: [TWO, 1] })).toEqual({ '1.channel_ids': taken })
    expect(await put({ id: 2, channel_ids: [THREE] }, { id: 3, channel_ids: [TWO] })).toBe(200)
    expect(await put({ id: 2, email: 'ANN@x.test', channel_ids: [THREE] })).toBe(200)
    expect(await put({ id: 2, email: 'else@x.test', channel_ids: null })).toBe(200)
    expect(await put({ id: 2, email: 'ann@x.test' })).toEqual({ '0.email': taken })
  })

  test('goes with the origin: a channel without global logins lets in its own customers only', async () => {
    const { call } = await openChain()
    const { body } = await call('POST', '/customers', [{ ...at(), origin_channel_id: TWO }])
    expect(body.data[0]).toMatchObject({ origin_channel_id: TWO, channel_ids: [TWO] })
    expect((await call('POST', '/customers', [at()])).body.data[0]).toMatchObject({
      origin_channel_id: 1,
      channel_ids: null,
    })
  })

  test('is given once, however many ask at once (C-012)', async () => {
    const { call } = await openChain()
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => call('POST', '/customers', [at()])),
      ...Array.from({ length: 6 }, () => call('POST', '/customers', [at([1])])),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await call('GET', '/customers?email:in=ann@x.test')).body.data).toHaveLength(1)
    await call('POST', '/customers', [at([TWO], 'bo@x.test'), at([THREE], 'cy@x.test')])
    const moves = await Promise.all(
      [2, 3, 2, 3].map((n) => call('PUT', '/customers', [{ id: Number(n), email: 'new@x.test', channel_ids: [TWO] }])),
    )
    expect(moves.some(({ status }) => status === 200)).toBe(true)
    expect((await call('GET', '/customers?email:in=new@x.test')).body.data).toHaveLength(1)
  })
})
