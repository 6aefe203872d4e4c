import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  JsonInput,
  Modal,
  ScrollArea,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { operator, Refusal } from '../api/operator.ts'
import { useSession, useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { MailFrame } from '../parts/mail-frame.tsx'
import { Page, Section } from '../parts/page.tsx'
import { closing, useUnsaved } from '../parts/unsaved.ts'

interface Translation {
  locale: string
  keys: Record<string, string>
}

interface Texts {
  subject: string
  body: string
  translations: Translation[]
}

interface Template extends Texts {
  type_id: string
}

interface Mail {
  subject: string
  html: string
  text: string
}

const PATH = '/v3/marketing/email-templates'
const ALL_CHANNELS = '0'
const nameOf = (type: string) => type.replace(/_email$/, '').replaceAll('_', ' ')

/** The e-mail templates of a store and of its channels. */
export function TemplatesPage() {
  const { hash = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const { type = 'invoice_email', channel = ALL_CHANNELS } = search
  const navigate = useNavigate()
  const api = useStoreApi(hash)
  const query = channel === ALL_CHANNELS ? {} : { channel_id: channel }
  const key = ['templates', hash, channel]
  const list = useQuery({
    queryKey: key,
    queryFn: async () =>
      (await api.call<{ data: Template[]; meta: { overridden?: string[] } }>('GET', PATH, { query })).body,
  })
  const channels = useQuery({
    queryKey: ['channels', hash],
    queryFn: () => api.data<{ id: number; name: string }[]>('/v3/channels', { limit: 250 }),
  })
  if (!list.data || !channels.data) return <Pending error={list.error ?? channels.error} />
  const template = list.data.data.find(({ type_id }) => type_id === type)
  const show = (next: Record<string, string>) =>
    navigate({ to: `/stores/${hash}/templates`, search: { ...search, ...next } })
  return (
    <Page
      title="E-mail templates"
      about="A channel has the template of the store, or one of its own. The preview has sample data."
      actions={
        <Anchor component={Link} to={`/stores/${hash}/mails`}>
          Mailbox
        </Anchor>
      }
    >
      <Group align="flex-end">
        <Select
          label="E-mail"
          searchable
          allowDeselect={false}
          w={280}
          maw="100%"
          data={list.data.data.map(({ type_id }) => ({ value: type_id, label: nameOf(type_id) }))}
          value={type}
          onChange={(value) => value !== null && show({ type: value })}
        />
        <Select
          label="Channel"
          allowDeselect={false}
          w={240}
          maw="100%"
          data={[
            { value: ALL_CHANNELS, label: 'all channels' },
            ...channels.data.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={channel}
          onChange={(value) => value !== null && show({ channel: value })}
        />
      </Group>
      {template ? (
        <Editor
          key={`${type} ${channel}`}
          template={template}
          channel={channel}
          isOverridden={list.data.meta.overridden?.includes(type) ?? false}
          readAgain={async () => (await list.refetch()).data?.data.find(({ type_id }) => type_id === type)}
          refresh={[['templates', hash]]}
        />
      ) : (
        <Text>There is no e-mail of this type.</Text>
      )}
    </Page>
  )
}

const textsOf = ({ subject, body, translations }: Texts): Texts => ({ subject, body, translations })
const isSame = (one: Texts, other: Texts) => JSON.stringify(textsOf(one)) === JSON.stringify(textsOf(other))

/** Edits, previews, tries and saves one template. */
function Editor({
  template,
  channel,
  isOverridden,
  readAgain,
  refresh,
}: {
  template: Template
  channel: string
  isOverridden: boolean
  readAgain(): Promise<Template | undefined>
  refresh: unknown[][]
}) {
  const { hash = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const type = template.type_id
  const query = channel === ALL_CHANNELS ? {} : { channel_id: channel }
  const [seen, setSeen] = useState<Texts>(template)
  const [subject, setSubject] = useState(template.subject)
  const [body, setBody] = useState(template.body)
  const [phrases, setPhrases] = useState(JSON.stringify(template.translations, null, 2))
  const [locale, setLocale] = useState('en')
  const [theirs, setTheirs] = useState<Texts>()
  const [isTesting, setTesting] = useState(false)
  const translations = translationsIn(phrases)
  const draft = { subject, body, translations: translations ?? [] }
  const isDirty = translations === undefined || !isSame(draft, seen)
  useUnsaved(isDirty)
  const rendered = { ...draft, channel_id: Number(channel), locale }
  const preview = useAction(() => operator<Mail>('POST', `/stores/${hash}/email-templates/${type}/preview`, rendered), {
    refresh: [],
  })
  const save = useAction(
    async () => {
      const latest = await readAgain()
      if (latest && !isSame(latest, seen)) {
        setSeen(latest)
        setTheirs(latest)
        return undefined
      }
      const { body: saved } = await api.call<{ data: Template; meta: { warnings?: string[] } }>(
        'PUT',
        `${PATH}/${type}`,
        { query, body: draft },
      )
      setSeen(saved.data)
      setTheirs(undefined)
      return saved.meta.warnings ?? []
    },
    { refresh },
  )
  const inherit = useAction(() => api.call('DELETE', `${PATH}/${type}`, { query }), {
    done: 'The channel has the template of the store again.',
    refresh,
  })
  const error = save.error ?? preview.error
  const errors = error instanceof Refusal ? error.errors : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    preview.reset()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Subject"
          required
          maxLength={255}
          value={subject}
          error={errors.subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <Source
          text={body}
          mistake={errors.body}
          onChange={(text) => {
            // The mistake may be gone, or stand elsewhere.
            save.reset()
            preview.reset()
            setBody(text)
          }}
        />
        <JsonInput
          label="Phrases"
          description="One entry for each language, with its phrases by name: [{'locale': 'de', 'keys': {'hello': 'Hallo'}}]"
          autosize
          minRows={3}
          maxRows={16}
          value={phrases}
          error={translations === undefined ? 'This is not a list of languages with their phrases.' : undefined}
          onChange={setPhrases}
        />
        <Failure error={error} />
        {theirs && (
          <Alert color="yellow" role="alert" title="Somebody else has changed this template meanwhile">
            <Stack gap="xs">
              <Text size="sm">The current subject and body, which your version would replace:</Text>
              <Code block tabIndex={0}>
                {theirs.subject}
              </Code>
              <Code block mah={240} style={{ overflow: 'auto' }} tabIndex={0}>
                {theirs.body}
              </Code>
              <Group>
                <Button
                  variant="default"
                  onClick={() => {
                    setSubject(theirs.subject)
                    setBody(theirs.body)
                    setPhrases(JSON.stringify(theirs.translations, null, 2))
                    setTheirs(undefined)
                  }}
                >
                  Take the current version
                </Button>
                <Button variant="default" onClick={() => setTheirs(undefined)}>
                  Keep mine
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
        {save.data && !isDirty && (
          <Alert color="green" role="status" title="The template is saved">
            {save.data.map((warning) => (
              <Text key={warning} size="sm">
                {warning}
              </Text>
            ))}
          </Alert>
        )}
        <Group align="flex-end">
          <Button
            type="submit"
            disabled={!isDirty || translations === undefined || theirs !== undefined}
            loading={save.isPending}
          >
            Save
          </Button>
          <TextInput
            label="Language"
            w={90}
            value={locale}
            onChange={(event) => setLocale(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={translations === undefined}
            loading={preview.isPending}
            onClick={() => {
              save.reset()
              preview.mutate()
            }}
          >
            Preview
          </Button>
          <Button variant="default" disabled={translations === undefined} onClick={() => setTesting(true)}>
            Send a test e-mail
          </Button>
          {isOverridden && (
            <Button variant="default" loading={inherit.isPending} onClick={() => inherit.mutate()}>
              Use the template of the store
            </Button>
          )}
        </Group>
        {preview.data && <Preview mail={preview.data} />}
      </Stack>
      {isTesting && (
        <TestMail
          path={`/stores/${hash}/email-templates/${type}/test`}
          draft={rendered}
          onClose={() => setTesting(false)}
        />
      )}
    </form>
  )
}

/** The source of a body. A mistake names its line and column, and a button goes there. */
function Source({
  text,
  mistake,
  onChange,
}: {
  text: string
  mistake: string | undefined
  onChange(text: string): void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [, line, column] = /line (\d+), column (\d+)/.exec(mistake ?? '') ?? []
  const go = () => {
    const before = text.split('\n').slice(0, Number(line) - 1)
    const at = before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1
    const source = field.current
    if (!source) return
    source.focus()
    source.setSelectionRange(at, at + 1)
    // Some lines are wrapped, so this is about the place of the line.
    source.scrollTop = (before.length / text.split('\n').length) * source.scrollHeight - source.clientHeight / 2
  }
  return (
    <Stack gap={4}>
      <Textarea
        ref={field}
        label="Body"
        description="HTML with Handlebars expressions"
        required
        autosize
        minRows={10}
        maxRows={24}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        value={text}
        error={mistake}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {line !== undefined && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={go}>
            Go to line {line}, column {column}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const WIDTHS = { phone: 360, desktop: 1_024 } as const

/** A rendered e-mail in a frame without scripts and without an origin, as wide as a phone or a desktop. */
function Preview({ mail }: { mail: Mail }) {
  const [width, setWidth] = useState<keyof typeof WIDTHS>('phone')
  return (
    <Section title="Preview">
      <Text size="sm">Subject: {mail.subject}</Text>
      <SegmentedControl
        aria-label="Width"
        maw={240}
        data={[
          { value: 'phone', label: 'Phone' },
          { value: 'desktop', label: 'Desktop' },
        ]}
        value={width}
        onChange={(value) => setWidth(value === 'desktop' ? 'desktop' : 'phone')}
      />
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `Preview on a ${width}` }}>
        <MailFrame
          title="Preview of the e-mail"
          html={mail.html}
          style={{ width: WIDTHS[width], height: '70vh', border: '1px solid gray' }}
        />
      </ScrollArea>
      <Title order={3} size="h5">
        As text
      </Title>
      <Text component="pre" size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {mail.text}
      </Text>
    </Section>
  )
}

function TestMail({ path, draft, onClose }: { path: string; draft: object; onClose(): void }) {
  const { person } = useSession()
  const own = person?.email ?? ''
  const [to, setTo] = useState(own)
  const send = useAction(() => operator('POST', path, { ...draft, to }), {
    done: `A test e-mail to ${to} will be sent.`,
    refresh: [],
    onDone: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    send.mutate()
  }
  return (
    <Modal opened onClose={closing(to !== own, onClose)} title="Send a test e-mail">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="To"
            type="email"
            required
            data-autofocus
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Text size="sm">It has the texts of the form, saved or not, and sample data.</Text>
          <Failure error={send.error} />
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

/** The phrases of a typed text; undefined if it is not valid. */
function translationsIn(text: string): Translation[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(isTranslation) ? value : undefined
  } catch {
    return undefined
  }
}

const isTranslation = (value: unknown): value is Translation =>
  typeof value === 'object' && value !== null && 'locale' in value && 'keys' in value
