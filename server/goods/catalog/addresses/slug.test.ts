import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LINEAR_MS, processorMs } from '../../../test/servers/processor.ts'
import { isUrlPath, slug, withSlash } from './slug.ts'

test.each([
  ['a word stays', 'ferm', 'ferm'],
  ['capitals become small', 'Ferm LIVING', 'ferm-living'],
  ['accents are stripped', 'Crème Brûlée', 'creme-brulee'],
  ['accents already apart are stripped', 'Cre\u0300me', 'creme'],
  ['compatible forms are taken apart', 'ﬁne ２ ①', 'fine-2-1'],
  ['a dotted capital I is an i', 'İzmir', 'izmir'],
  ['the Kelvin sign is a k', '\u212A2', 'k2'],
  ['a letter without a base is a gap', 'Søren', 's-ren'],
  ['a run of others is one dash', 'Salt & -- Pepper', 'salt-pepper'],
  ['outer dashes are trimmed', '  --Ferm!? ', 'ferm'],
  ['digits stay', '3M', '3m'],
  ['a slash makes no segment', 'AC/DC', 'ac-dc'],
  ['nothing Latin leaves nothing', '日本語', ''],
  ['blanks leave nothing', '   ', ''],
  ['an empty name leaves nothing', '', ''],
  ['200 characters stay', 'a'.repeat(200), 'a'.repeat(200)],
  ['more are cut', 'a'.repeat(201), 'a'.repeat(200)],
  ['no dash is left at the cut', `${'a'.repeat(199)} b`, 'a'.repeat(199)],
  ['a first dash does not count', `-${'a'.repeat(201)}`, 'a'.repeat(200)],
])('the slug of %s', (_, name, expected) => {
  expect(slug(name)).toBe(expected)
})

test('every slug is empty or a well-formed segment that is its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const made = slug(name)
      expect(made).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
      expect(made === '' || isUrlPath(`/${made}/`)).toBe(true)
      expect(slug(made)).toBe(made)
    }),
  )
})

const segments = (...lengths: number[]) => lengths.map((length) => `/${'a'.repeat(length)}`).join('')

test.each([
  ['a segment between slashes', '/ferm/'],
  ['no trailing slash', '/ferm'],
  ['segments', '/brands/ferm/2024'],
  ['all characters allowed', '/AZaz09-._~%'],
  ['a segment of 1', '/a/'],
  ['a segment of 256', segments(256)],
  ['1,024 in all', segments(255, 255, 255, 255)],
])('a URL may have %s', (_, url) => {
  expect(isUrlPath(url)).toBe(true)
})

test.each([
  ['no characters', ''],
  ['no leading slash', 'ferm/'],
  ['a slash alone', '/'],
  ['an empty first segment', '//ferm/'],
  ['an empty segment inside', '/brands//ferm'],
  ['an empty last segment', '/ferm//'],
  ['a segment of 257', segments(257)],
  ['1,025 in all', `${segments(255, 255, 255, 255)}/`],
  ['a blank', '/ferm living/'],
  ['a line end', '/ferm\n'],
  ['a query', '/ferm?a=1'],
  ['a fragment', '/ferm#a'],
  ['a host', 'https://example.com/ferm/'],
  ['a backslash', '/\\example.com'],
  ['a letter with an accent', '/crème/'],
  ['a letter that is not Latin', '/日本/'],
  ['a null character', '/ferm\0'],
])('a URL must not have %s', (_, url) => {
  expect(isUrlPath(url)).toBe(false)
})

test('a URL of a million characters is refused at once', async () => {
  const url = `${'/a'.repeat(500_000)}!`
  expect(await processorMs(() => expect(isUrlPath(url)).toBe(false))).toBeLessThan(LINEAR_MS)
})

test.each([
  ['/ferm', '/ferm/'],
  ['/ferm/', '/ferm/'],
  ['/brands/ferm', '/brands/ferm/'],
])('a URL is stored with one trailing slash: %s', (url, expected) => {
  expect(withSlash(url)).toBe(expected)
})
