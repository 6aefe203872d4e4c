import t from 'typebox'
import { prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { hasLiveChannel } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'

const { read } = access('information')

const AbandonedCart = t.Object({ cart_id: t.String() }, { title: 'AbandonedCart' })

/** The cart of a token, which `store/cart/abandoned` has published (docs/contract/carts.md section 10). */
export function abandonedCartRoutes(api: Api) {
  api.get(
    '/abandoned-carts/:token',
    {
      ...read,
      schema: {
        summary: 'Get an abandoned cart by its token',
        operationId: 'getAbandonedCart',
        params: t.Object({ token: t.String() }),
        response: { 200: envelope(AbandonedCart) },
      },
    },
    async ({ db, params }) => {
      // Public clients write the token as a UUID.
      const token = params.token.replaceAll('-', '').toLowerCase()
      const [cart] = await db.rows<{ id: string }>(
        prepared(sql`
        select id from carts where store_id = ${db.store.id} and token = ${token} and token <> ''
          and expires_at > ${db.now} and ${hasLiveChannel(db, sql`carts.channel_id`)}`),
      )
      if (!cart) throw new Problem(404, 'No abandoned cart has this token.')
      return answer({ cart_id: cart.id })
    },
  )
}
