import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { readClientMethods } from '../operator/reference/facts/client-methods.ts'

/** The methods of the typed client, which the console shows as code. */
export function clientMethodRoutes(api: Api) {
  api.get(
    '/client-methods/:operation_id',
    {
      schema: {
        summary: 'Get the method of the typed client for an operation',
        params: t.Object({ operation_id: t.String({ pattern: '^\\w{1,100}$' }) }),
      },
    },
    async ({ params }) => {
      const methods = readClientMethods()
      const found = Object.hasOwn(methods, params.operation_id) ? methods[params.operation_id] : undefined
      if (!found) throw new Problem(404, 'The client has no method for this operation.')
      return new Answer({ data: found, meta: {} })
    },
  )
}
