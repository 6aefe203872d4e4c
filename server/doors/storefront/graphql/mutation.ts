import { submitContactUs } from './fields/content/contact.ts'
import { sessionSyncMutations } from './fields/customers/session-sync.ts'
import { sessionMutations } from './fields/customers/sessions.ts'
import { previewGiftCertificate } from './fields/purchases/certificates.ts'
import type { Fields } from './types.ts'

declare module './types.ts' {
  interface Parents {
    AnalyticsMutations: object
    NewsletterMutations: object
    WishlistMutations: object
  }
}

/** The roots of all mutations. Those of one noun are below a field of its name. */
export const mutationFields: Fields<'Mutation'> = {
  Mutation: {
    ...sessionMutations,
    ...sessionSyncMutations,
    analytics: () => ({}),
    cart: () => ({}),
    checkout: () => ({}),
    catalog: () => ({}),
    customer: () => ({}),
    newsletter: () => ({}),
    wishlist: () => ({}),
    previewGiftCertificate: (_, { input }, caller) => previewGiftCertificate(caller, input),
    submitContactUs: (_, { input }, caller) => submitContactUs(caller, input),
  },
}
