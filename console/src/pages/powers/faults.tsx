import { Button, Code, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { operator } from '../../api/operator.ts'
import { useApiIndex } from '../../frame/session.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'

type Rule = Readonly<Record<string, string | number>>

interface Fault {
  id: number
  rule: Rule
  seen: number
  ends_at: string
}

const READ_AGAIN_MS = 3_000

/** The effects of faults by their sentence. Those of a port are about calls to another system, and have no operation. */
const EFFECTS: Readonly<Record<string, Rule>> = {
  'requests: answered with 503': { status: 503 },
  'requests: answered with 500': { status: 500 },
  'requests: answered with 429': { status: 429 },
  'requests: two seconds late': { delay_ms: 2_000 },
  'requests: connection cut before the work': { reset: 'before_work' },
  'requests: connection cut after the commit': { reset: 'after_commit' },
  'requests: half of the body, then cut': { reset: 'half_body' },
  'payments: declined': { port: 'gateway', outcome: 'declined' },
  'payments: pending': { port: 'gateway', outcome: 'pending' },
  'payments: no answer, no effect': { port: 'gateway', outcome: 'timed_out' },
  'payments: answer lost after the effect': { port: 'gateway', outcome: 'answer_lost' },
  'e-mails: refused': { port: 'mail', outcome: 'fails' },
  'files: storage fails': { port: 'files', outcome: 'fails' },
  'files: disk full': { port: 'files', outcome: 'full_disk' },
  'pictures: host fails': { port: 'pictures', outcome: 'fails' },
}
const [FIRST_EFFECT = ''] = Object.keys(EFFECTS)

/** Makes requests and calls to other systems fail, so that a client can be tested with them. */
export function Faults({ hash }: { hash: string }) {
  const path = `/stores/${hash}/faults`
  const key = ['faults', hash]
  // Requests of clients match meanwhile.
  const faults = useQuery({
    queryKey: key,
    queryFn: () => operator<Fault[]>('GET', path),
    refetchInterval: READ_AGAIN_MS,
  })
  const { data: index } = useApiIndex()
  const [effect, setEffect] = useState(FIRST_EFFECT)
  const [operation, setOperation] = useState<string | null>(null)
  const [next, setNext] = useState<number | string>('')
  const [minutes, setMinutes] = useState<number | string>(60)
  const isOfPort = EFFECTS[effect]?.port !== undefined
  const rule = {
    ...EFFECTS[effect],
    ...(operation === null || isOfPort ? {} : { operation }),
    ...(next === '' ? {} : { next: Number(next) }),
    minutes: Number(minutes),
  }
  const add = useAction(() => operator('POST', path, rule), { done: 'The fault is added.', refresh: [key] })
  const clear = useAction(() => operator('DELETE', path), { done: 'All faults are cleared.', refresh: [key] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  if (!faults.data) return <Pending error={faults.error} />
  return (
    <Stack gap="xs">
      <form onSubmit={submit}>
        <Group align="flex-end">
          <Select
            label="Effect"
            w={310}
            maw="100%"
            allowDeselect={false}
            data={Object.keys(EFFECTS)}
            value={effect}
            onChange={(value) => value && setEffect(value)}
          />
          <Select
            label="Requests"
            placeholder="all"
            w={310}
            maw="100%"
            searchable
            clearable
            limit={50}
            disabled={isOfPort}
            data={(index?.operations ?? []).map(({ method, path }) => `${method} ${path}`)}
            value={isOfPort ? null : operation}
            onChange={setOperation}
          />
          <NumberInput label="Times" placeholder="always" w={110} min={1} value={next} onChange={setNext} />
          <NumberInput label="Minutes" w={110} min={1} max={1_440} required value={minutes} onChange={setMinutes} />
          <Button type="submit" variant="default" loading={add.isPending}>
            Add the fault
          </Button>
        </Group>
      </form>
      <Failure error={add.error ?? clear.error} />
      <Rows
        head={['Fault', 'Rule', 'Matches so far', 'Ends']}
        empty="The store has no fault. Add the first one with the button above."
        rows={faults.data.map(({ id, rule, seen, ends_at }) => ({
          key: id,
          cells: [id, <Code key="rule">{JSON.stringify(rule)}</Code>, seen, <Time key="end" at={ends_at} />],
        }))}
      />
      {faults.data.length > 0 && (
        <Group>
          <Button variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
            Clear all faults
          </Button>
        </Group>
      )}
    </Stack>
  )
}
