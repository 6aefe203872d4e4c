import t from 'typebox'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { ID_MAX } from '../../core/rest/input/fields.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { taxTables, taxZoneAt } from './calculation/tables.ts'
import { taxZones } from './zones/zones.ts'

const { read } = access('information')

const CHECKED_MAX = 100

const Place = t.Object(
  {
    country_code: t.String({ pattern: '^[A-Za-z]{2}$' }),
    subdivision_codes: t.Optional(t.String({ maxLength: 255, description: 'One code, in spite of its name' })),
    postal_code: t.Optional(t.String({ maxLength: 255 })),
    customer_group_id: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX, default: 0 })),
  },
  { title: 'TaxZoneCheck' },
)

/** Which zone serves a place (docs/contract/tax.md section 5). It changes nothing, so a reading scope is enough. */
export function zoneCheckRoutes(api: Api) {
  api.post(
    '/tax/zonecheck',
    {
      ...read,
      schema: {
        summary: 'Find the tax zones of places',
        operationId: 'checkTaxZones',
        description: 'One zone for each place, in the order of the body.',
        body: t.Array(Place, {
          minItems: 1,
          maxItems: CHECKED_MAX,
          examples: [[{ country_code: 'US', subdivision_codes: 'CA', postal_code: '90210' }]],
        }),
        response: { 200: envelope(t.Array(taxZones.shape)) },
      },
    },
    async ({ db, body }) => {
      const tables = await taxTables(db)
      const zones = body.map(({ country_code, subdivision_codes = '', postal_code = '', customer_group_id = 0 }) => {
        const place = { country_code, subdivision_code: subdivision_codes, postal_code, customer_group_id }
        return taxZoneAt(tables, place).zone
      })
      return answer(zones)
    },
  )
}
