import { expect } from 'vitest'

/**
 * The body of a refusal, as the version 3 family sends it (docs/contract/conventions.md section 1).
 * @param errors the sentence for each field, or its code, which is then put into words too
 */
export const problem = (status: number, title: unknown, errors: object = {}) => ({
  status,
  title,
  type: `http://shop.test/docs/errors#${status}`,
  ...(Object.values(errors).some((said) => /^error\./.test(said)) ? { detail: expect.any(String) } : {}),
  errors,
})

/** Of a body whose fields are missing or wrong. */
export const invalid = (errors: object) => problem(422, 'JSON data is missing or invalid', errors)

/** The pagination of a list that all fits on the first page of 50 (docs/contract/conventions.md section 3). */
export const onlyPage = (total: number) => ({
  total,
  count: total,
  per_page: 50,
  current_page: 1,
  total_pages: 1,
  links: { current: '?page=1&limit=50' },
})

/**
 * A brand as answers show it, in the order of its fields (docs/contract/brands.md section 2): the only place where tests spell all
 * of them out.
 * @param given what differs from a brand of which only the name was said
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
