import type { TestContext } from 'node:test'
import { type Fork, fork } from './fork.ts'

/** A fork that is deleted after a test of node:test. A failed test prints its last requests. */
export async function forkFor(test: TestContext, source?: string): Promise<Fork> {
  const forked = await fork(source)
  test.after(async () => {
    // Known since Node 21.7; older versions print the requests of no test.
    const hasFailed = 'passed' in test && test.passed === false
    if (hasFailed) for (const request of forked.requests) test.diagnostic(request)
    await forked.free()
  })
  return forked
}
