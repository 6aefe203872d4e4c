import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fork, type StartedServer, startServer } from '../src/index.ts'
import { type Page, readPage, writePage } from './pages.ts'

// The pages of docs/testing as a reader would follow them, against one server; those of runners that this repository installs.

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const patient = { timeout: 600_000 }

let server: StartedServer
beforeAll(async () => {
  server = await startServer({ command: [process.execPath, join(root, 'server/bin/storeward.js')] })
})
afterAll(() => server.stop())

/** The environment of a reader: none of this run, and the server that `storeward-testing` would start. */
const environment = () => ({
  PATH: `${join(root, 'node_modules/.bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '',
  TMPDIR: process.env.TMPDIR ?? '/tmp',
  STOREWARD_URL: server.url,
  STOREWARD_OPERATOR_KEY: server.operatorKey,
  PYTHONPATH: join(root, 'testing/python'),
  PYTHONDONTWRITEBYTECODE: '1',
  NO_COLOR: '1',
})

/** Runs the command of a page in a folder with its files. @returns its output, also of a run that failed */
async function follow(page: Page): Promise<{ code: number; output: string }> {
  // Below this folder, so that imports are found.
  const folder = await mkdtemp(join(import.meta.dirname, '.page-'))
  try {
    await writePage(page, folder)
    // The bins are in the path, and the server runs.
    const command = page.command.replaceAll('npx storeward-testing ', '').replaceAll('npx ', '')
    const ended = await run('sh', ['-c', command], { cwd: folder, env: environment() }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
    )
    return ended
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The page with a test that can't pass, in place of each expectation of a price. */
const spoilt = (page: Page, [right, wrong]: [string, string]): Page => ({
  ...page,
  files: Object.fromEntries(Object.entries(page.files).map(([name, text]) => [name, text.replaceAll(right, wrong)])),
})

const hasPytest = await run('python3', ['-c', 'import pytest']).then(
  () => true,
  () => false,
)
if (!hasPytest && process.env.CI) console.warn('NOT RUN: the page of pytest needs python3 with pytest')

describe.each<[string, boolean, string, [string, string]]>([
  ['vitest', true, '2 passed', ['{ id, price: 20 }', '{ id, price: 21 }']],
  ['node-test', true, 'pass 2', ['[[id, 20]]', '[[id, 21]]']],
  ['pytest', hasPytest, '2 passed', ['== [made["id"]]', '== []']],
])('the page of %s', (name, isThere, passed, mistake) => {
  test.runIf(isThere)('is followed as written, and its tests pass', patient, async () => {
    const { code, output } = await follow(readPage(name))
    expect(output).toContain(passed)
    expect(code).toBe(0)
  })

  test.runIf(isThere)('a test that fails shows the last requests of its store', patient, async () => {
    const { code, output } = await follow(spoilt(readPage(name), mistake))
    expect(code).not.toBe(0)
    expect(output).toMatch(/POST .*\/v3\/catalog\/products .*\d+/)
    expect(output).toMatch(/GET .*\/v3\/catalog\/products\?name/)
  })
})

const stores = async (): Promise<{ name: string }[]> => {
  const answer = await fetch(`${server.url}/operator/v1/stores`, {
    headers: { Authorization: `Bearer ${server.operatorKey}` },
  })
  const { data }: { data: { name: string }[] } = JSON.parse(await answer.text())
  return data
}

test('no fork of the pages is left', async () => {
  expect((await stores()).map(({ name }) => name)).toEqual(['tiny'])
})

test.runIf(hasPytest)('the verbs of the Python plugin', patient, async () => {
  const program = `
import storeward_testing as kit
with kit.fork() as shop:
    shop.receiver.expect("store/product/updated")
    shop.call("PUT", "/v3/catalog/products/2", {"price": 12})
    print(shop.receiver.wait_for("store/product/updated", within="60 s")["data"])
    try:
        shop.receiver.wait_for("store/order/created", within="10 ms")
    except AssertionError as missing:
        print(missing)
    fault = shop.faults.next("GET /v3/catalog/summary", 503)
    try:
        shop.call("GET", "/v3/catalog/summary")
    except kit.Refused as refusal:
        print(refusal.status, fault.seen())
    shop.faults.clear()
    before = shop.clock.now()
    print(shop.clock.advance("2 s") > before)
    try:
        shop.mailbox.wait_for(to="nobody@example.com", within="10 ms")
    except AssertionError as missing:
        print(missing)
    for what, how in [("delivery", "declined"), ("mail", "declined"), ("GET /v3/catalog/brands", "sad")]:
        try:
            shop.faults.next(what, how)
        except ValueError as mistake:
            print(mistake)
    print(len(shop.mailbox.list()), kit.seconds("2 min"), len(shop.requests))
`
  const { stdout } = await run('python3', ['-c', program], { env: environment() })
  expect(stdout.trim().split('\n')).toEqual([
    "{'type': 'product', 'id': 2}",
    "No store/order/created arrived within 10 ms. These events arrived: ['store/product/updated']",
    '503 1',
    'True',
    'No such e-mail within 10 ms. The store has these: []',
    '"delivery" is no operation and no port: payment, mail, files, pictures, capture, refund, void.',
    '"mail" has "fails", "timed out", and not "declined".',
    'A request has a status such as 503, or "connection lost before", "answer lost", "answer cut", and not "sad".',
    '0 120.0 3',
  ])
})

test('a fork is deleted also after a failure', async () => {
  const { withFork } = await import('../src/index.ts')
  process.env.STOREWARD_URL = server.url
  process.env.STOREWARD_OPERATOR_KEY = server.operatorKey
  try {
    let hash = ''
    const failing = withFork(({ storeHash }) => {
      hash = storeHash
      throw new Error('as a test fails')
    })
    await expect(failing()).rejects.toThrow('as a test fails')
    await expect(fork(hash, server)).rejects.toThrow('no store')
  } finally {
    delete process.env.STOREWARD_URL
    delete process.env.STOREWARD_OPERATOR_KEY
  }
})
