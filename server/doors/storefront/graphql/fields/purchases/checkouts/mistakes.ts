import { isObject } from '../../../../../../core/objects.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import type { NewCartLine } from '../../../../../../sales/carts/lines/bodies.ts'
import { QuantityProblem } from '../../../../../../sales/carts/lines/quantities.ts'
import { type CheckoutRefusal, couponCodeIn, lineCodeOf } from './errors.ts'

// Mistakes in the input of whole checkouts, as typed errors with the path and the value of their field.

/** A part of the input, with its path. */
export interface InputPlace {
  path: string
  value: unknown
}

/** A field or an item of a part. */
export function below({ path, value }: InputPlace, ...names: readonly (string | number)[]): InputPlace {
  return names.reduce<InputPlace>(
    (place, name) => ({
      path: typeof name === 'number' ? `${place.path}[${name}]` : `${place.path}.${name}`,
      value: memberOf(place.value, name),
    }),
    { path, value },
  )
}

function memberOf(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isObject(value) ? value[name] : undefined
}

function contextOf({ path, value }: InputPlace) {
  if (value === undefined || value === null) return [{ field: path, value: null }]
  return [{ field: path, value: typeof value === 'object' ? JSON.stringify(value) : String(value) }]
}

/** The mistakes of a request. Thrown in a transaction, they undo it. */
export class InputMistakes extends Error {
  readonly list: CheckoutRefusal[] = []

  /** Does a part of the work. @returns undefined if it was refused */
  async of<Result>(
    work: () => Promise<Result>,
    convert: (problem: Problem) => CheckoutRefusal[],
  ): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      this.list.push(...convert(error))
      return undefined
    }
  }

  throwIfAny() {
    if (this.list.length > 0) throw this
  }
}

type Codes<Name extends CheckoutRefusal['__typename']> = Extract<CheckoutRefusal, { __typename: Name }>['code']

export const cartMistake = (place: InputPlace, code: Codes<'CartError'>, message: string): CheckoutRefusal => ({
  __typename: 'CartError',
  code,
  message,
  context: contextOf(place),
})

export const consignmentMistake = (
  place: InputPlace,
  code: Codes<'CheckoutShippingConsignmentError'>,
  message: string,
): CheckoutRefusal => ({
  __typename: 'CheckoutShippingConsignmentError',
  code,
  message,
  context: contextOf(place),
})

export const billingMistakes = (place: InputPlace, problem: Problem): CheckoutRefusal[] =>
  fieldsOf(problem).map(([field, message]) => ({
    __typename: 'CheckoutBillingAddressError',
    code: 'INCOMPLETE_BILLING_ADDRESS',
    message,
    context: contextOf(below(place, ...namesIn(field))),
  }))

/** @param place of the consignment */
export const consignmentMistakes = (place: InputPlace, problem: Problem): CheckoutRefusal[] =>
  problem.status === 404
    ? [consignmentMistake(below(place, 'entityId'), 'CONSIGNMENT_NOT_FOUND', problem.message)]
    : fieldsOf(problem).map(([field, message]) => {
        if (field === '') return consignmentMistake(place, 'CONSIGNMENT_LIMIT_EXCEEDED', message)
        return field.includes('line_items')
          ? consignmentMistake(below(place, 'lineItems'), 'SHIPPING_CONSIGNMENT_MISSING_ITEM', message)
          : consignmentMistake(below(place, 'address', ...namesIn(field)), 'INCOMPLETE_SHIPPING_ADDRESS', message)
      })

export const couponMistake = (place: InputPlace, { message, detail = '' }: Problem): CheckoutRefusal => ({
  __typename: 'CheckoutCouponError',
  code: detail === 'COUPON_MODIFICATION_NOT_ALLOWED' ? detail : couponCodeIn(detail),
  message,
  context: contextOf(place),
})

interface SentLines {
  /** The lines as REST takes them, to find those of a variant. */
  lines?: readonly NewCartLine[] | undefined
  /** The positions of the lines in the request; those of the list if undefined. */
  positions?: readonly number[]
}

/** @param place of the input with `lineItems` */
export function lineMistakes(
  place: InputPlace,
  problem: Problem,
  { lines = [], positions }: SentLines = {},
): CheckoutRefusal[] {
  const at = (i: number) => below(place, 'lineItems', positions?.[i] ?? i)
  if (problem instanceof QuantityProblem) {
    return problem.wrong.map(({ product_id, variant_id, sentence }) => {
      const i = lines.findIndex(
        (line) => line.product_id === product_id && (line.variant_id ?? variant_id) === variant_id,
      )
      return lineMistake(i < 0 ? below(place, 'lineItems') : below(at(i), 'quantity'), 'quantity', sentence)
    })
  }
  const inOrder = fieldsOf(problem).toSorted(([one], [other]) => positionIn(one) - positionIn(other))
  return inOrder.map(([field, message]) => {
    const [list = '', position = '', ...names] = field.split('.')
    const isCertificate = list === 'gift_certificates'
    const items = isCertificate ? 'giftCertificates' : 'lineItems'
    if (position === '') return lineMistake(below(place, items), field, message)
    const i = Number(position)
    const item = isCertificate ? below(place, items, i) : at(i)
    const isBySku = memberOf(item.value, 'productEntityId') == null && memberOf(item.value, 'sku') != null
    const named = names[0] === 'product_id' && isBySku ? ['sku'] : namesIn(names[0] ?? '')
    return lineMistake(below(item, ...named), field, message)
  })
}

const positionIn = (field: string): number => Number(/\.(\d+)(\.|$)/.exec(field)?.[1] ?? 0)

const lineMistake = (place: InputPlace, field: string, message: string): CheckoutRefusal => ({
  __typename: 'CartLineItemError',
  code: lineCodeOf(message, field),
  message,
  context: contextOf(place),
})

const fieldsOf = ({ errors, message }: Problem): [string, string][] => {
  const found = Object.entries(errors)
  return found.length > 0 ? found : [['', message]]
}

const NAMES: Readonly<Record<string, string>> = {
  product_id: 'productEntityId',
  variant_id: 'variantEntityId',
  option_selections: 'selectedOptions',
  custom_fields: 'customFields',
  id: 'entityId',
}

/** The names of the input for a path of REST; positions below a field are left out. */
const namesIn = (field: string): string[] =>
  field
    .split('.')
    .filter((name) => name !== '' && name !== 'address')
    .slice(0, 1)
    .map((name) => NAMES[name] ?? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
