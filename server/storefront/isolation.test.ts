import { describeIsolation } from '../test/isolation.ts'
import { operationsOf } from '../test/operations.ts'

describeIsolation(await operationsOf('/storefront'))
