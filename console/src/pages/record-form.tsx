import { Alert, Button, Code, Group, JsonInput, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isPlain, type Schema, typesOf } from '../api/document.ts'
import { Refusal } from '../api/operator.ts'
import { useApiIndex } from '../frame/session.ts'
import { Failure } from '../parts/feedback.tsx'
import { useUnsaved } from '../parts/unsaved.ts'

type Entry = Record<string, unknown>

/** The texts of changed fields. Fields that were not changed are not in it. */
type Typed = Record<string, string | boolean>

const LONG_TEXT = 255

/** A field that somebody else has changed while a person typed. */
interface News {
  name: string
  former: unknown
  current: unknown
}

/**
 * A form for a body of the API. Fields that differ from the entry are shown before they are sent, and only these are sent. A refusal is
 * shown beside its field. What was typed stays after a failure, and leaving the page asks first. If somebody else has changed the entry
 * meanwhile, both versions are shown before anything is sent.
 * @param value the entry as it is; undefined for a new one
 */
export function SchemaForm({
  schema,
  value,
  error,
  isSaving,
  onSave,
  readAgain,
}: {
  schema: Schema | undefined
  value: Entry | undefined
  error: unknown
  isSaving: boolean
  /** Sends the changed fields. The form keeps them if it rejects. */
  onSave(body: Entry): Promise<unknown>
  /** Reads the entry as it is now; without it, changes of others are not noticed. */
  readAgain?(): Promise<Entry | undefined>
}) {
  const { data: index } = useApiIndex()
  const [typed, setTyped] = useState<Typed>({})
  /** The entry as the person has seen it when the typing began. */
  const [seen, setSeen] = useState(value)
  const [news, setNews] = useState<News[]>([])
  const [isReviewing, setReviewing] = useState(false)
  const isDirty = Object.keys(typed).length > 0
  useUnsaved(isDirty && !isSaving)
  const resolved = index?.resolve(schema) ?? {}
  const required = new Set(resolved.required ?? [])
  const fields = Object.entries(resolved.properties ?? {})
    .map(([name, field]) => ({ name, field: index?.resolve(field) ?? field }))
    .filter(({ field }) => field.readOnly !== true)
    .toSorted((a, b) => Number(required.has(b.name)) - Number(required.has(a.name)))
  const parsed = Object.entries(typed).map(([name, text]) => {
    const field = fields.find((one) => one.name === name)?.field ?? {}
    return { name, ...parse(field, text) }
  })
  const mistakes = new Map(parsed.flatMap(({ name, mistake }) => (mistake === undefined ? [] : [[name, mistake]])))
  const current = isDirty ? seen : value
  const changes = parsed.filter(({ name, value: next }) => !isSame(next, current?.[name]))
  const refusals = error instanceof Refusal ? error.errors : {}
  const errorOf = (name: string) => mistakes.get(name) ?? refusals[name]
  const clear = () => {
    setTyped({})
    setNews([])
    setReviewing(false)
  }
  /** Reads the entry again. @returns whether the person has not seen its current fields yet */
  const findNews = async (): Promise<boolean> => {
    const latest = await readAgain?.()
    if (!latest) return false
    const found = fields.flatMap(({ name }) =>
      isSame(seen?.[name], latest[name]) ? [] : [{ name, former: seen?.[name], current: latest[name] }],
    )
    setSeen(latest)
    if (found.length > 0) setNews(found)
    return found.length > 0
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (mistakes.size > 0 || changes.length === 0) return
    if (value !== undefined) {
      const hasNews = await findNews()
      if (hasNews || !isReviewing) return setReviewing(true)
    }
    setReviewing(false)
    const isSaved = await onSave(Object.fromEntries(changes.map(({ name, value: next }) => [name, next]))).then(
      () => true,
      // The failure is in `error`.
      () => false,
    )
    if (isSaved) clear()
  }
  const set = (name: string, text: string | boolean) => {
    if (!isDirty) setSeen(value)
    setReviewing(false)
    setTyped((all) => ({ ...all, [name]: text }))
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Failure error={error} />
        {fields.map(({ name, field }) => (
          <Field
            key={name}
            name={name}
            field={field}
            isRequired={required.has(name) && value === undefined}
            current={current?.[name]}
            typed={typed[name]}
            error={errorOf(name)}
            onChange={(text) => set(name, text)}
          />
        ))}
        {news.length > 0 && (
          <Alert title="Somebody else has changed this entry meanwhile" color="yellow" role="alert">
            {news.map(({ name, former, current: theirs }) => (
              <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Code>{name}</Code> was <Code>{textOfJson(former)}</Code>, is now <Code>{textOfJson(theirs)}</Code>
                {typed[name] !== undefined && (
                  <>
                    , and you typed <Code>{String(typed[name])}</Code>
                  </>
                )}
              </Text>
            ))}
            <Text size="sm">Save to send your fields, or discard them.</Text>
          </Alert>
        )}
        {isReviewing && (
          <Alert title="These fields will change" color="blue">
            {changes.map(({ name, value: next }) => (
              <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Code>{name}</Code> from <Code>{textOfJson(current?.[name])}</Code> to <Code>{textOfJson(next)}</Code>
              </Text>
            ))}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isSaving} disabled={mistakes.size > 0 || changes.length === 0}>
            {value === undefined ? 'Create' : isReviewing ? 'Save these changes' : 'Review the changes'}
          </Button>
          {isDirty && (
            <Button variant="subtle" onClick={clear}>
              Discard
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const textOfJson = (value: unknown) => JSON.stringify(value) ?? 'nothing'

function Field({
  name,
  field,
  isRequired,
  current,
  typed,
  error,
  onChange,
}: {
  name: string
  field: Schema
  isRequired: boolean
  current: unknown
  typed: string | boolean | undefined
  error: string | undefined
  onChange(text: string | boolean): void
}) {
  const shared = { label: name, description: field.description, error, required: isRequired }
  const text = typeof typed === 'string' ? typed : textOf(current)
  const types = typesOf(field)
  if (types.length === 1 && types[0] === 'boolean') {
    const checked = typeof typed === 'boolean' ? typed : current === true
    return (
      <Switch
        label={name}
        description={field.description}
        error={error}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (field.enum) {
    return (
      <Select
        {...shared}
        data={field.enum.map(String)}
        value={text || null}
        onChange={(value) => onChange(value ?? '')}
      />
    )
  }
  if (!isPlain(field)) {
    return <JsonInput {...shared} autosize minRows={2} maxRows={12} value={text} onChange={onChange} />
  }
  if (types.includes('string') && (field.maxLength === undefined || field.maxLength > LONG_TEXT) && text.length > 60) {
    return (
      <Textarea
        {...shared}
        autosize
        maxRows={12}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...shared}
      inputMode={types.includes('string') ? 'text' : 'decimal'}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value, null, 2)
      : String(value)

/** The value of a typed text, or the mistake in it. */
function parse(field: Schema, text: string | boolean): { value?: unknown; mistake?: string } {
  if (typeof text === 'boolean') return { value: text }
  const types = typesOf(field)
  if (text === '' && types.includes('null')) return { value: null }
  if (types.includes('string') || (field.enum && types.every((type) => type === 'string'))) return { value: text }
  if (types.includes('integer') || types.includes('number')) {
    if (text.trim() !== '' && Number.isFinite(Number(text))) return { value: Number(text) }
    return { mistake: 'This is not a number.' }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { mistake: 'This is not valid JSON.' }
  }
}
