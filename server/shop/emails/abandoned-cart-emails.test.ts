import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { deleteRemindersOfChannel } from './abandoned-cart-emails.ts'
import { builtinTemplate } from './contents/builtin.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const ALL = '/marketing/abandoned-cart-emails'
const { type_id: _, ...builtin } = builtinTemplate('abandoned_cart_email')
const template = {
  subject: 'Still thinking about it, {{customer.first_name}}?',
  body: "<p>{{lang 'hello_phrase'}}</p>",
  translations: [{ locale: 'en', keys: { hello_phrase: 'Your cart is still here.' } }],
}

const get = async (path = ALL) => (await shop.call('GET', path)).body
const post = (body: unknown, query = '') => shop.call('POST', `${ALL}${query}`, body)
const put = (body: unknown, id = 1) => shop.call('PUT', `${ALL}/${id}`, body)
const refused = async (answer: Promise<{ status: number; body: { errors: unknown } }>) => {
  const { status, body } = await answer
  expect(status).toBe(422)
  return body.errors
}

test('a reminder without fields is sent after an hour with the built-in template', async () => {
  const { status, body } = await post({})
  const created = {
    id: 1,
    notify_at_minutes: 60,
    coupon_code: '',
    template: builtin,
    is_active: true,
    sent_num: 0,
  }
  expect([status, body]).toEqual([200, { data: created, meta: {} }])
  expect(await get()).toEqual({ data: [created], meta: {} })
  expect(await get(`${ALL}/1`)).toEqual({ data: created, meta: {} })
  expect(await get(`${ALL}/default`)).toEqual(builtin)
})

test('all writable fields are stored, and read-only fields are ignored', async () => {
  const said = { notify_at_minutes: 14_400, coupon_code: 'C'.repeat(50), template, is_active: false }
  expect((await post({ ...said, id: 9, sent_num: 9 })).body.data).toEqual({ id: 1, ...said, sent_num: 0 })
})

test('a change affects the sent fields, and replaces a template as a whole', async () => {
  await post({ coupon_code: 'BACK', template })
  const { status, body } = await put({ notify_at_minutes: 2_880 })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ id: 1, notify_at_minutes: 2_880, coupon_code: 'BACK', template })
  const other = { subject: 'Hello', body: '<p>Hello</p>', translations: [] }
  expect((await put({ template: other, is_active: false, sent_num: 5 })).body.data).toMatchObject({
    template: other,
    is_active: false,
    sent_num: 0,
  })
  expect((await put({}, 2)).status).toBe(404)
})

test('one that is deleted is gone, and its number is not given again', async () => {
  await post({})
  expect((await shop.call('DELETE', `${ALL}/1`)).status).toBe(204)
  expect((await shop.call('DELETE', `${ALL}/1`)).status).toBe(404)
  expect((await shop.call('GET', `${ALL}/1`)).status).toBe(404)
  expect((await post({})).body.data.id).toBe(2)
})

test('each hour of the first day and each day up to the tenth can be chosen', async () => {
  for (const minutes of [60, 1_380, 1_440, 2_880, 14_400]) {
    expect((await post({ notify_at_minutes: minutes })).body.data.notify_at_minutes).toBe(minutes)
  }
  for (const minutes of [0, 59, 61, 1_500, 4_000, 15_840]) {
    expect(await refused(post({ notify_at_minutes: minutes }))).toEqual({
      notify_at_minutes: expect.stringMatching(
        new RegExp(`^notify_at_minutes must be one of 60, 120, .*, 14400, not ${minutes}\\.$`),
      ),
    })
  }
  expect(await refused(post({ notify_at_minutes: '60' }))).toEqual({ notify_at_minutes: 'error.expected.jsnumber' })
})

describe('refusals', () => {
  test.each([
    [{ coupon_code: 'C'.repeat(51) }, 'coupon_code'],
    [{ is_active: 'perhaps' }, 'is_active'],
    [{ template: { subject: 'x', body: 'y' } }, 'template.translations'],
    [{ template: { ...template, subject: '' } }, 'template.subject'],
    [{ template: { ...template, subject: 'a\nb' } }, 'template.subject'],
    [{ template: { ...template, body: '{{#if order}}' } }, 'template.body'],
    [{ template: { ...template, body: 'x'.repeat(65_537) } }, 'template.body'],
    [{ template: { ...template, translations: [{ locale: 'english!', keys: {} }] } }, 'template.translations.0.locale'],
    [
      { template: { ...template, translations: ['de', 'DE'].map((locale) => ({ locale, keys: {} })) } },
      'template.translations.1.locale',
    ],
    [
      {
        template: {
          ...template,
          translations: [
            {
              locale: 'en',
              keys: Object.fromEntries(
                [...'abcdefgh'].flatMap((a) => [...'abcdefghijklmnopq'].map((b) => [a + b, 'x'.repeat(2_000)])),
              ),
            },
          ],
        },
      },
      'template',
    ],
  ])('%#: of a new one and of a change', async (body, field) => {
    expect(Object.keys((await refused(post(body))) as object)).toEqual([field])
    await post({})
    expect(Object.keys((await refused(put(body))) as object)).toEqual([field])
    expect((await get()).data).toHaveLength(1)
  })

  test('more than a hundred in a store', async () => {
    await Promise.all(Array.from({ length: 100 }, () => post({})))
    const { status, body } = await post({})
    expect([status, body.title]).toEqual([403, 'A store can hold at most 100 abandoned cart emails.'])
  })

  test.each([ALL, `${ALL}/settings`])('%s of a channel that is not there', async (path) => {
    const { status, body } = await shop.call('GET', `${path}?channel_id=7`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['channel_id']])
  })

  test.each(['GET', 'PUT'])('%s of settings without a channel', async (method) => {
    const { status, body } = await shop.call(
      method,
      `${ALL}/settings`,
      method === 'PUT' ? { use_global: true } : undefined,
    )
    expect([status, body.errors]).toEqual([422, { channel_id: 'error.path.missing' }])
  })
})

describe('a channel', () => {
  test('has reminders of its own beside those of all channels, and says which are sent', async () => {
    await post({})
    await post({ coupon_code: 'OWN' }, '?channel_id=1')
    expect((await get()).data.map(({ id }: { id: number }) => id)).toEqual([1])
    expect((await get(`${ALL}?channel_id=1`)).data.map(({ id }: { id: number }) => id)).toEqual([2])

    const settings = `${ALL}/settings?channel_id=1`
    expect(await get(settings)).toEqual({ use_global: true })
    for (const use_global of [false, false, true]) {
      expect((await shop.call('PUT', settings, { use_global })).body).toEqual({ use_global })
      expect(await get(settings)).toEqual({ use_global })
    }
    expect(await refused(shop.call('PUT', settings, {}))).toEqual({ use_global: 'error.path.missing' })
  })

  test('that ends takes its own along', async () => {
    await post({})
    await post({}, '?channel_id=1')
    await shop.call('PUT', `${ALL}/settings?channel_id=1`, { use_global: false })
    await deleteRemindersOfChannel(await dbOf(shop), 1)
    expect(await get(`${ALL}?channel_id=1`)).toEqual({ data: [], meta: {} })
    expect((await get()).data).toHaveLength(1)
    expect(await get(`${ALL}/settings?channel_id=1`)).toEqual({ use_global: true })
  })
})
