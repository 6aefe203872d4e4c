import { addressOfPicture } from '../../../../core/rest/input/picture-addresses.ts'
import type { Fields } from '../types.ts'

/** A picture of the store. */
export interface ShopPicture {
  /** The path of a stored picture, or an address elsewhere. */
  kept: string
  altText: string
  isDefault: boolean
}

declare module '../types.ts' {
  interface Parents {
    Image: ShopPicture
  }
}

/** Pictures have one size so far: each address is that of the original (docs/contract/storefront-graphql.md section 5). */
export const pictureFields: Fields<'Image'> = {
  Image: {
    url: ({ kept }, _, { storefront }) => addressOfPicture(storefront.publicUrl, kept),
    urlOriginal: ({ kept }, _, { storefront }) => addressOfPicture(storefront.publicUrl, kept),
    urlTemplate: ({ kept }, _, { storefront }) => addressOfPicture(storefront.publicUrl, kept),
  },
}
