import { Anchor, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator, type Store } from '../api/operator.ts'
import { useSession, useStores } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { type AccountSecrets, NewSecrets } from '../parts/secrets.tsx'
import { Rows } from '../parts/table.tsx'
import { State } from '../parts/values.tsx'

const STATES = ['active', 'maintenance', 'suspended']
const PLANS = ['standard', 'plus', 'pro', 'enterprise', 'unlimited', 'sandbox']

export function StoresPage() {
  const { data: stores, error } = useStores()
  const { person } = useSession()
  const isOperator = person?.role === 'owner' || person?.role === 'admin'
  const [changed, setChanged] = useState<Store>()
  const [deleted, setDeleted] = useState<Store>()
  const [isCreating, setCreating] = useState(false)
  if (!stores) return <Pending error={error}>Loading the stores</Pending>
  return (
    <Page
      title="Stores"
      about={`${stores.length} stores that you may open`}
      actions={isOperator && <Button onClick={() => setCreating(true)}>Create a test store</Button>}
    >
      <Rows
        head={['Store', 'Hash', 'State', 'Plan', 'Kind', 'Actions']}
        empty="There is no store yet. Real stores are created by the command: storeward store create."
        rows={stores.map((store) => ({
          key: store.hash,
          cells: [
            <Anchor component={Link} key="name" to={`/stores/${store.hash}`}>
              {store.name || store.hash}
            </Anchor>,
            <code key="hash">{store.hash}</code>,
            <State key="state" state={store.state} />,
            store.plan,
            store.is_test ? 'test store' : 'real store',
            isOperator && (
              <Group key="actions" gap="xs" wrap="nowrap">
                <Button size="compact-sm" variant="default" onClick={() => setChanged(store)}>
                  Change
                </Button>
                <Button size="compact-sm" variant="outline" color="red" onClick={() => setDeleted(store)}>
                  Delete
                </Button>
              </Group>
            ),
          ],
        }))}
      />
      {changed && <ChangeStore store={changed} onClose={() => setChanged(undefined)} />}
      {deleted && <DeleteStore store={deleted} onClose={() => setDeleted(undefined)} />}
      {isCreating && <CreateStore onClose={() => setCreating(false)} />}
    </Page>
  )
}

function ChangeStore({ store, onClose }: { store: Store; onClose(): void }) {
  const [{ name, state, plan }, set] = useState({ name: store.name, state: store.state, plan: store.plan })
  const save = useAction(() => operator('PUT', `/stores/${store.hash}`, { name, state, plan }), {
    done: `The store ${store.hash} is changed.`,
    refresh: [['stores']],
    onDone: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={`Change ${store.name || store.hash}`}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={255}
            value={name}
            onChange={(event) => {
              const { value } = event.currentTarget
              set((form) => ({ ...form, name: value }))
            }}
          />
          <Select
            label="State"
            description="Only an active store answers requests. All others get 503."
            data={STATES}
            allowDeselect={false}
            value={state}
            onChange={(value) => value && set((form) => ({ ...form, state: value }))}
          />
          <Select
            label="Plan"
            data={PLANS}
            allowDeselect={false}
            value={plan}
            onChange={(value) => value && set((form) => ({ ...form, plan: value }))}
          />
          <Failure error={save.error} />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

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
    <Modal opened onClose={onClose} title="Create a test store" size="lg">
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
