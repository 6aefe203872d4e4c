import type { Fields } from '../types.ts'

declare module '../types.ts' {
  interface Parents {
    Site: object
  }
}

/** The roots of all queries. */
export const queryFields: Fields<'Query' | 'Site'> = {
  Query: {
    site: () => ({}),
    customer: (_, _args, { customer }) => customer ?? null,
  },
  Site: {
    settings: () => ({}),
  },
}
