/**
 * Rules for the statements of the server, so that stores stay apart and a distributed PostgreSQL could run them too
 * (docs/decisions/010-statements-for-several-nodes.md). The suite records its statements, and every file is checked.
 */
export interface SentStatement {
  text: string
  /** Whether the system role sends it, which has no walls. */
  isSystem: boolean
  /** Whether its transaction has set its store before. */
  isWalled: boolean
}

/** Statements that need no store: the frame of a transaction, locks, a sign of life, and the directory of stores. */
const WITHOUT_TABLES =
  /^(begin|commit|rollback|(release |rollback to )?savepoint work|(set local [\w.]+ = \S+;?\s*)+|select|select pg_try_advisory_xact_lock\(.*|truncate ("request_log"\.)?"\w+_\d+"|select name from pg_settings .*|select [^;]* from pg_dist_\w+ [^;]*|[^;]*directory\.\w+[^;]*)$/s

/** The wall, which sets the store for the rest of its transaction. */
const WALL = /^select set_config\('app\.store', \$1, true\).*$/s

/** Reads the statements of a connection in the order in which they are sent, and knows whether they are behind a wall. */
export class WallWatch {
  #isOpen = false
  #isWalled = false

  /** @param texts of one piece @returns those of them that no wall precedes */
  unwalled(texts: readonly string[]): string[] {
    const found: string[] = []
    for (const text of texts) {
      if (/^begin\b/.test(text)) this.#isOpen = true
      if (WALL.test(text)) this.#isWalled = true
      else if (/^(commit|rollback)$/.test(text)) this.#end()
      else if (!this.#isWalled) found.push(text)
    }
    // A piece without `begin` is a transaction.
    if (!this.#isOpen) this.#end()
    return found
  }

  #end() {
    this.#isOpen = false
    this.#isWalled = false
  }
}

/** System statements that recurse or lock across stores. Each is in one function that another engine can replace. */
const ACROSS_STORES: readonly RegExp[] = [
  // People are rows of the installation, in one table on one node.
  /\bfrom directory\.people\b/,
]

const RULES: Readonly<Record<string, (statement: SentStatement, tables: ReadonlySet<string>) => boolean>> = {
  'names the store for each table of a store': ({ text, isSystem }, tables) => {
    const named = tablesIn(text).filter((name) => tables.has(name))
    if (named.length === 0) return isSystem || WITHOUT_TABLES.test(text) || WALL.test(text)
    return isSystem || named.length <= count(text, /\bstore_id\b/g)
  },
  'compares store_id with a parameter': ({ text, isSystem }, tables) =>
    isSystem ||
    !tablesIn(text).some((name) => tables.has(name)) ||
    /\bstore_id\s*=\s*(\$\d|any\(\$\d)/.test(text) ||
    // In an insert, the first column is the store and the first value is the parameter.
    /\binsert into "?\w+"?( as \w+)? \("?store_id"?\b/.test(text),
  'is behind a wall': ({ text, isSystem, isWalled }, tables) =>
    isSystem || isWalled || !tablesIn(text).some((name) => tables.has(name)),
  'is one command': ({ text }) => !/;\s*\S/.test(withoutTexts(text)),
  'sets nothing outside the wall': ({ text }) => !/\bset_config\b/.test(text) || WALL.test(text),
  'inserts what it selects with returning or on conflict': ({ text }) =>
    insertions(text).every(
      (insertion) => !/\bselect\b/.test(insertion) || /\b(returning|on conflict)\b/.test(insertion),
    ),
  'compares no pair with rows of a query': ({ text }) =>
    !/\([\w."]+(,\s*[\w."]+)+\)\s+(not\s+)?in\s*\(\s*select\b/.test(text),
  'selects a column where it asks whether rows exist across stores': ({ text, isSystem }) =>
    !isSystem || !/\bexists\s*\(\s*select\s+from\b/.test(text),
  'neither recurses nor locks across stores': ({ text, isSystem }) =>
    !isSystem ||
    !/\b(recursive|lateral|for update|for no key update)\b/.test(text) ||
    ACROSS_STORES.some((known) => known.test(text)),
  'reads no catalog of PostgreSQL': ({ text }) =>
    // Queries of `core/db` about its own role, the durability of its database, and the tables with rows of stores.
    /\bpg_has_role\b|^select name from pg_settings\b|\bhas_table_privilege\b|\bfrom pg_constraint\b|^select count\(\*\) .* as state from pg_class$/.test(
      text,
    ) || !/\b(pg_(class|proc|settings|roles|tables|index|stat\w*)|information_schema)\b/.test(text),
}

/** The rules that a statement breaks, by name. @param tables the tables of stores */
export const rulesBrokenBy = (statement: SentStatement, tables: ReadonlySet<string>): string[] =>
  Object.entries(RULES)
    .filter(([, holds]) => !holds({ ...statement, text: statement.text.trim() }, tables))
    .map(([name]) => name)

const tablesIn = (text: string) =>
  [...text.matchAll(/\b(?:from|join|into|update)\s+"?(\w+)"?/g)].map(([, name = '']) => name)

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

const withoutTexts = (text: string) => text.replaceAll(/'[^']*'/g, "''")

/** Each insert of a statement, up to the next part of its `with` or to its end. */
function insertions(text: string): string[] {
  return [...text.matchAll(/\binsert into\b/g)].map(({ index }) => {
    let depth = 0
    for (let end = index; end < text.length; end++) {
      if (text[end] === '(') depth++
      if (text[end] === ')' && --depth < 0) return text.slice(index, end)
    }
    return text.slice(index)
  })
}
