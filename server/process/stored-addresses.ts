import type { Logger } from 'pino'
import { catalogPictures } from '../goods/catalog/pictures.ts'
import { convertToPaths } from '../shared/pictures/addresses.ts'
import { settingsPictures } from '../shop/settings/logo.ts'
import { type StoreFiles, storesWithFiles } from '../stores/directory/files-of-stores.ts'

const allPictures = { ...settingsPictures, ...catalogPictures }

/**
 * Converts picture addresses of earlier versions to paths. Runs beside the first requests, because a store may have very many
 * pictures.
 */
export async function convertStoredAddresses(storeFiles: StoreFiles, log: Logger, signal: AbortSignal) {
  try {
    let changed = 0
    for await (const db of storesWithFiles(storeFiles, signal)) changed += await convertToPaths(db, allPictures, signal)
    if (changed > 0) log.info({ changed }, 'addresses of stored pictures were converted to paths')
  } catch (error) {
    log.error({ err: error }, 'addresses of stored pictures could not be converted')
  }
}
