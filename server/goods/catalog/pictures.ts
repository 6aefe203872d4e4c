import { imageUrlColumn, type PictureColumns } from '../../shared/pictures/addresses.ts'
import { brands } from './brands/brands.ts'
import { categories } from './categories/shape.ts'
import { modifierValues, VALUE_OWNER } from './choices/modifiers.ts'
import { IMAGE_OWNER, productImages } from './sub-resources/images.ts'
import { variants } from './variants/shape.ts'

/** The columns that hold addresses of the catalog's pictures. */
export const catalogPictures: PictureColumns = {
  [brands.noun]: imageUrlColumn(brands),
  [categories.noun]: imageUrlColumn(categories),
  [variants.noun]: imageUrlColumn(variants),
  [IMAGE_OWNER]: {
    table: productImages.table,
    present: 'picture.image_url',
    changes: ['image_url', 'url_zoom', 'url_standard', 'url_thumbnail', 'url_tiny']
      .map((column) => `${column} = stored.url`)
      .join(', '),
  },
  [VALUE_OWNER]: {
    table: modifierValues.table,
    present: "picture.adjusters->>'image_url'",
    changes: "adjusters = jsonb_set(adjusters, '{image_url}', to_jsonb(stored.url))",
  },
}
