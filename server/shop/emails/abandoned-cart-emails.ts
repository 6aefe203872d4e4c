import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection, Meta } from '../../core/rest/lists/collection.ts'
import { change, findOne, findWhere, insert, lock, remove, removeAll } from '../../core/rest/lists/verbs.ts'
import { access } from '../../stores/accounts/scopes.ts'
import type { Renderers } from '../templates/renderers.ts'
import { ChannelListQuery, ChannelQuery, existingChannel, mustNameChannel, OneChannelQuery } from './channel-query.ts'
import { builtinTemplate } from './contents/builtin.ts'
import { textMistakes, tryTexts } from './contents/checks.ts'
import { EmailTemplate } from './contents/shape.ts'
import type { MailOutcome } from './mail-rendering.ts'

const { read, write } = access('information')

const EMAILS_MAX = 100
/** Bytes of the template of one: a list has all of up to `EMAILS_MAX`. */
const TEXTS_MAX = 256 * 1024
const TYPE = 'abandoned_cart_email'

const hours = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => (from + i) * 60)
/** Each hour of the first day, then each day up to the tenth. */
const DELAYS = [...hours(1, 24), ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((days) => days * 24 * 60)]

const { body, subject, translations } = EmailTemplate.properties
const Texts = t.Object({ subject, body, translations }, { title: 'AbandonedCartEmailTemplate' })

const AbandonedCartEmail = t.Object({
  id: Id,
  notify_at_minutes: t.Integer({ enum: DELAYS, description: 'How long after the last change of the cart it is sent' }),
  coupon_code: t.String({ maxLength: 50 }),
  template: Texts,
  is_active: t.Boolean(),
  sent_num: t.Integer({ minimum: 0, description: 'How many were sent' }),
})
const Changes = t.Partial(t.Omit(AbandonedCartEmail, ['id', 'sent_num']), {
  title: 'AbandonedCartEmailChanges',
  examples: [
    {
      notify_at_minutes: 1_440,
      coupon_code: 'WELCOMEBACK',
      template: {
        subject: 'Still thinking about it?',
        body: "<p>{{lang 'hello_phrase'}}</p>",
        translations: [{ locale: 'en', keys: { hello_phrase: 'Your cart is still here.' } }],
      },
    },
  ],
})
type Changes = Static<typeof Changes>
const withTexts = Compile(t.Object({ template: Texts }))

const Settings = t.Object(
  { use_global: t.Boolean({ description: 'Whether the channel sends the reminders of all channels, not its own' }) },
  { title: 'AbandonedCartEmailSettings', examples: [{ use_global: false }] },
)

const abandonedCartEmails = collection('abandoned_cart_emails', AbandonedCartEmail, {
  noun: 'abandoned cart email',
  filters: '',
  hidden: ['channel_id'],
  max: EMAILS_MAX,
})

/** Routes for reminders of abandoned carts (docs/contract/email-templates.md section 7). */
export function abandonedCartEmailRoutes(api: Api, { renderers }: { renderers: Renderers }) {
  const all = '/marketing/abandoned-cart-emails'
  const one = `${all}/${idSegment('id')}`
  const params = t.Object({ id: Id })
  const verdicts = new WeakMap<FastifyRequest, MailOutcome>()

  // Rendering is slow, so it comes before the transaction and occupies no connection.
  const preHandler = async (request: FastifyRequest) => {
    const { db, body } = request
    if (withTexts.Check(body)) verdicts.set(request, await tryTexts(renderers, db, TYPE, body.template))
  }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List abandoned cart emails',
        querystring: ChannelListQuery,
        response: { 200: t.Object({ data: t.Array(abandonedCartEmails.shape), meta: Meta }) },
      },
    },
    async ({ db, query }) => {
      const channel = await existingChannel(db, query.channel_id)
      return answer(await findWhere(db, abandonedCartEmails, sql`channel_id = ${channel}`))
    },
  )

  api.post(
    all,
    {
      ...write,
      preHandler,
      schema: {
        summary: 'Create an abandoned cart email',
        querystring: ChannelQuery,
        body: Changes,
        ...abandonedCartEmails.answersOne,
      },
    },
    async (request) => {
      const { db, query, body } = request
      refuseTexts(body, verdicts.get(request))
      const channel_id = await existingChannel(db, query.channel_id)
      return answer(
        await db.transaction((tx) => insert(tx, abandonedCartEmails, { ...blank(), ...body, channel_id, sent_num: 0 })),
      )
    },
  )

  api.get(
    `${all}/default`,
    {
      ...read,
      schema: { summary: 'Get the template of new abandoned cart emails', response: { 200: Texts } },
    },
    async () => bare(blank().template),
  )

  api.get(
    `${all}/settings`,
    {
      ...read,
      preHandler: mustNameChannel,
      schema: {
        summary: "Get a channel's settings of abandoned cart emails",
        querystring: OneChannelQuery,
        response: { 200: Settings },
      },
    },
    async ({ db, query }) => {
      const channel = await existingChannel(db, query.channel_id)
      const own = await db.rows(
        sql`select channel_id from abandoned_cart_channels where store_id = ${db.store.id} and channel_id = ${channel}`,
      )
      return bare({ use_global: own.length === 0 })
    },
  )

  api.put(
    `${all}/settings`,
    {
      ...write,
      preHandler: mustNameChannel,
      schema: {
        summary: "Change a channel's settings of abandoned cart emails",
        querystring: OneChannelQuery,
        body: Settings,
        response: { 200: Settings },
      },
    },
    async ({ db, query, body }) => {
      const channel = await existingChannel(db, query.channel_id)
      await db.transaction((tx) => (body.use_global ? useGlobal(tx, channel) : useOwn(tx, channel)))
      return bare(body)
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get an abandoned cart email', params, ...abandonedCartEmails.answersOne } },
    async ({ db, params }) => answer(await findOne(db, abandonedCartEmails, params.id)),
  )

  api.put(
    one,
    {
      ...write,
      preHandler,
      schema: {
        summary: 'Change an abandoned cart email',
        description: 'A template is replaced as a whole.',
        params,
        body: Changes,
        ...abandonedCartEmails.answersOne,
      },
    },
    async (request) => {
      const { db, params, body } = request
      refuseTexts(body, verdicts.get(request))
      return answer(
        await db.transaction(async (tx) =>
          change(tx, abandonedCartEmails, await lock(tx, abandonedCartEmails, params.id), body),
        ),
      )
    },
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete an abandoned cart email', params } },
    async ({ db, params }) => {
      await db.transaction(async (tx) => {
        await lock(tx, abandonedCartEmails, params.id)
        await remove(tx, abandonedCartEmails, params.id)
      })
      return noContent()
    },
  )
}

/** These answers have no envelope in the contract. */
const bare = (body: object) => new Answer(body, 200, {})

/** An e-mail of which nothing is said. */
function blank() {
  const { type_id: _, ...template } = builtinTemplate(TYPE)
  return { notify_at_minutes: 60, coupon_code: '', template, is_active: true }
}

/** @throws Problem 422 with all that is wrong with the template beyond its shape */
function refuseTexts({ template }: Changes, verdict: MailOutcome | undefined) {
  if (!template) return
  const mistakes: Mistakes = {}
  for (const [field, sentence] of Object.entries(textMistakes(template, verdict))) {
    mistakes[`template.${field}`] = sentence
  }
  if (Buffer.byteLength(JSON.stringify(template)) > TEXTS_MAX) {
    mistakes.template = `template must have at most ${TEXTS_MAX} bytes.`
  }
  refuse(mistakes)
}

const useGlobal = (tx: Tx, channel: number) =>
  tx.rows(sql`
    delete from abandoned_cart_channels where store_id = ${tx.store.id} and channel_id = ${channel} returning channel_id`)

const useOwn = (tx: Tx, channel: number) =>
  tx.rows(sql`
    insert into abandoned_cart_channels ${sql.rows([{ store_id: tx.store.id, channel_id: channel }])}
    on conflict do nothing`)

/** When a channel ends, its reminders go. */
export async function deleteRemindersOfChannel(db: Db, channel: number) {
  await db.transaction(async (tx) => {
    await useGlobal(tx, channel)
    await removeAll(tx, abandonedCartEmails, sql`channel_id = ${channel}`)
  })
}
