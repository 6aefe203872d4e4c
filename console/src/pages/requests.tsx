import { Anchor, Button, Checkbox, Code, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Account, operator } from '../api/operator.ts'
import { asCurl, queryText } from '../api/store.ts'
import { useSession } from '../frame/session.ts'
import { Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Copied, Time } from '../parts/values.tsx'

interface RequestLine {
  request_id: string
  correlation_id: string | null
  at: string
  client_id: string | null
  person: string | null
  operation: string
  path: string
  status: number
  ms: number
  statements: number
  statement_ms: number
  address: string
  agent: string | null
  request_bytes: number | null
  answer_bytes: number | null
}

interface WholeRequest extends RequestLine {
  request_body: string | null
  answer_body: string | null
}

const LIMIT = 50
const FOLLOW_MS = 1_000
const FIELDS = [
  ['path', 'Words of the path', 'brands page=2'],
  ['operation', 'Operation', 'GET /v3/catalog/brands'],
  ['status', 'Status', '404'],
  ['client_id', 'Client id', ''],
  ['person', 'Person', 'ada@example.com'],
  ['request_id', 'Request id', ''],
  ['correlation_id', 'Correlation id', ''],
] as const

const methodOf = (operation: string) => operation.split(' ', 1)[0] ?? ''

/** The requests of a store, found by what is known of them, and followed as they come. */
export function RequestsPage() {
  const { hash = '' } = useParams({ strict: false })
  const { follow, ...search }: Record<string, string> = useSearch({ strict: false })
  const { person } = useSession()
  const navigate = useNavigate()
  const [form, set] = useState<Record<string, string>>(search)
  const requests = useQuery({
    queryKey: ['requests', hash, search],
    queryFn: () => operator<RequestLine[]>('GET', `/stores/${hash}/requests${queryText({ ...search, limit: LIMIT })}`),
    refetchInterval: follow === undefined ? false : FOLLOW_MS,
  })
  const show = (query: Record<string, string | undefined>) =>
    navigate({
      to: `/stores/${hash}/requests`,
      search: Object.fromEntries(
        Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
      ),
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show({ ...form, follow, before: undefined })
  }
  const last = requests.data?.at(-1)
  return (
    <Page
      title="Requests"
      about="The requests of clients, shoppers and buyers, for seven days. A request is in the list a second after its answer."
      actions={DEVELOPERS.includes(person?.role ?? '') && <Level hash={hash} />}
    >
      <form onSubmit={submit}>
        <Stack gap="xs">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            {FIELDS.map(([name, label, placeholder]) => (
              <TextInput
                key={name}
                label={label}
                placeholder={placeholder}
                value={form[name] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  set((all) => ({ ...all, [name]: value.trim() }))
                }}
              />
            ))}
          </SimpleGrid>
          <Group>
            <Checkbox
              label="Only errors"
              checked={form.errors === 'true'}
              onChange={(event) => {
                const { checked } = event.currentTarget
                set((all) => ({ ...all, errors: checked ? 'true' : '' }))
              }}
            />
            <Checkbox
              label="Only changes"
              checked={form.changes === 'true'}
              onChange={(event) => {
                const { checked } = event.currentTarget
                set((all) => ({ ...all, changes: checked ? 'true' : '' }))
              }}
            />
            <Checkbox
              label="Follow"
              checked={follow !== undefined}
              onChange={(event) => show({ ...search, follow: event.currentTarget.checked ? '1' : undefined })}
            />
            <Button type="submit" variant="default">
              Search
            </Button>
          </Group>
        </Stack>
      </form>
      {requests.data ? <RequestRows hash={hash} lines={requests.data} /> : <Pending error={requests.error} />}
      <Group>
        <Button
          variant="default"
          disabled={(requests.data?.length ?? 0) < LIMIT || last === undefined}
          onClick={() => last && show({ ...search, before: last.request_id })}
        >
          Older
        </Button>
        {search.before !== undefined && (
          <Button variant="default" onClick={() => show({ ...search, follow, before: undefined })}>
            Newest
          </Button>
        )}
      </Group>
    </Page>
  )
}

const DEVELOPERS = ['owner', 'admin', 'developer']

/** Names the sender of a request: a person, an account by its name, or by its id for those who may not see accounts. */
function useSender(hash: string) {
  const { person } = useSession()
  const { data } = useQuery({
    queryKey: ['accounts', hash],
    enabled: DEVELOPERS.includes(person?.role ?? ''),
    queryFn: () => operator<Account[]>('GET', `/stores/${hash}/accounts`),
  })
  return ({ person, client_id }: Pick<RequestLine, 'person' | 'client_id'>) =>
    person ?? data?.find((account) => account.client_id === client_id)?.name ?? client_id ?? 'a stranger'
}

function RequestRows({ hash, lines }: { hash: string; lines: readonly RequestLine[] }) {
  const senderOf = useSender(hash)
  return (
    <Rows
      head={['When', 'Status', 'Request', 'Sent by', 'ms', 'Statements']}
      empty="The log has no such request. A request that a client sends is here a second after its answer."
      rows={lines.map((line) => ({
        key: line.request_id,
        cells: [
          <Anchor
            component={Link}
            key="at"
            to={`/stores/${hash}/requests/${line.request_id}`}
            aria-label={`Request ${line.request_id}`}
          >
            <Time at={line.at} />
          </Anchor>,
          <Status key="status" status={line.status} />,
          <Code
            key="path"
            display="inline-block"
            miw={220}
            style={{ overflowWrap: 'anywhere' }}
          >{`${methodOf(line.operation)} ${line.path}`}</Code>,
          senderOf(line),
          line.ms,
          `${line.statements} (${line.statement_ms} ms)`,
        ],
      }))}
    />
  )
}

/** The newest requests that match a query of the log. */
export function RequestList({ hash, query }: { hash: string; query: Readonly<Record<string, string>> }) {
  const requests = useQuery({
    queryKey: ['requests', hash, query],
    queryFn: () => operator<RequestLine[]>('GET', `/stores/${hash}/requests${queryText({ ...query, limit: LIMIT })}`),
  })
  if (!requests.data) return <Pending error={requests.error} />
  return <RequestRows hash={hash} lines={requests.data} />
}

/** Its number carries the meaning, not its colour. */
const Status = ({ status }: { status: number }) => (
  <Text span fw={status >= 400 ? 700 : 400}>
    {status}
  </Text>
)

const LEVELS = [
  { value: 'server', label: 'as the server' },
  { value: 'off', label: 'nothing' },
  { value: 'lines', label: 'lines' },
  { value: 'bodies', label: 'lines and bodies' },
]

/** Chooses the parts of requests that are stored. */
function Level({ hash }: { hash: string }) {
  const key = ['request-log', hash]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => operator<{ level: string; chosen: string | null }>('GET', `/stores/${hash}/request-log`),
  })
  const choose = useAction(
    (level: string) => operator('PUT', `/stores/${hash}/request-log`, { level: level === 'server' ? null : level }),
    { done: 'The log follows within a second.', refresh: [key] },
  )
  return (
    <Select
      label="Stored of each request"
      data={LEVELS.map(({ value, label }) =>
        value === 'server' && data
          ? { value, label: `${label} (${data.chosen === null ? data.level : 'default'})` }
          : { value, label },
      )}
      value={data?.chosen ?? 'server'}
      allowDeselect={false}
      onChange={(level) => level && choose.mutate(level)}
    />
  )
}

/** One request with all that the log has of it. */
export function RequestPage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const request = useQuery({
    queryKey: ['request', hash, id],
    queryFn: () => operator<WholeRequest>('GET', `/stores/${hash}/requests/${id}`),
  })
  const senderOf = useSender(hash)
  if (!request.data) return <Pending error={request.error} />
  const {
    operation,
    path,
    status,
    at,
    ms,
    statements,
    statement_ms,
    client_id,
    person,
    correlation_id,
    address,
    agent,
  } = request.data
  const facts: [string, React.ReactNode][] = [
    ['Request id', <Copied key="id" text={id} />],
    ['Status', status],
    ['When', <Time key="at" at={at} />],
    ['Operation', <Code key="operation">{operation}</Code>],
    ['Sent by', senderOf({ person, client_id })],
    ['Client id', client_id ?? '–'],
    ['Time', `${ms} ms, of which the database took ${statement_ms} ms for ${statements} statements`],
    ['Address', address],
    ['Agent', agent ?? '–'],
  ]
  return (
    <Page title={`${methodOf(operation)} ${path}`}>
      <Rows
        head={['Fact', 'Value']}
        empty=""
        rows={facts.map(([name, value]) => ({ key: name, cells: [name, value] }))}
      />
      {correlation_id !== null && (
        <Group>
          <Button
            variant="default"
            onClick={() => navigate({ to: `/stores/${hash}/requests`, search: { correlation_id } })}
          >
            Requests with the same correlation id
          </Button>
        </Group>
      )}
      <Copied text={asCurl(methodOf(operation), hash, path, bodyOf(request.data.request_body))} label="Copy as curl" />
      <Replay hash={hash} id={id} />
      <Body title="Body of the request" text={request.data.request_body} bytes={request.data.request_bytes} />
      <Body title="Body of the answer" text={request.data.answer_body} bytes={request.data.answer_bytes} />
    </Page>
  )
}

interface Replayed {
  request_id: string
  status: number
  former_status: number
  answer_body: string
  differences: { at: string; left?: unknown; right?: unknown }[] | null
}

/** Sends the request again, and shows where the answers differ. */
function Replay({ hash, id }: { hash: string; id: string }) {
  const replay = useAction(() => operator<Replayed>('POST', `/stores/${hash}/requests/${id}/replay`), {
    refresh: [['requests', hash]],
  })
  const { data } = replay
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
          Send it again
        </Button>
      </Group>
      {data && (
        <>
          <Text size="sm" role="status">
            Answered with {data.status}, formerly with {data.former_status}.{' '}
            <Anchor component={Link} to={`/stores/${hash}/requests/${data.request_id}`}>
              The new request
            </Anchor>
          </Text>
          {data.differences === null ? (
            <Text size="sm">The log does not have the whole former answer, so the bodies are not compared.</Text>
          ) : (
            <Rows
              head={['Place', 'Formerly', 'Now']}
              empty="The answers do not differ, except for ids and times."
              rows={data.differences.map(({ at, left, right }) => ({
                key: at,
                cells: [
                  at,
                  <Code key="left">{JSON.stringify(left)}</Code>,
                  <Code key="right">{JSON.stringify(right)}</Code>,
                ],
              }))}
            />
          )}
        </>
      )}
    </Stack>
  )
}

function Body({ title, text, bytes }: { title: string; text: string | null; bytes: number | null }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {text === null ? (
        <Text size="sm" c="dimmed">
          It is not stored: it was empty, has secrets, or the log stores lines only.
        </Text>
      ) : (
        <>
          <Code block tabIndex={0} role="region" aria-label={title}>
            {pretty(text)}
          </Code>
          {bytes !== null && bytes > new TextEncoder().encode(text).length && (
            <Text size="sm">The beginning of {bytes.toLocaleString()} bytes.</Text>
          )}
        </>
      )}
    </Stack>
  )
}

/** Undefined for a body that is missing, cut or no JSON. */
function bodyOf(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function pretty(text: string): string {
  const value = bodyOf(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
