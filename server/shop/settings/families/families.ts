import t from 'typebox'
import { publish } from '../../../core/events/publish.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { family, type PublishChange } from './family.ts'

// Families of plain values: their fields, defaults and events (docs/contract/settings.md section 2).

/** The events that settings of a channel have by the name of their family. */
type Named = 'catalog' | 'category' | 'product' | 'profile' | 'robots' | 'security' | 'SEO' | 'logo'

export const settingsSubject = (channel: number) => `settings of channel ${channel}`

export const publishing =
  (name: Named): PublishChange =>
  (tx, channel) =>
    publish(tx, `store/channel/${channel}/settings/${name}/updated`, settingsSubject(channel), {})

const ON = t.Boolean({ default: true })
const OFF = t.Boolean({ default: false })
const Text = t.String({ maxLength: 65_535, default: '' })
const Line = t.String({ maxLength: 255, default: '' })
const EmailAddress = t.String({ maxLength: 255, pattern: MAIL_ADDRESS })

/** One of several words; the first is the default. */
const choice = <const Words extends readonly string[]>(...words: Words) => t.Enum(words, { default: words[0] })

const ProductSort = choice(
  'bestselling',
  'featured',
  'newest',
  'alphaasc',
  'alphadesc',
  'pricedesc',
  'priceasc',
  'avgcustomerreview',
  'relevance',
)

export const catalogSettings = family(
  'catalog',
  t.Object({ auto_approve_reviews: OFF, enable_product_comparisons: ON }),
  { noun: 'catalog settings', example: { auto_approve_reviews: true }, publishChange: publishing('catalog') },
)

/** Whether mails of a type are sent (docs/contract/email-templates.md section 6). */
export const emailStatuses = family(
  'email-statuses',
  t.Object({
    abandoned_cart_email: ON,
    account_details_changed_email: ON,
    combined_order_status_email: ON,
    create_account_email: ON,
    create_guest_account_email: ON,
    gift_certificate_email: ON,
    invoice_email: ON,
    order_message_notification_email: ON,
    product_review_email: OFF,
    return_confirmation_email: ON,
    return_statuschange_email: ON,
  }),
  {
    noun: 'email statuses',
    example: { product_review_email: true },
    aliases: {
      createaccount_email: 'create_account_email',
      createguestaccount_email: 'create_guest_account_email',
      giftcertificate_email: 'gift_certificate_email',
      ordermessage_notification: 'order_message_notification_email',
    },
    publishChange(tx, channel, fields, action) {
      for (const template_kind of fields) {
        publish(tx, `store/channel/${channel}/settings/emailStatus/${action}`, settingsSubject(channel), {
          template_kind,
        })
      }
    },
  },
)

export const inventorySettings = family(
  'inventory',
  t.Object({
    product_out_of_stock_behavior: choice(
      'do_nothing',
      'hide_product',
      'hide_product_and_accessible',
      'hide_product_and_redirect',
    ),
    option_out_of_stock_behavior: choice('do_nothing', 'hide_option', 'label_option'),
    update_stock_behavior: choice('order_placed', 'order_completed_or_shipped'),
    edit_order_stock_adjustment: ON,
    refund_order_stock_adjustment: ON,
    stock_level_display: choice('dont_show', 'show', 'show_when_low'),
    default_out_of_stock_message: Text,
    hide_in_product_filtering: OFF,
    show_pre_order_stock_levels: OFF,
    show_out_of_stock_message: OFF,
  }),
  {
    noun: 'inventory settings',
    example: { product_out_of_stock_behavior: 'hide_product', stock_level_display: 'show_when_low' },
  },
)

/** The effects of pickups of orders (docs/contract/pickup.md section 6). */
export const pickupSettings = family(
  'pickups',
  t.Object({ allow_pickup_elsewhere: OFF, pickup_sets_status: OFF, complete_on_collection: OFF }),
  { noun: 'pickup settings', example: { pickup_sets_status: true } },
)

const Recipients = t.Array(EmailAddress, { maxItems: 10, default: [] })

export const inventoryNotifications = family(
  'inventory/notifications',
  t.Object({ low_stock_notification_address: Recipients, out_of_stock_notification_address: Recipients }),
  {
    noun: 'inventory notification settings',
    example: { low_stock_notification_address: ['stock@example.com'] },
    publishChange: (tx, channel) =>
      publish(tx, `store/channel/${channel}/notifications/inventory/updated`, settingsSubject(channel), {}),
  },
)

export const storeProfile = family(
  'store/profile',
  t.Object({
    store_address: Text,
    store_address_type: choice('Home Office', 'Commercial Office', 'Retail', 'Warehouse'),
    store_email: t.Union([t.Literal(''), EmailAddress], { default: '' }),
    store_name: Line,
    store_phone: Line,
  }),
  {
    noun: 'store profile',
    named: 'store_name',
    example: { store_name: 'Fern & Co', store_email: 'hello@example.com' },
    storeWide: { fields: ['store_address_type'], isShown: false },
    publishChange: publishing('profile'),
    isInformation: true,
  },
)

export const categorySettings = family(
  'storefront/category',
  t.Object({
    category_tree_depth: t.Integer({ minimum: 1, maximum: 8, default: 3 }),
    default_product_sort: ProductSort,
    listing_mode: choice('current_category_only', 'child_categories', 'child_categories_if_category_empty'),
  }),
  { noun: 'storefront category settings', example: { category_tree_depth: 4 }, publishChange: publishing('category') },
)

export const productSettings = family(
  'storefront/product',
  t.Object({
    show_product_price: ON,
    show_product_sku: ON,
    show_product_weight: OFF,
    show_product_brand: ON,
    show_product_shipping: OFF,
    show_product_rating: ON,
    show_add_to_cart_link: ON,
    default_preorder_message: t.String({ maxLength: 1_000, default: '' }),
    show_breadcrumbs_product_pages: choice('show_one', 'show_none'),
    show_add_to_cart_qty_box: ON,
    show_add_to_wishlist: ON,
    hide_price_from_guests: OFF,
  }),
  {
    noun: 'storefront product settings',
    example: { show_product_weight: true, default_preorder_message: 'Ships in May' },
    publishChange: publishing('product'),
  },
)

const ROBOTS = `User-agent: *
Disallow: /account.php
Disallow: /cart.php
Disallow: /checkout
Disallow: /login.php
Disallow: /search.php
`

export const robotsSettings = family(
  'storefront/robotstxt',
  t.Object({ robots_txt_ssl: t.String({ maxLength: 65_535, default: ROBOTS }) }),
  {
    noun: 'robots settings',
    example: { robots_txt_ssl: 'User-agent: *\nDisallow: /account.php\n' },
    publishChange: publishing('robots'),
  },
)

export const searchSettings = family(
  'storefront/search',
  t.Object({
    content_product_sort: choice('relevance', 'alphaasc', 'alphadesc'),
    default_product_sort: ProductSort,
    product_filtering_enabled: ON,
    search_suggest: ON,
  }),
  {
    noun: 'storefront search settings',
    example: {
      content_product_sort: 'alphaasc',
      default_product_sort: 'newest',
      product_filtering_enabled: true,
      search_suggest: false,
    },
    storeWide: { fields: ['product_filtering_enabled'], isShown: true },
    required: ['content_product_sort', 'default_product_sort', 'product_filtering_enabled', 'search_suggest'],
  },
)

export const securitySettings = family(
  'storefront/security',
  t.Object({
    csp_header: t.Object(
      { enabled: t.Boolean(), header_value: Text },
      { default: { enabled: false, header_value: '' } },
    ),
    hsts: t.Object(
      {
        enabled: t.Boolean(),
        include_preload: t.Boolean(),
        include_subdomains: t.Boolean(),
        max_age: t.Enum(['zero_seconds', 'five_minutes', 'one_year']),
      },
      { default: { enabled: false, include_preload: false, include_subdomains: false, max_age: 'zero_seconds' } },
    ),
    sitewide_https_enabled: ON,
    x_frame_options_header: t.Object(
      {
        allowed_url: t.String({ maxLength: 2_048 }),
        enabled: t.Boolean(),
        setting: t.Enum(['deny', 'same_origin', 'allow_from_url']),
      },
      { default: { allowed_url: '', enabled: false, setting: 'same_origin' } },
    ),
  }),
  {
    noun: 'storefront security settings',
    example: { hsts: { enabled: true, include_preload: false, include_subdomains: true, max_age: 'one_year' } },
    check({ x_frame_options_header: { setting, allowed_url } }): Mistakes {
      if (setting !== 'allow_from_url' || isAddress(allowed_url)) return {}
      return { 'x_frame_options_header.allowed_url': 'With allow_from_url it must be an http or https address.' }
    },
    publishChange: publishing('security'),
  },
)

const isAddress = (text: string) => URL.canParse(text) && /^https?:\/\//i.test(text)

export const seoSettings = family(
  'storefront/seo',
  t.Object({
    page_title: Line,
    meta_description: Text,
    meta_keywords: Text,
    www_redirect: choice('none', 'www', 'no-www'),
  }),
  {
    noun: 'search engine settings',
    named: 'page_title',
    example: { page_title: 'Fern & Co', www_redirect: 'no-www' },
    publishChange: publishing('SEO'),
  },
)

export const unitSettings = family(
  'store/units-of-measurement',
  t.Object({
    weight_measurement: choice('Ounces', 'LBS', 'KGS', 'Grams', 'Tonnes'),
    length_measurement: choice('Inches', 'Centimeters'),
    decimal_token: t.String({ minLength: 1, maxLength: 4, default: '.' }),
    thousands_token: t.String({ maxLength: 4, default: ',' }),
    decimal_places: t.Integer({ minimum: 0, maximum: 4, default: 2 }),
    factoring_dimension: choice('depth', 'height', 'width'),
  }),
  {
    noun: 'units of measurement',
    example: {
      weight_measurement: 'KGS',
      length_measurement: 'Centimeters',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 3,
      factoring_dimension: 'height',
    },
    required: [
      'weight_measurement',
      'length_measurement',
      'decimal_token',
      'thousands_token',
      'decimal_places',
      'factoring_dimension',
    ],
    isInformation: true,
  },
)
