import type { Tx } from '../../../../core/db/database.ts'
import { findLocation } from '../../../../goods/inventory/locations/location-shape.ts'
import { lockMethodsShared } from '../../../../goods/pickup/methods.ts'
import type { ContextOf } from '../../../../shop/emails/contents/contexts.ts'
import type { OrderRow } from '../../row/rows.ts'

// Data that several e-mails about orders have.

type MailedMethod = ContextOf<'invoice_email'>['order']['pickup_methods'][number]

/** Reads pickup methods with the current data of their locations. */
export async function mailedMethods(tx: Tx, ids: readonly number[]): Promise<MailedMethod[]> {
  if (ids.length === 0) return []
  const mailed: MailedMethod[] = []
  for (const { id, name, location_id, collection_instructions } of (await lockMethodsShared(tx, ids)).values()) {
    const place = await findLocation(tx, location_id)
    if (!place) continue
    const { address, operating_hours: week } = place
    const day = ({ open, opening, closing }: (typeof week)['monday']) => ({
      is_open: open,
      opening_time: { formatted: opening },
      closing_time: { formatted: closing },
    })
    mailed.push({
      id,
      name,
      email: address?.email ?? '',
      phone: address?.phone ?? '',
      instructions: collection_instructions,
      location: {
        id: place.id,
        name: place.label,
        address: address?.address1 ?? '',
        city: address?.city ?? '',
        state: address?.state ?? '',
        zip: address?.zip ?? '',
        country: address?.country_code ?? '',
      },
      operating_hours: {
        sunday: day(week.sunday),
        monday: day(week.monday),
        tuesday: day(week.tuesday),
        wednesday: day(week.wednesday),
        thursday: day(week.thursday),
        friday: day(week.friday),
        saturday: day(week.saturday),
      },
    })
  }
  return mailed
}

/** Formats amounts in the currency of an order: `$12.50`. */
export function moneyFormat({
  currency_code,
  currency_decimals,
}: Pick<OrderRow, 'currency_code' | 'currency_decimals'>) {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency_code,
    minimumFractionDigits: currency_decimals,
    maximumFractionDigits: currency_decimals,
  })
  return (amount: number) => format.format(amount)
}

/** A day for people, as `14 March 2026` in English. */
export const mailedDay = (moment: string) =>
  new Date(moment).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
