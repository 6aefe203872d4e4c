import { describe, expect, test } from 'vitest'
import * as language from './language.ts'
import { beginsWithClause, hasClause, hasReportingVerb, type Place, splitsCannot } from './language.ts'

// How the tree reads. `npm run language -- server/goods` prints the same findings for a folder. The targets are 3 % of the
// sentences of comments, 3 % of the titles, 4 % of the sentences of pages, 1 % of the beginnings, and none of the rest.

const PLACES_MAX = 40

const measures = language.measure()
const { sentences, comments, titles, pageSentences } = measures

/** The places of a finding, as the failure of a test prints them. */
const listed = (places: readonly Place[]) =>
  places
    .slice(0, PLACES_MAX)
    .map(({ file, line, text }) => `${file}:${line}: ${text.replaceAll('\n', ' ').slice(0, 120)}`)
    .concat(places.length > PLACES_MAX ? [`... and ${places.length - PLACES_MAX} more`] : [])
    .join('\n')

/** The least number of places without which the measure has found no files. */
const SOME = 1_000

describe('few', () => {
  test.each([
    { name: 'sentences of comments', of: sentences, isFound: hasClause, percent: 3 },
    { name: 'titles of tests', of: titles, isFound: hasClause, percent: 3 },
    { name: 'sentences of pages', of: pageSentences, isFound: hasClause, percent: 4 },
    { name: 'beginnings of comments', of: comments, isFound: beginsWithClause, percent: 1 },
  ])('$name have a clause in place of a noun: at most $percent %', ({ of, isFound, percent }) => {
    const found = of.filter(isFound)
    expect(of.length).toBeGreaterThan(SOME)
    expect((100 * found.length) / of.length, listed(found)).toBeLessThanOrEqual(percent)
  })
})

describe('no', () => {
  test.each([
    { name: 'name says tell or told', found: measures.names.filter(hasReportingVerb) },
    {
      name: 'sentence splits "cannot"',
      found: [...sentences, ...titles, ...pageSentences].filter(splitsCannot),
    },
    { name: 'exported name has two definitions', found: language.repeated(measures.exports) },
    { name: 'function has more than four positional parameters', found: measures.longFunctions },
  ])('$name', ({ found }) => {
    expect(found.length, listed(found)).toBe(0)
  })
})
