import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

declare module 'pg' {
  // Fields that the driver's types omit.
  interface Connection {
    attachListeners(stream: EventEmitter): void
  }
}

const DATA_ROW = 0x44
/** The kind of a message and its length. */
const HEADER_BYTES = 5

/**
 * A row as it arrived: each column behind its length in bytes, in PostgreSQL's text form. It is read before the next one arrives.
 */
export class RawRow {
  bytes: Buffer = Buffer.alloc(0)
  /** The start of the first column, the end of the last one, and their number. */
  start = 0
  end = 0
  count = 0

  /** The parts of the driver's queries that it reads. */
  get fields(): (string | null)[] {
    const fields: (string | null)[] = []
    for (let i = 0, at = this.start; i < this.count; i++) {
      const length = this.bytes.readInt32BE(at)
      at += 4
      fields.push(length < 0 ? null : this.bytes.toString('utf8', at, at + length))
      at += Math.max(length, 0)
    }
    return fields
  }
}

/**
 * Makes a connection of the driver pass rows on as their bytes. The driver would decode every column to a text first, which most
 * lists do not need. All other messages stay with the driver.
 * @param onBytes called when bytes have arrived
 * @param onStream called with the stream of the connection
 */
export function splitRows(connection: pg.Connection, onBytes: () => void, onStream: (stream: Socket) => void) {
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const others = new EventEmitter()
    attach(others)
    const split = splitter(connection, others)
    stream.on('data', (chunk: Buffer) => {
      onBytes()
      split(chunk)
    })
    stream.on('end', () => others.emit('end'))
    onStream(stream as Socket)
  }
}

/**
 * Cuts the incoming bytes into messages: passes rows to the connection, and the bytes between them to the driver. The bytes of a chunk are valid
 * until the next one arrives (`read-buffer.ts`), so the beginning of a message is copied.
 */
function splitter(connection: pg.Connection, others: EventEmitter) {
  const row = new RawRow()
  /** The beginning of a message whose end has not arrived. */
  let begun: Buffer[] = []
  let length = 0
  let needed = HEADER_BYTES

  const hand = (bytes: Buffer, from: number): number => {
    let done = from
    let at = from
    needed = HEADER_BYTES
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1)
      if (end > bytes.length) {
        needed = end - at
        break
      }
      if (bytes[at] === DATA_ROW) {
        if (done < at) others.emit('data', bytes.subarray(done, at))
        row.bytes = bytes
        row.count = bytes.readInt16BE(at + HEADER_BYTES)
        row.start = at + HEADER_BYTES + 2
        row.end = end
        connection.emit('dataRow', row)
        done = end
      }
      at = end
    }
    if (done < at) others.emit('data', bytes.subarray(done, at))
    return at
  }

  return (chunk: Buffer) => {
    let at = 0
    // Only the message that was cut in two is joined, not everything that came with its second half.
    while (length > 0) {
      const missing = chunk.subarray(at, at + needed - length)
      length += missing.length
      at += missing.length
      begun.push(length < needed ? Buffer.from(missing) : missing)
      if (length < needed) return
      const whole = Buffer.concat(begun)
      begun = []
      length = 0
      if (hand(whole, 0) === 0) {
        begun = [whole]
        length = whole.length
      }
    }
    at = hand(chunk, at)
    if (at < chunk.length) {
      begun = [Buffer.from(chunk.subarray(at))]
      length = chunk.length - at
    }
  }
}
