import { Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiIndex, pageOfEntry, type Resource } from '../api/document.ts'
import type { Person } from '../api/operator.ts'
import { useStores } from './session.ts'

/** Finds pages, stores, and records by the name of their list and an id: "orders 7". */
export function Palette({ hash, person }: { hash: string | undefined; person: Person }) {
  const navigate = useNavigate()
  const { data: stores = [] } = useStores()
  const { data: index } = useQuery({
    queryKey: ['document'],
    queryFn: apiIndex,
    enabled: hash !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [query, setQuery] = useState('')
  const go = (to: string) => () => void navigate({ to })
  const page = (label: string, to: string): SpotlightActionData => ({ id: to, label, onClick: go(to) })
  const resources = index?.groups.flatMap(({ resources }) => resources) ?? []
  const actions: SpotlightActionData[] = [
    ...(hash === undefined ? [] : recordActions(query, resources, hash, go)),
    page('Stores', '/'),
    page('Password, passkeys and sessions', '/me'),
    ...(person.role === 'owner' ? [page('People', '/people')] : []),
    ...(['owner', 'admin'].includes(person.role) ? [page('Server', '/server'), page('Audit', '/audit')] : []),
    ...stores.map((store) => ({
      id: `store ${store.hash}`,
      label: store.name || store.hash,
      description: `Store ${store.hash}`,
      onClick: go(`/stores/${store.hash}`),
    })),
    ...(hash === undefined
      ? []
      : resources.map(({ list }) => ({
          id: list.id,
          label: list.tag,
          description: list.summary,
          onClick: go(`/stores/${hash}/lists/${list.id}`),
        }))),
  ]
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      nothingFound="Nothing is found."
      shortcut={['mod + K', '/']}
      limit={12}
      highlightQuery
      searchProps={{ placeholder: 'A page, a store, or a record such as "orders 7"', 'aria-label': 'Search' }}
    />
  )
}

function recordActions(
  query: string,
  resources: readonly Resource[],
  hash: string,
  go: (to: string) => () => void,
): SpotlightActionData[] {
  const [, words = '', id = ''] = /^(.*\S)\s+(\d+)$/.exec(query.trim()) ?? []
  if (id === '') return []
  return resources
    .filter(({ list }) => list.tag.toLowerCase().includes(words.toLowerCase()))
    .slice(0, 5)
    .map((resource) => ({
      id: `${resource.list.id} ${id}`,
      label: `${words} ${id}`,
      description: `${resource.list.tag}: the record ${id}`,
      onClick: go(pageOfEntry(hash, resource, id)),
    }))
}
