import { type Command, Option } from 'commander'
import { JOB_STATES, type JobState, jobLines, jobsIn, retryFailed, skip } from '../doors/operator/jobs-command.ts'
import { json, print, withInstallation } from './command.ts'

/** `jobs ...`: what is done later, and what failed. */
export function jobCommands(program: Command) {
  const jobs = program.command('jobs').description('what is done later: mails and the like')

  jobs
    .command('list')
    .description('the newest jobs, each with a sentence that says how it stands')
    .addOption(
      new Option('--state <state>', 'held: failed, and others wait for it').choices(JOB_STATES).default('failed'),
    )
    .option('--store <hash>', 'of this store only')
    .option('--limit <number>', 'how many at most', '100')
    .addOption(json)
    .action(async ({ state, store, limit, json }: { state: JobState; store?: string; limit: string; json?: true }) =>
      withInstallation(async (installation) => {
        const list = await jobsIn(installation, { state, store, limit: Number(limit) })
        print(list, json, jobLines(list))
      }),
    )

  jobs
    .command('retry <store> <job-id>')
    .description('try a job again that failed for good')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withInstallation(async (installation) => {
        await retryFailed(installation, hash, id)
        print({ store: hash, id }, json, `The job ${id} will be tried again.`)
      }),
    )

  jobs
    .command('skip <store> <job-id>')
    .description('let others go on that wait for a job that failed for good')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withInstallation(async (installation) => {
        await skip(installation, hash, id)
        print({ store: hash, id }, json, `What waited for the job ${id} goes on.`)
      }),
    )
}
