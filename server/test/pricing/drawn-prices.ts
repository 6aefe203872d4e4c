import fc from 'fast-check'

// Random prices and their changes, for tests that compare calculators.

export interface Adjuster {
  adjuster: 'relative' | 'percentage'
  adjuster_value: number
}
export interface Reduction {
  method: 'percent' | 'price' | 'fixed'
  amount: number
}

/** Numbers with four decimals. @param min in ten-thousandths */
export const ten4 = (min: number, max: number) => fc.integer({ min, max }).map((units) => units / 10_000)
export const drawnAmount = fc.oneof(
  ten4(0, 2_000_000),
  fc.integer({ min: 0, max: 20_000 }).map((cents) => cents / 100),
)
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
export const drawnAdjuster: fc.Arbitrary<Adjuster> = fc.oneof(
  fc.record({ adjuster: fc.constant('relative' as const), adjuster_value: ten4(-300_000, 300_000) }),
  fc.record({ adjuster: fc.constant('percentage' as const), adjuster_value: ten4(-500_000, 500_000) }),
)
export const drawnReduction: fc.Arbitrary<Reduction> = fc.oneof(
  fc.record({ method: fc.constant('percent' as const), amount: ten4(0, 1_000_000) }),
  fc.record({ method: fc.constantFrom('price' as const, 'fixed' as const), amount: ten4(0, 400_000) }),
)
