import { Button, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { StoreApi } from '../../api/store.ts'
import { Failure, useAction } from '../../parts/feedback.tsx'
import { closing } from '../../parts/unsaved.ts'
import { Money } from '../../parts/values.tsx'
import type { Line, Order } from './read-order.ts'

/** Takes an authorized payment, or releases it. */
export function PaymentAction({
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

/** Ships units of one address. */
export function ShipDialog({
  api,
  order,
  lines,
  onClose,
}: {
  api: StoreApi
  order: Order
  lines: Line[]
  onClose(): void
}) {
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
