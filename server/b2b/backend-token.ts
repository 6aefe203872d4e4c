import t from 'typebox'
import { ChannelId } from '../channels/channels.ts'
import { collection } from '../core/rest/collection.ts'
import { Id, Moment, nullable } from '../core/rest/fields.ts'

/** A backend token as its row has it. */
const Row = t.Object({
  id: Id,
  staff_id: Id,
  jti: t.String(),
  name: t.String(),
  channel_id: ChannelId,
  token: t.String(),
  ends_at: nullable(Moment),
  created_at: Moment,
})

export const backendTokens = collection('b2b_backend_tokens', Row, { noun: 'token', filters: '' })
