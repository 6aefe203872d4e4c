import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { storeInstrument } from '../../customers/accounts/stored-instruments.ts'
import type { InstrumentType, VaultedCard } from './gateways/gateway.ts'

// The instruments that gateways store for customers. Customers identify an instrument by its token, and its gateway by its reference.

type StoredType = Extract<InstrumentType, `stored_${string}`>

/** A stored instrument of a customer with its reference at the gateway. */
export interface VaultInstrument {
  token: string
  type: StoredType
  is_default: boolean
  details: Readonly<Record<string, unknown>>
  gateway: string
  reference: string
}

/** The stored instruments of a customer, the default first, then the newest. Guests have none. */
export const instrumentsAt = (db: Db, customer: number): Promise<VaultInstrument[]> =>
  db.rows<VaultInstrument>(
    prepared(sql`
      select token, type, is_default, details, gateway, reference
      from stored_instruments instrument join payment_vault vault using (token)
      where instrument.store_id = ${db.store.id} and vault.store_id = ${db.store.id} and customer_id = ${customer}
      order by is_default desc, id desc`),
  )

/** Stores a card for a customer. @throws Problem 404 for the customer, 403 past the maximum */
export async function storeCard(tx: Tx, customer: number, gateway: string, { reference, ...card }: VaultedCard) {
  const token = await storeInstrument(tx, customer, { type: 'stored_card', ...card, billing_address: {} })
  const row = { store_id: tx.store.id, token, gateway, reference }
  await tx.rows(sql`insert into payment_vault ${sql.rows([row])}`)
}
