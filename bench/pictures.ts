/**
 * Pictures in sizes. A picture of 12 megapixels in a new size beside the library alone in a process of its own; the same again beside a
 * server that streams a file of the same bytes; then 50 new sizes at once, with the memory of the server and the requests of others
 * meanwhile.
 *
 *   node bench/pictures.ts [--quick]
 *
 * Exits with 1 if a figure is above its bar. Needs Linux: memory is read from /proc.
 */
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { packagePath } from '../server/core/package.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { LADDER } from '../server/shared/pictures/sizes/sizes.ts'
import { childrenOf, memoryOf } from './cpu.ts'
import { figure } from './report.ts'
import { ask, startLoad, startServer, stop } from './subjects.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, SECONDS] = options.quick ? [3, 1] : [9, 2]
const [WIDTH, HEIGHT] = [4_000, 3_000]
const AT_ONCE = 50
const BARS = { fresh: 1.3, again: 0.7, memory: 200, others: 1.5 }

const folder = await mkdtemp(join(tmpdir(), 'storeward-pictures-'))
const server = await startServer(folder, [])
const generator = startLoad()
try {
  await compare()
} finally {
  await generator.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** A picture that a camera could have taken: soft colours below a little noise. */
async function makePicture(path: string, seed: number) {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 }
  const soft = { r: (seed * 53) % 200, g: (seed * 97) % 200, b: (seed * 31) % 200 }
  const grain = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: soft, noise } })
    .png()
    .toBuffer()
  const bytes = await sharp(grain).blur(1.5).jpeg({ quality: 88 }).toBuffer()
  await writeFile(path, bytes)
  return bytes
}

async function openStore() {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const { hash } = await installation.directory.create({ name: 'Pictures', plan: 'unlimited' })
  const { access_token } = await installation.accounts.create(hash, 'bench', ['all'])
  await installation.close()
  return { hash, token: access_token }
}

type Store = Awaited<ReturnType<typeof openStore>>

/** Stores a picture of the store's product. @returns the name of its file */
async function upload({ hash, token }: Store, bytes: Uint8Array): Promise<string> {
  const base = `http://127.0.0.1:${server.port}/stores/${hash}/v3/catalog`
  const headers = { 'x-auth-token': token }
  const form = new FormData()
  form.append('image_file', new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  const answer = await fetch(`${base}/products/1/images`, { method: 'POST', headers, body: form })
  const text = await answer.text()
  const [, name] = /([0-9a-f]{32}\.jpg)/.exec(text) ?? []
  if (!answer.ok || !name) throw new Error(`A picture is answered with ${answer.status}: ${text.slice(0, 300)}`)
  return name
}

async function compare() {
  const store = await openStore()
  const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${store.hash}/v3/catalog/products`, {
    method: 'POST',
    headers: { 'x-auth-token': store.token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Mug', type: 'physical', weight: 1, price: 9 }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const paths = Array.from({ length: ROUNDS + 4 }, (_, i) => join(folder, `photo-${i}.jpg`))
  const names: string[] = []
  for (const [i, path] of paths.entries()) names.push(await upload(store, await makePicture(path, i)))
  const addressOf = (name: string, width: number) => `/s-${store.hash}/images/stencil/${width}w/${name}`
  const fetchPicture = async (name: string, width: number) => {
    const began = performance.now()
    const picture = await fetch(`http://127.0.0.1:${server.port}${addressOf(name, width)}`)
    const bytes = new Uint8Array(await picture.arrayBuffer())
    if (!picture.ok) throw new Error(`A size is answered with ${picture.status}.`)
    return { ms: performance.now() - began, bytes }
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${WIDTH} x ${HEIGHT} pixels, ${ROUNDS} rounds`)

  // The first picture loads the library on both sides.
  const { bytes } = await fetchPicture(names[0] ?? '', 1_280)
  const sized = join(folder, 'sized.jpg')
  await writeFile(sized, bytes)
  const child = fork(new URL('./pictures-floor.ts', import.meta.url), [sized])
  try {
    const alone = async (path: string, width: number) => (await ask<{ ms: number }>(child, { path, width })).ms
    await alone(paths[0] ?? '', 1_280)
    const rounds: { own: number; beside: number }[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const own = (await fetchPicture(names[round] ?? '', 1_280)).ms
      rounds.push({ own, beside: await alone(paths[round] ?? '', 1_280) })
    }
    const medians = [rounds.map(({ own }) => own), rounds.map(({ beside }) => beside)].map((all) =>
      figure(all).median.toFixed(0),
    )
    report(
      `a new size, beside the library alone (${medians.join(' / ')} ms)`,
      rounds.map(({ own, beside }) => own / beside),
      BARS.fresh,
    )

    const { port } = await ask<{ port: number }>(child, {})
    const rateOf = async (port: number, path: string) => {
      const messages = [`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`]
      const { requests, seconds } = await generator.run({
        port,
        connections: 8,
        seconds: SECONDS,
        requests: 100_000,
        messages,
        first: 0,
      })
      return requests / seconds
    }
    const rates: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const own = await rateOf(server.port, addressOf(names[0] ?? '', 1_280))
      rates.push(own / (await rateOf(port, '/')))
    }
    report(
      `the same again, beside a streamed file of ${(bytes.length / 1_024).toFixed(0)} KiB, rate`,
      rates.slice(1),
      BARS.again,
      'least',
    )
  } finally {
    await stop(child)
  }
  await compareAtOnce(store, names.slice(-3), addressOf)
}

/** New sizes of three pictures at once, while a client reads a product. */
async function compareAtOnce(
  store: Store,
  names: readonly string[],
  addressOf: (name: string, width: number) => string,
) {
  const look = async () => {
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${store.hash}/v3/catalog/products/1`, {
      headers: { 'x-auth-token': store.token },
    })
    await answer.arrayBuffer()
    return performance.now() - began
  }
  for (let n = 0; n < 500; n++) await look()
  const quiet: number[] = []
  for (let n = 0; n < 500; n++) quiet.push(await look())
  const addresses = names.flatMap((name) => LADDER.map((width) => addressOf(name, width))).slice(0, AT_ONCE)
  const before = memoryOfBoth()
  let most = before
  let isOn = true
  const during: number[] = []
  const looking = (async () => {
    while (isOn) {
      during.push(await look())
      most = Math.max(most, memoryOfBoth())
    }
  })()
  const began = performance.now()
  await Promise.all(
    addresses.map(async (address) => {
      const picture = await fetch(`http://127.0.0.1:${server.port}${address}`)
      await picture.arrayBuffer()
      if (!picture.ok) throw new Error(`${address} is answered with ${picture.status}.`)
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  isOn = false
  await looking
  console.log(`${addresses.length} new sizes at once took ${seconds.toFixed(1)} s`)
  report('memory meanwhile, MiB more', [most - before], BARS.memory)
  const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  console.log(`a product meanwhile: p99 ${p99(during).toFixed(1)} ms, ${p99(quiet).toFixed(1)} ms before`)
  report('p99 of others', [p99(during) / p99(quiet)], BARS.others)
}

/** The memory of the server and of the process that resizes pictures, in MiB. */
function memoryOfBoth(): number {
  const isOfPictures = (pid: number) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(packagePath('pictureProgram'))
  return [server.pid, ...childrenOf(server.pid).filter(isOfPictures)].reduce((sum, pid) => sum + memoryOf(pid), 0)
}

function report(name: string, values: readonly number[], bar: number, kind: 'most' | 'least' = 'most') {
  const { median, lowest, highest } = figure([...values])
  console.log(`${name}: ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}), at ${kind} ${bar}`)
  if (kind === 'most' ? median > bar : median < bar) process.exitCode = 1
}
