import { describe, expect, test } from 'vitest'
import { regionParts, regionsOf } from './regions.ts'

const regions = (templates: Record<string, string>) =>
  regionsOf(new Map(Object.entries(templates).map(([name, text]) => [name, regionParts(text)])))

describe('the regions of a template', () => {
  test.each([
    ['{{{region name="top"}}}', ['top']],
    ["{{{ region name='top' translation='a.b' }}}", ['top']],
    ['{{region translation="a" name="top"}}', ['top']],
    ['{{{~region name="top"~}}}', ['top']],
    ['{{{region name="a"}}} {{{region name="b--global"}}} {{{region name="a"}}}', ['a', 'b--global']],
    ['{{!-- {{{region name="old"}}} --}}{{{region name="new"}}}', ['new']],
    ['{{! {{{region name="old" }}{{{region name="new"}}}', ['new']],
    ['{{!-- {{{region name="a"}}}', []],
    ['{{{region}}} {{{region name=}}} {{{region name=""}}} {{{regions name="a"}}} {{name="a"}}', []],
    [`{{{region name="${'x'.repeat(255)}"}}}`, ['x'.repeat(255)]],
    [`{{{region name="${'x'.repeat(256)}"}}}`, []],
    ['', []],
  ])('of %j are %j', (text, expected) => {
    expect(regions({ 'pages/home': text })).toEqual({ 'pages/home': expected })
  })

  test('include those of other templates, at the place of the include and once', () => {
    expect(
      regions({
        'pages/home': '{{#partial "page"}}{{{region name="b"}}}{{/partial}}{{> layout/base}}{{{region name="d"}}}',
        'layout/base': '{{{region name="a"}}}{{> components/one }}{{{region name="c"}}}{{> "components/one"}}',
        'components/one': '{{{region name="b"}}}{{{region name="x"}}}{{#> layout/base}}{{/layout/base}}{{> missing}}',
        'pages/empty': '',
      }),
    ).toEqual({ 'pages/empty': [], 'pages/home': ['b', 'a', 'x', 'c', 'd'] })
  })

  test('are at most 1,000', () => {
    const text = Array.from({ length: 1_001 }, (_, i) => `{{{region name="r${i}"}}}`).join('')
    expect(regions({ 'pages/home': text })['pages/home']).toHaveLength(1_000)
  })

  test.each(['{{!--', '{{! ', '{{region ', '{{{region name="', '{{> ', '{{#'])(
    'of a megabyte of %j are found without searching it again and again',
    (piece) => {
      expect(regions({ 'pages/home': piece.repeat(1_048_576 / piece.length) })['pages/home']).toBeDefined()
    },
  )

  test('end where 5,000 templates include each other', () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `components/c${i}`)
    const templates = Object.fromEntries(names.map((name, i) => [name, `{{> components/c${i + 1}}}{{> pages/home}}`]))
    expect(regions({ ...templates, 'pages/home': '{{> components/c0}}{{{region name="last"}}}' })).toEqual({
      'pages/home': ['last'],
    })
  })
})
