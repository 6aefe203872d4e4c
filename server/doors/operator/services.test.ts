import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { ServiceCalls } from '../../core/net/service-calls.ts'
import { observeServices } from './services.ts'

test('the metrics of calls to third parties have their kind and outcome', async () => {
  const registry = new Registry()
  const calls = new ServiceCalls()
  observeServices(registry, calls)
  const printed = async () => (await registry.metrics()).split('\n').filter((line) => /^storeward/.test(line))
  expect(await printed()).toEqual([])
  let answer = () => {}
  const call = calls.count(
    'carrier_rate',
    () => new Promise<void>((resolve) => (answer = resolve)),
    () => 'answered',
  )
  expect(await printed()).toEqual(['storeward_service_calls_running{kind="carrier_rate"} 1'])
  answer()
  await call
  calls.skip('tax_estimate')
  expect(await printed()).toEqual([
    'storeward_service_calls_total{kind="carrier_rate",outcome="answered"} 1',
    'storeward_service_calls_total{kind="tax_estimate",outcome="skipped"} 1',
    expect.stringMatching(/^storeward_service_call_seconds_total{kind="carrier_rate",outcome="answered"} [\d.e-]+$/),
    'storeward_service_call_seconds_total{kind="tax_estimate",outcome="skipped"} 0',
    'storeward_service_calls_running{kind="carrier_rate"} 0',
  ])
})
