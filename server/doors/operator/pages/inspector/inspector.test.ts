import { existsSync } from 'node:fs'
import fastify, { type FastifyInstance } from 'fastify'
import { chromium } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../core/clock.ts'
import { signatureHeaders } from '../../../../core/secrets/signature.ts'
import { payloadOf } from '../../../webhooks/sending/payload.ts'
import { Bins, type ReceivedRequest } from './bins.ts'
import { inspectorRoutes } from './inspector.ts'

// With a real sender and its real hooks: server/sandbox/sandbox.test.ts.

const CHROMIUM = '/usr/bin/chromium'
const SECRET = 'a client secret'
const KIB_256 = 256 * 1024

let server: FastifyInstance
let base: string
let asked: [hash: string, hookId: number][]

beforeEach(async () => {
  asked = []
  server = fastify()
  inspectorRoutes(server, {
    clock: systemClock,
    async secretsOf(hash, hookId) {
      asked.push([hash, hookId])
      return hash === 'abc123' && hookId === 5 ? [SECRET] : []
    },
  })
  base = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  // Connections that fetch keeps open for the next request.
  server.server.closeAllConnections()
  await server.close()
})

const ask = (method: string, path: string, body?: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${base}/inspect/${path}`, { method, headers, ...(body === undefined ? {} : { body }) })

const script = async (answers: unknown, bin = 'a') =>
  (await ask('PUT', `${bin}/script`, JSON.stringify(answers))).status

async function received(bin = 'a'): Promise<ReceivedRequest[]> {
  const { data } = (await (await ask('GET', `${bin}/requests`)).json()) as { data: ReceivedRequest[] }
  return data
}

const id = 'evt_01J0000000000000000000000A'
const sample = {
  id,
  storeId: 7,
  storeHash: 'abc123',
  ms: 1_561_479_335_000,
  scope: 'store/order/created',
  data: '{"id":1}',
}
const signed = (secrets = [SECRET], body = payloadOf(sample)) => ({
  'x-svc-hook-id': '5',
  'x-svc-attempt': '2',
  ...signatureHeaders(id, new Date(), body, secrets),
})

test('a bin keeps requests unchanged, and shows the newest first', async () => {
  expect(
    (await ask('POST', 'a', 'plain words', { 'content-type': 'text/weird', 'x-own': 'ä'.normalize() })).status,
  ).toBe(204)
  expect((await ask('POST', 'a', payloadOf(sample), signed())).status).toBe(204)
  expect((await ask('POST', 'a')).status).toBe(204)
  const found = await received()
  expect(found.map(({ body }) => body)).toEqual(['', payloadOf(sample), 'plain words'])
  expect(found[1]).toEqual({
    received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    method: 'POST',
    webhook_id: id,
    attempt: '2',
    signature: 'valid',
    answer: '204',
    headers: expect.objectContaining({
      ...signed(),
      'webhook-timestamp': expect.any(String),
      'webhook-signature': expect.any(String),
    }),
    body: payloadOf(sample),
  })
  expect(found[2]).toMatchObject({ webhook_id: null, attempt: null, signature: 'missing' })
  expect(await received('b')).toEqual([])
})

describe('a signature', () => {
  const verdict = async (body: string, headers: Record<string, string>) => {
    await ask('POST', 'a', body, headers)
    return (await received())[0]?.signature
  }

  test('is checked with the secrets of the hook that the callback names, if it is one of ours', async () => {
    const body = payloadOf(sample)
    expect(await verdict(body, signed())).toBe('valid')
    expect(await verdict(body, signed(['the next secret', SECRET]))).toBe('valid')
    expect(await verdict(`${body} `, signed())).toBe('not valid')
    expect(await verdict(body, signed(['another secret']))).toBe('not valid')
    expect(await verdict(body, { ...signed(), 'webhook-timestamp': '1561479335' })).toBe('not valid')
    expect(asked).toEqual(Array(5).fill(['abc123', 5]))
    expect(await verdict(body, { ...signed(), 'x-svc-hook-id': '6' })).toBe('not checked')
    expect(asked.splice(0)).toHaveLength(6)
    for (const hook of ['', 'x', '1e3', '9'.repeat(10)]) {
      expect(await verdict(body, { ...signed(), 'x-svc-hook-id': hook })).toBe('not checked')
    }
    expect(await verdict('{"producer":7}', signed())).toBe('not checked')
    expect(await verdict('no JSON', signed())).toBe('not checked')
    expect(asked).toEqual([])
  })

  test('is checked with the secret of the bin, for every sender', async () => {
    expect((await ask('PUT', 'a/secret', '{"secret":"other secret"}')).status).toBe(204)
    expect(await verdict('no JSON', signed(['other secret'], 'no JSON'))).toBe('valid')
    expect(await verdict(payloadOf(sample), signed())).toBe('not valid')
    expect(asked).toEqual([])
    expect((await ask('PUT', 'a/secret', '{"secret":""}')).status).toBe(422)
  })
})

describe('a script', () => {
  const statuses = async (count: number) => {
    const found: number[] = []
    for (let i = 0; i < count; i++) found.push((await ask('POST', 'a')).status)
    return found
  }

  test('is answered line by line, and the last one stays', async () => {
    expect(await script([{ status: 500 }, { status: 302 }, {}, { status: 410 }])).toBe(204)
    expect(await statuses(5)).toEqual([500, 302, 204, 410, 410])
    expect((await received()).map(({ answer }) => answer)).toEqual(['410', '410', '204', '302', '500'])
    expect(await script([])).toBe(204)
    expect(await statuses(1)).toEqual([204])
  })

  test('may keep the sender waiting, and cut the connection', async () => {
    await script([{ status: 200, delay_ms: 200 }, { reset: true }, { reset: true, delay_ms: 1 }])
    const began = performance.now()
    expect(await statuses(1)).toEqual([200])
    expect(performance.now() - began).toBeGreaterThan(195)
    for (let i = 0; i < 2; i++) await expect(ask('POST', 'a')).rejects.toThrow()
    expect((await received()).map(({ answer }) => answer)).toEqual(['reset after 1 ms', 'reset', '200 after 200 ms'])
  })

  test('keeps nobody waiting when the server stops', async () => {
    await script([{ status: 503, delay_ms: 15_000 }])
    const waiting = ask('POST', 'a')
    while ((await received()).length === 0);
    const closed = server.close()
    expect((await waiting).status).toBe(503)
    server.server.closeAllConnections()
    await closed
  })

  test.each([
    ['no list', { status: 200 }, 'The body must be array'],
    ['no status', [{ status: 'x' }], '/0/status must be integer'],
    ['a status that says nothing', [{ status: 100 }], '/0/status must be >= 200'],
    ['a delay that is too long', [{}, { delay_ms: 15_001 }], '/1/delay_ms must be <= 15000'],
    ['an unknown word', [{ code: 200 }], '/0/code is not known here.'],
    ['too much', Array(1_001).fill({}), 'The body must not have more than 1000 items'],
  ])('with %s is refused with a sentence', async (_, answers, sentence) => {
    const answer = await ask('PUT', 'a/script', JSON.stringify(answers))
    expect(answer.status).toBe(422)
    expect(((await answer.json()) as { title: string }).title).toContain(sentence)
  })

  test('that is no JSON is refused', async () => {
    for (const body of ['[', '', undefined]) expect((await ask('PUT', 'a/script', body)).status).toBe(422)
  })
})

describe('the bounds', () => {
  test('a body of 256 KiB is kept, and one byte more refused', async () => {
    expect((await ask('POST', 'a', Buffer.alloc(KIB_256, 'a'))).status).toBe(204)
    expect((await ask('POST', 'a', Buffer.alloc(KIB_256 + 1, 'a'))).status).toBe(413)
    expect((await received()).map(({ body }) => body.length)).toEqual([KIB_256])
  })

  test('a bin is emptied, and answers as at first', async () => {
    await script([{ status: 500 }])
    await ask('POST', 'a')
    await ask('POST', 'b')
    expect((await ask('DELETE', 'a')).status).toBe(204)
    expect(await received()).toEqual([])
    expect((await ask('POST', 'a')).status).toBe(204)
    expect(await received('b')).toHaveLength(1)
  })

  test.each([
    ['a', 204],
    ['A_b-9', 204],
    ['a'.repeat(64), 204],
    ['a'.repeat(65), 404],
    ['a.b', 404],
    ['%3Cb%3E', 404],
    ['', 404],
  ])('a bin with the name "%s" answers %s', async (name, status) => {
    expect((await ask('POST', name)).status).toBe(status)
  })

  const request = (body: string): ReceivedRequest => ({
    received_at: '',
    method: 'POST',
    webhook_id: null,
    attempt: null,
    signature: 'missing',
    answer: '204',
    headers: {},
    body,
  })

  test('200 requests of a bin are kept, and 100 bins, those that were used last', () => {
    const bins = new Bins()
    for (let i = 1; i <= 201; i++) bins.keep('a', request(String(i)))
    const bodies = bins.look('a').received.map(({ body }) => body)
    expect([bodies.length, bodies[0], bodies.at(-1)]).toEqual([200, '201', '2'])

    for (let i = 1; i <= 99; i++) bins.keep(`b${i}`, request(''))
    bins.keep('a', request('again'))
    bins.keep('c', request(''))
    expect(bins.look('b1').received).toEqual([])
    expect(bins.look('b2').received).toHaveLength(1)
    expect(bins.look('a').received).toHaveLength(200)
  })

  test('64 MiB of all bins together are kept: the oldest go, of the bin that was used least recently first', () => {
    const bins = new Bins()
    const body = 'a'.repeat(KIB_256)
    for (let i = 0; i < 64; i++) bins.keep('a', request(body))
    for (let i = 0; i < 64; i++) bins.keep('b', request(body))
    const counts = () => ['a', 'b'].map((name) => bins.look(name).received.length)
    expect(counts()).toEqual([64, 64])
    bins.keep('b', request(body))
    expect(counts()).toEqual([63, 65])
    bins.empty('b')
    for (let i = 0; i < 65; i++) bins.keep('b', request(body))
    expect(counts()).toEqual([63, 65])
  })
})

const EVIL = `"><script>document.title='planted'</script><img src=x onerror="document.title='planted'">`

describe('the page', () => {
  test('loads nothing and runs nothing, and is not kept', async () => {
    const { headers, status } = await ask('GET', 'a')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('refreshes itself unless it is held still, and names the next answer', async () => {
    await script([{ status: 500, delay_ms: 20 }])
    const page = await (await ask('GET', 'a')).text()
    expect(page).toContain('<meta http-equiv="refresh" content="2">')
    expect(page).toContain('The next answer is 500, after 20 ms.')
    expect(page).toContain('No requests yet.')
    expect(await (await ask('GET', 'a?still')).text()).not.toContain('http-equiv')
  })

  test('shows a body in lines, and everything as text (C-086)', async () => {
    await ask('POST', 'a', JSON.stringify({ scope: EVIL, n: [1] }), { 'x-note': EVIL, 'webhook-id': EVIL })
    await ask('POST', 'a', `not { JSON } ${EVIL} \u202egnp.exe\u0000`)
    const page = await (await ask('GET', 'a')).text()
    expect(page).toContain('  &#34;n&#34;: [\n    1\n  ]')
    expect(page).toContain('not { JSON } &#34;&#62;&#60;script&#62;')
    expect(page).toContain('\\u202egnp.exe\\u0000')
    expect(page).not.toMatch(/<(script|img)/)
    expect(
      page.replaceAll(
        /<\/?(!doctype|html|head|meta|title|style|body|h1|h2|p|a|code|article|table|tr|th|td|strong|pre)\b[^<>]*>/g,
        '',
      ),
    ).not.toMatch(/[<>]/)
  })

  // Nothing downloads a browser for this: where there is none, the tests above have to do.
  test.skipIf(!existsSync(CHROMIUM))(
    `in a browser is as it should be (needs ${CHROMIUM})`,
    { timeout: 60_000 },
    async () => {
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
      try {
        const page = await browser.newPage()
        const requests: string[] = []
        const complaints: string[] = []
        page.on('request', (request) => requests.push(request.url()))
        page.on('console', (message) => complaints.push(message.text()))
        page.on('dialog', (dialog) => complaints.push(dialog.message()))

        await page.goto(`${base}/inspect/a`)
        expect(await page.textContent('body')).toContain('No requests yet.')
        await ask('POST', 'a', payloadOf(sample), signed())
        await ask('POST', 'a', EVIL, { 'x-note': EVIL })
        // It refreshes itself.
        await page.waitForSelector('article:nth-of-type(2)')
        await page.click('text=Pause')
        await page.waitForURL(`${base}/inspect/a?still`)
        expect(await page.title()).toBe('2 in a')
        expect(await page.textContent('article:nth-of-type(1) pre')).toBe(EVIL)
        expect(await page.textContent('article:nth-of-type(2) h2')).toMatch(/^POST at \S+Z, signature valid$/)
        expect(await page.evaluate("getComputedStyle(document.querySelector('.valid')).color")).toBe('rgb(26, 127, 55)')
        expect(await page.locator('script, img, iframe, link, form').count()).toBe(0)
        expect(requests.every((url) => url.startsWith(base) || url.endsWith('/favicon.ico'))).toBe(true)
        expect(complaints).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})
