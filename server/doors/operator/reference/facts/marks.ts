/** The sources of the rules of a page of docs/contract: how many rules have each mark (docs/contract/README.md section 1). */
interface Marks {
  /** The founding document says so. */
  spec: number
  /** Public documentation, or the source of a public client, says so. */
  documented: number
  /** Neither decides. */
  ours: number
  /** Rows of tables with marks that have none. */
  unmarked: string[]
}

/** The headings of columns with marks. */
const MARKED: ReadonlySet<string> = new Set(['Tag', 'Source'])
/** Sections whose tables list operations and examples, and no rules. */
const WITHOUT_RULES = /^## (At a glance|About this page|Examples?)\b/

/** Counts the marks of the tables of a page. A row may have several; a row of a table without a column for marks is documented unless it says otherwise. */
export function marksOf(text: string): Marks {
  const marks: Marks = { spec: 0, documented: 0, ours: 0, unmarked: [] }
  let headings: string[] | undefined
  let hasRules = true
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) hasRules = !WITHOUT_RULES.test(line)
    if (!line.startsWith('|')) headings = undefined
    else if (headings === undefined) headings = cellsOf(line)
    else if (hasRules && !/^\|[-: |]+\|$/.test(line)) countRow(marks, line, headings)
  }
  return marks
}

function countRow(marks: Marks, line: string, headings: readonly string[]) {
  const hasColumn = MARKED.has(headings.at(-1) ?? '')
  const place = hasColumn ? (cellsOf(line).at(-1) ?? '') : line
  const isSpec = hasColumn ? /\[spec\]|\bspec\b|\bS\b/.test(place) : /\[spec\]/.test(place)
  const isOurs = hasColumn ? /our choice|\bC\b/.test(place) : /\[our choice\]|\(our choice|\(C\)/.test(place)
  // A cell may also name a ruling, a standard or another section.
  const isDocumented = /public docs|\[(public )?clients?\]|\bP3?\b/.test(place) || (place !== '' && !isSpec && !isOurs)
  if (isSpec) marks.spec++
  if (isDocumented) marks.documented++
  if (isOurs) marks.ours++
  if (!isSpec && !isDocumented && !isOurs) marks.unmarked.push(line)
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
