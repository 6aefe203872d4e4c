import { Problem } from '../../../core/rest/problem.ts'

/** A refusal whose `meta.message` is its own sentence. Others have a message for their status (docs/contract/b2b.md section 2). */
export class MessageProblem extends Problem {}

export const PERMISSION_DENIED = 'Permission denied'

/** The refusal of a sales representative (docs/contract/companies.md section 5). */
export const denied = () => new MessageProblem(403, PERMISSION_DENIED)
