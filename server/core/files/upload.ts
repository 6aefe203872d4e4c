import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type {} from '../rest/bodies/bodies.ts'
import { parseJson } from '../rest/bodies/body.ts'
import type { HeldMemory } from '../rest/bodies/holdings.ts'
import { invalid, Problem } from '../rest/problem.ts'

const BOUNDARY_MAX = 70
const TEXTS_MAX = 20
// Longer texts are cut, and are then too long for any field.
const TEXT_BYTES_MAX = 256 * 1024

interface Form {
  bytes?: Buffer
  /** The name and the type that the client gives the file. */
  file?: { name: string; type: string }
  texts: Record<string, string>
}

/**
 * The bytes of the one file of a form.
 * @param field the name of the part. A form with another part, a second one or no part is refused with 422 at this field
 * @param bytesMax one byte more is 413
 */
export async function readUpload(request: FastifyRequest, field: string, bytesMax: number): Promise<Buffer> {
  const { bytes } = await readParts(request, field, bytesMax, 0)
  if (!bytes) throw invalid({ [field]: 'error.path.missing' })
  return bytes
}

/** A form of at most one file, and of texts by their names, in NFC as those of a JSON body. */
export async function readForm(request: FastifyRequest, field: string, bytesMax: number): Promise<Form> {
  const { bytes, file, texts } = await readParts(request, field, bytesMax, TEXTS_MAX)
  const normal = parseJson(Buffer.from(JSON.stringify(texts)))
  return {
    ...(bytes ? { bytes } : {}),
    ...(file ? { file } : {}),
    texts: Object.fromEntries(Object.entries(normal ?? {})),
  }
}

interface StreamedUpload<T> {
  field: string
  bytesMax: number
  /** Is called once, with the bytes of the file. */
  take(bytes: AsyncIterable<Uint8Array>): Promise<T>
  /** Reverts `take` if the rest of the form is refused. */
  undo(taken: T): Promise<void>
}

/** As `readUpload`, for a file of any size: passes it on as it arrives, and never has all of it in memory. */
export async function streamUpload<T>(
  request: FastifyRequest,
  { field, bytesMax, take, undo }: StreamedUpload<T>,
): Promise<T> {
  refuseLongBoundary(request)
  let taken: { value: T } | undefined
  try {
    for await (const part of request.parts({ limits: limitsOf(bytesMax, 0) })) {
      if (part.type !== 'file' || part.fieldname !== field || part.filename === '' || taken) {
        throw wrongParts(field, 0)
      }
      taken = { value: await take(untruncated(part.file, field)) }
    }
  } catch (error) {
    if (taken) await undo(taken.value)
    throw asProblem(error, field, 0)
  }
  if (!taken) throw invalid({ [field]: 'error.path.missing' })
  return taken.value
}

/** The file of a part, which the form's parser cuts off at its limit. */
type LimitedFile = AsyncIterable<Uint8Array> & { truncated: boolean; destroy(error: Error): unknown }

/** The bytes of a part. If the form's parser has cut it off at its limit, the answer is 413. */
async function* untruncated(file: LimitedFile, field: string) {
  yield* file
  if (file.truncated) throw tooLarge(field)
}

const limitsOf = (bytesMax: number, textsMax: number) => ({
  fileSize: bytesMax,
  files: 2,
  fields: textsMax + 2,
  parts: textsMax + 3,
  fieldNameSize: 100,
  fieldSize: textsMax === 0 ? 1_000 : TEXT_BYTES_MAX,
  headerPairs: 20,
})

async function readParts(request: FastifyRequest, field: string, bytesMax: number, textsMax: number): Promise<Form> {
  refuseLongBoundary(request)
  const form: Form = { texts: {} }
  let file: LimitedFile | undefined
  let refusal: Problem | undefined
  const holding = request.server.bodies.beginForm(request, (problem) => {
    refusal = problem
    file?.destroy(problem)
  })
  try {
    for await (const part of request.parts({ limits: limitsOf(bytesMax, textsMax) })) {
      if (part.type !== 'file' && textsMax > 0 && part.fieldname !== field) {
        form.texts[part.fieldname] = String(part.value)
        holding.grow(String(part.value).length)
        if (refusal) throw refusal
        continue
      }
      // A browser sends an empty name if no file was chosen.
      if (part.type !== 'file' || part.fieldname !== field || part.filename === '' || form.bytes) {
        throw wrongParts(field, textsMax)
      }
      file = part.file
      form.bytes = await bytesOf(file, field, holding)
      form.file = { name: part.filename, type: part.mimetype }
    }
  } catch (error) {
    throw asProblem(error, field, textsMax)
  } finally {
    holding.end()
  }
  return form
}

async function bytesOf(file: LimitedFile, field: string, holding: Pick<HeldMemory, 'grow'>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of untruncated(file, field)) {
    chunks.push(chunk)
    holding.grow(chunk.length)
  }
  return Buffer.concat(chunks)
}

const wrongParts = (field: string, textsMax: number) =>
  invalid({
    [field]:
      textsMax === 0
        ? `The form must have one part, the file ${field}.`
        : `The form must have the file ${field} and at most ${textsMax} texts.`,
  })

/** RFC 2046 section 5.1.1; the form's parser takes any. */
function refuseLongBoundary({ headers }: FastifyRequest) {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(headers['content-type'] ?? '') ?? []
  if ((quoted ?? bare ?? '').length <= BOUNDARY_MAX) return
  throw malformed(`The boundary has more than ${BOUNDARY_MAX} characters.`)
}

const tooLarge = (field: string) => new Problem(413, `The file ${field} is too large.`)

const malformed = (detail: string) => new Problem(400, 'The form is not well formed.', {}, { detail })

/** An error of the form's parser without a status means a malformed form: no boundary, no end, a broken header. */
function asProblem(error: unknown, field: string, textsMax: number): Problem {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(field)
  if (typeof code === 'string' && code.endsWith('_LIMIT')) return wrongParts(field, textsMax)
  return malformed(error instanceof Error ? error.message : '')
}
