import type { ApiDocument, Components, DocumentedAnswer } from './document.ts'

/** An answer as the server gave it, with short lists and texts. */
export interface ExampleAnswer {
  status: number
  answer: unknown
}

/** Adds the example of each operation to the answer with its status, and the example of each refusal to its response. */
export function showExamples(
  { paths, components }: { paths: ApiDocument['paths']; components: Components },
  examples: ReadonlyMap<string, ExampleAnswer>,
) {
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const example = examples.get(operation.operationId)
    if (example) show(operation.responses[example.status], example)
  }
  for (const [name, response] of Object.entries(components.responses)) {
    const example = examples.get(name)
    if (example) show(response, example)
  }
}

function show(response: DocumentedAnswer | undefined, { answer }: ExampleAnswer) {
  for (const content of Object.values(response?.content ?? {})) content.example = answer
}
