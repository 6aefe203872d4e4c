import { Button, Checkbox, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator } from '../../api/operator.ts'
import { filled, queryText } from '../../api/store.ts'
import { DEVELOPERS, hasRole } from '../../frame/roles.ts'
import { useSession } from '../../frame/session.ts'
import { Pending, useAction } from '../../parts/feedback.tsx'
import { Page } from '../../parts/page.tsx'
import { LIMIT, type RequestLine, RequestRows } from './rows.tsx'

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
    navigate({ to: `/stores/${hash}/requests`, search: filled(query) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show({ ...form, follow, before: undefined })
  }
  const last = requests.data?.at(-1)
  return (
    <Page
      title="Requests"
      about="The requests of clients, shoppers and buyers, for seven days. A request is in the list a second after its answer."
      actions={hasRole(person, DEVELOPERS) && <Level hash={hash} />}
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
                  set((all) => ({ ...all, [name]: value }))
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
