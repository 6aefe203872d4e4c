import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { operator } from '../api/operator.ts'
import { Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { State, Time } from '../parts/values.tsx'

interface Job {
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
  const key = ['jobs', hash]
  const jobs = useQuery({
    queryKey: [...key, state],
    queryFn: () => operator<Job[]>('GET', `/stores/${hash}/jobs?state=${encodeURIComponent(state)}`),
    refetchInterval: 10_000,
  })
  const change = useAction(
    ({ id, action }: { id: string; action: 'retry' | 'skip' }) =>
      operator('POST', `/stores/${hash}/jobs/${encodeURIComponent(id)}/${action}`),
    { done: 'The job is changed.', refresh: [key] },
  )
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
        <Rows
          head={['Task', 'State', 'Attempts', 'Created', 'How it stands', 'Actions']}
          empty={`No job is ${state}.`}
          rows={jobs.data.map((job) => ({
            key: job.id,
            cells: [
              job.task,
              <State key="state" state={job.state} />,
              job.attempts,
              <Time key="at" at={job.created_at} />,
              job.sentence,
              <Group key="actions" gap="xs" wrap="nowrap">
                {(job.state === 'failed' || job.state === 'held') && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => change.mutate({ id: job.id, action: 'retry' })}
                  >
                    Retry
                  </Button>
                )}
                {job.state === 'held' && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => change.mutate({ id: job.id, action: 'skip' })}
                  >
                    Skip
                  </Button>
                )}
              </Group>,
            ],
          }))}
        />
      ) : (
        <Pending error={jobs.error} />
      )}
    </Page>
  )
}
