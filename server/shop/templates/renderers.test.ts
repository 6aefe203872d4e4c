import { afterEach, describe, expect, test, vi } from 'vitest'
import { RENDERING } from './bounds.ts'
import { Renderers, RenderersBusy } from './renderers.ts'
import type { Work } from './work.ts'

let renderers = new Renderers()
afterEach(() => {
  renderers.close()
  renderers = new Renderers()
})

const work = (more: Partial<Work> = {}, body = '<p>{{name}}</p>'): Work => ({
  templates: { subject: { text: 'Hello {{name}}', prints: 'text' }, body: { text: body, prints: 'html' } },
  helpers: ['lang'],
  translations: [],
  locale: 'en',
  context: { name: 'Robin' },
  bounds: RENDERING,
  plainTextOf: 'body',
  ...more,
})
const fine = {
  ok: true,
  rendered: { outputs: { subject: 'Hello Robin', body: '<p>Robin</p>' }, plainText: 'Robin\n', phrases: [] },
}

/** Steps without end, as if they were allowed: only the time ends it. */
const endless = work(
  { context: { many: Array.from({ length: 60 }, (_, i) => i) }, bounds: { ...RENDERING, steps: 1e15 } },
  `${'{{#each @root.many}}'.repeat(6)}{{#if no}}x{{/if}}${'{{/each}}'.repeat(6)}`,
)
/** Prints without end, a new text each time. */
const greedy = work(
  {
    translations: [{ locale: 'en', keys: { p: `{a}${'-'.repeat(200)}`.repeat(100) } }],
    context: { many: Array.from({ length: 60 }, (_, i) => i) },
    bounds: { steps: 1e15, bytes: 1e15, ms: 60_000 },
  },
  `${'{{#each @root.many}}'.repeat(6)}{{@index}}{{lang 'p' a=@index}}${'{{/each}}'.repeat(6)}`,
)

test('no process is there before the first mail, one renders those that come one by one', async () => {
  expect(renderers.pids).toEqual([])
  expect(await renderers.render(1, work())).toEqual(fine)
  const [pid, ...more] = renderers.pids
  expect(more).toEqual([])
  expect(await renderers.render(2, work())).toEqual(fine)
  expect(renderers.pids).toEqual([pid])
})

test('a template that loops is killed, and the next mail is rendered by another process (C-094, C-095)', async () => {
  await renderers.render(1, work())
  const before = renderers.pids
  // A busy machine may give it so little time that the outcome stays unknown.
  await expect
    .poll(() => renderers.render(1, endless).catch(String))
    .toEqual({
      ok: false,
      faults: { body: 'rendering takes longer than 100 ms' },
    })
  expect(await renderers.render(1, work())).toEqual(fine)
  expect(renderers.pids).not.toEqual(before)
})

test('a template that takes all memory ends its process and nothing else', async () => {
  expect(await renderers.render(1, greedy)).toEqual({
    ok: false,
    faults: { body: 'rendering takes more than 64 MiB of memory' },
  })
  expect(await renderers.render(1, work())).toEqual(fine)
})

test('a process that is killed from outside says nothing about the template', async () => {
  await renderers.render(1, work())
  const answer = renderers.render(1, { ...endless, bounds: { ...endless.bounds, ms: 60_000 } })
  const [pid] = renderers.pids
  if (pid === undefined) throw new Error('There is no process.')
  process.kill(pid, 'SIGKILL')
  await expect(answer).rejects.toThrow(RenderersBusy)
  expect(await renderers.render(1, work())).toEqual(fine)
})

describe('waiting work', () => {
  test('is rendered two at a time, and stores take turns', async () => {
    const order: number[] = []
    const render = (store: number) => renderers.render(store, work()).then(() => order.push(store))
    // It keeps one of the two processes: the other one then does all in order, however busy the machine is.
    const busy = renderers.render(4, { ...endless, bounds: { ...endless.bounds, ms: 60_000 } })
    const [pid] = renderers.pids
    if (pid === undefined) throw new Error('There is no process.')
    // Store 1 is first with eight, and the others don't wait for all of them.
    const all = [1, 1, 1, 1, 1, 1, 1, 1, 2, 3].map(render)
    await Promise.all(all)
    expect(renderers.pids.length).toBeLessThanOrEqual(2)
    process.kill(pid, 'SIGKILL')
    await expect(busy).rejects.toThrow(RenderersBusy)
    expect(order.indexOf(2)).toBeLessThan(6)
    expect(order.indexOf(3)).toBeLessThan(6)
  })

  test('is at most 20 mails of a store, and others are taken then too', async () => {
    const all = Array.from({ length: 22 }, () => renderers.render(1, work()))
    expect(() => renderers.render(1, work())).toThrow(RenderersBusy)
    all.push(renderers.render(2, work()))
    expect(await Promise.all(all)).toEqual(Array(23).fill(fine))
    expect(await renderers.render(1, work())).toEqual(fine)
  })

  test('hears at once when the server stops', async () => {
    const all = Array.from({ length: 5 }, () => renderers.render(1, work()))
    const settled = Promise.allSettled(all)
    renderers.close()
    expect((await settled).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(() => renderers.render(1, work())).toThrow(RenderersBusy)
  })
})

test('a process that has had nothing to do for half a minute ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const rendered = renderers.render(1, work())
    expect(await rendered).toEqual(fine)
    vi.advanceTimersByTime(29_000)
    expect(renderers.pids).toHaveLength(1)
    vi.advanceTimersByTime(2_000)
  } finally {
    vi.useRealTimers()
  }
  await vi.waitFor(() => expect(renderers.pids).toEqual([]), 60_000)
})
