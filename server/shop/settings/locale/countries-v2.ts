import t, { type Static } from 'typebox'
import { ALL_COUNTRIES, type Country } from '../../../core/geography/countries.ts'
import { ALL_STATES, type State } from '../../../core/geography/states.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { paging } from '../../../core/rest/lists/paging.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { listV2, pageV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'

const { read } = access('information')

const CountryAnswer = t.Object(
  {
    id: Id,
    country: t.String({ description: 'The name in English' }),
    country_iso2: t.String(),
    country_iso3: t.String(),
    states: t.Object({ url: t.String(), resource: t.String() }, { title: 'CountryStatesLink' }),
  },
  { title: 'Country' },
)
const StateAnswer = t.Object(
  { id: Id, state: t.String(), state_abbreviation: t.String(), country_id: Id },
  { title: 'CountryState' },
)
const Count = t.Object({ count: t.Integer() }, { title: 'GeographyCount' })

const text = t.Optional(t.String())
const CountryQuery = t.Object({ country: text, country_iso2: text, country_iso3: text, ...paging })
const StateQuery = t.Object({ state: text, state_abbreviation: text, ...paging })

/**
 * Countries and their states (docs/contract/countries.md). They are the same in every store, so no statement is sent.
 * @param publicUrl address of the server as clients see it
 */
export function countryRoutesV2(api: Api, { publicUrl }: { publicUrl: string }) {
  const one = `/countries/${idSegment('id')}`
  const states = `/countries/${idSegment('country_id')}/states`
  const ofCountry = t.Object({ country_id: Id })
  const listOf = (states: typeof StateAnswer) => ({ 200: t.Array(states), 204: t.Null() })

  api.get(
    '/countries',
    {
      ...read,
      schema: {
        summary: 'List the countries',
        querystring: CountryQuery,
        response: { 200: t.Array(CountryAnswer), 204: t.Null() },
      },
    },
    ({ db, query }) => {
      const base = `${publicUrl}/stores/${db.store.hash}/v2`
      const { country, country_iso2, country_iso3 } = query
      const found = ALL_COUNTRIES.filter(
        ({ name, iso2, iso3 }) => equals(name, country) && equals(iso2, country_iso2) && equals(iso3, country_iso3),
      )
      return listV2(pageOf(found, query).map((country) => countryToAnswer(country, base)))
    },
  )

  api.get(
    '/countries/count',
    { ...read, schema: { summary: 'Count the countries', operationId: 'countCountries', response: { 200: Count } } },
    () => new Answer({ count: ALL_COUNTRIES.length }),
  )

  api.get(
    '/countries/states',
    {
      ...read,
      schema: {
        summary: 'List the states of all countries',
        operationId: 'listAllStates',
        querystring: pageV2,
        response: listOf(StateAnswer),
      },
    },
    ({ query }) => listV2(pageOf(ANSWERED_STATES, query)),
  )

  api.get(
    '/countries/states/count',
    {
      ...read,
      schema: { summary: 'Count the states of all countries', operationId: 'countAllStates', response: { 200: Count } },
    },
    () => new Answer({ count: ANSWERED_STATES.length }),
  )

  api.get(
    one,
    {
      ...read,
      schema: { summary: 'Get a country', params: t.Object({ id: Id }), response: { 200: CountryAnswer } },
    },
    ({ db, params }) => new Answer(countryToAnswer(findCountry(params.id), `${publicUrl}/stores/${db.store.hash}/v2`)),
  )

  api.get(
    states,
    {
      ...read,
      schema: {
        summary: 'List the states of a country',
        operationId: 'listCountryStates',
        params: ofCountry,
        querystring: StateQuery,
        response: listOf(StateAnswer),
      },
    },
    ({ params, query }) => {
      const found = statesOfCountry(params.country_id).filter(
        ({ state, state_abbreviation }) =>
          equals(state, query.state) && equals(state_abbreviation, query.state_abbreviation),
      )
      return listV2(pageOf(found, query))
    },
  )

  api.get(
    `${states}/count`,
    {
      ...read,
      schema: {
        summary: 'Count the states of a country',
        operationId: 'countCountryStates',
        params: ofCountry,
        response: { 200: Count },
      },
    },
    ({ params }) => new Answer({ count: statesOfCountry(params.country_id).length }),
  )

  api.get(
    `${states}/${idSegment('id')}`,
    {
      ...read,
      schema: {
        summary: 'Get a state of a country',
        operationId: 'getCountryState',
        params: t.Object({ country_id: Id, id: Id }),
        response: { 200: StateAnswer },
      },
    },
    ({ params }) => {
      const found = statesOfCountry(params.country_id).find(({ id }) => id === params.id)
      if (!found) throw notFound('state', params.id)
      return new Answer(found)
    },
  )
}

const countryToAnswer = ({ id, name, iso2, iso3 }: Country, base: string): Static<typeof CountryAnswer> => {
  const resource = `/countries/${id}/states`
  return { id, country: name, country_iso2: iso2, country_iso3: iso3, states: { url: `${base}${resource}`, resource } }
}

const NUMBERS: ReadonlyMap<string, number> = new Map(ALL_COUNTRIES.map(({ iso2, id }) => [iso2, id]))

const stateToAnswer = ({ id, name, code, country }: State & { country: string }): Static<typeof StateAnswer> => ({
  id,
  state: name,
  state_abbreviation: code,
  country_id: NUMBERS.get(country) ?? 0,
})

/** All states, in the order of their numbers. */
const ANSWERED_STATES = ALL_STATES.map(stateToAnswer)

/** @throws Problem 404 */
function findCountry(id: number): Country {
  const found = ALL_COUNTRIES[id - 1]
  if (!found) throw notFound('country', id)
  return found
}

/** @throws Problem 404 for an unknown country */
function statesOfCountry(id: number): Static<typeof StateAnswer>[] {
  findCountry(id)
  return ANSWERED_STATES.filter(({ country_id }) => country_id === id)
}

/** Whether a text passes a filter, which ignores case. */
const equals = (text: string, filter: string | undefined) => filter === undefined || fold(text) === fold(filter)

const pageOf = <Row>(rows: readonly Row[], { page = 1, limit = rows.length }: { page?: number; limit?: number }) =>
  rows.slice((page - 1) * limit, page * limit)
