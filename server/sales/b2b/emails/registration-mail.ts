import type { Tx } from '../../../core/db/database.ts'
import { MAIL_ADDRESS, sendMail } from '../../../core/mail/outbox.ts'

// Mails about companies that register in the shop (docs/contract/b2b-graphql.md section 5). Names are text of buyers, and stand in the
// text of a mail only.

/** A company that has registered. */
interface Registration {
  companyName: string
  /** The person who registered it. */
  admin: { name: string; email: string }
  /** The address of the seller; undefined for a store without staff. */
  seller: string | undefined
  isApproved: boolean
}

/** Mails both sides about a registration. */
export async function mailRegistration(tx: Tx, { companyName, admin, seller, isApproved }: Registration) {
  const [forAdmin, forSeller] = isApproved
    ? ['It is approved: sign in to buy for it.', 'It is approved.']
    : ['You will receive a mail as soon as it is approved.', 'It waits for your approval.']
  await mail(tx, admin.email, {
    subject: 'Your company is registered',
    text: `The company ${companyName} is registered. ${forAdmin}\n`,
  })
  if (seller === undefined) return
  await mail(tx, seller, {
    subject: 'A company has registered',
    text: `${admin.name} (${admin.email}) has registered the company ${companyName}. ${forSeller}\n`,
  })
}

/** Mails a company that it is approved. */
export const mailApproval = (
  tx: Tx,
  { company_name, company_email }: { company_name: string; company_email: string },
) =>
  mail(tx, company_email, {
    subject: 'Your company is approved',
    text: `The company ${company_name} is approved: sign in to buy for it.\n`,
  })

async function mail(tx: Tx, to: string, content: { subject: string; text: string }) {
  if (new RegExp(MAIL_ADDRESS, 'u').test(to)) await sendMail(tx, { to, ...content })
}
