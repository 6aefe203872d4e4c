import { render, type Work } from './work.ts'

// The process that templates are rendered in (renderers.ts starts it): one work after another, each answered by its outcome.

// The first rendering is the slowest; here nobody waits for it and nothing counts its time.
render({
  templates: { body: { text: '{{#each b}}{{lang c}}{{/each}}', prints: 'html' } },
  helpers: ['lang'],
  translations: [],
  locale: 'en',
  context: { b: [1] },
  bounds: { steps: 100, bytes: 100, ms: 100 },
})

process.on('message', (work: Work) => process.send?.(render(work)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
