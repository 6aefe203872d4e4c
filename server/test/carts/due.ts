import { attendDueCarts, type DueCartParts } from '../../sales/carts/time/due-carts.ts'
import { countPaidOrders } from '../../sales/orders/reading/paid-orders.ts'
import { theHouse } from '../fixtures/shop.ts'

// The worker of due carts, for tests that decide when it runs.

export const MINUTE = 60_000
export const DAY = 86_400_000
export const sites = { domain: 'shop.test', publicUrl: 'http://shop.test', allowsPorts: false }

/** The parts of the worker on the server of the tests. */
export async function dueCartParts(): Promise<DueCartParts> {
  const { clock, installation } = await theHouse()
  const { directory: stores, secrets } = installation
  return { stores, clock, secrets, sites, countOrders: countPaidOrders }
}

/** Moves the clock of the server, and attends the carts that are due then. */
export async function wait(ms: number) {
  const { clock } = await theHouse()
  clock.move(ms)
  await attendDueCarts(await dueCartParts())
}
