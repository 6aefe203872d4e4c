import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came. */
export interface StripeRequest {
  method: string
  path: string
  key: string | undefined
  authorization: string | undefined
  fields: Record<string, string>
}

interface Thing {
  id: string
  [field: string]: unknown
}

/** Amounts whose answer is lost, or that are not charged, by kind. */
const LOST = 2_063
const BROKEN = 2_064
const BUSY = 2_065
const LATER = 2_061

const DECLINES: Readonly<Record<string, object>> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000000069': { code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc' },
}

/** A server that implements the part of Stripe's API that the adapter uses. */
export async function openStripeServer() {
  const requests: StripeRequest[] = []
  const things = new Map<string, Thing>()
  const answers = new Map<string, { asked: string; status: number; body: object }>()
  const ofKind = (kind: string) => [...things.values()].filter(({ object }) => object === kind)
  const make = (object: string, prefix: string, fields: object): Thing => {
    const thing = { id: `${prefix}_${things.size + 1}`, object, ...fields }
    things.set(thing.id, thing)
    return thing
  }
  const refusal = (type: string, fields: object, status: number) => ({ status, body: { error: { type, ...fields } } })

  const pay = (fields: Record<string, string>) => {
    const card = things.get(fields.payment_method ?? '')
    const decline = DECLINES[String(card?.number ?? '')]
    const amount = Number(fields.amount)
    if (amount === BUSY) return refusal('rate_limit_error', { message: 'Too many requests.' }, 429)
    const isLater = amount === LATER
    const status = decline
      ? 'requires_payment_method'
      : isLater
        ? 'processing'
        : fields.capture_method === 'manual'
          ? 'requires_capture'
          : 'succeeded'
    const error = decline && { type: 'card_error', message: 'Your card was declined.', ...decline }
    const intent = make('payment_intent', 'pi', {
      amount,
      status,
      last_payment_error: error ?? null,
      metadata: { storeward_key: fields['metadata[storeward_key]'] },
    })
    make('charge', 'ch', { payment_intent: intent.id, transfer_group: fields.transfer_group })
    return error
      ? { status: 402, body: { error: { ...error, payment_intent: intent } } }
      : { status: 200, body: intent }
  }

  const moved = (intent: Thing | undefined, status: string) => {
    if (intent?.status !== 'requires_capture') {
      const message = 'This PaymentIntent could not be used any more.'
      return refusal('invalid_request_error', { code: 'payment_intent_unexpected_state', message }, 400)
    }
    intent.status = status
    return { status: 200, body: intent }
  }

  const answerTo = ({ method, path, fields, authorization }: StripeRequest): { status: number; body: object } => {
    if (authorization !== 'Bearer sk_test_right') {
      return refusal('invalid_request_error', { message: 'Invalid API Key provided.' }, 401)
    }
    const [, , kind = '', id = '', deed = ''] = path.split('/')
    const thing = things.get(id)
    const list = (data: Thing[]) => ({ status: 200, body: { object: 'list', data, has_more: false, url: path } })
    if (method === 'POST' && kind === 'payment_methods') {
      const number = fields['card[number]'] ?? ''
      const card = {
        brand: 'visa',
        last4: number.slice(-4),
        exp_month: Number(fields['card[exp_month]']),
        exp_year: 2030,
      }
      return { status: 200, body: make('payment_method', 'pm', { number, card }) }
    }
    if (method === 'POST' && kind === 'customers') return { status: 200, body: make('customer', 'cus', {}) }
    if (method === 'POST' && kind === 'payment_intents' && id === '') return pay(fields)
    if (kind === 'payment_intents' && deed === 'capture') return moved(thing, 'succeeded')
    if (kind === 'payment_intents' && deed === 'cancel') return moved(thing, 'canceled')
    if (method === 'POST' && kind === 'refunds') {
      const { payment_intent, amount } = fields
      const key = fields['metadata[storeward_key]']
      const status = amount === '161' ? 'pending' : amount === '162' ? 'failed' : 'succeeded'
      const refund = { payment_intent, amount: Number(amount), status, metadata: { storeward_key: key } }
      return { status: 200, body: make('refund', 're', refund) }
    }
    if (kind === 'refunds' && id === '') {
      return list(ofKind('refund').filter((one) => one.payment_intent === fields.payment_intent))
    }
    if (kind === 'charges') return list(ofKind('charge').filter((one) => one.transfer_group === fields.transfer_group))
    if (thing) return { status: 200, body: thing }
    return refusal('invalid_request_error', { message: `No such ${kind}.` }, 404)
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(Buffer.concat(chunks).toString())])
    const { authorization, 'idempotency-key': key } = incoming.headers
    const request = { method: incoming.method ?? '', path: url.pathname, key: key?.toString(), authorization, fields }
    requests.push(request)
    const known = request.key === undefined ? undefined : answers.get(request.key)
    const asked = JSON.stringify([request.method, request.path, fields])
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    const isOther = known !== undefined && known.asked !== asked
    const answer = isOther ? refusal('idempotency_error', { message }, 400) : (known ?? answerTo(request))
    if (request.key !== undefined && !known && answer.status < 500 && answer.status !== 429) {
      answers.set(request.key, { asked, ...answer })
    }
    const amount = known ? 0 : Number(fields.amount)
    if (amount === LOST) return void incoming.socket.destroy()
    const { status, body } = amount === BROKEN ? refusal('api_error', { message: 'Something broke.' }, 500) : answer
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body))
  }
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    things,
    /** Simulates the decision of the bank. */
    decide(id: string, status: string) {
      Object.assign(things.get(id) ?? {}, { status })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
