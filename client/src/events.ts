import type { StreamedEvent } from './calls.ts'

/** Reads a stream of server-sent events. It is opened when the first event is asked for. */
export async function* eventsOf(open: () => Promise<ReadableStream<Uint8Array>>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  const reader = (await open()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = done ? '' : (blocks.pop() ?? '')
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
      if (done) return
    }
  } finally {
    await reader.cancel()
  }
}

/** Undefined for a block without data, such as a comment that keeps the connection open. */
function eventOf(block: string): StreamedEvent | undefined {
  const lines = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line))
  const field = (name: string) => lines.filter((line) => line?.[1] === name).map((line) => line?.[2] ?? '')
  const data = field('data')
  return data.length === 0 ? undefined : { event: field('event')[0] ?? 'message', data: data.join('\n') }
}
