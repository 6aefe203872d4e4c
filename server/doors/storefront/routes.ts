import type { Api } from '../../core/rest/api.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { tokenRoutes } from './tokens/creation.ts'

interface StorefrontParts {
  secrets: Secrets
  /** The prefix of the contract's own headers, such as `X-Svc`. */
  headerPrefix: string
}

/** The routes of the management API for storefronts: their tokens. */
export function storefrontRoutes(api: Api, { secrets, headerPrefix }: StorefrontParts) {
  tokenRoutes(api, { secrets, headerPrefix })
}
