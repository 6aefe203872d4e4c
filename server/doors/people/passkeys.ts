import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { isSameSignature } from '../../core/secrets/signature.ts'
import type { Person } from './people.ts'

const CHALLENGE_MS = 5 * 60_000
const PASSKEYS_MAX = 10

/** A passkey as its person sees it. */
interface Passkey {
  id: number
  name: string
  host: string
  created_at: string
  used_at: string | null
}

interface StoredPasskey {
  id: number
  person_id: number
  credential_id: string
  /** In base64url. */
  public_key: string
  counter: number
  transports: AuthenticatorTransport[]
  email: string
}

interface PasskeyParts {
  database: Pick<Database, 'system'>
  secrets: Pick<Secrets, 'linkSignature'>
  clock: Clock
}

/** The address of the console as the browser has it. */
export interface BrowserPlace {
  origin: string
  /** The host name without its port, to which a passkey belongs. */
  host: string
}

/** A person with as many passkeys as can be. */
export class PasskeyRefusal extends Error {}

/** Browsers refuse passkeys at IP addresses. */
export const canHavePasskeys = (host: string): boolean => isIP(host.replaceAll(/[[\]]/g, '')) === 0

/**
 * A passkey signs a person in instead of the password. It is a key pair of the person's device, which signs a challenge of the server
 * after it has recognized the person; the server stores the public key. A challenge is valid for five minutes and works once. It
 * needs no row until it is answered: a signature shows that it is ours, and for which purpose.
 */
export class Passkeys {
  readonly #parts: PasskeyParts

  constructor(parts: PasskeyParts) {
    this.#parts = parts
  }

  /** Options for `navigator.credentials.create`. */
  async creation({ id, email, name }: Person, { host }: BrowserPlace): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server')
    const own = await this.#parts.database.system<{ credential_id: string }>(
      sql`select credential_id from directory.passkeys where person_id = ${id} and host = ${host}`,
    )
    return generateRegistrationOptions({
      rpName: 'storeward console',
      rpID: host,
      userID: new TextEncoder().encode(String(id)),
      userName: email,
      userDisplayName: name,
      challenge: this.#challenge(`create ${id}`),
      attestationType: 'none',
      excludeCredentials: own.map(({ credential_id }) => ({ id: credential_id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /**
   * Stores a passkey that a browser has created.
   * @returns undefined if the answer is not valid
   * @throws PasskeyRefusal with ten passkeys
   */
  async add(
    person: Person,
    { origin, host }: BrowserPlace,
    { name, response }: { name: string; response: RegistrationResponseJSON },
  ): Promise<Passkey | undefined> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const expectedChallenge = (challenge: string) => this.#spend(challenge, `create ${person.id}`)
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: host,
    }).catch(() => undefined)
    if (!verified?.verified) return undefined
    const { id, publicKey, counter } = verified.registrationInfo.credential
    const [added] = await this.#parts.database.system<Passkey>(sql`
      insert into directory.passkeys (person_id, credential_id, host, public_key, counter, transports, name, created_at)
      select ${person.id}::int, ${id}, ${host}, ${Buffer.from(publicKey).toString('base64url')}, ${counter}::bigint,
        ${JSON.stringify(response.response.transports ?? [])}::jsonb, ${name}, ${this.#parts.clock.now()}
      where (select count(*) from directory.passkeys where person_id = ${person.id}) < ${PASSKEYS_MAX}
      returning id, name, host, created_at, used_at`)
    if (!added) throw new PasskeyRefusal(`A person has at most ${PASSKEYS_MAX} passkeys.`)
    return added
  }

  /** Options for `navigator.credentials.get`. The browser offers the passkeys of the host, so no address of a person is asked. */
  async request({ host }: BrowserPlace): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
    return generateAuthenticationOptions({
      rpID: host,
      challenge: this.#challenge('use'),
      userVerification: 'required',
    })
  }

  /** The e-mail address of the person whose passkey has signed a challenge. @returns undefined if the answer is not valid */
  async personOf(response: AuthenticationResponseJSON, { origin, host }: BrowserPlace): Promise<string | undefined> {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { database, clock } = this.#parts
    const [found] = await database.system<StoredPasskey>(sql`
      select passkeys.id, person_id, credential_id, public_key, counter,
        transports, email
      from directory.passkeys join directory.people on people.id = person_id
      where credential_id = ${response.id} and host = ${host}`)
    if (!found) return undefined
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => this.#spend(challenge, 'use'),
      expectedOrigin: origin,
      expectedRPID: host,
      credential: {
        id: found.credential_id,
        publicKey: new Uint8Array(Buffer.from(found.public_key, 'base64url')),
        counter: found.counter,
        transports: found.transports,
      },
    }).catch(() => undefined)
    if (!verified?.verified) return undefined
    await database.system(sql`
      update directory.passkeys set counter = ${verified.authenticationInfo.newCounter}::bigint, used_at = ${clock.now()}
      where id = ${found.id} returning id`)
    return found.email
  }

  list(personId: number): Promise<Passkey[]> {
    return this.#parts.database.system(sql`
      select id, name, host, created_at, used_at from directory.passkeys where person_id = ${personId} order by id`)
  }

  /** @returns whether the person had the passkey */
  async remove(personId: number, id: number): Promise<boolean> {
    const removed = await this.#parts.database.system(sql`
      delete from directory.passkeys where id = ${id} and person_id = ${personId} returning id`)
    return removed.length > 0
  }

  /** A text that only this installation can have made, with the end of its validity. */
  #challenge(purpose: string): string {
    const until = this.#parts.clock.now().getTime() + CHALLENGE_MS
    const text = `${until}.${randomBytes(16).toString('hex')}`
    return `${text}.${this.#parts.secrets.linkSignature(`passkey ${purpose} ${text}`)}`
  }

  /** Whether a challenge is ours, still valid, and used for the first time. @param encoded in base64url, as browsers return it */
  async #spend(encoded: string, purpose: string): Promise<boolean> {
    const { database, secrets, clock } = this.#parts
    const [until = '', random = '', signature = ''] = Buffer.from(encoded, 'base64url').toString('utf8').split('.')
    const now = clock.now()
    if (!isSameSignature(signature, secrets.linkSignature(`passkey ${purpose} ${until}.${random}`))) return false
    if (Number(until) <= now.getTime()) return false
    const spent = await database.system(sql`
      with ended as (delete from directory.passkey_challenges where ends_at < ${now} returning challenge)
      insert into directory.passkey_challenges (challenge, ends_at) values (${random}, ${new Date(Number(until))})
      on conflict do nothing returning challenge`)
    return spent.length > 0
  }
}
