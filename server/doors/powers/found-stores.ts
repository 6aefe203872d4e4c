import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Directory, StoreRecord } from '../../stores/directory/directory.ts'
import { pathValue } from '../people/gate.ts'

/** The minutes after which servers delete a test store: at most a week. */
export const LifetimeMinutes = t.Integer({ minimum: 1, maximum: 10_080 })

/** The end of a store that lives for some minutes from now. */
export const endAfter = (minutes: number | undefined, clock: Clock): Date | undefined =>
  minutes === undefined ? undefined : new Date(clock.now().getTime() + minutes * 60_000)

/** The path of routes about one store. */
export const StorePath = t.Object({ store_hash: t.String() })

/** @throws Problem 404 */
export async function findStore(directory: Directory, hash: string): Promise<StoreRecord> {
  const store = (await directory.list()).find((store) => store.hash === hash)
  if (!store) throw new Problem(404, 'There is no such store.')
  return store
}

/**
 * @param reason a sentence about the power that real stores don't have
 * @throws Problem 404, 403 for a real store
 */
export async function findTestStore(directory: Directory, hash: string, reason: string): Promise<StoreRecord> {
  const store = await findStore(directory, hash)
  if (store.is_test) return store
  throw new Problem(403, `This is a real store. ${reason}`)
}

/** The store of a request for the audit; undefined without one. */
export async function readStore(directory: Directory, request: FastifyRequest) {
  const store = (await directory.list()).find(({ hash }) => hash === pathValue(request, 'store_hash'))
  return store && storeToAnswer(store)
}

export const storeToAnswer = ({ hash, name, state, plan, limits, is_test }: StoreRecord) => ({
  hash,
  name,
  state,
  plan,
  limits,
  is_test,
})
