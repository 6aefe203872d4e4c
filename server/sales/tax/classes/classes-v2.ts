import t from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { listV2, pageV2, rowsV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type TaxClass, taxClasses } from './classes.ts'

const { read } = access('information')

const TaxClassV2 = t.Object(
  {
    id: t.String({ description: 'The id as text' }),
    name: t.String(),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'TaxClassV2' },
)

/** Reading tax classes. Only the newer family changes them (docs/contract/tax.md section 2). */
export function taxClassRoutesV2(api: Api) {
  api.get(
    '/tax_classes',
    {
      ...read,
      schema: {
        summary: 'List the tax classes',
        querystring: pageV2,
        response: { 200: t.Array(TaxClassV2), 204: t.Null() },
      },
    },
    async ({ db, query }) => listV2((await rowsV2(db, { collection: taxClasses, query })).map(toAnswer)),
  )

  api.get(
    `/tax_classes/${idSegment('id')}`,
    {
      ...read,
      schema: { summary: 'Get a tax class', params: t.Object({ id: Id }), response: { 200: TaxClassV2 } },
    },
    async ({ db, params }) => new Answer(toAnswer(await findOne(db, taxClasses, params.id))),
  )
}

const toAnswer = ({ id, ...rest }: TaxClass) => ({ ...rest, id: String(id) })
