import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { apiIndex } from '../api/document.ts'
import { operator, type Person, Refusal, type Store } from '../api/operator.ts'
import { type StoreApi, storeApi } from '../api/store.ts'
import type { Customs } from '../parts/values.tsx'

/** The person of the session; null without a session, undefined until it is known. */
export function useSession() {
  const { data, error } = useQuery({
    queryKey: ['session'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      operator<{ person: Person }>('GET', '/session')
        .then(({ person }) => person)
        .catch((error) => {
          if (error instanceof Refusal && error.status === 401) return null
          throw error
        }),
  })
  const client = useQueryClient()
  return { person: data, error, set: (person: Person | null) => client.setQueryData(['session'], person) }
}

export const useStores = () =>
  useQuery({ queryKey: ['stores'], queryFn: () => operator<Store[]>('GET', '/stores'), staleTime: 30_000 })

/** The API document. */
export const useApiIndex = (enabled = true) =>
  useQuery({ queryKey: ['document'], queryFn: apiIndex, enabled, staleTime: Number.POSITIVE_INFINITY })

/** The time zone and the currency of a store; undefined until they are known. */
export const useStoreCustoms = (hash: string | undefined) =>
  useQuery({
    queryKey: ['customs', hash],
    enabled: hash !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<Customs> => {
      const api = storeApi(hash ?? '', '')
      const { body } = await api.call<{ timezone: { name: string }; currency: string }>('GET', '/v2/store')
      return { zone: body.timezone.name, currency: body.currency }
    },
  })

/** The account as which the pages call the API of a store; empty for the console itself. */
export const ActingAs = createContext<{ clientId: string; actAs(clientId: string): void }>({
  clientId: '',
  actAs: () => {},
})

/** The API of a store, as the chosen account. */
export function useStoreApi(hash: string): StoreApi {
  const { clientId } = useContext(ActingAs)
  return storeApi(hash, clientId)
}
