import type { ChoiceType } from '../../../../../../goods/catalog/choices/rules.ts'

/** An option or modifier with the value that a line has. */
interface Choice {
  option_id: number
  name: string
  value: string
  value_id: number | null
}

/** A chosen option, in the type that the kind of the option has in the schema. */
export function selectedOption(type: ChoiceType, { option_id, name, value, value_id }: Choice) {
  const option = { entityId: option_id, name, attributeId: String(option_id) }
  if (value_id !== null) {
    const __typename =
      type === 'checkbox' ? ('CartSelectedCheckboxOption' as const) : ('CartSelectedMultipleChoiceOption' as const)
    return { __typename, ...option, value, valueEntityId: value_id }
  }
  switch (type) {
    case 'date':
      return { __typename: 'CartSelectedDateFieldOption' as const, ...option, date: { utc: `${value}T00:00:00.000Z` } }
    case 'numbers_only_text':
      return { __typename: 'CartSelectedNumberFieldOption' as const, ...option, number: Number(value) }
    case 'multi_line_text':
      return { __typename: 'CartSelectedMultiLineTextFieldOption' as const, ...option, text: value }
    case 'file':
      return { __typename: 'CartSelectedFileUploadOption' as const, ...option, fileName: value }
    default:
      return { __typename: 'CartSelectedTextFieldOption' as const, ...option, text: value }
  }
}
