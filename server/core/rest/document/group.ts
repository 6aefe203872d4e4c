import type { ApiDocument } from './document.ts'

/** The document of one group of operations, with the components that these name. @returns undefined for an unknown group */
export function documentOfGroup(document: ApiDocument, tag: string): ApiDocument | undefined {
  const paths: ApiDocument['paths'] = {}
  for (const [path, methods] of Object.entries(document.paths)) {
    const own = Object.entries(methods).filter(([, { tags }]) => tags.includes(tag))
    if (own.length > 0) paths[path] = Object.fromEntries(own)
  }
  if (Object.keys(paths).length === 0) return undefined
  const { securitySchemes = {}, ...kinds } = document.components
  const named = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value && typeof value.$ref === 'string' && !named.has(value.$ref)) {
      named.add(value.$ref)
      const [, , kind = '', name = ''] = value.$ref.split('/')
      visit(Reflect.get(Object(Reflect.get(kinds, kind)), name))
    }
    for (const part of Object.values(value)) visit(part)
  }
  visit(paths)
  const keep = <V>(kind: string, entries: Record<string, V>): Record<string, V> =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => named.has(`#/components/${kind}/${name}`)))
  const { webhooks: _, 'x-tagGroups': __, tags = [], ...rest } = document
  return {
    ...rest,
    tags: tags.filter(({ name }) => name === tag),
    paths,
    components: {
      securitySchemes,
      parameters: keep('parameters', { ...kinds.parameters }),
      responses: keep('responses', kinds.responses),
      schemas: keep('schemas', kinds.schemas),
    },
  }
}
