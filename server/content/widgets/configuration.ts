import t from 'typebox'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'

/** Bytes of the JSON of a configuration. */
const CONFIGURATION_BYTES_MAX = 64 * 1024

/** The values that a merchant chose for a widget: any JSON object, which its template reads as its data. */
export const Configuration = t.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Answers add the uuid of the widget under this name; clients send it back. */
const OWN_NAME = '_'

export const withoutId = ({ [OWN_NAME]: _, ...configuration }: Record<string, unknown>): Record<string, unknown> =>
  configuration

export const withId = (configuration: Record<string, unknown>, uuid: string) => ({
  ...configuration,
  [OWN_NAME]: { id: uuid },
})

/** @param field the path of the configuration */
export function configurationMistakes(configuration: Record<string, unknown> | undefined, field: string): Mistakes {
  const bytes = configuration === undefined ? 0 : Buffer.byteLength(JSON.stringify(withoutId(configuration)))
  return bytes > CONFIGURATION_BYTES_MAX
    ? { [field]: `${field} must have at most ${CONFIGURATION_BYTES_MAX} bytes.` }
    : {}
}
