import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { isObject } from '../../core/objects.ts'
import type { StoredId } from '../../doors/powers/bundles/imports/id-map.ts'
import type { AnswerDifference, OperationCount } from '../../doors/powers/compare/compare.ts'
import { readSecret, table } from '../command.ts'

const PORT = 4_100

interface CompareOptions {
  left: string
  right: string
  rightTokenFile: string
  changes?: true
  ids?: string
  to?: string
  port: number
}

/** `compare`: a proxy that shows the differences between two stores. */
export function compareCommand(program: Command) {
  program
    .command('compare')
    .description('answer requests from one store, send them to another one too, and print the differences')
    .requiredOption('--left <url>', 'the store that answers: https://api.example.com/stores/abc123')
    .requiredOption('--right <url>', 'the store that is compared')
    .requiredOption('--right-token-file <path>', 'a file with an access token of the right store; - for standard input')
    .option('--changes', 'send changes to the right store, too')
    .option('--ids <file>', 'ids of both stores, as "storeward import ids <store> --json" prints them')
    .option('--to <file>', 'write the differences to a file, as lines of JSON')
    .option('--port <port>', 'the port of the proxy', portNumber, PORT)
    .action(async ({ left, right, rightTokenFile, changes, ids, to, port }: CompareOptions) => {
      const [{ startComparison }, { IdPairs }] = await Promise.all([
        import('../../doors/powers/compare/compare.ts'),
        import('../../doors/powers/compare/pairs.ts'),
      ])
      if (to !== undefined) writeFileSync(to, '')
      const comparison = await startComparison({
        left,
        right,
        rightToken: readSecret(rightTokenFile) ?? '',
        changes: changes === true,
        ids: new IdPairs(ids === undefined ? [] : pairsIn(ids)),
        port,
        report: (difference) => {
          if (to !== undefined) appendFileSync(to, `${JSON.stringify(difference)}\n`)
          console.log(textOf(difference))
        },
      })
      console.log(`Use ${comparison.address} in place of ${left}. Ctrl+C ends the comparison.`)
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
      await comparison.close()
      console.log(summaryOf(comparison.counts()))
      if (comparison.skipped() > 0) console.log(`${comparison.skipped()} requests were not compared.`)
    })
}

function portNumber(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be 0 to 65535.')
}

/** @throws Error for a file of another form */
function pairsIn(path: string): StoredId[] {
  const pairs: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Array.isArray(pairs)) throw new Error(`${path} is not a list of ids.`)
  return pairs.filter(isObject).map(({ kind, old_id, new_id }) => ({
    kind: String(kind),
    old_id: String(old_id),
    new_id: String(new_id),
  }))
}

function textOf({ operation, path, status, differences, curl }: AnswerDifference): string {
  const values = differences.map(({ at, left, right }) => `  ${at}: ${JSON.stringify(left)} | ${JSON.stringify(right)}`)
  const statuses = status.left === status.right ? [] : [`  status: ${status.left} | ${status.right ?? 'no answer'}`]
  return [`${operation} (${path})`, ...statuses, ...values, `  ${curl.left}`, `  ${curl.right}`].join('\n')
}

const summaryOf = (counts: ReadonlyMap<string, OperationCount>): string =>
  table(
    ['OPERATION', 'COMPARED', 'DIFFERENT'],
    [...counts].map(([operation, { compared, different }]) => [operation, String(compared), String(different)]),
  )
