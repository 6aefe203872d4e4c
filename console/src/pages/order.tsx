import {
  Button,
  Code,
  Group,
  Modal,
  NumberInput,
  Paper,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Tabs,
  Text,
  Textarea,
  TextInput,
  Timeline,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreApi } from '../api/store.ts'
import { useSession, useStoreApi } from '../frame/session.ts'
import { Failure, Pending, useAction } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/table.tsx'
import { closing, useUnsaved } from '../parts/unsaved.ts'
import { Money, Time } from '../parts/values.tsx'
import { MailList } from './mails.tsx'

interface Order {
  id: number
  status: string
  status_id: number
  payment_status: string
  payment_method: string
  currency_code: string
  total_inc_tax: string
  total_tax: string
  subtotal_inc_tax: string
  shipping_cost_inc_tax: string
  refunded_amount: string
  date_created: string
  staff_notes: string
  customer_message: string
  customer_id: number
  billing_address: Record<string, string>
}

interface Line {
  id: number
  name: string
  sku: string
  quantity: number
  quantity_shipped: number
  quantity_refunded: number
  price_inc_tax: string
  total_inc_tax: string
  order_address_id: number
}

interface Address {
  id: number
  first_name: string
  last_name: string
  street_1: string
  city: string
  zip: string
  country: string
}

interface Shipment {
  id: number
  date_created: string
  tracking_number: string
  items: { order_product_id: number; quantity: number }[]
}

interface Transaction {
  id: number
  event: string
  method: string
  amount: number
  currency: string
  gateway: string | null
  status: string
  date_created: string
}

interface Refund {
  id: number
  total_amount: number
  reason: string
  created: string
  payments: { provider_id: string; amount: number; offline: boolean; is_declined: boolean; declined_message?: string }[]
}

/** One order: its lines and addresses, its money as a timeline, and everything that is done with it. */
export function OrderPage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const key = ['order', hash, id]
  const whole = useQuery({ queryKey: key, queryFn: () => readOrder(api, id) })
  const { person } = useSession()
  const seesMails = ['owner', 'admin', 'support'].includes(person?.role ?? '')
  const [action, setAction] = useState<'refund' | 'ship' | 'capture' | 'void'>()
  if (!whole.data) return <Pending error={whole.error}>Loading the order</Pending>
  const { order, lines, addresses, shipments, transactions, refunds, statuses } = whole.data
  const close = () => setAction(undefined)
  const isAuthorized = order.payment_status === 'authorized'
  return (
    <Page
      title={`Order ${order.id}`}
      about={
        <>
          {order.status}, payment {order.payment_status || 'none'}, created <Time at={order.date_created} />
        </>
      }
      actions={
        <>
          {isAuthorized && <Button onClick={() => setAction('capture')}>Capture</Button>}
          {isAuthorized && (
            <Button variant="default" onClick={() => setAction('void')}>
              Void
            </Button>
          )}
          <Button variant="default" onClick={() => setAction('ship')}>
            Ship
          </Button>
          <Button onClick={() => setAction('refund')}>Refund</Button>
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="md">
          <Title order={2} size="h5" mb="xs">
            Amounts
          </Title>
          <Table>
            <Table.Tbody>
              {(
                [
                  ['Subtotal', order.subtotal_inc_tax],
                  ['Shipping', order.shipping_cost_inc_tax],
                  ['Tax in the total', order.total_tax],
                  ['Total', order.total_inc_tax],
                  ['Refunded', order.refunded_amount],
                ] as const
              ).map(([label, amount]) => (
                <Table.Tr key={label}>
                  <Table.Th>{label}</Table.Th>
                  <Table.Td ta="right">
                    <Money amount={amount} currency={order.currency_code} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <StatusChange api={api} order={order} statuses={statuses} refresh={[key, ['list', hash]]} />
        </Paper>
        <Paper withBorder p="md">
          <Title order={2} size="h5" mb="xs">
            Money
          </Title>
          <MoneyTimeline transactions={transactions} refunds={refunds} currency={order.currency_code} />
        </Paper>
      </SimpleGrid>
      <Tabs defaultValue="lines" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="lines">Lines</Tabs.Tab>
          <Tabs.Tab value="addresses">Addresses</Tabs.Tab>
          <Tabs.Tab value="shipments">Shipments</Tabs.Tab>
          <Tabs.Tab value="pickups">Pickups</Tabs.Tab>
          <Tabs.Tab value="notes">Notes</Tabs.Tab>
          {seesMails && <Tabs.Tab value="mails">E-mails</Tabs.Tab>}
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="lines" pt="md">
          <Rows
            head={['Product', 'SKU', 'Units', 'Shipped', 'Refunded', 'Price', 'Total']}
            empty="The order has no lines."
            rows={lines.map((line) => ({
              key: line.id,
              cells: [
                line.name,
                line.sku,
                line.quantity,
                line.quantity_shipped,
                line.quantity_refunded,
                <Money key="price" amount={line.price_inc_tax} currency={order.currency_code} />,
                <Money key="total" amount={line.total_inc_tax} currency={order.currency_code} />,
              ],
            }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="addresses" pt="md">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <AddressCard title="Billing" address={order.billing_address} />
            {addresses.map((address) => (
              <AddressCard
                key={address.id}
                title={`Shipping ${address.id}`}
                address={{ ...address, id: String(address.id) }}
              />
            ))}
          </SimpleGrid>
        </Tabs.Panel>
        <Tabs.Panel value="shipments" pt="md">
          <Rows
            head={['Shipment', 'Created', 'Tracking number', 'Units']}
            empty="Nothing was shipped yet."
            rows={shipments.map(({ id, date_created, tracking_number, items }) => ({
              key: id,
              cells: [
                id,
                <Time key="at" at={date_created} />,
                tracking_number,
                items.reduce((sum, { quantity }) => sum + quantity, 0),
              ],
            }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="pickups" pt="md">
          <Pickups api={api} id={id} />
        </Tabs.Panel>
        {seesMails && (
          <Tabs.Panel value="mails" pt="md">
            <MailList hash={hash} recipient={order.billing_address.email ?? ''} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="notes" pt="md">
          <Notes api={api} order={order} refresh={[key]} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="md">
          <Code block>{JSON.stringify(order, null, 2)}</Code>
        </Tabs.Panel>
      </Tabs>
      {action === 'refund' && (
        <RefundDialog api={api} order={order} lines={lines} addresses={addresses} onClose={close} />
      )}
      {action === 'ship' && <ShipDialog api={api} order={order} lines={lines} onClose={close} />}
      {(action === 'capture' || action === 'void') && (
        <PaymentAction api={api} order={order} action={action} onClose={close} />
      )}
    </Page>
  )
}

async function readOrder(api: StoreApi, id: string) {
  const v2 = async <T,>(path: string) => (await api.call<T>('GET', path)).body
  const list = async <T,>(path: string) => (await v2<T[] | undefined>(path)) ?? []
  const [order, lines, addresses, shipments, transactions, refunds, statuses] = await Promise.all([
    v2<Order>(`/v2/orders/${id}`),
    list<Line>(`/v2/orders/${id}/products?limit=250`),
    list<Address>(`/v2/orders/${id}/shipping_addresses?limit=250`),
    list<Shipment>(`/v2/orders/${id}/shipments?limit=250`),
    api.data<Transaction[]>(`/v3/orders/${id}/transactions`).catch(() => []),
    api.data<Refund[]>(`/v3/orders/${id}/payment_actions/refunds`).catch(() => []),
    list<{ id: number; name: string }>('/v2/order_statuses'),
  ])
  return { order, lines, addresses, shipments, transactions, refunds, statuses }
}

interface Pickup {
  id: number
  pickup_method_id: number
  ready_at: string | null
  pickup_items: { quantity: number }[]
}

function Pickups({ api, id }: { api: StoreApi; id: string }) {
  const pickups = useQuery({
    queryKey: ['pickups', api.hash, id],
    queryFn: () => api.data<Pickup[]>('/v3/orders/pickups', { 'order_id:in': id }),
  })
  if (!pickups.data) return <Pending error={pickups.error} />
  return (
    <Rows
      head={['Pickup', 'Method', 'Units', 'Ready']}
      empty="Nothing is picked up. A shopper chooses a pickup in the checkout."
      rows={pickups.data.map(({ id, pickup_method_id, ready_at, pickup_items }) => ({
        key: id,
        cells: [
          id,
          pickup_method_id,
          pickup_items.reduce((sum, { quantity }) => sum + quantity, 0),
          <Time key="at" at={ready_at} />,
        ],
      }))}
    />
  )
}

const AddressCard = ({ title, address }: { title: string; address: Readonly<Record<string, unknown>> }) => (
  <Paper withBorder p="md">
    <Text fw={700}>{title}</Text>
    {['first_name', 'last_name', 'company', 'street_1', 'street_2', 'zip', 'city', 'state', 'country', 'email', 'phone']
      .map((name) => address[name])
      .filter((value) => value !== undefined && value !== null && value !== '')
      .map((value, i) => (
        <Text size="sm" key={i}>
          {String(value)}
        </Text>
      ))}
  </Paper>
)

function MoneyTimeline({
  transactions,
  refunds,
  currency,
}: {
  transactions: Transaction[]
  refunds: Refund[]
  currency: string
}) {
  const items = [
    ...transactions.map(({ id, event, amount, currency, gateway, status, date_created }) => ({
      key: `transaction ${id}`,
      at: date_created,
      title: `${event}, ${status}`,
      text: gateway ?? '',
      amount,
      currency,
    })),
    ...refunds.map(({ id, total_amount, reason, created, payments }) => ({
      key: `refund ${id}`,
      at: created,
      title: `refund ${id}`,
      text: [
        reason,
        ...payments.map(({ provider_id, is_declined, declined_message }) =>
          is_declined ? `${provider_id}: declined. ${declined_message ?? ''}` : provider_id,
        ),
      ]
        .filter((text) => text !== '')
        .join(', '),
      amount: total_amount,
      currency,
    })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  if (items.length === 0) return <Text size="sm">No money has moved.</Text>
  return (
    <Timeline active={items.length} bulletSize={12} lineWidth={2}>
      {items.map(({ key, at, title, text, amount, currency }) => (
        <Timeline.Item key={key} title={title}>
          <Text size="sm">
            <Money amount={amount} currency={currency} /> {text}
          </Text>
          <Text size="xs" c="dimmed">
            <Time at={at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

function StatusChange({
  api,
  order,
  statuses,
  refresh,
}: {
  api: StoreApi
  order: Order
  statuses: { id: number; name: string }[]
  refresh: unknown[][]
}) {
  const save = useAction(
    (status: number) => api.call('PUT', `/v2/orders/${order.id}`, { body: { status_id: status } }),
    {
      done: 'The status is changed.',
      refresh,
    },
  )
  return (
    <Select
      mt="sm"
      label="Status"
      allowDeselect={false}
      data={statuses.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(order.status_id)}
      disabled={save.isPending}
      onChange={(value) => value !== null && save.mutate(Number(value))}
    />
  )
}

function Notes({ api, order, refresh }: { api: StoreApi; order: Order; refresh: unknown[][] }) {
  const [notes, setNotes] = useState(order.staff_notes ?? '')
  useUnsaved(notes !== (order.staff_notes ?? ''))
  const save = useAction(() => api.call('PUT', `/v2/orders/${order.id}`, { body: { staff_notes: notes } }), {
    done: 'The notes are saved.',
    refresh,
  })
  return (
    <Stack maw={600}>
      {order.customer_message !== '' && <Text size="sm">The shopper wrote: {order.customer_message}</Text>}
      <Textarea
        label="Notes for the staff"
        autosize
        minRows={3}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
      <Failure error={save.error} />
      <Group>
        <Button disabled={notes === order.staff_notes} loading={save.isPending} onClick={() => save.mutate()}>
          Save the notes
        </Button>
      </Group>
    </Stack>
  )
}

function PaymentAction({
  api,
  order,
  action,
  onClose,
}: {
  api: StoreApi
  order: Order
  action: 'capture' | 'void'
  onClose(): void
}) {
  const run = useAction(() => api.call('POST', `/v3/orders/${order.id}/payment_actions/${action}`), {
    done: action === 'capture' ? 'The capture is under way.' : 'The void is under way.',
    refresh: [['order', api.hash]],
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={action === 'capture' ? 'Capture the payment?' : 'Void the payment?'}>
      <Stack>
        <Text size="sm">
          {action === 'capture'
            ? 'The authorized amount is taken from the shopper: '
            : 'The authorization is released, and nothing is taken: '}
          <Money amount={order.total_inc_tax} currency={order.currency_code} />
        </Text>
        <Failure error={run.error} />
        <Button loading={run.isPending} onClick={() => run.mutate()}>
          {action === 'capture' ? 'Capture' : 'Void'}
        </Button>
      </Stack>
    </Modal>
  )
}

function ShipDialog({ api, order, lines, onClose }: { api: StoreApi; order: Order; lines: Line[]; onClose(): void }) {
  const open = lines.filter(({ quantity, quantity_shipped }) => quantity > quantity_shipped)
  const [units, setUnits] = useState<Record<number, number>>(
    Object.fromEntries(open.map(({ id, quantity, quantity_shipped }) => [id, quantity - quantity_shipped])),
  )
  const [tracking, setTracking] = useState('')
  const address = open[0]?.order_address_id
  const here = open.filter(({ order_address_id }) => order_address_id === address)
  const ship = useAction(
    () =>
      api.call('POST', `/v2/orders/${order.id}/shipments`, {
        body: {
          order_address_id: address,
          tracking_number: tracking,
          items: here.flatMap(({ id }) => (units[id] ? [{ order_product_id: id, quantity: units[id] }] : [])),
        },
      }),
    { done: 'The shipment is created.', refresh: [['order', api.hash]], onDone: onClose },
  )
  return (
    <Modal opened onClose={closing(tracking !== '', onClose)} title="Ship" size="lg" closeOnClickOutside={false}>
      {here.length === 0 ? (
        <Text>Everything was shipped.</Text>
      ) : (
        <Stack>
          {here.map((line) => (
            <NumberInput
              key={line.id}
              label={line.name}
              description={`${line.quantity - line.quantity_shipped} not shipped yet`}
              min={0}
              max={line.quantity - line.quantity_shipped}
              allowDecimal={false}
              value={units[line.id] ?? 0}
              onChange={(value) => setUnits((all) => ({ ...all, [line.id]: Number(value) }))}
            />
          ))}
          <TextInput
            label="Tracking number"
            value={tracking}
            onChange={(event) => setTracking(event.currentTarget.value)}
          />
          <Failure error={ship.error} />
          <Button loading={ship.isPending} onClick={() => ship.mutate()}>
            Create the shipment
          </Button>
        </Stack>
      )}
    </Modal>
  )
}

interface RefundItem {
  item_type: 'PRODUCT' | 'SHIPPING' | 'ORDER'
  item_id: number
  quantity?: number
  amount?: number
}

interface Payment {
  provider_id: string
  provider_description?: string
  amount: number
  offline: boolean
}

interface Quote {
  total_refund_amount: number
  total_refund_tax_amount: number
  refund_methods: Payment[][]
}

/** Chooses lines, shipping or an amount, shows the quote with tax and ways to pay, and sends the refund once. */
function RefundDialog({
  api,
  order,
  lines,
  addresses,
  onClose,
}: {
  api: StoreApi
  order: Order
  lines: Line[]
  addresses: Address[]
  onClose(): void
}) {
  const [units, setUnits] = useState<Record<number, number>>({})
  const [shipping, setShipping] = useState<Record<number, number>>({})
  const [amount, setAmount] = useState(0)
  const [reason, setReason] = useState('')
  const items: RefundItem[] = [
    ...Object.entries(units).flatMap(([id, quantity]) =>
      quantity > 0 ? [{ item_type: 'PRODUCT' as const, item_id: Number(id), quantity }] : [],
    ),
    ...Object.entries(shipping).flatMap(([id, amount]) =>
      amount > 0 ? [{ item_type: 'SHIPPING' as const, item_id: Number(id), amount }] : [],
    ),
    ...(amount > 0 ? [{ item_type: 'ORDER' as const, item_id: order.id, amount }] : []),
  ]
  const quote = useAction(
    () =>
      api.call<{ data: Quote }>('POST', `/v3/orders/${order.id}/payment_actions/refund_quotes`, { body: { items } }),
    {
      refresh: [],
    },
  )
  const result = quote.data?.body.data
  const [chosen, setChosen] = useState<string>()
  // Somebody who does not choose pays the money back, and does not only record it.
  const online = result?.refund_methods.findIndex((payments) => payments.every(({ offline }) => !offline)) ?? 0
  const method = chosen ?? String(Math.max(online, 0))
  const isOffline = result?.refund_methods[Number(method)]?.some(({ offline }) => offline) ?? false
  const send = useAction(
    () =>
      api.call('POST', `/v3/orders/${order.id}/payment_actions/refunds`, {
        body: {
          items,
          reason,
          payments: result?.refund_methods[Number(method)]?.map(({ provider_id, amount, offline }) => ({
            provider_id,
            amount,
            offline,
          })),
        },
      }),
    {
      done: isOffline
        ? 'The refund is stored as paid outside of this server. Give the money back yourself.'
        : 'The refund is stored, and is paid back now.',
      refresh: [
        ['order', api.hash],
        ['list', api.hash],
      ],
      onDone: onClose,
    },
  )
  const change = (set: () => void) => {
    quote.reset()
    setChosen(undefined)
    send.reset()
    set()
  }
  return (
    <Modal
      opened
      onClose={closing(items.length > 0 || reason !== '', onClose)}
      title={`Refund of order ${order.id}`}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack>
        {lines.map((line) => (
          <NumberInput
            key={line.id}
            label={`Units of ${line.name}`}
            description={`${line.quantity - line.quantity_refunded} can be refunded`}
            min={0}
            max={line.quantity - line.quantity_refunded}
            allowDecimal={false}
            value={units[line.id] ?? 0}
            onChange={(value) => change(() => setUnits((all) => ({ ...all, [line.id]: Number(value) })))}
          />
        ))}
        {addresses.map((address) => (
          <NumberInput
            key={address.id}
            label={`Shipping costs to ${address.city || `address ${address.id}`}`}
            min={0}
            value={shipping[address.id] ?? 0}
            onChange={(value) => change(() => setShipping((all) => ({ ...all, [address.id]: Number(value) })))}
          />
        ))}
        <NumberInput
          label={`Another amount in ${order.currency_code}`}
          description="Gives money back without units. Its tax does not change."
          min={0}
          value={amount}
          onChange={(value) => change(() => setAmount(Number(value)))}
        />
        <TextInput
          label="Reason"
          maxLength={1_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Failure error={quote.error} />
        {result === undefined ? (
          <Button disabled={items.length === 0} loading={quote.isPending} onClick={() => quote.mutate()}>
            Get a quote
          </Button>
        ) : (
          <>
            <Text role="status">
              The shopper gets <Money amount={result.total_refund_amount} currency={order.currency_code} /> back, of
              which <Money amount={result.total_refund_tax_amount} currency={order.currency_code} /> are tax.
            </Text>
            <Radio.Group label="Way to pay it back" value={method} onChange={setChosen}>
              <Stack gap={6} mt={6}>
                {result.refund_methods.map((payments, i) => (
                  <Radio
                    key={payments.map(({ provider_id, amount }) => `${provider_id} ${amount}`).join()}
                    value={String(i)}
                    label={payments
                      .map(
                        ({ provider_id, amount, offline }) =>
                          `${provider_id}${offline ? ' (only recorded: no money moves)' : ''}: ${amount}`,
                      )
                      .join(' and ')}
                  />
                ))}
              </Stack>
            </Radio.Group>
            <Failure error={send.error} />
            <Button loading={send.isPending} disabled={send.isSuccess} onClick={() => send.mutate()}>
              Refund <Money amount={result.total_refund_amount} currency={order.currency_code} />
            </Button>
          </>
        )}
      </Stack>
    </Modal>
  )
}
