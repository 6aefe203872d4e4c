import { type Command, Option } from 'commander'
import type { PortalPage } from '../doors/b2b/graphql/side/portal-page.ts'
import type { StaffRole } from '../doors/b2b/staff/staff.ts'
import { channelNumber, json, print, table, withInstallation, withStore } from './command.ts'
import { extraFieldCommands } from './companion/extra-fields.ts'
import { quoteDraftCommands } from './companion/quote-drafts.ts'

/** A copy of `STAFF_ROLES` in staff.ts, which is loaded only when a command needs it. */
const STAFF_ROLES = ['owner', 'administrator', 'custom'] as const satisfies readonly StaffRole[]

type State = 'on' | 'off'
interface QuoteOptions {
  customItems?: State
  customShipping?: State
  showDiscount?: State
  allowCheckout?: State
  shippingMethods?: string
  json?: true
}

/** A copy of `PLATFORMS` in portal-page.ts, which is loaded only when a command needs it. */
const PLATFORMS = ['bigcommerce', 'custom'] as const satisfies readonly PortalPage['platform'][]

interface PortalOptions {
  built: string
  files: string
  platform: PortalPage['platform']
  channel: number
}

const isOn = (state: State | undefined): boolean | undefined => state && state === 'on'

/** `b2b ...` and `staff ...`: the companion API, and the staff who may have its backend tokens. */
export function companionCommands(program: Command) {
  const b2b = program.command('b2b').description('the companion business-to-business API')

  for (const [name, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    b2b
      .command(`${name} <store>`)
      .description(isEnabled ? 'enable the API for a store' : 'disable the API for a store; its data stays')
      .addOption(json)
      .action(async (hash: string, { json }: { json?: true }) =>
        withStore(hash, async (db) => {
          const { setCompanion } = await import('../doors/b2b/tokens/store.ts')
          await setCompanion(db, isEnabled)
          print({ hash, b2b: isEnabled }, json, `The business-to-business API of the store ${hash} is ${name}d.`)
        }),
      )
  }

  b2b
    .command('application')
    .description('show the client id with which storefronts request a current-customer JWT')
    .addOption(json)
    .action(async ({ json }: { json?: true }) =>
      withInstallation(async ({ secrets }) => {
        const { clientId: client_id } = secrets.companionApplication
        print({ client_id }, json, client_id)
      }),
    )

  b2b
    .command('credit <store> <state>')
    .description('switch company credit on or off for a store; its values stay')
    .addOption(json)
    .action(async (hash: string, state: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        if (state !== 'on' && state !== 'off') throw new Error('The state is on or off.')
        const { setCreditFeature } = await import('../sales/b2b/credit/credit.ts')
        await setCreditFeature(db, state === 'on')
        print({ hash, credit: state === 'on' }, json, `Company credit of the store ${hash} is ${state}.`)
      }),
    )

  b2b
    .command('mode <store> <mode>')
    .description('share customer groups between companies, or give each one of its own; before the first company')
    .addOption(json)
    .action(async (hash: string, mode: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        if (mode !== 'independent' && mode !== 'dependent') throw new Error('The mode is independent or dependent.')
        const { setDependent } = await import('../sales/b2b/companies/mode.ts')
        await setDependent(db, mode === 'dependent')
        print({ hash, mode }, json, `The companies of the store ${hash} are ${mode}.`)
      }),
    )

  extraFieldCommands(b2b)

  const flag = (name: string, description: string) =>
    new Option(`--${name} <state>`, description).choices(['on', 'off'])
  b2b
    .command('quotes <store>')
    .description('show or change the settings of quotes')
    .addOption(flag('custom-items', 'whether disabled products become custom items'))
    .addOption(flag('custom-shipping', 'whether quotes take custom shipping'))
    .addOption(flag('show-discount', 'the default of displayDiscount'))
    .addOption(flag('allow-checkout', 'the default of allowCheckout'))
    .option('--shipping-methods <names>', 'the names of custom ways to ship, separated by commas')
    .addOption(json)
    .action(async (hash: string, { json, ...options }: QuoteOptions) =>
      withStore(hash, async (db) => {
        const { changeQuoteSettings } = await import('../sales/b2b/quotes/settings.ts')
        const settings = await changeQuoteSettings(db, {
          takesCustomItems: isOn(options.customItems),
          takesCustomShipping: isOn(options.customShipping),
          showsDiscount: isOn(options.showDiscount),
          allowsCheckout: isOn(options.allowCheckout),
          shippingMethods: options.shippingMethods
            ?.split(',')
            .map((name) => name.trim())
            .filter(Boolean),
        })
        print({ hash, ...settings }, json, JSON.stringify(settings))
      }),
    )

  quoteDraftCommands(b2b)
  b2b
    .command('setting <store> <key> <value>')
    .description('change a setting of the portal of buyers: on, off or a text, or its extra fields as JSON')
    .option('--channel <id>', 'only for this channel', '0')
    .addOption(json)
    .action(async (hash: string, key: string, given: string, { json, channel }: { json?: true; channel: string }) =>
      withStore(hash, async (db) => {
        const { setPortalSetting } = await import('../sales/b2b/portal/settings.ts')
        if (!/^\d{1,9}$/.test(channel)) throw new Error('The channel is a number.')
        const setting = await setPortalSetting(db, { key, given, channel: Number(channel) })
        print(setting, json, `${setting.key}: ${setting.value} ${JSON.stringify(setting.extraFields)}`)
      }),
    )

  b2b
    .command('portal-page <store>')
    .description('print the page that embeds the public portal of buyers')
    .requiredOption('--built <folder>', 'the folder of the built portal')
    .requiredOption('--files <address>', 'the address of its files, as VITE_ASSETS_ABSOLUTE_PATH')
    .addOption(
      new Option('--platform <platform>', 'custom asks the companion API only')
        .choices(PLATFORMS)
        .default('bigcommerce'),
    )
    .option('--channel <id>', 'the channel', channelNumber, 1)
    .action(async (hash: string, { built, files, platform, channel }: PortalOptions) =>
      withStore(hash, async () => {
        const { portalPage, scriptIn } = await import('../doors/b2b/graphql/side/portal-page.ts')
        const script = `${files.replace(/\/*$/, '/')}${await scriptIn(built)}`
        process.stdout.write(portalPage({ store: hash, channel, platform, script }))
      }),
    )

  const staff = program.command('staff').description('staff of a store, who sign in at the business-to-business API')

  staff
    .command('create <store>')
    .description('create a member of staff; the password is shown only once')
    .requiredOption('--email <email>', 'the e-mail address to sign in with')
    .requiredOption('--name <name>', 'the name of the person')
    .addOption(
      new Option('--role <role>', 'owners and administrators may have tokens')
        .choices(STAFF_ROLES)
        .default('administrator'),
    )
    .option('--sales-rep', 'sees only assigned companies')
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
          const { createStaff } = await import('../doors/b2b/staff/staff.ts')
          const made = await createStaff(db, ids, { email, name, role, isSalesRep: salesRep ?? false })
          print(made, json, `E-mail    ${made.email}\nPassword  ${made.password}\nIt is shown only once.`)
        }),
    )

  staff
    .command('list <store>')
    .description('list the staff of a store')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { listStaff } = await import('../doors/b2b/staff/staff.ts')
        const list = await listStaff(db)
        const rows = list.map(({ email, role, is_sales_rep, name }) => [email, role, is_sales_rep ? 'yes' : 'no', name])
        print(list, json, table(['E-MAIL', 'ROLE', 'SALES REP', 'NAME'], rows))
      }),
    )

  staff
    .command('change <store> <email>')
    .description('change the role of a member; with the role custom, all tokens fail at once')
    .addOption(new Option('--role <role>', 'the new role').choices(STAFF_ROLES))
    .option('--sales-rep', 'sees only assigned companies')
    .option('--no-sales-rep', 'sees all companies')
    .addOption(json)
    .action(
      async (
        hash: string,
        email: string,
        { role, salesRep, json }: { role?: StaffRole; salesRep?: boolean; json?: true },
      ) =>
        withStore(hash, async (db) => {
          const { changeStaff } = await import('../doors/b2b/staff/staff.ts')
          const changed = await changeStaff(db, email, {
            ...(role === undefined ? {} : { role }),
            ...(salesRep === undefined ? {} : { is_sales_rep: salesRep }),
          })
          print(changed, json, `${changed.email} is ${changed.role}.`)
        }),
    )

  staff
    .command('delete <store> <email>')
    .description('delete a member of staff, whose tokens fail at once')
    .addOption(json)
    .action(async (hash: string, email: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { deleteStaff } = await import('../doors/b2b/staff/staff.ts')
        await deleteStaff(db, email)
        print({ email }, json, `${email} is gone, with all tokens.`)
      }),
    )
}
