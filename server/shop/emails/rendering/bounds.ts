import type { Bounds } from './render.ts'

/** What a mail of a store's own template may use up (docs/contract/email-templates.md section 4). */
export const RENDERING: Bounds = { steps: 50_000, bytes: 512 * 1024, ms: 100 }

/** The templates of the server do no harm, and an order may have very many lines. */
export const RENDERING_BUILTIN: Bounds = { steps: 2_000_000, bytes: 8 * 1024 * 1024, ms: 2_000 }
