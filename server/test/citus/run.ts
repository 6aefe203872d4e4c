/**
 * `npm run test:citus` runs the suite on a Citus cluster, but for the files that `left-out.ts` names with a reason. `-- --core` runs the core
 * part. Other arguments go to vitest: `-- server/goods`.
 *
 * CITUS_URL is the administrator's URL of a coordinator's database. Without it CITUS_CLUSTER is the path of a program that starts a cluster
 * (`start FOLDER` prints such a URL) and stops it (`stop FOLDER`).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE, LEFT_OUT } from './left-out.ts'

const { CITUS_URL, CITUS_CLUSTER } = process.env
const given = process.argv.slice(2)

if (CITUS_URL !== undefined) process.exitCode = test(CITUS_URL)
else if (CITUS_CLUSTER !== undefined) process.exitCode = withCluster(CITUS_CLUSTER)
else {
  console.error(
    'test:citus needs CITUS_URL, or CITUS_CLUSTER with the path of a program that starts and stops a cluster.',
  )
  process.exitCode = 2
}

function withCluster(program: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'storeward-citus-'))
  try {
    const { status, stdout } = spawnSync(program, ['start', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = stdout.trim().split('\n').at(-1) ?? ''
    if (status === 0) return test(url)
    console.error(`${program} started no cluster.`)
    return 1
  } finally {
    spawnSync(program, ['stop', folder], { stdio: 'inherit' })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs vitest. @returns its exit code */
function test(url: string): number {
  const files = given.flatMap((argument) => (argument === '--core' ? CORE : [argument]))
  const leftOut = Object.keys(LEFT_OUT).flatMap((path) => ['--exclude', path.endsWith('.ts') ? path : `${path}/**`])
  const { status } = spawnSync('npx', ['vitest', 'run', ...files, ...leftOut], {
    stdio: 'inherit',
    env: { ...process.env, TEST_CITUS_URL: url },
  })
  return status ?? 1
}
