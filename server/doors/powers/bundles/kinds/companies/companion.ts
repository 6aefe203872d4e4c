import type { Row } from '../../bundle.ts'
import { type BundleKind, only, rowsIn } from '../kind.ts'

/** The companion API, below the address of a server. */
export const API = '/b2b/api/v3/io'

/** Answers of a server or a store without this API, or without a feature of it. */
const ABSENT = [400, 401, 403, 404]

/** A kind of the companion API. */
export const companion = (kind: Omit<BundleKind, 'area' | 'absent'>): BundleKind => ({
  area: 'companies',
  absent: ABSENT,
  ...kind,
})

/** A row with the values of its extra fields in the form in which they are written. */
export const withExtraFields = (row: Row): Row => ({
  ...row,
  extraFields: rowsIn(row.extraFields).map((field) => only(field, ['fieldName', 'fieldValue'])),
})
