export type * from './calls.ts'
export { type ClientOptions, type Store, storeward } from './client.ts'
export * from './errors.ts'
export type { EventData } from './generated/events.ts'
export type { Operations } from './generated/methods.ts'
export type * from './generated/queries.ts'
export type * from './generated/schemas.ts'
export type { Hooks, SentRequest } from './transport.ts'
export {
  type Scope,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhooks.ts'
