import { givenNames, houses, outline, partners, promises, styles, towns, trades } from './words.ts'

export const BRANDS = 240

/** The account whose token makes something. */
type Maker = 'admin' | 'otherclient'

export interface DemoBrand {
  name: string
  page_title: string
  meta_keywords: string[]
  meta_description: string
  search_keywords: string
  custom_url?: { url: string; is_customized: true }
}

export interface DemoCategory {
  parent_id: number
  name: string
  description: string
  page_title: string
  meta_keywords: string[]
  meta_description: string
  search_keywords: string
  sort_order: number
  is_visible: boolean
}

export interface DemoMetafield {
  maker: Maker
  of: 'brand' | 'category'
  resource_id: number
  namespace: string
  key: string
  value: string
  permission_set: 'app_only' | 'read' | 'write' | 'read_and_sf_access' | 'write_and_sf_access'
  description: string
}

/** A metafield that every nth brand or category has. */
interface Series extends Omit<DemoMetafield, 'resource_id' | 'value'> {
  every: number
  value(index: number): string
}

/** The resources of the demo store, in the order of their creation: the same on every machine, ids included. */
export function demoCatalog() {
  const brands = Array.from({ length: BRANDS }, (_, index) => brand(index))
  const categories = tree(outline)
  const metafields = series.flatMap(({ every, value, ...metafield }) =>
    ({ brand: brands, category: categories })[metafield.of].flatMap((_, index): DemoMetafield[] =>
      index % every === 0 ? [{ ...metafield, resource_id: index + 1, value: value(index) }] : [],
    ),
  )
  return { brands, categories, metafields }
}

function brand(index: number): DemoBrand {
  const name = brandName(index)
  const { title, goods, keywords } = at(trades, index)
  return {
    name,
    page_title: `${name} | ${title}`,
    meta_keywords: [name.toLowerCase(), ...keywords],
    meta_description: `${name} has made ${goods} in ${at(towns, index)} since ${foundedIn(index)}. ${at(promises, index)}`,
    search_keywords: [name, ...keywords].join(', ').toLowerCase(),
    // Most have the address that their name makes.
    ...(index % 8 === 0 ? { custom_url: { url: `/makers/${index + 1}/`, is_customized: true } } : {}),
  }
}

/** Each house appears four times, each time with a name made in another way. */
export function brandName(index: number): string {
  const house = at(houses, index * 17)
  const round = Math.floor(index / houses.length)
  switch ((index + round) % 4) {
    case 0:
      return `${house} ${at(at(trades, index).nouns, index)}`
    case 1:
      return `${house} & ${at(partners, index)}`
    case 2:
      return `${at(givenNames, index)} ${house}`
    default:
      return at(styles, index).replace('%', house)
  }
}

const foundedIn = (index: number) => 1880 + ((index * 37) % 140)

const series: Series[] = [
  {
    every: 2,
    of: 'brand',
    maker: 'admin',
    namespace: 'erp',
    key: 'supplier_number',
    permission_set: 'app_only',
    description: 'Number in the accounts; nobody else needs it',
    value: (index) => `S-${10_000 + index * 7}`,
  },
  {
    every: 3,
    of: 'brand',
    maker: 'admin',
    namespace: 'story',
    key: 'founded',
    permission_set: 'read_and_sf_access',
    description: 'Year, shown on the page of the brand',
    value: (index) => String(foundedIn(index)),
  },
  {
    every: 5,
    of: 'brand',
    maker: 'admin',
    namespace: 'buying',
    key: 'lead_time_days',
    permission_set: 'write',
    description: 'Days from order to delivery',
    value: (index) => String(7 + (index % 6) * 7),
  },
  {
    every: 4,
    of: 'brand',
    maker: 'otherclient',
    namespace: 'reviews',
    key: 'score',
    permission_set: 'read',
    description: 'Mean of all reviews, and their number',
    value: (index) => JSON.stringify({ score: 3.5 + (index % 15) / 10, count: 7 + ((index * 29) % 400) }),
  },
  {
    every: 6,
    of: 'brand',
    maker: 'otherclient',
    namespace: 'campaign',
    key: 'badge',
    permission_set: 'write_and_sf_access',
    description: 'Shown beside the name',
    value: (index) => (index % 12 === 0 ? 'new here' : 'loved again'),
  },
  {
    every: 2,
    of: 'category',
    maker: 'admin',
    namespace: 'page',
    key: 'banner',
    permission_set: 'read_and_sf_access',
    description: 'Text over the list',
    value: (index) => `New in week ${1 + ((index * 5) % 52)}`,
  },
  {
    every: 3,
    of: 'category',
    maker: 'otherclient',
    namespace: 'pricing',
    key: 'target_margin',
    permission_set: 'app_only',
    description: 'Percent',
    value: (index) => String(38 + (index % 9)),
  },
]

/** The categories of an outline, parents before their children. Their ids count from 1. */
function tree(text: string): DemoCategory[] {
  const path: { id: number; name: string }[] = []
  return text
    .trim()
    .split('\n')
    .map((line, index) => {
      const name = line.trim()
      path.length = (line.length - line.trimStart().length) / 2
      const parent = path.at(-1)
      const words = [...path.map(({ name }) => name), name].map((word) => word.toLowerCase())
      path.push({ id: index + 1, name })
      return {
        parent_id: parent?.id ?? 0,
        name,
        description: `<p>Everything for ${words.join(', ')}: chosen by us, made by ${1 + ((index * 11) % 40)} houses.</p>`,
        page_title: parent ? `${name} | ${parent.name}` : name,
        meta_keywords: words,
        meta_description: `${name} from makers who still answer the telephone.`,
        search_keywords: words.join(', '),
        sort_order: index,
        is_visible: name !== 'Sample sale',
      }
    })
}

export function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('A list of the demo catalog is empty.')
  return item
}
