export type Size = 'tiny' | 'demo' | 'large'

/** Products of the sample data. */
export const SIZES: Readonly<Record<Size, number>> = { tiny: 12, demo: 500, large: 250_000 }
