/** The error codes of theme jobs and their meanings (docs/contract/themes.md section 3). */
const CODES = {
  'TR-100': 'internal',
  'TR-300': 'an archive that cannot be read',
  'TR-301': 'cannot be unpacked within the limits',
  'TR-400': 'a path that is not allowed',
  'TR-500': 'a file that is too large',
  'TR-600': 'a template that every theme has is missing',
  'TR-601': 'templates and parsed templates do not belong together',
  'TR-800': 'config.json is wrong',
  'TR-900': 'developer data is missing',
  'TR-901': 'a variation without id',
  'TR-902': 'two variations with one id',
  'TR-1000': 'schema.json cannot be read',
  'TR-1002': 'schema.json is not a list',
  'TR-1003': 'a group of schema.json is wrong',
  'TR-1004': 'the settings of a group of schema.json are wrong',
  'TR-1005': 'a setting of schema.json is wrong',
  'TR-1006': 'schema.json is too large',
  'TR-1400': 'front matter is wrong',
  'TR-4400': 'a text of the configuration is too long',
} as const
export type Code = keyof typeof CODES

/** A fault of a bundle. */
export interface Fault {
  code: Code
  /** For the theme's developer; the code is added where it is shown. */
  sentence: string
}

/** Ends the reading of a bundle. */
export class BundleFault extends Error implements Fault {
  readonly code: Code
  readonly sentence: string

  constructor(code: Code, sentence: string) {
    super(`${sentence} (${code})`)
    this.code = code
    this.sentence = sentence
  }
}
