import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { form } from '../../server/test/fixtures/shop.ts'
import {
  asAdministrator,
  clientOf,
  figure,
  newFolder,
  type ServerProcess,
  type Shop,
  sized,
  startServer,
  until,
} from './rig.ts'

const IMPORTS = sized(5, 1)
/** A job that is begun a fourth time counts as the cause of the crashes, and fails. */
const KILLS = 2
const ROWS = sized(50_000, 8_000)

/** Imports redirects from paths below `/old/round/`. @returns the id of the job */
async function importRedirects({ url }: ServerProcess, shop: Shop, host: string, round: number): Promise<string> {
  const lines = Array.from({ length: ROWS }, (_, i) => `${host},/old/${round}/${i},/new/${round}/${i},,`)
  const text = ['Domain,Old Path,Manual URL/Path,Dynamic Target Type,Dynamic Target ID', ...lines].join('\n')
  const { payload, headers } = form('import_file', 'redirects.csv', Buffer.from(text))
  const answer = await fetch(`${url}/stores/${shop.hash}/v3/storefront/redirects/imex/import`, {
    method: 'POST',
    headers: { ...headers, 'x-auth-token': shop.token },
    body: new Uint8Array(payload),
  })
  expect(answer.status).toBe(201)
  const body: unknown = await answer.json()
  return typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
}

test('C-007: after kill -9 during an import it goes on, and each row is stored and published once', {
  timeout: 60_000 + 300_000 * IMPORTS,
}, async () => {
  const { folder, shop } = await newFolder()
  let server = await startServer(folder)
  const site = (await clientOf(server, shop)('GET', '/channels/1/site')).body.data
  const count = (text: string) =>
    asAdministrator(folder, async (client) => Number((await client.query(text)).rows[0].count))
  // A killed worker keeps the lease of its job for a minute and a half.
  const endLease = () =>
    asAdministrator(folder, (client) =>
      client.query(`update job_lanes set due_at = now(), is_new = true where task = 'import_redirects'`),
    )
  for (let round = 1; round <= IMPORTS; round++) {
    const job = await importRedirects(server, shop, new URL(site.url).host, round)
    /** The rows of the file that are done, with its header. */
    const rowsDone = () => count(`select rows_done as count from redirect_jobs where id = '${job}'`)
    const seen: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const before = seen.at(-1) ?? 0
      await until('the import goes on', async () => (await rowsDone()) > before, 60_000)
      await sleep(Math.random() * 100)
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      server = await startServer(folder)
      seen.push(await rowsDone())
      await endLease()
    }
    const open = `select count(*) from redirect_jobs where id = '${job}' and status <> 'complete'`
    await until('the import has ended', async () => (await count(open)) === 0, 240_000)

    expect(await rowsDone()).toBe(ROWS + 1)
    const rows = `redirects where from_path like '/old/${round}/%' and url = replace(from_path, 'old', 'new')`
    expect(await count(`select count(*) from ${rows}`)).toBe(ROWS)
    expect(await count(`select count(distinct from_path) from ${rows}`)).toBe(ROWS)
    const events = `events where scope = 'store/redirects/updated'`
    expect(await count(`select count(*) from ${events}`)).toBe(ROWS * round)
    expect(await count(`select count(distinct resource) from ${events}`)).toBe(ROWS * round)
    const list = await clientOf(server, shop)('GET', '/storefront/redirects?limit=1')
    expect(list.body.meta.pagination.total).toBe(ROWS * round)
    figure(
      'C-007',
      `an import of ${ROWS} rows, of which ${seen.join(' and ')} were stored after the kills: each row once`,
    )
  }
})
