// Runs on the page at /graphql: sends operations to this server, and lists the fields of the type at the cursor.

const find = (/** @type {string} */ selector) => document.querySelector(selector)
const [api, token, example, query, variables] = ['api', 'token', 'example', 'query', 'variables'].map((id) =>
  find(`#${id}`),
)
const [facts, result, here, filter, fields] = ['facts', 'result', 'here', 'filter', 'fields'].map((id) =>
  find(`#${id}`),
)

/** The demo store: its hash, a token of its storefront, and a buyer. */
let demo = {}
/** The types of the chosen schema by name, with those of its operations. Undefined until they are loaded. */
let schema

const EXAMPLES = {
  storefront: {
    'Settings of the shop': `{\n  site {\n    settings {\n      storeName\n      status\n      url { vanityUrl cdnUrl }\n      locales { code isDefault }\n    }\n  }\n}`,
    'Products with prices': `query Products($first: Int = 5) {\n  site {\n    products(first: $first) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          entityId\n          name\n          path\n          brand { name }\n          prices { price { value currencyCode } salePrice { value } }\n          defaultImage { url(width: 320) altText }\n        }\n      }\n    }\n  }\n}`,
    'A product with its choices': `{\n  site {\n    product(entityId: 7) {\n      name\n      productOptions {\n        edges {\n          node {\n            entityId\n            displayName\n            isRequired\n            __typename\n            ... on MultipleChoiceOption {\n              displayStyle\n              values { edges { node { entityId label ... on SwatchOptionValue { hexColors } } } }\n            }\n          }\n        }\n      }\n    }\n  }\n}`,
    'Search with facets': `query Search($term: String!) {\n  site {\n    search {\n      searchProducts(filters: { searchTerm: $term }, sort: LOWEST_PRICE) {\n        products(first: 5) {\n          collectionInfo { totalItems }\n          edges { node { name prices { price { formattedV2 } } } }\n        }\n        filters {\n          edges {\n            node {\n              name\n              ... on BrandSearchFilter { brands { edges { node { name productCount } } } }\n            }\n          }\n        }\n      }\n    }\n  }\n}`,
    'Category tree': `{\n  site {\n    categoryTree {\n      name\n      path\n      productCount\n      children { name path children { name path } }\n    }\n  }\n}`,
    'Log in': `mutation Login($email: String!, $password: String!) {\n  login(email: $email, password: $password) {\n    customer { entityId firstName }\n  }\n}`,
  },
  buyers: {
    'The user': `{\n  currentUser { id email firstName lastName }\n}`,
  },
}
const VARIABLES = { 'Search with facets': { term: 'lamp' }, 'Log in': { email: '', password: '' } }

const INTROSPECTION = `{ __schema { queryType { name } mutationType { name } types { name kind description
  fields(includeDeprecated: true) { name description args { name description type { ...T } defaultValue } type { ...T } }
  inputFields { name description type { ...T } } enumValues(includeDeprecated: true) { name description }
  possibleTypes { name } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

const addressOf = () => (api.value === 'buyers' ? '/b2b/graphql' : `/storefront/${demo.store_hash}/graphql`)

/** Sends an operation. @returns the status, the text of the answer, its cost and its milliseconds */
async function send(body) {
  const begun = performance.now()
  const answer = await fetch(addressOf(), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token.value === '' ? {} : { Authorization: `Bearer ${token.value}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const [, cost] = [...answer.headers].find(([name]) => name.endsWith('-graphql-complexity')) ?? []
  return { status: answer.status, text, cost, ms: Math.round(performance.now() - begun) }
}

async function run() {
  facts.textContent = 'Sending'
  let given
  try {
    given = variables.value.trim() === '' ? undefined : JSON.parse(variables.value)
  } catch (error) {
    facts.textContent = `The variables are not valid JSON: ${error.message}`
    return
  }
  try {
    const { status, text, cost, ms } = await send({ query: query.value, variables: given })
    facts.textContent = `Status ${status}, ${ms} ms${cost === undefined ? '' : `, complexity ${cost}`}`
    result.textContent = indented(text)
  } catch {
    facts.textContent = 'The server does not answer.'
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Keeps the operation in the address, so that a copied address opens it. */
function writeToAddress() {
  const kept = new URLSearchParams({ api: api.value, query: query.value, variables: variables.value })
  history.replaceState(null, '', `#${kept}`)
}

const typeText = ({ kind, name, ofType }) =>
  kind === 'NON_NULL' ? `${typeText(ofType)}!` : kind === 'LIST' ? `[${typeText(ofType)}]` : name
const namedOf = ({ name, ofType }) => (ofType ? namedOf(ofType) : name)

async function loadSchema() {
  schema = undefined
  here.textContent = 'Loading the schema'
  fields.replaceChildren()
  const { text, status } = await send({ query: INTROSPECTION })
  const { data } = status === 200 ? JSON.parse(text) : {}
  if (!data) {
    here.textContent = `The schema can't be read: status ${status}.`
    return
  }
  const { types, queryType, mutationType } = data.__schema
  schema = {
    types: new Map(types.map((type) => [type.name, type])),
    roots: { query: queryType.name, mutation: mutationType?.name },
  }
  showFields()
}

const TOKENS = /"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#[^\n]*|\.\.\.|[_A-Za-z]\w*|\S/g

/** The name of the type whose fields fit at the end of a text. */
function typeAtEnd(text) {
  const { types, roots } = schema
  const open = []
  let [next, before, brackets] = [roots.query, '', 0]
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '(') brackets++
    else if (token === ')') brackets--
    else if (brackets > 0 || /^["#]/.test(token)) continue
    else if (token === '{') open.push(next)
    else if (token === '}') open.pop()
    else if (token === '...') next = open.at(-1)
    else if (before === 'on') next = token
    else if (open.length === 0) next = roots[token] ?? next
    else next = fieldsOf(types.get(open.at(-1))).find(({ name }) => name === token)?.named ?? next
    before = token
  }
  return open.at(-1) ?? roots.query
}

const fieldsOf = (type) => (type?.fields ?? []).map((field) => ({ ...field, named: namedOf(field.type) }))

/** @param chosen the name of a type; by default that of the type at the cursor */
function showFields(chosen) {
  if (!schema) return
  const wanted = filter.value.trim().toLowerCase()
  const type = schema.types.get(chosen ?? typeAtEnd(query.value.slice(0, query.selectionStart)))
  here.textContent = wanted === '' ? (type?.name ?? '') : `Types and fields with "${wanted}"`
  const rows = wanted === '' ? rowsOf(type) : foundRows(wanted)
  fields.replaceChildren(...rows.slice(0, 200))
}

function rowsOf(type) {
  if (!type) return []
  const about = type.description ? [row([document.createTextNode(type.description)])] : []
  const members = [
    ...fieldsOf(type).map((field) => fieldRow(field)),
    ...(type.inputFields ?? []).map((field) => fieldRow({ ...field, named: namedOf(field.type) })),
    ...(type.enumValues ?? []).map(({ name, description }) => row([code(name)], description)),
    ...(type.possibleTypes ?? []).map(({ name }) => row([typeButton(name)])),
  ]
  return [...about, ...members]
}

function foundRows(wanted) {
  return [...schema.types.values()].flatMap((type) => [
    ...(type.name.toLowerCase().includes(wanted) ? [row([typeButton(type.name)], type.description)] : []),
    ...fieldsOf(type)
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map((field) => fieldRow(field, type.name)),
  ])
}

/** @param owner the name of the type, if it is shown */
function fieldRow({ name, description, args = [], type, named }, owner) {
  const insert = document.createElement('button')
  insert.type = 'button'
  insert.textContent = name
  insert.title = `Insert ${name}`
  insert.addEventListener('click', () => insertField({ name, args, named }))
  const parameters = args.map((arg) => `${arg.name}: ${typeText(arg.type)}`).join(', ')
  return row(
    [
      ...(owner === undefined ? [] : [typeButton(owner), document.createTextNode('.')]),
      insert,
      document.createTextNode(`${parameters === '' ? '' : `(${parameters})`}: `),
      typeButton(named, typeText(type)),
    ],
    description,
  )
}

function row(parts, description) {
  const item = document.createElement('li')
  item.append(...parts)
  if (description) {
    const text = document.createElement('span')
    text.className = 'quiet'
    text.textContent = ` ${description}`
    item.append(text)
  }
  return item
}

function code(text) {
  const element = document.createElement('code')
  element.textContent = text
  return element
}

function typeButton(name, text = name) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'type'
  button.textContent = text
  button.addEventListener('click', () => {
    filter.value = ''
    showFields(name)
  })
  return button
}

/** Inserts a field at the cursor, with its required arguments and an empty selection if it needs them. */
function insertField({ name, args, named }) {
  const needed = args.filter((arg) => arg.type.kind === 'NON_NULL' && arg.defaultValue === null)
  const brackets = needed.length === 0 ? '' : `(${needed.map((arg) => `${arg.name}: `).join(', ')})`
  const isComposite = ['OBJECT', 'INTERFACE', 'UNION'].includes(schema.types.get(named)?.kind)
  const text = `${name}${brackets}${isComposite ? ' { __typename }' : ''} `
  query.focus()
  query.setRangeText(text, query.selectionStart, query.selectionEnd, 'end')
  query.dispatchEvent(new Event('input'))
}

/** Two blanks for a tab. Escape leaves the field by the keyboard. */
function editKey(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    run()
  } else if (event.key === 'Tab' && !event.shiftKey && event.target === query) {
    event.preventDefault()
    query.setRangeText('  ', query.selectionStart, query.selectionEnd, 'end')
  } else if (event.key === 'Escape') find('#run').focus()
}

function showExamples() {
  const names = Object.keys(EXAMPLES[api.value])
  example.replaceChildren(new Option('Choose an example', ''), ...names.map((name) => new Option(name, name)))
}

function useExample() {
  if (example.value === '') return
  query.value = EXAMPLES[api.value][example.value]
  variables.value = VARIABLES[example.value] ? JSON.stringify(VARIABLES[example.value], null, 2) : ''
  writeToAddress()
}

/** Fills in the token of the chosen API: a buyer of the demo store signs in for his. */
async function fillInToken() {
  token.value = api.value === 'buyers' ? await signIn() : (demo.storefront_token ?? '')
}

async function signIn() {
  if (!demo.buyer) return ''
  const { email, password } = demo.buyer
  const answer = await fetch('/b2b/api/io/auth/customers', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ storeHash: demo.store_hash, email, password }),
  })
  return answer.ok ? (await answer.json()).data?.token : ''
}

async function chooseApi() {
  showExamples()
  await fillInToken()
  await loadSchema()
}

async function start() {
  const kept = new URLSearchParams(location.hash.slice(1))
  if (kept.has('query')) {
    api.value = kept.get('api') === 'buyers' ? 'buyers' : 'storefront'
    query.value = kept.get('query')
    variables.value = kept.get('variables') ?? ''
  } else if (location.hash === '#buyers') api.value = 'buyers'
  demo = await (await fetch('/graphql/demo-store')).json()
  if (query.value === '') query.value = Object.values(EXAMPLES[api.value])[0]
  if (demo.store_hash === undefined) {
    facts.textContent = 'Reload this page: the demo store is not complete yet, or this is another machine.'
    return
  }
  await chooseApi()
}

find('#run').addEventListener('click', run)
api.addEventListener('change', () => {
  query.value = Object.values(EXAMPLES[api.value])[0]
  variables.value = ''
  writeToAddress()
  chooseApi()
})
example.addEventListener('change', useExample)
filter.addEventListener('input', () => showFields())
for (const input of [query, variables]) {
  input.addEventListener('keydown', editKey)
  input.addEventListener('input', writeToAddress)
}
for (const event of ['keyup', 'click', 'input']) {
  query.addEventListener(event, () => {
    if (filter.value === '') showFields()
  })
}
start()
