// An in-memory model of a cart and its checkout, for random sequences of writes of both views (docs/contract/carts.md, checkouts.md). It shares no
// code with the server.

const PRICES: Readonly<Record<number, number>> = { 1: 12.5, 2: 20 }
export const ENGRAVING = 3
const COUPON = { code: 'TWO', amount: 2 }
const FEES_MAX = 5
/** The e-mail address of customer 1. */
export const CUSTOMER = 'cleo@example.com'

interface ModelLine {
  id: string
  /** 0 for a custom item. */
  product: number
  quantity: number
}

interface ModelConsignment {
  id: string
  city: string
  units: { item: string; quantity: number }[]
  /** The price of its shipping; null without an option. */
  price: number | null
}

/** The state of a cart. A deleted one is gone. */
export interface ModelState {
  isGone: boolean
  version: number
  customer: number
  billing: { id: string; email: string } | null
  message: string
  lines: ModelLine[]
  consignments: ModelConsignment[]
  codes: string[]
  fees: { id: string; cost: number }[]
  /** Off the order, by hand; 0 for none. */
  manual: number
}

/** A write, and the request that makes it. A version is that which the client has read. */
export type Write = { version?: number } & (
  | { kind: 'customer'; customer: number | undefined }
  | { kind: 'add'; product: number; quantity: number }
  | { kind: 'quantity'; item: string; quantity: number }
  | { kind: 'remove'; item: string }
  | { kind: 'delete' }
  | { kind: 'message'; text: string }
  | { kind: 'billing'; id: string | undefined; email: string }
  | { kind: 'consign'; item: string; quantity: number; city: string }
  | { kind: 'move'; consignment: string; city: string }
  | { kind: 'ship'; consignment: string; price: number }
  | { kind: 'unconsign'; consignment: string }
  | { kind: 'coupon' }
  | { kind: 'uncoupon' }
  | { kind: 'fee'; cost: number }
  | { kind: 'changeFee'; fee: string; cost: number }
  | { kind: 'removeFee'; fee: string }
  | { kind: 'discount'; amount: number }
)

/** The ids of things that a write creates are not known before its answer. */
const NEW = 'new'

/** The state after a write, or the status of its refusal. */
export type Outcome = ModelState | number

/** The outcomes that a write may have in a state. Only a coupon for custom items alone has two. */
export function outcomesOf(state: ModelState, write: Write): Outcome[] {
  if (state.isGone) return [404]
  if (write.version !== undefined && write.version !== state.version) return [409]
  const changed = change(structuredClone(state), write)
  return changed.map((one) => (typeof one === 'number' ? one : { ...one, version: state.version + 1 }))
}

function change(state: ModelState, write: Write): Outcome[] {
  const { lines, consignments, codes, fees, manual } = state
  switch (write.kind) {
    case 'customer':
      return [
        write.customer === undefined ? state : { ...state, customer: write.customer, codes: [], consignments: [] },
      ]
    case 'add': {
      const equal = lines.find(({ product }) => product === write.product)
      if (equal) equal.quantity += write.quantity
      else lines.push({ id: NEW, product: write.product, quantity: write.quantity })
      return [state]
    }
    case 'quantity': {
      const line = lines.find(({ id }) => id === write.item)
      if (!line) return [404]
      if (line.product === 0) return [422]
      if (write.quantity === 0) return [without(state, write.item)]
      line.quantity = write.quantity
      return [tidied(state)]
    }
    case 'remove':
      return [lines.some(({ id }) => id === write.item) ? without(state, write.item) : 404]
    case 'delete':
      return [{ ...state, isGone: true }]
    case 'message':
      return [{ ...state, message: write.text }]
    case 'billing':
      if (write.id !== undefined && write.id !== state.billing?.id) return [404]
      return [{ ...state, billing: { id: state.billing?.id ?? NEW, email: write.email } }]
    case 'consign':
      return [consign(state, write)]
    case 'move':
    case 'ship': {
      const consignment = consignments.find(({ id }) => id === write.consignment)
      if (!consignment) return [404]
      if (write.kind === 'ship') consignment.price = write.price
      else Object.assign(consignment, { city: write.city, price: null })
      return [state]
    }
    case 'unconsign': {
      const left = consignments.filter(({ id }) => id !== write.consignment)
      return [left.length < consignments.length ? { ...state, consignments: left } : 404]
    }
    case 'coupon': {
      if (codes.length > 0) return [state]
      if (manual > 0) return [422]
      const applied = { ...state, codes: [COUPON.code] }
      return hasProducts(state) ? [applied] : [applied, 422]
    }
    case 'uncoupon':
      return [codes.length > 0 ? { ...state, codes: [] } : 404]
    case 'fee':
      return [fees.length < FEES_MAX ? { ...state, fees: [...fees, { id: NEW, cost: write.cost }] } : 422]
    case 'changeFee': {
      const fee = fees.find(({ id }) => id === write.fee)
      if (!fee) return [422]
      fee.cost = write.cost
      return [state]
    }
    case 'removeFee': {
      const left = fees.filter(({ id }) => id !== write.fee)
      return [left.length < fees.length ? { ...state, fees: left } : 422]
    }
    case 'discount':
      return [{ ...state, manual: write.amount }]
  }
}

const hasProducts = ({ lines }: ModelState): boolean => lines.some(({ product }) => product > 0)

/** The last line takes the cart with it. */
function without(state: ModelState, item: string): ModelState {
  const lines = state.lines.filter(({ id }) => id !== item)
  return lines.length === 0 ? { ...state, isGone: true } : tidied({ ...state, lines })
}

/** Consignments have no more units than the lines, the oldest first, and no empty consignment remains. */
function tidied(state: ModelState): ModelState {
  const left = new Map(state.lines.map(({ id, quantity }) => [id, quantity]))
  const consignments = state.consignments.map((consignment) => ({
    ...consignment,
    units: consignment.units.flatMap(({ item, quantity: wanted }) => {
      const quantity = Math.min(wanted, left.get(item) ?? 0)
      left.set(item, (left.get(item) ?? 0) - quantity)
      return quantity > 0 ? [{ item, quantity }] : []
    }),
  }))
  return { ...state, consignments: consignments.filter(({ units }) => units.length > 0) }
}

/** Units that are free go first; others leave the oldest consignments. */
function consign(
  state: ModelState,
  { item, quantity, city }: { item: string; quantity: number; city: string },
): Outcome {
  const line = state.lines.find(({ id }) => id === item)
  if (!line || quantity > line.quantity) return 422
  const units = state.consignments.flatMap((one) => one.units.filter((some) => some.item === item))
  const taken = units.reduce((sum, some) => sum + some.quantity, 0)
  let missing = Math.max(0, taken + quantity - line.quantity)
  for (const some of units) {
    const moved = Math.min(missing, some.quantity)
    some.quantity -= moved
    missing -= moved
  }
  const left = state.consignments
    .map((one) => ({ ...one, units: one.units.filter((some) => some.quantity > 0) }))
    .filter((one) => one.units.length > 0)
  return { ...state, consignments: [...left, { id: NEW, city, units: [{ item, quantity }], price: null }] }
}

/** The view of a state that an answer has. The answer of a cart lacks the steps of the checkout. */
export function viewOf(state: ModelState) {
  const { version, customer, billing, message, lines, consignments, codes, fees, manual } = state
  return {
    version,
    customer,
    email: billing?.email ?? (customer === 1 ? CUSTOMER : ''),
    lines: lines.map(({ id, product, quantity }) => ({ id, product, quantity })),
    codes,
    manual,
    checkout: {
      billing: billing?.id,
      message,
      consignments: consignments.map(({ id, city, units, price }) => ({
        id,
        city,
        lines: units.map(({ item }) => item).sort(),
        price,
      })),
      fees: fees.map(({ id, cost }) => ({ id, cost })),
    },
  }
}
export type View = ReturnType<typeof viewOf>

/** The price of the order; undefined for a coupon that may not count. */
export function grandTotalOf(state: ModelState): number | undefined {
  if (state.codes.length > 0 && !hasProducts(state)) return undefined
  const goods = state.lines.reduce(
    (sum, { product, quantity }) => sum + quantity * (product === 0 ? ENGRAVING : (PRICES[product] ?? 0)),
    0,
  )
  const left = goods - Math.min(goods, state.manual)
  const discounted = left - (state.codes.length > 0 ? Math.min(left, COUPON.amount) : 0)
  const shipping = state.consignments.reduce((sum, { price }) => sum + (price ?? 0), 0)
  return discounted + shipping + state.fees.reduce((sum, { cost }) => sum + cost, 0)
}

/** Gives new things the ids of an answer, if their kinds and positions agree. */
export function withIds(
  state: ModelState,
  answer: { lines: View['lines']; checkout?: Partial<View['checkout']> },
): ModelState {
  const known = <T extends { id: string }>(own: T[], theirs: readonly { id: string }[]): T[] => {
    const ids = new Set(own.map(({ id }) => id))
    const [fresh] = theirs.filter(({ id }) => !ids.has(id))
    return own.map((one) => (one.id === NEW && fresh ? { ...one, id: fresh.id } : one))
  }
  const { checkout } = answer
  const billing = state.billing && checkout?.billing ? { ...state.billing, id: checkout.billing } : state.billing
  return {
    ...state,
    billing,
    lines: known(state.lines, answer.lines),
    ...(checkout?.consignments ? { consignments: known(state.consignments, checkout.consignments) } : {}),
    ...(checkout?.fees ? { fees: known(state.fees, checkout.fees) } : {}),
  }
}
