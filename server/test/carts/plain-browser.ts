import { expect } from 'vitest'
import { type Shop, theHouse } from '../fixtures/shop.ts'
import { askStorefront, makeToken } from '../fixtures/storefront.ts'

// A browser without scripts, as far as the tests of the checkout page need one.

interface Shown {
  status: number
  body: string
  headers: Record<string, unknown>
  path: string
}

type Server = Awaited<ReturnType<typeof theHouse>>['server']

/** Follows a link of the management API into the checkout of a cart. @param server in place of the usual one of the tests */
export async function visit(shop: Shop, cart: string, server?: Server) {
  const { body } = await shop.call('POST', `/carts/${cart}/redirect_urls`)
  return follow(shop, body.data.checkout_url, server)
}

/** The link into the checkout that the storefront's GraphQL makes for a customer who is signed in. */
export async function linkOfCustomer(shop: Shop, cart: string, customer: number): Promise<string> {
  const query = `mutation { cart { createCartRedirectUrls(input: { cartEntityId: "${cart}" }) { redirectUrls { redirectedCheckoutUrl } } } }`
  const headers = { 'x-svc-customer-id': String(customer) }
  const { body } = await askStorefront(shop, { token: await makeToken(shop, 'impersonation'), query, headers })
  return body.data.cart.createCartRedirectUrls.redirectUrls.redirectedCheckoutUrl
}

/** Follows a link into a checkout. */
export async function follow(shop: Shop, link: string, server?: Server) {
  const { pathname, search } = new URL(link)
  const page = browser(shop, `${pathname}${search}`, { server })
  await page.open(`${pathname}${search}`)
  expect(page.status()).toBe(200)
  return page
}

interface Start {
  known?: ReadonlyMap<string, string>
  before?: Shown
  server?: Server | undefined
}

function browser(shop: Shop, begin: string, { known = new Map(), before, server }: Start) {
  const cookies = new Map(known)
  let shown: Shown = before ?? { status: 0, body: '', headers: {}, path: '' }

  async function go(method: 'GET' | 'POST', path: string, payload?: string): Promise<void> {
    const answer = await (server ?? (await theHouse()).server).inject({
      method,
      url: path,
      headers: {
        host: `store-${shop.store.hash}.shop.test`,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const { location } = answer.headers
    if (location !== undefined) return go('GET', String(location).split('#')[0] ?? '')
    shown = { status: answer.statusCode, body: answer.body, headers: answer.headers, path: path.split(/[?#]/)[0] ?? '' }
    // No refusal is a fault of the server.
    expect(answer.statusCode, answer.body).toBeLessThan(500)
  }

  /** The fields of a form as they are: the values, the chosen options and radios. */
  function fieldsOf(step: string): Map<string, string> {
    const forms = shown.body.split('<form ').slice(1)
    const form = forms.find((text) => text.includes(`name="step" value="${step}"`)) ?? ''
    const fields = new Map<string, string>()
    for (const [tag] of form.split('</form>')[0]?.matchAll(/<input [^>]*>/g) ?? []) {
      const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
      const isOff = /type="(?:radio|checkbox)"/.test(tag) && !tag.includes(' checked')
      if (!isOff) fields.set(of('name'), of('value').replaceAll('&amp;', '&'))
    }
    return fields
  }

  /** The forms of codes and credit are no steps. */
  const openStep = () => {
    const [, step] = /name="step" value="(customer|shipping|options|billing|payment)">/.exec(shown.body) ?? []
    return step ?? ''
  }

  return {
    open: (path: string) => go('GET', path),
    post: (fields: Record<string, string>) => go('POST', '/checkout', String(new URLSearchParams(fields))),
    /** Fills in a form and sends it. */
    submit(values: Record<string, string>, step = openStep()) {
      const fields = fieldsOf(step)
      for (const [name, value] of Object.entries(values)) fields.set(name, value)
      return go('POST', '/checkout', String(new URLSearchParams([...fields])))
    },
    copy: () => browser(shop, begin, { known: cookies, before: shown, server }),
    clear: () => cookies.clear(),
    status: () => shown.status,
    path: () => shown.path,
    body: () => shown.body,
    headers: () => shown.headers,
    cookies: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    openStep,
    /** The visible text. */
    text: () =>
      shown.body
        .replaceAll(/<style>.*?<\/style>/gs, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' '),
    title: () => /<title>([^<]*)/.exec(shown.body)?.[1],
    buttons: () => shown.body.match(/<button type="submit" class="main">/g)?.length ?? 0,
    faults: () => [...shown.body.matchAll(/name="([^"]+)"[^>]* aria-invalid="true"/g)].map(([, name]) => name),
    token: () => fieldsOf(openStep()).get('token') ?? '',
    order: () => Number(/id="orderNumber">(\d+)/.exec(shown.body)?.[1]),
    /** The address of a link with a text; without one the link that led into the checkout. */
    link: (text?: string) =>
      text === undefined
        ? begin
        : `/checkout${(new RegExp(`<a href="([^"]*)">[^<]*${text}`).exec(shown.body)?.[1] ?? '').replaceAll('&amp;', '&')}`,
  }
}
