import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, NeededText, SortOrder } from '../../../core/rest/input/fields.ts'
import { type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { plainSubResourceRoutes } from './plain-sub-resource.ts'
import { type Replacement, replaceSubResources } from './sub-resource.ts'

const VIDEOS_MAX = 250

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
// The video of an entry never changes: another video is another entry.
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

/** The list in the body of a new product. */
export const NewVideos = t.Array(NewVideo, { maxItems: VIDEOS_MAX })
/** The list in the body of a changed product. */
export const VideoItems = t.Array(VideoItem, { maxItems: VIDEOS_MAX })

export const videos = collection('product_videos', Video, {
  noun: 'video',
  filters: '',
  order: 'sort_order',
  conflicts: { product_videos_unique: ['This product already has this video.', 'video_id'] },
})

/** The five operations of a product's videos (docs/contract/product-parts.md section 3). */
export function videoRoutes(app: Api) {
  plainSubResourceRoutes(app, {
    collection: videos,
    segment: 'videos',
    idName: 'id',
    max: VIDEOS_MAX,
    newBody: t.Unsafe<NewVideo>(NewVideo),
    changesBody: t.Unsafe<object>(Changes),
    toRow: videoRow,
  })
}

/** The row of a new video, without its id. The server never asks the video's host, so the length is unknown. */
export const videoRow = ({ id }: RowWithId, video: NewVideo) => ({
  title: '',
  description: '',
  sort_order: 0,
  type: 'youtube' as const,
  length: '',
  ...video,
  product_id: id,
})

/** The mistakes of the videos in the body of a product. */
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

/** Replaces the videos of a product by a list. @returns whether anything has changed */
export const replaceVideos = (tx: Tx, list: Replacement<VideoItem>) =>
  replaceSubResources(tx, videos, list, ({ id: _, ...item }, before) => ({
    ...(before ?? videoRow(list.product, { video_id: '' })),
    ...item,
  }))
