import {
  Anchor,
  Button,
  Checkbox,
  Code,
  Group,
  Menu,
  Modal,
  Pill,
  Popover,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  apiIndex,
  type Column,
  defaultColumns,
  isPlain,
  type Parameter,
  pageOfEntry,
  type Resource,
} from '../api/document.ts'
import { asCurl, asFetch, queryText, type StoreApi } from '../api/store.ts'
import { useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Cell, Copied } from '../parts/values.tsx'
import { SchemaForm } from './record-form.tsx'

/** Query parameters that the page has controls of its own for. */
const CONTROLLED = new Set([
  'page',
  'limit',
  'sort',
  'direction',
  'include_fields',
  'exclude_fields',
  'before',
  'after',
])
/** Lists of changes have room for this many. */
const CHANGED_AT_ONCE = 10
const PARENT = '@'
const LIMIT = 50

type Entry = Record<string, unknown>
interface ListAnswer {
  data: Entry[]
  meta?: { pagination?: { total?: number; total_pages?: number; current_page?: number } }
}

/** Every list of the API. Its address is the query of the API, so it can be shared and copied. */
export function ListPage() {
  const { hash = '', list = '' } = useParams({ strict: false })
  const { data: index, error } = useQuery({
    queryKey: ['document'],
    queryFn: apiIndex,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const resource = index?.resources.get(list)
  if (!index) return <Pending error={error} />
  if (!resource)
    return (
      <Page title="Unknown list">
        <Text>The API has no list {list}.</Text>
      </Page>
    )
  return <ResourceList key={list} hash={hash} resource={resource} />
}

/** The path of a list, with the ids of its parents, which are in the address of the page. */
export const pathOf = ({ list }: Resource, search: Readonly<Record<string, string>>) =>
  list.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(search[PARENT + name] ?? ''))

export const parentsIn = (search: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(search).filter(([name]) => name.startsWith(PARENT)))

export function ResourceList({
  hash,
  resource,
  embedded,
}: {
  hash: string
  resource: Resource
  embedded?: Record<string, string>
}) {
  const api = useStoreApi(hash)
  const navigate = useNavigate()
  const ownSearch: Readonly<Record<string, string>> = useSearch({ strict: false })
  const [inner, setInner] = useState<Record<string, string>>({})
  const search: Readonly<Record<string, string>> = embedded ? { ...embedded, ...inner } : ownSearch
  const setSearch = (changes: Record<string, string | undefined>) => {
    const all: Record<string, string | undefined> = { ...search, page: undefined, ...changes }
    const next = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
    )
    if (embedded) setInner(next)
    else navigate({ to: `/stores/${hash}/lists/${resource.list.id}`, search: next })
  }
  const [shown, setShown] = useLocalStorage({
    key: `columns ${resource.list.id}`,
    defaultValue: defaultColumns(resource),
  })
  const [isJson, setJson] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const path = pathOf(resource, search)
  const query = {
    limit: LIMIT,
    ...Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith(PARENT))),
  }
  const key = ['list', hash, api.clientId, path, queryText(query)]
  const answer = useQuery({
    queryKey: key,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { body } = await api.call<ListAnswer | Entry[] | undefined>('GET', path, { query })
      return Array.isArray(body) ? { data: body } : (body ?? { data: [] })
    },
  })
  const entries = answer.data?.data ?? []
  const pagination = answer.data?.meta?.pagination
  const page = Number(search.page ?? 1)
  const hasNext =
    pagination?.total_pages === undefined ? entries.length === Number(query.limit) : page < pagination.total_pages
  const columns = resource.columns.filter(({ name }) => shown.includes(name))
  const filters = resource.list.parameters.filter(
    ({ name, in: place, schema }) =>
      place === 'query' &&
      !CONTROLLED.has(name) &&
      (schema === undefined || isPlain(schema) || schema.type === 'array'),
  )
  const apiPath = `${path}${queryText(query)}`
  const total = pagination?.total
  return (
    <Page
      title={embedded ? resource.list.summary : resource.list.tag}
      about={
        total === undefined
          ? resource.list.description
          : `${total.toLocaleString()} entries. ${resource.list.description}`
      }
      actions={
        <>
          {resource.create && <Button onClick={() => setCreating(true)}>Create</Button>}
          <Columns resource={resource} shown={shown} setShown={setShown} />
          <CopyMenu hash={hash} path={apiPath} entries={entries} />
          <Switch label="JSON" checked={isJson} onChange={(event) => setJson(event.currentTarget.checked)} />
        </>
      }
    >
      <Filters filters={filters} search={search} setSearch={setSearch} resource={resource} />
      {answer.error ? (
        <Failure error={answer.error} />
      ) : !answer.data ? (
        <Pending />
      ) : isJson ? (
        <Code block style={{ maxHeight: '70vh', overflow: 'auto' }}>
          {JSON.stringify(answer.data, null, 2)}
        </Code>
      ) : (
        <>
          <Selected
            api={api}
            resource={resource}
            path={path}
            ids={[...selected]}
            entries={entries}
            refresh={[['list', hash]]}
            clear={() => setSelected(new Set())}
          />
          <Rows
            head={[
              <Text key="select" span className="visually-hidden" fz={0}>
                Select
              </Text>,
              ...columns.map((column) => (
                <Heading key={column.name} column={column} resource={resource} search={search} setSearch={setSearch} />
              )),
            ]}
            empty={
              resource.create ? 'No entry matches. Create the first one with the button above.' : 'No entry matches.'
            }
            rows={entries.map((entry, i) => ({
              key: `${String(entry.id)} ${i}`,
              cells: [
                <Checkbox
                  key="select"
                  aria-label={`Select ${String(entry.id)}`}
                  checked={selected.has(String(entry.id))}
                  onChange={(event) => {
                    const next = new Set(selected)
                    if (event.currentTarget.checked) next.add(String(entry.id))
                    else next.delete(String(entry.id))
                    setSelected(next)
                  }}
                />,
                ...columns.map(({ name }, column) =>
                  column === 0 ? (
                    <RecordLink key={name} hash={hash} resource={resource} id={String(entry.id)} search={search}>
                      <Cell value={entry[name]} />
                    </RecordLink>
                  ) : (
                    <Cell key={name} value={entry[name]} />
                  ),
                ),
              ],
            }))}
          />
          <Group>
            <Button variant="default" disabled={page <= 1} onClick={() => setSearch({ page: String(page - 1) })}>
              Previous
            </Button>
            <Text size="sm">
              Page {page}
              {pagination?.total_pages === undefined ? '' : ` of ${Math.max(1, pagination.total_pages)}`}
            </Text>
            <Button variant="default" disabled={!hasNext} onClick={() => setSearch({ page: String(page + 1) })}>
              Next
            </Button>
          </Group>
        </>
      )}
      {isCreating && resource.create && (
        <CreateEntry
          api={api}
          resource={resource}
          path={path}
          onClose={() => setCreating(false)}
          refresh={[['list', hash]]}
        />
      )}
    </Page>
  )
}

/** A link to the page of an entry. */
function RecordLink({
  hash,
  resource,
  id,
  search,
  children,
}: {
  hash: string
  resource: Resource
  id: string
  search: Readonly<Record<string, string>>
  children: ReactNode
}) {
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={pageOfEntry(hash, resource, id)} search={parentsIn(search)} />}>
      {children}
    </Anchor>
  )
}

function Heading({
  column: { name },
  resource,
  search,
  setSearch,
}: {
  column: Column
  resource: Resource
  search: Readonly<Record<string, string>>
  setSearch(changes: Record<string, string | undefined>): void
}) {
  const sort = resource.list.parameters.find((parameter) => parameter.name === 'sort')
  const orders = sort?.schema?.enum ?? sort?.schema?.items?.enum ?? []
  if (!orders.includes(name)) return <>{name}</>
  const isSorted = search.sort === name
  const direction = isSorted && search.direction !== 'desc' ? 'desc' : 'asc'
  return (
    <Anchor
      component="button"
      type="button"
      fw={700}
      fz="sm"
      aria-label={`Sort by ${name}, ${direction === 'asc' ? 'lowest first' : 'highest first'}`}
      onClick={() => setSearch({ sort: name, direction })}
    >
      {name}
      {isSorted ? (search.direction === 'desc' ? ' ↓' : ' ↑') : ''}
    </Anchor>
  )
}

function Filters({
  filters,
  search,
  setSearch,
  resource,
}: {
  filters: readonly Parameter[]
  search: Readonly<Record<string, string>>
  setSearch(changes: Record<string, string | undefined>): void
  resource: Resource
}) {
  const [name, setName] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const chosen = filters.find((filter) => filter.name === name)
  const active = Object.entries(search).filter(([key]) => !CONTROLLED.has(key) && !key.startsWith(PARENT))
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (name === null) return
    setSearch({ [name]: value })
    setName(null)
    setValue('')
  }
  if (filters.length === 0) return null
  const choices = chosen?.schema?.enum ?? chosen?.schema?.items?.enum
  return (
    <Stack gap="xs">
      <form onSubmit={add}>
        <Group gap="xs" align="flex-end">
          <Select
            aria-label={`Filter of ${resource.list.tag}`}
            placeholder="Add a filter"
            searchable
            w={230}
            data={filters.map((filter) => filter.name)}
            value={name}
            onChange={setName}
          />
          {chosen &&
            (choices ? (
              <Select
                aria-label="Value"
                data={choices.map(String)}
                value={value || null}
                onChange={(text) => setValue(text ?? '')}
              />
            ) : (
              <TextInput
                aria-label="Value"
                value={value}
                onChange={(event) => setValue(event.currentTarget.value)}
                data-autofocus
              />
            ))}
          {chosen && <Button type="submit">Filter</Button>}
        </Group>
      </form>
      {chosen?.description !== undefined && (
        <Text size="xs" c="dimmed">
          {chosen.description}
        </Text>
      )}
      {active.length > 0 && (
        <Group gap={6}>
          {active.map(([key, text]) => (
            <Pill
              key={key}
              withRemoveButton
              removeButtonProps={{ 'aria-label': `Remove the filter ${key}`, 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => setSearch({ [key]: undefined })}
            >
              {key} = {text}
            </Pill>
          ))}
        </Group>
      )}
    </Stack>
  )
}

function Columns({
  resource,
  shown,
  setShown,
}: {
  resource: Resource
  shown: string[]
  setShown(names: string[]): void
}) {
  return (
    <Popover position="bottom-end" withinPortal>
      <Popover.Target>
        <Button variant="default">Columns</Button>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflow: 'auto' }}>
        <Checkbox.Group value={shown} onChange={setShown} label="Columns">
          <Stack gap={6} mt={6}>
            {resource.columns.map(({ name }) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function CopyMenu({ hash, path, entries }: { hash: string; path: string; entries: readonly Entry[] }) {
  const [copied, setCopied] = useState<string>()
  const save = () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(entries, null, 2)], { type: 'application/json' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: 'entries.json' })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <Menu withinPortal position="bottom-end">
        <Menu.Target>
          <Button variant="default">Copy as</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setCopied(asCurl('GET', hash, path))}>curl</Menu.Item>
          <Menu.Item onClick={() => setCopied(asFetch('GET', hash, path))}>fetch</Menu.Item>
          <Menu.Item onClick={save}>Save the page as a file</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={copied !== undefined}
        onClose={() => setCopied(undefined)}
        title="This list as a request"
        size="lg"
      >
        <Copied text={copied ?? ''} />
      </Modal>
    </>
  )
}

/** Actions for the selected entries. */
function Selected({
  api,
  resource,
  path,
  ids,
  entries,
  refresh,
  clear,
}: {
  api: StoreApi
  resource: Resource
  path: string
  ids: string[]
  entries: readonly Entry[]
  refresh: unknown[][]
  clear(): void
}) {
  const [isAsking, setAsking] = useState(false)
  const [isSetting, setSetting] = useState(false)
  const { data: index } = useQuery({ queryKey: ['document'], queryFn: apiIndex, staleTime: Number.POSITIVE_INFINITY })
  const many = index?.resolve(resource.updateMany?.body).items
  const set = useAction(
    async (changes: Entry) => {
      if (resource.updateMany) {
        for (let start = 0; start < ids.length; start += CHANGED_AT_ONCE) {
          const body = ids.slice(start, start + CHANGED_AT_ONCE).map((id) => ({ ...changes, id: Number(id) }))
          await api.call('PUT', path, { body })
        }
      } else for (const id of ids) await api.call('PUT', `${path}/${encodeURIComponent(id)}`, { body: changes })
    },
    { done: `${ids.length} entries are changed.`, refresh, onDone: () => setSetting(false) },
  )
  const remove = useAction(
    async () => {
      for (const id of ids) await api.call('DELETE', `${path}/${encodeURIComponent(id)}`)
    },
    { done: `${ids.length} entries are deleted.`, refresh, onDone: clear },
  )
  if (ids.length === 0) return null
  const chosen = entries.filter(({ id }) => ids.includes(String(id)))
  return (
    <Group gap="xs">
      <Text size="sm">{ids.length} selected</Text>
      <CopyMenu hash={api.hash} path={path} entries={chosen} />
      {(resource.updateMany ?? resource.update) && (
        <Button size="compact-sm" variant="default" onClick={() => setSetting(true)}>
          Set fields
        </Button>
      )}
      {resource.remove && (
        <Button size="compact-sm" color="red" variant="outline" onClick={() => setAsking(true)}>
          Delete
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        Clear
      </Button>
      <Modal
        opened={isSetting}
        onClose={() => setSetting(false)}
        title={`Set fields of ${ids.length} entries`}
        size="lg"
        closeOnClickOutside={false}
      >
        <SchemaForm
          schema={resource.updateMany ? many : resource.update?.body}
          value={{}}
          error={set.error}
          isSaving={set.isPending}
          onSave={(changes) => set.mutate(changes)}
        />
      </Modal>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={`Delete ${ids.length} entries?`}>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => {
            remove.mutate()
            setAsking(false)
          }}
        >
          Delete {ids.length} entries
        </Button>
      </Modal>
    </Group>
  )
}

function CreateEntry({
  api,
  resource,
  path,
  onClose,
  refresh,
}: {
  api: StoreApi
  resource: Resource
  path: string
  onClose(): void
  refresh: unknown[][]
}) {
  const create = useAction((body: unknown) => api.call('POST', path, { body }), {
    done: 'Created.',
    refresh,
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={resource.create?.summary} size="lg" closeOnClickOutside={false}>
      <SchemaForm
        schema={resource.create?.body}
        value={undefined}
        error={create.error}
        isSaving={create.isPending}
        onSave={(body) => create.mutate(body)}
      />
    </Modal>
  )
}
