import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { operator } from '../../api/operator.ts'
import { queryText } from '../../api/store.ts'
import { Pending } from '../../parts/feedback.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { type Job, JobRows } from '../jobs.tsx'
import { EventList } from '../webhooks/events.tsx'

/** An attempt at a callback. */
interface Callback {
  event_id: string
  scope: string
  hook_id: number
  attempt: number
  started_at: string
  outcome: string | null
  status_code: number | null
  error: string | null
}

/**
 * The events that a request has published, the callbacks of these events, and the jobs that it has enqueued.
 * @param correlationId of the request, or the id of a request without one
 */
export const Effects = ({ hash, correlationId }: { hash: string; correlationId: string }) => (
  <>
    <Section title="Its events">
      <EventList hash={hash} filters={{ correlation_id: correlationId }} />
    </Section>
    <Section title="Callbacks of these events">
      <Callbacks hash={hash} correlationId={correlationId} />
    </Section>
    <Section title="Its jobs">
      <Jobs hash={hash} correlationId={correlationId} />
    </Section>
  </>
)

function Callbacks({ hash, correlationId }: { hash: string; correlationId: string }) {
  const callbacks = useQuery({
    queryKey: ['callbacks', hash, correlationId],
    queryFn: () =>
      operator<Callback[]>('GET', `/stores/${hash}/callbacks${queryText({ correlation_id: correlationId })}`),
  })
  if (!callbacks.data) return <Pending error={callbacks.error} />
  return (
    <Rows
      head={['Started', 'Webhook', 'Scope', 'Attempt', 'Outcome']}
      empty="No callback was sent. Explain an event above to see the reason."
      rows={callbacks.data.map(({ event_id, hook_id, scope, attempt, started_at, outcome, status_code, error }) => ({
        key: `${event_id} ${hook_id} ${attempt}`,
        cells: [
          <Time key="at" at={started_at} />,
          hook_id,
          scope,
          attempt,
          <Stack key="outcome" gap={2}>
            <State state={outcome ?? 'sending'} />
            {[status_code, error].filter((part) => part !== null && part !== '').join(', ')}
          </Stack>,
        ],
      }))}
    />
  )
}

function Jobs({ hash, correlationId }: { hash: string; correlationId: string }) {
  const jobs = useQuery({
    queryKey: ['jobs', hash, correlationId],
    queryFn: () => operator<Job[]>('GET', `/stores/${hash}/jobs${queryText({ correlation_id: correlationId })}`),
  })
  if (!jobs.data) return <Pending error={jobs.error} />
  return <JobRows hash={hash} jobs={jobs.data} empty="The request has left no work for later." />
}
