import type { FastifyRequest } from 'fastify'
import t, { type TObject, type TSchema } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { answer } from '../../../core/rest/answer.ts'
import { type Api, wantsStrict } from '../../../core/rest/api.ts'
import { queryReader } from '../../../core/rest/input/validator.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { capitalized } from '../../../core/rest/lists/operation-names.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { ChannelId } from '../../channels/channels.ts'
import {
  ALL_CHANNELS,
  lockSettings,
  type SettingsFamily,
  type StoredSettings,
  saveSettings,
  settingsToAnswer,
  storedSettingsOf,
  type Values,
} from './family.ts'
import { mapFields, partOf, settingsBodyReader } from './family-body.ts'

const { read, write } = access('information')

const OfChannel = t.Object({
  channel_id: t.Optional({
    ...ChannelId,
    description: 'The channel of the values; the values of the store if not given',
  }),
})
// A mistyped channel_id must not change the values of all channels (docs/contract/settings.md section 1).
export const ofChannelOnly = t.Object(OfChannel.properties, { additionalProperties: false })
const readQuery = queryReader(ofChannelOnly)

/** Stores values that have passed the checks of a body; undefined takes those of a channel away. */
type Save = (tx: Tx, level: StoredSettings, values: Values | undefined) => Promise<StoredSettings>

interface Parts {
  /** The default is `saveSettings`. */
  save?: Save
  /** Looks at a PUT before anybody else. */
  before?: (request: FastifyRequest) => Promise<void>
}

/** The two operations of a family of settings (docs/contract/settings.md section 1). */
export function familyRoutes<Shape extends TObject>(
  api: Api,
  family: SettingsFamily<Shape>,
  { save = (tx, level, values) => saveSettings(tx, family, level, values), before = async () => {} }: Parts = {},
) {
  const { noun, shape, writable, example } = family
  const path = `/settings/${family.path}`
  const title = capitalized(noun)
  const Settings = t.Unsafe<Values>(t.Partial(t.Object(mapFields(shape.properties, orNull)), { title }))
  const Changes = t.Unsafe<Values>(
    t.Partial(t.Object(mapFields(writable, (field) => orNull(partOf(field)))), {
      title: `${title}Changes`,
      examples: [example],
    }),
  )
  const response = { 200: envelope(Settings) }
  const readBody = settingsBodyReader(family)

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: `Get the ${noun}`,
        description: "With a channel, only its own values are returned. A null means that the store's value applies.",
        operationId: `get${title}`,
        tag: 'Settings',
        querystring: OfChannel,
        response,
      },
    },
    async ({ db, query }) =>
      answer(settingsToAnswer(family, await storedSettingsOf(db, family, query.channel_id ?? ALL_CHANNELS))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: `Change the ${noun}`,
        description:
          "For the store, only the given fields change. For a channel, all fields are required; all null make the store's values apply.",
        operationId: `update${title}`,
        tag: 'Settings',
        querystring: ofChannelOnly,
        body: Changes,
        response,
      },
      // The required fields depend on the query, which is validated first.
      preHandler: async (request) => {
        await before(request)
        const { channel_id } = readQuery(request.query)
        const how = { isOfChannel: channel_id !== undefined, isStrict: wantsStrict(request) }
        Object.assign(request, { body: readBody(request.body, how) })
      },
    },
    async ({ db, query: { channel_id = ALL_CHANNELS }, body }) => {
      const isRemoval = channel_id !== ALL_CHANNELS && Object.values(body).every((value) => value === null)
      const level = await db.transaction(async (tx) =>
        save(tx, await lockSettings(tx, family, channel_id), isRemoval ? undefined : body),
      )
      return answer(settingsToAnswer(family, level))
    },
  )
}

/** Makes a schema accept null too. */
export function orNull(schema: TSchema): TSchema {
  const {
    type,
    enum: values,
    anyOf,
    ...rest
  }: { type?: string; enum?: unknown[]; anyOf?: TSchema[] } & TSchema = schema
  if (anyOf) return { ...rest, anyOf: [...anyOf, t.Null()] }
  return {
    ...rest,
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  }
}
