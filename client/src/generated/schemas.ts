// Generated from server/openapi.json by npm run generate. Do not edit.
import type { Upload } from '../calls.ts'

export interface AbandonedCart {
  /** The cart, by its uuid */
  cart_id: string
}

export interface AbandonedCartEmail {
  readonly id: number
  /** How long after the last change of the cart it is sent */
  notify_at_minutes: 60 | 120 | 180 | 240 | 300 | 360 | 420 | 480 | 540 | 600 | 660 | 720 | 780 | 840 | 900 | 960 | 1020 | 1080 | 1140 | 1200 | 1260 | 1320 | 1380 | 1440 | 2880 | 4320 | 5760 | 7200 | 8640 | 10080 | 11520 | 12960 | 14400
  /** A coupon for the shopper; an unknown one is left out */
  coupon_code: string
  /** Subject and texts of the mail */
  template: AbandonedCartEmailTemplate
  /** Whether it is in use. Inactive ones remain stored */
  is_active: boolean
  /** How many were sent */
  readonly sent_num: number
}

export interface AbandonedCartEmailChanges {
  /** How long after the last change of the cart it is sent */
  notify_at_minutes?: 60 | 120 | 180 | 240 | 300 | 360 | 420 | 480 | 540 | 600 | 660 | 720 | 780 | 840 | 900 | 960 | 1020 | 1080 | 1140 | 1200 | 1260 | 1320 | 1380 | 1440 | 2880 | 4320 | 5760 | 7200 | 8640 | 10080 | 11520 | 12960 | 14400
  /** A coupon for the shopper; an unknown one is left out */
  coupon_code?: string
  /** Subject and texts of the mail */
  template?: AbandonedCartEmailTemplate
  /** Whether it is in use. Inactive ones remain stored */
  is_active?: boolean
}

export interface AbandonedCartEmailSettings {
  /** Whether the channel sends the reminders of all channels, not its own */
  use_global: boolean
}

export interface AbandonedCartEmailTemplate {
  /** One line of text in Handlebars */
  subject: string
  /** HTML in Handlebars */
  body: string
  /** The same mail in other languages */
  translations: EmailTranslation[]
}

export interface AbandonedCartSettings {
  /** Whether shoppers get reminders of abandoned carts */
  enable_notification: boolean
  /** Whether all reminders are sent; false sends the first one only */
  email_customer_until_cart_is_recovered: boolean
  /** Whether only shoppers who agreed get reminders */
  marketing_emails_require_customer_consent: boolean
  /** Whether the merchant gets a mail when a reminded shopper buys */
  email_merchant_when_cart_is_converted: boolean
  /** Whether the merchant gets a mail when a cart is abandoned */
  email_merchant_when_cart_is_abandoned: boolean
  /** The address for mails to the merchant; empty for none */
  merchant_email_address: "" | string
  /** A mail for each cart (`individual`), or one for many (`digest`) */
  merchant_abandoned_cart_email_frequency_type: "digest" | "individual"
  /** How many carts a digest has, 2 to 1,000 */
  merchant_abandoned_cart_digest_email_frequency: number
}

export interface AbandonedCartSettingsChanges {
  /** Whether shoppers get reminders of abandoned carts */
  enable_notification?: boolean
  /** Whether all reminders are sent; false sends the first one only */
  email_customer_until_cart_is_recovered: boolean
  /** Whether only shoppers who agreed get reminders */
  marketing_emails_require_customer_consent: boolean
  /** Whether the merchant gets a mail when a reminded shopper buys */
  email_merchant_when_cart_is_converted: boolean
  /** Whether the merchant gets a mail when a cart is abandoned */
  email_merchant_when_cart_is_abandoned: boolean
  /** The address for mails to the merchant; empty for none */
  merchant_email_address: "" | string
  /** A mail for each cart (`individual`), or one for many (`digest`) */
  merchant_abandoned_cart_email_frequency_type: "digest" | "individual"
  /** How many carts a digest has, 2 to 1,000 */
  merchant_abandoned_cart_digest_email_frequency: number
}

export interface AbandonedCartSettingsOfChannel {
  /** Whether shoppers get reminders of abandoned carts */
  enable_notification: boolean | null
  /** Whether all reminders are sent; false sends the first one only */
  email_customer_until_cart_is_recovered: boolean | null
  /** Whether only shoppers who agreed get reminders */
  marketing_emails_require_customer_consent: boolean | null
  /** Whether the merchant gets a mail when a reminded shopper buys */
  email_merchant_when_cart_is_converted: boolean | null
  /** Whether the merchant gets a mail when a cart is abandoned */
  email_merchant_when_cart_is_abandoned: boolean | null
  /** The address for mails to the merchant; empty for none */
  merchant_email_address: "" | string | null
  /** A mail for each cart (`individual`), or one for many (`digest`) */
  merchant_abandoned_cart_email_frequency_type: "digest" | "individual" | null
  /** How many carts a digest has, 2 to 1,000 */
  merchant_abandoned_cart_digest_email_frequency: number | null
}

export interface AbandonedCartSettingsOfChannelChanges {
  /** Whether shoppers get reminders of abandoned carts */
  enable_notification?: boolean | null
  /** Whether all reminders are sent; false sends the first one only */
  email_customer_until_cart_is_recovered?: boolean | null
  /** Whether only shoppers who agreed get reminders */
  marketing_emails_require_customer_consent?: boolean | null
  /** Whether the merchant gets a mail when a reminded shopper buys */
  email_merchant_when_cart_is_converted?: boolean | null
  /** Whether the merchant gets a mail when a cart is abandoned */
  email_merchant_when_cart_is_abandoned?: boolean | null
  /** The address for mails to the merchant; empty for none */
  merchant_email_address?: "" | string | null
  /** A mail for each cart (`individual`), or one for many (`digest`) */
  merchant_abandoned_cart_email_frequency_type?: "digest" | "individual" | null
  /** How many carts a digest has, 2 to 1,000 */
  merchant_abandoned_cart_digest_email_frequency?: number | null
}

export interface AbsoluteAdjustments {
  /** A note for people about the cause, up to 255 characters */
  reason?: string
  /** The items to adjust, 1 to 2,000, either all or none */
  items: {
    /** The location: a place that has stock */
    location_id: number
    /** The stock keeping unit: the number that the seller gave to the product or variant */
    sku?: string
    /** The variant of the product, which has the stock and a price of its own */
    variant_id?: number
    /** The product of the catalog */
    product_id?: number
    /** How many units */
    quantity: number
  }[]
}

export interface AcceptedEvent {
  /** The id of the test event, which its delivery has too */
  readonly event_id: string
}

export interface AcceptedRecovery {
  /** How many events are sent again */
  readonly recovered: number
}

export interface ActiveTheme {
  /** The theme that shoppers see */
  active_theme_uuid: string
  /** The settings of the theme that shoppers see */
  active_theme_configuration_uuid: string
  /** The version of the theme that shoppers see */
  active_theme_version_uuid: string
  /** The settings that were saved last */
  saved_theme_configuration_uuid: string
}

export interface AddressExtraField {
  /** The name of the field, unique for its kind of resource without regard to case */
  fieldName: string
  /** The value as text; an empty one deletes it */
  fieldValue: string
  /** 0 text, 1 lines of text, 2 number, 3 one value of a list */
  fieldType: number
}

export interface AddressFormFieldValue {
  /** The name of the form field */
  name: string
  /** The value by its type: a text, a number, or a list of texts */
  value: string | number | string[]
  /** The address that the value belongs to; for fields of addresses only */
  address_id: number
}

export interface AddressOfNewCustomer {
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  address1: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city: string
  /** The full name, where the country has a list of states */
  state_or_province?: string
  /** The postal code; optional in countries without postal codes */
  postal_code?: string
  /** Code of ISO 3166-1 */
  country_code: string
  /** A telephone number in any notation */
  phone?: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type?: "residential" | "commercial"
  /** Values of the form fields that the store's settings define */
  form_fields?: FormFieldValue[]
}

export interface AnalyticsProvider {
  readonly id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  readonly channel_id: number
  /** The name of the provider */
  name: string
  /** The tag or id that the provider gave */
  code: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** Whether storefronts send data of purchases to the provider */
  data_tag_enabled: boolean
  /** The version of the integration */
  version: number
  /** Always empty */
  readonly api_secret: string
}

export interface AnalyticsProviderChanges {
  /** The name of the provider */
  name?: string
  /** The tag or id that the provider gave */
  code?: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** Whether storefronts send data of purchases to the provider */
  data_tag_enabled?: boolean
  /** The version of the integration */
  version?: number
}

export interface AssignedCompany {
  id: number
  /** The id of the customer account or group in the store */
  bcId: string
  /** The name of the company, as its account has it */
  companyName: string
  /** The name of the customer group of the company */
  bcGroupName: string
  /** Unix seconds */
  assignedAt: number
}

export interface AttributeOfNewCustomer {
  /** The attribute, which the store defines */
  attribute_id: number
  /** The value as text, by the type of the attribute */
  attribute_value: string
}

export interface AttributeValue {
  /** The number of the value */
  id: number
  /** The attribute, which the store defines */
  attribute_id: number
  /** The value as text, by the type of the attribute */
  attribute_value: string
  /** The customer account of the store */
  customer_id: number
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface AttributeValueChanges {
  /** The number of the value */
  id?: number
  /** The customer account of the store */
  customer_id: number
  /** The attribute, which the store defines */
  attribute_id: number
  /** The value as text, by the type of the attribute */
  value?: string
  /** Another name of value */
  attribute_value?: string
}

export interface AvailableSearchFilter {
  /** The filter, as the list of available filters has it */
  id: string
  name: string
  /** The kind of values that shoppers choose from */
  type: "category" | "brand" | "rating" | "price" | "product" | "other"
  /** How many products have a value for it */
  product_count?: number
  /** The lowest price among the products */
  price_range_min?: number
  /** The highest price among the products */
  price_range_max?: number
}

export interface BackendToken {
  id: number
  /** A name for people */
  name: string
  /** An e-mail address, compared without case */
  email: string
  /** The hash of the store */
  storeHash: string
  /** The token to send in `authToken` or `Authorization` */
  token: string
  /** Which kind of client made the token */
  eventChannel: "app" | "admin" | "api"
}

export interface BackendTokenReference {
  id: number
  /** An e-mail address, compared without case */
  email?: string
  name?: string
}

export interface BackendTokenValue {
  name: string
  /** The token to send in `authToken` or `Authorization` */
  readonly token: string
}

export interface Banner {
  readonly id: number
  /** A name for the staff */
  name: string
  /** The text of the banner as HTML */
  content: string
  /** The kind of page that shows it */
  page: "home_page" | "category_page" | "brand_page" | "search_page"
  /** Whether it stands above or below the content */
  location: "top" | "bottom"
  /** Whether it is always shown, or from `date_from` to `date_to` */
  date_type: "always" | "custom"
  /** Seconds since 1970; `0` for none */
  date_from: string
  /** Seconds since 1970; `0` for none */
  date_to: string
  /** `1` or `0` */
  visible: string
  /** The category or brand whose page shows it; `0` for other pages */
  item_id: string
  /** RFC 2822 */
  readonly date_created: string
}

export interface BannerChanges {
  /** A name for the staff */
  name?: string
  /** The text of the banner as HTML */
  content?: string
  /** The kind of page that shows it */
  page?: "home_page" | "category_page" | "brand_page" | "search_page"
  /** Whether it stands above or below the content */
  location?: "top" | "bottom"
  /** Whether it is always shown, or from `date_from` to `date_to` */
  date_type?: "always" | "custom"
  /** RFC 2822, or seconds since 1970; `0` is none */
  date_from?: string | number | null
  /** RFC 2822, or seconds since 1970; `0` is none */
  date_to?: string | number | null
  /** 1 or 0 */
  visible?: string | number | boolean
  /** The category or brand whose page shows it; `0` for other pages */
  item_id?: string | number
}

export interface BannerCount {
  /** How many banners there are */
  count: number
}

export interface BatchMeta {
  /** How many items the request had */
  total: number
  /** How many items were saved */
  success: number
  /** How many items were refused */
  failed: number
}

export interface BlogPost {
  readonly id: number
  /** The heading of the post, 1 to 255 characters */
  title: string
  /** The path of the post; by default `/blog/` and its title. A taken one is 207, and all else is saved */
  url: string
  /** The text of the post as HTML, at most 1 MiB */
  body: string
  /** The first 400 characters of the text without tags */
  readonly summary: string
  /** Whether shoppers can read it. A change without the field takes the post offline */
  is_published: boolean
  /** A summary for search engines, in the head of its page */
  meta_description: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords: string | null
  /** The name of the author, as shoppers see it */
  author: string | null
  /** The path of a small picture for lists */
  thumbnail_path: string | null
  /** As url */
  readonly preview_url: string
  /** Words by which shoppers find posts, at most 50; equal ones in different case count once */
  tags: string[]
  /** The time from which shoppers see the post. Bodies have RFC 2822 or RFC 3339; answers an object */
  published_date: PublishedDate
  /** The same time as `2026-05-14T09:34:00+00:00` */
  readonly published_date_iso8601: string
}

export interface BlogPostChanges {
  /** The heading of the post, 1 to 255 characters */
  title?: string
  /** The path of the post; by default `/blog/` and its title. A taken one is 207, and all else is saved */
  url?: string | null
  /** At most 1 MiB */
  body?: string
  /** Words by which shoppers find posts, at most 50; equal ones in different case count once */
  tags?: string[]
  /** Whether shoppers can read it. A change without the field takes the post offline */
  is_published?: boolean
  /** RFC 2822 or RFC 3339; default the present */
  published_date?: string
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** The name of the author, as shoppers see it */
  author?: string | null
  /** The path of a small picture for lists */
  thumbnail_path?: string | null
}

export interface BlogPostCount {
  /** How many posts the store has */
  count: number
}

export interface BlogTag {
  /** A tag, as its first post spells it */
  tag: string
  /** The posts with the tag, published or not */
  post_ids: number[]
}

export interface Brand {
  readonly id: number
  /** The name that shoppers see, unique in the store without regard to case */
  name: string
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords: string[]
  /** A summary for search engines, in the head of its page */
  meta_description: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords: string
  /** The absolute address of its picture; empty without one */
  image_url: "" | string
  /** The path of its page in storefronts. A taken path is refused; without one it is made from the name */
  custom_url: CustomUrl
}

export interface BrandChanges {
  /** The name that shoppers see, unique in the store without regard to case */
  name?: string
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page in storefronts. A taken path is refused; without one it is made from the name */
  custom_url?: CustomUrlInput
}

export interface BulkPrice {
  /** The lowest price of the variants, or the quantity from which on it applies */
  minimum: number
  /** 0 for no end */
  maximum: number
  /** The amount, percentage or price of the discount, by `discount_type` */
  discount_amount: number
  /** An amount off each unit, a percentage off, or the new price */
  discount_type: "price" | "percent" | "fixed"
  /** Empty for a percentage */
  tax_discount_amount: TaxPrice[]
}

export interface BulkPricingRule {
  readonly id: number
  /** The price applies from this quantity on */
  quantity_min: number
  /** The price applies up to this quantity; 0 or null for no end */
  quantity_max: number
  /** What `amount` is: an amount off each unit, a percentage off, or the fixed price. All rules of a product have one type */
  type: "price" | "percent" | "fixed"
  /** The amount or the percentage, with four decimals; a percentage is at most 100 */
  amount: number
}

export interface BulkPricingRuleChanges {
  /** The price applies from this quantity on */
  quantity_min?: number
  /** The price applies up to this quantity; 0 or null for no end */
  quantity_max?: number
  /** What `amount` is: an amount off each unit, a percentage off, or the fixed price. All rules of a product have one type */
  type?: "price" | "percent" | "fixed"
  /** The amount or the percentage, with four decimals; a percentage is at most 100 */
  amount?: number
}

export interface BulkPricingRuleItem {
  /** The price applies from this quantity on */
  quantity_min: number
  /** The price applies up to this quantity; 0 or null for no end */
  quantity_max: number
  /** What `amount` is: an amount off each unit, a percentage off, or the fixed price. All rules of a product have one type */
  type: "price" | "percent" | "fixed"
  /** The amount or the percentage, with four decimals; a percentage is at most 100 */
  amount: number
  id?: number
}

export interface BuyingCompanyChanges {
  /** The name of the company, as its account has it */
  companyName?: string
  /** The e-mail address of the company, unique in the store */
  companyEmail?: string
  /** The telephone number of the company */
  companyPhone?: string
  /** The group of its users; 0 for none */
  customerGroupId?: number
  /** Street and number */
  addressLine1?: string
  /** The second line of the street, such as a floor */
  addressLine2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The country, by its English name */
  country?: string
  /** The postal code */
  zipCode?: string
  /** The id of another system, stored as it came */
  uuid?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** A price list for each channel, stored for clients. Prices follow the list of the customer group */
  priceListAssign?: PriceListOfCompany[]
}

export interface CarrierConnection {
  /** The carrier: lower-case letters, digits and `_` */
  carrier_id: string
  /** The account of the store with the carrier */
  connection: Record<string, unknown>
}

export interface CarrierOfConnection {
  /** The carrier: lower-case letters, digits and `_` */
  carrier_id: string
}

export interface Cart {
  /** A random UUID, which the checkout has too */
  readonly id: string
  /** 0 for a guest */
  customer_id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** An e-mail address, compared without case */
  readonly email: string
  /** The currency of all amounts, in capitals. A new cart without one has the default of its channel */
  currency: CartCurrency
  /** Whether prices of the store contain tax */
  readonly tax_included: boolean
  /** All lines before discounts, without gift certificates */
  readonly base_amount: number
  /** All discounts of promotions together, without coupons */
  readonly discount_amount: number
  /** The discount that a client gave by hand */
  readonly manual_discount_amount: number
  /** What the shopper pays for the lines: after all discounts */
  readonly cart_amount: number
  /** Codes that were applied, with what each takes off */
  readonly coupons: CartCoupon[]
  /** What promotions and coupons take off, for each line its share */
  readonly discounts: CartDiscount[]
  /** What is bought, by kind: physical, digital and custom items, and gift certificates. Bodies have one list */
  line_items: CartLineItems
  /** The time at which the cart was created, in UTC */
  readonly created_time: string
  /** The time of the last change of cart or checkout, in UTC */
  readonly updated_time: string
  /** The language of the shopper, such as `en` or `en-US`. The order keeps it */
  locale: string
  /** Banners of promotions for the shopper, with `include=promotions.banners` */
  readonly promotions?: CartPromotions
  /** Links that open the cart in the storefront, with `include=redirect_urls` */
  readonly redirect_urls?: CartRedirectUrls
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version: number
}

export interface CartChanges {
  /** 0 for a guest */
  customer_id?: number
  /** The version that the caller has read */
  version?: number | null
}

export interface CartCoupon {
  /** The code of the currency or of the coupon */
  code: string
  /** The number of the code, as text */
  id: string
  /** In carts a number: 0 per item, 1 percentage, 2 per total, 3 shipping, 4 free shipping, 5 promotion. In checkouts its name */
  coupon_type: "0" | "1" | "2" | "3" | "4" | "5"
  /** How much is taken off, as a positive amount */
  discounted_amount: number
  /** The name that shoppers see */
  display_name: string
}

export interface CartCurrency {
  /** The code of the currency or of the coupon */
  code: string
}

export interface CartCustomItem {
  /** The line of the cart */
  id: string
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  name: string
  /** How many units */
  quantity: number
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price: number
  /** The price of all units before discounts */
  extended_list_price: number
  /** The absolute address of its picture; empty without one */
  image_url: string
}

export interface CartDigitalItem {
  /** The line of the cart */
  id: string
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The product of the catalog */
  product_id: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  name: string
  /** The product's page in the storefront */
  url: string
  /** How many units */
  quantity: number
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** What promotions and coupons take off, for each line its share */
  discounts: CartLineDiscount[]
  /** All discounts of promotions together, without coupons */
  discount_amount: number
  /** What coupons take off this line */
  coupon_amount: number
  /** The default price of the product */
  original_price: number
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price: number
  /** The price of all units before discounts */
  extended_list_price: number
  /** The price of all units after discounts of promotions */
  extended_sale_price: number
  /** Whether it must be shipped; false for digital items */
  is_require_shipping: boolean
  /** Whether the shopper can change the line; false for gifts of promotions */
  is_mutable: boolean
  /** Whether a promotion added the line as a gift */
  added_by_promotion: boolean
  /** Whether tax is charged; false for tax class 1 */
  taxable: boolean
  /** Codes that were applied, with what each takes off */
  coupons: CartLineCoupon[]
  /** The wrapping of the units; missing or null without one */
  gift_wrapping?: CartGiftWrapping
  /** The values that the shopper chose, with `include` */
  options?: CartLineOption[]
  /** Always empty */
  download_file_urls: string[]
  /** Always empty */
  download_page_url: string
  /** Always empty */
  download_size: string
}

export interface CartDiscount {
  /** The line of the cart */
  id: string
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

export interface CartGiftCertificate {
  /** The line of the cart */
  id: string
  name: string
  /** The look of the certificate */
  theme: string
  /** An amount in the currency of the cart; certificates have 1 to 1,000 of the default currency */
  amount: number
  /** Whether tax is charged; false for tax class 1 */
  taxable: boolean
  /** The person who gives the certificate */
  sender: GiftCertificatePerson
  /** The person who gets the certificate by mail */
  recipient: GiftCertificatePerson
  /** A text of the sender, at most 200 characters */
  message: string
}

export interface CartGiftWrapping {
  name: string
  /** A text of the sender, at most 200 characters */
  message: string
  /** An amount in the currency of the cart; certificates have 1 to 1,000 of the default currency */
  amount: number
}

export interface CartItemChange {
  /** The new quantity or price of the line; its product can't change */
  line_item?: CartLineChange
  /** Exactly one: another form of line_item */
  line_items?: CartLineChange[]
  /** Gift certificates to buy */
  gift_certificates?: NewCartGiftCertificate[]
  /** The version that the caller has read */
  version?: number | null
}

export interface CartLineChange {
  /** How many units */
  quantity?: number
  /** The product of the catalog */
  product_id?: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number | null
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price?: number | null
}

export interface CartLineCoupon {
  /** The code of the currency or of the coupon */
  code: string
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

export interface CartLineDiscount {
  /** The promotion, `manual-discount`, or `coupon` for all coupons together */
  id: string | number
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

export interface CartLineItems {
  /** Lines with products that are shipped */
  physical_items: CartPhysicalItem[]
  /** Lines with products that are downloaded */
  digital_items: CartDigitalItem[]
  /** Gift certificates to buy */
  gift_certificates: CartGiftCertificate[]
  /** Lines without a product of the catalog, with a name and a price */
  custom_items: CartCustomItem[]
}

export interface CartLineOption {
  name: string
  /** The option or modifier */
  nameId: number
  /** The chosen value as text */
  value: string
  /** The chosen value; null for texts */
  valueId: number | null
  /** Where the uploaded file is */
  temporaryPath?: string
}

export interface CartOptionSelection {
  /** The option or modifier that the value belongs to */
  option_id: number
  /** An id of a value, a text, a number, Unix seconds, a day, or the names of a file */
  option_value: string | number | OptionDay | OptionFile
  name?: string
  /** The text of the value in answers */
  value?: string
}

export interface CartPhysicalItem {
  /** The line of the cart */
  id: string
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The product of the catalog */
  product_id: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  name: string
  /** The product's page in the storefront */
  url: string
  /** How many units */
  quantity: number
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** What promotions and coupons take off, for each line its share */
  discounts: CartLineDiscount[]
  /** All discounts of promotions together, without coupons */
  discount_amount: number
  /** What coupons take off this line */
  coupon_amount: number
  /** The default price of the product */
  original_price: number
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price: number
  /** The price of all units before discounts */
  extended_list_price: number
  /** The price of all units after discounts of promotions */
  extended_sale_price: number
  /** Whether it must be shipped; false for digital items */
  is_require_shipping: boolean
  /** Whether the shopper can change the line; false for gifts of promotions */
  is_mutable: boolean
  /** Whether a promotion added the line as a gift */
  added_by_promotion: boolean
  /** Whether tax is charged; false for tax class 1 */
  taxable: boolean
  /** Codes that were applied, with what each takes off */
  coupons: CartLineCoupon[]
  /** The wrapping of the units; missing or null without one */
  gift_wrapping?: CartGiftWrapping
  /** The values that the shopper chose, with `include` */
  options?: CartLineOption[]
}

export interface CartPromotions {
  /** Texts of promotions for the shopper */
  banners: PromotionBanner[]
}

export interface CartRedirectParam {
  /** The name of the parameter */
  key: string
  /** The value of the parameter */
  value: string
}

export interface CartRedirectUrls {
  /** A link that loads the cart, with a token for 30 days */
  readonly cart_url: string
  /** A link that loads the cart into the checkout */
  readonly checkout_url: string
  /** A link that loads the checkout for a frame */
  readonly embedded_checkout_url: string
}

export interface CartSettings {
  /** Whether shoppers can buy; without it, carts and checkouts of storefronts are closed */
  allow_purchasing: boolean
}

export interface CartSettingsChanges {
  /** Whether shoppers can buy; without it, carts and checkouts of storefronts are closed */
  allow_purchasing: boolean
}

export interface CartSettingsOfChannel {
  /** Whether shoppers can buy; without it, carts and checkouts of storefronts are closed */
  allow_purchasing: boolean | null
}

export interface CartSettingsOfChannelChanges {
  /** Whether shoppers can buy; without it, carts and checkouts of storefronts are closed */
  allow_purchasing?: boolean | null
}

export interface CartVersion {
  /** The version that the caller has read */
  version?: number | null
}

export interface CatalogSettings {
  /** Whether reviews without a status are shown at once */
  auto_approve_reviews?: boolean | null
  /** Whether shoppers can compare products */
  enable_product_comparisons?: boolean | null
}

export interface CatalogSettingsChanges {
  /** Whether reviews without a status are shown at once */
  auto_approve_reviews?: boolean | null
  /** Whether shoppers can compare products */
  enable_product_comparisons?: boolean | null
}

export interface CatalogSummary {
  /** The units in stock of all variants together */
  inventory_count: number
  /** The price of all units in stock together */
  inventory_value: number
  /** The category with the most products */
  primary_category_id: number
  /** The name of the category with the most products */
  primary_category_name: string
  /** How many variants all products have */
  variant_count: number
  /** The highest price of a variant */
  highest_variant_price: number
  /** The average price of variants */
  average_variant_price: number
  /** The lowest price of a variant, as text */
  lowest_variant_price: string
  /** The day on which the oldest variant was created */
  oldest_variant_date: string
  /** The day on which the newest variant was created */
  newest_variant_date: string
}

export interface Category {
  readonly id: number
  /** The category that contains it, of the same tree; 0 at the top */
  parent_id: number
  /** The name that shoppers see, 1 to 50 characters */
  name: string
  /** The text of its page as HTML */
  description: string
  /** How often shoppers opened its page */
  views: number
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords: string[]
  /** A summary for search engines, in the head of its page */
  meta_description: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file: string
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  /** The order of its products in storefronts before the shopper chooses one */
  default_product_sort: "use_store_settings" | "featured" | "newest" | "best_selling" | "alpha_asc" | "alpha_desc" | "avg_customer_review" | "price_asc" | "price_desc"
  /** The absolute address of its picture; empty without one */
  image_url: "" | string
  /** The path of its page, unique in the storefront of its tree */
  custom_url: {
    /** The path of its page, beginning and ending with a slash */
    url: string
    /** Whether a client chose the path; if not, it follows the name */
    is_customized: boolean
  }
}

export interface CategoryAccess {
  /** Whether its members see all categories, those of the list, or none */
  type: "all" | "specific" | "none"
  /** The categories that members see, with the type `specific`; at most 1,000 */
  categories?: number[]
}

export interface CategoryAssignment {
  /** The product of the catalog */
  product_id: number
  /** The category, as the catalog has it */
  category_id: number
}

export interface CategoryChanges {
  /** The category that contains it, of the same tree; 0 at the top */
  parent_id?: number
  /** The name that shoppers see, 1 to 50 characters */
  name?: string
  /** The text of its page as HTML */
  description?: string
  /** How often shoppers opened its page */
  views?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** The order of its products in storefronts before the shopper chooses one */
  default_product_sort?: "use_store_settings" | "featured" | "newest" | "best_selling" | "alpha_asc" | "alpha_desc" | "avg_customer_review" | "price_asc" | "price_desc"
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page, unique in the storefront of its tree */
  custom_url?: {
    /** The path of its page, beginning and ending with a slash */
    url?: string
    /** Whether a client chose the path; if not, it follows the name */
    is_customized?: boolean
  }
}

export interface CategoryTree {
  id: number
  /** The name that shoppers see, 1 to 50 characters */
  name: string
  /** The channel that shows the tree, in a list of one; empty for none */
  channels: number[]
}

export interface CategoryTreeUpsert {
  id?: number
  /** The name that shoppers see, 1 to 50 characters */
  name?: string
  /** The channel that shows the tree, in a list of one; empty for none */
  channels?: number[]
}

export interface Channel {
  readonly id: number
  /** An id of another system, stored as it came */
  external_id: string
  /** Whether people can list products on it by hand */
  is_listable_from_ui: boolean
  /** Follows from the status, which says more */
  readonly is_enabled: boolean
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  /** Where the channel is. Its type decides which values it can get */
  status: "prelaunch" | "active" | "inactive" | "connected" | "disconnected" | "archived" | "deleted" | "terminated"
  /** The name that people see; of a listing empty for that of the catalog */
  name: string
  /** The kind of channel; it never changes */
  type: "storefront" | "pos" | "marketplace" | "marketing"
  /** The system that runs it; it never changes */
  platform: "acquia" | "bigcommerce" | "bloomreach" | "catalyst" | "deity" | "drupal" | "gatsby" | "next" | "vue" | "wordpress" | "custom" | "clover" | "square" | "stripe" | "talech" | "vend" | "amazon" | "belk" | "catch" | "ebay" | "etsy" | "facebook" | "hudsons_bay" | "google" | "instagram" | "macys" | "meta" | "mirakl" | "overstock" | "pinterest" | "target_plus" | "tiktok" | "wayfair" | "wish" | "walmart" | "google_shopping" | "microsoft"
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** Always empty */
  readonly icon_url: string
  /** The currencies of the channel, with `include=currencies` */
  readonly currencies?: CurrencyAssignment
}

export interface ChannelAssignment {
  /** The product of the catalog */
  product_id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface ChannelChanges {
  /** 1 to 255 Latin letters, digits, dashes and underscores */
  name?: string
  /** An id of another system, stored as it came */
  external_id?: string
  /** Where the channel is. Its type decides which values it can get */
  status?: "prelaunch" | "active" | "inactive" | "connected" | "disconnected" | "archived" | "deleted" | "terminated"
  /** Whether people can list products on it by hand */
  is_listable_from_ui?: boolean
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** Fixed when the channel is created; another value is refused */
  type?: unknown
  /** Fixed when the channel is created; another value is refused */
  platform?: unknown
}

export interface ChannelCurrencyAssignment {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** Codes of the currencies of the storefront, 1 to 100 */
  enabled_currencies: string[]
  /** The currency that shoppers see first; one of the enabled ones */
  default_currency: string
}

export interface ChannelMenus {
  /** Built-in pages of a control panel that the channel has */
  bigcommerce_protected_app_sections: ("overview" | "storefront_settings" | "localization" | "carousel" | "script_manager" | "currencies" | "payments" | "checkout" | "domains" | "notifications" | "social" | "pages" | "data_solutions")[]
  /** Further pages of a control panel that the channel has */
  custom_app_sections: {
    /** The name of the page */
    title: string
    /** The end of its path */
    query_path: string
  }[]
}

export interface Checkout {
  /** The UUID of the cart: both are views of the same purchase */
  readonly id: string
  /** The lines with their totals, before shipping, handling, fees and taxes of the checkout */
  cart: CheckoutCart
  /** The address of the invoice; missing until it is set */
  readonly billing_address?: CheckoutAddress
  /** Where lines are sent or collected: an address with its lines and its shipping */
  readonly consignments: CheckoutConsignment[]
  /** Each tax by its name, with its amount */
  readonly taxes: CheckoutTax[]
  /** Codes that were applied */
  readonly coupons: CheckoutCoupon[]
  /** Fees that clients added, at most 5 */
  fees: CheckoutFee[]
  /** The order, by the number that shoppers see */
  readonly order_id: string | null
  /** Shipping of all consignments before discounts, with tax */
  readonly shipping_cost_total_inc_tax: number
  /** Shipping of all consignments before discounts, without tax */
  readonly shipping_cost_total_ex_tax: number
  /** Handling fees that are shown apart, with tax */
  readonly handling_cost_total_inc_tax: number
  /** Handling fees that are shown apart, without tax */
  readonly handling_cost_total_ex_tax: number
  /** All taxes; an estimate until there is an address */
  readonly tax_total: number
  /** Lines after their discounts, before those of the order and coupons, with tax */
  readonly subtotal_inc_tax: number
  /** Lines after their discounts, before those of the order and coupons, without tax */
  readonly subtotal_ex_tax: number
  /** The price of the order, before gift certificates and store credit */
  readonly grand_total: number
  /** The time at which the cart was created, in UTC */
  readonly created_time: string
  /** The time of the last change of cart or checkout, in UTC */
  readonly updated_time: string
  /** The shopper's note to the shop, at most 2,000 characters */
  customer_message: string
  /** Banners of promotions for the shopper, with `include=promotions.banners` */
  readonly promotions?: CheckoutPromotion[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version: number
}

export interface CheckoutAddress {
  id: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** An e-mail address, compared without case */
  email: string
  /** The company of the person, as a text */
  company: string
  /** Street and number */
  address1: string
  /** The second line of the street, such as a floor */
  address2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state_or_province: string
  /** The state or province, by its abbreviation */
  state_or_province_code: string
  /** The country, as two letters of ISO 3166-1 */
  country_code: string
  /** The postal code; optional in countries without postal codes */
  postal_code: string
  /** A telephone number in any notation */
  phone: string
  /** Values of the form fields of addresses, at most 50 */
  custom_fields: CheckoutCustomField[]
}

export interface CheckoutBanner {
  id: string
  /** The kind of the entry */
  type: string
  /** The pages that show the banner */
  page: string[]
  /** The text of the banner as HTML */
  text: string
}

export interface CheckoutBillingAddress {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  address1?: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state_or_province?: string
  /** Of ISO 3166-2, without the country */
  state_or_province_code?: string
  /** The postal code; optional in countries without postal codes */
  postal_code?: string
  /** Digits and the signs that people put between them, with an extension behind an x */
  phone?: string
  /** An e-mail address, compared without case */
  email: string
  /** Code of ISO 3166-1 */
  country_code: string
  /** Values of the form fields of addresses (/settings/form-fields) */
  custom_fields?: CheckoutCustomFieldInput[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutCart {
  id: string
  /** The customer account of the store */
  customer_id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** An e-mail address, compared without case */
  email: string
  /** The currency of all amounts, in capitals. A new cart without one has the default of its channel */
  currency: CheckoutCurrency
  /** Whether prices of the store contain tax */
  tax_included: boolean
  /** All lines before discounts, without gift certificates */
  base_amount: number
  /** All discounts of promotions together, without coupons */
  discount_amount: number
  /** Lines after all discounts and gift certificates to buy, with tax */
  cart_amount_inc_tax: number
  /** Lines after all discounts and gift certificates to buy, without tax */
  cart_amount_ex_tax: number
  /** Codes that were applied, with what each takes off */
  coupons: CheckoutCoupon[]
  /** What promotions and coupons take off, for each line its share */
  discounts: CheckoutLineDiscount[]
  /** What is bought, by kind: physical, digital and custom items, and gift certificates. Bodies have one list */
  line_items: CheckoutLineItems
  /** The time at which the cart was created, in UTC */
  created_time: string
  /** The time of the last change of cart or checkout, in UTC */
  updated_time: string
}

export interface CheckoutChanges {
  /** The shopper's note to the shop, at most 2,000 characters */
  customer_message: string
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutConsignment {
  id: string
  /** The same address as `address` */
  shippingAddress?: CheckoutAddress
  /** Where the lines go; missing for a pickup */
  address?: CheckoutAddress
  /** Shipping options for the address, cheapest first, with `include` */
  available_shipping_options?: CheckoutShippingOption[]
  /** The chosen option; missing until one is chosen */
  selected_shipping_option?: CheckoutShippingOption
  /** What each code takes off the shipping */
  coupon_discounts: CheckoutShippingDiscount[]
  /** Always empty: promotions offer free shipping as an option */
  discounts: CheckoutConsignmentDiscount[]
  /** The shipping of this consignment before discounts, with tax */
  shipping_cost_inc_tax: number
  /** The shipping of this consignment before discounts, without tax */
  shipping_cost_ex_tax: number
  /** The handling fee that is shown apart, with tax */
  handling_cost_inc_tax: number
  /** The handling fee that is shown apart, without tax */
  handling_cost_ex_tax: number
  /** Lines that have units in this consignment */
  line_item_ids: string[]
  /** The pickup method, if the shopper collects it */
  selected_pickup_option?: CheckoutPickupOption
}

export interface CheckoutConsignmentChanges {
  /** Where the lines go; missing for a pickup */
  address?: CheckoutShippingAddress
  /** Lines of the cart with the quantities that go to this address */
  line_items?: CheckoutConsignmentLine[]
  /** The id of one of the available options */
  shipping_option_id?: string
  /** The pickup method. Such a checkout has no other consignment */
  pickup_option?: CheckoutPickupChoice
  /** A price and a text of the client in place of an option */
  custom_shipping?: CheckoutCustomShipping
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutConsignmentDeletion {
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutConsignmentDiscount {
  id: number
}

export interface CheckoutConsignmentLine {
  /** A physical or custom line of the cart */
  item_id: string
  /** How many units */
  quantity: number
}

export interface CheckoutCoupon {
  /** The code of the currency or of the coupon */
  code: string
  /** The number of the code */
  id: number
  /** In carts a number: 0 per item, 1 percentage, 2 per total, 3 shipping, 4 free shipping, 5 promotion. In checkouts its name */
  coupon_type: string
  /** The name that shoppers see */
  display_name: string
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

export interface CheckoutCouponCode {
  /** A code of a coupon, promotion or gift certificate; its case does not count */
  coupon_code?: string
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutCouponDeletion {
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutCurrency {
  /** The code of the currency or of the coupon */
  code: string
}

export interface CheckoutCustomField {
  /** The form field */
  field_id: string
  /** A text, or a list of texts */
  field_value: string | string[]
}

export interface CheckoutCustomFieldInput {
  /** The form field */
  field_id: string | number
  /** A text, or a list of texts */
  field_value: string | string[]
}

export interface CheckoutCustomShipping {
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price: number
  /** The text that shoppers see, at most 100 characters */
  description: string
}

export interface CheckoutDigitalItem {
  /** The line of the cart */
  id: string
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The product of the catalog */
  product_id: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  name: string
  /** The product's page in the storefront */
  url: string
  /** How many units */
  quantity: number
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** What promotions and coupons take off, for each line its share */
  discounts: CartLineDiscount[]
  /** All discounts of promotions together, without coupons */
  discount_amount: number
  /** What coupons take off this line */
  coupon_amount: number
  /** The default price of the product */
  original_price: number
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price: number
  /** The price of all units before discounts */
  extended_list_price: number
  /** The price of all units after discounts of promotions */
  extended_sale_price: number
  /** Whether it must be shipped; false for digital items */
  is_require_shipping: boolean
  /** Whether the shopper can change the line; false for gifts of promotions */
  is_mutable: boolean
  /** Whether a promotion added the line as a gift */
  added_by_promotion: boolean
  /** Whether tax is charged; false for tax class 1 */
  is_taxable: boolean
  /** The price that storefronts show struck out */
  comparison_price: number
  /** The price that storefronts show struck out, for all units */
  extended_comparison_price: number
  /** The line that it belongs to; null for none */
  parent_id: string | null
  /** The values that the shopper chose, with `include` */
  options?: CartLineOption[]
}

export interface CheckoutFee {
  id: string
  /** Always `custom_fee` */
  type: "custom_fee"
  /** A name for clients, 1 to 50 characters */
  name: string
  /** The name that shoppers see, 1 to 200 characters */
  display_name: string
  /** The amount with tax */
  cost_inc_tax: number
  /** The amount without tax */
  cost_ex_tax: number
  /** Which system added the fee, 1 to 50 characters */
  source: string
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id: number | null
}

export interface CheckoutFeeChanges {
  /** Always `custom_fee` */
  type: "custom_fee"
  /** A name for clients, 1 to 50 characters */
  name: string
  /** The name that shoppers see, 1 to 200 characters */
  display_name: string
  /** The amount as prices are entered: with or without tax */
  cost: number
  /** Which system added the fee, 1 to 50 characters */
  source: string
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number | null
  id: string
}

export interface CheckoutFeesChanges {
  /** Fees that clients added, at most 5 */
  fees: CheckoutFeeChanges[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutFeesDeletion {
  /** Fees to remove; an unknown one refuses the request */
  ids: string[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface CheckoutGiftWrapping {
  name: string
  /** A text of the sender, at most 200 characters */
  message: string
  /** An amount in the currency of the cart; certificates have 1 to 1,000 of the default currency */
  amount: number
  /** The amount in the smallest unit of its currency */
  amount_as_integer: number
}

export interface CheckoutLineDiscount {
  /** The line of the cart */
  id: string
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

export interface CheckoutLineItems {
  /** Lines with products that are shipped */
  physical_items: CheckoutPhysicalItem[]
  /** Lines with products that are downloaded */
  digital_items: CheckoutDigitalItem[]
  /** Gift certificates to buy */
  gift_certificates: CartGiftCertificate[]
  /** Lines without a product of the catalog, with a name and a price */
  custom_items: CartCustomItem[]
}

export interface CheckoutOrder {
  id: number
}

export interface CheckoutPhysicalItem {
  /** The line of the cart */
  id: string
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The product of the catalog */
  product_id: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  name: string
  /** The product's page in the storefront */
  url: string
  /** How many units */
  quantity: number
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** What promotions and coupons take off, for each line its share */
  discounts: CartLineDiscount[]
  /** All discounts of promotions together, without coupons */
  discount_amount: number
  /** What coupons take off this line */
  coupon_amount: number
  /** The default price of the product */
  original_price: number
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price: number
  /** The price of all units before discounts */
  extended_list_price: number
  /** The price of all units after discounts of promotions */
  extended_sale_price: number
  /** Whether it must be shipped; false for digital items */
  is_require_shipping: boolean
  /** Whether the shopper can change the line; false for gifts of promotions */
  is_mutable: boolean
  /** Whether a promotion added the line as a gift */
  added_by_promotion: boolean
  /** Whether tax is charged; false for tax class 1 */
  is_taxable: boolean
  /** The price that storefronts show struck out */
  comparison_price: number
  /** The price that storefronts show struck out, for all units */
  extended_comparison_price: number
  /** The line that it belongs to; null for none */
  parent_id: string | null
  /** The values that the shopper chose, with `include` */
  options?: CartLineOption[]
  /** The wrapping of the units; missing or null without one */
  gift_wrapping: CheckoutGiftWrapping | null
}

export interface CheckoutPickupChoice {
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id: number
}

export interface CheckoutPickupOption {
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id: number
}

export interface CheckoutPromotion {
  /** Texts of promotions for the shopper */
  banners: CheckoutBanner[]
}

export interface CheckoutSettings {
  /** The https address of a checkout script; empty for the built-in checkout */
  custom_checkout_script_url: string
  /** Whether the script of the checkout also shows the confirmation */
  order_confirmation_use_custom_checkout_script: boolean
  /** The https address of a script for the confirmation; empty if the checkout script shows it */
  custom_order_confirmation_script_url: string
  /** Whether the script of the checkout follows the settings of the checkout */
  custom_checkout_supports_uco_settings: boolean
  /** At most 5, separated by blanks */
  custom_checkout_sri_hash: string
  /** At most 5, separated by blanks */
  custom_order_confirmation_sri_hash: string
}

export interface CheckoutSettingsChanges {
  /** The https address of a checkout script; empty for the built-in checkout */
  custom_checkout_script_url?: string
  /** Whether the script of the checkout also shows the confirmation */
  order_confirmation_use_custom_checkout_script?: boolean
  /** The https address of a script for the confirmation; empty if the checkout script shows it */
  custom_order_confirmation_script_url?: string
  /** Whether the script of the checkout follows the settings of the checkout */
  custom_checkout_supports_uco_settings?: boolean
  /** At most 5, separated by blanks */
  custom_checkout_sri_hash?: string
  /** At most 5, separated by blanks */
  custom_order_confirmation_sri_hash?: string
}

export interface CheckoutSettingsOfChannel {
  /** A text of the client, at most 255 characters */
  checkout_type: string
  /** A text of the client, at most 255 characters */
  guest_checkout_type: string
  /** A text of the client, at most 255 characters */
  guest_checkout_for_existing_accounts: string
  /** A text of the client, at most 255 characters */
  policy_consent: string
  /** A text of the client, at most 255 characters */
  order_confirmation_contact_email: string
  /** Whether shoppers must accept terms before they buy */
  is_order_terms_and_conditions_enabled: boolean
  /** A text of the client, at most 255 characters */
  order_terms_and_conditions_type: string
  /** A text of the client, at most 255 characters */
  order_terms_and_conditions_link: string
  /** The terms, at most 65,535 characters */
  order_terms_and_conditions_textarea: string
  /** Whether shoppers log in on pages of the storefront */
  should_redirect_to_storefront_for_auth: boolean
  /** The https address of a checkout script; empty for the built-in checkout */
  custom_checkout_script_url: string
  /** Whether the script of the checkout also shows the confirmation */
  order_confirmation_use_custom_checkout_script: boolean
  /** The https address of a script for the confirmation; empty if the checkout script shows it */
  custom_order_confirmation_script_url: string
  /** Whether the script of the checkout follows the settings of the checkout */
  custom_checkout_supports_uco_settings: boolean
  /** At most 5, separated by blanks */
  custom_checkout_sri_hash: string
  /** At most 5, separated by blanks */
  custom_order_confirmation_sri_hash: string
}

export interface CheckoutSettingsOfChannelChanges {
  /** A text of the client, at most 255 characters */
  checkout_type?: string | null
  /** A text of the client, at most 255 characters */
  guest_checkout_type?: string | null
  /** A text of the client, at most 255 characters */
  guest_checkout_for_existing_accounts?: string | null
  /** A text of the client, at most 255 characters */
  policy_consent?: string | null
  /** A text of the client, at most 255 characters */
  order_confirmation_contact_email?: string | null
  /** Whether shoppers must accept terms before they buy */
  is_order_terms_and_conditions_enabled?: boolean
  /** A text of the client, at most 255 characters */
  order_terms_and_conditions_type?: string | null
  /** A text of the client, at most 255 characters */
  order_terms_and_conditions_link?: string | null
  /** The terms, at most 65,535 characters */
  order_terms_and_conditions_textarea?: string | null
  /** Whether shoppers log in on pages of the storefront */
  should_redirect_to_storefront_for_auth?: boolean
  /** The https address of a checkout script; empty for the built-in checkout */
  custom_checkout_script_url?: string | null
  /** Whether the script of the checkout also shows the confirmation */
  order_confirmation_use_custom_checkout_script?: boolean
  /** The https address of a script for the confirmation; empty if the checkout script shows it */
  custom_order_confirmation_script_url?: string | null
  /** Whether the script of the checkout follows the settings of the checkout */
  custom_checkout_supports_uco_settings?: boolean
  /** At most 5, separated by blanks */
  custom_checkout_sri_hash?: string | null
  /** At most 5, separated by blanks */
  custom_order_confirmation_sri_hash?: string | null
}

export interface CheckoutShippingAddress {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  address1?: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state_or_province?: string
  /** Of ISO 3166-2, without the country */
  state_or_province_code?: string
  /** The postal code; optional in countries without postal codes */
  postal_code?: string
  /** Digits and the signs that people put between them, with an extension behind an x */
  phone?: string
  /** An e-mail address, compared without case */
  email: string
  /** Code of ISO 3166-1 */
  country_code: string
  /** Values of the form fields of addresses (/settings/form-fields) */
  custom_fields?: CheckoutCustomFieldInput[]
}

export interface CheckoutShippingDiscount {
  /** The code of the currency or of the coupon */
  code: string
  /** An amount in the currency of the cart; certificates have 1 to 1,000 of the default currency */
  amount: number
}

export interface CheckoutShippingOption {
  id: string
  /** The kind of the entry */
  type: string
  /** The text that shoppers see */
  description: string
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** The price of the option in the currency of the cart */
  cost: number
  /** How long it takes, in words of the carrier */
  transit_time: string
  /** Further words for the shopper */
  additional_description: string
}

export interface CheckoutTax {
  /** The name that people see */
  name: string
  /** An amount in the currency of the cart; certificates have 1 to 1,000 of the default currency */
  amount: number
}

export interface CheckoutToken {
  /** A token for the page of the checkout: 64 hexadecimal digits */
  readonly checkoutToken: string
  /** Empty */
  readonly meta: Record<string, never>
}

export interface CheckoutUrl {
  /** https if it has no scheme */
  url: string
}

export interface CompaniesOfSuperAdmin {
  /** Companies to assign or remove */
  companies: SuperAdminCompanyAssignment[]
}

export interface CompanionChannel {
  id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  name: string
  /** The kind of the channel */
  type: string
  /** The system that runs the channel */
  platform: string
  /** Where the channel is, as the store has it */
  status: string
  /** The primary address, or empty */
  site: string
  /** Whether the channel is shown in lists */
  isVisible: boolean
  /** Whether it is in use */
  isEnabled: boolean
  /** The address of the icon; empty */
  iconUrl: string
  /** Whether buyers can use the portal there */
  b2bEnabled: boolean
  /** Whether customers without channels of their own may log in there */
  allowGlobalLogins: boolean
  /** Unix seconds */
  createdAt: number
  /** Unix seconds */
  updatedAt: number
}

export interface CompanionMoney {
  /** The currency, as its code in ISO 4217 */
  code: string
  /** With four decimals */
  value: string
}

export interface CompanionMoneyInput {
  /** The currency, as its code in ISO 4217 */
  code: string
  /** The amount as number or text, with four decimals */
  value: number | string
}

export interface CompanionPaymentMethod {
  id: number
  /** The code of the payment method of the store */
  paymentCode: string
  /** The name that buyers see */
  paymentTitle: string
}

export interface Company {
  /** The company: a business whose users buy together */
  readonly companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  /** The e-mail address of the company, unique in the store */
  companyEmail: string
  /** The telephone number of the company */
  companyPhone: string
  /** Street and number */
  addressLine1: string
  /** The second line of the street, such as a floor */
  addressLine2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The country, by its English name */
  country: string
  /** The postal code */
  zipCode: string
  /** 0 pending, 1 approved, 2 rejected, 3 inactive. Any can follow any */
  readonly companyStatus: "0" | "1" | "2" | "3"
  /** The name of the customer group of the company */
  readonly bcGroupName: string
  /** The price list of a dependent company */
  catalogId: string
  /** The name of the price list of the customer group */
  readonly catalogName: string
  /** A price list for each channel, stored for clients. Prices follow the list of the customer group */
  priceListAssign: PriceListAssign[]
  /** The company that it belongs to; null for none */
  readonly parentCompany: ParentCompany | null
  /** Values of the extra fields that the store's settings define */
  extraFields: CompanyExtraField[]
  /** The id of another system, stored as it came */
  uuid: string
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** The customer group of the company */
  readonly bcGroupId: string
}

export interface CompanyAddress {
  /** The address of the company; 0 for one that is not stored */
  readonly addressId: number
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** A telephone number in any notation */
  phoneNumber: string
  /** The postal code */
  zipCode: string
  /** Street and number */
  addressLine1: string
  /** The second line of the street, such as a floor */
  addressLine2: string
  /** The city or town */
  city: string
  /** The state, by its name. It follows from `stateCode`, and one of them is needed where countries have states */
  stateName: string
  /** The country, by its English name. It follows from `countryCode`, and one of them is needed */
  countryName: string
  /** The state, by its code of ISO 3166-2 without the country */
  stateCode: string
  /** The country, as two letters of ISO 3166-1 */
  countryCode: string
  /** The company: a business whose users buy together */
  companyId: number
  /** Whether invoices can go there */
  isBilling: boolean
  /** Whether orders can be sent there */
  isShipping: boolean
  /** Whether it is the first choice for invoices. A company has one; a new one replaces it */
  isDefaultBilling: boolean
  /** Whether it is the first choice for orders. A company has one; a new one replaces it */
  isDefaultShipping: boolean
  /** A name for the address, such as `Warehouse` */
  label: string
  /** An id of another system, stored as it came */
  externalId: string
  /** Values of the extra fields that the store's settings define */
  extraFields: AddressExtraField[]
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
}

export interface CompanyAddressChanges {
  /** The given name */
  firstName?: string
  /** The family name */
  lastName?: string
  /** Street and number */
  addressLine1?: string
  /** The city or town */
  city?: string
  /** A telephone number in any notation */
  phoneNumber?: string
  /** Another name of phoneNumber */
  phone?: string
  /** The postal code */
  zipCode?: string
  /** The second line of the street, such as a floor */
  addressLine2?: string
  /** The country, by its English name. It follows from `countryCode`, and one of them is needed */
  countryName?: string
  /** Another name of countryName */
  country?: string
  /** Two letters, such as DK */
  countryCode?: string
  /** The state, by its name. It follows from `stateCode`, and one of them is needed where countries have states */
  stateName?: string
  /** The state, by its code of ISO 3166-2 without the country */
  stateCode?: string
  /** Whether invoices can go there */
  isBilling?: boolean
  /** Whether orders can be sent there */
  isShipping?: boolean
  /** Replaces the former default of the company. Needs isBilling */
  isDefaultBilling?: boolean
  /** Replaces the former default of the company. Needs isShipping */
  isDefaultShipping?: boolean
  /** A name for the address, such as `Warehouse` */
  label?: string
  /** An id of another system, stored as it came */
  externalId?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
}

export interface CompanyAddressReference {
  /** The address of the company; 0 for one that is not stored */
  readonly addressId: number
}

export interface CompanyAssignment {
  /** The company: a business whose users buy together */
  companyId: number
  /** Whether the company is assigned from now on */
  assignStatus: boolean
}

export interface CompanyAttachment {
  readonly id: string
  /** A link that works for 24 hours */
  attachmentFile: string
}

export interface CompanyCatalog {
  /** The price list of the customer group; empty for none */
  catalogId: number | string
}

export interface CompanyCredit {
  /** Whether the company may buy on credit */
  creditEnabled: boolean
  /** The code of a currency of the store */
  creditCurrency: string
  /** Two decimals; orders may make it negative */
  availableCredit: number
  /** Whether purchase orders above availableCredit are refused */
  limitPurchases: boolean
  /** Whether all orders of the company are refused */
  creditHold: boolean
}

export interface CompanyCreditChanges {
  /** Whether the company may buy on credit */
  creditEnabled?: boolean
  /** The code of a currency of the store */
  creditCurrency?: string
  /** At most two decimals */
  availableCredit?: number
  /** Whether purchase orders above availableCredit are refused */
  limitPurchases?: boolean
  /** Whether all orders of the company are refused */
  creditHold?: boolean
}

export interface CompanyExtraField {
  /** The name of the field, unique for its kind of resource without regard to case */
  fieldName: string
  /** The value as text; an empty one deletes it */
  fieldValue: string
  /** As fieldName */
  labelName: string
  /** Whether a new resource needs a value */
  isRequired: "0" | "1"
  /** As fieldType */
  dataType: string
  /** 0 text, 1 lines of text, 2 number, 3 one value of a list */
  fieldType: number
}

export interface CompanyOfCustomerGroup {
  /** The name of the company, as its account has it */
  companyName: string
  /** The e-mail address of the company, unique in the store */
  companyEmail: string
  /** The telephone number of the company */
  companyPhone: string
  /** The group of its users; 0 for none */
  customerGroupId?: number
  /** Street and number */
  addressLine1?: string
  /** The second line of the street, such as a floor */
  addressLine2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The country, by its English name */
  country: string
  /** The postal code */
  zipCode?: string
  /** The id of another system, stored as it came */
  uuid?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** The given name of the admin, the first user of the company */
  adminFirstName: string
  /** The family name of the admin */
  adminLastName: string
  /** The e-mail address of the admin. A customer of that address becomes the admin */
  adminEmail: string
  /** The telephone number of the admin */
  adminPhoneNumber?: string
  /** The channel whose customers the person belongs to */
  originChannelId?: number
  /** The channels to which it applies */
  channelIds?: number[]
  /** The price list of the customer group; empty for none */
  catalogId?: number | string
  /** Whether a new customer receives the welcome mail */
  acceptCreationEmail?: boolean
  /** As acceptCreationEmail */
  acceptWelcomeEmail?: boolean
  /** Values of extra fields of the admin */
  userExtraFields?: ExtraFieldInput[]
}

export interface CompanyOfList {
  /** The name of the company, as its account has it */
  companyName?: string
  /** The e-mail address of the company, unique in the store */
  companyEmail?: string
  /** The telephone number of the company */
  companyPhone?: string
  /** The group of its users; 0 for none */
  customerGroupId?: number
  /** Street and number */
  addressLine1?: string
  /** The second line of the street, such as a floor */
  addressLine2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The country, by its English name */
  country?: string
  /** The postal code */
  zipCode?: string
  /** The id of another system, stored as it came */
  uuid?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** A price list for each channel, stored for clients. Prices follow the list of the customer group */
  priceListAssign?: PriceListOfCompany[]
  /** The company: a business whose users buy together */
  companyId: number
}

export interface CompanyOfSuperAdmin {
  /** The company: a business whose users buy together */
  companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  /** The e-mail address of the company, unique in the store */
  companyEmail: string
}

export interface CompanyOrder {
  readonly id: number
  /** The order of the store */
  bcOrderId: number
  /** What the order costs, with tax */
  readonly totalIncTax: number
  /** The number that the buyer gave the purchase */
  poNumber: string
  /** The name of the status */
  readonly status: string
  /** The name of the status in this store */
  readonly customStatus: string
  /** The number of the status, 0 to 14 */
  readonly statusCode: number
  /** The cart that it came from; null for none */
  readonly cartId: string | null
  /** The units of all lines */
  readonly items: number
  /** The total in US dollars by the rates of now; null if the store has none */
  readonly usdIncTax: number | null
  /** The company: a business whose users buy together */
  readonly companyId: number | null
  /** The code of the currency in ISO 4217 */
  readonly currencyCode: string
  /** How amounts in the currency are written; empty if the store has it no more */
  readonly money: OrderMoney[]
  /** Whether lists leave the order out */
  readonly isArchived: boolean
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  readonly channelId: number
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** Always null */
  readonly extraInt1: number | null
  /** Always null */
  readonly extraInt2: number | null
  /** Always null */
  readonly extraInt3: number | null
  /** Always null */
  readonly extraInt4: number | null
  /** Always null */
  readonly extraInt5: number | null
  /** Always null */
  readonly extraStr1: string | null
  /** Always null */
  readonly extraStr2: string | null
  /** Always null */
  readonly extraStr3: string | null
  /** Always null */
  readonly extraStr4: string | null
  /** Always null */
  readonly extraStr5: string | null
  /** Always null */
  readonly extraText: string | null
  /** Always empty */
  readonly extraInfo: null[]
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** Values of the extra fields that the store's settings define */
  extraFields: ExtraFieldValue[]
  /** 1 with an invoice */
  readonly isInvoiceOrder: number
  /** The invoice of the order; null without one */
  readonly invoiceId: number | null
  /** The number on the invoice; null without one */
  readonly invoiceNumber: string | null
  /** Whether the invoice is paid; null without one */
  readonly invoiceStatus: number | null
}

export interface CompanyOrderChanges {
  /** The number that the buyer gave the purchase */
  poNumber?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
}

export interface CompanyOrderOption {
  id: number
  /** The option or modifier that the value belongs to */
  option_id: number
  /** The line of the order, not the product of the catalog */
  order_product_id: number
  /** The option or modifier of the product */
  product_option_id: number
  /** The name of the option */
  display_name: string
  /** The value in words */
  display_value: string
  /** The id of the chosen value, or the text that was entered */
  value: string
  /** How shoppers chose the value */
  type: string
  /** The name of the option in the catalog */
  name: string
  /** How shoppers chose the value */
  display_style: string
  /** The name that shoppers see */
  display_name_customer: string
  /** The name that the staff sees */
  display_name_merchant: string
  /** The value in words for shoppers */
  display_value_customer: string
  /** The value in words for the staff */
  display_value_merchant: string
}

export interface CompanyOrderProduct {
  id: number
  /** The product of the catalog */
  productId: number
  /** The variant of the product */
  variantId: number
  /** The name of the product */
  productName: string
  /** The SKU of the variant */
  variantSku: string
  /** The name of the brand */
  productBrandName: string
  /** How many units */
  quantity: number
  options: CompanyOrderOption[]
  /** Unix seconds */
  createdAt: number
  /** Unix seconds */
  updatedAt: number
}

export interface CompanyPaymentMethod {
  /** The payment method */
  readonly paymentId: number
  /** A code for clients, which never changes */
  readonly code: string
  /** The name that buyers see */
  readonly paymentTitle: string
  /** True until the seller disables it */
  readonly isEnabled: boolean
}

export interface CompanyPaymentMethodChanges {
  /** Payment methods to switch on or off */
  payments: PaymentMethodChange[]
}

export interface CompanyPermission {
  readonly id: number
  name: string
  description: string
  /** A code for clients, which never changes */
  code: string
  /** The group of the permission in lists */
  moduleName: string
  /** Whether the store made it */
  readonly isCustom: boolean
}

export interface CompanyPermissionBody {
  name: string
  description: string
  /** A code for clients, which never changes */
  code: string
  /** The group of the permission in lists */
  moduleName?: string
}

export interface CompanyQuote {
  /** The number of the quote */
  readonly quoteId: number
  /** An id of the quote that can't be guessed */
  readonly quoteUuid: string
  /** `QN` and the id with six digits */
  readonly quoteNumber: string
  /** The title of the quote, at most 255 characters */
  quoteTitle: string
  /** A number of the buyer or seller, at most 255 characters */
  referenceNumber: string
  /** 0 new, 2 in process, 3 updated by the customer, 4 ordered, 5 expired, 6 archived, 7 draft */
  status: number
  /** The id of its order, or empty */
  readonly bcOrderId: string
  /** As bcOrderId */
  readonly orderId: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** Who made the quote */
  readonly createdBy: string
  /** All lines at their base prices, stored as it is sent */
  subtotal: number
  /** What is taken off, stored as it is sent */
  discount: number
  /** The sum of offered prices and quantities, with or without shipping and tax; others are 422 */
  grandTotal: number
  /** What the buyer pays; by default the grand total */
  totalAmount: number
  /** The currency of the quote and how its amounts are written */
  currency: QuoteCurrency
  /** Values of the extra fields that the store's settings define */
  extraFields: ExtraFieldValue[]
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds: the last second of its last day */
  expiredAt: number
  /** Notes for the buyer, at most 65,535 characters */
  notes: string
  /** Terms on the quote, at most 65,535 characters */
  legalTerms: string
  /** Whether the buyer sees the discount; by default a setting of the store */
  displayDiscount: boolean
  /** Whether the buyer can order it without the seller; by default a setting of the store */
  allowCheckout: boolean
  /** The lines of the quote, 1 to 500 */
  productList: QuoteLine[]
  /** Where the goods go; shipping rates depend on it */
  shippingAddress: QuoteAddress
  /** The address of the invoice */
  billingAddress: QuoteAddress
  /** The buyer: name and e-mail address are needed */
  contactInfo: QuoteContact
  /** A number from 0 to 2 for clients, stored as it is sent */
  discountType: number
  /** The number of the discount for clients, stored as it is sent; null for none */
  discountValue: number | null
  /** The cost of shipping */
  shippingTotal: number
  /** The taxes */
  taxTotal: number
  /** The logo on the PDF; empty for none */
  readonly quoteLogo: string
  /** The chosen shipping; empty without one */
  readonly shippingMethod: QuoteShipping | Record<string, never>
  /** The store on the PDF */
  readonly storeInfo: QuoteStore
  /** The company on the PDF */
  readonly companyInfo: QuoteCompany
  /** The sales representative on the PDF */
  readonly salesRepInfo: QuoteSalesRep
  /** Always empty */
  readonly storefrontAttachFiles: QuoteFile[]
  /** Always empty */
  readonly backendAttachFiles: QuoteFile[]
  /** Messages between buyer and seller, at most 500 */
  readonly trackingHistory: QuoteMessage[]
  /** Extra fields that quotes of this store have */
  readonly extraFieldsInfo: ExtraFieldDefinition[]
  /** E-mail addresses that get copies, at most 20 */
  recipients: string[]
  /** Unix seconds */
  readonly updatedAt: number
}

export interface CompanyQuoteChanges {
  /** All lines at their base prices, stored as it is sent */
  subtotal?: number | string
  /** What is taken off, stored as it is sent */
  discount?: number | string
  /** The sum of offered prices and quantities, with or without shipping and tax; others are 422 */
  grandTotal?: number | string
  /** The last day, as month/day/year */
  expiredAt?: string
  /** The buyer: name and e-mail address are needed */
  contactInfo?: NewQuoteContact
  /** The lines of the quote, 1 to 500 */
  productList?: NewQuoteLine[]
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** The title of the quote, at most 255 characters */
  quoteTitle?: string
  /** A number of the buyer or seller, at most 255 characters */
  referenceNumber?: string
  /** The currency of the quote and how its amounts are written */
  currency?: NewQuoteCurrency
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** Notes for the buyer, at most 65,535 characters */
  notes?: string
  /** Terms on the quote, at most 65,535 characters */
  legalTerms?: string
  /** Whether the buyer sees the discount; by default a setting of the store */
  displayDiscount?: boolean
  /** Whether the buyer can order it without the seller; by default a setting of the store */
  allowCheckout?: boolean
  /** A number from 0 to 2 for clients, stored as it is sent */
  discountType?: number
  /** The number of the discount for clients, stored as it is sent; null for none */
  discountValue?: number | null
  /** The cost of shipping */
  shippingTotal?: number | string
  /** The taxes */
  taxTotal?: number | string
  /** What the buyer pays; by default the grand total */
  totalAmount?: number | string
  /** Where the goods go; shipping rates depend on it */
  shippingAddress?: QuoteAddress
  /** The address of the invoice */
  billingAddress?: QuoteAddress
  /** A message that is added to the history, at most 2,000 characters */
  message?: string
  /** The sales representative: a member of staff, by default the owner of the store */
  userEmail?: string
  /** E-mail addresses that get copies, at most 20 */
  recipients?: string[]
  /** 6 or archived */
  status?: number | string
}

export interface CompanyReference {
  /** The company: a business whose users buy together */
  companyId: number
}

export interface CompanyRole {
  readonly id: number
  name: string
  /** 1 for a role of the server, 2 for one of the store */
  readonly roleType: number
  /** Always 1 */
  readonly roleLevel: number
  /** What members may do, and for whom */
  permissions: {
    id: number
    /** A code for clients, which never changes */
    code: string
    /** 1 own things, 2 those of the company, 3 those of its dependent companies too */
    permissionLevel: number
  }[]
}

export interface CompanyRoleChanges {
  name: string
  /** What members may do, and for whom */
  permissions: PermissionGrant[]
}

export interface CompanyRoleSummary {
  readonly id: number
  name: string
  /** 1 for a role of the server, 2 for one of the store */
  readonly roleType: number
  /** Always 1 */
  readonly roleLevel: number
}

export interface CompanyStatusChange {
  /** 0 pending, 1 approved, 2 rejected, 3 inactive */
  companyStatus: 0 | 1 | 2 | 3
}

export interface CompanyUser {
  readonly id: number
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** An e-mail address, compared without case */
  email: string
  /** A telephone number in any notation */
  phoneNumber: string
  /** 0 admin, 1 senior buyer, 2 junior buyer or a custom role */
  role: number
  /** The role, which decides what the user may do */
  companyRoleId: number
  /** The name of the role */
  readonly companyRoleName: string
  /** The id of another system, stored as it came */
  uuid: string
  /** Values of the extra fields that the store's settings define */
  extraFields: ExtraFieldValue[]
  /** The company: a business whose users buy together */
  companyId: number
  /** The customer account of the store */
  readonly customerId: number
  /** Channels where the person may log in */
  readonly channelList: UserChannel[]
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
}

export interface CompanyUserChanges {
  /** The given name */
  firstName?: string
  /** The family name */
  lastName?: string
  /** An e-mail address, compared without case */
  email?: string
  /** A telephone number in any notation */
  phoneNumber?: string
  /** 0 admin, 1 senior buyer, 2 junior buyer */
  role?: number
  /** The role, which decides what the user may do */
  companyRoleId?: number
  /** The id of another system, stored as it came */
  uuid?: string
  /** The channels to which it applies */
  channelIds?: number[]
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
}

export interface CompanyUserReference {
  /** The user of a company */
  readonly userId: number
}

export interface CompanyWithSuperAdmins {
  /** The company: a business whose users buy together */
  companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  /** The e-mail address of the company, unique in the store */
  companyEmail: string
  /** Always empty */
  description: string
  /** Street and number */
  addressLine1: string
  /** The second line of the street, such as a floor */
  addressLine2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The country, by its English name */
  country: string
  /** The postal code */
  zipCode: string
  /** The price list of the customer group; empty for none */
  catalogId: string | null
  /** How many super admins the company has */
  superAdminCount: number
}

export interface ComplexRule {
  readonly id: number
  /** The product of the catalog */
  readonly product_id: number
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** Whether later rules are left out if this one applies */
  stop: boolean
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message: string
  /** Whether the product is hidden if the rule applies */
  purchasing_hidden: boolean
  /** The absolute address of its picture; empty without one */
  image_url: "" | string
  /** The change of the price if the rule applies */
  price_adjuster: {
    /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
    adjuster: "relative" | "percentage" | null
    /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
    adjuster_value: number
  }
  /** The change of the weight if the rule applies */
  weight_adjuster: {
    /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
    adjuster: "relative" | "percentage" | null
    /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
    adjuster_value: number
  }
  /** Values of modifiers, or variants, that must all be chosen; at most 50. A change replaces the list */
  conditions: {
    id: number
    /** The rule that the condition belongs to */
    rule_id: number
    /** The modifier: an option that makes no variant */
    modifier_id: number | null
    /** The value of the modifier that must be chosen */
    modifier_value_id: number | null
    /** The variant of the product, which has the stock and a price of its own */
    variant_id: number | null
  }[]
}

export interface ComplexRuleChanges {
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** Whether later rules are left out if this one applies */
  stop?: boolean
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled?: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message?: string
  /** Whether the product is hidden if the rule applies */
  purchasing_hidden?: boolean
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The change of the price if the rule applies */
  price_adjuster?: {
    /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
    adjuster?: "relative" | "percentage" | null
    /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
    adjuster_value?: number
  }
  /** The change of the weight if the rule applies */
  weight_adjuster?: {
    /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
    adjuster?: "relative" | "percentage" | null
    /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
    adjuster_value?: number
  }
  /** Values of modifiers, or variants, that must all be chosen; at most 50. A change replaces the list */
  conditions?: {
    /** The modifier: an option that makes no variant */
    modifier_id?: number | null
    /** The value of the modifier that must be chosen */
    modifier_value_id?: number | null
    /** The variant of the product, which has the stock and a price of its own */
    variant_id?: number | null
  }[]
}

export interface CountV2 {
  count: number
}

export interface Country {
  /** The number of the country or state */
  id: number
  /** The name in English */
  country: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2: string
  /** The country, as three letters of ISO 3166-1 */
  country_iso3: string
  /** A link to the states of the country */
  states: CountryStatesLink
}

export interface CountryHit {
  /** The country, as two letters of ISO 3166-1 */
  countryCode: string
  /** The country, by its English name. It follows from `countryCode`, and one of them is needed */
  countryName: string
}

export interface CountryState {
  /** The number of the country or state */
  id: number
  /** The state or province, by its name */
  state: string
  /** The state, by its code of ISO 3166-2 without the country */
  state_abbreviation: string
  /** The country that the state belongs to */
  country_id: number
}

export interface CountryStatesLink {
  /** The address of the sub-resource */
  url: string
  /** Its path below /v2 */
  resource: string
}

export interface Coupon {
  id: number
  /** RFC 2822 */
  readonly date_created: string
  /** How often it was used by placed orders */
  readonly num_uses: number
  /** The name that the staff sees, unique in the store without regard to case */
  name: string
  /** What is reduced: each item, the total, or shipping; by an amount or a percentage */
  type: "per_item_discount" | "per_total_discount" | "shipping_discount" | "free_shipping" | "percentage_discount" | "promotion"
  /** An amount with four decimals */
  amount: string
  /** An amount with four decimals */
  min_purchase: string
  /** RFC 2822; empty for never */
  expires: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** What shoppers enter, unique in the store without regard to case; at most 50 characters */
  code: string
  /** The products or categories that are reduced. Categories `[0]` mean everything */
  applies_to: {
    /** Whether `ids` are products or categories */
    entity?: string
    /** Products or categories; `[0]` for everything */
    ids?: number[]
  }
  /** How often it can be used in all; 0 or null for no limit */
  max_uses: number
  /** How often one customer can use it; 0 for no limit */
  max_uses_per_customer: number
  /** Countries of shipping addresses that it is for */
  restricted_to: {
    /** Codes of countries */
    countries?: string
  }
  /** Shipping methods that it is for; empty for any */
  shipping_methods: unknown[] | null
}

export interface CouponChanges {
  /** Refused */
  id?: unknown
  /** The name that the staff sees, unique in the store without regard to case */
  name?: string
  /** Letters, digits, blanks, `_` and `-` */
  code?: string
  /** What is reduced: each item, the total, or shipping; by an amount or a percentage */
  type?: "per_item_discount" | "per_total_discount" | "shipping_discount" | "free_shipping" | "percentage_discount"
  /** The amount or percentage, more than 0; a percentage is at most 100 */
  amount?: number
  /** The least total of a cart that can use it; 0 for any */
  min_purchase?: number
  /** RFC 2822, or seconds since 1970; `0` is none */
  expires?: string | number | null
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The products or categories that are reduced. Categories `[0]` mean everything */
  applies_to?: {
    /** Whether `ids` are products or categories */
    entity: "products" | "categories"
    /** Products or categories; `[0]` for everything */
    ids: number[]
  }
  /** 0 for no maximum */
  max_uses?: number
  /** 0 for no maximum */
  max_uses_per_customer?: number
  /** Countries of shipping addresses that it is for */
  restricted_to?: {
    /** Codes of countries */
    countries?: string
  }
  /** Shipping methods that it is for; empty for any */
  shipping_methods?: string[]
}

export interface CouponCount {
  /** How many coupons there are */
  count: number
}

export interface CreatedCompany {
  /** The company: a business whose users buy together */
  readonly companyId: number
  /** The customer account of the store */
  readonly customerId: number
  /** The customer group of the new company; 0 for none */
  customerGroupId: number
}

export interface CreatedCompanyUser {
  /** The user of a company */
  readonly userId: number
  /** The id of the customer account or group in the store */
  readonly bcId: number
}

export interface CreatedInvoice {
  /** The number that the server gave */
  readonly id: number
  /** The invoice */
  readonly invoiceId: number
}

export interface CreatedInvoicePayment {
  /** The payment */
  readonly paymentId: number
}

export interface CreatedQuote {
  /** The number of the quote */
  readonly quoteId: number
  /** The page of the quote in the buyer's portal */
  readonly quoteUrl: string
}

export interface CreatedSuperAdmin {
  /** The user of a company */
  readonly userId: number
  /** The customer account of the store */
  readonly customerId: number
}

export interface CreatedSuperAdmins {
  /** Super admins that were created, in the order of the body */
  readonly superAdminIds: number[]
}

export interface Credentials {
  /** An e-mail address, compared without case */
  email: string
  /** In clear text; answers never have it. The server stores a hash */
  password: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface CredentialsValidation {
  /** Whether e-mail address and password fit an account */
  readonly is_valid: boolean
  /** The customer account of the store */
  readonly customer_id: number | null
}

export interface CurrencyAssignment {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** Codes of the currencies of the storefront, 1 to 100 */
  enabled_currencies: string[]
  /** The currency that shoppers see first; one of the enabled ones */
  default_currency: string
}

export interface CurrencyChangesV2 {
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** The country, as two letters of ISO 3166-1 */
  country_iso2?: string
  /** As text or as a number */
  currency_exchange_rate?: string | number
  /** Always false for currencies that shoppers pay in; no service of rates is asked */
  auto_update?: boolean
  /** Whether the sign stands left or right of the amount */
  token_location?: "left" | "right"
  /** The sign of the currency, 1 to 4 characters */
  token?: string
  /** The character before the decimals */
  decimal_token?: string
  /** The character between groups of three digits */
  thousands_token?: string
  /** How many decimals amounts have */
  decimal_places?: number
  /** The name of the currency */
  name?: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** Whether shoppers can pay in it; others are for display */
  is_transactional?: boolean
}

export interface CurrencyV2 {
  readonly id: number
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** The country, as two letters of ISO 3166-1 */
  country_iso2: string
  /** The code of the currency in ISO 4217 */
  currency_code: string
  /** Units of this currency for one of the default currency, more than 0 */
  currency_exchange_rate: string
  /** Always false for currencies that shoppers pay in; no service of rates is asked */
  auto_update: boolean
  /** Whether the sign stands left or right of the amount */
  token_location: "left" | "right"
  /** The sign of the currency, 1 to 4 characters */
  token: string
  /** The character before the decimals */
  decimal_token: string
  /** The character between groups of three digits */
  thousands_token: string
  /** How many decimals amounts have */
  decimal_places: number
  /** The name of the currency */
  name: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** Whether shoppers can pay in it; others are for display */
  is_transactional: boolean
  /** RFC 2822 */
  readonly last_updated: string
  /** Always empty */
  readonly default_for_country_codes: string[]
  /** Whether the name is the English one of the currency */
  readonly use_default_name: boolean
}

export interface CustomField {
  readonly id: number
  /** The heading of the field on the page of the product, 1 to 250 characters */
  name: string
  /** The text of the field, 1 to 250 characters */
  value: string
}

export interface CustomFieldChanges {
  /** The heading of the field on the page of the product, 1 to 250 characters */
  name?: string
  /** The text of the field, 1 to 250 characters */
  value?: string
}

export interface CustomFieldItem {
  id?: number
  /** The heading of the field on the page of the product, 1 to 250 characters */
  name: string
  /** The text of the field, 1 to 250 characters */
  value: string
}

export interface CustomShippingMethod {
  /** The name of a shipping method for this quote alone */
  customShippingMethodName: string
}

export interface CustomTemplates {
  /** Templates for pages of products */
  product: string[]
  /** Templates for pages of categories */
  category: string[]
  /** Templates for pages of brands */
  brand: string[]
  /** Templates for pages of the store */
  page: string[]
}

export interface CustomUrl {
  /** The path of the page, beginning and ending with a slash */
  url: string
  /** Whether a client chose the path; if not, it follows the name */
  is_customized: boolean
}

export interface CustomUrlInput {
  /** The path of the page, beginning and ending with a slash */
  url?: string
  /** Whether a client chose the path; if not, it follows the name */
  is_customized?: boolean
}

export interface Customer {
  id: number
  /** An e-mail address, compared without case */
  email: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company: string
  /** A telephone number in any notation */
  phone: string
  /** The IP address at which the account was created */
  readonly registration_ip_address: string
  /** Notes of the staff; shoppers never see them */
  notes: string
  /** A code that exempts the customer from taxes at a tax provider; empty for none */
  tax_exempt_category: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id: number
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** How many addresses the customer has */
  readonly address_count: number
  /** How many attributes of the customer have a value */
  readonly attribute_count: number
  /** The password, and whether it must be changed */
  authentication: {
    /** Whether the customer must choose a new password at the next login */
    force_password_reset: boolean
  }
  /** Whether the customer agreed to mails about reviews and abandoned carts */
  accepts_product_review_abandoned_cart_emails: boolean
  /** The channel at which the account was created */
  origin_channel_id: number
  /** Null: every channel that allows global logins */
  channel_ids: number[] | null
  /** Addresses of the customer; at most 10 in a body, and a link below /v2 */
  addresses?: CustomerAddress[]
  /** Values of attributes; at most 10 in a body */
  attributes?: AttributeValue[]
  /** Values of the form fields that the store's settings define */
  form_fields?: CustomerFormFieldValue[]
  /** Money that the customer can spend in the store, in the default currency */
  store_credit_amounts?: StoreCreditAmount[]
  /** The profile by which the customer belongs to segments; null for none */
  readonly shopper_profile_id?: string | null
  /** The segments that the customer belongs to */
  readonly segment_ids?: string[]
}

export interface CustomerAccessTokenValue {
  /** The token */
  value: string
  /** The time at which the token ends */
  expiresAt?: string
  /** The time at which the token ends */
  expires_at?: string
}

export interface CustomerAddress {
  id: number
  /** The customer account of the store */
  customer_id: number
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company: string
  /** Street and number */
  address1: string
  /** The second line of the street, such as a floor */
  address2: string
  /** The city or town */
  city: string
  /** The full name, where the country has a list of states */
  state_or_province: string
  /** The postal code; optional in countries without postal codes */
  postal_code: string
  /** Code of ISO 3166-1 */
  country_code: string
  /** The name of the country in English; follows from country_code */
  readonly country: string
  /** A telephone number in any notation */
  phone: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type: "residential" | "commercial"
  /** Values of the form fields that the store's settings define */
  form_fields?: AddressFormFieldValue[]
}

export interface CustomerAddressChanges {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  address1?: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city?: string
  /** The full name, where the country has a list of states */
  state_or_province?: string
  /** The postal code; optional in countries without postal codes */
  postal_code?: string
  /** Code of ISO 3166-1 */
  country_code?: string
  /** A telephone number in any notation */
  phone?: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type?: "residential" | "commercial"
  /** Values of the form fields that the store's settings define */
  form_fields?: FormFieldValue[]
  id: number
}

export interface CustomerAddressChangesV2 {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** Street and number */
  street_1?: string
  /** The city or town */
  city?: string
  /** The full name; empty or blank without a state */
  state?: string
  /** The postal code */
  zip?: string
  /** The full name in English */
  country?: string
  /** A telephone number in any notation */
  phone?: string
  /** The company of the person, as a text */
  company?: string
  /** The second line of the street, such as a floor */
  street_2?: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type?: "residential" | "commercial"
}

export interface CustomerAddressV2 {
  readonly id: number
  /** The customer account of the store */
  readonly customer_id: number
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** Street and number */
  street_1: string
  /** The city or town */
  city: string
  /** The full name; empty or blank without a state */
  state: string
  /** The postal code */
  zip: string
  /** The full name in English */
  country: string
  /** A telephone number in any notation */
  phone: string
  /** The company of the person, as a text */
  company: string
  /** The second line of the street, such as a floor */
  street_2: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type: "residential" | "commercial"
  /** The country, as two letters of ISO 3166-1 */
  readonly country_iso2: string
}

export interface CustomerAttribute {
  id: number
  /** The name, unique in the store without regard to case */
  name: string
  /** What values must be; it never changes */
  type: "string" | "number" | "date"
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface CustomerAttributeChanges {
  id: number
  /** The name, unique in the store without regard to case */
  name: string
  /** What values must be; it never changes */
  type?: "string" | "number" | "date"
}

export interface CustomerChanges {
  /** An e-mail address, compared without case */
  email?: string
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** The company of the person, as a text */
  company?: string
  /** A telephone number in any notation */
  phone?: string
  /** Notes of the staff; shoppers never see them */
  notes?: string
  /** A code that exempts the customer from taxes at a tax provider; empty for none */
  tax_exempt_category?: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id?: number
  /** The password, and whether it must be changed */
  authentication?: {
    /** In clear text; answers never have it. The server stores a hash */
    new_password?: string
    /** Whether the customer must choose a new password at the next login */
    force_password_reset?: boolean
  }
  /** Whether the customer agreed to mails about reviews and abandoned carts */
  accepts_product_review_abandoned_cart_emails?: boolean
  /** Money that the customer can spend in the store, in the default currency */
  store_credit_amounts?: StoreCreditAmount[]
  /** Values of the form fields that the store's settings define */
  form_fields?: FormFieldValue[]
  /** The channels to which it applies */
  channel_ids?: number[] | null
  id: number
}

export interface CustomerChangesV2 {
  /** The password, and whether it must be changed */
  _authentication?: {
    /** In clear text; answers never have it. The server stores a hash */
    password?: string
    /** The same password again */
    password_confirmation?: string
    /** Whether the customer must choose a new password at the next login */
    force_reset?: boolean
  }
  /** The company of the person, as a text */
  company?: string
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** An e-mail address, compared without case */
  email?: string
  /** A telephone number in any notation */
  phone?: string
  /** Money that the customer can spend in the store, in the default currency */
  store_credit?: number
  /** The IP address at which the account was created */
  registration_ip_address?: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id?: number
  /** Notes of the staff; shoppers never see them */
  notes?: string
  /** A code that exempts the customer from taxes at a tax provider; empty for none */
  tax_exempt_category?: string
  /** Whether the customer must choose a new password at the next login */
  reset_pass_on_login?: boolean
}

export interface CustomerChannelSettings {
  /** How storefronts ask shoppers for consent; null on a channel inherits from the store */
  privacy_settings: {
    /** Whether storefronts ask before they track shoppers */
    ask_shopper_for_tracking_consent: boolean | null
    /** An absolute address, or empty */
    policy_url: string | null
    /** Whether the checkout asks before it tracks shoppers */
    ask_shopper_for_tracking_consent_on_checkout: boolean | null
  }
  /** The groups of guests and of new customers; null on a channel inherits from the store */
  customer_group_settings: {
    /** The id of a customer group; 0 for none */
    guest_customer_group_id: number | null
    /** The id of a customer group; 0 for none */
    default_customer_group_id: number | null
  }
  /** Whether customers without channels of their own may log in here */
  allow_global_logins: boolean
}

export interface CustomerChannelSettingsChanges {
  /** How storefronts ask shoppers for consent; null on a channel inherits from the store */
  privacy_settings?: {
    /** Whether storefronts ask before they track shoppers */
    ask_shopper_for_tracking_consent?: boolean | null
    /** An absolute address, or empty */
    policy_url?: string | null
    /** Whether the checkout asks before it tracks shoppers */
    ask_shopper_for_tracking_consent_on_checkout?: boolean | null
  }
  /** The groups of guests and of new customers; null on a channel inherits from the store */
  customer_group_settings?: {
    /** The id of a customer group; 0 for none */
    guest_customer_group_id?: number | null
    /** The id of a customer group; 0 for none */
    default_customer_group_id?: number | null
  }
  /** Whether customers without channels of their own may log in here */
  allow_global_logins?: boolean
}

export interface CustomerConsent {
  /** Categories of tracking that the customer allows; `essential` always counts as allowed */
  allow: ("essential" | "functional" | "analytics" | "targeting")[]
  /** Categories of tracking that the customer refuses */
  deny: ("essential" | "functional" | "analytics" | "targeting")[]
  /** The time of its last change */
  readonly updated_at?: string
}

export interface CustomerFormFieldValue {
  /** The name of the form field */
  name: string
  /** The value by its type: a text, a number, or a list of texts */
  value: string | number | string[]
  /** The customer account of the store */
  customer_id: number
}

export interface CustomerGroupChangesV2 {
  /** The name of the group, unique in the store without regard to case */
  name?: string
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Which categories members of the group see */
  category_access?: CategoryAccess
  /** Lower prices for members. A change replaces the list */
  discount_rules?: NewDiscountRule[]
  /** Whether shoppers without an account belong to it; one group at most */
  is_group_for_guests?: boolean
}

export interface CustomerGroupV2 {
  readonly id: number
  /** The name of the group, unique in the store without regard to case */
  name: string
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** Which categories members of the group see */
  category_access: CategoryAccess
  /** Lower prices for members. A change replaces the list */
  discount_rules: DiscountRule[]
  /** RFC 2822 */
  readonly date_created: string
  /** RFC 2822 */
  readonly date_modified: string
  /** Whether shoppers without an account belong to it; one group at most */
  is_group_for_guests: boolean
}

export interface CustomerPassword {
  /** In clear text; answers never have it. The server stores a hash */
  password: string
}

export interface CustomerSettings {
  /** How storefronts ask shoppers for consent; null on a channel inherits from the store */
  privacy_settings: {
    /** Whether storefronts ask before they track shoppers */
    ask_shopper_for_tracking_consent: boolean
    /** An absolute address, or empty */
    policy_url: string
    /** Whether the checkout asks before it tracks shoppers */
    ask_shopper_for_tracking_consent_on_checkout: boolean
  }
  /** The groups of guests and of new customers; null on a channel inherits from the store */
  customer_group_settings: {
    /** The id of a customer group; 0 for none */
    guest_customer_group_id: number
    /** The id of a customer group; 0 for none */
    default_customer_group_id: number
  }
}

export interface CustomerSettingsChanges {
  /** How storefronts ask shoppers for consent; null on a channel inherits from the store */
  privacy_settings?: {
    /** Whether storefronts ask before they track shoppers */
    ask_shopper_for_tracking_consent?: boolean
    /** An absolute address, or empty */
    policy_url?: string
    /** Whether the checkout asks before it tracks shoppers */
    ask_shopper_for_tracking_consent_on_checkout?: boolean
  }
  /** The groups of guests and of new customers; null on a channel inherits from the store */
  customer_group_settings?: {
    /** The id of a customer group; 0 for none */
    guest_customer_group_id?: number
    /** The id of a customer group; 0 for none */
    default_customer_group_id?: number
  }
}

export interface CustomerTaxProperties {
  /** The customer account of the store */
  customer_id: number
  /** Values by the code of a tax property; null deletes a value. Codes that are missing stay */
  tax_properties: Record<string, unknown>
}

export interface CustomerTaxPropertyChanges {
  /** The customer account of the store */
  customer_id: number
  /** Values by the code of a tax property; null deletes a value. Codes that are missing stay */
  tax_properties: Record<string, unknown>
}

export interface CustomerV2 {
  readonly id: number
  /** The company of the person, as a text */
  company: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** An e-mail address, compared without case */
  email: string
  /** A telephone number in any notation */
  phone: string
  /** RFC 2822 */
  readonly date_created: string
  /** RFC 2822 */
  readonly date_modified: string
  /** With four places */
  store_credit: string
  /** The IP address at which the account was created */
  registration_ip_address: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id: number
  /** Notes of the staff; shoppers never see them */
  notes: string
  /** A code that exempts the customer from taxes at a tax provider; empty for none */
  tax_exempt_category: string
  /** Whether the customer subscribes to the newsletter */
  readonly accepts_marketing: boolean
  /** Addresses of the customer; at most 10 in a body, and a link below /v2 */
  readonly addresses: ResourceLinkV2
  /** Values of the form fields that the store's settings define */
  readonly form_fields: {
    name: string
    value: string
  }[] | null
  /** Whether the customer must choose a new password at the next login */
  reset_pass_on_login: boolean
}

export interface CustomsInformation {
  /** The product of the catalog */
  product_id: number
  /** The country that made the product, as two letters */
  country_of_origin: string
  /** The product in words for customs */
  commodity_description: string
  /** Whether the product may leave its country */
  international_shipping: boolean
  /** Codes by country, or for ALL */
  hs_codes: Record<string, unknown>
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
}

export type CustomsInformationChanges = {
  /** The product of the catalog */
  product_id: number
  /** The country that made the product, as two letters */
  country_of_origin: string
  /** The product in words for customs */
  commodity_description: string
  /** Whether the product may leave its country */
  international_shipping: boolean
  /** Codes by country, or for ALL */
  hs_codes: Record<string, unknown>
}[]

export interface DiscountRule {
  /** What gets cheaper: everything, a category, a product, or prices of a price list */
  type: "price_list" | "all" | "category" | "product"
  /** What `amount` is: a percentage off, an amount off, or the fixed price */
  method?: "percent" | "price" | "fixed"
  /** With four decimals */
  amount?: string
  /** The price list whose prices apply */
  price_list_id?: number
  /** The category, as the catalog has it */
  category_id?: number
  /** The product of the catalog */
  product_id?: number
}

export interface EmailStatuses {
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  abandoned_cart_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  account_details_changed_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  combined_order_status_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  create_account_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  create_guest_account_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  gift_certificate_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  invoice_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  order_message_notification_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  product_review_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  return_confirmation_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  return_statuschange_email?: boolean | null
}

export interface EmailStatusesChanges {
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  abandoned_cart_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  account_details_changed_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  combined_order_status_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  create_account_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  create_guest_account_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  gift_certificate_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  invoice_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  order_message_notification_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  product_review_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  return_confirmation_email?: boolean | null
  /** Whether this e-mail is sent; null on a channel inherits from the store */
  return_statuschange_email?: boolean | null
}

export interface EmailTemplate {
  /** The kind of e-mail, which is also its path */
  type_id: "abandoned_cart_email" | "account_details_changed_email" | "account_reset_password_email" | "combined_order_status_email" | "createaccount_email" | "createguestaccount_email" | "giftcertificate_email" | "invoice_email" | "ordermessage_notification" | "product_review_email" | "return_confirmation_email" | "return_statuschange_email"
  /** HTML in Handlebars */
  body: string
  /** One line of text in Handlebars */
  subject: string
  /** The same mail in other languages */
  translations: EmailTranslation[]
}

export interface EmailTemplateChange {
  /** The kind of e-mail, which is also its path */
  type_id?: string
  /** HTML in Handlebars */
  body: string
  /** One line of text in Handlebars */
  subject: string
  /** The same mail in other languages */
  translations?: EmailTranslation[]
}

export interface EmailTranslation {
  /** The language, such as `de` */
  locale: string
  /** Phrases by their names */
  keys: Record<string, unknown>
}

export interface EnabledPaymentMethod {
  /** The company: a business whose users buy together */
  companyId: number
  /** The payment method */
  paymentId: number
  /** Unix seconds */
  createdAt: number
  /** Unix seconds */
  updatedAt: number
  /** The code of the payment method of the store */
  paymentMethodCode: string
  /** The name that buyers see */
  paymentMethodTitle: string
}

export interface ExtraFieldDefinition {
  id: number
  /** An id that the server gives */
  uuid: string
  /** The name of the field, unique for its kind of resource without regard to case */
  fieldName: string
  /** 0 text, 1 lines of text, 2 number, 3 one of listOfValue */
  fieldType: number
  /** Whether a new resource needs a value */
  isRequired: boolean
  /** Whether no two resources of the kind may have the same value */
  isUnique: boolean
  /** Whether buyers see the field */
  visibleToEnduser: boolean
  /** Always 2: the store has defined the field */
  configType: number
  /** The value of a new resource without one */
  defaultValue: string
  /** The most characters of a value, as text; empty for 10,000 */
  maximumLength: string
  /** The height of its input field, as text */
  numberOfRows: string
  /** The largest number, as text */
  maximumValue: string
  /** The values to choose from */
  listOfValue: string[]
}

export interface ExtraFieldInput {
  /** The name of the field, unique for its kind of resource without regard to case */
  fieldName: string
  /** The value as text; an empty one deletes it */
  fieldValue: string
}

export interface ExtraFieldValue {
  /** The name of the field, unique for its kind of resource without regard to case */
  fieldName: string
  /** The value as text; an empty one deletes it */
  fieldValue: string
}

export interface FaviconUpload {
  /** The picture as a part of the form */
  FaviconFile: Upload
}

export interface FormField {
  /** The label that shoppers see */
  name: string
  /** The text for shoppers; the default is the name */
  label: string
  /** How shoppers enter the value */
  type: "checkboxes" | "date" | "multiline" | "numbers" | "password" | "radiobuttons" | "text" | "picklist"
  /** Binds the storefront, not this API */
  required: boolean
  /** The options of checkboxes, radiobuttons and picklist */
  options: string[]
}

export interface FormFieldChanges {
  /** Fields of accounts */
  customer?: NewFormField[]
  /** Fields of addresses */
  address?: NewFormField[]
}

/** The name is that of a form field of the store (/settings/form-fields) */
export interface FormFieldValue {
  /** The name of the form field */
  name: string
  /** The value by its type: a text, a number, or a list of texts */
  value: string | number | string[]
}

/** A value of either a customer or an address */
export interface FormFieldValueOfOwner {
  /** The name of the form field */
  name: string
  /** The value by its type: a text, a number, or a list of texts */
  value: string | number | string[]
  /** The customer account of the store */
  customer_id?: number
  /** The address that the value belongs to; for fields of addresses only */
  address_id?: number
}

export interface FormFields {
  /** Fields of accounts */
  customer: FormField[]
  /** Fields of addresses */
  address: FormField[]
}

export interface GeneratedPromotionCodes {
  readonly created: string
  /** How often it can be used in all; 0 or null for no limit */
  max_uses: number
  /** How often one customer can use it; 0 for no limit */
  max_uses_per_customer: number
  /** How many codes to make, 1 to 250 */
  batch_size: number
  /** The codes that were made */
  readonly codes: {
    /** 1 to 50 letters, digits, blanks, `_` and `-`; unique in the store without regard to case */
    code: string
  }[]
}

export interface GeographyCount {
  /** How many there are */
  count: number
}

export interface GiftCertificate {
  readonly id: number
  /** What shoppers enter, unique in the store; made by the server if it is missing */
  code: string
  /** Whether it can be spent. It reads `expired` from its expiry date on */
  status: "active" | "pending" | "disabled" | "expired"
  /** The customer account of the store */
  customer_id: number
  /** The order, by the number that shoppers see */
  readonly order_id: number
  /** The name of the person who gets it */
  to_name: string
  /** Where it is sent */
  to_email: string
  /** The name of the person who gives it */
  from_name: string
  /** The e-mail address of the person who gives it */
  from_email: string
  /** An amount with four decimals */
  amount: string
  /** An amount with four decimals */
  balance: string
  /** The code of the currency in ISO 4217 */
  currency_code: string
  /** Seconds since 1970; `0` for none */
  purchase_date: string
  /** Seconds since 1970; `0` for none */
  expiry_date: string
  /** The look of its mail, such as `birthday.html` */
  template: string
  /** A text of the giver, at most 250 characters */
  message: string
}

export interface GiftCertificateChanges {
  /** What shoppers enter, unique in the store; made by the server if it is missing */
  code?: string
  /** Whether it can be spent. It reads `expired` from its expiry date on */
  status?: "active" | "pending" | "disabled" | "expired"
  /** The customer account of the store */
  customer_id?: number
  /** The name of the person who gets it */
  to_name?: string
  /** Where it is sent */
  to_email?: string
  /** The name of the person who gives it */
  from_name?: string
  /** The e-mail address of the person who gives it */
  from_email?: string
  /** The amount for which it was bought, more than 0 */
  amount?: number
  /** What is left of it; by default the amount */
  balance?: number
  /** The code of the currency in ISO 4217 */
  currency_code?: string
  /** RFC 2822, or seconds since 1970; `0` is none */
  purchase_date?: string | number | null
  /** RFC 2822, or seconds since 1970; `0` is none */
  expiry_date?: string | number | null
  /** Such as `birthday.html` */
  template?: string
  /** A text of the giver, at most 250 characters */
  message?: string
}

export interface GiftCertificatePerson {
  name: string
  /** An e-mail address, compared without case */
  email: string
}

export interface GiftWrapDetail {
  id: number
  /** A text of the sender, at most 200 characters */
  message?: string
}

export type GiftWrapDetails = {
  /** Whether all units are wrapped together; false wraps each apart */
  wrap_together: boolean
  /** The wrapping of each unit, or one for all */
  wrap_details: GiftWrapDetail[]
} | null

export interface ImageAddress {
  /** The absolute address of its picture; empty without one */
  image_url: string
}

export interface ImageItem {
  /** The absolute address of its picture; empty without one */
  image_url?: string
  /** Whether this picture represents the product in lists. A product has one such picture */
  is_thumbnail?: boolean
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The text for people who do not see the picture */
  description?: string
  id?: number
}

export interface ImageUpload {
  /** The file of a form, at most 8 MiB. In answers the name of the stored copy */
  image_file: Upload
}

export interface InstalledCertificate {
  /** The host of the certificate */
  common_name: string
  /** All hosts of the certificate */
  subject_alternative_names: string[]
  /** The time from which it is valid */
  validity_not_before: string
  /** The time until which it is valid */
  validity_not_after: string
  /** How it is signed */
  signing_algorithm: string
  /** Who signed it */
  issuer: string
  /** PEM */
  certificate: string
  /** PEM, one behind the other */
  intermediate_certificates: string
}

export interface InventoryItem {
  /** The variant that the stock is of */
  identity: ItemIdentity
  /** The stock at each location */
  locations: StockOfLocation[]
}

export interface InventoryItemOfLocation {
  /** The variant that the stock is of */
  readonly identity: ItemIdentity
  /** Units that shoppers can buy: on hand less safety stock, at least 0 */
  readonly available_to_sell: number
  /** Units that are at the location */
  readonly total_inventory_onhand: number
  /** Thresholds of the item at the location; absent values stay */
  settings: StockSettings
}

export interface InventoryNotificationSettings {
  /** Who gets a mail when stock is low; null on a channel inherits from the store */
  low_stock_notification_address?: string[] | null
  /** Who gets a mail when stock ends; null on a channel inherits from the store */
  out_of_stock_notification_address?: string[] | null
}

export interface InventoryNotificationSettingsChanges {
  /** Who gets a mail when stock is low; null on a channel inherits from the store */
  low_stock_notification_address?: string[] | null
  /** Who gets a mail when stock ends; null on a channel inherits from the store */
  out_of_stock_notification_address?: string[] | null
}

export interface InventorySettings {
  /** What storefronts do with products without stock */
  product_out_of_stock_behavior?: "do_nothing" | "hide_product" | "hide_product_and_accessible" | "hide_product_and_redirect" | null
  /** What storefronts do with values of options without stock */
  option_out_of_stock_behavior?: "do_nothing" | "hide_option" | "label_option" | null
  /** Whether stock moves when an order is placed, or when it is completed or shipped */
  update_stock_behavior?: "order_placed" | "order_completed_or_shipped" | null
  /** Whether changes of orders move stock */
  edit_order_stock_adjustment?: boolean | null
  /** Whether refunds return units to stock */
  refund_order_stock_adjustment?: boolean | null
  /** Whether shoppers see how many units there are */
  stock_level_display?: "dont_show" | "show" | "show_when_low" | null
  /** The text for products without stock */
  default_out_of_stock_message?: string | null
  /** Whether filters leave products without stock out */
  hide_in_product_filtering?: boolean | null
  /** Whether shoppers see the stock of products that are ordered before their release */
  show_pre_order_stock_levels?: boolean | null
  /** Whether shoppers see the text for products without stock */
  show_out_of_stock_message?: boolean | null
}

export interface InventorySettingsChanges {
  /** What storefronts do with products without stock */
  product_out_of_stock_behavior?: "do_nothing" | "hide_product" | "hide_product_and_accessible" | "hide_product_and_redirect" | null
  /** What storefronts do with values of options without stock */
  option_out_of_stock_behavior?: "do_nothing" | "hide_option" | "label_option" | null
  /** Whether stock moves when an order is placed, or when it is completed or shipped */
  update_stock_behavior?: "order_placed" | "order_completed_or_shipped" | null
  /** Whether changes of orders move stock */
  edit_order_stock_adjustment?: boolean | null
  /** Whether refunds return units to stock */
  refund_order_stock_adjustment?: boolean | null
  /** Whether shoppers see how many units there are */
  stock_level_display?: "dont_show" | "show" | "show_when_low" | null
  /** The text for products without stock */
  default_out_of_stock_message?: string | null
  /** Whether filters leave products without stock out */
  hide_in_product_filtering?: boolean | null
  /** Whether shoppers see the stock of products that are ordered before their release */
  show_pre_order_stock_levels?: boolean | null
  /** Whether shoppers see the text for products without stock */
  show_out_of_stock_message?: boolean | null
}

export interface Invoice {
  /** The number that the server gave */
  readonly id: number
  /** The id of the company */
  customerId: string
  /** The id of the company in another system */
  externalCustomerId: string
  /** An id of another system, stored as it came */
  externalId: string
  /** The number on the invoice, unique in the store */
  invoiceNumber: string
  /** A word of the client for the kind; `Invoice` by default */
  type: string
  /** Unix seconds */
  dueDate: number
  /** Unix seconds */
  issuedAt: number
  /** 0 open, 1 partially paid, 2 completed */
  status: number
  /** The number of the order that it is for */
  orderNumber: string
  /** The number that the buyer gave the purchase */
  purchaseOrderNumber: string
  /** Further data for people and the PDF. The server does not calculate with it */
  details: InvoiceDetails
  /** 1 while a payment is awaited or in process */
  readonly isPendingPayment: number
  /** 1 for an invoice of an external system, else 0 */
  source: number
  /** The amount of the invoice */
  originalBalance: CompanionMoney
  /** What is still to pay */
  openBalance: CompanionMoney
  /** The name of the company */
  readonly customerName: string
  /** Unix seconds */
  readonly createdAt: string
  /** Unix seconds */
  readonly updatedAt: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: string
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** The terms on the invoice, at most 65,535 characters */
  termsConditions: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldValue[]
}

export interface InvoiceAddress {
  /** The given name */
  firstName?: string
  /** The family name */
  lastName?: string
  /** Street and number */
  street1?: string
  /** The second line of the street */
  street2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The postal code */
  zipCode?: string
  /** The country, by its English name */
  country?: string
  /** A key and a value of the client */
  customFields?: string | InvoiceCustomField
}

export interface InvoiceChanges {
  /** The number on the invoice, unique in the store */
  invoiceNumber?: string
  /** A word of the client for the kind; `Invoice` by default */
  type?: string
  /** Unix seconds */
  dueDate?: number
  /** Ignored: the status follows from the balances */
  status?: number
  /** The number of the order that it is for */
  orderNumber?: string
  /** The number that the buyer gave the purchase */
  purchaseOrderNumber?: string
  /** The amount of the invoice */
  originalBalance?: CompanionMoneyInput
  /** What is still to pay */
  openBalance?: CompanionMoneyInput
  /** Unix seconds */
  issuedAt?: number
  /** Further data for people and the PDF. The server does not calculate with it */
  details?: InvoiceDetails
  /** 1 for an invoice of an external system */
  source?: number
  /** The id of the company */
  customerId?: string
  /** An id of another system, stored as it came */
  externalId?: string
  /** The id of the company in another system */
  externalCustomerId?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** The address of a PDF in place of the one that the server makes */
  externalPdfUrl?: string
  /** The terms on the invoice, at most 65,535 characters */
  termsConditions?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
}

export interface InvoiceContents {
  /** How the goods were sent */
  shipments?: InvoiceShipment[]
  /** The lines: products of an invoice, or invoices of a payment with amounts */
  lineItems?: InvoiceItem[]
}

export interface InvoiceCostLine {
  /** The amount of the line */
  amount: InvoiceMoneyInput
  /** The text of the line */
  description?: string
}

export interface InvoiceCustomField {
  /** The name of the value */
  key?: string
  /** The value as text */
  value?: string
}

export interface InvoiceDetails {
  /** A word of the client for the kind; `Invoice` by default */
  type?: string
  /** The head of the invoice: addresses and costs */
  header?: InvoiceHeader
  /** Further data for people and the PDF. The server does not calculate with it */
  details?: InvoiceContents
}

export interface InvoiceHeader {
  /** Subtotals above the total, such as shipping */
  costLines?: InvoiceCostLine[]
  /** Unix seconds */
  orderDate?: number
  /** The address of the invoice */
  billingAddress?: InvoiceAddress
  /** A key and a value about the company */
  customerFields?: InvoiceCustomField
  /** Where the goods went */
  shippingAddresses?: InvoiceAddress[]
}

export interface InvoiceItem {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** A word of the client for the kind; `Invoice` by default */
  type?: string
  /** A note for people */
  comments?: string
  /** How many units */
  quantity: string
  /** The price of a unit */
  unitPrice: InvoiceMoneyInput
  /** The text of the line */
  description?: string
  /** A key and a value of the client */
  customFields?: InvoiceCustomField
  /** What is taken off a unit */
  unitDiscount?: InvoiceMoneyInput
}

export interface InvoiceMoneyInput {
  /** The currency, as its code in ISO 4217 */
  code: string
  /** The amount as number or text, with four decimals */
  value: string
}

export interface InvoicePayment {
  /** The number that the server gave */
  id: number
  /** Unix seconds */
  createdAt: number
  /** Unix seconds */
  updatedAt: number
  /** The hash of the store */
  storeHash: string
  /** The id of the company */
  customerId: string
  /** An id of another system, stored as it came */
  externalId: string | null
  /** The id of the company in another system */
  externalCustomerId: string | null
  /** Who paid; `Store offline payment` by default */
  payerName: string
  /** The id of who paid; the company by default */
  payerCustomerId: string
  /** Further data for people and the PDF. The server does not calculate with it */
  details: InvoicePaymentDetails
  /** The kind of the payment */
  moduleName: string
  /** Fees of the payment; empty */
  fees: number[]
  /** The transactions of the payment */
  moduleData: InvoicePaymentModule
  /** 0 incomplete, 1 awaiting, 2 processing, 3 completed, 4 refunded */
  processingStatus: number
  /** 1 while its amounts are deducted from its invoices */
  appliedStatus: number
  /** Stored for clients: the state of the money at the bank */
  fundingStatus: number
  /** The whole payment, with its currency */
  total: CompanionMoney
  /** The lines: products of an invoice, or invoices of a payment with amounts */
  lineItems: InvoicePaymentLine[]
  /** The name of the company */
  customerName: string
  /** 0 applies the payment, 1 reverts it */
  allowedOperations: number[]
  /** States that the payment can get now */
  allowedStatuses: number[]
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: string
  /** The name of the channel, as its settings have it */
  channelName: string
}

export interface InvoicePaymentDetails {
  /** A note about the payment */
  memo: string
}

export interface InvoicePaymentLine {
  /** The payment */
  paymentId: number
  /** The invoice */
  invoiceId: number
  /** The number on the invoice, unique in the store */
  invoiceNumber: string
  /** The amount of the line */
  amount: CompanionMoney
}

export interface InvoicePaymentModule {
  /** What happened to the money */
  transactions: InvoicePaymentTransaction[]
}

export interface InvoicePaymentOperation {
  /** 0 applies the payment, 1 reverts it */
  operationCode: number
}

export interface InvoicePaymentOperations {
  /** What can be done with the payment now */
  readonly allowedOperations: number[]
  /** States that the payment can get now */
  readonly allowedStatuses: number[]
}

export interface InvoicePaymentReference {
  /** The number that the server gave */
  readonly id: number
}

export interface InvoicePaymentTransaction {
  /** A note about the payment */
  memo: string
  /** A word of the client for the kind; `Invoice` by default */
  type: string
  /** The answer of the provider as text */
  rawTransaction: string
}

export interface InvoicePdf {
  /** A link that works for 24 hours */
  url: string
  /** The address of a PDF in place of the one that the server makes */
  externalPdfUrl: string
}

export interface InvoiceReference {
  /** The number that the server gave */
  readonly id: number
}

export interface InvoiceShipment {
  /** Which of the shipping addresses, from 0 */
  addressIndex?: string
  /** The day on which it was sent */
  shipDate?: string
  /** The carrier */
  shipVia?: string
  /** The number by which the carrier finds the parcel */
  trackingNumber?: string
  /** A note for people */
  comments?: string
  /** A key and a value of the client */
  customFields?: InvoiceCustomField
}

export interface ItemIdentity {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** The product of the catalog */
  product_id: number
  /** A number of the SKU of a variant with options */
  sku_id?: number
}

export interface ItemPrice {
  /** The product of the catalog */
  readonly product_id: number
  /** The variant of the product, which has the stock and a price of its own */
  readonly variant_id?: number
  /** Values of options and modifiers that the price is for */
  readonly options: PricedOption[]
  /** The item as it was sent */
  readonly reference_request: PricedItem
  /** The manufacturer's recommended price; missing without one */
  readonly retail_price?: TaxPrice
  /** The sale price of the source; missing without one */
  readonly sale_price?: TaxPrice
  /** The lowest price that the maker allows in advertisements */
  readonly minimum_advertised_price?: TaxPrice
  /** The retail price less the calculated price, if that is above 0 */
  readonly saved?: TaxPrice
  /** The price of the price list, else of the catalog */
  readonly price: TaxPrice
  /** What the shopper pays for one unit, before discounts of quantities */
  readonly calculated_price: TaxPrice
  /** The lowest and the highest price of the variants that can be bought */
  readonly price_range?: PriceRange
  /** The lowest and the highest retail price of the variants */
  readonly retail_price_range?: PriceRange
  /** Lower prices from certain quantities on */
  readonly bulk_pricing: BulkPrice[]
}

export interface ItemSettings {
  /** Thresholds of the item at the location; absent values stay */
  settings: {
    /** The variant that the stock is of */
    identity: {
      /** The stock keeping unit: the number that the seller gave to the product or variant */
      sku?: string
      /** The variant of the product, which has the stock and a price of its own */
      variant_id?: number
      /** The product of the catalog */
      product_id?: number
    }
    /** Units that are never sold */
    safety_stock?: number
    /** Whether the item is offered at this location */
    is_in_stock?: boolean
    /** Stock at or below this number publishes an event */
    warning_level?: number
    /** The place of the item in the warehouse */
    bin_picking_number?: string
  }[]
}

export interface ListedCompany {
  /** The company: a business whose users buy together */
  readonly companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  /** The e-mail address of the company, unique in the store */
  companyEmail: string
  /** The telephone number of the company */
  companyPhone: string
  /** Street and number */
  addressLine1: string
  /** The second line of the street, such as a floor */
  addressLine2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The country, by its English name */
  country: string
  /** The postal code */
  zipCode: string
  /** 0 pending, 1 approved, 2 rejected, 3 inactive. Any can follow any */
  readonly companyStatus: "0" | "1" | "2" | "3"
  /** The name of the customer group of the company */
  readonly bcGroupName: string
  /** The price list of a dependent company */
  catalogId: string
  /** The name of the price list of the customer group */
  readonly catalogName: string
  /** A price list for each channel, stored for clients. Prices follow the list of the customer group */
  priceListAssign: PriceListAssign[]
  /** The company that it belongs to; null for none */
  readonly parentCompany: ParentCompany | null
  /** Values of the extra fields that the store's settings define */
  extraFields: CompanyExtraField[]
  /** The id of another system, stored as it came */
  uuid: string
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** The customer group of the company */
  readonly bcGroupId: number
}

export interface ListedCompanyOrder {
  readonly id: number
  /** The order of the store */
  bcOrderId: number
  /** What the order costs, with tax */
  readonly totalIncTax: number
  /** The number that the buyer gave the purchase */
  poNumber: string
  /** The name of the status */
  readonly status: string
  /** The name of the status in this store */
  readonly customStatus: string
  /** The number of the status, 0 to 14 */
  readonly statusCode: number
  /** The cart that it came from; null for none */
  readonly cartId: string | null
  /** The units of all lines */
  readonly items: number
  /** The total in US dollars by the rates of now; null if the store has none */
  readonly usdIncTax: number | null
  /** The company: a business whose users buy together */
  readonly companyId: number | null
  /** The code of the currency in ISO 4217 */
  readonly currencyCode: string
  /** How amounts in the currency are written; empty if the store has it no more */
  readonly money: OrderMoney[]
  /** Whether lists leave the order out */
  readonly isArchived: boolean
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  readonly channelId: number
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** Always null */
  readonly extraInt1: number | null
  /** Always null */
  readonly extraInt2: number | null
  /** Always null */
  readonly extraInt3: number | null
  /** Always null */
  readonly extraInt4: number | null
  /** Always null */
  readonly extraInt5: number | null
  /** Always null */
  readonly extraStr1: string | null
  /** Always null */
  readonly extraStr2: string | null
  /** Always null */
  readonly extraStr3: string | null
  /** Always null */
  readonly extraStr4: string | null
  /** Always null */
  readonly extraStr5: string | null
  /** Always null */
  readonly extraText: string | null
  /** Always empty */
  readonly extraInfo: null[]
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldValue[]
}

export interface ListedQuote {
  /** The number of the quote */
  readonly quoteId: number
  /** `QN` and the id with six digits */
  readonly quoteNumber: string
  /** The title of the quote, at most 255 characters */
  quoteTitle: string
  /** A number of the buyer or seller, at most 255 characters */
  referenceNumber: string
  /** 0 new, 2 in process, 3 updated by the customer, 4 ordered, 5 expired, 6 archived, 7 draft */
  status: number
  /** The id of its order, or empty */
  readonly bcOrderId: string
  /** As bcOrderId */
  readonly orderId: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** Who made the quote */
  readonly createdBy: string
  /** All lines at their base prices, stored as it is sent */
  subtotal: number
  /** What is taken off, stored as it is sent */
  discount: number
  /** The sum of offered prices and quantities, with or without shipping and tax; others are 422 */
  grandTotal: number
  /** What the buyer pays; by default the grand total */
  totalAmount: number
  /** The currency of the quote and how its amounts are written */
  currency: QuoteCurrency
  /** Values of the extra fields that the store's settings define */
  extraFields: ExtraFieldValue[]
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds: the last second of its last day */
  expiredAt: number
  /** The company of the person, as a text */
  readonly company: string
  /** The name of the sales representative */
  readonly salesRep: string
  /** Unix seconds */
  readonly updatedAt: number
}

export interface ListedSalesStaff {
  readonly id: number
  /** An e-mail address, compared without case */
  readonly email: string
  /** The name of the member of staff */
  readonly salesRepName: string
  /** The role of the member of staff */
  readonly roleName: string
  /** How many companies are assigned */
  readonly companyCount: number
}

export interface Listing {
  /** The listing; one that is missing or of another channel is passed over */
  listing_id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  readonly channel_id: number
  /** The product of the catalog */
  product_id: number
  /** Where the listing is on the channel */
  state: "active" | "disabled" | "error" | "pending" | "pending_disable" | "pending_delete" | "queued" | "rejected" | "submitted" | "deleted" | "partially_rejected"
  /** An id of another system, stored as it came */
  external_id: string
  /** The name that people see; of a listing empty for that of the catalog */
  name: string
  /** A text for this channel; empty for that of the catalog */
  description: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** Variants that the channel lists */
  variants: ListingVariant[]
}

export interface ListingChanges {
  /** The listing; one that is missing or of another channel is passed over */
  listing_id: number
  /** Where the listing is on the channel */
  state?: "active" | "disabled" | "error" | "pending" | "pending_disable" | "pending_delete" | "queued" | "rejected" | "submitted" | "deleted" | "partially_rejected"
  /** An id of another system, stored as it came */
  external_id?: string
  /** The name that people see; of a listing empty for that of the catalog */
  name?: string
  /** A text for this channel; empty for that of the catalog */
  description?: string
  /** Variants that the channel lists */
  variants?: ListingVariantChanges[]
}

export interface ListingVariant {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The product of the catalog */
  product_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** Where the listing is on the channel */
  state: "active" | "disabled" | "error" | "pending" | "pending_disable" | "pending_delete" | "queued" | "rejected" | "submitted" | "deleted"
  /** An id of another system, stored as it came */
  external_id: string
  /** The name that people see; of a listing empty for that of the catalog */
  name: string
  /** A text for this channel; empty for that of the catalog */
  description: string
  /** The time of its creation, in UTC */
  date_created: string
  /** The time of its last change, in UTC */
  date_modified: string
}

export interface ListingVariantChanges {
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The product of the catalog */
  product_id?: number
  /** Where the listing is on the channel */
  state?: "active" | "disabled" | "error" | "pending" | "pending_disable" | "pending_delete" | "queued" | "rejected" | "submitted" | "deleted"
  /** An id of another system, stored as it came */
  external_id?: string
  /** The name that people see; of a listing empty for that of the catalog */
  name?: string
  /** A text for this channel; empty for that of the catalog */
  description?: string
}

export interface Location {
  id: number
  /** A code of the seller, unique in the store without regard to case; without one `LOC-` and the id */
  code: string
  /** The name for people who work with it */
  label: string
  /** A note about the location */
  description: string
  /** Whether another system counts its stock, so that people are not to change it */
  managed_by_external_source: boolean
  /** Whether it is a place with an address or a virtual one */
  type_id: "PHYSICAL" | "VIRTUAL"
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** The opening hours of each day of the week */
  operating_hours: OperatingHours
  /** The time zone of the opening hours, such as `Etc/UTC` */
  time_zone: string
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
  /** Where it is. A physical location needs one */
  address: LocationAddress
  /** Whether storefronts show the location to shoppers */
  storefront_visibility: boolean
  /** Opening hours of single days, such as holidays */
  special_hours: SpecialHours[]
}

export type LocationAddress = {
  /** Street and number */
  address1: string
  /** The second line of the street, such as a floor */
  address2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The postal code */
  zip: string
  /** An e-mail address, compared without case */
  email: string
  /** A telephone number in any notation */
  phone: string
  /** The place on the map, by which shoppers find locations near them */
  geo_coordinates: {
    /** Degrees north of the equator, negative for south */
    latitude: number
    /** Degrees east of Greenwich, negative for west */
    longitude: number
  }
  /** ISO 3166-1; answers have two letters */
  country_code: string
} | null

export type LocationAddressChanges = {
  /** Street and number */
  address1?: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The postal code */
  zip?: string
  /** An e-mail address, compared without case */
  email?: string
  /** A telephone number in any notation */
  phone?: string
  /** The place on the map, by which shoppers find locations near them */
  geo_coordinates?: {
    /** Degrees north of the equator, negative for south */
    latitude: number
    /** Degrees east of Greenwich, negative for west */
    longitude: number
  }
  /** ISO 3166-1; answers have two letters */
  country_code?: string
} | null

export interface LocationChanges {
  /** A code of the seller, unique in the store without regard to case; without one `LOC-` and the id */
  code?: string
  /** The name for people who work with it */
  label?: string
  /** A note about the location */
  description?: string
  /** Whether another system counts its stock, so that people are not to change it */
  managed_by_external_source?: boolean
  /** Whether it is a place with an address or a virtual one */
  type_id?: "PHYSICAL" | "VIRTUAL"
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The opening hours of each day of the week */
  operating_hours?: OperatingHoursInput
  /** The time zone of the opening hours, such as `Etc/UTC` */
  time_zone?: string
  /** Where it is. A physical location needs one */
  address?: LocationAddressChanges
  /** Whether storefronts show the location to shoppers */
  storefront_visibility?: boolean
  /** Opening hours of single days, such as holidays */
  special_hours?: SpecialHoursInput[]
  id: number
}

export interface LogoSettings {
  /** Whether the logo is a picture or a text */
  type?: "image" | "text" | null
  /** The text in place of a picture */
  logo_text?: string | null
  /** The address of the picture; null without one */
  readonly logo_image_url?: string | null
  /** The address of the icon; null without one */
  readonly favicon_url?: string | null
}

export interface LogoSettingsChanges {
  /** Whether the logo is a picture or a text */
  type?: "image" | "text" | null
  /** The text in place of a picture */
  logo_text?: string | null
}

export interface LogoUpload {
  /** The picture as a part of the form */
  LogoFile: Upload
}

export interface ManualCartDiscount {
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

export interface ManualDiscounts {
  /** Discounts of the whole cart and of its lines */
  cart: ManualDiscountsOfCart
}

export interface ManualDiscountsOfCart {
  /** Amounts off the whole cart, added up */
  discounts?: ManualCartDiscount[]
  /** Amounts off single lines */
  line_items?: ManualLineDiscount[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface ManualLineDiscount {
  /** The line of the cart */
  id: string
  /** How much is taken off, as a positive amount */
  discounted_amount: number
}

/** Empty, or facts about the answer */
export type Meta = Record<string, never>

export interface Metafield {
  /** The metafield, unique in the store */
  id: number
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key: string
  /** The text that the metafield stores; clients often put JSON into it */
  value: string
  /** A group of metafields, chosen by the client that writes them */
  namespace: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description: string
  /** The kind of resource that the metafield belongs to */
  readonly resource_type: "brand" | "category" | "product" | "variant" | "order" | "channel" | "location" | "cart" | "customer" | "store"
  /** The resource that the metafield belongs to */
  resource_id: number
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The client that created the metafield. Others may change it only if `permission_set` allows it */
  readonly owner_client_id: string
}

export interface MetafieldChanges {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key?: string
  /** The text that the metafield stores; clients often put JSON into it */
  value?: string
  /** A group of metafields, chosen by the client that writes them */
  namespace?: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set?: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
}

export interface MetafieldChangesById {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key?: string
  /** The text that the metafield stores; clients often put JSON into it */
  value?: string
  /** A group of metafields, chosen by the client that writes them */
  namespace?: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set?: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
  /** The metafield, unique in the store */
  id: number
}

export interface Modifier {
  readonly id: number
  /** The product of the catalog */
  readonly product_id: number
  readonly name: string
  /** The name that shoppers see, unique in the product without regard to case */
  display_name: string
  /** How shoppers choose a value. Types without values are of modifiers only; a type never changes */
  type: "date" | "checkbox" | "file" | "text" | "multi_line_text" | "numbers_only_text" | "radio_buttons" | "rectangles" | "dropdown" | "product_list" | "product_list_with_images" | "swatch"
  /** Whether shoppers must choose a value before they can buy the product */
  required: boolean
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Settings by type. Answers have an empty list if there are none */
  config: {
    /** The value before the shopper chooses one */
    default_value?: string
    /** Whether the checkbox is ticked before the shopper changes it */
    checked_by_default?: boolean
    /** The text beside the checkbox */
    checkbox_label?: string
    /** Whether dates have bounds */
    date_limited?: boolean
    /** Which ends of the range of dates are bounded */
    date_limit_mode?: "earliest" | "range" | "latest"
    /** The first date that the shopper can choose */
    date_earliest_value?: string
    /** The last date that the shopper can choose */
    date_latest_value?: string
    /** Whether all types of files can be uploaded, or those of `file_types_supported` and `file_types_other` */
    file_types_mode?: "specific" | "all"
    /** Groups of types that the shopper may upload */
    file_types_supported?: string[]
    /** Further extensions of files that the shopper may upload */
    file_types_other?: string[]
    /** The maximum size of an uploaded file in kilobytes */
    file_max_size?: number
    /** Whether the length of the text has bounds */
    text_characters_limited?: boolean
    /** The minimum number of characters */
    text_min_length?: number
    /** The maximum number of characters */
    text_max_length?: number
    /** Whether the number of lines has a bound */
    text_lines_limited?: boolean
    /** The maximum number of lines */
    text_max_lines?: number
    /** Whether the number has bounds */
    number_limited?: boolean
    /** Which ends of the range of numbers are bounded */
    number_limit_mode?: "lowest" | "highest" | "range"
    /** The lowest number that the shopper can enter */
    number_lowest_value?: number
    /** The highest number that the shopper can enter */
    number_highest_value?: number
    /** Whether numbers with a fraction are refused */
    number_integers_only?: boolean
    /** Whether a sale takes units of the chosen product from stock */
    product_list_adjusts_inventory?: boolean
    /** Whether the price of the chosen product is added */
    product_list_adjusts_pricing?: boolean
    /** What the chosen product adds to a shipment: nothing, its weight, or a package of its own */
    product_list_shipping_calc?: "none" | "weight" | "package"
  } | unknown[]
  /** The values to choose from. A change replaces the list: items without `id` are new, missing ones are deleted */
  option_values: ModifierValue[]
}

export interface ModifierChanges {
  /** The name that shoppers see, unique in the product without regard to case */
  display_name?: string
  /** How shoppers choose a value. Types without values are of modifiers only; a type never changes */
  type?: "date" | "checkbox" | "file" | "text" | "multi_line_text" | "numbers_only_text" | "radio_buttons" | "rectangles" | "dropdown" | "product_list" | "product_list_with_images" | "swatch"
  /** Whether shoppers must choose a value before they can buy the product */
  required?: boolean
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Settings by type. Answers have an empty list if there are none */
  config?: {
    /** The value before the shopper chooses one */
    default_value?: string | null
    /** Whether the checkbox is ticked before the shopper changes it */
    checked_by_default?: boolean | null
    /** The text beside the checkbox */
    checkbox_label?: string | null
    /** Whether dates have bounds */
    date_limited?: boolean | null
    /** Which ends of the range of dates are bounded */
    date_limit_mode?: "earliest" | "range" | "latest" | null
    /** The first date that the shopper can choose */
    date_earliest_value?: string | null
    /** The last date that the shopper can choose */
    date_latest_value?: string | null
    /** Whether all types of files can be uploaded, or those of `file_types_supported` and `file_types_other` */
    file_types_mode?: "specific" | "all" | null
    /** Groups of types that the shopper may upload */
    file_types_supported?: string[] | null
    /** Further extensions of files that the shopper may upload */
    file_types_other?: string[] | null
    /** The maximum size of an uploaded file in kilobytes */
    file_max_size?: number | null
    /** Whether the length of the text has bounds */
    text_characters_limited?: boolean | null
    /** The minimum number of characters */
    text_min_length?: number | null
    /** The maximum number of characters */
    text_max_length?: number | null
    /** Whether the number of lines has a bound */
    text_lines_limited?: boolean | null
    /** The maximum number of lines */
    text_max_lines?: number | null
    /** Whether the number has bounds */
    number_limited?: boolean | null
    /** Which ends of the range of numbers are bounded */
    number_limit_mode?: "lowest" | "highest" | "range" | null
    /** The lowest number that the shopper can enter */
    number_lowest_value?: number | null
    /** The highest number that the shopper can enter */
    number_highest_value?: number | null
    /** Whether numbers with a fraction are refused */
    number_integers_only?: boolean | null
    /** Whether a sale takes units of the chosen product from stock */
    product_list_adjusts_inventory?: boolean | null
    /** Whether the price of the chosen product is added */
    product_list_adjusts_pricing?: boolean | null
    /** What the chosen product adds to a shipment: nothing, its weight, or a package of its own */
    product_list_shipping_calc?: "none" | "weight" | "package" | null
  } | unknown[]
  /** The values to choose from. A change replaces the list: items without `id` are new, missing ones are deleted */
  option_values?: {
    /** The value to change; a value without one is new */
    id?: number
    /** The text of the value, unique in its option without regard to case */
    label?: string
    /** Its position among others: lower numbers come first */
    sort_order?: number
    /** Whether it applies if nothing else is chosen */
    is_default?: boolean
    /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
    value_data?: Record<string, never> | unknown[] | null
    /** Changes of price, weight, picture and availability of the product if the value is chosen */
    adjusters?: {
      /** The change of the price; null for none */
      price?: {
        /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
        adjuster?: "relative" | "percentage" | null
        /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
        adjuster_value?: number | null
      } | null
      /** The change of the weight; null for none */
      weight?: {
        /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
        adjuster?: "relative" | "percentage" | null
        /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
        adjuster_value?: number | null
      } | null
      /** The absolute address of its picture; empty without one */
      image_url?: "" | string
      /** Whether the product can be bought with this value */
      purchasing_disabled?: {
        /** True if the product can't be bought with this value */
        status?: boolean
        /** The sentence for shoppers who choose a value that can't be bought */
        message?: string
      }
    }
  }[]
}

export interface ModifierValue {
  readonly id: number
  /** The option or modifier that the value belongs to */
  readonly option_id: number
  /** The text of the value, unique in its option without regard to case */
  label: string
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
  value_data: {
    /** One to three colors as `#rrggbb` */
    colors?: string[]
    /** The absolute address of its picture; empty without one */
    image_url?: string
    /** The product of the catalog */
    product_id?: number
    /** Whether this value stands for a ticked checkbox */
    checked_value?: boolean
  } | null
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** Changes of price, weight, picture and availability of the product if the value is chosen */
  adjusters: {
    /** The change of the price; null for none */
    price: {
      /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
      adjuster: "relative" | "percentage"
      /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
      adjuster_value: number
    } | null
    /** The change of the weight; null for none */
    weight: {
      /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
      adjuster: "relative" | "percentage"
      /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
      adjuster_value: number
    } | null
    /** The absolute address of its picture; empty without one */
    image_url: "" | string
    /** Whether the product can be bought with this value */
    purchasing_disabled: {
      /** True if the product can't be bought with this value */
      status: boolean
      /** The sentence for shoppers who choose a value that can't be bought */
      message: string
    }
  }
}

export interface ModifierValueChanges {
  /** The text of the value, unique in its option without regard to case */
  label?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
  value_data?: Record<string, never> | unknown[] | null
  /** Changes of price, weight, picture and availability of the product if the value is chosen */
  adjusters?: {
    /** The change of the price; null for none */
    price?: {
      /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
      adjuster?: "relative" | "percentage" | null
      /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
      adjuster_value?: number | null
    } | null
    /** The change of the weight; null for none */
    weight?: {
      /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
      adjuster?: "relative" | "percentage" | null
      /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
      adjuster_value?: number | null
    } | null
    /** The absolute address of its picture; empty without one */
    image_url?: "" | string
    /** Whether the product can be bought with this value */
    purchasing_disabled?: {
      /** True if the product can't be bought with this value */
      status?: boolean
      /** The sentence for shoppers who choose a value that can't be bought */
      message?: string
    }
  }
}

export type MovedCustomerOrders = Record<string, never>

export interface MovedOrders {
  /** The number of moved orders */
  readonly total: number
}

export interface NewBackendToken {
  /** The hash of the store */
  storeHash: string
  /** An e-mail address, compared without case */
  email: string
  /** In clear text; answers never have it */
  password: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  name?: string
  /** When the token begins to be valid, in Unix seconds */
  beginAt?: number
  /** When the token ends, in Unix seconds; at most 30 days from now */
  endAt?: number
}

export interface NewBanner {
  /** A name for the staff */
  name: string
  /** The text of the banner as HTML */
  content: string
  /** The kind of page that shows it */
  page: "home_page" | "category_page" | "brand_page" | "search_page"
  /** Whether it stands above or below the content */
  location: "top" | "bottom"
  /** Whether it is always shown, or from `date_from` to `date_to` */
  date_type: "always" | "custom"
  /** RFC 2822, or seconds since 1970; `0` is none */
  date_from?: string | number | null
  /** RFC 2822, or seconds since 1970; `0` is none */
  date_to?: string | number | null
  /** 1 or 0 */
  visible?: string | number | boolean
  /** The category or brand whose page shows it; `0` for other pages */
  item_id?: string | number
}

export interface NewBlogPost {
  /** The heading of the post, 1 to 255 characters */
  title: string
  /** The path of the post; by default `/blog/` and its title. A taken one is 207, and all else is saved */
  url?: string | null
  /** At most 1 MiB */
  body: string
  /** Words by which shoppers find posts, at most 50; equal ones in different case count once */
  tags?: string[]
  /** Whether shoppers can read it. A change without the field takes the post offline */
  is_published?: boolean
  /** RFC 2822 or RFC 3339; default the present */
  published_date?: string
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** The name of the author, as shoppers see it */
  author?: string | null
  /** The path of a small picture for lists */
  thumbnail_path?: string | null
}

export interface NewBrand {
  /** The name that shoppers see, unique in the store without regard to case */
  name: string
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page in storefronts. A taken path is refused; without one it is made from the name */
  custom_url?: CustomUrlInput
}

export interface NewBrandV2 {
  /** The name that shoppers see, unique in the store without regard to case */
  name: string
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page in storefronts. A taken path is refused; without one it is made from the name */
  custom_url?: CustomUrlInput
}

export interface NewBulkPricingRule {
  /** The price applies from this quantity on */
  quantity_min: number
  /** The price applies up to this quantity; 0 or null for no end */
  quantity_max: number
  /** What `amount` is: an amount off each unit, a percentage off, or the fixed price. All rules of a product have one type */
  type: "price" | "percent" | "fixed"
  /** The amount or the percentage, with four decimals; a percentage is at most 100 */
  amount: number
}

export interface NewBuyingCompany {
  /** The name of the company, as its account has it */
  companyName: string
  /** The e-mail address of the company, unique in the store */
  companyEmail: string
  /** The telephone number of the company */
  companyPhone: string
  /** The group of its users; 0 for none */
  customerGroupId?: number
  /** Street and number */
  addressLine1?: string
  /** The second line of the street, such as a floor */
  addressLine2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The country, by its English name */
  country: string
  /** The postal code */
  zipCode?: string
  /** The id of another system, stored as it came */
  uuid?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** The given name of the admin, the first user of the company */
  adminFirstName: string
  /** The family name of the admin */
  adminLastName: string
  /** The e-mail address of the admin. A customer of that address becomes the admin */
  adminEmail: string
  /** The telephone number of the admin */
  adminPhoneNumber?: string
  /** The channel whose customers the person belongs to */
  originChannelId?: number
  /** The channels to which it applies */
  channelIds?: number[]
  /** The price list of the customer group; empty for none */
  catalogId?: number | string
  /** Whether a new customer receives the welcome mail */
  acceptCreationEmail?: boolean
  /** As acceptCreationEmail */
  acceptWelcomeEmail?: boolean
  /** Values of extra fields of the admin */
  userExtraFields?: ExtraFieldInput[]
}

export interface NewCart {
  /** 0 for a guest */
  customer_id?: number
  /** What is bought, by kind: physical, digital and custom items, and gift certificates. Bodies have one list */
  line_items?: NewCartLine[]
  /** Lines without a product of the catalog, with a name and a price */
  custom_items?: NewCartCustomItem[]
  /** Gift certificates to buy */
  gift_certificates?: NewCartGiftCertificate[]
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The currency of all amounts, in capitals. A new cart without one has the default of its channel */
  currency?: NewCartCurrency
  /** The language of the shopper, such as `en` or `en-US`. The order keeps it */
  locale?: string
}

export interface NewCartCurrency {
  /** The code of the currency or of the coupon */
  code?: string
}

export interface NewCartCustomItem {
  name: string
  /** How many units */
  quantity: number
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The absolute address of its picture; empty without one */
  image_url?: string
  /** The wrapping of the units; missing or null without one */
  gift_wrapping?: GiftWrapDetails
}

export interface NewCartGiftCertificate {
  name: string
  /** The look of the certificate */
  theme: "Birthday" | "Boy" | "Celebration" | "Christmas" | "General" | "Girl"
  /** An amount in the currency of the cart; certificates have 1 to 1,000 of the default currency */
  amount: number
  /** How many units */
  quantity: number
  /** The person who gives the certificate */
  sender: NewGiftCertificatePerson
  /** The person who gets the certificate by mail */
  recipient: NewGiftCertificatePerson
  /** A text of the sender, at most 200 characters */
  message?: string
}

export interface NewCartItems {
  /** What is bought, by kind: physical, digital and custom items, and gift certificates. Bodies have one list */
  line_items?: NewCartLine[]
  /** Lines without a product of the catalog, with a name and a price */
  custom_items?: NewCartCustomItem[]
  /** Gift certificates to buy */
  gift_certificates?: NewCartGiftCertificate[]
  /** The version that the caller has read */
  version?: number | null
}

export interface NewCartLine {
  /** The product of the catalog */
  product_id: number
  /** How many units */
  quantity: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number | null
  /** The price of one unit before discounts. One in a body replaces the price of the catalog */
  list_price?: number | null
  name?: string
  /** Values of options and modifiers. A product with options needs them or a `variant_id` */
  option_selections?: CartOptionSelection[]
  /** The wrapping of the units; missing or null without one */
  gift_wrapping?: GiftWrapDetails
}

export interface NewCartRedirectUrls {
  /** Names with their values, or pairs of key and value: at most 20, and 2000 characters */
  query_params?: CartRedirectParam | CartRedirectParam[] | Record<string, unknown>
}

export interface NewCategory {
  /** The category that contains it, of the same tree; 0 at the top */
  parent_id: number
  /** The name that shoppers see, 1 to 50 characters */
  name: string
  /** The text of its page as HTML */
  description?: string
  /** How often shoppers opened its page */
  views?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** The order of its products in storefronts before the shopper chooses one */
  default_product_sort?: "use_store_settings" | "featured" | "newest" | "best_selling" | "alpha_asc" | "alpha_desc" | "avg_customer_review" | "price_asc" | "price_desc"
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page, unique in the storefront of its tree */
  custom_url?: {
    /** The path of its page, beginning and ending with a slash */
    url?: string
    /** Whether a client chose the path; if not, it follows the name */
    is_customized?: boolean
  }
}

export interface NewCertificate {
  /** The address of the site that it is for */
  url?: string
  /** The certificate in PEM, with its key and those between */
  certificate: {
    /** The certificate in PEM, with its key and those between */
    certificate: string
    /** The private key in PEM, stored encrypted and never answered */
    private_key: string
    /** Certificates between this one and the root, in PEM */
    intermediate_certificates?: string
  }
}

export interface NewChannel {
  /** 1 to 255 Latin letters, digits, dashes and underscores */
  name: string
  /** An id of another system, stored as it came */
  external_id?: string
  /** Where the channel is. Its type decides which values it can get */
  status?: "prelaunch" | "active" | "inactive" | "connected" | "disconnected" | "archived" | "deleted" | "terminated"
  /** Whether people can list products on it by hand */
  is_listable_from_ui?: boolean
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** The kind of channel; it never changes. It decides which `platform` fits */
  type: "storefront" | "pos" | "marketplace" | "marketing"
  /** The system that runs it; it never changes. The type `storefront` takes acquia, bigcommerce, bloomreach, catalyst, deity, drupal, gatsby, next, vue, wordpress, custom; `pos` takes clover, square, stripe, talech, vend, custom; `marketplace` takes amazon, belk, catch, ebay, etsy, facebook, hudsons_bay, google, instagram, macys, meta, mirakl, overstock, pinterest, target_plus, tiktok, wayfair, wish, walmart, custom; `marketing` takes facebook, google, google_shopping, instagram, meta, microsoft, custom */
  platform: string
}

export interface NewChannelMenus {
  /** Built-in pages of a control panel that the channel has */
  bigcommerce_protected_app_sections?: ("overview" | "storefront_settings" | "localization" | "carousel" | "script_manager" | "currencies" | "payments" | "checkout" | "domains" | "notifications" | "social" | "pages" | "data_solutions")[]
  /** Further pages of a control panel that the channel has */
  custom_app_sections?: {
    /** The name of the page */
    title: string
    /** The end of its path */
    query_path: string
  }[]
}

export interface NewChannelSite {
  /** Scheme and host. The server appends the paths of its pages */
  url: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface NewCheckoutConsignment {
  /** Where the lines go; missing for a pickup */
  address?: CheckoutShippingAddress
  /** The pickup method. Such a checkout has no other consignment */
  pickup_option?: CheckoutPickupChoice
  /** Lines of the cart with the quantities that go to this address */
  line_items: CheckoutConsignmentLine[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface NewCheckoutFee {
  /** Always `custom_fee` */
  type: "custom_fee"
  /** A name for clients, 1 to 50 characters */
  name: string
  /** The name that shoppers see, 1 to 200 characters */
  display_name: string
  /** The amount as prices are entered: with or without tax */
  cost: number
  /** Which system added the fee, 1 to 50 characters */
  source: string
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number | null
}

export interface NewCheckoutFees {
  /** Fees that clients added, at most 5 */
  fees: NewCheckoutFee[]
  /** Counts changes of cart and checkout. A version in a body must be the current one, else 409 and nothing changes */
  version?: number
}

export interface NewCheckoutToken {
  /** Uses, 1 if missing */
  maxUses?: number
  /** Seconds until it ends, 3600 if missing */
  ttl?: number
}

export interface NewCompanyAddress {
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** Street and number */
  addressLine1: string
  /** The city or town */
  city: string
  /** A telephone number in any notation */
  phoneNumber?: string
  /** Another name of phoneNumber */
  phone?: string
  /** The postal code */
  zipCode?: string
  /** The second line of the street, such as a floor */
  addressLine2?: string
  /** The country, by its English name. It follows from `countryCode`, and one of them is needed */
  countryName?: string
  /** Another name of countryName */
  country?: string
  /** Two letters, such as DK */
  countryCode?: string
  /** The state, by its name. It follows from `stateCode`, and one of them is needed where countries have states */
  stateName?: string
  /** The state, by its code of ISO 3166-2 without the country */
  stateCode?: string
  /** Whether invoices can go there */
  isBilling?: boolean
  /** Whether orders can be sent there */
  isShipping?: boolean
  /** Replaces the former default of the company. Needs isBilling */
  isDefaultBilling?: boolean
  /** Replaces the former default of the company. Needs isShipping */
  isDefaultShipping?: boolean
  /** A name for the address, such as `Warehouse` */
  label?: string
  /** An id of another system, stored as it came */
  externalId?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** The company: a business whose users buy together */
  companyId: number
}

export interface NewCompanyAttachment {
  /** The file of the form, at most 10 MiB. Answers have a link */
  attachmentFile: Upload
}

export interface NewCompanyOrder {
  /** The number that the buyer gave the purchase */
  poNumber?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** The order of the store */
  bcOrderId: number
  /** The customer account of the store */
  customerId?: number
}

export interface NewCompanyParent {
  /** The company that it will belong to; it must not be one of its own */
  parentCompanyId: number
}

export interface NewCompanyQuote {
  /** All lines at their base prices, stored as it is sent */
  subtotal: number | string
  /** What is taken off, stored as it is sent */
  discount: number | string
  /** The sum of offered prices and quantities, with or without shipping and tax; others are 422 */
  grandTotal: number | string
  /** The last day, as month/day/year */
  expiredAt: string
  /** The buyer: name and e-mail address are needed */
  contactInfo: NewQuoteContact
  /** The lines of the quote, 1 to 500 */
  productList: NewQuoteLine[]
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** The title of the quote, at most 255 characters */
  quoteTitle?: string
  /** A number of the buyer or seller, at most 255 characters */
  referenceNumber?: string
  /** The currency of the quote and how its amounts are written */
  currency?: NewQuoteCurrency
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** Notes for the buyer, at most 65,535 characters */
  notes?: string
  /** Terms on the quote, at most 65,535 characters */
  legalTerms?: string
  /** Whether the buyer sees the discount; by default a setting of the store */
  displayDiscount?: boolean
  /** Whether the buyer can order it without the seller; by default a setting of the store */
  allowCheckout?: boolean
  /** A number from 0 to 2 for clients, stored as it is sent */
  discountType?: number
  /** The number of the discount for clients, stored as it is sent; null for none */
  discountValue?: number | null
  /** The cost of shipping */
  shippingTotal?: number | string
  /** The taxes */
  taxTotal?: number | string
  /** What the buyer pays; by default the grand total */
  totalAmount?: number | string
  /** Where the goods go; shipping rates depend on it */
  shippingAddress?: QuoteAddress
  /** The address of the invoice */
  billingAddress?: QuoteAddress
  /** A message that is added to the history, at most 2,000 characters */
  message?: string
  /** The sales representative: a member of staff, by default the owner of the store */
  userEmail?: string
  /** E-mail addresses that get copies, at most 20 */
  recipients?: string[]
  /** The company: a business whose users buy together */
  companyId?: number
}

export interface NewCompanyRole {
  name: string
  /** What members may do, and for whom */
  permissions: PermissionGrant[]
}

export interface NewCompanyUser {
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** An e-mail address, compared without case */
  email: string
  /** A telephone number in any notation */
  phoneNumber?: string
  /** 0 admin, 1 senior buyer, 2 junior buyer */
  role?: number
  /** The role, which decides what the user may do */
  companyRoleId?: number
  /** The id of another system, stored as it came */
  uuid?: string
  /** The channels to which it applies */
  channelIds?: number[]
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** The company: a business whose users buy together */
  companyId: number
  /** The channel whose customers the person belongs to */
  originChannelId?: number
  /** Whether a new customer receives the welcome mail */
  acceptWelcomeEmail?: boolean
}

export interface NewComplexRule {
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** Whether later rules are left out if this one applies */
  stop?: boolean
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled?: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message?: string
  /** Whether the product is hidden if the rule applies */
  purchasing_hidden?: boolean
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The change of the price if the rule applies */
  price_adjuster?: {
    /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
    adjuster?: "relative" | "percentage" | null
    /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
    adjuster_value?: number
  }
  /** The change of the weight if the rule applies */
  weight_adjuster?: {
    /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
    adjuster?: "relative" | "percentage" | null
    /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
    adjuster_value?: number
  }
  /** Values of modifiers, or variants, that must all be chosen; at most 50. A change replaces the list */
  conditions?: {
    /** The modifier: an option that makes no variant */
    modifier_id?: number | null
    /** The value of the modifier that must be chosen */
    modifier_value_id?: number | null
    /** The variant of the product, which has the stock and a price of its own */
    variant_id?: number | null
  }[]
}

export interface NewCoupon {
  /** Refused */
  id?: unknown
  /** The name that the staff sees, unique in the store without regard to case */
  name: string
  /** Letters, digits, blanks, `_` and `-` */
  code: string
  /** What is reduced: each item, the total, or shipping; by an amount or a percentage */
  type: "per_item_discount" | "per_total_discount" | "shipping_discount" | "free_shipping" | "percentage_discount"
  /** The amount or percentage, more than 0; a percentage is at most 100 */
  amount: number
  /** The least total of a cart that can use it; 0 for any */
  min_purchase?: number
  /** RFC 2822, or seconds since 1970; `0` is none */
  expires?: string | number | null
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The products or categories that are reduced. Categories `[0]` mean everything */
  applies_to: {
    /** Whether `ids` are products or categories */
    entity: "products" | "categories"
    /** Products or categories; `[0]` for everything */
    ids: number[]
  }
  /** 0 for no maximum */
  max_uses?: number
  /** 0 for no maximum */
  max_uses_per_customer?: number
  /** Countries of shipping addresses that it is for */
  restricted_to?: {
    /** Codes of countries */
    countries?: string
  }
  /** Shipping methods that it is for; empty for any */
  shipping_methods?: string[]
}

export interface NewCurrencyAssignment {
  /** Codes of the currencies of the storefront, 1 to 100 */
  enabled_currencies: string[]
  /** The currency that shoppers see first; one of the enabled ones */
  default_currency: string
}

export interface NewCurrencyV2 {
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** The country, as two letters of ISO 3166-1 */
  country_iso2?: string
  /** As text or as a number */
  currency_exchange_rate: string | number
  /** Always false for currencies that shoppers pay in; no service of rates is asked */
  auto_update?: boolean
  /** Whether the sign stands left or right of the amount */
  token_location: "left" | "right"
  /** The sign of the currency, 1 to 4 characters */
  token: string
  /** The character before the decimals */
  decimal_token: string
  /** The character between groups of three digits */
  thousands_token: string
  /** How many decimals amounts have */
  decimal_places: number
  /** The name of the currency */
  name: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** Whether shoppers can pay in it; others are for display */
  is_transactional?: boolean
  /** The code of the currency in ISO 4217 */
  currency_code: string
}

export interface NewCustomField {
  /** The heading of the field on the page of the product, 1 to 250 characters */
  name: string
  /** The text of the field, 1 to 250 characters */
  value: string
}

export interface NewCustomer {
  /** An e-mail address, compared without case */
  email: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company?: string
  /** A telephone number in any notation */
  phone?: string
  /** Notes of the staff; shoppers never see them */
  notes?: string
  /** A code that exempts the customer from taxes at a tax provider; empty for none */
  tax_exempt_category?: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id?: number
  /** The password, and whether it must be changed */
  authentication?: {
    /** In clear text; answers never have it. The server stores a hash */
    new_password?: string
    /** Whether the customer must choose a new password at the next login */
    force_password_reset?: boolean
  }
  /** Whether the customer agreed to mails about reviews and abandoned carts */
  accepts_product_review_abandoned_cart_emails?: boolean
  /** Money that the customer can spend in the store, in the default currency */
  store_credit_amounts?: StoreCreditAmount[]
  /** Values of the form fields that the store's settings define */
  form_fields?: FormFieldValue[]
  /** The channels to which it applies */
  channel_ids?: number[] | null
  /** Addresses of the customer; at most 10 in a body, and a link below /v2 */
  addresses?: AddressOfNewCustomer[]
  /** Values of attributes; at most 10 in a body */
  attributes?: AttributeOfNewCustomer[]
  /** The channel at which the account was created */
  origin_channel_id?: number
  /** Whether the customer gets the welcome mail of the channel */
  trigger_account_created_notification?: boolean
}

export interface NewCustomerAddress {
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  address1: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city: string
  /** The full name, where the country has a list of states */
  state_or_province: string
  /** The postal code; optional in countries without postal codes */
  postal_code: string
  /** Code of ISO 3166-1 */
  country_code: string
  /** A telephone number in any notation */
  phone?: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type?: "residential" | "commercial"
  /** Values of the form fields that the store's settings define */
  form_fields?: FormFieldValue[]
  /** The customer account of the store */
  customer_id: number
}

export interface NewCustomerAddressV2 {
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** Street and number */
  street_1: string
  /** The city or town */
  city: string
  /** The full name; empty or blank without a state */
  state: string
  /** The postal code */
  zip: string
  /** The full name in English */
  country: string
  /** A telephone number in any notation */
  phone: string
  /** The company of the person, as a text */
  company?: string
  /** The second line of the street, such as a floor */
  street_2?: string
  /** Whether somebody lives there or works there; carriers may charge by it */
  address_type?: "residential" | "commercial"
}

export interface NewCustomerAttribute {
  /** The name, unique in the store without regard to case */
  name: string
  /** What values must be; it never changes */
  type: "string" | "number" | "date"
}

export interface NewCustomerConsent {
  /** Categories of tracking that the customer allows; `essential` always counts as allowed */
  allow?: ("essential" | "functional" | "analytics" | "targeting")[]
  /** Categories of tracking that the customer refuses */
  deny?: ("essential" | "functional" | "analytics" | "targeting")[]
}

export interface NewCustomerGroupV2 {
  /** The name of the group, unique in the store without regard to case */
  name: string
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Which categories members of the group see */
  category_access?: CategoryAccess
  /** Lower prices for members. A change replaces the list */
  discount_rules?: NewDiscountRule[]
  /** Whether shoppers without an account belong to it; one group at most */
  is_group_for_guests?: boolean
}

export interface NewCustomerV2 {
  /** The password, and whether it must be changed */
  _authentication?: {
    /** In clear text; answers never have it. The server stores a hash */
    password?: string
    /** The same password again */
    password_confirmation?: string
    /** Whether the customer must choose a new password at the next login */
    force_reset?: boolean
  }
  /** The company of the person, as a text */
  company?: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** An e-mail address, compared without case */
  email: string
  /** A telephone number in any notation */
  phone?: string
  /** Money that the customer can spend in the store, in the default currency */
  store_credit?: number
  /** The IP address at which the account was created */
  registration_ip_address?: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id?: number
  /** Notes of the staff; shoppers never see them */
  notes?: string
  /** A code that exempts the customer from taxes at a tax provider; empty for none */
  tax_exempt_category?: string
  /** Whether the customer must choose a new password at the next login */
  reset_pass_on_login?: boolean
}

export interface NewDiscountRule {
  /** What gets cheaper: everything, a category, a product, or prices of a price list */
  type: "price_list" | "all" | "category" | "product"
  /** What `amount` is: a percentage off, an amount off, or the fixed price */
  method?: "percent" | "price" | "fixed"
  /** The amount or percentage with four decimals; a percentage is at most 100 */
  amount?: number
  /** The price list whose prices apply */
  price_list_id?: number
  /** The category, as the catalog has it */
  category_id?: number
  /** The product of the catalog */
  product_id?: number
}

export interface NewFormField {
  /** The label that shoppers see */
  name: string
  /** How shoppers enter the value */
  type: "checkboxes" | "date" | "multiline" | "numbers" | "password" | "radiobuttons" | "text" | "picklist"
  /** The text for shoppers; the default is the name */
  label?: string
  /** Binds the storefront, not this API */
  required?: boolean
  /** The options of checkboxes, radiobuttons and picklist */
  options?: string[]
}

export interface NewGiftCertificate {
  /** What shoppers enter, unique in the store; made by the server if it is missing */
  code?: string
  /** Whether it can be spent. It reads `expired` from its expiry date on */
  status?: "active" | "pending" | "disabled" | "expired"
  /** The customer account of the store */
  customer_id?: number
  /** The name of the person who gets it */
  to_name: string
  /** Where it is sent */
  to_email: string
  /** The name of the person who gives it */
  from_name: string
  /** The e-mail address of the person who gives it */
  from_email: string
  /** The amount for which it was bought, more than 0 */
  amount: number
  /** What is left of it; by default the amount */
  balance?: number
  /** The code of the currency in ISO 4217 */
  currency_code?: string
  /** RFC 2822, or seconds since 1970; `0` is none */
  purchase_date?: string | number | null
  /** RFC 2822, or seconds since 1970; `0` is none */
  expiry_date?: string | number | null
  /** Such as `birthday.html` */
  template?: string
  /** A text of the giver, at most 250 characters */
  message?: string
}

export interface NewGiftCertificatePerson {
  name: string
  /** An e-mail address, compared without case */
  email: string
}

export interface NewImage {
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** Whether this picture represents the product in lists. A product has one such picture */
  is_thumbnail?: boolean
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The text for people who do not see the picture */
  description?: string
}

export interface NewImpersonationToken {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The channels to which it applies */
  channel_ids?: number[]
  /** Unix seconds */
  expires_at: number
}

export interface NewInvoice {
  /** The number on the invoice, unique in the store */
  invoiceNumber: string
  /** A word of the client for the kind; `Invoice` by default */
  type?: string
  /** Unix seconds */
  dueDate?: number
  /** Ignored: the status follows from the balances */
  status?: number
  /** The number of the order that it is for */
  orderNumber?: string
  /** The number that the buyer gave the purchase */
  purchaseOrderNumber?: string
  /** The amount of the invoice */
  originalBalance: CompanionMoneyInput
  /** What is still to pay */
  openBalance: CompanionMoneyInput
  /** Unix seconds */
  issuedAt?: number
  /** Further data for people and the PDF. The server does not calculate with it */
  details?: InvoiceDetails
  /** 1 for an invoice of an external system */
  source?: number
  /** The id of the company */
  customerId: string
  /** An id of another system, stored as it came */
  externalId?: string
  /** The id of the company in another system */
  externalCustomerId?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** The address of a PDF in place of the one that the server makes */
  externalPdfUrl?: string
  /** The terms on the invoice, at most 65,535 characters */
  termsConditions?: string
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
}

export interface NewListing {
  /** The product of the catalog */
  product_id: number
  /** Where the listing is on the channel */
  state: "active" | "disabled" | "error" | "pending" | "pending_disable" | "pending_delete" | "queued" | "rejected" | "submitted" | "deleted" | "partially_rejected"
  /** An id of another system, stored as it came */
  external_id?: string
  /** The name that people see; of a listing empty for that of the catalog */
  name?: string
  /** A text for this channel; empty for that of the catalog */
  description?: string
  /** Variants that the channel lists */
  variants: NewListingVariant[]
}

export interface NewListingVariant {
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The product of the catalog */
  product_id: number
  /** Where the listing is on the channel */
  state: "active" | "disabled" | "error" | "pending" | "pending_disable" | "pending_delete" | "queued" | "rejected" | "submitted" | "deleted"
  /** An id of another system, stored as it came */
  external_id?: string
  /** The name that people see; of a listing empty for that of the catalog */
  name?: string
  /** A text for this channel; empty for that of the catalog */
  description?: string
}

export interface NewLocation {
  /** A code of the seller, unique in the store without regard to case; without one `LOC-` and the id */
  code?: string
  /** The name for people who work with it */
  label: string
  /** A note about the location */
  description?: string
  /** Whether another system counts its stock, so that people are not to change it */
  managed_by_external_source?: boolean
  /** Whether it is a place with an address or a virtual one */
  type_id?: "PHYSICAL" | "VIRTUAL"
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The opening hours of each day of the week */
  operating_hours?: OperatingHoursInput
  /** The time zone of the opening hours, such as `Etc/UTC` */
  time_zone?: string
  /** Where it is. A physical location needs one */
  address?: NewLocationAddress
  /** Whether storefronts show the location to shoppers */
  storefront_visibility?: boolean
  /** Opening hours of single days, such as holidays */
  special_hours?: SpecialHoursInput[]
}

export type NewLocationAddress = {
  /** Street and number */
  address1: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The postal code */
  zip: string
  /** An e-mail address, compared without case */
  email: string
  /** A telephone number in any notation */
  phone?: string
  /** The place on the map, by which shoppers find locations near them */
  geo_coordinates: {
    /** Degrees north of the equator, negative for south */
    latitude: number
    /** Degrees east of Greenwich, negative for west */
    longitude: number
  }
  /** ISO 3166-1; answers have two letters */
  country_code: string
} | null

export interface NewMetafield {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key: string
  /** The text that the metafield stores; clients often put JSON into it */
  value: string
  /** A group of metafields, chosen by the client that writes them */
  namespace: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
}

export interface NewMetafieldOfResource {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key: string
  /** The text that the metafield stores; clients often put JSON into it */
  value: string
  /** A group of metafields, chosen by the client that writes them */
  namespace: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
  /** The resource that the metafield belongs to */
  resource_id: number
}

export interface NewModifier {
  /** The name that shoppers see, unique in the product without regard to case */
  display_name: string
  /** How shoppers choose a value. Types without values are of modifiers only; a type never changes */
  type: "date" | "checkbox" | "file" | "text" | "multi_line_text" | "numbers_only_text" | "radio_buttons" | "rectangles" | "dropdown" | "product_list" | "product_list_with_images" | "swatch"
  /** Whether shoppers must choose a value before they can buy the product */
  required: boolean
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Settings by type. Answers have an empty list if there are none */
  config?: {
    /** The value before the shopper chooses one */
    default_value?: string | null
    /** Whether the checkbox is ticked before the shopper changes it */
    checked_by_default?: boolean | null
    /** The text beside the checkbox */
    checkbox_label?: string | null
    /** Whether dates have bounds */
    date_limited?: boolean | null
    /** Which ends of the range of dates are bounded */
    date_limit_mode?: "earliest" | "range" | "latest" | null
    /** The first date that the shopper can choose */
    date_earliest_value?: string | null
    /** The last date that the shopper can choose */
    date_latest_value?: string | null
    /** Whether all types of files can be uploaded, or those of `file_types_supported` and `file_types_other` */
    file_types_mode?: "specific" | "all" | null
    /** Groups of types that the shopper may upload */
    file_types_supported?: string[] | null
    /** Further extensions of files that the shopper may upload */
    file_types_other?: string[] | null
    /** The maximum size of an uploaded file in kilobytes */
    file_max_size?: number | null
    /** Whether the length of the text has bounds */
    text_characters_limited?: boolean | null
    /** The minimum number of characters */
    text_min_length?: number | null
    /** The maximum number of characters */
    text_max_length?: number | null
    /** Whether the number of lines has a bound */
    text_lines_limited?: boolean | null
    /** The maximum number of lines */
    text_max_lines?: number | null
    /** Whether the number has bounds */
    number_limited?: boolean | null
    /** Which ends of the range of numbers are bounded */
    number_limit_mode?: "lowest" | "highest" | "range" | null
    /** The lowest number that the shopper can enter */
    number_lowest_value?: number | null
    /** The highest number that the shopper can enter */
    number_highest_value?: number | null
    /** Whether numbers with a fraction are refused */
    number_integers_only?: boolean | null
    /** Whether a sale takes units of the chosen product from stock */
    product_list_adjusts_inventory?: boolean | null
    /** Whether the price of the chosen product is added */
    product_list_adjusts_pricing?: boolean | null
    /** What the chosen product adds to a shipment: nothing, its weight, or a package of its own */
    product_list_shipping_calc?: "none" | "weight" | "package" | null
  } | unknown[]
  /** The values to choose from. A change replaces the list: items without `id` are new, missing ones are deleted */
  option_values?: {
    /** The text of the value, unique in its option without regard to case */
    label: string
    /** Its position among others: lower numbers come first */
    sort_order?: number
    /** Whether it applies if nothing else is chosen */
    is_default?: boolean
    /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
    value_data?: Record<string, never> | unknown[] | null
    /** Changes of price, weight, picture and availability of the product if the value is chosen */
    adjusters?: {
      /** The change of the price; null for none */
      price?: {
        /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
        adjuster?: "relative" | "percentage" | null
        /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
        adjuster_value?: number | null
      } | null
      /** The change of the weight; null for none */
      weight?: {
        /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
        adjuster?: "relative" | "percentage" | null
        /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
        adjuster_value?: number | null
      } | null
      /** The absolute address of its picture; empty without one */
      image_url?: "" | string
      /** Whether the product can be bought with this value */
      purchasing_disabled?: {
        /** True if the product can't be bought with this value */
        status?: boolean
        /** The sentence for shoppers who choose a value that can't be bought */
        message?: string
      }
    }
  }[]
}

export interface NewModifierValue {
  /** The text of the value, unique in its option without regard to case */
  label: string
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
  value_data?: Record<string, never> | unknown[] | null
  /** Changes of price, weight, picture and availability of the product if the value is chosen */
  adjusters?: {
    /** The change of the price; null for none */
    price?: {
      /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
      adjuster?: "relative" | "percentage" | null
      /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
      adjuster_value?: number | null
    } | null
    /** The change of the weight; null for none */
    weight?: {
      /** Whether the value is added (`relative`) or a percentage; null for no adjustment */
      adjuster?: "relative" | "percentage" | null
      /** The amount or the percentage of the adjuster; negative numbers lower the price or weight */
      adjuster_value?: number | null
    } | null
    /** The absolute address of its picture; empty without one */
    image_url?: "" | string
    /** Whether the product can be bought with this value */
    purchasing_disabled?: {
      /** True if the product can't be bought with this value */
      status?: boolean
      /** The sentence for shoppers who choose a value that can't be bought */
      message?: string
    }
  }
}

export interface NewOfflinePayment {
  /** The lines: products of an invoice, or invoices of a payment with amounts */
  lineItems: NewPaymentLine[]
  /** The code of the currency in ISO 4217 */
  currency: string
  /** Further data for people and the PDF. The server does not calculate with it */
  details: NewPaymentDetails
  /** An id of another system, stored as it came */
  externalId?: string
  /** The id of the company */
  customerId: string
  /** The id of the company in another system */
  externalCustomerId?: string
  /** Who paid; `Store offline payment` by default */
  payerName?: string
  /** The id of who paid; the company by default */
  payerCustomerId?: string
  /** Where the payment is: 1 awaiting, 2 processing, 3 completed, 4 refunded */
  processingStatus?: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
}

export interface NewOption {
  /** The name that shoppers see, unique in the product without regard to case */
  display_name: string
  /** How shoppers choose a value. Types without values are of modifiers only; a type never changes */
  type: "radio_buttons" | "rectangles" | "dropdown" | "product_list" | "product_list_with_images" | "swatch"
  /** Settings by type. Answers have an empty list if there are none */
  config?: {
    /** The value before the shopper chooses one */
    default_value?: string | null
    /** Whether the checkbox is ticked before the shopper changes it */
    checked_by_default?: boolean | null
    /** The text beside the checkbox */
    checkbox_label?: string | null
    /** Whether dates have bounds */
    date_limited?: boolean | null
    /** Which ends of the range of dates are bounded */
    date_limit_mode?: "earliest" | "range" | "latest" | null
    /** The first date that the shopper can choose */
    date_earliest_value?: string | null
    /** The last date that the shopper can choose */
    date_latest_value?: string | null
    /** Whether all types of files can be uploaded, or those of `file_types_supported` and `file_types_other` */
    file_types_mode?: "specific" | "all" | null
    /** Groups of types that the shopper may upload */
    file_types_supported?: string[] | null
    /** Further extensions of files that the shopper may upload */
    file_types_other?: string[] | null
    /** The maximum size of an uploaded file in kilobytes */
    file_max_size?: number | null
    /** Whether the length of the text has bounds */
    text_characters_limited?: boolean | null
    /** The minimum number of characters */
    text_min_length?: number | null
    /** The maximum number of characters */
    text_max_length?: number | null
    /** Whether the number of lines has a bound */
    text_lines_limited?: boolean | null
    /** The maximum number of lines */
    text_max_lines?: number | null
    /** Whether the number has bounds */
    number_limited?: boolean | null
    /** Which ends of the range of numbers are bounded */
    number_limit_mode?: "lowest" | "highest" | "range" | null
    /** The lowest number that the shopper can enter */
    number_lowest_value?: number | null
    /** The highest number that the shopper can enter */
    number_highest_value?: number | null
    /** Whether numbers with a fraction are refused */
    number_integers_only?: boolean | null
    /** Whether a sale takes units of the chosen product from stock */
    product_list_adjusts_inventory?: boolean | null
    /** Whether the price of the chosen product is added */
    product_list_adjusts_pricing?: boolean | null
    /** What the chosen product adds to a shipment: nothing, its weight, or a package of its own */
    product_list_shipping_calc?: "none" | "weight" | "package" | null
  } | unknown[]
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The values to choose from. A change replaces the list: items without `id` are new, missing ones are deleted */
  option_values: NewOptionValue[]
}

export interface NewOptionValue {
  /** The text of the value, unique in its option without regard to case */
  label: string
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
  value_data?: Record<string, never> | unknown[] | null
}

export interface NewOrder {
  /** Where the order is: 0 incomplete, 1 pending, 2 shipped, 3 partially shipped, 4 refunded, 5 cancelled, 6 declined, 7 awaiting payment, 8 awaiting pickup, 9 awaiting shipment, 10 completed, 11 awaiting fulfillment, 12 verification, 13 disputed, 14 partially refunded */
  status_id?: number
  /** The customer account of the store */
  customer_id?: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The shopper's note to the shop */
  customer_message?: string
  /** Notes of the staff; shoppers never see them. The server adds a line for failed payments */
  staff_notes?: string
  /** A discount on the whole order, shared by its lines */
  discount_amount?: number
  /** Shipping as prices are entered, with or without tax */
  base_shipping_cost?: number
  /** Shipping without tax. If it is missing, the server calculates it */
  shipping_cost_ex_tax?: number
  /** Shipping with tax. If it is missing, the server calculates it */
  shipping_cost_inc_tax?: number
  /** Handling as prices are entered, with or without tax */
  base_handling_cost?: number
  /** Handling without tax */
  handling_cost_ex_tax?: number
  /** Handling with tax */
  handling_cost_inc_tax?: number
  /** Gift wrapping as prices are entered, with or without tax */
  base_wrapping_cost?: number
  /** Gift wrapping without tax. If it is missing, it follows from the lines */
  wrapping_cost_ex_tax?: number
  /** Gift wrapping with tax. If it is missing, it follows from the lines */
  wrapping_cost_inc_tax?: number
  /** All lines without tax, before discounts of the order */
  subtotal_ex_tax?: number
  /** All lines with tax, before discounts of the order */
  subtotal_inc_tax?: number
  /** What the order costs, without tax */
  total_ex_tax?: number
  /** What the order costs, with tax */
  total_inc_tax?: number
  /** How the shopper pays, in words */
  payment_method?: string
  /** An id that the payment provider gave; null for none */
  payment_provider_id?: string | number | null
  /** The IPv4 address of the shopper */
  ip_address?: string
  /** The IPv6 address of the shopper */
  ip_address_v6?: string
  /** The country of the IP address, by its name */
  geoip_country?: string
  /** The country of the IP address, as two letters */
  geoip_country_iso2?: string
  /** A text of the client, stored as it came */
  ebay_order_id?: string
  /** The system that the order comes from. `M-MIG` marks migrated orders, which move no stock */
  external_source?: string | null
  /** A text of the client, stored as it came */
  external_merchant_id?: string | null
  /** The id of the order in another system */
  external_order_id?: string | null
  /** Who calculated the taxes; empty for the rates of the store */
  tax_provider_id?: string
  /** The language of the shopper, such as `en` */
  customer_locale?: string
  /** The address of the invoice; a new order needs its `zip` */
  billing_address: NewOrderBillingAddress
  /** The time of its creation, in UTC */
  date_created?: string
  /** authorized or captured. Ignored unless payment_method is "Test Payment Gateway" */
  payment_status?: unknown
  /** The default currency of the store at the time of the order */
  default_currency_code?: string
  /** The lines of the order; a link in answers */
  products?: NewOrderProduct[]
  /** Where the order is sent */
  shipping_addresses?: OrderShippingAddressChanges[]
  /** How the order reaches the shopper: shipping, pickups, downloads and mails */
  consignments?: {
    /** Consignments that the shopper collects */
    pickups: NewOrderPickupConsignment[]
  }
  /** Fees that clients added */
  fees?: NewOrderFee[]
}

export interface NewOrderBillingAddress {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  street_1?: string
  /** The second line of the street, such as a floor */
  street_2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The postal code */
  zip: string
  /** The country, by its English name */
  country?: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2?: string
  /** A telephone number in any notation */
  phone?: string
  /** Consignments that are sent by mail */
  email?: string
  /** Values of the form fields that the store's settings define */
  form_fields?: OrderFormField[]
}

export interface NewOrderFee {
  /** Always `custom_fee` */
  type?: "custom_fee"
  /** The name that shoppers see */
  display_name_customer?: string
  /** The name that the staff sees */
  display_name_merchant?: string
  /** Which system added the fee */
  source?: string
  /** The amount without tax */
  cost_ex_tax?: number
  /** The amount with tax */
  cost_inc_tax?: number
  /** The tax in the amount */
  cost_tax?: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number | null
}

export type NewOrderInvoice = Record<string, never>

export interface NewOrderPickup {
  /** The order, by the number that shoppers see */
  order_id: number
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id: number
  /** ISO 8601, or Unix seconds */
  ready_at: string | number
  /** ISO 8601, or Unix seconds; null if nothing was collected yet */
  collected_at?: string | number | null
  /** Lines of the order that are ready, with quantities */
  pickup_items: {
    /** The line of the order, not the product of the catalog */
    order_product_id: number
    /** How many units */
    quantity: number
  }[]
}

export interface NewOrderPickupConsignment {
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id: number
  /** The name of the pickup method, as shoppers see it */
  pickup_method_display_name?: string
  /** How shoppers find and collect the order */
  collection_instructions?: string
  /** When the order can be collected, in words */
  collection_time_description?: string
  /** Where the order is collected */
  location?: {
    /** The name of the location */
    name?: string
    /** The code of the location */
    code?: string
    /** Street and number */
    address_line_1?: string
    /** The second line of the street */
    address_line_2?: string
    /** The city or town */
    city?: string
    /** The state or province, by its name */
    state?: string
    /** The postal code; optional in countries without postal codes */
    postal_code?: string
    /** The country, as two letters of ISO 3166-1 */
    country_alpha2?: string
    /** Consignments that are sent by mail */
    email?: string
    /** A telephone number in any notation */
    phone?: string
  }
  /** The lines of this consignment */
  line_items: NewOrderProduct[]
}

/** A product of the catalog by its product_id, or a custom product with a name and both prices */
export interface NewOrderProduct {
  /** The product of the catalog */
  product_id?: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** The name of the product in the order; one in a body replaces that of the catalog */
  name?: string
  /** The name that shoppers see */
  name_customer?: string
  /** The name that the staff sees */
  name_merchant?: string
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The Universal Product Code, as digits */
  upc?: string
  /** How many units */
  quantity?: number
  /** The price of a unit without tax. A body names both prices, or the catalog decides */
  price_ex_tax?: number
  /** The price of a unit with tax. A body names both prices, or the catalog decides */
  price_inc_tax?: number
  /** The values of options and modifiers that were bought */
  product_options?: NewOrderProductOption[]
  /** The gift wrapping; 0 for none. It needs both costs */
  wrapping_id?: number
  /** The name of the gift wrapping */
  wrapping_name?: string | null
  /** The text on the gift */
  wrapping_message?: string
  /** The price of wrapping a unit, without tax */
  wrapping_cost_ex_tax?: number
  /** The price of wrapping a unit, with tax */
  wrapping_cost_inc_tax?: number
}

export interface NewOrderProductOption {
  id: number
  /** As in answers. It takes precedence over id, which numbers the options of the line in answers */
  product_option_id?: number
  /** The id of the chosen value, or the text that was entered */
  value: string
  /** The name of the option */
  display_name?: string
  /** The name that shoppers see */
  display_name_customer?: string
  /** The name that the staff sees */
  display_name_merchant?: string
  /** The value in words */
  display_value?: string
  /** The value in words for shoppers */
  display_value_customer?: string
  /** The value in words for the staff */
  display_value_merchant?: string
}

export interface NewOrderShipment {
  /** The shipping address of the order that the parcel goes to */
  order_address_id?: number
  /** The number by which the carrier finds the parcel */
  tracking_number?: string
  /** A code of the carrier, from which the link to the parcel is made */
  tracking_carrier?: string
  /** A link to the parcel, in place of the generated one */
  tracking_link?: string
  /** What the shipment costs the shop */
  merchant_shipping_cost?: number
  /** The name of the shipping method */
  shipping_method?: string
  /** The code of the carrier */
  shipping_provider?: string
  /** A note about the shipment */
  comments?: string
  /** Lines and quantities in the parcel. A body without it ships all that is left; it never changes */
  items?: {
    /** The line of the order, not the product of the catalog */
    order_product_id: number
    /** How many units */
    quantity: number
  }[]
}

export interface NewPage {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** 0 at the top */
  parent_id?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage?: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only?: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string | null
  /** The title in browsers */
  meta_title?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string | null
  /** An e-mail address, compared without case */
  email?: string | null
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string | null
  /** At most 1 MiB */
  body?: string | null
  /** The name in menus, unique on its channel without regard to case */
  name: string
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type: "page" | "raw" | "contact_form" | "link"
}

export interface NewPageV2 {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** 0 at the top */
  parent_id?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage?: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only?: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string | null
  /** The title in browsers */
  meta_title?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string | null
  /** An e-mail address, compared without case */
  email?: string | null
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string | null
  /** At most 1 MiB */
  body?: string | null
  /** The name in menus, unique on its channel without regard to case */
  name: string
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type: "page" | "raw" | "contact_form" | "link"
}

export interface NewPaymentAccessToken {
  /** The order to pay */
  order: {
    id: number
    /** Whether a later payment of a subscription is made */
    is_recurring?: boolean
  }
}

export interface NewPaymentDetails {
  /** A note about the payment */
  memo?: string
}

export interface NewPaymentLine {
  /** The invoice */
  invoiceId: number
  /** The amount of the line */
  amount: number | string
}

export interface NewPickupMethod {
  /** The location: a place that has stock */
  location_id: number
  name?: string
  /** The name that shoppers see in the checkout */
  display_name?: string
  /** How shoppers find and collect the order */
  collection_instructions?: string
  /** When the order can be collected, in words for shoppers */
  collection_time_description?: string
}

export interface NewPicture {
  /** The absolute address of its picture; empty without one */
  image_url?: string
  /** Whether this picture represents the product in lists. A product has one such picture */
  is_thumbnail?: boolean
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The text for people who do not see the picture */
  description?: string
  /** The file of a form, at most 8 MiB. In answers the name of the stored copy */
  image_file?: Upload
}

export interface NewPlacement {
  /** The widget that is placed */
  widget_uuid: string
  /** The template of the theme whose pages show it, such as `pages/home` */
  template_file: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Empty for all pages of the file */
  entity_id?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The region of the template */
  region?: string
  /** Whether shoppers see it */
  status?: "inactive" | "active"
}

export interface NewPriceList {
  /** The name of the price list, unique in the store without regard to case */
  name: string
  /** Whether its prices apply; prices of inactive lists are stored only */
  active?: boolean
}

export interface NewPriceListAssignment {
  /** The price list whose prices apply */
  price_list_id: number
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id?: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface NewPriceTier {
  /** The price applies from this quantity on */
  quantity_min: number
  /** null for no end */
  quantity_max?: number | null
  /** What `amount` is: an amount off each unit, a percentage off, or the new price */
  type: "price" | "percent" | "fixed"
  /** The amount or percentage; a percentage is at most 100 */
  amount: number
}

export interface NewPrivateToken {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The channels to which it applies */
  channel_ids?: number[]
  /** Unix seconds */
  expires_at: number
  /** What the token can read and do, besides reading the catalog */
  scopes: ("Unauthenticated" | "Customer" | "B2B")[]
}

export interface NewProduct {
  /** The name that shoppers see, unique in the store without regard to case */
  name: string
  /** Whether it is shipped (`physical`) or downloaded (`digital`) */
  type: "physical" | "digital"
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The text of its page as HTML, stored as it is sent */
  description?: string
  /** The weight in the store's unit, which prices of carriers depend on */
  weight: number
  /** The width in the store's unit of length */
  width?: number
  /** The depth in the store's unit of length */
  depth?: number
  /** The height in the store's unit of length */
  height?: number
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price: number
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number
  /** The minimum advertised price */
  map_price?: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number
  /** A code by which tax providers classify the product */
  product_tax_code?: string
  /** Ids of the categories that contain it, at most 1,000; a change replaces the list */
  categories?: number[]
  /** The brand: the maker of a product. 0 for none */
  brand_id?: number
  /** How many units are in stock, over all locations */
  inventory_level?: number
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number
  /** Whether stock is counted: not at all, for the product, or for each variant */
  inventory_tracking?: "none" | "product" | "variant"
  /** How many units were sold, as clients send it */
  total_sold?: number
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** Whether storefronts may show it among their featured products */
  is_featured?: boolean
  /** Ids of products to show beside it. `[-1]` lets the storefront choose */
  related_products?: number[]
  /** The text about the warranty on its page */
  warranty?: string
  /** The place of the item in the warehouse */
  bin_picking_number?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** The Universal Product Code, as digits */
  upc?: string
  /** The manufacturer's part number */
  mpn?: string
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string
  /** The time of its last import, in UTC; null for none */
  date_last_imported?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Whether it can be bought, can't, or can be ordered before it is released */
  availability?: "available" | "disabled" | "preorder"
  /** A note for shoppers, such as the time until it is shipped */
  availability_description?: string
  /** Whether all wrappings of the store are offered, none, or those of a list */
  gift_wrapping_options_type?: "any" | "none" | "list"
  /** Ids of the wrappings that are offered if the type is `list` */
  gift_wrapping_options_list?: number[]
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is new, used or refurbished */
  condition?: "New" | "Used" | "Refurbished"
  /** Whether its page names the condition */
  is_condition_shown?: boolean
  /** The fewest units of an order; 0 for no bound */
  order_quantity_minimum?: number
  /** The most units of an order; 0 for no bound */
  order_quantity_maximum?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** How often shoppers opened its page, as clients send it */
  view_count?: number
  /** The time of its release, in UTC, for products that are ordered before */
  preorder_release_date?: string | null
  /** The note about the release */
  preorder_message?: string
  /** Whether it becomes available by itself at its release */
  is_preorder_only?: boolean
  /** Whether shoppers see `price_hidden_label` in place of the price */
  is_price_hidden?: boolean
  /** The text in place of a hidden price */
  price_hidden_label?: string
  /** The path of its page, unique in the store; without one it is made from the name */
  custom_url?: CustomUrlInput
  /** The kind of thing that its page tells social networks */
  open_graph_type?: "product" | "album" | "book" | "drink" | "food" | "game" | "movie" | "song" | "tv_show"
  /** The title for social networks, unless the name of the product is used */
  open_graph_title?: string
  /** The text for social networks, unless the meta description is used */
  open_graph_description?: string
  /** Whether social networks get the meta description */
  open_graph_use_meta_description?: boolean
  /** Whether social networks get the name of the product */
  open_graph_use_product_name?: boolean
  /** Whether social networks get the thumbnail of the product */
  open_graph_use_image?: boolean
  /** The name of its brand in place of `brand_id`; an unknown name creates the brand */
  brand_name?: string
  /** Its variants. A product without options has one, the base variant */
  variants?: NewVariantOfProduct[]
  /** Pairs of heading and text on its page */
  custom_fields?: NewCustomField[]
  /** Lower prices from certain quantities on */
  bulk_pricing_rules?: NewBulkPricingRule[]
  /** Pictures of the product. One of them is the thumbnail */
  images?: NewImage[]
  /** Videos on its page */
  videos?: NewVideo[]
}

export interface NewPromotion {
  /** `AUTOMATIC` or `COUPON` */
  redemption_type: string
  /** A name for the staff; not unique */
  name: string
  /** What the promotion does and when, 1 to 50 rules in their order */
  rules: PromotionRule[]
  /** The name that shoppers see; without it they see `name` */
  display_name?: string
  /** Empty for all channels */
  channels?: {
    id: number
  }[]
  /** Who can use it: groups, segments, and a number of earlier orders */
  customer?: PromotionCustomers
  /** How often it can be used in all; 0 or null for no limit */
  max_uses?: number | null
  /** `ENABLED` or `DISABLED` */
  status?: string
  /** From when on it applies; now by default */
  start_date?: string
  /** Until when it applies; null for no end */
  end_date?: string | null
  /** Whether later promotions (of a rule: later rules) are skipped if this one applied */
  stop?: boolean
  /** Whether other promotions may apply to the same cart */
  can_be_used_with_other_promotions?: boolean
  /** `*` for all currencies */
  currency_code?: string
  /** Banners for shoppers, by page */
  notifications?: {
    /** The text of the banner as HTML */
    content: string
    /** PROMOTION, UPSELL, ELIGIBLE, APPLIED */
    type: string
    /** The pages that show the banner */
    locations: string[]
  }[]
  /** Countries of shipping addresses for which it applies, or all others with `not`; null for all */
  shipping_address?: {
    /** Countries as codes of two letters */
    countries?: {
      /** The country, as two letters of ISO 3166-1 */
      iso2_country_code: string
    }[]
    /** All countries but these */
    not?: {
      /** Countries as codes of two letters */
      countries: {
        /** The country, as two letters of ISO 3166-1 */
        iso2_country_code: string
      }[]
    }
  } | null
  /** Days and hours at which it applies; null for always */
  schedule?: {
    /** Every how many weeks it applies; 1 for each week */
    week_frequency: number
    /** Days of the week at which it applies */
    week_days: ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[]
    /** `HH:MM:SS` */
    daily_start_time: string
    /** `HH:MM:SS` */
    daily_end_time: string
  } | null
  /** Whether a coupon replaces all promotions before it */
  coupon_overrides_other_promotions?: boolean
  /** Whether a coupon replaces automatic promotions if it takes off more */
  coupon_overrides_automatic_when_offering_higher_discounts?: boolean
  /** One code for many shoppers, or many codes; it never changes */
  coupon_type?: "SINGLE" | "BULK"
}

export interface NewPromotionCode {
  /** Letters, digits, blanks, `_` and `-` */
  code: string
  /** 0 for no maximum */
  max_uses?: number
  /** 0 for no maximum */
  max_uses_per_customer?: number
}

export interface NewPromotionCodes {
  /** How many codes to make, 1 to 250 */
  batch_size: number
  /** 0 for no maximum */
  max_uses?: number
  /** 0 for no maximum */
  max_uses_per_customer?: number
  /** What each code begins with, at most 20 characters */
  prefix?: string
  /** What each code ends with, at most 20 characters */
  suffix?: string
  /** The character between prefix, code and suffix */
  delimiter?: string
  /** Characters that codes do not have, such as `O` and `0` */
  exclude_characters?: string[]
  /** How many random characters a code has, 6 to 16 */
  code_length?: number
}

export interface NewQuoteContact {
  name: string
  /** An e-mail address, compared without case */
  email: string
  /** The name of the company, as its account has it */
  companyName?: string
  /** A telephone number in any notation */
  phoneNumber?: string
}

export interface NewQuoteCurrency {
  /** The sign of the currency, 1 to 4 characters */
  token?: string
  /** Whether the sign stands left or right of the amount */
  location?: "left" | "right"
  /** The code of the currency in ISO 4217 */
  currencyCode?: string
  /** The character before the decimals */
  decimalToken?: string
  /** How many decimals amounts have */
  decimalPlaces?: number
  /** The character between groups of three digits */
  thousandsToken?: string
  /** Units of this currency for one of the default currency */
  currencyExchangeRate?: number
}

export interface NewQuoteLine {
  /** The product of the catalog; an unknown one is 422 */
  productId: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The price of a unit before the offer */
  basePrice: number | string
  /** What is taken off, stored as it is sent */
  discount: number | string
  /** The price of a unit in this quote */
  offeredPrice: number | string
  /** How many units */
  quantity: number
  /** The name on the quote; by default that of the product */
  productName?: string
  /** The variant; needed for products with options */
  variantId?: number
  /** The fewest units that the buyer can order; by default that of the product */
  orderQuantityMinimum?: number
  /** The most units that the buyer can order; by default that of the product */
  orderQuantityMaximum?: number
  /** The picture on the quote; by default that of the product */
  imageUrl?: string
  /** The value of each option of the variant */
  options?: QuoteOption[]
}

export interface NewRedirect {
  /** The path that is redirected. With the site it identifies the redirect; an existing one is overwritten */
  from_path: string
  /** The site: the address of a storefront channel */
  site_id: number
  /** Where visitors are sent. If it is missing, an existing redirect keeps its target */
  to?: RedirectTargetInput
}

export interface NewRedirectV2 {
  /** The path that is redirected */
  path: string
  /** The target: `type`, and `ref` for an id or an address */
  forward: RedirectForward
}

export interface NewRefund {
  /** Parts of the order to refund, 1 to 1,100; or `tax_adjustment_amount`, but not both */
  items?: NewRefundItem[]
  /** Tax that was charged too much, instead of items */
  tax_adjustment_amount?: number | string
  /** Why it is refunded, for people */
  reason?: string
  /** The payments that give the money back; together they are the total */
  payments?: NewRefundPayment[]
  /** Amounts of the merchant in place of calculated ones, at most what is left */
  merchant_calculated_override?: RefundOverride
}

export interface NewRefundItem {
  /** What is refunded: units of a line, wrapping, shipping, handling, a fee, an amount of the order, or tax */
  item_type: "PRODUCT" | "GIFT_WRAPPING" | "SHIPPING" | "HANDLING" | "FEE" | "ORDER" | "TAX"
  /** The line, address, fee or order, by type. See the quote of the refund */
  item_id: number
  /** For PRODUCT and GIFT_WRAPPING */
  quantity?: number
  /** For all other types */
  amount?: number | string
  /** Why it is refunded, for people */
  reason?: string
  /** Amounts below 0 that lower the refund of a line, such as a restocking fee */
  adjustments?: RefundAdjustment[]
}

export interface NewRefundPayment {
  /** How the money goes back, as the quote offers it: the provider, `storecredit` or `custom` */
  provider_id: string
  /** An amount in the price basis of the store: before tax, which is added, or with tax */
  amount: number | string
  /** Whether the payment is only recorded. The default is true for offline providers */
  offline?: boolean
}

export interface NewRefundQuote {
  /** Parts of the order to refund, 1 to 1,100; or `tax_adjustment_amount`, but not both */
  items?: NewRefundItem[]
  /** Tax that was charged too much, instead of items */
  tax_adjustment_amount?: number | string
}

export interface NewRefundQuoteOfOrder {
  /** The order, by the number that shoppers see */
  order_id: number
  /** Parts of the order to refund, 1 to 1,100; or `tax_adjustment_amount`, but not both */
  items?: NewRefundItem[]
  /** Tax that was charged too much, instead of items */
  tax_adjustment_amount?: number | string
}

export interface NewReview {
  /** The heading of the review */
  title: string
  /** The review in the words of the shopper */
  text?: string
  /** Whether storefronts show it. Without one it is pending, or approved if the store approves reviews automatically */
  status?: "approved" | "pending" | "disapproved"
  /** The stars that the shopper gave, 0 to 5 */
  rating?: number
  /** An e-mail address, compared without case */
  email?: "" | string
  /** The name that the shopper signs with */
  name?: string
  /** The time at which the shopper wrote it, in UTC */
  date_reviewed: string
}

export interface NewScript {
  /** A name for people; not unique */
  name: string
  /** A note for people */
  description?: string
  /** Empty for the kind src */
  html?: string
  /** Empty for the kind script_tag */
  src?: string
  /** Whether the script is deleted with the API account that created it */
  auto_uninstall?: boolean
  /** Whether browsers load it at once, beside the page (`async`) or after it (`defer`) */
  load_method?: "default" | "async" | "defer"
  /** Whether it stands in the head or at the end of the page */
  location?: "head" | "footer"
  /** The pages that have it. `storefront` means all but checkout and confirmation */
  visibility?: "storefront" | "all_pages" | "checkout" | "order_confirmation"
  /** An address (`src`) or code (`script_tag`) */
  kind?: "src" | "script_tag"
  /** The consent of the shopper that it needs */
  consent_category?: "essential" | "functional" | "analytics" | "targeting" | "unknown"
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Hashes that browsers compare with the file, at most 5; for addresses only */
  integrity_hashes?: string[]
}

export interface NewSegment {
  /** The name of the segment, unique in the store without regard to case */
  name: string
  /** A note about its purpose, at most 1,000 characters */
  description?: string
}

export interface NewShippingMethod {
  /** Refused */
  id?: unknown
  /** The name that shoppers see */
  name: string
  /** How the cost is found: by order, item, weight or total, free, or by a carrier */
  type: string
  /** Settings by type; those of other types are left out */
  settings?: {
    /** The cost of the order or of each item */
    rate?: number
    /** The cost outside of all ranges; null offers nothing there */
    default_cost?: number | null
    /** Whether the default cost is an amount or a percentage of the total */
    default_cost_type?: "fixed_amount" | "percentage_of_total"
    /** Costs by weight or total */
    range?: {
      /** The range begins here, in the unit of weight or the currency */
      lower_limit: number
      /** The range ends here */
      upper_limit: number
      /** The cost within the range */
      shipping_cost: number
    }[]
    /** Services and packages of the carrier */
    carrier_options?: Record<string, unknown>
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees?: {
    /** An amount that is added to the cost */
    fixed_surcharge?: number
    /** A percentage of the cost that is added to it, at most 100 */
    percentage_surcharge?: number
  }
  /** Whether it is offered only if no other method of the zone yields an option */
  is_fallback?: boolean
  /** The channels to which it applies */
  channel_ids?: number[]
}

export interface NewShippingZone {
  /** Refused */
  id?: unknown
  /** The name that shoppers see */
  name: string
  /** What the zone consists of: postal codes, states, countries, or everywhere */
  type: "zip" | "state" | "country" | "global"
  /** Places of the zone. A change replaces the list; a global zone has none */
  locations?: {
    /** Ignored: each location gets a new id */
    id?: number
    /** `*` stands for any text, `?` for one character */
    zip?: string
    /** The country, as two letters of ISO 3166-1 */
    country_iso2?: string
    /** The state, by its code of ISO 3166-2 without the country */
    state_iso2?: string
  }[]
  /** Whether the zone offers free shipping, and from which total on */
  free_shipping?: {
    /** Whether the zone offers free shipping */
    enabled?: boolean
    /** Shipping is free from this total of lines on */
    minimum_sub_total?: number
    /** Whether fixed shipping prices of products remain payable */
    exclude_fixed_shipping_products?: boolean
  }
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees?: {
    /** An amount that is added to the cost */
    fixed_surcharge?: number
    /** A percentage of the cost that is added to it, at most 100 */
    percentage_surcharge?: number
    /** Whether the fee is shown apart from the cost */
    display_separately?: boolean
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
}

export interface NewShopperProfile {
  /** The customer account of the store */
  customer_id: number
}

export interface NewShoppingList {
  /** A note about the list, at most 2,000 characters */
  description?: string
  /** 0 approved, 30 draft, 40 ready for approval */
  status?: 0 | 30 | 40
  /** The user of the list; 0 for a person without a company. Bodies need it or `customerId` */
  userId?: number
  /** The customer account of the store */
  customerId?: number
  /** The name of the list, 1 to 200 characters */
  name: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** Products of the list, at most 500 */
  items?: NewShoppingListItem[]
}

export interface NewShoppingListItem {
  /** The product of the catalog; an unknown one is 422 */
  productId: number
  /** The variant; needed for products with options */
  variantId?: number
  /** Its position in the list; 0 by default */
  sortOrder?: number
  /** The chosen values: `optionId` and `optionValue` as texts */
  optionList?: ShoppingListOption | ShoppingListOption[]
  /** A note about the item, at most 1,000 characters */
  productNote?: string
  /** How many units */
  quantity: number
}

export interface NewSite {
  /** Scheme and host. The server appends the paths of its pages */
  url: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface NewSiteRoute {
  /** What is at the address */
  type: "product" | "brand" | "category" | "page" | "blog" | "home" | "cart" | "checkout" | "search" | "account" | "login" | "returns" | "static" | "create_account" | "forgot_password" | "account_order_status" | "account_new_return" | "recover_abandoned_cart"
  /** The id of one thing, or * for all of the type */
  matching: string
  /** A path with the tokens {id}, {slug} and {lang} */
  route: string
}

export interface NewStorefrontAuthToken {
  /** The customer account of the store */
  customerId: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number | string
  /** A token of the customer's session in the storefront */
  customerAccessToken?: CustomerAccessTokenValue
}

export interface NewStorefrontToken {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The channels to which it applies */
  channel_ids?: number[]
  /** Unix seconds */
  expires_at: number
  /** At most 2 */
  allowed_cors_origins: string[]
}

export interface NewSubscriber {
  /** An e-mail address, compared without case */
  email: string
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** Where the subscriber came from: `storefront`, `order`, `custom` or another text */
  source?: string
  /** The order, by the number that shoppers see */
  order_id?: number | null
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The mails that the person agreed to; an empty list means unsubscribed */
  consents?: ("marketing_newsletter" | "abandoned_cart")[]
}

export interface NewSuperAdmin {
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** A telephone number in any notation */
  phone?: string
  /** The id of another system, stored as it came */
  uuid?: string
  /** The channels to which it applies */
  channelIds?: number[]
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
  /** An e-mail address, compared without case */
  email: string
  /** The channel whose customers the person belongs to */
  originChannelId?: number
}

export interface NewTaxClass {
  /** The name that people see */
  name: string
}

export interface NewTaxLocation {
  /** ISO 3166-1 with two letters */
  country_code: string
  /** Codes of ISO 3166-2 without the country, such as `CA` */
  subdivision_codes?: string[]
  /** ? stands for one character, * for any others */
  postal_codes?: string[]
}

export interface NewTaxProperty {
  /** The code of the property, unique in the store */
  code: string
  /** The name that the staff sees */
  display_name: string
  /** A note about its purpose */
  description?: string
  /** Whether products or customers have the property; it never changes */
  type: "PRODUCT" | "CUSTOMER"
}

export interface NewTaxRate {
  /** The name that people see */
  name: string
  /** The zone that the rate is for */
  tax_zone_id: number
  /** The rate of each tax class in percent; a missing class has none */
  class_rates: TaxClassRate[]
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The order of rates of a zone: later numbers are charged on top of earlier ones */
  priority?: number
}

export interface NewTaxZone {
  /** The name that people see */
  name: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** How storefronts and invoices show prices; no charge depends on it */
  price_display_settings?: {
    /** Whether storefronts show prices with tax */
    show_inclusive: boolean
    /** Whether pages of products show both prices */
    show_both_on_detail_view?: boolean
    /** Whether lists of products show both prices */
    show_both_on_list_view?: boolean
  }
  /** The shoppers of the zone: places and customer groups */
  shopper_target_settings: {
    /** Places of one kind: a country, states of countries, or postal codes of a country */
    locations: NewTaxLocation[]
    /** Groups of the zone. Empty for all; 0 stands for shoppers without a group */
    customer_groups?: number[]
  }
}

export interface NewTemplateAssociation {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The kind of page that gets the template */
  entity_type: "product" | "category" | "brand" | "page"
  /** The product, category, brand or page */
  entity_id: number
  /** A file of `templates/pages/custom/<entity_type>/` in the active theme */
  file_name: string
}

export interface NewThemeConfiguration {
  /** The variation: one look of a theme, such as its colors */
  variation_id: string
  /** Values of the settings that the theme declares in `schema.json` */
  settings: Record<string, unknown>
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface NewTreeCategory {
  /** The tree of categories that contains it. A tree is shown by one channel */
  tree_id?: number
  /** The category that contains it, of the same tree; 0 at the top */
  parent_id?: number
  /** The name that shoppers see, 1 to 50 characters */
  name: string
  /** The text of its page as HTML */
  description?: string
  /** How often shoppers opened its page */
  views?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** The order of its products in storefronts before the shopper chooses one */
  default_product_sort?: "use_store_settings" | "featured" | "newest" | "best_selling" | "alpha_asc" | "alpha_desc" | "avg_customer_review" | "price_asc" | "price_desc"
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page, beginning and ending with a slash */
  url?: {
    /** The path of its page, beginning and ending with a slash */
    path?: string
    /** Whether a client chose the path; if not, it follows the name */
    is_customized?: boolean
  }
}

export interface NewUuidMetafield {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key: string
  /** The text that the metafield stores; clients often put JSON into it */
  value: string
  /** A group of metafields, chosen by the client that writes them */
  namespace: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
  /** The resource that the metafield belongs to */
  resource_id: string
}

export interface NewVariant {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number | null
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number | null
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number | null
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number | null
  /** The width in the store's unit of length */
  width?: number | null
  /** The height in the store's unit of length */
  height?: number | null
  /** The depth in the store's unit of length */
  depth?: number | null
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number | null
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled?: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The Universal Product Code, as digits */
  upc?: string | null
  /** The manufacturer's part number */
  mpn?: string | null
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string | null
  /** How many units are in stock, over all locations */
  inventory_level?: number | null
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number | null
  /** The place of the item in the warehouse */
  bin_picking_number?: string | null
  /** The value of each option that makes the variant. Unknown labels of a new product create the value */
  option_values: {
    id?: number
    /** The option or modifier that the value belongs to */
    option_id?: number
    /** The text of the value of that option */
    label?: string
    /** The name of the option */
    option_display_name?: string
  }[]
}

export interface NewVariantOfProduct {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number | null
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number | null
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number | null
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number | null
  /** The width in the store's unit of length */
  width?: number | null
  /** The height in the store's unit of length */
  height?: number | null
  /** The depth in the store's unit of length */
  depth?: number | null
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number | null
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled?: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The Universal Product Code, as digits */
  upc?: string | null
  /** The manufacturer's part number */
  mpn?: string | null
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string | null
  /** How many units are in stock, over all locations */
  inventory_level?: number | null
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number | null
  /** The place of the item in the warehouse */
  bin_picking_number?: string | null
  /** The value of each option that makes the variant. Unknown labels of a new product create the value */
  option_values: {
    /** The name of the option */
    option_display_name: string
    /** The text of the value of that option */
    label: string
  }[]
}

export interface NewVideo {
  /** The title beside the video; nothing is fetched from its service */
  title?: string
  /** The text beside the video */
  description?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The service that has the video */
  type?: "youtube"
  /** The id of the video at YouTube, once in a product; it never changes */
  video_id: string
}

export interface NewWebhook {
  /** The event, or a family of events such as `store/order/*` */
  scope: string
  /** The https address that gets the events, at most 2,048 characters */
  destination: string
  /** Headers that are sent with every event, at most ten; null for none */
  headers?: Record<string, unknown> | null
  /** Whether it is in use. Inactive ones remain stored */
  is_active?: boolean
  /** Whether delivered events are kept, so that they can be read and sent again */
  events_history_enabled?: boolean
}

export interface NewWidget {
  /** A name for people; not unique */
  name: string
  /** A note for people */
  description?: string
  /** The values of its template, at most 64 KB */
  widget_configuration?: Record<string, unknown>
  /** The template that renders it; one of the same channel or a built-in one */
  widget_template_uuid: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface NewWidgetTemplate {
  /** The form of a configuration: tabs, lists and hidden settings, at most 256 KiB */
  schema?: WidgetSchemaElement[]
  /** Translations of the form as text, at most 256 KiB */
  schema_translations?: string
  /** Handlebars */
  template: string
  /** A GraphQL query, stored as sent */
  storefront_api_query?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** A name for people; not unique */
  name: string
}

export interface NewWishlist {
  /** The customer account of the store */
  customer_id: number
  /** The name that the customer gave the list */
  name?: string
  /** Whether everybody who has the token can read the list */
  is_public?: boolean
  /** Products and variants of the list, each once */
  items?: WishlistProduct[]
}

export interface NewWishlistItems {
  /** Products and variants of the list, each once */
  items: WishlistProduct[]
}

export interface OfflinePaymentChanges {
  /** The lines: products of an invoice, or invoices of a payment with amounts */
  lineItems: NewPaymentLine[]
  /** The code of the currency in ISO 4217 */
  currency: string
  /** Further data for people and the PDF. The server does not calculate with it */
  details: NewPaymentDetails
  /** An id of another system, stored as it came */
  externalId?: string
  /** The id of the company */
  customerId: string
  /** The id of the company in another system */
  externalCustomerId?: string
  /** Who paid; `Store offline payment` by default */
  payerName?: string
  /** The id of who paid; the company by default */
  payerCustomerId?: string
  /** Where the payment is: 1 awaiting, 2 processing, 3 completed, 4 refunded */
  processingStatus?: number
  /** Stored for clients: the state of the money at the bank */
  fundingStatus?: number
}

export interface OfflineTransaction {
  /** A word of the client for the kind; `Invoice` by default */
  type: string
  /** The answer of the provider as text */
  rawTransaction: string
}

export interface OpeningHours {
  /** Whether it is open on that day */
  open: boolean
  /** The time of opening as `HH:MM` */
  opening: string
  /** The time of closing as `HH:MM` */
  closing: string
}

export interface OpeningHoursInput {
  /** Whether it is open on that day */
  open?: boolean
  /** The time of opening as `HH:MM` */
  opening?: string
  /** The time of closing as `HH:MM` */
  closing?: string
}

export interface OperatingHours {
  /** The hours of each Sunday */
  sunday: OpeningHours
  /** The hours of each Monday */
  monday: OpeningHours
  /** The hours of each Tuesday */
  tuesday: OpeningHours
  /** The hours of each Wednesday */
  wednesday: OpeningHours
  /** The hours of each Thursday */
  thursday: OpeningHours
  /** The hours of each Friday */
  friday: OpeningHours
  /** The hours of each Saturday */
  saturday: OpeningHours
}

export interface OperatingHoursInput {
  /** The hours of each Sunday */
  sunday?: OpeningHoursInput
  /** The hours of each Monday */
  monday?: OpeningHoursInput
  /** The hours of each Tuesday */
  tuesday?: OpeningHoursInput
  /** The hours of each Wednesday */
  wednesday?: OpeningHoursInput
  /** The hours of each Thursday */
  thursday?: OpeningHoursInput
  /** The hours of each Friday */
  friday?: OpeningHoursInput
  /** The hours of each Saturday */
  saturday?: OpeningHoursInput
}

export interface Option {
  readonly id: number
  /** The product of the catalog */
  readonly product_id: number
  readonly name: string
  /** The name that shoppers see, unique in the product without regard to case */
  display_name: string
  /** How shoppers choose a value. Types without values are of modifiers only; a type never changes */
  type: "radio_buttons" | "rectangles" | "dropdown" | "product_list" | "product_list_with_images" | "swatch"
  /** Settings by type. Answers have an empty list if there are none */
  config: {
    /** The value before the shopper chooses one */
    default_value?: string
    /** Whether the checkbox is ticked before the shopper changes it */
    checked_by_default?: boolean
    /** The text beside the checkbox */
    checkbox_label?: string
    /** Whether dates have bounds */
    date_limited?: boolean
    /** Which ends of the range of dates are bounded */
    date_limit_mode?: "earliest" | "range" | "latest"
    /** The first date that the shopper can choose */
    date_earliest_value?: string
    /** The last date that the shopper can choose */
    date_latest_value?: string
    /** Whether all types of files can be uploaded, or those of `file_types_supported` and `file_types_other` */
    file_types_mode?: "specific" | "all"
    /** Groups of types that the shopper may upload */
    file_types_supported?: string[]
    /** Further extensions of files that the shopper may upload */
    file_types_other?: string[]
    /** The maximum size of an uploaded file in kilobytes */
    file_max_size?: number
    /** Whether the length of the text has bounds */
    text_characters_limited?: boolean
    /** The minimum number of characters */
    text_min_length?: number
    /** The maximum number of characters */
    text_max_length?: number
    /** Whether the number of lines has a bound */
    text_lines_limited?: boolean
    /** The maximum number of lines */
    text_max_lines?: number
    /** Whether the number has bounds */
    number_limited?: boolean
    /** Which ends of the range of numbers are bounded */
    number_limit_mode?: "lowest" | "highest" | "range"
    /** The lowest number that the shopper can enter */
    number_lowest_value?: number
    /** The highest number that the shopper can enter */
    number_highest_value?: number
    /** Whether numbers with a fraction are refused */
    number_integers_only?: boolean
    /** Whether a sale takes units of the chosen product from stock */
    product_list_adjusts_inventory?: boolean
    /** Whether the price of the chosen product is added */
    product_list_adjusts_pricing?: boolean
    /** What the chosen product adds to a shipment: nothing, its weight, or a package of its own */
    product_list_shipping_calc?: "none" | "weight" | "package"
  } | unknown[]
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** The absolute address of its picture; empty without one */
  image_url: "" | string
  /** The values to choose from. A change replaces the list: items without `id` are new, missing ones are deleted */
  option_values: OptionValue[]
}

export interface OptionChanges {
  /** The name that shoppers see, unique in the product without regard to case */
  display_name?: string
  /** How shoppers choose a value. Types without values are of modifiers only; a type never changes */
  type?: "radio_buttons" | "rectangles" | "dropdown" | "product_list" | "product_list_with_images" | "swatch"
  /** Settings by type. Answers have an empty list if there are none */
  config?: {
    /** The value before the shopper chooses one */
    default_value?: string | null
    /** Whether the checkbox is ticked before the shopper changes it */
    checked_by_default?: boolean | null
    /** The text beside the checkbox */
    checkbox_label?: string | null
    /** Whether dates have bounds */
    date_limited?: boolean | null
    /** Which ends of the range of dates are bounded */
    date_limit_mode?: "earliest" | "range" | "latest" | null
    /** The first date that the shopper can choose */
    date_earliest_value?: string | null
    /** The last date that the shopper can choose */
    date_latest_value?: string | null
    /** Whether all types of files can be uploaded, or those of `file_types_supported` and `file_types_other` */
    file_types_mode?: "specific" | "all" | null
    /** Groups of types that the shopper may upload */
    file_types_supported?: string[] | null
    /** Further extensions of files that the shopper may upload */
    file_types_other?: string[] | null
    /** The maximum size of an uploaded file in kilobytes */
    file_max_size?: number | null
    /** Whether the length of the text has bounds */
    text_characters_limited?: boolean | null
    /** The minimum number of characters */
    text_min_length?: number | null
    /** The maximum number of characters */
    text_max_length?: number | null
    /** Whether the number of lines has a bound */
    text_lines_limited?: boolean | null
    /** The maximum number of lines */
    text_max_lines?: number | null
    /** Whether the number has bounds */
    number_limited?: boolean | null
    /** Which ends of the range of numbers are bounded */
    number_limit_mode?: "lowest" | "highest" | "range" | null
    /** The lowest number that the shopper can enter */
    number_lowest_value?: number | null
    /** The highest number that the shopper can enter */
    number_highest_value?: number | null
    /** Whether numbers with a fraction are refused */
    number_integers_only?: boolean | null
    /** Whether a sale takes units of the chosen product from stock */
    product_list_adjusts_inventory?: boolean | null
    /** Whether the price of the chosen product is added */
    product_list_adjusts_pricing?: boolean | null
    /** What the chosen product adds to a shipment: nothing, its weight, or a package of its own */
    product_list_shipping_calc?: "none" | "weight" | "package" | null
  } | unknown[]
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The values to choose from. A change replaces the list: items without `id` are new, missing ones are deleted */
  option_values?: {
    /** The value to change; a value without one is new */
    id?: number
    /** The text of the value, unique in its option without regard to case */
    label?: string
    /** Its position among others: lower numbers come first */
    sort_order?: number
    /** Whether it applies if nothing else is chosen */
    is_default?: boolean
    /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
    value_data?: Record<string, never> | unknown[] | null
  }[]
}

export interface OptionDay {
  /** The day of the month, 1 to 31 */
  day: number
  /** The month, 1 to 12 */
  month: number
  /** The year with four digits */
  year: number
}

export interface OptionFile {
  /** The name of the file, as the shopper had it */
  originalName: string
  /** Where the uploaded file is */
  temporaryPath: string
}

export interface OptionValue {
  readonly id: number
  /** The text of the value, unique in its option without regard to case */
  label: string
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
  value_data: {
    /** One to three colors as `#rrggbb` */
    colors?: string[]
    /** The absolute address of its picture; empty without one */
    image_url?: string
    /** The product of the catalog */
    product_id?: number
    /** Whether this value stands for a ticked checkbox */
    checked_value?: boolean
  } | null
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
}

export interface OptionValueChanges {
  /** The text of the value, unique in its option without regard to case */
  label?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Further data by type: colors or a picture of a swatch, the product of a product list, the state of a checkbox */
  value_data?: Record<string, never> | unknown[] | null
}

export interface Order {
  readonly id: number
  /** The customer account of the store */
  customer_id: number
  /** RFC 2822 */
  date_created: string
  /** RFC 2822 */
  readonly date_modified: string
  /** RFC 2822, or empty */
  readonly date_shipped: string
  /** The cart, by its uuid */
  readonly cart_id: string | null
  /** Where the order is: 0 incomplete, 1 pending, 2 shipped, 3 partially shipped, 4 refunded, 5 cancelled, 6 declined, 7 awaiting payment, 8 awaiting pickup, 9 awaiting shipment, 10 completed, 11 awaiting fulfillment, 12 verification, 13 disputed, 14 partially refunded */
  status_id: number
  /** The name of the status */
  status: string
  /** With four decimals */
  subtotal_ex_tax: string
  /** With four decimals */
  subtotal_inc_tax: string
  /** With four decimals */
  readonly subtotal_tax: string
  /** With four decimals */
  base_shipping_cost: string
  /** With four decimals */
  shipping_cost_ex_tax: string
  /** With four decimals */
  shipping_cost_inc_tax: string
  /** With four decimals */
  readonly shipping_cost_tax: string
  /** The tax class of this cost; 0 for the default class */
  readonly shipping_cost_tax_class_id: number
  /** With four decimals */
  base_handling_cost: string
  /** With four decimals */
  handling_cost_ex_tax: string
  /** With four decimals */
  handling_cost_inc_tax: string
  /** With four decimals */
  readonly handling_cost_tax: string
  /** The tax class of this cost; 0 for the default class */
  readonly handling_cost_tax_class_id: number
  /** With four decimals */
  base_wrapping_cost: string
  /** With four decimals */
  wrapping_cost_ex_tax: string
  /** With four decimals */
  wrapping_cost_inc_tax: string
  /** With four decimals */
  readonly wrapping_cost_tax: string
  /** The tax class of this cost; 0 for the default class */
  readonly wrapping_cost_tax_class_id: number
  /** With four decimals */
  total_ex_tax: string
  /** With four decimals */
  total_inc_tax: string
  /** With four decimals */
  readonly total_tax: string
  /** How many units it has */
  readonly items_total: number
  /** How many of its units are in shipments */
  readonly items_shipped: number
  /** How the shopper pays, in words */
  payment_method: string
  /** An id that the payment provider gave; null for none */
  payment_provider_id: string | null
  /** What the transactions of the order say about its money; empty before the first */
  payment_status: "" | "authorized" | "captured" | "capture pending" | "declined" | "held for review" | "paid" | "partially refunded" | "pending" | "refunded" | "void" | "void pending"
  /** With four decimals */
  readonly refunded_amount: string
  /** Whether it has downloads only */
  readonly order_is_digital: boolean
  /** With four decimals */
  readonly store_credit_amount: string
  /** With four decimals */
  readonly gift_certificate_amount: string
  /** The IPv4 address of the shopper */
  ip_address: string
  /** The IPv6 address of the shopper */
  ip_address_v6: string
  /** The country of the IP address, by its name */
  geoip_country: string
  /** The country of the IP address, as two letters */
  geoip_country_iso2: string
  /** The currency of the shopper, by its id */
  readonly currency_id: number
  /** The code of the currency in ISO 4217 */
  readonly currency_code: string
  /** Units of this currency for one of the default currency, as text */
  readonly currency_exchange_rate: string
  /** The default currency of the store, by its id */
  readonly default_currency_id: number
  /** The default currency of the store at the time of the order */
  default_currency_code: string
  /** The default currency of the store */
  readonly store_default_currency_code: string
  /** Units of the currency of payment for one of the default currency, as text */
  readonly store_default_to_transactional_exchange_rate: string
  /** Notes of the staff; shoppers never see them. The server adds a line for failed payments */
  staff_notes: string
  /** The shopper's note to the shop */
  customer_message: string
  /** With four decimals */
  discount_amount: string
  /** With four decimals */
  readonly coupon_discount: string
  /** How many shipping addresses the order has */
  readonly shipping_address_count: number
  /** Whether the order is archived: lists leave it out */
  is_deleted: boolean
  /** A text of the client, stored as it came */
  ebay_order_id: string
  /** The address of the invoice; a new order needs its `zip` */
  billing_address: OrderBillingAddress
  /** Whether the shopper subscribed to the newsletter */
  readonly is_email_opt_in: boolean
  /** Where it was placed, such as `external` or `checkout_api` */
  readonly order_source: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The system that the order comes from. `M-MIG` marks migrated orders, which move no stock */
  external_source: string | null
  /** An id of another system, stored as it came */
  readonly external_id: string | null
  /** A text of the client, stored as it came */
  external_merchant_id: string | null
  /** The id of the order in another system */
  external_order_id: string
  /** Who calculated the taxes; empty for the rates of the store */
  tax_provider_id: string
  /** The language of the shopper, such as `en` */
  customer_locale: string
  /** Whether prices were entered with tax */
  readonly is_tax_inclusive_pricing: boolean
  /** The lines of the order; a link in answers */
  products: OrderResource
  /** Where the order is sent */
  shipping_addresses: OrderResource
  /** Codes that were applied */
  readonly coupons: OrderResource
  /** How the order reaches the shopper: shipping, pickups, downloads and mails */
  consignments: OrderResource | OrderConsignments
  /** Fees that clients added */
  fees: OrderResource | OrderFee[]
}

export interface OrderBillingAddress {
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company: string
  /** Street and number */
  street_1: string
  /** The second line of the street, such as a floor */
  street_2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The postal code */
  zip: string
  /** The country, by its English name */
  country: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2: string
  /** A telephone number in any notation */
  phone: string
  /** Consignments that are sent by mail */
  email: string
  /** Values of the form fields that the store's settings define */
  form_fields: OrderFormField[]
}

export interface OrderChanges {
  /** Where the order is: 0 incomplete, 1 pending, 2 shipped, 3 partially shipped, 4 refunded, 5 cancelled, 6 declined, 7 awaiting payment, 8 awaiting pickup, 9 awaiting shipment, 10 completed, 11 awaiting fulfillment, 12 verification, 13 disputed, 14 partially refunded */
  status_id?: number
  /** The customer account of the store */
  customer_id?: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The shopper's note to the shop */
  customer_message?: string
  /** Notes of the staff; shoppers never see them. The server adds a line for failed payments */
  staff_notes?: string
  /** A discount on the whole order, shared by its lines */
  discount_amount?: number
  /** Shipping as prices are entered, with or without tax */
  base_shipping_cost?: number
  /** Shipping without tax. If it is missing, the server calculates it */
  shipping_cost_ex_tax?: number
  /** Shipping with tax. If it is missing, the server calculates it */
  shipping_cost_inc_tax?: number
  /** Handling as prices are entered, with or without tax */
  base_handling_cost?: number
  /** Handling without tax */
  handling_cost_ex_tax?: number
  /** Handling with tax */
  handling_cost_inc_tax?: number
  /** Gift wrapping as prices are entered, with or without tax */
  base_wrapping_cost?: number
  /** Gift wrapping without tax. If it is missing, it follows from the lines */
  wrapping_cost_ex_tax?: number
  /** Gift wrapping with tax. If it is missing, it follows from the lines */
  wrapping_cost_inc_tax?: number
  /** All lines without tax, before discounts of the order */
  subtotal_ex_tax?: number
  /** All lines with tax, before discounts of the order */
  subtotal_inc_tax?: number
  /** What the order costs, without tax */
  total_ex_tax?: number
  /** What the order costs, with tax */
  total_inc_tax?: number
  /** How the shopper pays, in words */
  payment_method?: string
  /** An id that the payment provider gave; null for none */
  payment_provider_id?: string | number | null
  /** The IPv4 address of the shopper */
  ip_address?: string
  /** The IPv6 address of the shopper */
  ip_address_v6?: string
  /** The country of the IP address, by its name */
  geoip_country?: string
  /** The country of the IP address, as two letters */
  geoip_country_iso2?: string
  /** A text of the client, stored as it came */
  ebay_order_id?: string
  /** The system that the order comes from. `M-MIG` marks migrated orders, which move no stock */
  external_source?: string | null
  /** A text of the client, stored as it came */
  external_merchant_id?: string | null
  /** The id of the order in another system */
  external_order_id?: string | null
  /** Who calculated the taxes; empty for the rates of the store */
  tax_provider_id?: string
  /** The language of the shopper, such as `en` */
  customer_locale?: string
  /** Read-only: write status_id */
  status?: unknown
  /** true archives the order */
  is_deleted?: boolean
  /** The address of the invoice; a new order needs its `zip` */
  billing_address?: {
    /** The given name */
    first_name?: string
    /** The family name */
    last_name?: string
    /** The company of the person, as a text */
    company?: string
    /** Street and number */
    street_1?: string
    /** The second line of the street, such as a floor */
    street_2?: string
    /** The city or town */
    city?: string
    /** The state or province, by its name */
    state?: string
    /** The postal code */
    zip?: string
    /** The country, by its English name */
    country?: string
    /** The country, as two letters of ISO 3166-1 */
    country_iso2?: string
    /** A telephone number in any notation */
    phone?: string
    /** Consignments that are sent by mail */
    email?: string
    /** Values of the form fields that the store's settings define */
    form_fields?: OrderFormField[]
  }
  /** The lines of the order; a link in answers */
  products?: OrderProductChanges[]
  /** Where the order is sent */
  shipping_addresses?: {
    /** The given name */
    first_name?: string
    /** The family name */
    last_name?: string
    /** The company of the person, as a text */
    company?: string
    /** Street and number */
    street_1?: string
    /** The second line of the street, such as a floor */
    street_2?: string
    /** The city or town */
    city?: string
    /** The state or province, by its name */
    state?: string
    /** The postal code */
    zip?: string
    /** The country, by its English name */
    country?: string
    /** The country, as two letters of ISO 3166-1 */
    country_iso2?: string
    /** A telephone number in any notation */
    phone?: string
    /** Consignments that are sent by mail */
    email?: string
    /** Values of the form fields that the store's settings define */
    form_fields?: OrderFormField[]
    /** The name of the shipping method */
    shipping_method?: string
    id?: number
  }[]
  /** How the order reaches the shopper: shipping, pickups, downloads and mails */
  consignments?: {
    /** Consignments that the shopper collects */
    pickups: OrderPickupConsignmentChanges[]
  }
  /** Fees that clients added */
  fees?: OrderFeeChanges[]
}

export interface OrderConsignments {
  /** Consignments that the shopper collects */
  pickups: OrderPickupConsignment[]
  /** Consignments that are shipped */
  shipping: OrderShippingConsignment[]
  /** Consignments that are downloaded */
  downloads: OrderDownload[]
  /** Consignments that are sent by mail */
  email: {
    /** Gift certificates that are sent by mail */
    gift_certificates: OrderDownload[]
  }
}

export interface OrderCount {
  /** How many orders each status has */
  statuses: {
    /** The number of the status, 0 to 14 */
    id: number
    /** The name of the status that the server gives */
    name: string
    /** The name of the status that the server gives */
    system_label: string
    /** The name of the status in this store */
    custom_label: string
    /** When orders have the status */
    system_description: string
    /** How many orders there are */
    count: number
    /** Its position among others: lower numbers come first */
    sort_order: number
  }[]
  /** How many orders there are */
  count: number
}

export interface OrderCoupon {
  id: number
  /** The order, by the number that shoppers see */
  order_id: number
  /** The coupon, or 0 */
  coupon_id: number
  /** The code as the shopper entered it */
  code: string
  /** The amount or percentage of the coupon, as text */
  amount: string
  /** 0 per item, 1 percentage, 2 per total, 3 shipping, 4 free shipping, 5 promotion */
  type: number
  /** What it took off the order, as text */
  discount: number
}

export interface OrderDownload {
  /** Where the mail goes */
  recipient_email: string
  /** The lines of this consignment */
  line_items: (OrderResource | OrderProduct)[]
}

export interface OrderFee {
  id: number
  /** Always `custom_fee` */
  type: "custom_fee"
  /** The name that shoppers see */
  display_name_customer: string
  /** The name that the staff sees */
  display_name_merchant: string
  /** Which system added the fee */
  source: string
  /** With four decimals */
  base_cost: string
  /** With four decimals */
  cost_ex_tax: string
  /** With four decimals */
  cost_inc_tax: string
  /** With four decimals */
  cost_tax: string
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id: number | null
}

export interface OrderFeeChanges {
  id?: number
  /** Always `custom_fee` */
  type?: "custom_fee"
  /** The name that shoppers see */
  display_name_customer?: string
  /** The name that the staff sees */
  display_name_merchant?: string
  /** Which system added the fee */
  source?: string
  /** The amount without tax */
  cost_ex_tax?: number
  /** The amount with tax */
  cost_inc_tax?: number
  /** The tax in the amount */
  cost_tax?: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number | null
}

export interface OrderFormField {
  name: string
  /** The value of the form field */
  value: string | number | (string | number)[]
}

export interface OrderInvoice {
  /** The number on the invoice, unique in the store */
  invoiceNumber: string
  /** The invoice */
  invoiceId: number
}

export interface OrderMessage {
  id: number
  /** The order, by the number that shoppers see */
  order_id: number
  /** The member of staff who wrote it; 0 for a message of the customer */
  staff_id: number
  /** The customer account of the store */
  customer_id: number
  type: string
  /** The subject of the message */
  subject: string
  /** The text of the message */
  message: string
  /** Whether it was read */
  status: "read" | "unread"
  /** Whether the staff marked it */
  is_flagged: boolean
  /** RFC 2822 */
  date_created: string
}

export interface OrderMoney {
  /** Whether the sign stands left or right of the amount */
  currencyLocation: string
  /** The sign of the currency */
  currencyToken: string
  /** The character before the decimals */
  decimalToken: string
  /** How many decimals amounts have */
  decimalPlaces: number
  /** The character between groups of three digits */
  thousandsToken: string
}

export interface OrderNotification {
  /** Who gets the mail; null on a channel inherits from the store */
  email_addresses: string[]
}

export interface OrderNotificationOfChannel {
  /** Who gets the mail; null on a channel inherits from the store */
  email_addresses: string[] | null
}

export interface OrderPaymentAction {
  /** The order, by the number that shoppers see */
  order_id: number
  /** The status of the money of the order before the action */
  payment_status: string
}

export interface OrderPickup {
  id: number
  /** The pickup: items of an order that are ready at a location */
  pickup_id: number
  /** The order, by the number that shoppers see */
  order_id: number
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id: number
  /** The time at which the items were ready, in UTC */
  ready_at: string
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
  /** Lines of the order that are ready, with quantities */
  pickup_items: {
    id: number
    /** The line of the order, not the product of the catalog */
    order_product_id: number
    /** How many units */
    quantity: number
    /** Whether the item waits for the shopper or was collected */
    status: "AWAITING_COLLECTION" | "COLLECTED"
    /** The time of the collection, in UTC; null until then */
    collected_at: string | null
  }[]
}

export interface OrderPickupChanges {
  /** The pickup: items of an order that are ready at a location */
  pickup_id: number
  /** Ignored: send pickup_id */
  id?: unknown
  /** ISO 8601, or Unix seconds */
  ready_at?: string | number
  /** ISO 8601, or Unix seconds; null if nothing was collected yet */
  collected_at?: string | number | null
}

export interface OrderPickupConsignment {
  id: number
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id: number
  /** The name of the pickup method, as shoppers see it */
  pickup_method_display_name: string
  /** How shoppers find and collect the order */
  collection_instructions: string
  /** When the order can be collected, in words */
  collection_time_description: string
  /** Where the order is collected */
  location: OrderPickupLocation
  /** The lines of this consignment */
  line_items: (OrderResource | OrderProduct)[]
}

export interface OrderPickupConsignmentChanges {
  id: number
  /** The pickup method: a location where shoppers collect orders */
  pickup_method_id?: number
  /** The name of the pickup method, as shoppers see it */
  pickup_method_display_name?: string
  /** How shoppers find and collect the order */
  collection_instructions?: string
  /** When the order can be collected, in words */
  collection_time_description?: string
  /** Where the order is collected */
  location?: {
    /** The name of the location */
    name?: string
    /** The code of the location */
    code?: string
    /** Street and number */
    address_line_1?: string
    /** The second line of the street */
    address_line_2?: string
    /** The city or town */
    city?: string
    /** The state or province, by its name */
    state?: string
    /** The postal code; optional in countries without postal codes */
    postal_code?: string
    /** The country, as two letters of ISO 3166-1 */
    country_alpha2?: string
    /** Consignments that are sent by mail */
    email?: string
    /** A telephone number in any notation */
    phone?: string
  }
  /** The lines of this consignment */
  line_items?: OrderProductChanges[]
}

export interface OrderPickupLocation {
  id: number
  /** The name of the product in the order; one in a body replaces that of the catalog */
  name: string
  /** The code of the location */
  code: string
  /** Street and number */
  address_line_1: string
  /** The second line of the street */
  address_line_2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The postal code; optional in countries without postal codes */
  postal_code: string
  /** The country, as two letters of ISO 3166-1 */
  country_alpha2: string
  /** Consignments that are sent by mail */
  email: string
  /** A telephone number in any notation */
  phone: string
}

export interface OrderProduct {
  id: number
  /** The order, by the number that shoppers see */
  order_id: number
  /** The product of the catalog */
  product_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** The pickup of the order that has the line; 0 if it is shipped */
  order_pickup_method_id: number
  /** The shipping address of the order that the line is sent to; 0 for a pickup */
  order_address_id: number
  /** The name of the product in the order; one in a body replaces that of the catalog */
  name: string
  /** The name that shoppers see */
  name_customer: string
  /** The name that the staff sees */
  name_merchant: string
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The Universal Product Code, as digits */
  upc: string
  /** Whether it is shipped, downloaded or a gift certificate */
  type: "physical" | "digital" | "giftcertificate"
  /** With four decimals */
  base_price: string
  /** With four decimals */
  price_ex_tax: string
  /** With four decimals */
  price_inc_tax: string
  /** With four decimals */
  price_tax: string
  /** With four decimals */
  base_total: string
  /** With four decimals */
  total_ex_tax: string
  /** With four decimals */
  total_inc_tax: string
  /** With four decimals */
  total_tax: string
  /** How many units */
  quantity: number
  /** With four decimals */
  base_cost_price: string
  /** With four decimals */
  cost_price_inc_tax: string
  /** With four decimals */
  cost_price_ex_tax: string
  /** With four decimals */
  cost_price_tax: string
  /** The weight in the store's unit, which prices of carriers depend on */
  weight: string
  /** The width in the store's unit of length */
  width: string
  /** The height in the store's unit of length */
  height: string
  /** The depth in the store's unit of length */
  depth: string
  /** Whether all units of the line are refunded */
  is_refunded: boolean
  /** How many units are refunded */
  quantity_refunded: number
  /** With four decimals */
  refund_amount: string
  /** Always 0 */
  return_id: number
  /** The gift wrapping; 0 for none. It needs both costs */
  wrapping_id: number
  /** The name of the gift wrapping */
  wrapping_name: string | null
  /** With four decimals */
  base_wrapping_cost: string
  /** With four decimals */
  wrapping_cost_ex_tax: string
  /** With four decimals */
  wrapping_cost_inc_tax: string
  /** With four decimals */
  wrapping_cost_tax: string
  /** The text on the gift */
  wrapping_message: string
  /** How many units are in shipments */
  quantity_shipped: number
  /** The name of the event date; null without one */
  event_name: string | null
  /** The event date that the shopper chose; null without one */
  event_date: string | null
  /** With four decimals */
  fixed_shipping_cost: string
  /** A text of the client, stored as it came */
  ebay_item_id: string
  /** A text of the client, stored as it came */
  ebay_transaction_id: string
  /** A number of the options of the product; null without them */
  option_set_id: number | null
  /** The line that it is a part of; null for none */
  parent_order_product_id: number | null
  /** Whether it is a part of another line */
  is_bundled_product: boolean
  /** The place of the item in the warehouse */
  bin_picking_number: string
  /** An id of another system, stored as it came */
  external_id: string | null
  /** The name of the brand at the time of the order */
  brand: string
  /** What was taken off this line, by promotion, coupon or hand */
  applied_discounts: {
    /** The id of the promotion, `coupon`, `manual-discount` or `order-discount` */
    id: string
    /** With four decimals */
    amount: string
    /** The name of the promotion or coupon */
    name: string
    /** The code of the coupon; null for other discounts */
    code: string | null
    /** Whether the discount was for the order or for the product */
    target: "order" | "product"
  }[]
  /** The values of options and modifiers that were bought */
  product_options: OrderProductOption[]
  /** Values of fields of older clients; empty */
  configurable_fields: {
    /** The name of the field */
    name: string
    /** The id of the chosen value, or the text that was entered */
    value: string
  }[]
  /** The certificate that the line sells; null for other lines */
  gift_certificate_id: number | null
  /** With four decimals */
  discounted_total_inc_tax: string
}

/** With an id, changes a line; without, adds one. Quantity 0 removes a line */
export interface OrderProductChanges {
  id?: number
  /** The product of the catalog */
  product_id?: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** The name of the product in the order; one in a body replaces that of the catalog */
  name?: string
  /** The name that shoppers see */
  name_customer?: string
  /** The name that the staff sees */
  name_merchant?: string
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The Universal Product Code, as digits */
  upc?: string
  /** How many units */
  quantity?: number
  /** The price of a unit without tax. A body names both prices, or the catalog decides */
  price_ex_tax?: number
  /** The price of a unit with tax. A body names both prices, or the catalog decides */
  price_inc_tax?: number
  /** The values of options and modifiers that were bought */
  product_options?: NewOrderProductOption[]
  /** The gift wrapping; 0 for none. It needs both costs */
  wrapping_id?: number
  /** The name of the gift wrapping */
  wrapping_name?: string | null
  /** The text on the gift */
  wrapping_message?: string
  /** The price of wrapping a unit, without tax */
  wrapping_cost_ex_tax?: number
  /** The price of wrapping a unit, with tax */
  wrapping_cost_inc_tax?: number
}

export interface OrderProductOption {
  id: number
  /** The option or modifier that the value belongs to */
  option_id: number
  /** The line of the order, not the product of the catalog */
  order_product_id: number
  /** The option or modifier of the product */
  product_option_id: number
  /** The name of the option */
  display_name: string
  /** The value in words */
  display_value: string
  /** The id of the chosen value, or the text that was entered */
  value: string
  /** How shoppers chose the value */
  type: string
  /** The name of the option in the catalog */
  name: string
  /** How shoppers chose the value */
  display_style: string
  /** The name that shoppers see */
  display_name_customer: string
  /** The name that the staff sees */
  display_name_merchant: string
  /** The value in words for shoppers */
  display_value_customer: string
  /** The value in words for the staff */
  display_value_merchant: string
}

export interface OrderResource {
  /** The address of the sub-resource */
  url: string
  /** Its path below /v2 */
  resource: string
}

export interface OrderSettings {
  /** Who gets mails about orders */
  notifications: {
    /** Mails about new orders */
    order_placed: OrderNotification
    /** Copies of invoices */
    forward_invoice: OrderNotification
  }
  readonly meta: Meta
}

export interface OrderSettingsChanges {
  /** Who gets mails about orders */
  notifications?: {
    /** Mails about new orders */
    order_placed?: {
      /** Who gets the mail; null on a channel inherits from the store */
      email_addresses?: string[]
    }
    /** Copies of invoices */
    forward_invoice?: {
      /** Who gets the mail; null on a channel inherits from the store */
      email_addresses?: string[]
    }
  }
}

export interface OrderSettingsOfChannel {
  /** Who gets mails about orders */
  notifications: {
    /** Mails about new orders */
    order_placed: OrderNotificationOfChannel
    /** Copies of invoices */
    forward_invoice: OrderNotificationOfChannel
  }
  readonly meta: Meta
}

export interface OrderSettingsOfChannelChanges {
  /** Who gets mails about orders */
  notifications?: {
    /** Mails about new orders */
    order_placed?: {
      /** Who gets the mail; null on a channel inherits from the store */
      email_addresses?: string[] | null
    }
    /** Copies of invoices */
    forward_invoice?: {
      /** Who gets the mail; null on a channel inherits from the store */
      email_addresses?: string[] | null
    }
  }
}

export interface OrderShipment {
  readonly id: number
  /** The order, by the number that shoppers see */
  readonly order_id: number
  /** The customer account of the store */
  readonly customer_id: number
  /** The shipping address of the order that the parcel goes to */
  order_address_id: number
  /** RFC 2822 */
  readonly date_created: string
  /** The number by which the carrier finds the parcel */
  tracking_number: string
  /** A code of the carrier, from which the link to the parcel is made */
  tracking_carrier: string
  /** A link to the parcel, in place of the generated one */
  tracking_link: string
  /** What the shipment costs the shop */
  merchant_shipping_cost: string
  /** The name of the shipping method */
  shipping_method: string
  /** The code of the carrier */
  shipping_provider: string
  /** A note about the shipment */
  comments: string
  /** The billing address of the order */
  readonly billing_address: {
    /** The given name */
    first_name: string
    /** The family name */
    last_name: string
    /** The company of the person, as a text */
    company: string
    /** Street and number */
    street_1: string
    /** The second line of the street, such as a floor */
    street_2: string
    /** The city or town */
    city: string
    /** The state or province, by its name */
    state: string
    /** The postal code */
    zip: string
    /** The country, by its English name */
    country: string
    /** The country, as two letters of ISO 3166-1 */
    country_iso2: string
    /** A telephone number in any notation */
    phone: string
    /** Consignments that are sent by mail */
    email: string
  }
  /** The address that the parcel goes to */
  readonly shipping_address: {
    /** The given name */
    first_name: string
    /** The family name */
    last_name: string
    /** The company of the person, as a text */
    company: string
    /** Street and number */
    street_1: string
    /** The second line of the street, such as a floor */
    street_2: string
    /** The city or town */
    city: string
    /** The state or province, by its name */
    state: string
    /** The postal code */
    zip: string
    /** The country, by its English name */
    country: string
    /** The country, as two letters of ISO 3166-1 */
    country_iso2: string
    /** A telephone number in any notation */
    phone: string
    /** Consignments that are sent by mail */
    email: string
  }
  /** Lines and quantities in the parcel. A body without it ships all that is left; it never changes */
  items: {
    /** The line of the order, not the product of the catalog */
    order_product_id: number
    /** The product of the catalog */
    product_id: number
    /** How many units */
    quantity: number
  }[]
  /** The name of the carrier, as shoppers see it */
  readonly shipping_provider_display_name: string
  /** The link that follows from carrier and number */
  readonly generated_tracking_link: string
}

export interface OrderShipmentChanges {
  /** The shipping address of the order that the parcel goes to */
  order_address_id?: number
  /** The number by which the carrier finds the parcel */
  tracking_number?: string
  /** A code of the carrier, from which the link to the parcel is made */
  tracking_carrier?: string
  /** A link to the parcel, in place of the generated one */
  tracking_link?: string
  /** What the shipment costs the shop */
  merchant_shipping_cost?: number
  /** The name of the shipping method */
  shipping_method?: string
  /** The code of the carrier */
  shipping_provider?: string
  /** A note about the shipment */
  comments?: string
}

export interface OrderShippingAddress {
  readonly id: number
  /** The order, by the number that shoppers see */
  readonly order_id: number
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company: string
  /** Street and number */
  street_1: string
  /** The second line of the street, such as a floor */
  street_2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The postal code */
  zip: string
  /** The country, by its English name */
  country: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2: string
  /** A telephone number in any notation */
  phone: string
  /** Consignments that are sent by mail */
  email: string
  /** How many units it has */
  readonly items_total: number
  /** How many of its units are in shipments */
  readonly items_shipped: number
  /** The name of the shipping method */
  shipping_method: string
  /** With four decimals */
  readonly base_cost: string
  /** With four decimals */
  readonly cost_ex_tax: string
  /** With four decimals */
  readonly cost_inc_tax: string
  /** With four decimals */
  readonly cost_tax: string
  /** The tax class of this cost; 0 for the default class */
  readonly cost_tax_class_id: number
  /** With four decimals */
  readonly base_handling_cost: string
  /** With four decimals */
  readonly handling_cost_ex_tax: string
  /** With four decimals */
  readonly handling_cost_inc_tax: string
  /** With four decimals */
  readonly handling_cost_tax: string
  /** The tax class of this cost; 0 for the default class */
  readonly handling_cost_tax_class_id: number
  /** The shipping zone of the address; 0 for none */
  readonly shipping_zone_id: number
  /** The name of the shipping zone */
  readonly shipping_zone_name: string
  /** Values of the form fields that the store's settings define */
  form_fields: OrderFormField[]
  /** A link to the options of the address */
  readonly shipping_quotes: OrderResource
}

export interface OrderShippingAddressChanges {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  street_1?: string
  /** The second line of the street, such as a floor */
  street_2?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The postal code */
  zip?: string
  /** The country, by its English name */
  country?: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2?: string
  /** A telephone number in any notation */
  phone?: string
  /** Consignments that are sent by mail */
  email?: string
  /** Values of the form fields that the store's settings define */
  form_fields?: OrderFormField[]
  /** The name of the shipping method */
  shipping_method?: string
}

export interface OrderShippingConsignment {
  id: number
  /** The lines of this consignment */
  line_items: (OrderResource | OrderProduct)[]
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The company of the person, as a text */
  company: string
  /** Street and number */
  street_1: string
  /** The second line of the street, such as a floor */
  street_2: string
  /** The city or town */
  city: string
  /** The state or province, by its name */
  state: string
  /** The postal code */
  zip: string
  /** The country, by its English name */
  country: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2: string
  /** A telephone number in any notation */
  phone: string
  /** Consignments that are sent by mail */
  email: string
  /** Values of the form fields that the store's settings define */
  form_fields: OrderFormField[]
  /** How many units it has */
  items_total: number
  /** How many of its units are in shipments */
  items_shipped: number
  /** The name of the shipping method */
  shipping_method: string
  /** Shipping as prices are entered, with or without tax */
  base_cost: number
  /** Shipping of this address, without tax */
  cost_ex_tax: number
  /** Shipping of this address, with tax */
  cost_inc_tax: number
  /** The tax in the shipping cost */
  cost_tax: number
  /** The tax class of this cost; 0 for the default class */
  cost_tax_class_id: number
  /** Handling as prices are entered, with or without tax */
  base_handling_cost: number
  /** Handling without tax */
  handling_cost_ex_tax: number
  /** Handling with tax */
  handling_cost_inc_tax: number
  /** The tax in the handling cost */
  handling_cost_tax: number
  /** The tax class of this cost; 0 for the default class */
  handling_cost_tax_class_id: number
  /** The shipping zone of the address; 0 for none */
  shipping_zone_id: number
  /** The name of the shipping zone */
  shipping_zone_name: string
  /** A link to the options of the address */
  shipping_quotes: OrderResource
}

export interface OrderShippingQuote {
  /** The id of the shipping address */
  id: string
  /** The id of the shipping option */
  uuid: string
  /** The time of the order */
  timestamp: string
  /** The type of the shipping method, or `custom` */
  shipping_provider_id: string
  /** Text and cost of the option, in a list */
  shipping_provider_quote: {
    /** The text of the option */
    description: string
    /** The cost of the option, as text */
    cost: string
  }[]
  /** The type of the shipping method, or `custom` */
  provider_code: string
  /** The type of the shipping method, or `custom` */
  carrier_code: string
  /** The id of the shipping option */
  rate_code: string
  /** The id of the shipping option */
  rate_id: string
  /** The shipping method of the store; 0 without one */
  method_id: number
}

export interface OrderStatus {
  /** The number of the status, 0 to 14 */
  id: number
  /** The name of the status that the server gives */
  name: string
  /** The name of the status that the server gives */
  system_label: string
  /** The name of the status in this store */
  custom_label: string
  /** When orders have the status */
  system_description: string
  /** The position of the status in lists */
  order: number
}

export interface OrderTax {
  id: number
  /** The order, by the number that shoppers see */
  order_id: number
  /** The shipping address whose zone decided; 0 for none */
  order_address_id: number
  /** The pickup whose location decided; 0 for none */
  order_pickup_method_id: number
  /** The rate that was charged */
  tax_rate_id: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id: number | null
  /** The name of the rate */
  name: string
  /** The name of the tax class */
  class: string
  /** The rate in percent, as text with four decimals */
  rate: string
  /** The order in which rates are charged; rates of a later number count on top of earlier ones */
  priority: number
  /** With four decimals */
  priority_amount: string
  /** With four decimals */
  line_amount: string
  /** The line of the order, not the product of the catalog */
  order_product_id?: string
  /** What was taxed: an item, wrapping, shipping, handling, a fee or a refund */
  line_item_type?: string
  /** The id that a tax provider gave; empty without one */
  sales_tax_id?: string
}

export interface OrderTransaction {
  id: number
  /** The order, by the number that shoppers see */
  order_id: string
  /** What happened to the money */
  event: "purchase" | "authorization" | "capture" | "refund" | "void" | "pending" | "settled"
  /** How the shopper paid */
  method: "credit_card" | "electronic_wallet" | "gift_certificate" | "store_credit" | "apple_pay_card" | "apple_pay_token" | "bigpay_token" | "token" | "custom" | "offsite" | "offline" | "nonce"
  /** The amount in the currency of the transaction */
  amount: number
  /** The code of the currency in ISO 4217 */
  currency: string
  /** The payment provider, `custom` or empty for money that no provider moved */
  gateway: string
  /** The id that the provider gave */
  gateway_transaction_id: string
  /** Whether the provider was in its test mode */
  test: boolean
  /** Whether it succeeded */
  status: "ok" | "error"
  /** Whether the provider holds it for a review */
  fraud_review: boolean
  /** The transaction that it belongs to, such as the authorization of a capture; null for none */
  reference_transaction_id: number | null
  /** The provider and the method, such as `bigpaypay.card` */
  payment_method_id: string
  /** The time of its creation, in UTC */
  date_created: string
  /** The message of the provider */
  message: string | null
  /** The name of an offline method; null for other methods */
  offline: {
    /** The name of the method, as shoppers see it */
    display_name: string
  } | null
  /** The name of a custom method; null for other methods */
  custom: {
    /** The name of the method */
    payment_method: string
  } | null
  /** The card without its number; null for other methods */
  credit_card: OrderTransactionCard
  /** The credit that is left; null for other methods */
  store_credit: {
    /** What is left after the transaction */
    remaining_balance: number
  } | null
  /** The certificate and its balances; null for other methods */
  gift_certificate: {
    /** The code of the provider or of the certificate */
    code: string
    /** The amount for which the certificate was bought */
    original_balance: number
    /** The balance before the transaction */
    starting_balance: number
    /** What is left after the transaction */
    remaining_balance: number
    /** Whether it succeeded */
    status: string
  } | null
  /** How the address fits the card; null if the provider sends nothing */
  avs_result: {
    /** The code of the provider or of the certificate */
    code: string
    /** The text of the provider */
    message: string
    /** Whether the street fits */
    street_match: string
    /** Whether the postal code fits */
    postal_match: string
  } | null
  /** How the security code fits the card; null if the provider sends nothing */
  cvv_result: {
    /** The code of the provider or of the certificate */
    code: string
    /** The text of the provider */
    message: string
  } | null
  /** A stored means of payment; null for none */
  payment_instrument_token: string | null
  /** The id of the means of payment at the provider */
  provider_instrument_token: string | null
  /** The id of the shopper at the provider */
  provider_customer_id: string | null
  /** Further answers of the provider; null for none */
  custom_provider_field_result: Record<string, never> | null
}

export type OrderTransactionCard = {
  /** The brand of the card */
  card_type?: string
  /** The first six digits of the card */
  card_iin?: string
  /** The last four digits of the card */
  card_last4?: string
  /** The last month in which the card is valid */
  card_expiry_month?: number
  /** The last year in which the card is valid */
  card_expiry_year?: number
} | null

export interface OrderedQuote {
  /** The id of an order of the store */
  orderId: string | number
}

export interface OrdersOfGroup {
  /** The customer group of the company */
  bcGroupId: number
}

/** With the fields of its type */
export interface Page {
  id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The name in menus, unique on its channel without regard to case */
  name: string
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  /** 0 at the top */
  parent_id: number
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type: "page" | "raw" | "contact_form" | "link" | "blog"
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string
  /** The title in browsers */
  meta_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** An e-mail address, compared without case */
  email?: string
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string
  /** With include=body */
  body?: string | null
}

export interface PageChanges {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** 0 at the top */
  parent_id?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage?: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only?: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string | null
  /** The title in browsers */
  meta_title?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string | null
  /** An e-mail address, compared without case */
  email?: string | null
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string | null
  /** At most 1 MiB */
  body?: string | null
  /** The name in menus, unique on its channel without regard to case */
  name?: string
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type?: "page" | "raw" | "contact_form" | "link" | "blog"
}

export interface PageChangesById {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** 0 at the top */
  parent_id?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage?: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only?: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string | null
  /** The title in browsers */
  meta_title?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string | null
  /** An e-mail address, compared without case */
  email?: string | null
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string | null
  /** At most 1 MiB */
  body?: string | null
  /** The name in menus, unique on its channel without regard to case */
  name?: string
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type?: "page" | "raw" | "contact_form" | "link" | "blog"
  id: number
}

export interface PageChangesV2 {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** 0 at the top */
  parent_id?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage?: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only?: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string | null
  /** The title in browsers */
  meta_title?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string | null
  /** An e-mail address, compared without case */
  email?: string | null
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string | null
  /** At most 1 MiB */
  body?: string | null
  /** The name in menus, unique on its channel without regard to case */
  name?: string
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type?: "page" | "raw" | "contact_form" | "link" | "blog"
}

export interface PageCount {
  /** How many pages the store has */
  count: number
}

export interface PageDropzone {
  /** Any JSON object of at most 64 KB */
  configuration: Record<string, unknown>
  /** Widgets in the zone, in their order */
  widgets: PageWidget[]
}

export interface PageLayout {
  /** A layout with zones, or a widget */
  type: "layout"
  /** Read-only */
  layout_template_uuid: string
  /** A name for people; not unique */
  name: string
  /** Any JSON object of at most 64 KB */
  configuration: Record<string, unknown>
  /** Zones of the layout, each with its widgets */
  dropzones: PageDropzone[]
}

export interface PageRegion {
  /** A name for people; not unique */
  name: string
  /** Layouts and widgets of the region, in their order */
  children: (PageLayout | PageWidget)[]
}

export interface PageRegionChild {
  /** A layout with zones, or a widget */
  type?: "layout" | "widget"
  /** The template that renders it; one of the same channel or a built-in one */
  widget_template_uuid?: string
  /** A name for people; not unique */
  name?: string
  /** A note for people */
  description?: string
  /** Any JSON object of at most 64 KB */
  configuration?: Record<string, unknown>
  /** Variables of the query of its template; empty if it has none */
  storefront_api_query_params?: Record<string, unknown>
  /** Zones of the layout, each with its widgets */
  dropzones?: {
    /** Any JSON object of at most 64 KB */
    configuration?: Record<string, unknown>
    /** Widgets in the zone, in their order */
    widgets?: PageWidgetInput[]
  }[]
}

export interface PageRegions {
  /** Regions of the page with their contents */
  regions: PageRegion[]
}

export interface PageV2 {
  readonly id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The name in menus, unique on its channel without regard to case */
  name: string
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  /** 0 at the top */
  parent_id: number
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** What the page shows: HTML in the theme, a contact form, raw text, a link, or the blog */
  type: "page" | "raw" | "contact_form" | "link" | "blog"
  /** Whether it is the home page of its channel. Setting it makes the former one an ordinary page */
  is_homepage: boolean
  /** Whether only customers who are signed in can open it */
  is_customers_only: boolean
  /** The path of the page; without one it is made from the name. Links have none */
  url?: string
  /** The title in browsers */
  meta_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** An e-mail address, compared without case */
  email?: string
  /** Fields of a contact form: a comma list of `fullname`, `phone`, `companyname`, `orderno` and `rma` */
  contact_fields?: string | null
  /** The media type of a raw page */
  content_type?: "text/html" | "text/javascript" | "application/json"
  /** The absolute address that a page of the type `link` leads to */
  link?: string
  /** HTML, at most 1 MiB. Answers of version 3 have it with `include=body` */
  body: string
  /** Always empty */
  readonly mobile_body: string
  /** Always false */
  readonly has_mobile_version: boolean
  /** Always page.html */
  readonly layout_file: string
}

export interface PageWidget {
  /** A layout with zones, or a widget */
  type: "widget"
  /** The template that renders it; one of the same channel or a built-in one */
  widget_template_uuid: string
  /** A name for people; not unique */
  name: string
  /** A note for people */
  description: string
  /** Any JSON object of at most 64 KB */
  configuration: Record<string, unknown>
  /** Variables of the query of its template; empty if it has none */
  storefront_api_query_params: Record<string, unknown>
}

export interface PageWidgetInput {
  /** A layout with zones, or a widget */
  type?: "widget"
  /** The template that renders it; one of the same channel or a built-in one */
  widget_template_uuid?: string
  /** A name for people; not unique */
  name?: string
  /** A note for people */
  description?: string
  /** Any JSON object of at most 64 KB */
  configuration?: Record<string, unknown>
  /** Variables of the query of its template; empty if it has none */
  storefront_api_query_params?: Record<string, unknown>
}

export interface PageWidgets {
  /** Regions of the page with their contents */
  regions: {
    /** A name for people; not unique */
    name: string
    /** Layouts and widgets of the region, in their order */
    children?: PageRegionChild[]
  }[]
  /** The template of the theme whose pages show it, such as `pages/home` */
  template_file?: string
  /** The product, brand, category or page that it is for; empty for all pages of the template */
  entity_id?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface ParentCompany {
  id: number
  name: string
}

export interface ParentRelation {
  type: "variant_option" | "modifier"
  /** The product of the catalog */
  product_id: number
  attribute_id: number
}

export interface PasswordValidation {
  /** Whether the password is right */
  readonly success: boolean
}

export interface PastEvent {
  /** The event, or a family of events such as `store/order/*` */
  scope: string
  /** The number of the store */
  store_id: string
  /** Ids of the changed resource, as they were sent */
  data: unknown
  /** The id of the event, the same for all attempts */
  hash: string
  /** Unix seconds */
  created_at: number
  /** `stores/` and the hash of the store */
  producer: string
  /** webhook-id */
  event_id: string
  /** The hook that the event is for */
  hook_id: number
  /** Where it is. A hook that fails for too long is deactivated */
  status: "failed" | "delivered"
}

export interface PaymentMethod {
  /** The payment_method_id of payments */
  id: string
  /** The name that shoppers see */
  name: string
  /** The kind of the means of payment */
  type: string
  /** Whether no money moves */
  test_mode: boolean
  /** The cards that the provider takes */
  supported_instruments: {
    /** The brand of the card, or a stored one */
    instrument_type: "VISA" | "MASTERCARD" | "DISCOVER" | "AMEX" | "DINERS_CLUB" | "JCB" | "STORED_CARD"
    /** Whether the security code is needed */
    verification_value_required: boolean
  }[]
  /** Those of the customer of the order */
  stored_instruments: PaymentMethodStoredInstrument[]
}

export interface PaymentMethodChange {
  /** The code of the provider */
  code?: string
  /** Whether the company may pay so */
  isEnabled: boolean
}

export interface PaymentMethodStoredInstrument {
  /** The kind of the means of payment */
  type: "stored_card"
  /** Stands for the stored means in payments */
  token: string
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** The brand of the card */
  brand: string
  /** The last month in which the card is valid, 1 to 12 */
  expiry_month: number
  /** The last year in which the card is valid, with four digits */
  expiry_year: number
  /** The first six digits of the card */
  issuer_identification_number: string
  /** The last four digits of the card */
  last_4: string
}

export interface PaymentMethodV2 {
  /** The code of the provider */
  code: string
  /** The name that shoppers see */
  name: string
  /** Whether no money moves */
  test_mode: boolean
}

export interface PaymentTerms {
  /** Whether the company has terms of its own, in place of those of the store */
  isEnabled: boolean
  /** Days: 0, 5, 15, 30, 45 or 60 */
  paymentTerms: number
}

export interface PermissionGrant {
  /** A code for clients, which never changes */
  code: string
  /** 1 own things, 2 those of the company, 3 those of its dependent companies too */
  permissionLevel: number
}

export interface PickupItem {
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** How many units */
  quantity: number
}

export interface PickupMethod {
  id: number
  /** The location: a place that has stock */
  location_id: number
  name: string
  /** How shoppers find and collect the order */
  collection_instructions: string
  /** When the order can be collected, in words for shoppers */
  collection_time_description: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The name that shoppers see in the checkout */
  display_name: string
}

export interface PickupMethodChanges {
  /** The location: a place that has stock */
  location_id?: number
  name?: string
  /** The name that shoppers see in the checkout */
  display_name?: string
  /** How shoppers find and collect the order */
  collection_instructions?: string
  /** When the order can be collected, in words for shoppers */
  collection_time_description?: string
  id: number
}

export interface PickupOptions {
  /** The pickup methods of a location with the items that it has */
  readonly pickup_options: {
    /** A way to collect the items */
    pickup_method: {
      id: number
      /** The location: a place that has stock */
      location_id: number
      name: string
      /** How shoppers find and collect the order */
      collection_instructions: string
      /** When the order can be collected, in words for shoppers */
      collection_time_description: string
      /** The name that shoppers see in the checkout */
      display_name: string
    }
    /** The requested items that the location has, each variant once */
    available_items: PickupItem[]
  }[]
}

export interface PickupSearch {
  /** The circle in which locations are searched */
  search_area: {
    /** The center of the search */
    coordinates: {
      /** Degrees north of the equator, negative for south */
      latitude: number
      /** Degrees east of Greenwich, negative for west */
      longitude: number
    }
    /** How far from the center locations are found */
    radius: {
      /** The length of the radius in its unit */
      value: number
      /** Kilometers or miles */
      unit: "KM" | "MI"
    }
  }
  /** The variants that the shopper wants, with quantities */
  items: PickupItem[]
}

export interface PickupSettings {
  /** Whether items may be collected at another location than the order names */
  allow_pickup_elsewhere?: boolean | null
  /** Whether an order gets the status 8 when all its items are ready for collection */
  pickup_sets_status?: boolean | null
  /** Whether an order gets the status 10 when all its items are collected */
  complete_on_collection?: boolean | null
}

export interface PickupSettingsChanges {
  /** Whether items may be collected at another location than the order names */
  allow_pickup_elsewhere?: boolean | null
  /** Whether an order gets the status 8 when all its items are ready for collection */
  pickup_sets_status?: boolean | null
  /** Whether an order gets the status 10 when all its items are collected */
  complete_on_collection?: boolean | null
}

export interface PictureChanges {
  /** The absolute address of its picture; empty without one */
  image_url?: string
  /** Whether this picture represents the product in lists. A product has one such picture */
  is_thumbnail?: boolean
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The text for people who do not see the picture */
  description?: string
  /** The file of a form, at most 8 MiB. In answers the name of the stored copy */
  image_file?: Upload
}

export interface Placement {
  /** A random UUID that the server gives */
  readonly uuid: string
  /** The template of the theme whose pages show it, such as `pages/home` */
  template_file: string
  /** Empty for all pages of the file */
  entity_id: string
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** The region of the template */
  region: string
  /** Whether shoppers see it */
  status: "inactive" | "active"
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The widget in the place */
  readonly widget: Widget
}

export interface PlacementChanges {
  /** The widget that is placed */
  widget_uuid?: string
  /** The template of the theme whose pages show it, such as `pages/home` */
  template_file?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Empty for all pages of the file */
  entity_id?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The region of the template */
  region?: string
  /** Whether shoppers see it */
  status?: "inactive" | "active"
}

export interface PriceList {
  readonly id: number
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The name of the price list, unique in the store without regard to case */
  name: string
  /** Whether its prices apply; prices of inactive lists are stored only */
  active: boolean
}

export interface PriceListAssign {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The price list */
  priceListId: number
  /** The name of the price list */
  priceListName: string
  /** The name of the channel, as its settings have it */
  channelName: string
}

export interface PriceListAssignment {
  readonly id: number
  /** The price list whose prices apply */
  price_list_id: number
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id: number | null
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number | null
}

export interface PriceListAssignmentPair {
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface PriceListChanges {
  /** The name of the price list, unique in the store without regard to case */
  name?: string
  /** Whether its prices apply; prices of inactive lists are stored only */
  active?: boolean
}

export interface PriceListOfCompany {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The price list */
  priceListId: number
}

export interface PriceRange {
  /** The lowest price of the variants, or the quantity from which on it applies */
  minimum: TaxPrice
  /** The highest price of the variants, or the last quantity; 0 for no end */
  maximum: TaxPrice
}

export interface PriceRecord {
  /** The sale price, else the price; without modifiers and tiers */
  readonly calculated_price: number
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The product of the catalog */
  readonly product_id: number
  /** The price list whose prices apply */
  readonly price_list_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id: number
  /** ISO 4217, in lower case */
  currency: string
  /** The price of the price list, else of the catalog */
  price: number
  /** The sale price of the source; missing without one */
  sale_price: number | null
  /** The manufacturer's recommended price; missing without one */
  retail_price: number | null
  /** The minimum advertised price */
  map_price: number | null
  /** With include=sku */
  sku?: string
  /** With include=bulk_pricing_tiers, and in answers to changes */
  bulk_pricing_tiers?: PriceTier[]
}

export interface PriceRecordChanges {
  /** The price of the price list, else of the catalog */
  price?: number
  /** The sale price of the source; missing without one */
  sale_price?: number | null
  /** The manufacturer's recommended price; missing without one */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** Lower prices from quantities on, at most 50 without overlaps */
  bulk_pricing_tiers?: NewPriceTier[]
}

export interface PriceRecordItem {
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The code of the currency in ISO 4217 */
  currency: string
  /** The price of the price list, else of the catalog */
  price?: number
  /** The sale price of the source; missing without one */
  sale_price?: number | null
  /** The manufacturer's recommended price; missing without one */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** Lower prices from quantities on, at most 50 without overlaps */
  bulk_pricing_tiers?: NewPriceTier[]
}

export interface PriceRecordItemOfList {
  /** The price list whose prices apply */
  price_list_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The code of the currency in ISO 4217 */
  currency: string
  /** The price of the price list, else of the catalog */
  price?: number
  /** The sale price of the source; missing without one */
  sale_price?: number | null
  /** The manufacturer's recommended price; missing without one */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** Lower prices from quantities on, at most 50 without overlaps */
  bulk_pricing_tiers?: NewPriceTier[]
}

export interface PriceTier {
  /** The price applies from this quantity on */
  quantity_min: number
  /** null for no end */
  quantity_max: number | null
  /** What `amount` is: an amount off each unit, a percentage off, or the new price */
  type: "price" | "percent" | "fixed"
  /** The amount or percentage; a percentage is at most 100 */
  amount: number
}

export interface PricedItem {
  /** The product of the catalog */
  product_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** Values of options and modifiers that the price is for */
  options?: PricedOption[]
}

export interface PricedOption {
  /** The option or modifier that the value belongs to */
  option_id: number
  /** The chosen value of the option */
  value_id: number
}

export interface PricingRequest {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The code of the currency in ISO 4217 */
  currency_code: string
  /** The country, as two letters of ISO 3166-1 */
  country_code?: string
  /** 0 for none */
  customer_group_id?: number
  /** 0 for none */
  customer_id?: number
  /** At most 250; more is 413 */
  items: PricedItem[]
}

export interface ProcessingStatusChange {
  /** Where the payment is: 1 awaiting, 2 processing, 3 completed, 4 refunded */
  processingStatus: number
}

export interface Product {
  id: number
  /** The name that shoppers see, unique in the store without regard to case */
  name: string
  /** Whether it is shipped (`physical`) or downloaded (`digital`) */
  type: "physical" | "digital"
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The text of its page as HTML, stored as it is sent */
  description: string
  /** The weight in the store's unit, which prices of carriers depend on */
  weight: number
  /** The width in the store's unit of length */
  width: number
  /** The depth in the store's unit of length */
  depth: number
  /** The height in the store's unit of length */
  height: number
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price: number
  /** The price that the seller paid; never shown to shoppers */
  cost_price: number
  /** The manufacturer's recommended price, shown for comparison */
  retail_price: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price: number
  /** The minimum advertised price */
  map_price: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id: number
  /** A code by which tax providers classify the product */
  product_tax_code: string
  /** The price that shoppers pay: the sale price if there is one, else the price */
  readonly calculated_price: number
  /** Ids of the categories that contain it, at most 1,000; a change replaces the list */
  categories: number[]
  /** The brand: the maker of a product. 0 for none */
  brand_id: number
  /** A number of its options together; null without options */
  readonly option_set_id: number | null
  /** Where themes show the options, such as `right` */
  readonly option_set_display: string
  /** How many units are in stock, over all locations */
  inventory_level: number
  /** Stock at or below this number counts as low */
  inventory_warning_level: number
  /** Whether stock is counted: not at all, for the product, or for each variant */
  inventory_tracking: "none" | "product" | "variant"
  /** The sum of the stars of its approved reviews */
  readonly reviews_rating_sum: number
  /** How many approved reviews it has */
  readonly reviews_count: number
  /** How many units were sold, as clients send it */
  total_sold: number
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price: number
  /** Whether it ships without a charge */
  is_free_shipping: boolean
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  /** Whether storefronts may show it among their featured products */
  is_featured: boolean
  /** Ids of products to show beside it. `[-1]` lets the storefront choose */
  related_products: number[]
  /** The text about the warranty on its page */
  warranty: string
  /** The place of the item in the warehouse */
  bin_picking_number: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file: string
  /** The Universal Product Code, as digits */
  upc: string
  /** The manufacturer's part number */
  mpn: string
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin: string
  /** The time of its last import, in UTC; null for none */
  date_last_imported: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords: string
  /** Whether it can be bought, can't, or can be ordered before it is released */
  availability: "available" | "disabled" | "preorder"
  /** A note for shoppers, such as the time until it is shipped */
  availability_description: string
  /** Whether all wrappings of the store are offered, none, or those of a list */
  gift_wrapping_options_type: "any" | "none" | "list"
  /** Ids of the wrappings that are offered if the type is `list` */
  gift_wrapping_options_list: number[]
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** Whether it is new, used or refurbished */
  condition: "New" | "Used" | "Refurbished"
  /** Whether its page names the condition */
  is_condition_shown: boolean
  /** The fewest units of an order; 0 for no bound */
  order_quantity_minimum: number
  /** The most units of an order; 0 for no bound */
  order_quantity_maximum: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords: string[]
  /** A summary for search engines, in the head of its page */
  meta_description: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** How often shoppers opened its page, as clients send it */
  view_count: number
  /** The time of its release, in UTC, for products that are ordered before */
  preorder_release_date: string | null
  /** The note about the release */
  preorder_message: string
  /** Whether it becomes available by itself at its release */
  is_preorder_only: boolean
  /** Whether shoppers see `price_hidden_label` in place of the price */
  is_price_hidden: boolean
  /** The text in place of a hidden price */
  price_hidden_label: string
  /** The path of its page, unique in the store; without one it is made from the name */
  custom_url: CustomUrl
  /** The variant of a product without options; null with options */
  readonly base_variant_id: number | null
  /** The kind of thing that its page tells social networks */
  open_graph_type: "product" | "album" | "book" | "drink" | "food" | "game" | "movie" | "song" | "tv_show"
  /** The title for social networks, unless the name of the product is used */
  open_graph_title: string
  /** The text for social networks, unless the meta description is used */
  open_graph_description: string
  /** Whether social networks get the meta description */
  open_graph_use_meta_description: boolean
  /** Whether social networks get the name of the product */
  open_graph_use_product_name: boolean
  /** Whether social networks get the thumbnail of the product */
  open_graph_use_image: boolean
  /** Lower prices from certain quantities on */
  bulk_pricing_rules?: BulkPricingRule[]
  /** Ids of the channels that the product is assigned to */
  readonly channels?: number[]
  /** Pairs of heading and text on its page */
  custom_fields?: CustomField[]
  /** Pictures of the product. One of them is the thumbnail */
  images?: ProductImage[]
  /** Choices of shoppers that make no variant, such as an engraving */
  readonly modifiers?: Modifier[]
  /** Choices of shoppers that make variants, such as a size */
  readonly options?: Option[]
  /** Relations to parent products; empty without them */
  readonly parent_relations?: ParentRelation[]
  /** The thumbnail; null without a picture */
  readonly primary_image?: ProductImage | null
  /** Reviews of shoppers, with `include=reviews` */
  readonly reviews?: Review[]
  /** Its variants. A product without options has one, the base variant */
  variants?: Variant[]
  /** Videos on its page */
  videos?: Video[]
}

export interface ProductChanges {
  /** The name that shoppers see, unique in the store without regard to case */
  name?: string
  /** Whether it is shipped (`physical`) or downloaded (`digital`) */
  type?: "physical" | "digital"
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The text of its page as HTML, stored as it is sent */
  description?: string
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number
  /** The width in the store's unit of length */
  width?: number
  /** The depth in the store's unit of length */
  depth?: number
  /** The height in the store's unit of length */
  height?: number
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number
  /** The minimum advertised price */
  map_price?: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number
  /** A code by which tax providers classify the product */
  product_tax_code?: string
  /** Ids of the categories that contain it, at most 1,000; a change replaces the list */
  categories?: number[]
  /** The brand: the maker of a product. 0 for none */
  brand_id?: number
  /** How many units are in stock, over all locations */
  inventory_level?: number
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number
  /** Whether stock is counted: not at all, for the product, or for each variant */
  inventory_tracking?: "none" | "product" | "variant"
  /** How many units were sold, as clients send it */
  total_sold?: number
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** Whether storefronts may show it among their featured products */
  is_featured?: boolean
  /** Ids of products to show beside it. `[-1]` lets the storefront choose */
  related_products?: number[]
  /** The text about the warranty on its page */
  warranty?: string
  /** The place of the item in the warehouse */
  bin_picking_number?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** The Universal Product Code, as digits */
  upc?: string
  /** The manufacturer's part number */
  mpn?: string
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string
  /** The time of its last import, in UTC; null for none */
  date_last_imported?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Whether it can be bought, can't, or can be ordered before it is released */
  availability?: "available" | "disabled" | "preorder"
  /** A note for shoppers, such as the time until it is shipped */
  availability_description?: string
  /** Whether all wrappings of the store are offered, none, or those of a list */
  gift_wrapping_options_type?: "any" | "none" | "list"
  /** Ids of the wrappings that are offered if the type is `list` */
  gift_wrapping_options_list?: number[]
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is new, used or refurbished */
  condition?: "New" | "Used" | "Refurbished"
  /** Whether its page names the condition */
  is_condition_shown?: boolean
  /** The fewest units of an order; 0 for no bound */
  order_quantity_minimum?: number
  /** The most units of an order; 0 for no bound */
  order_quantity_maximum?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** How often shoppers opened its page, as clients send it */
  view_count?: number
  /** The time of its release, in UTC, for products that are ordered before */
  preorder_release_date?: string | null
  /** The note about the release */
  preorder_message?: string
  /** Whether it becomes available by itself at its release */
  is_preorder_only?: boolean
  /** Whether shoppers see `price_hidden_label` in place of the price */
  is_price_hidden?: boolean
  /** The text in place of a hidden price */
  price_hidden_label?: string
  /** The path of its page, unique in the store; without one it is made from the name */
  custom_url?: CustomUrlInput
  /** The kind of thing that its page tells social networks */
  open_graph_type?: "product" | "album" | "book" | "drink" | "food" | "game" | "movie" | "song" | "tv_show"
  /** The title for social networks, unless the name of the product is used */
  open_graph_title?: string
  /** The text for social networks, unless the meta description is used */
  open_graph_description?: string
  /** Whether social networks get the meta description */
  open_graph_use_meta_description?: boolean
  /** Whether social networks get the name of the product */
  open_graph_use_product_name?: boolean
  /** Whether social networks get the thumbnail of the product */
  open_graph_use_image?: boolean
  /** The name of its brand in place of `brand_id`; an unknown name creates the brand */
  brand_name?: string
  /** Pairs of heading and text on its page */
  custom_fields?: CustomFieldItem[]
  /** Lower prices from certain quantities on */
  bulk_pricing_rules?: BulkPricingRuleItem[]
  /** Pictures of the product. One of them is the thumbnail */
  images?: ImageItem[]
  /** Videos on its page */
  videos?: VideoItem[]
}

export interface ProductChangesById {
  /** The name that shoppers see, unique in the store without regard to case */
  name?: string
  /** Whether it is shipped (`physical`) or downloaded (`digital`) */
  type?: "physical" | "digital"
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The text of its page as HTML, stored as it is sent */
  description?: string
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number
  /** The width in the store's unit of length */
  width?: number
  /** The depth in the store's unit of length */
  depth?: number
  /** The height in the store's unit of length */
  height?: number
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number
  /** The minimum advertised price */
  map_price?: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id?: number
  /** A code by which tax providers classify the product */
  product_tax_code?: string
  /** Ids of the categories that contain it, at most 1,000; a change replaces the list */
  categories?: number[]
  /** The brand: the maker of a product. 0 for none */
  brand_id?: number
  /** How many units are in stock, over all locations */
  inventory_level?: number
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number
  /** Whether stock is counted: not at all, for the product, or for each variant */
  inventory_tracking?: "none" | "product" | "variant"
  /** How many units were sold, as clients send it */
  total_sold?: number
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** Whether storefronts may show it among their featured products */
  is_featured?: boolean
  /** Ids of products to show beside it. `[-1]` lets the storefront choose */
  related_products?: number[]
  /** The text about the warranty on its page */
  warranty?: string
  /** The place of the item in the warehouse */
  bin_picking_number?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** The Universal Product Code, as digits */
  upc?: string
  /** The manufacturer's part number */
  mpn?: string
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string
  /** The time of its last import, in UTC; null for none */
  date_last_imported?: string | null
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Whether it can be bought, can't, or can be ordered before it is released */
  availability?: "available" | "disabled" | "preorder"
  /** A note for shoppers, such as the time until it is shipped */
  availability_description?: string
  /** Whether all wrappings of the store are offered, none, or those of a list */
  gift_wrapping_options_type?: "any" | "none" | "list"
  /** Ids of the wrappings that are offered if the type is `list` */
  gift_wrapping_options_list?: number[]
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** Whether it is new, used or refurbished */
  condition?: "New" | "Used" | "Refurbished"
  /** Whether its page names the condition */
  is_condition_shown?: boolean
  /** The fewest units of an order; 0 for no bound */
  order_quantity_minimum?: number
  /** The most units of an order; 0 for no bound */
  order_quantity_maximum?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** How often shoppers opened its page, as clients send it */
  view_count?: number
  /** The time of its release, in UTC, for products that are ordered before */
  preorder_release_date?: string | null
  /** The note about the release */
  preorder_message?: string
  /** Whether it becomes available by itself at its release */
  is_preorder_only?: boolean
  /** Whether shoppers see `price_hidden_label` in place of the price */
  is_price_hidden?: boolean
  /** The text in place of a hidden price */
  price_hidden_label?: string
  /** The path of its page, unique in the store; without one it is made from the name */
  custom_url?: CustomUrlInput
  /** The kind of thing that its page tells social networks */
  open_graph_type?: "product" | "album" | "book" | "drink" | "food" | "game" | "movie" | "song" | "tv_show"
  /** The title for social networks, unless the name of the product is used */
  open_graph_title?: string
  /** The text for social networks, unless the meta description is used */
  open_graph_description?: string
  /** Whether social networks get the meta description */
  open_graph_use_meta_description?: boolean
  /** Whether social networks get the name of the product */
  open_graph_use_product_name?: boolean
  /** Whether social networks get the thumbnail of the product */
  open_graph_use_image?: boolean
  /** The name of its brand in place of `brand_id`; an unknown name creates the brand */
  brand_name?: string
  /** Pairs of heading and text on its page */
  custom_fields?: CustomFieldItem[]
  /** Lower prices from certain quantities on */
  bulk_pricing_rules?: BulkPricingRuleItem[]
  /** Pictures of the product. One of them is the thumbnail */
  images?: ImageItem[]
  /** Videos on its page */
  videos?: VideoItem[]
  id: number
}

export interface ProductImage {
  readonly id: number
  /** The product of the catalog */
  readonly product_id: number
  /** Whether this picture represents the product in lists. A product has one such picture */
  is_thumbnail: boolean
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** The text for people who do not see the picture */
  description: string
  /** The file of a form, at most 8 MiB. In answers the name of the stored copy */
  image_file: string
  /** The absolute address of its picture; empty without one */
  image_url: string
  /** The address of the stored copy */
  readonly url_zoom: string
  /** The address of the stored copy, which is kept in one size */
  readonly url_standard: string
  /** The address of the stored copy, which is kept in one size */
  readonly url_thumbnail: string
  /** The address of the stored copy, which is kept in one size */
  readonly url_tiny: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface ProductSortOrder {
  /** The product of the catalog */
  product_id: number
  /** Its position among others: lower numbers come first */
  sort_order: number | null
}

export interface ProductTaxProperties {
  /** The product of the catalog */
  product_id: number
  /** Values by the code of a tax property; null deletes a value. Codes that are missing stay */
  tax_properties: Record<string, unknown>
}

export interface ProductTaxPropertyChanges {
  /** The product of the catalog */
  product_id: number
  /** Values by the code of a tax property; null deletes a value. Codes that are missing stay */
  tax_properties: Record<string, unknown>
}

export interface Promotion {
  readonly id: number
  /** Whether it applies by itself or needs a code; it never changes */
  redemption_type: "AUTOMATIC" | "COUPON"
  /** A name for the staff; not unique */
  name: string
  /** The name that shoppers see; without it they see `name` */
  display_name: string
  /** Channels where it applies; empty for all */
  channels: {
    id: number
  }[]
  /** Who can use it: groups, segments, and a number of earlier orders */
  customer: Record<string, unknown>
  /** What the promotion does and when, 1 to 50 rules in their order */
  rules: unknown[]
  /** How often it was used by placed orders */
  readonly current_uses: number
  /** How often it can be used in all; 0 or null for no limit */
  max_uses: number | null
  /** Whether it applies. The server disables it when its uses are used up, and marks rules that can't work `INVALID` */
  status: "ENABLED" | "DISABLED" | "INVALID"
  /** From when on it applies; now by default */
  start_date: string
  /** Until when it applies; null for no end */
  end_date: string | null
  /** Whether later promotions (of a rule: later rules) are skipped if this one applied */
  stop: boolean
  /** Whether other promotions may apply to the same cart */
  can_be_used_with_other_promotions: boolean
  /** The code of the currency in ISO 4217 */
  currency_code: string
  /** Banners for shoppers, by page */
  notifications: unknown[]
  /** Countries of shipping addresses for which it applies, or all others with `not`; null for all */
  shipping_address: Record<string, unknown> | null
  /** Days and hours at which it applies; null for always */
  schedule: Record<string, unknown> | null
  /** Always `api` */
  readonly created_from: "react_ui" | "legacy_ui" | "api"
  /** Whether a coupon replaces all promotions before it */
  coupon_overrides_other_promotions?: boolean
  /** Whether a coupon replaces automatic promotions if it takes off more */
  coupon_overrides_automatic_when_offering_higher_discounts?: boolean
  /** Whether it has several codes */
  readonly multiple_codes?: {
    /** Whether it has several codes */
    has_multiple_codes: boolean
  }
  /** One code for many shoppers, or many codes; it never changes */
  coupon_type?: "SINGLE" | "BULK"
}

/** Exactly one key */
export interface PromotionAction {
  /** A discount on items */
  cart_items?: {
    discount: PromotionDiscount
    /** 1 to 10000000 */
    maximum_allowed_discount_amount?: string | number | null
    /** Whether the amount is off all items together, in place of each */
    as_total?: boolean
    /** How many units */
    quantity?: number
    /** Whether missing free units are added to the cart */
    add_free_item?: boolean
    items?: PromotionItemMatcher
    /** Which items are taken first: the cheapest or the dearest; `_ONLY` takes no others */
    strategy?: "LEAST_EXPENSIVE" | "LEAST_EXPENSIVE_ONLY" | "MOST_EXPENSIVE" | "MOST_EXPENSIVE_ONLY"
    /** Whether items with a sale price are left out */
    exclude_items_on_sale?: boolean
    /** Whether items that fulfil the condition get the discount too */
    include_items_considered_by_condition?: boolean
  }
  /** A discount on the whole cart */
  cart_value?: {
    discount: PromotionDiscount
    /** 1 to 10000000 */
    maximum_allowed_discount_amount?: string | number | null
  }
  /** A product or variant that is added for free */
  gift_item?: {
    /** How many units */
    quantity: number
    /** The product of the catalog */
    product_id?: number
    /** The variant of the product, which has the stock and a price of its own */
    variant_id?: number
  }
  /** A number of items for one price together */
  fixed_price_set?: {
    /** How many units */
    quantity: number
    /** An amount */
    fixed_price: string | number
    items?: PromotionItemMatcher
    /** Which items are taken first: the cheapest or the dearest; `_ONLY` takes no others */
    strategy?: "LEAST_EXPENSIVE" | "LEAST_EXPENSIVE_ONLY" | "MOST_EXPENSIVE" | "MOST_EXPENSIVE_ONLY"
    /** Whether items with a sale price are left out */
    exclude_items_on_sale?: boolean
    /** Whether items that fulfil the condition get the discount too */
    include_items_considered_by_condition?: boolean
  }
  /** Free shipping to zones */
  shipping?: {
    /** Always true */
    free_shipping: boolean
    /** `*` for all zones, or ids of zones */
    zone_ids: unknown
  }
}

export interface PromotionBanner {
  id: string
  /** The kind of the entry */
  type: string
  /** The pages that show the banner */
  page: string[]
  /** The text of the banner as HTML */
  text: string
}

export interface PromotionChanges {
  /** `AUTOMATIC` or `COUPON` */
  redemption_type?: string
  /** A name for the staff; not unique */
  name?: string
  /** What the promotion does and when, 1 to 50 rules in their order */
  rules?: PromotionRule[]
  /** The name that shoppers see; without it they see `name` */
  display_name?: string
  /** Empty for all channels */
  channels?: {
    id: number
  }[]
  /** Who can use it: groups, segments, and a number of earlier orders */
  customer?: PromotionCustomers
  /** How often it can be used in all; 0 or null for no limit */
  max_uses?: number | null
  /** `ENABLED` or `DISABLED` */
  status?: string
  /** From when on it applies; now by default */
  start_date?: string
  /** Until when it applies; null for no end */
  end_date?: string | null
  /** Whether later promotions (of a rule: later rules) are skipped if this one applied */
  stop?: boolean
  /** Whether other promotions may apply to the same cart */
  can_be_used_with_other_promotions?: boolean
  /** `*` for all currencies */
  currency_code?: string
  /** Banners for shoppers, by page */
  notifications?: {
    /** The text of the banner as HTML */
    content: string
    /** PROMOTION, UPSELL, ELIGIBLE, APPLIED */
    type: string
    /** The pages that show the banner */
    locations: string[]
  }[]
  /** Countries of shipping addresses for which it applies, or all others with `not`; null for all */
  shipping_address?: {
    /** Countries as codes of two letters */
    countries?: {
      /** The country, as two letters of ISO 3166-1 */
      iso2_country_code: string
    }[]
    /** All countries but these */
    not?: {
      /** Countries as codes of two letters */
      countries: {
        /** The country, as two letters of ISO 3166-1 */
        iso2_country_code: string
      }[]
    }
  } | null
  /** Days and hours at which it applies; null for always */
  schedule?: {
    /** Every how many weeks it applies; 1 for each week */
    week_frequency: number
    /** Days of the week at which it applies */
    week_days: ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[]
    /** `HH:MM:SS` */
    daily_start_time: string
    /** `HH:MM:SS` */
    daily_end_time: string
  } | null
  /** Whether a coupon replaces all promotions before it */
  coupon_overrides_other_promotions?: boolean
  /** Whether a coupon replaces automatic promotions if it takes off more */
  coupon_overrides_automatic_when_offering_higher_discounts?: boolean
  /** One code for many shoppers, or many codes; it never changes */
  coupon_type?: "SINGLE" | "BULK"
}

export interface PromotionCode {
  /** The number of the code */
  readonly id: number
  /** 1 to 50 letters, digits, blanks, `_` and `-`; unique in the store without regard to case */
  code: string
  /** How often it was used by placed orders */
  readonly current_uses: number
  /** How often it can be used in all; 0 or null for no limit */
  max_uses: number
  /** How often one customer can use it; 0 for no limit */
  max_uses_per_customer: number
  readonly created: string
}

/** Exactly one key. `and`, `or` and `not` have such conditions, up to three levels */
export interface PromotionCondition {
  /** What must be in the cart: items, an amount or a number of units */
  cart?: {
    items?: PromotionItemMatcher
    /** An amount */
    minimum_spend?: string | number
    /** How many units must fit */
    minimum_quantity?: number
  }
  /** All of these must hold */
  and?: Record<string, unknown>[]
  /** One of these must hold */
  or?: Record<string, unknown>[]
  /** This must not hold */
  not?: Record<string, unknown>
}

export interface PromotionCustomers {
  /** Groups whose customers can use it; 0 for customers without a group */
  group_ids?: number[]
  /** Groups whose customers can't use it */
  excluded_group_ids?: number[]
  /** How many orders the customer must have placed before */
  minimum_order_count?: number
  /** Segments that the customer must belong to; null for any */
  segments?: PromotionSegments | null
}

/** Exactly one of both */
export interface PromotionDiscount {
  /** An amount */
  fixed_amount?: string | number
  /** An amount */
  percentage_amount?: string | number
}

/** Exactly one key. `and`, `or` and `not` have such matchers, up to three levels */
export interface PromotionItemMatcher {
  /** Items of these brands */
  brands?: number[]
  /** Items of these categories */
  categories?: number[]
  /** Items of these products */
  products?: number[]
  /** Items of these variants */
  variants?: number[]
  /** Items with a value of an option, by its name */
  product_option?: {
    type?: "string_match"
    /** The name of the option */
    name: string
    /** Any of these values fits */
    values: string[]
  }
  /** Items with a value of a custom field, by its name */
  product_custom_field?: {
    /** The heading of the custom field */
    name: string
    /** Any of these values fits */
    values: string[]
  }
  /** All of these must hold */
  and?: Record<string, unknown>[]
  /** One of these must hold */
  or?: Record<string, unknown>[]
  /** This must not hold */
  not?: Record<string, unknown>
}

export interface PromotionRule {
  action: PromotionAction
  /** Whether the rule applies once; false repeats it until its condition fails */
  apply_once?: boolean
  /** Whether later promotions (of a rule: later rules) are skipped if this one applied */
  stop?: boolean
  /** What must hold for the action; a rule without one always applies */
  condition?: PromotionCondition | null
}

/** Exactly one key. `and`, `or` and `not` have such objects, up to three levels */
export interface PromotionSegments {
  /** The segment */
  id?: string[]
  /** All of these must hold */
  and?: Record<string, unknown>[]
  /** One of these must hold */
  or?: Record<string, unknown>[]
  /** This must not hold */
  not?: Record<string, unknown>
}

export interface PromotionSettings {
  /** Whether items with a price of their own get discounts */
  promotions_apply_on_products_with_custom_product_price: boolean
  /** Whether items without a price count for conditions */
  promotions_triggered_by_products_with_zero_product_price: boolean
  /** How many coupons a checkout can have, 1 to 5 */
  number_of_coupons_allowed_at_checkout: number
  /** Whether each percentage is one of the original price, in place of what is left */
  promotions_applied_on_original_product_price: boolean
}

export interface PublishedDate {
  /** The time in UTC as `2026-05-14 09:34:00.000000` */
  date: string
  /** Always 1: an offset */
  timezone_type: number
  /** Always `+00:00` */
  timezone: string
}

export interface QuoteAddress {
  /** Street and number */
  address?: string
  /** The second line of the street */
  apartment?: string
  /** The city or town */
  city?: string
  /** The state or province, by its name */
  state?: string
  /** The postal code */
  zipCode?: string
  /** The country, by its English name */
  country?: string
  /** A name for the address */
  label?: string
  /** The given name */
  firstName?: string
  /** The family name */
  lastName?: string
  /** The address of the company; 0 for one that is not stored */
  addressId?: number
  /** The state, by its code */
  stateCode?: string
  /** The country, as two letters of ISO 3166-1 */
  countryCode?: string
}

export interface QuoteCart {
  /** A link to the checkout with the offered prices */
  checkoutUrl: string
  /** A link to the cart with the offered prices */
  cartUrl: string
  /** The cart that was made for the quote */
  cartId: string
}

export type QuoteCheckout = Record<string, never>

export interface QuoteCompany {
  /** The company: a business whose users buy together */
  companyId: number
  /** The name of the company, as its account has it */
  companyName: string
  /** The street of the company */
  companyAddress: string
  /** The city of the company */
  companyCity: string
  /** The state of the company */
  companyState: string
  /** The postal code of the company */
  companyZipCode: string
  /** The country of the company */
  companyCountry: string
  /** The telephone number of the company */
  companyphoneNumber: string
}

export interface QuoteContact {
  name: string
  /** An e-mail address, compared without case */
  email: string
  /** The name of the company, as its account has it */
  companyName?: string
  /** A telephone number in any notation */
  phoneNumber?: string
}

export interface QuoteCurrency {
  /** The sign of the currency, 1 to 4 characters */
  token: string
  /** Whether the sign stands left or right of the amount */
  location: "left" | "right"
  /** The code of the currency in ISO 4217 */
  currencyCode: string
  /** The character before the decimals */
  decimalToken: string
  /** How many decimals amounts have */
  decimalPlaces: number
  /** The character between groups of three digits */
  thousandsToken: string
  /** Units of this currency for one of the default currency */
  currencyExchangeRate: number
}

export interface QuoteEmail {
  /** The id of the quote */
  quoteId: number | string
  /** The e-mail address of the contact of the quote */
  email: string
  /** Whether the mail has the PDF of the quote */
  withAttach: boolean
  /** The design of the mail */
  emailTemplate: "Simple" | "Simple with Pictures" | "Waves with Pictures" | "Sky" | "Dots" | "Database with checkout button" | "Modern with checkout link" | "Modern without checkout link"
  /** Each receives a mail of its own */
  ccTo?: string[]
  /** The language of the mail */
  emailLang?: "en" | "nl" | "de" | "fr" | "it" | "ja" | "zh" | "es"
}

export interface QuoteFile {
  id: number
  /** The name of the file */
  fileName: string
  /** The media type of the file */
  fileType: string
  /** The address of the file */
  fileUrl: string
}

export interface QuoteLine {
  /** The product of the catalog; an unknown one is 422 */
  productId: number
  /** The name on the quote; by default that of the product */
  productName: string
  /** The variant; needed for products with options */
  variantId: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** The price of a unit before the offer */
  basePrice: number
  /** What is taken off, stored as it is sent */
  discount: number
  /** The price of a unit in this quote */
  offeredPrice: number
  /** How many units */
  quantity: number
  /** The most units that the buyer can order; by default that of the product */
  orderQuantityMaximum: number
  /** The fewest units that the buyer can order; by default that of the product */
  orderQuantityMinimum: number
  /** The picture on the quote; by default that of the product */
  imageUrl: string
  /** The value of each option of the variant */
  options: QuoteOption[]
  /** The price that the seller paid, read from the catalog as it is now */
  costPrice: number
  /** Whether stock is counted, read from the catalog as it is now */
  inventoryTracking: string
  /** Units in stock, read from the catalog as it is now */
  inventoryLevel: number
  /** Whether carts have it as a custom item */
  purchasedHandled: boolean
  /** Whether it is shipped or downloaded, read from the catalog as it is now */
  type: string
  /** Whether it ships without a charge, read from the catalog as it is now */
  isFreeShipping: boolean
  /** Whether it can be bought, read from the catalog as it is now */
  availability: boolean
  /** Whether shoppers see no price, read from the catalog as it is now */
  isPriceHidden: boolean
  /** available or disabled */
  purchasingDisabled: string
  /** Whether the catalog still has the variant */
  foundInBc: boolean
  /** Whether the product has options that the line does not fit any more */
  hasInvalidOptions: boolean
  /** The page of the product in the storefront */
  productUrl: string
}

export interface QuoteMessage {
  /** Unix seconds */
  date: number
  /** Who wrote the message */
  role: string
  /** A message that is added to the history, at most 2,000 characters */
  message: string
  /** Whether the other side has read it */
  read: boolean
}

export interface QuoteOption {
  /** The option */
  optionId: number
  /** The chosen value, by its id */
  optionValue: string
  /** The chosen value in words */
  optionLabel?: string
  /** The name of the option */
  optionName?: string
}

export interface QuotePdf {
  /** A link that works for 24 hours */
  readonly url: string
}

export interface QuotePdfCurrency {
  /** The sign of the currency, 1 to 4 characters */
  token?: string
  /** Whether the sign stands left or right of the amount */
  location?: "left" | "right"
  /** The code of the currency in ISO 4217 */
  currencyCode?: string
  /** The character before the decimals */
  decimalToken?: string
  /** How many decimals amounts have */
  decimalPlaces?: number
  /** The character between groups of three digits */
  thousandsToken?: string
  /** Units of this currency for one of the default currency */
  currencyExchangeRate?: string
}

export interface QuotePdfExport {
  /** The currency of the quote and how its amounts are written */
  currency?: QuotePdfCurrency
}

export interface QuoteSalesRep {
  /** The name of the sales representative */
  salesRepName: string
  /** The e-mail address of the sales representative */
  salesRepEmail: string
  /** Always empty */
  salesRepPhoneNumber: string
}

export interface QuoteShipping {
  id: string
  /** custom, shipping_ with a method of the store, or provider_ with a carrier */
  type: string
  /** Whether the method is of this quote alone */
  isCustom: boolean
  /** The name of the shipping method */
  description: string
  /** Further words about it */
  additionalDescription: string
  /** How long it takes, in words of the carrier */
  transitTime: string
  /** The picture on the quote; by default that of the product */
  imageUrl: string
  /** The cost in the currency of the quote */
  cost: number
}

export interface QuoteShippingChoice {
  /** A rate that the store offers for the quote */
  shippingMethodId?: string
  /** The name of a shipping method for this quote alone */
  customShippingMethodName?: string
  /** The cost of that method */
  customShippingMethodCost?: number | string
}

export interface QuoteShippingRate {
  /** A rate that the store offers for the quote */
  shippingMethodId: string
  /** `shipping_` and the method of the store, or the service of a carrier */
  type: string
  /** The name of the shipping method */
  description: string
  /** The cost in the currency of the quote */
  cost: number
}

export interface QuoteStore {
  /** The name of the store */
  storeName: string
  /** The address of the store */
  storeAddress: string
  /** The country of the store */
  storeCountry: string
  /** The logo of the store */
  storeLogo: string
}

export interface Receipt {
  /** The number that the server gave */
  id: number
  /** Unix seconds */
  createdAt: number
  /** Unix seconds */
  updatedAt: number
  /** The hash of the store */
  storeHash: string
  /** The id of the company */
  customerId: string
  /** An id of another system, stored as it came */
  externalId: string | null
  /** The id of the company in another system */
  externalCustomerId: string | null
  /** The payment */
  paymentId: number
  /** How it was paid */
  paymentType: string
  /** The number by which payer and bank find the payment */
  referenceNumber: string
  /** Paid or Refund */
  transactionType: string
  /** Who paid; `Store offline payment` by default */
  payerName: string
  /** The id of who paid; the company by default */
  payerCustomerId: string
  /** Further data for people and the PDF. The server does not calculate with it */
  details: ReceiptDetails
  /** The whole payment, with its currency */
  total: CompanionMoney
}

export interface ReceiptDetails {
  /** The note about the payment */
  paymentDetails: ReceiptPaymentDetails
}

export interface ReceiptLine {
  /** The number that the server gave */
  id: number
  /** Unix seconds */
  createdAt: number
  /** Unix seconds */
  updatedAt: number
  /** The hash of the store */
  storeHash: string
  /** The id of the company */
  customerId: string
  /** An id of another system, stored as it came */
  externalId: string | null
  /** The id of the company in another system */
  externalCustomerId: string | null
  /** The payment */
  paymentId: number
  /** How it was paid */
  paymentType: string
  /** The number by which payer and bank find the payment */
  referenceNumber: string
  /** Paid or Refund */
  transactionType: string
  /** The receipt */
  receiptId: number
  /** The invoice */
  invoiceId: number
  /** The number on the invoice, unique in the store */
  invoiceNumber: string
  /** The amount of the line */
  amount: CompanionMoney
  /** 3 paid, 4 refunded */
  paymentStatus: number
}

export interface ReceiptPaymentDetails {
  /** A note about the payment */
  memo: string
}

export interface ReceiptReference {
  /** The number that the server gave */
  id: number
}

export interface Redirect {
  readonly id: number
  /** The site: the address of a storefront channel */
  site_id: number
  /** The path that is redirected. With the site it identifies the redirect; an existing one is overwritten */
  from_path: string
  /** Where visitors are sent. If it is missing, an existing redirect keeps its target */
  to: RedirectTarget
  /** The present target, absolute; with include=to_url */
  readonly to_url?: string
}

export interface RedirectCount {
  /** How many redirects there are */
  count: number
}

export interface RedirectExport {
  /** The site: the address of a storefront channel */
  site_id?: number | null
  /** All if empty */
  redirect_ids?: number[]
  /** Whether the file has the column `Dynamic Target URL` */
  include_dynamic_target_urls?: boolean
}

export interface RedirectForward {
  /** The kind of the target, or an address */
  type: "manual" | "product" | "brand" | "category" | "page" | "post"
  /** An address for manual, else an id */
  ref: string | number
}

export interface RedirectImport {
  /** The CSV file, at most 20 MiB */
  import_file: Upload
}

export interface RedirectJob {
  id: string
  /** An import or an export of a file */
  type: "import" | "export"
  /** Where the job is. A job without progress for ten minutes is aborted */
  status: "new" | "working" | "complete" | "aborted" | "failed"
  /** Rows that are done */
  completed_items: number
  /** Rows that were refused */
  failed_items: number
  /** All rows of the file */
  total_items: number
  /** The first 1000 */
  errors: RedirectJobError[]
  /** The time of its creation */
  created_at: string
  /** The time of its end; missing until then */
  completed_at?: string
}

export interface RedirectJobError {
  /** The row of the file, from 1 */
  row: number
  /** The reason why the row was refused */
  message: string
}

export interface RedirectJobId {
  readonly id: string
}

export interface RedirectTarget {
  /** The kind of the target, or an address */
  type: "product" | "brand" | "category" | "page" | "post" | "url"
  /** 0 for the type url */
  entity_id: number
  /** Empty for all types but url */
  url: string
}

export interface RedirectTargetInput {
  /** The kind of the target, or an address */
  type?: "product" | "brand" | "category" | "page" | "post" | "url"
  /** The id of the target, which must exist; ignored for addresses */
  entity_id?: number | null
  /** A path of the site or an absolute address; empty for other targets */
  url?: string | null
}

export interface RedirectV2 {
  readonly id: number
  /** The path that is redirected */
  path: string
  /** The target: `type`, and `ref` for an id or an address */
  forward: RedirectForward
  /** The present target, absolute */
  readonly url: string
}

export interface Refund {
  /** The number of the refund */
  readonly id: number
  /** The order, by the number that shoppers see */
  readonly order_id: number
  /** Always 0: API accounts are not users */
  readonly user_id: number
  /** With milliseconds */
  readonly created: string
  /** Why it is refunded, for people */
  reason: string
  /** The whole refund, with tax */
  readonly total_amount: number
  /** The tax in the refund */
  readonly total_tax: number
  /** Whether the merchant gave the amounts */
  readonly uses_merchant_override_values: boolean
  /** Parts of the order to refund, 1 to 1,100; or `tax_adjustment_amount`, but not both */
  items: RefundItem[]
  /** The payments that give the money back; together they are the total */
  payments: RefundPayment[]
}

export interface RefundAdjustment {
  /** An amount in the price basis of the store: before tax, which is added, or with tax */
  amount: number | string
  /** Why the amount is lowered */
  description?: string
}

export interface RefundItem {
  /** What is refunded: units of a line, wrapping, shipping, handling, a fee, an amount of the order, or tax */
  item_type: "PRODUCT" | "GIFT_WRAPPING" | "SHIPPING" | "HANDLING" | "FEE" | "ORDER" | "TAX"
  /** The line, address, fee or order, by type. See the quote of the refund */
  item_id: number
  /** For products; else null */
  quantity: number | null
  /** The amount in the request; else null */
  requested_amount: number | null
  /** Why it is refunded, for people */
  reason: string
  /** Amounts below 0 that lower the refund of a line, such as a restocking fee */
  adjustments: {
    /** An amount in the price basis of the store: before tax, which is added, or with tax */
    amount: number
    /** Why the amount is lowered */
    description: string
  }[]
}

export interface RefundOverride {
  /** The whole refund, with tax */
  total_amount: number | string
  /** The tax in the refund */
  total_tax: number | string
}

export interface RefundPayment {
  id: number
  /** How the money goes back, as the quote offers it: the provider, `storecredit` or `custom` */
  provider_id: string
  /** An amount in the price basis of the store: before tax, which is added, or with tax */
  amount: number
  /** Whether the money is given back outside of this server */
  offline: boolean
  /** Whether the provider refused the payment; its money can be refunded again */
  is_declined: boolean
  /** The reason that the provider gave */
  declined_message: string
  /** null until the payment is settled or declined */
  transaction_id: string | null
}

export interface RefundPaymentOption {
  /** How the money goes back, as the quote offers it: the provider, `storecredit` or `custom` */
  provider_id: string
  /** The name of the provider, for people */
  provider_description: string
  /** An amount in the price basis of the store: before tax, which is added, or with tax */
  amount: number
  /** Whether the money is given back outside of this server */
  offline: boolean
  /** Whether the provider works outside of this server */
  offline_provider: boolean
  /** Why the provider can't refund online */
  offline_reason: string
}

export interface RefundQuote {
  /** The order, by the number that shoppers see */
  readonly order_id: number
  /** What the shopper would get back, with tax */
  readonly total_refund_amount: number
  /** The tax in that amount */
  readonly total_refund_tax_amount: number
  /** Amounts of the order that are no item */
  readonly order_level_refund_amount: number
  /** The difference that rounding made */
  readonly rounding: number
  /** The sum of the adjustments */
  readonly adjustment: number
  /** Whether prices of the order were entered with tax */
  readonly tax_inclusive: boolean
  /** Whether prices of the order were entered with tax */
  readonly is_tax_included: boolean
  /** A refund makes all payments of one method */
  readonly refund_methods: RefundPaymentOption[][]
}

export interface RelativeAdjustments {
  /** A note for people about the cause, up to 255 characters */
  reason?: string
  /** The items to adjust, 1 to 2,000, either all or none */
  items: {
    /** The location: a place that has stock */
    location_id: number
    /** The stock keeping unit: the number that the seller gave to the product or variant */
    sku?: string
    /** The variant of the product, which has the stock and a price of its own */
    variant_id?: number
    /** The product of the catalog */
    product_id?: number
    /** How many units */
    quantity: number
  }[]
}

export interface ResourceLinkV2 {
  /** The address of the sub-resource */
  url: string
  /** Its path below /v2 */
  resource: string
}

export interface Review {
  readonly id: number
  /** The heading of the review */
  title: string
  /** The review in the words of the shopper */
  text: string
  /** Whether storefronts show it. Without one it is pending, or approved if the store approves reviews automatically */
  status: "approved" | "pending" | "disapproved"
  /** The stars that the shopper gave, 0 to 5 */
  rating: number
  /** An e-mail address, compared without case */
  email: string
  /** The name that the shopper signs with */
  name: string
  /** The time at which the shopper wrote it, in UTC */
  date_reviewed: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface ReviewChanges {
  /** The heading of the review */
  title?: string
  /** The review in the words of the shopper */
  text?: string
  /** Whether storefronts show it. Without one it is pending, or approved if the store approves reviews automatically */
  status?: "approved" | "pending" | "disapproved"
  /** The stars that the shopper gave, 0 to 5 */
  rating?: number
  /** An e-mail address, compared without case */
  email?: "" | string
  /** The name that the shopper signs with */
  name?: string
  /** The time at which the shopper wrote it, in UTC */
  date_reviewed?: string
}

export interface RobotsSettings {
  /** The text of `/robots.txt` */
  robots_txt_ssl?: string | null
}

export interface RobotsSettingsChanges {
  /** The text of `/robots.txt` */
  robots_txt_ssl?: string | null
}

export interface SalesStaff {
  readonly id: number
  /** An e-mail address, compared without case */
  readonly email: string
  readonly name: string
  /** A telephone number in any notation */
  readonly phoneNumber: string
  /** Companies that the member of staff takes care of */
  readonly assignedCompanies: AssignedCompany[]
}

export interface Script {
  /** A random UUID that the server gives */
  readonly uuid: string
  /** A name for people; not unique */
  name: string
  /** A note for people */
  description: string
  /** Empty for the kind src */
  html: string
  /** Empty for the kind script_tag */
  src: string
  /** Whether the script is deleted with the API account that created it */
  auto_uninstall: boolean
  /** Whether browsers load it at once, beside the page (`async`) or after it (`defer`) */
  load_method: "default" | "async" | "defer"
  /** Whether it stands in the head or at the end of the page */
  location: "head" | "footer"
  /** The pages that have it. `storefront` means all but checkout and confirmation */
  visibility: "storefront" | "all_pages" | "checkout" | "order_confirmation"
  /** An address (`src`) or code (`script_tag`) */
  kind: "src" | "script_tag"
  /** The client that created it */
  readonly api_client_id: string
  /** The consent of the shopper that it needs */
  consent_category: "essential" | "functional" | "analytics" | "targeting" | "unknown"
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** Hashes that browsers compare with the file, at most 5; for addresses only */
  integrity_hashes: string[]
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface ScriptChanges {
  /** A name for people; not unique */
  name?: string
  /** A note for people */
  description?: string
  /** Empty for the kind src */
  html?: string
  /** Empty for the kind script_tag */
  src?: string
  /** Whether the script is deleted with the API account that created it */
  auto_uninstall?: boolean
  /** Whether browsers load it at once, beside the page (`async`) or after it (`defer`) */
  load_method?: "default" | "async" | "defer"
  /** Whether it stands in the head or at the end of the page */
  location?: "head" | "footer"
  /** The pages that have it. `storefront` means all but checkout and confirmation */
  visibility?: "storefront" | "all_pages" | "checkout" | "order_confirmation"
  /** An address (`src`) or code (`script_tag`) */
  kind?: "src" | "script_tag"
  /** The consent of the shopper that it needs */
  consent_category?: "essential" | "functional" | "analytics" | "targeting" | "unknown"
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Hashes that browsers compare with the file, at most 5; for addresses only */
  integrity_hashes?: string[]
}

export interface SearchContext {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The category, as the catalog has it */
  category_id?: number
}

export interface SearchEngineSettings {
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** Whether visitors are sent to the host with `www.`, without it, or nowhere */
  www_redirect?: "none" | "www" | "no-www" | null
}

export interface SearchEngineSettingsChanges {
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string | null
  /** A summary for search engines, in the head of its page */
  meta_description?: string | null
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string | null
  /** Whether visitors are sent to the host with `www.`, without it, or nowhere */
  www_redirect?: "none" | "www" | "no-www" | null
}

export interface SearchFilter {
  /** The filter, as the list of available filters has it */
  id: string
  /** The kind of values that shoppers choose from */
  type: "category" | "brand" | "rating" | "price" | "product" | "other"
  /** The heading that shoppers see */
  display_name?: string
  /** Whether shoppers see the filter */
  is_enabled?: boolean
  /** Whether its values are hidden before the shopper opens it */
  collapsed_by_default?: boolean
  /** Whether each value shows its number of products */
  display_product_count?: boolean
  /** How many values are shown before the shopper asks for more */
  items_to_show?: 5 | 10 | 15
  /** The order of its values */
  sort_by?: "alpha" | "item_count" | "option_values"
  /** Whether shoppers can filter by free shipping */
  show_free_shipping_filter?: boolean
  /** Whether shoppers can filter by stock */
  show_in_stock_filter?: boolean
  /** Whether shoppers can filter by featured products */
  show_is_featured_filter?: boolean
  /** Whether each value shows its number of products */
  show_product_count?: boolean
}

export interface SearchFilterContext {
  /** The place that has filters of its own: a channel, or a category of it */
  context: SearchContext
  /** The filters of the place; an empty list returns to those of the store */
  data: SearchFilter[]
}

export interface Segment {
  /** A random UUID that the server gives */
  id: string
  /** The name of the segment, unique in the store without regard to case */
  name: string
  /** A note about its purpose, at most 1,000 characters */
  description: string
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
}

export interface SegmentChanges {
  /** A random UUID that the server gives */
  id: string
  /** The name of the segment, unique in the store without regard to case */
  name?: string
  /** A note about its purpose, at most 1,000 characters */
  description?: string
}

export interface ShippingMethod {
  id: number
  /** The name that shoppers see */
  name: string
  /** How the cost is found: by order, item, weight or total, free, or by a carrier */
  type: string
  /** Settings by type; those of other types are left out */
  settings: {
    /** The cost of the order or of each item */
    rate?: number
    /** The cost outside of all ranges; null offers nothing there */
    default_cost?: number | null
    /** Whether the default cost is an amount or a percentage of the total */
    default_cost_type?: "fixed_amount" | "percentage_of_total"
    /** Costs by weight or total */
    range?: {
      /** The range begins here, in the unit of weight or the currency */
      lower_limit: number
      /** The range ends here */
      upper_limit: number
      /** The cost within the range */
      shipping_cost: number
    }[]
    /** Services and packages of the carrier */
    carrier_options?: Record<string, unknown>
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees: {
    /** An amount that is added to the cost */
    fixed_surcharge?: number
    /** A percentage of the cost that is added to it, at most 100 */
    percentage_surcharge?: number
  }
  /** Whether it is offered only if no other method of the zone yields an option */
  is_fallback: boolean
  /** All channels if not given; `[]` is none */
  channel_ids: number[]
}

export interface ShippingMethodChanges {
  /** Refused */
  id?: unknown
  /** The name that shoppers see */
  name?: string
  /** How the cost is found: by order, item, weight or total, free, or by a carrier */
  type?: string
  /** Settings by type; those of other types are left out */
  settings?: {
    /** The cost of the order or of each item */
    rate?: number
    /** The cost outside of all ranges; null offers nothing there */
    default_cost?: number | null
    /** Whether the default cost is an amount or a percentage of the total */
    default_cost_type?: "fixed_amount" | "percentage_of_total"
    /** Costs by weight or total */
    range?: {
      /** The range begins here, in the unit of weight or the currency */
      lower_limit: number
      /** The range ends here */
      upper_limit: number
      /** The cost within the range */
      shipping_cost: number
    }[]
    /** Services and packages of the carrier */
    carrier_options?: Record<string, unknown>
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees?: {
    /** An amount that is added to the cost */
    fixed_surcharge?: number
    /** A percentage of the cost that is added to it, at most 100 */
    percentage_surcharge?: number
  }
  /** Whether it is offered only if no other method of the zone yields an option */
  is_fallback?: boolean
  /** The channels to which it applies */
  channel_ids?: number[]
}

export interface ShippingMethodOfZone {
  id: number
  /** The name that shoppers see */
  name: string
  /** How the cost is found: by order, item, weight or total, free, or by a carrier */
  type: string
  /** Settings by type; those of other types are left out */
  settings: {
    /** The cost of the order or of each item */
    rate?: number
    /** The cost outside of all ranges; null offers nothing there */
    default_cost?: number | null
    /** Whether the default cost is an amount or a percentage of the total */
    default_cost_type?: "fixed_amount" | "percentage_of_total"
    /** Costs by weight or total */
    range?: {
      /** The range begins here, in the unit of weight or the currency */
      lower_limit: number
      /** The range ends here */
      upper_limit: number
      /** The cost within the range */
      shipping_cost: number
    }[]
    /** Services and packages of the carrier */
    carrier_options?: Record<string, unknown>
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees: {
    /** An amount that is added to the cost */
    fixed_surcharge?: number
    /** A percentage of the cost that is added to it, at most 100 */
    percentage_surcharge?: number
  }
  /** Whether it is offered only if no other method of the zone yields an option */
  is_fallback: boolean
  /** All channels if not given; `[]` is none */
  channel_ids: number[]
  /** The zone of the method */
  zone_id: number
}

export interface ShippingSettings {
  /** Settings of the checkout */
  checkout: {
    /** Whether the checkout lists all countries, or those with a shipping zone */
    country_list_strategy: "DISPLAY_ALL_COUNTRIES" | "DISPLAY_ONLY_SHIPPABLE_COUNTRIES"
    /** Shown to shoppers whom no shipping zone serves */
    out_of_delivery_zone_message: string
  }
}

export interface ShippingSettingsChanges {
  /** Settings of the checkout */
  checkout?: {
    /** Whether the checkout lists all countries, or those with a shipping zone */
    country_list_strategy?: "DISPLAY_ALL_COUNTRIES" | "DISPLAY_ONLY_SHIPPABLE_COUNTRIES"
    /** Shown to shoppers whom no shipping zone serves */
    out_of_delivery_zone_message?: string
  }
}

export interface ShippingSettingsOfChannel {
  /** Settings of the checkout */
  checkout: {
    /** Shown to shoppers whom no shipping zone serves */
    out_of_delivery_zone_message: string | null
  }
}

export interface ShippingSettingsOfChannelChanges {
  /** Settings of the checkout */
  checkout?: {
    /** Shown to shoppers whom no shipping zone serves */
    out_of_delivery_zone_message?: string | null
  }
}

export interface ShippingZone {
  id: number
  /** The name that shoppers see */
  name: string
  /** What the zone consists of: postal codes, states, countries, or everywhere */
  type: "zip" | "state" | "country" | "global"
  /** Places of the zone. A change replaces the list; a global zone has none */
  locations: ShippingZoneLocation[]
  /** Whether the zone offers free shipping, and from which total on */
  free_shipping: {
    /** Whether the zone offers free shipping */
    enabled: boolean
    /** An amount with four decimals */
    minimum_sub_total: string
    /** Whether fixed shipping prices of products remain payable */
    exclude_fixed_shipping_products: boolean
  }
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees: {
    /** An amount with four decimals */
    fixed_surcharge?: string
    /** An amount with four decimals */
    percentage_surcharge?: string
    /** Whether the fee is shown apart from the cost */
    display_separately: boolean
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
}

export interface ShippingZoneChanges {
  /** Refused */
  id?: unknown
  /** The name that shoppers see */
  name: string
  /** What the zone consists of: postal codes, states, countries, or everywhere */
  type?: "zip" | "state" | "country" | "global"
  /** Places of the zone. A change replaces the list; a global zone has none */
  locations?: {
    /** Ignored: each location gets a new id */
    id?: number
    /** `*` stands for any text, `?` for one character */
    zip?: string
    /** The country, as two letters of ISO 3166-1 */
    country_iso2?: string
    /** The state, by its code of ISO 3166-2 without the country */
    state_iso2?: string
  }[]
  /** Whether the zone offers free shipping, and from which total on */
  free_shipping?: {
    /** Whether the zone offers free shipping */
    enabled?: boolean
    /** Shipping is free from this total of lines on */
    minimum_sub_total?: number
    /** Whether fixed shipping prices of products remain payable */
    exclude_fixed_shipping_products?: boolean
  }
  /** A fixed amount or a percentage of the cost, not both */
  handling_fees?: {
    /** An amount that is added to the cost */
    fixed_surcharge?: number
    /** A percentage of the cost that is added to it, at most 100 */
    percentage_surcharge?: number
    /** Whether the fee is shown apart from the cost */
    display_separately?: boolean
  }
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
}

export interface ShippingZoneLocation {
  id: number
  /** The postal code */
  zip?: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2: string
  /** The state, by its code of ISO 3166-2 without the country */
  state_iso2?: string
}

export interface ShopperCredentials {
  /** The hash of the store */
  storeHash: string
  /** An e-mail address, compared without case */
  email: string
  /** In clear text; answers never have it */
  password: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  name?: string
  /** When the token begins to be valid, in Unix seconds */
  beginAt?: number
  /** When the token ends, in Unix seconds; at most 30 days from now */
  endAt?: number
}

export interface ShopperProfile {
  /** A random UUID that the server gives */
  readonly id: string
  /** The customer account of the store */
  customer_id: number
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
}

export interface ShoppingList {
  readonly id: number
  /** The name of the list, 1 to 200 characters */
  name: string
  /** A note about the list, at most 2,000 characters */
  description: string
  /** 0 approved, 30 draft, 40 ready for approval, 50 rejected */
  status: number
  /** 0 without a company */
  readonly companyId: number
  /** 0 without a company */
  userId: number
  /** The customer account of the store */
  customerId: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
}

export interface ShoppingListChanges {
  /** A note about the list, at most 2,000 characters */
  description?: string
  /** 0 approved, 30 draft, 40 ready for approval */
  status?: 0 | 30 | 40
  /** The user of the list; 0 for a person without a company. Bodies need it or `customerId` */
  userId?: number
  /** The customer account of the store */
  customerId?: number
  /** The name of the list, 1 to 200 characters */
  name?: string
  /** Products of the list, at most 500 */
  items?: ShoppingListItemChanges[]
}

export interface ShoppingListItem {
  id: number
  /** The product of the catalog; an unknown one is 422 */
  productId: number
  /** The variant; needed for products with options */
  variantId: number
  /** How many units */
  quantity: number
  /** Its position in the list; 0 by default */
  sortOrder: number
  /** The chosen values: `optionId` and `optionValue` as texts */
  optionList: ShoppingListOption[]
  /** A note about the item, at most 1,000 characters */
  productNote: string
}

export interface ShoppingListItemChanges {
  /** The product of the catalog; an unknown one is 422 */
  productId?: number
  /** The variant; needed for products with options */
  variantId?: number
  /** Its position in the list; 0 by default */
  sortOrder?: number
  /** The chosen values: `optionId` and `optionValue` as texts */
  optionList?: ShoppingListOption | ShoppingListOption[]
  /** A note about the item, at most 1,000 characters */
  productNote?: string
  id?: number
  /** 0 removes the item */
  quantity?: number
}

export interface ShoppingListOption {
  /** The option, as text */
  optionId: string
  /** The chosen value, as text */
  optionValue: string
}

export interface ShoppingListReference {
  /** The list */
  readonly shoppingListId: number
}

export interface ShoppingListWithItems {
  readonly id: number
  /** The name of the list, 1 to 200 characters */
  name: string
  /** A note about the list, at most 2,000 characters */
  description: string
  /** 0 approved, 30 draft, 40 ready for approval, 50 rejected */
  status: number
  /** 0 without a company */
  readonly companyId: number
  /** 0 without a company */
  userId: number
  /** The customer account of the store */
  customerId: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The name of the channel, as its settings have it */
  readonly channelName: string
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** Products of the list, at most 500 */
  items: ShoppingListItem[]
}

export interface Site {
  /** The number of the site or route. The site of the first storefront has 1000 */
  readonly id: number
  /** The address. A host belongs to one site of all stores */
  url: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
  /** `dedicated` if a certificate is installed, else `shared` */
  readonly ssl_status: "dedicated" | "shared"
  /** All addresses of the site by type */
  readonly urls: SiteUrl[]
  /** Whether the checkout has an address of its own */
  readonly is_checkout_url_customized: boolean
}

export interface SiteChanges {
  /** Scheme and host. The server appends the paths of its pages */
  url?: string
}

export interface SiteRoute {
  /** The number of the site or route. The site of the first storefront has 1000 */
  id: number
  /** What is at the address */
  type: "product" | "brand" | "category" | "page" | "blog" | "home" | "cart" | "checkout" | "search" | "account" | "login" | "returns" | "static" | "create_account" | "forgot_password" | "account_order_status" | "account_new_return" | "recover_abandoned_cart"
  /** The id of one thing, or * for all of the type */
  matching: string
  /** A path with the tokens {id}, {slug} and {lang} */
  route: string
}

export interface SiteRouteUpsert {
  /** The number of the site or route. The site of the first storefront has 1000 */
  id?: number
  /** What is at the address */
  type: "product" | "brand" | "category" | "page" | "blog" | "home" | "cart" | "checkout" | "search" | "account" | "login" | "returns" | "static" | "create_account" | "forgot_password" | "account_order_status" | "account_new_return" | "recover_abandoned_cart"
  /** The id of one thing, or * for all of the type */
  matching: string
  /** A path with the tokens {id}, {slug} and {lang} */
  route: string
}

export interface SiteUrl {
  /** The address. A host belongs to one site of all stores */
  url: string
  /** What is at the address */
  type: "primary" | "canonical" | "checkout"
  /** The time of its creation */
  created_at: string
  /** The time of its last change */
  updated_at: string
}

export interface SpecialHours {
  /** The name for people who work with it */
  label: string
  /** The day as `YYYY-MM-DD` */
  date: string
  /** Whether it is open on that day */
  open: boolean
  /** The time of opening as `HH:MM` */
  opening: string
  /** The time of closing as `HH:MM` */
  closing: string
  /** Whether it is open from midnight to midnight */
  all_day: boolean
  /** Whether the day returns every year */
  annual: boolean
}

export interface SpecialHoursInput {
  /** The name for people who work with it */
  label: string
  /** The day as `YYYY-MM-DD` */
  date: string
  /** Whether it is open on that day */
  open: boolean
  /** The time of opening as `HH:MM` */
  opening?: string
  /** The time of closing as `HH:MM` */
  closing?: string
  /** Whether it is open from midnight to midnight */
  all_day?: boolean
  /** Whether the day returns every year */
  annual?: boolean
}

export interface StateHit {
  /** The state, by its code of ISO 3166-2 without the country */
  stateCode: string
  /** The state, by its name. It follows from `stateCode`, and one of them is needed where countries have states */
  stateName: string
}

export interface StockChange {
  /** The request of the change, which other changes of the same request share */
  transaction_id: string
  /** The location: a place that has stock */
  location_id: number
  /** The product of the catalog */
  product_id: number
  /** 0 for the product itself */
  variant_id: number
  /** The kind of request that changed the stock */
  cause: "absolute" | "relative" | "order" | "order_edit" | "order_cancel" | "catalog" | "location_delete"
  /** Units on hand before the change */
  amount_before: number
  /** Units on hand after the change */
  amount_after: number
  /** A note for people about the cause, up to 255 characters */
  reason: string
  /** The API account that made the change; null for the server itself */
  client_id: string | null
  /** The order, by the number that shoppers see */
  order_id: number | null
  /** The time of the change, in UTC */
  changed_at: string
}

export interface StockOfLocation {
  /** The location: a place that has stock */
  location_id: number
  /** The code of the location, unique in the store */
  location_code: string
  /** The label of the location */
  location_name: string
  /** Units that shoppers can buy: on hand less safety stock, at least 0 */
  available_to_sell: number
  /** Units that are at the location */
  total_inventory_onhand: number
  /** Whether the location takes part in sales */
  location_enabled: boolean
  /** Thresholds of the item at the location; absent values stay */
  settings: StockSettings
}

export interface StockSettings {
  /** Units that are never sold */
  safety_stock: number
  /** Whether the item is offered at this location */
  is_in_stock: boolean
  /** Stock at or below this number publishes an event */
  warning_level: number
  /** The place of the item in the warehouse */
  bin_picking_number: string
}

export interface StoreCreditAmount {
  /** The amount in the default currency */
  amount: number
}

export interface StoreFeatures {
  /** Whether themes are used */
  stencil_enabled: boolean
  /** Whether all pages of storefronts are served by https */
  sitewidehttps_enabled: boolean
  /** Always empty */
  facebook_catalog_id: string
  /** The kind of the checkout */
  checkout_type: "optimized" | "single" | "single_customizable" | "klarna"
  /** Whether customers can make wish lists */
  wishlists_enabled: boolean
  /** Whether storefronts can use GraphQL */
  graphql_storefront_api_enabled: boolean
  /** Whether shoppers are asked for consent, as /customers/settings says */
  shopper_consent_tracking_enabled: boolean
  /** Whether the store can have several storefronts */
  multi_storefront_enabled: boolean
  /** How many storefronts the plan allows; missing without a limit */
  storefront_limits?: {
    /** How many storefronts can be active */
    active: number
    /** How many storefronts there can be in all */
    total_including_inactive: number
  }
}

export interface StoreInformation {
  /** The hash of the store */
  id: string
  /** A UUID that follows from the hash of the store */
  account_uuid: string
  /** The host of the first storefront */
  domain: string
  /** The https address of the first storefront */
  secure_url: string
  /** Always empty: there is no control panel */
  control_panel_base_url: string
  /** Always `live`. A store in another state answers 503 */
  status: string
  /** The name of the store, from its profile */
  name: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** The address of the store, from its profile */
  address: string
  /** The country, by its English name */
  country: string
  /** The country, as two letters of ISO 3166-1 */
  country_code: string
  /** Always empty */
  infrastructure_region: string
  /** A telephone number in any notation */
  phone: string
  /** The e-mail address of the store, from its profile */
  admin_email: string
  /** The e-mail address of the store, from its profile */
  order_email: string
  /** The address of the icon; empty without one */
  favicon_url: string
  /** The time zone of the store: always UTC */
  timezone: StoreTimezone
  /** The default language of shoppers, such as `en` */
  language: string
  /** The code of the currency in ISO 4217 */
  currency: string
  /** The sign of the default currency */
  currency_symbol: string
  /** The character before the decimals of amounts */
  decimal_separator: string
  /** The character between groups of three digits of amounts */
  thousands_separator: string
  /** How many decimals amounts have */
  decimal_places: number
  /** Whether the sign stands left or right of the amount */
  currency_symbol_location: string
  /** The unit of weights */
  weight_units: string
  /** The unit of lengths */
  dimension_units: string
  /** How many decimals lengths and weights have */
  dimension_decimal_places: number
  /** The character before the decimals of lengths and weights */
  dimension_decimal_token: string
  /** The character between groups of three digits of lengths and weights */
  dimension_thousands_token: string
  /** The plan that the operator gave the store */
  plan_name: string
  /** The plan that the operator gave the store */
  plan_level: string
  /** Whether the store may be tried for a time only */
  plan_is_trial: boolean
  /** Always empty */
  industry: string
  /** The address of the logo; an empty list without one */
  logo: {
    /** The address of the picture */
    url: string
  } | unknown[]
  /** Whether prices of the catalog contain tax */
  is_price_entered_with_tax: boolean
  /** The number of the store, which events have */
  store_id: number
  /** The first storefront */
  default_channel_id: number
  /** The site of the first storefront */
  default_site_id: number
  /** Always empty */
  active_comparison_modules: string[]
  /** Which features the store has */
  features: StoreFeatures
}

export interface StoreLocale {
  /** The language of shoppers before they choose one, such as `en` */
  default_shopper_language: string
  /** Whether shoppers get the default language or that of their browser */
  shopper_language_selection_method: "browser" | "default_shopper_language"
  /** The country of the store, by its English name */
  store_country: string
}

export interface StoreLocaleChanges {
  /** The language of shoppers before they choose one, such as `en` */
  default_shopper_language: string
  /** Whether shoppers get the default language or that of their browser */
  shopper_language_selection_method?: "browser" | "default_shopper_language"
  /** The country of the store, by its English name */
  store_country?: string
}

export interface StoreMetafield {
  /** The metafield, unique in the store */
  id: string
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key: string
  /** The text that the metafield stores; clients often put JSON into it */
  value: string
  /** A group of metafields, chosen by the client that writes them */
  namespace: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description: string
  /** The kind of resource that the metafield belongs to */
  readonly resource_type: "brand" | "category" | "product" | "variant" | "order" | "channel" | "location" | "cart" | "customer" | "store"
  /** The resource that the metafield belongs to */
  readonly resource_id: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The client that created the metafield. Others may change it only if `permission_set` allows it */
  readonly owner_client_id: string
}

export interface StoreMetafieldChangesById {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key?: string
  /** The text that the metafield stores; clients often put JSON into it */
  value?: string
  /** A group of metafields, chosen by the client that writes them */
  namespace?: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set?: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
  /** The metafield, unique in the store */
  id: number | string
}

export interface StoreProfile {
  /** The address on invoices */
  store_address?: string | null
  /** What is at the address */
  store_address_type?: "Home Office" | "Commercial Office" | "Retail" | "Warehouse" | null
  /** The e-mail address that shoppers see */
  store_email?: "" | string | null
  /** The name that shoppers see */
  store_name?: string | null
  /** The telephone number that shoppers see */
  store_phone?: string | null
}

export interface StoreProfileChanges {
  /** The address on invoices */
  store_address?: string | null
  /** What is at the address */
  store_address_type?: "Home Office" | "Commercial Office" | "Retail" | "Warehouse" | null
  /** The e-mail address that shoppers see */
  store_email?: "" | string | null
  /** The name that shoppers see */
  store_name?: string | null
  /** The telephone number that shoppers see */
  store_phone?: string | null
}

export interface StoreTimezone {
  /** Always UTC */
  name: string
  /** Seconds from UTC: always 0 */
  raw_offset: number
  /** Seconds from UTC in summer: always 0 */
  dst_offset: number
  /** Whether there is summer time: always false */
  dst_correction: boolean
  /** How dates are written, in notation of PHP */
  date_format: {
    /** How storefronts write dates */
    display: string
    /** How exports write dates */
    export: string
    /** How storefronts write dates with the day of the week */
    extended_display: string
  }
}

export interface StoredBankAccount {
  /** The kind of the stored means of payment */
  type: "stored_bank_account"
  /** Stands for the stored means in payments; 64 hexadecimal digits */
  token: string
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** The last digits of the account */
  masked_account_number: string
  /** The bank */
  issuer: string
}

export interface StoredBillingAddress {
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** An e-mail address, compared without case */
  email?: string
  /** The company of the person, as a text */
  company?: string
  /** Street and number */
  address1?: string
  /** The second line of the street, such as a floor */
  address2?: string
  /** The city or town */
  city?: string
  /** The postal code; optional in countries without postal codes */
  postal_code?: string
  /** The state or province, by its name */
  state_or_province?: string
  /** The state or province, by its abbreviation */
  state_or_province_code?: string
  /** The country, as two letters of ISO 3166-1 */
  country_code?: string
  /** A telephone number in any notation */
  phone?: string
}

export interface StoredCard {
  /** The kind of the stored means of payment */
  type: "stored_card"
  /** Stands for the stored means in payments; 64 hexadecimal digits */
  token: string
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** The brand of the card, such as `VISA` */
  brand: string
  /** The last month in which the card is valid, 1 to 12 */
  expiry_month: number
  /** The last year in which the card is valid, with four digits */
  expiry_year: number
  /** The first six digits of the card */
  issuer_identification_number: string
  /** The last four digits of the card */
  last_4: string
  /** The address of the holder */
  billing_address: StoredBillingAddress
}

export interface StoredPaypalAccount {
  /** The kind of the stored means of payment */
  type: "stored_paypal_account"
  /** Stands for the stored means in payments; 64 hexadecimal digits */
  token: string
  /** Whether it applies if nothing else is chosen */
  is_default: boolean
  /** An e-mail address, compared without case */
  email: string
}

export interface StorefrontAuthToken {
  /** The token to send in `authToken` or `Authorization` */
  readonly token: string
}

export interface StorefrontAuthTokens {
  /** The token to send in `authToken` or `Authorization` */
  readonly token: string[]
}

export interface StorefrontCategorySettings {
  /** How many levels of categories menus show, 1 to 8 */
  category_tree_depth?: number | null
  /** The order of products before the shopper chooses one */
  default_product_sort?: "bestselling" | "featured" | "newest" | "alphaasc" | "alphadesc" | "pricedesc" | "priceasc" | "avgcustomerreview" | "relevance" | null
  /** Whether a category lists products of its sub-categories too */
  listing_mode?: "current_category_only" | "child_categories" | "child_categories_if_category_empty" | null
}

export interface StorefrontCategorySettingsChanges {
  /** How many levels of categories menus show, 1 to 8 */
  category_tree_depth?: number | null
  /** The order of products before the shopper chooses one */
  default_product_sort?: "bestselling" | "featured" | "newest" | "alphaasc" | "alphadesc" | "pricedesc" | "priceasc" | "avgcustomerreview" | "relevance" | null
  /** Whether a category lists products of its sub-categories too */
  listing_mode?: "current_category_only" | "child_categories" | "child_categories_if_category_empty" | null
}

export interface StorefrontLogin {
  /** A token of the customer for the storefront */
  bcToken: string
  /** The hash of the store */
  storeHash?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** The customer account of the store */
  customerId?: number
}

export interface StorefrontProductSettings {
  /** Whether prices are shown on pages of products; null on a channel inherits from the store */
  show_product_price?: boolean | null
  /** Whether the SKU is shown on pages of products; null on a channel inherits from the store */
  show_product_sku?: boolean | null
  /** Whether the weight is shown on pages of products; null on a channel inherits from the store */
  show_product_weight?: boolean | null
  /** Whether the brand is shown on pages of products; null on a channel inherits from the store */
  show_product_brand?: boolean | null
  /** Whether shipping costs are shown on pages of products; null on a channel inherits from the store */
  show_product_shipping?: boolean | null
  /** Whether ratings are shown on pages of products; null on a channel inherits from the store */
  show_product_rating?: boolean | null
  /** Whether lists of products have a button to buy */
  show_add_to_cart_link?: boolean | null
  /** The text for products that are ordered before their release */
  default_preorder_message?: string | null
  /** Whether pages of products show the path of categories */
  show_breadcrumbs_product_pages?: "show_one" | "show_none" | null
  /** Whether shoppers can enter a quantity */
  show_add_to_cart_qty_box?: boolean | null
  /** Whether shoppers can add products to wish lists */
  show_add_to_wishlist?: boolean | null
  /** Whether shoppers see prices only after they sign in */
  hide_price_from_guests?: boolean | null
}

export interface StorefrontProductSettingsChanges {
  /** Whether prices are shown on pages of products; null on a channel inherits from the store */
  show_product_price?: boolean | null
  /** Whether the SKU is shown on pages of products; null on a channel inherits from the store */
  show_product_sku?: boolean | null
  /** Whether the weight is shown on pages of products; null on a channel inherits from the store */
  show_product_weight?: boolean | null
  /** Whether the brand is shown on pages of products; null on a channel inherits from the store */
  show_product_brand?: boolean | null
  /** Whether shipping costs are shown on pages of products; null on a channel inherits from the store */
  show_product_shipping?: boolean | null
  /** Whether ratings are shown on pages of products; null on a channel inherits from the store */
  show_product_rating?: boolean | null
  /** Whether lists of products have a button to buy */
  show_add_to_cart_link?: boolean | null
  /** The text for products that are ordered before their release */
  default_preorder_message?: string | null
  /** Whether pages of products show the path of categories */
  show_breadcrumbs_product_pages?: "show_one" | "show_none" | null
  /** Whether shoppers can enter a quantity */
  show_add_to_cart_qty_box?: boolean | null
  /** Whether shoppers can add products to wish lists */
  show_add_to_wishlist?: boolean | null
  /** Whether shoppers see prices only after they sign in */
  hide_price_from_guests?: boolean | null
}

export interface StorefrontSearchSettings {
  /** The order of pages and posts in results of a search */
  content_product_sort?: "relevance" | "alphaasc" | "alphadesc" | null
  /** The order of products before the shopper chooses one */
  default_product_sort?: "bestselling" | "featured" | "newest" | "alphaasc" | "alphadesc" | "pricedesc" | "priceasc" | "avgcustomerreview" | "relevance" | null
  /** Whether shoppers can filter lists of products */
  product_filtering_enabled?: boolean | null
  /** Whether the search suggests words while the shopper types */
  search_suggest?: boolean | null
}

export interface StorefrontSearchSettingsChanges {
  /** The order of pages and posts in results of a search */
  content_product_sort?: "relevance" | "alphaasc" | "alphadesc" | null
  /** The order of products before the shopper chooses one */
  default_product_sort?: "bestselling" | "featured" | "newest" | "alphaasc" | "alphadesc" | "pricedesc" | "priceasc" | "avgcustomerreview" | "relevance" | null
  /** Whether shoppers can filter lists of products */
  product_filtering_enabled?: boolean | null
  /** Whether the search suggests words while the shopper types */
  search_suggest?: boolean | null
}

export interface StorefrontSecuritySettings {
  /** The Content-Security-Policy of storefronts */
  csp_header?: {
    /** Whether it is in use. Disabled ones remain stored */
    enabled: boolean
    /** The value of the header */
    header_value: string
  } | null
  /** The Strict-Transport-Security of storefronts */
  hsts?: {
    /** Whether it is in use. Disabled ones remain stored */
    enabled: boolean
    /** Whether browsers may have the host in their list */
    include_preload: boolean
    /** Whether hosts below it count too */
    include_subdomains: boolean
    /** How long browsers remember it */
    max_age: "zero_seconds" | "five_minutes" | "one_year"
  } | null
  /** Whether all pages are served by https */
  sitewide_https_enabled?: boolean | null
  /** Whether other sites may show pages in frames */
  x_frame_options_header?: {
    /** The site that may show pages in frames */
    allowed_url: string
    /** Whether it is in use. Disabled ones remain stored */
    enabled: boolean
    /** Which sites may show pages in frames */
    setting: "deny" | "same_origin" | "allow_from_url"
  } | null
}

export interface StorefrontSecuritySettingsChanges {
  /** The Content-Security-Policy of storefronts */
  csp_header?: {
    /** Whether it is in use. Disabled ones remain stored */
    enabled?: boolean
    /** The value of the header */
    header_value?: string
  } | null
  /** The Strict-Transport-Security of storefronts */
  hsts?: {
    /** Whether it is in use. Disabled ones remain stored */
    enabled?: boolean
    /** Whether browsers may have the host in their list */
    include_preload?: boolean
    /** Whether hosts below it count too */
    include_subdomains?: boolean
    /** How long browsers remember it */
    max_age?: "zero_seconds" | "five_minutes" | "one_year"
  } | null
  /** Whether all pages are served by https */
  sitewide_https_enabled?: boolean | null
  /** Whether other sites may show pages in frames */
  x_frame_options_header?: {
    /** The site that may show pages in frames */
    allowed_url?: string
    /** Whether it is in use. Disabled ones remain stored */
    enabled?: boolean
    /** Which sites may show pages in frames */
    setting?: "deny" | "same_origin" | "allow_from_url"
  } | null
}

export interface StorefrontSignOut {
  id: string
  name?: string
  /** An e-mail address, compared without case */
  email?: string
}

export interface StorefrontStatusSettings {
  /** The text of a storefront that is down, as HTML */
  down_for_maintenance_message?: string | null
  /** The text of a storefront before its launch, as HTML */
  prelaunch_message?: string | null
  /** Opens a storefront before its launch; made with the store */
  readonly prelaunch_password?: string | null
}

export interface StorefrontStatusSettingsChanges {
  /** The text of a storefront that is down, as HTML */
  down_for_maintenance_message?: string | null
  /** The text of a storefront before its launch, as HTML */
  prelaunch_message?: string | null
}

export interface StorefrontToken {
  /** The token to send as `Authorization: Bearer ...` to GraphQL */
  readonly token: string
}

export interface Subscriber {
  readonly id: number
  /** An e-mail address, compared without case */
  email: string
  /** The given name */
  first_name: string
  /** The family name */
  last_name: string
  /** Where the subscriber came from: `storefront`, `order`, `custom` or another text */
  source: string
  /** The order, by the number that shoppers see */
  order_id: number | null
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The mails that the person agreed to; an empty list means unsubscribed */
  consents: ("marketing_newsletter" | "abandoned_cart")[]
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The time of its creation, in UTC */
  readonly date_created: string
}

export interface SubscriberChanges {
  /** An e-mail address, compared without case */
  email?: string
  /** The given name */
  first_name?: string
  /** The family name */
  last_name?: string
  /** Where the subscriber came from: `storefront`, `order`, `custom` or another text */
  source?: string
  /** The order, by the number that shoppers see */
  order_id?: number | null
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The mails that the person agreed to; an empty list means unsubscribed */
  consents?: ("marketing_newsletter" | "abandoned_cart")[]
}

export interface SuperAdmin {
  readonly id: number
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** A telephone number in any notation */
  phone: string
  /** Omitted if it is empty */
  uuid?: string
  /** An e-mail address, compared without case */
  readonly email: string
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** Channels where the person may log in */
  readonly channelList: UserChannel[]
  /** How many companies are assigned */
  readonly companyCount: number
  /** Values of the extra fields that the store's settings define */
  extraFields: ExtraFieldValue[]
}

export interface SuperAdminAssignment {
  /** The super admin: a customer who can act for many companies */
  superAdminId: number
  /** Whether the super admin can act for the company */
  isAssigned: boolean
}

export interface SuperAdminChanges {
  /** The given name */
  firstName?: string
  /** The family name */
  lastName?: string
  /** A telephone number in any notation */
  phone?: string
  /** The id of another system, stored as it came */
  uuid?: string
  /** The channels to which it applies */
  channelIds?: number[]
  /** Values of the extra fields that the store's settings define */
  extraFields?: ExtraFieldInput[]
}

export interface SuperAdminCompanyAssignment {
  /** The company: a business whose users buy together */
  companyId: number
  /** Whether the super admin can act for the company */
  isAssigned: boolean
}

export interface SuperAdminInfo {
  readonly id: number
  /** The given name */
  firstName: string
  /** The family name */
  lastName: string
  /** A telephone number in any notation */
  phone: string
  /** Omitted if it is empty */
  uuid?: string
  /** An e-mail address, compared without case */
  readonly email: string
  /** Unix seconds */
  readonly createdAt: number
  /** Unix seconds */
  readonly updatedAt: number
  /** Channels where the person may log in */
  readonly channelList: UserChannel[]
  /** How many companies are assigned */
  readonly companyCount: number
  /** Values of the extra fields that the store's settings define */
  extraFields: ExtraFieldValue[]
  /** The customer account of the store */
  readonly customerId: number
}

export interface SuperAdminsOfCompany {
  /** Super admins to assign or remove */
  superAdmins: SuperAdminAssignment[]
}

export interface SystemLog {
  /** The number of the entry */
  id?: number
  /** The area that the entry is about */
  type?: "general" | "payment" | "shipping" | "tax" | "notification" | "emailintegration" | "ordersettings" | "design"
  /** The part of the server that wrote it; empty for none */
  module?: string
  /** How much it matters */
  severity?: "success" | "notices" | "warnings" | "errors"
  /** The entry in a few words */
  summary?: string
  /** The entry in full */
  message?: string
  /** The time of its creation, in UTC */
  date_created?: string
}

export interface TaxClass {
  id: number
  /** The name that people see */
  name: string
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
}

export interface TaxClassChanges {
  id: number
  /** The name that people see */
  name: string
}

export interface TaxClassRate {
  /** In percent, with four decimals */
  rate: number
  /** The tax class, which decides the rate in each zone; 0 for the default class */
  tax_class_id: number
}

export interface TaxClassV2 {
  /** The id as text */
  id: string
  /** The name that people see */
  name: string
  /** The time of its creation */
  created_at: string
  /** The time of its last change */
  updated_at: string
}

export interface TaxLocation {
  /** ISO 3166-1 with two letters */
  country_code: string
  /** Codes of ISO 3166-2 without the country, such as `CA` */
  subdivision_codes: string[]
  /** ? stands for one character, * for any others */
  postal_codes: string[]
}

export interface TaxPrice {
  /** The amount as the store entered it */
  as_entered: number
  /** Whether as_entered contains tax */
  entered_inclusive: boolean
  /** The amount without tax */
  tax_exclusive: number
  /** The amount with tax */
  tax_inclusive: number
}

export interface TaxPriceDisplay {
  /** Whether storefronts show prices with tax */
  show_inclusive: boolean
  /** Whether pages of products show both prices */
  show_both_on_detail_view: boolean
  /** Whether lists of products show both prices */
  show_both_on_list_view: boolean
}

export interface TaxPriceDisplaySettings {
  /** Whether prices follow the tax zone of the shopper, or always have or have no tax */
  control_panel_price_display_strategy: "ZONE" | "INCLUSIVE" | "EXCLUSIVE"
  /** Whether prices follow the tax zone of the shopper, or always have or have no tax */
  invoice_price_display_strategy: "ZONE" | "INCLUSIVE" | "EXCLUSIVE"
}

export interface TaxProperty {
  id: number
  /** The code of the property, unique in the store */
  code: string
  /** The name that the staff sees */
  display_name: string
  /** A note about its purpose */
  description: string
  /** The time of its creation */
  readonly created_at: string
  /** The time of its last change */
  readonly updated_at: string
  /** Whether products or customers have the property; it never changes */
  type: "PRODUCT" | "CUSTOMER"
}

export interface TaxPropertyChanges {
  id: number
  /** The code of the property, unique in the store */
  code?: string
  /** The name that the staff sees */
  display_name?: string
  /** A note about its purpose */
  description?: string
}

export interface TaxProviderConnection {
  /** The name of the account at the provider */
  username: string
  /** Whether it has all that its calls need */
  readonly configured: boolean
  /** A word in the addresses of the provider, if it has one */
  profile: string
  /** Where the provider calculates taxes; both lists are empty for everywhere */
  readonly target: {
    /** Countries as two letters of ISO 3166-1 */
    country_codes: string[]
    /** Codes of ISO 3166-2 without the country, such as `CA` */
    subdivision_codes: string[]
  }
}

export interface TaxProviderConnectionChanges {
  /** The name of the account at the provider */
  username?: string
  /** The password of the account at the provider, stored encrypted and never answered */
  password?: string
  /** A word in the addresses of the provider, if it has one */
  profile?: string
}

export interface TaxRate {
  id: number
  /** The name that people see */
  name: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** The order of rates of a zone: later numbers are charged on top of earlier ones */
  priority: number
  /** The zone that the rate is for */
  tax_zone_id: number
  /** The rate of each tax class in percent; a missing class has none */
  class_rates: TaxClassRate[]
}

export interface TaxRateChanges {
  id: number
  /** The name that people see */
  name?: string
  /** The zone that the rate is for */
  tax_zone_id?: number
  /** The rate of each tax class in percent; a missing class has none */
  class_rates?: TaxClassRate[]
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** The order of rates of a zone: later numbers are charged on top of earlier ones */
  priority?: number
}

export interface TaxSettings {
  /** Whether prices of the catalog, shipping costs and fees contain tax */
  tax_entered_with_prices: boolean
  /** How storefronts and invoices show prices; no charge depends on it */
  price_display_settings: TaxPriceDisplaySettings
  /** What happens if a tax provider does not answer: fixed rates, rates of the store, or no purchase */
  fallback_strategy: "FIXED" | "BASIC" | "DISABLE"
  /** Whether the tax in prices is that of the zone of the store, and is replaced by that of the shopper */
  should_subtract_store_tax: boolean
  /** Stored; guests have the zone of the next field */
  should_use_geolocation_to_determine_guest_shopper_tax_zone: boolean
  /** The zone of guests without an address */
  guest_shopper_tax_zone_id: number
  /** The zone of the store itself */
  store_tax_zone_id: number
  /** When a tax provider gets the order: at its creation, or when its money is captured */
  document_submission_strategy: "ON_PAYMENT_CAPTURE" | "ON_ORDER_CREATION"
  /** Whether each rate is rounded, or their sum only */
  rounding_strategy: "NO_ROUNDING" | "RATE_ROUNDING"
}

export interface TaxSettingsChanges {
  /** Whether prices of the catalog, shipping costs and fees contain tax */
  tax_entered_with_prices?: boolean
  /** What happens if a tax provider does not answer: fixed rates, rates of the store, or no purchase */
  fallback_strategy?: "FIXED" | "BASIC" | "DISABLE"
  /** Whether the tax in prices is that of the zone of the store, and is replaced by that of the shopper */
  should_subtract_store_tax?: boolean
  /** Stored; guests have the zone of the next field */
  should_use_geolocation_to_determine_guest_shopper_tax_zone?: boolean
  /** The zone of guests without an address */
  guest_shopper_tax_zone_id?: number
  /** The zone of the store itself */
  store_tax_zone_id?: number
  /** When a tax provider gets the order: at its creation, or when its money is captured */
  document_submission_strategy?: "ON_PAYMENT_CAPTURE" | "ON_ORDER_CREATION"
  /** Whether each rate is rounded, or their sum only */
  rounding_strategy?: "NO_ROUNDING" | "RATE_ROUNDING"
  /** How storefronts and invoices show prices; no charge depends on it */
  price_display_settings?: {
    /** Whether prices follow the tax zone of the shopper, or always have or have no tax */
    control_panel_price_display_strategy?: "ZONE" | "INCLUSIVE" | "EXCLUSIVE"
    /** Whether prices follow the tax zone of the shopper, or always have or have no tax */
    invoice_price_display_strategy?: "ZONE" | "INCLUSIVE" | "EXCLUSIVE"
    /** The older name of control_panel_price_display_strategy: true for INCLUSIVE */
    show_inclusive_in_control_panel?: boolean
  }
}

export interface TaxZone {
  id: number
  /** The name that people see */
  name: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled: boolean
  /** How storefronts and invoices show prices; no charge depends on it */
  price_display_settings: TaxPriceDisplay
  /** The shoppers of the zone: places and customer groups */
  shopper_target_settings: TaxZoneTarget
}

export interface TaxZoneChanges {
  id: number
  /** The name that people see */
  name?: string
  /** Whether it is in use. Disabled ones remain stored */
  enabled?: boolean
  /** How storefronts and invoices show prices; no charge depends on it */
  price_display_settings?: {
    /** Whether storefronts show prices with tax */
    show_inclusive?: boolean
    /** Whether pages of products show both prices */
    show_both_on_detail_view?: boolean
    /** Whether lists of products show both prices */
    show_both_on_list_view?: boolean
  }
  /** The shoppers of the zone: places and customer groups */
  shopper_target_settings?: {
    /** Places of one kind: a country, states of countries, or postal codes of a country */
    locations?: NewTaxLocation[]
    /** Groups of the zone. Empty for all; 0 stands for shoppers without a group */
    customer_groups?: number[]
  }
}

export interface TaxZoneCheck {
  /** The country, as two letters of ISO 3166-1 */
  country_code: string
  /** One code, in spite of its name */
  subdivision_codes?: string
  /** The postal code; optional in countries without postal codes */
  postal_code?: string
  /** The customer group, which decides prices and visible categories; 0 for none */
  customer_group_id?: number
}

export interface TaxZoneTarget {
  /** Places of one kind: a country, states of countries, or postal codes of a country */
  locations: TaxLocation[]
  /** Empty for all; 0 for guests and customers without a group */
  customer_groups: number[]
}

export interface TemplateAssociation {
  readonly id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** The kind of page that gets the template */
  entity_type: "product" | "category" | "brand" | "page"
  /** The product, category, brand or page */
  entity_id: number
  /** A file of `templates/pages/custom/<entity_type>/` in the active theme */
  file_name: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** Whether the active theme of the channel has the file */
  readonly is_valid: boolean
}

export interface Theme {
  /** A UUID that the server gives */
  readonly uuid: string
  /** The name that the archive has */
  readonly name: string
  /** Whether the store uploaded it; the built-in theme is not private */
  readonly is_private: boolean
  /** Whether it is in use. Inactive ones remain stored */
  readonly is_active: boolean
  /** The time of its last change */
  readonly updated_at: string
  /** The looks that the theme has, at least one */
  readonly variations: ThemeVariation[]
}

export interface ThemeActivation {
  /** The variation: one look of a theme, such as its colors */
  variation_id?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The site: the address of a storefront channel */
  site_id?: number
  /** The configuration to activate; it counts more than `which` */
  configuration_id?: string
  /** The configuration to activate: the original, the last activated or the last created one */
  which?: "original" | "last_activated" | "last_created"
}

export interface ThemeConfiguration {
  /** A UUID that the server gives */
  readonly uuid: string
  /** The theme that the configuration belongs to */
  readonly theme_uuid: string
  /** The variation: one look of a theme, such as its colors */
  variation_id: string
  /** The variation that the configuration belongs to */
  readonly variation_uuid: string
  /** Values of the settings that the theme declares in `schema.json` */
  settings: Record<string, unknown>
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The site: the address of a storefront channel */
  readonly site_id: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface ThemeConfigurationToValidate {
  /** The variation: one look of a theme, such as its colors */
  variation_id: string
  /** Values of the settings that the theme declares in `schema.json` */
  settings: Record<string, unknown>
}

export interface ThemeDownload {
  /** original, last_activated, last_created */
  which?: unknown
}

export interface ThemeJob {
  /** The id of the job, for `GET /themes/jobs/{job_id}` */
  id: string
  /** The time of its last change, in UTC */
  time: string
  /** Where the job is */
  status: "QUEUED" | "WORKING" | "COMPLETED" | "FAILED"
  /** How much is done, 0 to 100 */
  percent_complete: number
  /** The outcome of a completed job */
  result: {
    /** The uuid of the uploaded theme */
    theme_id?: string
    /** A link to the archive that works for 60 seconds, without a token */
    download_url?: string
  }
  /** Remarks about the archive that do not stop it */
  warnings: {
    /** A code of the remark */
    warning: string
    /** The reason in words, with its code at the end */
    message: string
  }[]
  /** All mistakes of the archive */
  errors: {
    /** The code of the mistake, such as `TR-300` */
    error: string
    /** The code of the mistake, such as `TR-300` */
    error_code: string
    /** The reason in words, with its code at the end */
    message: string
  }[]
}

export interface ThemeJobId {
  /** The id of the job that does the work. Ask for it until it is completed */
  readonly job_id: string
}

export interface ThemeRegion {
  /** The name of the region, once for each name */
  name: string
}

export interface ThemeUpload {
  /** The archive of the theme as a zip file */
  file: Upload
}

export interface ThemeVariation {
  /** A UUID that the server gives */
  uuid: string
  /** The name that the archive has */
  name: string
  /** The text of the author about the look */
  description: string
  /** An id of another system, stored as it came */
  external_id: string
}

export interface Transaction {
  /** An id of the request, which the log of changes has too */
  readonly transaction_id: string
}

export interface TreeCategory {
  /** The category, as the catalog has it */
  category_id: number
  /** A random UUID that the server gives */
  readonly category_uuid: string
  /** The tree of categories that contains it. A tree is shown by one channel */
  tree_id: number
  /** The category that contains it, of the same tree; 0 at the top */
  parent_id: number
  /** The name that shoppers see, 1 to 50 characters */
  name: string
  /** The text of its page as HTML */
  description: string
  /** How often shoppers opened its page */
  views: number
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords: string[]
  /** A summary for search engines, in the head of its page */
  meta_description: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file: string
  /** Whether shoppers see it in storefronts */
  is_visible: boolean
  /** The order of its products in storefronts before the shopper chooses one */
  default_product_sort: "use_store_settings" | "featured" | "newest" | "best_selling" | "alpha_asc" | "alpha_desc" | "avg_customer_review" | "price_asc" | "price_desc"
  /** The absolute address of its picture; empty without one */
  image_url: "" | string
  /** The path of its page, beginning and ending with a slash */
  url: {
    /** The path of its page, beginning and ending with a slash */
    path: string
    /** Whether a client chose the path; if not, it follows the name */
    is_customized: boolean
  }
}

export interface TreeCategoryChanges {
  /** The category, as the catalog has it */
  category_id: number
  /** The tree of categories that contains it. A tree is shown by one channel */
  tree_id?: number
  /** The category that contains it, of the same tree; 0 at the top */
  parent_id?: number
  /** The name that shoppers see, 1 to 50 characters */
  name?: string
  /** The text of its page as HTML */
  description?: string
  /** How often shoppers opened its page */
  views?: number
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
  /** Further words by which the storefront's search finds it, separated by commas */
  search_keywords?: string
  /** Keywords for search engines, in the head of its page */
  meta_keywords?: string[]
  /** A summary for search engines, in the head of its page */
  meta_description?: string
  /** The template of the theme that renders its page. If empty, the default of the theme */
  layout_file?: string
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  /** The order of its products in storefronts before the shopper chooses one */
  default_product_sort?: "use_store_settings" | "featured" | "newest" | "best_selling" | "alpha_asc" | "alpha_desc" | "avg_customer_review" | "price_asc" | "price_desc"
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The path of its page, beginning and ending with a slash */
  url?: {
    /** The path of its page, beginning and ending with a slash */
    path?: string
    /** Whether a client chose the path; if not, it follows the name */
    is_customized?: boolean
  }
}

export interface UnitsOfMeasurement {
  /** The unit of weights */
  weight_measurement?: "Ounces" | "LBS" | "KGS" | "Grams" | "Tonnes" | null
  /** The unit of lengths */
  length_measurement?: "Inches" | "Centimeters" | null
  /** The character before the decimals */
  decimal_token?: string | null
  /** The character between groups of three digits */
  thousands_token?: string | null
  /** How many decimals amounts have */
  decimal_places?: number | null
  /** The side of a product that carriers take for its height */
  factoring_dimension?: "depth" | "height" | "width" | null
}

export interface UnitsOfMeasurementChanges {
  /** The unit of weights */
  weight_measurement?: "Ounces" | "LBS" | "KGS" | "Grams" | "Tonnes" | null
  /** The unit of lengths */
  length_measurement?: "Inches" | "Centimeters" | null
  /** The character before the decimals */
  decimal_token?: string | null
  /** The character between groups of three digits */
  thousands_token?: string | null
  /** How many decimals amounts have */
  decimal_places?: number | null
  /** The side of a product that carriers take for its height */
  factoring_dimension?: "depth" | "height" | "width" | null
}

export interface UserChannel {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId: number
  /** The name of the channel, as its settings have it */
  channelName: string
  /** The address of the icon; empty */
  iconUrl: string
}

export interface UuidMetafield {
  /** The metafield, unique in the store */
  id: number
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key: string
  /** The text that the metafield stores; clients often put JSON into it */
  value: string
  /** A group of metafields, chosen by the client that writes them */
  namespace: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description: string
  /** The kind of resource that the metafield belongs to */
  readonly resource_type: "brand" | "category" | "product" | "variant" | "order" | "channel" | "location" | "cart" | "customer" | "store"
  /** The uuid of the resource */
  resource_id: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
  /** The client that created the metafield. Others may change it only if `permission_set` allows it */
  readonly owner_client_id: string
}

export interface UuidMetafieldChangesById {
  /** The name of the metafield, unique within its namespace for a resource and a client */
  key?: string
  /** The text that the metafield stores; clients often put JSON into it */
  value?: string
  /** A group of metafields, chosen by the client that writes them */
  namespace?: string
  /** The access of other clients and of storefronts to the metafield */
  permission_set?: "app_only" | "read" | "write" | "read_and_sf_access" | "write_and_sf_access"
  /** A note for people about the purpose of the metafield */
  description?: string
  /** The metafield, unique in the store */
  id: number | string
}

export interface Variant {
  id: number
  /** The product of the catalog */
  readonly product_id: number
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku: string
  /** A number of the SKU, for clients that compare it; null for a base variant without one */
  readonly sku_id: number | null
  /** The price that the seller paid; never shown to shoppers */
  cost_price: number | null
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price: number | null
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price: number | null
  /** The manufacturer's recommended price, shown for comparison */
  retail_price: number | null
  /** The minimum advertised price */
  map_price: number | null
  /** The weight in the store's unit, which prices of carriers depend on */
  weight: number | null
  /** The width in the store's unit of length */
  width: number | null
  /** The height in the store's unit of length */
  height: number | null
  /** The depth in the store's unit of length */
  depth: number | null
  /** Whether it ships without a charge */
  is_free_shipping: boolean
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price: number | null
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message: string
  /** The absolute address of its picture; empty without one */
  image_url: "" | string
  /** The Universal Product Code, as digits */
  upc: string | null
  /** The manufacturer's part number */
  mpn: string | null
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin: string | null
  /** How many units are in stock, over all locations */
  inventory_level: number | null
  /** Stock at or below this number counts as low */
  inventory_warning_level: number | null
  /** The place of the item in the warehouse */
  bin_picking_number: string | null
  /** The price that shoppers pay: the sale price if there is one, else the price */
  readonly calculated_price: number
  /** The variant's own weight, or that of the product */
  readonly calculated_weight: number
  /** The value of each option that makes the variant. Unknown labels of a new product create the value */
  option_values: {
    id: number
    /** The text of the value of that option */
    label: string
    /** The option or modifier that the value belongs to */
    option_id: number
    /** The name of the option */
    option_display_name: string
  }[]
}

export interface VariantChanges {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number | null
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number | null
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number | null
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number | null
  /** The width in the store's unit of length */
  width?: number | null
  /** The height in the store's unit of length */
  height?: number | null
  /** The depth in the store's unit of length */
  depth?: number | null
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number | null
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled?: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The Universal Product Code, as digits */
  upc?: string | null
  /** The manufacturer's part number */
  mpn?: string | null
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string | null
  /** How many units are in stock, over all locations */
  inventory_level?: number | null
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number | null
  /** The place of the item in the warehouse */
  bin_picking_number?: string | null
}

export interface VariantChangesById {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The price that the seller paid; never shown to shoppers */
  cost_price?: number | null
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number | null
  /** The lower price that shoppers pay at the moment; 0 or null for none */
  sale_price?: number | null
  /** The manufacturer's recommended price, shown for comparison */
  retail_price?: number | null
  /** The minimum advertised price */
  map_price?: number | null
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number | null
  /** The width in the store's unit of length */
  width?: number | null
  /** The height in the store's unit of length */
  height?: number | null
  /** The depth in the store's unit of length */
  depth?: number | null
  /** Whether it ships without a charge */
  is_free_shipping?: boolean
  /** A shipping price of each unit that replaces the quote of the carrier */
  fixed_cost_shipping_price?: number | null
  /** Whether shoppers see it but can't buy it */
  purchasing_disabled?: boolean
  /** The sentence for shoppers who can't buy it */
  purchasing_disabled_message?: string
  /** The absolute address of its picture; empty without one */
  image_url?: "" | string
  /** The Universal Product Code, as digits */
  upc?: string | null
  /** The manufacturer's part number */
  mpn?: string | null
  /** The Global Trade Item Number: 8, 12, 13 or 14 digits */
  gtin?: string | null
  /** How many units are in stock, over all locations */
  inventory_level?: number | null
  /** Stock at or below this number counts as low */
  inventory_warning_level?: number | null
  /** The place of the item in the warehouse */
  bin_picking_number?: string | null
  id: number
}

export interface VariantPicture {
  /** The absolute address of its picture; empty without one */
  image_url?: string
  /** The file of a form, at most 8 MiB. In answers the name of the stored copy */
  image_file?: Upload
}

export interface Video {
  readonly id: number
  /** The product of the catalog */
  readonly product_id: number
  /** The title beside the video; nothing is fetched from its service */
  title: string
  /** The text beside the video */
  description: string
  /** Its position among others: lower numbers come first */
  sort_order: number
  /** The service that has the video */
  type: "youtube"
  /** The id of the video at YouTube, once in a product; it never changes */
  video_id: string
  /** The running time; always empty, since it is not known */
  readonly length: string
}

export interface VideoChanges {
  /** The title beside the video; nothing is fetched from its service */
  title?: string
  /** The text beside the video */
  description?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The service that has the video */
  type?: "youtube"
}

export interface VideoItem {
  /** The title beside the video; nothing is fetched from its service */
  title?: string
  /** The text beside the video */
  description?: string
  /** Its position among others: lower numbers come first */
  sort_order?: number
  /** The service that has the video */
  type?: "youtube"
  id?: number
  /** The id of the video at YouTube, once in a product; it never changes */
  video_id?: string
}

export interface Webhook {
  /** The number of the hook */
  readonly id: number
  /** The API account that created the hook, and that alone sees it */
  readonly client_id: string
  /** The hash of the store */
  readonly store_hash: string
  /** The event, or a family of events such as `store/order/*` */
  scope: string
  /** The https address that gets the events, at most 2,048 characters */
  destination: string
  /** Headers that are sent with every event, at most ten; null for none */
  headers: Record<string, unknown> | null
  /** Whether it is in use. Inactive ones remain stored */
  is_active: boolean
  /** Whether delivered events are kept, so that they can be read and sent again */
  events_history_enabled: boolean
  /** Unix seconds */
  readonly created_at: number
  /** Unix seconds */
  readonly updated_at: number
}

export interface WebhookAdmin {
  /** Who gets a mail when a hook is deactivated */
  emails: string[]
  /** All hooks of the store with their status */
  readonly hooks_list: WebhookWithStatus[]
  /** Hosts that get no events at the moment, because they failed */
  readonly blocked_domains: {
    /** The https address that gets the events, at most 2,048 characters */
    destination: string
    /** Seconds */
    time_left: number
    /** Why the host is blocked */
    reasons: {
      /** The failure in words */
      failure_description: string
      /** How often it failed */
      count: number
      /** The time of the last failure, in Unix seconds */
      timestamp: number
    }[]
  }[]
}

export interface WebhookAdminChanges {
  /** Who gets a mail when a hook is deactivated */
  emails?: string[]
}

export interface WebhookChanges {
  /** The event, or a family of events such as `store/order/*` */
  scope?: string
  /** The https address that gets the events, at most 2,048 characters */
  destination?: string
  /** Headers that are sent with every event, at most ten; null for none */
  headers?: Record<string, unknown> | null
  /** Whether it is in use. Inactive ones remain stored */
  is_active?: boolean
  /** Whether delivered events are kept, so that they can be read and sent again */
  events_history_enabled?: boolean
}

export interface WebhookDelivery {
  /** The number of the event in the store, and of the attempt */
  id: string
  /** webhook-id; null if the event is no longer kept */
  event_id: string | null
  /** The event, or a family of events such as `store/order/*` */
  scope: string | null
  /** The number of the attempt, from 1 */
  attempt: number
  /** Unix seconds */
  started_at: number
  /** How long the attempt took, in milliseconds; null without an answer */
  duration_ms: number | null
  /** The status of the answer; null without an answer */
  status_code: number | null
  /** `delivered`, or the reason of the failure */
  outcome: string | null
  /** The reason of the failure; null for a delivery */
  error: string | null
  /** The beginning of the answer */
  excerpt: string | null
  /** Unix seconds */
  next_attempt_at: number | null
}

export interface WebhookRecovery {
  /** Unix seconds */
  since: number
}

export interface WebhookTest {
  /** The event, or a family of events such as `store/order/*` */
  scope?: string
}

export interface WebhookWithStatus {
  /** The number of the hook */
  id: number
  /** The API account that created the hook, and that alone sees it */
  client_id: string
  /** The hash of the store */
  store_hash: string
  /** The event, or a family of events such as `store/order/*` */
  scope: string
  /** The https address that gets the events, at most 2,048 characters */
  destination: string
  /** Headers that are sent with every event, at most ten; null for none */
  headers: Record<string, unknown> | null
  /** Whether it is in use. Inactive ones remain stored */
  is_active: boolean
  /** Whether delivered events are kept, so that they can be read and sent again */
  events_history_enabled: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Where it is. A hook that fails for too long is deactivated */
  status: "active" | "inactive" | "deactivated"
}

export interface Widget {
  /** A random UUID that the server gives */
  readonly uuid: string
  /** A name for people; not unique */
  name: string
  /** A note for people */
  description: string
  /** The values of its template, at most 64 KB */
  widget_configuration: Record<string, unknown>
  /** The template, with the texts of the widget's version */
  readonly widget_template: WidgetTemplate
  /** The version of the template that makes the widget's HTML */
  readonly version_uuid: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
  /** Variables of the query of its template; empty if it has none */
  readonly storefront_api_query_params: Record<string, never>
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface WidgetChanges {
  /** A name for people; not unique */
  name?: string
  /** A note for people */
  description?: string
  /** The values of its template, at most 64 KB */
  widget_configuration?: Record<string, unknown>
  /** The template that renders it; one of the same channel or a built-in one */
  widget_template_uuid?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether to move to the template's current version */
  upgrade?: boolean
}

export interface WidgetHtml {
  /** The rendered widget */
  readonly html: string
}

export interface WidgetPreview {
  /** The values of its template, at most 64 KB */
  widget_configuration?: Record<string, unknown>
}

export interface WidgetSchemaElement {
  /** A tab, a list, or hidden settings */
  type: "tab" | "array" | "hidden"
}

export interface WidgetTemplate {
  /** A random UUID that the server gives */
  readonly uuid: string
  /** A name for people; not unique */
  name: string
  /** custom, or the kind of a built-in template */
  readonly kind: string
  /** 0 for a built-in template */
  channel_id: number
  /** The icon in editors */
  readonly icon_name: string
  /** Always false */
  readonly client_rerender: boolean
  /** The language of the template */
  readonly template_engine: string
  /** The form of a configuration: tabs, lists and hidden settings, at most 256 KiB */
  schema: WidgetSchemaElement[]
  /** Translations of the form as text, at most 256 KiB */
  schema_translations: string
  /** Handlebars */
  template: string
  /** A GraphQL query, stored as sent */
  storefront_api_query: string
  /** The version that new widgets get. A change of the template makes a new one */
  readonly current_version_uuid: string
  /** The time of its creation, in UTC */
  readonly date_created: string
  /** The time of its last change, in UTC */
  readonly date_modified: string
}

export interface WidgetTemplateChanges {
  /** A name for people; not unique */
  name?: string
  /** The form of a configuration: tabs, lists and hidden settings, at most 256 KiB */
  schema?: WidgetSchemaElement[]
  /** Translations of the form as text, at most 256 KiB */
  schema_translations?: string
  /** Handlebars */
  template?: string
  /** A GraphQL query, stored as sent */
  storefront_api_query?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Whether existing widgets keep the current texts */
  create_new_version?: boolean
}

export interface Wishlist {
  readonly id: number
  /** The customer account of the store */
  customer_id: number
  /** The name that the customer gave the list */
  name: string
  /** Whether everybody who has the token can read the list */
  is_public: boolean
  /** A UUID that opens a public list; it never changes */
  readonly token: string
  /** Products and variants of the list, each once */
  items: WishlistItem[]
}

export interface WishlistChanges {
  /** The name that the customer gave the list */
  name?: string
  /** Whether everybody who has the token can read the list */
  is_public?: boolean
  /** Products and variants of the list, each once */
  items?: WishlistItemChanges[]
}

export interface WishlistItem {
  id: number
  /** The product of the catalog */
  product_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
}

export interface WishlistItemChanges {
  /** The item to change */
  id: number
  /** The product of the catalog */
  product_id?: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
}

export interface WishlistProduct {
  /** The product of the catalog */
  product_id: number
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
}
