import t from 'typebox'
import { Value } from 'typebox/value'
import type { Config } from '../config.ts'
import { VERSION } from '../core/version.ts'
import { freePort, type RunningServer, start } from '../main.ts'
import type { DemoStore } from '../operator/reference.ts'
import { clientsOf, fillDemoStore, openDemoStore, STORE_HASH } from './demo.ts'
import { demoBuyer } from './demo-companies.ts'
import { withPowers } from './powers.ts'
import { readTokens, recordPath, type SandboxRecord, writeRecord } from './record.ts'

/**
 * The server with a demo store to try things on. Prints where everything is, and writes it to `sandbox.json` in the data
 * folder.
 * @throws Error with a sentence for the operator
 */
export async function sandbox(config: Config): Promise<RunningServer> {
  const powerful = withPowers(config, config.port || (await freePort(config.host)))
  // What is logged of a start that goes well would stand between the reader and what is printed for him.
  const logLevel = config.logLevel === 'silent' ? 'silent' : 'error'
  let demo: DemoStore | undefined
  const running = await start({ ...powerful, logLevel }, { inspector: true, findDemoStore: () => demo })
  try {
    const path = recordPath(config.dataFolder)
    const tokens = await openDemoStore(running.installation, await readTokens(path))
    const lastBrand = await fillDemoStore(running.installation, running.files, tokens)
    const base = running.address
    const record: SandboxRecord = {
      base_url: base,
      storefront_url: `${base}/storefront/${STORE_HASH}`,
      b2b_url: `${base}/b2b`,
      console_url: `${base}/console`,
      store_hash: STORE_HASH,
      tokens,
      storefront_token: await storefrontToken(base, tokens.admin),
      b2b_user: demoBuyer(running.installation.secrets),
      b2b_client_id: running.installation.secrets.companionApplication.clientId,
      clients: await clientsOf(running.installation, tokens),
    }
    await writeRecord(path, record)
    demo = { store_hash: STORE_HASH, token: tokens.admin }
    console.log(welcome(record, path, await examplesFor(record, lastBrand)))
    running.log.level = config.logLevel
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

const NewToken = t.Object({ token: t.String() })

/** A storefront token, made as every client makes one. */
async function storefrontToken(base: string, adminToken: string): Promise<string> {
  const answer = await fetch(`${base}/stores/${STORE_HASH}/v3/storefront/api-token`, {
    method: 'POST',
    headers: { 'X-Auth-Token': adminToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      channel_id: 1,
      expires_at: 0,
      allowed_cors_origins: [new URL(base).origin, 'http://localhost:3000'],
    }),
  })
  const made: unknown = answer.ok ? await answer.json() : undefined
  return Value.Check(NewToken, made) ? made.token : ''
}

const IdList = t.Object({ data: t.Array(t.Object({ id: t.Integer() })) })

/** What the printed examples depend on, so that they work at every start. */
interface Examples {
  /** Names that are not taken. */
  brand: string
  category: string
  /** Whether there is a webhook to the inspector from an earlier start. */
  isHooked: boolean
}

async function examplesFor(record: SandboxRecord, lastBrand: number): Promise<Examples> {
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

const binOf = ({ base_url }: SandboxRecord) => `${base_url}/inspect/demo`

/** What a new user sees. Addresses of the record that nothing answers yet are left out. */
export function welcome(record: SandboxRecord, path: string, { brand, category, isHooked }: Examples): string {
  const { base_url, store_hash, tokens, storefront_url, storefront_token, b2b_url, b2b_user } = record
  const api = `${base_url}/stores/${store_hash}/v3`
  const header = `-H 'X-Auth-Token: ${tokens.admin}'`
  const post = `${header} -H 'Content-Type: application/json'`
  const search = {
    search_area: { coordinates: { latitude: 55.68, longitude: 12.58 }, radius: { value: 50, unit: 'KM' } },
    items: [{ variant_id: 3, quantity: 1 }],
  }
  const paid = {
    billing_address: { zip: '1051' },
    products: [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 25 }],
    status_id: 11,
    payment_method: 'Test Payment Gateway',
    payment_status: 'captured',
  }
  const buyer = { storeHash: store_hash, email: b2b_user.email, password: b2b_user.password }
  const hook = JSON.stringify({ scope: 'store/category/*', destination: binOf(record) })
  return `
storeward ${VERSION} is running, with a demo store to try things on. Stop it with Ctrl-C.

  API           ${api}
  Reference     ${base_url}/docs
  Inspector     ${binOf(record)}  shows the webhooks that are sent there
  Mailbox       ${base_url}/mailbox/${store_hash}  shows the mails of the store, /emails/${store_hash} its templates
  Themes        ${base_url}/themes/${store_hash}  shows the themes of the store
  Tokens        ${tokens.admin}  admin: every scope
                ${tokens.otherclient}  otherclient: every scope, as another client
                ${tokens.readonly}  readonly: reads only
                ${tokens.noscope}  noscope: no scope
  All of this   ${path}

List products with what hangs on them, list brands, create one, read what other programs noted about them, find where in and around
Copenhagen the third variant can be collected, make an order that the test gateway has taken the money for:

curl -s '${api}/catalog/products?name:like=lamp&limit=3&include=images,variants' ${header}
curl -s '${api}/catalog/brands?name:like=lamps&limit=3' ${header}
curl -s '${api}/catalog/brands' ${post} -d '{"name":"${brand}"}'
curl -s '${api}/catalog/brands/metafields?namespace=reviews&limit=3' ${header}
curl -s '${api}/pickup/options' ${post} -d '${JSON.stringify(search)}'
curl -s '${base_url}/stores/${store_hash}/v2/orders' ${post} -d '${JSON.stringify(paid)}'

Ask the storefront, as its pages do, with the storefront_token of the file above:

curl -s '${storefront_url}/graphql' -H 'Authorization: Bearer ${storefront_token}' -H 'Content-Type: application/json' -d '{"query":"{ site { settings { storeName status url { vanityUrl } } } }"}'

Sign in as the admin of a company, the b2b_user of the file above, and list companies:

curl -s '${b2b_url}/api/io/auth/customers' -H 'Content-Type: application/json' -d '${JSON.stringify(buyer)}'
curl -s '${b2b_url}/api/v3/io/companies?limit=2' ${header} -H 'X-Store-Hash: ${store_hash}'

See a webhook arrive: open the inspector, then

${
  isHooked
    ? ''
    : `curl -s '${api}/hooks' ${post} -d '${hook}'
`
}curl -s '${api}/catalog/categories' ${post} -d '{"name":"${category}","parent_id":0}'
`
}
