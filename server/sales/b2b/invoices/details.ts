import t from 'typebox'

// The details of an invoice: texts and amounts that an external system writes and reads. Nothing is calculated from them.

const LINES_MAX = 500

const TextLine = t.Optional(t.String({ maxLength: 1_000 }))
const CustomField = t.Object({ key: TextLine, value: TextLine }, { title: 'InvoiceCustomField' })

/** An amount with its currency, as the client wrote it. */
const WrittenMoney = t.Object(
  { code: t.String({ maxLength: 3 }), value: t.String({ maxLength: 40 }) },
  { title: 'InvoiceMoneyInput' },
)

const addressFields = {
  firstName: TextLine,
  lastName: TextLine,
  street1: TextLine,
  street2: TextLine,
  city: TextLine,
  state: TextLine,
  zipCode: TextLine,
  country: TextLine,
}
const InvoiceAddress = t.Object(
  { ...addressFields, customFields: t.Optional(t.Union([t.String({ maxLength: 1_000 }), CustomField])) },
  { title: 'InvoiceAddress' },
)

const CostLine = t.Object({ amount: WrittenMoney, description: TextLine }, { title: 'InvoiceCostLine' })
const Shipment = t.Object(
  {
    addressIndex: TextLine,
    shipDate: TextLine,
    shipVia: TextLine,
    trackingNumber: TextLine,
    comments: TextLine,
    customFields: t.Optional(CustomField),
  },
  { title: 'InvoiceShipment' },
)
const ItemLine = t.Object(
  {
    sku: t.String({ maxLength: 255 }),
    type: TextLine,
    comments: TextLine,
    quantity: t.String({ maxLength: 40 }),
    unitPrice: WrittenMoney,
    description: TextLine,
    customFields: t.Optional(CustomField),
    unitDiscount: t.Optional(WrittenMoney),
  },
  { title: 'InvoiceItem' },
)

export const InvoiceDetails = t.Object(
  {
    type: TextLine,
    header: t.Optional(
      t.Object(
        {
          costLines: t.Optional(t.Array(CostLine, { maxItems: LINES_MAX })),
          orderDate: t.Optional(t.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Unix seconds' })),
          billingAddress: t.Optional(InvoiceAddress),
          customerFields: t.Optional(CustomField),
          shippingAddresses: t.Optional(t.Array(InvoiceAddress, { maxItems: LINES_MAX })),
        },
        { title: 'InvoiceHeader' },
      ),
    ),
    details: t.Optional(
      t.Object(
        {
          shipments: t.Optional(t.Array(Shipment, { maxItems: LINES_MAX })),
          lineItems: t.Optional(t.Array(ItemLine, { maxItems: LINES_MAX })),
        },
        { title: 'InvoiceContents' },
      ),
    ),
  },
  { title: 'InvoiceDetails' },
)
