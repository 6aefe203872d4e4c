import t from 'typebox'
import type { Files } from '../../../core/files/files.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { customers } from '../../../customers/row/shape.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { endSessions, sessionsOf } from '../../storefront/sessions/sessions.ts'
import { dbOf, entryOf, S } from './found-store.ts'
import { erasePerson, exportPerson } from './person-data.ts'

export interface CustomerDataParts {
  directory: Directory
  files: Files
}

const CustomerPath = t.Object({
  store_hash: t.String(),
  customer_id: t.Integer({ minimum: 1, maximum: 2_147_483_647 }),
})

/** Sessions and personal data of a customer, which no API client may see. */
export function customerRoutesOfOperator(api: Api, { directory, files }: CustomerDataParts) {
  const one = `${S}/customers/:customer_id`
  const sessions = `${one}/sessions`

  api.get(
    sessions,
    { schema: { summary: 'List the sessions of a customer at the storefronts', params: CustomerPath } },
    async ({ params: { store_hash, customer_id } }) => {
      const db = await dbOf(directory, await entryOf(directory, store_hash))
      await findOne(db, customers, customer_id)
      return new Answer({ data: await sessionsOf(db, customer_id), meta: {} })
    },
  )

  api.delete(
    sessions,
    { schema: { summary: 'End all sessions of a customer', params: CustomerPath } },
    async ({ params: { store_hash, customer_id } }) => {
      const db = await dbOf(directory, await entryOf(directory, store_hash))
      await findOne(db, customers, customer_id)
      await db.transaction((tx) => endSessions(tx, customer_id))
      return new Answer(undefined, 204)
    },
  )

  // A POST, because the audit records who has read all data of a person.
  api.post(
    `${one}/export`,
    { schema: { summary: 'Export all data of a customer', params: CustomerPath } },
    async ({ params: { store_hash, customer_id } }) => {
      const entry = await entryOf(directory, store_hash)
      const db = await dbOf(directory, entry)
      return new Answer({ data: await exportPerson(db, directory.cellOf(entry), customer_id), meta: {} })
    },
  )

  api.delete(
    one,
    {
      config: { needsConfirmation: true },
      schema: { summary: 'Delete a customer and all other personal data', params: CustomerPath },
    },
    async ({ params: { store_hash, customer_id } }) => {
      const entry = await entryOf(directory, store_hash)
      const db = await dbOf(directory, entry)
      return new Answer({ data: await erasePerson(db, directory.cellOf(entry), files, customer_id), meta: {} })
    },
  )
}
