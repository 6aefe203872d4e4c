import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiIndex } from '../api/document.ts'
import type { Query } from '../api/store.ts'
import { useApiIndex, useStoreApi } from '../frame/session.ts'
import { Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Cell, Copied } from '../parts/values.tsx'
import { SchemaForm } from './record-form.tsx'

type Values = Record<string, unknown>

interface Family {
  /** Such as `storefront/category` for `/v3/settings/storefront/category`, and `carts` for `/v3/carts/settings`. */
  name: string
  path: string
  summary: string
  body: ApiIndex['operations'][number]['body']
  /** The values of a channel; undefined if the family has none. */
  ofChannel?: {
    at(id: number): { path: string; query: Query }
    body: ApiIndex['operations'][number]['body']
    /** Whether a request has only the changed fields. */
    isPartial: boolean
  }
}

/** The families of both kinds: below `/v3/settings`, where a query names the channel, and of an area, where the path does. */
const FAMILY = /^\/v3\/(?:settings\/([\w/-]+)|([\w-]+)\/settings)$/

/** The families of settings that are one object each, from the API document. */
function familiesIn({ operations, resolve }: ApiIndex): Family[] {
  const updateOf = (path: string) => operations.find((one) => one.method === 'PUT' && one.path === path)
  return operations.flatMap(({ method, path, parameters, answer, summary }) => {
    const [, below, area] = FAMILY.exec(path) ?? []
    const name = below ?? area
    const update = updateOf(path)
    if (method !== 'GET' || name === undefined || !update) return []
    if (resolve(resolve(answer).properties?.data).properties === undefined) return []
    const family = { name, path, summary: summary.replace(/^Get (the )?/, ''), body: update.body }
    const ofChannel = updateOf(`${path}/channels/{channel_id}`)
    if (ofChannel) {
      const at = (id: number) => ({ path: `${path}/channels/${id}`, query: {} })
      return [{ ...family, ofChannel: { at, body: ofChannel.body, isPartial: true } }]
    }
    if (!parameters.some((parameter) => parameter.name === 'channel_id')) return [family]
    const at = (channel_id: number) => ({ path, query: { channel_id } })
    return [{ ...family, ofChannel: { at, body: update.body, isPartial: false } }]
  })
}

/** Each family of settings: the store's values, those of a channel, and those that hold. */
export function SettingsPage() {
  const { hash = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const api = useStoreApi(hash)
  const document = useApiIndex()
  const channels = useQuery({
    queryKey: ['channels', hash],
    queryFn: () => api.data<{ id: number; name: string }[]>('/v3/channels', { limit: 250 }),
  })
  if (!document.data || !channels.data) return <Pending error={document.error ?? channels.error} />
  const families = familiesIn(document.data).toSorted((a, b) => a.name.localeCompare(b.name))
  const family = families.find(({ name }) => name === search.family) ?? families[0]
  const channel = channels.data.find(({ id }) => String(id) === search.channel) ?? channels.data[0]
  const show = (next: Record<string, string | null>) => {
    const all = Object.entries({ ...search, ...next })
    navigate({
      to: `/stores/${hash}/settings`,
      search: Object.fromEntries(all.flatMap(([k, v]) => (v ? [[k, v]] : []))),
    })
  }
  return (
    <Page
      title="Store settings"
      about="A channel has all values of a family of its own, or inherits those of the store."
    >
      <Group align="flex-end">
        <Select
          label="Family"
          searchable
          allowDeselect={false}
          w={280}
          maw="100%"
          data={families.map(({ name, summary }) => ({ value: name, label: summary }))}
          value={family?.name ?? null}
          onChange={(name) => show({ family: name })}
        />
        {family?.ofChannel && (
          <Select
            label="Channel"
            allowDeselect={false}
            w={280}
            maw="100%"
            data={channels.data.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={channel ? String(channel.id) : null}
            onChange={(id) => show({ channel: id })}
          />
        )}
      </Group>
      {family && (
        <FamilyValues
          key={`${family.name} ${channel?.id}`}
          hash={hash}
          family={family}
          channel={family.ofChannel ? channel : undefined}
        />
      )}
    </Page>
  )
}

function FamilyValues({
  hash,
  family,
  channel,
}: {
  hash: string
  family: Family
  channel: { id: number; name: string } | undefined
}) {
  const api = useStoreApi(hash)
  const [edited, setEdited] = useState<'store' | 'channel'>()
  const ofChannel = family.ofChannel
  const { path: ownPath, query: ownQuery } = ofChannel?.at(channel?.id ?? 0) ?? { path: family.path, query: {} }
  const key = ['settings', hash, family.path]
  const store = useQuery({ queryKey: [...key, 0], queryFn: () => api.data<Values>(family.path) })
  const own = useQuery({
    queryKey: [...key, channel?.id],
    enabled: channel !== undefined,
    queryFn: () => api.data<Values>(ownPath, ownQuery),
  })
  const done = { refresh: [key], onDone: () => setEdited(undefined) }
  const save = useAction(
    (changes: Values) =>
      edited === 'channel'
        ? api.call('PUT', ownPath, {
            query: ownQuery,
            body: ofChannel?.isPartial ? changes : { ...ownable, ...changes },
          })
        : api.call('PUT', family.path, { body: changes }),
    { done: 'The settings are saved.', ...done },
  )
  const inherit = useAction(
    () => {
      const body = Object.fromEntries(Object.keys(own.data ?? {}).map((name) => [name, null]))
      return api.call('PUT', ownPath, { query: ownQuery, body })
    },
    { done: `${channel?.name} inherits the values of the store.`, ...done },
  )
  if (!store.data || (channel && !own.data)) return <Pending error={store.error ?? own.error} />
  const values = store.data
  const ownValues = own.data ?? {}
  const hasOwn = Object.values(ownValues).some((value) => value !== null)
  const inForce = (name: string) => ownValues[name] ?? values[name]
  /** All values that the channel can have: a request for it needs each. */
  const ownable = Object.fromEntries(Object.keys(ownValues).map((name) => [name, inForce(name)]))
  return (
    <Stack gap="md">
      <Rows
        head={channel ? ['Field', 'Store', channel.name, 'In force there'] : ['Field', 'Store']}
        empty="The family has no fields."
        rows={[...new Set([...Object.keys(values), ...Object.keys(ownValues)])].map((name) => ({
          key: name,
          cells: [
            name,
            <Cell key="store" value={values[name]} />,
            ...(channel
              ? [
                  name in ownValues ? (
                    ownValues[name] === null ? (
                      <Text span size="sm" c="dimmed" key="own">
                        inherits
                      </Text>
                    ) : (
                      <Cell key="own" value={ownValues[name]} />
                    )
                  ) : (
                    <Text span size="sm" c="dimmed" key="own">
                      the store's alone
                    </Text>
                  ),
                  <Cell key="force" value={inForce(name)} />,
                ]
              : []),
          ],
        }))}
      />
      <Group>
        <Button variant="default" onClick={() => setEdited('store')}>
          Change the store's values
        </Button>
        {channel && (
          <Button variant="default" onClick={() => setEdited('channel')}>
            {hasOwn ? `Change those of ${channel.name}` : `Override them for ${channel.name}`}
          </Button>
        )}
        {channel && hasOwn && !ofChannel?.isPartial && (
          <Button variant="default" loading={inherit.isPending} onClick={() => inherit.mutate()}>
            Inherit again
          </Button>
        )}
        <Copied text={`/stores/${hash}${family.path}`} label={family.path} />
      </Group>
      {edited && (
        <Stack maw={720}>
          <Title order={2} size="h4">
            {edited === 'store' ? 'Values of the store' : `Values of ${channel?.name}`}
          </Title>
          {edited === 'channel' && !hasOwn && !ofChannel?.isPartial && (
            <Alert color="blue">
              The channel gets all values of this family, also those that stay the same. Later changes of the store's
              values do not reach it.
            </Alert>
          )}
          <SchemaForm
            key={edited}
            schema={edited === 'channel' ? ofChannel?.body : family.body}
            value={edited === 'store' ? values : ownable}
            error={save.error}
            isSaving={save.isPending}
            onSave={(changes) => save.mutateAsync(changes)}
          />
        </Stack>
      )}
    </Stack>
  )
}
