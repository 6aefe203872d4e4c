import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type InvoicePaymentState,
  invoiceStatus,
  moveBy,
  moveTo,
  operationsOf,
  type PayableInvoice,
  type PaymentSide,
  rebalance,
  statusesAfter,
} from './balances.ts'

// docs/contract/b2b-invoices.md sections 3 and 4.

test.each([
  [100n, 100n, 0],
  [100n, 99n, 1],
  [100n, 1n, 1],
  [100n, 0n, 2],
  [100n, -1n, 2],
  [0n, 0n, 2],
  [100n, 140n, 0],
])('an invoice of %d with %d open has the status %d', (original, open, status) => {
  expect(invoiceStatus({ original, open })).toBe(status)
})

const applied: InvoicePaymentState = { processing: 3, isApplied: true }
const reverted: InvoicePaymentState = { processing: 3, isApplied: false }
const inStatus = (processing: number): InvoicePaymentState => ({ processing, isApplied: false })

describe('the processing status of a payment', () => {
  const states = [inStatus(0), inStatus(1), inStatus(2), applied, reverted, inStatus(4)]
  /** Every move that is allowed, with its receipt. All other pairs are refused. */
  const moves: [from: InvoicePaymentState, to: InvoicePaymentState, receipt: string][] = [
    ...[0, 1, 2].flatMap((from): typeof moves => [
      [inStatus(from), inStatus(1), 'none'],
      [inStatus(from), inStatus(2), 'none'],
      [inStatus(from), applied, 'paid'],
      [inStatus(from), inStatus(4), 'none'],
    ]),
    [applied, inStatus(1), 'deleted'],
    [applied, inStatus(2), 'deleted'],
    [applied, applied, 'none'],
    [applied, inStatus(4), 'refund'],
    [reverted, inStatus(1), 'none'],
    [reverted, inStatus(2), 'none'],
    [reverted, reverted, 'none'],
    [reverted, inStatus(4), 'none'],
  ]

  test.each(states.flatMap((from) => [-1, 0, 1, 2, 3, 4, 5].map((wanted) => [from, wanted] as const)))(
    'of %j changes to %d as the table says',
    (from, wanted) => {
      const [, to, receipt] =
        moves.find(
          ([state, { processing }]) => JSON.stringify(state) === JSON.stringify(from) && processing === wanted,
        ) ?? []
      expect(moveTo(from, wanted)).toEqual(to && { to, receipt })
    },
  )

  test.each([
    [inStatus(0), [], [1, 2, 3, 4]],
    [inStatus(1), [], [1, 2, 3, 4]],
    [inStatus(2), [], [1, 2, 3, 4]],
    [applied, [1], [1, 2, 3, 4]],
    [reverted, [0], [1, 2, 3, 4]],
    [inStatus(4), [], []],
  ])('of %j allows the operations %j and the statuses %j', (state, operations, statuses) => {
    expect(operationsOf(state)).toEqual(operations)
    expect(statusesAfter(state.processing)).toEqual(statuses)
    for (const code of [-1, 0, 1, 2, 3]) {
      const move = moveBy(state, code)
      expect(move === undefined).toBe(!operations.some((allowed) => allowed === code))
    }
  })

  test('an operation applies or reverts, and keeps the status', () => {
    expect(moveBy(reverted, 0)).toEqual({ to: applied, receipt: 'paid' })
    expect(moveBy(applied, 1)).toEqual({ to: reverted, receipt: 'deleted' })
  })
})

const invoice = (id: number, open: bigint, pending = 0): PayableInvoice => ({ id, original: 100n, open, pending })
const side = (state: InvoicePaymentState, ...amounts: bigint[]): PaymentSide => ({
  state,
  lines: amounts.map((amount, i) => ({ invoice_id: i + 1, amount })),
})

describe('a change of a payment', () => {
  test.each<[name: string, ...given: [PayableInvoice, Parameters<typeof rebalance>[1], PayableInvoice, string[]]]>([
    ['deducts a new one', invoice(1, 100n), { after: side(applied, 40n), isNew: true }, invoice(1, 60n), []],
    ['of all that is open', invoice(1, 40n), { after: side(applied, 40n), isNew: true }, invoice(1, 0n), []],
    [
      'refuses one unit more',
      invoice(1, 39n),
      { after: side(applied, 40n), isNew: true },
      invoice(1, -1n),
      ['lineItems.0.amount'],
    ],
    ['marks invoices', invoice(1, 100n), { after: side(inStatus(2), 40n), isNew: true }, invoice(1, 100n, 1), []],
    [
      'refuses a new one that waits',
      invoice(1, 30n),
      { after: side(inStatus(1), 40n), isNew: true },
      invoice(1, 30n, 1),
      ['lineItems.0.amount'],
    ],
    [
      'refuses to complete one that no longer fits',
      invoice(1, 10n, 1),
      { before: side(inStatus(2), 40n), after: side(applied, 40n), isNew: false },
      invoice(1, -30n),
      ['lineItems.0.amount'],
    ],
    [
      'adds back a refunded one, although the balance was changed by hand',
      invoice(1, -50n),
      { before: side(applied, 40n), after: side(inStatus(4), 40n), isNew: false },
      invoice(1, -10n),
      [],
    ],
    ['adds back a deleted one', invoice(1, 60n), { before: side(applied, 40n), isNew: false }, invoice(1, 100n), []],
    [
      'replaces a larger one',
      invoice(1, 20n),
      { before: side(applied, 80n), after: side(applied, 100n), isNew: true },
      invoice(1, 0n),
      [],
    ],
  ])('%s', (_, ...[before, sides, expected, mistakes]) => {
    const result = rebalance([before], sides)
    expect(result.invoices).toEqual([expected])
    expect(Object.keys(result.mistakes)).toEqual(mistakes)
  })
})

// The invariants of the contract, for any sequence of changes. The long mode is for a change of the arithmetic.
const RUNS = process.env.RELIABILITY === 'full' ? 100_000 : 1_000

interface Sketch {
  state: InvoicePaymentState
  lines: { invoice_id: number; amount: bigint }[]
  paid: bigint
  refunded: bigint
}

test('balances, payments and receipts agree after any changes (C-121)', () => {
  const amounts = fc.bigInt(1n, 60n)
  const lines = fc.uniqueArray(fc.record({ invoice_id: fc.integer({ min: 1, max: 3 }), amount: amounts }), {
    selector: ({ invoice_id }) => invoice_id,
    minLength: 1,
    maxLength: 3,
  })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('create' as const), lines, status: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant('status' as const), which: fc.nat(20), status: fc.integer({ min: -1, max: 5 }) }),
    fc.record({ kind: fc.constant('operation' as const), which: fc.nat(20), code: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let invoices = [1, 2, 3].map((id) => ({ id, original: 100n, open: 100n, pending: 0 }))
      let payments: Sketch[] = []
      const change = (sides: Parameters<typeof rebalance>[1]): boolean => {
        const result = rebalance(invoices, sides)
        if (Object.keys(result.mistakes).length > 0) return false
        invoices = result.invoices
        return true
      }
      for (const one of steps) {
        const payment = 'which' in one ? payments[one.which % Math.max(1, payments.length)] : undefined
        if (one.kind === 'create') {
          const state = { processing: one.status, isApplied: one.status === 3 }
          const made = { state, lines: one.lines, paid: 0n, refunded: 0n }
          if (change({ after: made, isNew: true })) payments.push({ ...made, paid: state.isApplied ? total(made) : 0n })
        } else if (!payment) continue
        else if (one.kind === 'delete') {
          change({ before: payment, isNew: false })
          payments = payments.filter((other) => other !== payment)
        } else {
          const move = one.kind === 'status' ? moveTo(payment.state, one.status) : moveBy(payment.state, one.code)
          const before = { state: payment.state, lines: payment.lines }
          if (!move || !change({ before, after: { state: move.to, lines: payment.lines }, isNew: false })) continue
          payment.state = move.to
          if (move.receipt === 'paid') payment.paid += total(payment)
          if (move.receipt === 'deleted') payment.paid -= total(payment)
          if (move.receipt === 'refund') payment.refunded += total(payment)
        }
        for (const { id, original, open, pending } of invoices) {
          const own = payments.flatMap(({ state, lines }) =>
            lines.filter(({ invoice_id }) => invoice_id === id).map(({ amount }) => ({ state, amount })),
          )
          const deducted = own.filter(({ state }) => state.isApplied).reduce((sum, { amount }) => sum + amount, 0n)
          expect(open).toBe(original - deducted)
          expect(open >= 0n).toBe(true)
          expect(pending).toBe(own.filter(({ state }) => state.processing === 1 || state.processing === 2).length)
        }
        for (const payment of payments) {
          expect(payment.state.isApplied ? total(payment) : 0n).toBe(payment.paid - payment.refunded)
        }
      }
    }),
    { numRuns: RUNS },
  )
})

const total = ({ lines }: { lines: readonly { amount: bigint }[] }) =>
  lines.reduce((sum, { amount }) => sum + amount, 0n)
