import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { notFound, ProblemBody } from '../../core/rest/problem.ts'
import { listV2, pageV2, rowsV2 } from '../../core/rest/v2.ts'
import { isOfLiveChannel } from '../../shop/channels/live-channels.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { deletePages, type PageDependents } from './deletion.ts'
import { addressErrors } from './problems.ts'
import { answeredFields, bodiesOf, Changes, newFields, type PageRow, pages, pageToAnswer } from './shape.ts'
import { changePage, createPage, lockPages, type PageOutcome } from './writing.ts'

const { read, write } = access('content')

const PageV2 = t.Object(
  {
    ...answeredFields,
    body: t.String(),
    mobile_body: t.String({ deprecated: true, description: 'Always empty' }),
    has_mobile_version: t.Boolean({ deprecated: true, description: 'Always false' }),
    layout_file: t.String({ deprecated: true, description: 'Always page.html' }),
  },
  { title: 'PageV2' },
)
const NewPageV2 = t.Object(newFields, {
  title: 'NewPageV2',
  examples: [{ type: 'page', name: 'Returns', body: '<p>Within 30 days</p>' }],
})
const PageChangesV2 = t.Object(Changes.properties, { title: 'PageChangesV2', examples: [{ is_visible: false }] })

const response = { 200: PageV2, 207: t.Object({ ...PageV2.properties, errors: ProblemBody }) }

/** Routes of pages in the older family: the same rows without blog pages (docs/contract/pages.md section 5). */
export function pageRoutesV2(api: Api, above: PageDependents) {
  const one = `/pages/${idSegment('page_id')}`
  const params = t.Object({ page_id: Id })

  api.get(
    '/pages',
    {
      ...read,
      schema: {
        summary: 'List the pages',
        querystring: pageV2,
        response: { 200: t.Array(PageV2), 204: t.Null() },
      },
    },
    async ({ db, query }) =>
      listV2(await toAnswers(db, await rowsV2(db, { collection: pages, query, where: isListed(db) }))),
  )

  api.post(
    '/pages',
    { ...write, schema: { summary: 'Create a page', body: NewPageV2, response } },
    async ({ db, body }) => {
      const outcome = await db.transaction(async (tx) => {
        await lockPages(tx)
        return createPage(tx, body)
      })
      return answerPage(db, outcome, api.docsBase)
    },
  )

  api.get(
    '/pages/count',
    {
      ...read,
      schema: {
        summary: 'Count the pages',
        operationId: 'countPages',
        response: { 200: t.Object({ count: t.Integer() }, { title: 'PageCount' }) },
      },
    },
    async ({ db }) =>
      new Answer(
        await db.row<{ count: number }>(
          prepared(sql`select count(*)::int as count from pages where store_id = ${db.store.id} and ${isListed(db)}`),
        ),
      ),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a page', params, response: { 200: PageV2 } } },
    async ({ db, params }) => new Answer((await toAnswers(db, [await findListed(db, params.page_id)]))[0]),
  )

  api.put(
    one,
    { ...write, schema: { summary: 'Change a page', params, body: PageChangesV2, response } },
    async ({ db, params: { page_id }, body }) => {
      const outcome = await db.transaction(async (tx) => {
        await lockPages(tx)
        await findListed(tx, page_id)
        return changePage(tx, page_id, body)
      })
      return answerPage(db, outcome, api.docsBase)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a page',
        description: 'Its children move to the top and become invisible.',
        params,
      },
    },
    async ({ db, params: { page_id } }) => {
      await findListed(db, page_id)
      await deletePages(db, above, [page_id])
      return noContent()
    },
  )
}

/** Blog pages are unknown to the older family. */
const isListed = (db: Db): Sql => sql`type <> 'blog' and ${isOfLiveChannel(db, 'pages.channel_id')}`

/** @throws Problem 404 */
async function findListed(db: Db, id: number): Promise<PageRow> {
  const [page] = await findWhere(db, pages, sql`id = ${id} and ${isListed(db)}`)
  if (!page) throw notFound(pages.noun, id)
  return page
}

async function toAnswers(db: Db, rows: readonly PageRow[]): Promise<Static<typeof PageV2>[]> {
  const bodies = await bodiesOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...pageToAnswer(row),
    body: bodies.get(row.id) ?? '',
    mobile_body: '',
    has_mobile_version: false,
    layout_file: 'page.html',
  }))
}

async function answerPage(db: Db, outcome: PageOutcome, docsBase: string) {
  const [page] = await toAnswers(db, [outcome.page])
  const errors = addressErrors([outcome], () => 'url', docsBase)
  return errors ? new Answer({ ...page, errors }, 207) : new Answer(page)
}
