import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { RedirectRow } from '../rows.ts'
import { checkingHeader, headerLine, readRow, readRows, rowsOfRedirects, UnreadableCsv } from './csv.ts'

const HEADER = 'Domain,Old Path,Manual URL/Path,Dynamic Target Type,Dynamic Target ID'

async function rows(text: string | Buffer) {
  const all = []
  for await (const { row, cells } of readRows(Readable.from([Buffer.from(text)]))) all.push([row, ...cells])
  return all
}

async function header(...chunks: (string | Buffer)[]) {
  const passed = []
  for await (const chunk of checkingHeader(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) passed.push(chunk)
  return Buffer.concat(passed).toString()
}

describe('the header of a file is accepted', () => {
  test.each([
    ['as documented', [`${HEADER}\n`]],
    ['without rows and an end of line', [HEADER]],
    ['with a byte order mark', [`\ufeff${HEADER}\r\na,b`]],
    ['in quotes', [`"Domain","Old Path","Manual URL/Path","Dynamic Target Type","Dynamic Target ID"\n`]],
    ['with the sixth column', [`${HEADER},Dynamic Target URL\n`]],
    ['in pieces', ['Dom', 'ain,Old Path,Manual URL/Path,', 'Dynamic Target Type,Dynamic Target ID\r', '\nx']],
  ])('%s', async (_, chunks) => {
    expect(await header(...chunks)).toBe(chunks.join(''))
  })
})

describe('the header of a file is refused', () => {
  test.each([
    ['in another order', ['Old Path,Domain,Manual URL/Path,Dynamic Target Type,Dynamic Target ID\n']],
    ['that lacks a column', ['Domain,Old Path,Manual URL/Path,Dynamic Target Type\n']],
    ['with another column', [`${HEADER},Note\n`]],
    ['in another separator', [`${HEADER.replaceAll(',', ';')}\n`]],
    ['of an empty file', ['']],
    ['of JSON', ['[{"domain":"x"}]']],
    ['of a picture', [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])]],
    ['with a quote that does not end', ['"Domain,Old Path\n']],
    ['in a line of 20 MB', ['x'.repeat(20_000_000)]],
    ['in UTF-16', [Buffer.from(HEADER, 'utf16le')]],
  ])('%s', async (_, chunks) => {
    await expect(header(...chunks)).rejects.toMatchObject({ status: 400 })
  })
})

describe('rows are read', () => {
  test.each([
    [
      'with any end of line, and blank lines count',
      'h\r\na,b\n\n"c","d ""e"""\rf',
      [
        [2, 'a', 'b'],
        [4, 'c', 'd "e"'],
        [5, 'f'],
      ],
    ],
    [
      'with line breaks in quotes',
      'h\n"a\nb",c\nd',
      [
        [2, 'a\nb', 'c'],
        [3, 'd'],
      ],
    ],
    ['with quotes inside of a cell', 'h\na"b,c', [[2, 'a"b', 'c']]],
    ['with U+0000', 'h\na\u0000b', [[2, 'a\u0000b']]],
    ['without any', 'h', []],
  ])('%s', async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected)
  })

  test.each([
    ['a quote that never ends', `h\na\n"b,c\n${'d,e\n'.repeat(5_000)}`, 3],
    ['a short file with a quote that never ends', 'h\na\n"b,c\nd,e\n', 3],
    ['one line of 20 MB', `h\na\n${'x'.repeat(20_000_000)}\nb`, 3],
  ])('up to %s', async (_, text, row) => {
    const read: number[] = []
    const all = async () => {
      for await (const one of readRows(Readable.from([Buffer.from(text)]))) read.push(one.row)
    }
    await expect(all()).rejects.toThrow(UnreadableCsv)
    await expect(all()).rejects.toMatchObject({ row })
    expect(read).toEqual([2, 2])
  })
})

describe('a row', () => {
  const read = (...cells: string[]) => readRow({ row: 2, cells })
  const to = (type: string, entity_id: number, url = '') => ({ type, entity_id, url })
  test.each([
    [['x.example', '/a', '/b', '', ''], { domain: 'x.example', from_path: '/a', to: to('url', 0, '/b') }],
    [['x.example', '/a', '', 'Product', '5'], { domain: 'x.example', from_path: '/a', to: to('product', 5) }],
    [['x.example', '/a', '', ' bRaNd ', ' 7 '], { domain: 'x.example', from_path: '/a', to: to('brand', 7) }],
    [
      ['x.example', '/a', '', 'POST', '9', 'https://x.example/ignored'],
      { domain: 'x.example', from_path: '/a', to: to('post', 9) },
    ],
    [['x.example', "'=a", "'@b", '', ''], { domain: 'x.example', from_path: '=a', to: to('url', 0, '@b') }],
    [['x.example', '=a', '@b', '', ''], { domain: 'x.example', from_path: '=a', to: to('url', 0, '@b') }],
    [['x.example', '', '/b', '', ''], 'The row has no Old Path.'],
    [['x.example', '/a', '', '', ''], 'The row has no target.'],
    [['x.example', '/a', '/b', 'Product', '5'], 'The row has a manual and a dynamic target.'],
    [['x.example', '/a', '', 'Thing', '5'], '"Thing" is no type of targets.'],
    [['x.example', '/a', '', 'constructor', '5'], '"constructor" is no type of targets.'],
    [['x.example', '/a', '', 'Product', 'five'], 'Dynamic Target ID must be an id.'],
    [['x.example', '/a', '', 'Product', '0'], 'Dynamic Target ID must be an id.'],
    [['x.example', '/a', '/b', ''], 'The row has 4 columns, not 5.'],
    [['x.example', '/a', '/b', '', '', '', ''], 'The row has 7 columns, not 5.'],
  ])('%j', (cells, expected) => {
    expect(read(...cells)).toEqual(expected)
  })
})

describe('an export', () => {
  const redirect = (fields: Partial<RedirectRow>): RedirectRow => ({
    id: 1,
    site_id: 1_000,
    from_path: '/a',
    type: 'url',
    entity_id: 0,
    url: '/b',
    ...fields,
  })
  const line = (fields: Partial<RedirectRow>, target?: string) =>
    rowsOfRedirects([{ domain: 'x.example', redirect: redirect(fields), target }])

  test('has the header of an import', () => {
    expect(headerLine(false)).toBe(`${HEADER}\n`)
    expect(headerLine(true)).toBe(`${HEADER},Dynamic Target URL\n`)
  })

  test.each([
    [{}, undefined, 'x.example,/a,/b,,\n'],
    [{ type: 'category', entity_id: 5, url: '' } as const, undefined, 'x.example,/a,,Category,5\n'],
    [
      { type: 'brand', entity_id: 5, url: '' } as const,
      'https://x.example/b/',
      'x.example,/a,,Brand,5,https://x.example/b/\n',
    ],
    [{ from_path: '/a,"b"' }, undefined, 'x.example,"/a,""b""",/b,,\n'],
    [{ from_path: '=1+1', url: '@x' }, undefined, "x.example,'=1+1,'@x,,\n"],
    [{ from_path: '+1', url: '-1' }, undefined, "x.example,'+1,'-1,,\n"],
  ])('writes %j so that a spreadsheet shows text (C-142)', async (fields, target, text) => {
    expect(line(fields, target)).toBe(text)
    const [[, ...cells] = []] = await rows(`h\n${text}`)
    const back = readRow({ row: 2, cells: cells.map(String) })
    const { from_path, type, entity_id, url } = redirect(fields)
    expect(back).toEqual({ domain: 'x.example', from_path, to: { type, entity_id, url } })
  })
})
