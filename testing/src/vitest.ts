import { type Fork, fork } from './fork.ts'
import { startServer } from './server.ts'
import { requestsOf } from './with-fork.ts'

/** The set-up of a vitest run: `globalSetup: '@storeward/testing/vitest'`. Playwright calls it, too. @returns the tear-down */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.STOREWARD_URL !== undefined) return async () => {}
  const command = process.env.STOREWARD_COMMAND?.split(' ')
  const server = await startServer(command ? { command } : {})
  process.env.STOREWARD_URL = server.url
  process.env.STOREWARD_OPERATOR_KEY = server.operatorKey
  return server.stop
}

/** The part of the context of a test that the fixture uses. */
interface Context {
  onTestFailed(listener: () => void): void
}

/**
 * A fixture of vitest: `test.extend({ shop: forkFixture() })`. Each test that names it has a fork of its own, which is deleted after it. A failed
 * test prints its last requests.
 * @param source as of `fork`
 */
export const forkFixture =
  (source?: string) =>
  async ({ onTestFailed }: Context, use: (shop: Fork) => Promise<void>): Promise<void> => {
    const shop = await fork(source)
    onTestFailed(() => console.error(requestsOf(shop)))
    try {
      await use(shop)
    } finally {
      await shop.free()
    }
  }
