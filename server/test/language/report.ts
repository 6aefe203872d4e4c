import * as language from './language.ts'

// Prints each finding of the language checks: `npm run language -- server/goods`.

const under = process.argv[2] ?? ''
const measures = language.measure(under)
const all = under === '' ? measures : language.measure()

const report = (name: string, found: readonly language.Place[], of?: readonly language.Place[]) => {
  for (const { file, line, text } of found)
    console.log(`${file}:${line}: ${name}: ${text.replaceAll('\n', ' ').slice(0, 160)}`)
  const share = of && of.length > 0 ? ` of ${of.length}, ${((100 * found.length) / of.length).toFixed(1)} %` : ''
  return `${name}: ${found.length}${share}`
}

const summary = [
  report('clause in a comment', measures.sentences.filter(language.hasClause), measures.sentences),
  report('comment begins with a clause', measures.comments.filter(language.beginsWithClause), measures.comments),
  report('clause in a test title', measures.titles.filter(language.hasClause), measures.titles),
  report('clause in a page', measures.pageSentences.filter(language.hasClause), measures.pageSentences),
  report('name with tell', measures.names.filter(language.hasReportingVerb)),
  report(
    '"can not"',
    [...measures.sentences, ...measures.titles, ...measures.pageSentences].filter(language.splitsCannot),
  ),
  report(
    'exported twice',
    language.repeated(all.exports).filter(({ file }) => file.startsWith(under)),
  ),
  report('more than four parameters', measures.longFunctions),
]
console.log(`\n${summary.join('\n')}`)
