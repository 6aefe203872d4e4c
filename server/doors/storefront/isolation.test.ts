import { describeIsolation } from '../../test/document/isolation.ts'
import { operationsOf } from '../../test/document/operations.ts'

describeIsolation(
  await operationsOf(
    '/storefront/api-token',
    '/storefront/api-token-customer-impersonation',
    '/storefront/api-token-private',
  ),
)
