import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { isObject } from '../../../core/objects.ts'
import { BundleFault, type Code, type Fault } from './faults.ts'
import { quotePath } from './paths.ts'

/** Values of a theme by their names. */
export type Settings = Record<string, unknown>

const VARIATIONS_MAX = 4
/** How large config.json and schema.json may be besides their bytes: values of all levels, and objects in objects. */
const JSON_VALUES_MAX = 50_000
const JSON_DEPTH_MAX = 32
/** Longest value of a text that shopkeepers edit (docs/contract/themes.md section 3, TR-4400). */
export const TEXT_MAX = 64

const Variation = t.Object({
  name: t.String({ minLength: 1, maxLength: 255 }),
  id: t.String({ minLength: 1, maxLength: 255 }),
  meta: t.Object({
    description: t.String(),
    desktop_screenshot: t.Optional(t.String()),
    mobile_screenshot: t.Optional(t.String()),
  }),
  settings: t.Optional(t.Record(t.String(), t.Unknown())),
})

/** The parts of config.json that the server reads. All others stay unchanged. */
const ThemeConfig = t.Object({
  name: t.Optional(t.String({ maxLength: 255 })),
  version: t.Optional(t.String()),
  meta: t.Object({ composed_image: t.Optional(t.String()) }),
  settings: t.Optional(t.Record(t.String(), t.Unknown())),
  variations: t.Optional(t.Array(Variation, { maxItems: VARIATIONS_MAX })),
})
export type ThemeConfig = Static<typeof ThemeConfig>

/** A setting that shopkeepers edit. */
const Element = t.Object({
  type: t.Enum([
    'heading',
    'paragraph',
    'color',
    'font',
    'select',
    'checkbox',
    'imageDimension',
    'text',
    'optimizedCheckout-image',
    'input',
    'sort',
  ]),
  content: t.Optional(t.String()),
  label: t.Optional(t.String()),
  id: t.Optional(t.String({ minLength: 1 })),
  options: t.Optional(t.Array(t.Object({ value: t.Union([t.String(), t.Number()]) }))),
})
export type Element = Static<typeof Element>

/** schema.json: groups of the settings that shopkeepers edit. */
export type Schema = { name: string; settings: Element[] }[]

const AUTHOR = ['author_name', 'author_email', 'author_support_url']

/** Reads config.json. @throws BundleFault TR-800 if it is unreadable, BundleFaults with all else that is wrong */
export function readThemeConfig(bytes: Buffer): ThemeConfig {
  const found = readJson(bytes, 'TR-800', 'config.json')
  if (!isObject(found)) throw new BundleFault('TR-800', 'config.json is not an object.')
  const faults: Fault[] = []
  const meta = isObject(found.meta) ? found.meta : {}
  const missing = AUTHOR.filter((name) => typeof meta[name] !== 'string' || meta[name] === '')
  if (missing.length > 0)
    faults.push({ code: 'TR-900', sentence: `config.json has no meta.${missing.join(', no meta.')}.` })
  if (Array.isArray(found.variations) && found.variations.length > VARIATIONS_MAX) {
    throw new BundleFault(
      'TR-800',
      `config.json has ${found.variations.length} variations. At most ${VARIATIONS_MAX} are allowed.`,
    )
  }
  const variations = Array.isArray(found.variations) ? found.variations.filter(isObject) : []
  const ids = variations.map(({ id }) => id)
  if (ids.some((id) => typeof id !== 'string' || id === '')) {
    faults.push({ code: 'TR-901', sentence: 'A variation of config.json has no id.' })
  }
  const twice = ids.find((id, i) => typeof id === 'string' && ids.indexOf(id) < i)
  if (twice !== undefined) {
    faults.push({ code: 'TR-902', sentence: `Two variations of config.json have the id ${quotePath(String(twice))}.` })
  }
  if (faults.length === 0) {
    for (const { instancePath, message } of Value.Errors(ThemeConfig, { ...found, meta })) {
      faults.push({ code: 'TR-800', sentence: `config.json is wrong at ${instancePath || '/'}: it ${message}.` })
    }
  }
  if (faults.length > 0 || !Value.Check(ThemeConfig, found)) throw new BundleFaults(faults)
  return found
}

/** Several faults that were found together. */
export class BundleFaults extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ code, sentence }) => `${sentence} (${code})`).join(' '))
    this.faults = faults
  }
}

/** The variations of a theme; one that names none has one (docs/contract/themes.md section 3). */
export function variationsOf({ variations = [] }: ThemeConfig) {
  if (variations.length === 0) return [{ name: 'Default', external_id: 'default', description: '' }]
  return variations.map(({ name, id, meta }) => ({ name, external_id: id, description: meta.description }))
}

/** The values that a variation begins with: those of the theme, and its own before them. */
export function originalSettings(config: ThemeConfig, external_id: string): Settings {
  const own = config.variations?.find(({ id }) => id === external_id)?.settings
  return { ...config.settings, ...own }
}

/** config.json that begins with these values in this variation. Those that the other variations have of their own stay. */
export function withSettings(config: ThemeConfig, external_id: string, settings: Settings): ThemeConfig {
  const { variations } = config
  return {
    ...config,
    settings,
    ...(variations
      ? {
          variations: variations.map((variation) =>
            variation.id === external_id && variation.settings
              ? {
                  ...variation,
                  settings: Object.fromEntries(Object.keys(variation.settings).map((id) => [id, settings[id]])),
                }
              : variation,
          ),
        }
      : {}),
  }
}

/** Reads schema.json. @throws BundleFault */
export function readSchema(bytes: Buffer): Schema {
  const found = readJson(bytes, 'TR-1000', 'schema.json')
  if (!Array.isArray(found)) throw new BundleFault('TR-1002', 'schema.json is not a list.')
  return found.map((group: unknown, i) => {
    if (!isObject(group) || typeof group.name !== 'string' || group.name === '') {
      throw new BundleFault('TR-1003', `The group ${i + 1} of schema.json has no name.`)
    }
    if (!Array.isArray(group.settings)) {
      throw new BundleFault(
        'TR-1004',
        `The group ${JSON.stringify(group.name)} of schema.json has no list of settings.`,
      )
    }
    const settings = group.settings.map((element: unknown, nr) => {
      const lacks = lackOf(element)
      if (lacks === undefined && Value.Check(Element, element)) return element
      const place = `The setting ${nr + 1} of the group ${JSON.stringify(group.name)} of schema.json`
      throw new BundleFault('TR-1005', `${place} ${lacks ?? 'is wrong'}.`)
    })
    return { name: group.name, settings }
  })
}

/** The required fields of each type of settings (docs/contract/themes.md section 3). */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  heading: ['content'],
  paragraph: ['content'],
  select: ['label', 'id', 'options'],
  imageDimension: ['label', 'id', 'options'],
  font: ['label', 'id', 'options'],
  color: ['label', 'id'],
  checkbox: ['label', 'id'],
}

function lackOf(element: unknown): string | undefined {
  if (!isObject(element)) return 'is not an object'
  const { type } = element
  if (typeof type !== 'string') return 'has no type'
  const missing = (NEEDED[type] ?? []).filter((name) => element[name] === undefined)
  return missing.length > 0 ? `has no ${missing.join(', no ')}` : undefined
}

/** Texts that are longer than the inputs in which shopkeepers edit them. */
export function longTexts(config: ThemeConfig, schema: Schema): Fault[] {
  const inputs = new Set(
    schema.flatMap(({ settings }) =>
      settings.flatMap(({ type, id }) => (isText(type) && id !== undefined ? [id] : [])),
    ),
  )
  const all = [config.settings, ...(config.variations ?? []).map(({ settings }) => settings)]
  const long = new Set(
    all.flatMap((settings = {}) =>
      Object.entries(settings).flatMap(([id, value]) =>
        inputs.has(id) && typeof value === 'string' && value.length > TEXT_MAX ? [id] : [],
      ),
    ),
  )
  return [...long].map((id) => ({
    code: 'TR-4400',
    sentence: `The value of ${id} in config.json has more than ${TEXT_MAX} characters.`,
  }))
}

export const isText = (type: Element['type']) => type === 'text' || type === 'input'

/** @throws BundleFault for malformed JSON, and for JSON that is too large or cannot be stored */
function readJson(bytes: Buffer, code: Code, name: string): unknown {
  let found: unknown
  try {
    found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new BundleFault(code, `${name} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const refusal = refusalOf(found)
  if (refusal !== undefined) throw new BundleFault(code, `${name} ${refusal}.`)
  return found
}

/** Why a parsed JSON is refused. Levels are kept in a list of their own: JSON may be nested deeper than functions can call themselves. */
function refusalOf(json: unknown): string | undefined {
  let level: unknown[] = [json]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > JSON_DEPTH_MAX) return `is nested more than ${JSON_DEPTH_MAX} levels deep`
    count += level.length
    if (count > JSON_VALUES_MAX) return `has more than ${JSON_VALUES_MAX} values`
    if (level.some((value) => typeof value === 'string' && !isStorable(value))) return UNSTORABLE
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value) && !Object.keys(value).every(isStorable)) return UNSTORABLE
      for (const item of Object.values(value)) below.push(item)
    }
    level = below
  }
  return undefined
}

const UNSTORABLE = 'has text with U+0000 or half of a surrogate pair, which cannot be stored'
/** Whether PostgreSQL takes a text, as a name of JSON or as a value. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Whether an object has a name at any depth that cannot be stored. */
export function hasUnstorableKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => !isStorable(key) || hasUnstorableKey(item))
}
