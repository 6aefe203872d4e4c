/** The body of a refusal, as the version 3 family sends it (docs/contract/conventions.md section 1). */
export const problem = (status: number, title: unknown, errors: object = {}) => ({
  status,
  title,
  type: `http://shop.test/docs/errors#${status}`,
  errors,
})

/** Of a body whose fields are missing or wrong. @param errors the sentence for each */
export const invalid = (errors: object) => problem(422, 'JSON data is missing or invalid', errors)
