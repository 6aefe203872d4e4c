import t from 'typebox'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { Problem } from '../../core/rest/problem.ts'
import { ChannelId, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { regionsOfTheme } from '../../shop/themes/theme-parts.ts'
import { access } from '../../stores/accounts/scopes.ts'

const Region = t.Object({ name: t.String() }, { title: 'ThemeRegion' })
const Query = t.Object(
  {
    template_file: { ...ComparedText, maxLength: 255, description: 'For example pages/home' },
    channel_id: t.Optional(ChannelId),
    ...paging,
  },
  { additionalProperties: false, examples: [{ template_file: 'pages/home' }] },
)

/** The regions of templates, in which widgets can be placed (docs/contract/template-associations.md section 4). */
export function regionRoutes(api: Api) {
  api.get(
    '/content/regions',
    {
      ...access('content').read,
      schema: {
        summary: 'List the regions of a template',
        operationId: 'listRegions',
        tag: 'Regions',
        querystring: Query,
        response: { 200: envelope(t.Array(Region)) },
      },
    },
    async ({ db, query: { template_file, channel_id = FIRST_CHANNEL } }) => {
      const regions = await regionsOfTheme(db, channel_id, template_file)
      if (!regions) {
        throw new Problem(404, `The active theme of the channel ${channel_id} has no template ${template_file}.`)
      }
      return answer(regions.map((name) => ({ name })))
    },
  )
}
