import type { Db, Tx } from '../../core/db/database.ts'
import type { Files } from '../../core/files/files.ts'
import { readCounters } from '../../core/rest/lists/counters.ts'
import { hashPassword } from '../../customers/logins/passwords.ts'
import { brandMetafields } from '../../goods/catalog/brands/brands.ts'
import { categoryMetafields } from '../../goods/catalog/categories/shape.ts'
import type { Installation } from '../../process/installation.ts'
import { Gateways } from '../../sales/payments/gateways.ts'
import { setUpTestGateway } from '../../sales/payments/providers-command.ts'
import { createMetafield } from '../../shared/metafields/metafields.ts'
import { FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import type { EmailType } from '../../shop/emails/contents/contexts.ts'
import { sampleData } from '../../shop/emails/contents/samples.ts'
import { sendEmail } from '../../shop/emails/sending/send.ts'
import { storeTheme } from '../../shop/themes/store.ts'
import { type Caller, Callers } from '../../stores/accounts/callers.ts'
import { fillCarts } from '../demo-carts.ts'
import { demoCatalog } from '../samples/catalog.ts'
import { demoBuyers, openCompanies } from './companies/companies.ts'
import { openChannels } from './demo-channels.ts'
import { decorateShop, writeContent } from './demo-content.ts'
import { moveMoney } from './demo-money.ts'
import { placeDemoOrders } from './demo-orders.ts'
import { setDemoPrices } from './demo-prices.ts'
import { promoteDemo } from './demo-promotions.ts'
import { drawSigns, settleDemoStore } from './demo-settings.ts'
import { packDemoTheme } from './demo-theme.ts'
import { type ClientOfDemo, type SandboxRecord, STORE_HASH, type Tokens } from './record.ts'
import { inPieces, seed } from './seed.ts'
import { addChoices } from './shop/demo-choices.ts'
import { openShops } from './shop/demo-shops.ts'

/** The demo store's accounts, each with its preset of scopes. */
const accounts = { admin: 'all', readonly: 'read_only', noscope: 'none', otherclient: 'all' } as const

/**
 * The demo store and its accounts: created at the first start, kept from then on. The next start continues one that was
 * killed.
 * @param known tokens of the last start; invalid ones are replaced by new accounts
 * @throws Error with a sentence for the operator
 */
export async function openDemoStore(installation: Installation, known: Partial<Tokens>): Promise<Tokens> {
  await openStore(installation)
  await openPayments(installation)
  const callers = callersOf(installation)
  const open = async (name: keyof typeof accounts) => {
    const token = known[name]
    if (token !== undefined && (await callers.find(STORE_HASH, token)).kind === 'caller') return token
    return replaceAccount(installation, `sandbox ${name}`, accounts[name])
  }
  return {
    admin: await open('admin'),
    readonly: await open('readonly'),
    noscope: await open('noscope'),
    otherclient: await open('otherclient'),
  }
}

const KEY_NAME = 'sandbox'

/** The operator key of the sandbox. @param known that of the last start; a new one replaces it if it is lost */
export async function openOperatorKey({ operatorKeys }: Installation, known: string | undefined): Promise<string> {
  if (known !== undefined && (await operatorKeys.find(known))) return known
  for (const { id, name } of await operatorKeys.list()) if (name === KEY_NAME) await operatorKeys.revoke(id)
  const { key } = await operatorKeys.create(KEY_NAME)
  return key
}

/** Who the tokens belong to, with the secrets that sign their webhooks. */
export async function clientsOf(installation: Installation, tokens: Tokens): Promise<SandboxRecord['clients']> {
  const callers = callersOf(installation)
  const store = await installation.directory.find(STORE_HASH)
  const clientOf = async (token: string): Promise<ClientOfDemo> => {
    const { client } = await callerOf(callers, token)
    const [client_secret] = store ? await installation.accounts.secretsOf(store, client.id) : []
    if (client_secret === undefined) throw new Error('The accounts of the demo store can not be used.')
    return { client_id: client.id, client_secret }
  }
  return {
    admin: await clientOf(tokens.admin),
    readonly: await clientOf(tokens.readonly),
    noscope: await clientOf(tokens.noscope),
    otherclient: await clientOf(tokens.otherclient),
  }
}

async function openStore({ directory }: Installation) {
  const stores = await directory.list()
  const store = stores.find(({ hash }) => hash === STORE_HASH)
  // A store without a name has no profile: its creation was interrupted.
  if (store && store.name !== '') {
    if (store.state === 'upgrading') await directory.setState(STORE_HASH, 'active')
    return
  }
  // A setting may point to the wrong database: nobody wants a demo store beside real ones.
  const [real] = stores.filter(({ hash }) => hash !== STORE_HASH)
  if (real) {
    throw new Error(
      `This database holds other stores already (${real.hash} is the first) and no demo store; the sandbox makes none ` +
        'beside them. Set STOREWARD_DATA to a folder of its own, and no DATABASE_URL.',
    )
  }
  await directory.create({ hash: STORE_HASH, name: 'Demo store', plan: 'sandbox', isTest: true })
}

/** Lets the demo store be paid, also one that was made before the test gateway had to be set up. */
async function openPayments({ directory }: Installation) {
  const store = await directory.find(STORE_HASH)
  const db = store && (await directory.dbById(store.id))
  if (db) await setUpTestGateway(db)
}

/** Makes an account in place of one whose token is lost, which nobody can use. */
async function replaceAccount({ accounts }: Installation, name: string, scopes: string): Promise<string> {
  for (const lost of await accounts.list(STORE_HASH)) {
    if (lost.name === name) await accounts.delete(STORE_HASH, lost.client_id)
  }
  const { access_token } = await accounts.create(STORE_HASH, name, [scopes])
  return access_token
}

/**
 * Creates the demo catalog if no brand was ever created, metafields of two programs, the channels that sell it, and
 * orders; all of it or nothing. It is one transaction: one commit in place of a thousand, each of which waits for the
 * disk.
 * @returns the id of the last brand
 */
export async function fillDemoStore(installation: Installation, files: Files, tokens: Tokens): Promise<number> {
  const callers = callersOf(installation)
  const admin = await callerOf(callers, tokens.admin)
  const otherclient = await callerOf(callers, tokens.otherclient)
  const made = await lastBrand(admin.db)
  if (made > 0) return made

  const clients = { admin: admin.client, otherclient: otherclient.client }
  const owners = { brand: brandMetafields, category: categoryMetafields }
  const signs = await drawSigns(files, admin.db.store)
  const theme = await packDemoTheme(files, admin.db.store)
  const passwordHash = await hashPassword(admin.db.store, demoBuyers(installation.secrets).admin.password)
  await seed(admin.db, files, 'demo', {
    async beside(tx) {
      await inPieces(tx, demoCatalog().metafields, ({ maker, of, resource_id, ...values }) =>
        createMetafield(tx, clients[maker], { owner: owners[of], thing: { id: resource_id } }, values),
      )
      await openChannels(tx, clients.admin)
      await openShops(tx, installation.directory)
      await settleDemoStore(tx, files, signs)
      await placeDemoOrders(tx)
      await moveMoney(tx, new Gateways(installation))
      await setDemoPrices(tx)
      await promoteDemo(tx)
      await fillCarts(tx, installation)
      await writeContent(tx)
      await decorateShop(tx, clients.admin)
      await addChoices(tx, files)
      await openCompanies(tx, passwordHash, clients.admin.id)
      await storeTheme(tx, files, theme.bundle, theme.archive)
      await sendSamples(tx)
    },
  })
  return lastBrand(admin.db)
}

/** E-mails to look at in the mailbox. */
async function sendSamples(tx: Tx) {
  const send = <T extends EmailType>(type: T) => {
    const context = sampleData(type)
    return sendEmail(tx, type, { to: context.customer.email, channel: FIRST_CHANNEL, locale: 'en', context })
  }
  await send('createaccount_email')
  await send('invoice_email')
  await send('combined_order_status_email')
  await send('giftcertificate_email')
}

/** The last assigned id, also if that brand was deleted: brands that a user has deleted are not created again. */
async function lastBrand(db: Db): Promise<number> {
  return (await readCounters(db)).get('brands')?.last_id ?? 0
}

const callersOf = ({ directory, secrets }: Installation) => new Callers(directory, secrets)

async function callerOf(callers: Callers, token: string): Promise<Caller> {
  const found = await callers.find(STORE_HASH, token)
  if (found.kind !== 'caller') throw new Error('The accounts of the demo store can not be used.')
  return found
}
