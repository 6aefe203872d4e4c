/** Products of the sample data, by the name of its size. */
export const SIZES = { tiny: 12, demo: 500, large: 250_000 } as const
export type Size = keyof typeof SIZES
