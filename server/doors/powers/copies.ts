import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { invalid, Problem } from '../../core/rest/problem.ts'
import { setUpTestGateway } from '../../sales/payments/providers-command.ts'
import { type ClockReader, ClockRefusal, standingTime } from '../../stores/clocks/clocks.ts'
import { HASH_PATTERN, HashTaken } from '../../stores/directory/directory.ts'
import {
  CopyRefusal,
  deleteSnapshot,
  type ForkParts,
  forkStore,
  restoreSnapshot,
  SNAPSHOT_NAME,
  takeSnapshot,
} from '../../stores/forks/forks.ts'
import { endAfter, findStore, findTestStore, LifetimeMinutes, StorePath, storeToAnswer } from './found-stores.ts'

const NewForkBody = t.Object({
  name: t.Optional(t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' })),
  hash: t.Optional(t.String({ pattern: HASH_PATTERN })),
  client_id: t.Optional(t.String({ maxLength: 64 })),
  lifetime_minutes: t.Optional(LifetimeMinutes),
  seed: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  stands_at: t.Optional(t.String({ format: 'date-time' })),
})

interface CopyRouteParts extends Omit<ForkParts, 'openGateway'> {
  clockReader: Pick<ClockReader, 'read'>
}

const SnapshotPath = t.Object({ ...StorePath.properties, name: t.String({ maxLength: 64 }) })

/** Forks, snapshots and restored stores (docs/powers.md). */
export function copyRoutes(api: Api, given: CopyRouteParts) {
  const parts = { ...given, openGateway: setUpTestGateway }
  const { directory } = parts
  const snapshots = '/stores/:store_hash/snapshots'

  api.post(
    '/stores/:store_hash/forks',
    {
      config: { hasClosedBody: true },
      schema: { summary: 'Fork a store', params: StorePath, body: NewForkBody },
    },
    async ({ params, body: { name, hash, client_id, lifetime_minutes, seed, stands_at } }) => {
      await findStore(directory, params.store_hash)
      const endsAt = endAfter(lifetime_minutes, parts.clock)
      const standsAt = stands_at === undefined ? undefined : timeToStand(stands_at, parts.clock)
      const wanted = { name, hash, clientId: client_id, endsAt, seed, standsAt }
      const fork = await forkStore(parts, params.store_hash, wanted).catch(refuseCopy)
      // The clock of the fork is that of its source, or stands.
      await parts.clockReader.read()
      const { client_id: id, client_secret, access_token } = fork.account
      const data = { ...storeToAnswer(fork), account: { client_id: id, client_secret, access_token } }
      return new Answer({ data, meta: {} }, 201)
    },
  )

  api.get(
    snapshots,
    { schema: { summary: 'List the snapshots of a store', params: StorePath } },
    async ({ params }) => {
      const { id } = await findStore(directory, params.store_hash)
      return new Answer({ data: await directory.snapshotsOf({ id }), meta: {} })
    },
  )

  api.post(
    snapshots,
    {
      config: { hasClosedBody: true },
      schema: {
        summary: 'Take a snapshot of a store',
        params: StorePath,
        body: t.Object({ name: t.String({ pattern: SNAPSHOT_NAME }) }),
      },
    },
    async ({ params, body }) => {
      await findStore(directory, params.store_hash)
      const taken = await takeSnapshot(parts, params.store_hash, body.name).catch(refuseCopy)
      return new Answer({ data: taken, meta: {} }, 201)
    },
  )

  api.post(
    `${snapshots}/:name/restore`,
    { schema: { summary: 'Restore a test store from a snapshot', params: SnapshotPath } },
    async ({ params: { store_hash, name } }) => {
      const reason = 'Only "storeward snapshot restore" replaces its data.'
      const { id } = await findTestStore(directory, store_hash, reason)
      if (!(await directory.findSnapshot({ id }, name))) throw new Problem(404, 'There is no such snapshot.')
      await restoreSnapshot(parts, store_hash, name).catch(refuseCopy)
      return new Answer(undefined, 204)
    },
  )

  api.delete(
    `${snapshots}/:name`,
    { schema: { summary: 'Delete a snapshot', params: SnapshotPath } },
    async ({ params: { store_hash, name } }) => {
      await findStore(directory, store_hash)
      if (!(await deleteSnapshot(parts, store_hash, name))) throw new Problem(404, 'There is no such snapshot.')
      return new Answer(undefined, 204)
    },
  )
}

/** @throws Problem 422 */
function timeToStand(text: string, clock: ForkParts['clock']): Date {
  try {
    return standingTime(text, clock.now())
  } catch (error) {
    throw error instanceof ClockRefusal ? invalid({ stands_at: error.message }) : error
  }
}

/** Refuses a copy that can't be made. @throws Problem 409, or the error itself */
export function refuseCopy(error: unknown): never {
  throw error instanceof CopyRefusal || error instanceof HashTaken ? new Problem(409, error.message) : error
}
