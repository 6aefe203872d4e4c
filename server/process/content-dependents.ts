import type { PostDependents } from '../content/blog/writing.ts'
import type { PageDependents } from '../content/pages/deletion.ts'
import { deleteRedirectsTo } from '../content/redirects/rows.ts'
import { deleteAssociationsOf } from '../content/template-associations/associations.ts'
import { deleteWidgetsOfEntities } from '../content/widgets/deletion.ts'

/** Functions that delete rows of other areas with the pages and posts that they belong to. */
export const aboveContent: PageDependents & PostDependents = {
  async deleteRowsOfPages(tx, ids) {
    await deleteAssociationsOf(tx, 'page', ids)
    await deleteRedirectsTo(tx, 'page', ids)
    await deleteWidgetsOfEntities(tx, 'page', ids)
  },
  deleteRowsOfPosts: (tx, ids) => deleteRedirectsTo(tx, 'post', ids),
}
