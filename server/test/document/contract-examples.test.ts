import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { isObject } from '../../core/objects.ts'
import { ask, enableCompanion } from '../fixtures/companion.ts'
import { openShop, type Shop } from '../fixtures/shop.ts'

// The example at the head of each page of docs/contract: its commands work, and the last answer has the printed fields.

const folder = new URL('../../../docs/contract/', import.meta.url)

interface Command {
  line: string
  isCompanion: boolean
  method: string
  path: string
  body: unknown
  /** A token in place of the administrator's. */
  token: string | undefined
}

interface Example {
  page: string
  commands: Command[]
  /** The printed fields of the last answer. */
  answer: unknown
}

const LINE =
  /^curl -s (?:-X (\w+) )?"\$(STORE|B2B)(\S+)" -H "(?:\$AUTH|X-Auth-Token: (\w+))"(?: -H "\$HASH")?(?: (?:--json|-d) '(.+)')?$/

/** The company of this page is the company 1 of other pages. */
const FIRST = 'companies.md'
const pages = [FIRST, ...readdirSync(folder).filter((file) => file !== FIRST)]

const examples: Example[] = pages.flatMap((file) => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  return [...text.matchAll(/^```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```$/gms)].map(
    ([, lines = '', answer = '']) => ({
      page: file,
      commands: lines.split('\n').map(commandOf),
      answer: JSON.parse(answer),
    }),
  )
})

function commandOf(line: string): Command {
  const [, method, base, path = '', token, body] = LINE.exec(line) ?? []
  if (path === '') throw new Error(`An example has a form that this test can't read: ${line}`)
  const sent: unknown = body === undefined ? undefined : JSON.parse(body)
  return {
    line,
    isCompanion: base === 'B2B',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path,
    body: sent,
    token,
  }
}

let shop: Shop

/** A store with product 1, customer 1 and order 1, as the demo store has them. */
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  await shop.call('POST', '/catalog/products', {
    name: 'Mug',
    type: 'physical',
    weight: 1,
    price: 12,
    inventory_tracking: 'product',
  })
  await shop.call('POST', '/customers', [{ first_name: 'Ida', last_name: 'Holm', email: 'ida.holm@example.com' }])
  const order = {
    billing_address: { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida.holm@example.com' },
    products: [{ name: 'Print', quantity: 2, price_ex_tax: 20, price_inc_tax: 25 }],
    status_id: 11,
    payment_method: 'Test Payment Gateway',
    payment_status: 'captured',
  }
  await shop.call('POST', '/orders', order, { version: 'v2' })
})

/** The printed answer, in which a text that ends with dots stands for all texts with its beginning. */
function expected(printed: unknown): unknown {
  if (Array.isArray(printed)) return printed.map(expected)
  if (isObject(printed)) return Object.fromEntries(Object.entries(printed).map(([name, one]) => [name, expected(one)]))
  const [, beginning] = /^(.+)\.\.\.$/.exec(String(printed)) ?? []
  return beginning === undefined ? printed : expect.stringMatching(new RegExp(`^${RegExp.escape(beginning)}`))
}

async function send({ line, isCompanion, method, path, body, token }: Command, status: number) {
  const [, version, below = ''] = /^\/(v2|v3)(.*)$/.exec(path) ?? []
  const answered = isCompanion
    ? await ask(shop, method, path.replace(/^\/api/, ''), body)
    : await shop.call(method, below, body, {
        version: version === 'v2' ? 'v2' : 'v3',
        ...(token === undefined ? {} : { as: { access_token: token } }),
      })
  expect(answered.status - (answered.status % status), `${line}\n${answered.text}`).toBe(status)
  return answered.body
}

test.each(examples)('the example of docs/contract/$page works', async ({ commands, answer }) => {
  const printed = Object(answer)
  const status = typeof printed.status === 'number' ? printed.status : 200
  let last: unknown
  for (const command of commands) last = await send(command, status)
  expect(last).toMatchObject(Object(expected(printed)))
})
