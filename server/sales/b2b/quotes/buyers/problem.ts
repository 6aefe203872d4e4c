import { Problem } from '../../../../core/rest/problem.ts'

/** A line of a quote whose product can't be bought as it is wanted. */
export interface FaultyLine {
  /** The position of the line, from 0. */
  line: number
  productId: number
  variantId: number
  productName: string
  code: 'NON_PURCHASABLE' | 'OOS'
}

/** The refusal of lines whose products can't be bought. */
export class FaultyLines extends Problem {
  readonly lines: readonly FaultyLine[]

  constructor(lines: readonly FaultyLine[]) {
    super(422, "Some products of the quote can't be bought.")
    this.lines = lines
  }
}
