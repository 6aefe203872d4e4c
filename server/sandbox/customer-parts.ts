import type { Static } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import { createAttributes } from '../customers/attributes/attributes.ts'
import { replaceFormFields } from '../customers/form-fields/routes.ts'
import type { NewParts } from '../customers/new-parts.ts'
import { at } from './catalog.ts'

/** Their ids are 1, 2 and 3: the store has none before. */
const attributes = [
  { name: 'Member since', type: 'date' as const },
  { name: 'Shoe size', type: 'number' as const },
  { name: 'Found us by', type: 'string' as const },
]
const [MEMBER_SINCE, SHOE_SIZE, FOUND_US_BY] = [1, 2, 3]

const interests = ['Kitchen', 'Bedroom', 'Garden', 'Workshop']
const formFields = {
  customer: [
    { name: 'Interests', label: 'What would you like to read about?', type: 'checkboxes' as const, options: interests },
    { name: 'Nickname', type: 'text' as const },
    { name: 'Children at home', type: 'numbers' as const },
  ],
  address: [
    { name: 'Floor', type: 'text' as const },
    { name: 'Leave at', type: 'picklist' as const, options: ['Front door', 'Neighbour', 'Parcel box'] },
  ],
}

const place = (city: string, state_or_province: string, postal_code: string, country_code: string) => ({
  city,
  state_or_province,
  postal_code,
  country_code,
})
const places = [
  place('Copenhagen', '', '1051', 'DK'),
  place('Aarhus', '', '8000', 'DK'),
  place('Portland', 'Oregon', '97201', 'US'),
  place('Sydney', 'New South Wales', '2000', 'AU'),
  place('Leeds', 'West Yorkshire', 'LS1 4DY', 'GB'),
  place('München', 'Bayern', '80331', 'DE'),
  place('Montréal', 'Quebec', 'H2Y 1C6', 'CA'),
  place('Hong Kong', '', '', 'HK'),
  place('São Paulo', 'São Paulo', '01310-100', 'BR'),
  place('Firenze', 'Firenze', '50122', 'IT'),
  place('Cork', 'Cork', 'T12 W8XF', 'IE'),
]
const streets = ['Mill Lane', 'Harbour Street', 'Station Road', 'Orchard Row', 'Bridge Street', 'Chapel Hill']
const sources = ['A friend', 'A newspaper', 'A fair', 'The shop window']

/** What the store of the demo asks its customers for. Call it once, before the first of them. */
export async function askCustomers(tx: Tx) {
  await createAttributes(tx, attributes)
  await replaceFormFields(tx, formFields)
}

/** Who lives somewhere. */
interface Resident {
  first_name: string
  last_name: string
  company?: string
}

/**
 * The addresses, attributes and form fields that the nth customer of the demo brings along: none to three addresses, and some of the
 * rest. The same n gives the same parts.
 */
export function demoParts(n: number, { first_name, last_name, company = '' }: Resident): Static<typeof NewParts> {
  const addresses = Array.from({ length: n % 4 }, (_, i) => ({
    first_name,
    last_name,
    company: i === 1 ? company : '',
    address1: `${1 + ((n * 7 + i * 13) % 98)} ${at(streets, n + i)}`,
    ...at(places, n * 3 + i * 5),
    phone: `555 ${String(1_000 + ((n * 37) % 9_000))}`,
    address_type: i === 1 && company !== '' ? ('commercial' as const) : ('residential' as const),
    form_fields: [
      ...((n + i) % 3 === 0 ? [{ name: 'Floor', value: `${1 + (n % 5)}` }] : []),
      ...((n + i) % 4 === 0 ? [{ name: 'Leave at', value: at(formFields.address[1]?.options ?? [], n) }] : []),
    ],
  }))
  return {
    addresses,
    attributes: [
      { attribute_id: MEMBER_SINCE, attribute_value: `20${10 + (n % 16)}-0${1 + (n % 9)}-1${n % 10}` },
      ...(n % 2 === 0 ? [{ attribute_id: SHOE_SIZE, attribute_value: `${36 + (n % 20) / 2}` }] : []),
      ...(n % 3 === 0 ? [{ attribute_id: FOUND_US_BY, attribute_value: at(sources, n) }] : []),
    ],
    form_fields: [
      ...(n % 2 === 0 ? [{ name: 'Interests', value: interests.filter((_, i) => (n + i) % 3 === 0) }] : []),
      ...(n % 5 === 0 ? [{ name: 'Children at home', value: n % 4 }] : []),
    ],
  }
}
