/**
 * Sentences for fields by the components that have them, from docs/contract. A resource, the bodies that create and change it, and its form below
 * `/v2` share one group, so that a sentence stands once. The name of a field may have that of its parent before it: `free_shipping.enabled`.
 */
export type Sentences = readonly (readonly [components: RegExp, fields: Readonly<Record<string, string>>])[]
