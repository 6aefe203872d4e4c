import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Db } from '../../core/db/database.ts'
import type { Reason } from '../../sales/promotions/engine/calculation/outcome.ts'
import type { CartExplanation } from '../../sales/promotions/evaluation/explanation.ts'
import { json, print, table, withStore } from '../command.ts'

/** `promotions ...`: the promotions of a store. */
export function promotionCommands(program: Command) {
  program
    .command('promotions')
    .description('promotions of a store')
    .command('why <store>')
    .description('print for each enabled promotion and each code why it applies to a cart, or why not')
    .option('--cart <file>', 'a file of JSON, - for standard input: lines, codes, channel_id, currency, at')
    .option('--id <cart>', 'the id of a stored cart')
    .addOption(json)
    .action(async (hash: string, { cart, id, json }: { cart?: string; id?: string; json?: true }) =>
      withStore(hash, async (db, { clock }) => {
        const explanation = await explain(db, { file: cart, id }, new Date(clock.now()))
        print(explanation, json, textOf(explanation))
      }),
    )
}

async function explain(db: Db, { file, id }: { file?: string; id?: string }, at: Date): Promise<CartExplanation> {
  if (file !== undefined && id === undefined) {
    const { explainPromotions } = await import('../../sales/promotions/evaluation/explanation.ts')
    return explainPromotions(db, readFileSync(file === '-' ? 0 : file, 'utf8'), at)
  }
  if (id === undefined || file !== undefined) throw new Error('Name a cart by either --cart or --id.')
  const { explainCart } = await import('../../sales/carts/evaluation/explanation.ts')
  const { countPaidOrders } = await import('../../sales/orders/reading/paid-orders.ts')
  return explainCart(db, { id, at, countOrders: countPaidOrders })
}

function textOf({ at, currency, promotions, codes }: CartExplanation): string {
  const byPromotion = promotions.map(({ promotion_id, name, redemption_type, discount, reason }) => [
    String(promotion_id),
    redemption_type,
    discount === 0 ? '' : `${discount} ${currency}`,
    name,
    sentenceOf(reason),
  ])
  const byCode = codes.map(({ code, promotion_id, discount, reason, refusal }) => [
    code,
    promotion_id === undefined ? '' : String(promotion_id),
    discount === 0 ? '' : `${discount} ${currency}`,
    refusal ?? '',
    sentenceOf(reason),
  ])
  const parts = [
    `Promotions at ${at}`,
    promotions.length === 0
      ? 'The store has no enabled promotions.'
      : table(['PROMOTION', 'KIND', 'DISCOUNT', 'NAME', 'RESULT'], byPromotion),
  ]
  if (codes.length > 0) parts.push(table(['CODE', 'PROMOTION', 'DISCOUNT', 'REFUSAL', 'RESULT'], byCode))
  return parts.join('\n\n')
}

const SENTENCES: Record<Reason | 'manual', string> = {
  disabled: 'it is disabled',
  invalid: 'it is invalid',
  notStarted: 'it has not started',
  ended: 'it has ended',
  inactive: 'its promotion is not enabled, or has ended',
  notScheduled: 'its schedule excludes this time',
  usedUp: 'its uses are used up',
  channel: 'it is for other channels',
  currency: 'it is for another currency',
  group: 'it is for other customer groups',
  orders: 'the customer has too few paid orders',
  segment: 'it is for other segments',
  noAddress: 'it waits for a shipping address',
  address: 'it is for other shipping addresses',
  quantity: 'the cart has too few units that match its condition',
  spend: 'the cart is below its minimum spend',
  noItems: 'no item of the cart matches its action',
  nothingLeft: 'other discounts leave nothing that it could take off',
  noStock: 'the item that it adds is out of stock',
  budget: 'the calculation took too many steps',
  noCode: 'the cart has none of its codes',
  repeatedCode: 'the cart has another code of the same promotion',
  unknownCode: 'the store does not have this code',
  exclusive: "it can't be used with the promotions that were applied before it",
  afterExclusive: "a promotion that can't be used with others was applied before it",
  stopped: 'a promotion before it was applied and stops the later ones',
  replaced: 'a coupon that overrides other promotions replaced it',
  manual: 'the cart has discounts by hand, which exclude automatic promotions',
  lesser: 'the promotions that it would replace discount at least as much',
}

const sentenceOf = (reason: Reason | 'manual' | undefined) => (reason === undefined ? 'applied' : SENTENCES[reason])
