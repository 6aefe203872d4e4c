import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type RawRow, splitRows } from './splitter.ts'

const message = (kind: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(kind, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const row = (columns: (string | null)[]) => {
  const parts = columns.map((text) => {
    const bytes = Buffer.from(text ?? '')
    const length = Buffer.alloc(4)
    length.writeInt32BE(text === null ? -1 : bytes.length)
    return Buffer.concat([length, bytes])
  })
  const count = Buffer.alloc(2)
  count.writeInt16BE(columns.length)
  return message('D', Buffer.concat([count, ...parts]))
}
const done = (tag: string) => message('C', Buffer.from(`${tag}\0`))
const parsed = message('1', Buffer.alloc(0))

test('messages arrive whole and in order, with any cuts of the network', () => {
  const columns = fc.array(fc.option(fc.string({ unit: 'grapheme' })), { maxLength: 4 })
  const sent = fc.array(
    fc.oneof(
      columns.map((columns) => ({ bytes: row(columns), heard: columns })),
      fc.constantFrom({ bytes: done('SELECT 1'), heard: 'SELECT 1' }, { bytes: parsed, heard: 'parsed' }),
    ),
  )
  fc.assert(
    fc.property(sent, fc.array(fc.nat()), (messages, cuts) => {
      const { connection } = new pg.Client()
      splitRows(
        connection,
        () => {},
        () => {},
      )
      const heard: unknown[] = []
      connection.on('dataRow', ({ fields }: RawRow) => heard.push(fields))
      connection.on('commandComplete', ({ text }: { text: string }) => heard.push(text))
      connection.on('parseComplete', () => heard.push('parsed'))
      const stream = new EventEmitter()
      connection.attachListeners(stream)
      const bytes = Buffer.concat(messages.map(({ bytes }) => bytes))
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
      for (const [i, place] of places.entries()) {
        const chunk = bytes.subarray(place, places[i + 1])
        if (chunk.length > 0) stream.emit('data', chunk)
      }
      expect(heard).toEqual(messages.map(({ heard }) => heard))
    }),
  )
})
