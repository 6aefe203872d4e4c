import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { end, startProgram } from '../../test/servers/started.ts'
import { readProject } from './project.ts'

// `storeward dev` in folders of their own, with servers and databases of their own on a machine that may be busy.

const patient = { timeout: 300_000 }

let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-dev-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGTERM')))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

/** A folder of a project. */
async function projectOf(name: string, description?: unknown): Promise<string> {
  const project = join(folder, name)
  await mkdir(project, { recursive: true })
  if (description !== undefined) await writeFile(join(project, 'storeward.json'), JSON.stringify(description))
  return project
}

/** Starts `storeward dev` and waits until it runs. @throws Error with its output if it ends */
async function develop(project: string, ...args: string[]) {
  const started = startProgram(['dev', ...args], { cwd: project, env: { PATH: process.env.PATH ?? '', PORT: '0' } })
  children.push(started.child)
  const { child, output } = await started.says(/keep that file out of git/)
  const variables = parseEnv(await readFile(join(project, '.env.storeward'), 'utf8'))
  return { child, output, variables }
}

/** The fields of answers that these tests read. */
interface Body {
  data: object[]
  meta: { pagination: { total: number } }
}

const ask = async (url: string | undefined, path: string, token: string | undefined) => {
  const answer = await fetch(`${url}${path}`, { headers: { 'X-Auth-Token': token ?? '' } })
  const body: Body = JSON.parse(await answer.text())
  return { status: answer.status, body }
}

describe('storeward dev', patient, () => {
  const description = {
    stores: {
      devshop: {
        name: 'Dev shop',
        seed: 'tiny',
        accounts: { app: ['all'], reader: ['read_only'] },
        receivers: [{ scope: 'store/order/*', destination: 'http://127.0.0.1:9/hooks' }],
        faults: [{ operation: 'GET /v3/catalog/categories', status: 503 }],
      },
      empty1: {},
    },
  }

  test('makes the stores of the file, and writes their addresses and tokens', async () => {
    const project = await projectOf('whole', description)
    const { child, output, variables } = await develop(project)
    expect(output).toContain(
      'created      the store, the account app, the account reader, 12 products, a hook on store/order/*, 1 faults',
    )
    expect(variables).toEqual({
      STOREWARD_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      STOREWARD_OPERATOR_KEY: expect.any(String),
      STOREWARD_STORE: 'devshop',
      STOREWARD_TOKEN: variables.STOREWARD_APP_TOKEN,
      STOREWARD_CLIENT_SECRET: variables.STOREWARD_APP_CLIENT_SECRET,
      STOREWARD_APP_TOKEN: expect.stringMatching(/^[a-z0-9]{31}$/),
      STOREWARD_APP_CLIENT_ID: expect.stringMatching(/^[a-z0-9]{31}$/),
      STOREWARD_APP_CLIENT_SECRET: expect.stringMatching(/^[a-z0-9]{64}$/),
      STOREWARD_READER_TOKEN: expect.any(String),
      STOREWARD_READER_CLIENT_ID: expect.any(String),
      STOREWARD_READER_CLIENT_SECRET: expect.any(String),
      STOREWARD_EMPTY1_STORE: 'empty1',
      STOREWARD_EMPTY1_TOKEN: variables.STOREWARD_EMPTY1_ADMIN_TOKEN,
      STOREWARD_EMPTY1_CLIENT_SECRET: variables.STOREWARD_EMPTY1_ADMIN_CLIENT_SECRET,
      STOREWARD_EMPTY1_ADMIN_TOKEN: expect.any(String),
      STOREWARD_EMPTY1_ADMIN_CLIENT_ID: expect.any(String),
      STOREWARD_EMPTY1_ADMIN_CLIENT_SECRET: expect.any(String),
    })
    const { STOREWARD_URL: url, STOREWARD_TOKEN: token, STOREWARD_EMPTY1_TOKEN: other } = variables
    const store = '/stores/devshop/v3'
    expect((await ask(url, `${store}/catalog/products`, token)).body.meta.pagination.total).toBe(12)
    expect((await ask(url, `${store}/hooks`, token)).body.data).toMatchObject([
      { scope: 'store/order/*', is_active: true },
    ])
    // A fault is noticed within a second.
    await expect
      .poll(async () => (await ask(url, `${store}/catalog/categories`, token)).status, { timeout: 100_000 })
      .toBe(503)
    expect((await ask(url, '/stores/empty1/v3/catalog/products', other)).body.meta.pagination.total).toBe(0)
    await end(child, 'SIGTERM')

    // The second start keeps the stores and the tokens, and follows the file.
    await projectOf('whole', {
      stores: {
        ...description.stores,
        devshop: { ...description.stores.devshop, faults: [], accounts: { app: ['read_only'] } },
      },
    })
    const second = await develop(project)
    expect(second.output).not.toContain('created')
    expect(second.variables.STOREWARD_TOKEN).toBe(token)
    const again = second.variables.STOREWARD_URL
    expect((await ask(again, `${store}/catalog/products`, token)).body.meta.pagination.total).toBe(12)
    expect((await ask(again, `${store}/hooks`, token)).body.data).toHaveLength(1)
    await expect
      .poll(async () => (await ask(again, `${store}/catalog/categories`, token)).status, { timeout: 100_000 })
      .toBe(200)
    const write = await fetch(`${again}${store}/catalog/brands`, {
      method: 'POST',
      headers: { 'X-Auth-Token': token ?? '', 'Content-Type': 'application/json' },
      body: '{"name":"Acme"}',
    })
    expect(write.status).toBe(403)
    await expect(develop(project, '--fresh')).rejects.toThrow('Stop it first.')
    await end(second.child, 'SIGTERM')

    const third = await develop(project, '--fresh')
    expect(third.output).toContain('created')
    expect(third.variables.STOREWARD_TOKEN).not.toBe(token)
  })

  test('without a file makes a store with 12 products', async () => {
    const project = await projectOf('plain')
    const { output, variables } = await develop(project)
    expect(output).toContain('Describe your own stores in storeward.json')
    expect(variables.STOREWARD_STORE).toBe('devstore')
    const answer = await ask(variables.STOREWARD_URL, '/stores/devstore/v3/catalog/products', variables.STOREWARD_TOKEN)
    expect(answer.body.meta.pagination.total).toBe(12)
    expect(await readFile(join(project, '.storeward/.gitignore'), 'utf8')).toBe('*\n')
  })

  test('refuses a file with a mistake before it makes anything', async () => {
    const project = await projectOf('wrong', { stores: { devshop: { seed: 'huge' } } })
    await expect(develop(project)).rejects.toThrow(/storeward\.json: stores\.devshop\.seed must be/)
    expect(existsSync(join(project, '.storeward'))).toBe(false)
  })
})

describe('a project file', () => {
  const read = async (description: unknown) => readProject(join(await projectOf('file', description), 'storeward.json'))

  test.each<[unknown, RegExp]>([
    [{}, /the file must have required properties stores/],
    [{ stores: {} }, /stores must/],
    [{ stores: { Shop: {} } }, /stores\.Shop is no hash/],
    [{ stores: { devshop: { sed: 'tiny' } } }, /stores\.devshop\.sed is unknown/],
    [{ stores: { devshop: { faults: [{ status: 200 }] } } }, /stores\.devshop\.faults\.0\.status must/],
    [{ stores: { devshop: { faults: [{ stauts: 503 }] } } }, /stores\.devshop\.faults\.0\.stauts is unknown/],
    [{ stores: { devshop: { accounts: { app: [] } } } }, /stores\.devshop\.accounts\.app must/],
    [
      { stores: { devshop: { receivers: [{ scope: 'store/order/*', destination: 'http://x', account: 'app' }] } } },
      /names the account "app", which it does not have/,
    ],
  ])('%j is refused', async (description, sentence) => {
    await expect(read(description)).rejects.toThrow(sentence)
  })

  test('that is no JSON is refused, and a missing one is none', async () => {
    const project = await projectOf('broken')
    expect(await readProject(join(project, 'storeward.json'))).toBeUndefined()
    await writeFile(join(project, 'storeward.json'), '{')
    await expect(readProject(join(project, 'storeward.json'))).rejects.toThrow('is no JSON')
  })
})
