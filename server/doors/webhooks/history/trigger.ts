import type { Db } from '../../../core/db/database.ts'
import { append } from '../../../core/events/publish.ts'
import { isEventScope, sampleEventData, samples } from '../../../core/events/scopes.ts'
import { listening } from '../queue/scopes.ts'
import { eventId } from '../sending/event-id.ts'

/**
 * Publishes a sample of an event, with the data of its scope and the ids 0, as if the thing had happened.
 * @param scope with the number of a channel, or `{channel_id}` or an asterisk in its place
 * @param channel the number that takes this place
 * @throws Error with a sentence for the operator
 */
export async function trigger(
  db: Db,
  scope: string,
  channel: string,
): Promise<{ id: string; scope: string; data: object }> {
  if (!/^\d{1,16}$/.test(channel)) throw new Error(`The channel must be a number, not "${channel}".`)
  const isNamedSo = samples.has(scope) && !scope.includes('{')
  const concrete = isNamedSo
    ? scope
    : scope.replace(/^store\/channel\/(\*|\{channel_id\})(?=\/)/, `store/channel/${channel}`)
  const data = sampleEventData(concrete)
  if (data === undefined || !isEventScope(concrete)) throw new Error(unknown(scope))
  const [written] = await db.transaction((tx) =>
    append(tx, [
      // A resource of its own, so that it does not wait behind another sample whose retry is scheduled.
      { scope: concrete, resource: `sample ${tx.now.getTime()}`, data: JSON.stringify(data), client_id: null },
    ]),
  )
  if (!written) throw new Error('The event was not written.')
  return { id: eventId(written), scope: concrete, data }
}

function unknown(scope: string): string {
  const family = [...samples.keys()].filter((known) => listening(known).includes(scope))
  const are = family.length > 0 ? ` Of this family are ${family.join(', ')}.` : ''
  return `There is no event with the scope "${scope}".${are}`
}
