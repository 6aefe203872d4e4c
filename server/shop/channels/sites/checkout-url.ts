import t from 'typebox'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { change } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId } from '../channels.ts'
import { shareDomain } from './addresses.ts'
import { setHosts } from './hosts.ts'
import { addressFor, hostToClaim, neededHosts } from './needed-hosts.ts'
import {
  type AddressParts,
  aliasAnswer,
  findSiteOfChannel,
  lockSite,
  publishSite,
  Site,
  sites,
  siteToAnswer,
} from './shape.ts'

const { write } = access('sites')

const CheckoutUrl = t.Object(
  { url: t.String({ maxLength: 2_048, description: 'https if it has no scheme' }) },
  { title: 'CheckoutUrl', examples: [{ url: 'https://checkout.example.com' }] },
)

/** Routes for the address of the checkout of a channel, if it differs from the shared one (docs/contract/sites.md section 3). */
export function checkoutUrlRoutes(api: Api, { hosts, rules }: AddressParts) {
  const path = `/channels/${CHANNEL_SEGMENT}/site/checkout-url`
  const params = t.Object({ channel_id: ChannelId })

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Set the checkout address of a channel',
        operationId: 'updateCheckoutUrl',
        description: 'Below the registered domain of the site. The answer is the site.',
        params,
        body: CheckoutUrl,
        response: { 200: envelope(Site) },
      },
    },
    async ({ db, params: { channel_id }, body }) => {
      const found = await findSiteOfChannel(db, channel_id)
      const address = addressFor(db.store, channel_id, body.url, { rules, use: 'checkout' })
      const changed = await hosts.withClaim(db.store, await hostToClaim(db, found.id, address), (claim) =>
        db.transaction(async (tx) => {
          const site = await lockSite(tx, found.id)
          if (!(await shareDomain(new URL(siteToAnswer(tx.store, site, rules).url).hostname, address.host))) {
            refuse({ url: 'url must be below the registered domain of the primary url of the site.' })
          }
          if (site.checkout_url === address.url) return site
          const values = {
            checkout_url: address.url,
            checkout_created_at: site.checkout_created_at ?? tx.now.toISOString(),
            checkout_updated_at: tx.now.toISOString(),
            updated_at: tx.now.toISOString(),
          }
          const needed = neededHosts(tx.store, { ...site, ...values }, rules)
          await setHosts(tx, hosts, site.id, { needed, claim })
          publishSite(tx, site, 'site/checkoutUrl/updated')
          return change(tx, sites, site, values)
        }),
      )
      return aliasAnswer(siteToAnswer(db.store, changed, rules), db.store)
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete the checkout address of a channel',
        operationId: 'deleteCheckoutUrl',
        description: 'The checkout is at the shared address again.',
        params,
        response: { 200: envelope(t.Object({})) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      const { id } = await findSiteOfChannel(db, channel_id)
      await db.transaction(async (tx) => {
        const site = await lockSite(tx, id)
        if (site.checkout_url === '') return
        const values = {
          checkout_url: '',
          checkout_created_at: null,
          checkout_updated_at: null,
          updated_at: tx.now.toISOString(),
        }
        const needed = neededHosts(tx.store, { ...site, ...values }, rules)
        await setHosts(tx, hosts, id, { needed, claim: undefined })
        await change(tx, sites, site, values)
        publishSite(tx, site, 'site/checkoutUrl/deleted')
      })
      return answer({})
    },
  )
}
