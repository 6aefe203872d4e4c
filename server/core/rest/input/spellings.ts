/**
 * The names by which a request may call one of the contract's own headers, in lower case: with the prefix of the settings, and as
 * clients of the service spell it that the contract follows (docs/contract/conventions.md section 9).
 * @param prefix `X-Svc`
 * @param name without the prefix: `customer-id`
 */
export const spellings = (prefix: string, name: string): string[] => [`${prefix}-${name}`.toLowerCase(), `x-bc-${name}`]
