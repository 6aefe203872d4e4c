import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment, NeededText, SortOrder } from '../../../core/rest/input/fields.ts'
import { type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { change, findBelow, insert, lock, type NewIds, pick, remove } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touch } from '../product-row/shape.ts'
import { findParts, lockPart, type PartList, refuseTooMany, replaceParts } from './sub-resource.ts'

const VIDEOS_MAX = 250

const { read, write } = access('catalog')

const Video = t.Object({
  id: Id,
  product_id: Id,
  title: t.String({ maxLength: 255 }),
  description: t.String({ maxLength: 65_535 }),
  sort_order: SortOrder,
  type: t.Enum(['youtube']),
  video_id: NeededText(25),
  length: t.String(),
})

const { title, description, sort_order, type, video_id } = Video.properties
// The video of an entry stays what it is: another one is another entry.
const Changes = t.Partial(t.Object({ title, description, sort_order, type }), {
  title: 'VideoChanges',
  examples: [{ title: 'The film' }],
})
const NewVideo = t.Object(
  { ...Changes.properties, video_id },
  { title: 'NewVideo', examples: [{ video_id: 'z3fRu9pkuXE', title: 'How it is made' }] },
)
type NewVideo = Static<typeof NewVideo>
const VideoItem = t.Object(
  { ...Changes.properties, id: t.Optional(Id), video_id: t.Optional(video_id) },
  { title: 'VideoItem' },
)
type VideoItem = Static<typeof VideoItem>

/** As they stand in the body of a new product. */
export const NewVideos = t.Array(NewVideo, { maxItems: VIDEOS_MAX })
/** As they stand in the change of a product. */
export const VideoItems = t.Array(VideoItem, { maxItems: VIDEOS_MAX })

export const videos = collection('product_videos', Video, {
  noun: 'video',
  filters: '',
  order: 'sort_order',
  conflicts: { product_videos_unique: ['This product already has this video.', 'video_id'] },
})

/** The five operations of a product's videos (docs/contract/product-parts.md section 3). */
export function videoRoutes(app: Api) {
  const list = `/catalog/products/${idSegment('product_id')}/videos`
  const one = `${list}/${idSegment('id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, id: Id })

  app.get(
    list,
    { ...read, schema: { summary: 'List the videos of a product', params: ofProduct, ...videos.list } },
    ({ db, params, query }) => findParts(db, videos, params.product_id, query),
  )

  app.post(
    list,
    {
      ...write,
      schema: { summary: 'Add a video to a product', params: ofProduct, body: NewVideo, ...videos.answersOne },
    },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          const { video } = await tx.together(() => ({
            video: insert(tx, videos, videoRow(product, body)),
            limit: refuseTooMany(tx, videos, product, VIDEOS_MAX),
            product: touch(tx, product),
          }))
          return video
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a video of a product', params, ...videos.one } },
    async ({ db, params: { product_id, id }, query }) =>
      answer(pick(videos, await findBelow(db, videos, { product_id }, id), query)),
  )

  app.put(
    one,
    { ...write, schema: { summary: 'Change a video of a product', params, body: Changes, ...videos.answersOne } },
    async ({ db, params: { product_id, id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const [product, video] = await lockPart(tx, videos, product_id, id)
          const changed = await change(tx, videos, video, body)
          if (changed !== video) await touch(tx, product)
          return changed
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a video of a product', params } },
    async ({ db, params: { product_id, id } }) => {
      await db.transaction(async (tx) => {
        const [product, video] = await lockPart(tx, videos, product_id, id)
        await remove(tx, videos, video.id)
        await touch(tx, product)
      })
      return noContent()
    },
  )
}

/** A new video as it is stored, but for its id. Nothing is asked of where the video lies, so its length is not known. */
export const videoRow = ({ id }: RowWithId, video: NewVideo) => ({
  title: '',
  description: '',
  sort_order: 0,
  type: 'youtube' as const,
  length: '',
  ...video,
  product_id: id,
})

/** What is wrong with the videos in the body of a product. */
export function videoMistakes(items: readonly VideoItem[], path: string): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, { id, video_id }] of items.entries()) {
    if (id === undefined && video_id === undefined) mistakes[`${path}.${i}.video_id`] = 'error.path.missing'
  }
  const says = 'This list already has this video.'
  return {
    ...mistakes,
    ...repeated(
      items,
      ({ video_id }) => video_id,
      (i) => `${path}.${i}.video_id`,
      says,
    ),
  }
}

/** Makes a list the whole of them. @returns whether anything has changed */
export const replaceVideos = (tx: Tx, product: RowWithId, list: PartList<VideoItem>, newIds: NewIds) =>
  replaceParts(
    tx,
    videos,
    product,
    list,
    ({ id: _, ...item }, before) => ({ ...(before ?? videoRow(product, { video_id: '' })), ...item }),
    newIds,
  )
