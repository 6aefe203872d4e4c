import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { form } from '../../server/test/fixtures/shop.ts'
import { themeBundle } from '../../server/test/fixtures/themes.ts'
import { clientOf, figure, newFolder, type ServerProcess, type Shop, startServer } from './rig.ts'

/** If the account may mount file systems, there is a disk that can be filled. */
const canMount = await (async () => {
  const place = await mkdtemp(join(tmpdir(), 'storeward-mount-'))
  try {
    mount(place)
    execFileSync('umount', [place])
    return true
  } catch {
    return false
  } finally {
    await rmdir(place)
  }
})()

/** A disk of 1 MiB. */
function mount(place: string) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=755', 'tmpfs', place], { stdio: 'ignore' })
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

async function send({ url }: ServerProcess, { hash, token }: Shop, path: string, [field, bytes]: [string, Buffer]) {
  const { payload, headers } = form(field, 'a.bin', bytes)
  const answer = await fetch(`${url}/stores/${hash}/v3${path}`, {
    method: 'POST',
    headers: { ...headers, 'x-auth-token': token },
    body: new Uint8Array(payload),
  })
  const body: unknown = await answer.json()
  return { status: answer.status, body }
}

test.skipIf(!canMount)(
  'C-010: on a full disk uploads are 507 and leave no files, other requests work, and uploads work again when there is space',
  { timeout: 120_000 },
  async () => {
    const { folder, shop } = await newFolder()
    const files = join(folder, 'files')
    await mkdir(files, { recursive: true })
    mount(files)
    onTestFinished(() => void execFileSync('umount', ['--lazy', files]))
    const server = await startServer(folder)
    const call = clientOf(server, shop)
    const brand = (await call('POST', '/catalog/brands', { name: 'Before' })).body.data.id
    const theme = await themeBundle()
    const uploads = [
      ['/themes', ['file', theme], 201],
      [`/catalog/brands/${brand}/image`, ['image_file', png], 200],
    ] as const satisfies [string, [string, Buffer], number][]

    const filler = join(files, 'filler')
    expect(() => writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024))).toThrow('ENOSPC')
    for (const [path, file] of uploads) {
      expect(await send(server, shop, path, file), path).toMatchObject({
        status: 507,
        body: { status: 507, title: 'The server has no space left for files.', errors: {} },
      })
    }
    const left = (await readdir(files, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile())
    expect(left.map(({ name }) => name)).toEqual(['filler'])
    expect((await call('POST', '/catalog/brands', { name: 'Meanwhile' })).status).toBe(200)
    expect((await call('GET', '/catalog/brands')).body.data).toHaveLength(2)

    // A disk with room for a part of a file takes that part without an error.
    await truncate(filler, (await stat(filler)).size - 4_096)
    expect((await send(server, shop, '/themes', ['file', theme])).status).toBe(507)

    await rm(filler)
    for (const [path, file, status] of uploads) expect((await send(server, shop, path, file)).status, path).toBe(status)
    figure('C-010', 'a disk of 1 MiB, full: uploads 507, nothing left of them; with space again 201 and 200')
  },
)
