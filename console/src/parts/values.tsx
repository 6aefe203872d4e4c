import { Badge, Code, CopyButton, Group, Text, UnstyledButton } from '@mantine/core'
import { createContext, useContext } from 'react'

/** How a store writes times and amounts. */
export interface Customs {
  /** Such as `Europe/Berlin`. */
  zone: string
  /** The default currency, such as `EUR`. */
  currency: string
}

/** The customs of the store; undefined outside of stores, where times are in the zone of the browser, and until they are known. */
export const StoreCustoms = createContext<Customs | undefined>(undefined)

const UTC = /^(Etc\/)?(UTC|GMT|Universal|Zulu)$/

/** The parts of a moment that a person reads, in a zone: 2026-11-28, 17:05:09. */
const read = (date: Date, timeZone: string | undefined) =>
  date.toLocaleString(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'medium' })

/** A date and its time of day in the zone of the store, with UTC beside it. */
export function Time({ at }: { at: string | number | null | undefined }) {
  const zone = useContext(StoreCustoms)?.zone
  if (at === null || at === undefined || at === '') return <Text span>–</Text>
  const date = new Date(typeof at === 'number' ? at * 1_000 : at)
  if (Number.isNaN(date.getTime())) return <>{String(at)}</>
  const own = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  if (UTC.test(own)) return <time dateTime={date.toISOString()}>{read(date, 'UTC')} UTC</time>
  return (
    <time dateTime={date.toISOString()}>
      {read(date, own)}{' '}
      <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {read(date, 'UTC')} UTC
      </Text>
    </time>
  )
}

/** An amount of money. @param currency without one, the default currency of the store */
export function Money({ amount, currency }: { amount: string | number; currency?: string }) {
  const customs = useContext(StoreCustoms)
  const code = currency ?? customs?.currency ?? ''
  try {
    return <>{new Intl.NumberFormat(undefined, { style: 'currency', currency: code }).format(Number(amount))}</>
  } catch {
    return <>{`${amount} ${code}`}</>
  }
}

/** A moment as one of the two families writes it. */
const MOMENT = /^(\d{4}-\d\d-\d\dT|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:)/

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
  if (typeof value === 'string' && MOMENT.test(value)) return <Time at={value} />
  return <>{String(value).slice(0, 160)}</>
}

/** With less room, as in a column of a phone, a text without spaces would be as high as it is long. */
const COPIED_WIDTH = 170

/** A text that is copied by a click. */
export function Copied({ text, label }: { text: string; label?: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton maw="100%" miw={COPIED_WIDTH} onClick={copy} aria-label={`Copy ${label ?? text}`}>
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
  ok: 'green',
  look: 'yellow',
  mend: 'red',
}

/** A state. Its word carries the meaning, not its colour. */
export const State = ({ state }: { state: string }) => (
  <Badge variant="outline" color={COLOURS[state] ?? 'gray'} tt="none" miw="max-content" style={{ color: 'inherit' }}>
    {state}
  </Badge>
)
