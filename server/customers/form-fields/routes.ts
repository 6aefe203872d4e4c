import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { type Mistakes, refuse, repeated } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { lockCounter, lockCounters } from '../../core/rest/lists/counters.ts'
import { change, insertAll, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { access } from '../../stores/accounts/scopes.ts'
import {
  type Definition,
  FORM_FIELD_KINDS,
  FormField,
  type FormFieldKind,
  findDefinitions,
  formFields,
} from './shape.ts'
import { formFieldValues } from './values.ts'

const FIELDS_MAX = 50

const { read, write } = access('information')

const FormFields = t.Object({ customer: t.Array(FormField), address: t.Array(FormField) }, { title: 'FormFields' })

const { name, type, label, required, options } = FormField.properties
const NewFormField = t.Object(
  { name, type, label: t.Optional(label), required: t.Optional(required), options: t.Optional(options) },
  { title: 'NewFormField' },
)
const NewList = t.Optional(t.Array(NewFormField, { maxItems: FIELDS_MAX }))
const Changes = t.Object(
  { customer: NewList, address: NewList },
  {
    title: 'FormFieldChanges',
    examples: [
      {
        customer: [{ name: 'Hobbies', type: 'checkboxes', options: ['Chess', 'Rowing'] }],
        address: [{ name: 'Delivery note', type: 'text' }],
      },
    ],
  },
)
type Changes = Static<typeof Changes>

/** Routes of the form fields of customers and addresses (docs/contract/form-fields.md section 1). */
export function formFieldRoutes(api: Api) {
  const path = '/settings/form-fields'

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'Get the form fields',
        operationId: 'getFormFields',
        response: { 200: envelope(FormFields) },
      },
    },
    async ({ db }) => answer(shown(await findDefinitions(db))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change the form fields',
        operationId: 'updateFormFields',
        description:
          'Each list in the body replaces the stored one. Fields that are not in it are deleted with all their values.',
        body: Changes,
        response: { 200: envelope(FormFields) },
      },
    },
    async ({ db, body }) => {
      refuse(mistakesIn(body))
      await inSteps(db, (tx) => emptyLarge(tx, body))
      return answer(shown(await db.transaction((tx) => replaceFormFields(tx, body))))
    },
  )
}

function shown(definitions: readonly Definition[]): Static<typeof FormFields> {
  const fieldsOf = (wanted: FormFieldKind) =>
    definitions
      .filter(({ kind }) => kind === wanted)
      .map(({ id: _, kind: _kind, sort_order: _order, ...field }) => field)
  return { customer: fieldsOf('customer'), address: fieldsOf('address') }
}

/** Returns the mistakes in the lists of a body that has passed its schema. */
function mistakesIn(body: Changes): Mistakes {
  const mistakes: Mistakes = {}
  for (const kind of FORM_FIELD_KINDS) {
    const list = body[kind] ?? []
    const place = (i: number) => `${kind}.${i}.name`
    Object.assign(
      mistakes,
      repeated(list, ({ name }) => name, place, 'Another field of this list has this name.'),
      ...list.map((field, i) => optionMistakes(field, `${kind}.${i}.options`)),
    )
  }
  return mistakes
}

const CHOICES: ReadonlySet<string> = new Set(['checkboxes', 'radiobuttons', 'picklist'] satisfies Definition['type'][])

function optionMistakes({ type, options = [] }: Static<typeof NewFormField>, at: string): Mistakes {
  if (CHOICES.has(type) && options.length === 0) return { [at]: `A field of the type ${type} needs options.` }
  if (!CHOICES.has(type) && options.length > 0) return { [at]: `A field of the type ${type} has no options.` }
  const place = (i: number) => `${at}.${i}`
  return repeated(options, (option) => option, place, 'This option is offered twice.')
}

/** The changes that a body makes. */
interface Plan {
  /** In the order of the lists. */
  wanted: Omit<Definition, 'id'>[]
  /** By kind and name. */
  before: ReadonlyMap<string, Definition>
  gone: Definition[]
}

/** Locks the form fields of the store. @throws Problem 422 if a field would get another type */
async function planOf(tx: Tx, body: Changes): Promise<Plan> {
  await lockCounters(tx, [formFieldValues.table])
  await lockCounter(tx, formFields.table)
  const present = await findDefinitions(tx, 'for update')
  const before = new Map(present.map((field) => [keyOf(field), field]))
  const mistakes: Mistakes = {}
  const wanted = FORM_FIELD_KINDS.flatMap((kind) =>
    (body[kind] ?? []).map((field, i) => {
      const { name, type, label = name, required = false, options = [] } = field
      const known = before.get(keyOf({ kind, name }))
      if (known && known.type !== type) mistakes[`${kind}.${i}.type`] = `The type of ${name} stays ${known.type}.`
      return { kind, sort_order: i, name, type, label, required, options }
    }),
  )
  refuse(mistakes)
  const kept = new Set(wanted.map(keyOf))
  const gone = present.filter((field) => body[field.kind] !== undefined && !kept.has(keyOf(field)))
  return { wanted, before, gone }
}

const keyOf = ({ kind, name }: Pick<Definition, 'kind' | 'name'>) => `${kind} ${name}`

/**
 * Deletes most values of the fields to delete, if there are very many: one transaction would take too long.
 * @returns whether another step is needed
 */
async function emptyLarge(tx: Tx, body: Changes): Promise<boolean> {
  const { gone } = await planOf(tx, body)
  const values = await tx.rows<{ id: number }>(sql`
    select id from customer_form_field_values
    where store_id = ${tx.store.id} and field_id = any(${gone.map(({ id }) => id)}) limit ${STEP_ROWS + 1}`)
  if (values.length <= STEP_ROWS) return false
  await removeAll(tx, formFieldValues, sql`id = any(${values.slice(0, STEP_ROWS).map(({ id }) => id)})`)
  return true
}

/** Replaces the lists in a body. @throws Problem 422 if a field would get another type */
export async function replaceFormFields(tx: Tx, body: Changes): Promise<Definition[]> {
  const { wanted, before, gone } = await planOf(tx, body)
  const goneIds = gone.map(({ id }) => id)
  await removeAll(tx, formFieldValues, sql`field_id = any(${goneIds})`)
  await removeAll(tx, formFields, sql`id = any(${goneIds})`)
  const fresh = wanted.filter((field) => !before.has(keyOf(field)))
  const ids = await takeIds(tx, [[formFields, fresh.length]])
  await insertAll(
    tx,
    formFields,
    fresh.map((field) => ({ ...field, id: ids.next(formFields) })),
  )
  for (const field of wanted) {
    const known = before.get(keyOf(field))
    if (known) await change(tx, formFields, known, field)
  }
  return findDefinitions(tx)
}
