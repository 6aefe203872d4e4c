import {
  Anchor,
  Button,
  Code,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Tabs,
  Text,
  Textarea,
  Timeline,
  Title,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoreApi } from '../../api/store.ts'
import { hasRole, SUPPORTERS } from '../../frame/roles.ts'
import { useSession, useStoreApi } from '../../frame/session.ts'
import { Failure, Pending, useAction } from '../../parts/feedback.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/table.tsx'
import { useUnsaved } from '../../parts/unsaved.ts'
import { Money, Time } from '../../parts/values.tsx'
import { MailList } from '../mails.tsx'
import { RequestList } from '../requests/rows.tsx'
import { PaymentAction, ShipDialog } from './actions.tsx'
import { isSettling, type Order, type Refund, readOrder, type Transaction } from './read-order.ts'
import { RefundDialog } from './refund.tsx'

/** A gateway is called by a job. Until it is done, the order is read again. */
const SETTLING_MS = 2_000

/** One order: its lines and addresses, its money as a timeline, and everything that is done with it. */
export function OrderPage() {
  const { hash = '', id = '' } = useParams({ strict: false })
  const api = useStoreApi(hash)
  const key = ['order', hash, id]
  const whole = useQuery({
    queryKey: key,
    queryFn: () => readOrder(api, id),
    refetchInterval: ({ state: { data } }) => (data && isSettling(data) ? SETTLING_MS : false),
  })
  const { person } = useSession()
  const seesMails = hasRole(person, SUPPORTERS)
  const [action, setAction] = useState<'refund' | 'ship' | 'capture' | 'void'>()
  if (!whole.data) return <Pending error={whole.error}>Loading the order</Pending>
  const { order, lines, addresses, shipments, transactions, refunds, statuses } = whole.data
  const close = () => setAction(undefined)
  const isAuthorized = order.payment_status === 'authorized'
  const { first_name = '', last_name = '', email = '' } = order.billing_address
  const shopper = `${first_name} ${last_name}`.trim() || email || 'somebody without a name'
  return (
    <Page
      title={`Order ${order.id}`}
      about={
        <>
          {order.status}, payment {order.payment_status || 'none'}, created <Time at={order.date_created} />, of{' '}
          {order.customer_id === 0 ? (
            `${shopper}, a guest`
          ) : (
            <Anchor component={Link} to={`/stores/${hash}/customers/${order.customer_id}`}>
              {shopper}
            </Anchor>
          )}
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
                  ['Handling', order.handling_cost_inc_tax],
                  ['Gift wrapping', order.wrapping_cost_inc_tax],
                  ['Discounts and fees', restOf(order)],
                  ['Tax in the total', order.total_tax],
                  ['Total', order.total_inc_tax],
                  ['Refunded', order.refunded_amount],
                ] as const
              )
                .filter(([label, amount]) => Number(amount) !== 0 || ALWAYS_SHOWN.has(label))
                .map(([label, amount]) => (
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
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
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
        <Tabs.Panel value="changes" pt="md">
          <RequestList hash={hash} query={{ path: `orders/${id}`, changes: 'true' }} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="md">
          <Code block tabIndex={0}>
            {JSON.stringify(order, null, 2)}
          </Code>
        </Tabs.Panel>
      </Tabs>
      {action === 'refund' && (
        <RefundDialog
          api={api}
          order={order}
          lines={lines}
          addresses={addresses}
          paidBy={new Set(transactions.flatMap(({ gateway }) => gateway ?? []))}
          onClose={close}
        />
      )}
      {action === 'ship' && <ShipDialog api={api} order={order} lines={lines} onClose={close} />}
      {(action === 'capture' || action === 'void') && (
        <PaymentAction api={api} order={order} action={action} onClose={close} />
      )}
    </Page>
  )
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
    queryFn: async () => {
      const [list, methods] = await Promise.all([
        api.data<Pickup[]>('/v3/orders/pickups', { 'order_id:in': id }),
        api.data<{ id: number; display_name: string }[]>('/v3/pickup/methods', { limit: 250 }),
      ])
      const nameOf = (id: number) => methods.find((method) => method.id === id)?.display_name
      return list.map((pickup) => ({ ...pickup, method: nameOf(pickup.pickup_method_id) ?? pickup.pickup_method_id }))
    },
  })
  if (!pickups.data) return <Pending error={pickups.error} />
  return (
    <Rows
      head={['Pickup', 'Method', 'Units', 'Ready']}
      empty="Nothing is picked up. A shopper chooses a pickup in the checkout."
      rows={pickups.data.map(({ id, method, ready_at, pickup_items }) => ({
        key: id,
        cells: [
          id,
          method,
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

/** The difference between the total and its parts, with tax. The API has discounts without tax only. */
const restOf = (order: Order) =>
  [order.subtotal_inc_tax, order.shipping_cost_inc_tax, order.handling_cost_inc_tax, order.wrapping_cost_inc_tax]
    .reduce((rest, part) => rest - Number(part), Number(order.total_inc_tax))
    .toFixed(4)

const ALWAYS_SHOWN = new Set(['Subtotal', 'Shipping', 'Tax in the total', 'Total', 'Refunded'])

function MoneyTimeline({
  transactions,
  refunds,
  currency,
}: {
  transactions: Transaction[]
  refunds: Refund[]
  currency: string
}) {
  // A transaction that pays a refund back stands in the refund.
  const ofRefunds = new Set(refunds.flatMap(({ payments }) => payments.map((one) => String(one.transaction_id))))
  const own = transactions.filter(({ id }) => !ofRefunds.has(String(id)))
  const items = [
    ...own.map(({ id, event, amount, currency, gateway, status, date_created }) => ({
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
