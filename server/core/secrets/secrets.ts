import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

export const SECRET_MIN = 32

/** Everything that is derived from the server's one secret. */
export interface Secrets {
  /** Keyed hash of an access token, 43 characters of base64url. Tokens are random, so a fast hash is right. */
  tokenHash(token: string): string
  /** Keyed hash of the permission in a link, 43 characters of base64url: only the server can have made the link. */
  linkSignature(text: string): string
  /** Encrypts a value that the server needs again (AES-256-GCM). */
  seal(text: string): string
  unseal(sealed: string): string
  /** Signs payment access tokens. */
  paymentTokenKey: string
  /** The key of the tokens that the companion API issues for a store, 64 hex digits. */
  companionKey(storeHash: string): string
  /** The secret by which the server of a shop proves that it forwards addresses of shoppers, 64 hex digits. */
  proxySecret(storeHash: string): string
  /** The client secret of the companion API: it signs the tokens that storefronts make for it, and its own. */
  companionApplication: { clientId: string; clientSecret: string }
  /** Password of the two database roles that the server runs as, where the server made them. */
  rolePassword: string
  /**
   * A verifier of secrets, stored in the directory. It reveals whether two secrets are the same, and no secret can be derived
   * from it.
   */
  verifier: string
}

/**
 * @param secret the setting SECRET, at least 32 characters
 * @throws Error with a sentence for the operator when it is too short
 */
export function secretsFrom(secret: string): Secrets {
  if (secret.length < SECRET_MIN) throw new Error(`SECRET must have at least ${SECRET_MIN} characters.`)
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  // Key objects: bytes would be converted with each use, which takes longer than the use.
  const tokenKey = createSecretKey(derive('access tokens'))
  const linkKey = createSecretKey(derive('links'))
  const sealKey = createSecretKey(derive('client secrets'))
  return {
    tokenHash: (token) => createHmac('sha256', tokenKey).update(token).digest('base64url'),
    linkSignature: (text) => createHmac('sha256', linkKey).update(text).digest('base64url'),
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Without the length Node would also take a tag that was cut to 32 bits, which can be guessed.
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    },
    paymentTokenKey: derive('payment access tokens').toString('base64url'),
    companionKey: (storeHash) => derive(`companion tokens of ${storeHash}`).toString('hex'),
    proxySecret: (storeHash) => derive(`trusted proxy of ${storeHash}`).toString('hex'),
    companionApplication: {
      // As short as other client ids are (docs/contract/auth.md section 2). It is no secret.
      clientId: derive('companion application').toString('hex').slice(0, 31),
      clientSecret: derive('secret of the companion application').toString('hex'),
    },
    rolePassword: derive('database roles').toString('base64url'),
    verifier: derive('verifier of the secret').toString('base64url'),
  }
}
