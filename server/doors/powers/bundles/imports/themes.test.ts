import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleParts, contentOf, exportTo, made, withThemeJobs } from '../../../../test/fixtures/content/bundles.ts'
import { openShop } from '../../../../test/fixtures/shop.ts'
import { makeTheme } from '../../../../test/fixtures/themes.ts'
import { dbOf } from '../../../../test/fixtures/webhooks.ts'
import { openBundle } from '../bundle.ts'
import { importInto } from '../store-bundles.ts'

const parts = await bundleParts()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-themes-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('themes come back with their archives, their configurations and the channels that show them', async () => {
  const shop = await openShop({ isTest: true })
  const theme = await makeTheme(shop)
  const path = `/themes/${theme.uuid}/configurations`
  const settings = { 'show-search': false }
  const saved = await made(shop, `POST ${path}`, { variation_id: theme.variation, settings })
  await shop.call('POST', '/themes/actions/activate', { variation_id: theme.variation, configuration_id: saved.uuid })
  const bundle = await openBundle(await exportTo(folder, shop))
  const content = await contentOf(bundle)
  expect(content.themes).toContainEqual(
    expect.objectContaining({ is_private: true, archive: expect.stringMatching(/^files\/[0-9a-f]{64}\.zip$/) }),
  )
  expect(content['active-themes']).toHaveLength(1)

  const other = await openShop({ isTest: true })
  const report = await withThemeJobs(importInto(parts, await dbOf(other), bundle))
  expect(report).toMatchObject({ refused: [], dropped: {}, rows: { themes: 2, 'active-themes': 1 } })
  expect(await contentOf(await openBundle(await exportTo(folder, other)))).toEqual(content)
  const active = (await other.call('GET', '/channels/1/active-theme')).body.data
  expect(active.active_theme_uuid).not.toBe(theme.uuid)
  const uuid = active.active_theme_configuration_uuid
  const configuration = (await other.call('GET', `/themes/${active.active_theme_uuid}/configurations?uuid:in=${uuid}`))
    .body
  expect(configuration.data[0].settings).toMatchObject(settings)
})

test('a theme whose archive the bundle lacks is refused with its reason', async () => {
  const shop = await openShop({ isTest: true })
  const theme = await makeTheme(shop)
  const path = await exportTo(folder, shop)
  await rm(join(path, 'files'), { recursive: true })
  const other = await openShop({ isTest: true })
  const report = await importInto(parts, await dbOf(other), await openBundle(path))
  const [refused, ...others] = report.refused
  expect(refused).toEqual({
    kind: 'themes',
    id: theme.uuid,
    status: 0,
    reason: expect.stringMatching(/^The bundle does not have files\/.*zip/),
  })
  // A configuration of each variation.
  expect(new Set(others.map(({ kind, reason }) => `${kind}: ${reason}`))).toEqual(
    new Set(['theme-configurations: Its theme, or its variation, is not in the store.']),
  )
})
