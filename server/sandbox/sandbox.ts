import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'typebox'
import { Value } from 'typebox/value'
import type { Examine } from '../doors/console/server-routes.ts'
import type { DemoStore } from '../doors/operator/demo-store.ts'
import { People } from '../doors/people/people.ts'
import { addressRulesOf, type Config, publicUrlOf } from '../process/config.ts'
import { type Installation, PATIENCE } from '../process/installation.ts'
import { freePort, type RunningServer, start } from '../process/main.ts'
import { authorityOf } from '../shop/channels/sites/addresses.ts'
import { readSecrets, recordPath, type SandboxRecord, STORE_HASH, writeRecord } from './demo/record.ts'
import { Authority } from './https/authority.ts'
import { demoShop } from './https/demo-shop.ts'
import { httpsPortFor, listenForHttps } from './https/https-port.ts'
import { withPowers } from './powers.ts'
import { paintAhead } from './samples/figures.ts'
import { startTestCarrier } from './services/test-carrier.ts'
import { startTestTax } from './services/test-tax.ts'
import { binOf, type Examples, printed, welcomeOf } from './welcome.ts'

/**
 * The server with a demo store to try things on. Prints where everything is, and writes it to `sandbox.json` in the data
 * folder.
 * @throws Error with a sentence for the operator
 */
export async function sandbox(config: Config, examine?: Examine): Promise<RunningServer> {
  const http = config.port || (await freePort(config.host))
  const https = await httpsPortFor(config.httpsPort, config.port, config.host)
  const exempt = withPowers(config, { http, https })
  const { domain } = addressRulesOf(exempt, publicUrlOf(exempt, http))
  const shopHost = authorityOf(domain, https)
  // Shops accept pictures at an https address only.
  const powerful = { ...exempt, cdnHost: config.cdnHost ?? shopHost }
  // Log lines of a successful start would stand between the reader and the printed text.
  const logLevel = config.logLevel === 'silent' ? 'silent' : 'error'
  let demo: DemoStore | undefined
  const path = recordPath(config.dataFolder)
  // At the first start this process waits a second for its database. Meanwhile it paints, and loads what makes the store.
  const painting = existsSync(path) ? undefined : paintAhead()
  const [
    server,
    carrier,
    tax,
    { clientsOf, fillDemoStore, openDemoStore, openOperatorKey },
    { demoBuyers },
    { openTestServices },
  ] = await Promise.all([
    start(
      { ...powerful, logLevel },
      { inspector: true, findDemoStore: () => demo, patience: PATIENCE, ...(examine ? { examine } : {}) },
    ),
    startTestCarrier(),
    startTestTax(),
    import('./demo/demo.ts'),
    import('./demo/companies/companies.ts'),
    import('./demo/demo-services.ts'),
  ])
  let closeHttps = () => {}
  const stop = async () => {
    closeHttps()
    await Promise.all([server.stop(), carrier.close(), tax.close()])
  }
  const running = { ...server, stop }
  try {
    // After the start, which refuses a second server of one folder.
    const { clock } = running.installation
    const authority = await Authority.open(join(config.dataFolder, 'https'), domain, clock.now())
    closeHttps = await listenForHttps({
      authority,
      domain,
      clock,
      host: config.host,
      port: https,
      connectionsMax: powerful.connectionsMax,
      connect: running.connect,
    })
    await painting
    const last = await readSecrets(path)
    const tokens = await openDemoStore(running.installation, last.tokens)
    const addresses = { carrier: carrier.url, tax: tax.url }
    await openTestServices(running.installation, addresses, powerful.webhookOrigins)
    const lastBrand = await fillDemoStore(running.installation, running.files, tokens)
    const base = running.address
    const hosts = { domain, host: shopHost, picturesHost: powerful.cdnHost, trustedFile: authority.path }
    const shop = await demoShop(running.installation, STORE_HASH, hosts)
    const record: SandboxRecord = {
      base_url: base,
      storefront_url: `${base}/storefront/${STORE_HASH}`,
      b2b_url: `${base}/b2b`,
      console_url: await consoleLink(running.installation, base),
      store_hash: STORE_HASH,
      tokens,
      operator_key: await openOperatorKey(running.installation, last.operator_key),
      storefront_token: await storefrontToken(base, tokens.admin, [new URL(base).origin, 'http://localhost:3000']),
      shop: { domain: shopHost, trusted_file: authority.path },
      b2b_user: demoBuyers(running.installation.secrets).admin,
      b2b_users: demoBuyers(running.installation.secrets),
      b2b_client_id: running.installation.secrets.companionApplication.clientId,
      clients: await clientsOf(running.installation, tokens),
    }
    await writeRecord(path, record)
    const welcome = welcomeOf(record, path, { ...(await examplesFor(record, lastBrand)), shop })
    const { email, password } = record.b2b_user
    demo = {
      store_hash: STORE_HASH,
      token: tokens.admin,
      storefront_token: await storefrontToken(base, tokens.admin, ownOrigins(base)),
      buyer: { email, password },
      welcome,
    }
    console.log(printed(welcome))
    running.log.level = config.logLevel
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** The e-mail address of the person who runs the sandbox. */
const OWNER = 'owner@localhost'

/** A link to the console, which works once and only on this machine. Browsers accept passkeys and cookies at this name. */
async function consoleLink({ directory, secrets, clock, ids }: Installation, base: string): Promise<string> {
  const people = new People({ database: directory.database, secrets, clock, ids })
  const { token } = await people.invite({ email: OWNER, role: 'owner', isLocal: true })
  return `http://localhost:${new URL(base).port}/console/invitation#${token}`
}

const NewToken = t.Object({ token: t.String() })

/** A storefront token, made as every client makes one. @param origins at most two */
async function storefrontToken(base: string, adminToken: string, origins: readonly string[]): Promise<string> {
  const answer = await fetch(`${base}/stores/${STORE_HASH}/v3/storefront/api-token`, {
    method: 'POST',
    headers: { 'X-Auth-Token': adminToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      channel_id: 1,
      expires_at: 0,
      allowed_cors_origins: origins,
    }),
  })
  const made: unknown = answer.ok ? await answer.json() : undefined
  return Value.Check(NewToken, made) ? made.token : ''
}

/** The addresses at which a browser on this machine opens the server. */
function ownOrigins(base: string): string[] {
  const { origin, port } = new URL(base)
  return [...new Set([origin, `http://localhost:${port}`])]
}

const IdList = t.Object({ data: t.Array(t.Object({ id: t.Integer() })) })

async function examplesFor(record: SandboxRecord, lastBrand: number): Promise<Omit<Examples, 'shop'>> {
  const find = async (path: string) => {
    const answer = await fetch(`${record.base_url}/stores/${record.store_hash}/v3${path}`, {
      headers: { 'X-Auth-Token': record.tokens.admin },
    })
    // The store answers 503 if its operator has closed it.
    const found: unknown = answer.ok ? await answer.json() : undefined
    return Value.Check(IdList, found) ? found.data : []
  }
  const [lastCategory] = await find('/catalog/categories?direction=desc&limit=1')
  return {
    brand: `My brand ${lastBrand + 1}`,
    category: `My category ${(lastCategory?.id ?? 0) + 1}`,
    isHooked: (await find(`/hooks?destination=${encodeURIComponent(binOf(record))}`)).length > 0,
  }
}
