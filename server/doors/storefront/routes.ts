import type { Api } from '../../core/rest/api.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { tokenRoutes } from './tokens/creation.ts'

interface StorefrontParts {
  secrets: Secrets
  /** Prefix of the contract's own headers: `X-Svc`. */
  headerPrefix: string
}

/** What the administration API has of storefronts: the tokens that open them. */
export function storefrontRoutes(api: Api, { secrets, headerPrefix }: StorefrontParts) {
  tokenRoutes(api, { secrets, headerPrefix })
}
