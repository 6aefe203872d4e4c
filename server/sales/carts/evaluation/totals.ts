import { type FineUnits, roundFine, toFine } from '../../../core/money/fine.ts'
import { sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import type { Evaluation } from '../../promotions/engine/calculation/outcome.ts'
import { taxZonesOf } from '../../tax/calculation/shopper.ts'
import type { TaxTables } from '../../tax/calculation/tables.ts'
import { type LineTax, type TaxBasis, type TaxZones, taxBasis, taxOf } from '../../tax/calculation/tax-of.ts'
import { DEFAULT_CLASS } from '../../tax/classes/classes.ts'
import type { CartDocument } from '../row/document.ts'
import type { CartFacts } from './facts.ts'
import { divide, type PlacedUnits, placesOf, placeUnits } from './places.ts'
import { scaledTax, taxKeys } from './provided-taxes.ts'
import type {
  CartResult,
  DiscountedLine,
  FineTaxed,
  NamedTax,
  ResultConsignment,
  ResultFee,
  ResultLine,
  Taxed,
} from './result.ts'

// Taxes and totals of a cart whose lines have their discounts (docs/contract/carts.md section 6). Pure. Lines, shipping, handling,
// wrapping and each fee are rounded to the currency by themselves, so that the totals of an answer always add up.

interface Totalled {
  facts: CartFacts
  /** Discounts of shipping by coupons. */
  shipping: Evaluation['shipping']
}

type Totals = Omit<CartResult, 'codes' | 'orderDiscount' | 'manualDiscount' | 'promotions'>

export function totalsOfCart(
  document: CartDocument,
  lines: readonly DiscountedLine[],
  { facts, shipping }: Totalled,
): Totals {
  const { decimals } = facts.prices.currency
  const { costClasses } = facts.tax
  const basis = taxBasis(facts.tax, decimals)
  const places = placesOf(document, facts)
  const zones = new Map<string | undefined, TaxZones>()
  const zonesAt = (consignment_id: string | undefined) => {
    const known = zones.get(consignment_id)
    if (known) return known
    const found = taxZonesOf(facts.tax, {
      address: places.of(consignment_id),
      customer_group_id: facts.group_id,
    })
    zones.set(consignment_id, found)
    return found
  }
  const taxer: Taxer = ({ amount, classId, consignment_id, key }) => {
    const provided = facts.provided?.taxes.get(key)
    if (provided) return scaledTax(provided, amount, basis.isInclusive)
    return taxOfOne(amount, classId, zonesAt(consignment_id), basis)
  }

  const allocations = placeUnits(lines, document)
  const taxed = lines.map((line, i) => taxedLine(line, allocations[i] ?? [], { taxer, costClasses }))
  const consignments = document.consignments.map((input): ResultConsignment => {
    const held = taxed.flatMap(({ id, parts }) =>
      parts.filter((part) => part.consignment_id === input.id).map(({ quantity }) => ({ item_id: id, quantity })),
    )
    return consignmentOf(input, held, { shipping, taxer, decimals, costClasses })
  })
  const fees = document.fees.map((input): ResultFee => {
    const tax = taxer({
      amount: unitsOf(input.cost),
      classId: input.tax_class_id ?? DEFAULT_CLASS,
      consignment_id: undefined,
      key: taxKeys.fee(input.id),
    })
    return { input, tax, ...rounded([tax], decimals) }
  })

  const certificates = sumOf(document.certificates.map(({ amount }) => unitsOf(amount)))
  const plus = ({ ex, inc }: Taxed): Taxed => ({ ex: ex + certificates, inc: inc + certificates })
  const parts = taxed.flatMap((line) => line.parts)
  const wrappings = parts.flatMap(({ wrapping }) => wrapping?.tax ?? [])
  const ofLines = rounded(
    parts.map(({ tax }) => tax),
    decimals,
  )
  const wrapping = rounded(wrappings, decimals)
  const others = [...consignments.flatMap(({ paid, handling }) => [paid, handling]), wrapping, ...fees]
  const paid = addTaxed([ofLines, ...others])
  const taxTotal = paid.inc - paid.ex
  return {
    isInclusive: basis.isInclusive,
    decimals,
    lines: taxed,
    certificates: document.certificates,
    consignments,
    fees,
    base: roundFine(toFine(sumOf(lines.map(({ total }) => total)) + certificates), decimals),
    subtotal: plus(
      rounded(
        taxed.map(({ taxedSale }) => taxedSale),
        decimals,
      ),
    ),
    cart: plus(ofLines),
    shipping: addTaxed(consignments.map((consignment) => consignment.shipping)),
    handling: addTaxed(consignments.map(({ handling }) => handling)),
    wrapping,
    taxTotal,
    taxes: taxesByName(
      [
        ...parts.map(({ tax }) => tax),
        ...wrappings,
        ...consignments.flatMap(({ shippingTax, handlingTax }) => [shippingTax, handlingTax]),
        ...fees.map(({ tax }) => tax),
      ],
      taxTotal,
      decimals,
    ),
    grandTotal: paid.inc + certificates,
  }
}

/** A part of the cart that is taxed by itself. */
interface TaxedPart {
  /** As it was entered. */
  amount: Units
  classId: number
  /** Undefined for the place of downloads and fees. */
  consignment_id: string | undefined
  /** A key of `taxKeys`. */
  key: string
}

type Taxer = (part: TaxedPart) => LineTax

function taxOfOne(amount: Units, classId: number, zones: TaxZones, basis: TaxBasis): LineTax {
  const [tax] = taxOf([{ amount, classId }], zones, basis)
  if (!tax) throw new Error('An amount has no tax.')
  return tax
}

function taxedLine(
  line: DiscountedLine,
  allocations: readonly PlacedUnits[],
  { taxer, costClasses }: Pick<ShippingParts, 'taxer' | 'costClasses'>,
): ResultLine {
  const { quantity, classId } = line
  const taxParts = (amount: Units) => {
    const amounts = divide(amount, allocations, quantity)
    return allocations.map((allocation, i) => {
      const { consignment_id } = allocation
      const part = { amount: amounts[i] ?? 0n, classId, consignment_id, key: taxKeys.part(line.id, consignment_id) }
      return { ...allocation, amount: part.amount, tax: taxer(part) }
    })
  }
  const taxWrapping = (amount: Units, consignment_id: string | undefined) => {
    const key = taxKeys.wrapping(line.id, consignment_id)
    return { amount, tax: taxer({ amount, classId: costClasses.wrapping, consignment_id, key }) }
  }
  // Without discounts all three amounts are the same, and are taxed once.
  const total = taxParts(line.total)
  const sale = line.sale === line.total ? total : taxParts(line.sale)
  const left = line.left === line.sale ? sale : taxParts(line.left)
  const wrapping = line.wrapping && divide(line.wrapping.amount, allocations, quantity)
  return {
    ...line,
    taxedTotal: addFine(total.map(({ tax }) => tax)),
    taxedSale: addFine(sale.map(({ tax }) => tax)),
    parts: left.map((part, i) => {
      const wrapped = wrapping?.[i]
      return { ...part, wrapping: wrapped === undefined ? undefined : taxWrapping(wrapped, part.consignment_id) }
    }),
  }
}

interface ShippingParts {
  shipping: Evaluation['shipping']
  taxer: Taxer
  decimals: number
  costClasses: TaxTables['costClasses']
}

function consignmentOf(
  input: CartDocument['consignments'][number],
  lines: ResultConsignment['lines'],
  { shipping, taxer, decimals, costClasses }: ShippingParts,
): ResultConsignment {
  const cost = unitsOf(input.option?.cost ?? 0)
  const coupons = shipping
    .filter(({ consignment_id }) => consignment_id === input.id)
    .map(({ code, amount }) => ({ code, amount }))
  const taxAt = (amount: Units) =>
    taxer({ amount, classId: costClasses.shipping, consignment_id: input.id, key: taxKeys.shipping(input.id) })
  const shippingTax = taxAt(cost - sumOf(coupons.map(({ amount }) => amount)))
  const handlingTax = taxer({
    amount: unitsOf(input.option?.handling_cost ?? 0),
    classId: costClasses.handling,
    consignment_id: input.id,
    key: taxKeys.handling(input.id),
  })
  return {
    input,
    lines,
    cost,
    shipping: rounded([taxAt(cost)], decimals),
    coupons,
    paid: rounded([shippingTax], decimals),
    handling: rounded([handlingTax], decimals),
    shippingTax,
    handlingTax,
  }
}

const addFine = (amounts: readonly FineTaxed[]): FineTaxed =>
  amounts.reduce((sum, { ex, inc }) => ({ ex: sum.ex + ex, inc: sum.inc + inc }), { ex: 0n, inc: 0n })

const addTaxed = (amounts: readonly Taxed[]): Taxed => ({
  ex: sumOf(amounts.map(({ ex }) => ex)),
  inc: sumOf(amounts.map(({ inc }) => inc)),
})

/** The sum of amounts, rounded once. */
function rounded(amounts: readonly FineTaxed[], decimals: number): Taxed {
  const { ex, inc } = addFine(amounts)
  return { ex: roundFine(ex, decimals), inc: roundFine(inc, decimals) }
}

/** Sums taxes by their names. They add up to the total: the largest one takes the rest of the rounding. */
function taxesByName(taxes: readonly LineTax[], total: Units, decimals: number): NamedTax[] {
  const fine = new Map<string, FineUnits>()
  for (const { rates } of taxes) {
    for (const { rate, amount } of rates) fine.set(rate.name, (fine.get(rate.name) ?? 0n) + amount)
  }
  const named = [...fine].map(([name, amount]) => ({ name, amount: roundFine(amount, decimals) }))
  const rest = total - sumOf(named.map(({ amount }) => amount))
  const largest = named.reduce<NamedTax | undefined>(
    (one, other) => (one && one.amount >= other.amount ? one : other),
    undefined,
  )
  if (largest) largest.amount += rest
  return named.filter(({ amount }) => amount !== 0n)
}
