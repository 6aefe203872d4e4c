import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { packagePath } from '../../core/package.ts'
import { setFirstTheme } from '../channels/active-theme.ts'
import { FIRST_CHANNEL } from '../channels/channels.ts'
import { type Bundle, customTemplatesIn, parsedPathOf } from './bundle/bundle.ts'
import { readSchema, readThemeConfig, variationsOf } from './bundle/config.ts'
import type { PackedFile } from './bundle/pack.ts'
import { regionParts, regionsOf, templateName } from './bundle/regions.ts'

/**
 * The theme that every store has, from a folder of the server. Its ids are the same in all stores: those that a migration gave to
 * stores of earlier versions, too.
 */
export const STOCK = {
  uuid: 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001',
  version_uuid: 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0002',
  name: 'Homestead',
  /** In the order of config.json. */
  variations: [
    {
      uuid: 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0011',
      configuration: 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0021',
      name: 'Light',
      external_id: 'light',
      description: 'Dark text on a light ground.',
    },
    {
      uuid: 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0012',
      configuration: 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0022',
      name: 'Dusk',
      external_id: 'dusk',
      description: 'Light text on a dark ground.',
    },
  ],
} as const

const folder = packagePath('stockTheme')

let bundle: Promise<Bundle> | undefined

/** The bundle of the stock theme. */
export const stockBundle = (): Promise<Bundle> => {
  bundle ??= readFolder()
  return bundle
}

async function readFolder(): Promise<Bundle> {
  const config = readThemeConfig(await readFile(join(folder, 'config.json')))
  const templates = await stockTemplates()
  return {
    config,
    schema: readSchema(await readFile(join(folder, 'schema.json'))),
    custom_templates: customTemplatesIn((await stockPaths()).map((path) => ({ path, size: 0 }))),
    regions: regionsOf(new Map([...templates].map(([name, text]) => [name, regionParts(text)]))),
    warnings: [],
  }
}

/** The templates of the stock theme, by their names. */
async function stockTemplates(): Promise<ReadonlyMap<string, string>> {
  const templates = new Map<string, string>()
  for (const path of (await stockPaths()).filter((path) => path.startsWith('templates/'))) {
    templates.set(templateName(path), await readFile(join(folder, path), 'utf8'))
  }
  return templates
}

async function stockPaths(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/**
 * The files of the stock theme as a bundle, with the parsed templates of the theme tools.
 * @param config replaces its config.json
 */
export async function stockFiles(config?: object): Promise<PackedFile[]> {
  const paths = await stockPaths()
  const files: PackedFile[] = paths.map((path) => ({
    path,
    open: () => (path === 'config.json' && config ? Promise.resolve(jsonOf(config)) : readFile(join(folder, path))),
  }))
  const templates = await stockTemplates()
  for (const path of paths.filter((path) => path.startsWith('templates/'))) {
    const parsed = withPartials(templateName(path), templates)
    files.push({ path: parsedPathOf(path), open: () => Promise.resolve(jsonOf(parsed)) })
  }
  const manifest = { regions: {}, templates: [...templates.keys()] }
  return [...files, { path: 'manifest.json', open: () => Promise.resolve(jsonOf(manifest)) }]
}

const jsonOf = (value: object) => Buffer.from(JSON.stringify(value, null, 2))

/** A template with those that it includes, by their names. */
function withPartials(name: string, templates: ReadonlyMap<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  const add = (next: string) => {
    const text = templates.get(next)
    if (text === undefined || found[next] !== undefined) return
    found[next] = text
    for (const [, partial = ''] of text.matchAll(/\{\{[>#]?[>#]>?\s*([\w/-]+)/g)) add(partial)
  }
  add(name)
  return found
}

/** Gives a new store the stock theme, which its first channel shows. Where it is there already, nothing happens. */
export async function openStockTheme(tx: Tx) {
  const store_id = tx.store.id
  const { uuid, version_uuid, name, variations } = STOCK
  const theme = { store_id, uuid, version_uuid, name, is_private: false, updated_at: tx.now }
  await tx.rows(sql`insert into themes ${sql.rows([theme])} on conflict do nothing`)
  for (const [position, { configuration, ...variation }] of variations.entries()) {
    const row = { store_id, theme_uuid: uuid, position, ...variation }
    await tx.rows(sql`insert into theme_variations ${sql.rows([row])} on conflict do nothing`)
    const original = {
      store_id,
      uuid: configuration,
      theme_uuid: uuid,
      variation_uuid: variation.uuid,
      number: position + 1,
      is_original: true,
      channel_id: 0,
      site_id: 0,
      date_created: tx.now,
    }
    await tx.rows(sql`insert into theme_configurations ${sql.rows([original])} on conflict do nothing`)
  }
  const configuration = variations[0].configuration
  await setFirstTheme(tx, FIRST_CHANNEL, {
    active_theme_uuid: uuid,
    active_theme_configuration_uuid: configuration,
    active_theme_version_uuid: version_uuid,
    saved_theme_configuration_uuid: configuration,
  })
}

/** Whether the shipped folder and the ids above name the same variations; a test asks. */
export const stockVariations = async () => variationsOf((await stockBundle()).config)
