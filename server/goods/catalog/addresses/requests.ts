import type { Tx } from '../../../core/db/database.ts'
import { type AddressOwner, generateAddress, reserveAddress } from './owners.ts'
import { isServedPath, withSlash } from './slug.ts'
import { addressMalformed, addressTaken } from './urls.ts'

interface AddressRequest {
  /** Null or empty asks for none. */
  wish: string | null | undefined
  /** Empty for a new owner. */
  former: string
  /** The beginning of a generated address, for example `/about-us`. */
  stem: string
}

/**
 * Reserves the requested address of a page or post. If the wish is malformed or taken, the owner keeps its former address, or gets a
 * generated one.
 * @returns the address, and the reason if it is not the requested one
 */
export async function requestAddress(
  tx: Tx,
  owner: AddressOwner,
  { wish, former, stem }: AddressRequest,
): Promise<{ url: string; failure?: string }> {
  const otherwise = async () => former || generateAddress(tx, owner, stem)
  if (!wish) return { url: await otherwise() }
  const url = withSlash(wish)
  if (!isServedPath(url)) return { url: await otherwise(), failure: addressMalformed(url) }
  if (await reserveAddress(tx, owner, url, former)) return { url }
  return { url: await otherwise(), failure: addressTaken(url) }
}
