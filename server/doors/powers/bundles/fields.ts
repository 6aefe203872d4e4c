import { isObject } from '../../../core/objects.ts'
import type { Row } from './bundle.ts'
import type { BundleKind } from './kinds/kind.ts'

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

/** Changes a reference. @param kind of the other row; undefined removes the reference */
type RefChange = (kind: string, id: unknown, field: string) => unknown

/** Replaces the references of a row to other rows. @returns a copy of the row */
export function changeRefs(
  { refs = {}, refsAnywhere }: Pick<BundleKind, 'refs' | 'refsAnywhere'>,
  row: Row,
  change: RefChange,
): Row {
  const paths = Object.entries(typeof refs === 'function' ? refs(row) : refs)
  const changed = paths.reduce<Row>((one, [path, kind]) => changeAt(one, path, (id) => change(kind, id, path)), row)
  return refsAnywhere === undefined ? changed : changeNamed(changed, refsAnywhere, change)
}

function changeNamed(row: Row, names: Readonly<Record<string, string>>, change: RefChange): Row {
  const entries = Object.entries(row).map(([name, value]): [string, unknown] => {
    const kind = names[name]
    if (kind === undefined) return [name, changeBelow(value, names, change)]
    const one = (id: unknown) => change(kind, id, name)
    return [name, Array.isArray(value) ? value.map(one).filter((id) => id !== undefined) : one(value)]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function changeBelow(value: unknown, names: Readonly<Record<string, string>>, change: RefChange): unknown {
  if (Array.isArray(value)) return value.map((each) => changeBelow(each, names, change))
  return isObject(value) ? changeNamed(value, names, change) : value
}
