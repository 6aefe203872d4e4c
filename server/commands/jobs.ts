import { type Command, Option } from 'commander'
import { JOB_STATES, type JobState, jobLines, jobsIn, retryFailed, skip } from '../doors/operator/jobs-command.ts'
import { json, print, withInstallation } from './command.ts'

interface JobOptions {
  correlation?: string
  state?: JobState
  store?: string
  limit: string
  json?: true
}

/** `jobs ...`: background jobs and their failures. */
export function jobCommands(program: Command) {
  const jobs = program.command('jobs').description('background jobs, such as mails')

  jobs
    .command('list')
    .description('list the newest jobs, each with its state in a sentence')
    .addOption(
      new Option('--state <state>', 'failed if not given; held: failed, and others wait for it').choices(JOB_STATES),
    )
    .option('--store <hash>', 'jobs of this store only')
    .option(
      '--correlation <id>',
      'jobs in any state that follow from requests with this correlation id, or from this request',
    )
    .option('--limit <number>', 'the maximum number of jobs', '100')
    .addOption(json)
    .action(async ({ correlation, state, store, limit, json }: JobOptions) =>
      withInstallation(async (installation) => {
        const wanted = state ?? (correlation === undefined ? 'failed' : undefined)
        const list = await jobsIn(installation, { state: wanted, store, limit: Number(limit), correlation })
        print(list, json, jobLines(list))
      }),
    )

  jobs
    .command('retry <store> <job-id>')
    .description('retry a job that failed permanently')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withInstallation(async (installation) => {
        await retryFailed(installation, hash, id)
        print({ store: hash, id }, json, `The job ${id} will be tried again.`)
      }),
    )

  jobs
    .command('skip <store> <job-id>')
    .description('skip a job that failed permanently, so that others continue')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withInstallation(async (installation) => {
        await skip(installation, hash, id)
        print({ store: hash, id }, json, `The jobs behind the job ${id} continue.`)
      }),
    )
}
