import t from 'typebox'
import { codeOfCountry, countryOf, nameOfCountry } from '../../../core/geography/countries.ts'
import { stateByName } from '../../../core/geography/states.ts'
import type { Api } from '../../../core/rest/api.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { countryByText, stateByCode } from '../../../sales/b2b/addresses/places.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, companionAnswer, SUCCESS_OF_USERS } from '../grammar/envelope.ts'

const { write } = access('b2b')
const tag = 'Company addresses'

const BY_CODE = 1
const searched = {
  searchType: t.Optional(t.Integer({ minimum: 0, maximum: 1, description: '0 by name, 1 by code' })),
  q: t.String({ minLength: 1 }),
}
const CountryHit = t.Object({ countryCode: t.String(), countryName: t.String() }, { title: 'CountryHit' })
const StateHit = t.Object({ stateCode: t.String(), stateName: t.String() }, { title: 'StateHit' })

/** Searches for a country or a state (docs/contract/b2b-addresses.md section 3). */
export function placeRoutes(api: Api) {
  api.get(
    '/v3/io/countries',
    {
      ...write,
      schema: {
        summary: 'Find a country by its name or code',
        operationId: 'findCompanyCountry',
        tag,
        querystring: t.Object(searched, { examples: [{ q: 'Australia' }] }),
        ...answering(CountryHit),
      },
    },
    async ({ query: { searchType, q } }) => {
      const code = searchType === BY_CODE ? countryOf(q) : codeOfCountry(q)
      if (code === undefined) throw notFound('country', q)
      return companionAnswer({ countryCode: code, countryName: nameOfCountry(code) }, SUCCESS_OF_USERS)
    },
  )

  api.get(
    '/v3/io/states',
    {
      ...write,
      schema: {
        summary: 'Find a state by its name or code',
        operationId: 'findCompanyState',
        tag,
        querystring: t.Object(
          {
            ...searched,
            country: t.Optional(t.String({ description: 'A name or code; by default the United States' })),
          },
          { examples: [{ q: 'Texas' }] },
        ),
        ...answering(StateHit),
      },
    },
    async ({ query: { searchType, q, country = 'US' } }) => {
      const code = countryByText(country)
      const state = code && (searchType === BY_CODE ? stateByCode(code, q) : stateByName(code, q))
      if (!state) throw notFound('state', q)
      return companionAnswer({ stateCode: state.code, stateName: state.name }, SUCCESS_OF_USERS)
    },
  )
}
