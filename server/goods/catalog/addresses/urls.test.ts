import { describe, expect, test } from 'vitest'
import { invalid, wholeBrand } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/catalog.md section 1, custom_url, and docs/contract/brands.md section 2.

const text = (length: number) => 'a'.repeat(length)
const segments = (...lengths: number[]) => lengths.map((length) => `/${text(length)}`).join('')

/** Creates a brand. @returns the status and the address */
const brand = async ({ call }: Shop, name: string, custom_url?: object) => {
  const { status, body } = await call('POST', '/catalog/brands', { name, custom_url })
  return { status, ...body.data.custom_url }
}
const change = async ({ call }: Shop, id: number, changes: object) => {
  const { status, body } = await call('PUT', `/catalog/brands/${id}`, changes)
  return { status, ...body.data.custom_url }
}
const made = (url: string) => ({ status: 200, url, is_customized: false })
const customized = (url: string) => ({ status: 200, url, is_customized: true })
/** The status of a brand that is saved without the requested address. */
const instead = (url: string, is_customized = false) => ({ status: 207, url, is_customized })

describe('an address made from a name', () => {
  test.each([
    ['Ferm', '/ferm/'],
    ['Crème Brûlée & Co.', '/creme-brulee-co/'],
    ['  3M  ', '/3m/'],
    ['日本語', '/brand-1/'],
    ['!!!', '/brand-1/'],
    ['é'.repeat(255), `/${'e'.repeat(200)}/`],
  ])('"%s" becomes %s', async (name, url) => {
    expect(await brand(await openShop(), name)).toEqual(made(url))
  })

  test('gets the first free number if it is taken', async () => {
    const shop = await openShop()
    expect(await brand(shop, 'Ferm')).toEqual(made('/ferm/'))
    expect(await brand(shop, 'Ferm!')).toEqual(made('/ferm-1/'))
    expect(await brand(shop, 'Ferm?')).toEqual(made('/ferm-2/'))
    expect(await brand(shop, 'Far', { url: '/ferm-7/' })).toEqual(customized('/ferm-7/'))
    expect(await brand(shop, 'Odd', { url: '/ferm-03/' })).toEqual(customized('/ferm-03/'))
    expect(await brand(shop, 'Huge', { url: '/ferm-99999999999/' })).toEqual(customized('/ferm-99999999999/'))
    expect(await brand(shop, 'Below', { url: '/ferm-4/x/' })).toEqual(customized('/ferm-4/x/'))
    expect(await brand(shop, 'Ferm#')).toEqual(made('/ferm-3/'))
    await shop.call('DELETE', '/catalog/brands/2')
    expect(await brand(shop, 'Ferm+')).toEqual(made('/ferm-1/'))
    expect(await brand(shop, 'Ferm-')).toEqual(made('/ferm-4/'))
  })

  test('gets a number too if it is made from the id', async () => {
    const shop = await openShop()
    expect(await brand(shop, 'Squatter', { url: '/brand-2/' })).toEqual(customized('/brand-2/'))
    expect(await brand(shop, '日本語')).toEqual(made('/brand-2-1/'))
  })

  test('goes to one brand only when many are created at once', async () => {
    const shop = await openShop()
    const names = Array.from({ length: 20 }, (_, i) => `Ferm${'!'.repeat(i)}`)
    const urls = (await Promise.all(names.map((name) => brand(shop, name)))).map(({ url }) => url)
    const numbered = Array.from({ length: 19 }, (_, i) => `/ferm-${i + 1}/`)
    expect(urls.sort()).toEqual(['/ferm/', ...numbered].sort())
  })
})

describe('a requested address', () => {
  test('is stored as it is, with a slash at its end', async () => {
    const shop = await openShop()
    expect(await brand(shop, 'One', { url: '/Living/Ferm' })).toEqual(customized('/Living/Ferm/'))
    expect(await brand(shop, 'Two', { url: '/two/', is_customized: true })).toEqual(customized('/two/'))
    expect(await brand(shop, 'Three', { url: '/AZaz09-._~%/x/' })).toEqual(customized('/AZaz09-._~%/x/'))
  })

  test('is ignored if the body says that it is not customized', async () => {
    const shop = await openShop()
    expect(await brand(shop, 'One', { url: '/other/', is_customized: false })).toEqual(made('/one/'))
    expect(await brand(shop, 'Two', { url: 'no address', is_customized: false })).toEqual(made('/two/'))
    expect(await brand(shop, 'Other', { is_customized: false })).toEqual(made('/other/'))
    expect(await brand(shop, 'Four', {})).toEqual(made('/four/'))
  })

  test('is replaced if it is taken: everything else is saved, and the answer is 207', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm')
    const { status, body } = await shop.call('POST', '/catalog/brands', {
      name: 'Other',
      page_title: 'Saved',
      custom_url: { url: '/FERM', is_customized: true },
    })
    expect({ status, body }).toEqual({
      status: 207,
      body: {
        data: wholeBrand({
          id: 2,
          name: 'Other',
          page_title: 'Saved',
          custom_url: { url: '/other/', is_customized: false },
        }),
        errors: {
          status: 409,
          title: 'Everything was saved except the address.',
          type: 'http://shop.test/docs/errors#409',
          errors: { 'custom_url.url': 'The address /FERM/ is taken.' },
        },
        meta: {},
      },
    })
    expect((await shop.call('GET', '/catalog/brands/2')).body.data).toEqual(body.data)
  })

  test.each([
    ['no leading slash', 'ferm/'],
    ['a slash alone', '/'],
    ['an empty segment', '/living//ferm/'],
    ['a segment of 257', segments(257)],
    ['a blank', '/ferm living/'],
    ['a query', '/ferm?a=1'],
    ['a letter that is not Latin', '/crème/'],
    ['a host', 'https://example.com/ferm/'],
    ['blanks around it', ' /ferm/ '],
    ['1,024 characters and no room for the slash at its end', segments(255, 255, 255, 255)],
  ])('is replaced if it has %s (207)', async (_, url) => {
    const shop = await openShop()
    expect(await brand(shop, 'Ferm Living', { url })).toEqual(instead('/ferm-living/'))
    const { status, body } = await shop.call('PUT', '/catalog/brands/1', { page_title: 'Saved', custom_url: { url } })
    expect({ status, body }).toMatchObject({
      status: 207,
      body: {
        data: { page_title: 'Saved', custom_url: { url: '/ferm-living/', is_customized: false } },
        errors: { status: 409, errors: { 'custom_url.url': expect.stringContaining('not allowed') } },
        meta: {},
      },
    })
  })

  test('has 1 to 1,024 characters, and a segment 1 to 256', async () => {
    const shop = await openShop()
    expect(await brand(shop, 'Shortest', { url: '/a' })).toEqual(customized('/a/'))
    expect(await brand(shop, 'Segment', { url: segments(256) })).toEqual(customized(`${segments(256)}/`))
    const longest = `${segments(255, 255, 255, 254)}/`
    expect(longest).toHaveLength(1_024)
    expect(await brand(shop, 'Longest', { url: longest })).toEqual(customized(longest))
  })

  test.each([
    ['empty', '', 'url must have at least 1 character.'],
    ['of 1,025 characters', segments(255, 255, 255, 256), 'url must have at most 1024 characters, not 1025.'],
    ['null', null, 'error.expected.jsstring'],
    ['a number', 7, 'error.expected.jsstring'],
  ])('that is %s refuses the whole body (422)', async (_, url, sentence) => {
    const shop = await openShop()
    await brand(shop, 'Ferm')
    for (const [method, path] of [
      ['POST', '/catalog/brands'],
      ['PUT', '/catalog/brands/1'],
    ] as const) {
      const { status, body } = await shop.call(method, path, { name: 'Other', custom_url: { url } })
      expect({ status, body }, method).toEqual({ status: 422, body: invalid({ 'custom_url.url': sentence }) })
    }
    expect((await shop.call('GET', '/catalog/brands')).body.data).toMatchObject([{ name: 'Ferm' }])
  })

  test('goes to one of several brands that request it at once', async () => {
    const shop = await openShop()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => brand(shop, `Brand ${i}`, { url: i % 2 ? '/wanted/' : '/WANTED' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, is_customized }) => status === 207 && !is_customized)).toHaveLength(9)
  })
})

describe('a changed brand', () => {
  test('gets another address when it is renamed, if its address was made from its name', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm 2')
    expect(await change(shop, 1, { name: 'Ferm' })).toEqual(made('/ferm/'))
    expect(await change(shop, 1, { name: 'FERM!' })).toEqual(made('/ferm/'))
    expect(await change(shop, 1, { name: 'Other' })).toEqual(made('/other/'))
    expect(await brand(shop, 'Ferm')).toEqual(made('/ferm/'))
    expect(await change(shop, 1, { name: 'Ferm 1' })).toEqual(made('/ferm-1/'))
    expect(await brand(shop, 'Third')).toEqual(made('/third/'))
    expect(await change(shop, 3, { name: 'Ferm?' })).toEqual(made('/ferm-2/'))
    expect(await change(shop, 3, { name: '日本語' })).toEqual(made('/brand-3/'))
  })

  test('keeps a customized address when it is renamed', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm', { url: '/living/' })
    expect(await change(shop, 1, { name: 'Other' })).toEqual(customized('/living/'))
    expect(await change(shop, 1, { page_title: 'Other' })).toEqual(customized('/living/'))
    expect(await change(shop, 1, { name: 'More', custom_url: { is_customized: true } })).toEqual(customized('/living/'))
  })

  test('changes nothing when it is sent back as it was read', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm')
    await brand(shop, 'Ferm!')
    await brand(shop, 'Ferm?', { url: '/own/' })
    await shop.call('DELETE', '/catalog/brands/1')
    const { data } = (await shop.call('GET', '/catalog/brands')).body
    for (const row of data) {
      expect((await shop.call('PUT', `/catalog/brands/${row.id}`, row)).body).toEqual({ data: row, meta: {} })
    }
    expect(data).toMatchObject([{ custom_url: { url: '/ferm-1/' } }, { custom_url: { url: '/own/' } }])
  })

  test('gets the requested address and releases its former one', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm')
    expect(await change(shop, 1, { custom_url: { url: '/living' } })).toEqual(customized('/living/'))
    expect(await change(shop, 1, { custom_url: { url: '/LIVING/' } })).toEqual(customized('/LIVING/'))
    expect(await brand(shop, 'Other', { url: '/ferm/' })).toEqual(customized('/ferm/'))
    expect(await change(shop, 1, { custom_url: { url: '/more/' } })).toEqual(customized('/more/'))
    expect(await change(shop, 2, { custom_url: { url: '/living/' } })).toEqual(customized('/living/'))
  })

  test('can mark an address made from its name as customized, and undo that', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm')
    expect(await change(shop, 1, { custom_url: { is_customized: true } })).toEqual(customized('/ferm/'))
    expect(await change(shop, 1, { name: 'Other' })).toEqual(customized('/ferm/'))
    expect(await change(shop, 1, { custom_url: { is_customized: false } })).toEqual(made('/other/'))
    expect(await brand(shop, 'Ferm')).toEqual(made('/ferm/'))
  })

  test('gets an address made from its name when customization ends, with any url in the body', async () => {
    const shop = await openShop()
    await brand(shop, 'Ferm', { url: '/living/' })
    const taken = { custom_url: { url: '/x y/', is_customized: false } }
    expect(await change(shop, 1, taken)).toEqual(made('/ferm/'))
    expect(await change(shop, 1, taken)).toEqual(made('/ferm/'))
    expect(await brand(shop, 'Two', { url: '/ferm-1/' })).toEqual(customized('/ferm-1/'))
    expect(await change(shop, 2, { name: 'Ferm!', custom_url: { is_customized: false } })).toEqual(made('/ferm-1/'))
  })

  test('keeps its address if the requested one is refused (207)', async () => {
    const shop = await openShop()
    await brand(shop, 'Taken')
    await brand(shop, 'Ferm')
    await brand(shop, 'Own', { url: '/own-address/' })
    const wish = { custom_url: { url: '/taken/' } }
    expect(await change(shop, 2, wish)).toEqual(instead('/ferm/'))
    expect(await change(shop, 2, { ...wish, name: 'Renamed' })).toEqual(instead('/renamed/'))
    expect(await change(shop, 3, { ...wish, name: 'Other' })).toEqual(instead('/own-address/', true))
    const { status, body } = await shop.call('PUT', '/catalog/brands/3', wish)
    expect({ status, body }).toMatchObject({
      status: 207,
      body: {
        data: { id: 3, name: 'Other' },
        errors: { status: 409, errors: { 'custom_url.url': 'The address /taken/ is taken.' } },
        meta: {},
      },
    })
  })

  test('can exchange addresses with another brand at once, and none is lost', async () => {
    const shop = await openShop()
    await brand(shop, 'One', { url: '/a/' })
    await brand(shop, 'Two', { url: '/b/' })
    for (let round = 0; round < 20; round++) {
      const [one, two] = await Promise.all([
        change(shop, 1, { custom_url: { url: round % 2 ? '/a/' : '/b/' } }),
        change(shop, 2, { custom_url: { url: round % 2 ? '/b/' : '/a/' } }),
      ])
      expect([200, 207]).toContain(one.status)
      expect([200, 207]).toContain(two.status)
      const { data } = (await shop.call('GET', '/catalog/brands')).body
      const [first, second] = data.map(({ custom_url }: { custom_url: { url: string } }) => custom_url.url)
      expect(first).not.toBe(second)
      await change(shop, 1, { custom_url: { url: '/c/' } })
      await change(shop, 2, { custom_url: { url: '/b/' } })
      expect(await change(shop, 1, { custom_url: { url: '/a/' } })).toEqual(customized('/a/'))
    }
  })
})

describe('the namespace of addresses', () => {
  test('is shared by brands and categories of one store', async () => {
    const shop = await openShop()
    const other = await openShop()
    const { call } = shop
    await brand(shop, 'Mugs')
    const category = await call('POST', '/catalog/categories', { name: 'Mugs', parent_id: 0 })
    expect(category.body.data.custom_url).toEqual({ url: '/mugs-1/', is_customized: false })
    await call('POST', '/catalog/categories', { name: 'Cups', parent_id: 0, custom_url: { url: '/cups/' } })
    expect(await brand(shop, 'Plates', { url: '/CUPS' })).toEqual(instead('/plates/'))
    expect(await brand(shop, 'Cups')).toEqual(made('/cups-1/'))
    expect(await brand(other, 'Mugs', { url: '/cups/' })).toEqual(customized('/cups/'))
  })

  test('gets an address back when its brand or category is deleted', async () => {
    const shop = await openShop()
    const { call } = shop
    await brand(shop, 'Ferm', { url: '/one/' })
    await brand(shop, 'Acme')
    await call('POST', '/catalog/categories', { name: 'Mugs', parent_id: 0 })
    await call('DELETE', '/catalog/brands/1')
    await call('DELETE', '/catalog/brands?name=acme')
    await call('DELETE', '/catalog/categories/1')
    for (const url of ['/one/', '/acme/', '/mugs/']) {
      expect(await brand(shop, `New ${url}`, { url })).toEqual(customized(url))
    }
  })

  test('has no address of a refused brand', async () => {
    const shop = await openShop({ limits: { brands: 1 } })
    await brand(shop, 'Ferm')
    expect((await shop.call('POST', '/catalog/brands', { name: 'ferm', custom_url: { url: '/a/' } })).status).toBe(409)
    expect((await shop.call('POST', '/catalog/brands', { name: 'More', custom_url: { url: '/a/' } })).status).toBe(507)
    expect(await change(shop, 1, { custom_url: { url: '/a/' } })).toEqual(customized('/a/'))
  })
})
