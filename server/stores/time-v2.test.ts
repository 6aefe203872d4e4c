import { expect, test } from 'vitest'
import { openShop, theHouse } from '../test/fixtures/shop.ts'

test('the time is the time of the server in whole seconds', async () => {
  const { call } = await openShop()
  const { clock } = await theHouse()
  const before = Math.floor(clock.now().getTime() / 1_000)
  const { status, body } = await call('GET', '/time', undefined, { version: 'v2' })
  expect(status).toBe(200)
  expect(body).toEqual({ time: expect.any(Number) })
  expect(body.time).toBeGreaterThanOrEqual(before)
  expect(body.time).toBeLessThanOrEqual(Math.floor(clock.now().getTime() / 1_000))
})
