import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { publish } from '../../core/events/publish.ts'
import type { Files } from '../../core/files/files.ts'
import { readUpload } from '../../core/files/upload.ts'
import { isObject } from '../../core/objects.ts'
import { noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { FileBytes } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { invalid } from '../../core/rest/problem.ts'
import type { PictureColumn, PictureColumns } from '../../shared/pictures/addresses.ts'
import { acceptedType, type Copies, writeFor } from '../../shared/pictures/pictures.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { publishing, settingsSubject } from './families/families.ts'
import { ALL_CHANNELS, family, lockSettings, saveSettings } from './families/family.ts'
import { familyRoutes, ofChannelOnly } from './families/family-routes.ts'

const { write } = access('information')

/** One byte more is 413 (docs/contract/limits.md section 5). */
const LOGO_BYTES_MAX = 10 * 1024 * 1024

const Logo = t.Object({
  type: t.Enum(['image', 'text'], { default: 'text' }),
  logo_text: t.String({ maxLength: 255, default: '' }),
  logo_image_url: t.String({ default: '' }),
  favicon_url: t.String({ default: '' }),
})

export const logo = family('logo', Logo, {
  noun: 'logo settings',
  named: 'logo_text',
  example: { type: 'text', logo_text: 'Fern & Co' },
  readOnly: ['logo_image_url', 'favicon_url'],
  check({ type, logo_image_url }): Mistakes {
    if (type === 'text' || logo_image_url !== '') return {}
    return { type: 'A logo of the type image needs an image first.' }
  },
  publishChange: publishing('logo'),
})

/** The two pictures of a shop, each with the field that has its address and the part of the form that it comes in. */
const pictures = {
  logo: { field: 'logo_image_url', part: 'LogoFile' },
  favicon: { field: 'favicon_url', part: 'FaviconFile' },
} as const
type Kind = keyof typeof pictures
const KINDS: readonly Kind[] = ['logo', 'favicon']

const holderOf = ({ field }: { field: string }): PictureColumn => ({
  table: 'settings',
  id: 'channel_id',
  present: `picture.value->>'${field}'`,
  changes: `value = jsonb_set(picture.value, '{${field}}', to_jsonb(stored.url))`,
})

/** The columns with addresses of logos and favicons. The owner of the files is the channel, or 0. */
export const settingsPictures: PictureColumns = {
  logo: holderOf(pictures.logo),
  favicon: holderOf(pictures.favicon),
}

/** The logo of a store and of its channels, with its pictures (docs/contract/settings.md section 3). */
export function logoRoutes(api: Api, files: Files) {
  familyRoutes(api, logo, {
    async save(tx, level, values) {
      // With its own values a channel loses its own pictures.
      if (values === undefined) await detachLogos(tx, files, level.channel)
      return saveSettings(tx, logo, level, values)
    },
  })
  for (const kind of KINDS) pictureRoute(api, files, kind)
}

export async function detachLogos(tx: Tx, files: Files, channel: number) {
  for (const kind of KINDS) await files.detach(tx, { kind, id: channel })
}

function pictureRoute(api: Api, files: Files, kind: Kind) {
  const { part } = pictures[kind]
  const written = new WeakMap<object, Copies>()
  const prepare = async (request: FastifyRequest) => {
    const bytes = bytesIn(request.body, part)
    const picture = { bytes, extension: await extensionOf(part, bytes) }
    written.set(request, await writeFor(request, files, new Map([[part, picture]])))
  }
  api.post(
    `/settings/${kind}/image`,
    {
      config: { ...write.config, isUpload: true, prepare },
      schema: {
        summary: `Set the ${kind} image of the store or a channel`,
        operationId: `upload${kind === 'logo' ? 'Logo' : 'Favicon'}Image`,
        tag: 'Settings',
        querystring: ofChannelOnly,
        body: t.Object({ [part]: FileBytes }, { title: `${kind === 'logo' ? 'Logo' : 'Favicon'}Upload` }),
      },
      preValidation: async (request) => {
        request.body = { [part]: await readUpload(request, part, LOGO_BYTES_MAX) }
      },
    },
    async (request) => {
      const { db, query } = request
      const { channel_id = ALL_CHANNELS } = query
      const picture = written.get(request)?.get(part)
      if (!picture) throw new Error('The picture was not written.')
      await db.transaction((tx) => attachLogo(tx, files, picture.file, { kind, channel: channel_id }))
      return noContent()
    },
  )
}

/** @throws Problem 422 if the form has no such file */
function bytesIn(body: unknown, part: string): Buffer {
  const bytes = isObject(body) ? body[part] : undefined
  if (!Buffer.isBuffer(bytes)) throw invalid({ [part]: 'error.path.missing' })
  return bytes
}

/** Makes a written file the logo or the favicon, in place of the former. @param channel 0 for that of all channels */
export async function attachLogo(
  tx: Tx,
  files: Files,
  name: string,
  { kind, channel }: { kind: Kind; channel: number },
) {
  const level = await lockSettings(tx, logo, channel)
  const url = await files.attach(tx, { kind, id: channel }, name)
  await saveSettings(tx, pictured(kind), level, { [pictures[kind].field]: url })
}

/** The family with the event of a picture in place of its own. */
const pictured = (kind: Kind): typeof logo => ({
  ...logo,
  publishChange: (tx, channel) =>
    publish(tx, `store/channel/${channel}/settings/${kind}/image/updated`, settingsSubject(channel), {}),
})

/** @throws Problem 422 for a file that cannot be a logo */
async function extensionOf(part: string, bytes: Buffer): Promise<string> {
  const type = await acceptedType(bytes)
  if ('refusal' in type) throw invalid({ [part]: type.refusal })
  if (type.extension === 'ico') throw invalid({ [part]: 'The file must be a GIF, JPEG or PNG picture.' })
  return type.extension
}
