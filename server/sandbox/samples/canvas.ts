import { promisify } from 'node:util'
import { constants, crc32, deflate, type ZlibOptions } from 'node:zlib'

export const SIDE = 600

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [number, number, number]

type Point = readonly [x: number, y: number]
type Span = readonly [left: number, right: number]

/** A flat shape, row by row: where it begins and ends at a height, if it is there at all. 0 is the left and the top. */
export type Shape = (y: number) => Span | undefined

export const ellipse =
  (cx: number, cy: number, rx: number, ry: number): Shape =>
  (y) => {
    const d = (y - cy) / ry
    if (Math.abs(d) >= 1) return undefined
    const half = rx * Math.sqrt(1 - d * d)
    return [cx - half, cx + half]
  }

/** @param radius of its corners */
export const roundedBox =
  (radius: number) =>
  (x: number, y: number, width: number, height: number): Shape =>
  (at) => {
    const inside = Math.min(at - y, y + height - at)
    if (inside <= 0) return undefined
    const d = Math.max(0, radius - inside)
    const gap = radius - Math.sqrt(radius * radius - d * d)
    return [x + gap, x + width - gap]
  }

export const box = roundedBox(0)

/** Without dents, or with none that a horizontal line would meet. */
export const polygon = (...points: readonly Point[]): Shape => {
  const edges = points.map((from, i): [Point, Point] => [from, points[(i + 1) % points.length] ?? from])
  return (y) => {
    const crossed = edges.flatMap(([[x0, y0], [x1, y1]]) =>
      y0 <= y !== y1 <= y ? [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)] : [],
    )
    return crossed.length === 0 ? undefined : [Math.min(...crossed), Math.max(...crossed)]
  }
}

/** A straight line of some width. */
export function stroke([x0, y0]: Point, [x1, y1]: Point, width: number): Shape {
  const length = Math.hypot(x1 - x0, y1 - y0)
  const [dx, dy] = [((y1 - y0) / length) * (width / 2), ((x0 - x1) / length) * (width / 2)]
  return polygon([x0 + dx, y0 + dy], [x1 + dx, y1 + dy], [x1 - dx, y1 - dy], [x0 - dx, y0 - dy])
}

/** Each row is looked at this many times, and edges are mixed in as many steps: so they look smooth. */
const STEPS = 4
const COLOURS_MAX = 256

/** A place in the table of colours: an ink, or how much of another one lies over an earlier place. */
interface Mixture<Ink> {
  under: number
  over: Ink
  share: number
}

/**
 * A square picture, painted shape by shape, each over those before it. Its inks have names: their colours are given
 * when the picture is printed, again and again in others, for the price of a table.
 */
export class Canvas<Ink extends string> {
  /** Empty once the picture is compressed: it can't be painted on any more. */
  #rows = Array.from({ length: SIDE }, () => new Uint8Array(SIDE))
  readonly #table: Mixture<Ink>[] = []
  readonly #places = new Map<string, number>()
  #compressed: Promise<Buffer> | undefined

  constructor(background: Ink) {
    this.#placeOf({ under: 0, over: background, share: 1 })
  }

  paint(shape: Shape, ink: Ink) {
    const place = this.#placeOf({ under: 0, over: ink, share: 1 })
    for (const [y, row] of this.#rows.entries()) {
      const spans = Array.from({ length: STEPS }, (_, step) => shape(y + (step + 0.5) / STEPS)).filter(
        (span) => span !== undefined,
      )
      if (spans.length === 0) continue
      const lefts = spans.map(([left]) => left)
      const rights = spans.map(([, right]) => right)
      const [first, last] = [within(Math.floor(Math.min(...lefts))), within(Math.ceil(Math.max(...rights)))]
      // Spans that every look at the row has found are covered wholly; the rest is checked pixel by pixel.
      const isEdge = spans.length < STEPS
      const inner = isEdge ? last : within(Math.ceil(Math.max(...lefts)))
      const outer = isEdge ? last : Math.max(inner, Math.floor(Math.min(...rights)))
      row.fill(place, inner, outer)
      const blend = (x: number) => {
        const share = Math.round(spans.reduce((sum, span) => sum + coverage(span, x), 0)) / STEPS
        if (share > 0) row[x] = share === 1 ? place : this.#placeOf({ under: row[x] ?? 0, over: ink, share })
      }
      for (let x = first; x < inner; x++) blend(x)
      for (let x = outer; x < last; x++) blend(x)
    }
  }

  #placeOf(mixture: Mixture<Ink>): number {
    const key = `${mixture.under} ${mixture.over} ${mixture.share}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    if (this.#table.length === COLOURS_MAX) throw new Error(`A picture has at most ${COLOURS_MAX} colours.`)
    this.#places.set(key, this.#table.length)
    return this.#table.push(mixture) - 1
  }

  /** As a PNG (ISO/IEC 15948): the header, the table of colours, the rows, the end. */
  async png(inks: Readonly<Record<Ink, Colour>>): Promise<Buffer> {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(SIDE, 0)
    header.writeUInt32BE(SIDE, 4)
    header.set([8, 3], 8) // a byte for each pixel, which is a place in the table
    const colours: Colour[] = []
    for (const { under, over, share } of this.#table) colours.push(mix(colours[under] ?? inks[over], inks[over], share))
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(colours.flat())),
      chunk('IDAT', await this.compressed()),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  /** The rows as a PNG has them, for pictures in all colours. */
  compressed(): Promise<Buffer> {
    this.#compressed ??= this.#compress()
    return this.#compressed
  }

  #compress() {
    const unfiltered = Buffer.from([0]) // every row says how it was prepared
    const bytes = Buffer.concat(this.#rows.flatMap((row) => [unfiltered, row]))
    this.#rows = []
    // Areas of one colour: runs compress them as well as the default strategy, in an eighth of its time.
    return compress(bytes, { strategy: constants.Z_RLE })
  }
}

const compress = promisify<Buffer, ZlibOptions, Buffer>(deflate)

const within = (x: number) => Math.min(SIDE, Math.max(0, x))

/** How much of a pixel a span covers. */
const coverage = ([left, right]: Span, x: number) => Math.max(0, Math.min(right, x + 1) - Math.max(left, x))

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A colour between two. @param share of the second, 0 to 1 */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const between = (a: number, b: number) => Math.round(a + (b - a) * share)
  return [between(one[0], other[0]), between(one[1], other[1]), between(one[2], other[2])]
}
