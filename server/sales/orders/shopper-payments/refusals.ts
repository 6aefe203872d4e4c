import { Problem } from '../../../core/rest/problem.ts'
import { PAYMENT_CODES } from '../../payments/gateways/gateway.ts'

/** A refusal of a payment, with its code (docs/contract/payments.md section 4). */
class PaymentProblem extends Problem {
  readonly code: number

  constructor(status: number, code: number, title: string, errors: Record<string, string> = {}) {
    super(status, title, errors)
    this.code = code
  }
}

export const paymentProblem = (code: number, title: string, errors: Record<string, string> = {}) =>
  new PaymentProblem(STATUSES[code] ?? 422, code, title, errors)

/** Statuses of codes; that of all others is 422. */
const STATUSES: Readonly<Record<number, number>> = {
  [PAYMENT_CODES.temporary]: 503,
  [PAYMENT_CODES.orderNotFound]: 404,
  [PAYMENT_CODES.noToken]: 500,
  [PAYMENT_CODES.duplicate]: 409,
}

/** The code of a refusal that has none of its own. */
export function codeOf(problem: Problem): number | undefined {
  if (problem instanceof PaymentProblem) return problem.code
  if (problem.status === 503) return PAYMENT_CODES.temporary
  return problem.status === 400 || problem.status === 422 ? PAYMENT_CODES.invalid : undefined
}
