import { Counter, Gauge, type Registry } from 'prom-client'
import type { ServiceCalls } from '../../core/net/service-calls.ts'

/** Registers metrics of the calls of this process to tax providers and carriers, by kind. */
export function observeServices(registry: Registry, calls: Pick<ServiceCalls, 'running' | 'ended'>) {
  const registers = [registry]
  const ended = (name: string, help: string, of: (ended: { count: number; seconds: number }) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['kind', 'outcome'],
      registers,
      collect() {
        this.reset()
        for (const { kind, outcome, ...sums } of calls.ended()) this.inc({ kind, outcome }, of(sums))
      },
    })
  ended('storeward_service_calls_total', 'Calls to tax providers and carriers by outcome.', ({ count }) => count)
  ended(
    'storeward_service_call_seconds_total',
    'Time of the calls to tax providers and carriers by outcome.',
    ({ seconds }) => seconds,
  )
  new Gauge({
    name: 'storeward_service_calls_running',
    help: 'Calls to tax providers and carriers that wait for an answer.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, count] of calls.running) this.set({ kind }, count)
    },
  })
}
