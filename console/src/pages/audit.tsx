import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator } from '../api/operator.ts'
import { filled, queryText } from '../api/store.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { saveFile } from '../parts/files.ts'
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
/** Records of a page while they are saved, and most pages of a file. */
const SAVED_LIMIT = 250
const SAVED_PAGES_MAX = 400

const FIELDS = [
  ['actor', 'Who', 'E-mail, key or user'],
  ['store_hash', 'Store', 'Hash'],
  ['words', 'Words of action or object', 'accounts'],
  ['request_id', 'Request id', ''],
] as const
/** Days begin at midnight of UTC. */
const DAYS = [
  ['from', 'From (UTC)'],
  ['to', 'Before (UTC)'],
] as const

/** Reads all records that match, and gives them to the browser as a file with one record a line. */
async function saveRecords(search: Readonly<Record<string, string>>): Promise<{ count: number; isCut: boolean }> {
  const { before: _, ...filters } = search
  const lines: string[] = []
  let before: string | undefined
  let isCut = true
  for (let page = 0; page < SAVED_PAGES_MAX; page++) {
    const query = queryText({ ...filters, before, limit: SAVED_LIMIT })
    const records = await operator<AuditRecord[]>('GET', `/audit${query}`)
    lines.push(...records.map((record) => `${JSON.stringify(record)}\n`))
    before = records.at(-1)?.id
    if (records.length < SAVED_LIMIT) {
      isCut = false
      break
    }
  }
  saveFile('audit.jsonl', lines, 'application/jsonl')
  return { count: lines.length, isCut }
}

/** The recorded actions of people, operator keys and commands. */
export function AuditPage() {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [form, set] = useState<Record<string, string>>(search)
  const records = useQuery({
    queryKey: ['audit', search],
    queryFn: () => operator<AuditRecord[]>('GET', `/audit${queryText({ ...search, limit: LIMIT })}`),
  })
  const save = useAction(() => saveRecords(search), { refresh: [] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate({ to: '/audit', search: filled({ ...form, before: undefined }) })
  }
  const last = records.data?.at(-1)
  return (
    <Page
      title="Audit"
      actions={
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
          Save as a file
        </Button>
      }
      about="Every action of a person, of an operator key and of a command, also the refused ones, for 400 days. Changes by API clients are in the requests of their store."
    >
      <form onSubmit={submit}>
        <Group align="flex-end">
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
          {DAYS.map(([name, label]) => (
            <TextInput
              key={name}
              label={label}
              type="date"
              value={form[name]?.slice(0, 10) ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget
                set((all) => ({ ...all, [name]: value === '' ? '' : `${value}T00:00:00Z` }))
              }}
            />
          ))}
          <Button type="submit" variant="default">
            Search
          </Button>
        </Group>
      </form>
      <Failure error={save.error} />
      {save.data && (
        <Text size="sm" role="status">
          {save.data.count.toLocaleString()} actions are in the file
          {save.data.isCut && ', the newest ones. Choose an earlier day to save older ones'}.
        </Text>
      )}
      {records.data ? (
        <Rows
          head={['When', 'Who', 'Store', 'Action', 'Object', 'Change', 'Outcome']}
          empty="No action matches. Every change that a person makes here is recorded."
          rows={records.data.map((record) => ({
            key: record.id,
            cells: [
              <Time key="at" at={record.at} />,
              `${record.actor} (${record.kind})`,
              record.store_hash,
              record.action,
              <Text key="object" size="sm" style={{ overflowWrap: 'anywhere' }}>
                {record.object}
              </Text>,
              <Change key="change" before={record.before} after={record.after} />,
              outcomeOf(record),
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
            onClick={() => navigate({ to: '/audit', search: filled({ ...search, before: undefined }) })}
          >
            Newest
          </Button>
        )}
      </Group>
    </Page>
  )
}

/** Actions of people have the status of their answer, commands their exit code. */
function outcomeOf({ kind, status }: AuditRecord): string {
  if (status === null) return 'not finished'
  if (kind !== 'command') return String(status)
  return status === 0 ? 'done' : `failed (${status})`
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
