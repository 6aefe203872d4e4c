import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The library that sends requests, 109 modules: loaded with the first one, since a server that starts has other work. */
export const undici = (): typeof import('undici') => require('undici')
