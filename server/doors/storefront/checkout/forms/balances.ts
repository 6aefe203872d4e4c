import type { Problem } from '../../../../core/rest/problem.ts'
import { withCertificate, withoutCertificate } from '../../../../sales/carts/checkouts/changes/redemptions.ts'
import { findCertificates } from '../../../../sales/promotions/certificate-balance.ts'
import { type Form, textIn } from './form.ts'
import type { StepOutcome } from './steps.ts'

// Forms of gift certificates and store credit, which pay a part of the order.

/** Applies a gift certificate, or removes one. */
export function certificateStep(form: Form): StepOutcome {
  const removed = textIn(form, 'remove')
  if (removed !== '') return { change: ({ document }) => withoutCertificate(document, removed) }
  const code = textIn(form, 'certificateCode')
  if (code === '') return { errors: { certificateCode: 'needed' } }
  return {
    async change({ tx, document, cart: { currency_code } }) {
      const [found] = await findCertificates(tx, [code], tx.now)
      return withCertificate(document, found, { code, currency_code })
    },
  }
}

/** Uses the store credit of the customer, or stops to use it. */
export const creditStep = (form: Form): StepOutcome => ({
  change: ({ document }) => ({ ...document, uses_credit: textIn(form, 'useCredit') !== '' }),
})

export const isAboutCertificate = ({ errors }: Problem): boolean => 'gift_certificate_code' in errors
