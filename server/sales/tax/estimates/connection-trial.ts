import { unitsOf } from '../../../core/money/units.ts'
import { defaultCurrency } from '../../../shop/channels/currencies/shape.ts'
import { taxTables } from '../calculation/tables.ts'
import type { TryConnection } from '../providers/connections.ts'
import { documentOf } from './document.ts'
import type { Estimates } from './estimates.ts'
import type { Sale, SaleAddress } from './sale.ts'

const AMOUNT = unitsOf(10)
const COUNTRY = 'US'

/** Tries the login of a provider by the estimate of one item, sent within its first country. */
export const connectionTrial =
  (estimates: Estimates, now: () => Date): TryConnection =>
  async (db, provider) => {
    const { currency, tables } = await db.together(() => ({ currency: defaultCurrency(db), tables: taxTables(db) }))
    const [country = COUNTRY] = provider.target.country_codes
    const sale = trialSale(currency.currency_code, country, now())
    const estimate = await estimates.test(db, provider, documentOf(sale, tables))
    return estimate.ok ? 'ok' : estimate.reason
  }

function trialSale(currency_code: string, country_code: string, date: Date): Sale {
  const address: SaleAddress = {
    line1: '',
    line2: '',
    city: '',
    state: '',
    country_code,
    postal_code: '',
    company_name: '',
  }
  const item = { id: '1', type: 'item' as const, name: 'Connection test', upc: '', sku: '', tax_properties: {} }
  return {
    id: 'connection-test',
    currency_code,
    decimals: 2,
    isInclusive: false,
    date,
    customer: { id: 0, group_id: 0, taxability_code: '', tax_properties: {} },
    billing: address,
    consignments: [
      {
        id: '1',
        origin: address,
        destination: address,
        items: [{ ...item, amount: AMOUNT, quantity: 1, classId: 0, wrapping: undefined }],
        shipping: 0n,
        handling: 0n,
      },
    ],
  }
}
