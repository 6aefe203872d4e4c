/**
 * The tables that copies of a store have (docs/decisions/121-copies-of-stores.md). A table is copied unless it is listed here, each with
 * the reason. A fork is a test store of its own; a snapshot serves no requests; a restored store replaces its former self.
 */

/** Tables whose rows belong to the moment or to the original: no copy has them. */
export const NEVER_COPIED: Readonly<Record<string, string>> = {
  attempts: 'attempts of callbacks that the original sent',
  b2b_backend_tokens: 'sessions of staff',
  b2b_request_windows: 'counts of requests',
  b2b_slow_windows: 'counts of requests',
  b2b_storefront_tokens: 'sessions of buyers',
  cart_redirect_tokens: 'links to carts of the original',
  checkout_tokens: 'links to checkouts of the original',
  customer_sessions: 'sessions of shoppers',
  deliveries: 'callbacks that the original sends',
  due_hooks: 'callbacks that the original sends',
  event_streams: 'a copy numbers its own events',
  events: 'changes of the original',
  host_blocks: 'receivers of the original',
  idempotent_answers: 'answers to clients of the original',
  job_lanes: 'work of the original',
  job_queues: 'work of the original',
  jobs: 'work of the original',
  lanes: 'callbacks that the original sends',
  mails: 'e-mails of the original',
  owed_emails: 'e-mails of the original',
  parked_deliveries: 'callbacks of the original',
  password_guesses: 'counts of requests',
  password_resets: 'links of the original',
  payment_rates: 'counts of requests',
  payment_tokens: 'sessions of payments',
  redirect_jobs: 'work of the original',
  spent_login_tokens: 'logins of the original',
  store_profiles: 'the directory gives each store its own',
  theme_jobs: 'work of the original',
}

/** Tables with the identity of a store. A fork has its own or none, and a restored store those of its former self. */
export const IDENTITY: Readonly<Record<string, string>> = {
  api_accounts: 'accounts: their tokens open one store',
  hook_admins: 'addresses of the owners of accounts',
  payment_providers: 'credentials of gateways',
  revoked_storefront_tokens: 'tokens of the keys of the original',
  site_hosts: 'a host leads to one store',
  storefront_keys: 'keys that sign tokens of one store',
}

/** Tables with credentials of services. Only forks of test stores have them, so no fork calls a service for a real store. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
  carrier_connections: 'credentials of carriers',
  carriers: 'secrets shared with carriers',
  payment_vault: 'cards at gateways',
  site_certificates: 'private keys',
  tax_documents: 'documents at tax providers',
  tax_providers: 'credentials of tax providers',
}

/** The purpose of a copy. `identity` copies the identity of the former self to a restored store. */
export type CopyPurpose = 'fork' | 'test fork' | 'snapshot' | 'restore' | 'identity'

/** Hooks are data for forks, which switch them off, and identity for restored stores. Snapshots have none. */
const HOOKS = 'hooks'

export function isCopied(table: string, purpose: CopyPurpose): boolean {
  if (table in NEVER_COPIED || table.startsWith('directory.')) return false
  if (purpose === 'identity') return table in IDENTITY || table === HOOKS
  if (table in IDENTITY) return false
  if (table === HOOKS) return purpose === 'fork' || purpose === 'test fork'
  return purpose !== 'fork' || !(table in CREDENTIALS)
}

/** Columns with paths of pictures, which begin with the hash of the store. */
export const PICTURE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  brands: ['image_url'],
  categories: ['image_url'],
  modifier_values: ['adjusters'],
  product_images: ['image_url', 'url_zoom', 'url_standard', 'url_thumbnail', 'url_tiny'],
  settings: ['value'],
  variants: ['image_url'],
}

/** Columns with n-grams, whose hashes include the number of the store. Copies have null until a job computes them. */
export const NGRAM_COLUMNS: Readonly<Record<string, string>> = {
  b2b_texts: 'ngrams',
  customer_names: 'ngrams',
  product_names: 'ngrams',
}

/** Columns of forks that differ from their source, with their values in SQL. */
export const FORKED_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hooks: { is_active: 'false', status: `'inactive'`, reason: `''`, failing_since: 'null' },
  // The hosts belong to the original. A fork is found at its default address.
  sites: { url: `''`, checkout_url: `''`, ssl_status: `'shared'` },
}
