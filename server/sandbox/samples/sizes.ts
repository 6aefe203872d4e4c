export type Size = 'tiny' | 'demo' | 'large'

/** Products of the sample data. */
export const SIZES: Readonly<Record<Size, number>> = { tiny: 12, demo: 500, large: 250_000 }

/** Orders of the sample data. */
export const ORDERS: Readonly<Record<Size, number>> = { tiny: 0, demo: 0, large: 1_000_000 }
