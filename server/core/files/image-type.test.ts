import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LINEAR_MS, processorMs } from '../../test/servers/processor.ts'
import { gifRefusal, imageType, pixelRefusal } from './image-type.ts'

type Part = string | number | number[]

/** A file from text (one byte for each character), bytes and lists of bytes. */
function file(...parts: Part[]): Uint8Array {
  const lists = parts.map((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part))
  return Uint8Array.from(lists.flat())
}

const little = (...values: number[]) => values.flatMap((value) => [value & 0xff, value >> 8])

const jpeg = file([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0], [0xff, 0xd9])
const chunk = (type: string, data: number[]): Part[] => [[0, 0, 0, data.length], type, data, [0, 0, 0, 0]]
const imageHeader = chunk('IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
const pngMark = '\x89PNG\r\n\x1a\n'
const png = file(pngMark, ...imageHeader, ...chunk('IDAT', [0]), ...chunk('IEND', []))
const icon = file([0, 0, 1, 0, 1, 0], [1, 1, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0], [1, 2, 3, 4])

const screen = (width: number, height: number, flags = 0): Part[] => ['GIF89a', little(width, height), flags, 0, 0]
const picture = [2, 2, 0x44, 0x01, 0]
const frameAt = (...place: [left: number, top: number, width: number, height: number]): Part[] => [
  ',',
  little(...place),
  0,
  picture,
]
const frame = frameAt(0, 0, 1, 1)
const frames = (count: number): Part[] => Array.from({ length: count }, () => frame).flat()
const loop: Part[] = ['!', 0xff, 11, 'NETSCAPE2.0', 3, [1, 0, 0], 0]
const gif = file(...screen(1, 1), ...loop, ...frame, ';')

describe('the type of a picture is known by its content', () => {
  test.each([
    ['a JPEG', jpeg, { extension: 'jpg', mime: 'image/jpeg' }],
    ['a PNG', png, { extension: 'png', mime: 'image/png' }],
    ['a GIF', gif, { extension: 'gif', mime: 'image/gif' }],
    ['a GIF of 1987', file('GIF87a', [...gif.subarray(6)]), { extension: 'gif', mime: 'image/gif' }],
    ['an icon', icon, { extension: 'ico', mime: 'image/x-icon' }],
  ])('%s', async (_, bytes, expected) => {
    expect(await imageType(bytes)).toEqual(expected)
  })
})

describe('no type that a store accepts', () => {
  test.each([
    ['nothing', file()],
    ['text', file('Just a text, long enough to be a header of something.')],
    ['SVG', file('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['SVG with a declaration', file('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', file('<!doctype html><script>alert(1)</script>')],
    ['HTML before a GIF', file('<!-- -->', [...gif])],
    ['a PDF that names a JPEG', file('%PDF-1.7\n', [...jpeg])],
    ['a zip archive', file('PK\x03\x04', [20, 0, 0, 0, 0, 0], [...png])],
    ['WebP', file('RIFF', [26, 0, 0, 0], 'WEBPVP8L', [13, 0, 0, 0, 47, 0, 0, 0, 16, 7, 16, 17, 17, 136, 136, 8])],
    ['BMP', file('BM', [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0], [...icon])],
    ['a cursor', file([0, 0, 2, 0], [...icon.subarray(4)])],
    ['JPEG-LS', file([0xff, 0xd8, 0xff, 0xf7], [...jpeg.subarray(4)])],
    [
      'an animated PNG',
      file(pngMark, ...imageHeader, ...chunk('acTL', [0, 0, 0, 1, 0, 0, 0, 0]), ...chunk('IDAT', [0])),
    ],
    ['a PNG made for telephones', file(pngMark, ...chunk('CgBI', [80, 0, 32, 2]), ...imageHeader)],
    ['a film that begins like an icon', file([0, 0, 1, 0], 'ftypisom', [0, 0, 2, 0], 'isomiso2avc1mp41')],
    ['a GIF behind a byte order mark', file('\xef\xbb\xbf', [...gif])],
    ['a GIF behind an ID3 tag', file('ID3', [4, 0, 0, 0, 0, 0, 0], [...gif])],
    ['a GIF of an unknown version', file('GIF88a', [...gif.subarray(6)])],
    ['an icon without pictures', file([0, 0, 1, 0, 0, 0], [...icon.subarray(6)])],
  ])('%s', async (_, bytes) => {
    expect(await imageType(bytes)).toBeUndefined()
  })

  test.each([
    ['a JPEG', jpeg, 20],
    ['a PNG', png, 33],
    ['a GIF', gif, 13],
    ['an icon', icon, 22],
  ])('%s that ends within its header', async (_, bytes, header) => {
    for (let length = 0; length < header; length += 1) {
      expect(await imageType(bytes.subarray(0, length)), `${length} bytes`).toBeUndefined()
    }
    expect(await imageType(bytes.subarray(0, header))).toBeDefined()
  })
})

describe('an accepted GIF', () => {
  test.each([
    ['has one frame', gif],
    ['has no frame', file(...screen(1, 1), ';')],
    ['has 150 frames', file(...screen(1, 1), ...frames(150), ';')],
    ['is 5120 x 5120', file(...screen(5120, 5120), ...frameAt(0, 0, 5120, 5120), ';')],
    ['has a global table of two colours', file(...screen(1, 1, 0x80), [1, 2, 3, 4, 5, 6], ...frame, ';')],
    ['has a global table of 256 colours', file(...screen(1, 1, 0x87), Array(768).fill(0x2c), ...frame, ';')],
    ['has a local table', file(...screen(1, 1), ',', little(0, 0, 1, 1), 0x81, Array(12).fill(0), 2, 1, 0, 0, ';')],
    ['has marks of blocks in its data', file(...screen(1, 1), '!', 0xfe, 3, ',!;', 0, ...frame, ';')],
    ['has something after its trailer', file(...screen(1, 1), ...frame, ';', '<script>')],
  ])('%s', (_, bytes) => {
    expect(gifRefusal(bytes)).toBeUndefined()
  })
})

const tooMany = 'A GIF may have at most 150 frames; this one has more.'
const tooLarge = (size: string) => `A GIF may have at most 5120 x 5120 pixels; this one has ${size}.`
const damaged = 'The GIF is damaged: its blocks break off before the trailer.'

describe('a refused GIF', () => {
  test.each([
    ['has 151 frames', file(...screen(1, 1), ...frames(151), ';'), tooMany],
    ['is too wide', file(...screen(5121, 1), ...frame, ';'), tooLarge('5121 x 1')],
    ['is too high', file(...screen(1, 5121), ...frame, ';'), tooLarge('1 x 5121')],
    ['has a frame that is too wide', file(...screen(1, 1), ...frameAt(0, 0, 5121, 1), ';'), tooLarge('5121 x 1')],
    ['has a frame that reaches too far', file(...screen(1, 1), ...frameAt(0, 5120, 1, 1), ';'), tooLarge('1 x 5121')],
    ['is empty', file(), damaged],
    ['is something else', png, damaged],
    ['has no trailer', file(...screen(1, 1), ...frame), damaged],
    ['has an unknown block', file(...screen(1, 1), 'x', ...frame, ';'), damaged],
    ['ends within its colours', file(...screen(1, 1, 0x87), [1, 2, 3]), damaged],
    ['ends within a sub-block', file(...screen(1, 1), '!', 0xfe, 200, 'short;'), damaged],
    [
      'is a page in disguise',
      file('GIF89a/*', '<html><script>*/=1;alert(1)</script></html>'),
      tooLarge('10799 x 26684'),
    ],
  ])('%s', (_, bytes, expected) => {
    expect(gifRefusal(bytes)).toBe(expected)
  })

  // The cut file lies in the memory of the whole one: a read past its end would find the trailer.
  test('is cut anywhere', () => {
    for (let length = 0; length < gif.length; length += 1) {
      expect(gifRefusal(gif.subarray(0, length)), `${length} bytes`).toBe(damaged)
    }
  })
})

const big = (...values: number[]) => values.flatMap((value) => [(value >>> 8) & 0xff, value & 0xff])
const long = (...values: number[]) =>
  values.flatMap((value) => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff])
const sizedPng = (width: number, height: number) =>
  file(pngMark, ...chunk('IHDR', [...long(width, height), 8, 0, 0, 0, 0]), ...chunk('IEND', []))
const start = [0xff, 0xd8, 0xff, 0xe0, 0, 16]
const segment = (marker: number, ...data: number[]) => [0xff, marker, ...big(data.length + 2), ...data]
const frameHeader = (width: number, height: number, marker = 0xc0) =>
  segment(marker, 8, ...big(height, width), 1, 1, 0x11, 0)
const sizedJpeg = (...segments: number[][]) =>
  file(start, 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0], segments.flat(), [0xff, 0xd9])
const iconOf = (...pictures: Uint8Array[]) => {
  const directory = 6 + 16 * pictures.length
  const entries = pictures.flatMap((picture, i) => {
    const at = directory + pictures.slice(0, i).reduce((all, { length }) => all + length, 0)
    return [0, 0, 0, 0, 1, 0, 32, 0, ...little(picture.length, 0, at, 0)]
  })
  return file([0, 0, 1, 0], little(pictures.length), entries, ...pictures.map((picture) => [...picture]))
}
const bitmap = (width: number, height: number) =>
  file([40, 0, 0, 0], ...[width, 2 * height].map((side) => [...long(side)].reverse()), [1, 0, 32, 0])

describe('a picture of 50 million pixels is accepted, and none of more', () => {
  test.for([
    ['a PNG', 'png', sizedPng(50_000, 1_000), sizedPng(50_000, 1_001), '50000 x 1001'],
    [
      'a PNG of the largest size there is',
      'png',
      sizedPng(1, 1),
      sizedPng(2 ** 32 - 1, 2 ** 32 - 1),
      '4294967295 x 4294967295',
    ],
    ['a JPEG', 'jpg', sizedJpeg(frameHeader(10_000, 5_000)), sizedJpeg(frameHeader(10_000, 5_001)), '10000 x 5001'],
    [
      'a progressive JPEG behind other segments',
      'jpg',
      sizedJpeg(segment(0xe1, 1, 2, 3), [0xff], segment(0xc4, 9, 9), frameHeader(10_000, 5_000, 0xc2)),
      sizedJpeg(segment(0xe1, 1, 2, 3), [0xff], segment(0xc4, 9, 9), frameHeader(50_000, 50_000, 0xc2)),
      '50000 x 50000',
    ],
    [
      'a JPEG with two headers',
      'jpg',
      sizedJpeg(frameHeader(1, 1), frameHeader(2, 2)),
      sizedJpeg(frameHeader(1, 1), frameHeader(60_000, 60_000)),
      '60000 x 60000',
    ],
    [
      'a JPEG whose pixels look like a header',
      'jpg',
      sizedJpeg(frameHeader(1, 1), segment(0xda, 1), frameHeader(60_000, 60_000)),
      sizedJpeg(frameHeader(60_000, 60_000), segment(0xda, 1)),
      '60000 x 60000',
    ],
    [
      'an icon of a PNG',
      'ico',
      iconOf(sizedPng(256, 256)),
      iconOf(sizedPng(1, 1), sizedPng(8_000, 8_000)),
      '8000 x 8000',
    ],
    ['an icon of a bitmap', 'ico', iconOf(bitmap(256, 256)), iconOf(bitmap(8_000, 8_000)), '8000 x 8000'],
  ] as const)('%s', async ([, extension, accepted, refused, size]) => {
    for (const bytes of [accepted, refused]) expect(await imageType(bytes)).toMatchObject({ extension })
    expect(pixelRefusal(accepted, extension)).toBeUndefined()
    expect(pixelRefusal(refused, extension)).toBe(`A picture may have at most 50000000 pixels; this one has ${size}.`)
  })

  test.each([
    ['a JPEG without a header for its frame', jpeg, 'jpg'],
    [
      'an icon whose pictures lie beyond its end',
      file([0, 0, 1, 0, 1, 0], Array(12).fill(0), [255, 255, 255, 255]),
      'ico',
    ],
  ] as const)('%s has no size', (_, bytes, extension) => {
    expect(pixelRefusal(bytes, extension)).toBeUndefined()
  })
})

const seeds = [jpeg, png, gif, icon]
const mutated = fc
  .record({
    seed: fc.constantFrom(...seeds),
    at: fc.nat(60),
    bytes: fc.uint8Array({ maxLength: 4 }),
    tail: fc.uint8Array(),
  })
  .map(({ seed, at, bytes, tail }) =>
    file([...seed.subarray(0, at)], [...bytes], [...seed.subarray(at + bytes.length)], [...tail]),
  )

test('any bytes have a type or none, and throw nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 5_000 }), mutated), async (bytes) => {
      const type = await imageType(bytes)
      if (type !== undefined) {
        expect(['jpg', 'png', 'gif', 'ico']).toContain(type.extension)
        expect(['string', 'undefined']).toContain(typeof pixelRefusal(bytes, type.extension))
      }
      expect(['string', 'undefined']).toContain(typeof gifRefusal(bytes))
    }),
    { numRuns: 1_000 },
  )
})

test('memory behind the end does not count', () => {
  fc.assert(
    fc.property(mutated, fc.nat(80), (bytes, length) => {
      const part = bytes.subarray(0, length)
      expect(gifRefusal(part)).toBe(gifRefusal(Uint8Array.from(part)))
    }),
  )
})

test.each([
  ['one chain of sub-blocks', file(...screen(1, 1), '!', 0xfe), file(1)],
  ['empty comments', file(...screen(1, 1)), file('!', 0xfe, 0)],
])('8 MiB of %s are walked in no time', async (_, start, filling) => {
  const bytes = Buffer.concat([start, Buffer.alloc(8 * 1024 * 1024, filling)])
  expect(await processorMs(() => expect(gifRefusal(bytes)).toBe(damaged))).toBeLessThan(LINEAR_MS)
})

test.each([
  ['JPEG', jpeg],
  ['PNG', png.subarray(0, 33)],
  ['GIF', gif],
  ['icon', icon],
])('the type of 8 MiB after the header of a %s is known in no time', async (_, header) => {
  const bytes = new Uint8Array(8 * 1024 * 1024)
  bytes.set(header)
  expect(await processorMs(() => imageType(bytes))).toBeLessThan(LINEAR_MS)
})

test.each([
  ['jpg', 'bytes that fill', file(start), file(0xff)],
  ['jpg', 'empty segments', file(start, 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0]), file(0xff, 0xe1, 0, 2)],
  ['ico', 'a directory as long as can be', file([0, 0, 1, 0, 255, 255]), file(Array(16).fill(1))],
] as const)('the size of 8 MiB of a %s with %s is known in no time', async (extension, _, start, filling) => {
  const bytes = Buffer.concat([start, Buffer.alloc(8 * 1024 * 1024, filling)])
  expect(await processorMs(() => expect(pixelRefusal(bytes, extension)).toBeUndefined())).toBeLessThan(LINEAR_MS)
})
