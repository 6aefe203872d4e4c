import { EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { Exchange } from './exchange.ts'
import { splitRows } from './rows/splitter.ts'

// Behaviour of the driver on which this folder relies, beyond its documented interface. If a test fails after an update of `pg`,
// read the named part of the driver before taking the update.

let client: pg.Client

beforeEach(async () => {
  client = new pg.Client({ connectionString: inject('postgresUrl'), pipeline: true })
})
afterEach(() => client.end())

test('the driver is the version that was read', () => {
  // A newer version may pass all of these tests and still differ: read its lib/client.js and lib/connection.js.
  expect(createRequire(import.meta.url)('pg/package.json').version).toBe('8.23.1')
})

test('a connection attaches its listeners to its stream by attachListeners, and emits messages as events', async () => {
  const streams: unknown[] = []
  const { connection } = client
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    streams.push(stream)
    attach(stream)
  }
  const events: string[] = []
  for (const name of ['parseComplete', 'rowDescription', 'dataRow', 'commandComplete', 'readyForQuery']) {
    connection.on(name, () => events.push(name))
  }
  await client.connect()
  events.length = 0
  await client.query({ name: 'one', text: 'select 1 as one' })
  expect(streams).toEqual([connection.stream])
  expect(events).toEqual(['parseComplete', 'rowDescription', 'dataRow', 'commandComplete', 'readyForQuery'])
})

test('messages are read from any emitter of data that attachListeners is given', () => {
  const { connection } = client
  const stream = new EventEmitter()
  connection.attachListeners(stream)
  const events: unknown[] = []
  connection.on('readyForQuery', ({ status }: { status: string }) => events.push(status))
  stream.emit('data', Buffer.from([0x5a, 0, 0, 0, 5, 0x49]))
  expect(events).toEqual(['I'])
})

test('a query of another kind is submitted at once, and gets rows, ends and readiness by these methods', async () => {
  await client.connect()
  const events: string[] = []
  const query = {
    submit(connection: pg.Connection) {
      events.push('submit')
      connection.query('select 1 as one')
    },
    handleRowDescription: ({ fields }: { fields: { name: string; dataTypeID: number }[] }) =>
      events.push(`columns ${fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`)}`),
    handleDataRow: () => events.push('row'),
    handleCommandComplete: ({ text }: { text: string }) => events.push(`end ${text}`),
    handleReadyForQuery() {
      events.push('ready')
      this.callback(undefined, [])
    },
    callback: (_error: unknown, _results: never[]) => {},
  }
  // The driver takes only queries of its own kind on a pipelined connection.
  Object.setPrototypeOf(query, pg.Query.prototype)
  const done = new Promise((resolve) => {
    query.callback = resolve
  })
  client.query(query)
  expect(events).toEqual(['submit'])
  await done
  expect(events).toEqual(['submit', 'columns one 23', 'row', 'end SELECT 1', 'ready'])
})

test('a callback that is passed beside the query is set on it', async () => {
  splitRows(
    client.connection,
    () => {},
    () => {},
  )
  await client.connect()
  const exchange = new Exchange([{ text: 'select 1 as one', values: [] }])
  const rows = await new Promise((resolve, reject) => {
    client.query(exchange, (error, [result]) => (error === undefined ? resolve(result?.rows) : reject(error)))
  })
  expect(rows).toEqual([{ one: 1 }])
})

test('an error reaches the query before the server is ready, and readiness carries the status of the transaction', async () => {
  await client.connect()
  const order: unknown[] = []
  client.connection.once('readyForQuery', () => order.push(['ready', client.getTransactionStatus()]))
  const failed = new Promise<void>((resolve) => {
    const statements = ['begin', 'select 1 / 0'].map((text) => ({ text, values: [] }))
    client.query(new Exchange(statements), (error) => {
      order.push(error instanceof pg.DatabaseError && error.code)
      resolve()
    })
  })
  await failed
  if (order.length < 2) await once(client.connection, 'readyForQuery')
  expect(order).toEqual(['22012', ['ready', 'E']])
  expect(client.readyForQuery).toBe(true)
})

test('the number of open queries is always known', async () => {
  await client.connect()
  expect(client.readyForQuery).toBe(true)
  const answer = client.query('select 1')
  expect(client.readyForQuery).toBe(false)
  await answer
  expect(client.readyForQuery).toBe(true)
})

test('a connection that breaks fails every query on it, then emits its end, and takes no other', async () => {
  await client.connect()
  client.on('error', () => {})
  const order: string[] = []
  const answers = [1, 2].map((number) =>
    client.query(`select ${number}, pg_sleep(5)`).catch(() => order.push('failed')),
  )
  const end = once(client.connection, 'end').then(() => order.push('end'))
  client.connection.stream.destroy()
  await Promise.all([...answers, end])
  expect(order.toSorted()).toEqual(['end', 'failed', 'failed'])
  await expect(client.query('select 1')).rejects.toThrow('not queryable')
})

test('an attempt to connect fails when its stream is destroyed with a reason', async () => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const nowhere = new pg.Client({ host: '127.0.0.1', port, user: 'x', password: 'x', pipeline: true })
  nowhere.on('error', () => {})
  const attempt = expect(nowhere.connect()).rejects.toThrow('No answer.')
  setTimeout(() => nowhere.connection.stream.destroy(new Error('No answer.')), 20)
  await attempt
  silent.close()
})
