/** Segments that say nothing about a resource. */
const SILENT = /^(catalog|payment_actions|ip|actions|bulk|imex|\{\})$/

/**
 * The names of the objects on the way to a method, by its path: `['products', 'images']` for `v3/catalog/products/{}/images`. The generator of
 * the table uses them, too.
 */
export function groupsOf(path: string): string[] {
  const segments = path
    .replace(/^v3\//, '')
    .replace(/^b2b\/(v3\/io|io|v2)\//, 'b2b/')
    .split('/')
  return segments
    .filter((segment) => !SILENT.test(segment))
    .map((segment) => segment.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase()))
}
