export type Size = 'tiny' | 'demo' | 'large'

/** Products of the sample data. */
export const SIZES: Readonly<Record<Size, number>> = { tiny: 12, demo: 500, large: 250_000 }

/** Orders of the sample data. */
export const ORDERS: Readonly<Record<Size, number>> = { tiny: 0, demo: 0, large: 1_000_000 }

/** Companies of the sample data, and their invoices. The demo store gets companies of its own. */
export const COMPANIES: Readonly<Record<Size, { companies: number; invoices: number }>> = {
  tiny: { companies: 0, invoices: 0 },
  demo: { companies: 0, invoices: 0 },
  large: { companies: 10_000, invoices: 1_000_000 },
}
