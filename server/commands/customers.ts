import type { Command } from 'commander'
import type { Db } from '../core/db/database.ts'
import { publicUrlOf } from '../process/config.ts'
import { filesOf } from '../process/files.ts'
import type { Installation } from '../process/installation.ts'
import type { Cell } from '../stores/directory/directory.ts'
import { deleteRequests, requestsWith } from '../stores/requests/search.ts'
import { config, json, print, withStore } from './command.ts'

/** `customer ...`: the data of one person in a store. */
export function customerCommands(program: Command) {
  const customer = program.command('customer').description('the data of one customer')

  customer
    .command('export <store> <customer>')
    .description('export all data of a customer as JSON, for a person who requests it')
    .action(async (hash: string, id: string) =>
      withStore(hash, async (db, installation) => {
        const { exportCustomer } = await import('../customers/privacy/personal-data.ts')
        const { exportOrders } = await import('../sales/orders/row/personal-data.ts')
        const exported = await exportCustomer(db, customerNumber(id))
        const { exportBuyer } = await import('../doors/b2b/customers/personal-data.ts')
        const { exportCarts } = await import('../sales/carts/changes/personal-data.ts')
        const orders = await exportOrders(db, exported.customer)
        const carts = await exportCarts(db, exported.customer)
        console.log(
          JSON.stringify(
            {
              ...exported,
              orders,
              carts,
              ...(await exportBuyer(db, exported.customer)),
              requests: await requestsWith(
                await cellOf(installation, db),
                db.store.id,
                textsOf(exported.customer.email),
              ),
            },
            null,
            2,
          ),
        )
      }),
    )

  customer
    .command('erase <store> <customer>')
    .description('delete a customer and all other personal data; data that bookkeeping needs is kept and listed')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withStore(hash, async (db, installation) => {
        const settings = config()
        const files = await filesOf(settings, publicUrlOf(settings, settings.port), installation)
        const { eraseCustomer } = await import('../customers/privacy/personal-data.ts')
        const { KEPT_ORDERS } = await import('../sales/orders/row/personal-data.ts')
        const { KEPT_TAX_DOCUMENTS } = await import('../sales/tax/submissions/personal-data.ts')
        const { KEPT_USES } = await import('../sales/promotions/uses/personal-data.ts')
        const { eraseFromQuotes, KEPT_COMPANIES, KEPT_QUOTES } = await import('../doors/b2b/customers/personal-data.ts')
        const { leaveCompanies } = await import('../doors/b2b/customers/deleted-customers.ts')
        const { findOne } = await import('../core/rest/lists/verbs.ts')
        const { customers } = await import('../customers/row/shape.ts')
        const { eraseCarts } = await import('../sales/carts/changes/personal-data.ts')
        const person = await findOne(db, customers, customerNumber(id))
        const carts = await eraseCarts(db, person)
        const quotes = await eraseFromQuotes(db, files, person)
        const { kept, ...removed } = await eraseCustomer(db, customerNumber(id))
        await leaveCompanies(db, [removed.id])
        const cell = await cellOf(installation, db)
        const requests = await deleteRequests(cell, db.store.id, textsOf(person.email))
        const erased = {
          ...removed,
          carts,
          quotes,
          requests,
          kept: [...kept, KEPT_ORDERS, KEPT_USES, KEPT_TAX_DOCUMENTS, KEPT_COMPANIES, KEPT_QUOTES],
        }
        const summary = `The customer ${erased.id} is deleted, with ${carts} carts, ${quotes} quotes, ${erased.mails} mails, ${erased.stored_answers} stored answers and ${requests} logged requests.`
        print(erased, json, [summary, 'Kept data:', ...erased.kept.map((kept) => `  ${kept}`)].join('\n'))
      }),
    )
}

/** An e-mail address as bodies and as paths have it. */
const textsOf = (email: string): string[] => [...new Set([email, encodeURIComponent(email)])]

async function cellOf({ directory }: Installation, { store }: Db): Promise<Cell> {
  const cell = await directory.cellById(store.id)
  if (!cell) throw new Error(`There is no store "${store.hash}".`)
  return cell
}

function customerNumber(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`The customer must be a number, not "${text}".`)
  return Number(text)
}
