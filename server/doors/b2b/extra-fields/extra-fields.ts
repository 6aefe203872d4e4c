import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { listExtraFields } from '../../../sales/b2b/extra-fields/definitions.ts'
import { ExtraFieldDefinition, type ExtraFieldKind, extraFieldToAnswer } from '../../../sales/b2b/extra-fields/field.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { companionListAnswer, listing, windowOf, windowQuery } from '../grammar/envelope.ts'

const { write } = access('b2b')

/** The place of the extra fields of a kind of resources. */
interface ExtraFieldRoute {
  kind: ExtraFieldKind
  /** The path of the resources, such as `/v3/io/companies`. */
  path: string
  /** The resources in the operation id, such as `Company`. */
  name: string
  /** The message of answers, which clients compare. */
  message?: string
}

/** The list of the extra fields of a kind (docs/contract/b2b-extra-fields.md). */
export function extraFieldRoutes(api: Api, { kind, path, name, message }: ExtraFieldRoute) {
  api.get(
    `${path}/extra-fields`,
    {
      ...write,
      schema: {
        summary: `List the extra fields of ${PLURALS[kind]}`,
        operationId: `list${name}ExtraFields`,
        tag: 'Extra fields',
        querystring: t.Object(windowQuery),
        ...listing(ExtraFieldDefinition),
      },
    },
    async ({ db, query }) => {
      const window = windowOf(query)
      const { rows, total } = await listExtraFields(db, kind, window)
      return companionListAnswer(rows.map(extraFieldToAnswer), total, window, message)
    },
  )
}

const PLURALS: Readonly<Record<ExtraFieldKind, string>> = {
  company: 'companies',
  user: 'company users',
  address: 'addresses of companies',
  order: 'orders',
  quote: 'quotes',
  invoice: 'invoices',
}
