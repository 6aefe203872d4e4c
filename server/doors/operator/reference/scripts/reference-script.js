// Runs on the pages at /docs: keeps store and token while the window is open, finds operations, and sends requests to this server.

import { bodyOfRefund, fillFiles, findIds } from './fill-script.js'

const find = (/** @type {string} */ selector, within = document) => within.querySelector(selector)
const [store, token] = [find('#store'), find('#token')]
const isDemo = find('script[data-demo]') !== null

for (const input of [store, token]) {
  input.value = sessionStorage.getItem(input.id) ?? ''
  input.addEventListener('input', () => sessionStorage.setItem(input.id, input.value))
}

const isFilledIn = () => store.value !== '' && token.value !== ''

/** Fills in the demo store once; forms wait for it. */
const filledIn = (async () => {
  if (!isDemo || store.value !== '' || token.value !== '') return
  const demo = await (await fetch('/docs/demo-store')).json()
  store.value = demo.store_hash ?? ''
  token.value = demo.token ?? ''
})()

/** The request that a form describes. */
function requestOf(form) {
  const { method, path, open, storeHeader } = form.dataset
  const type = form.elements.type?.value ?? form.dataset.type
  const query = new URLSearchParams()
  const headers = {}
  const data = new FormData()
  let place = path.replace('{store_hash}', encodeURIComponent(store.value || 'STORE'))
  let body
  for (const input of form.elements) {
    const [kind, ...rest] = input.name.split(':')
    const name = rest.join(':')
    if (kind === 'path' && input.value !== '') place = place.replace(`{${name}}`, encodeURIComponent(input.value))
    if (kind === 'query' && input.value !== '') query.append(name, input.value)
    if (kind === 'header' && input.value !== '') headers[name] = input.value
    if (kind === 'file' && input.files[0]) data.append(name, input.files[0])
    if (kind === 'part' && input.value !== '') data.append(name, input.value)
    if (kind === 'body') body = input.value
  }
  if (form.dataset.storefront !== undefined) headers.Authorization = `Bearer ${shopToken ?? 'SHOP_TOKEN'}`
  else if (open === undefined) headers['X-Auth-Token'] = token.value
  if (storeHeader !== undefined) headers['X-Store-Hash'] = store.value
  if (type.startsWith('multipart/')) body = data
  else if (body !== undefined) headers['Content-Type'] = type
  const asked = query.toString()
  const separator = place.includes('?') ? '&' : '?'
  const ids = [...form.querySelectorAll('[name^="path:"]')].map(({ value }) => value)
  return { method, url: place + (asked === '' ? '' : separator + asked), headers, body, ids, query }
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`
const literal = (value) => JSON.stringify(value)

/** The fields of a form with files; a file by its name. */
const fieldsOf = (body) =>
  body instanceof FormData ? [...body].map(([name, value]) => ({ name, value, isFile: typeof value !== 'string' })) : []

/** The request as code of a language. The token is a variable, so that it is in no file. */
const LANGUAGES = {
  curl({ method, url, headers, body }) {
    const parts = fieldsOf(body).map(
      ({ name, value, isFile }) => `-F ${quoted(`${name}=${isFile ? `@${value.name}` : value}`)}`,
    )
    return [
      `curl -X ${method} ${quoted(location.origin + url)}`,
      ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...parts,
      ...(typeof body === 'string' ? [`-d ${quoted(body)}`] : []),
    ].join(' \\\n  ')
  },
  fetch({ method, url, headers, body }) {
    const fields = fieldsOf(body)
    const form = fields.map(({ name, value, isFile }) =>
      isFile
        ? `form.append(${literal(name)}, new Blob([await readFile(${literal(value.name)})]), ${literal(value.name)})`
        : `form.append(${literal(name)}, ${literal(value)})`,
    )
    return [
      ...(fields.some(({ isFile }) => isFile) ? ["import { readFile } from 'node:fs/promises'"] : []),
      ...(body instanceof FormData ? ['const form = new FormData()', ...form] : []),
      `const answer = await fetch(${literal(location.origin + url)}, {`,
      `  method: ${literal(method)},`,
      `  headers: ${JSON.stringify(headers, null, 2).replaceAll('\n', '\n  ')},`,
      ...(body instanceof FormData ? ['  body: form,'] : []),
      ...(typeof body === 'string' ? [`  body: JSON.stringify(${asLines(body).replaceAll('\n', '\n  ')}),`] : []),
      '})',
      'console.log(answer.status, await answer.text())',
    ].join('\n')
  },
  python({ method, url, headers, body }) {
    const fields = fieldsOf(body)
    const files = fields
      .filter(({ isFile }) => isFile)
      .map(({ name, value }) => `${literal(name)}: open(${literal(value.name)}, "rb")`)
    const data = fields.filter(({ isFile }) => !isFile).map(({ name, value }) => `${literal(name)}: ${literal(value)}`)
    return [
      'import requests',
      '',
      'answer = requests.request(',
      `    ${literal(method)},`,
      `    ${literal(location.origin + url)},`,
      `    headers=${literal(headers)},`,
      ...(files.length > 0 ? [`    files={${files.join(', ')}},`] : []),
      ...(data.length > 0 ? [`    data={${data.join(', ')}},`] : []),
      ...(typeof body === 'string' ? [`    data=${literal(body)},`] : []),
      ')',
      'print(answer.status_code, answer.text)',
    ].join('\n')
  },
}

/** An id as an argument: a number if it is one. */
const argument = (id) => (/^[1-9]\d{0,14}$/.test(id) ? id : literal(id))

/** The request as a call of @storeward/client. */
function clientCall({ ids, body, query, headers }, { client, result }) {
  const fields = fieldsOf(body).map(({ name, value, isFile }) =>
    isFile
      ? `${literal(name)}: { content: await readFile(${literal(value.name)}), filename: ${literal(value.name)} }`
      : `${literal(name)}: ${literal(value)}`,
  )
  const asked = Object.fromEntries(
    [...query].map(([name, value]) => [name, value.includes(',') ? value.split(',') : value]),
  )
  const hasQuery = Object.keys(asked).length > 0
  const key = headers['Idempotency-Key']
  const options = {
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(body !== undefined && hasQuery ? { query: asked } : {}),
  }
  const given = [
    ...ids.map(argument),
    ...(body instanceof FormData ? [`{ ${fields.join(', ')} }`] : []),
    ...(typeof body === 'string' ? [asLines(body)] : []),
    ...(body === undefined && hasQuery ? [JSON.stringify(asked, null, 2)] : []),
    ...(Object.keys(options).length > 0 ? [JSON.stringify(options)] : []),
  ]
  const call = `store.${client}(${given.join(', ')})`
  return [
    ...(body instanceof FormData ? ["import { readFile } from 'node:fs/promises'"] : []),
    "import { storeward } from '@storeward/client'",
    '',
    `const store = storeward({ url: ${literal(location.origin)}, storeHash: ${literal(store.value)}, token: TOKEN })`,
    result === 'rows' ? `for await (const row of ${call}) console.log(row)` : `console.log(await ${call})`,
  ].join('\n')
}

/** Shows the request of a form as code, for the store and the token that are filled in. */
function showCode(form) {
  const shown = find('.command', form)
  if (!shown) return
  const { value } = find('.language', form)
  shown.textContent = value === 'client' ? clientCall(requestOf(form), form.dataset) : LANGUAGES[value](requestOf(form))
}

/** A token for this page's origin that is valid for an hour, made with the account's token when it is first needed. */
let shopToken
async function askShopToken() {
  const answer = await fetch(`/stores/${encodeURIComponent(store.value)}/v3/storefront/api-token`, {
    method: 'POST',
    headers: { 'X-Auth-Token': token.value, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      channel_id: 1,
      expires_at: Math.floor(Date.now() / 1000) + 3600,
      allowed_cors_origins: [location.origin],
    }),
  })
  return answer.ok ? (await answer.json()).data.token : ''
}

async function send(form) {
  const shown = find('.answer', form)
  shown.textContent = 'Sent. Waiting for the answer.'
  if (form.dataset.storefront !== undefined) shopToken ??= await askShopToken()
  const { method, url, headers, body } = requestOf(form)
  const began = performance.now()
  try {
    const answer = await fetch(url, { method, headers, body, cache: 'no-store' })
    const text = await answer.text()
    // A refusal counts: the resource of an earlier visit is often there.
    if (answer.status < 500) finishStep(form)
    const line = document.createElement('p')
    const ending = answer.ok && hasErrors(text) ? ', with errors' : ''
    line.textContent = `${answer.status} ${answer.statusText}${ending}, ${Math.round(performance.now() - began)} ms`
    shown.replaceChildren(line, ...(text === '' ? [] : [preOf(asLines(text))]))
  } catch (error) {
    shown.textContent = `No answer: ${error.message}.`
  }
  // A long form hides what is below it.
  shown.scrollIntoView({ block: 'nearest' })
}

/** Whether an answer of GraphQL has errors: its status is 200 all the same. */
function hasErrors(text) {
  try {
    return JSON.parse(text).errors?.length > 0
  } catch {
    return false
  }
}

function preOf(text) {
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text
  return pre
}

function asLines(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Fills ids of the store into the form of an operation, once. Requests that delete get none: a person chooses them. */
async function prepare(form) {
  if (form.dataset.prepared !== undefined) return
  form.dataset.prepared = ''
  // A request with an empty id would be refused: the button waits for the ids, or for a person who types one.
  disableForm(form, 'Looks for ids in the store.')
  try {
    await fillIn(form)
  } finally {
    release(form)
  }
}

async function fillIn(form) {
  await Promise.all([filledIn, fillFiles(form)])
  showCode(form)
  if (!isFilledIn() || form.dataset.method === 'DELETE') return
  const read = async (path) => {
    const headers = { 'X-Auth-Token': token.value, 'X-Store-Hash': store.value }
    const answer = await fetch(path.replace('{store_hash}', encodeURIComponent(store.value)), {
      headers,
      cache: 'no-store',
    })
    return answer.ok && answer.status !== 204 ? answer.json() : undefined
  }
  if (/\/payment_actions\/refund(s|_quotes)$/.test(form.dataset.path) && form.dataset.method === 'POST') {
    const body = await bodyOfRefund(read, token.value, store.value, form.dataset.path)
    if (body) {
      const id = form.elements['path:order_id']
      if (id) id.value = body.order
      form.elements.body.value = JSON.stringify(body.body, null, 2)
    }
  } else {
    const ids = await findIds(form, read)
    for (const [input, id] of ids) if (input.value === '') input.value = id
  }
  showCode(form)
}

/** Disables the button of a form, and says why beside it. */
function disableForm(form, ...reason) {
  find('button', form).disabled = true
  find('.wait', form).replaceChildren(...reason)
}

function release(form) {
  find('button', form).disabled = false
  find('.wait', form).replaceChildren()
}

/** Steps whose call was answered while the window is open. */
const doneSteps = new Set(JSON.parse(sessionStorage.getItem('steps') ?? '[]'))

const stepOf = (form) => `${location.pathname}#${form.closest('details[id]')?.id}`

/** A step that needs an earlier one waits until the call of that one was answered. */
function disableSteps() {
  for (const form of document.querySelectorAll('form[data-after]')) {
    const before = document.getElementById(form.dataset.after)
    if (!before || doneSteps.has(`${location.pathname}#${form.dataset.after}`)) {
      release(form)
      continue
    }
    const link = document.createElement('a')
    link.href = `#${form.dataset.after}`
    link.textContent = find('summary', before).textContent
    disableForm(form, 'First send the call of ', link, '.')
  }
}

function finishStep(form) {
  if (form.dataset.operation !== undefined) return
  doneSteps.add(stepOf(form))
  sessionStorage.setItem('steps', JSON.stringify([...doneSteps]))
  disableSteps()
}

document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.open) return
    if (target.classList.contains('operation')) prepare(find('form', target))
    if (target.classList.contains('call')) showCode(target.closest('form'))
  },
  true,
)

// Ids are filled in by the page: what is typed replaces them.
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name.startsWith('path:')) target.select()
})

/** Opens all that contains the target of the address, and the target. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  for (let place = target; place; place = place.parentElement) if (place.tagName === 'DETAILS') place.open = true
  target.scrollIntoView()
}

/** Opens a shape where it is used, and closes it at the next click. */
function foldShape(link) {
  const name = link.getAttribute('href').slice(1)
  const own = link.nextElementSibling
  if (own?.dataset.of === name) return own.remove()
  const inner = document.createElement('div')
  inner.className = 'inner'
  inner.dataset.of = name
  const table = find(':scope > :not(summary)', document.getElementById(name))
  inner.append(table.cloneNode(true))
  link.after(inner)
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#shape-"]')
  if (!link) return
  event.preventDefault()
  foldShape(link)
})

document.addEventListener('submit', (event) => {
  event.preventDefault()
  if (event.target.dataset.path !== undefined) filledIn.then(() => send(event.target))
})

document.addEventListener('change', ({ target }) => {
  if (target.name !== 'type') return
  for (const part of target.form.querySelectorAll('[data-body]')) part.hidden = part.dataset.body !== target.value
})

// The calls of guides are ready to be sent. They name a sandbox at its usual address.
const atThisAddress = (text) => text.replaceAll('http://127.0.0.1:8080', location.origin)
for (const form of document.querySelectorAll('form[data-path]:not([data-operation])')) {
  fillFiles(form)
  form.dataset.path = atThisAddress(form.dataset.path)
  const body = form.elements.body
  if (body) body.value = atThisAddress(body.value)
}
disableSteps()

/** The search, loaded when it is first used. */
let loading
const loadSearch = () => {
  loading ??= Promise.all([import('./search-script.js'), fetch('/docs/search.json').then((answer) => answer.json())])
  return loading
}

async function showHits(question) {
  const [{ search }, entries] = await loadSearch()
  // The reader has typed on since.
  if (question !== find('#find').value) return
  const hits = question.trim() === '' ? [] : search(entries, question)
  find('#hits').replaceChildren(
    ...hits.map(({ kind, title, address, more, scopes }) => {
      const line = document.createElement('li')
      const link = document.createElement('a')
      link.href = address
      link.textContent = title
      const mark = document.createElement('span')
      mark.className = 'quiet'
      mark.textContent = more === '' ? ` ${kind}` : ` ${kind}: ${more}`
      line.append(link, mark, ...(scopes === undefined ? [] : [scopeMark(scopes)]))
      return line
    }),
  )
  find('#hits').hidden = hits.length === 0
  find('#none').hidden = hits.length > 0 || question.trim() === ''
}

function scopeMark(scopes) {
  const mark = document.createElement('span')
  const names = scopes.split(' or ').flatMap((scope, i) => {
    const name = document.createElement('code')
    name.textContent = scope
    return i > 0 ? [' or ', name] : [name]
  })
  mark.append(', needs ', ...names)
  return mark
}

find('#find').addEventListener('input', ({ target }) => showHits(target.value))
find('#find').addEventListener('focus', loadSearch)
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.id === 'find') find('#hits a')?.click()
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
  event.preventDefault()
  find('#find').focus()
})

document.addEventListener('input', ({ target }) => {
  const own = target.closest('form[data-operation]')
  if (own) release(own)
  const forms = target.closest('form[data-path]')
    ? [target.closest('form')]
    : document.querySelectorAll('details[open] > .inner > form')
  for (const form of forms) if (form.dataset.path !== undefined) showCode(form)
})
addEventListener('hashchange', openTarget)
find('#hits').addEventListener('click', ({ target }) => {
  if (target.closest('a')) find('#hits').hidden = true
})
openTarget()
