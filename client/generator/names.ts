import { groupsOf } from '../src/groups.ts'

// Names of methods. They come from the path and the operation id of an operation alone, so that an operation that is added later never
// renames a method: `POST /v3/orders/{order_id}/payment_actions/refunds`, createRefund, is `orders.refunds.create`.

/** An operation of the API document, as far as its name depends on it. */
export interface NamedOperation {
  method: string
  /** Its path in the document. */
  path: string
  operationId: string
  /** Whether its body is a list and nothing else. */
  takesList: boolean
}

export interface MethodName {
  /** The names of the objects on the way to the method: `['orders', 'refunds']`. */
  groups: string[]
  name: string
  /** The path as the table has it, with `{}` for each parameter: `v3/orders/{}/payment_actions/refunds`. */
  path: string
}

/** Operations whose path and id would give two of them the same method, or a method without a sense. A name with dots is the whole name. */
const EXCEPTIONS: Record<string, string> = {
  setStock: 'inventory.adjustments.set',
  adjustStock: 'inventory.adjustments.adjust',
  checkTaxZones: 'tax.zones.check',
  createRecordsOfPriceLists: 'createRecords',
  changeRecordsOfPriceLists: 'updateRecords',
  changePriceListRecords: 'updateMany',
  listPricelistRecordsOfVariant: 'listOfVariant',
  deletePromotionCodeByText: 'deleteByText',
  generatePromotionCodes: 'promotions.codes.generate',
  listRefunds: 'listAll',
  updatePages: 'updateMany',
  importRedirects: 'storefront.redirects.import',
  exportRedirects: 'storefront.redirects.export',
  downloadRedirectExport: 'storefront.redirects.downloadExport',
  watchRedirectImport: 'storefront.redirects.watchImport',
  watchRedirectExport: 'storefront.redirects.watchExport',
  countAllStates: 'countAll',
  listSuperAdminsOfCompany: 'listOfCompany',
  listCompaniesWithSuperAdmins: 'listAll',
  listInvoicePayments: 'listOfInvoices',
  checkOutQuote: 'b2b.rfq.checkout',
  markQuoteAsOrdered: 'b2b.rfq.markAsOrdered',
  exportQuotePdf: 'b2b.rfq.exportPdf',
  emailQuote: 'b2b.rfq.email',
  moveCustomerOrders: 'b2b.customers.moveOrders',
  moveCustomerOrdersToGroup: 'b2b.customers.moveOrdersToGroup',
}

/** @throws Error for a path outside of the known families */
export function methodName({ method, path, operationId, takesList }: NamedOperation): MethodName {
  const template = templateOf(path)
  const exception = EXCEPTIONS[operationId]
  if (exception?.includes('.')) {
    const whole = exception.split('.')
    return { groups: whole.slice(0, -1), name: whole.at(-1) ?? '', path: template }
  }
  const groups = groupsOf(template)
  const [verb = '', ...nouns] = operationId.replace(/V2$/, '').match(/^[a-z]+|[A-Z][a-z0-9]*/g) ?? []
  const last = groups.at(-1) ?? ''
  const takesMany = !template.endsWith('{}') && isPlural(nouns.at(-1) ?? '') && (takesList || method === 'delete')
  let name = takesMany && HAS_MANY.has(verb) ? `${verb}Many` : verb
  if (nouns[0] === 'All' && verb === 'list') name = 'listAll'
  if (last === 'count' && method === 'get') {
    groups.pop()
    name = 'count'
  } else if (last.startsWith(verb) && method !== 'get') {
    // `orders/{}/payment_actions/capture` is `orders.capture`, not `orders.capture.capture`.
    groups.pop()
    name = last
  }
  return { groups, name: exception ?? name, path: template }
}

/** Verbs that have a second method for several resources. */
const HAS_MANY = new Set(['create', 'update', 'delete', 'upsert', 'replace'])

const isPlural = (noun: string) => noun.endsWith('s') && !/(Settings|Status|Address)$/.test(noun)

/** `/stores/{store_hash}/v3/channels/{channel_id}` as the table has it: `v3/channels/{}`. */
function templateOf(path: string): string {
  const [, below] = /^\/(?:stores\/\{store_hash\}\/(?=v[23]\/)|(?=b2b\/api\/))(.+)$/.exec(path) ?? []
  if (below === undefined)
    throw new Error(`${path} is in no family of the client: add it to client/generator/names.ts.`)
  return below.replace(/^b2b\/api\//, 'b2b/').replaceAll(/\{\w+\}/g, '{}')
}
