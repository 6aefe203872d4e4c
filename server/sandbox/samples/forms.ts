import type { Tx } from '../../core/db/database.ts'
import { setValues } from '../../customers/accounts/form-field-values.ts'
import { replaceFormFields } from '../../customers/form-fields/routes.ts'
import { at } from './catalog.ts'

const interests = ['Kitchen', 'Bedroom', 'Garden', 'Workshop']
const doors = ['Front door', 'Neighbour', 'Parcel box']
const formFields = {
  customer: [
    { name: 'Interests', label: 'What would you like to read about?', type: 'checkboxes' as const, options: interests },
    { name: 'Nickname', type: 'text' as const },
    { name: 'Children at home', type: 'numbers' as const },
  ],
  address: [{ name: 'Leave at', label: 'Where may we leave it?', type: 'picklist' as const, options: doors }],
}

/** So many customers have filled in their forms, the first of the store. */
const FILLED = 40

/** Gives the store form fields, and values to its first customers and addresses, as their routes would. */
export async function fillForms(tx: Tx) {
  await replaceFormFields(tx, formFields)
  const first = Array.from({ length: FILLED }, (_, n) => n + 1)
  await setValues(
    tx,
    first.flatMap((id) => [
      { customer_id: id, name: 'Interests', value: interests.filter((_, i) => (id + i) % 3 === 0) },
      { address_id: id, name: 'Leave at', value: at(doors, id) },
      ...(id % 2 === 0 ? [{ customer_id: id, name: 'Children at home', value: id % 4 }] : []),
    ]),
  )
}
