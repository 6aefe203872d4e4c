import type { Tx } from '../../core/db/database.ts'
import { lock } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { type Channel, channels } from '../channels/channels.ts'

/**
 * Whether a channel can show themes: storefronts of ours, and custom ones. It stays locked until the transaction ends, so that it
 * does not get two themes at once.
 */
export async function lockThemeChannel(tx: Tx, id: number): Promise<boolean> {
  const channel = await lockChannel(tx, id)
  return (
    channel !== undefined &&
    channel.type === 'storefront' &&
    (channel.platform === 'bigcommerce' || channel.platform === 'custom') &&
    channel.status !== 'deleted' &&
    channel.status !== 'terminated'
  )
}

async function lockChannel(tx: Tx, id: number): Promise<Channel | undefined> {
  try {
    return await lock(tx, channels, id)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}
