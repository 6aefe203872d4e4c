import type { Entry } from '../search-index.ts'

export function stemsOf(text: string): string[]

export function headingId(heading: string): string

export interface Hit {
  kind: Entry[0]
  title: string
  address: string
  /** The group of an operation, or the section of a guide; empty for none. */
  more: string
  /** The scopes of an operation, if the question is about scopes. */
  scopes?: string
}

export function search(entries: readonly Entry[], question: string, most?: number): Hit[]
