import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { Files } from '../../core/files/files.ts'
import { mailRunner, sendMail } from '../../core/mail/outbox.ts'
import { OUTCOMES, PORTS } from '../../core/net/ports.ts'
import { randomIds } from '../../core/secrets/ids.ts'
import { Gateways } from '../../sales/payments/gateways.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { doJobs } from '../../test/harness/jobs.ts'
import { addFault, clearFaults, type FaultRule } from './faults.ts'
import { StorePortFaults } from './ports.ts'

const { installation } = await theHouse()
const { database } = installation.directory
const faults = new StorePortFaults(database)

let shop: Shop
beforeEach(async () => {
  shop = await openShop({ isTest: true })
})
const add = (rule: FaultRule) => addFault(database, shop.store.id, rule)

describe('the test gateway', () => {
  let nr = 0
  const call = (idempotencyKey: string) => ({
    amountMinor: 1_000,
    currency: 'USD',
    decimals: 2,
    idempotencyKey,
    signal: AbortSignal.timeout(60_000),
    orderId: 1,
    instrument: { type: 'none' as const },
    billing: {
      first_name: '',
      last_name: '',
      street_1: '',
      street_2: '',
      city: '',
      state: '',
      zip: '',
      country_iso2: '',
      email: '',
      phone: '',
    },
    saves: false,
  })
  const gateway = async () =>
    new Gateways({ ...installation, faults }).open(await dbOf(shop), {
      gateway: 'testgateway',
      options: {},
      credentials: '',
    })
  const status = async (key: string) =>
    (await gateway()).fetchStatus({
      idempotencyKey: key,
      gatewayTransactionId: '',
      operation: 'purchase',
      reference: '',
      signal: AbortSignal.timeout(60_000),
    })

  test('declines, and answers later, as its faults say', async () => {
    await add({ port: 'gateway', outcome: 'declined', next: 1 })
    const open = await gateway()
    expect(await open.purchase(call(`k${++nr}`))).toMatchObject({ outcome: 'declined' })
    expect(await open.purchase(call(`k${++nr}`))).toMatchObject({ outcome: 'approved' })
    await add({ port: 'gateway', outcome: 'pending', next: 1 })
    expect(await open.purchase(call(`k${++nr}`))).toMatchObject({ outcome: 'pending' })
    expect(await open.purchase(call(`k${++nr}`))).toMatchObject({ outcome: 'approved' })
  })

  test('gets no call that times out, and loses the answer to one that it has executed', async () => {
    await add({ port: 'gateway', outcome: 'timed_out', next: 1 })
    const open = await gateway()
    await expect(open.purchase(call('late'))).rejects.toThrow('lost its answer')
    expect(await status('late')).toBeUndefined()
    expect(await open.purchase(call('late'))).toMatchObject({ outcome: 'approved' })
    await add({ port: 'gateway', outcome: 'answer_lost', next: 1 })
    await expect(open.purchase(call('lost'))).rejects.toThrow('lost its answer')
    expect(await status('lost')).toMatchObject({ outcome: 'approved' })
  })
})

test('a mail is tried again after a fault of the mail server', async () => {
  await add({ port: 'mail', outcome: 'timed_out', next: 1 })
  await (await dbOf(shop)).transaction((tx) => sendMail(tx, { to: 'a@example.com', subject: 's', text: 't' }))
  const transport = { send: () => Promise.reject(new Error('Nothing leaves a test store.')) }
  await doJobs([mailRunner(transport, faults)])
  expect(await rowsOf(shop, 'jobs')).toMatchObject([
    { state: 'waiting', reason: 'A fault of this test store: the mail server did not answer.' },
  ])
})

test('a file is refused by a fault of the storage, and nothing of it is left', async () => {
  const folder = await mkdtemp(join(inject('folder'), 'ports-'))
  const files = new Files(folder, 'http://shop.test', randomIds, { faults })
  await files.open()
  await add({ port: 'files', outcome: 'full_disk', next: 1 })
  await expect(files.write({ ...shop.store, isTest: true }, Buffer.from('x'), 'png')).rejects.toMatchObject({
    status: 507,
  })
  await add({ port: 'files', outcome: 'fails', next: 1 })
  await expect(files.write({ ...shop.store, isTest: true }, Buffer.from('x'), 'png')).rejects.toThrow('storage')
  expect(await readdir(folder)).toEqual([])
  await files.write({ ...shop.store, isTest: true }, Buffer.from('x'), 'png')
  expect(await readdir(folder)).toEqual([shop.store.hash])
})

test('a port waits for its delay, works elsewhere, and has occasions like a request', async () => {
  const other = await openShop({ isTest: true })
  await add({ port: 'pictures', outcome: 'fails', every: 2, delay_ms: 100 })
  const occur = async (of: Shop, port: (typeof PORTS)[number] = 'pictures') =>
    faults.occur({ ...of.store, isTest: of.store.is_test }, port)
  const began = performance.now()
  expect([await occur(shop), await occur(shop)]).toEqual([undefined, 'fails'])
  expect(performance.now() - began).toBeGreaterThanOrEqual(90)
  expect([await occur(other), await occur(other)]).toEqual([undefined, undefined])
  expect([await occur(shop, 'mail'), await occur(shop, 'files')]).toEqual([undefined, undefined])
  const real = await openShop()
  expect(await occur(real)).toBeUndefined()
  expect(await clearFaults(database, shop.store.id)).toBe(1)
})

test.each<[FaultRule, string]>([
  [{ port: 'mail' }, 'A fault of the port mail needs a delay_ms or one of the outcomes fails, timed_out.'],
  [{ port: 'mail', outcome: 'declined' }, 'The port mail has the outcomes fails, timed_out.'],
  [{ outcome: 'fails', status: 500 }, 'An outcome needs the port that has it.'],
  ...(['status', 'client_id', 'operation', 'reset'] as const).map((name): [FaultRule, string] => [
    {
      port: 'gateway',
      outcome: 'declined',
      ...(name === 'status' ? { status: 500 } : name === 'reset' ? { reset: 'before_work' } : { [name]: 'x' }),
    },
    'A fault of a port has an outcome or a delay_ms, and no operation, client_id, status or reset.',
  ]),
])('the rule %j is refused', async (rule, sentence) => {
  await expect(add(rule)).rejects.toThrow(sentence)
})

test('every port has outcomes', () => {
  expect(Object.keys(OUTCOMES)).toEqual([...PORTS])
})
