import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { operator } from '../api/operator.ts'
import { Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { State, Time } from '../parts/values.tsx'

export interface Job {
  id: string
  task: string
  key: string
  state: string
  attempts: number
  created_at: string
  sentence: string
}

const STATES = ['failed', 'held', 'waiting', 'done']

/** The background jobs of a store, each with a sentence on its state. */
export function JobsPage() {
  const { hash = '' } = useParams({ strict: false })
  const { state = 'failed' }: { state?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const jobs = useQuery({
    queryKey: ['jobs', hash, state],
    queryFn: () => operator<Job[]>('GET', `/stores/${hash}/jobs?state=${encodeURIComponent(state)}`),
    refetchInterval: 10_000,
  })
  return (
    <Page
      title="Jobs"
      about="Work that follows a change: mails, captures, refunds, exports. A held job keeps later ones of its key waiting."
    >
      <SegmentedControl
        aria-label="State"
        data={STATES}
        value={state}
        onChange={(value) => navigate({ to: `/stores/${hash}/jobs`, search: { state: value } })}
        maw={420}
      />
      {jobs.data ? (
        <JobRows hash={hash} jobs={jobs.data} empty={`No job is ${state}.`} />
      ) : (
        <Pending error={jobs.error} />
      )}
    </Page>
  )
}

/** Jobs, each with the actions that its state allows. */
export function JobRows({ hash, jobs, empty }: { hash: string; jobs: readonly Job[]; empty: string }) {
  const change = useAction(
    ({ id, action }: { id: string; action: 'retry' | 'skip' }) =>
      operator('POST', `/stores/${hash}/jobs/${encodeURIComponent(id)}/${action}`),
    { done: 'The job is changed.', refresh: [['jobs', hash]] },
  )
  return (
    <Rows
      head={['Task', 'State', 'Attempts', 'Created', 'How it stands', 'Actions']}
      empty={empty}
      rows={jobs.map(({ id, task, state, attempts, created_at, sentence }) => ({
        key: id,
        cells: [
          task,
          <State key="state" state={state} />,
          attempts,
          <Time key="at" at={created_at} />,
          sentence,
          <Group key="actions" gap="xs" wrap="nowrap">
            {(state === 'failed' || state === 'held') && (
              <Button size="compact-sm" variant="default" onClick={() => change.mutate({ id, action: 'retry' })}>
                Retry
              </Button>
            )}
            {state === 'held' && (
              <Button size="compact-sm" variant="default" onClick={() => change.mutate({ id, action: 'skip' })}>
                Skip
              </Button>
            )}
          </Group>,
        ],
      }))}
    />
  )
}
