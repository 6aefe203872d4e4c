import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretsFrom } from './secrets.ts'

const secrets = secretsFrom('a secret of this test, thirty-two or more')
const others = secretsFrom('another secret of it, thirty-two or more')

test('a sealed text is opened again', () => {
  for (const text of ['', 'x', 'a client secret', 'ünï©ôdé 🔑', 'long '.repeat(10_000)]) {
    expect(secrets.unseal(secrets.seal(text))).toBe(text)
  }
})

test('the same text is sealed differently each time and reveals nothing', () => {
  const sealed = Array.from({ length: 100 }, () => secrets.seal('a client secret'))
  expect(new Set(sealed).size).toBe(100)
  for (const one of sealed) expect(Buffer.from(one, 'base64url').includes('secret')).toBe(false)
})

test('a sealed text with one bit changed, anywhere, does not open', () => {
  const sealed = Buffer.from(secrets.seal('a client secret'), 'base64url')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const forged = Buffer.from(sealed)
    forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => secrets.unseal(forged.toString('base64url'))).toThrow()
  }
})

test('a sealed text that was cut does not open', () => {
  const sealed = Buffer.from(secrets.seal('a client secret'), 'base64url')
  for (let length = 0; length < sealed.length; length++) {
    expect(() => secrets.unseal(sealed.subarray(0, length).toString('base64url'))).toThrow()
  }
})

test('another secret opens nothing', () => {
  expect(() => others.unseal(secrets.seal('a client secret'))).toThrow()
})

test('the hash of a token is keyed: it takes the secret to make it', () => {
  const hash = secrets.tokenHash('token')
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(secrets.tokenHash('token')).toBe(hash)
  expect(secrets.tokenHash('tokeN')).not.toBe(hash)
  expect(others.tokenHash('token')).not.toBe(hash)
  expect(createHash('sha256').update('token').digest('base64url')).not.toBe(hash)
})

test('the password of the database roles is made from the secret and is not the secret', () => {
  expect(secrets.rolePassword).toMatch(/^[\w-]{43}$/)
  expect(secretsFrom('a secret of this test, thirty-two or more').rolePassword).toBe(secrets.rolePassword)
  expect(others.rolePassword).not.toBe(secrets.rolePassword)
})

test('a secret of 31 characters is refused, one of 32 is not', () => {
  expect(() => secretsFrom('x'.repeat(31))).toThrow('SECRET must have at least 32 characters.')
  expect(secretsFrom('x'.repeat(32)).tokenHash('token')).toHaveLength(43)
})
