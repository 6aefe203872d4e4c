import type { GraphLimits } from '../../../core/graphql/cost/limits.ts'

/** The limits of operations (docs/contract/storefront-tokens.md section 5). */
export const STOREFRONT_LIMITS: GraphLimits = {
  cost: 10_000,
  depth: 16,
  aliases: 100,
  // The limit of selections in a document is lower.
  rootFields: Number.POSITIVE_INFINITY,
  mutations: 1,
  length: { usual: 10, max: 50, nestedMax: 5 },
}
