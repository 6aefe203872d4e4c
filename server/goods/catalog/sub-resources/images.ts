import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { readForm } from '../../../core/files/upload.ts'
import { isObject } from '../../../core/objects.ts'
import { answer, dated, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { FileBytes, Id, idSegment, Moment, SortOrder } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { isSamePicture } from '../../../core/rest/input/picture-addresses.ts'
import { truths } from '../../../core/rest/input/validator.ts'
import { collection, type RowWithId } from '../../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../../core/rest/lists/pages/inclusions.ts'
import {
  change,
  differences,
  findBelow,
  findWhere,
  insert,
  lock,
  pick,
  remove,
} from '../../../core/rest/lists/verbs.ts'
import {
  type Copies,
  type FilesOfRequest,
  IMAGE_BYTES_MAX,
  type Picture,
  type Pictures,
} from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touchProduct } from '../product-row/shape.ts'
import {
  currentRows,
  findSubResources,
  idsOf,
  type ListInput,
  lockSubResource,
  type Replacement,
  refuseOverMaximum,
  storeSubResources,
} from './sub-resource.ts'

const { read, write } = access('catalog')

/** Images of one product (docs/contract/limits.md section 2). */
const IMAGES_MAX = 1_000

const ProductImage = t.Object(
  {
    id: Id,
    product_id: Id,
    is_thumbnail: t.Boolean(),
    sort_order: SortOrder,
    description: t.String({ maxLength: 65_535 }),
    image_file: t.String(),
    image_url: t.String(),
    url_zoom: t.String(),
    url_standard: t.String(),
    url_thumbnail: t.String(),
    url_tiny: t.String(),
    date_modified: Moment,
  },
  { title: 'ProductImage' },
)
type ProductImage = Static<typeof ProductImage>

const { is_thumbnail, sort_order, description } = ProductImage.properties
const image_url = t.String({ format: 'uri', maxLength: 255 })
const Changes = t.Partial(t.Object({ image_url, is_thumbnail, sort_order, description }))
type Changes = Static<typeof Changes>
const NewImage = t.Object({ ...Changes.properties, image_url }, { title: 'NewImage' })
type NewImage = Static<typeof NewImage>
// A file in a form, or an address in JSON.
const image_file = t.Optional(FileBytes)
const NewPicture = t.Object(
  { ...Changes.properties, image_file },
  {
    title: 'NewPicture',
    anyOf: [{ required: ['image_url'] }, { required: ['image_file'] }],
    examples: [{ image_url: 'https://cdn.example.com/mug.png', description: 'A mug' }],
  },
)
const ChangedPicture = t.Object(
  { ...Changes.properties, image_file },
  { title: 'PictureChanges', examples: [{ description: 'The handle' }] },
)
const ImageItem = t.Object({ ...Changes.properties, id: t.Optional(Id) }, { title: 'ImageItem' })
type ImageItem = Static<typeof ImageItem>

/** The list in the body of a new product. */
export const NewImages = t.Array(NewImage, { maxItems: IMAGES_MAX })
/** The list in the body of a changed product. */
export const ImageItems = t.Array(ImageItem, { maxItems: IMAGES_MAX })

export const productImages = collection('product_images', ProductImage, {
  noun: 'image',
  filters: '',
  order: 'sort_order',
})

/** The owner of the files of images. */
export const IMAGE_OWNER = 'product_image'

/** The five operations of a product's images (docs/contract/product-parts.md section 5). */
export function productImageRoutes(app: Api, pictures: Pictures) {
  const { files } = pictures
  const list = `/catalog/products/${idSegment('product_id')}/images`
  const one = `${list}/${idSegment('image_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, image_id: Id })
  const takesPicture = {
    config: { ...write.config, ...pictures.storing(addressIn), isUpload: 'either' as const },
    preValidation: readPicture,
  }

  app.get(
    list,
    { ...read, schema: { summary: 'List the images of a product', params: ofProduct, ...productImages.list } },
    ({ db, params, query }) => findSubResources(db, productImages, params.product_id, query),
  )

  app.post(
    list,
    {
      ...takesPicture,
      schema: {
        summary: 'Add an image to a product',
        params: ofProduct,
        body: NewPicture,
        ...productImages.answersOne,
      },
    },
    async (request) => {
      const { db, params, body } = request
      const copies = pictures.copiesOf(request)
      const created = await db.transaction(async (tx) => {
        const product = await lock(tx, products, params.product_id)
        const image = await createImage(tx, product, body, { files, copies })
        await touchProduct(tx, product)
        return image
      })
      return answer(created)
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get an image of a product', params, ...productImages.one } },
    async ({ db, params, query }) => {
      const { product_id, image_id } = params
      const image = await findBelow(db, productImages, { product_id }, image_id)
      return dated(pick(productImages, image, query), image.date_modified)
    },
  )

  app.put(
    one,
    {
      ...takesPicture,
      schema: { summary: 'Change an image of a product', params, body: ChangedPicture, ...productImages.answersOne },
    },
    async (request) => {
      const { db, params, body } = request
      const copies = pictures.copiesOf(request)
      const changed = await db.transaction(async (tx) => {
        const [product, image] = await lockSubResource(tx, productImages, params.product_id, params.image_id)
        const changed = await changeImage(tx, image, body, { files, copies })
        if (changed !== image) await touchProduct(tx, product)
        return changed
      })
      return answer(changed)
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete an image of a product', params } },
    async ({ db, params: { product_id, image_id } }) => {
      await db.transaction(async (tx) => {
        const [product, image] = await lockSubResource(tx, productImages, product_id, image_id)
        await remove(tx, productImages, image.id)
        await files.detach(tx, { kind: IMAGE_OWNER, id: image.id })
        if (image.is_thumbnail) await makeNextThumbnail(tx, image)
        await touchProduct(tx, product)
      })
      return noContent()
    },
  )
}

/**
 * Reads a form: converts its texts to the types of the fields, and adds the file. In JSON, `image_file` is the name of a file
 * that the client read before; it is dropped.
 */
export async function readPicture(request: FastifyRequest) {
  if (!request.isMultipart()) {
    if (isObject(request.body) && 'image_file' in request.body) {
      const { image_file: _, ...body } = request.body
      request.body = body
    }
    return
  }
  const { bytes, texts } = await readForm(request, 'image_file', IMAGE_BYTES_MAX)
  const { is_thumbnail = '', sort_order = '', ...others } = texts
  // An empty text is dropped: PHP clients send it for false and for missing values.
  request.body = {
    ...others,
    ...(is_thumbnail === '' ? {} : { is_thumbnail }),
    ...(sort_order === '' ? {} : { sort_order }),
    ...(Object.hasOwn(truths, is_thumbnail) ? { is_thumbnail: truths[is_thumbnail] } : {}),
    ...(/^-?\d{1,15}$/.test(sort_order) ? { sort_order: Number(sort_order) } : {}),
    ...(bytes ? { image_file: bytes } : {}),
  }
}

/** The address that is fetched. An uploaded file takes precedence. */
export const addressIn = (body: unknown) =>
  isObject(body) && 'image_url' in body && !body.image_file ? { image_url: body.image_url } : {}

/** Creates an image. @param product locked */
async function createImage(
  tx: Tx,
  product: RowWithId,
  { image_url = '', image_file: _, ...described }: Static<typeof NewPicture>,
  { files, copies }: FilesOfRequest,
) {
  const crowned = await findThumbnail(tx, product)
  const isThumbnail = described.is_thumbnail === true || crowned === undefined
  if (isThumbnail && crowned !== undefined) await unsetThumbnail(tx, product)
  const image = await insert(tx, productImages, {
    ...blank,
    ...described,
    is_thumbnail: isThumbnail,
    ...pictureFields(pictureIn(copies) ?? { url: image_url, file: '' }),
    product_id: product.id,
    date_modified: toSeconds(tx.now),
  })
  await refuseOverMaximum(tx, productImages, product, IMAGES_MAX)
  await attachCopies(tx, files, [image])
  return image
}

async function changeImage(
  tx: Tx,
  image: ProductImage,
  { image_url, image_file: _, ...described }: Static<typeof ChangedPicture>,
  { files, copies }: FilesOfRequest,
): Promise<ProductImage> {
  const product = { id: image.product_id }
  const copy = pictureIn(copies)
  const isOther = copy !== undefined || (image_url !== undefined && !isSamePicture(image_url, image.image_url))
  const changes = {
    ...described,
    is_thumbnail: image.is_thumbnail ? await staysThumbnail(tx, image, described) : described.is_thumbnail,
    ...(isOther ? pictureFields(copy ?? { url: image_url ?? '', file: '' }) : {}),
  }
  const differing = differences(image, changes)
  if (Object.keys(differing).length === 0) return image
  if (differing.is_thumbnail === true) await unsetThumbnail(tx, product)
  const changed = await change(tx, productImages, image, { ...differing, date_modified: toSeconds(tx.now) })
  if (differing.is_thumbnail === false) await makeNextThumbnail(tx, image)
  if (isOther) {
    await files.detach(tx, { kind: IMAGE_OWNER, id: image.id })
    await attachCopies(tx, files, [changed])
  }
  return changed
}

/** A request has one picture: the uploaded file, or the copy of the named one. */
export const pictureIn = (copies: Copies) => copies.get('image_file') ?? copies.get('image_url')

const findThumbnail = (tx: Tx, { id }: RowWithId) =>
  tx.maybeRow<RowWithId>(sql`
    select id from product_images where store_id = ${tx.store.id} and product_id = ${id} and is_thumbnail`)

/** The only image of a product stays its thumbnail. */
async function staysThumbnail(tx: Tx, { id, product_id }: ProductImage, { is_thumbnail = true }: Changes) {
  if (is_thumbnail) return true
  const other = await tx.maybeRow(sql`
    select id from product_images where store_id = ${tx.store.id} and product_id = ${product_id} and id <> ${id} limit 1`)
  return other === undefined
}

/** Makes the thumbnail an ordinary image. */
const unsetThumbnail = (tx: Tx, { id }: RowWithId) =>
  tx.rows(sql`
    update product_images set is_thumbnail = false, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and product_id = ${id} and is_thumbnail`)

/** Makes the first of the other images the thumbnail, in the order of lists. */
const makeNextThumbnail = (tx: Tx, { id, product_id }: ProductImage) =>
  tx.rows(sql`
    update product_images set is_thumbnail = true, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and id = (
      select id from product_images where store_id = ${tx.store.id} and product_id = ${product_id} and id <> ${id}
      order by sort_order, id limit 1)`)

/** Pictures are stored in one size: all addresses are that of the copy, or the one in the request. */
const pictureFields = ({ url, file }: Picture) => ({
  image_file: file,
  image_url: url,
  url_zoom: url,
  url_standard: url,
  url_thumbnail: url,
  url_tiny: url,
})

const blank = { is_thumbnail: false, sort_order: 0, description: '' }

/** The rows of the images of a new product, without their ids. One of them is the thumbnail. */
export function newImageRows(tx: Tx, product: RowWithId, { items, path }: ListInput<NewImage>, copies: Copies) {
  const rows = items.map(({ image_url, ...item }, i) => ({
    ...blank,
    ...item,
    ...pictureFields(copies.get(`${path}.${i}.image_url`) ?? { url: image_url, file: '' }),
    product_id: product.id,
    date_modified: toSeconds(tx.now),
  }))
  const thumbnail = thumbnailOf(items, rows)
  return rows.map((row, i) => ({ ...row, is_thumbnail: i === thumbnail }))
}

/** The mistakes of the images in the body of a product. */
export function imageMistakes(items: readonly ImageItem[], path: string): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, { id, image_url }] of items.entries()) {
    if (id === undefined && image_url === undefined) mistakes[`${path}.${i}.image_url`] = 'error.path.missing'
  }
  return mistakes
}

/**
 * Replaces the images of a product by a list (docs/contract/product-parts.md sections 1 and 5).
 * @returns whether anything has changed
 */
export async function replaceImages(
  tx: Tx,
  list: Replacement<ImageItem>,
  { files, copies }: FilesOfRequest,
): Promise<boolean> {
  const { product, items, path } = list
  const before = await currentRows(tx, productImages, list)
  const ids = idsOf(productImages, list)
  const now = toSeconds(tx.now)
  const rows = items.map(({ image_url, ...item }, i) => {
    const id = ids[i] ?? 0
    const former = before.get(id) ?? { ...blank, ...pictureFields(NO_PICTURE), date_modified: now }
    const isOther = image_url !== undefined && !isSamePicture(image_url, former.image_url)
    const given = isOther ? { url: image_url, file: '' } : undefined
    const picture = copies.get(`${path}.${i}.image_url`) ?? given
    return { ...former, ...item, ...(picture && pictureFields(picture)), product_id: product.id, id }
  })
  const thumbnail = thumbnailOf(items, rows)
  const images = rows.map((row, i) => withDate({ ...row, is_thumbnail: i === thumbnail }, before.get(row.id), now))

  const { gone, written } = await storeSubResources(tx, productImages, before, images)
  const replaced = written.filter(({ id, image_file }) => image_file !== before.get(id)?.image_file)
  await files.detachAll(tx, IMAGE_OWNER, [...gone, ...replaced.map(({ id }) => id)])
  await attachCopies(tx, files, replaced)
  return gone.length + written.length > 0
}

const NO_PICTURE: Picture = { url: '', file: '' }

/** An image with the time of its last change: the current time if it differs from its former row. */
const withDate = (image: ProductImage, former: ProductImage | undefined, now: string): ProductImage =>
  former && Object.keys(differences(former, image)).length > 0 ? { ...image, date_modified: now } : image

/**
 * Finds the thumbnail in a list of images: the last item that asks for it, else the current thumbnail, else the first in the
 * order of lists (docs/contract/product-parts.md section 5).
 */
function thumbnailOf(
  items: readonly Changes[],
  rows: readonly { is_thumbnail: boolean; sort_order: number }[],
): number {
  const said = items.findLastIndex(({ is_thumbnail }) => is_thumbnail)
  if (said >= 0) return said
  const was = rows.findIndex(({ is_thumbnail }) => is_thumbnail)
  if (was >= 0) return was
  const lowest = Math.min(...rows.map(({ sort_order }) => sort_order))
  return rows.findIndex(({ sort_order }) => sort_order === lowest)
}

/** Makes images the owners of their files. */
export async function attachCopies(tx: Tx, files: Files, images: readonly Pick<ProductImage, 'id' | 'image_file'>[]) {
  const stored = images.filter(({ image_file }) => image_file !== '')
  await files.attachAll(
    tx,
    IMAGE_OWNER,
    stored.map(({ id, image_file }) => ({ id, name: image_file })),
  )
}

/** The primary image of each product: its thumbnail, or null. */
export const primaryImages: Inclusion = async (db, ids) => {
  const found = await findWhere(db, productImages, sql`product_id = any(${ids}) and is_thumbnail`)
  const texts = new Map(found.map((image) => [image.product_id, JSON.stringify(image)]))
  return new Map(ids.map((id) => [id, texts.get(id) ?? 'null']))
}
