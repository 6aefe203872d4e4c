import t from 'typebox'
import { Value } from 'typebox/value'
import type { Config } from '../config.ts'
import { VERSION } from '../core/version.ts'
import { freePort, type Running, start } from '../main.ts'
import { openDemoStore, STORE_HASH } from './demo.ts'
import { withPowers } from './powers.ts'
import { RecordFiles, type SandboxRecord } from './record.ts'

/**
 * The server with a demo store to try things on. Prints where everything is, and writes it to `sandbox.json` in the data
 * folder.
 * @throws Error with a sentence for the operator
 */
export async function sandbox(config: Config): Promise<Running> {
  const powerful = withPowers(config, config.port || (await freePort(config.host)))
  const running = await start(powerful, { inspector: true })
  try {
    const files = new RecordFiles(config.dataFolder)
    const tokens = await openDemoStore(running.installation, files, powerful)
    const base = running.address
    const record: SandboxRecord = {
      base_url: base,
      storefront_url: `${base}/storefront/${STORE_HASH}`,
      b2b_url: `${base}/b2b`,
      console_url: `${base}/console`,
      store_hash: STORE_HASH,
      tokens,
    }
    await files.finish(record)
    console.log(welcome(record, files.path, await freeName(record)))
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

const Found = t.Object({ data: t.Array(t.Object({ id: t.Integer() })) })

/** A name for the brand of the second example that is not taken, also at the next start: with the id it may get. */
async function freeName({ base_url, store_hash, tokens }: SandboxRecord): Promise<string> {
  const answer = await fetch(`${base_url}/stores/${store_hash}/v3/catalog/brands?direction=desc&limit=1`, {
    headers: { 'X-Auth-Token': tokens.admin },
  })
  // A store that its operator has closed answers 503, and is closed until he opens it.
  if (!answer.ok) return 'My brand'
  const found: unknown = await answer.json()
  const [last] = Value.Check(Found, found) ? found.data : []
  return `My brand ${(last?.id ?? 0) + 1}`
}

/** What a new user sees. Only what is there already: the other addresses of the record are for what comes later. */
function welcome({ base_url, store_hash, tokens }: SandboxRecord, path: string, name: string): string {
  const api = `${base_url}/stores/${store_hash}/v3`
  const header = `-H 'X-Auth-Token: ${tokens.admin}'`
  return `
storeward ${VERSION} is running, with a demo store to try things on. Stop it with Ctrl-C.

  API           ${api}
  Reference     ${base_url}/docs
  Tokens        ${tokens.admin}  admin: every scope
                ${tokens.otherclient}  otherclient: every scope, as another client
                ${tokens.readonly}  readonly: reads only
                ${tokens.noscope}  noscope: no scope
  All of this   ${path}

List brands, create one, read what other programs noted about them:

curl -s '${api}/catalog/brands?name:like=lamps&limit=3' ${header}
curl -s '${api}/catalog/brands' ${header} -H 'Content-Type: application/json' -d '{"name":"${name}"}'
curl -s '${api}/catalog/brands/metafields?namespace=reviews&limit=3' ${header}
`
}
