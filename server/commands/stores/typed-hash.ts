import { createInterface } from 'node:readline'
import type { StoreRecord } from '../../stores/directory/directory.ts'

/**
 * Makes the operator, or a pipe, type the name or the hash of a store.
 * @param texts warning: the sentence before the question; nothing: the sentence of a refusal, such as `Nothing was deleted`
 * @throws Error for any other text
 */
export async function mustType(
  { hash, name }: Pick<StoreRecord, 'hash' | 'name'>,
  { warning, nothing }: { warning: string; nothing: string },
) {
  process.stderr.write(`${warning}\nType its hash or its name to go on: `)
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    if ([hash, name].includes(line.trim())) return
    throw new Error(`${nothing}: the store is called ${hash} or ${name}.`)
  }
  throw new Error(`${nothing}. Without somebody to ask, say --yes.`)
}
