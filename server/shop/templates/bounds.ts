import type { Bounds } from './render.ts'

/** The limits of a template of a store (docs/contract/email-templates.md section 4). */
export const RENDERING: Bounds = { steps: 50_000, bytes: 512 * 1024, ms: 100 }

/** The limits of built-in templates, which are harmless, while an order may have very many lines. */
export const RENDERING_BUILTIN: Bounds = { steps: 2_000_000, bytes: 8 * 1024 * 1024, ms: 2_000 }
