import { createHmac } from 'node:crypto'
import t from 'typebox'
import { expect } from 'vitest'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { failed as failedJob, runner, task } from '../../../core/jobs/task.ts'
import { sendMail } from '../../../core/mail/outbox.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, dispatchAll, failed, happen, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { expectAccessible, expectMessage, testConsole } from '../../../test/servers/console.ts'
import { callOperator, join } from '../../../test/servers/people.ts'

testConsole('jobs are found by their state, retried and skipped', async ({ page, origin }) => {
  const shop = await openShop()
  const held = task('test_console', t.Object({}), { maxMs: 30_000, retryDelay: () => undefined, holdsKey: true })
  const db = await dbOf(shop)
  for (const key of ['order 1', 'order 2', 'order 2']) {
    await db.transaction((tx) => enqueue(tx, held, { payload: {}, key }))
  }
  await doJobs([runner(held, async () => failedJob('The gateway is closed.'))])
  const states = async () => (await rowsOf(shop, 'jobs')).map(({ state }) => String(state)).toSorted()
  expect(await states()).toEqual(['held', 'held', 'waiting'])

  await page.goto(`${origin}/console/stores/${shop.store.hash}/jobs`)
  await page.getByText('No job is failed.').waitFor()
  await page.getByText('held', { exact: true }).click()
  await page
    .getByText(/later jobs with its key wait: The gateway is closed\./)
    .first()
    .waitFor()
  expect(await page.getByRole('row').count()).toBe(3)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Skip/ }).first().click()
  await expectMessage(page, 'The job is changed.')
  await expect.poll(states).toEqual(['failed', 'held', 'waiting'])
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page
    .getByRole('button', { name: /^Retry/ })
    .first()
    .click()
  await expect.poll(states).toEqual(['failed', 'waiting', 'waiting'])
  await page.getByText('No job is held.').waitFor()
})

const HOSTILE = `<style>p { color: rgb(1, 2, 3) }</style><p>Hi</p><script>document.title='planted'</script><img src="https://elsewhere.example.com/x.png"
  onerror="document.title='planted'"><a href="https://elsewhere.example.com/">Go</a>`

testConsole(
  'the mailbox shows e-mails as HTML and text, and nothing in them runs (C-086)',
  async ({ page, origin }) => {
    const shop = await openShop()
    const db = await dbOf(shop)
    const eve = { to: 'eve@example.com', subject: `Hi ${HOSTILE.slice(50, 100)}`, text: HOSTILE, html: HOSTILE }
    await db.transaction((tx) => sendMail(tx, eve))
    await db.transaction((tx) => sendMail(tx, { to: 'ann@example.com', subject: 'Only text', text: 'One\nTwo' }))

    await page.goto(`${origin}/console/stores/${shop.store.hash}/mails`)
    await page.getByRole('cell', { name: 'eve@example.com' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Only text' }).click()
    await page.getByRole('dialog').getByText('One Two').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Hi / }).click()
    await page.frameLocator('iframe').getByText('Hi', { exact: true }).waitFor()
    const colour = `getComputedStyle(document.querySelector('p')).color`
    expect(await page.frames().at(-1)?.evaluate(colour)).toBe('rgb(1, 2, 3)')
    await page.frameLocator('iframe').getByText('Go').click()
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('dialog').getByText("<script>document.title='planted'</script>").last().waitFor()
    expect(await page.title()).not.toBe('planted')
  },
  // The browser reports the picture that the policy forbids.
  { complaint: /Content Security Policy|sandboxed/ },
)

testConsole('requests are found, explained, followed and sent again', async ({ page, origin }) => {
  const shop = await openShop({ isTest: true })
  const { hash } = shop.store
  const { installation } = await theHouse()
  const reader = await installation.accounts.create(hash, 'Reader', ['store_v2_orders_read_only'])
  await page.goto(`${origin}/console/stores/${hash}/requests`)
  await page.getByText('The log has no such request.').waitFor()
  await page.getByRole('combobox', { name: 'Stored of each request' }).click()
  await page.getByRole('option', { name: 'lines and bodies' }).click()
  await expectMessage(page, 'The log follows within a second.')
  // The servers of this test read the level when they write the next row.
  const stored = async () => {
    await shop.call('GET', '/catalog/brands', undefined, { as: { access_token: reader.access_token } })
    const { body } = await callOperator('GET', `/stores/${hash}/requests?errors=true`, { cookie })
    return body.data.some(({ answer_bytes }: { answer_bytes: number | null }) => answer_bytes !== null)
  }
  const { cookie } = await join('owner')
  await expect.poll(stored).toBe(true)
  await page.getByLabel('Status').fill('403')
  await page.getByLabel('Only errors').check()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('cell', { name: 'Reader' }).first().waitFor()
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /^Request / })
    .first()
    .click()
  await page.getByRole('region', { name: 'Body of the answer' }).getByText('One of these scopes is needed').waitFor()
  await page.getByRole('cell', { name: 'Reader' }).waitFor()
  await expectAccessible(page)

  await shop.call('POST', '/catalog/brands', { name: 'Fern' })
  const open = async (request: string) => {
    const row = page.getByRole('row').filter({ hasText: request })
    // The log is written a moment after the answer.
    const isListed = async () => {
      await page.goto(`${origin}/console/stores/${hash}/requests?changes=true`)
      const listed = row.first().waitFor({ timeout: 2_000 })
      return listed.then(
        () => true,
        () => false,
      )
    }
    await expect.poll(isListed).toBe(true)
    await row.getByRole('link').click()
  }
  await open('POST /v3/catalog/brands')
  await page.getByRole('region', { name: 'Body of the request' }).getByText('"name": "Fern"').waitFor()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await page.getByText('Answered with 409, formerly with 200.').waitFor()
  await expectAccessible(page)

  // The effects of a change: events, their callbacks, and jobs.
  const hook = { scope: 'store/order/created', destination: 'https://example.com/hooks' }
  expect((await shop.call('POST', '/hooks', hook)).status).toBe(200)
  const order = {
    billing_address: { first_name: 'Ida', zip: '1051', email: 'ida@example.com' },
    products: [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 25 }],
  }
  expect((await shop.call('POST', '/orders', order, { version: 'v2' })).status).toBe(200)
  await dispatchAll()
  await attempt(shop, 1, failed)
  await shop.call('DELETE', '/orders', undefined, { version: 'v2' })
  await open('POST /v2/orders')
  await page
    .getByRole('link', { name: /^Explain evt_/ })
    .first()
    .waitFor()
  await page.getByText('500, The receiver answered 500.').waitFor()
  await page.getByText('The request has left no work for later.').waitFor()
  await expectAccessible(page)
  await open('DELETE /v2/orders')
  await page.getByRole('cell', { name: 'waiting', exact: true }).waitFor()
})

testConsole('webhooks are created, tested, resent and deleted, and events are found', async ({ page, origin }) => {
  const shop = await openShop({ isTest: true })
  const { hash } = shop.store
  // A webhook, its failed deliveries, and the request that was sent.
  await page.goto(`${origin}/console/stores/${hash}/webhooks`)
  await page.getByText('The store has no webhook. Create the first one with the button above.').waitFor()
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  await page.getByRole('combobox', { name: 'Scope' }).fill('store/category/created')
  await page.keyboard.press('Escape')
  await page.getByLabel('Destination').fill('http://insecure.example.com')
  await page.getByLabel('Header').fill('Authorization')
  await page.getByText('Write a name, a colon and a value.').waitFor()
  await page.getByLabel('Header').fill('Authorization: Bearer 1234')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('alert').getByText(/https/).first().waitFor()
  await page.getByLabel('Destination').fill('https://93.184.215.14/hooks')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectMessage(page, 'The webhook is created, and is active.')
  const [hook] = (await shop.call('GET', '/hooks')).body.data
  expect(hook).toMatchObject({
    scope: 'store/category/created',
    destination: 'https://93.184.215.14/hooks',
    headers: { Authorization: 'Bearer 1234' },
  })
  await happen(shop, 'category 1', 'category 2')
  await attempt(shop, hook.id, failed)
  await page.getByRole('button', { name: 'Deliveries' }).click()
  await page.getByRole('button', { name: 'Request', exact: true }).first().click()
  await page.getByText('Authorization: not shown').waitFor()
  await page.getByText(`"producer":"stores/${hash}"`).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByLabel('Choose all attempts of this page').check()
  await page.getByRole('button', { name: 'Resend 2 chosen' }).click()
  await expectMessage(page, 'The chosen events will be sent again.')
  await page.getByRole('combobox', { name: 'Events that failed since' }).click()
  await page.getByRole('option', { name: 'a moment' }).click()
  await page.getByLabel('Moment').fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16))
  await page.getByRole('button', { name: 'Resend failed events' }).click()
  await page.getByText(/Events without a next attempt will be sent again: \d/).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expectMessage(page, 'A test event will be sent.')
  await expectAccessible(page)

  // Events by scope and resource, and their outcome.
  await page.goto(`${origin}/console/stores/${hash}/webhooks?tab=events`)
  await page.getByRole('combobox', { name: 'Scope' }).fill('store/category/*')
  await page.keyboard.press('Escape')
  await page.getByLabel('Resource').fill('category 2')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('cell', { name: 'category 2', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: /^Explain evt_/ }).count()).toBe(1)
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Explain evt_/ }).click()
  await page.getByRole('cell', { name: `${hook.id}, store/category/created` }).waitFor()
  await page.getByRole('tab', { name: 'Publish a sample' }).click()
  await page.getByRole('combobox', { name: 'Scope' }).fill('store/category/updated')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/^The event evt_\w+ is published$/).waitFor()
  await expectAccessible(page)

  // The tester of signatures names the wrong part.
  await page.getByRole('tab', { name: 'Check a signature' }).click()
  const body = '{ "id": 1 }'
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const sign = (text: string) => createHmac('sha256', 'secret').update(`evt_1.${timestamp}.${text}`).digest('base64')
  for (const [name, value] of Object.entries({
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'Client secret': 'secret',
    Body: body,
  })) {
    await page.getByRole('textbox', { name, exact: true }).fill(value)
  }
  for (const [signed, verdict] of [
    [body, 'The signature is right.'],
    ['{"id":1}', 'The body was parsed and printed again: sign the bytes as they arrived.'],
    ['other', 'The secret, the id, the timestamp or the body is another one.'],
  ] as const) {
    await page.getByLabel('webhook-signature').fill(`v1,${sign(signed)}`)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('status').getByText(verdict).waitFor()
  }
  await expectAccessible(page)
  await page.goto(`${origin}/console/stores/${hash}/webhooks?hook=${hook.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the webhook' }).click()
  await expectMessage(page, 'The webhook is deleted.')
  expect((await shop.call('GET', '/hooks')).body.data).toEqual([])
})

testConsole('a clock moves, requests fail, a snapshot is restored, and a store is forked', async ({ page, origin }) => {
  const shop = await openShop({ isTest: true, name: 'Lantern' })
  const { hash } = shop.store
  const brands = async () => (await shop.call('GET', '/catalog/brands')).body.data.length
  await shop.call('POST', '/catalog/brands', { name: 'Fern' })
  const { cookie } = await join('developer')
  const power = async (name: string) => (await callOperator('GET', `/stores/${hash}/${name}`, { cookie })).body.data
  await page.goto(`${origin}/console/stores/${hash}/powers`)
  await page.getByLabel('Move it on by').fill('2')
  await page.getByRole('button', { name: 'Move the clock' }).click()
  await page.getByText('172,800 seconds ahead').waitFor()
  expect(await power('clock')).toMatchObject({ ahead_seconds: 172_800 })

  await page.getByRole('combobox', { name: 'Requests' }).fill('GET /v3/catalog/brands')
  await page.getByRole('option', { name: 'GET /v3/catalog/brands', exact: true }).click()
  await page.getByLabel('Times').fill('3')
  await page.getByRole('button', { name: 'Add the fault' }).click()
  await page.getByRole('combobox', { name: 'Effect' }).click()
  await page.getByRole('option', { name: 'payments: declined' }).click()
  await page.getByRole('button', { name: 'Add the fault' }).click()
  await page.getByRole('cell', { name: /"outcome":"declined"/ }).waitFor()
  await expectAccessible(page)
  expect((await power('faults')).map(({ rule }: { rule: object }) => rule)).toEqual([
    { status: 503, operation: 'GET /v3/catalog/brands', next: 3, minutes: 60 },
    { port: 'gateway', outcome: 'declined', next: 3, minutes: 60 },
  ])
  await page.getByRole('button', { name: 'Clear all faults' }).click()
  await page.getByText('The store has no fault.').waitFor()

  await page.getByLabel('Name of a new snapshot').fill('before')
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await page.getByRole('cell', { name: 'before', exact: true }).waitFor()
  await shop.call('POST', '/catalog/brands', { name: 'Moss' })
  expect(await brands()).toBe(2)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore the store' }).click()
  await expectMessage(page, 'The store has the data of the snapshot.')
  expect(await brands()).toBe(1)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('The store has no snapshot.').waitFor()
  await page.getByRole('button', { name: 'Fork the store' }).click()
  await page.getByText('The token and the secret are shown only here, and only now.').waitFor()
  await page.getByRole('link', { name: 'Open the store' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lantern' }).waitFor()
})
