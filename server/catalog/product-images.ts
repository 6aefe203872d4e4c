import t, { type Static } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import type { Files } from '../core/files/files.ts'
import { collection, type Identified } from '../core/rest/collection.ts'
import { toSeconds } from '../core/rest/dates.ts'
import { Id, Moment } from '../core/rest/fields.ts'
import type { Inclusion } from '../core/rest/pages.ts'
import { differences, type TakenIds } from '../core/rest/verbs.ts'
import { formerParts, type Given, idsOf, type Mistakes, storeParts } from './part.ts'

const IMAGES_MAX = 1_000

const ProductImage = t.Object({
  id: Id,
  product_id: Id,
  is_thumbnail: t.Boolean(),
  sort_order: t.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
  description: t.String({ maxLength: 65_535 }),
  image_file: t.String(),
  image_url: t.String(),
  url_zoom: t.String(),
  url_standard: t.String(),
  url_thumbnail: t.String(),
  url_tiny: t.String(),
  date_modified: Moment,
})
type ProductImage = Static<typeof ProductImage>

const { is_thumbnail, sort_order, description } = ProductImage.properties
const image_url = t.String({ format: 'uri', maxLength: 255 })
const Changes = t.Partial(t.Object({ image_url, is_thumbnail, sort_order, description }))
type Changes = Static<typeof Changes>
const NewImage = t.Object({ ...Changes.properties, image_url })
type NewImage = Static<typeof NewImage>
const ImageItem = t.Object({ ...Changes.properties, id: t.Optional(Id) })
type ImageItem = Static<typeof ImageItem>

/** As they stand in the body of a new product. */
export const NewImages = t.Array(NewImage, { maxItems: IMAGES_MAX })
/** As they stand in the change of a product. */
export const ImageItems = t.Array(ImageItem, { maxItems: IMAGES_MAX })

export const productImages = collection('product_images', ProductImage, {
  noun: 'image',
  filters: '',
  order: 'sort_order',
})

/** What the files of images belong to. */
export const IMAGE_OWNER = 'product_image'

/** A picture: where it lies, and the name of the file if it is a stored copy. */
export interface Picture {
  url: string
  file: string
}

/** The copies that were made of pictures given by address, by the path of the field that named them. */
export type Copies = ReadonlyMap<string, Picture>

/** Pictures are kept in one size: every address is that of the one copy, or the one that was given. */
const pictureFields = ({ url, file }: Picture) => ({
  image_file: file,
  image_url: url,
  url_zoom: url,
  url_standard: url,
  url_thumbnail: url,
  url_tiny: url,
})

const blank = { is_thumbnail: false, sort_order: 0, description: '' }

/** The images of a new product as they are stored, but for their ids. One of them is the thumbnail. */
export function newImageRows(tx: Tx, product: Identified, { items, path }: Given<NewImage>, copies: Copies) {
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

/** What is wrong with the images in the change of a product. */
export function imageMistakes(items: readonly ImageItem[], path: string): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, { id, image_url }] of items.entries()) {
    if (id === undefined && image_url === undefined) mistakes[`${path}.${i}.image_url`] = 'error.path.missing'
  }
  return mistakes
}

/** @returns whether any is otherwise now */
export async function replaceImages(
  tx: Tx,
  files: Files,
  product: Identified,
  given: Given<ImageItem>,
  taken: TakenIds,
  copies: Copies,
): Promise<boolean> {
  const { items, path } = given
  const before = await formerParts(tx, productImages, product, given)
  const ids = idsOf(items, taken.first(productImages))
  const now = toSeconds(tx.now)
  const rows = items.map(({ image_url, ...item }, i) => {
    const id = ids[i] ?? 0
    const former = before.get(id)
    const copy = copies.get(`${path}.${i}.image_url`)
    const isSame = image_url === undefined || image_url === former?.image_url
    return {
      ...(former ?? { ...blank, ...pictureFields({ url: '', file: '' }), date_modified: now }),
      ...item,
      ...(copy ? pictureFields(copy) : isSame ? {} : pictureFields({ url: image_url, file: '' })),
      product_id: product.id,
      id,
    }
  })
  const thumbnail = thumbnailOf(items, rows)
  const finished = rows.map((row, i) => {
    const image = { ...row, is_thumbnail: i === thumbnail }
    const former = before.get(row.id)
    return former && Object.keys(differences(former, image)).length > 0 ? { ...image, date_modified: now } : image
  })
  const { gone, written } = await storeParts(tx, productImages, before, finished)
  const isReplaced = ({ id, image_file }: ProductImage) => image_file !== before.get(id)?.image_file
  const replaced = written.filter(isReplaced)
  await files.detachAll(tx, IMAGE_OWNER, [...gone, ...replaced.map(({ id }) => id)])
  await attachCopies(tx, files, replaced)
  return gone.length + written.length > 0
}

/**
 * Which of a list of images is the thumbnail: the last one that says so, else the one that was, else the first in the order
 * of lists (docs/contract/product-parts.md section 5).
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

/** Makes the files of new images theirs. */
export async function attachCopies(tx: Tx, files: Files, images: readonly Pick<ProductImage, 'id' | 'image_file'>[]) {
  const stored = images.filter(({ image_file }) => image_file !== '')
  await files.attachAll(
    tx,
    IMAGE_OWNER,
    stored.map(({ id, image_file }) => ({ id, name: image_file })),
  )
}

/** The thumbnail of each product, which is its primary image; null where there is none. */
export const primaryImages: Inclusion = async (db, ids) => {
  const found = await db.rows<ProductImage>(sql`
    select ${sql.join(productImages.columns.map(sql.id))} from product_images
    where store_id = ${db.store.id} and product_id = any(${ids}) and is_thumbnail`)
  const texts = new Map(found.map((image) => [image.product_id, JSON.stringify(image)]))
  return new Map(ids.map((id) => [id, texts.get(id) ?? 'null']))
}
