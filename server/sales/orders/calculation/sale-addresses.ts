import type { SaleAddress } from '../../tax/estimates/sale.ts'
import type { OrderBillingAddress, PickupPlace, PostalAddress } from '../row/rows.ts'

/** The addresses of an order that its tax depends on. */
export interface TaxedPlaces {
  billing: OrderBillingAddress
  /** Undefined if the order is sent to the billing address, or is not sent. */
  address: PostalAddress | undefined
  collectedAt: PickupPlace | undefined
}

/** An address of an order in the form of sales. */
export const saleAddressOf = (address: PostalAddress): SaleAddress => ({
  line1: address.street_1,
  line2: address.street_2,
  city: address.city,
  state: address.state,
  country_code: address.country_iso2,
  postal_code: address.zip,
  company_name: address.company,
})

/** The place where an order is collected. */
export const salePlaceOf = (place: PickupPlace): SaleAddress => ({
  line1: place.address_line_1,
  line2: place.address_line_2,
  city: place.city,
  state: place.state,
  country_code: place.country_alpha2,
  postal_code: place.postal_code,
  company_name: '',
})

/** All addresses of an order in the form of sales. */
export const saleAddressesOf = ({ billing, address, collectedAt }: TaxedPlaces) => [
  saleAddressOf(billing),
  address && saleAddressOf(address),
  collectedAt && salePlaceOf(collectedAt),
]
