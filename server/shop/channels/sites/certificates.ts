import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment, ListOf } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope, Meta } from '../../../core/rest/lists/collection.ts'
import { paging } from '../../../core/rest/lists/paging.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { isOfLiveChannel } from '../live-channels.ts'
import type { AddressRules } from './addresses.ts'
import { findSite, lockSite, publishSite, SiteRow, sites, siteToAnswer } from './shape.ts'

const { read, write } = access('sites')

const PEM_MAX = 16_384
const CHAIN_MAX = 65_536

const Installed = t.Object(
  {
    common_name: t.String(),
    subject_alternative_names: t.Array(t.String()),
    validity_not_before: t.String(),
    validity_not_after: t.String(),
    signing_algorithm: t.String(),
    issuer: t.String(),
    certificate: t.String({ description: 'PEM' }),
    intermediate_certificates: t.String({ description: 'PEM, one behind the other' }),
  },
  { title: 'InstalledCertificate' },
)

/** An example. It is self-signed, and its key is public. */
export const exampleCertificate = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUEQLgFzPk6B4xULuoFo5qdJQpm14wCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wIBcNMjYxMTIyMDY1MzU3WhgPMjEyNjEw
MjkwNjUzNTdaMBYxFDASBgNVBAMMC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEtfWd6m8/AhmH4AtF/ESlunWD7E0junl79Lmwn8C+/XnbP3IE
UrEBBW9pnenPh0a/2BvhIJDL/VwbyWErwnqmxqN6MHgwHQYDVR0OBBYEFB32PQx0
PYuFbn75aACyjWs2jWHTMB8GA1UdIwQYMBaAFB32PQx0PYuFbn75aACyjWs2jWHT
MA8GA1UdEwEB/wQFMAMBAf8wJQYDVR0RBB4wHIILZXhhbXBsZS5jb22CDSouZXhh
bXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAJPsaA97ajelCuZjoKO2y0C8hh7w
NbVvr9pQAmTRzjvpAiBUO9eUhvAS0h8tieI9LcY4CGTYiZkWwNwJXsQttuIhzw==
-----END CERTIFICATE-----
`,
  private_key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJmaomPo56MXEDp5b
kGm1q6LFAUGR42bo2fzuu90/DKihRANCAAS19Z3qbz8CGYfgC0X8RKW6dYPsTSO6
eXv0ubCfwL79eds/cgRSsQEFb2md6c+HRr/YG+EgkMv9XBvJYSvCeqbG
-----END PRIVATE KEY-----
`,
}

const NewCertificate = t.Object(
  {
    url: t.Optional(t.String({ maxLength: 2_048, description: 'The address of the site that it is for' })),
    certificate: t.Object({
      certificate: t.String({ maxLength: PEM_MAX }),
      private_key: t.String({ maxLength: PEM_MAX, writeOnly: true }),
      intermediate_certificates: t.Optional(t.String({ maxLength: CHAIN_MAX })),
    }),
  },
  { title: 'NewCertificate', examples: [{ certificate: exampleCertificate }] },
)
type NewCertificate = Static<typeof NewCertificate>

/** The parts that the routes of certificates need. */
export interface CertificateParts {
  rules: AddressRules
  secrets: Pick<Secrets, 'seal'>
}

/** Routes that store and return certificates. The server of the pages of a site reads them here (docs/contract/sites.md section 5). */
export function certificateRoutes(api: Api, { rules, secrets }: CertificateParts) {
  const one = `/sites/${idSegment('site_id')}/certificate`
  const params = t.Object({ site_id: Id })

  api.get(
    '/sites/certificates',
    {
      ...read,
      schema: {
        summary: 'List the certificates of sites',
        operationId: 'listSiteCertificates',
        querystring: t.Object(
          { 'urls:in': t.Optional(ListOf(t.String())), ...paging },
          { additionalProperties: false },
        ),
        response: { 200: t.Object({ data: t.Array(Installed), meta: Meta }) },
      },
    },
    async ({ db, query: { 'urls:in': urls } }) => answer((await installedOn(db, rules, urls)).map(installed)),
  )

  api.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get the certificate of a site',
        operationId: 'getSiteCertificate',
        params,
        response: {
          200: envelope(
            t.Object({
              status: SiteRow.properties.ssl_status,
              installed_certificate: t.Union([Installed, t.Null()]),
            }),
          ),
        },
      },
    },
    async ({ db, params: { site_id } }) => {
      const { ssl_status } = await findSite(db, site_id)
      const stored = await storedOf(db, site_id)
      return answer({ status: ssl_status, installed_certificate: stored ? installed(stored) : null })
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Install a certificate for a site',
        operationId: 'updateSiteCertificate',
        description: 'In PEM. The key is stored encrypted and is never returned.',
        params,
        body: NewCertificate,
        response: { 200: envelope(t.Object({})) },
      },
    },
    async ({ db, params: { site_id }, body }) => {
      await db.transaction(async (tx) => {
        const site = await lockSite(tx, site_id)
        const host = hostFor(body, siteToAnswer(tx.store, site, rules).urls)
        const { certificate, private_key, intermediate_certificates = '' } = body.certificate
        refuseCertificate(body.certificate, host, tx.now)
        const before = await storedOf(tx, site_id)
        if (before?.certificate === certificate && before.intermediate_certificates === intermediate_certificates)
          return
        const values = { certificate, intermediate_certificates, private_key: secrets.seal(private_key) }
        await tx.rows(sql`
          insert into site_certificates ${sql.rows([{ store_id: tx.store.id, site_id, ...values }])}
          on conflict (store_id, site_id) do update set ${sql.set(values)}`)
        await setStatus(tx, site_id, 'dedicated')
        publishSite(tx, site, 'site/updated')
      })
      return answer({})
    },
  )
}

interface Stored {
  certificate: string
  intermediate_certificates: string
}

const storedOf = (db: Db, site: number): Promise<Stored | undefined> =>
  db.maybeRow<Stored>(sql`
    select certificate, intermediate_certificates from site_certificates
    where store_id = ${db.store.id} and site_id = ${site}`)

/** The certificates of sites with one of these addresses, or of all sites. */
async function installedOn(db: Db, rules: AddressRules, urls: readonly string[] | undefined): Promise<Stored[]> {
  const rows = await findWhere(db, sites, sql`ssl_status = 'dedicated' and ${isOfLiveChannel(db, 'sites.channel_id')}`)
  const wanted = urls && new Set(urls.map((url) => url.replace(/\/$/, '')))
  const ids = rows
    .filter((row) => !wanted || siteToAnswer(db.store, row, rules).urls.some(({ url }) => wanted.has(url)))
    .map(({ id }) => id)
  return db.rows<Stored>(sql`
    select certificate, intermediate_certificates from site_certificates
    where store_id = ${db.store.id} and site_id = any(${ids}) order by site_id`)
}

function installed({ certificate, intermediate_certificates }: Stored): Static<typeof Installed> {
  const read = parse(certificate)
  return {
    common_name: commonName(read.subject),
    subject_alternative_names: (read.subjectAltName ?? '')
      .split(', ')
      .filter((name) => name !== '')
      .map((name) => name.replace(/^(?:DNS|IP Address):/, '')),
    validity_not_before: toSeconds(read.validFromDate),
    validity_not_after: toSeconds(read.validToDate),
    signing_algorithm: read.signatureAlgorithm ?? '',
    issuer: (read.issuer ?? '').split('\n').join(', '),
    certificate,
    intermediate_certificates,
  }
}

const commonName = (subject: string | undefined) => /^CN=(.*)$/m.exec(subject ?? '')?.[1] ?? ''

/** The host of a new certificate: that of the address in the body, or the primary host of the site. */
function hostFor({ url }: NewCertificate, urls: readonly { url: string }[]): string {
  const wanted = url?.replace(/\/$/, '')
  const found = wanted === undefined ? urls[0] : urls.find((of) => of.url === wanted)
  if (!found) throw invalid({ url: 'url must be an address of the site.' })
  return new URL(found.url).hostname
}

/** @throws Problem 422 with all mistakes in a certificate, its key and its chain */
function refuseCertificate(
  { certificate, private_key, intermediate_certificates = '' }: NewCertificate['certificate'],
  host: string,
  now: Date,
) {
  const mistakes: Mistakes = {}
  const read = certificatesIn(certificate)
  const [own] = read ?? []
  const key = keyIn(private_key)
  if (!own || read?.length !== 1) mistakes['certificate.certificate'] = 'certificate must be one certificate in PEM.'
  else if (!isFor(own, host)) mistakes['certificate.certificate'] = `certificate must be for the host ${host}.`
  else if (own.validToDate <= now) mistakes['certificate.certificate'] = 'certificate has expired.'
  if (!key) mistakes['certificate.private_key'] = 'private_key must be a private key in PEM, without a passphrase.'
  else if (own && !own.checkPrivateKey(key))
    mistakes['certificate.private_key'] = 'private_key must be that of the certificate.'
  if (!certificatesIn(intermediate_certificates)) {
    mistakes['certificate.intermediate_certificates'] = 'intermediate_certificates must be certificates in PEM.'
  }
  refuse(mistakes)
}

/** @param pem one certificate, possibly with blanks around it; OpenSSL accepts none in front */
const parse = (pem: string) => new X509Certificate(pem.trim())

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g

/** The certificates in a PEM text; undefined if the text has anything else. */
function certificatesIn(text: string): X509Certificate[] | undefined {
  if (text.replace(PEM, '').trim() !== '') return undefined
  try {
    return (text.match(PEM) ?? []).map(parse)
  } catch {
    return undefined // Base64 of something else.
  }
}

function keyIn(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined // Not PEM, or locked by a passphrase.
  }
}

const isFor = (certificate: X509Certificate, host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, '')
  return (isIP(bare) > 0 ? certificate.checkIP(bare) : certificate.checkHost(bare)) !== undefined
}

const setStatus = (tx: Tx, site: number, status: SiteRow['ssl_status']) =>
  tx.rows(sql`
    update sites set ssl_status = ${status}, updated_at = ${tx.now}
    where store_id = ${tx.store.id} and id = ${site} and ssl_status <> ${status} returning id`)

/**
 * Deletes the certificate of a site if it does not cover the new host.
 * @returns whether the certificate stays
 */
export async function dropForeignCertificate(tx: Tx, site: number, host: string): Promise<boolean> {
  const stored = await storedOf(tx, site)
  if (!stored || isFor(parse(stored.certificate), host)) return true
  await deleteCertificate(tx, site)
  await setStatus(tx, site, 'shared')
  return false
}

export const deleteCertificate = (tx: Tx, site: number) =>
  tx.rows(sql`delete from site_certificates where store_id = ${tx.store.id} and site_id = ${site} returning site_id`)
