import { connected } from '../../core/db/setup/prepare.ts'
import { TEST_GATEWAY } from '../../sales/payments/gateways/test-gateway.ts'

/** The stores that a sentence names. Beyond that it has their number. */
const NAMED_MAX = 5

interface Found {
  count: number
  /** The first stores: `1 "Corner shop"`. */
  named: string[]
}

/**
 * Finds stores of a cell that can't be paid, and stores that can be paid without money.
 * @param systemUrl the URL of a login that reads all stores of a prepared database
 * @returns sentences for the operator
 */
export function examinePayments(systemUrl: string): Promise<string[]> {
  return connected(systemUrl, async (client) => {
    const find = async (condition: string, parameters: string[] = []): Promise<Found> => {
      const { rows } = await client.query<Found>(
        `select count(*)::int as count,
           coalesce((array_agg(store_id || ' "' || name || '"' order by store_id))[1:${NAMED_MAX}], '{}') as named
         from store_profiles p where ${condition}`,
        parameters,
      )
      return rows[0] ?? { count: 0, named: [] }
    }
    const ofStore = 'select from payment_providers o where o.store_id = p.store_id'
    const unpaid = await find(`not exists (${ofStore})`)
    const testing = await find(`exists (${ofStore} and o.gateway = $1)`, [TEST_GATEWAY])
    return [
      ...(unpaid.count === 0
        ? []
        : [`${storesOf(unpaid)} no payment provider, so payments are refused: "storeward payments set" adds one.`]),
      ...(testing.count === 0
        ? []
        : [
            `${storesOf(testing)} the test gateway, which takes no money: anyone can pay with its public card numbers.`,
          ]),
    ]
  })
}

/** `2 stores (1 "Corner shop", 4 "Fern & Co") have`. */
function storesOf({ count, named }: Found): string {
  const rest = count > named.length ? [`${count - named.length} more`] : []
  return `${count} store${count === 1 ? '' : 's'} (${[...named, ...rest].join(', ')}) ${count === 1 ? 'has' : 'have'}`
}
