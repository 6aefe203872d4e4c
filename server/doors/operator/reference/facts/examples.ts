import { readFileSync } from 'node:fs'
import { packagePath } from '../../../../core/package.ts'
import type { ExampleAnswer } from '../../../../core/rest/document/examples.ts'

/** A line of examples.jsonl. */
export interface Example extends ExampleAnswer {
  /** An operation id, or the name of a refusal among the components of the document. */
  of: string
}

/** The examples of answers that the document shows. test/document/examples.test.ts writes them from answers of a server. */
export function readExamples(): Map<string, Example> {
  const lines = readFileSync(packagePath('examples'), 'utf8').trim().split('\n')
  return new Map(lines.map((line): Example => JSON.parse(line)).map((example) => [example.of, example]))
}

/** The scopes of the events that followed each operation in its transaction, by operation id. The same test writes them. */
export const readPublishedEvents = (): Map<string, string[]> =>
  new Map(Object.entries<string[]>(JSON.parse(readFileSync(packagePath('publishedEvents'), 'utf8'))))
