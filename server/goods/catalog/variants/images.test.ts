import { describe, expect, test } from 'vitest'
import { form, openShop, theHouse } from '../../../test/fixtures/shop.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function openMugs() {
  const shop = await openShop()
  const option_values = (label: string) => [{ option_display_name: 'Size', label }]
  await shop.call('POST', '/catalog/products', {
    name: 'Mug',
    type: 'physical',
    weight: 1,
    price: 10,
    variants: [
      { sku: 'M-S', option_values: option_values('S') },
      { sku: 'M-L', option_values: option_values('L') },
    ],
  })
  const upload = (variant: number, bytes: Buffer = PIXEL) =>
    shop.call('POST', `/catalog/products/1/variants/${variant}/image`, undefined, form('image_file', 'a.png', bytes))
  return { ...shop, upload }
}

const served = async (url: string) => (await theHouse()).server.inject({ url: new URL(url).pathname })

describe('the picture of a variant', () => {
  test('is stored and served if it is uploaded by form', async () => {
    const { call, upload } = await openMugs()
    const { status, body } = await upload(1)
    expect({ status, body }).toEqual({ status: 200, body: { data: { image_url: expect.any(String) }, meta: {} } })
    expect((await call('GET', '/catalog/products/1/variants/1')).body.data.image_url).toBe(body.data.image_url)
    const file = await served(body.data.image_url)
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/png'])
    expect((await call('GET', '/catalog/products/1/variants/2')).body.data.image_url).toBe('')
  })

  test('is the address itself in JSON, and replaces a stored one', async () => {
    const { call, upload } = await openMugs()
    const stored = (await upload(1)).body.data.image_url
    const image_url = 'https://cdn.example.com/mug.png'
    const answered = await call('POST', '/catalog/products/1/variants/1/image', { image_url })
    expect([answered.status, answered.body.data]).toEqual([200, { image_url }])
    expect((await served(stored)).statusCode).toBe(404)
  })

  test('goes with the variant, its option, its product, and for another address', async () => {
    const { call, upload } = await openMugs()
    const first = (await upload(1)).body.data.image_url
    await call('PUT', '/catalog/products/1/variants/1', { image_url: '' })
    expect((await served(first)).statusCode).toBe(404)
    const second = (await upload(1)).body.data.image_url
    await call('DELETE', '/catalog/products/1/variants/1')
    expect((await served(second)).statusCode).toBe(404)
    const third = (await upload(2)).body.data.image_url
    await call('DELETE', '/catalog/products/1/options/1')
    expect((await served(third)).statusCode).toBe(404)
    const { data } = (await call('GET', '/catalog/products/1/variants')).body
    const fourth = (await upload(data[0].id)).body.data.image_url
    expect((await served(fourth)).statusCode).toBe(200)
    await call('DELETE', '/catalog/products/1')
    expect((await served(fourth)).statusCode).toBe(404)
  })

  test.each([
    ['no picture at all', {}, 422],
    ['a relative address', { image_url: '/mug.png' }, 422],
    ['an address of another kind', { image_url: 'ftp://cdn.example.com/mug.png' }, 422],
  ])('is refused: %s', async (_, body, status) => {
    const { call } = await openMugs()
    expect((await call('POST', '/catalog/products/1/variants/1/image', body)).status).toBe(status)
  })

  test('is refused if the bytes are no picture', async () => {
    const { upload } = await openMugs()
    const { status, body } = await upload(1, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect([status, Object.keys(body.errors)]).toEqual([422, ['image_file']])
  })

  test('is not found below another product', async () => {
    const { call } = await openMugs()
    await call('POST', '/catalog/products', { name: 'Cup', type: 'physical', weight: 1, price: 1 })
    const image_url = 'https://cdn.example.com/mug.png'
    expect((await call('POST', '/catalog/products/2/variants/1/image', { image_url })).status).toBe(404)
  })
})
