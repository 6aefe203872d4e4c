import { defineConfig } from 'vitest/config'
import { temporaryFolder } from './server/test/harness/memory.ts'
import { Mixed } from './server/test/harness/order.ts'

process.env.TMPDIR ??= temporaryFolder()

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'test/**/*.test.ts', 'client/**/*.test.ts', 'testing/**/*.test.ts'],
    // One PostgreSQL for the run, one database for each worker, fresh stores for each file: 60 files in 9 s instead of 60.
    pool: 'forks',
    isolate: false,
    // Node runs the files as it runs the server: the module runner takes a quarter more processor time than that.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // One more than the two cores that are promised: a third of the time files wait, for processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: Mixed },
    expect: { poll: { timeout: 120_000 } },
    globalSetup: 'server/test/harness/postgres.ts',
    setupFiles: 'server/test/harness/every-file.ts',
    // Times that no sound test takes, also on a machine with thirty other jobs.
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
