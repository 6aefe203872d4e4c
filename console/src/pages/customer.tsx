import { Alert, Button, Checkbox, Group, Modal, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { operator } from '../api/operator.ts'
import type { StoreApi } from '../api/store.ts'
import { hasRole, OPERATORS } from '../frame/roles.ts'
import { useApiIndex, useSession, useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { saveFile } from '../parts/files.ts'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { Money, Time } from '../parts/values.tsx'
import { ResourceList } from './list/list.tsx'
import { SchemaForm } from './record-form.tsx'

interface Customer extends Record<string, unknown> {
  id: number
  email: string
  first_name: string
  last_name: string
  date_created: string
  customer_group_id: number
  store_credit_amounts: { amount: number }[]
}

interface Consent {
  allow: string[]
  deny: string[]
  updated_at?: string
}

const PURPOSES = ['essential', 'functional', 'analytics', 'targeting']
const LIST = '/v3/customers'

/** A customer: the account, store credit, addresses, orders and consent. */
export function CustomerPage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const key = ['customer', hash, id]
  const customer = useQuery({
    queryKey: key,
    queryFn: async () => {
      const [found] = await api.data<Customer[]>(LIST, { 'id:in': id, include: 'storecredit' })
      if (!found) throw new Error(`There is no customer ${id}.`)
      return found
    },
  })
  const document = useApiIndex()
  const [isCrediting, setCrediting] = useState(false)
  const save = useAction((changes: object) => api.call('PUT', LIST, { body: [{ id: Number(id), ...changes }] }), {
    done: 'Saved.',
    refresh: [key, ['list', hash]],
  })
  if (!customer.data || !document.data) return <Pending error={customer.error ?? document.error} />
  const { email, first_name, last_name, date_created, store_credit_amounts } = customer.data
  const credit = store_credit_amounts[0]?.amount ?? 0
  const { resources, resolve } = document.data
  const [addresses, orders] = [resources.get('listCustomerAddresses'), resources.get('listOrdersV2')]
  const update = resources.get('listCustomers')?.updateMany
  return (
    <Page
      title={`${first_name} ${last_name}`.trim() || email}
      about={
        <>
          {email}, customer {id} since <Time at={date_created} />, store credit <Money amount={credit} />
        </>
      }
      actions={
        <>
          <Button onClick={() => setCrediting(true)}>Give store credit</Button>
          <Button component={Link} variant="default" to={`/stores/${hash}/lists/listCustomers/${id}`}>
            Record
          </Button>
        </>
      }
    >
      <Tabs defaultValue="orders" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="orders">Orders</Tabs.Tab>
          <Tabs.Tab value="account">Account</Tabs.Tab>
          <Tabs.Tab value="addresses">Addresses</Tabs.Tab>
          <Tabs.Tab value="consent">Consent</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          <Tabs.Tab value="data">Personal data</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="orders" pt="md">
          {orders && <ResourceList hash={hash} resource={orders} embedded={{ customer_id: id }} />}
        </Tabs.Panel>
        <Tabs.Panel value="account" pt="md" maw={720}>
          {update && (
            <SchemaForm
              schema={resolve(update.body).items}
              value={customer.data}
              error={save.error}
              isSaving={save.isPending}
              onSave={(changes) => save.mutateAsync(changes)}
              readAgain={async () => (await customer.refetch()).data}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="addresses" pt="md">
          {addresses && <ResourceList hash={hash} resource={addresses} embedded={{ 'customer_id:in': id }} />}
        </Tabs.Panel>
        <Tabs.Panel value="consent" pt="md">
          <ConsentOf api={api} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" pt="md">
          <Sessions hash={hash} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="data" pt="md">
          <PersonalData hash={hash} id={id} email={email} />
        </Tabs.Panel>
      </Tabs>
      {isCrediting && (
        <GiveCredit api={api} id={id} credit={credit} refresh={[key]} onClose={() => setCrediting(false)} />
      )}
    </Page>
  )
}

interface Session {
  kind: string
  channel_id: number
  created_at: string
  expires_at: string
}

/** The sessions of a customer at the storefronts. */
function Sessions({ hash, id }: { hash: string; id: string }) {
  const path = `/stores/${hash}/customers/${id}/sessions`
  const key = ['customer sessions', hash, id]
  const sessions = useQuery({ queryKey: key, queryFn: () => operator<Session[]>('GET', path) })
  const end = useAction(() => operator('DELETE', path), { done: 'All sessions have ended.', refresh: [key] })
  if (!sessions.data) return <Pending error={sessions.error} />
  return (
    <Stack>
      <Rows
        head={['Begun', 'Ends', 'Channel', 'Kind']}
        empty="The customer has no session. One begins with a sign-in at a storefront."
        rows={sessions.data.map(({ kind, channel_id, created_at, expires_at }, i) => ({
          key: i,
          cells: [
            <Time key="at" at={created_at} />,
            <Time key="end" at={expires_at} />,
            channel_id,
            kind === 'cookie' ? 'browser' : 'access token',
          ],
        }))}
      />
      <Group>
        <Button
          variant="default"
          disabled={sessions.data.length === 0}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          End all sessions
        </Button>
      </Group>
    </Stack>
  )
}

interface Erased {
  carts: number
  quotes: number
  mails: number
  requests: number
  kept: string[]
}

/** Answers a person who asks for the stored data, or for its deletion. */
function PersonalData({ hash, id, email }: { hash: string; id: string; email: string }) {
  const { person } = useSession()
  const mayErase = hasRole(person, OPERATORS)
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const path = `/stores/${hash}/customers/${id}`
  const save = useAction(
    async () => {
      const data = await operator<object>('POST', `${path}/export`)
      saveFile(`customer-${id}.json`, [JSON.stringify(data, null, 2)], 'application/json')
    },
    { done: 'The data is in the file.', refresh: [] },
  )
  const erase = useAction(() => operator<Erased>('DELETE', path), {
    refresh: [['list', hash]],
    onDone: () => setAsking(false),
  })
  if (erase.data) {
    const { carts, quotes, mails, requests, kept } = erase.data
    return (
      <Alert color="green" role="status" title="The customer is deleted">
        <Text size="sm">
          With {carts} carts, {quotes} quotes, {mails} e-mails and {requests} logged requests. Kept data:
        </Text>
        {kept.map((sentence) => (
          <Text key={sentence} size="sm">
            {sentence}
          </Text>
        ))}
      </Alert>
    )
  }
  return (
    <Stack gap="xs">
      <Text size="sm">All data of the customer as a file, for a person who requests it:</Text>
      <Group>
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
          Export the data
        </Button>
      </Group>
      <Failure error={save.error} />
      {mayErase && (
        <>
          <Text size="sm">The deletion of the customer, for a person who requests it:</Text>
          <Group>
            <Button variant="outline" color="red" onClick={() => setAsking(true)}>
              Erase the customer
            </Button>
          </Group>
        </>
      )}
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={`Erase ${email}`}>
        <Stack>
          <Text size="sm">
            The customer, carts, quotes, e-mails and logged requests are deleted. Orders stay, as bookkeeping needs
            them. This can't be undone.
          </Text>
          <TextInput
            label={`Type the e-mail address, ${email}`}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Failure error={erase.error} />
          <Button color="red" disabled={typed !== email} loading={erase.isPending} onClick={() => erase.mutate()}>
            Erase
          </Button>
        </Stack>
      </Modal>
    </Stack>
  )
}

function GiveCredit({
  api,
  id,
  credit,
  refresh,
  onClose,
}: {
  api: StoreApi
  id: string
  credit: number
  refresh: unknown[][]
  onClose(): void
}) {
  const [text, setText] = useState('')
  const given = Number(text)
  const isValid = text.trim() !== '' && Number.isFinite(given) && given !== 0
  // Cents, so that no sum has a tail of digits.
  const amount = Math.round((credit + given) * 10_000) / 10_000
  const save = useAction(
    () => api.call('PUT', LIST, { body: [{ id: Number(id), store_credit_amounts: [{ amount }] }] }),
    { done: 'The store credit is changed.', refresh, onDone: onClose },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid) save.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="Give store credit">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Amount"
            description={`The customer has ${credit}. A negative amount takes credit away.`}
            data-autofocus
            required
            inputMode="decimal"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Failure error={save.error} />
          <Button type="submit" disabled={!isValid || amount < 0} loading={save.isPending}>
            {isValid ? `Change to ${amount}` : 'Give'}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

/** The purposes for which the customer allows cookies. */
function ConsentOf({ api, id }: { api: StoreApi; id: string }) {
  const path = `${LIST}/${id}/consent`
  const key = ['consent', api.hash, id]
  const consent = useQuery({
    queryKey: key,
    queryFn: async () => (await api.call<Consent>('GET', path)).body,
  })
  const save = useAction((body: Consent) => api.call('PUT', path, { body }), {
    done: 'The consent is changed.',
    refresh: [key],
  })
  if (!consent.data) return <Pending error={consent.error} />
  const { allow, deny, updated_at } = consent.data
  const choose = (purpose: string, isAllowed: boolean) => {
    const others = (list: readonly string[]) => list.filter((one) => one !== purpose)
    save.mutate({
      allow: isAllowed ? [...others(allow), purpose] : others(allow),
      deny: isAllowed ? others(deny) : [...others(deny), purpose],
    })
  }
  return (
    <Stack gap="xs">
      {PURPOSES.map((purpose) => (
        <Group key={purpose}>
          <Checkbox
            label={purpose}
            checked={allow.includes(purpose)}
            disabled={save.isPending}
            onChange={(event) => choose(purpose, event.currentTarget.checked)}
          />
          {!allow.includes(purpose) && !deny.includes(purpose) && (
            <Text size="sm" c="dimmed">
              not answered
            </Text>
          )}
        </Group>
      ))}
      {updated_at !== undefined && (
        <Text size="sm" c="dimmed">
          Last answered <Time at={updated_at} />
        </Text>
      )}
      <Failure error={save.error} />
    </Stack>
  )
}
