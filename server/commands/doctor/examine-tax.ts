import { connected } from '../../core/db/setup/prepare.ts'

/** The stores that a sentence names. Beyond that it has their number. */
const NAMED_MAX = 5
/** One failure is no news: a provider is reported once it fails for longer. */
const FAILING_MINUTES = 5

interface Failing {
  store_id: number
  provider_id: string
  since: string
  failure: string
}

/**
 * Finds active tax providers of a cell whose calls have been failing.
 * @param systemUrl the URL of a login that reads all stores of a prepared database
 * @returns sentences for the operator
 */
export function examineTaxProviders(systemUrl: string): Promise<string[]> {
  return connected(systemUrl, async (client) => {
    const { rows } = await client.query<Failing>(
      `select store_id, provider_id, failure, to_char(failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as since
       from tax_providers
       where is_active and failing_since < now() - make_interval(mins => $1)
       order by failing_since limit $2`,
      [FAILING_MINUTES, NAMED_MAX + 1],
    )
    const sentences = rows
      .slice(0, NAMED_MAX)
      .map(
        ({ store_id, provider_id, since, failure }) =>
          `The tax provider ${provider_id} of store ${store_id} has been failing since ${since} (${failure}): the fall-back of the store applies.`,
      )
    return rows.length > NAMED_MAX ? [...sentences, 'Tax providers of more stores are failing.'] : sentences
  })
}
