import type { Context } from '../../templates/render.ts'
import type { ContextOf, EmailType, StoreContext } from './contexts.ts'

// Sample data of each type. Templates are rendered with it when they are saved, and in previews.

const HOST = 'https://shop.example.com'

const usd = (value: number) => ({ value, formatted: `$${value.toFixed(2)}` })

const day = (value: string) => ({
  value: `${value}T10:30:00Z`,
  formatted: new Date(value).toLocaleDateString('en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }),
})

/** A picture that needs nobody's server. */
const picture = (colour: string, shape: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${colour}"/>${shape}</svg>`,
  )}`

const lamp = {
  name: 'Reading lamp Halo',
  sku: 'LAMP-HALO-BR',
  brand: 'Nordlys',
  thumbnail: picture(
    '#e8dcc8',
    '<path d="M20 30 L44 30 L38 12 L26 12Z" fill="#b5803a"/><path d="M31 30h2v20h-2zM24 50h16v3H24z" fill="#5b4630"/>',
  ),
}
const cushion = {
  name: 'Linen cushion, 50 × 50 cm',
  sku: 'CUSH-LIN-50',
  brand: 'Hem & Hay',
  thumbnail: picture('#dfe7e4', '<rect x="14" y="14" width="36" height="36" rx="8" fill="#6f8f86"/>'),
}
const colour = [{ name: 'Colour', value: 'Brass' }]

const customer = {
  first_name: 'Robin',
  full_name: 'Robin Sample',
  email: 'robin@example.com',
  group: [{ name: 'Retail' }],
}

const address = {
  email: customer.email,
  phone: '+1 555 010 0199',
  first_name: 'Robin',
  last_name: 'Sample',
  company: 'Sample & Daughters',
  country: 'United States',
  city: 'Austin',
  state: 'Texas',
  zip: '78701',
  address_lines: ['100 Example Street', 'Floor 2'],
  custom_fields: [{ label: 'Doorbell', value: 'Sample' }],
}

const open = { is_open: true, opening_time: { formatted: '9:00' }, closing_time: { formatted: '18:00' } }
const closed = { is_open: false, opening_time: { formatted: '' }, closing_time: { formatted: '' } }
const pickup = {
  id: 1,
  name: 'In the shop',
  email: 'shop@example.com',
  phone: '+1 555 010 0100',
  instructions: 'Please bring this e-mail.',
  location: {
    id: 2,
    name: 'Shop on Main Street',
    address: '12 Main Street',
    city: 'Austin',
    state: 'Texas',
    zip: '78702',
    country: 'United States',
  },
  operating_hours: {
    sunday: closed,
    monday: open,
    tuesday: open,
    wednesday: open,
    thursday: open,
    friday: open,
    saturday: open,
  },
}

const returned = { ...lamp, quantity: 1, price: '$89.00' }

const samples: { [T in EmailType]: ContextOf<T> } = {
  abandoned_cart_email: {
    customer,
    notification: {
      unsubscribe_link: `${HOST}/unsubscribe?cart=1`,
      checkout_link: `${HOST}/cart.php?action=load&id=1`,
    },
    coupon: { code: 'COMEBACK5', type: { name: 'amount' }, amount: usd(5) },
    cart: {
      products: [
        {
          id: 1,
          url: `${HOST}/halo/`,
          quantity: 1,
          attributes: colour,
          price: usd(89),
          type: { name: 'physical' },
          ...lamp,
        },
        {
          id: 2,
          url: `${HOST}/cushion/`,
          quantity: 2,
          attributes: [],
          price: usd(24.5),
          type: { name: 'physical' },
          ...cushion,
        },
      ],
    },
    abandoned_cart: { body: '', unsubscribe_link: `${HOST}/unsubscribe?cart=1` },
  },
  account_details_changed_email: { customer, details_changed: { fields: ['E-mail address', 'Password'] } },
  account_reset_password_email: {
    customer,
    reset_password: { link: `${HOST}/login.php?action=change_password&c=5&t=1f0c8a6b2d` },
    account: { reset_password_link: `${HOST}/login.php?action=change_password&c=5&t=1f0c8a6b2d` },
  },
  combined_order_status_email: {
    customer,
    order: {
      id: 1042,
      new_status: 'Partially Shipped',
      new_formatted_status: 'Partially shipped',
      total: usd(150.3),
      refund: usd(12.3),
      date_placed: day('2026-03-14'),
      payment_method: 'Credit card',
      link: `${HOST}/account.php?action=view_order&order_id=1042`,
      customer_name: 'Robin',
      downloadable_products: [
        { name: 'Care guide for linen', link: `${HOST}/account.php?action=download_item&data=1` },
      ],
      products: [{ ...lamp, price: '$89.00', quantity: 1, attribute_lines: colour }],
      tracking: [
        { id: '1Z999AA10123456784', shipping_method: 'Parcel', link: 'https://parcel.example.com/1Z999AA10123456784' },
      ],
      unshipped_products: [{ ...cushion, price: '$24.50', quantity: 2, attribute_lines: [] }],
      ready_for_pickup_products: [{ ...cushion, price: '$24.50', quantity: 1, attribute_lines: [] }],
      picked_up_products: [],
      pickup_methods: [pickup],
    },
  },
  createaccount_email: { customer },
  createguestaccount_email: { customer, guest_account: { link: `${HOST}/login.php?action=create_account&t=9b1d` } },
  giftcertificate_email: {
    customer,
    certificate: {
      code: 'GFT-7QK-M2X-94D',
      to_name: 'Robin',
      to_email: customer.email,
      from_name: 'Alex Sample',
      from_email: 'alex@example.com',
      amount: '$50.00',
      redeem_link: `${HOST}/giftcertificates.php?action=redeem`,
      expiry_date: day('2027-03-14'),
    },
  },
  invoice_email: {
    customer,
    order: {
      id: 1042,
      customer_message: 'Please leave it with the neighbours.',
      customer_id: 5,
      date_placed: day('2026-03-14'),
      account_order_status_url: `${HOST}/account.php?action=view_order&order_id=1042`,
      pickup_methods: [],
      shipping: { methods: ['Parcel'], address },
      products: [
        {
          ...lamp,
          quantity: 1,
          address_lines: address.address_lines,
          address_id: 1,
          options: { Colour: 'Brass' },
          type: 'physical',
          price: usd(89),
          total: usd(89),
          preorder: { is_preorder: true, message: 'Leaves our house in May.', date: day('2026-05-04') },
          attribute_lines: colour,
          configurable_fields: [{ name: 'Engraving', value: 'R. S.' }],
        },
        {
          ...cushion,
          quantity: 2,
          type: 'physical',
          price: usd(24.5),
          total: usd(49),
          preorder: { is_preorder: false, message: '', date: day('2026-03-14') },
          attribute_lines: [],
          configurable_fields: [],
          pickup,
        },
        {
          name: 'Evening course: upholstery',
          sku: 'COURSE-1',
          quantity: 1,
          type: 'digital',
          price: usd(0),
          total: usd(0),
          download_url: `${HOST}/account.php?action=download_item&data=1`,
          event: { name: 'Starts on', date: day('2026-06-01') },
          attribute_lines: [],
          configurable_fields: [],
        },
      ],
      payment: {
        is_test: true,
        provider_name: 'Test provider',
        offline_payment_message: '',
        gateway_amount: usd(150.3),
        payment_method: 'Credit card ending in 4242',
        provider: { name: 'Test provider' },
      },
      billing: { address },
      total_rows: [
        { label: 'Subtotal', price: usd(138), shipping_discounts: [] },
        { label: 'Shipping', price: usd(7.3), shipping_discounts: [{ name: 'Spring', value: '-$2.00' }] },
        { label: 'Tax', price: usd(5), shipping_discounts: [] },
      ],
      total_cost: usd(150.3),
      meta: {},
    },
  },
  ordermessage_notification: {
    customer,
    notification: {
      subject: 'Your lamp',
      message: 'The brass one is sold out until Friday.\nShall we wait, or send it in steel today?',
      link: `${HOST}/account.php?action=inbox`,
    },
  },
  product_review_email: {
    customer,
    review: {
      products: [
        { ...lamp, link: `${HOST}/halo/#reviews`, price: '$89.00' },
        { ...cushion, link: `${HOST}/cushion/#reviews`, price: '$24.50' },
      ],
      unsubscribe_link: `${HOST}/unsubscribe?reviews=5`,
    },
  },
  return_confirmation_email: {
    customer,
    return: {
      return_id: 17,
      reason: 'It is another colour than I thought',
      action: 'Exchange',
      comments: 'Steel would be fine.',
      products: [returned],
    },
    order: { id: 1042 },
  },
  return_statuschange_email: {
    customer,
    return: {
      id: 17,
      reason: 'It is another colour than I thought',
      action: 'Store credit',
      comments: 'Steel would be fine.',
      product: returned,
      status: { name: 'Received' },
      store_credit: usd(89),
      link: `${HOST}/account.php?action=view_returns`,
      instructions: 'Pack it as it came.\nPut the number of the return on the parcel.',
    },
    order: { id: 1042 },
  },
}

const surroundings: StoreContext = {
  store: {
    name: 'Sample shop',
    domain_name: 'shop.example.com',
    logo: { title: 'Sample shop', name: 'Sample shop', url: '' },
    ssl_path: `${HOST}/`,
    cdn_path: `${HOST}/`,
    image_directory: 'images',
    img_path: `${HOST}/images/`,
    path_normal: `${HOST}/`,
    path: `${HOST}/`,
    address: '12 Main Street, Austin, Texas 78702',
    language: { code: 'en', direction: 'ltr' },
  },
  misc: { year: 2026 },
}

/** The sample data of a type. */
export const sampleData = <T extends EmailType>(type: T): ContextOf<T> => samples[type]

/** The sample data of a type with that of the store: all names that a template can use. */
export const sampleContext = (type: EmailType): Context => ({ ...surroundings, ...samples[type] })
