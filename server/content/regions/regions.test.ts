import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { readBundle } from '../../shop/themes/bundle/bundle.ts'
import { regionsRunner } from '../../shop/themes/theme-parts.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { activateTheme, uploadThemeWith } from '../../test/fixtures/themes.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { doJobs } from '../../test/harness/jobs.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const regions = (query: string) => shop.call('GET', `/content/regions?${query}`)
/** The regions of the stock theme's home page. */
const HOME = ['home_below_headline', 'home_below_products', 'header_bottom--global', 'page_bottom--global'].map(
  (name) => ({ name }),
)
const templates = {
  'templates/pages/faq.html': '{{{region name="faq"}}}{{> components/strip}}',
  'templates/components/strip.html': '{{{region name="strip--global"}}}',
}

test('regions are those of the active theme of the channel', async () => {
  expect((await regions('template_file=pages/home')).body.data).toEqual(HOME)
  expect((await regions('template_file=pages/faq')).status).toBe(404)
  await activateTheme(shop, await uploadThemeWith(shop, templates))
  const { status, body } = await regions('template_file=pages/faq')
  expect([status, body]).toEqual([200, { data: [{ name: 'faq' }, { name: 'strip--global' }], meta: {} }])
  expect((await regions('template_file=pages/home&channel_id=1&limit=1')).body.data).toEqual(HOME)
})

test('an unknown file is 404, also without an active theme', async () => {
  for (const file of ['pages/none', 'components/card', '__proto__', 'constructor', '../pages/home']) {
    expect((await regions(`template_file=${file}`)).status, file).toBe(404)
  }
  expect((await regions('template_file=pages/home&channel_id=99')).status).toBe(404)
})

test('a query without template_file, and with unknown names, is 422', async () => {
  expect((await regions('')).status).toBe(422)
  expect((await regions('template_file=pages/home&colour=red')).status).toBe(422)
})

test('a job reads themes of earlier versions; until then the answer is 503', async () => {
  const theme = await uploadThemeWith(shop, templates)
  await activateTheme(shop, theme)
  const db = await dbOf(shop)
  const job = `regions of theme ${theme.uuid}`
  await db.transaction(async (tx) => {
    await tx.rows(sql`update themes set regions = null where store_id = ${tx.store.id} and uuid = ${theme.uuid}`)
    // As the migration enqueues it.
    await tx.rows(sql`
      insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
      values (${tx.store.id}, ${job}, ${theme.uuid}, 'read_theme_regions', now(), 1, true)`)
    await tx.rows(sql`
      insert into jobs (store_id, id, key, seq, task, payload, created_at, due_at, state, attempts, attempted)
      values (${tx.store.id}, ${theme.uuid}, ${job}, 1, 'read_theme_regions', jsonb_build_object('theme', ${theme.uuid}::text), now(),
        now(), 'waiting', 0, 0)`)
  })
  expect((await regions('template_file=pages/faq')).status).toBe(503)
  const { files } = await theHouse()
  await doJobs([regionsRunner(files, readBundle)])
  expect((await regions('template_file=pages/faq')).body.data).toHaveLength(2)
})

test('regions need a scope of content', async () => {
  const call = (as: StaffedShop['admin']) =>
    shop.call('GET', '/content/regions?template_file=pages/home', undefined, { as })
  expect((await call(shop.noscope)).status).toBe(403)
  expect((await call(shop.readonly)).status).toBe(200)
})
