import type { Tx } from '../../core/db/database.ts'
import type { Api } from '../../core/rest/api.ts'
import { lockIdsShared } from '../../core/rest/batch.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { customers } from '../../customers/row/shape.ts'
import { lockProductsShared } from '../../goods/catalog/product-row/shape.ts'
import { openFirstClasses, type ProductsOfClasses, taxClassRoutes } from './classes/classes.ts'
import { taxClassRoutesV2 } from './classes/classes-v2.ts'
import { connectionTrial } from './estimates/connection-trial.ts'
import type { Estimates } from './estimates/estimates.ts'
import { taxPropertyRoutes } from './properties/properties.ts'
import { propertyValueRoutes } from './properties/values.ts'
import { taxConnectionRoutes } from './providers/connections.ts'
import { taxSettingsRoutes } from './settings.ts'
import { zoneCheckRoutes } from './zone-check.ts'
import { taxRateRoutes } from './zones/rates.ts'
import { openFirstZone, taxZoneRoutes } from './zones/zones.ts'

interface Parts {
  products: ProductsOfClasses
  secrets: Pick<Secrets, 'seal'>
  estimates: Estimates
}

/** Tax: classes, zones, rates, settings, properties, connections of tax providers. */
export function taxRoutes(api: Api, { products, secrets, estimates }: Parts) {
  taxClassRoutes(api, products)
  taxZoneRoutes(api)
  taxRateRoutes(api)
  zoneCheckRoutes(api)
  taxSettingsRoutes(api)
  taxConnectionRoutes(api, { secrets, tryConnection: connectionTrial(estimates, () => api.clock.now()) })
  taxPropertyRoutes(api)
  propertyValueRoutes(api, {
    noun: 'customer',
    path: '/tax/customers',
    needsFilter: false,
    type: 'CUSTOMER',
    table: 'customer_tax_properties',
    lockShared: (tx, ids) => lockIdsShared(tx, customers, ids),
  })
  propertyValueRoutes(api, {
    noun: 'product',
    path: '/tax/products/properties',
    needsFilter: true,
    type: 'PRODUCT',
    table: 'product_tax_properties',
    lockShared: lockProductsShared,
  })
}

/** The part of it that clients of the older family ask for. */
export function taxRoutesV2(api: Api) {
  taxClassRoutesV2(api)
}

/** Gives a new store its first classes and its first zone. */
export async function openTax(tx: Tx) {
  await openFirstClasses(tx)
  await openFirstZone(tx)
}
