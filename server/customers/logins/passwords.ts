import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Store } from '../../core/db/database.ts'
import { StoreSlots } from '../../stores/quotas/store-slots.ts'

// Passwords are kept as Argon2id, 19 MiB and 2 passes: 28 ms of a core each. They are hashed by threads of the pool, before there is
// a transaction, and never more than `AT_ONCE` in a process.

const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32
const SALT_BYTES = 16

const LENGTH_MIN = 7
const LENGTH_MAX = 255

/** Files and names of hosts have the other two of the four threads, and the memory is that of two. */
const AT_ONCE = 2
/** So many hashes of a store may wait: 3 s of work. */
const WAITING_MAX = 200

/** Why a password can't be one; undefined if it can. It is never repeated. */
export function passwordMistake(password: string): string | undefined {
  const length = [...password].length
  if (length < LENGTH_MIN || length > LENGTH_MAX)
    return `A password must have ${LENGTH_MIN} to ${LENGTH_MAX} characters.`
  if (!/\p{L}/u.test(password) || !/\p{Nd}/u.test(password))
    return 'A password must have at least one letter and one digit.'
  return undefined
}

interface Costs {
  memory: number
  passes: number
}

const derive = promisify(argon2)

function tagOf(password: string, salt: Buffer, { memory, passes }: Costs, tagLength = TAG_BYTES): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'))
  return derive('argon2id', { message, nonce: salt, parallelism: 1, tagLength, memory, passes })
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

const HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whom nobody knows is asked as much work as whom a password is wrong for. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(TAG_BYTES))}`

const slots = new StoreSlots({ all: AT_ONCE, store: AT_ONCE, waiting: WAITING_MAX })

/** The hash of a password, with its salt and its costs, as it is stored. */
export function hashPassword(store: Pick<Store, 'id'>, password: string): Promise<string> {
  return slots.run(store, async () => {
    const salt = randomBytes(SALT_BYTES)
    const tag = await tagOf(password, salt, { memory: MEMORY_KIB, passes: PASSES })
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`
  })
}

/** Whether a password is the one of a stored hash. Where there is none the answer is false, after as much work. */
export function isPassword(
  store: Pick<Store, 'id'>,
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const [, memory, passes, salt = '', expected = ''] = HASH.exec(stored ?? NOBODY) ?? []
  if (memory === undefined) throw new Error('A stored password is in a form that this version does not know.')
  const tag = Buffer.from(expected, 'base64')
  return slots.run(store, async () => {
    const costs = { memory: Number(memory), passes: Number(passes) }
    const found = await tagOf(password, Buffer.from(salt, 'base64'), costs, tag.length)
    return timingSafeEqual(found, tag) && stored !== null && stored !== undefined
  })
}

/** The hashes of the passwords in the body of a request, in their order. */
export type Hashes = readonly (string | undefined)[]

const hashed = new WeakMap<FastifyRequest['raw'], Hashes>()

/**
 * A preHandler. An Idempotency-Key opens a transaction around the handler, in which nothing is to wait for a hash: so passwords are
 * hashed before. Of a body that will be refused for what it is, none is.
 * @param find the passwords in a body that was not checked yet, of each item one or undefined; nothing for what is no such body
 */
export const hashing = (find: (body: unknown) => readonly unknown[]) => async (request: FastifyRequest) => {
  const passwords = find(request.body)
  if (passwords.some((password) => typeof password === 'string' && passwordMistake(password) !== undefined)) return
  const hashes = passwords.map((password) =>
    typeof password === 'string' ? hashPassword(request.db.store, password) : undefined,
  )
  hashed.set(request.raw, await Promise.all(hashes))
}

/** What `hashing` made of the passwords of a request. */
export const hashesOf = ({ raw }: Pick<FastifyRequest, 'raw'>): Hashes => hashed.get(raw) ?? []
