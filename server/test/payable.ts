import type { Installation } from '../installation.ts'
import { setUpTestGateway } from '../payments/providers-command.ts'

/** Lets a store of a test be paid by the test gateway: no store has it until it is set up. */
export async function makePayable({ directory }: Pick<Installation, 'directory'>, { id }: { id: number }) {
  const db = await directory.dbById(id)
  if (!db) throw new Error(`There is no store ${id}.`)
  await setUpTestGateway(db)
}
