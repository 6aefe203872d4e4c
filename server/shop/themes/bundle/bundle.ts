import { createHash } from 'node:crypto'
import { pictureSizes } from '../../../core/files/image-type.ts'
import { Archive, type ArchiveFile } from './archive.ts'
import { BundleFaults, longTexts, readSchema, readThemeConfig, type Schema, type ThemeConfig } from './config.ts'
import { BundleFault, type Fault } from './faults.ts'
import { quotePath } from './paths.ts'
import { type RegionPart, regionParts, regionsOf, type ThemeRegions, templateName } from './regions.ts'

const MIB = 1024 * 1024
const JSON_MAX = MIB
const HOME = 'templates/pages/home.html'
const CONFIG = 'config.json'
const SCHEMA = 'schema.json'

/** The templates that shopkeepers choose for single pages, by kind of page. */
export interface CustomTemplates {
  product: string[]
  category: string[]
  brand: string[]
  page: string[]
}

/** The data of a bundle that the server stores, besides its archive. */
export interface Bundle {
  config: ThemeConfig
  /** Null if the theme cannot be edited. */
  schema: Schema | null
  custom_templates: CustomTemplates
  regions: ThemeRegions
  warnings: string[]
}

/** Findings from unpacking the files. */
interface Findings {
  config?: Buffer
  schema?: Buffer
  /** Templates whose front matter does not end. */
  unfinished: string[]
  /** Regions and includes of the templates, by their names. */
  parts: Map<string, readonly RegionPart[]>
  /** Pixels of the pictures in `meta/`; none if the file is not a picture. */
  pictures: Map<string, { bytes: number; size: string | undefined }>
}

/**
 * Judges a bundle by all that it holds (docs/contract/themes.md section 3).
 * @param progress gets the finished share, from 0 to 1
 * @throws BundleFault, or BundleFaults with all faults that can be found at once
 */
export function readBundle(
  path: string,
  progress: (part: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Bundle> {
  return Archive.reading(path, async (archive) => {
    const findings: Findings = { unfinished: [], parts: new Map(), pictures: new Map() }
    await archive.unpack((file, bytes) => note(findings, file, bytes), progress, signal)
    const faults = faultsOfTemplates(archive.files, findings)
    const sizes = new Map(archive.files.map((file) => [file.path, file.size]))
    const { config, schema } = readSettings(sizes, findings, faults)
    return {
      config,
      schema,
      custom_templates: customTemplatesIn(archive.files),
      regions: regionsOf(findings.parts),
      warnings: warningsOf(config, schema, findings),
    }
  })
}

function note(findings: Findings, { path, size }: ArchiveFile, bytes: Buffer) {
  if (path === CONFIG) findings.config = bytes
  else if (path === SCHEMA) findings.schema = bytes
  else if (path.startsWith('templates/')) {
    if (size !== bytes.length) return // Of large files only the beginning is unpacked.
    if (hasUnfinishedFrontMatter(bytes)) findings.unfinished.push(path)
    findings.parts.set(templateName(path), regionParts(bytes.toString()))
  } else if (/^meta\/[^/]+\.(png|jpe?g|gif)$/i.test(path)) {
    const [first] = pictureSizes(bytes)
    findings.pictures.set(path, { bytes: size, size: first && `${first.width}x${first.height}` })
  }
}

/** A template may begin with front matter between two lines of dashes. */
function hasUnfinishedFrontMatter(bytes: Buffer): boolean {
  const begin = bytes.toString('latin1', 0, 5)
  return /^---\r?\n/.test(begin) && !/\n---\s*(\r?\n|$)/.test(bytes.toString('latin1', 3))
}

function faultsOfTemplates(files: readonly ArchiveFile[], { unfinished }: Findings): Fault[] {
  const paths = new Set(files.map(({ path }) => path))
  const templates = [...paths].filter((path) => path.startsWith('templates/'))
  const faults: Fault[] = []
  if (!paths.has(HOME)) faults.push({ code: 'TR-600', sentence: `The theme has no ${HOME}.` })
  for (const path of templates) {
    if (!path.endsWith('.html')) {
      faults.push({ code: 'TR-601', sentence: `The file ${quotePath(path)} is not a template.` })
    } else if (!paths.has(parsedPathOf(path))) {
      faults.push({
        code: 'TR-601',
        sentence: `The template ${quotePath(path)} has no parsed file ${parsedPathOf(path)}.`,
      })
    }
  }
  for (const { path, size } of files) {
    if (path.startsWith('parsed/templates/') && size >= JSON_MAX) {
      faults.push({ code: 'TR-500', sentence: `The parsed template ${quotePath(path)} has 1 MiB or more.` })
    }
  }
  for (const path of unfinished) {
    faults.push({ code: 'TR-1400', sentence: `The front matter of ${quotePath(path)} has no end.` })
  }
  return faults
}

/**
 * The path of the parsed file of a template in a bundle.
 * @param template its path, for example `templates/pages/home.html`
 */
export function parsedPathOf(template: string): string {
  return `parsed/templates/${createHash('md5').update(templateName(template)).digest('hex')}.json`
}

function readSettings(sizes: ReadonlyMap<string, number>, findings: Findings, faults: Fault[]) {
  const collecting = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (error instanceof BundleFault) faults.push({ code: error.code, sentence: error.sentence })
      else if (error instanceof BundleFaults) faults.push(...error.faults)
      else throw error
      return undefined
    }
  }
  const config = collecting(() => {
    if (!findings.config) throw new BundleFault('TR-800', 'The theme has no config.json.')
    if ((sizes.get(CONFIG) ?? 0) > JSON_MAX) throw new BundleFault('TR-800', 'config.json has more than 1 MiB.')
    return readThemeConfig(findings.config)
  })
  const schema = collecting(() => {
    if (!findings.schema) return null
    if ((sizes.get(SCHEMA) ?? 0) > JSON_MAX) throw new BundleFault('TR-1006', 'schema.json has more than 1 MiB.')
    return readSchema(findings.schema)
  })
  if (config && schema) faults.push(...longTexts(config, schema))
  if (!config || schema === undefined || faults.length > 0) throw new BundleFaults(faults)
  return { config, schema }
}

const KINDS = ['product', 'category', 'brand', 'page'] as const

/** The templates of a bundle in `templates/pages/custom`, by kind of page. */
export function customTemplatesIn(files: readonly ArchiveFile[]): CustomTemplates {
  const of = (kind: (typeof KINDS)[number]) =>
    files
      .flatMap(({ path }) => {
        const place = `templates/pages/custom/${kind}/`
        return path.startsWith(place) ? [path.slice(place.length)] : []
      })
      .sort()
  return { product: of('product'), category: of('category'), brand: of('brand'), page: of('page') }
}

/** The screenshots of a theme: pixels and most bytes (docs/contract/themes.md section 3). */
const SCREENSHOTS = {
  composed: { size: '600x760', bytes: 2 * MIB },
  desktop: { size: '2048x2600', bytes: 5 * MIB },
  mobile: { size: '304x540', bytes: MIB },
}

/** Warnings about missing optional parts of a theme. */
function warningsOf(config: ThemeConfig, schema: Schema | null, { pictures }: Findings): string[] {
  const about = (
    what: string,
    file: string | undefined,
    { size, bytes }: { size: string; bytes: number },
  ): string[] => {
    if (file === undefined) return [`${what} has no screenshot of ${size} pixels.`]
    const found = pictures.get(`meta/${file}`)
    if (!found) return [`The screenshot ${quotePath(file)} is not in meta/.`]
    if (found.size !== size) return [`The screenshot ${quotePath(file)} must have ${size} pixels.`]
    return found.bytes > bytes ? [`The screenshot ${quotePath(file)} has more than ${bytes / MIB} MiB.`] : []
  }
  return [
    ...(schema === null ? ['The theme has no schema.json and cannot be edited.'] : []),
    ...about('The theme', config.meta.composed_image, SCREENSHOTS.composed),
    ...(config.variations ?? []).flatMap(({ name, meta }) => [
      ...about(`The variation ${quotePath(name)}`, meta.desktop_screenshot, SCREENSHOTS.desktop),
      ...about(`The variation ${quotePath(name)} on phones`, meta.mobile_screenshot, SCREENSHOTS.mobile),
    ]),
  ]
}
