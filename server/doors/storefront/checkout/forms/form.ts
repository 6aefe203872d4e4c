import type { Store } from '../../../../core/db/database.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import type { Secrets } from '../../../../core/secrets/secrets.ts'
import { isSameSignature } from '../../../../core/secrets/signature.ts'
import type { Texts } from '../texts/en.ts'

// Forms of the checkout page. Each has a token that is bound to its cart and its step, so that no other site can send one.

/** The fields of a form by their names. */
export type Form = ReadonlyMap<string, string>

/** The name of a text about a field, by the name of the field. */
export type FieldErrors = Record<string, keyof Texts>

/** Most bytes of a form. */
export const FORM_MAX = 32 * 1024
const FIELDS_MAX = 200

/** Reads a form. The first of repeated fields counts; NUL characters are dropped, since no text can have them. @throws Problem 413 */
export function parseForm(bytes: Buffer): Form {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (!fields.has(name)) fields.set(name, value.replaceAll('\0', '').trim().normalize('NFC'))
    if (fields.size > FIELDS_MAX) throw new Problem(413, `A form has at most ${FIELDS_MAX} fields.`)
  }
  return fields
}

export const textIn = (form: Form, name: string): string => form.get(name) ?? ''

interface FormOwner {
  store: Store
  cartId: string
  step: string
}

/** The token of a form. */
export const formToken = ({ linkSignature }: Pick<Secrets, 'linkSignature'>, { store, cartId, step }: FormOwner) =>
  linkSignature(`form of a checkout ${store.hash} ${cartId} ${step}`)

/** @throws Problem 403 for a form of another cart, of another step, or of another site */
export function refuseForeignForm(secrets: Pick<Secrets, 'linkSignature'>, form: Form, owner: FormOwner) {
  if (isSameSignature(textIn(form, 'token'), formToken(secrets, owner))) return
  throw new Problem(403, 'This form does not belong to this checkout.')
}
