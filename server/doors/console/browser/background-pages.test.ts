import t from 'typebox'
import { expect } from 'vitest'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { failed as failedJob, runner, task } from '../../../core/jobs/task.ts'
import { sendMail } from '../../../core/mail/outbox.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, dispatchAll, failed, rowsOf } from '../../../test/fixtures/webhooks.ts'
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

const HOSTILE = `<p>Hi</p><script>document.title='planted'</script><img src="https://elsewhere.example.com/x.png"
  onerror="document.title='planted'"><a href="https://elsewhere.example.com/">Go</a>`

testConsole(
  'the mailbox shows e-mails as HTML and text, and nothing in them runs (C-086)',
  async ({ page, origin }) => {
    const shop = await openShop()
    const db = await dbOf(shop)
    const eve = { to: 'eve@example.com', subject: `Hi ${HOSTILE.slice(9, 60)}`, text: HOSTILE, html: HOSTILE }
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
    await page.goto(`${origin}/console/stores/${hash}/requests?changes=true`)
    await page.getByRole('row').filter({ hasText: request }).getByRole('link').click()
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
