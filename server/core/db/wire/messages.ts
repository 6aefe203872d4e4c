const START_BYTES = 16 * 1024
// A larger buffer is not kept: a body of 4 MiB is rare.
const KEPT_BYTES = 256 * 1024
// A shorter text gets room for three bytes a character. A longer one is measured.
const MEASURED_LENGTH = 4 * 1024

const QUERY = 0x51
const PARSE = 0x50
const BIND = 0x42
const CLOSE = 0x43
const DESCRIBE = 0x44
const EXECUTE = 0x45
const SYNC = 0x53

/**
 * Writes messages of PostgreSQL's extended query protocol one after another, so that they leave in one piece: each write to a
 * socket is a system call, dearer than its message. Names are those of prepared statements; '' is the unnamed one.
 */
export class Messages {
  #bytes = Buffer.allocUnsafe(START_BYTES)
  #end = 0

  /** Any number of commands without parameters; it needs no Sync. */
  query(text: string) {
    const start = this.#begin(QUERY)
    this.#text(text)
    this.#finish(start)
  }

  parse(name: string, text: string) {
    const start = this.#begin(PARSE)
    this.#text(name)
    this.#text(text)
    this.#int16(0)
    this.#finish(start)
  }

  /** @throws TypeError for a value that can't be written as text; nothing may be sent of the messages before it then */
  bind(name: string, values: readonly unknown[]) {
    const start = this.#begin(BIND)
    this.#text('')
    this.#text(name)
    // 0 means text form, here for all parameters and all columns.
    this.#int16(0)
    this.#int16(values.length)
    for (const value of values) this.#parameter(textOf(value))
    this.#int16(0)
    this.#finish(start)
  }

  /** Asks for the columns of the bound statement. */
  describe() {
    const start = this.#begin(DESCRIBE)
    this.#text('P')
    this.#finish(start)
  }

  execute() {
    const start = this.#begin(EXECUTE)
    this.#text('')
    this.#int32(0)
    this.#finish(start)
  }

  /** Closes a prepared statement. A missing one is ignored. */
  close(name: string) {
    const start = this.#begin(CLOSE)
    this.#text(`S${name}`)
    this.#finish(start)
  }

  sync() {
    this.#finish(this.#begin(SYNC))
  }

  /** The messages that were written since the last call. */
  take(): Buffer {
    const written = this.#bytes.subarray(0, this.#end)
    const taken = this.#bytes.length > KEPT_BYTES ? written : Buffer.from(written)
    this.clear()
    return taken
  }

  clear() {
    this.#end = 0
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(START_BYTES)
  }

  /** @returns the position of the length, which includes itself and not the kind */
  #begin(kind: number): number {
    this.#reserve(5)
    this.#bytes[this.#end++] = kind
    this.#end += 4
    return this.#end - 4
  }

  #finish(start: number) {
    this.#bytes.writeInt32BE(this.#end - start, start)
  }

  #int16(number: number) {
    this.#reserve(2)
    this.#end = this.#bytes.writeUInt16BE(number, this.#end)
  }

  #int32(number: number) {
    this.#reserve(4)
    this.#end = this.#bytes.writeInt32BE(number, this.#end)
  }

  /** Ended by a zero byte. */
  #text(text: string) {
    this.#reserve(mostBytesOf(text) + 1)
    this.#end += this.#bytes.write(text, this.#end)
    this.#bytes[this.#end++] = 0
  }

  /** A value behind its length in bytes; -1 stands for null. */
  #parameter(text: string | null) {
    if (text === null) return this.#int32(-1)
    this.#reserve(mostBytesOf(text) + 4)
    const length = this.#bytes.write(text, this.#end + 4)
    this.#bytes.writeInt32BE(length, this.#end)
    this.#end += length + 4
  }

  #reserve(length: number) {
    if (this.#end + length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + length))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

const mostBytesOf = (text: string) => (text.length > MEASURED_LENGTH ? Buffer.byteLength(text) : 3 * text.length)

/** A value as PostgreSQL reads it. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? listText(value) : JSON.stringify(value)
}

const listText = (items: readonly unknown[]): string => `{${items.map(itemText).join(',')}}`

function itemText(item: unknown): string {
  if (Array.isArray(item)) return listText(item)
  // Long lists are those of ids: a number needs no quotes.
  if (typeof item === 'number') return String(item)
  const text = textOf(item)
  return text === null ? 'NULL' : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}
