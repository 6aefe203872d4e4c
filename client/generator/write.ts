import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { clientFiles, methodFacts } from './files.ts'

// Writes openapi.json, and after it the generated files of the client, with the names of its methods for the reference:
// npm run generate [-- --check].

await import('../../server/process/write-openapi.ts')

const document = JSON.parse(readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8'))
const generated = Object.entries(clientFiles(document)).map(
  ([name, text]) => [`../src/generated/${name}`, text] as const,
)
const facts = '../../server/doors/operator/reference/facts/client-methods.json'
for (const [place, fresh] of [...generated, [facts, methodFacts(document)] as const]) {
  const path = fileURLToPath(new URL(place, import.meta.url))
  if (!process.argv.includes('--check')) await writeFile(path, fresh)
  else if (fresh !== readFileSync(path, 'utf8')) {
    console.error(`${path} is stale: run npm run generate`)
    process.exitCode = 1
  }
}
