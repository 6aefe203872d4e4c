import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { BatchMeta, type BatchOutcome, eachAlone } from '../../core/rest/batch.ts'
import { Id, IdList } from '../../core/rest/input/fields.ts'
import { refuse, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { itemReader, oneOrEach, oneOrMany } from '../../core/rest/input/validator.ts'
import { envelope, type ListQuery, Meta } from '../../core/rest/lists/collection.ts'
import { ComparedText, contains } from '../../core/rest/lists/filters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { invalid, notFound, Problem, ProblemBody, QueryProblem, unknownId } from '../../core/rest/problem.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { isOfLiveChannel } from '../../shop/channels/live-channels.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { deletePages, type PageDependents } from './deletion.ts'
import { addressErrors, errorsAt, failedBatch, PageProblem, pageProblem, refusingConflicts } from './problems.ts'
import { bodiesOf, Changes, NewPage, Page, type PageRow, pages, pageToAnswer } from './shape.ts'
import { changePage, createPage, lockPages, type PageOutcome } from './writing.ts'

/** Most pages of a request. */
const BATCH_MAX = 50

const content = access('content')
const problems = { errorType: 'application/problem+json', errorBody: pageProblem }
const read = { config: { ...content.read.config, ...problems, unknownQuery: 400 as const } }
const write = { config: { ...content.write.config, ...problems } }

const include = t.Optional(t.Array(t.Enum(['body'])))
const filters = {
  channel_id: t.Optional(ChannelId),
  'id:in': t.Optional(IdList),
  name: t.Optional(ComparedText),
  'name:like': t.Optional({ ...ComparedText, description: 'A part of the name or of the body' }),
  include,
}
const Listed = t.Unsafe<ListQuery & { 'name:like'?: string }>(
  t.Object({ ...filters, ...paging }, { additionalProperties: false, table: 'pages' }),
)
const Matching = t.Object(filters, { additionalProperties: false, table: 'pages' })
const Included = t.Object({ include })
const OnlyIncluded = t.Object({ include }, { additionalProperties: false })
const Deleted = t.Object(
  { 'id:in': IdList, delete_children: t.Optional(t.Boolean()) },
  { additionalProperties: false, examples: [{ 'id:in': '1' }] },
)

const examples = [{ type: 'page', name: 'About us', body: '<h1>About us</h1>', is_visible: true }]
const NewPages = oneOrEach(t.Object(NewPage.properties, { title: 'NewPage', examples }), BATCH_MAX, examples)
const readNewPage = itemReader(NewPage)
const ChangedPages = oneOrMany(t.Object({ ...Changes.properties, id: Id }, { title: 'PageChangesById' }), BATCH_MAX, [
  { id: 1, sort_order: 2 },
])

const one = envelope(Page)
const many = t.Object({ data: t.Array(Page), meta: Meta })
const withErrors = { errors: ProblemBody, meta: Meta }
const FailedBatch = t.Object(
  { ...ProblemBody.properties, data: t.Array(Page), meta: BatchMeta },
  { title: 'PageErrors', description: 'Some pages of the list are not valid; the others are saved' },
)
const badQuery = { 400: ProblemBody, 422: PageProblem }

const BODIES = 'Bodies are included only with include=body.'
const ADDRESS = 'If the address is taken or malformed, everything else is saved, and the answer is 207.'

/** Routes of pages (docs/contract/pages.md). */
export function pageRoutes(api: Api, above: PageDependents) {
  const all = '/content/pages'
  const onePath = `${all}/:page_id`
  // Any text, because a malformed id is a 422 of a GET.
  const params = t.Object({ page_id: t.String() })

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the pages',
        description: `${BODIES} Unknown query parameters are 400.`,
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(Page), meta: PageMeta }), ...badQuery },
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRows(db, pages, query, whereOf(db, query))
      return answer(await toAnswers(db, data.filter(isWhole), query), meta)
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create pages',
        description: `Takes one page or a list. The valid pages of a list are saved. ${ADDRESS}`,
        operationId: 'createPages',
        querystring: Included,
        body: NewPages,
        response: {
          201: t.Union([one, many]),
          207: t.Object({ data: t.Union([Page, t.Array(Page)]), ...withErrors }),
          422: t.Union([FailedBatch, PageProblem]),
        },
      },
    },
    async ({ db, query, body }) => {
      if (!Array.isArray(body)) {
        const outcome = await db.transaction((tx) =>
          refusingConflicts(async () => {
            await lockPages(tx)
            return createPage(tx, body)
          }),
        )
        return answerOne(db, outcome, { query, status: 201, docsBase: api.docsBase })
      }
      const outcome = await db.transaction(async (tx) => {
        await lockPages(tx)
        return eachAlone(tx, body, (item) => createPage(tx, readNewPage(item)))
      })
      return answerBatch(db, outcome, query, api.docsBase)
    },
  )

  api.put(
    all,
    {
      ...write,
      schema: {
        summary: 'Change pages',
        description: `Takes one page or a list. Either all are saved or none. ${ADDRESS}`,
        operationId: 'updatePages',
        querystring: Included,
        body: ChangedPages,
        response: { 200: many, 207: t.Object({ data: t.Array(Page), ...withErrors }) },
      },
    },
    async ({ db, query, body }) => {
      const outcomes = await changeAll(db, Array.isArray(body) ? body : [body])
      return answerAll(db, outcomes, { query, status: 200, docsBase: api.docsBase })
    },
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete pages',
        description: 'Children move to the top and become invisible; with delete_children they are deleted too.',
        operationId: 'deletePages',
        querystring: Deleted,
      },
    },
    async ({ db, query: { 'id:in': ids, delete_children: withChildren = false } }) => {
      const deleted = await deletePages(db, above, ids, { withChildren })
      const unknown = ids.filter((id) => !deleted.has(id))
      if (unknown.length > 0) throw new Problem(404, unknownId('page', unknown.join(', ')))
      return noContent()
    },
  )

  api.get(
    onePath,
    {
      ...read,
      schema: {
        summary: 'Get a page',
        description: 'A page that does not match the query is 404.',
        params,
        querystring: Matching,
        response: { 200: one, ...badQuery },
      },
    },
    async ({ db, params, query }) => {
      const id = wholeNumber(params.page_id)
      const where = sql.and([sql`id = ${id}`, whereOf(db, query)])
      const { data } = await findRows(db, pages, { ...query, page: 1, limit: 1 }, where)
      const [page] = await toAnswers(db, data.filter(isWhole), query)
      if (!page) throw notFound('page', id)
      return answer(page)
    },
  )

  api.put(
    onePath,
    {
      config: { ...write.config, unknownQuery: 400 as const },
      schema: {
        summary: 'Change a page',
        description: ADDRESS,
        params,
        querystring: OnlyIncluded,
        body: Changes,
        response: { 200: one, 207: t.Object({ data: Page, ...withErrors }) },
      },
    },
    async ({ db, params, query, body }) => {
      const outcome = await db.transaction((tx) =>
        refusingConflicts(async () => {
          await lockPages(tx)
          return changePage(tx, idIn(params.page_id), body)
        }),
      )
      return answerOne(db, outcome, { query, status: 200, docsBase: api.docsBase })
    },
  )

  api.delete(
    onePath,
    {
      ...write,
      schema: {
        summary: 'Delete a page',
        description: 'Its children move to the top and become invisible. The query is ignored.',
        params,
        querystring: t.Object({}),
      },
    },
    async ({ db, params }) => {
      const id = idIn(params.page_id)
      if (!(await deletePages(db, above, [id])).has(id)) throw notFound('page', id)
      return noContent()
    },
  )
}

interface Including {
  include?: string[]
}

const isWhole = (row: Partial<PageRow>): row is PageRow => row.id !== undefined

/** The conditions of a query besides its filters. Pages of deleted channels are hidden. */
function whereOf(db: Db, { 'name:like': like }: { 'name:like'?: string | undefined }): Sql {
  const isLive = isOfLiveChannel(db, 'pages.channel_id')
  return like === undefined ? isLive : sql`(${contains('name', like)} or ${contains('body', like)}) and ${isLive}`
}

async function toAnswers(db: Db, rows: readonly PageRow[], { include }: Including): Promise<Static<typeof Page>[]> {
  if (!include?.includes('body')) return rows.map((row) => pageToAnswer(row))
  const bodies = await bodiesOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => pageToAnswer(row, bodies.get(row.id) ?? null))
}

const INTEGER = /^-?\d{1,300}$/
const ID = /^[1-9]\d{0,9}$/

/** @throws QueryProblem 422 for a text that is no integer, Problem 404 for one that is no id */
function wholeNumber(text: string): number {
  if (INTEGER.test(text)) return idIn(text)
  const sentence = `page_id must be an integer, not ${JSON.stringify(text.slice(0, 80))}`
  throw new QueryProblem(422, `The path is not valid: ${sentence}.`, { page_id: sentence })
}

/** @throws Problem 404 */
function idIn(text: string): number {
  const id = ID.test(text) ? Number(text) : 0
  if (id < 1 || id > 2_147_483_647) throw new Problem(404, 'There is nothing at this path.')
  return id
}

/** Changes pages, all or none. @throws Problem 404, 413, 422 */
function changeAll(db: Db, items: readonly Static<(typeof ChangedPages.anyOf)[0]>[]): Promise<PageOutcome[]> {
  return db.transaction(async (tx) => {
    refuse(repeatedIds(items, (i) => `${i}.id`))
    await lockPages(tx)
    const { saved, failures } = await eachAlone(tx, items, ({ id, ...changes }) => changePage(tx, id, changes))
    if (failures.length === 0) return saved
    const outright = failures.find(({ problem: { status } }) => status !== 422 && status !== 409)
    throw (
      outright?.problem ??
      invalid(Object.fromEntries(failures.flatMap(({ index, problem }) => errorsAt(index, problem))))
    )
  })
}

interface AnswerOptions {
  query: Including
  status: 200 | 201
  docsBase: string
}

async function answerOne(db: Db, outcome: PageOutcome, { query, status, docsBase }: AnswerOptions): Promise<Answer> {
  const [data] = await toAnswers(db, [outcome.page], query)
  const errors = addressErrors([outcome], () => 'url', docsBase)
  return errors ? new Answer({ data, errors, meta: {} }, 207) : new Answer({ data, meta: {} }, status)
}

async function answerAll(
  db: Db,
  outcomes: readonly PageOutcome[],
  { query, status, docsBase }: AnswerOptions,
): Promise<Answer> {
  const data = await toAnswers(
    db,
    outcomes.map(({ page }) => page),
    query,
  )
  const errors = addressErrors(outcomes, (i) => `${i}.url`, docsBase)
  return errors ? new Answer({ data, errors, meta: {} }, 207) : new Answer({ data, meta: {} }, status)
}

async function answerBatch(db: Db, outcome: BatchOutcome<PageOutcome>, query: Including, docsBase: string) {
  if (outcome.failures.length === 0) return answerAll(db, outcome.saved, { query, status: 201, docsBase })
  const data = await toAnswers(
    db,
    outcome.saved.map(({ page }) => page),
    query,
  )
  return new Answer({ ...failedBatch(outcome, docsBase), data }, 422)
}
