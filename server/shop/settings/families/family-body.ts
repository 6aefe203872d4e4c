import t, { type TProperties, type TSchema } from 'typebox'
import { isObject } from '../../../core/objects.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { bodyReader } from '../../../core/rest/input/validator.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import type { SettingsFamily, Values } from './family.ts'

/**
 * Makes the function that checks the body of a PUT of a family. The store's values are sent in part, but for those
 * that the family requires; those of a channel whole, or as null for all of them (docs/contract/settings.md section 1).
 * @returns a function that throws Problem 422 with all failing fields, 413 for a list over its maximum, 400 for nothing. If it is
 *   strict, unknown fields are failing ones too.
 */
export function settingsBodyReader({ writable, ownable, required = [], aliases = {} }: SettingsFamily) {
  const readStores = bodyReader(inPart(writable, required))
  const readChannels = bodyReader(t.Object(ownable))
  return (body: unknown, { isOfChannel, isStrict }: { isOfChannel: boolean; isStrict: boolean }): unknown => {
    const fields = isOfChannel ? ownable : writable
    const given = isObject(body) ? renamed(body, aliases) : body
    if (isObject(given)) {
      refuseLongLists(given, fields)
      if (isOfChannel && isRemoval(given, fields)) return given
    }
    try {
      return isOfChannel ? readChannels(given, isStrict) : readStores(given, isStrict)
    } catch (error) {
      throw error instanceof Problem ? explained(error, given, fields, isOfChannel) : error
    }
  }
}

/** Whether all that a channel can have of its own is null: then its own values are taken away. */
const isRemoval = (body: Values, ownable: TProperties): boolean =>
  Object.keys(ownable).every((field) => body[field] === null)

/** The fields that are required and any of the others, and of a field that is an object any part. */
function inPart(fields: TProperties, required: readonly string[]) {
  const some = mapFields(fields, partOf)
  return t.Object({ ...t.Partial(t.Object(some)).properties, ...t.Pick(t.Object(some), [...required]).properties })
}

/** Any part of a field that is an object. */
export const partOf = (field: TSchema): TSchema => (t.IsObject(field) ? t.Partial(field) : field)

export const mapFields = (fields: TProperties, change: (field: TSchema) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))

/** The body with the names that its fields are answered by. A field that is there under both keeps its own. */
function renamed(body: Values, aliases: Readonly<Record<string, string>>): Values {
  const meant = Object.entries(aliases).flatMap(([alias, field]) => (alias in body ? [[field, body[alias]]] : []))
  const others = Object.entries(body).filter(([name]) => !Object.hasOwn(aliases, name))
  return meant.length === 0 ? body : Object.fromEntries([...meant, ...others])
}

function refuseLongLists(body: Values, fields: TProperties) {
  for (const [name, { maxItems = Number.POSITIVE_INFINITY }] of Object.entries<{ maxItems?: number }>(fields)) {
    const list = body[name]
    if (Array.isArray(list) && list.length > maxItems) {
      throw new Problem(413, `${name} must have at most ${maxItems} entries.`)
    }
  }
}

/** A refusal with the additional sentences of families of settings. */
function explained(
  { status, message, errors, detail }: Problem,
  body: unknown,
  fields: TProperties,
  isOfChannel: boolean,
) {
  // Invalid values are also reported without a field, which public clients read.
  const wrong = choicesIn(fields).flatMap((path) => (errors[path]?.startsWith('error.') ? [] : (errors[path] ?? [])))
  const reported: Mistakes = wrong.length > 0 ? { '': wrong.join('; '), ...errors } : { ...errors }
  const isNull = (field: string) => isOfChannel && isObject(body) && body[field] === null
  for (const field of Object.keys(fields).filter(isNull)) {
    reported[field] = `${field} can't be null alone: where all fields are null, the channel has no values of its own.`
  }
  return status === 422 ? invalid(reported) : new Problem(status, message, reported, { detail })
}

/** The paths of the fields that are one of several words. */
const choicesIn = (fields: TProperties): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (t.IsObject(field)) return choicesIn(field.properties).map((inner) => `${name}.${inner}`)
    return t.IsEnum(field) ? [name] : []
  })
