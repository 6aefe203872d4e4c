import { Anchor, Button, Checkbox, Code, Group, Switch, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { defaultColumns, isPlain, pageOfEntry, type Resource } from '../../api/document.ts'
import { asClient, filled, queryText } from '../../api/store.ts'
import { useApiIndex, useStoreApi } from '../../frame/session.ts'
import { Failure, Pending } from '../../parts/feedback.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/table.tsx'
import { Cell } from '../../parts/values.tsx'
import { CONTROLLED, Columns, Filters, Heading } from './controls.tsx'
import { CopyMenu, CreateEntry, type Entry, Selected } from './entries.tsx'
import { PARENT, parentsIn, pathOf } from './path.ts'

const LIMIT = 50

interface ListAnswer {
  data: Entry[]
  meta?: { pagination?: { total?: number; total_pages?: number; current_page?: number } }
}

/** Every list of the API. Its address is the query of the API, so it can be shared and copied. */
export function ListPage() {
  const { hash = '', list = '' } = useParams({ strict: false })
  const { data: index, error } = useApiIndex()
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
    const next = filled({ ...search, page: undefined, ...changes })
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
  const filtered = Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith(PARENT)))
  const query = { limit: LIMIT, ...filtered }
  const parents = [...resource.list.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => search[PARENT + name] ?? '')
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
          <CopyMenu
            hash={hash}
            path={apiPath}
            entries={entries}
            client={() => asClient(resource.list.id, parents, filtered)}
          />
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
        <Code block tabIndex={0} style={{ maxHeight: '70vh', overflow: 'auto' }}>
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
              resource.create && Object.keys(filtered).every((name) => CONTROLLED.has(name))
                ? 'There is no entry. Create the first one with the button above.'
                : 'No entry matches.'
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
