import { describeIsolation } from '../test/isolation.ts'
import { operationsOf } from '../test/operations.ts'

describeIsolation(await operationsOf('/orders', '/order_statuses', '/payments'))
