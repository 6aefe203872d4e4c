import { Alert, Anchor, Button, Code, Drawer, Group, Select, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Account, operator } from '../api/operator.ts'
import { storeApi } from '../api/store.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { State, Time } from '../parts/values.tsx'

interface Hook {
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

/** The webhooks of all accounts, their deliveries, and events. */
export function WebhooksPage() {
  return (
    <Page title="Webhooks and events" about="Callbacks to the receivers of all accounts of the store">
      <Tabs defaultValue="hooks" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="hooks">Webhooks</Tabs.Tab>
          <Tabs.Tab value="why">Why did an event arrive, or not?</Tabs.Tab>
          <Tabs.Tab value="sample">Publish a sample</Tabs.Tab>
          <Tabs.Tab value="signature">Check a signature</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hooks" pt="md">
          <Hooks />
        </Tabs.Panel>
        <Tabs.Panel value="why" pt="md">
          <Why />
        </Tabs.Panel>
        <Tabs.Panel value="sample" pt="md">
          <Sample />
        </Tabs.Panel>
        <Tabs.Panel value="signature" pt="md">
          <Signature />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Hooks() {
  const { hash = '' } = useParams({ strict: false })
  const { hook: chosen }: { hook?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const hooks = useQuery({ queryKey: ['hooks', hash], queryFn: () => operator<Hook[]>('GET', `/stores/${hash}/hooks`) })
  const accounts = useQuery({
    queryKey: ['accounts', hash],
    queryFn: () => operator<Account[]>('GET', `/stores/${hash}/accounts`),
  })
  const nameOf = (id: string) => accounts.data?.find(({ client_id }) => client_id === id)?.name ?? id
  const open = (id: number | undefined) =>
    navigate({ to: `/stores/${hash}/webhooks`, search: id === undefined ? {} : { hook: String(id) } })
  const hook = hooks.data?.find(({ id }) => String(id) === chosen)
  if (!hooks.data) return <Pending error={hooks.error} />
  return (
    <>
      <Rows
        head={['Id', 'Scope', 'Destination', 'Account', 'State', 'Deliveries']}
        empty="The store has no webhook. An account creates one with POST /v3/hooks."
        rows={hooks.data.map((one) => ({
          key: one.id,
          cells: [
            one.id,
            one.scope,
            <Text key="to" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {one.destination}
            </Text>,
            nameOf(one.client_id),
            <Stack key="state" gap={2}>
              <State state={one.status} />
              {one.reason !== '' && <Text size="xs">{one.reason}</Text>}
              {one.failing_since !== null && (
                <Text size="xs">
                  fails since <Time at={one.failing_since} />
                </Text>
              )}
            </Stack>,
            <Button key="open" size="compact-sm" variant="default" onClick={() => open(one.id)}>
              Deliveries
            </Button>,
          ],
        }))}
      />
      <Drawer
        opened={hook !== undefined}
        onClose={() => open(undefined)}
        position="right"
        size="xl"
        title={hook ? `Webhook ${hook.id}, ${hook.scope}` : ''}
      >
        {hook && <Deliveries hash={hash} hook={hook} />}
      </Drawer>
    </>
  )
}

/** Deliveries are visible to the account that owns the webhook, so the console acts as that account. */
function Deliveries({ hash, hook }: { hash: string; hook: Hook }) {
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
    (hours: number) =>
      api.call('POST', `/v3/hooks/${hook.id}/recover`, {
        body: { since: Math.floor(Date.now() / 1_000) - hours * 3_600 },
      }),
    { done: 'Failed events of this time will be sent again.', refresh: [key] },
  )
  const [hours, setHours] = useState('24')
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {hook.destination}
      </Text>
      <Group>
        <Button variant="default" onClick={() => activate.mutate(!hook.is_active)}>
          {hook.is_active ? 'Switch off' : 'Switch on'}
        </Button>
        <Select
          aria-label="Time"
          w={150}
          allowDeselect={false}
          data={[
            { value: '1', label: 'last hour' },
            { value: '24', label: 'last day' },
            { value: '168', label: 'last week' },
          ]}
          value={hours}
          onChange={(value) => setHours(value ?? '24')}
        />
        <Button variant="default" loading={recover.isPending} onClick={() => recover.mutate(Number(hours))}>
          Resend failed events
        </Button>
      </Group>
      {deliveries.data ? (
        <Rows
          head={['Event', 'Attempt', 'Started', 'Outcome', '']}
          empty="No attempt is recorded here."
          rows={deliveries.data.map((one) => ({
            key: one.id,
            cells: [
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
                {one.excerpt !== null && one.excerpt !== '' && <Code block>{one.excerpt}</Code>}
                {one.next_attempt_at !== null && (
                  <Text size="xs">
                    next attempt <Time at={one.next_attempt_at} />
                  </Text>
                )}
              </Stack>,
              <Button key="resend" size="compact-sm" variant="default" onClick={() => resend.mutate(one.id)}>
                Resend
              </Button>,
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
    </Stack>
  )
}

interface Explanation {
  event: { id: string; scope: string; resource: string; at: string; data: string }
  hooks: { hook_id: number; client_id: string; scope: string; destination: string; verdict: string; sentence: string }[]
}

function Why() {
  const { hash = '' } = useParams({ strict: false })
  const [id, setId] = useState('')
  const explain = useAction(
    () => operator<Explanation>('GET', `/stores/${hash}/events/${encodeURIComponent(id.trim())}`),
    {
      refresh: [],
    },
  )
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
          <Code block>{explain.data.event.data}</Code>
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

function Sample() {
  const { hash = '' } = useParams({ strict: false })
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
        <TextInput
          label="Scope"
          description="A sample of this event is sent to every webhook of the scope. Only test stores have samples."
          required
          value={scope}
          onChange={(event) => setScope(event.currentTarget.value)}
        />
        <Failure error={publish.error} />
        {publish.data && (
          <Alert color="green" title={`The event ${publish.data.id} is published`}>
            <Code block>{JSON.stringify(publish.data.data, null, 2)}</Code>
          </Alert>
        )}
        <Button type="submit" loading={publish.isPending}>
          Publish
        </Button>
      </Stack>
    </form>
  )
}

/** Signs the parts of a callback in the browser and names the part that is wrong. Nothing leaves the page. */
function Signature() {
  const [form, set] = useState({ id: '', timestamp: '', signature: '', secret: '', body: '' })
  const [verdict, setVerdict] = useState<string>()
  const change = (name: keyof typeof form) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    set((all) => ({ ...all, [name]: value }))
  }
  const check = async (event: FormEvent) => {
    event.preventDefault()
    setVerdict(await checkSignature(form))
  }
  return (
    <form onSubmit={check}>
      <Stack maw={720}>
        <Text size="sm">
          Paste the headers and the body of a callback as they arrived, and the client secret of the account. See{' '}
          <Anchor href="/docs/guides/webhooks">the guide</Anchor>.
        </Text>
        <TextInput label="webhook-id" required value={form.id} onChange={change('id')} />
        <TextInput label="webhook-timestamp" required value={form.timestamp} onChange={change('timestamp')} />
        <TextInput label="webhook-signature" required value={form.signature} onChange={change('signature')} />
        <TextInput label="Client secret" required value={form.secret} onChange={change('secret')} />
        <TextInput label="Body" required value={form.body} onChange={change('body')} />
        <Button type="submit">Check</Button>
        {verdict !== undefined && (
          <Alert role="status" title={verdict} color={verdict.startsWith('The signature is right') ? 'green' : 'red'} />
        )}
      </Stack>
    </form>
  )
}

const FIVE_MINUTES_S = 300

type Callback = Record<'id' | 'timestamp' | 'signature' | 'secret' | 'body', string>

/** Names the part of a callback that is wrong. */
async function checkSignature(callback: Callback): Promise<string> {
  const { timestamp, signature, secret, body } = callback
  if (!signature.includes('v1,')) return 'The signature has no part that begins with "v1,".'
  if (!/^\d+$/.test(timestamp)) return 'The timestamp is not a number of seconds.'
  if (await isSigned(callback)) {
    const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
    return age > FIVE_MINUTES_S
      ? 'The signature is right, but the timestamp is older than five minutes: receivers refuse it as a repetition.'
      : 'The signature is right.'
  }
  if (await isSigned({ ...callback, secret: secret.trim() })) return 'The secret has blanks around it.'
  if (await isSigned({ ...callback, body: body.trim() }))
    return 'The body has blanks around it: sign the bytes as they arrived.'
  const printed = printedAgain(body)
  if (printed === undefined) return 'The body is not JSON: it was changed on its way.'
  if (await isSigned({ ...callback, body: printed })) {
    return 'The body was parsed and printed again: sign the bytes as they arrived.'
  }
  return 'The secret, the id, the timestamp or the body is another one.'
}

/** The body as a program prints it after parsing it; undefined if it is not JSON. */
function printedAgain(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}

async function isSigned({ id, timestamp, signature, secret, body }: Callback): Promise<boolean> {
  if (secret === '') return false
  const encode = (text: string) => new TextEncoder().encode(text)
  const key = await crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = await crypto.subtle.sign('HMAC', key, encode(`${id}.${timestamp}.${body}`))
  return signature.split(' ').includes(`v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`)
}
