import { type Command, Option } from 'commander'
import { People } from '../../doors/people/people.ts'
import { PERSON_ROLES, type Role } from '../../doors/people/roles.ts'
import { publicUrlOf } from '../../process/config.ts'
import type { Installation } from '../../process/installation.ts'
import { config, json, print, table, withInstallation } from '../command.ts'

/** `person ...`: the people of the operator's console. */
export function personCommands(program: Command) {
  const person = program.command('person').description("people of the operator's console, at /console")

  person
    .command('invite <e-mail>')
    .description('print a link with which a person chooses a password; it works once, for 24 hours')
    .addOption(new Option('--role <role>', 'the role of a new person').choices(PERSON_ROLES).default('viewer'))
    .option('--store <hash...>', 'the stores that a new person may open; all by default')
    .addOption(json)
    .action(async (email: string, { role, store, json }: { role: Role; store?: string[]; json?: true }) => {
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`"${email}" is no e-mail address.`)
      await withInstallation(async (installation) => {
        const stores = store ?? null
        for (const hash of stores ?? []) {
          if (!(await installation.directory.find(hash))) throw new Error(`There is no store "${hash}".`)
        }
        const settings = config()
        const { token, ...invited } = await peopleOf(installation).invite({ email, role, stores })
        const link = `${publicUrlOf(settings, settings.port)}/console/invitation#${token}`
        print(
          { ...invited, link },
          json,
          `${invited.email} (${invited.role}) opens this link, once and within 24 hours:\n${link}`,
        )
      })
    })

  person
    .command('list')
    .description('list the people')
    .addOption(json)
    .action(async ({ json }: { json?: true }) =>
      withInstallation(async (installation) => {
        const people = await peopleOf(installation).list()
        const rows = people.map(({ id, role, stores, is_active, email, name }) => [
          String(id),
          role,
          stores === null ? 'all' : stores.join(' '),
          is_active ? 'active' : 'invited',
          email,
          name,
        ])
        print(people, json, table(['ID', 'ROLE', 'STORES', 'STATE', 'E-MAIL', 'NAME'], rows))
      }),
    )

  person
    .command('change <e-mail>')
    .description('change the role or the stores of a person; the next request has them')
    .addOption(new Option('--role <role>', 'the new role').choices(PERSON_ROLES))
    .option('--store <hash...>', 'the stores that the person may open')
    .option('--all-stores', 'the person may open all stores')
    .addOption(json)
    .action(
      async (
        email: string,
        { role, store, allStores, json }: { role?: Role; store?: string[]; allStores?: true; json?: true },
      ) =>
        withInstallation(async (installation) => {
          const people = peopleOf(installation)
          const stores = allStores ? null : store
          const changed = await people.change(await idOf(people, email), { role, stores })
          if (!changed) throw unknown(email)
          print(changed, json, `${changed.email} has the role ${changed.role}.`)
        }),
    )

  person
    .command('delete <e-mail>')
    .description('delete a person and end the sessions')
    .addOption(json)
    .action(async (email: string, { json }: { json?: true }) =>
      withInstallation(async (installation) => {
        const people = peopleOf(installation)
        const deleted = await people.remove(await idOf(people, email))
        if (!deleted) throw unknown(email)
        print(deleted, json, `${deleted.email} is deleted.`)
      }),
    )
}

const peopleOf = ({ directory, secrets, clock, ids }: Installation) =>
  new People({ database: directory.database, secrets, clock, ids })

/** @throws Error for an unknown address */
async function idOf(people: People, email: string): Promise<number> {
  const found = await people.withPassword(email)
  if (!found) throw unknown(email)
  return found.id
}

const unknown = (email: string) => new Error(`There is no person with the address "${email}".`)
