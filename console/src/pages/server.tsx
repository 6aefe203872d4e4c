import 'uplot/dist/uPlot.min.css'
import { Alert, Button, Code, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import { operator } from '../api/operator.ts'
import { Failure, Pending } from '../parts/feedback.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { State, Time } from '../parts/values.tsx'

interface Moment {
  at: number
  requests: number
  errors: number
  p50_ms: number
  p99_ms: number
  memory_mib: number
  delay_ms: number
  pool: number
  backlog: number
}

interface ServerState {
  version: string
  node: string
  started_at: string
  warnings: string[]
  hour: Moment[]
  day: Moment[]
  stores: { store: string; requests: number }[]
  processes: number
  running: { host: string; pid: number; role: string; seen_at: string }[]
}

/** Health of the server process that answers, and the load of all processes. */
export function ServerPage() {
  const [span, setSpan] = useState<'hour' | 'day'>('hour')
  const state = useQuery({
    queryKey: ['server'],
    queryFn: () => operator<ServerState>('GET', '/server'),
    refetchInterval: 10_000,
  })
  if (!state.data) return <Pending error={state.error} />
  const { version, node, started_at, warnings, stores, processes, running } = state.data
  const plotted = { moments: state.data[span], seconds: SECONDS[span] }
  return (
    <Page
      title="Server"
      about={
        <>
          storeward {version} on Node <Code>{node}</Code>, running since <Time at={started_at} />. The figures are those
          of {processes} {processes === 1 ? 'process' : 'processes'}; others are up to a minute old.
        </>
      }
      actions={
        <SegmentedControl
          aria-label="Time"
          data={[
            { value: 'hour', label: 'Last hour' },
            { value: 'day', label: 'Last day' },
          ]}
          value={span}
          onChange={(value) => setSpan(value === 'day' ? 'day' : 'hour')}
        />
      }
    >
      {warnings.map((warning) => (
        <Alert key={warning} color="gray" title={warning} />
      ))}
      <Findings />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Plot title="Requests" {...plotted} of={({ requests }) => requests} />
        <Plot title="Errors of the server (5xx)" {...plotted} of={({ errors }) => errors} />
        <Plot title="Median answer, ms" {...plotted} of={({ p50_ms }) => p50_ms} />
        <Plot title="p99 of answers, ms" {...plotted} of={({ p99_ms }) => p99_ms} />
        <Plot title="Most database connections of a process" {...plotted} of={({ pool }) => pool} />
        <Plot title="Callbacks and jobs that are due" {...plotted} of={({ backlog }) => backlog} />
        <Plot title="Memory of the largest process, MiB" {...plotted} of={({ memory_mib }) => memory_mib} />
        <Plot title="Longest delay of an event loop, ms" {...plotted} of={({ delay_ms }) => delay_ms} />
      </SimpleGrid>
      <Section title="Busiest stores of the last hour">
        <Rows
          head={['Store', 'Requests']}
          empty="No store had a request."
          rows={stores.map(({ store, requests }) => ({ key: store, cells: [store, requests] }))}
        />
      </Section>
      <Section title="Processes">
        <Rows
          head={['Machine', 'Process', 'Role', 'Last seen']}
          empty="No process has reported itself."
          rows={running.map(({ host, pid, role, seen_at }) => ({
            key: `${host} ${pid}`,
            cells: [host, pid, role, <Time key="seen" at={seen_at} />],
          }))}
        />
      </Section>
    </Page>
  )
}

interface Finding {
  state: string
  of: string
  says: string
}

/** The findings of `doctor` about this process, on demand: it connects to databases and services. */
function Findings() {
  const found = useQuery({
    queryKey: ['findings'],
    enabled: false,
    queryFn: () => operator<Finding[]>('GET', '/server/findings'),
  })
  return (
    <Stack gap="xs">
      <Button variant="default" maw="max-content" loading={found.isFetching} onClick={() => found.refetch()}>
        Examine the server
      </Button>
      <Failure error={found.error} />
      {found.data && (
        <Rows
          head={['State', 'Of', 'Finding']}
          empty="Nothing was found."
          rows={found.data.map(({ state, of, says }) => ({
            key: `${of} ${says}`,
            cells: [<State key="state" state={state} />, of, says],
          }))}
        />
      )}
    </Stack>
  )
}

const PLOT_HEIGHT = 140
const SECONDS = { hour: 3_600, day: 86_400 }

/** A line over the last seconds, with its last value in words. */
function Plot({
  title,
  moments,
  seconds,
  of,
}: {
  title: string
  moments: readonly Moment[]
  seconds: number
  of(moment: Moment): number
}) {
  const box = useRef<HTMLDivElement>(null)
  const values = moments.map(of)
  const last = values.at(-1) ?? 0
  useEffect(() => {
    if (!box.current) return
    const plot = new UPlot(
      {
        width: box.current.clientWidth,
        height: PLOT_HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { range: () => [Date.now() / 1_000 - seconds, Date.now() / 1_000] } },
        axes: [{ stroke: 'gray' }, { stroke: 'gray', size: 60 }],
        series: [{}, { stroke: '#4dabf7', width: 2 }],
      },
      [moments.map(({ at }) => at), values],
      box.current,
    )
    const observer = new ResizeObserver(([entry]) => {
      if (entry) plot.setSize({ width: entry.contentRect.width, height: PLOT_HEIGHT })
    })
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  })
  return (
    <Stack gap={4}>
      <Text size="sm">
        {title}: <strong>{last.toLocaleString()}</strong>
      </Text>
      <div ref={box} style={{ overflow: 'hidden' }} role="img" aria-label={`${title} over time, last ${last}`} />
    </Stack>
  )
}
