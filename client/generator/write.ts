import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { clientFiles } from './files.ts'

// Writes openapi.json, and after it the generated files of the client: npm run generate [-- --check].

await import('../../server/process/write-openapi.ts')

const document = JSON.parse(readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8'))
for (const [name, fresh] of Object.entries(clientFiles(document))) {
  const path = fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url))
  if (!process.argv.includes('--check')) await writeFile(path, fresh)
  else if (fresh !== readFileSync(path, 'utf8')) {
    console.error(`${path} is stale: run npm run generate`)
    process.exitCode = 1
  }
}
