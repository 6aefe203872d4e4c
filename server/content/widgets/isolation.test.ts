import { describeIsolation } from '../../test/document/isolation.ts'
import { operationsOf } from '../../test/document/operations.ts'

describeIsolation(
  await operationsOf('/content/widget-templates', '/content/widgets', '/content/placements', '/content/page-widgets'),
)
