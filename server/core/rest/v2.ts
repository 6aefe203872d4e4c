import t from 'typebox'
import { VERSION } from '../version.ts'
import type { Api } from './api.ts'
import type { ListQuery } from './collection.ts'
import { paging } from './paging.ts'
import type { Problem } from './problem.ts'

/** Every error below `/v2`, as old clients read it: the first element and its `message`. */
export const ProblemListV2 = t.Array(
  t.Object({
    status: t.Integer(),
    message: t.String(),
    details: t.Optional(t.Record(t.String(), t.String())),
  }),
  { title: 'ProblemListV2' },
)

/** What `/v2` says of a refusal: what fails a validation is 400 there (docs/contract/conventions.md section 13). */
export function refusalV2({ status, message, errors }: Problem) {
  const said = status === 422 ? 400 : status
  return {
    status: said,
    body: [{ status: said, message, ...(Object.keys(errors).length > 0 ? { details: errors } : {}) }],
  }
}

/** The query of a list below `/v2`. Names that it does not know are ignored: old clients know no other. */
export const pageV2 = t.Unsafe<ListQuery>(t.Object(paging))

/** A time as `/v2` writes it: `Tue, 12 Jun 2018 14:41:56 +0000`. @param moment as rows have it */
export const dateV2 = (moment: string): string => new Date(moment).toUTCString().replace('GMT', '+0000')

const SUFFIXED = /^(\/stores\/[^/?]+\/v2\/[^?]*[^/?])\.json\/?(?=\?|$)/

/** The address without the suffix that every path below `/v2` may have; any other address as it is. */
export const withoutSuffix = (url: string): string => (url.includes('.json') ? url.replace(SUFFIXED, '$1') : url)

/**
 * The headers of answers below `/v2`: the version of the product, and the path that was meant where the suffix was sent.
 * @param prefix of the contract's own headers
 */
export function headersV2(app: Api, prefix: string) {
  app.addHook('onRequest', ({ url, originalUrl }, reply, done) => {
    reply.header(`${prefix}-store-version`, VERSION)
    if (url !== originalUrl) reply.header('content-location', url.split('?')[0])
    done()
  })
}
