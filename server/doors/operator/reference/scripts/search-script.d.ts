import type { Entry } from '../search-index.ts'

export function stemsOf(text: string): string[]

export interface Hit {
  kind: Entry[0]
  title: string
  address: string
}

export function search(entries: readonly Entry[], question: string, most?: number): Hit[]
