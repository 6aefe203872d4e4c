import { describeIsolation } from '../test/document/isolation.ts'
import { operationsOf } from '../test/document/operations.ts'

describeIsolation(await operationsOf('/customers', '/customer_groups', '/segments', '/shopper-profiles', '/wishlists'))
