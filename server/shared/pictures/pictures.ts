import type { FastifyRequest } from 'fastify'
import t, { type TUnsafe } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import type { FileOwner, Files } from '../../core/files/files.ts'
import { gifRefusal, imageType, pixelRefusal } from '../../core/files/image-type.ts'
import { readUpload } from '../../core/files/upload.ts'
import { ImageFetchError, type ImageFetcher } from '../../core/net/fetch-image.ts'
import { noPortFaults, type PortFaults } from '../../core/net/ports.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import { type Api, undoUnlessAnswered } from '../../core/rest/api.ts'
import { FileBytes, Id, idSegment } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { isSamePicture, pathOfFile } from '../../core/rest/input/picture-addresses.ts'
import { type Collection, envelope, type RowWithId } from '../../core/rest/lists/collection.ts'
import { withArticle } from '../../core/rest/lists/operation-names.ts'
import { change, lock } from '../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { StoreSlots } from '../../stores/quotas/store-slots.ts'

/** One byte more is 413 (docs/contract/limits.md section 2). */
export const IMAGE_BYTES_MAX = 8 * 1024 * 1024

const { write } = access('catalog')

/** The address of an image, or `""` for none. Only its form is validated; the image is fetched only if the settings allow it. */
export const ImageUrl = t.Union([t.Literal(''), t.String({ format: 'uri', maxLength: 2_048 })])

/** The answers to the upload of a picture. */
export const imageAnswers = {
  response: { 200: envelope(t.Object({ image_url: t.String() }, { title: 'ImageAddress' })) },
}

interface RowWithImage extends RowWithId {
  image_url: string
}

/** Routes for the image of a brand or category. An upload replaces the former image (docs/contract/catalog.md section 1). */
export function imageRoutes<R extends RowWithImage>(app: Api, pictures: Pictures, path: string, owners: Collection<R>) {
  const { files } = pictures
  const owner_id = `${owners.noun}_id`
  const url = `${path}/${idSegment(owner_id)}/image`
  const params = t.Unsafe<Record<string, number>>(t.Object({ [owner_id]: Id }))
  const owner = (id: number): FileOwner => ({ kind: owners.noun, id })

  const summary = `Set the image of ${withArticle(owners.noun)}`
  uploadRoute(app, pictures, { url, params, summary }, async (tx, ids, name) => {
    const row = await lock(tx, owners, Number(ids[owner_id]))
    const image_url = await files.attach(tx, owner(row.id), name)
    await change(tx, owners, row, { image_url })
    return image_url
  })

  app.delete(
    url,
    { ...write, schema: { summary: `Delete the image of ${withArticle(owners.noun)}`, params } },
    async ({ db, params }) => {
      const id = Number(params[owner_id])
      await db.transaction(async (tx) => {
        const row = await lock(tx, owners, id)
        await files.detach(tx, owner(id))
        await change(tx, owners, row, { image_url: '' })
      })
      return noContent()
    },
  )
}

/**
 * Registers a POST of one picture as a form. The answer has the address of the stored copy.
 * @param params the ids in the path
 * @param summary the summary of the operation in the API document
 * @param attach attaches the written file to its owner, and returns its address
 */
export function uploadRoute(
  app: Api,
  pictures: Pictures,
  { url, params, summary }: { url: string; params: TUnsafe<Record<string, number>>; summary: string },
  attach: (tx: Tx, ids: Record<string, number>, name: string) => Promise<string>,
) {
  app.post(
    url,
    {
      config: { ...write.config, ...pictures.storing(), isUpload: true },
      schema: {
        summary,
        params,
        body: t.Object({ image_file: FileBytes }, { title: 'ImageUpload' }),
        ...imageAnswers,
      },
      preValidation: async (request) => {
        request.body = { image_file: await readUpload(request, 'image_file', IMAGE_BYTES_MAX) }
      },
    },
    async (request) => {
      const { db, params } = request
      const { file } = pictures.copiesOf(request).get(UPLOAD) ?? missing()
      return answer({ image_url: await db.transaction((tx) => attach(tx, params, file)) })
    },
  )
}

function missing(): never {
  throw invalid({ [UPLOAD]: 'error.path.missing' })
}

/** @throws Problem 422 for a file that is not an accepted picture */
async function extensionOf(bytes: Buffer): Promise<string> {
  const type = await acceptedType(bytes)
  if ('refusal' in type) throw invalid({ [UPLOAD]: type.refusal })
  return type.extension
}

/** The file extension of a picture, or the reason why stores do not accept it (docs/contract/limits.md). */
export async function acceptedType(bytes: Buffer): Promise<{ extension: string } | { refusal: string }> {
  const type = await imageType(bytes)
  if (!type) return { refusal: 'The file must be a JPEG, PNG, GIF or ICO picture.' }
  const { extension } = type
  const refusal = (extension === 'gif' ? gifRefusal(bytes) : undefined) ?? pixelRefusal(bytes, extension)
  return refusal === undefined ? { extension } : { refusal }
}

/** A picture as rows store it: the path of a stored copy with the name of its file, or an external address. */
export interface Picture {
  url: string
  file: string
}

/** The stored copies of pictures, by the path of the body field of each. */
export type Copies = ReadonlyMap<string, Picture>

/** The file storage, and the copies of pictures that the request fetched or uploaded. */
export interface FilesOfRequest {
  files: Files
  copies: Copies
}

/** A picture that is not stored yet. */
interface NewPicture {
  bytes: Buffer
  extension: string
}

type FetchResult = NewPicture | { refusal: string }

/** The picture addresses in a body, by the path of their field. */
type Addresses = (body: unknown) => Readonly<Record<string, unknown>>

interface NamedPicture {
  path: string
  url: string
}

// Fetched pictures stay in memory until they are stored, up to 80 MiB for one request.
const fetchSlots = new StoreSlots({ all: 4, store: 2, waiting: 20 })

/** The field of an uploaded picture. */
const UPLOAD = 'image_file'

const FAULTS = {
  fails: 'A fault of this test store: the host of the picture has refused it.',
  timed_out: 'A fault of this test store: the picture did not come in time.',
}

/**
 * Pictures of requests. An uploaded picture is stored. A picture given by its address is fetched and stored as a copy if the
 * settings allow it; otherwise the address is stored (docs/contract/product-parts.md section 5).
 */
export class Pictures {
  readonly files: Files
  readonly #fetcher: ImageFetcher | undefined
  readonly #faults: PortFaults
  readonly #prepared = new WeakMap<object, { copies: Copies; refusals: Mistakes }>()

  /** @param fetcher undefined if the settings do not allow fetching */
  constructor(files: Files, fetcher?: ImageFetcher, faults: PortFaults = noPortFaults) {
    this.files = files
    this.#faults = faults
    this.#fetcher = fetcher
  }

  /** Config of a route with picture addresses in its body: stores copies before the transaction, for `copiesOf`. */
  copying(find: Addresses) {
    return this.#fetcher ? this.storing(find) : {}
  }

  /** Like `copying`, for a route that takes uploads too. */
  storing(find: Addresses = () => ({})) {
    const prepare = async (request: FastifyRequest) => {
      const named = this.#namedBy(find(request.body))
      if (named.length === 0) return this.#prepare(request, [])
      await fetchSlots.run(request.db.store, () => this.#prepare(request, named))
    }
    return { prepare }
  }

  /** The addresses of pictures to fetch. */
  #namedBy(named: Readonly<Record<string, unknown>>): NamedPicture[] {
    if (!this.#fetcher) return []
    return Object.entries(named).flatMap(([path, url]) =>
      typeof url === 'string' && isAddress(url) && !this.files.isOwn(url) ? [{ path, url }] : [],
    )
  }

  async #prepare(request: FastifyRequest, named: readonly NamedPicture[]) {
    const pictures = new Map<string, NewPicture>()
    const refusals: Mistakes = {}
    const fault = named.length > 0 ? await this.#faults.occur(request.db.store, 'pictures') : undefined
    if (fault !== undefined)
      for (const { path } of named) refusals[path] = FAULTS[fault === 'timed_out' ? fault : 'fails']
    for (const [path, found] of await this.#fetchAll(fault === undefined ? named : [])) {
      if ('refusal' in found) refusals[path] = found.refusal
      else pictures.set(path, found)
    }
    const upload = uploadIn(request.body)
    if (upload) pictures.set(UPLOAD, { bytes: upload, extension: await extensionOf(upload) })
    const isRefused = Object.keys(refusals).length > 0
    const copies = isRefused ? new Map() : await writeFor(request, this.files, pictures)
    this.#prepared.set(request, { copies, refusals })
  }

  async #fetchAll(addresses: readonly NamedPicture[]): Promise<[string, FetchResult][]> {
    const fetcher = this.#fetcher
    if (!fetcher) return []
    return Promise.all(
      addresses.map(
        async ({ path, url }, i): Promise<[string, FetchResult]> => [
          path,
          i < FETCHED_MAX ? await fetchPicture(fetcher, url) : { refusal: TOO_MANY },
        ],
      ),
    )
  }

  /**
   * The stored pictures of a request. They are deleted if the request fails.
   * @throws Problem 400 if a picture could not be fetched
   */
  copiesOf(request: object): Copies {
    const { copies, refusals } = this.#prepared.get(request) ?? NOT_PREPARED
    if (Object.keys(refusals).length > 0) throw new Problem(400, 'A picture could not be fetched.', refusals)
    return copies
  }
}

const NOT_PREPARED = { copies: new Map(), refusals: {} }

const uploadIn = (body: unknown) =>
  typeof body === 'object' && body !== null && UPLOAD in body && Buffer.isBuffer(body[UPLOAD])
    ? body[UPLOAD]
    : undefined

/** Writes pictures before the transaction of a request, and deletes them if the request fails. */
export async function writeFor(
  request: FastifyRequest,
  files: Files,
  pictures: ReadonlyMap<string, NewPicture>,
): Promise<Copies> {
  const { store } = request.db
  const copies = new Map<string, Picture>()
  undoUnlessAnswered(request, (failure) =>
    files.discardUnstored(
      store,
      [...copies.values()].map(({ file }) => file),
      failure,
    ),
  )
  for (const [path, { bytes, extension }] of pictures) {
    const file = await files.write(store, bytes, extension)
    copies.set(path, { file, url: pathOfFile(store, file) })
  }
  return copies
}

/** The `image_url` of a body, for `copying`. */
export const imageUrlIn = (body: unknown) =>
  typeof body === 'object' && body !== null && 'image_url' in body ? { image_url: body.image_url } : {}

/**
 * Returns changes of a row with an `image_url`, which is the address of the copy if there is one. Deletes a stored image that is
 * replaced.
 * @param row locked
 */
export async function withImage<C extends { image_url?: string }>(
  tx: Tx,
  files: Files,
  { kind, row, copies }: { kind: string; row: RowWithImage; copies: Copies },
  changes: C,
): Promise<C> {
  const copy = copies.get('image_url')
  const image_url = copy?.url ?? changes.image_url
  if (image_url === undefined) return changes
  if (isSamePicture(image_url, row.image_url)) return { ...changes, image_url: row.image_url }
  await files.detach(tx, { kind, id: row.id })
  if (copy) await files.attachAll(tx, kind, [{ id: row.id, name: copy.file }])
  return { ...changes, image_url }
}

const FETCHED_MAX = 10
const TOO_MANY = `One request can name at most ${FETCHED_MAX} pictures by their address.`

/** Whether a text that passed the format of the field is an http address. */
const isAddress = (text: string) => URL.canParse(text) && /^https?:\/\//i.test(text)

async function fetchPicture(fetcher: ImageFetcher, url: string): Promise<FetchResult> {
  try {
    const bytes = await fetcher.fetch(url, IMAGE_BYTES_MAX)
    const type = await acceptedType(bytes)
    return 'refusal' in type ? type : { bytes, ...type }
  } catch (error) {
    if (error instanceof ImageFetchError) return { refusal: error.message }
    throw error
  }
}
