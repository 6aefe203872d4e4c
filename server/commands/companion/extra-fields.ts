import { type Command, InvalidArgumentError, Option } from 'commander'
import type { EXTRA_FIELD_KINDS, ExtraFieldKind, FIELD_TYPES } from '../../sales/b2b/extra-fields/field.ts'
import { json, print, table, withStore, yesOrNo } from '../command.ts'

// Copies of the values in field.ts, which is loaded only when a command needs it.
const KINDS = ['company', 'user', 'address', 'order', 'quote', 'invoice'] as const satisfies typeof EXTRA_FIELD_KINDS
const TYPES = ['text', 'lines', 'number', 'dropdown'] as const satisfies readonly (keyof typeof FIELD_TYPES)[]

interface AddOptions {
  type: keyof typeof FIELD_TYPES
  required?: true
  unique?: true
  hidden?: true
  default: string
  maxLength?: number
  rows?: number
  max?: number
  values: string[]
  json?: true
}

/** `b2b extra-field ...`: the fields that a store defines for companies, users, addresses, orders, quotes and invoices. */
export function extraFieldCommands(b2b: Command) {
  const command = b2b.command('extra-field').description('fields that a store defines for the resources of the API')

  command
    .command('add <store> <kind> <name>')
    .description(`define a field; the kind is one of ${KINDS.join(', ')}`)
    .addOption(new Option('--type <type>', 'the type of its values').choices(TYPES).default('text'))
    .option('--required', 'a new resource needs a value')
    .option('--unique', 'no two resources have the same value')
    .option('--hidden', 'buyers do not see it')
    .option('--default <value>', 'the value of new resources without one', '')
    .option('--max-length <characters>', 'the longest value', count)
    .option('--rows <rows>', 'the rows of its input field', count)
    .option('--max <number>', 'the largest number', number)
    .option('--values <values>', 'the values of a dropdown, separated by commas', separated, [])
    .addOption(json)
    .action(async (hash: string, kind: string, name: string, options: AddOptions) =>
      withStore(hash, async (db) => {
        const { addExtraField } = await import('../../sales/b2b/extra-fields/definitions.ts')
        const { required, unique, hidden, default: defaultValue, maxLength, rows, max, type, values } = options
        const added = await addExtraField(db, {
          kind: kindOf(kind),
          name,
          type,
          values,
          defaultValue,
          isRequired: required ?? false,
          isUnique: unique ?? false,
          isVisible: !hidden,
          maximumLength: maxLength,
          rows,
          maximumValue: max,
        })
        print(added, options.json, `The field "${name}" of the kind ${kind} is defined.`)
      }),
    )

  command
    .command('list <store> <kind>')
    .description('list the fields of a kind')
    .addOption(json)
    .action(async (hash: string, kind: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { extraFieldsOf } = await import('../../sales/b2b/extra-fields/definitions.ts')
        const fields = await extraFieldsOf(db, kindOf(kind))
        const rows = fields.map(({ field_name, field_type, is_required, is_unique }) => [
          field_name,
          TYPES[field_type] ?? '',
          yesOrNo(is_required),
          yesOrNo(is_unique),
        ])
        print(fields, json, table(['NAME', 'TYPE', 'REQUIRED', 'UNIQUE'], rows))
      }),
    )

  command
    .command('remove <store> <kind> <name>')
    .description('remove a field; its values disappear from all answers')
    .addOption(json)
    .action(async (hash: string, kind: string, name: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { removeExtraField } = await import('../../sales/b2b/extra-fields/definitions.ts')
        await removeExtraField(db, kindOf(kind), name)
        print({ kind, name }, json, `The field "${name}" of the kind ${kind} is removed.`)
      }),
    )
}

/** @throws Error with a sentence for the operator */
function kindOf(text: string): ExtraFieldKind {
  const kind = KINDS.find((one) => one === text)
  if (!kind) throw new Error(`The kind is one of ${KINDS.join(', ')}.`)
  return kind
}

function count(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 to 99999.')
  return Number(text)
}

function number(text: string): number {
  if (!/^-?\d{1,11}(\.\d{1,4})?$/.test(text)) throw new InvalidArgumentError('It is a plain decimal number.')
  return Number(text)
}

const separated = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
]
