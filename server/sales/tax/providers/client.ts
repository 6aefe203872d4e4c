import type { ServiceClient, ServiceOutcome } from '../../../core/net/service-client.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { PROFILE, type ProviderCall, type TaxProvider } from './providers.ts'

/** Time of a call that a job makes. An estimate has the time of its provider. */
const JOB_MS = 10_000

/** A call to a tax provider. */
export interface CallOfProvider {
  call: ProviderCall
  /** The hash of the store. */
  store: string
  document: unknown
  /** The id from an earlier answer, for `adjust` and `void`. */
  id?: string
}

/**
 * Calls a tax provider with the login of the store. Never call it in a transaction.
 * @param provider configured (`isConfigured`)
 */
export function callTaxProvider(
  client: Pick<ServiceClient, 'post'>,
  provider: TaxProvider,
  { call, store, document, id }: CallOfProvider,
  secrets: Pick<Secrets, 'unseal'>,
): Promise<ServiceOutcome> {
  const { urls, username, password, profile, estimate_ms, secret } = provider
  const address = urls[call].replaceAll(PROFILE, encodeURIComponent(profile ?? ''))
  const login = `${username ?? ''}:${password ? secrets.unseal(password) : ''}`
  return client.post({
    kind: call === 'estimate' ? 'tax_estimate' : 'tax_document',
    url: id === undefined ? address : `${address}?id=${encodeURIComponent(id)}`,
    headers: {
      authorization: `Basic ${Buffer.from(login).toString('base64')}`,
      // Providers in the field read the second name.
      'x-svc-store-hash': store,
      'x-bc-store-hash': store,
    },
    body: document,
    secret: secret === '' ? undefined : secrets.unseal(secret),
    totalMs: call === 'estimate' ? estimate_ms : JOB_MS,
  })
}
