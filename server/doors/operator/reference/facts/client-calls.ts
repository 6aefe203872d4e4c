import { readFileSync } from 'node:fs'
import { packagePath } from '../../../../core/package.ts'

/** The operations that public clients call in the tests: `GET /v3/catalog/brands`. The tests compare the file with their calls (test/port.ts). */
export function readClientCalls(): ReadonlySet<string> {
  const byTest: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(packagePath('clientCalls'), 'utf8'),
  )
  return new Set(Object.values(byTest).flat())
}
