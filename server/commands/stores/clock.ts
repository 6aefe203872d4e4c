import type { Command } from 'commander'
import type { Db } from '../../core/db/database.ts'
import type { Installation } from '../../process/installation.ts'
import { advanceClock, ClockRefusal, clearClock, clockOf, secondsIn, spanOf } from '../../stores/clocks/clocks.ts'
import { json, print, withStore } from '../command.ts'

/** `clock ...`: the clock of a test store. */
export function clockCommands(program: Command) {
  const clock = program.command('clock').description('the clock of a test store')

  clock
    .command('show <store>')
    .description('print how far the clock is ahead')
    .addOption(json)
    .action((hash: string, { json }: { json?: true }) =>
      withTestStore(hash, async (db) => {
        const clock = await clockOf(db)
        const state = clock.stands ? 'stands' : `is ${spanOf(clock.ahead_seconds)} ahead`
        print(clock, json, `The clock of store ${hash} ${state}: ${clock.time}.`)
      }),
    )

  clock
    .command('advance <store> <span>')
    .description('move the clock on by a span such as 90d or 1h30m, and wait for the work that is then due')
    .addOption(json)
    .action((hash: string, span: string, { json }: { json?: true }) =>
      withTestStore(hash, async (db, installation) => {
        const seconds = secondsIn(span)
        if (seconds === undefined) throw new ClockRefusal(`"${span}" is not a span such as 90d or 1h30m.`)
        const { waitingWork } = await import('../../doors/powers/clock.ts')
        const { upkeepOf } = await import('../../process/background.ts')
        const { config } = await import('../command.ts')
        const upkeep = upkeepOf(installation, config())
        const moved = await advanceClock(db, seconds, { ...installation, waiting: waitingWork, upkeep })
        const left = Object.entries(moved.left).map(([name, count]) => `${count} ${name}`)
        print(
          moved,
          json,
          `The clock of store ${hash} was moved on by ${spanOf(seconds)}: ${moved.time}.` +
            (left.length > 0 ? ` Due and not done: ${left.join(', ')}. Is a worker running?` : ''),
        )
      }),
    )

  clock
    .command('clear <store>')
    .description('set the clock back to that of the server; rows keep their times')
    .addOption(json)
    .action((hash: string, { json }: { json?: true }) =>
      withTestStore(hash, async (db) => {
        await clearClock(db)
        print({ hash }, json, `The clock of store ${hash} is that of the server.`)
      }),
    )
}

const withTestStore = (hash: string, work: (db: Db, installation: Installation) => Promise<void>) =>
  withStore(hash, (db, installation) => {
    if (!db.store.isTest) throw new Error(`Store ${hash} is a real store. Only the clocks of test stores can be moved.`)
    return work(db, installation)
  })
