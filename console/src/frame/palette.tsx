import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pageOfEntry, type Resource } from '../api/document.ts'
import type { Person } from '../api/operator.ts'
import { type StoreApi, storeApi } from '../api/store.ts'
import { pagesOf, storePagesOf } from './roles.ts'
import { useApiIndex, useStores } from './session.ts'

/** Most records of one list that a search by name shows. */
const FOUND_MAX = 4
const NAME_MIN = 3
const TYPING_MS = 250
const REQUEST_ID = /^[0-9a-f]{32}$/

const [paletteStore, palette] = createSpotlight()
export const openPalette = palette.open

/** Finds pages, stores, commands, and records by name, or by the name of their list and an id: "orders 7". */
export function Palette({ hash, person, onSignOut }: { hash: string | undefined; person: Person; onSignOut(): void }) {
  const navigate = useNavigate()
  const { data: known } = useStores()
  const stores = known ?? []
  const { data: index } = useApiIndex(hash !== undefined)
  const [query, setQuery] = useState('')
  const [name] = useDebouncedValue(query.trim(), TYPING_MS)
  const found = useQuery({
    queryKey: ['found', hash, name],
    enabled: hash !== undefined && name.length >= NAME_MIN && !/\d$/.test(name),
    queryFn: () => findByName(storeApi(hash ?? '', ''), name),
  })
  useEffect(() => {
    if (known || index || found.data) selectAgain()
  }, [known, index, found.data])
  // Also while a field has the focus.
  useHotkeys([['mod+K', palette.toggle]], [])
  const { setColorScheme } = useMantineColorScheme()
  const command = (label: string, run: () => void): SpotlightActionData => ({
    id: `command ${label}`,
    label,
    description: 'Command',
    onClick: run,
  })
  const go = (to: string) => () => void navigate({ to })
  const page = ({ label, path }: { label: string; path: string }): SpotlightActionData => ({
    id: path,
    label,
    onClick: go(path),
  })
  const resources = index?.groups.flatMap(({ resources }) => resources) ?? []
  const actions: SpotlightActionData[] = [
    ...(hash === undefined ? [] : recordActions(query, resources, hash, go)),
    ...(hash === undefined || !REQUEST_ID.test(query.trim())
      ? []
      : [
          {
            id: 'request',
            label: query,
            description: 'The request',
            onClick: go(`/stores/${hash}/requests/${query.trim()}`),
          },
        ]),
    ...(found.data ?? []).map(({ label, description, path }) => ({
      id: `found ${path}`,
      label,
      description,
      // The server has found it, in fields that the palette does not see.
      keywords: [query],
      onClick: go(`/stores/${hash}${path}`),
    })),
    ...(hash === undefined ? [] : storePagesOf(hash, person).map(page)),
    ...pagesOf(person).map(page),
    page({ label: 'Password, passkeys and sessions', path: '/me' }),
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
    command('Use dark colours', () => setColorScheme('dark')),
    command('Use light colours', () => setColorScheme('light')),
    command('Sign out', onSignOut),
  ]
  return (
    <Spotlight
      store={paletteStore}
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      nothingFound="Nothing is found."
      shortcut="/"
      limit={12}
      highlightQuery
      searchProps={{ placeholder: 'A page, a store, or a record such as "orders 7" or a name', 'aria-label': 'Search' }}
    />
  )
}

/**
 * Spotlight selects an action when the person types. Stores, lists and records may come later and stand before the others, so the selection
 * moves with its action. Without one, the first is selected, so that Enter opens it.
 */
function selectAgain() {
  const actions = [...document.querySelectorAll('[data-action]')]
  const selected = Math.max(
    actions.findIndex((one) => one.hasAttribute('data-selected')),
    0,
  )
  actions[selected]?.setAttribute('data-selected', 'true')
  paletteStore.updateState((state) => ({ ...state, selected }))
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

interface Found {
  label: string
  description: string
  /** Below the store. */
  path: string
}

/** Products by name and customers by e-mail address or name. A list that the person may not read has none. */
async function findByName(api: StoreApi, name: string): Promise<Found[]> {
  const some = <T,>(path: string, query: Record<string, string>) =>
    api.data<T[]>(path, { ...query, limit: FOUND_MAX }).catch((): T[] => [])
  const [products, customers] = await Promise.all([
    some<{ id: number; name: string; sku: string }>('/v3/catalog/products', { keyword: name }),
    some<{ id: number; first_name: string; last_name: string; email: string }>('/v3/customers', {
      ...(name.includes('@') ? { 'email:in': name } : { 'name:like': name }),
    }),
  ])
  return [
    ...products.map(({ id, name, sku }) => ({
      label: name,
      description: `Product ${id} ${sku}`,
      path: `/products/${id}`,
    })),
    ...customers.map(({ id, first_name, last_name, email }) => ({
      label: `${first_name} ${last_name}`.trim() || email,
      description: `Customer ${id}, ${email}`,
      path: `/customers/${id}`,
    })),
  ]
}
