import { isObject } from '../../../core/objects.ts'
import type { Row } from './bundle.ts'

/** The values at a path such as `images[].image_url`. A missing field has none. */
export function valuesAt(row: unknown, path: string): unknown[] {
  const [field = '', ...rest] = path.split('.')
  const name = field.replace('[]', '')
  if (!isObject(row) || !(name in row)) return []
  const value = row[name]
  const values = field.endsWith('[]') ? (Array.isArray(value) ? value : []) : [value]
  return rest.length === 0 ? values : values.flatMap((each) => valuesAt(each, rest.join('.')))
}

/**
 * Replaces the values at a path. A value that becomes undefined is removed, also from a list.
 * @returns a copy of the row
 */
export function changeAt(row: Row, path: string, change: (value: unknown) => unknown): Row {
  const [field = '', ...rest] = path.split('.')
  const name = field.replace('[]', '')
  if (!(name in row)) return row
  const below = rest.join('.')
  const one = (value: unknown) => {
    if (below === '') return change(value)
    return isObject(value) ? changeAt(value, below, change) : value
  }
  const value = row[name]
  if (!field.endsWith('[]')) return { ...row, [name]: one(value) }
  if (!Array.isArray(value)) return row
  return { ...row, [name]: value.map(one).filter((each) => each !== undefined) }
}
