import type { Db } from '../core/db/database.ts'
import { storeName } from '../stores/profile.ts'
import type { Surroundings } from './contexts.ts'

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

interface Message {
  locale: string
  /** Address of the server as people see it. */
  publicUrl: string
  now: Date
}

/** What a message can say of the shop that it comes from. */
export async function surroundingsOf(db: Db, { locale, publicUrl, now }: Message): Promise<Surroundings> {
  const name = await storeName(db)
  const path = `${publicUrl}/storefront/${db.store.hash}/`
  const [language = 'en'] = locale.toLowerCase().split('-')
  return {
    store: {
      name,
      domain_name: new URL(publicUrl).host,
      logo: { title: name, name, url: '' },
      ssl_path: path,
      cdn_path: path,
      image_directory: 'images',
      img_path: `${path}images/`,
      path_normal: path,
      path,
      address: '',
      language: { code: locale, direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr' },
    },
    misc: { year: now.getUTCFullYear() },
  }
}
