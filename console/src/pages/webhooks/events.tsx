import { Alert, Anchor, Autocomplete, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { operator } from '../../api/operator.ts'
import { filled, type Query, queryText } from '../../api/store.ts'
import { useApiIndex } from '../../frame/session.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

interface ListedEvent {
  id: string
  scope: string
  resource: string
  at: string
  data: string
}

/** The events of a store, found by scope and resource. */
export function Events() {
  const { hash = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data: index } = useApiIndex()
  const { scope = '', resource = '' } = search
  const [form, set] = useState({ scope, resource })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate({ to: `/stores/${hash}/webhooks`, search: { tab: 'events', ...filled(form) } })
  }
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <Autocomplete
            label="Scope"
            placeholder="store/order/*"
            w={300}
            maw="100%"
            limit={20}
            data={[...(index?.scopes ?? [])]}
            value={form.scope}
            onChange={(value) => set((all) => ({ ...all, scope: value }))}
          />
          <TextInput
            label="Resource"
            placeholder="order 7"
            value={form.resource}
            onChange={(event) => {
              const { value } = event.currentTarget
              set((all) => ({ ...all, resource: value }))
            }}
          />
          <Button type="submit" variant="default">
            Search
          </Button>
        </Group>
      </form>
      <EventList key={`${scope} ${resource}`} hash={hash} filters={{ scope, resource }} />
    </Stack>
  )
}

/** The newest events that match, with a link to the outcome of each at the webhooks. */
export function EventList({ hash, filters }: { hash: string; filters: Query }) {
  const [before, setBefore] = useState<number>()
  const events = useQuery({
    queryKey: ['events', hash, filters, before],
    queryFn: () =>
      operator<{ events: ListedEvent[]; older: number | null }>(
        'GET',
        `/stores/${hash}/events${queryText({ ...filters, before })}`,
      ),
  })
  if (!events.data) return <Pending error={events.error} />
  const { older } = events.data
  return (
    <Stack>
      <Rows
        head={['When', 'Scope', 'Resource', 'Data', 'At the webhooks']}
        empty={
          older === null
            ? 'No event of the last 30 days matches. A change by the API publishes one.'
            : 'None of the newest 10,000 events matches. Older ones can be searched.'
        }
        rows={events.data.events.map((event) => ({
          key: event.id,
          cells: [
            <Time key="at" at={event.at} />,
            event.scope,
            event.resource,
            <Code key="data" style={{ overflowWrap: 'anywhere' }}>
              {event.data.slice(0, 160)}
            </Code>,
            <Anchor
              key="why"
              aria-label={`Explain ${event.id}`}
              renderRoot={(props) => (
                <Link {...props} to={`/stores/${hash}/webhooks`} search={{ tab: 'why', event: event.id }} />
              )}
            >
              explain
            </Anchor>,
          ],
        }))}
      />
      <Group>
        <Button variant="default" disabled={older === null} onClick={() => older !== null && setBefore(older)}>
          Older
        </Button>
        {before !== undefined && (
          <Button variant="default" onClick={() => setBefore(undefined)}>
            Newest
          </Button>
        )}
      </Group>
    </Stack>
  )
}

interface Explanation {
  event: { id: string; scope: string; resource: string; at: string; data: string }
  hooks: { hook_id: number; client_id: string; scope: string; destination: string; verdict: string; sentence: string }[]
}

/** Explains an event by its id: its outcome at each webhook. */
export function Why() {
  const { hash = '' } = useParams({ strict: false })
  const { event: named = '' }: { event?: string } = useSearch({ strict: false })
  const [id, setId] = useState(named)
  const explain = useAction(
    () => operator<Explanation>('GET', `/stores/${hash}/events/${encodeURIComponent(id.trim())}`),
    {
      refresh: [],
    },
  )
  const { mutate } = explain
  useEffect(() => {
    if (named !== '') mutate()
  }, [named, mutate])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    explain.mutate()
  }
  return (
    <Stack maw={800}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label="Id of the event"
            description="The webhook-id of a callback, such as evt_01ARZ3NDEKTSV4RRFFQ69G5FAV"
            required
            w={360}
            maw="100%"
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
          />
          <Button type="submit" loading={explain.isPending}>
            Explain
          </Button>
        </Group>
      </form>
      <Failure error={explain.error} />
      {explain.data && (
        <>
          <Text size="sm">
            {explain.data.event.scope}, <Time at={explain.data.event.at} />
          </Text>
          <Code block tabIndex={0}>
            {explain.data.event.data}
          </Code>
          <Rows
            head={['Webhook', 'Destination', 'Outcome']}
            empty="The store has no webhook."
            rows={explain.data.hooks.map(({ hook_id, scope, destination, verdict, sentence }) => ({
              key: hook_id,
              cells: [`${hook_id}, ${scope}`, destination, `${verdict}. ${sentence}`],
            }))}
          />
        </>
      )}
    </Stack>
  )
}

/** Publishes a sample of any event. */
export function Sample() {
  const { hash = '' } = useParams({ strict: false })
  const { data: index } = useApiIndex()
  const [scope, setScope] = useState('store/order/created')
  const publish = useAction(
    () => operator<{ id: string; scope: string; data: object }>('POST', `/stores/${hash}/events`, { scope }),
    {
      refresh: [],
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    publish.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={600}>
        <Autocomplete
          label="Scope"
          limit={20}
          data={[...(index?.scopes ?? [])]}
          description="A sample of this event is sent to every webhook of the scope. Only test stores have samples."
          required
          value={scope}
          onChange={setScope}
        />
        <Failure error={publish.error} />
        {publish.data && (
          <Alert color="green" title={`The event ${publish.data.id} is published`}>
            <Code block tabIndex={0}>
              {JSON.stringify(publish.data.data, null, 2)}
            </Code>
          </Alert>
        )}
        <Button type="submit" loading={publish.isPending}>
          Publish
        </Button>
      </Stack>
    </form>
  )
}
