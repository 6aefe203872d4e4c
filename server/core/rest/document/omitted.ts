import t, { type TSchema } from 'typebox'

/** The parts of the schema of an object. */
interface Fields {
  properties?: Record<string, TSchema>
  required?: string[]
}

export const OMITTED_KEPT = 'Fields that the body omits keep their values.'

/** Words with which the description of a route says itself how it treats fields that a body omits. */
const SAID =
  /\bomits?\b|leaves? out|left out|not sent|[Mm]issing|Absent|[Oo]ther (items|fields)|given fields|Exactly one|Either both|replaces? (both|all|the former)/i

/**
 * The sentence on fields that the body of a PUT omits, from the body itself: where it needs no field but ids, it is a part of the resource, and the
 * rest stays. The test `omitted.test.ts` sends such bodies to a server. Bodies that need fields mark these as required.
 * @param said the description of the route, which counts more
 */
export function omittedSentence(method: string, body: TSchema | undefined, said = ''): string | undefined {
  if (method !== 'PUT' || !body || SAID.test(said)) return undefined
  const { properties = {}, required = [] } = fieldsOf(body)
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return optional.length > 1 && required.every(isId) ? OMITTED_KEPT : undefined
}

const isId = (name: string) => name === 'id' || name.endsWith('_id')

/** The fields of a body, of the items of a list, or of the first choice. */
function fieldsOf(body: TSchema): Fields {
  if (t.IsArray(body)) return fieldsOf(body.items)
  if (t.IsUnion(body)) return fieldsOf(body.anyOf[0] ?? t.Object({}))
  return body
}
