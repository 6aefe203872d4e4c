import { describe, expect, test } from 'vitest'
import { comparedPath, digestOfPath, isTarget, keyOfPath, readPath } from './paths.ts'

const read = (text: string) => readPath(text, (host) => host === 'shop.example')

describe('the path of a redirect', () => {
  test.each([
    ['/old', '/old'],
    ['old', '/old'],
    ['/old#top', '/old'],
    ['/old?a=1&b=2#top', '/old?a=1&b=2'],
    ['https://shop.example/old?a=1', '/old?a=1'],
    ['HTTP://SHOP.example/Old', '/Old'],
    ['/%zz', '/%zz'],
    ['/?page=2', undefined],
    ['/apiary', '/apiary'],
    [`/${'a'.repeat(2_047)}`, `/${'a'.repeat(2_047)}`],
  ])('%s is stored as %s', (text, path) => {
    expect('path' in read(text) ? Reflect.get(read(text), 'path') : undefined).toBe(path)
  })

  test.each([
    '/',
    'https://shop.example',
    'https://shop.example/',
    '/graphql',
    '/GraphQL/',
    '/api/storefront',
    '/%61pi/storefront',
    '/admin',
    '/administration',
    '/manage/orders',
    '/login/token/abc',
    '/customer/current.jwt',
    'https://other.example/old',
    '//other.example/old',
    '/a\\b',
    '/a\nb',
    '/a%00b',
    '/a%0Ab',
    `/${'a'.repeat(2_048)}`,
  ])('is refused: %j', (text) => {
    expect(read(text)).toEqual({ mistake: expect.any(String) })
  })

  test('is compared decoded, without case and without one slash at its end', () => {
    for (const [one, other] of [
      ['/Old', '/old/'],
      ['/b%C3%BCcher', '/BÜCHER'],
      ['/a%20b?C=1', '/a b/?c=1'],
    ] as const) {
      expect(digestOfPath(one)).toBe(digestOfPath(other))
    }
    for (const [one, other] of [
      ['/old', '/old//'],
      ['/old', '/old?a=1'],
      ['/old?a=1', '/old?a=2'],
      ['/old%zz', '/old'],
    ] as const) {
      expect(digestOfPath(one)).not.toBe(digestOfPath(other))
    }
    expect(comparedPath('/%zz')).toBe('/%zz')
  })

  test('is sorted by its first 500 characters', () => {
    expect(keyOfPath('/Blue')).toBe('/blue')
    expect([...keyOfPath(`/${'😀'.repeat(600)}`)].length).toBe(500)
  })
})

test.each([
  ['/new', true],
  ['/new?a=1#b', true],
  ['https://other.example/new', true],
  ['HTTP://other.example', true],
  ['new', false],
  ['//other.example', false],
  ['/\\other.example', false],
  ['\\\\other.example', false],
  ['javascript:alert(1)', false],
  ['data:text/html,a', false],
  ['https://', false],
  ['/a\nb', false],
  ['/a b', false],
])('whether %j is a target: %s', (url, is) => {
  expect(isTarget(url)).toBe(is)
})
