import type { SoldProduct } from '../../goods/catalog/sold.ts'

/** The product `n` of an example, as the catalog sells it. */
export const sold = (n: number): SoldProduct => ({
  variants: [
    {
      product_id: n,
      variant_id: n,
      name: `Product ${n}`,
      type: 'physical',
      sku: '',
      upc: '',
      bin_picking_number: '',
      fixed_cost_shipping_price: 0,
      cost_price: 0,
      brand: '',
      weight: 1,
      width: 0,
      height: 0,
      depth: 0,
      option_values: [],
    },
  ],
  modifiers: [],
  optionTypes: new Map(),
})
