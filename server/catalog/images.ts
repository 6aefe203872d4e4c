import t, { type TUnsafe } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import type { FileOwner, Files } from '../core/files/files.ts'
import { gifRefusal, imageType } from '../core/files/image-type.ts'
import { readUpload } from '../core/files/upload.ts'
import { answer, noContent } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { type Collection, envelope, type Identified } from '../core/rest/collection.ts'
import { Id, idSegment } from '../core/rest/fields.ts'
import { invalid } from '../core/rest/problem.ts'
import { change, lock } from '../core/rest/verbs.ts'
import { access } from '../stores/scopes.ts'

const IMAGE_BYTES_MAX = 8 * 1024 * 1024

const { write } = access('catalog')

/** The address of an image, or `""` for none. Checked for its form only and returned as given; nothing is fetched. */
export const ImageUrl = t.Union([t.Literal(''), t.String({ format: 'uri', maxLength: 2_048 })])

interface Illustrated extends Identified {
  image_url: string
}

/** The image of a brand or category: one upload at a time takes the place of the former (docs/contract/catalog.md section 1). */
export function imageRoutes<R extends Illustrated>(app: Api, files: Files, path: string, owners: Collection<R>) {
  const owner_id = `${owners.noun}_id`
  const url = `${path}/${idSegment(owner_id)}/image`
  const params = t.Unsafe<Record<string, number>>(t.Object({ [owner_id]: Id }))
  const owner = (id: number): FileOwner => ({ kind: owners.noun, id })

  uploadRoute(app, files, url, params, async (tx, ids, name) => {
    const row = await lock(tx, owners, Number(ids[owner_id]))
    const image_url = await files.attach(tx, owner(row.id), name)
    await change(tx, owners, row, { image_url })
    return image_url
  })

  app.delete(url, { ...write, schema: { params } }, async ({ db, params }) => {
    const id = Number(params[owner_id])
    await db.transaction(async (tx) => {
      const row = await lock(tx, owners, id)
      await files.detach(tx, owner(id))
      await change(tx, owners, row, { image_url: '' })
    })
    return noContent()
  })
}

/**
 * A POST of one picture as a form, answered with the address of the stored copy. The bytes are written before the
 * transaction, and discarded if it fails.
 * @param params the ids in the path
 * @param keep attaches the written file to what the path names, and gives its address
 */
export function uploadRoute(
  app: Api,
  files: Files,
  url: string,
  params: TUnsafe<Record<string, number>>,
  keep: (tx: Tx, ids: Record<string, number>, name: string) => Promise<string>,
) {
  app.post(
    url,
    {
      config: { ...write.config, isUpload: true },
      schema: {
        params,
        consumes: ['multipart/form-data'],
        body: t.Object({ image_file: t.Unsafe<Buffer>({ contentMediaType: 'application/octet-stream' }) }),
        response: { 200: envelope(t.Object({ image_url: t.String() })) },
      },
      preValidation: async (request) => {
        request.body = { image_file: await readUpload(request, 'image_file', IMAGE_BYTES_MAX) }
      },
    },
    async ({ db, params, body }) => {
      const name = await files.write(db.store, body.image_file, await extensionOf(body.image_file))
      try {
        return answer({ image_url: await db.transaction((tx) => keep(tx, params, name)) })
      } catch (error) {
        await files.discard(db.store, name)
        throw error
      }
    },
  )
}

/** @throws Problem 422 for what is no picture that stores accept */
async function extensionOf(bytes: Buffer): Promise<string> {
  const type = await imageType(bytes)
  if (!type) throw invalid({ image_file: 'The file must be a JPEG, PNG, GIF or ICO picture.' })
  const refusal = type.extension === 'gif' ? gifRefusal(bytes) : undefined
  if (refusal) throw invalid({ image_file: refusal })
  return type.extension
}
