import { createHash } from 'node:crypto'
import { countryOf, nameOfCountry } from '../../../core/geography/countries.ts'
import { stateByName, statesOf } from '../../../core/geography/states.ts'
import { amountOf, type Units } from '../../../core/money/units.ts'
import type { TaxTables } from '../calculation/tables.ts'
import { digitalConsignment, type Sale, type SaleAddress, type SaleConsignment, type SaleItem } from './sale.ts'

// The body of a call to a tax provider (docs/contract/tax.md section 10).

interface DocumentPrice {
  amount: number
  tax_inclusive: boolean
}

interface DocumentProperty {
  code: string
  value: string
}

/** A line of a document: an item, its wrapping, shipping or handling. */
export interface DocumentLine {
  id: string
  type: 'item' | 'fee' | 'refund' | 'wrapping' | 'shipping' | 'handling'
  item_code: string
  item_reference: string
  name: string
  price: DocumentPrice
  quantity: number
  tax_class: { code: string; class_id: string; name: string }
  tax_exempt: boolean
  tax_properties: DocumentProperty[]
}

interface DocumentItem extends DocumentLine {
  wrapping: DocumentLine | null
}

type DocumentAddress = ReturnType<typeof addressOf>

/** The document of one consignment. */
interface ConsignmentDocument {
  id: string
  billing_address: DocumentAddress
  destination_address: DocumentAddress
  origin_address: DocumentAddress
  items: DocumentItem[]
  shipping: DocumentLine
  handling: DocumentLine
}

/** The body of an estimate or a commit. */
export interface TaxDocument {
  id: string
  currency_code: string
  customer: {
    customer_id: string
    customer_group_id: string
    taxability_code: string
    tax_properties: DocumentProperty[]
  }
  transaction_date: string
  documents: ConsignmentDocument[]
}

/** The classes of a store, as documents name them. */
type DocumentClasses = Pick<TaxTables, 'classNames' | 'costClasses'>

/** Returns the document of a sale, one for each consignment. Pure. */
export function documentOf(sale: Sale, classes: DocumentClasses): TaxDocument {
  const { customer } = sale
  return {
    id: sale.id,
    currency_code: sale.currency_code,
    customer: {
      customer_id: String(customer.id),
      customer_group_id: String(customer.group_id),
      taxability_code: customer.taxability_code,
      tax_properties: propertiesOf(customer.tax_properties),
    },
    transaction_date: sale.date.toISOString(),
    documents: sale.consignments.map((consignment) => consignmentDocument(consignment, sale, classes)),
  }
}

function consignmentDocument(
  { id, origin, destination, items, shipping, handling }: SaleConsignment,
  { isInclusive, billing }: Sale,
  { classNames, costClasses }: DocumentClasses,
): ConsignmentDocument {
  const line = (line: Pick<DocumentLine, 'id' | 'type'> & Partial<DocumentLine>, price: Priced): DocumentLine => ({
    item_code: '',
    item_reference: '',
    name: '',
    quantity: 1,
    tax_properties: [],
    ...line,
    price: { amount: amountOf(price.amount), tax_inclusive: isInclusive },
    // Providers have classes of their own. No field of ours names them.
    tax_class: { code: '', class_id: String(price.classId ?? 0), name: classNames.get(price.classId ?? 0) ?? '' },
    tax_exempt: price.classId === undefined,
  })
  const itemOf = ({ wrapping, ...item }: SaleItem): DocumentItem => ({
    ...line(
      {
        id: item.id,
        type: item.type,
        item_code: item.upc || item.sku,
        item_reference: item.sku,
        name: item.name,
        quantity: item.quantity,
        tax_properties: propertiesOf(item.tax_properties),
      },
      item,
    ),
    wrapping: wrapping
      ? line(
          { id: wrapping.id, type: 'wrapping', name: wrapping.name },
          { amount: wrapping.amount, classId: costClasses.wrapping },
        )
      : null,
  })
  return {
    id,
    billing_address: addressOf(billing),
    destination_address: addressOf(destination),
    origin_address: addressOf(origin),
    items: items.map(itemOf),
    shipping: line(
      { id: `shipping-${id}`, type: 'shipping', name: 'Shipping' },
      { amount: shipping, classId: costClasses.shipping },
    ),
    handling: line(
      { id: `handling-${id}`, type: 'handling', name: 'Handling' },
      { amount: handling, classId: costClasses.handling },
    ),
  }
}

interface Priced {
  amount: Units
  classId: number | undefined
}

const propertiesOf = (values: Readonly<Record<string, string>>): DocumentProperty[] =>
  Object.entries(values).map(([code, value]) => ({ code, value }))

function addressOf({ line1, line2, city, state, country_code, postal_code, company_name }: SaleAddress) {
  const country = countryOf(country_code) ?? country_code
  const region = regionOf(country, state)
  return {
    line1,
    line2,
    city,
    region_name: region?.name ?? state,
    region_code: region?.code ?? '',
    country_name: nameOfCountry(country),
    country_code: country,
    postal_code,
    company_name,
    type: company_name === '' ? 'RESIDENTIAL' : 'COMMERCIAL',
  }
}

const regionOf = (country: string, state: string) =>
  stateByName(country, state) ?? statesOf(country)?.find(({ code }) => code === state.toUpperCase())

/** The code of the state of an address, of ISO 3166-2 without the country. A state of a country without a list stays as it is. */
export const regionCodeOf = ({ country_code, state }: SaleAddress): string =>
  regionOf(country_code.toUpperCase(), state)?.code ?? state.toUpperCase()

/** The lines of a document in the order of `linesOfSale`. */
export const linesOfDocument = ({ items, shipping, handling }: ConsignmentDocument): DocumentLine[] => [
  ...items.flatMap((item) => [item, ...(item.wrapping ? [item.wrapping] : [])]),
  shipping,
  handling,
]

/**
 * A digest of a document without the id of the sale and without the hour, which change with every attempt of the same sale. The day
 * remains, because taxes change at midnight.
 */
export function digestOf({ id, transaction_date, ...rest }: TaxDocument): string {
  const text = JSON.stringify({ ...rest, day: transaction_date.slice(0, 10) })
  const digital = digitalConsignment({ id })
  return createHash('sha256')
    .update(text.replaceAll(digital, digitalConsignment({ id: '' })))
    .digest('base64url')
}
