import { STATUS_CODES } from 'node:http'
import type { ApiDocument, DocumentedOperation } from '../../../core/rest/document/document.ts'
import { EXPLANATIONS } from './errors/explanations.ts'
import { isRoot } from './graphql/graphql-pages.ts'
import type { SchemaName, SdlDefinition } from './graphql/sdl.ts'
import type { Guide } from './guides.ts'
import { slugOf } from './layout.ts'
import { scopesIn } from './overviews/scopes-page.ts'
import { stemsOf } from './scripts/search-script.js'

/**
 * An entry of the search: its kind, title and address, the words of its path and group, and further words; then the group of an operation, or the
 * headings of a guide; then the scopes of an operation, or an empty text.
 */
export type Entry = [
  kind: 'operation' | 'guide' | 'event' | 'scope' | 'error' | 'graphql',
  title: string,
  address: string,
  place: string,
  rest: string,
  more?: string | string[],
  scopes?: string,
]

/** Everything that the reference can find. Words are stems, since clients look for stems. */
export function searchIndex(
  document: ApiDocument,
  guides: readonly Guide[],
  events: readonly string[],
  schemas: Readonly<Record<SchemaName, readonly SdlDefinition[]>>,
): Entry[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => entryOf(path, operation)),
  )
  return [
    ...operations,
    ...guides.map(({ name, title, text }): Entry => {
      const headings = [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''))
      return ['guide', title, `/docs/guides/${name}`, words([name, ...headings].join(' ')), words(text), headings]
    }),
    ['guide', 'Events and their payloads', '/docs/events', words('webhook callback data body scope hook'), '', []],
    ...events.map(
      (scope): Entry => [
        'event',
        scope,
        `/docs/events#${scope}`,
        words('event webhook callback payload data body'),
        '',
      ],
    ),
    ...scopesIn(document).map(({ scope, operations }): Entry => {
      const groups = [...new Set(operations.map(({ tag }) => tag))]
      const isRead = operations.every(({ method }) => method === 'get')
      return [
        'scope',
        scope,
        `/docs/scopes#${scope}`,
        words(`scope permission ${isRead ? 'read' : 'write'} ${groups.join(' ')}`),
        '',
        groups.join(', '),
      ]
    }),
    ...Object.entries(EXPLANATIONS).map(
      ([status, { means, todo, example }]): Entry => [
        'error',
        `${status} ${STATUS_CODES[status]}: ${example.message}`,
        `/docs/errors#${status}`,
        'error refus status',
        words(`${means} ${todo}`),
      ],
    ),
    ...graphqlEntries('storefront', schemas.storefront),
    ...graphqlEntries('buyers', schemas.buyers),
  ]
}

/** The root fields and the types of a schema. */
function graphqlEntries(schema: SchemaName, definitions: readonly SdlDefinition[]): Entry[] {
  const page = `/docs/graphql/${schema}`
  return definitions.flatMap((one): Entry[] => {
    if (!isRoot(one))
      return [
        [
          'graphql',
          `${one.name} (${schema})`,
          `${page}/${one.name}`,
          words(`graphql ${one.kind}`),
          words(one.description),
        ],
      ]
    return one.fields.map(({ name, description }) => [
      'graphql',
      `${one.name}.${name} (${schema})`,
      `${page}#${one.name}.${name}`,
      words(`graphql ${one.name}`),
      words(description),
    ])
  })
}

/** Parameters of so many operations that they tell none from another. */
const EVERYWHERE = new Set(
  ['store_hash', 'X-Store-Hash', 'page', 'limit', 'offset', 'before', 'after', 'sort', 'direction'].concat([
    'include',
    'include_fields',
    'exclude_fields',
  ]),
)

const words = (text: string) => stemsOf(text).join(' ')

function entryOf(path: string, operation: DocumentedOperation): Entry {
  const { summary, description = '', operationId, tags, parameters } = operation
  const below = path.replace(/^\/stores\/\{store_hash\}/, '').replace(/^\/b2b\/api/, 'b2b')
  const names = parameters.flatMap((parameter) => ('name' in parameter ? String(parameter.name) : []))
  const filters = names.filter((name) => !EVERYWHERE.has(name)).join(' ')
  const scopes = operation['x-scopes'] ?? []
  const purpose = JSON.stringify(operation.requestBody ?? '').includes('multipart/form-data') ? 'upload file' : ''
  return [
    'operation',
    summary,
    `/docs/${slugOf(tags[0] ?? '')}#${operationId}`,
    words(`${below} ${tags.join(' ')} ${filters} ${purpose}`),
    words(`${description} ${scopes.join(' ')}`),
    tags[0] ?? '',
    scopes.join(' or '),
  ]
}
