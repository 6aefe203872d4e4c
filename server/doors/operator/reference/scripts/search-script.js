// Ranks the entries of the search index. It runs on the pages at /docs, and in the tests.

const STOP = new Set(
  'a an and are as at be by can do does find for from has have how i if in is it me my of on or our should that the this to us we what when where which who why with you your'.split(
    ' ',
  ),
)

/** The stem of an English word: plurals and the usual endings are removed. */
const stemOf = (/** @type {string} */ word) => {
  const stem = word
    .replace(/(?:ies)$/, 'y')
    .replace(/(sses|shes|ches|xes)$/, (ending) => ending.slice(0, -2))
    .replace(/([^sui])s$/, '$1')
    .replace(/(?:ations?|ating|ated|ate)$/, 'at')
    .replace(/(?:ings?|ed|er|ion|ment)$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/e$/, '')
  return stem.length < 3 ? word : stem
}

/** Words of newcomers, and the words of this API for them. */
const SYNONYMS = new Map(
  [
    ['auth', 'token'],
    ['rename', 'change'],
    ['login', 'credential'],
    ['signin', 'credential'],
    ['since', 'date'],
    ['newer', 'date'],
    ['yesterday', 'date'],
    ['basket', 'cart'],
    ['photo', 'image'],
    ['picture', 'image'],
    ['subscription', 'webhook'],
    ['callback', 'webhook'],
    ['hook', 'webhook'],
    ['item', 'product'],
    ['stock', 'inventory'],
    ['warehouse', 'location'],
    ['voucher', 'coupon'],
    ['discount', 'promotion'],
    ['seo', 'redirect'],
    ['b2b', 'company'],
    ['paging', 'pagination'],
    ['retry', 'idempotency'],
    ['filter', 'list'],
    ['throttl', 'limit'],
    ['quota', 'limit'],
    ['make', 'create'],
  ].map((pair) => pair.map(stemOf)),
)

/** The weight of a word in a text: long texts contain many words that they are not about. */
const IN_TEXT = 0.4

/** A guide answers a question better than an operation that has the same words. */
const WEIGHTS = { guide: 1.1, operation: 1, error: 0.9, scope: 0.9, event: 0.8, graphql: 0.7 }

/** The stems of a text, each once. */
export const stemsOf = (/** @type {string} */ text) => [
  ...new Set(
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '' && !STOP.has(word))
      .map(stemOf),
  ),
]

/** The id of a heading, as GitHub makes it. */
export const headingId = (/** @type {string} */ heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')

/** Prepared entries: the entries of each stem with the weight of its best place, and the size of each title. */
const prepared = new WeakMap()

function prepare(entries) {
  const known = prepared.get(entries)
  if (known) return known
  const stems = new Map()
  const add = (stem, i, weight) => {
    const matches = stems.get(stem) ?? new Map()
    stems.set(stem, matches)
    if ((matches.get(i) ?? 0) < weight) matches.set(i, weight)
  }
  const sizes = entries.map(([, title, , place, rest], i) => {
    const titled = stemsOf(title)
    for (const stem of titled) add(stem, i, 8 / Math.sqrt(titled.length))
    for (const stem of place.split(' ')) add(stem, i, 2)
    for (const stem of rest.split(' ')) add(stem, i, IN_TEXT)
    return titled.length
  })
  const made = { stems, sizes }
  prepared.set(entries, made)
  return made
}

/** The entries with a word or its synonym, each with the weight of its best place. The last word may be the beginning of a stem. */
function matchesOf(stems, word, isLast) {
  const found = new Map()
  const take = (matches = []) => {
    for (const [i, weight] of matches) if ((found.get(i) ?? 0) < weight) found.set(i, weight)
  }
  take(stems.get(word))
  take(stems.get(SYNONYMS.get(word)))
  if (isLast && word.length > 2) for (const [stem, matches] of stems) if (stem.startsWith(word)) take(matches)
  return found
}

/**
 * The best entries for a question. Any of its words is enough; rare words and words of titles count most.
 * @param entries `[kind, title, address, words of the path and the group, other words, its group or its headings, its scopes]`; words are stems
 *   with blanks between them
 */
export function search(entries, question, most = 12) {
  const { stems, sizes } = prepare(entries)
  const asked = stemsOf(question)
  const scores = new Map()
  let whole = 0
  for (const [position, word] of asked.entries()) {
    const found = matchesOf(stems, word, position === asked.length - 1)
    const rarity = Math.log(1 + entries.length / (1 + found.size))
    whole += rarity
    for (const [i, weight] of found) {
      const score = scores.get(i) ?? { sum: 0, matched: 0, inTitle: 0 }
      scores.set(i, score)
      score.sum += weight * rarity
      score.matched += (weight > IN_TEXT ? 1 : 0.6) * rarity
      if (weight > 2) score.inTitle += 1
    }
  }
  const hits = [...scores].map(([i, { sum, matched, inTitle }]) => {
    // An entry with all words of the question is better than one with a word in its title. Rare words say most of the question.
    const share = (matched / whole) ** 2
    // A question often says more than a title: a title that is asked for as a whole is better than one with a part of the question.
    const cover = 1 + Math.min(1, inTitle / sizes[i]) ** 2
    return { entry: entries[i], score: sum * share * cover * WEIGHTS[entries[i][0]] }
  })
  return hits
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry: [kind, title, address, , , more, scopes] }) => {
      const named = scopes && asksForScope(asked, scopes) ? { scopes } : {}
      if (kind !== 'guide') return { kind, title, address, more: more ?? '', ...named }
      const section = sectionFor(more, title, asked)
      return { kind, title, address: section ? `${address}#${headingId(section)}` : address, more: section ?? '' }
    })
}

/** Whether a question is about scopes: it says so, or names one of these. */
const asksForScope = (asked, scopes) =>
  SCOPE_WORDS.some((word) => asked.includes(word)) ||
  scopes.split(' or ').some((scope) => stemsOf(scope).every((word) => asked.includes(word)))

const SCOPE_WORDS = ['scope', 'permission'].map(stemOf)

/** The heading of a guide with most words of a question, those of the title aside. @returns undefined if no heading has one */
function sectionFor(headings, title, asked) {
  const titled = new Set(stemsOf(title))
  const others = asked.filter((word) => !titled.has(word))
  const counted = headings.map((heading) => {
    const words = new Set(stemsOf(heading))
    return { heading, count: others.filter((word) => words.has(word) || words.has(SYNONYMS.get(word))).length }
  })
  return counted.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count)[0]?.heading
}
