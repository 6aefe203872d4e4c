import { Button, Modal, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { StoreApi } from '../../api/store.ts'
import { Failure, useAction } from '../../parts/feedback.tsx'
import { closing } from '../../parts/unsaved.ts'
import { Money } from '../../parts/values.tsx'
import type { Address, Line, Order } from './read-order.ts'

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

/** The method that goes back the way the money came, else one that pays the money back and does not only record it. */
function usualMethod(methods: readonly Payment[][], paidBy: ReadonlySet<string>): number {
  const online = methods.map((payments) => payments.every(({ offline }) => !offline))
  const asPaid = methods.findIndex((payments, i) => online[i] && payments.every((one) => paidBy.has(one.provider_id)))
  return Math.max(asPaid >= 0 ? asPaid : online.indexOf(true), 0)
}

/** Chooses lines, shipping or an amount, shows the quote with tax and ways to pay, and sends the refund once. */
export function RefundDialog({
  api,
  order,
  lines,
  addresses,
  paidBy,
  onClose,
}: {
  api: StoreApi
  order: Order
  lines: Line[]
  addresses: Address[]
  /** The providers by which the shopper has paid. */
  paidBy: ReadonlySet<string>
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
  const method = chosen ?? String(usualMethod(result?.refund_methods ?? [], paidBy))
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
                    label={payments.map(({ provider_id, amount, offline }, part) => (
                      <span key={provider_id}>
                        {part > 0 && ' and '}
                        <Money amount={amount} currency={order.currency_code} /> by {provider_id}
                        {offline && ', recorded only: no money moves'}
                        {!offline && paidBy.has(provider_id) && ', as it was paid'}
                      </span>
                    ))}
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
