import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['<p>One</p><p>two</p>', 100, 'One two'],
  ['a &lt;b&gt; &amp;amp; &quot;c&quot;&nbsp;d', 100, 'a <b> &amp; "c" d'],
  ['<style>p { color: red }</style>text<script>alert("<p>")</script>', 100, 'text'],
  ['1 < 2 and 3 > 2', 100, '1 2'],
  ['four', 3, 'fou'],
  ['😀😀😀', 2, '😀😀'],
  ['any', 0, ''],
  ['', 120, ''],
])('the plain text of %j in %d characters is %j', (html, characters, text) => {
  expect(plainText(html, characters)).toBe(text)
})

test('the plain text of a large text that never closes its tags is made in linear time', () => {
  const [open, unclosed] = ['<'.repeat(200_000), '<script>'.repeat(20_000)]
  expect(plainText(open, 5)).toBe('<<<<<')
  expect(plainText(unclosed, 5)).toBe('')
})
