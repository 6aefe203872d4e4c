import { Button, Group, Menu, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { Resource } from '../../api/document.ts'
import { asCurl, asFetch, type StoreApi } from '../../api/store.ts'
import { useApiIndex } from '../../frame/session.ts'
import { useAction } from '../../parts/feedback.tsx'
import { saveFile } from '../../parts/files.ts'
import { Copied } from '../../parts/values.tsx'
import { SchemaForm } from '../record-form.tsx'

/** Lists of changes have room for this many. */
const CHANGED_AT_ONCE = 10

export type Entry = Record<string, unknown>

/** Copies a list as a request, or saves its page as a file. */
export function CopyMenu({
  hash,
  path,
  entries,
  client,
}: {
  hash: string
  path: string
  entries: readonly Entry[]
  /** Writes the list for the typed client. */
  client?(): Promise<string>
}) {
  const [copied, setCopied] = useState<string>()
  const write = useAction(client ?? (async () => ''), { refresh: [], onDone: setCopied })
  const save = () => saveFile('entries.json', [JSON.stringify(entries, null, 2)], 'application/json')
  return (
    <>
      <Menu withinPortal position="bottom-end">
        <Menu.Target>
          <Button variant="default">Copy as</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setCopied(asCurl('GET', hash, path))}>curl</Menu.Item>
          <Menu.Item onClick={() => setCopied(asFetch('GET', hash, path))}>fetch</Menu.Item>
          {client && <Menu.Item onClick={() => write.mutate()}>@storeward/client</Menu.Item>}
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
export function Selected({
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
  const { data: index } = useApiIndex()
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
          onSave={(changes) => set.mutateAsync(changes)}
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

/** Creates an entry by a form. */
export function CreateEntry({
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
        onSave={(body) => create.mutateAsync(body)}
      />
    </Modal>
  )
}
