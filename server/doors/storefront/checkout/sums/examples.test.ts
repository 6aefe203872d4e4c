import { describe, expect, test } from 'vitest'
import { insertCart, newCartId } from '../../../../sales/carts/row/cart.ts'
import { type CartDocument, emptyDocument } from '../../../../sales/carts/row/document.ts'
import { EXAMPLES } from '../../../../test/carts/examples.ts'
import type { ExampleStore } from '../../../../test/carts/facts.ts'
import { visit } from '../../../../test/carts/plain-browser.ts'
import { shopperOf } from '../../../../test/carts/storefront-checkout.ts'
import { openShop, type Shop } from '../../../../test/fixtures/shop.ts'
import { dbOf } from '../../../../test/fixtures/webhooks.ts'

// The worked examples C1 to C17 of docs/contract/carts.md section 6 in real stores: GraphQL and the page have the same numbers.

/** @param route method and path, separated by a blank */
async function succeed(shop: Shop, route: string, body: object, version?: 'v2') {
  const [method = '', path = ''] = route.split(' ')
  const { status, text, body: answer } = await shop.call(method, path, body, version ? { version } : {})
  expect(status, `${route} ${text}`).toBeLessThan(300)
  return answer
}

/** Creates the store of an example. Its products have the numbers of the example. */
async function openExample(
  { prices = {}, rates = {}, settings, ...store }: ExampleStore,
  currency_code = 'USD',
): Promise<Shop> {
  const shop = await openShop()
  for (const [n, price] of Object.entries(prices)) {
    const product = { name: `Product ${n}`, type: 'physical', weight: 1, price }
    expect((await succeed(shop, 'POST /catalog/products', product)).data.id).toBe(Number(n))
  }
  const { '*': own, ...countries } = rates
  const zones: [zone: number, rates: NonNullable<typeof own>][] = own ? [[1, own]] : []
  for (const [country_code, ofCountry] of Object.entries(countries)) {
    const zone = { name: country_code, shopper_target_settings: { locations: [{ country_code }] } }
    zones.push([(await succeed(shop, 'POST /tax/zones', [zone])).data[0].id, ofCountry])
  }
  for (const [tax_zone_id, ofZone] of zones) {
    const bodies = ofZone.map(({ name, percent, priority }) => {
      const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: Number(percent) / 10_000 }))
      return { tax_zone_id, name, enabled: true, priority, class_rates }
    })
    await succeed(shop, 'POST /tax/rates', bodies)
  }
  if (settings) await succeed(shop, 'PUT /tax/settings', settings)
  if (currency_code === 'JPY') await addYen(shop)
  await promote(shop, store, currency_code)
  return shop
}

async function promote(shop: Shop, { promotions = [], codes = [], isOnRest }: ExampleStore, currency_code: string) {
  for (const { name, redemption_type, rules } of promotions) {
    await succeed(shop, 'POST /promotions', { name, redemption_type, rules, currency_code })
  }
  for (const { code, of } of codes) {
    if (typeof of === 'number') await succeed(shop, `POST /promotions/${of}/codes`, { code })
    else if (of) {
      const { name, type, amount, applies_to } = of
      const body = { name, code, type, amount: String(Number(amount) / 10_000), applies_to, enabled: true }
      await succeed(shop, 'POST /coupons', body, 'v2')
    }
  }
  if (isOnRest) {
    await succeed(shop, 'PUT /promotions/settings', {
      promotions_apply_on_products_with_custom_product_price: false,
      promotions_triggered_by_products_with_zero_product_price: false,
      number_of_coupons_allowed_at_checkout: 5,
      promotions_applied_on_original_product_price: false,
    })
  }
}

/** Stores the cart of an example as it is. */
async function storeCart(shop: Shop, some: Partial<CartDocument>, currency_code: string): Promise<string> {
  const document = { ...emptyDocument(), ...some }
  const cart = { id: newCartId(), channel_id: 1, currency_code, customer_id: 0, email: '', document }
  await (await dbOf(shop)).transaction((tx) => insertCart(tx, cart))
  return cart.id
}

async function addYen(shop: Shop) {
  await succeed(
    shop,
    'POST /currencies',
    {
      currency_code: 'JPY',
      name: 'Yen',
      currency_exchange_rate: '1',
      token: 'Y',
      token_location: 'left',
      decimal_token: '.',
      thousands_token: ',',
      decimal_places: 0,
      enabled: true,
      is_transactional: true,
    },
    'v2',
  )
}

const SUMS = `grandTotal { value } outstandingBalance { value } subtotal { value } taxTotal { value } shippingCostBeforeDiscount { value }
  handlingCostTotal { value } manualDiscountTotal { value } coupons { discountedAmount { value } }
  cart { baseAmount { value } amount { value } lineItems { physicalItems { productEntityId extendedSalePrice { value } couponAmount { value } } } }
  giftCertificates { code used { value } remaining { value } }`

/** The amount behind a label in the summary of the page. */
const amountAt = (text: string, label: string): number =>
  Number(new RegExp(`${label} -?(?:\\$|Y)([\\d.,]+)`).exec(text)?.[1]?.replaceAll(',', ''))

const sum = (amounts: readonly number[]) => Number(amounts.reduce((all, amount) => all + amount, 0).toFixed(2))

describe('GraphQL and the page have the amounts of', () => {
  test.each(Object.entries(EXAMPLES))('%s', async (name, { store, document, expected }) => {
    const currency = name.startsWith('C9') ? 'JPY' : 'USD'
    const shop = await openExample(store, currency)
    const id = await storeCart(shop, document, currency)
    const shopper = await shopperOf(shop)
    const checkout = await shopper.read(id, SUMS)
    const isInclusive = store.settings?.tax_entered_with_prices === true
    const of = ([ex, inc]: [number, number]) => (isInclusive ? inc : ex)
    const found: Record<string, number> = { grand: checkout.grandTotal.value, open: checkout.outstandingBalance.value }
    const wanted: Record<string, number> = { grand: expected.grand, open: expected.grand }
    const compare = (name: string, amount: number | undefined, read: number) => {
      if (amount === undefined) return
      wanted[name] = amount
      found[name] = read
    }
    compare('base', expected.base, checkout.cart.baseAmount.value)
    compare('subtotal', expected.subtotal && of(expected.subtotal), checkout.subtotal.value)
    compare('cart', expected.cart && of(expected.cart), checkout.cart.amount.value)
    compare('tax', expected.taxTotal, checkout.taxTotal.value)
    compare('shipping', expected.shipping && of(expected.shipping), checkout.shippingCostBeforeDiscount.value)
    compare('handling', expected.handling && of(expected.handling), checkout.handlingCostTotal.value)
    compare('manual', expected.manual, checkout.manualDiscountTotal.value)
    const coupons = checkout.coupons.map(
      ({ discountedAmount }: { discountedAmount: { value: number } }) => discountedAmount.value,
    )
    compare('coupons', expected.coupons && sum(expected.coupons), sum(coupons))
    expect(found).toEqual(wanted)

    const page = await visit(shop, id)
    const text = page.text()
    const shown: Record<string, number> = { grand: amountAt(text, ' Total') }
    const onPage: Record<string, number> = { grand: expected.grand }
    const look = (name: string, label: string, amount: number | undefined) => {
      if (amount === undefined || amount === 0) return
      onPage[name] = amount
      shown[name] = amountAt(text, label)
    }
    look('subtotal', 'Subtotal', expected.subtotal && of(expected.subtotal))
    look('shipping', 'Shipping', expected.shipping && of(expected.shipping))
    look('handling', 'Handling', expected.handling && of(expected.handling))
    expect(shown).toEqual(onPage)
  })

  test('C11, whose certificates pay 30.00 and 25.00 of 80.00', async () => {
    const { store, document } = EXAMPLES['C11 before certificates are redeemed'] ?? { store: {}, document: {} }
    const shop = await openExample(store)
    const id = await storeCart(shop, document, 'USD')
    const people = { to_name: 'Ann', to_email: 'ann@example.com', from_name: 'Bo', from_email: 'bo@example.com' }
    const shopper = await shopperOf(shop)
    for (const [code, amount] of [
      ['FIRST', 30],
      ['SECOND', 40],
    ] as const) {
      await succeed(shop, 'POST /gift_certificates', { ...people, code, amount }, 'v2')
      await shopper.step(id, 'applyCheckoutGiftCertificate', { data: { giftCertificateCode: code } })
    }
    expect(
      await shopper.read(
        id,
        'grandTotal { value } outstandingBalance { value } giftCertificates { code used { value } remaining { value } }',
      ),
    ).toEqual({
      grandTotal: { value: 80 },
      outstandingBalance: { value: 25 },
      giftCertificates: [
        { code: 'FIRST', used: { value: 30 }, remaining: { value: 0 } },
        { code: 'SECOND', used: { value: 25 }, remaining: { value: 15 } },
      ],
    })
    const text = (await visit(shop, id)).text()
    expect(
      ['Gift certificate FIRST', 'Gift certificate SECOND', 'Left to pay'].map((label) => amountAt(text, label)),
    ).toEqual([30, 25, 25])
  })
})
