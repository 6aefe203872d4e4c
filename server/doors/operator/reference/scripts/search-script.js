// Ranks the entries of the search index. It runs on the pages at /docs, and in the tests.

const STOP = new Set(
  'a an and are as at be by can do does for from has have how i if in is it me my of on or our should that the this to us we what when where which who why with you your'.split(
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
const WEIGHTS = { guide: 1.1, operation: 1, error: 0.9, event: 0.8, graphql: 0.7 }

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

/**
 * The best entries for a question. Any of its words is enough; rare words and words of titles count most.
 * @param entries `[kind, title, address, words of the path and the group, other words]`; words are stems with blanks between them
 */
export function search(entries, question, most = 12) {
  const asked = stemsOf(question)
  const fields = entries.map(([, title, , place, rest]) => [
    new Set(stemsOf(title)),
    new Set(place.split(' ')),
    new Set(rest.split(' ')),
  ])
  const scores = entries.map(() => 0)
  const matched = entries.map(() => 0)
  const inTitle = entries.map(() => 0)
  let whole = 0
  const isLast = (word) => word === asked.at(-1)
  for (const word of asked) {
    const variants = [word, SYNONYMS.get(word) ?? word]
    const matches = fields.map(([title, place, rest]) => {
      const isIn = (words) =>
        variants.some((one) => words.has(one)) ||
        (isLast(word) && word.length > 2 && [...words].some((one) => one.startsWith(word)))
      if (isIn(title)) return 8 / Math.sqrt(title.size)
      if (isIn(place)) return 2
      return isIn(rest) ? IN_TEXT : 0
    })
    const found = matches.filter((match) => match > 0).length
    const rarity = Math.log(1 + entries.length / (1 + found))
    whole += rarity
    matches.forEach((match, i) => {
      scores[i] += match * rarity
      if (match > 0) matched[i] += (match > IN_TEXT ? 1 : 0.6) * rarity
      if (match > 2) inTitle[i] += 1
    })
  }
  // An entry with all words of the question is better than one with a word in its title. Rare words say most of the question.
  const share = (i) => (matched[i] / whole) ** 2
  // A question often says more than a title: a title that is asked for as a whole is better than one with a part of the question.
  const cover = (i) => 1 + Math.min(1, inTitle[i] / fields[i][0].size) ** 2
  return (
    entries
      .map((entry, i) => ({ entry, score: scores[i] * share(i) * cover(i) * WEIGHTS[entry[0]] }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      // Events share a page: the best of an address stands for all.
      .filter(({ entry: [, , address] }, i, all) => all.findIndex((one) => one.entry[2] === address) === i)
      .slice(0, most)
      .map(({ entry: [kind, title, address] }) => ({ kind, title, address }))
  )
}
