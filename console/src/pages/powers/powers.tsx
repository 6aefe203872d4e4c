import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator, type Store } from '../../api/operator.ts'
import { hasRole, OPERATORS } from '../../frame/roles.ts'
import { useSession } from '../../frame/session.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/values.tsx'
import { Copies } from './copies.tsx'
import { Faults } from './faults.tsx'

/** The clock and the faults of a test store, and the copies of any store. */
export function PowersPage() {
  const { hash = '' } = useParams({ strict: false })
  const { person } = useSession()
  const store = useQuery({ queryKey: ['store', hash], queryFn: () => operator<Store>('GET', `/stores/${hash}`) })
  if (!store.data) return <Pending error={store.error} />
  const { is_test } = store.data
  return (
    <Page
      title="Clock, faults and copies"
      about={is_test ? 'The powers of a test store' : 'This is a real store: its clock stays, and it has no faults.'}
    >
      {is_test && (
        <Section title="Clock">
          <Clock hash={hash} />
        </Section>
      )}
      {is_test && (
        <Section title="Faults">
          <Faults hash={hash} />
        </Section>
      )}
      {hasRole(person, OPERATORS) && (
        <Section title="Copies">
          <Copies hash={hash} isTest={is_test} />
        </Section>
      )}
    </Page>
  )
}

interface ClockState {
  ahead_seconds: number
  time: string
  stands: boolean
  /** Work that is due and not done, by its kind. */
  left?: Record<string, number>
}

const UNITS = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
]

function Clock({ hash }: { hash: string }) {
  const path = `/stores/${hash}/clock`
  const key = ['clock', hash]
  const clock = useQuery({ queryKey: key, queryFn: () => operator<ClockState>('GET', path) })
  const [count, setCount] = useState<number | string>(1)
  const [unit, setUnit] = useState('86400')
  const advance = useAction(
    () => operator<ClockState>('POST', `${path}/advance`, { seconds: Math.round(Number(count) * Number(unit)) }),
    { done: 'The clock has moved, and the work that became due is done.', refresh: [key] },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    advance.mutate()
  }
  if (!clock.data) return <Pending error={clock.error} />
  const left = Object.entries(advance.data?.left ?? {})
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Text size="sm">
          <Time at={clock.data.time} />
          {clock.data.stands
            ? '. It stands until it is moved on.'
            : `, ${clock.data.ahead_seconds.toLocaleString()} seconds ahead. It never goes back.`}
        </Text>
        <Group align="flex-end">
          <NumberInput label="Move it on by" w={120} min={1} required value={count} onChange={setCount} />
          <Select
            aria-label="Unit"
            w={120}
            allowDeselect={false}
            data={UNITS}
            value={unit}
            onChange={(value) => value && setUnit(value)}
          />
          <Button type="submit" variant="default" loading={advance.isPending}>
            Move the clock
          </Button>
        </Group>
        <Failure error={advance.error} />
        {left.length > 0 && (
          <Text size="sm" role="status">
            Not done after 30 seconds: {left.map(([kind, number]) => `${number} ${kind}`).join(', ')}.
          </Text>
        )}
      </Stack>
    </form>
  )
}
