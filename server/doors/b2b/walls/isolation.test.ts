import { describeIsolation } from '../../../test/document/isolation.ts'
import { operationsOf } from '../../../test/document/operations.ts'

describeIsolation(await operationsOf('/v3/io', '/io'))
