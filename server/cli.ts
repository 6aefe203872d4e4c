import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Command, CommanderError, Option } from 'commander'
import type { StaffRole } from './b2b/staff.ts'
import { addressRulesOf, describeSettings, publicUrlOf, ROLES, readConfig } from './config.ts'
import type { Db } from './core/db/database.ts'
import { VERSION } from './core/version.ts'
import { filesOf } from './files.ts'
import { type Installation, openInstallation } from './installation.ts'
import { JOB_STATES, type JobState, jobLines, jobsIn, skip, tryAgain } from './operator/jobs-command.ts'
import { refusePowers } from './sandbox/powers.ts'
import { progressOn } from './sandbox/progress.ts'
import { SIZES, type Size } from './sandbox/sizes.ts'
import type { LocaleOptions } from './settings/locales-command.ts'
import { type DeletedStore, STORE_STATES, type StoreRecord, type StoreState } from './stores/directory.ts'
import { isPlan, LIMITABLE, plans } from './stores/plans.ts'
import { trigger } from './webhooks/trigger.ts'
import { why } from './webhooks/why.ts'

const config = () => readConfig(process.env)
const json = new Option('--json', 'print JSON')

/** As `STAFF_ROLES` of b2b/staff.ts, which commands load when they need it. */
const STAFF_ROLES = ['owner', 'administrator', 'custom'] as const satisfies readonly StaffRole[]

const program = new Command('storeward')
  .exitOverride()
  .description('A self-hosted, multi-store commerce administration server.')
  .version(VERSION)
  .addHelpText('after', `\nSettings, from the environment:\n${describeSettings()}`)

program
  .command('serve')
  .description('run the server')
  .addOption(
    new Option('--role <role>', 'api answers requests, worker sends webhooks; as ROLE if not given').choices(ROLES),
  )
  .action(async ({ role }: { role?: (typeof ROLES)[number] }) => {
    const settings = role === undefined ? config() : { ...config(), role }
    refusePowers(settings)
    const { start, stopOnSignal } = await theServer()
    const running = await start(settings)
    stopOnSignal(running)
    console.log(`storeward ${VERSION} listens at ${running.address}`)
  })

program
  .command('migrate')
  .description('prepare the databases: roles, tables, secret; serve does the same at its start')
  .option('--set-secret', 'replace the secret of the installation by SECRET: all tokens are void then')
  .action(async ({ setSecret = false }: { setSecret?: boolean }) => {
    const installation = await openInstallation(config(), { prepares: true, setsSecret: setSecret })
    await installation.close()
    console.log('The databases are up to date.')
  })

program
  .command('sandbox')
  .description('run the server with a demo store to try things on')
  .action(async () => {
    const { sandbox } = await import('./sandbox/sandbox.ts')
    const { stopOnSignal } = await theServer()
    stopOnSignal(await sandbox(config()))
  })

const store = program.command('store').description('open stores and change their state')

store
  .command('create')
  .description('open a store')
  .requiredOption('--name <name>', 'name of the store')
  .option('--hash <hash>', 'store hash; made up if not given')
  .addOption(new Option('--plan <plan>', 'request quota').choices(Object.keys(plans)).default('standard'))
  .option('--limit <resource=number...>', 'plan limits, such as brands=100', [])
  .addOption(json)
  .action(
    async ({
      name,
      hash,
      plan,
      limit,
      json,
    }: {
      name: string
      hash?: string
      plan: string
      limit: string[]
      json?: true
    }) => {
      const limits = limitsOf(limit)
      await withInstallation(async ({ directory }) => {
        const created = await directory.create({ name, hash, plan: isPlan(plan) ? plan : 'standard', limits })
        print(created, json, `Store ${created.hash} (number ${created.id}) is open.`)
      })
    },
  )

store
  .command('list')
  .description('all stores')
  .option('--deleted', 'those that were deleted instead, and whether all of them is gone')
  .addOption(json)
  .action(async ({ deleted, json }: { deleted?: true; json?: true }) =>
    withInstallation(async ({ directory }) => {
      if (deleted) return printDeleted(await directory.deletedStores(), json)
      const stores = await directory.list()
      print(
        stores,
        json,
        table(
          ['HASH', 'NUMBER', 'STATE', 'PLAN', 'NAME'],
          stores.map(({ hash, id, state, plan, name }) => [hash, String(id), state, plan, name]),
        ),
      )
    }),
  )

store
  .command('set-state <hash>')
  .description('every state but active answers 503')
  .addOption(new Option('--state <state>', 'the new state').choices(STORE_STATES).makeOptionMandatory())
  .addOption(json)
  .action(async (hash: string, { state, json }: { state: StoreState; json?: true }) =>
    withInstallation(async ({ directory }) => {
      if (!(await directory.setState(hash, state))) throw new Error(`There is no store "${hash}".`)
      print({ hash, state }, json, `Store ${hash} is ${state}.`)
    }),
  )

store
  .command('delete <hash>')
  .description('delete a store with all that it holds, for good; one that was cut short goes on')
  .option('--yes', 'do not ask')
  .addOption(json)
  .action(async (hash: string, { yes, json }: { yes?: true; json?: true }) =>
    withInstallation(async (installation) => {
      const { directory } = installation
      const store = (await directory.list()).find((store) => store.hash === hash)
      if (store && !yes) await mustType(store)
      const settings = config()
      const files = await filesOf(settings, publicUrlOf(settings, settings.port), installation)
      const { deleteStore } = await import('./stores/deletion.ts')
      const removed = await deleteStore({ ...installation, files }, hash, { progress: countOn(process.stderr) })
      if (!removed) throw new Error(`There is no store "${hash}".`)
      print(
        { hash, ...removed },
        json,
        `Store ${hash} is deleted, with ${removed.rows} rows and ${removed.files} files.`,
      )
    }),
  )

program
  .command('seed')
  .description('fill a new store with sample data; a run that was stopped is taken up by the next')
  .requiredOption('--store <hash>', 'the store')
  .addOption(
    new Option('--size <size>', 'tiny has 12 products, demo 500, large 250,000 and 1,000,000 orders')
      .choices(Object.keys(SIZES))
      .makeOptionMandatory(),
  )
  .addOption(json)
  .action(async ({ store: hash, size, json }: { store: string; size: Size; json?: true }) =>
    withStore(hash, async (db, { ids }) => {
      const settings = config()
      if (settings.port === 0 && settings.publicUrl === undefined) {
        throw new Error('Pictures are named by the address of the server: set PUBLIC_URL, or PORT to where it listens.')
      }
      const files = await filesOf(settings, publicUrlOf(settings, settings.port), { ids })
      const { seed } = await import('./sandbox/seed.ts')
      const held = await seed(db, files, size, {
        progress: progressOn(process.stderr, 'products'),
        orders: { progress: progressOn(process.stderr, 'orders') },
      })
      const told = Object.entries(held).map(([things, count]) => `${count} ${things}`)
      print({ store: hash, size, ...held }, json, `Store ${hash} holds ${told.join(', ')}.`)
    }),
  )

const account = program.command('account').description('API accounts of a store')

account
  .command('create <store>')
  .description('make an account; its token and secret are shown once')
  .requiredOption('--name <name>', 'what the account is for')
  .requiredOption('--scopes <scopes...>', 'scopes, or all, read_only or none')
  .addOption(json)
  .action(async (hash: string, { name, scopes, json }: { name: string; scopes: string[]; json?: true }) =>
    withInstallation(async ({ accounts }) => {
      const created = await accounts.create(
        hash,
        name,
        scopes.flatMap((list) => list.split(',')),
      )
      print(
        created,
        json,
        `Client id      ${created.client_id}\nClient secret  ${created.client_secret}\nAccess token   ${created.access_token}\nThey are shown this once.`,
      )
    }),
  )

account
  .command('list <store>')
  .description('the accounts of a store')
  .addOption(json)
  .action(async (hash: string, { json }: { json?: true }) =>
    withInstallation(async ({ accounts }) => {
      const list = await accounts.list(hash)
      print(
        list,
        json,
        table(
          ['CLIENT ID', 'SCOPES', 'NAME'],
          list.map(({ client_id, name, scopes }) => [client_id, String(scopes.length), name]),
        ),
      )
    }),
  )

account
  .command('delete <store> <client-id>')
  .description('revoke an account: its token fails within a second')
  .addOption(json)
  .action(async (hash: string, clientId: string, { json }: { json?: true }) =>
    withInstallation(async ({ accounts }) => {
      if (!(await accounts.delete(hash, clientId))) throw new Error(`The store ${hash} has no account "${clientId}".`)
      print({ client_id: clientId }, json, `The account ${clientId} is gone.`)
    }),
  )

account
  .command('rotate-secret <store> <client-id>')
  .description('make a new client secret; for a day webhooks are signed with the former one too')
  .addOption(json)
  .action(async (hash: string, clientId: string, { json }: { json?: true }) =>
    withInstallation(async ({ accounts }) => {
      const client_secret = await accounts.rotateSecret(hash, clientId)
      if (client_secret === undefined) throw new Error(`The store ${hash} has no account "${clientId}".`)
      print(
        { client_id: clientId, client_secret },
        json,
        `Client secret  ${client_secret}\nIt is shown this once. For 24 hours webhooks are signed with the former one too.`,
      )
    }),
  )

program
  .command('events')
  .description('events of a store')
  .command('trigger <store> <scope>')
  .description('publish a sample event: every webhook that listens to its scope gets it')
  .option('--channel <number>', 'the channel, in a scope that names one', '1')
  .addOption(json)
  .action(async (hash: string, scope: string, { channel, json }: { channel: string; json?: true }) =>
    withStore(hash, async (db) => {
      const event = await trigger(db, scope, channel)
      const told = `Event ${event.id} (${event.scope}) is published. What becomes of it says:`
      print(event, json, `${told}\nstoreward hooks why ${hash} ${event.id}`)
    }),
  )

program
  .command('hooks')
  .description('webhooks of a store')
  .command('why <store> <event-id>')
  .description('why each webhook did or did not get an event; its id is the webhook-id of a callback')
  .addOption(json)
  .action(async (hash: string, id: string, { json }: { json?: true }) =>
    withStore(hash, async (db, { clock }) => {
      const found = await why(db, id, clock.now())
      if (!found)
        throw new Error(`The store ${hash} keeps no event "${id}": it never was, or is more than 30 days old.`)
      const { event, hooks } = found
      const lines = hooks.map(
        ({ hook_id, scope, destination, sentence }) => `hook ${hook_id}  ${scope}  ${destination}\n  ${sentence}`,
      )
      const head = `${event.scope} of ${event.resource} at ${event.at}: ${event.data}`
      print(found, json, [head, ...(lines.length > 0 ? lines : ['The store has no webhooks.'])].join('\n'))
    }),
  )

const jobs = program.command('jobs').description('what is done later: mails and the like')

jobs
  .command('list')
  .description('the newest jobs, each with a sentence that says how it stands')
  .addOption(
    new Option('--state <state>', 'held: failed, and others wait for it').choices(JOB_STATES).default('failed'),
  )
  .option('--store <hash>', 'of this store only')
  .option('--limit <number>', 'how many at most', '100')
  .addOption(json)
  .action(async ({ state, store, limit, json }: { state: JobState; store?: string; limit: string; json?: true }) =>
    withInstallation(async (installation) => {
      const list = await jobsIn(installation, { state, store, limit: Number(limit) })
      print(list, json, jobLines(list))
    }),
  )

jobs
  .command('retry <store> <job-id>')
  .description('try a job again that failed for good')
  .addOption(json)
  .action(async (hash: string, id: string, { json }: { json?: true }) =>
    withInstallation(async (installation) => {
      await tryAgain(installation, hash, id)
      print({ store: hash, id }, json, `The job ${id} will be tried again.`)
    }),
  )

jobs
  .command('skip <store> <job-id>')
  .description('let others go on that wait for a job that failed for good')
  .addOption(json)
  .action(async (hash: string, id: string, { json }: { json?: true }) =>
    withInstallation(async (installation) => {
      await skip(installation, hash, id)
      print({ store: hash, id }, json, `What waited for the job ${id} goes on.`)
    }),
  )

const customer = program.command('customer').description('what a store keeps of one customer')

customer
  .command('export <store> <customer>')
  .description('all that is kept of a customer, as JSON: for a person who asks for it')
  .action(async (hash: string, id: string) =>
    withStore(hash, async (db) => {
      const { exportCustomer } = await import('./customers/personal-data.ts')
      const { exportOrders } = await import('./orders/personal-data.ts')
      const exported = await exportCustomer(db, customerNumber(id))
      const { exportBuyer } = await import('./b2b/personal-data.ts')
      const orders = await exportOrders(db, exported.customer)
      console.log(JSON.stringify({ ...exported, orders, ...(await exportBuyer(db, exported.customer.id)) }, null, 2))
    }),
  )

customer
  .command('erase <store> <customer>')
  .description('remove a customer and what else names the person; what bookkeeping needs stays, and is listed')
  .addOption(json)
  .action(async (hash: string, id: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { eraseCustomer } = await import('./customers/personal-data.ts')
      const { KEPT_ORDERS } = await import('./orders/personal-data.ts')
      const { KEPT_COMPANIES } = await import('./b2b/personal-data.ts')
      const { leaveCompanies } = await import('./b2b/left-customers.ts')
      const { kept, ...removed } = await eraseCustomer(db, customerNumber(id))
      await leaveCompanies(db, [removed.id])
      const erased = { ...removed, kept: [...kept, KEPT_ORDERS, KEPT_COMPANIES] }
      const told = `The customer ${erased.id} is gone, with ${erased.mails} mails and ${erased.stored_answers} stored answers.`
      print(erased, json, [told, 'What is kept:', ...erased.kept.map((kept) => `  ${kept}`)].join('\n'))
    }),
  )

const keys = program.command('storefront-keys').description('keys that sign the storefront tokens of a store')

keys
  .command('list <store>')
  .description('the keys, newest first: that one signs, all of them verify')
  .addOption(json)
  .action(async (hash: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { listKeys } = await import('./storefront/keys.ts')
      const list = await listKeys(db)
      const rows = list.map(({ kid, created_at, signs }) => [kid, created_at, signs ? 'signs' : 'verifies'])
      print(list, json, table(['KEY', 'MADE AT', 'USE'], rows))
    }),
  )

keys
  .command('rotate <store>')
  .description('sign with a new key; tokens of the former ones stay valid until those are removed')
  .addOption(json)
  .action(async (hash: string, { json }: { json?: true }) =>
    withStore(hash, async (db, { secrets }) => {
      const { rotateKeys } = await import('./storefront/keys.ts')
      const kid = await rotateKeys(db, secrets)
      print({ kid }, json, `New tokens of the store ${hash} are signed by the key ${kid}.`)
    }),
  )

keys
  .command('remove <store> <key>')
  .description('remove a key: all tokens that it has signed fail within a second')
  .addOption(json)
  .action(async (hash: string, kid: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { removeKey } = await import('./storefront/keys.ts')
      if (!(await removeKey(db, kid))) throw new Error(`The store ${hash} has no key "${kid}".`)
      print({ kid }, json, `The key ${kid} is gone.`)
    }),
  )

const b2b = program.command('b2b').description('the companion business-to-business API')

for (const [name, isEnabled] of [
  ['enable', true],
  ['disable', false],
] as const) {
  b2b
    .command(`${name} <store>`)
    .description(isEnabled ? 'give a store the API' : 'take the API from a store; what it holds stays')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { setCompanion } = await import('./b2b/store.ts')
        await setCompanion(db, isEnabled)
        print({ hash, b2b: isEnabled }, json, `The business-to-business API of the store ${hash} is ${name}d.`)
      }),
    )
}

b2b
  .command('application')
  .description('the client id that storefronts ask a current-customer JWT for')
  .addOption(json)
  .action(async ({ json }: { json?: true }) =>
    withInstallation(async ({ secrets }) => {
      const { clientId: client_id } = secrets.companionApplication
      print({ client_id }, json, client_id)
    }),
  )

const staff = program.command('staff').description('who works for a store and signs in at the business-to-business API')

staff
  .command('create <store>')
  .description('make somebody of the staff; the password is shown once')
  .requiredOption('--email <email>', 'the e-mail address to sign in with')
  .requiredOption('--name <name>', 'what the person is called')
  .addOption(
    new Option('--role <role>', 'owners and administrators may have tokens')
      .choices(STAFF_ROLES)
      .default('administrator'),
  )
  .option('--sales-rep', 'sees only the companies that are assigned')
  .addOption(json)
  .action(
    async (
      hash: string,
      {
        email,
        name,
        role,
        salesRep,
        json,
      }: { email: string; name: string; role: StaffRole; salesRep?: true; json?: true },
    ) =>
      withStore(hash, async (db, { ids }) => {
        const { createStaff } = await import('./b2b/staff.ts')
        const made = await createStaff(db, ids, { email, name, role, isSalesRep: salesRep ?? false })
        print(made, json, `E-mail    ${made.email}\nPassword  ${made.password}\nIt is shown this once.`)
      }),
  )

staff
  .command('list <store>')
  .description('the staff of a store')
  .addOption(json)
  .action(async (hash: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { listStaff } = await import('./b2b/staff.ts')
      const list = await listStaff(db)
      const rows = list.map(({ email, role, is_sales_rep, name }) => [email, role, is_sales_rep ? 'yes' : 'no', name])
      print(list, json, table(['E-MAIL', 'ROLE', 'SALES REP', 'NAME'], rows))
    }),
  )

staff
  .command('change <store> <email>')
  .description('give somebody another role; tokens of whoever becomes custom fail at once')
  .addOption(new Option('--role <role>', 'the new role').choices(STAFF_ROLES))
  .option('--sales-rep', 'sees only the companies that are assigned')
  .option('--no-sales-rep', 'sees all companies')
  .addOption(json)
  .action(
    async (
      hash: string,
      email: string,
      { role, salesRep, json }: { role?: StaffRole; salesRep?: boolean; json?: true },
    ) =>
      withStore(hash, async (db) => {
        const { changeStaff } = await import('./b2b/staff.ts')
        const changed = await changeStaff(db, email, {
          ...(role === undefined ? {} : { role }),
          ...(salesRep === undefined ? {} : { is_sales_rep: salesRep }),
        })
        print(changed, json, `${changed.email} is ${changed.role}.`)
      }),
  )

staff
  .command('delete <store> <email>')
  .description('remove somebody of the staff; the tokens fail at once')
  .addOption(json)
  .action(async (hash: string, email: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { deleteStaff } = await import('./b2b/staff.ts')
      await deleteStaff(db, email)
      print({ email }, json, `${email} is gone, with all tokens.`)
    }),
  )

const channel = program.command('channel').description('channels of a store')

channel
  .command('locales <store> <channel>')
  .description('the languages of a storefront; with an option, changes them first')
  .option('--add <code>', 'a language that the storefront gets, such as de or fr-CA')
  .option('--change <code>', 'a language that becomes the default, active or inactive')
  .option('--delete <code>', 'a language that goes')
  .option('--default', 'it becomes the default in place of another one')
  .option('--active', 'shoppers can choose it')
  .option('--inactive', 'shoppers can not choose it')
  .addOption(json)
  .action(async (hash: string, id: string, options: LocaleOptions & { json?: true }) =>
    withStore(hash, async (db) => {
      const { editLocales } = await import('./settings/locales-command.ts')
      const locales = await editLocales(db, channelNumber(id), options)
      print(
        locales,
        options.json,
        locales
          .map(({ code, is_active, is_default }) =>
            [code, is_default ? 'default' : is_active ? 'active' : 'inactive'].join('  '),
          )
          .join('\n'),
      )
    }),
  )

channel
  .command('restore <store> <channel>')
  .description('take the deletion of a channel back, within 90 days; it sells nothing until it gets another status')
  .addOption(json)
  .action(async (hash: string, id: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { restoreChannel } = await import('./channels/end.ts')
      const channel = await restoreChannel(db, channelNumber(id))
      print(channel, json, `The channel ${channel.id} (${channel.name}) is ${channel.status}.`)
    }),
  )

const emails = program.command('emails').description("a store's e-mail templates")

emails
  .command('preview <store> <type>')
  .description('a mail of a type as the store would send it, about sample data')
  .option('--channel <number>', 'the channel whose template is taken')
  .option('--locale <locale>', 'language of the message', 'en')
  .addOption(
    new Option('--part <part>', 'what of the mail is printed').choices(['html', 'text', 'subject']).default('html'),
  )
  .addOption(json)
  .action(
    async (
      hash: string,
      type: string,
      {
        channel = '0',
        locale,
        part,
        json,
      }: { channel?: string; locale: string; part: 'html' | 'text' | 'subject'; json?: true },
    ) =>
      withStore(hash, async (db, { clock }) => {
        const { preview } = await import('./emails/preview-command.ts')
        const settings = config()
        const mail = await preview(
          db,
          type,
          { channel: channelNumber(channel), locale },
          { clock, sites: addressRulesOf(settings, publicUrlOf(settings, settings.port)) },
        )
        print(mail, json, mail[part])
      }),
  )

emails
  .command('opt-in <store>')
  .description('let a store edit its templates, for good; needed where EMAIL_TEMPLATES is false')
  .addOption(json)
  .action(async (hash: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { optIn } = await import('./emails/opt-in.ts')
      await optIn(db)
      print({ hash, email_templates: true }, json, `Store ${hash} has opted in to e-mail templates.`)
    }),
  )

const payments = program.command('payments').description('what takes the money of a store')
const ofChannel = new Option('--channel <number>', 'for this channel only')
const ofCurrency = new Option('--currency <code>', 'for this currency only, such as EUR')

payments
  .command('list <store>')
  .description('the providers of a store; without any that is set up, it has the test gateway')
  .addOption(json)
  .action(async (hash: string, { json }: { json?: true }) =>
    withStore(hash, async (db) => {
      const { listProviders } = await import('./payments/providers-command.ts')
      const providers = await listProviders(db)
      print(
        providers,
        json,
        table(
          ['GATEWAY', 'CHANNEL', 'CURRENCY', 'MODE', 'TEST', 'OPTIONS'],
          providers.map(({ gateway, channel_id, currency, mode, is_test, options }) => [
            gateway,
            channel_id === 0 ? 'all' : String(channel_id),
            currency || 'all',
            mode,
            is_test ? 'yes' : 'no',
            JSON.stringify(options),
          ]),
        ),
      )
    }),
  )

payments
  .command('set <store> <gateway>')
  .description(
    'set a provider up: testgateway, stripe, or an offline one such as cod; what is set up replaces the test gateway',
  )
  .addOption(ofChannel)
  .addOption(ofCurrency)
  .addOption(
    new Option('--mode <mode>', 'take the money at once, or keep it until it is captured')
      .choices(['purchase', 'authorize'])
      .default('purchase'),
  )
  .option('--credentials <file>', 'a file of JSON, - for standard input; they are stored encrypted')
  .option('--option <name=value...>', 'of the test gateway, such as partialRefund=false', [])
  .addOption(json)
  .action(
    async (
      hash: string,
      gateway: string,
      {
        channel = '0',
        currency = '',
        mode,
        credentials,
        option,
        json,
      }: {
        channel?: string
        currency?: string
        mode: 'purchase' | 'authorize'
        credentials?: string
        option: string[]
        json?: true
      },
    ) =>
      withStore(hash, async (db, { secrets }) => {
        const { setProvider } = await import('./payments/providers-command.ts')
        const text = credentials === undefined ? undefined : readFileSync(credentials === '-' ? 0 : credentials, 'utf8')
        const wish = {
          gateway,
          channel: channelNumber(channel),
          currency: currency.toUpperCase(),
          mode,
          options: option,
        }
        const provider = await setProvider(db, { ...wish, credentials: text }, secrets)
        const kind = provider.is_test ? 'in test mode' : 'for real money'
        print(provider, json, `The provider ${gateway} is set up, ${kind}. The server knows it at once.`)
      }),
  )

payments
  .command('remove <store> <gateway>')
  .description('take a provider away; what was paid with it can no longer be captured, voided or refunded by it')
  .addOption(ofChannel)
  .addOption(ofCurrency)
  .addOption(json)
  .action(
    async (
      hash: string,
      gateway: string,
      { channel = '0', currency = '', json }: { channel?: string; currency?: string; json?: true },
    ) =>
      withStore(hash, async (db) => {
        const { removeProvider } = await import('./payments/providers-command.ts')
        const place = { gateway, channel: channelNumber(channel), currency: currency.toUpperCase() }
        if (!(await removeProvider(db, place))) throw new Error(`The store ${hash} has no such provider ${gateway}.`)
        print(place, json, `The provider ${gateway} is gone.`)
      }),
  )

/** Only the commands that run the server load it: the others start in a third of the time. */
const theServer = () => import('./main.ts')

async function withInstallation(work: (installation: Installation) => Promise<void>) {
  const installation = await openInstallation(config())
  try {
    await work(installation)
  } finally {
    await installation.close()
  }
}

const withStore = (hash: string, work: (db: Db, installation: Installation) => Promise<void>) =>
  withInstallation(async (installation) => {
    const store = await installation.directory.find(hash)
    const db = store && (await installation.directory.dbById(store.id))
    if (!db) throw new Error(`There is no store "${hash}".`)
    await work(db, installation)
  })

const printDeleted = (stores: readonly DeletedStore[], asJson: true | undefined) =>
  print(
    stores,
    asJson,
    table(
      ['HASH', 'NUMBER', 'DELETED AT', 'FINISHED AT', 'NAME'],
      stores.map(({ hash, id, deleted_at, finished_at, name }) => [
        hash,
        String(id),
        deleted_at,
        finished_at ?? 'no',
        name,
      ]),
    ),
  )

/** Asks whoever sits there, or what is piped in, to type the name or the hash of a store. @throws Error if it is anything else */
async function mustType({ hash, name }: StoreRecord) {
  process.stderr.write(
    `This deletes the store ${hash} (${name}) with all that it holds. There is no way back but a backup.\n` +
      'Type its hash or its name to go on: ',
  )
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    if ([hash, name].includes(line.trim())) return
    throw new Error(`Nothing was deleted: the store is called ${hash} or ${name}.`)
  }
  throw new Error(`Nothing was deleted. Without somebody to ask, say --yes.`)
}

/** Counts rows on a terminal; elsewhere nobody reads it. */
const countOn = (out: NodeJS.WriteStream) => (rows: number) => {
  if (out.isTTY) out.write(`\r${rows} rows are gone\x1b[K`)
}

function print(value: unknown, asJson: true | undefined, text: string) {
  console.log(asJson ? JSON.stringify(value, null, 2) : text)
}

/** Lines of cells below their headings, each column as wide as its widest cell. */
function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

function channelNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`The channel must be a number, not "${text}".`)
  return Number(text)
}

function customerNumber(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`The customer must be a number, not "${text}".`)
  return Number(text)
}

function limitsOf(pairs: string[]): Record<string, number> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [resource = '', max = ''] = pair.split('=')
      if (!/^[a-z_]+$/.test(resource) || !/^\d{1,9}$/.test(max))
        throw new Error(`--limit: "${pair}" is not resource=number.`)
      if (!LIMITABLE.some((name) => name === resource))
        throw new Error(`--limit: there is no limit of ${resource}; there are ${LIMITABLE.join(', ')}.`)
      return [resource, Number(max)]
    }),
  )
}

/**
 * Runs a command; `serve` and `sandbox` are under way when it returns.
 * @param args as they stand behind the name of the program
 * @returns the exit code
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // The parser has printed what it has to say.
    if (error instanceof CommanderError) return error.exitCode
    console.error(refusedFolder(error) ?? (error instanceof Error ? error.message : error))
    return 1
  }
}

const FOLDER_FAILURES = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC']

/** Why a folder can't be used, as a sentence for the operator; undefined where it is another failure. */
function refusedFolder(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const { code, path } = error
  if (!FOLDER_FAILURES.includes(String(code))) return undefined
  return `${path} can't be used (${code}). STOREWARD_DATA must be a folder that this user may make, read and write, with space left.`
}
