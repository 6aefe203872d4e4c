import t from 'typebox'
import type { Tx } from '../../../../../core/db/database.ts'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { invalid, type Problem, unknownId } from '../../../../../core/rest/problem.ts'
import { changeAddresses, createAddresses, deleteAddresses } from '../../../../../customers/addresses/operations.ts'
import {
  CustomerAddress,
  customersOfAddresses,
  type NestedAddress,
  placeMistakes,
} from '../../../../../customers/addresses/shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import {
  attempt,
  errorOf,
  inCamelCase,
  limitCalls,
  NOT_LOGGED_IN,
  type ValidationError,
  validationErrors,
  withoutNulls,
} from '../result-errors.ts'
import { type FormFieldsInput, readFormFields } from './form-field-input.ts'

const shape = CustomerAddress.properties
const needed = {
  firstName: shape.first_name,
  lastName: shape.last_name,
  address1: shape.address1,
  city: shape.city,
  countryCode: shape.country_code,
}
const more = {
  address2: shape.address2,
  company: shape.company,
  stateOrProvince: shape.state_or_province,
  phone: shape.phone,
  postalCode: shape.postal_code,
}
const readNew = itemReader(t.Object({ ...needed, ...t.Partial(t.Object(more)).properties }))
const readChanges = itemReader(t.Partial(t.Object({ ...needed, ...more })))

type Texts<Names extends string> = { [Name in Names]: string }
type Optional<Names extends string> = { [Name in Names]?: string | null }
export type ShopperAddressInput = Texts<keyof typeof needed> &
  Optional<keyof typeof more> & { formFields?: FormFieldsInput | null }
type AddressChangesInput = Optional<keyof typeof needed | keyof typeof more> & { formFields?: FormFieldsInput | null }

/** The same values with the names of the row. */
const toRow = ({
  firstName,
  lastName,
  countryCode,
  stateOrProvince,
  postalCode,
  ...same
}: ReturnType<typeof readChanges>) => ({
  ...same,
  ...(firstName === undefined ? {} : { first_name: firstName }),
  ...(lastName === undefined ? {} : { last_name: lastName }),
  ...(countryCode === undefined ? {} : { country_code: countryCode }),
  ...(stateOrProvince === undefined ? {} : { state_or_province: stateOrProvince }),
  ...(postalCode === undefined ? {} : { postal_code: postalCode }),
})

/** An address that can be stored, or its mistakes. */
interface ReadAddress {
  address?: NestedAddress
  errors: ValidationError[]
}

/** Reads a new address with its form fields. @param path of the address in the input */
export async function readShopperAddress(
  caller: StorefrontCaller,
  { formFields, ...given }: ShopperAddressInput,
  path: readonly string[],
): Promise<ReadAddress> {
  const namesOf = (field: string) => [...path, ...inCamelCase(field)]
  const [read, fields] = [
    await attempt(async () => readNew(withoutNulls(given))),
    await readFormFields(caller, formFields, { kind: 'address', path: [...path, 'formFields'], isNew: true }),
  ]
  if (read.problem) return { errors: [...validationErrors(read.problem, namesOf), ...fields.errors] }
  const { firstName, lastName, countryCode, ...rest } = read.result
  const address = {
    ...toRow(rest),
    address1: rest.address1,
    city: rest.city,
    first_name: firstName,
    last_name: lastName,
    country_code: countryCode,
    form_fields: fields.values,
  }
  const errors = [...mistakesOfPlace(address, namesOf), ...fields.errors]
  return errors.length > 0 ? { errors } : { address, errors }
}

/** Adds an address to the account of the customer. */
export async function addAddress(caller: StorefrontCaller, input: ShopperAddressInput) {
  const { customer, storefront } = caller
  if (!customer) return { address: null, errors: [NOT_LOGGED_IN] }
  await limitCalls(caller)
  const { address, errors } = await readShopperAddress(caller, input, [])
  if (!address) return { address: null, errors }
  const whole = { state_or_province: '', postal_code: '', ...address, customer_id: customer.id }
  const stored = await attempt(() => storefront.db.transaction((tx) => createAddresses(tx, [whole])))
  if (stored.problem) return { address: null, errors: errorsOf(stored.problem, 'CustomerAddressCreationError') }
  const [added] = stored.result
  if (added) return { address: added, errors: [] }
  return { address: null, errors: [errorOf('CustomerAddressCreationError', 'The account has this address already.')] }
}

/** Changes an address of the customer. Fields that are missing or null remain. */
export async function updateAddress(
  caller: StorefrontCaller,
  { addressEntityId: id, data: { formFields, ...given } }: { addressEntityId: number; data: AddressChangesInput },
) {
  const { customer, storefront } = caller
  if (!customer) return { address: null, errors: [NOT_LOGGED_IN] }
  await limitCalls(caller)
  const namesOf = (field: string) => ['data', ...inCamelCase(field)]
  const [read, fields] = [
    await attempt(async () => readChanges(withoutNulls(given))),
    await readFormFields(caller, formFields, { kind: 'address', path: ['data', 'formFields'], isNew: false }),
  ]
  const errors = [...(read.problem ? validationErrors(read.problem, namesOf) : []), ...fields.errors]
  if (errors.length > 0 || read.problem) return { address: null, errors }
  const changes = { ...toRow(read.result), id, form_fields: fields.values }
  const stored = await attempt(() =>
    storefront.db.transaction(async (tx) =>
      (await isOwn(tx, customer.id, id)) ? { changed: (await changeAddresses(tx, [changes]))[0] } : undefined,
    ),
  )
  if (stored.problem) return { address: null, errors: errorsOf(stored.problem, 'CustomerAddressUpdateError', namesOf) }
  if (!stored.result) return { address: null, errors: [errorOf('AddressDoesNotExistError', unknownId('address', id))] }
  const { changed } = stored.result
  if (changed) return { address: changed, errors: [] }
  return {
    address: null,
    errors: [errorOf('CustomerAddressUpdateError', 'Another address of the account is the same.')],
  }
}

/** Deletes an address of the customer. */
export async function deleteAddress({ customer, storefront }: StorefrontCaller, id: number) {
  if (!customer) return { errors: [NOT_LOGGED_IN] }
  const isDeleted = await storefront.db.transaction(async (tx) => {
    if (!(await isOwn(tx, customer.id, id))) return false
    await deleteAddresses(tx, [id])
    return true
  })
  return { errors: isDeleted ? [] : [errorOf('CustomerAddressDeletionError', unknownId('address', id))] }
}

/** An address never changes its customer. */
const isOwn = async (tx: Tx, customer: number, id: number) =>
  (await customersOfAddresses(tx, [id])).get(id) === customer

const mistakesOfPlace = (address: NestedAddress, namesOf: (field: string) => string[]) =>
  validationErrors(invalid(placeMistakes(address, (field) => field)), namesOf)

/** The errors of a refusal. @param other the type of a refusal that names no field */
function errorsOf<Other extends string>(problem: Problem, other: Other, namesOf = inCamelCase) {
  const errors = validationErrors(problem, namesOf)
  return errors.length > 0 ? errors : [errorOf(other, problem.message)]
}
