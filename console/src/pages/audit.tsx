import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator } from '../api/operator.ts'
import { queryText } from '../api/store.ts'
import { Pending } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Time } from '../parts/values.tsx'

interface AuditRecord {
  id: string
  at: string
  kind: string
  actor: string
  store_hash: string
  action: string
  object: string
  body_digest: string
  before: unknown
  after: unknown
  request_id: string
  status: number | null
}

const LIMIT = 50

/** The recorded actions of people, operator keys and commands. */
export function AuditPage() {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [form, set] = useState({ actor: search.actor ?? '', store_hash: search.store_hash ?? '' })
  const records = useQuery({
    queryKey: ['audit', search],
    queryFn: () => operator<AuditRecord[]>('GET', `/audit${queryText({ ...search, limit: LIMIT })}`),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate({ to: '/audit', search: Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '')) })
  }
  const last = records.data?.at(-1)
  return (
    <Page
      title="Audit"
      about="Every action of a person, of an operator key and of a command, also the refused ones, for 400 days. Writes of API clients are not here."
    >
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label="Who"
            placeholder="E-mail address, key or user"
            value={form.actor}
            onChange={(event) => {
              const { value } = event.currentTarget
              set((all) => ({ ...all, actor: value }))
            }}
          />
          <TextInput
            label="Store"
            placeholder="Hash"
            value={form.store_hash}
            onChange={(event) => {
              const { value } = event.currentTarget
              set((all) => ({ ...all, store_hash: value }))
            }}
          />
          <Button type="submit" variant="default">
            Search
          </Button>
        </Group>
      </form>
      {records.data ? (
        <Rows
          head={['When', 'Who', 'Store', 'Action', 'Object', 'Change', 'Outcome']}
          empty="No action is recorded."
          rows={records.data.map((record) => ({
            key: record.id,
            cells: [
              <Time key="at" at={record.at} />,
              `${record.actor} (${record.kind})`,
              record.store_hash,
              record.action,
              record.object,
              <Change key="change" before={record.before} after={record.after} />,
              record.status ?? 'not finished',
            ],
          }))}
        />
      ) : (
        <Pending error={records.error} />
      )}
      <Group>
        <Button
          variant="default"
          disabled={(records.data?.length ?? 0) < LIMIT || last === undefined}
          onClick={() => last && navigate({ to: '/audit', search: { ...search, before: last.id } })}
        >
          Older
        </Button>
        {search.before !== undefined && (
          <Button
            variant="default"
            onClick={() =>
              navigate({
                to: '/audit',
                search: Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'before')),
              })
            }
          >
            Newest
          </Button>
        )}
      </Group>
    </Page>
  )
}

/** The fields of the object that the action has changed, with their former and their new values. */
function Change({ before, after }: { before: unknown; after: unknown }) {
  const [former, next] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(former), ...Object.keys(next)])]
  const changed = names.filter((name) => JSON.stringify(former[name]) !== JSON.stringify(next[name]))
  return (
    <Stack gap={2}>
      {changed.map((name) => (
        <Text size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
          {name}: <Code>{textOf(former[name])}</Code> → <Code>{textOf(next[name])}</Code>
        </Text>
      ))}
    </Stack>
  )
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

const textOf = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
