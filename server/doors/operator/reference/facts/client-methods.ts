import { readFileSync } from 'node:fs'
import { packagePath } from '../../../../core/package.ts'
import type { ClientMethods } from '../operations.ts'

/** Names of methods by operation id, as the generator of the client writes them. */
type Written = Readonly<Record<'one' | 'rows', Readonly<Record<string, string>>>>

/** The methods of the typed client by operation id. */
export function readClientMethods(): ClientMethods {
  const { one, rows }: Written = JSON.parse(readFileSync(packagePath('clientMethods'), 'utf8'))
  const listed = (names: Written['one'], result: 'one' | 'rows') =>
    Object.entries(names).map(([operationId, name]) => [operationId, { name, result }] as const)
  return Object.fromEntries([...listed(one, 'one'), ...listed(rows, 'rows')])
}
