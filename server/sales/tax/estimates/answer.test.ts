import { describe, expect, test } from 'vitest'
import { roundFine } from '../../../core/money/fine.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { saleClasses, saleItem, saleOf } from '../../../test/fixtures/sales.ts'
import { answerTo } from '../../../test/servers/tax-server.ts'
import type { LineTax } from '../calculation/tax-of.ts'
import { readAnswer, taxesByAnswer } from './answer.ts'
import { digestOf, documentOf } from './document.ts'
import { fixedTaxOf } from './fallback.ts'
import { linesOfSale, type Sale } from './sale.ts'

const wrapping = { id: 'w1', name: 'Paper', amount: unitsOf(2.5) }
const basis = { subtractsStoreTax: true, roundsRates: true, decimals: 2 }
const taxes = (lines: readonly Pick<LineTax, 'tax'>[]) => lines.map(({ tax }) => amountOf(roundFine(tax, 4)))
const pays = (lines: readonly Pick<LineTax, 'inc'>[]) => lines.map(({ inc }) => amountOf(roundFine(inc, 2)))

describe('the document of a sale', () => {
  test('has all fields of the contract', () => {
    const item = saleItem({ wrapping, upc: '0123', tax_properties: { colour: 'red' } })
    const customer = { id: 5, group_id: 2, taxability_code: 'EXEMPT', tax_properties: { vat: 'DE1' } }
    const line = { item_code: '', item_reference: '', tax_exempt: false, tax_properties: [], quantity: 1 }
    const exclusive = (amount: number) => ({ amount, tax_inclusive: false })
    const address = { line1: '', line2: '', city: '', company_name: '', type: 'RESIDENTIAL' }
    const us = { country_code: 'US', country_name: 'United States', postal_code: '' }
    const shipping = { code: '', class_id: '2', name: 'Shipping' }
    expect(documentOf(saleOf({ customer }, [item]), saleClasses)).toEqual({
      id: '7',
      currency_code: 'USD',
      customer: {
        customer_id: '5',
        customer_group_id: '2',
        taxability_code: 'EXEMPT',
        tax_properties: [{ code: 'vat', value: 'DE1' }],
      },
      transaction_date: '2026-01-02T03:04:05.000Z',
      documents: [
        {
          id: '1',
          billing_address: { ...address, ...us, region_name: '', region_code: '' },
          origin_address: { ...address, ...us, region_name: 'New York', region_code: 'NY' },
          destination_address: {
            ...address,
            ...us,
            city: 'Beverly Hills',
            region_name: 'California',
            region_code: 'CA',
            postal_code: '90210',
          },
          items: [
            {
              ...line,
              id: '1',
              type: 'item',
              name: 'Lamp',
              item_code: '0123',
              item_reference: 'LAMP',
              quantity: 2,
              price: exclusive(80),
              tax_class: { code: '', class_id: '0', name: 'Default Tax Class' },
              tax_properties: [{ code: 'colour', value: 'red' }],
              wrapping: {
                ...line,
                id: 'w1',
                type: 'wrapping',
                name: 'Paper',
                price: exclusive(2.5),
                tax_class: { code: '', class_id: '3', name: 'Gift Wrapping' },
              },
            },
          ],
          shipping: {
            ...line,
            id: 'shipping-1',
            type: 'shipping',
            name: 'Shipping',
            price: exclusive(10),
            tax_class: shipping,
          },
          handling: {
            ...line,
            id: 'handling-1',
            type: 'handling',
            name: 'Handling',
            price: exclusive(0),
            tax_class: shipping,
          },
        },
      ],
    })
  })

  test('exempts gift certificates and refunds of the order, and names a guest 0', () => {
    const items = [
      saleItem({ classId: undefined }),
      saleItem({ id: '2', type: 'refund', amount: unitsOf(-5), classId: undefined }),
    ]
    const document = documentOf(saleOf({}, items), saleClasses)
    expect(document.customer).toMatchObject({ customer_id: '0', customer_group_id: '0' })
    expect(document.documents[0]?.items).toMatchObject([
      { tax_exempt: true, type: 'item' },
      { tax_exempt: true, type: 'refund', price: { amount: -5 } },
    ])
  })

  test('has the same digest for another id and hour, not for another day or amount', () => {
    const digest = (sale: Sale) => digestOf(documentOf(sale, saleClasses))
    const digital = (id: string) =>
      saleOf({ id, consignments: saleOf().consignments.map((one) => ({ ...one, id: `DigitalDelivery_${id}` })) })
    expect(digest(saleOf({ id: '8', date: new Date('2026-01-02T23:59:59Z') }))).toBe(digest(saleOf()))
    expect(digest(digital('a'))).toBe(digest(digital('b')))
    expect(digest(saleOf({ date: new Date('2026-01-03T00:00:00Z') }))).not.toBe(digest(saleOf()))
    expect(digest(saleOf({}, [saleItem({ amount: unitsOf(80.01) })]))).not.toBe(digest(saleOf()))
  })
})

describe('the answer of a tax provider', () => {
  const document = documentOf(saleOf({}, [saleItem({ wrapping })]), saleClasses)
  type Answer = ReturnType<typeof answerTo>
  const priced = (more: object, text = JSON.stringify(answerTo(document))) => {
    const answer: Answer = JSON.parse(text)
    Object.assign(answer.documents[0]?.items[0]?.price ?? {}, more)
    return answer
  }

  test('is read line by line, in the order of the sale', () => {
    const answer = readAnswer(document, answerTo(document))
    expect(answer?.id).toBe('7')
    const lines = taxesByAnswer(answer ?? { lines: [] }, [unitsOf(80), unitsOf(2.5), unitsOf(10), 0n], false)
    expect(taxes(lines)).toEqual([6.4, 0.2, 0.8, 0])
    expect(pays(lines)).toEqual([86.4, 2.7, 10.8, 0])
    expect(lines[0]?.rates).toMatchObject([{ rate: { name: 'State', percent: unitsOf(8) } }])
  })

  test('takes the total tax as it is sent, and the names of its summary', () => {
    const summary = (...amounts: number[]) => amounts.map((amount, i) => ({ name: `Tax ${i}`, rate: 0.1, amount }))
    const taxesOf = (more: object) => {
      const lines = taxesByAnswer(readAnswer(document, priced(more)) ?? { lines: [] }, [unitsOf(80)], false)
      return lines[0]?.rates.map(({ rate, amount }) => [rate.name, amountOf(roundFine(amount, 4))])
    }
    expect(taxesOf({ sales_tax_summary: summary(6, 0.4) })).toEqual([
      ['Tax 0', 6],
      ['Tax 1', 0.4],
    ])
    expect(taxesOf({ sales_tax_summary: summary(6, 0.39) })).toEqual([
      ['Tax 0', 6.01],
      ['Tax 1', 0.39],
    ])
    expect(taxesOf({ sales_tax_summary: summary(6, 5) })).toEqual([['Tax 0', 6.4]])
    expect(taxesOf({ sales_tax_summary: [] })).toEqual([['Tax', 6.4]])
    expect(taxesOf({ amount_inclusive: 86.41 })).toEqual([['State', 6.4]])
  })

  const text = JSON.stringify(answerTo(document))
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'tax'],
    ['no documents', { id: '7' }],
    ['V8: a total tax that is off by 0.02', priced({ total_tax: 6.42 })],
    ['one that is off by more than 0.01', priced({ amount_inclusive: 86.4101 })],
    ['1e400', JSON.parse(text.replace('"total_tax":6.4', '"total_tax":1e400'))],
    ['an amount as text', priced({ total_tax: '6.4' })],
    ['a huge amount', priced({ total_tax: 1e12, amount_inclusive: 1e12 + 80 })],
    ['negative tax', priced({ total_tax: -6.4, amount_inclusive: 73.6 })],
    ['a missing tax', priced({ total_tax: null })],
    ['another document', JSON.parse(text.replace('"documents":[{"id":"1"', '"documents":[{"id":"2"'))],
    ['another item', JSON.parse(text.replace('"items":[{"id":"1"', '"items":[{"id":"2"'))],
    ['another wrapping', JSON.parse(text.replace('"id":"w1"', '"id":"w2"'))],
    ['no wrapping', JSON.parse(text.replace(/"wrapping":\{.*?\}\]\}\}/, '"wrapping":null'))],
    [
      'one document twice',
      { ...answerTo(document), documents: [...answerTo(document).documents, ...answerTo(document).documents] },
    ],
    [
      'one item twice',
      {
        id: '7',
        documents: answerTo(document).documents.map((one) => ({ ...one, items: [...one.items, ...one.items] })),
      },
    ],
    ['other shipping', JSON.parse(text.replace('"id":"shipping-1"', '"id":"shipping"'))],
  ])('does not count with %s', (_, body) => {
    expect(readAnswer(document, body)).toBeUndefined()
  })

  test('does not count with tax on an exempt line', () => {
    const exempt = documentOf(saleOf({}, [saleItem({ classId: undefined })]), saleClasses)
    expect(readAnswer(exempt, answerTo(exempt))).toBeDefined()
    expect(readAnswer(exempt, answerTo(documentOf(saleOf(), saleClasses)))).toBeUndefined()
  })

  test('does not count with more tax than an amount that contains it', () => {
    const inclusive = documentOf(saleOf({ isInclusive: true }), saleClasses)
    const taxed = (total_tax: number) =>
      readAnswer(
        inclusive,
        answerTo(inclusive, '7', ({ price: { amount } }) => ({
          amount_inclusive: amount,
          amount_exclusive: amount - Math.min(total_tax, amount + 1),
          total_tax: Math.min(total_tax, amount + 1),
        })),
      )
    expect(taxed(0)).toBeDefined()
    expect(taxed(80)).toBeUndefined()
  })
})

describe('the fall-back FIXED', () => {
  test.each<[string, Sale, number[], number[]]>([
    ['X6: is added to prices without tax', saleOf(), [8, 1, 0], [88, 11, 0]],
    [
      'X7: is part of prices with tax',
      saleOf({ isInclusive: true }, [saleItem({ amount: unitsOf(110) })]),
      [10, 0.91, 0],
      [110, 10, 0],
    ],
    ['leaves out things without tax', saleOf({}, [saleItem({ classId: undefined })]), [0, 1, 0], [80, 11, 0]],
  ])('%s', (_, sale, tax, inc) => {
    const lines = fixedTaxOf(sale, basis, saleClasses.costClasses)
    expect(taxes(lines)).toEqual(tax)
    expect(pays(lines)).toEqual(inc)
    expect(lines).toHaveLength(linesOfSale(sale, saleClasses.costClasses).length)
  })
})
