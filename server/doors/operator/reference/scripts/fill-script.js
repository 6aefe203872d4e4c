// Finds values for forms in the store that is filled in, so that the first request works.

/** How many resources of a list are tried, and how many requests are sent for a form. */
const TRIED = 5
const REQUESTS_MAX = 12

/** The id of a resource for a parameter: `order_id` is `id` of orders and `order_id` of their parts. */
const idFor = (name, item) => {
  if (typeof item !== 'object' || item === null) return item
  const camel = name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())
  return item[name] ?? item[camel] ?? item.id ?? item.uuid ?? item.code ?? item.type_id
}

const itemsOf = (answer) => {
  const list = answer?.data ?? answer
  return Array.isArray(list) ? list.slice(0, TRIED) : []
}

/**
 * Ids for the empty inputs of a path, from the lists that contain them. A resource without sub-resources is passed over.
 * @param read asks for a path and returns the body of the answer; undefined for none
 * @returns pairs of input and id; empty if a list is missing or empty
 */
export async function findIds(form, read) {
  const marks = [...form.querySelectorAll('[data-list]')].map((mark) => ({
    list: mark.dataset.list,
    input: mark.previousElementSibling,
  }))
  let left = REQUESTS_MAX
  const findFrom = async (at, ids) => {
    const mark = marks[at]
    if (!mark) return ids
    let place = mark.list
    for (const [input, id] of ids) place = place.replace(`{${input.name.replace('path:', '')}}`, encodeURIComponent(id))
    if (/\{(?!store_hash)/.test(place) || left-- <= 0) return undefined
    for (const item of itemsOf(await read(place))) {
      const id = idFor(mark.input.name.replace('path:', ''), item)
      if (id === undefined) continue
      const found = await findFrom(at + 1, [...ids, [mark.input, id]])
      if (found) return found
    }
    return undefined
  }
  return (await findFrom(0, [])) ?? []
}

/**
 * The body of a refund of one unit of a paid order, with a payment that the quote of the refund offers. Only the quote is asked for.
 * @returns undefined if no order of the first ones can be refunded
 */
export async function bodyOfRefund(read, token, hash, path) {
  const store = `/stores/${encodeURIComponent(hash)}`
  const orders = itemsOf(await read(`${store}/v2/orders?status_id=11&limit=10`))
  for (const { id } of [...orders, ...itemsOf(await read(`${store}/v2/orders?status_id=10&limit=10`))]) {
    const lines = itemsOf(await read(`${store}/v2/orders/${id}/products`))
    const line = lines.find(({ quantity, quantity_refunded }) => quantity > quantity_refunded)
    if (!line) continue
    const items = [{ item_type: 'PRODUCT', item_id: line.id, quantity: 1 }]
    if (path.endsWith('/orders/payment_actions/refund_quotes')) return { order: id, body: [{ order_id: id, items }] }
    const answer = await fetch(`${store}/v3/orders/${id}/payment_actions/refund_quotes`, {
      method: 'POST',
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    if (!answer.ok) continue
    if (path.endsWith('refund_quotes')) return { order: id, body: { items } }
    const { data } = await answer.json()
    // A person who refunds expects the way on which the order was paid.
    const payments = data.refund_methods.find((one) => one.every(({ provider_id }) => provider_id !== 'storecredit'))
    if (payments) {
      const chosen = payments.map(({ provider_id, amount, offline }) => ({ provider_id, amount, offline }))
      return { order: id, body: { items, payments: chosen } }
    }
  }
  return undefined
}

/** A small picture of one colour. */
async function samplePicture() {
  const canvas = new OffscreenCanvas(320, 240)
  const brush = canvas.getContext('2d')
  brush.fillStyle = '#7d4e00'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'sample.png', { type: 'image/png' })
}

/** A file of redirects without rows. */
const sampleRedirects = () =>
  new File(['Domain,Old Path,Manual URL/Path,Dynamic Target Type,Dynamic Target ID\n'], 'redirects.csv', {
    type: 'text/csv',
  })

/** Files for the empty inputs of a form, by the type of the file; themes have none. */
export async function fillFiles(form) {
  for (const input of form.querySelectorAll('input[type=file]')) {
    const make = { 'application/octet-stream': samplePicture, 'text/csv': sampleRedirects }[input.accept]
    if (!make || input.files.length > 0) continue
    const chosen = new DataTransfer()
    chosen.items.add(await make())
    input.files = chosen.files
  }
}
