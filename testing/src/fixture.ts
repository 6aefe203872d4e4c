import type { Store } from '@storeward/client'
import type { Fork } from './fork.ts'

/** Bodies by group of the client and by name: `{ "brands": { "halden": { "name": "Halden" } }, "products": { "lamp": { "brand_id": "@halden" } } }`. */
export type Fixture = Record<string, Record<string, Record<string, unknown>>>

/** The ids of what a fixture created, by name. */
export type Planted = Record<string, number | string>

interface Entry {
  group: string
  name: string
  body: Record<string, unknown>
}

/**
 * Creates the resources of a fixture, each after those that it names. `"@halden"` stands for the id of `halden`; `"@@"` begins a text with `@`.
 * In a fork a fixture is there as a whole or not at all: a fork gets its former data back if a body is refused.
 * @throws Error for an unknown name, a circle of names and an unknown group, before anything is created; and for the first body that the
 * server refuses
 */
export async function plant(target: Store | Fork, fixture: Fixture): Promise<Planted> {
  if (!isFork(target)) return create(target, fixture)
  // Mistakes of the fixture itself need no copy of the data.
  inOrder(entriesOf(target.store, fixture))
  const restore = await target.snapshot()
  try {
    return await create(target.store, fixture)
  } catch (error) {
    await restore()
    throw error
  }
}

const isFork = (target: Store | Fork): target is Fork => 'storeHash' in target && 'snapshot' in target

async function create(store: Store, fixture: Fixture): Promise<Planted> {
  const order = inOrder(entriesOf(store, fixture))
  const ids: Planted = {}
  for (const { group, name, body } of order) {
    const create = creatorOf(store, group)
    const made: unknown = await create?.(withIds(body, ids), { headers: { Prefer: 'handling=strict' } })
    const { id, uuid } = { id: undefined, uuid: undefined, ...Object(made) }
    ids[name] = id ?? uuid
  }
  return ids
}

function entriesOf(store: Store, fixture: Fixture): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const [group, bodies] of Object.entries(fixture)) {
    if (creatorOf(store, group) === undefined)
      throw new Error(`"${group}" is no group of the client with a method create.`)
    for (const [name, body] of Object.entries(bodies)) {
      if (entries.has(name)) throw new Error(`Two resources are named "${name}".`)
      entries.set(name, { group, name, body })
    }
  }
  return entries
}

type Create = (body: unknown, options: object) => Promise<unknown>

function creatorOf(store: Store, group: string): Create | undefined {
  const found = group.split('.').reduce<unknown>((inner, part) => Reflect.get(Object(inner), part), store)
  const create: unknown = Reflect.get(Object(found), 'create')
  return typeof create === 'function' ? (create as Create) : undefined
}

/** The entries, each behind those that it names. */
function inOrder(entries: Map<string, Entry>): Entry[] {
  const done = new Set<Entry>()
  const visit = (entry: Entry, path: readonly string[]) => {
    if (done.has(entry)) return
    if (path.includes(entry.name)) throw new Error(`The fixture has a circle: ${[...path, entry.name].join(' -> ')}.`)
    for (const named of namesIn(entry.body)) {
      const other = entries.get(named)
      if (!other) throw new Error(`"${entry.name}" names "@${named}", which the fixture doesn't have.`)
      visit(other, [...path, entry.name])
    }
    done.add(entry)
  }
  for (const entry of entries.values()) visit(entry, [])
  return [...done]
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^@[^@]/.test(value) ? [value.slice(1)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : []
}

function withIds(value: unknown, ids: Planted): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('@@')) return value.slice(1)
    return value.startsWith('@') ? ids[value.slice(1)] : value
  }
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIds(inner, ids)]))
}
