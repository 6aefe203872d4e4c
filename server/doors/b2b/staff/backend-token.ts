import t from 'typebox'
import { Id, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'

/** The row of a backend token. */
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
