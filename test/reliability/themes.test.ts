import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { form } from '../../server/test/fixtures/shop.ts'
import { themeBundle } from '../../server/test/fixtures/themes.ts'
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

const ROUNDS = sized(10, 1)

/** Uploads a theme. Rejects when the connection breaks before it is answered. */
async function upload({ url }: ServerProcess, shop: Shop): Promise<string> {
  const { payload, headers } = form('file', 'theme.zip', await themeBundle())
  const answer = await fetch(`${url}/stores/${shop.hash}/v3/themes`, {
    method: 'POST',
    headers: { ...headers, 'x-auth-token': shop.token },
    body: new Uint8Array(payload),
  })
  const body: unknown = await answer.json()
  if (answer.status !== 201) throw new Error(`The upload is answered with ${answer.status}.`)
  return typeof body === 'object' && body !== null && 'job_id' in body ? String(body.job_id) : ''
}

test('C-007: after kill -9 during an upload its job ends, and no half theme and no temporary file is left', {
  timeout: 90_000 * ROUNDS,
}, async () => {
  const { folder, shop } = await newFolder()
  const fates = { completed: 0, failed: 0, 'never answered': 0 }
  let server = await startServer(folder)
  for (let round = 0; round < ROUNDS; round++) {
    const uploading = upload(server, shop).catch(() => undefined)
    // In every other round its job has begun or is about to.
    if (round % 2 === 0) await uploading
    await sleep(Math.random() * (round % 2 === 0 ? 100 : 400))
    process.kill(server.pid, 'SIGKILL')
    await server.ended
    const job = await uploading
    server = await startServer(folder)
    const stored = await readdir(join(folder, 'files', shop.hash)).catch(() => [])
    expect(stored.filter((name) => name.endsWith('.part'))).toEqual([])
    // A killed worker keeps the lease of the job for a minute and a half.
    await asAdministrator(folder, async (client) => {
      await client.query(`update job_lanes set due_at = now(), is_new = true where task = 'upload_theme'`)
    })
    const call = clientOf(server, shop)
    const open = async () => {
      const { rows } = await asAdministrator(folder, (client) =>
        client.query(`select id from theme_jobs where status in ('QUEUED', 'WORKING')`),
      )
      return rows.length
    }
    await until('the job has ended', async () => (await open()) === 0, 60_000)
    const themes = (await call('GET', '/themes')).body.data.filter(
      ({ is_private }: { is_private: boolean }) => is_private,
    )
    if (job === undefined) fates['never answered']++
    else {
      const { data } = (await call('GET', `/themes/jobs/${job}`)).body
      expect(['COMPLETED', 'FAILED']).toContain(data.status)
      fates[data.status === 'COMPLETED' ? 'completed' : 'failed']++
      if (data.status === 'COMPLETED')
        expect(themes.map(({ uuid }: { uuid: string }) => uuid)).toContain(data.result.theme_id)
    }
    for (const { uuid, variations } of themes) {
      expect(variations).toHaveLength(2)
      const path = `/themes/${uuid}/configurations?variation_uuid=${variations[0].uuid}`
      expect((await call('GET', path)).body.data).toHaveLength(1)
      expect((await call('DELETE', `/themes/${uuid}`)).status).toBe(204)
    }
  }
  figure('C-007', `${ROUNDS} kills: ${JSON.stringify(fates)}`)
})
