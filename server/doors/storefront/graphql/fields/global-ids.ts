/** A global id: the name of the type and the id in base64, as public clients know it. */
export const globalId = (type: string, id: number | string) => Buffer.from(`${type}:${id}`).toString('base64')

/** The type and the id of a global id; undefined for any other text. */
export function readGlobalId(text: string): { type: string; id: number } | undefined {
  const [, type, id] = /^([A-Za-z]{1,40}):([1-9]\d{0,9})$/.exec(Buffer.from(text, 'base64').toString()) ?? []
  return type === undefined || Number(id) >= 2 ** 31 ? undefined : { type, id: Number(id) }
}

/** The id of a global id of this type; undefined for any other text. */
export const idOfType = (type: string) => (text: string) => {
  const found = readGlobalId(text)
  return found?.type === type ? found.id : undefined
}
