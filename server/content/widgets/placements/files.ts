import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

/** The pages that can have widgets (docs/contract/widgets.md section 4). */
const TEMPLATE_FILES = new Set(
  `home product category brand brands page blog blog-post search cart compare contact-us sitemap subscribed unsubscribe
  order-confirmation
  account/add-address account/add-return account/add-wishlist account/addresses account/download-item account/edit
  account/inbox account/orders/all account/orders/completed account/orders/details account/orders/invoice
  account/recent-items account/return-saved account/returns account/wishlist-details account/wishlists
  auth/account-created auth/create-account auth/forgot-password auth/login auth/new-password
  errors/403 errors/404 errors/generic
  gift-certificate/balance gift-certificate/purchase gift-certificate/redeem
  unavailable/hibernation unavailable/maintenance`
    .split(/\s+/)
    .map((name) => `pages/${name}`),
)

const CUSTOM_FILE = /^pages\/custom\/(product|brand|category|page)\/[^/\p{Cc}]{1,200}$/u

const ENTITY_TYPES = ['product', 'brand', 'category', 'page'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** A page, or all pages of a file. */
export interface PageKey {
  template_file: string
  /** Empty for all pages of the file. */
  entity_id: string
}

const isTemplateFile = (file: string): boolean => TEMPLATE_FILES.has(file) || CUSTOM_FILE.test(file)

/** The kind of entity that a page of a file shows; undefined for files without entities. */
function entityTypeOf(file: string): EntityType | undefined {
  const [, custom] = CUSTOM_FILE.exec(file) ?? []
  return ENTITY_TYPES.find((type) => type === custom || file === `pages/${type}`)
}

/** The type that is stored beside an entity; empty without one. */
export const storedEntityType = ({ template_file, entity_id }: PageKey): string =>
  entity_id === '' ? '' : (entityTypeOf(template_file) ?? '')

/** The mistakes in the key of a page. */
export function pageMistakes({ template_file, entity_id }: PageKey): Mistakes {
  if (!isTemplateFile(template_file)) return { template_file: 'template_file must be a page that can have widgets.' }
  if (entity_id === '' || entityTypeOf(template_file)) return {}
  return { entity_id: `${template_file} has no entities.` }
}
