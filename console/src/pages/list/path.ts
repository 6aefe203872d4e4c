import type { Resource } from '../../api/document.ts'

/** Names of parents in the address of a page begin with it. */
export const PARENT = '@'

/** The path of a list, with the ids of its parents, which are in the address of the page. */
export const pathOf = ({ list }: Resource, search: Readonly<Record<string, string>>) =>
  list.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(search[PARENT + name] ?? ''))

export const parentsIn = (search: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(search).filter(([name]) => name.startsWith(PARENT)))
