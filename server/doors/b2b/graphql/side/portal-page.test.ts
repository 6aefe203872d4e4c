import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { portalPage, portalSettings, scriptIn } from './portal-page.ts'

test('the page has the setting of the portal and its script, and no text of them ends either', () => {
  const page = portalPage({
    store: 'shop1',
    channel: 2,
    platform: 'custom',
    script: 'https://x.example.com/p/index.a1.js?a=1&b="',
  })
  expect(page).toContain('{"store_hash":"shop1","channel_id":2,"platform":"custom","environment":"local"}')
  expect(page).toContain('src="https://x.example.com/p/index.a1.js?a=1&amp;b=&quot;"')
  const hostile = portalPage({ store: '</script><b>', channel: 1, platform: 'bigcommerce', script: 'x' })
  expect(hostile).not.toContain('</script><b>')
})

test('the settings of a build are four lines', () => {
  expect(portalSettings({ b2bUrl: 'http://a/b2b', clientId: 'c', files: 'http://p/' })).toEqual([
    'VITE_IS_LOCAL_ENVIRONMENT=TRUE',
    'VITE_B2B_URL=http://a/b2b',
    'VITE_LOCAL_APP_CLIENT_ID=c',
    'VITE_ASSETS_ABSOLUTE_PATH=http://p/',
  ])
})

test('the script of a build is found by its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-'))
  await expect(scriptIn(folder)).rejects.toThrow(/is no folder of a built portal/)
  for (const name of ['index.5Qvc2ug5.js', 'index.5Qvc2ug5.js.map', 'polyfills.BwIfQWgi.js'])
    await writeFile(join(folder, name), '')
  expect(await scriptIn(folder)).toBe('index.5Qvc2ug5.js')
  await expect(scriptIn(join(folder, 'none'))).rejects.toThrow(/is no folder/)
})
