import { readFile } from 'node:fs/promises'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { FaultRule } from '../../stores/faults/faults.ts'

const closed = { additionalProperties: false }

const Receiver = t.Object(
  { scope: t.String({ minLength: 1 }), destination: t.String({ minLength: 1 }), account: t.Optional(t.String()) },
  closed,
)

const ProjectStore = t.Object(
  {
    name: t.Optional(t.String({ minLength: 1 })),
    seed: t.Optional(t.Enum(['tiny', 'demo'])),
    accounts: t.Optional(t.Record(t.String({ pattern: '^[a-z][a-z0-9_]*$' }), t.Array(t.String(), { minItems: 1 }))),
    receivers: t.Optional(t.Array(Receiver)),
    faults: t.Optional(t.Array(t.Object(FaultRule.properties, closed))),
  },
  closed,
)
export type ProjectStore = Static<typeof ProjectStore>

const Project = t.Object(
  { stores: t.Record(t.String({ pattern: '^[a-z0-9]{5,16}$' }), ProjectStore, { minProperties: 1, ...closed }) },
  closed,
)

/** The stores of a project, as its file `storeward.json` describes them, by their hashes. */
export type Project = Static<typeof Project>

/** The project of a folder without a file: a store with 12 products. */
export const PLAIN_PROJECT: Project = { stores: { devstore: { name: 'Dev store', seed: 'tiny' } } }

/** Accounts of a store that names none. */
export const PLAIN_ACCOUNTS = { admin: ['all'] }

/** @throws Error with a sentence for the person who wrote the file; undefined without a file */
export async function readProject(path: string): Promise<Project | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : projectIn(text, path)
}

function projectIn(text: string, path: string): Project {
  const project = jsonIn(text, path)
  const [mistake] = Value.Errors(Project, project)
  if (mistake || !Value.Check(Project, project)) {
    const place = mistake?.instancePath.slice(1).replaceAll('/', '.') ?? ''
    throw new Error(`${path}: ${place === '' ? 'the file' : place} ${reasonOf(place, mistake?.message)} (docs/dev.md).`)
  }
  for (const [hash, { accounts = PLAIN_ACCOUNTS, receivers = [] }] of Object.entries(project.stores)) {
    const unknown = receivers.find(({ account }) => account !== undefined && !(account in accounts))
    if (unknown)
      throw new Error(`${path}: a receiver of ${hash} names the account "${unknown.account}", which it does not have.`)
  }
  return project
}

/** @param message of the validator, which has no words for names that are not allowed */
function reasonOf(place: string, message = 'is malformed'): string {
  if (message !== 'schema is false') return message
  return /^stores\.[^.]+$/.test(place) ? 'is no hash: 5 to 16 lower-case letters and digits' : 'is unknown'
}

function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}
