/** A refusal inside an answer with status 200, with the code that clients look for. */
export class GraphRefusal extends Error {
  readonly extensions: Readonly<Record<string, unknown>>

  constructor(sentence: string, code: string | number, more: Record<string, unknown> = {}) {
    super(sentence)
    this.extensions = { code, ...more }
  }
}
