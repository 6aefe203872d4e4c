import pg from 'pg'

const { builtins } = pg.types

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT2, Number],
  [builtins.INT4, Number],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.BOOL, (text) => text === 't'],
  [builtins.JSON, JSON.parse],
  [builtins.JSONB, JSON.parse],
  [builtins.TIMESTAMPTZ, toWireTime],
])

/** `2025-01-02 03:04:05+00` (the session's zone is UTC) to `2025-01-02T03:04:05Z`, as the wire wants it. */
function toWireTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

const asText = (text: string) => text

/**
 * Column text to the value on the wire, so that a row needs no mapper. Wire columns are int, bigint, numeric, boolean,
 * text, timestamptz and jsonb. Amounts keep 15 digits, which a JavaScript number holds.
 */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? asText,
}

const jsonWriters = new Map<number, (text: string) => string>([
  [builtins.INT2, asText],
  [builtins.INT4, asText],
  [builtins.INT8, asText],
  [builtins.NUMERIC, asText],
  [builtins.BOOL, (text) => (text === 't' ? 'true' : 'false')],
  [builtins.JSON, asText],
  [builtins.JSONB, asText],
  [builtins.TIMESTAMPTZ, (text) => `"${toWireTime(text)}"`],
])

/** Column text to the same value as JSON text: for lists, which are handed on without being looked at. */
export const jsonTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => jsonWriters.get(oid) ?? JSON.stringify,
}
