import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

/** The product's version, as its package says. */
export const VERSION = manifest.version

/**
 * Files and folders that the server reads or starts by path, from the folder of the server. The published package contains these
 * and the modules that are imported, so a path that is missing here is missing there (deploy/pack.ts).
 */
export const PACKAGE_PATHS = {
  directoryMigrations: 'core/db/migrations/directory',
  cellMigrations: 'core/db/migrations/cell',
  referenceScript: 'doors/operator/reference/scripts/reference-script.js',
  searchScript: 'doors/operator/reference/scripts/search-script.js',
  fillScript: 'doors/operator/reference/scripts/fill-script.js',
  examples: 'doors/operator/reference/facts/examples.jsonl',
  publishedEvents: 'doors/operator/reference/facts/published-events.json',
  clientMethods: 'doors/operator/reference/facts/client-methods.json',
  clientCalls: 'doors/operator/reference/facts/client-calls.json',
  queryScript: 'doors/operator/pages/queries/query-script.js',
  guides: '../docs/contract',
  clientGuide: '../docs/client.md',
  testingGuide: '../docs/testing.md',
  buyersSchema: 'doors/b2b/graphql/schema.graphql',
  storefrontSchema: 'doors/storefront/graphql/schema.graphql',
  consoleFiles: '../console/dist',
  emailTemplates: 'shop/emails/contents/builtin',
  stockTheme: 'shop/themes/stock',
  bundleProgram: 'shop/themes/bundle/process.ts',
  pictureProgram: 'shared/pictures/sizes/process.ts',
  templateProgram: 'shop/templates/process.ts',
} as const

/**
 * The path of a file or a folder of the package. In the published package programs are JavaScript, like this module, and folders beside
 * the server are in it.
 */
export function packagePath(name: keyof typeof PACKAGE_PATHS): string {
  const extension = extname(import.meta.url)
  const source = PACKAGE_PATHS[name].replace(/\.ts$/, extension)
  const path = extension === '.js' ? publishedPath(source) : source
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

/** The place of a folder beside the server in the published package, which has nothing outside. */
export const publishedPath = (path: string): string => path.replace(/^\.\.\//, '')
