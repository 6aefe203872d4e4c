import { Button, Code, Group, Modal, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiIndex, Resource } from '../api/document.ts'
import { asCurl } from '../api/store.ts'
import { DEVELOPERS, hasRole } from '../frame/roles.ts'
import { useApiIndex, useSession, useStoreApi } from '../frame/session.ts'
import { Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Copied } from '../parts/values.tsx'
import { ResourceList } from './list/list.tsx'
import { parentsIn, pathOf } from './list/path.ts'
import { SchemaForm } from './record-form.tsx'
import { RequestList } from './requests/rows.tsx'
import { EventList } from './webhooks/events.tsx'

type Entry = Record<string, unknown>

/** One entry of a list: its form, its sub-resources, and its JSON. */
export function RecordPage() {
  const { hash = '', list = '', id = '' } = useParams({ strict: false })
  const { data: index, error } = useApiIndex()
  const resource = index?.resources.get(list)
  if (!index || !resource) return <Pending error={error} />
  return <RecordOf key={`${list} ${id}`} hash={hash} id={id} resource={resource} index={index} />
}

function RecordOf({ hash, id, resource, index }: { hash: string; id: string; resource: Resource; index: ApiIndex }) {
  const api = useStoreApi(hash)
  const navigate = useNavigate()
  const search: Record<string, string> = useSearch({ strict: false })
  const path = pathOf(resource, search)
  const onePath = `${path}/${encodeURIComponent(id)}`
  const key = ['record', hash, api.clientId, onePath]
  const [isAsking, setAsking] = useState(false)
  const { person } = useSession()
  const isDeveloper = hasRole(person, DEVELOPERS)
  const entry = useQuery({
    queryKey: key,
    queryFn: async () => {
      if (resource.get) {
        const { body } = await api.call<{ data?: Entry } & Entry>('GET', onePath)
        return body?.data ?? body
      }
      const { body } = await api.call<{ data: Entry[] } | Entry[]>('GET', path, { query: { 'id:in': id } })
      return (Array.isArray(body) ? body : body.data).find((one) => String(one.id) === id)
    },
  })
  const save = useAction(
    (changes: Entry) =>
      resource.update
        ? api.call('PUT', onePath, { body: changes })
        : api.call('PUT', path, { body: [{ id: Number(id), ...changes }] }),
    { done: 'Saved.', refresh: [key, ['list', hash]] },
  )
  const remove = useAction(
    () => (resource.remove ? api.call('DELETE', onePath) : api.call('DELETE', path, { query: { 'id:in': id } })),
    {
      done: 'Deleted.',
      refresh: [['list', hash]],
      onDone: () => navigate({ to: `/stores/${hash}/lists/${resource.list.id}`, search: parentsIn(search) }),
    },
  )
  if (entry.error || !entry.data) return <Pending error={entry.error} />
  const { data } = entry
  const many = resource.updateMany && index.resolve(index.resolve(resource.updateMany.body).items)
  const form = resource.update ? resource.update.body : many
  const children = resource.children.flatMap((child) => index.resources.get(child) ?? [])
  const inner = { ...parentsIn(search), [`@${resource.idName}`]: id }
  return (
    <Page
      title={`${resource.list.tag}: ${titleOf(data, id)}`}
      actions={
        resource.remove && (
          <Button color="red" variant="outline" onClick={() => setAsking(true)}>
            Delete
          </Button>
        )
      }
    >
      <Tabs defaultValue={form ? 'form' : 'json'} keepMounted={false}>
        <Tabs.List>
          {form && <Tabs.Tab value="form">Fields</Tabs.Tab>}
          {children.map(({ list }) => (
            <Tabs.Tab key={list.id} value={list.id}>
              {list.path.split('/').at(-1)}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          {isDeveloper && <Tabs.Tab value="events">Events</Tabs.Tab>}
          <Tabs.Tab value="requests">Requests</Tabs.Tab>
        </Tabs.List>
        {form && (
          <Tabs.Panel value="form" pt="md" maw={720}>
            <SchemaForm
              schema={form}
              value={data}
              error={save.error}
              isSaving={save.isPending}
              onSave={(changes) => save.mutateAsync(changes)}
              readAgain={async () => (await entry.refetch()).data}
            />
          </Tabs.Panel>
        )}
        {children.map((child) => (
          <Tabs.Panel key={child.list.id} value={child.list.id} pt="md">
            <ResourceList hash={hash} resource={child} embedded={inner} />
          </Tabs.Panel>
        ))}
        {isDeveloper && (
          <Tabs.Panel value="events" pt="md">
            <EventList hash={hash} filters={{ resource: `${nounOf(resource)} ${id}` }} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="requests" pt="md">
          <RequestList hash={hash} query={{ path: onePath.slice(onePath.indexOf('/', 1) + 1), changes: 'true' }} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="md">
          <Group mb="sm">
            <Copied text={asCurl('GET', hash, onePath)} label={`GET ${onePath}`} />
          </Group>
          <Code block tabIndex={0}>
            {JSON.stringify(data, null, 2)}
          </Code>
        </Tabs.Panel>
      </Tabs>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={`Delete ${titleOf(data, id)}?`}>
        <Text size="sm" mb="md">
          This can't be undone.
        </Text>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </Modal>
    </Page>
  )
}

/** The noun of an entry in the resources of events: /v3/catalog/products has products. */
const nounOf = ({ list }: Resource) =>
  (list.path.split('/').at(-1) ?? '').replaceAll(/[-_]/g, ' ').replace(/ies$/, 'y').replace(/s$/, '')

const titleOf = (entry: Entry, id: string) => String(entry.name ?? entry.title ?? entry.email ?? entry.code ?? id)
