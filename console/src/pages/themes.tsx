import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  Image,
  Modal,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { operator } from '../api/operator.ts'
import type { StoreApi } from '../api/store.ts'
import { useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { useUnsaved } from '../parts/unsaved.ts'
import { State, Time } from '../parts/values.tsx'

interface Theme {
  uuid: string
  name: string
  is_private: boolean
  is_active: boolean
  updated_at: string
  variations: { uuid: string; name: string }[]
}

interface ThemeJob {
  id: string
  status: 'QUEUED' | 'WORKING' | 'COMPLETED' | 'FAILED'
  percent_complete: number
  result: { theme_id?: string; download_url?: string }
  warnings: { message: string }[]
  errors: { message: string }[]
}

const PATH = '/v3/themes'
const POLL_MS = 1_000

/** The themes of a store: the one that a channel shows, and others. */
export function ThemesPage() {
  const { hash = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const key = ['themes', hash]
  const themes = useQuery({ queryKey: key, queryFn: () => api.data<Theme[]>(PATH) })
  const [job, setJob] = useState<string>()
  const [activated, activate] = useState<Theme>()
  const [deleted, setDeleted] = useState<Theme>()
  const upload = useAction(
    async (file: File) => {
      const form = new FormData()
      form.append('file', file)
      return (await api.call<{ job_id: string }>('POST', PATH, { body: form })).body.job_id
    },
    { refresh: [], onDone: setJob },
  )
  const download = useAction(
    async (theme: Theme) =>
      (await api.call<{ job_id: string }>('POST', `${PATH}/${theme.uuid}/actions/download`, { body: {} })).body.job_id,
    { refresh: [], onDone: setJob },
  )
  const remove = useAction((theme: Theme) => api.call('DELETE', `${PATH}/${theme.uuid}`), {
    done: 'The theme is deleted.',
    refresh: [key],
    onDone: () => setDeleted(undefined),
  })
  if (!themes.data) return <Pending error={themes.error} />
  return (
    <Page title="Themes" about="A theme decides how the pages of a storefront look. Each channel shows one.">
      <label>
        <Text size="sm" component="span">
          Upload a theme, a zip archive of at most 50 MiB
        </Text>
        <br />
        <input
          type="file"
          accept=".zip,application/zip"
          disabled={upload.isPending}
          style={{ maxWidth: '100%' }}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) upload.mutate(file)
          }}
        />
      </label>
      <Failure error={upload.error ?? download.error} />
      {job !== undefined && <JobState key={job} api={api} job={job} refresh={key} />}
      <Rows
        head={['Theme', 'Kind', 'State', 'Variations', 'Changed', 'Actions']}
        empty="The store has no theme. Upload the first one above."
        rows={themes.data.map((theme) => ({
          key: theme.uuid,
          cells: [
            <Anchor key="name" component={Link} to={`/stores/${hash}/themes/${theme.uuid}`}>
              {theme.name}
            </Anchor>,
            theme.is_private ? 'private' : 'comes with the server',
            <State key="state" state={theme.is_active ? 'active' : 'not shown'} />,
            theme.variations.map(({ name }) => name).join(', '),
            <Time key="at" at={theme.updated_at} />,
            <Group key="actions" gap="xs" wrap="nowrap">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Activate ${theme.name}`}
                onClick={() => activate(theme)}
              >
                Activate
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Download ${theme.name}`}
                onClick={() => download.mutate(theme)}
              >
                Download
              </Button>
              {theme.is_private && (
                <Button
                  size="compact-sm"
                  variant="outline"
                  color="red"
                  aria-label={`Delete ${theme.name}`}
                  onClick={() => setDeleted(theme)}
                >
                  Delete
                </Button>
              )}
            </Group>,
          ],
        }))}
      />
      {activated && <Activation api={api} theme={activated} refresh={[key]} onClose={() => activate(undefined)} />}
      <Modal opened={deleted !== undefined} onClose={() => setDeleted(undefined)} title={`Delete ${deleted?.name}?`}>
        <Stack>
          <Text size="sm">Its variations and configurations are deleted, too. This can't be undone.</Text>
          <Failure error={remove.error} />
          <Button color="red" loading={remove.isPending} onClick={() => deleted && remove.mutate(deleted)}>
            Delete the theme
          </Button>
        </Stack>
      </Modal>
    </Page>
  )
}

/** The state of an upload or a download, until it has ended. */
function JobState({ api, job, refresh }: { api: StoreApi; job: string; refresh: unknown[] }) {
  const state = useQuery({
    queryKey: ['theme job', api.hash, job],
    queryFn: () => api.data<ThemeJob>(`${PATH}/jobs/${job}`),
    refetchInterval: ({ state: { data } }) => (data && isEnded(data) ? false : POLL_MS),
  })
  const client = useQueryClient()
  const isDone = state.data?.status === 'COMPLETED'
  // The list has the new theme now.
  useEffect(() => {
    if (isDone) client.invalidateQueries({ queryKey: refresh })
  }, [isDone, client, ...refresh])
  if (!state.data) return <Pending error={state.error} />
  const { status, percent_complete, result, errors, warnings } = state.data
  const link = ownLink(result.download_url)
  return (
    <Alert
      role="status"
      color={status === 'FAILED' ? 'red' : status === 'COMPLETED' ? 'green' : 'blue'}
      title={
        status === 'COMPLETED' ? 'It is done' : status === 'FAILED' ? 'It failed' : `It is ${percent_complete} % done`
      }
    >
      {[...errors, ...warnings].map(({ message }) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
      {result.theme_id !== undefined && status === 'COMPLETED' && link === undefined && (
        <Anchor component={Link} to={`/stores/${api.hash}/themes/${result.theme_id}`}>
          Open the theme
        </Anchor>
      )}
      {link !== undefined && <Anchor href={link}>Save the archive</Anchor>}
    </Alert>
  )
}

const isEnded = ({ status }: ThemeJob) => status === 'COMPLETED' || status === 'FAILED'

/** The link to an archive, at the address by which the browser knows this server. */
function ownLink(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed ? `${parsed.pathname}${parsed.search}` : undefined
}

function Activation({
  api,
  theme,
  refresh,
  onClose,
}: {
  api: StoreApi
  theme: Theme
  refresh: unknown[][]
  onClose(): void
}) {
  const channels = useQuery({
    queryKey: ['channels', api.hash],
    queryFn: () => api.data<{ id: number; name: string }[]>('/v3/channels', { limit: 250 }),
  })
  const [variation, setVariation] = useState(theme.variations[0]?.uuid ?? null)
  const [channel, setChannel] = useState('1')
  const [which, setWhich] = useState('original')
  const run = useAction(
    () =>
      api.call('POST', `${PATH}/actions/activate`, {
        body: { variation_id: variation, channel_id: Number(channel), which },
      }),
    { done: 'The channel shows the theme now.', refresh, onDone: onClose },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={`Activate ${theme.name}`}>
      <form onSubmit={submit}>
        <Stack>
          <Select
            label="Channel"
            allowDeselect={false}
            data={(channels.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={channel}
            onChange={(value) => value !== null && setChannel(value)}
          />
          <Select
            label="Variation"
            allowDeselect={false}
            data={theme.variations.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            value={variation}
            onChange={setVariation}
          />
          <Select
            label="Configuration"
            allowDeselect={false}
            data={[
              { value: 'original', label: 'as it came' },
              { value: 'last_activated', label: 'activated last' },
              { value: 'last_created', label: 'saved last' },
            ]}
            value={which}
            onChange={(value) => value !== null && setWhich(value)}
          />
          <Failure error={run.error} />
          <Button type="submit" loading={run.isPending}>
            Activate
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

interface Configuration {
  uuid: string
  variation_uuid: string
  date_created: string
  settings: Record<string, unknown>
}

/** One theme: its files, and the configurations of its variations. */
export function ThemePage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const theme = useQuery({ queryKey: ['theme', hash, id], queryFn: () => api.data<Theme>(`${PATH}/${id}`) })
  const [variation, setVariation] = useState<string>()
  if (!theme.data) return <Pending error={theme.error} />
  const { name, is_active, updated_at, variations } = theme.data
  const chosen = variation ?? variations[0]?.uuid ?? ''
  return (
    <Page
      title={name}
      about={
        <>
          {is_active ? 'A channel shows it.' : 'No channel shows it.'} Changed <Time at={updated_at} />
        </>
      }
      actions={
        <Anchor component={Link} to={`/stores/${hash}/themes`}>
          All themes
        </Anchor>
      }
    >
      <Title order={2} size="h4">
        Configurations
      </Title>
      <Select
        label="Variation"
        maw={280}
        allowDeselect={false}
        data={variations.map((one) => ({ value: one.uuid, label: one.name }))}
        value={chosen}
        onChange={(value) => value !== null && setVariation(value)}
      />
      <Configurations key={chosen} api={api} theme={id} variation={chosen} />
      <Title order={2} size="h4">
        Files
      </Title>
      <ThemeFiles hash={hash} theme={id} />
    </Page>
  )
}

function Configurations({ api, theme, variation }: { api: StoreApi; theme: string; variation: string }) {
  const path = `${PATH}/${theme}/configurations`
  const key = ['configurations', api.hash, theme, variation]
  const [uuid, choose] = useState<string>()
  const list = useQuery({
    queryKey: key,
    queryFn: () => api.data<Configuration[]>(path, { variation_uuid: variation, limit: 250 }),
  })
  if (!list.data) return <Pending error={list.error} />
  const chosen = list.data.find((one) => one.uuid === uuid) ?? list.data.at(-1)
  return (
    <Stack>
      <Select
        label="Configuration"
        maw={380}
        allowDeselect={false}
        data={list.data.map((one, i) => ({
          value: one.uuid,
          label: i === 0 ? 'as it came with the theme' : `saved ${one.date_created}`,
        }))}
        value={chosen?.uuid ?? null}
        onChange={(value) => value !== null && choose(value)}
      />
      {chosen && (
        <Settings
          key={chosen.uuid}
          api={api}
          path={path}
          configuration={chosen}
          refresh={[key]}
          onSaved={(saved) => choose(saved)}
        />
      )}
    </Stack>
  )
}

/** The values of a configuration. Saved ones never change, so saving makes the next one. */
function Settings({
  api,
  path,
  configuration,
  refresh,
  onSaved,
}: {
  api: StoreApi
  path: string
  configuration: Configuration
  refresh: unknown[][]
  onSaved(uuid: string): void
}) {
  const [typed, setTyped] = useState<Record<string, string | boolean>>({})
  const [words, setWords] = useState('')
  const changes = Object.entries(typed).flatMap(([name, text]) => {
    const value = parsedAs(text, configuration.settings[name])
    return value === configuration.settings[name] ? [] : [[name, value] as const]
  })
  const isDirty = changes.length > 0
  useUnsaved(isDirty)
  const save = useAction(
    async () => {
      const body = {
        variation_id: configuration.variation_uuid,
        settings: { ...configuration.settings, ...Object.fromEntries(changes) },
      }
      return (await api.call<{ data: Configuration }>('POST', path, { body })).body.data.uuid
    },
    {
      done: 'The configuration is saved. Activate the theme with it to show it.',
      refresh,
      onDone: (uuid) => {
        setTyped({})
        onSaved(uuid)
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const names = Object.keys(configuration.settings).filter((name) => name.includes(words.trim().toLowerCase()))
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" maw={720}>
        <TextInput label="Find a setting" value={words} onChange={(event) => setWords(event.currentTarget.value)} />
        <Stack
          gap="xs"
          mah={420}
          style={{ overflowY: 'auto' }}
          tabIndex={0}
          role="region"
          aria-label="Settings of the configuration"
        >
          {names.map((name) => (
            <Setting
              key={name}
              name={name}
              value={typed[name] ?? configuration.settings[name]}
              onChange={(value) => setTyped((all) => ({ ...all, [name]: value }))}
            />
          ))}
          {names.length === 0 && <Text size="sm">No setting has these words.</Text>}
        </Stack>
        <Failure error={save.error} />
        <Group>
          <Button type="submit" disabled={!isDirty} loading={save.isPending}>
            Save as the next configuration
          </Button>
          {isDirty && (
            <Button variant="subtle" onClick={() => setTyped({})}>
              Discard
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function Setting({ name, value, onChange }: { name: string; value: unknown; onChange(value: string | boolean): void }) {
  if (typeof value === 'boolean') {
    return <Switch label={name} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <TextInput label={name} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
}

/** A typed value with the type of the former one. */
function parsedAs(text: string | boolean, former: unknown): unknown {
  if (typeof text === 'boolean' || typeof former === 'string') return text
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    // The server names the mistake.
    return text
  }
}

interface ThemeFile {
  path: string
  size: number | null
}

function ThemeFiles({ hash, theme }: { hash: string; theme: string }) {
  const { file }: { file?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const path = `/stores/${hash}/themes/${theme}/files`
  const list = useQuery({
    queryKey: ['theme files', hash, theme],
    queryFn: () => operator<ThemeFile[]>('GET', path),
  })
  const opened = useQuery({
    queryKey: ['theme file', hash, theme, file],
    enabled: file !== undefined,
    queryFn: () => operator<{ text: string | null }>('GET', `${path}/text?path=${encodeURIComponent(file ?? '')}`),
  })
  const [words, setWords] = useState('')
  if (!list.data) return <Pending error={list.error} />
  const show = (chosen: string | undefined) =>
    navigate({ to: `/stores/${hash}/themes/${theme}`, search: chosen === undefined ? {} : { file: chosen } })
  return (
    <Stack>
      <TextInput
        label="Find a file"
        maw={320}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Rows
        head={['Path', 'Bytes']}
        empty="The theme has no files."
        rows={list.data
          .filter((one) => one.path.includes(words.trim()))
          .slice(0, FILES_SHOWN)
          .map((one) => ({
            key: one.path,
            cells: [
              <Anchor key="path" component="button" type="button" ta="left" onClick={() => show(one.path)}>
                {one.path}
              </Anchor>,
              one.size?.toLocaleString() ?? '–',
            ],
          }))}
      />
      {list.data.length > FILES_SHOWN && (
        <Text size="sm">
          The first {FILES_SHOWN} of {list.data.length.toLocaleString()} files. Type a part of the path to find others.
        </Text>
      )}
      <Modal opened={file !== undefined} onClose={() => show(undefined)} title={file} size="xl">
        {opened.data ? (
          opened.data.text === null ? (
            <ThemePicture folder={path} file={file ?? ''} />
          ) : (
            <Code block tabIndex={0}>
              {opened.data.text}
            </Code>
          )
        ) : (
          <Pending error={opened.error} />
        )}
      </Modal>
    </Stack>
  )
}

/** A picture of a theme, such as a screenshot. @param folder the path of the theme's files in the operator's API */
function ThemePicture({ folder, file }: { folder: string; file: string }) {
  const { data, error } = useQuery({
    queryKey: ['theme picture', folder, file],
    queryFn: () =>
      operator<{ picture: { type: string; base64: string } | null }>(
        'GET',
        `${folder}/picture?path=${encodeURIComponent(file)}`,
      ),
  })
  if (!data) return <Pending error={error} />
  if (!data.picture) return <Text>The file is no text and no picture, or it is too long to be shown.</Text>
  return <Image src={`data:${data.picture.type};base64,${data.picture.base64}`} alt={file} fit="contain" mah="70vh" />
}

const FILES_SHOWN = 200
