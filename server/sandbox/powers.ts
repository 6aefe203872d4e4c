import { SECRET_MIN } from '../core/secrets/secrets.ts'
import type { Config } from '../process/config.ts'

// A placeholder such as "xxxxxxxx..." has fewer different characters than any random secret of this length.
const SECRET_VARIETY_MIN = 8

interface Ports {
  /** The port that the server listens on. */
  http: number
  /** The port for shops, which connect by https only. */
  https: number
}

/**
 * The settings with the exceptions of the sandbox: test suites probe every route with wrong tokens, from one address,
 * and webhooks may go to any receiver on this machine, also without https (docs/contract/webhooks.md section 7).
 * Retries come at the second that the contract names.
 */
export const withPowers = (config: Config, { http: port, https }: Ports): Config => ({
  ...config,
  httpsPort: https,
  role: 'all',
  port,
  // One name for the server in all that it says of itself.
  publicUrl: config.publicUrl ?? (config.host === '127.0.0.1' ? `http://127.0.0.1:${port}` : undefined),
  failedLoginsMax: 0,
  testStores: true,
  requestLog: config.requestLog === 'off' ? 'off' : 'bodies',
  outgoingSubnets: [...config.outgoingSubnets, '127.0.0.0/8', '::1/128'],
  webhookOrigins: [
    ...config.webhookOrigins,
    ...['127.0.0.1', '[::1]', 'localhost'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
  ],
  webhookJitter: 0,
  // It is the only process: no balancer has another one to send requests to.
  drainSeconds: 0,
})

/**
 * `storeward serve` is production, and starts with none of the sandbox's powers.
 * @throws Error that says which settings are in the way
 */
export function refusePowers({ failedLoginsMax, secret }: Config) {
  const reasons = [
    ...(failedLoginsMax === 0
      ? ['FAILED_LOGINS_MAX=0 lets tokens be guessed without end, which only the sandbox may. Set 1 or more.']
      : []),
    ...(secret !== undefined && secret.length >= SECRET_MIN && new Set(secret).size < SECRET_VARIETY_MIN
      ? ['SECRET looks like a placeholder. Set one that was made at random.']
      : []),
  ]
  if (reasons.length > 0) throw new Error(reasons.join('\n'))
}
