import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { exampleCertificate } from './certificates.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  await shop.call('PUT', '/sites/1000', { url: at('main') })
})

const PATH = '/sites/1000/certificate'
const at = (name: string) => `https://${name}-${shop.store.hash}.example.com`
const put = (certificate: unknown, url?: string) => shop.call('PUT', PATH, { certificate, url })
const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)

/** Of the same key as the example: one for other.test and 127.0.0.1, one whose time is over. */
const FOREIGN = `-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIUIt+uSh48xdTICLkoJmeuv7pyEo8wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKb3RoZXIudGVzdDAgFw0yNjExMjIwNzA4MDhaGA8yMTI2MTAy
OTA3MDgwOFowFTETMBEGA1UEAwwKb3RoZXIudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABLX1nepvPwIZh+ALRfxEpbp1g+xNI7p5e/S5sJ/Avv152z9yBFKx
AQVvaZ3pz4dGv9gb4SCQy/1cG8lhK8J6psajcDBuMB0GA1UdDgQWBBQd9j0MdD2L
hW5++WgAso1rNo1h0zAfBgNVHSMEGDAWgBQd9j0MdD2LhW5++WgAso1rNo1h0zAP
BgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCCm90aGVyLnRlc3SHBH8AAAEwCgYI
KoZIzj0EAwIDSQAwRgIhAK6yItkxebvnrWaHvisfY4D/pX4FereK+rJPlvUy6hme
AiEA0Cur0Vzg1hwFvp0VFb29Ev158u6ycuE/cNItXho4kc8=
-----END CERTIFICATE-----
`
const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBaTCCAQ+gAwIBAgIUQ3PlO2L3lYj+oOwi0MSqcNNSISMwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wHhcNMjYxMTIyMDcwODI2WhcNMjYxMTIx
MDcwODI2WjAWMRQwEgYDVQQDDAtleGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABLX1nepvPwIZh+ALRfxEpbp1g+xNI7p5e/S5sJ/Avv152z9yBFKx
AQVvaZ3pz4dGv9gb4SCQy/1cG8lhK8J6psajOzA5MBgGA1UdEQQRMA+CDSouZXhh
bXBsZS5jb20wHQYDVR0OBBYEFB32PQx0PYuFbn75aACyjWs2jWHTMAoGCCqGSM49
BAMCA0gAMEUCIC38FQ/oi4A7I/6fPaFD28SnLd9d/1TB2LhT+7p5qv02AiEAtdHC
9FqBlilK/ZXNrAOak9lzvhMxvB00Vz1xBLHFbEQ=
-----END CERTIFICATE-----
`
/** Of no certificate here. */
const OTHER_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPK4sy/QAk48j7pFb
yXiXo2N6qxBGg+thbFSugYdGPIyhRANCAARX0BbJnk6perLJtYT7NNp/Nvelp40F
rUJZJiAT7kW7/Xm2enSM1nJolU490mnHHoSnMNdXQQPmb0K4O/C9ZUsg
-----END PRIVATE KEY-----
`

const installed = {
  common_name: 'example.com',
  subject_alternative_names: ['example.com', '*.example.com'],
  validity_not_before: '2026-11-22T06:53:57Z',
  validity_not_after: '2126-10-29T06:53:57Z',
  signing_algorithm: 'ecdsa-with-SHA256',
  issuer: 'CN=example.com',
  certificate: exampleCertificate.certificate,
  intermediate_certificates: '',
}

test('a certificate is installed, shown without its key, and told of; the same one again changes nothing', async () => {
  expect((await shop.call('GET', PATH)).body.data).toEqual({ status: 'shared', installed_certificate: null })
  for (let i = 0; i < 2; i++) {
    expect(await put(exampleCertificate)).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
  }
  expect((await shop.call('GET', PATH)).body).toEqual({
    data: { status: 'dedicated', installed_certificate: installed },
    meta: {},
  })
  expect((await shop.call('GET', '/sites/1000')).body.data.ssl_status).toBe('dedicated')
  const site = 'store/channel/1/settings/site/updated'
  expect(await scopes()).toEqual([site, 'store/information/updated', site])
  const [stored] = await rowsOf(shop, 'site_certificates')
  expect(JSON.stringify(stored)).not.toContain(exampleCertificate.private_key.split('\n')[1])
})

test('the list has those of all sites, or of the sites that have one of some addresses', async () => {
  const chain = { ...exampleCertificate, intermediate_certificates: FOREIGN + EXPIRED }
  await put(chain, at('main'))
  const shown = { ...installed, intermediate_certificates: chain.intermediate_certificates }
  const list = async (query: string) => (await shop.call('GET', `/sites/certificates?${query}`)).body
  expect(await list('')).toEqual({ data: [shown], meta: {} })
  expect((await list(`urls:in=https://a.example.com,${at('main')}/`)).data).toEqual([shown])
  expect((await list('urls:in=https://a.example.com&limit=1')).data).toEqual([])
  expect((await shop.call('GET', '/sites/certificates?url=x')).status).toBe(422)
})

test('blanks around a certificate do not matter: it is shown as it came', async () => {
  const certificate = ` \t${exampleCertificate.certificate}\n `
  expect((await put({ ...exampleCertificate, certificate })).status).toBe(200)
  expect((await shop.call('GET', PATH)).body.data.installed_certificate).toEqual({ ...installed, certificate })
  expect((await shop.call('GET', '/sites/certificates')).status).toBe(200)
  expect((await shop.call('PUT', '/sites/1000', { url: at('other') })).body.data.ssl_status).toBe('dedicated')
})

test('it is for the address of the site that the body names, or for the primary one', async () => {
  const canonical = `https://store-${shop.store.hash}.shop.test`
  expect((await put(exampleCertificate, canonical)).body.errors).toEqual({
    'certificate.certificate': `certificate must be for the host ${canonical.slice(8)}.`,
  })
  expect((await put(exampleCertificate, `${at('main')}/`)).status).toBe(200)
})

test('a site whose new host it is not for loses it', async () => {
  await put(exampleCertificate)
  expect((await shop.call('PUT', '/sites/1000', { url: at('other') })).body.data.ssl_status).toBe('dedicated')
  expect((await shop.call('PUT', '/sites/1000', { url: 'http://127.0.0.1' })).body.data.ssl_status).toBe('shared')
  expect((await shop.call('GET', PATH)).body.data).toEqual({ status: 'shared', installed_certificate: null })
  expect((await put({ ...exampleCertificate, certificate: FOREIGN })).status).toBe(200)
  await shop.call('PUT', '/sites/1000', { url: at('other') })
  expect(await rowsOf(shop, 'site_certificates')).toEqual([])
})

describe('is refused:', () => {
  const { certificate, private_key } = exampleCertificate
  test.each([
    ['nothing', {}, ['certificate', 'private_key']],
    ['text', { certificate: 'x', private_key: 'x' }, ['certificate', 'private_key']],
    ['two certificates', { certificate: certificate + FOREIGN, private_key }, ['certificate']],
    ['one that cannot be read', { certificate: certificate.replaceAll('MII', 'III'), private_key }, ['certificate']],
    ['one for another host', { certificate: FOREIGN, private_key }, ['certificate']],
    ['one whose time is over', { certificate: EXPIRED, private_key }, ['certificate']],
    ['the key of another', { certificate, private_key: OTHER_KEY }, ['private_key']],
    ['a certificate as its key', { certificate, private_key: certificate }, ['private_key']],
    [
      'more than a chain',
      { ...exampleCertificate, intermediate_certificates: `${certificate}${private_key}` },
      ['intermediate_certificates'],
    ],
    [
      'more characters than fit',
      {
        certificate: certificate.padEnd(16_385),
        private_key: private_key.padEnd(16_385),
        intermediate_certificates: certificate.padEnd(65_537),
      },
      ['certificate', 'private_key', 'intermediate_certificates'],
    ],
  ])('%s', async (_, given, fields) => {
    const { status, body } = await put(given)
    expect({ status, errors: Object.keys(body.errors) }).toEqual({
      status: 422,
      errors: fields.map((field) => `certificate.${field}`),
    })
    expect(await rowsOf(shop, 'site_certificates')).toEqual([])
  })

  test('an address that is none of the site', async () => {
    expect((await put(exampleCertificate, 'https://a.example.com')).body.errors).toEqual({
      url: 'url must be an address of the site.',
    })
    expect((await shop.call('PUT', PATH, {})).body.errors).toEqual({ certificate: 'error.path.missing' })
  })
})
