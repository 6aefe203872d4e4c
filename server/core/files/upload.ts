import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalid, Problem } from '../rest/problem.ts'

const BOUNDARY_MAX = 70

/**
 * The bytes of the one file of a form.
 * @param field name of the part; a form with another part, a second one or none is 422 at this field
 * @param bytesMax one byte more is 413
 */
export async function readUpload(request: FastifyRequest, field: string, bytesMax: number): Promise<Buffer> {
  refuseLongBoundary(request)
  let bytes: Buffer | undefined
  try {
    const limits = {
      fileSize: bytesMax,
      files: 2,
      fields: 2,
      parts: 3,
      fieldNameSize: 100,
      fieldSize: 1_000,
      headerPairs: 20,
    }
    for await (const part of request.parts({ limits })) {
      // An empty name is how a browser says that no file was chosen.
      if (part.type !== 'file' || part.fieldname !== field || part.filename === '' || bytes) {
        throw invalid({ [field]: `The form must have one part, the file ${field}.` })
      }
      bytes = await part.toBuffer()
    }
  } catch (error) {
    throw asProblem(error, field)
  }
  if (!bytes) throw invalid({ [field]: 'error.path.missing' })
  return bytes
}

/** RFC 2046 section 5.1.1; the form's parser takes any. */
function refuseLongBoundary({ headers }: FastifyRequest) {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(headers['content-type'] ?? '') ?? []
  if ((quoted ?? bare ?? '').length <= BOUNDARY_MAX) return
  throw malformed(`The boundary has more than ${BOUNDARY_MAX} characters.`)
}

const malformed = (detail: string) => new Problem(400, 'The form is not well formed.', {}, { detail })

/** What the form's parser refuses without a status is a form that is not well formed: no boundary, no end, a broken header. */
function asProblem(error: unknown, field: string): Problem {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new Problem(413, `The file ${field} is too large.`)
  if (typeof code === 'string' && code.endsWith('_LIMIT')) {
    return invalid({ [field]: `The form must have one part, the file ${field}.` })
  }
  return malformed(error instanceof Error ? error.message : '')
}
