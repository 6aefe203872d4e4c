import { describe, expect, test } from 'vitest'
import { onlyPage } from '../test/expected.ts'
import { openShop } from '../test/shop.ts'

// docs/contract/customers.md section 2. Who may log in where is in logins.test.ts, the older family in customers-v2.test.ts.

const ann = { email: 'Ann@x.test', first_name: 'Ann', last_name: 'Lee' }
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

const whole = {
  id: 1,
  ...ann,
  company: '',
  phone: '',
  registration_ip_address: '',
  notes: '',
  tax_exempt_category: '',
  customer_group_id: 0,
  date_modified: MOMENT,
  date_created: MOMENT,
  address_count: 0,
  attribute_count: 0,
  authentication: { force_password_reset: false },
  accepts_product_review_abandoned_cart_emails: false,
  origin_channel_id: 1,
  channel_ids: null,
}

describe('a customer', () => {
  test('is answered whole, with what it has when nothing else was said, and listed so', async () => {
    const { call } = await openShop()
    expect(await call('POST', '/customers', [ann])).toMatchObject({ status: 200, body: { data: [whole], meta: {} } })
    const listed = await call('GET', '/customers')
    expect(listed.body.data).toEqual([whole])
    expect(listed.body.meta.pagination).toEqual(onlyPage(1))
    expect(listed.body.meta.cursor_pagination).toMatchObject({ count: 1, per_page: 50 })
  })

  test('keeps every field as it was sent', async () => {
    const { call } = await openShop()
    const sent = {
      ...ann,
      company: 'Lee & Co',
      phone: '+45 12 34',
      notes: 'Calls on Fridays',
      tax_exempt_category: 'C',
      accepts_product_review_abandoned_cart_emails: true,
      channel_ids: [1],
    }
    const created = await call('POST', '/customers', [
      {
        ...sent,
        authentication: { force_password_reset: true, new_password: 'secret 1' },
        store_credit_amounts: [{ amount: 12.34567 }],
      },
    ])
    const data = { ...whole, ...sent, authentication: { force_password_reset: true } }
    expect(created.body.data).toEqual([{ ...data, store_credit_amounts: [{ amount: 12.3457 }] }])
    expect((await call('GET', '/customers')).body.data).toEqual([data])
    expect((await call('GET', '/customers?include=storecredit')).body.data[0].store_credit_amounts).toEqual([
      { amount: 12.3457 },
    ])
  })
})
