import { describeIsolation } from '../../test/document/isolation.ts'
import { operationsOf } from '../../test/document/operations.ts'

describeIsolation(await operationsOf('/settings', '/store', '/countries', '/abandoned-carts'))
