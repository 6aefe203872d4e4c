import { type Fork, fork } from './fork.ts'

/**
 * Makes the function of a test, for any test runner: `test('...', withFork(async ({ store }) => { ... }))`. The test has a fork of its own, which
 * is deleted after it. A failed test prints its last requests.
 * @param source as of `fork`
 */
export function withFork(work: (fork: Fork) => unknown, source?: string): () => Promise<void> {
  return async () => {
    const forked = await fork(source)
    try {
      await work(forked)
    } catch (error) {
      console.error(requestsOf(forked))
      throw error
    } finally {
      await forked.free()
    }
  }
}

/** The last requests of a fork, for people. */
export const requestsOf = ({ requests, storeHash }: Fork): string =>
  [`The last requests of the store ${storeHash}:`, ...requests.map((request) => `  ${request}`)].join('\n')
