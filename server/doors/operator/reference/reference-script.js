// Runs on the pages at /docs: keeps store and token while the window is open, finds operations, and sends requests to this server.

const find = (/** @type {string} */ selector, within = document) => within.querySelector(selector)
const [store, token] = [find('#store'), find('#token')]
const isDemo = find('script[data-demo]') !== null

for (const input of [store, token]) {
  input.value = sessionStorage.getItem(input.id) ?? ''
  input.addEventListener('input', () => sessionStorage.setItem(input.id, input.value))
}

/** Shows each request as a command, for the store and the token that are filled in. */
const showCommands = () => {
  for (const form of document.querySelectorAll('form[data-path]')) find('.command', form).textContent = commandOf(form)
}

async function fillIn() {
  if (isDemo && store.value === '' && token.value === '') {
    const demo = await (await fetch('/docs/demo-store')).json()
    store.value = demo.store_hash ?? ''
    token.value = demo.token ?? ''
  }
  showCommands()
}
/** The request that a form describes. */
function requestOf(form) {
  const { method, path, type, open, storeHeader } = form.dataset
  const query = new URLSearchParams()
  const headers = {}
  const data = new FormData()
  let place = path.replace('{store_hash}', encodeURIComponent(store.value || 'STORE'))
  let body
  for (const input of form.elements) {
    const [kind, ...rest] = input.name.split(':')
    const name = rest.join(':')
    if (kind === 'path') place = place.replace(`{${name}}`, encodeURIComponent(input.value))
    if (kind === 'query' && input.value !== '') query.append(name, input.value)
    if (kind === 'header' && input.value !== '') headers[name] = input.value
    if (kind === 'file' && input.files[0]) data.append(name, input.files[0])
    if (kind === 'body') body = input.value
  }
  if (open === undefined) headers['X-Auth-Token'] = token.value
  if (storeHeader !== undefined) headers['X-Store-Hash'] = store.value
  if (type.startsWith('multipart/')) body = data
  else if (body !== undefined) headers['Content-Type'] = type
  const asked = query.toString()
  return { method, url: place + (asked === '' ? '' : `?${asked}`), headers, body }
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

function commandOf(form) {
  const { method, url, headers, body } = requestOf(form)
  const files = body instanceof FormData ? [...body].map(([name, file]) => `-F ${quoted(`${name}=@${file.name}`)}`) : []
  return [
    `curl -X ${method} ${quoted(location.origin + url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...files,
    ...(typeof body === 'string' ? [`-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

async function send(form) {
  const shown = find('.answer', form)
  shown.textContent = 'Sent. Waiting for the answer.'
  const { url, ...request } = requestOf(form)
  const began = performance.now()
  try {
    const answer = await fetch(url, { ...request, cache: 'no-store' })
    const text = await answer.text()
    const line = document.createElement('p')
    line.textContent = `${answer.status} ${answer.statusText}, ${Math.round(performance.now() - began)} ms`
    const body = document.createElement('pre')
    body.textContent = asLines(text)
    shown.replaceChildren(line, ...(text === '' ? [] : [body]))
  } catch (error) {
    shown.textContent = `No answer: ${error.message}.`
  }
}

function asLines(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault()
  if (event.target.dataset.path !== undefined) send(event.target)
})

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
    ...hits.map(({ kind, title, address }) => {
      const line = document.createElement('li')
      const link = document.createElement('a')
      link.href = address
      link.textContent = title
      const mark = document.createElement('span')
      mark.className = 'quiet'
      mark.textContent = ` ${kind}`
      line.append(link, mark)
      return line
    }),
  )
  find('#hits').hidden = hits.length === 0
  find('#none').hidden = hits.length > 0 || question.trim() === ''
}

find('#find').addEventListener('input', ({ target }) => showHits(target.value))
find('#find').addEventListener('focus', loadSearch)
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
  event.preventDefault()
  find('#find').focus()
})

document.addEventListener('input', showCommands)
fillIn()
