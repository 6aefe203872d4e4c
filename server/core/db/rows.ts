import { EventEmitter } from 'node:events'
import type pg from 'pg'

const DATA_ROW = 0x44
const HEADER = 5
const NOTHING = Buffer.alloc(0)

/** A row as it came: each column behind its length in bytes, in PostgreSQL's text form. Read it before the next one comes. */
export class RawRow {
  bytes: Buffer = NOTHING
  /** Where the first column begins, and how many there are. */
  start = 0
  count = 0

  /** The driver's own form, for its own queries. */
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
 * Hands rows on as the bytes that they came as; the driver would make a text of every column first, which most of a list does
 * not need. All other messages go the driver's way.
 */
export function hearRows(connection: pg.Connection) {
  const listen = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const others = new EventEmitter()
    listen(others)
    const row = new RawRow()
    const pieces: Buffer[] = []
    let waiting = 0
    let needed = HEADER
    stream.on('data', (chunk: Buffer) => {
      pieces.push(chunk)
      waiting += chunk.length
      if (waiting < needed) return
      const bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces)
      pieces.length = 0
      // Up to here everything was handed on.
      let done = 0
      let at = 0
      needed = HEADER
      while (at + HEADER <= bytes.length) {
        const end = at + 1 + bytes.readInt32BE(at + 1)
        if (end > bytes.length) {
          needed = end - at
          break
        }
        if (bytes[at] === DATA_ROW) {
          if (done < at) others.emit('data', bytes.subarray(done, at))
          row.bytes = bytes
          row.count = bytes.readInt16BE(at + HEADER)
          row.start = at + HEADER + 2
          connection.emit('dataRow', row)
          done = end
        }
        at = end
      }
      if (done < at) others.emit('data', bytes.subarray(done, at))
      waiting = bytes.length - at
      if (waiting > 0) pieces.push(bytes.subarray(at))
    })
    stream.on('end', () => others.emit('end'))
  }
}
