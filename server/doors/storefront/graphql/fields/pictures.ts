import { addressOfPicture } from '../../../../core/rest/input/picture-addresses.ts'
import { writeSize } from '../../../../shared/pictures/sizes/sizes.ts'
import type { Storefront } from '../../storefronts.ts'
import type { Fields } from '../types.ts'

/** A picture of the store. */
export interface ShopPicture {
  /** The path of a stored picture, or an address elsewhere. */
  kept: string
  altText: string
  isDefault: boolean
  /** The middle of its address, such as `products/5/12`. */
  place?: string
}

declare module '../types.ts' {
  interface Parents {
    Image: ShopPicture
  }
}

/** The address of a picture in a size. A picture elsewhere has one size. */
function addressOf({ kept, place = 'pictures' }: ShopPicture, size: string, { picturesUrl }: Storefront): string {
  const [, hash, name] = /^\/files\/([^/]+)\/([^/]+)$/.exec(kept) ?? []
  if (hash === undefined) return addressOfPicture(picturesUrl, kept)
  return `${picturesUrl}/s-${hash}/images/stencil/${size}/${place}/${name}`
}

const withLoss = (address: string, lossy: boolean | null | undefined) =>
  lossy && address.includes('/images/stencil/') ? `${address}?compression=lossy` : address

/** Pictures in sizes (docs/contract/storefront-graphql.md section 5). */
export const pictureFields: Fields<'Image'> = {
  Image: {
    url: (picture, { width, height, lossy }, { storefront }) =>
      withLoss(addressOf(picture, writeSize(width, height), storefront), lossy),
    urlOriginal: (picture, _, { storefront }) => addressOf(picture, 'original', storefront),
    urlTemplate: (picture, { lossy }, { storefront }) => withLoss(addressOf(picture, '{:size}', storefront), lossy),
  },
}
