/**
 * The name of an operation in clients: `listBrands`, `updateProductVariant`, `createBrandMetafields`. Made from method and path
 * alone, so it stays when other routes come and go. A route whose path does not make a natural name has an `operationId`.
 * @param path below the version, such as `/catalog/brands/{brand_id}`
 * @param takesMany whether the body is a list of resources
 */
export function operationName(method: string, path: string, { takesMany = false, family = 'v3' } = {}): string {
  const nouns = nounsOf(path)
  const last = nouns.at(-1) ?? ''
  const isOne = path.endsWith('}')
  const isList = !isOne && singular(last) !== last
  const many = isList && (method !== 'POST' || takesMany)
  const verb = method === 'GET' ? (isList ? 'list' : 'get') : verbs[method]
  const named = nouns.map((noun, i) => capitalized(many && i === nouns.length - 1 ? noun : singular(noun)))
  return `${verb}${named.join('')}${family === 'v3' ? '' : family.toUpperCase()}`
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** The group of an operation in the reference page, by the last two things that its path goes through: `Brand metafields`. */
export function tagOf(path: string): string {
  const nouns = nounsOf(path)
  const [first = '', second] = nouns
  if (second === 'settings') return sentenceCase(`${singular(first)} settings`.replaceAll(/[-_]/g, ' '))
  // A single sub-resource, such as the image of a brand, belongs to the group of its owner.
  const listed = nouns.filter((noun, i) => i === 0 || singular(noun) !== noun).slice(-2)
  const named = listed.map((noun, i) => (i === listed.length - 1 ? noun : singular(noun)))
  const tag = sentenceCase(named.join(' ').replaceAll(/[-_]/g, ' '))
  return TAGS[tag] ?? tag
}

/** Groups whose path does not have the name that a person would choose. */
const TAGS: Readonly<Record<string, string>> = {
  'Customer validate credentials': 'Customer credentials',
  'Settings form fields': 'Form fields',
  'Tax customers': 'Tax properties of customers',
  'Product properties': 'Tax properties of products',
  Pricelists: 'Price lists',
  'Pricelist assignments': 'Price list assignments',
  'Pricelist records': 'Price list records',
  'Pricing products': 'Prices',
  'Cart redirect urls': 'Cart redirect URLs',
  'Order payment actions': 'Order captures and voids',
  'Payment action refund quotes': 'Refund quotes',
  'Payment action refunds': 'Refunds',
  'Content pages': 'Pages',
  'Content scripts': 'Scripts',
  'Content widget templates': 'Widget templates',
  'Content widgets': 'Widgets',
  'Content placements': 'Widget placements',
  'Content page widgets': 'Widgets of a page',
  'Marketing email templates': 'E-mail templates',
  'Marketing abandoned cart emails': 'Abandoned cart e-mails',
  'Zone methods': 'Shipping methods',
}

/** The words of a path without its ids. The family, such as the first word of `/catalog/brands`, is omitted. */
function nounsOf(path: string): string[] {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  return (nouns.length > 1 && nouns[0] === 'catalog' ? nouns.slice(1) : nouns).map((noun) => said[noun] ?? noun)
}

const said: Readonly<Record<string, string>> = { hooks: 'webhooks' }

/** `category` for `categories`; any other word than a plural as it is. Settings come in one piece. */
function singular(noun: string): string {
  if (noun === 'settings') return noun
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`
  if (/(?:ss|us|x|ch|sh)es$/.test(noun)) return noun.slice(0, -2)
  return /[^sui]s$/.test(noun) ? noun.slice(0, -1) : noun
}

/** `BulkPricingRules` for `bulk-pricing-rules`. */
export const capitalized = (words: string) =>
  words
    .split(/[-_ ]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `a brand`, `an option`. */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
