import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../../core/db/database.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { editLocales, type LocaleOptions } from '../settings/locale/locales-command.ts'
import { deleteLocalesOfChannel } from './locales.ts'

let shop: Shop
let db: Db
beforeEach(async () => {
  shop = await openShop()
  db = await dbOf(shop)
})

const edit = (options: LocaleOptions, channel = 1) => editLocales(db, channel, options)
const shown = async (options: LocaleOptions = {}) =>
  (await edit(options)).map(({ code, is_active, is_default }) => [code, is_active, is_default])
const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)
const scopeOf = (action: string) => `store/channel/1/settings/locale/${action}`

test('a storefront has the language of its store until it gets others, and each change publishes an event', async () => {
  expect(await shown()).toEqual([['en', true, true]])
  await shop.call('PUT', '/settings/store/locale', { default_shopper_language: 'fr-CA' })
  expect(await shown()).toEqual([['fr-CA', true, true]])
  expect(await shown({ add: 'de', inactive: true })).toEqual([
    ['de', false, false],
    ['fr-CA', true, true],
  ])
  expect(await shown({ change: 'DE', active: true, default: true })).toEqual([
    ['de', true, true],
    ['fr-CA', true, false],
  ])
  await edit({ change: 'de', active: true })
  expect(await shown({ delete: 'fr-ca' })).toEqual([['de', true, true]])
  expect((await scopes()).slice(-3)).toEqual([scopeOf('added'), scopeOf('updated'), scopeOf('deleted')])
  await deleteLocalesOfChannel(db, 1)
  expect(await shown()).toEqual([['fr-CA', true, true]])
})

test('with a second language the choice of the store is deprecated', async () => {
  const meta = async () => (await shop.call('GET', '/settings/store/locale')).body.meta
  expect(await meta()).toEqual({})
  await edit({ add: 'de' })
  expect(await meta()).toHaveProperty('deprecated_fields')
})

test('invalid languages of a channel are refused', async () => {
  for (const add of ['de', 'fr', 'it', 'es']) await edit({ add })
  const till = (await shop.call('POST', '/channels', { name: 'Till', type: 'pos', platform: 'square' })).body.data.id
  const gone = (await shop.call('POST', '/channels', { name: 'Old', type: 'storefront', platform: 'custom' })).body.data
    .id
  await shop.call('PUT', `/channels/${gone}`, { status: 'deleted' })
  const refusals: [LocaleOptions, number, number?][] = [
    [{ add: 'sv' }, 403],
    [{ add: 'DE' }, 409],
    [{ add: 'german' }, 422],
    [{ add: 'd_e' }, 422],
    [{ add: `de${'-latn1996'.repeat(3)}-latn12` }, 422],
    [{ change: 'sv', default: true }, 404],
    [{ change: 'en', inactive: true }, 422],
    [{ change: 'de', default: true, inactive: true }, 422],
    [{ delete: 'en' }, 409],
    [{ delete: 'sv' }, 404],
    [{ add: 'de' }, 422, till],
    [{ add: 'de' }, 404, 77],
    [{ add: 'de' }, 404, gone],
  ]
  for (const [options, status, channel] of refusals) {
    await expect(edit(options, channel), JSON.stringify(options)).rejects.toMatchObject({ status })
  }
  expect(await shown()).toHaveLength(5)
})
