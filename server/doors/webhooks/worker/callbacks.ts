import type { FastifyBaseLogger } from 'fastify'
import { DatabaseUnavailable, type Db } from '../../../core/db/database.ts'
import { VERSION } from '../../../core/package.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { signatureHeaders } from '../../../core/secrets/signature.ts'
import type { ClaimedHook, Delivery } from '../queue/claims.ts'
import { eventId } from '../sending/event-id.ts'
import type { HostWork } from '../sending/pacer.ts'
import { payloadOf } from '../sending/payload.ts'
import type { Sender, SendingOutcome } from '../sending/sender.ts'

export interface CallbackParts {
  secrets: Secrets
  sender: Pick<Sender, 'send'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/** One delivery at the moment of its attempt. */
interface Callback {
  hook: ClaimedHook
  /** The resource of the lane. */
  resource: string
  delivery: Delivery
  startedAt: Date
  /** The secrets that sign the callback. */
  secrets: Promise<readonly string[]>
  watched: Parameters<HostWork['run']>[0]
}

/**
 * Builds and sends one callback. A fault of the hook or the event is an outcome too: its client can see it, and the schedule
 * continues.
 * @throws DatabaseUnavailable
 */
export async function sendCallback(db: Db, callback: Callback, parts: CallbackParts): Promise<SendingOutcome> {
  const { hook, resource, delivery, startedAt, watched } = callback
  const { event, seq, attempt } = delivery
  if (!event) return EXPIRED
  try {
    const secrets = await callback.secrets.catch(unsendable("The secret that signs it can't be read."))
    if (secrets.length === 0) return WITHOUT_ACCOUNT
    const hookHeaders = await Promise.try(() => JSON.parse(parts.secrets.unseal(hook.headers))).catch(
      unsendable("The headers of the webhook can't be read."),
    )
    const id = eventId({ ...event, seq })
    const body = payloadOf({ ...event, id, storeId: db.store.id, storeHash: db.store.hash })
    const headers = {
      ...hookHeaders,
      'user-agent': `storeward-webhooks/${VERSION}`,
      'x-svc-attempt': String(attempt),
      'x-svc-hook-id': String(hook.id),
      ...(resource.startsWith('test ') ? { 'x-svc-test': 'true' } : {}),
      ...signatureHeaders(id, startedAt, body, secrets),
    }
    const { destination } = hook
    return await watched(() => parts.sender.send({ destination, headers, body }, startedAt))
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    parts.log.error({ err: error, store: db.store.id, hook: hook.id }, 'a callback could not be built')
    const message = error instanceof Unsendable ? error.message : 'The log of the server has the reason.'
    return { ok: false, reason: 'unsendable', message }
  }
}

/** A callback that can't be built, with a sentence for its client. */
class Unsendable extends Error {}

/** @throws Unsendable, or DatabaseUnavailable */
const unsendable = (message: string) => (cause: unknown) => {
  throw cause instanceof DatabaseUnavailable ? cause : new Unsendable(message, { cause })
}

const EXPIRED: SendingOutcome = {
  ok: false,
  reason: 'expired',
  message: 'The event is no longer kept.',
  isOver: true,
}

/** Without an account there is no secret, and callbacks are never sent unsigned. The hook is deleted with the account, in a moment. */
const WITHOUT_ACCOUNT: SendingOutcome = {
  ok: false,
  reason: 'unsendable',
  message: 'The account of the webhook is deleted.',
  isOver: true,
}
