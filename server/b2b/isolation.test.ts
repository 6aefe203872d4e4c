import { describeIsolation } from '../test/isolation.ts'
import { operationsOf } from '../test/operations.ts'

describeIsolation(await operationsOf('/v3/io', '/io'))
