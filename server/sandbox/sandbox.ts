import type { Config } from '../config.ts'
import { VERSION } from '../core/version.ts'
import { type Running, start } from '../main.ts'
import { fillDemoStore, openDemoStore, STORE_HASH } from './demo.ts'
import { withPowers } from './powers.ts'
import { readTokens, recordPath, type SandboxRecord, writeRecord } from './record.ts'

/**
 * The server with a demo store to try things on. Prints where everything is, and writes it to `sandbox.json` in the data
 * folder.
 * @throws Error with a sentence for the operator
 */
export async function sandbox(config: Config): Promise<Running> {
  const running = await start(withPowers(config))
  try {
    const path = recordPath(config.dataFolder)
    const tokens = await openDemoStore(running.installation, await readTokens(path))
    const lastBrand = await fillDemoStore(running.installation, tokens)
    const base = running.address
    const record: SandboxRecord = {
      base_url: base,
      storefront_url: `${base}/storefront/${STORE_HASH}`,
      b2b_url: `${base}/b2b`,
      console_url: `${base}/console`,
      store_hash: STORE_HASH,
      tokens,
    }
    await writeRecord(path, record)
    // A name that is not taken, also at the next start.
    console.log(welcome(record, path, `My brand ${lastBrand + 1}`))
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** What a new user sees. Only what is there already: the other addresses of the record are for what comes later. */
export function welcome({ base_url, store_hash, tokens }: SandboxRecord, path: string, name: string): string {
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
