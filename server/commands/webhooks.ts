import type { Command } from 'commander'
import { trigger } from '../doors/webhooks/history/trigger.ts'
import { why } from '../doors/webhooks/history/why.ts'
import { json, print, withStore } from './command.ts'

/** `events ...` and `hooks ...`: publishes a sample event, and explains the outcome of an event. */
export function webhookCommands(program: Command) {
  program
    .command('events')
    .description('events of a store')
    .command('trigger <store> <scope>')
    .description('publish a sample event to every webhook of its scope')
    .option('--channel <number>', 'the channel, in a scope with a channel', '1')
    .addOption(json)
    .action(async (hash: string, scope: string, { channel, json }: { channel: string; json?: true }) =>
      withStore(hash, async (db) => {
        const event = await trigger(db, scope, channel)
        const published = `Event ${event.id} (${event.scope}) is published. To see its outcome, run:`
        print(event, json, `${published}\nstoreward hooks why ${hash} ${event.id}`)
      }),
    )

  program
    .command('hooks')
    .description('webhooks of a store')
    .command('why <store> <event-id>')
    .description('explain for each webhook the outcome of an event; its id is the webhook-id of a callback')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withStore(hash, async (db, { clock }) => {
        const found = await why(db, id, clock.now())
        if (!found)
          throw new Error(`The store ${hash} keeps no event "${id}": it never existed, or is more than 30 days old.`)
        const { event, hooks } = found
        const lines = hooks.map(
          ({ hook_id, scope, destination, sentence }) => `hook ${hook_id}  ${scope}  ${destination}\n  ${sentence}`,
        )
        const head = `${event.scope} of ${event.resource} at ${event.at}: ${event.data}`
        print(found, json, [head, ...(lines.length > 0 ? lines : ['The store has no webhooks.'])].join('\n'))
      }),
    )
}
