import type { ExampleAnswer } from '../../../../core/rest/document/examples.ts'
import { refusalNames } from '../../../../core/rest/document/openapi.ts'
import { problemBody } from '../../../../core/rest/problem.ts'
import { refusalV2 } from '../../../../core/rest/v2.ts'
import { refusalB2b } from '../../../b2b/grammar/envelope.ts'
import { EXPLANATIONS } from '../errors/explanations.ts'

/**
 * An answer for each refusal of the document, by its name there, in the words of `/docs/errors` and in the forms of the three families. Answers that
 * a test recorded count more.
 */
export const refusalExamples = (docsBase: string): Map<string, ExampleAnswer> =>
  new Map(
    Object.entries(EXPLANATIONS).flatMap(([status, { example }]): [string, ExampleAnswer][] => {
      const names = refusalNames(Number(status))
      if (!names) return []
      const plain = { status: example.status, answer: problemBody(example, docsBase) }
      const { status: statusV2, body: v2 } = refusalV2(example)
      const { status: statusB2b, body: b2b } = refusalB2b(example)
      return [
        [names.v3, plain],
        [names.problem, plain],
        [names.v2, { status: statusV2, answer: v2 }],
        [names.b2b, { status: statusB2b, answer: b2b }],
      ]
    }),
  )
