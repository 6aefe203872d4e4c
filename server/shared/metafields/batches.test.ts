import { describe, expect, test } from 'vitest'
import { invalid, problem } from '../../test/document/expected.ts'
import { bin, brand, kinds, MOMENT, named, openStock } from '../../test/fixtures/metafields.ts'

// Batches of metafields (docs/contract/brands.md sections 7 and 8).

const batchProblem = (status: number, index: number, reason: string) =>
  problem(status, expect.any(String), { [index]: reason })

describe.each(kinds)('a batch of metafields of a $kind (docs/contract/brands.md sections 7 and 8)', (the) => {
  const { kind, path } = the
  const batch = `${path}/metafields`

  test('is answered complete if all items are valid', async () => {
    const { call, admin } = await openStock(the)
    const all = (n: number) => ({ total: n, success: n, failed: 0 })
    const created = await call('POST', batch, [
      { ...bin, resource_id: 2 },
      { ...bin, resource_id: 1, description: 'First' },
    ])
    const rest = {
      resource_type: kind,
      owner_client_id: admin.client_id,
      date_created: MOMENT,
      date_modified: MOMENT,
    }
    const data = [
      { ...rest, ...bin, id: 1, resource_id: 2, description: '' },
      { ...rest, ...bin, id: 2, resource_id: 1, description: 'First' },
    ]
    expect({ status: created.status, body: created.body }).toEqual({
      status: 200,
      body: { data, errors: [], meta: all(2) },
    })
    const changed = await call('PUT', batch, [
      { id: 2, value: '5', namespace: 'other' },
      { id: 1, permission_set: 'read', description: 'New', key: 'other' },
    ])
    expect({ status: changed.status, body: changed.body }).toEqual({
      status: 200,
      body: {
        data: [
          { ...data[1], value: '5', namespace: 'other' },
          { ...data[0], permission_set: 'read', description: 'New', key: 'other' },
        ],
        errors: [],
        meta: all(2),
      },
    })
    const deleted = await call('DELETE', batch, [2, 1])
    expect({ status: deleted.status, body: deleted.body }).toEqual({
      status: 200,
      body: { data: [2, 1], errors: [], meta: all(2) },
    })
    expect((await call('GET', batch)).body.data).toEqual([])
  })

  test('changes nothing of another store or another kind among its items (C-067)', async () => {
    const { call } = await openStock(the)
    const stranger = await openStock(the)
    const elsewhere = kinds.find((one) => one.path === the.other) ?? the
    await call('POST', the.other, elsewhere.parent('Elsewhere'))
    await call('POST', `${path}/1/metafields`, bin)
    await call('POST', `${the.other}/1/metafields`, bin)
    for (let n = 1; n <= 3; n++) await stranger.call('POST', `${path}/1/metafields`, named(`key ${n}`))
    await stranger.call('POST', path, the.parent('Four'))
    const before = [(await stranger.call('GET', batch)).body, (await call('GET', `${the.other}/metafields`)).body]
    const missing = (index: number) => batchProblem(404, index, 'does not exist')
    const created = await call('POST', batch, [
      { ...named('new'), resource_id: 4 },
      { ...named('new'), resource_id: 1 },
    ])
    expect(created.body).toMatchObject({ data: [{ id: 3, key: 'new' }], errors: [missing(0)] })
    const changed = await call(
      'PUT',
      batch,
      [2, 1, 4].map((id) => ({ id, value: '5' })),
    )
    expect(changed.body).toMatchObject({ data: [{ id: 1, value: '5' }], errors: [missing(0), missing(2)] })
    const deleted = await call('DELETE', batch, [1, 2, 4])
    expect(deleted.body).toMatchObject({ data: [1], errors: [missing(1), missing(2)] })
    expect([(await stranger.call('GET', batch)).body, (await call('GET', `${the.other}/metafields`)).body]).toEqual(
      before,
    )
  })
})

describe('a batch of metafields (docs/contract/brands.md sections 7 and 8)', () => {
  const the = brand
  const { path } = the
  const batch = `${path}/metafields`

  test('saves the valid items of a POST and reports the others by their index (422)', async () => {
    const { call } = await openStock(the)
    await call('POST', `${path}/1/metafields`, bin)
    const { status, body } = await call('POST', batch, [
      { ...bin, resource_id: 1 },
      { ...named('new'), resource_id: 1 },
      { ...bin, resource_id: 99 },
      { ...named('new'), resource_id: 1 },
      { ...named('newer'), resource_id: 3 },
    ])
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        data: [expect.objectContaining({ key: 'new', resource_id: 1 }), expect.objectContaining({ key: 'newer' })],
        errors: [
          batchProblem(409, 0, 'duplicate'),
          batchProblem(404, 2, 'does not exist'),
          batchProblem(409, 3, 'duplicate'),
        ],
        meta: { total: 5, success: 2, failed: 3 },
      },
    })
    expect((await call('GET', batch)).body.data).toMatchObject([bin, named('new'), named('newer')])
  })

  test('saves the valid items of a PUT and a DELETE and reports the others (422)', async () => {
    const { call, otherclient } = await openStock(the)
    const as = { as: otherclient }
    await call('POST', batch, [
      { ...named('locked', 'read'), resource_id: 1 },
      { ...named('open'), resource_id: 1 },
      { ...named('hidden', 'app_only'), resource_id: 1 },
    ])
    await call(
      'POST',
      batch,
      [
        { ...named('own'), resource_id: 1 },
        { ...named('twin'), resource_id: 1 },
      ],
      as,
    )
    const changes = await call(
      'PUT',
      batch,
      [
        { id: 1, value: '5' },
        { id: 2, value: '5' },
        { id: 3, value: '5' },
        { id: 2, key: 'mine' },
        { id: 4, key: 'twin' },
        { id: 99, value: '5' },
        { id: 5, value: '5' },
      ],
      as,
    )
    expect({ status: changes.status, body: changes.body }).toEqual({
      status: 422,
      body: {
        data: [expect.objectContaining({ id: 2, value: '5' }), expect.objectContaining({ id: 5, value: '5' })],
        errors: [
          batchProblem(403, 0, 'not authorized'),
          batchProblem(404, 2, 'does not exist'),
          batchProblem(403, 3, 'not authorized'),
          batchProblem(409, 4, 'duplicate'),
          batchProblem(404, 5, 'does not exist'),
        ],
        meta: { total: 7, success: 2, failed: 5 },
      },
    })
    const deletes = await call('DELETE', batch, [3, 2, 4, 4], as)
    expect({ status: deletes.status, body: deletes.body }).toEqual({
      status: 422,
      body: {
        data: [4],
        errors: [
          batchProblem(404, 0, 'does not exist'),
          batchProblem(403, 1, 'not authorized'),
          batchProblem(404, 3, 'does not exist'),
        ],
        meta: { total: 4, success: 1, failed: 3 },
      },
    })
    expect((await call('GET', batch)).body.data).toMatchObject([
      { id: 1, key: 'locked', value: '4' },
      { id: 2, key: 'open', value: '5' },
      { id: 3, value: '4' },
      { id: 5, value: '5' },
    ])
  })

  test('is 422 also if every item fails', async () => {
    const { call } = await openStock(the)
    for (const [method, items] of [
      ['POST', [{ ...bin, resource_id: 99 }]],
      ['PUT', [{ id: 99 }]],
      ['DELETE', [99]],
    ] as const) {
      const { status, body } = await call(method, batch, items)
      expect({ status, body }, method).toEqual({
        status: 422,
        body: {
          data: [],
          errors: [batchProblem(404, 0, 'does not exist')],
          meta: { total: 1, success: 0, failed: 1 },
        },
      })
    }
  })

  test('has 1 to 10 items: more are 413, none is 422, and a missing body is 400', async () => {
    const { call } = await openStock(the)
    const items = (count: number) => Array.from({ length: count }, (_, i) => ({ ...named(`key ${i}`), resource_id: 1 }))
    const tooMany = problem(413, 'At most 10 objects may be sent at once.')
    for (const [method, eleven] of [
      ['POST', items(11)],
      ['PUT', items(11).map((_, i) => ({ id: i + 1, value: '5' }))],
      ['DELETE', items(11).map((_, i) => i + 1)],
    ] as const) {
      const { status, body } = await call(method, batch, eleven)
      expect({ status, body }, method).toEqual({ status: 413, body: tooMany })
      expect((await call(method, batch, [])).body, method).toEqual(invalid({ '': expect.any(String) }))
      expect((await call(method, batch, { 0: eleven[0] })).body).toEqual(invalid({ '': 'error.expected.jsarray' }))
      expect((await call(method, batch)).status, method).toBe(400)
    }
    expect((await call('GET', batch)).body.data).toEqual([])
    expect((await call('POST', batch, items(10))).body.meta).toEqual({ total: 10, success: 10, failed: 0 })
  })

  test('of a DELETE holds ids and nothing else', async () => {
    const { call } = await openStock(the)
    await call('POST', `${path}/1/metafields`, bin)
    for (const [items, errors] of [
      [[1, 'a'], { 1: 'error.expected.jsnumber' }],
      [[1, 1.5], { 1: expect.any(String) }],
      [[1, 0], { 1: expect.any(String) }],
      [[1, 2_147_483_648], { 1: expect.any(String) }],
      [[1, null], { 1: 'error.expected.jsnumber' }],
    ] as const) {
      const { status, body } = await call('DELETE', batch, items)
      expect({ status, body }).toEqual({ status: 422, body: invalid(errors) })
    }
    expect((await call('DELETE', `${batch}?namespace=wh`, [1])).status).toBe(422)
    expect((await call('GET', `${path}/1/metafields/1`)).status).toBe(200)
  })
})
