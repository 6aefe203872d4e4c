import type { Db } from '../../../core/db/database.ts'
import { append } from '../../../core/events/publish.ts'
import { isEventScope, sampleEventData, samples } from '../../../core/events/scopes.ts'
import { listening } from '../queue/scopes.ts'
import { eventId } from '../sending/event-id.ts'

/**
 * Publishes a sample of an event, with the data of its scope and ids of 0.
 * @param scope with the number of a channel, or `{channel_id}` or an asterisk instead
 * @param channel the number that replaces them
 * @throws Error with a sentence for the operator
 */
export async function trigger(
  db: Db,
  scope: string,
  channel: string,
): Promise<{ id: string; scope: string; data: object }> {
  if (!/^\d{1,16}$/.test(channel)) throw new Error(`The channel must be a number, not "${channel}".`)
  const isConcrete = samples.has(scope) && !scope.includes('{')
  const concrete = isConcrete
    ? scope
    : scope.replace(/^store\/channel\/(\*|\{channel_id\})(?=\/)/, `store/channel/${channel}`)
  const data = sampleEventData(concrete)
  if (data === undefined || !isEventScope(concrete)) throw new Error(unknownScope(scope))
  const [written] = await db.transaction((tx) =>
    append(tx, [
      // With a resource of its own it doesn't wait behind the scheduled retry of another sample.
      { scope: concrete, resource: `sample ${tx.now.getTime()}`, data: JSON.stringify(data), client_id: null },
    ]),
  )
  if (!written) throw new Error('The event was not written.')
  return { id: eventId(written), scope: concrete, data }
}

function unknownScope(scope: string): string {
  const family = [...samples.keys()].filter((known) => listening(known).includes(scope))
  const members = family.length > 0 ? ` Scopes of this family: ${family.join(', ')}.` : ''
  return `No event has the scope "${scope}".${members}`
}
