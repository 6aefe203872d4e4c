import t from 'typebox'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { pageV2 } from '../../../core/rest/v2.ts'
import { imageUrlIn } from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { addBrand, BrandChanges, type BrandDependencies, brands, changeBrand, deleteBrand, NewBrand } from './brands.ts'

const { read, write } = access('catalog')

const New = t.Object(NewBrand.properties, { title: 'NewBrandV2', examples: [{ name: 'Muuto', page_title: 'Muuto' }] })

/** Brands of the older family: without an envelope, and lists without meta (docs/contract/brands.md section 11). */
export function brandRoutesV2(app: Api, { pictures, products }: BrandDependencies) {
  const one = `/brands/${idSegment('brand_id')}`
  const params = t.Object({ brand_id: Id })
  const config = { ...write.config, ...pictures.copying(imageUrlIn) }

  app.get(
    '/brands',
    {
      ...read,
      schema: {
        summary: 'List the brands',
        querystring: pageV2,
        response: { 200: t.Array(brands.shape), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const { data } = await findRows(db, brands, query)
      return data.length === 0 ? noContent() : new Answer(data)
    },
  )

  app.post(
    '/brands',
    { config, schema: { summary: 'Create a brand', body: New, response: { 201: brands.shape } } },
    async (request) => {
      const { row } = await addBrand(request, pictures)
      return new Answer(row, 201, { location: `/stores/${request.db.store.hash}/v2/brands/${row.id}` })
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a brand', params, response: { 200: brands.shape } } },
    async ({ db, params }) => new Answer(await findOne(db, brands, params.brand_id)),
  )

  app.put(
    one,
    {
      config,
      schema: { summary: 'Change a brand', params, body: BrandChanges, response: { 200: brands.shape } },
    },
    async (request) => new Answer((await changeBrand(request, request.params.brand_id, pictures)).row),
  )

  app.delete(one, { ...write, schema: { summary: 'Delete a brand', params } }, async ({ db, params }) => {
    await deleteBrand(db, pictures.files, products, params.brand_id)
    return noContent()
  })
}
