import { readFile } from 'node:fs/promises'
import { buildSchema } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { packagePath } from '../../../core/package.ts'
import { levelsOf, PREDEFINED } from '../../../sales/b2b/shared/permissions.ts'
import { ADMIN, askGraph, makeBelow, makeSuper, makeUser, openBuyers, tokenAt } from '../../../test/buyers.ts'
import { ask, makeCompany, makeCompanyOrder, makeInvoice, makeMug, newQuote } from '../../../test/fixtures/companion.ts'
import { type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { ACCESS } from '../graphql/access.ts'
import { NOT_BUILT_FIELDS } from '../graphql/not-built.ts'

// The walls between companies in the GraphQL of buyers (docs/contract/b2b-graphql.md section 4): every root field, called by people of all
// kinds with ids of the own company, of others and with ids that never existed. A new root field needs a rule here.

/** The ids of the things of one company. */
interface Things {
  company: number
  /** The user who owns the quote, the list and the order. */
  user: number
  address: number
  invoice: number
  receipt: number
  line: number
  payment: number
  quote: number
  list: number
  item: number
  order: number
}

/** A field whose arguments name a company or a thing of one. */
interface IdRule {
  /** Whether the thing is found at level 1 by its owner, or the company at level 1 by each of its users. */
  owned?: boolean | 'byCompany'
  ask(things: Things): string
}

const store = () => shop.store.hash
const address = (company: number) =>
  `companyId: ${company}, firstName: "A", lastName: "B", addressLine1: "1 Pier", country: "Denmark", countryCode: "DK", city: "Aarhus", zipCode: "8000"`
const lists = (word: string): Record<string, IdRule> => ({
  [`Mutation.${word}Update`]: {
    owned: true,
    ask: ({ list }) =>
      `(id: ${list}, shoppingListData: {name: "N", description: ""${word === 'shoppingLists' ? ', status: 30' : ''}}) { shoppingList { id } }`,
  },
  [`Mutation.${word}Delete`]: { owned: true, ask: ({ list }) => `(id: ${list}) { message }` },
  [`Mutation.${word}Duplicate`]: {
    owned: true,
    ask: ({ list }) =>
      `(sampleShoppingListId: ${list}, shoppingListData: {name: "N", description: ""}) { shoppingList { id } }`,
  },
  [`Mutation.${word}ItemsCreate`]: {
    owned: true,
    ask: ({ list }) => `(shoppingListId: ${list}, items: []) { shoppingListsItems { id } }`,
  },
  [`Mutation.${word}ItemsUpdate`]: {
    owned: true,
    ask: ({ list, item }) =>
      `(shoppingListId: ${list}, itemId: ${item}, itemData: {quantity: 2}) { shoppingListsItem { id } }`,
  },
  [`Mutation.${word}ItemsDelete`]: {
    owned: true,
    ask: ({ list, item }) => `(shoppingListId: ${list}, itemId: ${item}) { message }`,
  },
})

/** Fields with ids of companies. */
const OF_COMPANY: Readonly<Record<string, IdRule>> = {
  'Query.invoices': {
    ask: ({ company }) => `(companyIds: [${company}]) { totalCount edges { node { id invoiceNumber } } }`,
  },
  'Query.invoiceStats': { ask: ({ company }) => `(status: 0, companyIds: [${company}]) { totalBalance }` },
  'Query.invoice': { ask: ({ invoice }) => `(invoiceId: ${invoice}) { id invoiceNumber }` },
  'Query.receipt': { ask: ({ receipt }) => `(id: ${receipt}) { id }` },
  'Query.receiptLine': { ask: ({ line }) => `(id: ${line}) { id }` },
  'Query.receiptLines': { ask: ({ receipt }) => `(receiptId: ${receipt}) { totalCount }` },
  'Query.allOrders': { owned: 'byCompany', ask: ({ company }) => `(companyIds: [${company}]) { totalCount }` },
  'Query.order': { owned: true, ask: ({ order }) => `(id: ${order}) { id }` },
  'Query.orderProducts': { owned: true, ask: ({ order }) => `(bcOrderId: ${order}) { productId }` },
  'Query.createdByUser': { owned: 'byCompany', ask: ({ company }) => `(companyId: ${company}, module: 0) { results }` },
  'Query.shoppingList': { owned: true, ask: ({ list }) => `(id: ${list}) { id }` },
  'Query.quote': {
    owned: true,
    ask: ({ quote }) => `(id: ${quote}, storeHash: "${store()}", date: "") { id quoteNumber }`,
  },
  'Query.users': { ask: ({ company }) => `(companyId: ${company}) { totalCount }` },
  'Query.user': { ask: ({ company, user }) => `(companyId: ${company}, userId: ${user}) { id email }` },
  'Query.addresses': { ask: ({ company }) => `(companyId: ${company}) { totalCount }` },
  'Query.address': { ask: ({ company, address }) => `(companyId: ${company}, addressId: ${address}) { id }` },
  'Query.defaultShippingAddress': { ask: ({ company }) => `(companyId: ${company}) { id }` },
  'Query.defaultBillingAddress': { ask: ({ company }) => `(companyId: ${company}) { id }` },
  'Mutation.invoicePdf': { ask: ({ invoice }) => `(invoiceId: ${invoice}) { url }` },
  'Mutation.invoicesExport': { ask: ({ company }) => `(invoiceFilterData: {companyIds: [${company}]}) { url }` },
  'Mutation.invoiceCreateBcCart': {
    ask: ({ invoice }) =>
      `(bcCartData: {lineItems: [{invoiceId: ${invoice}, amount: "1"}], currency: "USD", details: {}}) { result { cartId } }`,
  },
  ...lists('shoppingLists'),
  'Mutation.quoteUpdate': {
    owned: true,
    ask: ({ quote }) =>
      `(id: ${quote}, quoteData: {storeHash: "${store()}", userEmail: "", message: "Hi"}) { quote { id } }`,
  },
  'Mutation.quoteCheckout': {
    owned: true,
    ask: ({ quote }) => `(id: ${quote}, storeHash: "${store()}") { quoteCheckout { cartId } }`,
  },
  'Mutation.quoteOrdered': {
    owned: true,
    ask: ({
      quote,
      order,
    }) => `(id: ${quote}, orderedData: {orderId: "${order}", storeHash: "${store()}", shippingTotal: 0, taxTotal: 0,
    shippingMethod: {id: "", type: "", description: "", imageUrl: "", transitTime: "", cost: 0, additionalDescription: ""}}) { message }`,
  },
  'Mutation.quoteEmail': {
    owned: true,
    ask: ({ quote }) => `(emailData: {email: "ann@acme.example.com", quoteId: ${quote}}) { message }`,
  },
  'Mutation.quotePdfExport': {
    owned: true,
    ask: ({ quote }) => `(quoteId: ${quote}, storeHash: "${store()}", currency: {currencyExchangeRate: "1"}) { url }`,
  },
  'Mutation.quoteFrontendPdf': {
    owned: true,
    ask: ({ quote }) => `(quoteId: ${quote}, storeHash: "${store()}", createdAt: 1, lang: "en") { url }`,
  },
  'Mutation.quoteAttachFileCreate': {
    owned: true,
    ask: ({ quote }) => `(quoteId: ${quote}, fileList: []) { attachFiles { id } }`,
  },
  'Mutation.quoteAttachFileDelete': { owned: true, ask: ({ quote }) => `(quoteId: ${quote}, fileId: 1) { message }` },
  'Mutation.userCreate': {
    ask: ({ company }) =>
      `(userData: {companyId: ${company}, email: "new@example.com", firstName: "N", lastName: "U", role: 2}) { user { id } }`,
  },
  'Mutation.userUpdate': {
    ask: ({ company, user }) => `(userData: {companyId: ${company}, userId: ${user}, firstName: "N"}) { user { id } }`,
  },
  'Mutation.userDelete': { ask: ({ company, user }) => `(companyId: ${company}, userId: ${user}) { message }` },
  'Mutation.addressCreate': { ask: ({ company }) => `(addressData: {${address(company)}}) { address { id } }` },
  'Mutation.addressUpdate': {
    ask: ({ company, address: id }) => `(addressData: {${address(company)}, addressId: ${id}}) { address { id } }`,
  },
  'Mutation.addressDelete': {
    ask: ({ company, address: id }) => `(companyId: ${company}, addressId: ${id}) { message }`,
  },
}

/** Fields with ids that have one answer for all companies but the own one, whatever the level is. */
const OF_OTHERS: Readonly<Record<string, IdRule['ask']>> = {
  'Query.invoicePaymentBcCart': ({ payment }) => `(paymentId: ${payment}) { cartId }`,
  'Query.companyPaymentTerms': ({ company }) => `(companyId: ${company}) { paymentTerms }`,
  'Query.userCompany': ({ user }) => `(userId: ${user}) { id companyName }`,
  'Query.customerOrder': ({ order }) => `(id: ${order}) { id }`,
  'Query.customerShoppingList': ({ list }) => `(id: ${list}) { id }`,
  'Mutation.invoiceFinishBcPayment': ({ order }) => `(orderId: ${order}) { result }`,
  'Mutation.createOrder': ({ order }) => `(createData: {bcOrderId: ${order}}) { orderId }`,
  ...Object.fromEntries(Object.entries(lists('customerShoppingLists')).map(([name, { ask }]) => [name, ask])),
}

/** Fields without the id of a company: they are checked for the right of their caller. Mutations are sent to be refused only. */
const WITHOUT_IDS = new Map<string, string>()
const without = (type: 'Query' | 'Mutation', fields: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(fields)) WITHOUT_IDS.set(`${type}.${name}`, text)
}
const FIRST = '{ totalCount }'
without('Query', {
  companyRoles: FIRST,
  companyRole: '(roleId: 1) { id }',
  companyPermissions: '{ code }',
  accountSettings: '(companyId: 0) { email }',
  customerAccountSettings: '{ email }',
  invoiceCustomerInformation: '{ companyId }',
  invoicePaymentModules: '{ moduleName }',
  invoiceBcOrderAllowMethods: '{ allowMethods }',
  invoicePaymentFees: '{ paymentFees }',
  receipts: FIRST,
  allReceiptLines: FIRST,
  orderedProducts: FIRST,
  customerOrders: FIRST,
  shoppingLists: FIRST,
  shoppingListsIdName: '{ id }',
  customerShoppingLists: FIRST,
  customerShoppingListsIdName: '{ id }',
  companyCreditConfig: '{ creditEnabled }',
  companySubsidiaries: '{ companyId }',
  superAdminCompanies: '(superAdminId: 1) { totalCount }',
  superAdminMasquerading: '(customerId: 1) { id }',
  quotes: FIRST,
  customerQuotes: FIRST,
  userExtraFields: '{ fieldName }',
  currentUser: '{ id }',
  customerInfo: '{ userType }',
  userMasqueradingCompany: '{ companyId }',
  orderStatuses: '{ statusCode }',
  bcOrderStatuses: '{ statusCode }',
  storeConfigSwitchStatus: '(key: "account_hierarchy") { isEnabled }',
  storeCheckoutConfig: '{ configName }',
  productVariantsInfo: '(productId: "1") { sku }',
  productsInventory: '(products: []) { productId }',
  productsLoad: '(currencyCode: "USD", productList: []) { productId }',
  customerAddresses: FIRST,
  customerAddress: '(addressId: 999999) { id }',
})
without('Mutation', {
  productUpload: '(productListData: {productList: []}) { result { errorFile } }',
  updateAccountSettings: '(updateData: {currentPassword: "x", companyId: 0}) { result { email } }',
  updateCustomerAccountSettings: '(updateData: {currentPassword: "x"}) { result { email } }',
  shoppingListsCreate: '(shoppingListData: {name: "N", description: "", status: 0}) { shoppingList { id } }',
  customerShoppingListsCreate: '(shoppingListData: {name: "N", description: ""}) { shoppingList { id } }',
  superAdminBeginMasquerade: '(companyId: 1) { userInfo { email } }',
  superAdminEndMasquerade: '(companyId: 1) { message }',
  checkoutLogin: '(cartData: {cartId: "x"}) { result { redirectUrl } }',
  userMasqueradingCompanyBegin: '(companyId: 1) { userMasqueradingCompanyBegin { companyId } }',
  userMasqueradingCompanyEnd: '{ message }',
  customerAddressDelete: '(bcAddressId: 999999) { message }',
})

/** Fields that guests may call, and those whose inputs are too long to repeat: other tests have them. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...Object.entries(ACCESS).flatMap(([name, access]) => (access === 'anybody' || access === 'signIn' ? [name] : [])),
  'Mutation.quoteCreate',
  'Mutation.customerAddressCreate',
  'Mutation.customerAddressUpdate',
])

let shop: Shop
const UNKNOWN = 7_654_321
const unknown = {} as Things
/** The things of each company, by its name. */
const things: Record<string, Things> = {}

async function thingsOf(
  company: number,
  { id: user, customerId, email }: { id: number; customerId: number; email: string },
) {
  const mug = await makeMug(shop)
  const newAddress = {
    firstName: 'Ann',
    lastName: 'Lee',
    addressLine1: `${company} Pier`,
    city: 'Aarhus',
    countryCode: 'DK',
    companyId: company,
  }
  const address = (await ask(shop, 'POST', '/v3/io/addresses', newAddress)).body.data.addressId
  const invoice = await makeInvoice(shop, company)
  const paid = await ask(shop, 'POST', '/v3/io/ip/payments/offline', {
    lineItems: [{ invoiceId: invoice, amount: 40 }],
    currency: 'USD',
    customerId: String(company),
    details: {},
  })
  const [line] = (await ask(shop, 'GET', '/v3/io/ip/receipt-lines')).body.data
  const quote = (
    await ask(shop, 'POST', '/v3/io/rfq', newQuote(mug, { companyId: company, contactInfo: { name: 'Ann', email } }))
  ).body.data.quoteId
  const db = await dbOf(shop)
  await db.transaction((tx) =>
    tx.rows(
      sql`update b2b_quotes set user_id = ${user}, customer_id = ${customerId} where store_id = ${tx.store.id} and id = ${quote} returning id`,
    ),
  )
  const list = (
    await ask(shop, 'POST', '/v3/io/shopping-list', {
      name: 'L',
      userId: user,
      status: 0,
      items: [{ productId: mug, quantity: 1 }],
    })
  ).body.data.shoppingListId
  const [{ id: item }] = (await ask(shop, 'GET', `/v3/io/shopping-list/${list}`)).body.data.items
  const order = await makeCompanyOrder(shop, customerId)
  const made: Things = {
    company,
    user,
    address,
    invoice,
    receipt: line.receiptId,
    line: Number(line.id),
    payment: paid.body.data.paymentId,
    quote,
    list,
    item,
    order,
  }
  for (const [key, id] of Object.entries(made)) if (!Number.isInteger(id)) throw new Error(`${key} is ${id}.`)
  return made
}

interface Caller {
  token: string | undefined
  /** The level of each code in `company`; undefined for people without a company. */
  levels?: ReadonlyMap<string, number>
  company?: string
  /** The companies below. */
  below?: readonly string[]
  /** The name of the things that the caller owns. */
  own?: string
  /** Whether the caller is signed in and acts for no company. */
  isAlone?: boolean
  superAdmin?: boolean
  ended?: boolean
}
const callers: Record<string, Caller> = {}

const CODES = [
  ...new Set(
    Object.values(ACCESS).flatMap((access) =>
      typeof access === 'string' ? [] : 'code' in access ? [access.code] : access.anyOf,
    ),
  ),
]
/** The codes that have a level. */
const all = (level: number) =>
  Object.fromEntries(CODES.filter((code) => levelsOf(code).includes(level)).map((code) => [code, level]))
const levelsIn = (grants: readonly { code: string; permissionLevel: number }[]) =>
  new Map(grants.map(({ code, permissionLevel }) => [code, permissionLevel]))

beforeAll(async () => {
  const opened = await openBuyers()
  shop = opened.shop
  const adminOf = async (company: number) => {
    const { data } = (await ask(shop, 'GET', `/v3/io/users?companyId=${company}`)).body
    return { id: data[0].id as number, customerId: data[0].customerId as number, email: data[0].email as string }
  }
  const admin = { ...(await adminOf(opened.companyId)), customerId: opened.customerId }
  const top = await makeCompany(shop, 'Top')
  await ask(shop, 'POST', `/v3/io/companies/${opened.companyId}/parent`, { parentCompanyId: top.companyId })
  const lower = await makeBelow(shop, 'Lower', opened.companyId)
  const rival = await makeCompany(shop, 'Rival')
  const gone = await makeCompany(shop, 'Gone')
  things.colleague = await thingsOf(opened.companyId, admin)
  for (const [name, { companyId, customerId }] of Object.entries({ top, lower, rival, gone })) {
    things[name] = await thingsOf(companyId, { ...(await adminOf(companyId)), customerId })
  }
  const acme = { company: 'colleague', below: ['lower'] }
  callers.guest = { token: undefined }
  callers.customer = { token: await tokenAt(shop, 'plain@example.com'), isAlone: true }
  callers.admin = {
    token: await tokenAt(shop, admin.email),
    levels: levelsIn(PREDEFINED.Admin),
    ...acme,
    own: 'colleague',
  }
  const roles = {
    senior: [1, levelsIn(PREDEFINED['Senior Buyer'])],
    junior: [2, levelsIn(PREDEFINED['Junior Buyer'])],
    withoutCodes: [{ get_company_subsidiaries: 3 }, new Map([['get_company_subsidiaries', 3]])],
    own: [all(1), new Map(Object.entries(all(1)))],
    company: [all(2), new Map(Object.entries(all(2)))],
    subsidiaries: [all(3), new Map(Object.entries(all(3)))],
  } as const
  for (const [name, [role, levels]] of Object.entries(roles)) {
    const user = await makeUser(shop, opened.companyId, role as number | Record<string, number>)
    things[name] = await thingsOf(opened.companyId, user)
    callers[name] = { token: user.token, levels, ...acme, own: name }
  }
  const upper = await makeUser(shop, top.companyId, all(2))
  callers.ofParent = {
    token: upper.token,
    levels: new Map(Object.entries(all(2))),
    company: 'top',
    below: ['colleague', 'lower'],
  }
  callers.ofSubsidiary = {
    token: lower.token,
    levels: levelsIn(PREDEFINED.Admin),
    company: 'lower',
    below: [],
    own: 'lower',
  }
  const eve = await makeUser(shop, rival.companyId, all(3))
  callers.ofRival = { token: eve.token, levels: new Map(Object.entries(all(3))), company: 'rival', below: [] }
  callers.superAdmin = { token: (await makeSuper(shop, [opened.companyId])).token, superAdmin: true }
  for (const [name, at] of [
    ['superAdminActing', opened.companyId],
    ['superAdminElsewhere', rival.companyId],
  ] as const) {
    const { token } = await makeSuper(shop, [at])
    await askGraph(`mutation { superAdminBeginMasquerade(companyId: ${at}) { userInfo { email } } }`, { token })
    const company = at === opened.companyId ? 'colleague' : 'rival'
    callers[name] = { token, levels: levelsIn(PREDEFINED.Admin), company, below: [], superAdmin: true }
  }
  const late = await makeUser(shop, opened.companyId, all(3))
  const db = await dbOf(shop)
  await db.transaction((tx) =>
    tx.rows(
      sql`delete from b2b_storefront_tokens where store_id = ${tx.store.id} and customer_id = ${late.customerId} returning jti`,
    ),
  )
  callers.revoked = { token: late.token, ended: true }
  await ask(shop, 'DELETE', `/v3/io/companies/${gone.companyId}`)
  for (const key of Object.keys(thingsCalled('colleague'))) Object.assign(unknown, { [key]: UNKNOWN })
}, 240_000)

type Answer = {
  data?: Record<string, unknown> | null
  errors?: { message: string; path: string[]; extensions: { code: number } }[]
}

/** Asks for many fields in one operation. @returns what each field has answered: its data, and its refusal without numbers */
async function answersOf(token: string | undefined, fields: readonly (readonly [name: string, text: string])[]) {
  const outcomes = new Map<string, { code: number | undefined; text: string }>()
  for (const type of ['Query', 'Mutation']) {
    const ofType = fields.filter(([name]) => name.startsWith(type))
    for (let i = 0; i < ofType.length; i += 30) {
      const part = ofType.slice(i, i + 30)
      const texts = part.map(([name, text], n) => `f${n}: ${name.split('.')[1]}${text}`)
      const { status, body } = await askGraph(`${type.toLowerCase()} { ${texts.join(' ')} }`, { token })
      const answer: Answer = body
      if (status !== 200 || answer.errors?.some(({ path }) => path === undefined)) throw new Error(JSON.stringify(body))
      for (const [n, [name]] of part.entries()) {
        const error = answer.errors?.find(({ path }) => path[0] === `f${n}`)
        const data = JSON.stringify(answer.data?.[`f${n}`] ?? null)
        outcomes.set(name, { code: error?.extensions.code, text: `${error?.message.replaceAll(/\d+/g, '#')} ${data}` })
      }
    }
  }
  ;(await theHouse()).clock.move(61_000)
  return outcomes
}

const codesOf = (name: string): readonly string[] => {
  const access = ACCESS[name as keyof typeof ACCESS]
  return typeof access === 'string' ? [] : 'code' in access ? [access.code] : access.anyOf
}

/** The refusal of a caller who lacks the right to a field; undefined for one who has it. */
function barOf(name: string, { token, levels, isAlone, superAdmin, ended }: Caller): number | undefined {
  const access = ACCESS[name as keyof typeof ACCESS]
  if (ended) return 40_101
  const alone = typeof access === 'object' && 'alone' in access ? access.alone : undefined
  if (token === undefined) return alone === 'guests' ? undefined : 401
  if (access === 'shopper') return undefined
  if (isAlone && alone !== undefined) return undefined
  if (access === 'superAdmin') return superAdmin ? undefined : 403
  if (access === 'buyer') return levels ? undefined : 403
  return codesOf(name).some((code) => (levels?.get(code) ?? 0) > 0) ? undefined : 403
}

/** Whether a caller reaches things with a field: the table of levels in the contract. */
function reaches(
  name: string,
  { levels, company, below = [], own }: Caller,
  which: string,
  owned: IdRule['owned'] = false,
): boolean {
  const level = Math.max(0, ...codesOf(name).map((code) => levels?.get(code) ?? 0))
  const at = things[which]?.company
  if (company === undefined || at === undefined) return false
  if (at !== things[company]?.company) return level === 3 && below.some((lower) => things[lower]?.company === at)
  return level > 1 || (level === 1 && owned !== false && (owned === 'byCompany' || which === own))
}

const people = [
  'guest',
  'customer',
  'admin',
  'senior',
  'junior',
  'withoutCodes',
  'own',
  'company',
  'subsidiaries',
  'ofParent',
  'ofSubsidiary',
  'ofRival',
  'superAdmin',
  'superAdminActing',
  'superAdminElsewhere',
  'revoked',
]
const callerOf = (who: string): Caller => callers[who] ?? { token: undefined }
const thingsCalled = (which: string): Things => things[which] ?? unknown

test('every root field has a rule', async () => {
  const schema = buildSchema(await readFile(packagePath('buyersSchema'), 'utf8'))
  const named = new Set([
    ...Object.keys(OF_COMPANY),
    ...Object.keys(OF_OTHERS),
    ...WITHOUT_IDS.keys(),
    ...ELSEWHERE,
    ...NOT_BUILT_FIELDS,
  ])
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
  )
  expect(fields.filter((field) => !named.has(field))).toEqual([])
  expect([...named].filter((field) => !fields.includes(field))).toEqual([])
})

describe.each(people)('%s', (who) => {
  test('needs the right of each field', async () => {
    const caller = callerOf(who)
    const fields = [...WITHOUT_IDS].filter(([name]) => name.startsWith('Query') || barOf(name, caller) !== undefined)
    const answers = await answersOf(caller.token, fields)
    const wrong = fields.flatMap(([name]) => {
      const { code } = answers.get(name) ?? {}
      const bar = barOf(name, caller)
      // Beyond the right, an unknown thing is 404, and a super admin or an account of another person 403.
      const isFine =
        bar === undefined ? code === undefined || code === 404 || /superAdmin|accountSettings/.test(name) : code === bar
      return isFine ? [] : [`${name}: ${code}, not ${bar}`]
    })
    expect(wrong).toEqual([])
  })

  test('reaches what its level reaches, and everything else is as if it never existed', async () => {
    const caller = callerOf(who)
    const all = [
      ...Object.entries(OF_COMPANY).map(([name, rule]) => ({ name, ...rule })),
      ...Object.entries(OF_OTHERS).map(([name, ask]) => ({ name, ask, owned: false })),
    ]
    const never = await answersOf(
      caller.token,
      all.map(({ name, ask }) => [name, ask(unknown)] as const),
    )
    const wrong: string[] = []
    for (const { name } of all) {
      const bar = barOf(name, caller)
      const { code } = never.get(name) ?? {}
      if (bar === undefined ? ![403, 404, 422].includes(code ?? 0) : code !== bar)
        wrong.push(`${name} of nobody: ${code}, not ${bar}`)
    }
    for (const which of [caller.own ?? 'colleague', 'colleague', 'lower', 'top', 'rival', 'gone']) {
      const reached = all.filter(
        ({ name, owned }) => barOf(name, caller) === undefined && reaches(name, caller, which, owned ?? false),
      )
      const reads = reached.filter(({ name }) => name in OF_COMPANY && name.startsWith('Query'))
      const read = await answersOf(
        caller.token,
        reads.map(({ name, ask }) => [name, ask(thingsCalled(which))] as const),
      )
      for (const { name } of reads) {
        const code = read.get(name)?.code
        if (code !== undefined)
          wrong.push(`${name} of ${which}: ${code}, though it is reached: ${read.get(name)?.text}`)
      }
      const barred = all.filter(({ name, owned }) =>
        name in OF_COMPANY
          ? !reaches(name, caller, which, owned ?? false)
          : thingsCalled(which).company !== thingsCalled(caller.company ?? '').company,
      )
      const denied = await answersOf(
        caller.token,
        barred.map(({ name, ask }) => [name, ask(thingsCalled(which))] as const),
      )
      for (const { name } of barred) {
        const [here, nowhere] = [denied.get(name)?.text, never.get(name)?.text]
        if (here !== nowhere || !here?.endsWith(' null'))
          wrong.push(`${name} of ${which}: ${here}, and of nobody ${nowhere}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('no argument widens access:', () => {
  const list = async (token: string | undefined, field: string) => {
    const { body } = await askGraph(`{ ${field} }`, { token })
    return body.errors ? body.errors[0].extensions.code : JSON.stringify(body.data)
  }
  test.each([
    ['quotes', 'createdBy: "Ann", email: "ann@rival.example.com", company: "Rival"'],
    ['quotes', 'search: "Rival"'],
    ['shoppingLists', 'createdBy: "Ann", email: "ann@rival.example.com", isShowMy: false'],
    ['allOrders', 'companyName: "Rival", createdBy: "Ann", email: "ann@rival.example.com", isShowMy: "false"'],
    ['invoices', 'search: "Rival"'],
    ['receipts', 'search: ""'],
  ])('%s(%s) has nothing of others', async (field, args) => {
    const rival = callerOf('ofRival')
    const admin = callerOf('admin')
    const ids = async (token: string | undefined) => {
      const { body } = await askGraph(`{ ${field}(first: 250, ${args}) { edges { node { id } } } }`, { token })
      return (body.data[field].edges as { node: { id: string } }[]).map(({ node }) => node.id)
    }
    const theirs = new Set(await ids(rival.token))
    expect((await ids(admin.token)).filter((id) => theirs.has(id))).toEqual([])
  })

  test('a cursor of another caller shows a position, not its list', async () => {
    const cursorOf = `quotes(first: 1) { edges { cursor } }`
    const { body } = await askGraph(`{ ${cursorOf} }`, { token: callerOf('ofRival').token })
    const { cursor } = body.data.quotes.edges[0]
    const after = await list(callerOf('junior').token, `quotes(after: "${cursor}") { edges { node { company } } }`)
    expect(after).not.toContain('Rival')
  })

  test('own and foreign ids in one request have each their answer', async () => {
    const [own, rival] = [thingsCalled('colleague'), thingsCalled('rival')]
    const query = `{ a: quote(id: ${own.quote}, storeHash: "${store()}", date: "") { id } b: quote(id: ${rival.quote}, storeHash: "${store()}", date: "") { id } }`
    const { body } = await askGraph(query, { token: callerOf('admin').token })
    expect(body.data).toEqual({ a: { id: String(own.quote) }, b: null })
    expect(
      await list(callerOf('admin').token, `allOrders(companyIds: [${own.company}, ${rival.company}]) { totalCount }`),
    ).toBe(403)
    expect(await list(callerOf('admin').token, `quote(id: ${own.quote}, storeHash: "other1", date: "") { id }`)).toBe(
      401,
    )
  })

  test('the token of another store reaches no company here', async () => {
    const { shop: other } = await openBuyers()
    const token = await tokenAt(other, ADMIN)
    const [rival, nobody] = [thingsCalled('rival'), unknown]
    expect(rival.company).toBeGreaterThan(1)
    const asked = (things: Things) =>
      answersOf(
        token,
        Object.entries(OF_COMPANY).map(([name, rule]) => [name, rule.ask(things)] as const),
      )
    const [here, nowhere] = [await asked(rival), await asked(nobody)]
    expect(Object.fromEntries(here)).toEqual(Object.fromEntries(nowhere))
    for (const { code } of here.values()) expect([401, 403, 404, 422]).toContain(code)
  })
})
