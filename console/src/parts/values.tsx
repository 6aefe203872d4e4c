import { Badge, Code, CopyButton, Group, Text, Tooltip, UnstyledButton } from '@mantine/core'

/** A time of day and its date in the zone of the browser, with UTC in its title. */
export function Time({ at }: { at: string | number | null | undefined }) {
  if (at === null || at === undefined || at === '') return <Text span>–</Text>
  const date = new Date(typeof at === 'number' ? at * 1_000 : at)
  if (Number.isNaN(date.getTime())) return <>{String(at)}</>
  return (
    <Tooltip label={date.toISOString()}>
      <time dateTime={date.toISOString()}>{date.toLocaleString()}</time>
    </Tooltip>
  )
}

export function Money({ amount, currency }: { amount: string | number; currency: string }) {
  const number = Number(amount)
  try {
    return <>{new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(number)}</>
  } catch {
    return <>{`${amount} ${currency}`}</>
  }
}

/** A value of an answer in a cell: texts of stores are always text. */
export function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '')
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'object') return <Code>{JSON.stringify(value).slice(0, 80)}</Code>
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <Time at={value} />
  return <>{String(value).slice(0, 160)}</>
}

/** A text that is copied by a click. */
export function Copied({ text, label }: { text: string; label?: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton maw="100%" onClick={copy} aria-label={`Copy ${label ?? text}`}>
          <Group gap={6} wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{label ?? text}</Code>
            <Text size="xs" c="dimmed">
              {copied ? 'copied' : 'copy'}
            </Text>
          </Group>
        </UnstyledButton>
      )}
    </CopyButton>
  )
}

const COLOURS: Readonly<Record<string, string>> = {
  active: 'green',
  done: 'green',
  delivered: 'green',
  deactivated: 'red',
  failed: 'red',
  held: 'red',
  suspended: 'red',
  maintenance: 'yellow',
  upgrading: 'yellow',
  low: 'yellow',
}

/** A state. Its word carries the meaning, not its colour. */
export const State = ({ state }: { state: string }) => (
  <Badge variant="outline" color={COLOURS[state] ?? 'gray'} tt="none" miw="max-content" style={{ color: 'inherit' }}>
    {state}
  </Badge>
)
