import { bodyReader } from '../../../../../../core/rest/input/validator.ts'
import { lock } from '../../../../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { cartMetafields } from '../../../../../../sales/carts/metafields.ts'
import { lockCart } from '../../../../../../sales/carts/row/cart.ts'
import {
  changeMetafield,
  createMetafield,
  deleteMetafield,
  METAFIELDS_MAX,
  MetafieldChanges,
  NewMetafield,
  refuseHidden,
  uuidMetafields,
} from '../../../../../../shared/metafields/metafields.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { metafieldToAnswer } from '../../metafields.ts'
import { withSentences } from '../refusals.ts'
import { viewerOf } from './cart.ts'

// Metafields that shoppers keep at their carts. They have a namespace and a client of their own, so that those of applications stay theirs.

const NAMESPACE = 'bc_storefront'
const SHOPPER = { id: 'storefront', scopes: new Set<string>() }

const readNew = bodyReader(NewMetafield)
const readChanges = bodyReader(MetafieldChanges)

type Mutations = Fields<'CartMutations'>['CartMutations']

export const cartMetafieldMutations: Pick<
  Mutations,
  'createCartMetafield' | 'updateCartMetafield' | 'deleteCartMetafield'
> = {
  createCartMetafield: (_, { input: { cartEntityId, data } }, caller) =>
    answering(
      async () => {
        const { key, value } = data
        const values = { key, value, namespace: NAMESPACE, permission_set: 'write_and_sf_access' as const }
        readNew({ ...values })
        const row = await withCart(caller, cartEntityId, (tx, id) =>
          createMetafield(tx, SHOPPER, { owner: cartMetafields, thing: { id } }, values),
        )
        return { metafield: metafieldToAnswer(row), errors: [] }
      },
      (problem) => {
        if (problem.status === 403) {
          return { __typename: 'LimitExceededError' as const, limit: METAFIELDS_MAX, message: problem.message }
        }
        return problem.status === 409 ? existing(problem) : unknownOrInvalid(problem)
      },
      { metafield: null },
    ),
  updateCartMetafield: (_, { input: { cartEntityId, metafieldEntityId, data } }, caller) =>
    answering(
      async () => {
        const changes = {
          ...(data.key == null ? {} : { key: data.key }),
          ...(data.value == null ? {} : { value: data.value }),
        }
        readChanges({ ...changes })
        const changed = await withCart(caller, cartEntityId, async (tx, id) => {
          const found = await lock(tx, uuidMetafields, metafieldEntityId)
          const row = refuseHidden(found, SHOPPER, 'cart', id)
          return changeMetafield(tx, SHOPPER, { owner: cartMetafields, row: refuseForeign(row) }, changes)
        })
        return { metafield: metafieldToAnswer(changed), errors: [] }
      },
      (problem) => {
        if (problem.status === 403) return foreign(problem)
        return problem.status === 409 ? existing(problem) : unknownOrInvalid(problem)
      },
      { metafield: null },
    ),
  deleteCartMetafield: (_, { input: { cartEntityId, metafieldEntityId } }, caller) =>
    answering(
      async () => {
        await withCart(caller, cartEntityId, async (tx, id) => {
          const found = await lock(tx, uuidMetafields, metafieldEntityId)
          const row = refuseHidden(found, SHOPPER, 'cart', id)
          await deleteMetafield(tx, SHOPPER, { owner: cartMetafields, row: refuseForeign(row) })
        })
        return { deletedMetafieldEntityId: metafieldEntityId, errors: [] }
      },
      (problem) => (problem.status === 403 ? foreign(problem) : unknownOrInvalid(problem)),
      { deletedMetafieldEntityId: null },
    ),
}

/** Runs a work on a locked cart of the shopper. */
const withCart = <T>(
  caller: StorefrontCaller,
  id: string,
  work: (tx: Parameters<typeof lockCart>[0], uuid: string) => Promise<T>,
): Promise<T> =>
  withSentences(id, () =>
    caller.storefront.db.transaction(async (tx) => {
      const { cart } = await lockCart(tx, id, undefined, viewerOf(caller))
      return work(tx, cart.id)
    }),
  )

/** @throws Problem 403 for a metafield of an application, whatever its permissions are */
function refuseForeign<Row extends { owner_client_id: string }>(row: Row): Row {
  if (row.owner_client_id === SHOPPER.id) return row
  throw new Problem(403, 'This metafield belongs to an application.')
}

/** Turns refusals into the errors of a result. */
async function answering<Done, Refused, Empty>(
  work: () => Promise<Done>,
  toError: (problem: Problem) => Refused,
  empty: Empty,
): Promise<Done | (Empty & { errors: Refused[] })> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return { ...empty, errors: [toError(error)] }
    throw error
  }
}

const existing = ({ message }: Problem) => ({ __typename: 'AlreadyExistsError' as const, message })
const foreign = ({ message }: Problem) => ({ __typename: 'NotAuthorisedError' as const, message })
const unknownOrInvalid = ({ status, message, errors }: Problem) =>
  status === 404
    ? { __typename: 'NotFoundError' as const, message }
    : { __typename: 'ValidationError' as const, path: Object.keys(errors).slice(0, 1), message }
