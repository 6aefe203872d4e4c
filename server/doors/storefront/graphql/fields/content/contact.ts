import t from 'typebox'
import { MAIL_ADDRESS, sendMail } from '../../../../../core/mail/outbox.ts'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { storeProfile } from '../../../../../shop/settings/families/families.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { attempt, inCamelCase, limitCalls, validationError, validationErrors, withoutNulls } from '../result-errors.ts'
import { settingsFor } from '../shop.ts'
import { findShopPage } from './pages.ts'

const line = t.Optional(t.String({ maxLength: 255 }))
const Message = t.Object({
  email: t.String({ minLength: 3, maxLength: 255, pattern: MAIL_ADDRESS }),
  comments: t.String({ minLength: 1, maxLength: 65_535, pattern: '\\S' }),
  fullName: line,
  phoneNumber: line,
  orderNumber: line,
  companyName: line,
  rmaNumber: line,
})
const readMessage = itemReader(Message)

/** The optional fields with their labels, and their names in the settings of a page. */
const FIELDS = [
  ['fullName', 'Name', 'fullname'],
  ['phoneNumber', 'Phone', 'phone'],
  ['companyName', 'Company', 'companyname'],
  ['orderNumber', 'Order', 'orderno'],
  ['rmaNumber', 'RMA', 'rma'],
] as const

interface ContactInput {
  pageEntityId: number
  data: object
}

/** Sends a message of a shopper to the address of a contact page, or of the store. The mail is plain text. */
export async function submitContactUs(caller: StorefrontCaller, { pageEntityId, data }: ContactInput) {
  await limitCalls(caller)
  const read = await attempt(async () => readMessage(withoutNulls(data)))
  if (read.problem) {
    return { errors: validationErrors(read.problem, (path) => ['data', ...inCamelCase(path)]) }
  }
  const page = await findShopPage(caller, pageEntityId)
  if (page?.type !== 'contact_form') {
    return { errors: [validationError(['pageEntityId'], `The page ${pageEntityId} is not a contact page.`)] }
  }
  const profile = (await settingsFor(caller)).of(storeProfile)
  const to = page.email || profile.store_email
  if (!new RegExp(MAIL_ADDRESS, 'u').test(to)) {
    return { errors: [validationError(['pageEntityId'], 'The store has no address for messages.')] }
  }
  const message = read.result
  const asked = page.contact_fields?.split(',') ?? []
  const lines = FIELDS.flatMap(([name, label, setting]) =>
    asked.includes(setting) && message[name] ? [`${label}: ${message[name]}`] : [],
  )
  const text = [`E-mail: ${message.email}`, ...lines, '', message.comments].join('\n')
  const subject = `${page.name}: message of ${message.email}`
  await caller.storefront.db.transaction((tx) => sendMail(tx, { to, subject, text }))
  return { errors: [] }
}
