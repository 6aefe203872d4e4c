import { type Fork, fork } from './fork.ts'
import { requestsOf } from './with-fork.ts'

/** The part of the information about a test that the fixture uses. */
interface TestInfo {
  status?: string | undefined
  expectedStatus: string
  attach(name: string, options: { body: string; contentType: string }): Promise<void>
}

/**
 * A fixture of Playwright: `test.extend({ shop: forkFixture() })`. Each test that names it has a fork of its own, which is deleted after it. The
 * report of a failed test has its last requests.
 * @param source as of `fork`
 */
export const forkFixture =
  (source?: string) =>
  // Playwright reads the names of other fixtures from this pattern.
  // biome-ignore lint/correctness/noEmptyPattern: this fixture needs no other fixture
  async ({}: object, use: (shop: Fork) => Promise<void>, info: TestInfo): Promise<void> => {
    const shop = await fork(source)
    try {
      await use(shop)
    } finally {
      if (info.status !== info.expectedStatus) {
        await info.attach('requests of the store', { body: requestsOf(shop), contentType: 'text/plain' })
      }
      await shop.free()
    }
  }
