import type { Store } from '../../core/db/database.ts'
import type { Files } from '../../core/files/files.ts'
import { type Bundle, readBundle } from '../../shop/themes/bundle/bundle.ts'
import { pack } from '../../shop/themes/bundle/pack.ts'
import { stockBundle, stockFiles } from '../../shop/themes/stock.ts'
import { draw } from '../samples/figures.ts'

const SCREENSHOT = 'composed.png'

/** Packs the private theme of the demo store: that of every store, with a name and a screenshot of its own. */
export async function packDemoTheme(files: Files, store: Store): Promise<{ bundle: Bundle; archive: string }> {
  const { config } = await stockBundle()
  const own = {
    ...config,
    name: 'Fern & Field',
    meta: { ...config.meta, composed_image: SCREENSHOT },
    settings: { ...config.settings, headline: 'Things for the house, made to last' },
  }
  const picture = await draw('vase', [111, 125, 79], [181, 83, 47])
  const screenshot = { path: `meta/${SCREENSHOT}`, open: async () => Buffer.from(picture) }
  const draft = await files.draft(store, pack([...(await stockFiles(own)), screenshot]), 'zip')
  await draft.keep()
  return { bundle: await files.lend(store, draft.name, (path) => readBundle(path)), archive: draft.name }
}
