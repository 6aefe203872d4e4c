/** A JSON Schema as it stands in the document. */
export type JsonSchema = Record<string, unknown>

export interface DocumentedOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  /** Empty for an operation that anybody may ask for. */
  security?: []
  /** Any one of these scopes is enough. */
  'x-scopes'?: readonly string[]
  /** How the list is paged. */
  'x-pages'?: readonly string[]
  /** Scopes of events that were seen to follow the operation in its own transaction. */
  'x-publishes'?: readonly string[]
  parameters: object[]
  requestBody?: object
  responses: Record<string, DocumentedAnswer>
}

interface DocumentedCallback {
  operationId: string
  requestBody: { content: Record<'application/json', { schema: JsonSchema; example: unknown }> }
}

export interface DocumentedAnswer {
  description?: string
  content?: Record<string, { schema: JsonSchema; example?: unknown }>
  /** In place of the others, for an answer among the components. */
  $ref?: string
}

export interface Components {
  schemas: Record<string, JsonSchema>
  responses: Record<string, DocumentedAnswer>
}

/** The OpenAPI document. */
export interface ApiDocument {
  /** The groups of operations, with their use where two can be confused. */
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  /** The callbacks of hooks, by scope. */
  webhooks?: Record<string, { post: DocumentedCallback }>
  components: Components & Record<string, object>
  [other: string]: unknown
}
