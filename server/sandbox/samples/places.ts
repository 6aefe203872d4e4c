import type { Tx } from '../../core/db/database.ts'
import { adjust } from '../../goods/inventory/adjustments.ts'
import { changeLocations, createLocations } from '../../goods/inventory/locations/locations.ts'
import { createMethods } from '../../goods/pickup/methods.ts'
import type { Article } from './goods.ts'

const hours = (opening: string, closing: string) => ({ open: true, opening, closing })
const weekdays = <D>(day: D) => ({ monday: day, tuesday: day, wednesday: day, thursday: day, friday: day })

const address = (address1: string, city: string, zip: string, [latitude, longitude]: readonly [number, number]) => ({
  address1,
  city,
  state: '',
  zip,
  email: `${city.toLowerCase()}@example.com`,
  geo_coordinates: { latitude, longitude },
  country_code: 'DK',
})

const warehouse = {
  label: 'Warehouse',
  description: 'Where orders are sent from',
  time_zone: 'Europe/Copenhagen',
  address: address('Havnevej 9', 'Roskilde', '4000', [55.6415, 12.0803]),
  operating_hours: weekdays(hours('07:00', '16:00')),
}

const shops = [
  {
    code: 'COPENHAGEN',
    label: 'Shop in Copenhagen',
    time_zone: 'Europe/Copenhagen',
    address: address('Nyhavn 12', 'Copenhagen', '1051', [55.6798, 12.5914]),
    operating_hours: { ...weekdays(hours('10:00', '19:00')), saturday: hours('10:00', '17:00') },
    special_hours: [{ label: 'Christmas', date: '2026-12-25', open: false, annual: true }],
  },
  {
    code: 'AARHUS',
    label: 'Shop in Aarhus',
    time_zone: 'Europe/Copenhagen',
    address: address('Bispegade 3', 'Aarhus', '8000', [56.1572, 10.2107]),
    operating_hours: { ...weekdays(hours('10:00', '18:00')), saturday: hours('10:00', '15:00') },
    special_hours: [
      { label: 'Long night of shopping', date: '2026-11-27', open: true, opening: '10:00', closing: '24:00' },
    ],
  },
]

const ways = [
  {
    location_id: 1,
    name: 'At the gate',
    collection_instructions: 'Ring, and say the number of your order.',
    collection_time_description: 'From 7 to 16 on weekdays',
  },
  {
    location_id: 2,
    name: 'At the counter',
    collection_instructions: 'Bring the number of your order.',
    collection_time_description: 'Two hours after the order, while the shop is open',
  },
  {
    location_id: 2,
    name: 'Into your car',
    collection_instructions: 'Call when you are in front of the shop.',
    collection_time_description: 'From 12 to 18 on weekdays',
  },
  {
    location_id: 3,
    name: 'At the counter',
    collection_instructions: 'Bring the number of your order.',
    collection_time_description: 'While the shop is open',
  },
]

/** Gives the store a warehouse and two shops with ways to collect at each, as their routes would. */
export async function openPlaces(tx: Tx) {
  await changeLocations(tx, [{ id: 1, ...warehouse }])
  await createLocations(tx, shops)
  await createMethods(tx, ways)
}

/** Moves some of the stock to the shops. The warehouse has the initial stock of the products. */
export async function stockShops(tx: Tx, articles: readonly Article[]) {
  const skus = articles.flatMap(({ body: { inventory_tracking, sku = '', variants = [] } }) => {
    if (inventory_tracking === 'product') return [sku]
    return inventory_tracking === 'variant' ? variants.map((variant) => variant.sku) : []
  })
  const items = skus.flatMap((sku, i) => [
    ...(i % 2 === 0 ? [{ location_id: 2, sku, quantity: (i * 7) % 12 }] : []),
    ...(i % 3 === 0 ? [{ location_id: 3, sku, quantity: (i * 5) % 9 }] : []),
  ])
  if (items.length > 0) await adjust(tx, 'absolute', { reason: 'Opening stock', items })
}
