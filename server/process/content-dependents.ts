import type { PageDependents } from '../content/pages/deletion.ts'
import { deleteRedirectsTo } from '../content/redirects/rows.ts'
import { deleteWidgetsOfEntities } from '../content/widgets/deletion.ts'

/** Functions that delete rows of other areas with the pages that they belong to. */
export const aboveContent: PageDependents = {
  async deleteRowsOfPages(tx, ids) {
    await deleteRedirectsTo(tx, 'page', ids)
    await deleteWidgetsOfEntities(tx, 'page', ids)
  },
}
