import { samples } from '../../../core/events/scopes.ts'

/** The scopes of hooks: each scope of events, and each family of scopes with an asterisk at its end. */
const subscribable = new Set([...samples.keys()].flatMap((scope) => [scope, ...families(scope)]))

/** Whether a hook may have this scope. A channel is a number, or an asterisk for all of them. */
export const isScope = (scope: string): boolean =>
  !scope.includes('{channel_id}') && (subscribable.has(scope) || subscribable.has(withoutChannel(scope)))

const withoutChannel = (scope: string) =>
  scope.replace(/^store\/channel\/(\d{1,16}|\*)(?=\/)/, 'store/channel/{channel_id}')

/**
 * The scopes of hooks that receive an event: its own scope, its families at every depth, and both again with an asterisk in
 * place of the channel's number.
 */
export function listening(scope: string): string[] {
  const anyChannel = scope.replace(/^store\/channel\/\d+(?=\/)/, 'store/channel/*')
  return [...new Set([scope, anyChannel].flatMap((spelled) => [spelled, ...families(spelled)]))]
}

/** `store/order/*` for `store/order/refund/created`, and `store/order/refund/*`; `store/*` is no family. */
function families(scope: string): string[] {
  const parts = scope.split('/')
  return parts.slice(2).map((_, i) => `${parts.slice(0, i + 2).join('/')}/*`)
}
