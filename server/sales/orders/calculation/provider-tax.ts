import { unitsOf } from '../../../core/money/units.ts'
import type { TaxTables } from '../../tax/calculation/tables.ts'
import type { SaleFacts } from '../../tax/estimates/facts.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import { digitalConsignment, type Sale, type SaleAddress, type SaleItem } from '../../tax/estimates/sale.ts'
import type { FeeRow, OrderRow } from '../row/rows.ts'
import { billOf, discountedOf } from './bill.ts'
import type { LineDraft } from './lines.ts'
import { saleAddressOf, salePlaceOf, type TaxedPlaces } from './sale-addresses.ts'
import { taxedAsQuoted, unitPrices } from './taxed-by.ts'

/** The facts for the calculation of an order's tax by the store's provider. */
export interface ProviderFacts {
  tables: TaxTables
  facts: SaleFacts
  /** The place that the store sends from. */
  origin: SaleAddress
  quotes: TaxQuotes
}

/** The parts of an order that its provider needs, besides its lines. */
interface OrderToTax extends TaxedPlaces {
  /** With its costs and discounts. */
  charges: OrderRow
  fees: readonly Pick<FeeRow, 'cost_ex_tax' | 'cost_inc_tax' | 'display_name_customer' | 'tax_class_id'>[]
}

/** Whether a tax provider, or its fall-back, has calculated the tax of a line. */
export const isQuoted = ({ taxed_by }: Pick<LineDraft, 'taxed_by'>): boolean => taxed_by?.quoted_for !== undefined

/**
 * Taxes the lines that the server priced by the store's provider (docs/contract/tax.md section 10). The document has the whole order; the answer
 * counts for these lines only, since all other costs come with their tax. Without a provider the lines stay as they are.
 * @throws NeedsPreparation, Problem 503
 */
export function taxedByProvider(
  lines: readonly LineDraft[],
  order: OrderToTax,
  { tables, quotes, ...sources }: ProviderFacts,
): { lines: readonly LineDraft[]; provider: string | undefined } {
  if (!lines.some(({ taxed_by }) => taxed_by)) return { lines, provider: undefined }
  const { lines: billed } = billOf(order.charges, lines, order.fees, {})
  // An order that is out of bounds is refused afterwards.
  if (billed.length < lines.length) return { lines, provider: undefined }
  const amounts = billed.map((line) => amountLeft(line, order.charges.is_tax_inclusive_pricing))
  const tax = quotes.taxOf(tables, saleOf(billed, amounts, order, sources))
  if (!tax) return { lines, provider: undefined }
  const taxed = lines.map((line, i) => {
    const found = tax.byItem.get(itemId(line, i))
    if (!line.taxed_by || !found) return line
    const taxed_by = taxedAsQuoted(line.taxed_by, amounts[i] ?? 0n, found)
    return { ...line, ...unitPrices(unitsOf(line.base_price), taxed_by), taxed_by }
  })
  return { lines: taxed, provider: tax.provider }
}

/** New lines have no id yet. */
const itemId = ({ id }: LineDraft, i: number): string => (id === undefined ? `new-${i + 1}` : String(id))

/** All units after discounts, as prices are entered. */
function amountLeft(line: LineDraft, isInclusive: boolean) {
  if (line.taxed_by) return unitsOf(line.base_price) * BigInt(line.quantity) - unitsOf(line.discount)
  const { ex, inc } = discountedOf(line, isInclusive)
  return isInclusive ? inc : ex
}

function saleOf(
  lines: readonly LineDraft[],
  amounts: readonly bigint[],
  { charges, fees, billing: billingAddress, address, collectedAt }: OrderToTax,
  { facts, origin }: Pick<ProviderFacts, 'facts' | 'origin'>,
): Sale {
  const isInclusive = charges.is_tax_inclusive_pricing
  const entered = (ex: number, inc: number) => unitsOf(isInclusive ? inc : ex)
  const items = lines.map((line, i): SaleItem & { isSent: boolean } => {
    const wrapping = entered(line.wrapping_cost_ex_tax, line.wrapping_cost_inc_tax)
    const id = itemId(line, i)
    return {
      id,
      type: 'item',
      name: line.name,
      upc: line.upc,
      sku: line.sku,
      amount: amounts[i] ?? 0n,
      quantity: line.quantity,
      classId: line.type === 'giftcertificate' ? undefined : (line.taxed_by?.class_id ?? 0),
      tax_properties: facts.productProperties.get(line.product_id) ?? {},
      wrapping: wrapping > 0n ? { id: `wrapping-${id}`, name: line.wrapping_name ?? '', amount: wrapping } : undefined,
      isSent: collectedAt !== undefined || line.type === 'physical',
    }
  })
  const feeItems = fees.map(
    (fee, i): SaleItem => ({
      id: `fee-${i + 1}`,
      type: 'fee',
      name: fee.display_name_customer,
      upc: '',
      sku: '',
      amount: entered(fee.cost_ex_tax, fee.cost_inc_tax),
      quantity: 1,
      classId: fee.tax_class_id ?? 0,
      tax_properties: {},
      wrapping: undefined,
    }),
  )
  // The id of an order that is created is not given yet.
  const id = charges.id === 0 ? 'new-order' : String(charges.id)
  const billing = saleAddressOf(billingAddress)
  const place = collectedAt && salePlaceOf(collectedAt)
  const [sent, digital] = [items.filter(({ isSent }) => isSent), items.filter(({ isSent }) => !isSent)]
  const hasGoods = sent.length > 0
  const first = {
    id: hasGoods ? '1' : digitalConsignment({ id }),
    origin: place ?? origin,
    destination: place ?? (hasGoods && address ? saleAddressOf(address) : billing),
    items: [...(hasGoods ? sent : digital), ...feeItems],
    shipping: entered(charges.shipping_cost_ex_tax, charges.shipping_cost_inc_tax),
    handling: entered(charges.handling_cost_ex_tax, charges.handling_cost_inc_tax),
  }
  const downloads = {
    id: digitalConsignment({ id }),
    origin,
    destination: billing,
    items: digital,
    shipping: 0n,
    handling: 0n,
  }
  return {
    id,
    currency_code: charges.currency_code,
    decimals: charges.currency_decimals,
    isInclusive,
    date: new Date(charges.date_created),
    customer: facts.customer,
    billing,
    consignments: hasGoods && digital.length > 0 ? [first, downloads] : [first],
  }
}
