const LOOKS_MAX = 2_000_000

/**
 * Bounds the work of one evaluation, in looks of a matcher at a line. A round of a rule costs as much as several looks. Promotions that
 * are left when the budget is spent are not applied (docs/contract/promotions.md section 4).
 */
export class Budget {
  #left = LOOKS_MAX

  get isSpent(): boolean {
    return this.#left < 0
  }

  spend(looks: number) {
    this.#left -= looks
  }
}
