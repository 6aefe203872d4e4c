import { createHash, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import forge from 'node-forge'
import { replaceFile } from './replace-file.ts'

const { asn1, md, pki } = forge
const { Class, Type } = asn1

/** A certificate with its private key, both as PEM. */
export interface CertifiedKey {
  key: string
  certificate: string
}

interface AuthorityFiles {
  /** The certificate, for the programs and browsers that trust it. */
  certificate: string
  /** The key with the certificate, for the server only. One file, so that a crash can't leave halves of two. */
  key: string
}

const DAY_MS = 24 * 3_600 * 1_000
const AUTHORITY_DAYS = 3_650
// The longest life that browsers accept.
const CERTIFICATE_DAYS = 397
const RENEWAL_DAYS = 400
const NAME_CONSTRAINTS = '2.5.29.30'
// The tags of names and addresses in a certificate.
const [NAME, ADDRESS] = [2, 7]

const makeKeys = promisify(generateKeyPair)

/**
 * The certificate authority of a sandbox. Its certificates are valid for the hosts of this machine and one domain, and its own certificate says so:
 * who trusts it trusts it for these names only.
 */
export class Authority {
  /** The file to trust. */
  readonly path: string
  readonly #identity: CertifiedKey
  readonly #domain: string
  #keys: ReturnType<typeof rsaKeys> | undefined

  private constructor(identity: CertifiedKey, domain: string, path: string) {
    this.#identity = identity
    this.#domain = domain
    this.path = path
  }

  /** Opens the authority in a folder. Creates it at the first call, before it expires, and for another domain. */
  static async open(folder: string, domain: string, now: Date): Promise<Authority> {
    const paths = { certificate: join(folder, 'authority.pem'), key: join(folder, 'authority-key.pem') }
    const existing = await read(paths, domain, now)
    const identity = existing ?? (await create(domain, now))
    await mkdir(folder, { recursive: true })
    if (!existing) await replaceFile(paths.key, identity.key + identity.certificate, 0o600)
    await replaceFile(paths.certificate, identity.certificate, 0o644)
    return new Authority(identity, domain, paths.certificate)
  }

  /** Whether certificates for a name are allowed: this machine, the domain, and the names below both. */
  covers = (name: string): boolean =>
    domainsOf(this.#domain).some((domain) => name === domain || name.endsWith(`.${domain}`))

  /**
   * Issues a certificate. All certificates of a process have the same key.
   * @param hosts names and addresses that the authority covers
   */
  async issue(hosts: readonly string[], now: Date): Promise<CertifiedKey> {
    this.#keys ??= rsaKeys()
    const keys = await this.#keys
    const issuer = pki.certificateFromPem(this.#identity.certificate)
    const certificate = blank(keys.publicKey, now, CERTIFICATE_DAYS)
    // Clients read the names of the extension. A common name has at most 64 characters.
    certificate.setSubject([{ name: 'organizationName', value: 'storeward sandbox' }])
    certificate.setIssuer(issuer.subject.attributes)
    certificate.setExtensions([
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map(altName) },
      { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
    ])
    certificate.sign(pki.privateKeyFromPem(this.#identity.key), md.sha256.create())
    return { key: keys.privateKey, certificate: pemOf(certificate) }
  }
}

/** Reads the authority. @returns undefined if there is none that can be read, or it expires soon, or it is for another domain */
async function read({ key }: AuthorityFiles, domain: string, now: Date): Promise<CertifiedKey | undefined> {
  const text = await readFile(key, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const [privateKey = '', certificate = ''] = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g) ?? []
  const parsed = parse(certificate)
  if (!parsed) return undefined
  const { subject, validTo } = parsed
  const isFor = subject.includes(`OU=${labelOf(domain)}`)
  const isFresh = Date.parse(validTo) - now.getTime() > RENEWAL_DAYS * DAY_MS
  return isFor && isFresh ? { key: privateKey, certificate } : undefined
}

function parse(certificate: string): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate)
  } catch {
    return undefined
  }
}

async function create(domain: string, now: Date): Promise<CertifiedKey> {
  const keys = await rsaKeys()
  const certificate = blank(keys.publicKey, now, AUTHORITY_DAYS)
  const name = [
    { name: 'commonName', value: 'storeward sandbox on this machine' },
    { shortName: 'OU', value: labelOf(domain) },
  ]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
    { id: NAME_CONSTRAINTS, critical: true, value: constraintsOf(domain) },
  ])
  certificate.sign(pki.privateKeyFromPem(keys.privateKey), md.sha256.create())
  return { key: keys.privateKey, certificate: pemOf(certificate) }
}

/** With the line ends of the other files. */
const pemOf = (certificate: forge.pki.Certificate): string => pki.certificateToPem(certificate).replaceAll('\r', '')

const rsaKeys = () =>
  makeKeys('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

function blank(publicKey: string, now: Date, days: number) {
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = serialNumber()
  // Clocks of other machines may be behind.
  certificate.validity.notBefore = new Date(now.getTime() - DAY_MS)
  certificate.validity.notAfter = new Date(now.getTime() + (days - 1) * DAY_MS)
  return certificate
}

/**
 * A random serial number of 16 bytes, in hexadecimal digits. Its first digit is 4 to 7, so that it is positive without a padding byte: a padding
 * byte that is not needed makes a certificate that no program can read.
 */
export function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}

const altName = (host: string) => (isIP(host) > 0 ? { type: ADDRESS, ip: host } : { type: NAME, value: host })

const domainsOf = (domain: string): string[] => [...new Set(['localhost', domain])]

/** A short name of the domain for the subject of the certificate, which tells authorities of two domains apart. */
const labelOf = (domain: string): string => createHash('sha256').update(domain).digest('hex').slice(0, 32)

/** The permitted names as DER: the domains with all names below them, and the addresses of this machine. */
function constraintsOf(domain: string): string {
  const tagged = (type: number, bytes: string) =>
    asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [asn1.create(Class.CONTEXT_SPECIFIC, type, false, bytes)])
  const permitted = [
    ...domainsOf(domain).map((name) => tagged(NAME, name)),
    // An address with its mask: 127.0.0.0/8 and ::1/128.
    tagged(ADDRESS, '\x7f\0\0\0\xff\0\0\0'),
    tagged(ADDRESS, `${'\0'.repeat(15)}\x01${'\xff'.repeat(16)}`),
  ]
  const subtrees = asn1.create(Class.CONTEXT_SPECIFIC, 0, true, permitted)
  return asn1.toDer(asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [subtrees])).getBytes()
}
