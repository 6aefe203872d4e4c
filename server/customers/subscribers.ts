import t, { type Static } from 'typebox'
import type { Db, Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../core/db/steps.ts'
import { publish } from '../core/events/publish.ts'
import { MAIL_ADDRESS } from '../core/mail/outbox.ts'
import { answer, dated, noContent } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { toSeconds } from '../core/rest/input/dates.ts'
import { ID_MAX, Id, idSegment, Line, Moment, nullable } from '../core/rest/input/fields.ts'
import { refuse } from '../core/rest/input/mistakes.ts'
import { collection } from '../core/rest/lists/collection.ts'
import { conditionsOf, filterOf, filterSchema, refuseBlanks } from '../core/rest/lists/filters.ts'
import { fold } from '../core/rest/lists/fold.ts'
import { findPage } from '../core/rest/lists/pages.ts'
import {
  change,
  differences,
  findOne,
  findWhere,
  insert,
  lock,
  pick,
  remove,
  removeAll,
} from '../core/rest/lists/verbs.ts'
import { unknownId } from '../core/rest/problem.ts'
import { FIRST_CHANNEL, knownChannels } from '../shop/channels/channels.ts'
import { access } from '../stores/accounts/scopes.ts'

const { read, write } = access('customers')

const NEWSLETTER = 'marketing_newsletter'

const Subscriber = t.Object({
  id: Id,
  email: t.String({ minLength: 3, maxLength: 255, pattern: MAIL_ADDRESS }),
  first_name: Line,
  last_name: Line,
  source: Line,
  order_id: nullable(Id),
  channel_id: t.Integer({ minimum: 1, maximum: ID_MAX }),
  consents: t.Array(t.Enum([NEWSLETTER, 'abandoned_cart'])),
  date_modified: Moment,
  date_created: Moment,
})
type Subscriber = Static<typeof Subscriber>
/** The fields that a form of a shop fills in. */
export const SubscriberNames = t.Pick(Subscriber, ['email', 'first_name', 'last_name'])

const { id: _id, date_modified: _modified, date_created: _created, ...writable } = Subscriber.properties
const Changes = t.Partial(t.Object(writable), {
  title: 'SubscriberChanges',
  examples: [{ first_name: 'Ann', consents: [] }],
})
const NewSubscriber = t.Object(
  { ...Changes.properties, email: writable.email },
  { title: 'NewSubscriber', examples: [{ email: 'ann@example.com', first_name: 'Ann', source: 'storefront' }] },
)

const subscribers = collection('subscribers', Subscriber, {
  noun: 'subscriber',
  filters: `email first_name last_name source order_id id id:in
    date_created date_created:min date_created:max date_modified date_modified:min date_modified:max`,
  counted: true,
  conflicts: { subscribers_email_unique: ['A subscriber with this e-mail address already exists.', 'email'] },
})

/** The filters of a DELETE of many subscribers. */
const narrowing = ['email', 'first_name', 'last_name', 'source', 'order_id', 'date_created', 'date_modified'].map(
  (name) => filterOf(Subscriber.properties, name),
)
const Narrowed = t.Unsafe<Record<string, unknown>>(
  t.Object(Object.fromEntries(narrowing.map((filter) => [filter.name, t.Optional(filterSchema(filter))])), {
    additionalProperties: false,
    examples: [{ email: 'ann@example.com' }],
  }),
)

/** The default values. A body without consents comes from a newsletter form and means the newsletter. */
const blank: Omit<Subscriber, 'id' | 'email' | 'date_modified' | 'date_created'> = {
  first_name: '',
  last_name: '',
  source: 'custom',
  order_id: null,
  channel_id: FIRST_CHANNEL,
  consents: [NEWSLETTER],
}

/** Routes of subscribers: people who want mails of a store (docs/contract/subscribers.md). */
export function subscriberRoutes(api: Api) {
  const all = '/customers/subscribers'
  const one = `${all}/${idSegment('subscriber_id')}`
  const params = t.Object({ subscriber_id: Id })

  api.get(all, { ...read, schema: { summary: 'List the subscribers', ...subscribers.list } }, ({ db, query }) =>
    findPage(db, subscribers, query),
  )

  api.post(
    all,
    { ...write, schema: { summary: 'Create a subscriber', body: NewSubscriber, ...subscribers.answersOne } },
    async ({ db, body }) => answer(await db.transaction((tx) => createSubscriber(tx, body))),
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete subscribers by a filter',
        description: 'Without a filter, deletes every subscriber of the store.',
        querystring: Narrowed,
      },
    },
    async ({ db, query }) => {
      refuseBlanks(query)
      await deleteSubscribers(db, sql.and(conditionsOf(narrowing, query)))
      return noContent()
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a subscriber', params, ...subscribers.one } },
    async ({ db, params, query }) => {
      const row = await findOne(db, subscribers, params.subscriber_id)
      return dated(pick(subscribers, row, query), row.date_modified)
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a subscriber',
        description: 'Fields that the body omits remain.',
        params,
        body: Changes,
        ...subscribers.answersOne,
      },
    },
    async ({ db, params, body }) =>
      answer(await db.transaction((tx) => changeSubscriber(tx, params.subscriber_id, body))),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a subscriber', params } },
    async ({ db, params: { subscriber_id } }) => {
      await db.transaction((tx) => deleteSubscriber(tx, subscriber_id))
      return noContent()
    },
  )
}

/** @throws Problem 422 for an unknown channel, 409 for an e-mail address that is taken */
export async function createSubscriber(tx: Tx, body: Static<typeof NewSubscriber>): Promise<Subscriber> {
  await refuseUnknownChannel(tx, body)
  const now = toSeconds(tx.now)
  const row = await insert(tx, subscribers, { ...blank, ...onceEach(body), date_modified: now, date_created: now })
  publishSubscriber(tx, 'created', row.id)
  return row
}

/** @throws Problem 404, 422, 409 */
async function changeSubscriber(tx: Tx, id: number, body: Static<typeof Changes>): Promise<Subscriber> {
  const before = await lock(tx, subscribers, id)
  const changes = differences(before, onceEach(body))
  await refuseUnknownChannel(tx, changes)
  if (Object.keys(changes).length === 0) return before
  const changed = await change(tx, subscribers, before, { ...changes, date_modified: toSeconds(tx.now) })
  publishSubscriber(tx, 'updated', id)
  return changed
}

/** A subscription to the newsletter by a form of a shop. */
interface Subscription {
  email: string
  first_name: string
  last_name: string
  channel_id: number
}

/**
 * Adds the consent to the newsletter, with a subscriber if there is none.
 * @returns false if the address had it
 * @throws Problem 409 if another request creates the subscriber at the same time
 */
export async function subscribeToNewsletter(tx: Tx, subscription: Subscription): Promise<boolean> {
  const present = await lockByEmail(tx, subscription.email)
  if (!present) await createSubscriber(tx, { ...subscription, source: 'storefront' })
  else if (present.consents.includes(NEWSLETTER)) return false
  else await changeSubscriber(tx, present.id, { consents: [...present.consents, NEWSLETTER] })
  return true
}

/** Removes the consent to the newsletter, and the subscriber if it was the only one. Unknown addresses are ignored. */
export async function unsubscribeFromNewsletter(tx: Tx, email: string) {
  const present = await lockByEmail(tx, email)
  if (!present?.consents.includes(NEWSLETTER)) return
  const consents = present.consents.filter((consent) => consent !== NEWSLETTER)
  if (consents.length > 0) await changeSubscriber(tx, present.id, { consents })
  else await deleteSubscriber(tx, present.id)
}

async function lockByEmail(tx: Tx, email: string): Promise<Subscriber | undefined> {
  const [found] = await findWhere(tx, subscribers, sql`email_key = ${fold(email)}`, sql`for update`)
  return found
}

/** @throws Problem 404 */
async function deleteSubscriber(tx: Tx, id: number) {
  await lock(tx, subscribers, id)
  await remove(tx, subscribers, id)
  publishSubscriber(tx, 'deleted', id)
}

/** Drops duplicate consents. */
const onceEach = <Body extends Static<typeof Changes>>(body: Body): Body =>
  body.consents === undefined ? body : { ...body, consents: [...new Set(body.consents)] }

async function refuseUnknownChannel(tx: Tx, { channel_id }: { channel_id?: unknown }) {
  if (typeof channel_id !== 'number' || (await knownChannels(tx, [channel_id])).has(channel_id)) return
  refuse({ channel_id: unknownId('channel', channel_id) })
}

/** Withdraws a consent from the subscriber with an e-mail address, if there is one. */
export async function withdrawConsent(tx: Tx, email: string, consent: Subscriber['consents'][number]) {
  const [before] = await findWhere(tx, subscribers, sql`email_key = ${fold(email)}`)
  if (!before?.consents.includes(consent)) return
  await changeSubscriber(tx, before.id, { consents: before.consents.filter((one) => one !== consent) })
}

/** The subscribers with an e-mail address, compared without case: at most one. */
export const findSubscribersByEmail = (db: Db, email: string): Promise<object[]> =>
  findWhere(db, subscribers, sql`email_key = ${fold(email)}`)

export const deleteSubscribersByEmail = (db: Db, email: string) =>
  deleteSubscribers(db, sql`email_key = ${fold(email)}`)

/** Deletes in steps, each with its events: a store may have a million subscribers. */
const deleteSubscribers = (db: Db, where: Sql) =>
  inSteps(db, async (tx) => {
    const found = await tx.rows<{ id: number }>(sql`
      select id from subscribers where store_id = ${tx.store.id} and ${where} order by id limit ${STEP_ROWS} for update`)
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return false
    await removeAll(tx, subscribers, sql`id = any(${ids})`)
    for (const id of ids) publishSubscriber(tx, 'deleted', id)
    return ids.length === STEP_ROWS
  })

/** Publishes an event of a subscriber (docs/contract/webhooks.md section 6). */
function publishSubscriber(tx: Tx, action: 'created' | 'updated' | 'deleted', id: number) {
  publish(tx, `store/subscriber/${action}`, `subscriber ${id}`, { type: 'subscriber', id })
}
