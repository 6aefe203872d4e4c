import { ALL_COUNTRIES, codeOfCountry } from '../../../../../core/geography/countries.ts'
import { addressOfPicture } from '../../../../../core/rest/input/picture-addresses.ts'
import { PASSWORD_LENGTH_MIN } from '../../../../../customers/logins/passwords.ts'
import { customerSettingsRows, privacyOf } from '../../../../../customers/settings.ts'
import { certificateAmounts } from '../../../../../sales/carts/lines/add-lines.ts'
import { payingIn } from '../../../../../sales/pricing/gather.ts'
import { taxTables } from '../../../../../sales/tax/calculation/tables.ts'
import type { Channel } from '../../../../../shop/channels/channels.ts'
import { analyticsProvidersOf, analyticsRows } from '../../../../../shop/settings/analytics.ts'
import { cartSettings } from '../../../../../shop/settings/carts/cart-settings.ts'
import { checkoutSettings } from '../../../../../shop/settings/carts/checkout-settings.ts'
import {
  catalogSettings,
  inventorySettings,
  productSettings,
  robotsSettings,
  searchSettings,
  securitySettings,
  seoSettings,
  storeProfile,
} from '../../../../../shop/settings/families/families.ts'
import { socialLinks } from '../../../../../shop/settings/families/social-links.ts'
import { storeLocale } from '../../../../../shop/settings/locale/locale.ts'
import { logo } from '../../../../../shop/settings/logo.ts'
import { storefrontStatus } from '../../../../../shop/settings/storefront-status.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { moneyToAnswer } from '../money/money.ts'
import { currenciesFor, rulesFor, settingsFor, shopFor } from '../shop.ts'
import { localesFor, pathOfLocale } from './locales.ts'
import { inventoryToAnswer, searchSortOf } from './words.ts'

declare module '../../types.ts' {
  interface Parents {
    Settings: object
    Shipping: object
    UrlField: object
  }
}

/** The settings of the storefront (docs/contract/storefront-graphql.md section 3). */
export const settingsFields: Fields<'Settings' | 'UrlField' | 'Shipping'> = {
  Settings: {
    storeName: async (_, _args, caller) => (await settingsFor(caller)).of(storeProfile).store_name,
    storeHash: (_, _args, { storefront }) => storefront.db.store.hash,
    storeCountryCode: async (_, _args, caller) =>
      codeOfCountry((await settingsFor(caller)).of(storeLocale).store_country) ?? '',
    status: (_, _args, { storefront }) => STATUS[storefront.status],
    async statusMessage(_, _args, caller) {
      const messages = (await settingsFor(caller)).of(storefrontStatus)
      const status = STATUS[caller.storefront.status]
      if (status === 'LAUNCHED') return null
      return status === 'PRE_LAUNCH' ? messages.prelaunch_message : messages.down_for_maintenance_message
    },
    async logo(_, _args, caller) {
      const { logo_text, logo_image_url } = (await settingsFor(caller)).of(logo)
      return { title: logo_text, image: { kept: logo_image_url, altText: logo_text, isDefault: true } }
    },
    async logoV2(_, _args, caller) {
      const { type, logo_text, logo_image_url } = (await settingsFor(caller)).of(logo)
      if (type === 'text') return { __typename: 'StoreTextLogo', text: logo_text }
      return { __typename: 'StoreImageLogo', image: { kept: logo_image_url, altText: logo_text, isDefault: true } }
    },
    async faviconUrl(_, _args, caller) {
      const { favicon_url } = (await settingsFor(caller)).of(logo)
      return favicon_url === '' ? null : addressOfPicture(caller.storefront.picturesUrl, favicon_url)
    },
    async contact(_, _args, caller) {
      const settings = await settingsFor(caller)
      const { store_address, store_address_type, store_email, store_phone } = settings.of(storeProfile)
      return {
        address: store_address,
        addressType: store_address_type,
        country: settings.of(storeLocale).store_country,
        email: store_email,
        phone: store_phone,
      }
    },
    url: () => ({}),
    channelId: (_, _args, { storefront }) => storefront.channel,
    async display(_, _args, caller) {
      const { show_product_rating } = (await settingsFor(caller)).of(productSettings)
      return {
        shortDateFormat: 'M jS Y',
        extendedDateFormat: 'M jS Y @ g:i A',
        showProductRating: show_product_rating,
      }
    },
    async tax(_, _args, caller) {
      const { shopper } = await rulesFor(caller)
      const { settings } = await taxTables(caller.storefront.db, shopper.tax_stamp)
      const display = settings.tax_entered_with_prices ? 'INC' : 'EX'
      return { pdp: display, plp: display }
    },
    async search(_, _args, caller) {
      const { product_filtering_enabled, default_product_sort } = (await settingsFor(caller)).of(searchSettings)
      return {
        productFilteringEnabled: product_filtering_enabled,
        defaultSearchProductSort: searchSortOf(default_product_sort),
      }
    },
    async storefront(_, _args, caller) {
      const { enable_product_comparisons } = (await settingsFor(caller)).of(catalogSettings)
      return { catalog: { productComparisonsEnabled: enable_product_comparisons } }
    },
    isGoogleAiPredictionEnabled: () => false,
    inventory: async (_, _args, caller) => inventoryToAnswer((await settingsFor(caller)).of(inventorySettings)),
    // Nothing in storeward asks a shopper for a captcha.
    reCaptcha: () => ({
      siteKey: '',
      isEnabledOnStorefront: false,
      isEnabledOnCheckout: false,
      failedLoginLockoutDurationSeconds: null,
    }),
    async checkout(_, _args, caller) {
      const settings = (await settingsFor(caller)).of(checkoutSettings)
      return {
        reCaptchaEnabled: false,
        // The newest cart of a customer is found again after each login.
        persistentCartEnabled: true,
        termsAndConditionsEnabled: settings.is_order_terms_and_conditions_enabled,
        termsAndConditionsType: settings.order_terms_and_conditions_type || null,
        termsAndConditionsUrl: settings.order_terms_and_conditions_link || null,
        termsAndConditionsTextarea: settings.order_terms_and_conditions_textarea || null,
      }
    },
    customers: () => ({
      passwordComplexitySettings: {
        minimumPasswordLength: PASSWORD_LENGTH_MIN,
        requireLowerCase: false,
        requireUpperCase: false,
        requireNumbers: true,
        minimumNumbers: 1,
        requireSpecialCharacters: false,
        minimumSpecialCharacters: 0,
      },
    }),
    async locales(_, _args, caller) {
      const { url } = caller.storefront
      return (await localesFor(caller)).map((locale) => {
        const path = pathOfLocale(locale)
        return { code: locale.code, isDefault: locale.is_default, path, fullPath: `${url}${path}` }
      })
    },
    async webAnalytics(_, _args, caller) {
      const providers = analyticsProvidersOf((await settingsFor(caller)).stored(analyticsRows))
      const codeOf = (name: string) => providers.find((one) => one.name === name && one.enabled)?.code
      const [tagId, pixelId] = [codeOf('Google Analytics'), codeOf('Meta Pixel')]
      return {
        ga4: tagId === undefined ? null : { tagId },
        metaPixel: pixelId === undefined ? null : { pixelId },
        segment: null,
      }
    },
    async currency(_, _args, caller) {
      const { standard } = await currenciesFor(caller)
      return { defaultCurrency: standard.currency_code }
    },
    formFields: () => ({}),
    async seo(_, _args, caller) {
      const { page_title, meta_description, meta_keywords } = (await settingsFor(caller)).of(seoSettings)
      return { pageTitle: page_title, metaDescription: meta_description, metaKeywords: meta_keywords }
    },
    robotsTxt: async (_, _args, caller) => (await settingsFor(caller)).of(robotsSettings).robots_txt_ssl,
    async security(_, _args, caller) {
      const { csp_header, hsts, x_frame_options_header } = (await settingsFor(caller)).of(securitySettings)
      const { enabled, setting, allowed_url } = x_frame_options_header
      return {
        customCspHeader: csp_header.enabled ? csp_header.header_value : null,
        xFrameOptions: enabled ? FRAME_OPTIONS[setting](allowed_url) : null,
        hsts: {
          hstsOnStorefrontEnabled: hsts.enabled,
          hstsInPreloadEnabled: hsts.include_preload,
          hstsInSubdomainsEnabled: hsts.include_subdomains,
          hstsMaxAgeDurationSeconds: HSTS_SECONDS[hsts.max_age],
        },
      }
    },
    async privacy(_, _args, caller) {
      const stored = (await settingsFor(caller)).stored(customerSettingsRows)
      const { ask_shopper_for_tracking_consent, policy_url } = privacyOf(stored)
      return { cookieConsentEnabled: ask_shopper_for_tracking_consent, privacyPolicyUrl: policy_url || null }
    },
    shipping: () => ({}),
    socialMediaLinks: async (_, _args, caller) => (await settingsFor(caller)).of(socialLinks).links,
    giftCertificates: (_, { currencyCode }, caller) => certificateSettings(currencyCode, caller),
    reviews: () => ({ enabled: true, onlyAcceptPreviousCustomerReviews: false }),
    newsletter: () => ({ showNewsletterSignup: true, newsletterCheckedByDefault: false }),
  },
  UrlField: {
    vanityUrl: (_, _args, { storefront }) => storefront.url,
    cdnUrl: (_, _args, { storefront }) => new URL(storefront.picturesUrl).host,
    checkoutUrl: (_, _args, { storefront }) => storefront.checkoutUrl,
  },
  Shipping: {
    async supportedShippingDestinations(_, _args, caller) {
      const { shipped_countries } = await shopFor(caller)
      const countries = ALL_COUNTRIES.filter(
        ({ iso2 }) => shipped_countries === null || shipped_countries.includes(iso2),
      )
      return { countries }
    },
  },
}

/**
 * The gift certificates that carts of the storefront sell. They don't expire.
 * @param code of a currency; the default one if it is missing
 * @returns null for a currency that the storefront does not have
 */
async function certificateSettings(code: string | null | undefined, caller: StorefrontCaller) {
  const { enabled, standard } = await currenciesFor(caller)
  const currency = code ? enabled.find(({ currency_code }) => currency_code === code) : standard
  if (!currency) return null
  const { least, most } = certificateAmounts(payingIn(currency))
  return {
    __typename: 'CustomAmountGiftCertificateSettings' as const,
    currencyCode: currency.currency_code,
    // Shoppers can't pay in currencies that prices are only shown in.
    isEnabled: currency.is_transactional && (await settingsFor(caller)).of(cartSettings).allow_purchasing,
    expiry: null,
    minimumAmount: moneyToAnswer(currency, least),
    maximumAmount: moneyToAnswer(currency, most),
  }
}

/** The storefront's word for each status of a channel (docs/contract/storefront-tokens.md section 5). */
const STATUS = {
  active: 'LAUNCHED',
  connected: 'LAUNCHED',
  prelaunch: 'PRE_LAUNCH',
  inactive: 'MAINTENANCE',
  disconnected: 'MAINTENANCE',
  archived: 'HIBERNATION',
  deleted: 'HIBERNATION',
  terminated: 'HIBERNATION',
} as const satisfies Record<Channel['status'], string>

const HSTS_SECONDS = { zero_seconds: 0, five_minutes: 300, one_year: 31_536_000 } as const

const FRAME_OPTIONS = {
  deny: () => 'DENY',
  same_origin: () => 'SAMEORIGIN',
  allow_from_url: (url: string) => `ALLOW-FROM ${url}`,
} as const
