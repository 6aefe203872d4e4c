import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Scope, type Store, verifyWebhook, type WebhookEvent } from '@storeward/client'
import { ask, type ForkedStore, type Server } from './operator.ts'
import { milliseconds } from './times.ts'

/** A webhook as it arrived. */
export interface ReceivedEvent {
  id: string
  event: WebhookEvent
}

export interface WaitOptions {
  /** How long to wait: `5 s`. */
  within?: string | number
  /** Which of the events with this scope. */
  where?(event: WebhookEvent): boolean
}

/** The outcomes of an event at the hooks of its store, as the server explains them. */
interface Explanation {
  event: { scope: string }
  hooks: { scope: string; sentence: string }[]
}

interface ReceiverParts {
  server: Server
  /** The client that makes the hooks: its requests don't wait for them. */
  store: Store
  forked: ForkedStore
}

/** Receives the webhooks of a store. A hook is made for each scope that a test waits for, before its next request. */
export class Receiver {
  readonly #parts: ReceiverParts
  readonly #events: ReceivedEvent[] = []
  readonly #arrivals = new Set<() => void>()
  readonly #hooks = new Map<string, Promise<number>>()
  #listening: Promise<HttpServer> | undefined

  constructor(parts: ReceiverParts) {
    this.#parts = parts
  }

  /** The events that arrived, in their order. */
  get events(): readonly ReceivedEvent[] {
    return this.#events
  }

  /** Resolves when all hooks are made. Requests of the test wait for it. */
  async ready(): Promise<void> {
    await Promise.all(this.#hooks.values())
  }

  /**
   * Waits for an event that the store publishes after this call. Call it before the request that causes the event.
   * @throws Error with the events that arrived, and the state of the hook, if none came in time
   */
  waitFor<S extends Scope>(
    scope: S,
    { within = '5 s', where = () => true }: WaitOptions = {},
  ): Promise<WebhookEvent<S>> {
    const from = this.#events.length
    const hook = this.#hookFor(scope)
    const limit = milliseconds(within)
    const waiting = (async () => {
      await hook
      const end = Date.now() + limit
      for (;;) {
        const found = this.#events.slice(from).find(({ event }) => event.scope === scope && where(event))
        if (found) return found.event as WebhookEvent<S>
        const left = end - Date.now()
        if (left <= 0) throw new Error(await this.#explain(scope, within, from))
        await this.#arrival(left)
      }
    })()
    // A test that fails before it awaits the event has a failure of its own.
    waiting.catch(() => {})
    return waiting
  }

  async close(): Promise<void> {
    const server = await this.#listening
    server?.closeAllConnections()
    server?.close()
  }

  #arrival(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const arrived = () => {
        clearTimeout(timer)
        this.#arrivals.delete(arrived)
        resolve()
      }
      const timer = setTimeout(arrived, ms)
      this.#arrivals.add(arrived)
    })
  }

  #hookFor(scope: string): Promise<number> {
    const made = this.#hooks.get(scope) ?? this.#makeHook(scope)
    this.#hooks.set(scope, made)
    return made
  }

  async #makeHook(scope: string): Promise<number> {
    const { store } = this.#parts
    this.#listening ??= this.#listen()
    const address = (await this.#listening).address()
    const port = typeof address === 'object' ? address?.port : ''
    // Each scope has a path of its own, because two hooks of a scope must differ.
    const destination = `http://127.0.0.1:${port}/${encodeURIComponent(scope)}`
    const hook = await store.hooks.create({ scope, destination })
    return hook.id
  }

  async #listen(): Promise<HttpServer> {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      try {
        const { client_secret: secret } = this.#parts.forked.account
        // The clock of the store may be ahead of ours; its signatures have the real time.
        const event = await verifyWebhook(request.headers, body, secret)
        const id = String(request.headers['webhook-id'])
        if (!this.#events.some((one) => one.id === id)) this.#events.push({ id, event })
        response.end()
        for (const arrived of this.#arrivals) arrived()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    }).listen(0, '127.0.0.1')
    server.unref()
    await once(server, 'listening')
    return server
  }

  async #explain(scope: string, within: string | number, from: number): Promise<string> {
    const { server, store, forked } = this.#parts
    const arrived = this.#events.slice(from)
    const lines = arrived.map(({ event }) => `  ${event.scope} ${JSON.stringify(event.data)}`)
    const id = await this.#hooks.get(scope)
    const deliveries = id === undefined ? [] : await store.hooks.deliveries.list(id).all()
    const explained = await Promise.all(
      arrived.map(({ id: event }) =>
        ask<Explanation>(server, 'GET', `/stores/${forked.hash}/events/${event}`).catch(() => undefined),
      ),
    )
    const outcomes = explained.flatMap((one) =>
      (one?.hooks ?? []).map((hook) => `  ${one?.event.scope} at the hook for ${hook.scope}: ${hook.sentence}`),
    )
    return [
      `No ${scope} arrived within ${within}.`,
      arrived.length > 0 ? 'These events arrived:' : 'No other event arrived.',
      ...lines,
      deliveries.length > 0
        ? `Deliveries of its hook: ${JSON.stringify(deliveries.slice(0, 5))}`
        : 'Its hook had nothing to deliver: no request published the event.',
      ...(outcomes.length > 0 ? ['Why each event arrived where:', ...outcomes] : []),
    ].join('\n')
  }
}
