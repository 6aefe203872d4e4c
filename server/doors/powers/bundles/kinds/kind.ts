import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'

/** The parts of a store that can be selected with `--only`. Rows of an area refer to rows of areas before it. */
export const AREAS = [
  'store',
  'tax',
  'catalog',
  'inventory',
  'customers',
  'prices',
  'shipping',
  'promotions',
  'themes',
  'content',
  'settings',
  'emails',
  'orders',
  'companies',
] as const
export type BundleArea = (typeof AREAS)[number]

/** Fields with ids of other rows, by their kinds: `brand_id`, `categories[]`, `conditions[].modifier_id`. */
export type Refs = Readonly<Record<string, string>>

/** A kind of resource in a bundle: how it is read, and how a row of it is created. */
export interface BundleKind {
  /** The name of its folder in the bundle, and of its ids in the id map. */
  readonly name: string
  readonly area: BundleArea
  /** Its list, below the store. `{under}` is the id of an owner. */
  readonly list: string
  /** Whether a store may lack the list: it answers 404, and there are no rows. So may lists below an owner. */
  readonly isOptional?: boolean
  /** Statuses of answers that mean that the store has no such rows, for example because it lacks the API. */
  readonly absent?: readonly number[]
  /**
   * How its pages are asked for: `ids` by the last id, `pages` by number, `v2` by number until a page is empty, `offsets` by the rows
   * before, `newest first` in the same way from its end, `whole` in one answer, and `object` for one that is not a list.
   */
  readonly paging: 'ids' | 'pages' | 'v2' | 'offsets' | 'newest first' | 'whole' | 'object'
  readonly limit?: number
  /** The rows of an answer, if they are not those of the list. */
  readonly rowsIn?: (body: Row) => unknown
  /** The field with the id of a row: `id`. A kind without ids has null. */
  readonly key?: string | null
  /**
   * The kind of its owners, for lists below an owner, and whether an owner has rows at all. `paths` are the texts in place of its id, for
   * lists that need more of their owner; their rows name it themselves.
   */
  readonly under?: {
    readonly kind: string
    readonly when?: (owner: Row) => boolean
    readonly paths?: (owner: Row) => readonly string[]
  }
  /** The field with the id of another row of the kind that comes first. */
  readonly parent?: string
  /** Fields with ids of other rows. They may depend on the row. */
  readonly refs?: Refs | ((row: Row) => Refs)
  /** Names of fields with ids of other rows, or lists of them, at any depth. */
  readonly refsAnywhere?: Refs
  /** Paths of references without which a row would mean more than it does, and is refused: a promotion for some customers. */
  readonly neededRefs?: readonly string[]
  /** The row as a bundle has it, if that is not the row of the list. Undefined for a row that no bundle has. */
  readonly toBundle?: (row: Row) => Row | undefined
  /** Paths of fields with pictures that are uploaded again. */
  readonly pictures?: readonly string[]
  /** The field of a bundle with the archive of a theme, and the theme that has one. */
  readonly archive?: { readonly at: string; readonly of: (row: Row) => string | undefined }
  /** How rows are created. */
  readonly create: Creation
}

interface Creation {
  readonly method?: 'POST' | 'PUT'
  /** `{under}` is the id of its owner, and any other name a field of the row. */
  readonly path: string
  /** Rows in one request. */
  readonly batch?: number
  /** Makes the body of a request with several rows, if it is not the list of their bodies. */
  readonly bodyOfAll?: (bodies: readonly Row[]) => object
  /** Finds the row that a store has from its beginning, which is changed and not created. Its references are those of the new store. */
  readonly match?: {
    readonly by: (row: Row) => string | undefined
    /** The path of its change; `{id}` is its id. */
    readonly path: string
    /** Whether the change is a list of one row with its id. */
    readonly isBatch?: boolean
  }
  /** The field of the answer with the id of the new row, if it is not the key of the kind. */
  readonly idAt?: string
  /** The list that has a row alone, for a creation that is answered without an id. */
  readonly find?: (row: Row) => string
  /**
   * Makes the body of a row whose ids are those of the new store. Undefined for a row that needs no request.
   * @param original the row of the bundle
   */
  readonly body?: (row: Row, original: Row) => object | string | undefined
  /** Makes a body that is tried if the first one is refused. */
  readonly second?: (body: Row) => Row
  /** The path of an upload for the picture of a row; `{id}` is its id. */
  readonly upload?: { readonly path: string; readonly field: string }
  /** Creates rows by another function (`imports/`). Rows that come `with another kind` are created with it. */
  readonly by?:
    | 'products'
    | 'sites'
    | 'logo'
    | 'orders'
    | 'payments'
    | 'companies'
    | 'invoice payments'
    | 'themes'
    | 'theme configurations'
    | 'active themes'
    | 'with another kind'
}

/** The kind of metafields of an owner. A bundle has those that any client may read. */
export const metafieldKind = (owner: string, of: { area: BundleArea; kind: string; path: string }): BundleKind => ({
  name: `${owner}-metafields`,
  area: of.area,
  list: `/v3/${of.path}/metafields`,
  paging: 'pages',
  refs: { resource_id: of.kind },
  create: { path: `/v3/${of.path}/metafields`, batch: 1 },
})

/** The fields of a row without some of them. */
export const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

/** An object; an empty one in place of anything else. */
export const objectIn = (value: unknown): Row => (isObject(value) ? value : {})

/** The objects of a list. */
export const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The fields of a row with these names. */
export const only = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))
