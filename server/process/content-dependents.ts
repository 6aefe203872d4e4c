import type { PageDependents } from '../content/pages/deletion.ts'
import { deleteRedirectsTo } from '../content/redirects/rows.ts'

/** Functions that delete rows of other areas with the pages that they belong to. */
export const aboveContent: PageDependents = {
  deleteRowsOfPages: (tx, ids) => deleteRedirectsTo(tx, 'page', ids),
}
