import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiIndex, apiIndex } from '../api/document.ts'
import { useStoreApi } from '../frame/session.ts'
import { Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Cell, Copied } from '../parts/values.tsx'
import { SchemaForm } from './record-form.tsx'

type Values = Record<string, unknown>

interface Family {
  /** Below `/v3/settings`. */
  name: string
  path: string
  summary: string
  body: ApiIndex['operations'][number]['body']
  hasChannels: boolean
}

const PREFIX = '/v3/settings/'

/** The families of settings that are one object each, from the API document. */
function familiesIn({ operations, resolve }: ApiIndex): Family[] {
  return operations.flatMap(({ method, path, parameters, answer, summary }) => {
    const update = operations.find((one) => one.method === 'PUT' && one.path === path)
    if (method !== 'GET' || !path.startsWith(PREFIX) || path.includes('{') || !update) return []
    const data = resolve(resolve(answer).properties?.data)
    if (data.properties === undefined) return []
    const name = path.slice(PREFIX.length)
    const hasChannels = parameters.some((parameter) => parameter.name === 'channel_id')
    return [{ name, path, summary: summary.replace(/^Get (the )?/, ''), body: update.body, hasChannels }]
  })
}

/** Each family of settings: the store's values, those of a channel, and those that hold. */
export function SettingsPage() {
  const { hash = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const api = useStoreApi(hash)
  const document = useQuery({ queryKey: ['document'], queryFn: apiIndex, staleTime: Number.POSITIVE_INFINITY })
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
    <Page title="Settings" about="A channel has all values of a family of its own, or inherits those of the store.">
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
        {family?.hasChannels && (
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
          channel={family.hasChannels ? channel : undefined}
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
  const channelQuery = channel && { channel_id: channel.id }
  const key = ['settings', hash, family.path]
  const store = useQuery({ queryKey: [...key, 0], queryFn: () => api.data<Values>(family.path) })
  const own = useQuery({
    queryKey: [...key, channel?.id],
    enabled: channel !== undefined,
    queryFn: () => api.data<Values>(family.path, channelQuery),
  })
  const done = { refresh: [key], onDone: () => setEdited(undefined) }
  const save = useAction(
    (changes: Values) =>
      edited === 'channel'
        ? api.call('PUT', family.path, { query: channelQuery ?? {}, body: { ...ownable, ...changes } })
        : api.call('PUT', family.path, { body: changes }),
    { done: 'The settings are saved.', ...done },
  )
  const inherit = useAction(
    () => {
      const body = Object.fromEntries(Object.keys(own.data ?? {}).map((name) => [name, null]))
      return api.call('PUT', family.path, { query: channelQuery ?? {}, body })
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
        rows={Object.keys(values).map((name) => ({
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
        {channel && hasOwn && (
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
          {edited === 'channel' && !hasOwn && (
            <Alert color="blue">
              The channel gets all values of this family, also those that stay the same. Later changes of the store's
              values do not reach it.
            </Alert>
          )}
          <SchemaForm
            key={edited}
            schema={family.body}
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
