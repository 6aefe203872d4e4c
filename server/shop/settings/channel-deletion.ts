import type { Files } from '../../core/files/files.ts'
import type { Forget } from '../channels/deletion.ts'
import { deleteSettingsOf } from './families/family.ts'
import { takePicturesOf } from './logo.ts'
import { deleteContextsOf } from './search/search-filters.ts'

/** When a channel ends: its own settings go with their pictures, and nothing is told (docs/contract/settings.md section 1). */
export const forgetSettingsOf =
  (files: Files): Forget =>
  (db, channel) =>
    db.transaction(async (tx) => {
      await takePicturesOf(tx, files, channel)
      await deleteSettingsOf(tx, channel)
      await deleteContextsOf(tx, channel)
    })
