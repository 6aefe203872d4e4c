import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'
import { Mixed } from './server/test/order.ts'

export default defineConfig({
  // The file that Node takes: of two the library is there twice, and refuses what the other has made.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    include: ['server/**/*.test.ts', 'test/**/*.test.ts'],
    // One PostgreSQL for the run, one database for each worker, fresh stores for each file: 60 files in 9 s instead of 60.
    pool: 'forks',
    isolate: false,
    // One more than the two cores that are promised: a third of the time files wait, for processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: Mixed },
    expect: { poll: { timeout: 20_000 } },
    globalSetup: 'server/test/postgres.ts',
    setupFiles: 'server/test/every-file.ts',
    // What no sound test takes, also on a machine that does eight other things besides.
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
})
