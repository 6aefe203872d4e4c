import { wholeNumber } from './columns.ts'
import { type JsonTarget, writeAll, writeByte, writeMade } from './json-columns.ts'
import type { RawRow } from './splitter.ts'
import type { CompiledTemplate, Operand } from './template.ts'

const PIECE_BYTES = 64 * 1024
const FREE_MAX = 32
const NOTHING = Buffer.alloc(0)
const COMMA = 0x2c
// A byte of text becomes six of JSON at most, `\u0001`.
const GROWTH = 6
/** As many as a row of PostgreSQL can have. */
const COLUMNS_MAX = 1_664

/** Room for a large row while it is written. One of this size is kept for the next. */
const SCRATCH_BYTES = 1024 * 1024
let scratch: Buffer = NOTHING

/** Buffers for reuse. New memory for each list keeps the collector busy, which counts it apart. */
const free: Buffer[] = []

/** Positions of the columns of the row that is written now. A null stops before it starts. */
const starts = new Int32Array(COLUMNS_MAX)
const stops = new Int32Array(COLUMNS_MAX)

/**
 * Rows of a list on their way from the database to the answer: bytes become bytes. A text of every column, or of every row, would
 * cost more than everything else. The JSON can be taken once: as a whole or row by row.
 */
export class JsonRows {
  /** The columns of each row before those of its object: whole numbers, null for SQL null. */
  readonly before: (number | null)[][] = []
  readonly #template: CompiledTemplate
  readonly #full: Buffer[] = []
  #fullLength = 0
  #piece: Buffer = NOTHING
  readonly #target: JsonTarget = { bytes: NOTHING, end: 0 }
  /** The end of each row's object. */
  readonly #ends: number[] = []

  constructor(template: CompiledTemplate) {
    this.#template = template
  }

  /** The objects, separated by commas, between a beginning and an end. */
  take(before: Uint8Array = NOTHING, after: Uint8Array = NOTHING): Buffer {
    this.#finishPiece()
    const taken = Buffer.concat([before, ...this.#full, after])
    for (const piece of this.#full.splice(0)) giveBack(piece)
    return taken
  }

  /** The objects, each as bytes. */
  takeEach(): Buffer[] {
    const json = this.take()
    return this.#ends.map((end, i) => json.subarray(i === 0 ? 0 : (this.#ends[i - 1] ?? 0) + 1, end))
  }

  /** The objects, each as a text. */
  takeTexts(): string[] {
    return this.takeEach().map((json) => json.toString())
  }

  add(row: RawRow) {
    const { bytes } = row
    const { first } = this.#template
    locateColumns(row)
    const before: (number | null)[] = []
    for (let i = 0; i < first; i++) before.push(isNull(i) ? null : wholeNumber(bytes, startOf(i), stopOf(i)))
    this.before.push(before)

    const most = this.#mostBytesOf(row)
    if (most <= PIECE_BYTES) {
      this.#makeRoom(most)
      this.#write(row, this.#target)
    } else {
      // Such a row usually fills a sixth of its room, so it is copied.
      const large = { bytes: scratchOf(most), end: 0 }
      this.#write(row, large)
      this.#append(large.bytes.subarray(0, large.end))
    }
    this.#ends.push(this.#fullLength + this.#target.end)
  }

  #write({ bytes }: RawRow, target: JsonTarget) {
    const { places, end } = this.#template
    if (this.#ends.length > 0) writeByte(COMMA, target)
    for (const place of places) {
      writeAll(place.before, target)
      if ('make' in place) writeMade(place.make(...numbersIn(bytes, place.from)), target)
      else if (isNull(place.column)) writeAll(place.ofNull, target)
      else place.write(bytes, startOf(place.column), stopOf(place.column), target)
    }
    writeAll(end, target)
  }

  #append(json: Buffer) {
    this.#makeRoom(json.length)
    json.copy(this.#piece, this.#target.end)
    this.#target.end += json.length
  }

  #mostBytesOf({ start, end }: RawRow): number {
    const { bytes, repeated } = this.#template
    const ofRepeated = repeated.reduce((sum, column) => sum + stopOf(column) - startOf(column), 0)
    return bytes + GROWTH * (end - start + Math.max(ofRepeated, 0))
  }

  #makeRoom(length: number) {
    if (this.#target.end + length <= this.#piece.length) return
    this.#finishPiece()
    this.#piece = length > PIECE_BYTES ? Buffer.allocUnsafe(length) : (free.pop() ?? Buffer.allocUnsafe(PIECE_BYTES))
    this.#target.bytes = this.#piece
  }

  #finishPiece() {
    const { end } = this.#target
    this.#full.push(this.#piece.subarray(0, end))
    this.#fullLength += end
    this.#piece = NOTHING
    this.#target.bytes = NOTHING
    this.#target.end = 0
  }
}

function scratchOf(length: number): Buffer {
  if (length > SCRATCH_BYTES) return Buffer.allocUnsafe(length)
  if (scratch.length === 0) scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
  return scratch
}

function locateColumns({ bytes, start, count }: RawRow) {
  let at = start
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(at)
    at += 4
    starts[i] = at
    stops[i] = at + length
    if (length > 0) at += length
  }
}

const startOf = (column: number): number => starts[column] ?? 0
const stopOf = (column: number): number => stops[column] ?? 0
const isNull = (column: number): boolean => stopOf(column) < startOf(column)

const numbersIn = (bytes: Buffer, operands: readonly Operand[]): number[] =>
  operands.map(({ column, read }) => (isNull(column) ? 0 : read(bytes, startOf(column), stopOf(column))))

/** Returns a buffer for reuse. Buffers of unusually large rows are left to the collector. */
function giveBack({ buffer }: Buffer) {
  if (buffer.byteLength === PIECE_BYTES && free.length < FREE_MAX) free.push(Buffer.from(buffer))
}
