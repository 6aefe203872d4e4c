import { expect, test } from 'vitest'
import { documentKind, type FileEnds, watchingEnds } from './document-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const kindOf = (file: Buffer) =>
  documentKind({ head: file.subarray(0, 65_536), tail: file.subarray(-65_536), size: file.length })
const wide = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')

test.each<[kind: string | undefined, content: string]>([
  ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['jpg', '\xff\xd8\xff\xe0'],
  ['gif', 'GIF89a\x01\0'],
  ['bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'],
  ['ico', '\0\0\x01\0\x01\0'],
  ['tif', 'II*\0\x08\0'],
  ['tif', 'MM\0*\0\0'],
  ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['pdf', '%PDF-1.7\n'],
  ['docx', 'PK\x03\x04 [Content_Types].xml word/document.xml'],
  ['xlsx', 'PK\x03\x04 [Content_Types].xml xl/workbook.xml'],
  ['doc', `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ${wide('WordDocument')}`],
  ['xls', `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ${wide('Workbook')}`],
  ['wbmp', '\0\0\x09\x02\xff\xff\xff\xff'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
  ['svg', '<?xml version="1.0"?>\n<!-- drawn -->\n<svg width="1">'],
  ['xbm', '#define dot_width 8\n#define dot_height 1\n'],
  ['csv', 'name,price\nTea,4\n'],
  ['csv', '\xef\xbb\xbfname;price\r\n'],
  [undefined, ''],
  [undefined, 'no separator'],
  [undefined, '<html><svg></svg></html>'],
  [undefined, '<!DOCTYPE html><p>a,b</p>'],
  [undefined, '<script>alert(1)</script>,'],
  [undefined, '<?xml version="1.0"?><note/>'],
  [undefined, 'PK\x03\x04 anything else'],
  [undefined, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 anything else'],
  [undefined, '\0\0\x09\x02\xff\xff\xff'],
  [undefined, 'MZ\x90\0,'],
  [undefined, '\x7fELF,'],
])('the kind %s is found by its content', (kind, content) => {
  expect(kindOf(bytes(content))).toBe(kind)
})

test.each([
  [50_000, 50_000, 50_000],
  [150_000],
  [1, 149_000, 999],
  Array.from({ length: 150 }, () => 1_000),
  Array.from({ length: 15_000 }, () => 10),
])('bytes in pieces of %i are passed on, and their ends reported', async (...sizes) => {
  const chunks = sizes.map((size, i) => Buffer.alloc(size, i))
  async function* source() {
    yield* chunks
  }
  const found: FileEnds[] = []
  const passed: Uint8Array[] = []
  for await (const chunk of watchingEnds(source(), (ends) => found.push(ends))) passed.push(chunk)
  const whole = Buffer.concat(chunks)
  expect(Buffer.concat(passed)).toEqual(whole)
  expect(found).toEqual([{ head: whole.subarray(0, 65_536), tail: whole.subarray(-65_536), size: 150_000 }])
})
