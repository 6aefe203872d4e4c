import { Alert, Anchor, Code, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { operator, type Store } from '../api/operator.ts'
import { asCurl } from '../api/store.ts'
import { Pending } from '../parts/feedback.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Copied, State } from '../parts/values.tsx'

interface Overview {
  hooks: number
  hooks_off: number
  hooks_failing: number
  jobs_failed: number
  jobs_held: number
  jobs_waiting: number
  /** The last 24 hours. */
  today: {
    requests: number
    errors: number
    p50_ms: number | null
    p99_ms: number | null
    is_cut: boolean
    refusals: { operation: string; status: number; title: string | null; count: number; request_id: string }[]
  }
}

/** The state of a store, and what needs attention there. */
export function OverviewPage() {
  const { hash = '' } = useParams({ strict: false })
  const store = useQuery({ queryKey: ['store', hash], queryFn: () => operator<Store>('GET', `/stores/${hash}`) })
  const overview = useQuery({
    queryKey: ['overview', hash],
    queryFn: () => operator<Overview>('GET', `/stores/${hash}/overview`),
    refetchInterval: 15_000,
  })
  if (!store.data || !overview.data) return <Pending error={store.error ?? overview.error} />
  const { name, state, plan, is_test } = store.data
  const { hooks, hooks_off, hooks_failing, jobs_failed, jobs_held, jobs_waiting, today } = overview.data
  const first = asCurl('GET', hash, '/v3/catalog/products?limit=3')
  return (
    <Page
      title={name || hash}
      about={
        <Group gap="xs">
          <State state={state} /> plan {plan}, {is_test ? 'test store' : 'real store'}, hash <Code>{hash}</Code>
        </Group>
      }
    >
      {hooks_off > 0 && (
        <Alert color="red" title={`${hooks_off} webhooks are switched off`}>
          Their receivers failed for too long.{' '}
          <Anchor component={Link} to={`/stores/${hash}/webhooks`}>
            See the webhooks
          </Anchor>
        </Alert>
      )}
      {jobs_failed + jobs_held > 0 && (
        <Alert color="red" title={`${jobs_failed + jobs_held} jobs failed permanently`}>
          {jobs_held > 0 && `${jobs_held} of them keep others waiting. `}
          <Anchor component={Link} to={`/stores/${hash}/jobs`}>
            See the jobs
          </Anchor>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure label={today.is_cut ? 'The newest requests' : 'Requests of 24 hours'} value={today.requests} />
        <Figure label="Refused ones among them" value={today.errors} />
        <Figure label="Median answer, ms" value={today.p50_ms ?? 0} />
        <Figure label="p99 of answers, ms" value={today.p99_ms ?? 0} />
        <Figure label="Webhooks" value={hooks} />
        <Figure label="Webhooks that fail now" value={hooks_failing} />
        <Figure label="Jobs that wait" value={jobs_waiting} />
        <Figure label="Jobs that failed" value={jobs_failed + jobs_held} />
      </SimpleGrid>
      <Section title="Refused requests">
        <Rows
          head={['How often', 'Status', 'Request', 'Message', 'The newest']}
          empty="No request was refused in the last 24 hours."
          rows={today.refusals.map(({ operation, status, title, count, request_id }) => ({
            key: request_id,
            cells: [
              <Anchor
                key="count"
                aria-label={`Find ${operation} with ${status}`}
                renderRoot={(props) => (
                  <Link {...props} to={`/stores/${hash}/requests`} search={{ operation, status: String(status) }} />
                )}
              >
                {count}
              </Anchor>,
              status,
              <Code key="operation">{operation}</Code>,
              title ?? 'not stored',
              <Anchor
                key="newest"
                component={Link}
                to={`/stores/${hash}/requests/${request_id}`}
                aria-label={`The newest ${operation} with ${status}`}
              >
                open
              </Anchor>,
            ],
          }))}
        />
      </Section>
      <Section title="The first call">
        <Text size="sm">Put the access token of an account into TOKEN, and run:</Text>
        <Copied text={first} />
      </Section>
    </Page>
  )
}

const Figure = ({ label, value }: { label: string; value: number }) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text size="xl" fw={700}>
      {value.toLocaleString()}
    </Text>
  </Paper>
)
