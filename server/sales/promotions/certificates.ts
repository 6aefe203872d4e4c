import { randomInt } from 'node:crypto'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { textOf, unitsOf } from '../../core/money/units.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Amount } from '../../core/rest/input/amounts.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { filterOf } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { change, findOne, findWhere, insert, lock, remove, removeAll } from '../../core/rest/lists/verbs.ts'
import { listV2, queryV2, rowsV2 } from '../../core/rest/v2.ts'
import { currencyPair } from '../../shop/channels/currencies/shape.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { recordChange, recordDeletions, statusAt, storedCode } from './certificate-balance.ts'
import { MarketingDate, readDate, StoredDate, unixText } from './dates-v2.ts'

/**
 * A gift certificate is an amount of money that anybody who knows its code can spend in carts of its currency. The merchant creates it
 * here. Its balance begins as its amount; payments lower it, refunds and merchants raise it. Each change of the balance is a row of
 * its history, so that the rows always add up to the balance. A certificate without a balance stays active. It expires by the clock of
 * the request: no job changes its status. Deleting it keeps its history and the amounts of past orders.
 */

const { read, write } = access('marketing')

const TEMPLATES = ['birthday', 'boy', 'girl', 'celebration', 'christmas', 'general'] as const

const Name = t.String({ maxLength: 255 })
const Email = t.String({ maxLength: 255 })

const Row = t.Object({
  id: Id,
  code: t.String({ maxLength: 255 }),
  status: t.Enum(['active', 'pending', 'disabled', 'expired']),
  customer_id: t.Integer({ minimum: 0 }),
  order_id: t.Integer({ minimum: 0 }),
  to_name: Name,
  to_email: Email,
  from_name: Name,
  from_email: Email,
  amount: Amount(),
  balance: Amount(),
  currency_code: t.String(),
  purchase_date: t.String({ format: 'date-time' }),
  expiry_date: StoredDate,
  template: t.String(),
  message: t.String({ maxLength: 250 }),
})
export type CertificateRow = Static<typeof Row>

export const certificates = collection('gift_certificates', Row, {
  noun: 'gift certificate',
  filters: 'code order_id to_name to_email from_name from_email id:min id:max',
  conflicts: { gift_certificates_code_unique: ['A gift certificate with this code already exists.', 'code'] },
})

/** The certificate with a code, in any case. Its status is that of the moment. */
export async function certificateWithCode(db: Db, code: string, now: Date): Promise<CertificateRow | undefined> {
  const [found] = await findWhere(db, certificates, sql`code_key = ${fold(storedCode(code))}`)
  return found && { ...found, status: statusAt(found, now) }
}

const Money = t.String({ description: 'An amount with four decimals' })
const UnixText = t.String({ description: 'Seconds since 1970; `0` for none' })
const Certificate = t.Object(
  { ...Row.properties, amount: Money, balance: Money, purchase_date: UnixText, expiry_date: UnixText },
  { title: 'GiftCertificate' },
)

const Fields = t.Partial(
  t.Object({
    code: Row.properties.code,
    status: Row.properties.status,
    customer_id: Row.properties.customer_id,
    to_name: Name,
    to_email: Email,
    from_name: Name,
    from_email: Email,
    amount: Row.properties.amount,
    balance: Row.properties.balance,
    currency_code: t.String({ minLength: 3, maxLength: 3 }),
    purchase_date: MarketingDate,
    expiry_date: MarketingDate,
    template: t.String({ maxLength: 50, description: 'Such as `birthday.html`' }),
    message: Row.properties.message,
  }),
)
const Changes = t.Object(Fields.properties, { title: 'GiftCertificateChanges', examples: [{ balance: '20.0000' }] })
type Changes = Static<typeof Changes>

const Needed = t.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const NewCertificate = t.Object(
  {
    ...Fields.properties,
    to_name: Needed,
    to_email: Needed,
    from_name: Needed,
    from_email: Needed,
    amount: Amount({ minimum: 0.0001 }),
  },
  {
    title: 'NewGiftCertificate',
    examples: [
      {
        to_name: 'Ann Lee',
        to_email: 'ann@example.com',
        from_name: 'Bo Ek',
        from_email: 'bo@example.com',
        amount: '25.0000',
      },
    ],
  },
)

const filters = ['code', 'order_id', 'to_name', 'to_email', 'from_name', 'from_email']
  .map((name) => filterOf(Row.properties, name))
  .concat(['min', 'max'].map((end) => ({ ...filterOf(Row.properties, `id:${end}`), name: `${end}_id` })))

/** The gift certificates of a store (docs/contract/marketing.md section 1). */
export function certificateRoutesV2(api: Api) {
  const all = '/gift_certificates'
  const one = `${all}/${idSegment('id')}`
  const params = t.Object({ id: Id })
  const answerOf = ({ now }: Db, row: CertificateRow) => new Answer(toAnswer(row, now))

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the gift certificates',
        querystring: queryV2(filters, ['id']),
        response: { 200: t.Array(Certificate), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const rows = await rowsV2(db, { collection: certificates, filters, query })
      return listV2(rows.map((row) => toAnswer(row, db.now)))
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a gift certificate',
        description: 'No e-mail is sent. Without a code the server makes one.',
        body: NewCertificate,
        response: { 201: Certificate },
      },
    },
    async ({ db, body }) => {
      const row = await db.transaction((tx) => createCertificate(tx, body))
      return new Answer(toAnswer(row, db.now), 201)
    },
  )

  api.delete(all, { ...write, schema: { summary: 'Delete all gift certificates' } }, async ({ db }) => {
    await deleteAllCertificates(db)
    return noContent()
  })

  api.get(
    one,
    { ...read, schema: { summary: 'Get a gift certificate', params, response: { 200: Certificate } } },
    async ({ db, params }) => answerOf(db, await findOne(db, certificates, params.id)),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a gift certificate',
        description: 'Fields that the body leaves out keep their values.',
        params,
        body: Changes,
        response: { 200: Certificate },
      },
    },
    async ({ db, params, body }) => answerOf(db, await db.transaction((tx) => changeCertificate(tx, params.id, body))),
  )

  api.delete(one, { ...write, schema: { summary: 'Delete a gift certificate', params } }, async ({ db, params }) => {
    await db.transaction(async (tx) => {
      await lock(tx, certificates, params.id)
      await recordDeletions(tx, [params.id])
      await remove(tx, certificates, params.id)
    })
    return noContent()
  })
}

function toAnswer(certificate: CertificateRow, now: Date): Static<typeof Certificate> {
  const { amount, balance, purchase_date, expiry_date } = certificate
  return {
    ...certificate,
    status: statusAt(certificate, now),
    amount: textOf(unitsOf(amount)),
    balance: textOf(unitsOf(balance)),
    purchase_date: unixText(purchase_date),
    expiry_date: unixText(expiry_date),
  }
}

/** @throws Problem 400, 409 for a code that is taken */
export async function createCertificate(tx: Tx, body: Static<typeof NewCertificate>): Promise<CertificateRow> {
  const { standard } = await currencyPair(tx, undefined)
  const blank: Omit<CertificateRow, 'id'> = {
    code: '',
    status: 'active',
    customer_id: 0,
    order_id: 0,
    to_name: body.to_name,
    to_email: body.to_email,
    from_name: body.from_name,
    from_email: body.from_email,
    amount: body.amount,
    balance: body.amount,
    currency_code: standard.currency_code,
    purchase_date: toSeconds(tx.now),
    expiry_date: null,
    template: 'general.html',
    message: '',
  }
  const certificate = await settled(tx, blank, body)
  const row = await insert(tx, certificates, { ...certificate, code: certificate.code || newCertificateCode() })
  await recordChange(tx, row, { before: 0, cause: 'created' })
  return row
}

/** @throws Problem 400, 404, 409 */
export async function changeCertificate(tx: Tx, id: number, body: Changes): Promise<CertificateRow> {
  const before = await lock(tx, certificates, id)
  const after = await settled(tx, before, body)
  const row = await change(tx, certificates, before, { ...after, code: after.code || before.code })
  if (row.balance !== before.balance) await recordChange(tx, row, { before: before.balance, cause: 'changed' })
  return row
}

/** A certificate with the changes of a body. @throws Problem 400 by field */
async function settled<Certificate extends Omit<CertificateRow, 'id'>>(
  tx: Tx,
  certificate: Certificate,
  body: Changes,
): Promise<Certificate> {
  const mistakes: Mistakes = {}
  const { purchase_date, expiry_date, code, template, currency_code, ...fields } = body
  const after = { ...certificate, ...fields }
  if (code !== undefined) after.code = storedCode(code)
  if (template !== undefined) after.template = readTemplate(template, mistakes)
  if (purchase_date !== undefined) {
    after.purchase_date = readDate(purchase_date, 'purchase_date', mistakes) ?? certificate.purchase_date
  }
  if (expiry_date !== undefined) after.expiry_date = readDate(expiry_date, 'expiry_date', mistakes)
  if (currency_code !== undefined) {
    const { wanted } = await currencyPair(tx, currency_code)
    if (!wanted) mistakes.currency_code = `The store does not have the currency ${currency_code}.`
    else after.currency_code = wanted.currency_code
  }
  refuse(mistakes)
  return after
}

/** `birthday.html`; the name of the theme, `Birthday`, is taken too. */
function readTemplate(given: string, mistakes: Mistakes): string {
  const name = given.toLowerCase().replace(/\.html$/, '')
  if (!TEMPLATES.some((template) => template === name)) {
    mistakes.template = `template must be one of ${TEMPLATES.map((template) => `${template}.html`).join(', ')}.`
  }
  return `${name}.html`
}

/** No letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Four groups of three characters: 60 bits, such as `ABC-234-DEF-567`. */
export function newCertificateCode(): string {
  const group = () => Array.from({ length: 3 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}

const deleteAllCertificates = (db: Db) =>
  inSteps(db, async (tx) => {
    const found = await tx.rows<{ id: number }>(sql`
      select id from gift_certificates where store_id = ${tx.store.id} order by id limit ${STEP_ROWS} for update`)
    const ids = found.map(({ id }) => id)
    await recordDeletions(tx, ids)
    await removeAll(tx, certificates, sql`id = any(${ids})`)
    return ids.length === STEP_ROWS
  })
