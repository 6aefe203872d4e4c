import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../../../core/clock.ts'
import { Problem, toProblem } from '../../../../core/rest/problem.ts'
import { Bins, type ReceivedRequest, type ScriptedAnswer } from './bins.ts'
import { pageHeaders, pageOf } from './inspector-page.ts'

const BODY_BYTES_MAX = 256 * 1024
const DELAY_MS_MAX = 15_000
const ANSWERS_MAX = 1_000

const Script = t.Array(
  t.Object(
    {
      status: t.Optional(t.Integer({ minimum: 200, maximum: 599 })),
      delay_ms: t.Optional(t.Integer({ minimum: 0, maximum: DELAY_MS_MAX })),
      reset: t.Optional(t.Literal(true)),
    },
    { additionalProperties: false },
  ),
  { maxItems: ANSWERS_MAX },
)
const Secret = t.Object({ secret: t.String({ minLength: 1, maxLength: 1_024 }) }, { additionalProperties: false })

interface Parts {
  clock: Clock
  /** The secrets of a webhook of this server; empty for other webhooks. Used for bins without a secret of their own. */
  secretsOf(storeHash: string, hookId: number): Promise<string[]>
}

/** A request to a bin, as its handler gets it. */
type BinRequest = FastifyRequest<{ Params: { bin: string }; Body: Buffer | undefined }>

/**
 * A receiver of webhooks for tests: a bin keeps the requests that it receives in memory, shows them, and answers by its script.
 * Only the sandbox has it, because everybody may read the requests.
 */
export function inspectorRoutes(server: FastifyInstance, { clock, secretsOf }: Parts) {
  const bins = new Bins()
  const stopping = new AbortController()
  const bin = '/inspect/:bin(^[\\w-]{1,64}$)'

  server.register(async (app) => {
    app.addHook('preClose', (done) => {
      stopping.abort()
      done()
    })
    app.setErrorHandler((error, request, reply) => {
      const { status, message } = toProblem(error)
      if (status >= 500) request.log.error({ err: error }, 'request failed')
      return reply.status(status).send({ status, title: message })
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )

    app.get(bin, async ({ params, query }: BinRequest, reply) => {
      const isStill = typeof query === 'object' && query !== null && 'still' in query
      return reply.headers(pageHeaders).send(pageOf(params.bin, bins.look(params.bin), { isStill }))
    })

    app.get(`${bin}/requests`, async ({ params }: BinRequest) => ({ data: bins.look(params.bin).received, meta: {} }))

    app.post(bin, async (request: BinRequest, reply) => {
      const answer = bins.nextAnswer(request.params.bin)
      const received = receivedFrom(request, clock.now(), answer)
      const givenSecret = bins.look(request.params.bin).secret
      const secrets = givenSecret === undefined ? await secretsOfSender(received, secretsOf) : [givenSecret]
      const signature = verify(received, request.body ?? Buffer.alloc(0), secrets)
      bins.keep(request.params.bin, { ...received, signature })

      await delay(answer.delay_ms ?? 0, reply.raw)
      if (answer.reset === undefined) return reply.status(answer.status ?? 204).send()
      reply.hijack()
      request.raw.socket.resetAndDestroy()
    })

    app.put(`${bin}/script`, async ({ params, body }: BinRequest, reply) => {
      bins.open(params.bin).script = read(Script, body)
      return reply.status(204).send()
    })

    app.put(`${bin}/secret`, async ({ params, body }: BinRequest, reply) => {
      bins.open(params.bin).secret = read(Secret, body).secret
      return reply.status(204).send()
    })

    app.delete(bin, async ({ params }: BinRequest, reply) => {
      bins.empty(params.bin)
      return reply.status(204).send()
    })
  })

  /** Waits. Ends early if the sender goes away, or the server stops. */
  async function delay(ms: number, answer: NodeJS.EventEmitter) {
    if (ms === 0) return
    const gone = new AbortController()
    answer.once('close', () => gone.abort())
    await sleep(ms, undefined, { signal: AbortSignal.any([gone.signal, stopping.signal]) }).catch(() => {})
  }
}

type UnverifiedRequest = Omit<ReceivedRequest, 'signature'>

function receivedFrom({ method, headers, body }: BinRequest, at: Date, answer: ScriptedAnswer): UnverifiedRequest {
  const text = (name: string) => [headers[name]].flat()[0] ?? null
  return {
    received_at: at.toISOString(),
    method,
    webhook_id: text('webhook-id'),
    attempt: text('x-svc-attempt'),
    answer: `${answer.reset ? 'reset' : (answer.status ?? 204)}${answer.delay_ms ? ` after ${answer.delay_ms} ms` : ''}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])),
    body: body?.toString() ?? '',
  }
}

const Sender = t.Object({ producer: t.String({ pattern: '^stores/' }) })

/** The secrets of the webhook that sent this request: callbacks name their store and their hook. None if they are not ours. */
async function secretsOfSender({ headers, body }: UnverifiedRequest, secretsOf: Parts['secretsOf']): Promise<string[]> {
  const hookId = headers['x-svc-hook-id'] ?? ''
  const payload = parsed(body)
  if (!/^\d{1,9}$/.test(hookId) || !Value.Check(Sender, payload)) return []
  return secretsOf(payload.producer.replace('stores/', ''), Number(hookId))
}

function verify(
  { headers }: UnverifiedRequest,
  body: Buffer,
  secrets: readonly string[],
): ReceivedRequest['signature'] {
  if (headers['webhook-signature'] === undefined) return 'missing'
  if (secrets.length === 0) return 'not checked'
  return secrets.some((secret) => isSignedWith(secret, body, headers)) ? 'valid' : 'not valid'
}

function isSignedWith(secret: string, body: Buffer, headers: Record<string, string>): boolean {
  try {
    new Webhook(Buffer.from(secret).toString('base64')).verify(body, headers)
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    // The signature is right: it is checked before the body is read as JSON.
    if (error instanceof SyntaxError) return true
    throw error
  }
}

/** @throws Problem 422 */
function read<Shape extends t.TSchema>(shape: Shape, body: Buffer | undefined): Static<Shape> {
  const value = parsed(body?.toString() ?? '')
  if (Value.Check(shape, value)) return value
  if (value === undefined) throw new Problem(422, 'The body is not JSON.')
  const [first] = Value.Errors(shape, value)
  // A key that the shape does not have is reported as one that fails the schema "false".
  const flaw = first?.keyword === 'boolean' ? 'is not known here' : first?.message
  throw new Problem(422, `${first?.instancePath || 'The body'} ${flaw}.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
