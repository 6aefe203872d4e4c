import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { isObject } from '../../core/objects.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { Problem } from '../../core/rest/problem.ts'
import { ChannelId, knownChannels, unknownChannel } from '../channels/channels.ts'
import { ALL_CHANNELS } from '../settings/families/family.ts'

// Queries of routes whose data belongs to one channel or to all channels of a store.

export const ChannelQuery = t.Object(
  { channel_id: t.Optional({ ...ChannelId, description: 'The channel; all channels if not given' }) },
  { additionalProperties: false },
)
/**
 * The query of a list without pages. Parameters that clients send to every list are validated (docs/contract/conventions.md
 * section 3).
 */
export const ChannelListQuery = t.Object({ ...ChannelQuery.properties, ...paging }, { additionalProperties: false })
export const OneChannelQuery = t.Object(
  { channel_id: ChannelId },
  { additionalProperties: false, examples: [{ channel_id: 1 }] },
)

/**
 * The channel in a query, or all channels.
 * @throws Problem 422 if the store has no such channel
 */
export async function existingChannel(db: Db, channel: number | undefined): Promise<number> {
  if (channel === undefined) return ALL_CHANNELS
  if ((await knownChannels(db, [channel])).has(channel)) return channel
  throw unknownChannel(channel)
}

/**
 * Refuses a query without a channel.
 * @throws Problem 422
 */
export async function mustNameChannel({ query }: FastifyRequest) {
  if (isObject(query) && 'channel_id' in query) return
  throw new Problem(422, 'The query is not valid: channel_id is missing.', { channel_id: 'error.path.missing' })
}
