import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, type SecureContext } from 'node:tls'
import type { Clock } from '../../core/clock.ts'
import { freePort } from '../../process/main.ts'
import type { Authority } from './authority.ts'

const HANDSHAKE_MS = 10_000
/** Names whose certificates stay in memory. */
const NAMES_MAX = 100

interface HttpsPort {
  authority: Authority
  clock: Clock
  /** The domain of the default addresses of sites. */
  domain: string
  host: string
  port: number
  connectionsMax: number
  /** Serves a connection whose handshake is done. */
  connect(socket: Socket): void
}

/**
 * Listens for https beside the port of http. Public shops connect to `https://store-<hash>-<channel>.<domain>` only. Each name gets its certificate
 * with the first connection that asks for it: clients don't accept a wildcard directly below `localhost`.
 * @returns a function that closes the port
 * @throws Error with a sentence for the operator
 */
export async function listenForHttps(parts: HttpsPort): Promise<() => void> {
  const { host, port, authority, domain } = parts
  const contexts = new Map<string, Promise<SecureContext>>()
  const makeContext = async (hosts: readonly string[]) => {
    const { key, certificate } = await authority.issue(hosts, parts.clock.now())
    return { key, cert: certificate }
  }
  const contextFor = (name: string): Promise<SecureContext> => {
    const found = contexts.get(name)
    if (found) return found
    const context = makeContext([name]).then(createSecureContext)
    const [oldest] = contexts.keys()
    if (contexts.size >= NAMES_MAX && oldest !== undefined) contexts.delete(oldest)
    contexts.set(name, context)
    return context
  }
  const server = createTlsServer(
    {
      // For clients that name no host, since they know its address only.
      ...(await makeContext([...new Set(['localhost', domain, '127.0.0.1', '::1'])])),
      handshakeTimeout: HANDSHAKE_MS,
      SNICallback(name, done) {
        if (!authority.covers(name)) return done(null)
        contextFor(name).then((context) => done(null, context), done)
      },
    },
    parts.connect,
  )
  server.maxConnections = parts.connectionsMax
  // A client that doesn't trust the certificate ends the handshake.
  server.on('tlsClientError', () => {})
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new Error(`Port ${port} of ${host} is taken. Set HTTPS_PORT to another one, or to 0.`)
    throw error
  })
  return () => void server.close()
}

/**
 * The port for https: the configured one, or the one after the port of http, or a free one if that is taken.
 * @param httpPort 0 if that port is free to choose, too
 */
export async function httpsPortFor(configured: number | undefined, httpPort: number, host: string): Promise<number> {
  if (configured) return configured
  const isChosen = configured === undefined && httpPort > 0 && (await isFree(httpPort + 1, host))
  return isChosen ? httpPort + 1 : freePort(host)
}

async function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
