import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { refuse } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { ALL_CHANNELS } from '../settings/families/family.ts'
import type { Renderers } from '../templates/renderers.ts'
import { ChannelListQuery, ChannelQuery, existingChannel, mustNameChannel, OneChannelQuery } from './channel-query.ts'
import { builtinTemplate } from './contents/builtin.ts'
import { textMistakes, tryTexts } from './contents/checks.ts'
import { EMAIL_TYPES, type EmailType } from './contents/contexts.ts'
import { EmailTemplate } from './contents/shape.ts'
import type { MailOutcome } from './mail-rendering.ts'
import { isOptedIn } from './opt-in.ts'

const { read, write } = access('information')

const Change = t.Object(
  {
    type_id: t.Optional(t.String()),
    body: EmailTemplate.properties.body,
    subject: EmailTemplate.properties.subject,
    translations: t.Optional(EmailTemplate.properties.translations),
  },
  {
    title: 'EmailTemplateChange',
    examples: [
      {
        subject: 'A new password for {{store.name}}',
        body: "<p>{{lang 'message' store=store.name}} {{customer.first_name}}</p>",
        translations: [{ locale: 'en', keys: { message: 'Something about {store}, for' } }],
      },
    ],
  },
)
type Change = Static<typeof Change>
const isChange = Compile(Change)

const params = t.Object({ template_name: EmailTemplate.properties.type_id })
const Overridden = t.Object({
  overridden: t.Optional(
    t.Array(t.String(), { description: 'The types that the channel has templates of its own for' }),
  ),
})
const Warned = t.Object({
  warnings: t.Optional(t.Array(t.String(), { description: 'Phrases that the template names and no locale has' })),
})
const Nothing = t.Object({}, { additionalProperties: false })

export interface TemplateParts {
  renderers: Renderers
  /** Whether stores have these endpoints without being opted in by name. */
  optsIn: boolean
}

/** Routes for e-mail templates (docs/contract/email-templates.md). */
export function templateRoutes(api: Api, { renderers, optsIn }: TemplateParts) {
  const all = '/marketing/email-templates'
  const one = `${all}/:template_name`
  const verdicts = new WeakMap<FastifyRequest, MailOutcome>()

  // Comes first: the routes do not exist for a store that has not opted in.
  const preHandler = async ({ db }: FastifyRequest) => {
    if (await isOptedIn(db, optsIn)) return
    throw new Problem(404, 'This store has not opted in to e-mail templates.')
  }
  // Rendering is slow, so it comes before the transaction and occupies no connection.
  const tryOut = async (request: FastifyRequest) => {
    const { db, params, body } = request
    const type = EMAIL_TYPES.find((known) => Object.values(params ?? {}).includes(known))
    if (isChange.Check(body)) verdicts.set(request, await tryTexts(renderers, db, type, body))
  }

  api.get(
    all,
    {
      ...read,
      preHandler,
      schema: {
        summary: 'List e-mail templates',
        querystring: ChannelListQuery,
        response: { 200: t.Object({ data: t.Array(EmailTemplate), meta: Overridden }) },
      },
    },
    async ({ db, query }) => {
      const channel = await existingChannel(db, query.channel_id)
      const stored = await storedFor(db, channel, EMAIL_TYPES)
      const data = EMAIL_TYPES.map((type) => effective(type, stored))
      if (channel === ALL_CHANNELS) return answer(data)
      return answer(data, {
        overridden: stored.filter(({ channel_id }) => channel_id === channel).map(({ type_id }) => type_id),
      })
    },
  )

  api.get(
    one,
    {
      ...read,
      preHandler,
      schema: {
        summary: 'Get an e-mail template',
        params,
        querystring: ChannelQuery,
        response: { 200: envelope(EmailTemplate) },
      },
    },
    async ({ db, params, query }) =>
      answer(await templateFor(db, await existingChannel(db, query.channel_id), params.template_name)),
  )

  api.put(
    one,
    {
      ...write,
      preHandler: [preHandler, tryOut],
      schema: {
        summary: 'Replace an e-mail template',
        params,
        querystring: ChannelQuery,
        body: Change,
        response: { 200: t.Object({ data: EmailTemplate, meta: Warned }) },
      },
    },
    async (request) => {
      const { db, params, query, body } = request
      const channel = await existingChannel(db, query.channel_id)
      const verdict = verdicts.get(request)
      refuseChange(params.template_name, body, verdict)
      const template = await db.transaction((tx) => replace(tx, channel, params.template_name, body))
      const warnings = warningsFor(template, verdict)
      return answer(template, warnings.length > 0 ? { warnings } : {})
    },
  )

  api.delete(
    one,
    {
      ...write,
      preHandler: [preHandler, mustNameChannel],
      schema: {
        summary: "Delete a channel's e-mail template",
        params,
        querystring: OneChannelQuery,
        response: { 200: t.Object({ data: Nothing, meta: Nothing }) },
      },
    },
    async ({ db, params, query }) => {
      const channel = await existingChannel(db, query.channel_id)
      await db.transaction(async (tx) => {
        const gone = await tx.rows(sql`
          delete from email_templates
          where store_id = ${tx.store.id} and channel_id = ${channel} and type_id = ${params.template_name}
          returning type_id`)
        if (gone.length > 0) publishTemplate(tx, channel, params.template_name, 'deleted')
      })
      return answer({})
    },
  )
}

interface StoredTemplate extends EmailTemplate {
  channel_id: number
}

/** The stored templates of a channel and of all channels. */
function storedFor(
  db: Db,
  channel: number,
  types: readonly EmailType[],
  locking = sql.empty,
): Promise<StoredTemplate[]> {
  return db.rows<StoredTemplate>(
    sql`
      select channel_id, type_id, body, subject, translations from email_templates
      where store_id = ${db.store.id} and channel_id = any(${[ALL_CHANNELS, channel]}::bigint[])
        and type_id = any(${types}::text[])
      order by channel_id, type_id ${locking}`,
  )
}

/** The template of the channel, else that of the store, else the built-in one. */
function effective(type: EmailType, stored: readonly StoredTemplate[]): EmailTemplate {
  const found = stored.findLast(({ type_id }) => type_id === type)
  if (!found) return builtinTemplate(type)
  const { channel_id: _, ...template } = found
  return template
}

/**
 * The effective template of a channel.
 * @param channel 0 for none in particular
 */
export async function templateFor(db: Db, channel: number, type: EmailType): Promise<EmailTemplate> {
  return effective(type, await storedFor(db, channel, [type]))
}

/** @throws Problem 422 with all mistakes beyond the shape */
function refuseChange(type: EmailType, { type_id = type, ...texts }: Change, verdict?: MailOutcome) {
  refuse({
    ...(type_id !== type && { type_id: `type_id must be ${type}, as in the path, or be left out.` }),
    ...textMistakes(texts, verdict),
  })
}

/** Stores a template that differs from the effective one, and publishes the change. */
async function replace(tx: Tx, channel: number, type: EmailType, change: Change): Promise<EmailTemplate> {
  const stored = await storedFor(tx, channel, [type], sql`for update`)
  const before = effective(type, stored)
  const { subject, body, translations = before.translations } = change
  const template = { type_id: type, body, subject, translations }
  const isThere = channel === ALL_CHANNELS || stored.some(({ channel_id }) => channel_id === channel)
  if (isThere && isSame(before, template)) return template
  const values = { subject, body, translations: JSON.stringify(translations) }
  await tx.rows(sql`
    insert into email_templates ${sql.rows([{ store_id: tx.store.id, channel_id: channel, type_id: type, ...values }])}
    on conflict (store_id, channel_id, type_id) do update set ${sql.set(values)}`)
  publishTemplate(tx, channel, type, 'updated')
  return template
}

/** Compares templates. The database sorts the names of phrases in its own order. */
function isSame(one: EmailTemplate, other: EmailTemplate): boolean {
  const sorted = ({ translations, ...rest }: EmailTemplate) =>
    JSON.stringify([
      Object.entries(rest).sort(),
      translations.map(({ locale, keys }) => [locale, Object.entries(keys).sort()]),
    ])
  return sorted(one) === sorted(other)
}

/**
 * Publishes a change of a template. Changes of the store's templates have the channel 0 (docs/contract/email-templates.md section
 * 3).
 */
function publishTemplate(tx: Tx, channel: number, type: EmailType, action: 'updated' | 'deleted') {
  publish(tx, `store/channel/${channel}/email/templates/${action}`, `email template ${type}`, { template_kind: type })
}

function warningsFor({ translations }: EmailTemplate, verdict: MailOutcome | undefined): string[] {
  if (!verdict?.ok) return []
  const known = new Set(translations.flatMap(({ keys }) => Object.keys(keys)))
  return verdict.mail.phrases
    .filter((name) => !known.has(name))
    .map((name) => `No locale has the phrase ${JSON.stringify(name)}.`)
}

/** Deletes the templates of a terminated channel without events (docs/contract/email-templates.md section 3). */
export async function deleteTemplatesOfChannel(db: Db, channel: number) {
  await db.transaction((tx) =>
    tx.rows(
      sql`delete from email_templates where store_id = ${tx.store.id} and channel_id = ${channel} returning type_id`,
    ),
  )
}
