import {
  Anchor,
  Button,
  Fieldset,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { operator, type Store } from '../api/operator.ts'
import { queryText } from '../api/store.ts'
import { hasRole, OPERATORS } from '../frame/roles.ts'
import { useSession, useStores } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { type AccountSecrets, NewSecrets } from '../parts/secrets.tsx'
import { Rows } from '../parts/table.tsx'
import { closing } from '../parts/unsaved.ts'
import { State } from '../parts/values.tsx'

const STATES = ['active', 'maintenance', 'suspended']
/** The server counts the load of as many stores at once. */
const ROWS = 50
/** The server counts no further. */
const COUNTED_MAX = 1_000
const LOAD_MS = 15_000

interface Plan {
  name: string
  /** null without a limit. */
  in_30_seconds: number | null
  in_an_hour: number | null
  /** Whether all accounts of a store share the requests. */
  is_shared: boolean
}

interface Plans {
  plans: Plan[]
  /** The kinds of entries that a store can limit. */
  limitable: string[]
}

interface Load {
  store_hash: string
  /** The database of the store. */
  cell: string
  requests: number
  errors: number
  jobs_waiting: number
  callbacks_waiting: number
}

export function StoresPage() {
  const { data: stores, error } = useStores()
  const { person } = useSession()
  const isOperator = hasRole(person, OPERATORS)
  const [changed, setChanged] = useState<Store>()
  const [deleted, setDeleted] = useState<Store>()
  const [isCreating, setCreating] = useState(false)
  const [words, setWords] = useState('')
  const [page, setPage] = useState(1)
  const found = (stores ?? []).filter(({ hash, name, state, plan }) =>
    `${hash} ${name} ${state} ${plan}`.toLowerCase().includes(words.trim().toLowerCase()),
  )
  const pages = Math.max(1, Math.ceil(found.length / ROWS))
  const storesOfPage = found.slice((Math.min(page, pages) - 1) * ROWS, Math.min(page, pages) * ROWS)
  const hashes = storesOfPage.map(({ hash }) => hash).join(',')
  const load = useQuery({
    queryKey: ['load', hashes],
    enabled: hashes !== '',
    queryFn: () => operator<Load[]>('GET', `/load${queryText({ stores: hashes })}`),
    refetchInterval: LOAD_MS,
  })
  if (!stores) return <Pending error={error}>Loading the stores</Pending>
  const count = (hash: string, of: (load: Load) => number) => {
    const one = load.data?.find(({ store_hash }) => store_hash === hash)
    const number = one && of(one)
    if (number === undefined) return '–'
    return number >= COUNTED_MAX ? `${COUNTED_MAX.toLocaleString()} or more` : number.toLocaleString()
  }
  return (
    <Page
      title="Stores"
      about={`${stores.length} ${stores.length === 1 ? 'store' : 'stores'} that you may open. Requests and errors are those of the last hour.`}
      actions={
        isOperator && person?.stores === null && <Button onClick={() => setCreating(true)}>Create a test store</Button>
      }
    >
      {stores.length > 1 && (
        <TextInput
          label="Find a store"
          placeholder="Name, hash, state or plan"
          maw={320}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value)
            setPage(1)
          }}
        />
      )}
      <Failure error={load.error} />
      <Rows
        head={['Store', 'Hash', 'State', 'Plan', 'Kind', 'Cell', 'Requests', 'Errors', 'Waiting', 'Actions']}
        empty={
          stores.length > 0
            ? 'No store has these words.'
            : 'There is no store yet. Create a test store with the button above, or a real one with the command: storeward store create.'
        }
        rows={storesOfPage.map((store) => ({
          key: store.hash,
          cells: [
            <Anchor component={Link} key="name" to={`/stores/${store.hash}`}>
              {store.name || store.hash}
            </Anchor>,
            <code key="hash">{store.hash}</code>,
            <State key="state" state={store.state} />,
            store.plan,
            store.is_test ? 'test store' : 'real store',
            load.data?.find(({ store_hash }) => store_hash === store.hash)?.cell ?? '–',
            count(store.hash, ({ requests }) => requests),
            count(store.hash, ({ errors }) => errors),
            <Text key="waiting" size="sm">
              {count(store.hash, ({ jobs_waiting }) => jobs_waiting)} jobs,{' '}
              {count(store.hash, ({ callbacks_waiting }) => callbacks_waiting)} callbacks
            </Text>,
            isOperator && (
              <Group key="actions" gap="xs" wrap="nowrap">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Change ${store.hash}`}
                  onClick={() => setChanged(store)}
                >
                  Change
                </Button>
                <Button
                  size="compact-sm"
                  variant="outline"
                  color="red"
                  aria-label={`Delete ${store.hash}`}
                  onClick={() => setDeleted(store)}
                >
                  Delete
                </Button>
              </Group>
            ),
          ],
        }))}
      />
      {pages > 1 && (
        <Group>
          <Button variant="default" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <Text size="sm">
            Page {Math.min(page, pages)} of {pages}
          </Text>
          <Button variant="default" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </Group>
      )}
      {changed && <ChangeStore store={changed} onClose={() => setChanged(undefined)} />}
      {deleted && <DeleteStore store={deleted} onClose={() => setDeleted(undefined)} />}
      {isCreating && <CreateStore onClose={() => setCreating(false)} />}
    </Page>
  )
}

function ChangeStore({ store, onClose }: { store: Store; onClose(): void }) {
  const { data, error } = useQuery({
    queryKey: ['plans'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => operator<Plans>('GET', '/plans'),
  })
  const [isDirty, setDirty] = useState(false)
  return (
    <Modal opened onClose={closing(isDirty, onClose)} title={`Change ${store.name || store.hash}`}>
      {data ? <StoreForm store={store} {...data} onDirty={setDirty} onDone={onClose} /> : <Pending error={error} />}
    </Modal>
  )
}

/** The requests that a plan allows, as a sentence. */
function quotaText({ in_30_seconds, in_an_hour, is_shared }: Plan): string {
  if (in_30_seconds === null) return 'No limit of requests'
  const hour = in_an_hour === null ? '' : ` and ${in_an_hour.toLocaleString('en')} an hour`
  return `${in_30_seconds.toLocaleString('en')} requests in 30 seconds${hour}, for ${is_shared ? 'all accounts together' : 'each account'}`
}

interface StoreFormProps extends Plans {
  store: Store
  onDirty(isDirty: boolean): void
  onDone(): void
}

function StoreForm({ store, plans, limitable, onDirty, onDone }: StoreFormProps) {
  const [seen, setSeen] = useState(() => valuesOf(store, limitable))
  const [form, set] = useState(seen)
  const { name, state, plan, limits } = form
  const chosen = plans.find(({ name }) => name === plan)
  const changes = changesIn(seen, form)
  const isDirty = Object.keys(changes).length > 0
  const save = useAction(
    async () => {
      const latest = valuesOf(await operator<Store>('GET', `/stores/${store.hash}`), limitable)
      const theirs = changesIn(seen, latest)
      if (Object.keys(theirs).length > 0) {
        setSeen(latest)
        set({ ...latest, ...changes, limits: { ...latest.limits, ...changes.limits } })
        throw new Error(
          `Somebody else has changed the store meanwhile: ${textOf(theirs)}. Save again to change it, too.`,
        )
      }
      await operator('PUT', `/stores/${store.hash}`, {
        ...changes,
        ...(changes.limits && { limits: toLimits(changes.limits) }),
      })
    },
    { done: `The store ${store.hash} is changed.`, refresh: [['stores'], ['store', store.hash]], onDone },
  )
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={255}
          value={name}
          onChange={(event) => {
            const { value } = event.currentTarget
            set((all) => ({ ...all, name: value }))
          }}
        />
        <Select
          label="State"
          description="Only an active store answers requests. All others get 503."
          data={STATES}
          allowDeselect={false}
          value={state}
          onChange={(value) => value && set((all) => ({ ...all, state: value }))}
        />
        <Select
          label="Plan"
          description={chosen && quotaText(chosen)}
          data={plans.map(({ name }) => name)}
          allowDeselect={false}
          value={plan}
          onChange={(value) => value && set((all) => ({ ...all, plan: value }))}
        />
        <Fieldset legend="Limits">
          <Text size="sm" mb="xs">
            The most entries of a kind. Without a number, the limit of the API holds.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {limitable.map((resource) => (
              <NumberInput
                key={resource}
                label={resource.replaceAll('_', ' ')}
                min={0}
                max={2_147_483_647}
                allowDecimal={false}
                placeholder="no limit"
                value={limits[resource] ?? ''}
                onChange={(value) =>
                  set((all) => ({
                    ...all,
                    limits: { ...all.limits, [resource]: value === '' ? '' : Number(value) },
                  }))
                }
              />
            ))}
          </SimpleGrid>
        </Fieldset>
        <Failure error={save.error} />
        <Button type="submit" disabled={!isDirty} loading={save.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  )
}

/** The values of the form of a store. A kind of entries without a limit has `''`. */
interface StoreValues {
  name: string
  state: string
  plan: string
  limits: Record<string, number | ''>
}

const valuesOf = ({ name, state, plan, limits }: Store, limitable: readonly string[]): StoreValues => ({
  ...{ name, state, plan },
  limits: Object.fromEntries(limitable.map((resource) => [resource, limits[resource] ?? ''])),
})

/** The values that differ from former ones. */
function changesIn(former: StoreValues, { limits, ...values }: StoreValues): Partial<StoreValues> {
  const limited = Object.entries(limits).filter(([resource, limit]) => limit !== former.limits[resource])
  const changed = (['name', 'state', 'plan'] as const).filter((key) => values[key] !== former[key])
  return {
    ...Object.fromEntries(changed.map((key) => [key, values[key]])),
    ...(limited.length > 0 && { limits: Object.fromEntries(limited) }),
  }
}

const toLimits = (limits: StoreValues['limits']) =>
  Object.fromEntries(Object.entries(limits).map(([resource, limit]) => [resource, limit === '' ? null : limit]))

const textOf = ({ limits = {}, ...values }: Partial<StoreValues>) =>
  [
    ...Object.entries(values).map(([key, value]) => `its ${key} is ${value}`),
    ...Object.entries(limits).map(
      ([resource, limit]) => `its limit of ${resource} is ${limit === '' ? 'none' : limit}`,
    ),
  ].join(', ')

function DeleteStore({ store, onClose }: { store: Store; onClose(): void }) {
  const [typed, setTyped] = useState('')
  const remove = useAction(() => operator('DELETE', `/stores/${store.hash}`), {
    done: `The store ${store.hash} is deleted.`,
    refresh: [['stores']],
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={`Delete ${store.name || store.hash}`}>
      <Stack>
        <Text size="sm">
          All data of the store is deleted. This can't be undone.
          {!store.is_test && ' This is a real store: close it first, by the state "suspended".'}
        </Text>
        <TextInput
          label={`Type the hash of the store, ${store.hash}`}
          value={typed}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Failure error={remove.error} />
        <Button color="red" disabled={typed !== store.hash} loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete the store
        </Button>
      </Stack>
    </Modal>
  )
}

interface CreatedStore extends Store {
  account: AccountSecrets
}

function CreateStore({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const create = useAction(() => operator<CreatedStore>('POST', '/stores', { name, plan: 'unlimited' }), {
    refresh: [['stores']],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="Create a test store" size="lg" closeOnClickOutside={false}>
      {create.data ? (
        <NewSecrets
          account={create.data.account}
          action={
            <Button component={Link} to={`/stores/${create.data.hash}`}>
              Open the store
            </Button>
          }
        >
          The store {create.data.hash} is open.
        </NewSecrets>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={255}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Failure error={create.error} />
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
