import { sql } from '../../../../../core/db/sql.ts'
import { addressOfPicture } from '../../../../../core/rest/input/picture-addresses.ts'
import { findWhere } from '../../../../../core/rest/lists/verbs.ts'
import { portalSettingsOf } from '../../../../../sales/b2b/portal/settings.ts'
import { entersPricesWithTax } from '../../../../../sales/tax/settings.ts'
import { storefronts } from '../../../../../shop/channels/channels.ts'
import { assignmentsInForce } from '../../../../../shop/channels/currencies/assignments.ts'
import { currencies, defaultCurrency } from '../../../../../shop/channels/currencies/shape.ts'
import { localesOf } from '../../../../../shop/channels/locales.ts'
import { checkoutUrlOf, primaryUrls, siteUrlOf } from '../../../../../shop/channels/sites/shape.ts'
import { productSettings, storeProfile } from '../../../../../shop/settings/families/families.ts'
import { readSettings, settingsOf } from '../../../../../shop/settings/families/family.ts'
import { storeLocale } from '../../../../../shop/settings/locale/locale.ts'
import { logo } from '../../../../../shop/settings/logo.ts'
import { channelHere, storeOf } from '../../caller.ts'
import type { QueryFields } from '../../types.ts'

// Settings that the portal reads (docs/contract/b2b-graphql.md section 6).

/** The keys of one request. */
const KEYS_MAX = 200
/** Stores keep the time of UTC. The letters are those of PHP. */
const TIME_FORMAT = { display: 'jS M Y', export: 'jS M Y', extendedDisplay: 'M jS Y @ g:i A', offset: 0 }

export const portalQueries: QueryFields<
  | 'storefrontConfigs'
  | 'storefrontConfig'
  | 'storeConfigSwitchStatus'
  | 'storeBasicInfo'
  | 'currencies'
  | 'storefrontDefaultLanguage'
  | 'storefrontSettings'
  | 'storefrontProductSettings'
  | 'autoLoader'
  | 'storeLimitations'
  | 'storefrontScript'
  | 'storeCheckoutConfig'
  | 'addressConfig'
  | 'quoteConfig'
> = {
  async storefrontConfigs(_, { storeHash, channelId, keys }, caller) {
    const settings = await portalSettingsOf(await storeOf(caller, storeHash), channelHere(caller, channelId))
    return (keys ?? []).slice(0, KEYS_MAX).flatMap((key) => settings.find(key ?? '') ?? [])
  },
  async storefrontConfig(_, { storeHash }, caller) {
    const settings = await portalSettingsOf(await storeOf(caller, storeHash), channelHere(caller, undefined))
    const isOn = settings.isOn.bind(settings)
    return {
      configId: 1,
      config: {
        accountSettings: isOn('accountSettings'),
        addressBook: isOn('addressBook'),
        buyAgain: isOn('buyAgain'),
        dashboard: isOn('dashboard'),
        invoice: { enabledStatus: isOn('invoice'), value: isOn('invoice') },
        messages: isOn('messages'),
        orders: isOn('orders'),
        quickOrderPad: isOn('quickOrderPad'),
        quotes: isOn('quotes'),
        recentlyViewed: isOn('recentlyViewed'),
        returns: isOn('returns'),
        shoppingLists: isOn('shoppingLists'),
        tradeProfessionalApplication: isOn('tradeProfessionalApplication'),
        userManagement: isOn('userManagement'),
        wishLists: isOn('wishLists'),
      },
    }
  },
  async storeConfigSwitchStatus(_, { key }, caller) {
    const db = await storeOf(caller, undefined)
    const found = (await portalSettingsOf(db, channelHere(caller, undefined))).find(key)
    return found ? { id: key, key, isEnabled: found.value } : null
  },
  async storeBasicInfo(_, { storeHash, bcChannelId }, caller) {
    const db = await storeOf(caller, storeHash)
    const { sites: rules } = caller.parts
    const settings = await readSettings(db, [storeProfile, storeLocale, logo], channelHere(caller, bcChannelId))
    const { logo_image_url } = settings.of(logo)
    const channels = await storefronts(db)
    const urls = await primaryUrls(db, rules)
    const storeLogo = logo_image_url === '' ? '' : addressOfPicture(rules.publicUrl, logo_image_url)
    const { store_name, store_address } = settings.of(storeProfile)
    return {
      storeName: store_name,
      storeAddress: store_address,
      storeCountry: settings.of(storeLocale).store_country,
      storeLogo,
      storeUrl: await siteUrlOf(db, channelHere(caller, bcChannelId), rules),
      storeSites: channels.map((channel) => ({
        channelId: channel.id,
        urls: [urls.get(channel.id) ?? ''],
        iconUrl: channel.icon_url,
        isEnabled: channel.is_enabled,
        // Stores without the API are refused before.
        b2bEnabled: true,
        b3ChannelId: channel.id,
        channelLogo: storeLogo,
        type: channel.type,
        platform: channel.platform,
        translationVersion: 0,
      })),
      timeFormat: TIME_FORMAT,
      multiStorefrontEnabled: channels.length > 1,
      backorderEnabled: false,
    }
  },
  async currencies(_, { storeHash, channelId }, caller) {
    const db = await storeOf(caller, storeHash)
    const channel = /^\d{1,15}$/.test(channelId) ? Number(channelId) : channelHere(caller, undefined)
    const all = await findWhere(db, currencies, sql`true`)
    const [assigned] = await assignmentsInForce(db, [channel])
    return {
      currencies: all.map((currency) => ({
        ...currency,
        id: String(currency.id),
        default_for_country_codes: [],
        token_location: currency.token_location,
      })),
      channelCurrencies: assigned ?? {
        channel_id: channel,
        enabled_currencies: all.map(({ currency_code }) => currency_code),
        default_currency: (await defaultCurrency(db)).currency_code,
      },
      enteredInclusiveTax: await entersPricesWithTax(db),
    }
  },
  async storefrontDefaultLanguage(_, { storeHash, channelId }, caller) {
    const db = await storeOf(caller, storeHash)
    const standard = (await settingsOf(db, storeLocale)).default_shopper_language
    const locales = await localesOf(db, { channel: channelId, standard })
    return { language: locales.find(({ is_default }) => is_default)?.code ?? standard }
  },
  async storefrontSettings(_, { storeHash }, caller) {
    await storeOf(caller, storeHash)
    // Products are never sold beyond their stock.
    return {
      backorderDisplaySettings: {
        showQuantityOnBackorder: false,
        showQuantityOnHand: false,
        showBackorderMessage: false,
        showDefaultShippingExpectationPrompt: false,
        defaultShippingExpectationPrompt: '',
      },
    }
  },
  async storefrontProductSettings(_, { storeHash, channelId }, caller) {
    const db = await storeOf(caller, storeHash)
    const found = await settingsOf(db, productSettings, channelHere(caller, channelId))
    return {
      showProductPrice: found.show_product_price,
      showProductSku: found.show_product_sku,
      showProductWeight: found.show_product_weight,
      showProductBrand: found.show_product_brand,
      showProductShipping: found.show_product_shipping,
      showProductRating: found.show_product_rating,
      showAddToCartLink: found.show_add_to_cart_link,
      defaultPreorderMessage: found.default_preorder_message,
      showBreadcrumbsProductPages: found.show_breadcrumbs_product_pages,
      showAddToCartQtyBox: found.show_add_to_cart_qty_box,
      showAddToWishlist: found.show_add_to_wishlist,
      hidePriceFromGuests: found.hide_price_from_guests,
    }
  },
  async autoLoader(_, { storeHash }, caller) {
    const db = await storeOf(caller, storeHash)
    const channel = channelHere(caller, undefined)
    const { sites } = caller.parts
    return {
      storefrontUrl: await siteUrlOf(db, channel, sites),
      checkoutUrl: await checkoutUrlOf(db, channel, sites),
    }
  },
  async storeLimitations(_, { storeHash, limitationType }, caller) {
    await storeOf(caller, storeHash)
    return {
      canCreate: true,
      hasLimitation: false,
      limitationCount: 0,
      limitationType,
      limitationTypeName: '',
      resourceCount: 0,
    }
  },
  async storefrontScript(_, { storeHash, channelId }, caller) {
    const db = await storeOf(caller, storeHash)
    return { storeHash: db.store.hash, channelId: channelHere(caller, channelId), script: '' }
  },
  storeCheckoutConfig: () => [],
  async addressConfig(_, { storeHash }, caller) {
    const settings = await portalSettingsOf(await storeOf(caller, storeHash), channelHere(caller, undefined))
    return ADDRESS_KEYS.map((key) => ({ key, isEnabled: settings.textOf(key) }))
  },
  async quoteConfig(_, { storeHash }, caller) {
    const settings = await portalSettingsOf(await storeOf(caller, storeHash), channelHere(caller, undefined))
    return {
      switchStatus: QUOTE_KEYS.map((key) => ({ key, isEnabled: settings.textOf(key) })),
      otherConfigs: [{ key: 'quote_logo', value: settings.textOf('quote_logo') }],
    }
  },
}

const ADDRESS_KEYS = ['address_book', 'address_admin', 'address_sales_rep', 'address_label'] as const
const QUOTE_KEYS = [
  'quote_for_b2b',
  'quote_customer',
  'quote_for_guest',
  'quote_for_individual_customer',
  'quote_on_product_page',
  'quote_on_cart_page',
] as const
