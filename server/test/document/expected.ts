import { expect } from 'vitest'

/**
 * The body of a refusal in the version 3 family (docs/contract/conventions.md section 1).
 * @param errors the sentence or the code of each field; a code is replaced by its sentence
 */
export const problem = (status: number, title: unknown, errors: object = {}) => ({
  status,
  title,
  type: `http://shop.test/docs/errors#${status}`,
  ...(Object.values(errors).some((said) => /^error\./.test(said)) ? { detail: expect.any(String) } : {}),
  errors,
})

/** The body of a 422 for missing or invalid fields. */
export const invalid = (errors: object) => problem(422, 'JSON data is missing or invalid', errors)

/** The pagination of a list that fits on the first page of 50 (docs/contract/conventions.md section 3). */
export const onlyPage = (total: number) => ({
  total,
  count: total,
  per_page: 50,
  current_page: 1,
  total_pages: 1,
  links: { current: '?page=1&limit=50' },
})

/**
 * A brand as answers show it, with the fields in order (docs/contract/brands.md section 2). Only this place in the
 * tests spells all of them out.
 * @param given the fields that differ from a brand that was created with a name only
 */
export const wholeBrand = (given: object = {}) => ({
  id: 1,
  name: 'Ferm',
  page_title: '',
  meta_keywords: [],
  meta_description: '',
  search_keywords: '',
  image_url: '',
  custom_url: { url: '/ferm/', is_customized: false },
  ...given,
})
