import { type Element, isText, type Schema, type Settings, TEXT_MAX } from './bundle/config.ts'

/**
 * Faults in the values of a configuration, by name (docs/contract/themes.md section 8). A value in schema.json has the type
 * there, a value only in config.json keeps its type, and others are free. Pure.
 */
export function faultsOfSettings(
  settings: Settings,
  schema: Schema | null,
  original: Settings,
): Record<string, string> {
  const elements = new Map(
    (schema ?? []).flatMap((group) =>
      group.settings.flatMap((element) => (element.id === undefined ? [] : [[element.id, element]])),
    ),
  )
  const faults: Record<string, string> = {}
  for (const [id, value] of Object.entries(settings)) {
    const element = elements.get(id)
    const fault = element ? faultOf(element, value) : typeFault(value, original[id])
    if (fault !== undefined) faults[id] = fault
  }
  return faults
}

function faultOf({ type, options = [] }: Element, value: unknown): string | undefined {
  if (type === 'checkbox') return typeof value === 'boolean' ? undefined : 'It must be true or false.'
  if (type === 'color') {
    const isColor = typeof value === 'string' && (value === '' || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value))
    return isColor ? undefined : 'It must be a colour such as #f0a or #ff00aa, or empty.'
  }
  if (type === 'select' || type === 'font')
    return isOption(options, value) ? undefined : 'It must be one of the options.'
  if (type === 'imageDimension') {
    const isSize = typeof value === 'string' && /^\d{1,5}x\d{1,5}$/.test(value)
    return isSize || isOption(options, value) ? undefined : 'It must be one of the options, or a size such as 600x400.'
  }
  if (typeof value !== 'string') return type === 'sort' ? undefined : 'It must be a text.'
  return isText(type) && value.length > TEXT_MAX ? `It must have at most ${TEXT_MAX} characters.` : undefined
}

const isOption = (options: readonly { value: string | number }[], value: unknown) =>
  options.some((option) => option.value === value)

function typeFault(value: unknown, original: unknown): string | undefined {
  if (original === undefined || typeOf(value) === typeOf(original)) return undefined
  return `It must be of the type that it has in config.json: ${typeOf(original)}.`
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
