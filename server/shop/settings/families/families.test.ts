import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { storeLocale } from '../locale/locale.ts'
import { logo } from '../logo.ts'
import { storefrontStatus } from '../storefront-status.ts'
import * as families from './families.ts'
import { type SettingsFamily, settingsOf } from './family.ts'

// All families of settings by one table (docs/contract/settings.md sections 1 and 2).

interface Row {
  /** The answer of a new store called Lamps. */
  fresh: Record<string, unknown>
  /** Other values, for all fields that a channel can override. */
  own: Record<string, unknown>
  /** Fields that are null or missing in the answer of a channel. */
  storeWide?: string[]
  hidden?: string[]
  /** Fields that the server sets. */
  readOnly?: string[]
  /** Values that are the longest, largest or smallest, and the first beyond. */
  bounds?: [field: string, last: unknown, beyond: unknown][]
  /** Whether a PUT of the store has to be whole. */
  isWhole?: boolean
  /** The event of a channel. */
  event?: string
  isInformation?: boolean
}

const long = (length: number) => 'é'.repeat(length)
const text = (field: string, length: number): [string, unknown, unknown] => [field, long(length), long(length + 1)]
const word = (field: string, one: string): [string, unknown, unknown] => [field, one, `${one}s`]
const sorts = 'featured bestselling newest alphaasc alphadesc pricedesc priceasc avgcustomerreview relevance'
const emails = Object.fromEntries(
  'abandoned_cart account_details_changed combined_order_status create_account create_guest_account gift_certificate invoice order_message_notification product_review return_confirmation return_statuschange'
    .split(' ')
    .map((name) => [`${name}_email`, name !== 'product_review']),
)
const inverse = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, !value]))
const ten = Array.from({ length: 10 }, (_, i) => `a${i}@example.com`)

const ROWS: Record<string, Row> = {
  catalog: {
    fresh: { auto_approve_reviews: false, enable_product_comparisons: true },
    own: { auto_approve_reviews: true, enable_product_comparisons: false },
    event: 'settings/catalog/updated',
  },
  'email-statuses': { fresh: emails, own: inverse(emails), event: 'settings/emailStatus/updated' },
  inventory: {
    fresh: {
      product_out_of_stock_behavior: 'do_nothing',
      option_out_of_stock_behavior: 'do_nothing',
      update_stock_behavior: 'order_placed',
      edit_order_stock_adjustment: true,
      refund_order_stock_adjustment: true,
      stock_level_display: 'dont_show',
      default_out_of_stock_message: '',
      hide_in_product_filtering: false,
      show_pre_order_stock_levels: false,
      show_out_of_stock_message: false,
    },
    own: {
      product_out_of_stock_behavior: 'hide_product_and_redirect',
      option_out_of_stock_behavior: 'label_option',
      update_stock_behavior: 'order_completed_or_shipped',
      edit_order_stock_adjustment: false,
      refund_order_stock_adjustment: false,
      stock_level_display: 'show_when_low',
      default_out_of_stock_message: 'Sold out',
      hide_in_product_filtering: true,
      show_pre_order_stock_levels: true,
      show_out_of_stock_message: true,
    },
    bounds: [
      text('default_out_of_stock_message', 65_535),
      ...'do_nothing hide_product hide_product_and_accessible hide_product_and_redirect'
        .split(' ')
        .map((action) => word('product_out_of_stock_behavior', action)),
      ...['do_nothing', 'hide_option', 'label_option'].map((action) => word('option_out_of_stock_behavior', action)),
      ...['order_placed', 'order_completed_or_shipped'].map((moment) => word('update_stock_behavior', moment)),
      ...['dont_show', 'show', 'show_when_low'].map((how) => word('stock_level_display', how)),
    ],
  },
  pickups: {
    fresh: { allow_pickup_elsewhere: false, pickup_sets_status: false, complete_on_collection: false },
    own: { allow_pickup_elsewhere: true, pickup_sets_status: true, complete_on_collection: true },
  },
  'inventory/notifications': {
    fresh: { low_stock_notification_address: [], out_of_stock_notification_address: [] },
    own: { low_stock_notification_address: ['a@example.com', 'b@example.com'], out_of_stock_notification_address: ten },
    bounds: [
      ['low_stock_notification_address', [], ['no address']],
      ['out_of_stock_notification_address', ten, [`${long(256)}@example.com`]],
    ],
    event: 'notifications/inventory/updated',
  },
  'store/profile': {
    fresh: {
      store_address: '',
      store_address_type: 'Home Office',
      store_email: '',
      store_name: 'Lamps',
      store_phone: '',
    },
    own: { store_address: '1 Elm Row', store_email: 'a@example.com', store_name: 'Lamps & Co', store_phone: '+1 555' },
    hidden: ['store_address_type'],
    bounds: [
      text('store_address', 65_535),
      text('store_name', 255),
      text('store_phone', 255),
      ['store_email', '', 'no address'],
    ],
    event: 'settings/profile/updated',
    isInformation: true,
  },
  'storefront/category': {
    fresh: { category_tree_depth: 3, default_product_sort: 'bestselling', listing_mode: 'current_category_only' },
    own: { category_tree_depth: 8, default_product_sort: 'relevance', listing_mode: 'child_categories' },
    bounds: [
      ['category_tree_depth', 1, 0],
      ['category_tree_depth', 8, 9],
      ['listing_mode', 'child_categories_if_category_empty', 'all'],
      ...sorts.split(' ').map((sort) => word('default_product_sort', sort)),
    ],
    event: 'settings/category/updated',
  },
  'storefront/product': {
    fresh: {
      show_product_price: true,
      show_product_sku: true,
      show_product_weight: false,
      show_product_brand: true,
      show_product_shipping: false,
      show_product_rating: true,
      show_add_to_cart_link: true,
      default_preorder_message: '',
      show_breadcrumbs_product_pages: 'show_one',
      show_add_to_cart_qty_box: true,
      show_add_to_wishlist: true,
      hide_price_from_guests: false,
    },
    own: {
      show_product_price: false,
      show_product_sku: false,
      show_product_weight: true,
      show_product_brand: false,
      show_product_shipping: true,
      show_product_rating: false,
      show_add_to_cart_link: false,
      default_preorder_message: 'In May',
      show_breadcrumbs_product_pages: 'show_none',
      show_add_to_cart_qty_box: false,
      show_add_to_wishlist: false,
      hide_price_from_guests: true,
    },
    bounds: [
      text('default_preorder_message', 1_000),
      ...['show_one', 'show_none'].map((how) => word('show_breadcrumbs_product_pages', how)),
    ],
    event: 'settings/product/updated',
  },
  'storefront/robotstxt': {
    fresh: { robots_txt_ssl: expect.stringMatching(/^User-agent: \*\nDisallow: \/account.php\n/) },
    own: { robots_txt_ssl: 'User-agent: *\nDisallow: /\n' },
    bounds: [text('robots_txt_ssl', 65_535)],
    event: 'settings/robots/updated',
  },
  'storefront/search': {
    fresh: {
      content_product_sort: 'relevance',
      default_product_sort: 'bestselling',
      product_filtering_enabled: true,
      search_suggest: true,
    },
    own: { content_product_sort: 'alphadesc', default_product_sort: 'newest', search_suggest: false },
    storeWide: ['product_filtering_enabled'],
    isWhole: true,
  },
  'storefront/security': {
    fresh: {
      csp_header: { enabled: false, header_value: '' },
      hsts: { enabled: false, include_preload: false, include_subdomains: false, max_age: 'zero_seconds' },
      sitewide_https_enabled: true,
      x_frame_options_header: { allowed_url: '', enabled: false, setting: 'same_origin' },
    },
    own: {
      csp_header: { enabled: true, header_value: "default-src 'self'" },
      hsts: { enabled: true, include_preload: true, include_subdomains: true, max_age: 'one_year' },
      sitewide_https_enabled: false,
      x_frame_options_header: { allowed_url: 'https://a.example.com', enabled: true, setting: 'allow_from_url' },
    },
    event: 'settings/security/updated',
  },
  'storefront/seo': {
    fresh: { page_title: 'Lamps', meta_description: '', meta_keywords: '', www_redirect: 'none' },
    own: { page_title: 'Light', meta_description: 'All of it', meta_keywords: 'lamp, light', www_redirect: 'no-www' },
    bounds: [
      text('page_title', 255),
      text('meta_description', 65_535),
      text('meta_keywords', 65_535),
      ...['none', 'www', 'no-www'].map((way) => word('www_redirect', way)),
    ],
    event: 'settings/SEO/updated',
  },
  'storefront/status': {
    fresh: {
      down_for_maintenance_message: expect.any(String),
      prelaunch_message: expect.any(String),
      prelaunch_password: expect.stringMatching(/^[a-z0-9]{10}$/),
    },
    own: { down_for_maintenance_message: '<b>Soon</b>', prelaunch_message: 'In May' },
    readOnly: ['prelaunch_password'],
    bounds: [text('down_for_maintenance_message', 65_535), text('prelaunch_message', 65_535)],
  },
  'store/units-of-measurement': {
    fresh: {
      weight_measurement: 'Ounces',
      length_measurement: 'Inches',
      decimal_token: '.',
      thousands_token: ',',
      decimal_places: 2,
      factoring_dimension: 'depth',
    },
    own: {
      weight_measurement: 'KGS',
      length_measurement: 'Centimeters',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 0,
      factoring_dimension: 'width',
    },
    bounds: [
      ...'Ounces LBS KGS Grams Tonnes'.split(' ').map((unit) => word('weight_measurement', unit)),
      ...['Inches', 'Centimeters'].map((unit) => word('length_measurement', unit)),
      text('decimal_token', 4),
      ['decimal_token', '.', ''],
      text('thousands_token', 4),
      ['thousands_token', '', null],
      ['decimal_places', 0, -1],
      ['decimal_places', 4, 5],
      ['decimal_places', 1, 1.5],
      ...['depth', 'height', 'width'].map((side) => word('factoring_dimension', side)),
    ],
    isWhole: true,
    isInformation: true,
  },
  logo: {
    fresh: { type: 'text', logo_text: 'Lamps', logo_image_url: '', favicon_url: '' },
    own: { type: 'text', logo_text: 'Light' },
    readOnly: ['logo_image_url', 'favicon_url'],
    bounds: [text('logo_text', 255)],
    event: 'settings/logo/updated',
  },
}

const ALL: Record<string, SettingsFamily | undefined> = Object.fromEntries(
  [...Object.values(families), logo, storefrontStatus]
    .filter((one) => typeof one === 'object')
    .map((one): [string, SettingsFamily] => [one.path, one]),
)

test('every family is in the table, and that of the locale, which no channel has, in a test of its own', () => {
  expect(Object.keys(ALL).toSorted()).toEqual(Object.keys(ROWS).toSorted())
  expect(storeLocale.path).toBe('store/locale')
})

function familyOf(path: string): SettingsFamily {
  const family = ALL[path]
  if (!family) throw new Error('There is no such family.')
  return family
}

const CHANNEL = '?channel_id=1'
const PASSWORD = expect.stringMatching(/^[a-z0-9]{10}$/)
const without = (values: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)))
const picked = (fields: readonly string[], value: unknown) => Object.fromEntries(fields.map((field) => [field, value]))
const notNull = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
const nulls = (values: object) => Object.fromEntries(Object.keys(values).map((field) => [field, null]))

describe.each(Object.entries(ROWS))('%s', (path, row) => {
  const { fresh, own, storeWide = [], hidden = [], readOnly = [], bounds = [], isWhole = false, event } = row
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop({ name: 'Lamps' })
  })
  const get = (query = '') => shop.call('GET', `/settings/${path}${query}`)
  const put = (body: unknown, query = '') => shop.call('PUT', `/settings/${path}${query}`, body)
  const publishedEvents = async () => (await rowsOf(shop, 'events')).map(({ scope, data }) => `${scope} ${data}`)
  /** The events of channel 1 for a change of these fields. */
  const eventsOf = (fields: object, action = 'updated') => {
    if (path !== 'email-statuses') return event === undefined ? [] : [`store/channel/1/${event} {}`]
    const kinds = Object.keys(fields).map((template_kind) => JSON.stringify({ template_kind }))
    return kinds.map((data) => `store/channel/1/settings/emailStatus/${action} ${data}`)
  }
  const none = without(nulls(fresh), hidden)
  const writable = without(fresh, readOnly)

  test('a new store has its defaults, and its channel nothing of its own', async () => {
    expect((await get()).body).toEqual({ data: fresh, meta: {} })
    expect((await get(`${CHANNEL}&unknown=1`)).body).toEqual({ data: none, meta: {} })
  })

  test('a channel gets its own values, inherits again by nulls, and publishes only changes', async () => {
    const db = await dbOf(shop)
    const family = familyOf(path)
    const before = (await get()).body.data
    const written = await put({ ...own, ...picked(readOnly, 'mine'), unknown: 1 }, CHANNEL)
    const made = path === 'storefront/status' ? { prelaunch_password: PASSWORD } : {}
    expect(written.body).toEqual({ data: { ...none, ...own, ...made }, meta: {} })
    expect(written.body.data.prelaunch_password ?? '').not.toBe(before.prelaunch_password)
    expect((await get(CHANNEL)).body).toEqual(written.body)
    expect((await get()).body.data).toEqual(before)
    expect(await settingsOf(db, family, 1)).toEqual({ ...before, ...notNull(written.body.data) })
    expect(await settingsOf(db, family)).toEqual(before)
    expect(await settingsOf(db, family, 2)).toEqual(before)
    // The same again changes nothing, nor do nulls where there is nothing.
    expect((await put(own, CHANNEL)).body).toEqual(written.body)
    expect((await put(nulls(own), CHANNEL)).body).toEqual({ data: none, meta: {} })
    expect((await put({ ...nulls(own), ...picked(readOnly, null) }, CHANNEL)).body.data).toEqual(none)
    expect((await get(CHANNEL)).body.data).toEqual(none)
    expect(await settingsOf(db, family, 1)).toEqual(before)
    expect(await publishedEvents()).toEqual([...eventsOf(own), ...eventsOf(own, 'deleted')])
    expect((await rowsOf(shop, 'settings')).map(({ channel_id }) => channel_id)).toEqual([0])
  })

  test('a PUT of the store changes the given fields, and channels that inherit them publish events', async () => {
    const before = (await get()).body.data
    const [field = '', value] = Object.entries(own).at(-1) ?? []
    const body = isWhole ? { ...before, [field]: value } : { [field]: value, unknown: 1 }
    const seen = (await publishedEvents()).length
    // A PUT that changes nothing publishes nothing.
    const isSame = before[field] === value
    expect(await put(body)).toMatchObject({ status: 200, body: { data: { ...before, [field]: value }, meta: {} } })
    expect((await put(body)).body.data).toEqual({ ...before, [field]: value })
    expect((await get()).body.data).toEqual({ ...before, [field]: value })
    const information = row.isInformation ? ['store/information/updated {"type":"store"}'] : []
    expect((await publishedEvents()).slice(seen)).toEqual(
      isSame ? [] : [...information, ...eventsOf({ [field]: value })],
    )
    // A channel with values of its own inherits nothing.
    await put({ ...own }, CHANNEL)
    const after = (await publishedEvents()).length
    await put(before)
    expect((await publishedEvents()).slice(after)).toEqual(isSame ? [] : information)
    await put(nulls(own), CHANNEL)
  })

  test('all values of a wrong type are refused at once', async () => {
    for (const query of ['', CHANNEL]) {
      const fields = query === '' ? without(writable, []) : own
      const wrong = Object.fromEntries(Object.keys(fields).map((field) => [field, 7.5]))
      const { status, body } = await put(wrong, query)
      expect(status).toBe(422)
      expect(body).toMatchObject({ title: 'JSON data is missing or invalid' })
      expect(Object.keys(body.errors).toSorted()).toEqual(Object.keys(fields).toSorted())
      for (const broken of [[], 'text', 7, null]) expect((await put(broken, query)).body.errors).toHaveProperty([''])
    }
  })

  test('a channel needs all its values: missing fields and single nulls are refused', async () => {
    const entries = Object.entries(own)
    const missing = Object.fromEntries(entries.map(([field]) => [field, 'error.path.missing']))
    expect((await put({}, CHANNEL)).body.errors).toEqual(missing)
    if (entries.length === 1) return
    const [[first = '', value] = [], [second = ''] = []] = entries
    expect(Object.keys((await put({ ...own, [second]: null }, CHANNEL)).body.errors)).toEqual([second])
    const { body } = await put({ [first]: value, [second]: null }, CHANNEL)
    expect(body.errors).toEqual({ ...without(missing, [first]), [second]: expect.stringContaining("can't be null") })
    // No other sentence says that it needs a value.
    expect(body.detail ?? '').not.toContain(`${second} must`)
    const mixed = await put({ ...nulls(own), [first]: value }, CHANNEL)
    expect(Object.keys(mixed.body.errors).toSorted()).toEqual(Object.keys(without(own, [first])).toSorted())
    expect((await get(CHANNEL)).body.data).toEqual(none)
  })

  test("the store's values are never null, and whole where the family says so", async () => {
    const { body } = await put(nulls(writable))
    expect(Object.keys(body.errors).toSorted()).toEqual(Object.keys(writable).toSorted())
    const some = await put({})
    if (!isWhole) return expect(some.status).toBe(200)
    const missing = Object.fromEntries(Object.keys(fresh).map((field) => [field, 'error.path.missing']))
    expect(some).toMatchObject({ status: 422, body: { errors: missing } })
  })

  test('a channel that is not there is refused, as is another name in the query of a PUT', async () => {
    for (const id of ['2', '0', '-1', 'one', '', '9007199254740992']) {
      expect((await get(`?channel_id=${id}`)).status).toBe(422)
      expect((await put(own, `?channel_id=${id}`)).status).toBe(422)
    }
    expect((await get('?channel_id=2')).body).toMatchObject({
      title: 'The query is not valid: channel_id 2 is no channel of this store.',
      errors: { channel_id: 'channel_id 2 is no channel of this store.' },
    })
    expect((await put({}, '?channel=1')).body.title).toBe('The query is not valid: "channel" is not a parameter here.')
  })

  if (bounds.length > 0) {
    test.each(bounds)('%s has its bounds', async (field, last, beyond) => {
      const whole = isWhole ? (await get()).body.data : {}
      expect((await put({ ...whole, [field]: last })).body.data).toMatchObject({ [field]: last })
      expect((await put({ ...own, [field]: last }, CHANNEL)).body.data).toMatchObject({ [field]: last })
      for (const answer of [
        await put({ ...whole, [field]: beyond }),
        await put({ ...own, [field]: beyond }, CHANNEL),
      ]) {
        expect(answer.status).toBe(422)
        expect(JSON.stringify(answer.body.errors)).toContain(field)
      }
    })
  }
  if (storeWide.length > 0) {
    test('fields for all channels are ignored in a PUT of one channel', async () => {
      const others = Object.fromEntries(storeWide.map((field) => [field, 'anything']))
      expect((await put({ ...own, ...others }, CHANNEL)).body.data).toEqual({ ...none, ...own })
    })
  }
})
