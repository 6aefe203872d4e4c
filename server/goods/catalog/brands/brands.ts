import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment, NeededLine } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { ComparedText } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { findOne, lock, pick, remove } from '../../../core/rest/lists/verbs.ts'
import { deleteMetafieldsOf, type MetafieldOwner, metafieldRoutes } from '../../../shared/metafields/metafields.ts'
import { ImageUrl, imageRoutes, imageUrlIn, type Pictures, withImage } from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import {
  addressedAnswers,
  answerAddressed,
  CustomUrl,
  CustomUrlInput,
  changeAddressed,
  insertAddressed,
  releaseAddress,
} from '../addresses/urls.ts'

const { read, write } = access('catalog')

const Brand = t.Object({
  id: Id,
  name: NeededLine,
  page_title: t.String({ maxLength: 255 }),
  meta_keywords: t.Array(t.String()),
  meta_description: t.String({ maxLength: 65_535 }),
  search_keywords: t.String({ maxLength: 65_535 }),
  image_url: ImageUrl,
  custom_url: CustomUrl,
})
export const BrandChanges = t.Partial(t.Object({ ...t.Omit(Brand, ['id']).properties, custom_url: CustomUrlInput }), {
  title: 'BrandChanges',
  examples: [{ page_title: 'Ferm Living' }],
})
export const NewBrand = t.Object(
  { ...BrandChanges.properties, name: Brand.properties.name },
  {
    title: 'NewBrand',
    examples: [{ name: 'Ferm', page_title: 'Ferm', meta_keywords: ['home'], custom_url: { url: '/ferm/' } }],
  },
)

const ADDRESS = 'If the address is taken or malformed, everything else is saved, and the answer is 207.'

// The name is required: a deletion without it would delete every brand.
const ByName = t.Object(
  { name: ComparedText, page_title: t.Optional(ComparedText) },
  { additionalProperties: false, examples: [{ name: 'Ferm' }] },
)

/** Names are unique in a store, and compared folded (docs/contract/catalog.md section 1). */
export const brands = collection('brands', Brand, {
  noun: 'brand',
  filters: 'id id:in id:not_in id:min id:max id:greater id:less name name:like page_title',
  sort: ['name'],
  unique: 'name',
  max: 30_000,
  counted: true,
  conflicts: { brands_name_unique: ['A brand with this name already exists.', 'name'] },
})

export const brandMetafields: MetafieldOwner = {
  kind: 'brand',
  resources: brands,
  path: '/catalog/brands',
  access: access('catalog'),
  scope: 'store/brand',
}

const blank = {
  page_title: '',
  meta_keywords: [],
  meta_description: '',
  search_keywords: '',
  image_url: '',
  custom_url: { url: '', is_customized: false },
}

/**
 * Functions that change the products of a deleted brand. Brands must not import products, so `goods/catalog/routes.ts` passes
 * them.
 */
export interface BrandProducts {
  /** Removes a large brand from its products in steps, before the transaction that deletes it. */
  detachLargeBrand(db: Db, id: number): Promise<void>
  /** Removes a brand from its remaining products and from areas above the catalog, in the transaction that deletes it and with the brand locked. */
  detachBrand(tx: Tx, id: number): Promise<void>
}

/** The dependencies of the brand routes. */
export interface BrandDependencies {
  pictures: Pictures
  products: BrandProducts
}

/** All 17 operations of a brand (docs/contract/brands.md). */
export function brandRoutes(app: Api, { pictures, products }: BrandDependencies) {
  const { files } = pictures
  const one = `/catalog/brands/${idSegment('brand_id')}`
  const params = t.Object({ brand_id: Id })
  const config = { ...write.config, ...pictures.copying(imageUrlIn) }

  app.get('/catalog/brands', { ...read, schema: { summary: 'List the brands', ...brands.list } }, ({ db, query }) =>
    findPage(db, brands, query),
  )

  app.post(
    '/catalog/brands',
    {
      config,
      schema: { summary: 'Create a brand', description: ADDRESS, body: NewBrand, ...addressedAnswers(brands.shape) },
    },
    async (request) => answerAddressed(await addBrand(request, pictures), app.docsBase),
  )

  app.delete(
    '/catalog/brands',
    {
      ...write,
      schema: {
        summary: 'Delete brands by their name',
        description: 'Deletes all brands with this name in any case. The name is required (422).',
        querystring: ByName,
      },
    },
    async ({ db, query: { name, page_title } }) => {
      const named = (db: Db, locking = sql.empty) =>
        db.rows<{ id: number }>(sql`
          select id from brands where store_id = ${db.store.id} and name_key = ${fold(name)}
            and ${page_title === undefined ? sql`true` : sql`page_title_key = ${fold(page_title)}`} ${locking}`)
      for (const { id } of await named(db)) await products.detachLargeBrand(db, id)
      await db.transaction(async (tx) => {
        for (const { id } of await named(tx, sql`for update`)) await removeBrand(tx, files, products, id)
      })
      return noContent()
    },
  )

  app.get(one, { ...read, schema: { summary: 'Get a brand', params, ...brands.one } }, async ({ db, params, query }) =>
    answer(pick(brands, await findOne(db, brands, params.brand_id), query)),
  )

  app.put(
    one,
    {
      config,
      schema: {
        summary: 'Change a brand',
        description: ADDRESS,
        params,
        body: BrandChanges,
        ...addressedAnswers(brands.shape),
      },
    },
    async (request) => answerAddressed(await changeBrand(request, request.params.brand_id, pictures), app.docsBase),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a brand', description: 'Its products stay, without a brand.', params } },
    async ({ db, params }) => {
      await deleteBrand(db, files, products, params.brand_id)
      return noContent()
    },
  )

  imageRoutes(app, pictures, '/catalog/brands', brands)
  metafieldRoutes(app, brandMetafields)
}

/** A request that creates or changes a brand. */
interface BrandRequest<Body> extends Pick<FastifyRequest, 'db'> {
  body: Body
}

/** Stores a brand. If FETCH_IMAGES is on, it also stores a copy of the image that the body names. */
export async function addBrand(request: BrandRequest<Static<typeof NewBrand>>, pictures: Pictures) {
  const { db, body } = request
  const copy = pictures.copiesOf(request).get('image_url')
  if (copy === undefined) return createBrand(db, body)
  return db.transaction(async (tx) => {
    const created = await createBrand(tx, { ...body, image_url: copy.url })
    await pictures.files.attachAll(tx, 'brand', [{ id: created.row.id, name: copy.file }])
    return created
  })
}

/** @throws Problem 404 */
export async function changeBrand(request: BrandRequest<Static<typeof BrandChanges>>, id: number, pictures: Pictures) {
  const { db, body } = request
  const copies = pictures.copiesOf(request)
  return db.transaction(async (tx) => {
    const brand = await lock(tx, brands, id)
    const picture = { kind: 'brand', row: brand, copies }
    const changes = await withImage(tx, pictures.files, picture, body)
    return changeAddressed(tx, brands, brand, changes)
  })
}

/** Stores a brand under the address that the body asks for, or under one made from its name. */
export function createBrand(db: Db, { custom_url, ...values }: Static<typeof NewBrand>) {
  return insertAddressed(db, brands, { ...blank, ...values }, custom_url)
}

/** Deletes a brand with its metafields, its stored image and its address. Its products stay, without a brand. @throws Problem 404 */
export async function deleteBrand(db: Db, files: Files, products: BrandProducts, id: number) {
  await products.detachLargeBrand(db, id)
  await db.transaction((tx) => removeBrand(tx, files, products, id))
}

async function removeBrand(tx: Tx, files: Files, products: BrandProducts, id: number) {
  await lock(tx, brands, id)
  await products.detachBrand(tx, id)
  await remove(tx, brands, id)
  await deleteMetafieldsOf(tx, brandMetafields, [id])
  await files.detach(tx, { kind: 'brand', id })
  await releaseAddress(tx, brands, id)
}
