import { Button, Checkbox, Code, Group, Modal, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { operator } from '../../api/operator.ts'
import { storeApi } from '../../api/store.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/table.tsx'
import { Copied, State, Time } from '../../parts/values.tsx'

const HOUR_MS = 3_600_000

export interface Hook {
  id: number
  client_id: string
  scope: string
  destination: string
  is_active: boolean
  status: string
  reason: string
  failing_since: string | null
}

interface Delivery {
  id: string
  event_id: string | null
  scope: string | null
  attempt: number
  started_at: number
  duration_ms: number | null
  status_code: number | null
  outcome: string | null
  error: string | null
  excerpt: string | null
  next_attempt_at: number | null
}

interface DeliveriesProps {
  hash: string
  hook: Hook
  /** Hears whether a dialog is open above the deliveries. */
  onDialog(isOpen: boolean): void
  onDeleted(): void
}

/** Deliveries are visible to the account that owns the webhook, so the console acts as that account. */
export function Deliveries({ hash, hook, onDialog, onDeleted }: DeliveriesProps) {
  const api = storeApi(hash, hook.client_id)
  const [page, setPage] = useState(1)
  const key = ['deliveries', hash, hook.id]
  const deliveries = useQuery({
    queryKey: [...key, page],
    queryFn: () => api.data<Delivery[]>(`/v3/hooks/${hook.id}/deliveries`, { page, limit: 25 }),
  })
  const resend = useAction((id: string) => api.call('POST', `/v3/hooks/${hook.id}/deliveries/${id}/resend`), {
    done: 'The event will be sent again.',
    refresh: [key],
  })
  const activate = useAction(
    (isActive: boolean) => api.call('PUT', `/v3/hooks/${hook.id}`, { body: { is_active: isActive } }),
    {
      done: 'The webhook is changed.',
      refresh: [['hooks', hash]],
    },
  )
  const recover = useAction(
    (since: Date) =>
      api.call<{ data: { recovered: number } }>('POST', `/v3/hooks/${hook.id}/recover`, {
        body: { since: Math.floor(since.getTime() / 1_000) },
      }),
    { refresh: [key] },
  )
  const resendMany = useAction(
    async (ids: readonly string[]) => {
      for (const id of ids) await api.call('POST', `/v3/hooks/${hook.id}/deliveries/${id}/resend`)
    },
    { done: 'The chosen events will be sent again.', refresh: [key], onDone: () => choose(new Set()) },
  )
  const test = useAction(() => api.call('POST', `/v3/hooks/${hook.id}/test`, { body: {} }), {
    done: 'A test event will be sent.',
    refresh: [key],
  })
  const remove = useAction(() => api.call('DELETE', `/v3/hooks/${hook.id}`), {
    done: 'The webhook is deleted.',
    refresh: [['hooks', hash]],
    onDone: onDeleted,
  })
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setDeleting] = useState(false)
  const [opened, open] = useState<Delivery>()
  useEffect(() => onDialog(isDeleting || opened !== undefined), [isDeleting, opened, onDialog])
  const [since, setSince] = useState('24')
  const [from, setFrom] = useState('')
  const start = since === 'from' ? new Date(from) : new Date(Date.now() - Number(since) * HOUR_MS)
  const hasStart = !Number.isNaN(start.getTime())
  const rows = deliveries.data ?? []
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {hook.destination}
      </Text>
      <Group>
        <Button variant="default" onClick={() => activate.mutate(!hook.is_active)}>
          {hook.is_active ? 'Switch off' : 'Switch on'}
        </Button>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send a test event
        </Button>
        <Button variant="outline" color="red" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </Group>
      <Group align="flex-end">
        <Select
          label="Events that failed since"
          w={180}
          allowDeselect={false}
          data={[
            { value: '1', label: 'the last hour' },
            { value: '24', label: 'the last day' },
            { value: '168', label: 'the last week' },
            { value: 'from', label: 'a moment' },
          ]}
          value={since}
          onChange={(value) => setSince(value ?? '24')}
        />
        {since === 'from' && (
          <TextInput
            label="Moment"
            type="datetime-local"
            description="In the zone of your browser, at most 7 days ago"
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
        )}
        <Button
          variant="default"
          disabled={!hasStart}
          loading={recover.isPending}
          onClick={() => recover.mutate(start)}
        >
          Resend failed events
        </Button>
      </Group>
      <Failure error={recover.error ?? resendMany.error} />
      {recover.data && (
        <Text size="sm" role="status">
          Events without a next attempt will be sent again: {recover.data.body.data.recovered}. Those with a next
          attempt below follow by themselves. Choose them to send them now.
        </Text>
      )}
      {chosen.size > 0 && (
        <Group>
          <Button loading={resendMany.isPending} onClick={() => resendMany.mutate([...chosen])}>
            Resend {chosen.size} chosen
          </Button>
          <Button variant="subtle" onClick={() => choose(new Set())}>
            Clear
          </Button>
        </Group>
      )}
      {deliveries.data ? (
        <Rows
          head={[
            <Checkbox
              key="all"
              aria-label="Choose all attempts of this page"
              checked={rows.length > 0 && rows.every(({ id }) => chosen.has(id))}
              onChange={(event) => choose(new Set(event.currentTarget.checked ? rows.map(({ id }) => id) : []))}
            />,
            'Event',
            'Attempt',
            'Started',
            'Outcome',
            'Actions',
          ]}
          empty="No attempt is recorded here. Send a test event to make the first one."
          rows={rows.map((one) => ({
            key: one.id,
            cells: [
              <Checkbox
                key="choose"
                aria-label={`Choose ${one.id}`}
                checked={chosen.has(one.id)}
                onChange={(event) => {
                  const next = new Set(chosen)
                  if (event.currentTarget.checked) next.add(one.id)
                  else next.delete(one.id)
                  choose(next)
                }}
              />,
              <Stack key="event" gap={0}>
                <Text size="sm">{one.scope ?? 'no longer kept'}</Text>
                <Code>{one.event_id ?? one.id}</Code>
              </Stack>,
              one.attempt,
              <Time key="at" at={one.started_at} />,
              <Stack key="outcome" gap={2}>
                <State state={one.outcome ?? 'sending'} />
                <Text size="xs">
                  {one.status_code === null ? '' : `${one.status_code}, `}
                  {one.duration_ms === null ? '' : `${one.duration_ms} ms`}
                </Text>
                {one.error !== null && <Text size="xs">{one.error}</Text>}
                {one.excerpt !== null && one.excerpt !== '' && (
                  <Code block tabIndex={0} maw={360} mah={120} style={{ overflow: 'auto' }}>
                    {one.excerpt}
                  </Code>
                )}
                {one.next_attempt_at !== null && (
                  <Text size="xs">
                    next attempt <Time at={one.next_attempt_at} />
                  </Text>
                )}
              </Stack>,
              <Group key="actions" gap="xs" wrap="nowrap">
                <Button size="compact-sm" variant="default" onClick={() => resend.mutate(one.id)}>
                  Resend
                </Button>
                {one.event_id !== null && (
                  <Button size="compact-sm" variant="default" onClick={() => open(one)}>
                    Request
                  </Button>
                )}
              </Group>,
            ],
          }))}
        />
      ) : (
        <Pending error={deliveries.error} />
      )}
      <Group>
        <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Newer
        </Button>
        <Button variant="default" disabled={(deliveries.data?.length ?? 0) < 25} onClick={() => setPage(page + 1)}>
          Older
        </Button>
      </Group>
      <Modal opened={isDeleting} onClose={() => setDeleting(false)} title={`Delete webhook ${hook.id}?`}>
        <Text size="sm" mb="md">
          Its deliveries are deleted, too. This can't be undone.
        </Text>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete the webhook
        </Button>
      </Modal>
      {opened && <SentRequest hash={hash} hook={hook} delivery={opened} onClose={() => open(undefined)} />}
    </Stack>
  )
}

/** The request of an attempt. Signatures and the values of own headers are not stored. */
function SentRequest({
  hash,
  hook,
  delivery,
  onClose,
}: {
  hash: string
  hook: Hook
  delivery: Delivery
  onClose(): void
}) {
  const { event_id, attempt, started_at } = delivery
  const own = useQuery({
    queryKey: ['hook', hash, hook.id],
    queryFn: () =>
      storeApi(hash, hook.client_id).data<{ headers: Record<string, string> | null }>(`/v3/hooks/${hook.id}`),
  })
  const event = useQuery({
    queryKey: ['event', hash, event_id],
    queryFn: () => operator<{ payload: string }>('GET', `/stores/${hash}/events/${encodeURIComponent(event_id ?? '')}`),
  })
  const lines = [
    'content-type: application/json; charset=utf-8',
    `webhook-id: ${event_id}`,
    `webhook-timestamp: ${started_at}`,
    'webhook-signature: not stored',
    `x-svc-attempt: ${attempt}`,
    `x-svc-hook-id: ${hook.id}`,
    ...Object.keys(own.data?.headers ?? {}).map((name) => `${name}: not shown`),
  ]
  return (
    <Modal opened onClose={onClose} title={`Attempt ${attempt} at ${event_id}`} size="lg">
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          POST {hook.destination}
        </Text>
        <Title order={3} size="h5">
          Headers
        </Title>
        <Code block tabIndex={0}>
          {lines.join('\n')}
        </Code>
        <Title order={3} size="h5">
          Body
        </Title>
        {event.data ? <Copied text={event.data.payload} /> : <Pending error={event.error} />}
      </Stack>
    </Modal>
  )
}
