import { capitalized } from '../lists/operation-names.ts'
import { exampleOfEvent, schemaOfEvent } from './event-fields.ts'

/** The callbacks of hooks (docs/contract/webhooks.md section 2). @param events the data of a sample, by scope */
export const webhooksOf = (events: ReadonlyMap<string, object>) =>
  Object.fromEntries([...events].map(([scope, data]) => [scope, { post: callback(scope, data) }]))

const callback = (scope: string, data: object) => ({
  operationId: `on${capitalized(scope.replace(/^store\//, '').replaceAll(/[^A-Za-z]+/g, ' '))}`,
  summary: `Receive ${scope}`,
  tags: ['Events'],
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/WebhookCallback' },
            { type: 'object', properties: { data: schemaOfEvent(data) } },
          ],
        },
        example: {
          producer: 'stores/abc123',
          hash: 'd53943434ee4121dc1028f88a3a1f2ed39aee542',
          created_at: 1_561_479_335,
          store_id: '1025646',
          scope,
          data: exampleOfEvent(data),
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'The event is delivered. Any other answer is a failure, and the event is sent again' },
  },
})

const text = (description: string) => ({ type: 'string', description })

/** The body of a callback. */
export const WebhookCallback = {
  type: 'object',
  required: ['producer', 'hash', 'created_at', 'store_id', 'scope', 'data'],
  properties: {
    producer: text('`stores/` and the hash of the store'),
    hash: text('SHA-1 of the event, the same for all attempts; no other event has it'),
    created_at: { type: 'integer', description: 'The time of the event in Unix seconds' },
    store_id: text('The number of the store'),
    scope: text('The scope of the event, also for hooks on a whole family'),
    data: { description: 'Ids of the changed resource, by scope: an object, or a list for a few scopes' },
  },
}
