import type { Files } from '../../core/files/files.ts'
import type { DeleteOfChannel } from '../channels/deletion.ts'
import { deleteSettingsOf } from './families/family.ts'
import { detachLogos } from './logo.ts'
import { deleteContextsOf } from './search/search-filters.ts'

/** When a channel ends: its own settings and their pictures are deleted without events (docs/contract/settings.md section 1). */
export const deleteChannelSettings =
  (files: Files): DeleteOfChannel =>
  (db, channel) =>
    db.transaction(async (tx) => {
      await detachLogos(tx, files, channel)
      await deleteSettingsOf(tx, channel)
      await deleteContextsOf(tx, channel)
    })
