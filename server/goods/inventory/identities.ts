import type { FastifyRequest } from 'fastify'
import { isObject } from '../../core/objects.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Identity } from '../catalog/variants/levels.ts'

/** Checks that each item is named by exactly one of sku, variant_id and product_id (docs/contract/inventory.md section 1). */
export function identityMistakes(identities: readonly Identity[], place: (i: number) => string): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, identity] of identities.entries()) {
    const names = Object.values(identity).filter((name) => name !== undefined)
    if (names.length !== 1) mistakes[place(i)] = 'An item is named by one of sku, variant_id and product_id.'
  }
  return mistakes
}

/** Refuses a list in a body that is too long, before its items are validated: 413 as for a body that is a list. */
export const atMost = (list: string, max: number) => async (request: FastifyRequest) => {
  const items = isObject(request.body) ? request.body[list] : undefined
  if (Array.isArray(items) && items.length > max) throw new Problem(413, `At most ${max} ${list} may be sent at once.`)
}
