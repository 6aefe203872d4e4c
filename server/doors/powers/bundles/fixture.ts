import { isObject } from '../../../core/objects.ts'
import type { Row } from './bundle.ts'
import { changeRefs } from './fields.ts'
import { productBody } from './imports/products.ts'
import { type Refs, without } from './kinds/kind.ts'
import { readAll } from './lists.ts'
import type { StoreApi } from './store-api.ts'

/**
 * A fixture has resources of a store as a test creates them: bodies of requests by the groups of the client and by names, and references by
 * name (docs/testing.md). People read and change it, so it has the resources that tests begin with and no empty field. A bundle has the rest.
 */
export type Fixture = Record<string, Record<string, Row>>

/** A store that is too large for a fixture. */
class FixtureRefusal extends Error {}

/** More are no fixture that a person reads, and take a test a minute to create. */
const RESOURCES_MAX = 2_000

/** A kind of resource in a fixture. */
interface FixtureKind {
  /** The group of the client whose `create` takes the bodies. */
  readonly group: string
  readonly list: string
  readonly paging: 'ids' | 'v2'
  readonly limit?: number
  /** Fields with ids of other resources, by their groups. */
  readonly refs?: Refs
  /** Fields that no body has, and pictures. */
  readonly omitted: readonly string[]
  readonly body?: (row: Row) => Row
}

const KINDS: readonly FixtureKind[] = [
  { group: 'brands', list: '/v3/catalog/brands', paging: 'ids', omitted: ['id', 'image_url'] },
  {
    group: 'categories',
    list: '/v3/catalog/categories',
    paging: 'ids',
    refs: { parent_id: 'categories' },
    omitted: ['id', 'image_url'],
  },
  {
    group: 'products',
    list: '/v3/catalog/products?include=bulk_pricing_rules,custom_fields,options,variants,videos',
    paging: 'ids',
    limit: 10,
    refs: { brand_id: 'brands', 'categories[]': 'categories' },
    omitted: [
      'base_variant_id',
      'calculated_price',
      'date_created',
      'date_modified',
      'option_set_display',
      'option_set_id',
      'parent_relations',
      'primary_image',
      'reviews_count',
      'reviews_rating_sum',
      // Tax classes differ from store to store.
      'tax_class_id',
    ],
    body: productBody,
  },
  {
    group: 'v2.customerGroups',
    list: '/v2/customer_groups',
    paging: 'v2',
    refs: { 'category_access.categories[]': 'categories' },
    omitted: ['id', 'date_created', 'date_modified', 'discount_rules'],
  },
  {
    group: 'v2.customers',
    list: '/v2/customers',
    paging: 'v2',
    refs: { customer_group_id: 'v2.customerGroups' },
    omitted: [
      'id',
      'accepts_marketing',
      'addresses',
      'date_created',
      'date_modified',
      'form_fields',
      'registration_ip_address',
    ],
  },
]

/**
 * Reads the fixture of a store: brands, categories, products with variants, customer groups and customers.
 * @throws FixtureRefusal for a store with more than 2,000 of them
 */
export async function fixtureOf(api: StoreApi): Promise<Fixture> {
  const read: { kind: FixtureKind; row: Row; name: string }[] = []
  const names = new Names()
  for (const kind of KINDS) {
    for await (const row of readAll(api, kind)) {
      if (read.length === RESOURCES_MAX)
        throw new FixtureRefusal(
          `A fixture has at most ${RESOURCES_MAX} resources. Write a bundle: "storeward export".`,
        )
      read.push({ kind, row, name: names.give(kind.group, row) })
    }
  }
  const fixture: Fixture = {}
  for (const { kind, row, name } of read) {
    fixture[kind.group] = { ...fixture[kind.group], [name]: bodyOf(kind, row, names) }
  }
  return fixture
}

function bodyOf(kind: FixtureKind, row: Row, names: Names): Row {
  const body = without(kind.body?.(row) ?? row, ...kind.omitted)
  const filled = Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)))
  return changeRefs(kind, escaped(filled), (group, id) => names.reference(group, id))
}

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A text that begins with `@` is a reference, unless it begins with two. */
function escaped<T>(value: T): T
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('@') ? `@${value}` : value
  if (Array.isArray(value)) return value.map((each) => escaped(each))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, escaped(each)])) : value
}

/** The names of resources, each once in a fixture. */
class Names {
  readonly #taken = new Set<string>()
  readonly #byId = new Map<string, string>()

  /** Names a resource by its name or its e-mail address: `floor-lamp`, and `floor-lamp-2` for the next of that name. */
  give(group: string, { id, name, email }: Row): string {
    const words = String(name ?? email ?? '')
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g)
    const plain = words?.join('-') ?? group.replace(/^.*\./, '')
    let given = plain
    for (let number = 2; this.#taken.has(given); number++) given = `${plain}-${number}`
    this.#taken.add(given)
    this.#byId.set(`${group} ${id}`, given)
    return given
  }

  /** The reference to a resource. 0 stands for none and remains; undefined for a resource that the fixture does not have. */
  reference(group: string, id: unknown): string | 0 | undefined {
    if (id === 0) return 0
    const name = this.#byId.get(`${group} ${id}`)
    return name === undefined ? undefined : `@${name}`
  }
}
