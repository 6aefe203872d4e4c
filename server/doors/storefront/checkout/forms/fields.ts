import { statesOf } from '../../../../core/geography/states.ts'
import { html, type Markup } from '../../../../core/markup.ts'
import type { Definition } from '../../../../customers/form-fields/shape.ts'
import { countryNamesIn } from '../texts/countries.ts'
import type { Language } from '../texts/texts.ts'
import { customFieldName } from './custom-fields.ts'
import { type FieldErrors, type Form, textIn } from './form.ts'

// The fields of forms. Ids are those by which browser tests of public shops fill in the page.

/** A form that is shown: the values in its fields, and its mistakes. */
export interface ShownForm {
  values: Form
  errors: FieldErrors
  language: Language
}

interface Field {
  name: string
  id: string
  label: string
  autocomplete: string
  type?: 'text' | 'email' | 'tel' | 'date' | 'password'
  inputmode?: string
  isOptional?: boolean
}

/** The attributes of a field with a mistake. The first one of a form gets the focus. */
function faultOf({ errors }: ShownForm, name: string, id: string): Markup | '' {
  if (!errors[name]) return ''
  const isFirst = Object.keys(errors)[0] === name
  return html` aria-invalid="true" aria-describedby="${id}-error"${isFirst ? html` autofocus` : ''}`
}

export const sentenceOf = ({ errors, language }: ShownForm, name: string, id: string): Markup | '' => {
  const error = errors[name]
  return error ? html`<p class="error" id="${id}-error">${language.texts[error]}</p>` : ''
}

export function textField(form: ShownForm, field: Field): Markup {
  const { name, id, label, autocomplete, type = 'text', inputmode, isOptional = false } = field
  return html`<div class="field"><label for="${id}">${label}</label><input type="${type}" id="${id}" name="${name}" value="${textIn(form.values, name)}" autocomplete="${autocomplete}"${inputmode ? html` inputmode="${inputmode}"` : ''}${isOptional ? '' : html` aria-required="true"`}${faultOf(form, name, id)}>${sentenceOf(form, name, id)}</div>`
}

function selectField(form: ShownForm, field: Field, options: readonly (readonly [string, string])[]): Markup {
  const { name, id, label, autocomplete } = field
  const value = textIn(form.values, name)
  const listed = options.map(
    ([code, text]) => html`<option value="${code}"${code === value ? html` selected` : ''}>${text}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}" autocomplete="${autocomplete}"${faultOf(form, name, id)}>${listed}</select>${sentenceOf(form, name, id)}</div>`
}

/**
 * The fields of an address. A country with states has a list of them; the list of another country comes once it was sent, so a text is
 * accepted too.
 * @param section the name of the address for `autocomplete`
 * @param facts with the countries to choose from; undefined for all
 */
export function addressInputs(
  form: ShownForm,
  section: 'shipping' | 'billing',
  { definitions, countries }: { definitions: readonly Definition[]; countries?: ReadonlySet<string> | undefined },
): Markup {
  const { values, language } = form
  const { texts } = language
  const auto = (name: string) => `${section} ${name}`
  const field = (name: string, label: string, autocomplete: string, more: Partial<Field> = {}) =>
    textField(form, { name, id: `${name}Input`, label, autocomplete: auto(autocomplete), ...more })
  // A country that the cart has already is listed, so that no other one takes its place unseen.
  const isOffered = (code: string) => countries?.has(code) !== false || code === textIn(values, 'countryCode')
  const states = statesOf(textIn(values, 'countryCode').toUpperCase()) ?? []
  const place =
    states.length > 0
      ? selectField(
          form,
          { name: 'provinceCode', id: 'provinceCodeInput', label: texts.state, autocomplete: auto('address-level1') },
          [['', texts.chooseState], ...states.map(({ code, name }) => [code, name] as const)],
        )
      : field('province', texts.state, 'address-level1', { isOptional: true })
  const country = selectField(
    form,
    { name: 'countryCode', id: 'countryCodeInput', label: texts.country, autocomplete: auto('country') },
    [['', ''], ...[...countryNamesIn(language.code)].filter(([code]) => isOffered(code))],
  )
  return html`<div class="pair">${field('firstName', texts.firstName, 'given-name')}${field('lastName', texts.lastName, 'family-name')}</div>
${field('company', texts.company, 'organization', { isOptional: true })}
${field('addressLine1', texts.addressLine1, 'address-line1')}
${field('addressLine2', texts.addressLine2, 'address-line2', { isOptional: true })}
<div class="pair">${field('city', texts.city, 'address-level2')}${field('postCode', texts.postCode, 'postal-code')}</div>
<div class="pair">${country}${place}</div>
${field('phone', texts.phone, 'tel', { type: 'tel', isOptional: true })}
${definitions.map((definition) => customInput(form, definition))}`
}

/** A field of the store. */
function customInput(form: ShownForm, definition: Definition): Markup {
  const { label, type, required, options } = definition
  const name = customFieldName(definition)
  const field: Field = { name, id: name, label, autocomplete: 'off', isOptional: !required }
  switch (type) {
    case 'picklist':
      return selectField(form, field, [['', ''], ...options.map((option) => [option, option] as const)])
    case 'radiobuttons':
    case 'checkboxes':
      return choiceField(form, definition)
    case 'multiline':
      return html`<div class="field"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="3"${faultOf(form, name, name)}>${textIn(form.values, name)}</textarea>${sentenceOf(form, name, name)}</div>`
    case 'numbers':
      return textField(form, { ...field, inputmode: 'decimal' })
    case 'date':
    case 'password':
      return textField(form, { ...field, type })
    default:
      return textField(form, field)
  }
}

/** Radio buttons or checkboxes. */
function choiceField(form: ShownForm, definition: Definition): Markup {
  const { label, type, options } = definition
  const name = customFieldName(definition)
  const isMany = type === 'checkboxes'
  const listed = options.map((option, i) => {
    const id = customFieldName(definition, i)
    const [own, value] = isMany ? [id, '1'] : [name, option]
    const isChosen = textIn(form.values, own) === value
    return html`<div class="choice"><input type="${isMany ? 'checkbox' : 'radio'}" id="${id}" name="${own}" value="${value}"${isChosen ? html` checked` : ''}${i === 0 ? faultOf(form, name, name) : ''}> <label for="${id}">${option}</label></div>`
  })
  return html`<fieldset><legend>${label}</legend>${listed}${sentenceOf(form, name, name)}</fieldset>`
}
