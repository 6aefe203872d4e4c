import fc from 'fast-check'
import Handlebars from 'handlebars'
import { describe, expect, test } from 'vitest'
import { RENDERING } from './bounds.ts'
import type { Translation } from './render.ts'
import { INLINE_HELPERS } from './tree.ts'
import { render, type Work } from './work.ts'

const context = {
  name: 'Robin & <b>Co</b>',
  empty: '',
  zero: 0,
  no: false,
  nothing: null,
  list: [
    { name: 'lamp', tags: ['a', 'b'], total: { value: 3, formatted: '$3' } },
    { name: 'cushion', tags: [], total: null },
  ],
  numbers: [0, 1, 2],
  object: { one: 1, two: 'II' },
  deep: { er: { est: 'yes', name: 'inner' } },
}

const work = (body: string, more: Partial<Work> = {}): Work => ({
  templates: { body: { text: body, prints: 'html' } },
  helpers: INLINE_HELPERS.filter((helper) => helper !== 'lookup'),
  translations: [],
  locale: 'en',
  context,
  bounds: RENDERING,
  ...more,
})

/** The output of a body, or its mistake. */
const html = (body: string, more?: Partial<Work>) => {
  const outcome = render(work(body, more))
  return outcome.ok ? outcome.rendered.outputs.body : outcome.faults
}
/** The output of a template that prints text. */
const plain = (text: string, more?: Partial<Work>) =>
  html('', { ...more, templates: { body: { text, prints: 'text' } } })

/** Supported parts of Handlebars, rendered by Handlebars itself. */
const reference = (body: string) => Handlebars.compile(body)(context)

const PARTS = [
  '{{name}}',
  '{{{name}}}',
  '{{&name}}',
  '{{unknown}}{{un.known.too}}',
  '{{zero}} {{no}} {{nothing}} {{empty}}',
  '{{deep.er.est}} {{deep/er/est}} {{this.name}} {{./name}} {{[name]}} {{"name"}} {{deep.[er].est}}',
  '{{numbers}} {{numbers.length}} {{numbers.[1]}} {{name.length}} {{list.0.name}}',
  '{{object}}',
  '{{#if name}}y{{else}}n{{/if}}{{#if zero}}y{{else}}n{{/if}}{{#if zero includeZero=true}}y{{else}}n{{/if}}',
  '{{#if empty}}y{{/if}}{{#if nothing}}y{{else if no}}m{{else if numbers}}z{{else}}n{{/if}}',
  '{{#unless no}}u{{else}}v{{/unless}}{{^if no}}i{{/if}}{{^if no}}i{{else}}j{{/if}}',
  '{{#each list}}{{@index}}{{@first}}{{@last}}{{@key}}{{name}}{{#each tags}}{{this}}{{@../index}}{{../name}}{{../../zero}}{{@root.zero}};{{else}}none{{/each}}{{/each}}',
  '{{#each object}}{{@key}}={{this}} {{@index}}{{/each}}{{#each numbers}}{{.}}{{/each}}{{#each nothing}}x{{else}}e{{/each}}{{#each name}}x{{else}}e{{/each}}',
  '{{#each list as |item nr|}}{{nr}}{{item.name}}{{#with item.total as |sum|}}{{sum.formatted}}{{value}}{{item.name}}{{else}}-{{/with}}{{/each}}',
  '{{#with deep}}{{er.name}}{{#with er}}{{est}}{{../../name}}{{../er.name}}{{#if est}}{{../er.est}}{{/if}}{{/with}}{{/with}}{{#with nothing}}x{{else}}y{{/with}}',
  '  {{#if name}}\n  in a line of its own\n  {{/if}}\nafter {{~name~}}  trimmed {{! a comment }}{{!-- {{another}} --}}\n',
  '\\{{escaped}} \\\\{{name}} { {name} } }} { ',
  '{{#each list}}{{#each ../numbers}}{{#each ../tags}}{{../../name}}{{/each}}{{/each}}{{/each}}',
  '{{#each numbers}}{{#if this}}{{@index}}{{else}}{{../name}}{{/if}}{{/each}}',
  '{{{{if name}}}} {{raw}} {{{{/if}}}}',
]

describe('supported elements are rendered as by Handlebars', () => {
  test.each(PARTS)('%s', (body) => {
    expect(html(body)).toBe(reference(body))
  })

  test('in any combination', () => {
    const wraps = [
      '{{#if name}}*{{/if}}',
      '{{#each list}}*{{/each}}',
      '{{#with deep}}*{{else}}*{{/with}}',
      '{{#unless no}} * {{/unless}}',
    ]
    const nested = fc.letrec<{ body: string }>((tie) => ({
      body: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...PARTS),
        fc.tuple(fc.constantFrom(...wraps), tie('body')).map(([wrap, inner]) => wrap.replaceAll('*', () => inner)),
        fc.tuple(tie('body'), tie('body')).map(([one, other]) => one + other),
      ),
    })).body
    fc.assert(
      fc.property(nested, (body) => {
        const ours = render(work(body, { bounds: { steps: 1e7, bytes: 1e8, ms: 200 } }))
        // A limit may be exceeded; otherwise the output is the same.
        if (ours.ok) expect(ours.rendered.outputs.body).toBe(reference(body))
        else expect(ours.faults.body).toMatch(/nested more than|more than 2000/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('helpers', () => {
  test.each([
    ['{{eq 1 1}} {{eq name "x"}} {{eq zero false}}', 'true false false'],
    ['{{ne 1 1}} {{ne zero 1}}', 'false true'],
    ['{{gt 2 1}} {{gt 1 1}} {{gt "b" "a"}} {{gt "2" 1}} {{gt nothing 0}}', 'true false true false false'],
    ['{{lt 1 2}} {{lt zero 0}} {{lt list object}}', 'true false false'],
    [
      '{{and name 1}} {{and name zero}} {{or no zero}} {{or no name}} {{not list}} {{not empty}}',
      'true false false true false true',
    ],
    ['{{#if (and (eq deep.er.est "yes") (gt numbers.length 2))}}both{{/if}}', 'both'],
    ['{{#each list}}{{#if (eq name "lamp")}}{{@index}}{{/if}}{{/each}}', '0'],
  ])('%s is %s', (body, expected) => {
    expect(html(body)).toBe(expected)
  })
})

describe('lang', () => {
  const translations: Translation[] = [
    { locale: 'fr-CA', keys: { hello: 'Bonjour-ca {name}' } },
    { locale: 'fr', keys: { hello: 'Bonjour', bye: 'Au revoir {{ name }}' } },
    { locale: 'en', keys: { hello: 'Hello', thanks: 'Thanks {name} {name} {who} {toString}' } },
  ]
  test.each([
    ["{{lang 'hello' name='R'}}", 'fr-ca', 'Bonjour-ca R'],
    ["{{lang 'bye' name='R'}}", 'fr-ca', 'Au revoir R'],
    ["{{lang 'thanks' name='R'}}", 'fr-CA', 'Thanks R R {who} {toString}'],
    ["{{lang 'hello'}}", 'fr-be', 'Bonjour'],
    ["{{lang 'hello'}}", 'de', 'Hello'],
    ["{{lang 'bye'}}", 'de', 'bye'],
    [
      "{{lang 'nowhere'}}{{lang 'constructor'}}{{lang name}}",
      'en',
      'nowhereconstructorRobin &amp; &lt;b&gt;Co&lt;/b&gt;',
    ],
    ["{{lang 'hello' name=name}}", 'fr-ca', 'Bonjour-ca Robin &amp; &lt;b&gt;Co&lt;/b&gt;'],
    ["{{#if (eq (lang 'hello') 'Hello')}}yes{{/if}}", 'en', 'yes'],
    ["{{lang 'hello' name='{name} {{name}}'}}", 'fr-ca', 'Bonjour-ca {name} {{name}}'],
  ])('%s for %s is %s', (body, locale, expected) => {
    expect(html(body, { translations, locale })).toBe(expected)
  })

  test('falls back to the first locale where there is no English', () => {
    expect(html("{{lang 'hello'}}", { translations: translations.slice(0, 2), locale: 'de' })).toBe('Bonjour-ca {name}')
  })
})

describe('a template that prints text', () => {
  test('escapes nothing', () => {
    expect(plain('Hello {{name}}{{#if name}}{{name}}{{/if}}')).toBe('Hello Robin & <b>Co</b>Robin & <b>Co</b>')
  })

  test('may not print raw', () => {
    expect(plain('{{{name}}}')).toEqual({ body: 'line 1, column 1: {{{ }}} may only be used in HTML' })
    expect(plain('ab {{&name}}')).toEqual({ body: 'line 1, column 4: {{{ }}} may only be used in HTML' })
  })
})

describe('lookup', () => {
  const lookup = (text: string) => html(text, { helpers: ['lookup'] })

  test.each([
    '{{lookup list 1}}{{lookup (lookup list 0) "name"}}{{lookup object "two"}}{{lookup name "length"}}',
    '{{#each object}}{{lookup ../object @key}}{{/each}}{{#each (lookup this "numbers")}}{{.}}{{/each}}',
    '{{lookup nothing "a"}}{{lookup unknown "a"}}{{lookup object "toString"}}{{lookup object "constructor"}}{{lookup object "__proto__"}}',
  ])('%s is rendered as by Handlebars', (text) => {
    expect(lookup(text)).toBe(reference(text))
  })

  test('takes two arguments', () => {
    expect(lookup('{{lookup object}}')).toEqual({ body: 'line 1, column 1: lookup needs 2 arguments' })
  })

  test('is the only helper of a work that names no other', () => {
    expect(lookup('{{eq 1 1}}')).toEqual({ body: 'line 1, column 1: there is no helper "eq"' })
  })
})

describe('mistakes are reported with their position', () => {
  test.each([
    ['{{#if order}}', 'line 1, column 14: block if is not closed'],
    ['a\n  {{#each list}}{{#if x}}{{/if}}\n', 'line 3, column 1: block each is not closed'],
    ['{{#if a}}\n{{/each}}', 'line 1, column 4: block if is closed as each'],
    ['{{/if}}', 'line 1, column 1: a block is closed that is not open'],
    ['{{name', 'line 1, column 3: an expression is not closed'],
    ['ab {{na %}}', 'line 1, column 9: an expression is not closed, or has a character that it may not have'],
    ['{{}}', 'line 1, column 3: an expression is not well formed'],
    ['{{a/../b}}', 'line 1, column 3: invalid path: a/..'],
    ['{{> header}}', 'line 1, column 1: partials ({{> name}}) are not supported'],
    ['{{> (lookup a "b")}}', 'line 1, column 1: partials ({{> name}}) are not supported'],
    ['{{#> layout}}x{{/layout}}', 'line 1, column 1: partials ({{> name}}) are not supported'],
    ['{{* log}}', 'line 1, column 1: decorators ({{* name}}) are not supported'],
    ['{{#*inline "x"}}{{/inline}}', 'line 1, column 1: decorators ({{* name}}) are not supported'],
    ['{{money 5}}', 'line 1, column 1: there is no helper "money"'],
    ['{{a.b 5}}', 'line 1, column 1: there is no helper "a.b"'],
    ['\n {{name x=1}}', 'line 2, column 2: there is no helper "name"'],
    ['{{#list}}x{{/list}}', 'line 1, column 1: there is no block helper "list"'],
    ['{{^list}}x{{/list}}', 'line 1, column 1: there is no block helper "list"'],
    ['{{#eq 1 2}}x{{/eq}}', 'line 1, column 1: there is no block helper "eq"'],
    ['{{if name}}', 'line 1, column 1: if is a block: write {{#if ...}}'],
    ['{{#if}}{{/if}}', 'line 1, column 1: #if needs exactly one argument'],
    ['{{#each a b}}{{/each}}', 'line 1, column 1: #each needs exactly one argument'],
    ['{{lang}}', 'line 1, column 1: lang needs 1 argument'],
    ['{{eq 1}}', 'line 1, column 1: eq needs 2 arguments'],
    ['{{and}}', 'line 1, column 1: and needs 1 to 10 arguments'],
    ['{{or 1 1 1 1 1 1 1 1 1 1 1}}', 'line 1, column 1: or needs 1 to 10 arguments'],
    // In the order of the checks, not in that of the text.
    ['{{> header}}\n{{money 5}}', 'line 2, column 1: there is no helper "money"'],
  ])('%s', (body, sentence) => {
    const faults = html(body)
    expect(faults).toEqual({ body: expect.stringContaining(sentence) })
  })
})

describe('the bounds', () => {
  const nested = (depth: number) => `${'{{#if name}}'.repeat(depth)}x${'{{/if}}'.repeat(depth)}`
  const inParentheses = (depth: number) =>
    `{{#if ${'(not '.repeat(depth - 1)}name${')'.repeat(depth - 1)}}}x{{else}}x{{/if}}`
  test.each([
    ['blocks', nested],
    ['parentheses', inParentheses],
  ])('20 levels of %s are rendered, and one more is refused', (_, make) => {
    expect(html(make(20))).toBe('x')
    expect(html(make(21))).toEqual({ body: expect.stringContaining('blocks are nested more than 20 deep') })
  })

  test('an {{else if}} is no further level', () => {
    expect(html(`{{#if no}}0${'{{else if no}}1'.repeat(60)}{{else}}2{{/if}}`)).toBe('2')
  })

  test('2,000 expressions are rendered, and one more is refused', () => {
    // Each counts twice: the output and its value.
    expect(html('{{zero}}'.repeat(1_000))).toBe('0'.repeat(1_000))
    expect(html('{{zero}}'.repeat(1_001))).toEqual({ body: 'the template has more than 2000 expressions' })
  })

  test('512 KiB are printed, and one byte more is refused; they are bytes and not letters', () => {
    const long = { long: 'é'.repeat(1_024) }
    const pages = (count: number) => '{{long}}'.repeat(count)
    expect(html(pages(256), { context: long })).toHaveLength(256 * 1_024)
    expect(html(`${pages(256)}x`, { context: long })).toEqual({ body: 'the output is longer than allowed' })
  })
})

const MANY = Array.from({ length: 60 }, (_, i) => i)

/** Malicious templates (C-093, C-094), each with its outcome. */
const MALICIOUS: readonly (readonly [name: string, body: string, becomes: unknown])[] = [
  ['the constructor', '{{constructor}}', { body: expect.stringContaining("constructor can't be read") }],
  [
    'the constructor of the constructor',
    '{{name.constructor.constructor}}',
    { body: expect.stringContaining("can't be read") },
  ],
  ['in brackets', '{{[constructor]}}', { body: expect.stringContaining("can't be read") }],
  ['as a text', '{{"constructor"}}', { body: expect.stringContaining("can't be read") }],
  ['as data', '{{@root.constructor}}', { body: expect.stringContaining("can't be read") }],
  ['as a context', '{{#with __proto__}}x{{/with}}', { body: expect.stringContaining("__proto__ can't be read") }],
  [
    'as the name of a context',
    '{{#with name as |x|}}{{x.constructor}}{{/with}}',
    { body: expect.stringContaining("can't be read") },
  ],
  ['the prototype', '{{#each list}}{{this.prototype}}{{/each}}', { body: expect.stringContaining("can't be read") }],
  ['a helper on the prototype', '{{toString 1}}', { body: expect.stringContaining('no helper "toString"') }],
  [
    'what every object inherits',
    '{{toString}}{{valueOf}}{{hasOwnProperty}}{{list.map}}{{name.trim}}{{__defineGetter__}}',
    '',
  ],
  ['lookup', '{{lookup this "constructor"}}', { body: expect.stringContaining('no helper "lookup"') }],
  ['log', '{{log "x" level="error"}}', { body: expect.stringContaining('no helper "log"') }],
  [
    'helperMissing',
    '{{helperMissing}}{{#blockHelperMissing list}}{{/blockHelperMissing}}',
    { body: expect.stringContaining('no block helper') },
  ],
  ['the process', '{{process.env.PATH}}{{global.process}}{{globalThis}}{{require}}', ''],
  ['private data', '{{@_parent}}{{@contextPath}}{{@level}}{{@partial-block}}', ''],
  ['a way up out of everything', `{{${'../'.repeat(200)}name}}`, ''],
  [
    'nested blocks',
    '{{#if name}}'.repeat(2_000) + '{{/if}}'.repeat(2_000),
    { body: expect.stringContaining('20 deep') },
  ],
  [
    'nested parentheses',
    `{{not ${'(not '.repeat(5_000)}a${')'.repeat(5_000)}}}`,
    { body: expect.stringContaining('20 deep') },
  ],
  [
    'a long chain',
    `{{#if a}}${'{{else if b}}'.repeat(4_500)}{{/if}}`,
    { body: expect.stringContaining('more than 2000') },
  ],
  ['many names in one path', `{{${'a.'.repeat(30_000)}a}}`, { body: expect.stringContaining('more than 2000') }],
  ['many arguments', `{{lang ${'a '.repeat(30_000)}}}`, { body: expect.stringContaining('more than 2000') }],
  [
    'four loops over 60 things',
    `${'{{#each @root.many}}'.repeat(4)}x${'{{/each}}'.repeat(4)}`,
    { body: expect.stringContaining('more steps') },
  ],
  [
    'three loops that print much',
    `${'{{#each @root.many}}'.repeat(3)}${'x'.repeat(400)}${'{{/each}}'.repeat(3)}`,
    { body: expect.stringContaining('longer than') },
  ],
  [
    'a phrase that grows',
    "{{#each many}}{{#each @root.many}}{{lang 'grow' a=(lang 'grow' a=(lang 'grow' a='x'))}}{{/each}}{{/each}}",
    { body: expect.stringMatching(/more steps|longer than/) },
  ],
]

test.each(MALICIOUS)('a template that wants %s gets nothing (C-093, C-094)', (_, body, becomes) => {
  const translations = [{ locale: 'en', keys: { grow: '{a}'.repeat(60) } }]
  expect(html(body, { translations, context: { ...context, many: MANY } })).toEqual(becomes)
})

test('names that look like parts of JavaScript are data where the context has them', () => {
  const own = { toString: 'text', hasOwnProperty: 'own', valueOf: { deep: 1 } }
  expect(
    html('{{toString}} {{hasOwnProperty}} {{valueOf.deep}} {{object}}', { context: { ...own, object: own } }),
  ).toBe('text own 1 [object Object]')
})

test('phrases that templates name by a text of their own are listed, once', () => {
  const first = "{{lang 's'}}{{lang 'a'}}"
  const second =
    "{{lang 'a'}}{{#if (eq (lang 'b') 1)}}{{lang 'a'}}{{else}}{{lang 'c' x=(lang 'd')}}{{/if}}{{lang name}}"
  const outcome = render({
    ...work(''),
    templates: { first: { text: first, prints: 'text' }, second: { text: second, prints: 'html' } },
    plainTextOf: 'second',
  })
  expect(outcome).toMatchObject({ ok: true, rendered: { phrases: ['s', 'a', 'b', 'c', 'd'] } })
})

test('several templates share their steps, and their mistakes are reported by field', () => {
  const loop = `${'{{#each @root.many}}'.repeat(2)}x${'{{/each}}'.repeat(2)}`
  const templates = { first: { text: loop, prints: 'html' }, second: { text: loop, prints: 'html' } } as const
  const shared = { ...work(''), templates, context: { many: MANY } }
  expect(render({ ...shared, bounds: { ...RENDERING, steps: 20_000 } })).toEqual({
    ok: true,
    rendered: { outputs: { first: 'x'.repeat(3_600), second: 'x'.repeat(3_600) }, plainText: '', phrases: [] },
  })
  expect(render({ ...shared, bounds: { ...RENDERING, steps: 12_000 } })).toEqual({
    ok: false,
    faults: { second: 'rendering takes more steps than allowed' },
  })
  const broken = { first: { text: '{{#if}}', prints: 'html' }, second: { text: '{{> x}}', prints: 'html' } } as const
  expect(render({ ...shared, templates: broken })).toEqual({
    ok: false,
    faults: { first: expect.any(String), second: expect.any(String) },
  })
})
