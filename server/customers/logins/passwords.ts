import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Store } from '../../core/db/database.ts'
import { StoreSlots } from '../../stores/quotas/store-slots.ts'

// Passwords are stored as Argon2id hashes, 19 MiB and 2 passes: 28 ms of a core each. Threads of the pool compute them before the
// transaction begins, at most `AT_ONCE` in a process.

const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32
const SALT_BYTES = 16

export const PASSWORD_LENGTH_MIN = 7
const LENGTH_MAX = 255

/** The other two of the four threads remain for files and host names. It also limits the memory. */
const AT_ONCE = 2
/** Most waiting hashes of a store: 3 s of work. */
const WAITING_MAX = 200

/** Returns the mistake of a password; undefined if it is valid. The sentence never has the password. */
export function passwordMistake(password: string): string | undefined {
  const length = [...password].length
  if (length < PASSWORD_LENGTH_MIN || length > LENGTH_MAX)
    return `A password must have ${PASSWORD_LENGTH_MIN} to ${LENGTH_MAX} characters.`
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

/** The hash to check for unknown addresses, so that they take as long as a wrong password. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(TAG_BYTES))}`

const slots = new StoreSlots({ all: AT_ONCE, store: AT_ONCE, waiting: WAITING_MAX })

/** Hashes a password. The result has its salt and its costs. */
export function hashPassword(store: Pick<Store, 'id'>, password: string): Promise<string> {
  return slots.run(store, async () => {
    const salt = randomBytes(SALT_BYTES)
    const tag = await tagOf(password, salt, { memory: MEMORY_KIB, passes: PASSES })
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`
  })
}

/** Whether a password matches a stored hash. Without a hash it is false, after the same work. */
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

/** The hashes of the passwords in a body, in their order. */
export type Hashes = readonly (string | undefined)[]

const hashed = new WeakMap<FastifyRequest['raw'], Hashes>()

/**
 * Returns a preHandler that hashes passwords. An Idempotency-Key opens a transaction around the handler, and no transaction may wait for a
 * hash. Nothing is hashed for a body that will be refused.
 * @param find returns the password of each item of an unchecked body, or undefined; nothing for a malformed body
 */
export const hashing = (find: (body: unknown) => readonly unknown[]) => async (request: FastifyRequest) => {
  const passwords = find(request.body)
  if (passwords.some((password) => typeof password === 'string' && passwordMistake(password) !== undefined)) return
  const hashes = passwords.map((password) =>
    typeof password === 'string' ? hashPassword(request.db.store, password) : undefined,
  )
  hashed.set(request.raw, await Promise.all(hashes))
}

/** The hashes that `hashing` has made for a request. */
export const hashesOf = ({ raw }: Pick<FastifyRequest, 'raw'>): Hashes => hashed.get(raw) ?? []
