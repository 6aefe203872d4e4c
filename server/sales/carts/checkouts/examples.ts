// Ids in the examples of bodies. The server gives the real ones.

export const A_LINE = '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d'
export const A_FEE = '0f6a3f5c-6b1e-4a87-8a3f-2b7d1c9e4f60'
export const A_COUPON = 'SPRING'
