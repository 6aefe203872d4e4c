import { expect, test } from 'vitest'
import { textFrom } from './text.ts'

test.each([
  ['words  in\n one line', 'words in one line'],
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['a<br>b<br/>c', 'a\nb\nc'],
  ['<a href="https://a.example/?x=1&amp;y=2">Go</a>', 'Go (https://a.example/?x=1&y=2)'],
  ["<a href='https://a.example'>https://a.example</a>", 'https://a.example'],
  ['<a>nowhere</a> <a href="">nor here</a>', 'nowhere nor here'],
  ['<table><tr><th>Total</th><td>$3</td></tr><tr><td>Tax</td><td>$1</td></tr></table>', 'Total $3\nTax $1'],
  ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['<head><title>t</title><style>p { }</style></head><body>b</body>', 'b'],
  ['a<!-- <p>no</p> -->b<script>x < 1</script>c', 'abc'],
  [
    '&lt;b&gt; &amp;amp; &quot;&#39;&#x27;&apos; &nbsp;&copy; &unknown; &#0;&#99999999;',
    "<b> &amp; \"''' © &unknown; &#99999999;",
  ],
  ['a < b > c', 'a c'],
  ['open <b', 'open'],
  ['', ''],
])('%s becomes %s', (html, text) => {
  expect(textFrom(html)).toBe(`${text}\n`)
})

test.each([
  ['<', 500_000, ''],
  ['<a ', 170_000, ''],
  ['<!--', 125_000, ''],
  ['<a href="', 50_000, ''],
  ['&', 500_000, '&'.repeat(500_000)],
])('%j again and again comes to an end', (piece, times, text) => {
  expect(textFrom(piece.repeat(times)) === `${text}\n`).toBe(true)
})
