import { randomBytes, randomInt } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`

/** Randomness, from one place: tests replace it. */
export interface Ids {
  /** Ten letters and digits that begin with a letter (docs/contract/auth.md section 1). */
  storeHash(): string
  /** 31 letters and digits (docs/contract/auth.md section 2). */
  clientId(): string
  /** 31 letters and digits, about 160 bits. */
  accessToken(): string
  /** 64 letters and digits. */
  clientSecret(): string
  /** Ten letters and digits (docs/contract/settings.md section 3). */
  storefrontPassword(): string
  /** 32 random hex digits: the name of a stored file. */
  fileName(): string
}

const text = (length: number) =>
  Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('')

export const randomIds: Ids = {
  storeHash: () => LETTERS[randomInt(LETTERS.length)] + text(9),
  clientId: () => text(31),
  accessToken: () => text(31),
  clientSecret: () => text(64),
  storefrontPassword: () => text(10),
  fileName: () => randomBytes(16).toString('hex'),
}
