import { Autocomplete, Button, Drawer, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Account, operator } from '../../api/operator.ts'
import { storeApi } from '../../api/store.ts'
import { useApiIndex } from '../../frame/session.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { Rows } from '../../parts/table.tsx'
import { closing } from '../../parts/unsaved.ts'
import { State, Time } from '../../parts/values.tsx'
import { Deliveries, type Hook } from './deliveries.tsx'

/** The webhooks of all accounts, with their state. */
export function Hooks() {
  const { hash = '' } = useParams({ strict: false })
  const { hook: chosen }: { hook?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const hooks = useQuery({ queryKey: ['hooks', hash], queryFn: () => operator<Hook[]>('GET', `/stores/${hash}/hooks`) })
  const accounts = useQuery({
    queryKey: ['accounts', hash],
    queryFn: () => operator<Account[]>('GET', `/stores/${hash}/accounts`),
  })
  const nameOf = (id: string) => accounts.data?.find(({ client_id }) => client_id === id)?.name ?? id
  const open = (id: number | undefined) =>
    navigate({ to: `/stores/${hash}/webhooks`, search: id === undefined ? {} : { hook: String(id) } })
  const [isCreating, setCreating] = useState(false)
  // Escape closes a dialog above the drawer first.
  const [hasDialog, setDialog] = useState(false)
  const hook = hooks.data?.find(({ id }) => String(id) === chosen)
  if (!hooks.data) return <Pending error={hooks.error} />
  return (
    <>
      <Group mb="md">
        <Button disabled={!accounts.data?.length} onClick={() => setCreating(true)}>
          Create a webhook
        </Button>
        {accounts.data?.length === 0 && (
          <Text size="sm">A webhook belongs to an API account. Create an account first.</Text>
        )}
      </Group>
      <Rows
        head={['Id', 'Scope', 'Destination', 'Account', 'State', 'Deliveries']}
        empty="The store has no webhook. Create the first one with the button above."
        rows={hooks.data.map((one) => ({
          key: one.id,
          cells: [
            one.id,
            one.scope,
            <Text key="to" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {one.destination}
            </Text>,
            nameOf(one.client_id),
            <Stack key="state" gap={2}>
              <State state={one.status} />
              {one.reason !== '' && <Text size="xs">{one.reason}</Text>}
              {one.failing_since !== null && (
                <Text size="xs">
                  fails since <Time at={one.failing_since} />
                </Text>
              )}
            </Stack>,
            <Button key="open" size="compact-sm" variant="default" onClick={() => open(one.id)}>
              Deliveries
            </Button>,
          ],
        }))}
      />
      {isCreating && <CreateHook hash={hash} accounts={accounts.data ?? []} onClose={() => setCreating(false)} />}
      <Drawer
        opened={hook !== undefined}
        onClose={() => open(undefined)}
        closeOnEscape={!hasDialog}
        position="right"
        size="xl"
        title={hook ? `Webhook ${hook.id}, ${hook.scope}` : ''}
      >
        {hook && (
          <Deliveries key={hook.id} hash={hash} hook={hook} onDialog={setDialog} onDeleted={() => open(undefined)} />
        )}
      </Drawer>
    </>
  )
}

/** The families of a scope, and the scope itself: store/order/created is also in store/order/*. */
const withFamilies = (scopes: readonly string[]): string[] =>
  [...new Set(scopes.flatMap((scope) => [scope.replace(/[^/]+$/, '*'), scope]))].toSorted()

/** Creates a webhook as an account, which owns it from then on. */
function CreateHook({ hash, accounts, onClose }: { hash: string; accounts: readonly Account[]; onClose(): void }) {
  const { data: index } = useApiIndex()
  const [form, set] = useState({ clientId: accounts[0]?.client_id ?? '', scope: '', destination: '', headers: '' })
  const isDirty = form.scope !== '' || form.destination !== '' || form.headers !== ''
  const { headers, mistake } = headersIn(form.headers)
  const create = useAction(
    () =>
      storeApi(hash, form.clientId).call('POST', '/v3/hooks', {
        body: { scope: form.scope, destination: form.destination, headers },
      }),
    { done: 'The webhook is created, and is active.', refresh: [['hooks', hash]], onDone: onClose },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (mistake === undefined) create.mutate()
  }
  return (
    <Modal opened onClose={closing(isDirty, onClose)} title="Create a webhook" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Select
            label="Account"
            description="The account owns the webhook, and its client secret signs the callbacks."
            allowDeselect={false}
            data={accounts.map(({ client_id, name }) => ({ value: client_id, label: name }))}
            value={form.clientId}
            onChange={(value) => value !== null && set((all) => ({ ...all, clientId: value }))}
          />
          <Autocomplete
            label="Scope"
            description="An event, or a family of events that ends with an asterisk"
            required
            data-autofocus
            limit={20}
            data={withFamilies(index?.scopes ?? [])}
            value={form.scope}
            onChange={(scope) => set((all) => ({ ...all, scope }))}
          />
          <TextInput
            label="Destination"
            description="An https address that answers POST with a status from 200 to 299"
            type="url"
            required
            value={form.destination}
            onChange={(event) => {
              const { value } = event.currentTarget
              set((all) => ({ ...all, destination: value }))
            }}
          />
          <TextInput
            label="Header"
            description="Sent with every callback, such as Authorization: Bearer 1234. It is stored encrypted."
            error={mistake}
            value={form.headers}
            onChange={(event) => {
              const { value } = event.currentTarget
              set((all) => ({ ...all, headers: value }))
            }}
          />
          <Failure error={create.error} />
          <Button type="submit" disabled={mistake !== undefined} loading={create.isPending}>
            Create
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

/** The header of a text such as `Authorization: Bearer 1234`. */
function headersIn(text: string): { headers?: Record<string, string>; mistake?: string } {
  if (text.trim() === '') return {}
  const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(text.trim()) ?? []
  return name === '' ? { mistake: 'Write a name, a colon and a value.' } : { headers: { [name]: value } }
}
