import { Socket } from 'node:net'
import { expect, inject, test, vi } from 'vitest'
import { Connection } from './connection.ts'

test('a connection that was idle during a standstill of this process still answers, and does not count as silent', async () => {
  const setTimeouts = vi.spyOn(Socket.prototype, 'setTimeout')
  const connection = await new Connection({ connectionString: inject('postgresUrl') }, () => {}).open()
  const [socket] = setTimeouts.mock.contexts
  setTimeouts.mockRestore()
  if (!(socket instanceof Socket)) throw new Error('The connection has set no time-out.')
  // The time of silence is over when the process goes on, before it has sent its question.
  socket.emit('timeout')
  const [answer] = await connection.ask([{ text: 'select 1 as one from pg_sleep(0.2)', values: [] }])
  expect(answer?.rows).toEqual([{ one: 1 }])
  await connection.end()
})
