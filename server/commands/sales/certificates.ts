import type { Command } from 'commander'
import { json, print, table, withStore } from '../command.ts'

/** `certificate ...`: the gift certificates of a store. */
export function certificateCommands(program: Command) {
  const certificate = program.command('certificate').description('gift certificates of a store')

  certificate
    .command('show <store> <certificate>')
    .description('print the history of a gift certificate, by its id or its code; a deleted one has its id only')
    .addOption(json)
    .action(async (hash: string, idOrCode: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { historyOf } = await import('../../sales/promotions/certificate-balance.ts')
        const history = await historyOf(db, idOrCode, new Date())
        if (!history) throw new Error(`The store ${hash} has no gift certificate ${idOrCode}.`)
        const { id, certificate, changes } = history
        const state = certificate
          ? `${certificate.code}, ${certificate.status}, ${money(certificate.balance)} of ${money(certificate.amount)} ${certificate.currency_code}`
          : 'deleted'
        const rows = changes.map(({ changed_at, cause, order_id, change, balance }) => [
          new Date(changed_at).toISOString(),
          cause,
          order_id === 0 ? '' : String(order_id),
          money(change),
          money(balance),
        ])
        const text = table(['TIME', 'CAUSE', 'ORDER', 'CHANGE', 'BALANCE'], rows)
        print(history, json, `The gift certificate ${id}: ${state}\n\n${text}`)
      }),
    )
}

const money = (amount: number): string => amount.toFixed(4)
