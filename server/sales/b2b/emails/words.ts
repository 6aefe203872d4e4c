/** The languages of mails of quotes. */
export const EMAIL_LANGUAGES = ['en', 'nl', 'de', 'fr', 'it', 'ja', 'zh', 'es'] as const
export type EmailLanguage = (typeof EMAIL_LANGUAGES)[number]

/** The words of a mail. */
export interface Words {
  quote: string
  greeting: string
  intro: string
  validUntil: string
  product: string
  quantity: string
  price: string
  total: string
  subtotal: string
  discount: string
  shipping: string
  tax: string
  grandTotal: string
  notes: string
  terms: string
  view: string
}

const KEYS: readonly (keyof Words)[] = [
  'quote',
  'greeting',
  'intro',
  'validUntil',
  'product',
  'quantity',
  'price',
  'total',
  'subtotal',
  'discount',
  'shipping',
  'tax',
  'grandTotal',
  'notes',
  'terms',
  'view',
]

const LINES: Readonly<Record<EmailLanguage, string>> = {
  en: 'Quote|Hello|Here is your quote.|Valid until|Product|Quantity|Price|Total|Subtotal|Discount|Shipping|Tax|Grand total|Notes|Terms|View the quote and check out',
  nl: 'Offerte|Hallo|Hier is uw offerte.|Geldig tot|Product|Aantal|Prijs|Totaal|Subtotaal|Korting|Verzending|Belasting|Eindtotaal|Opmerkingen|Voorwaarden|Offerte bekijken en bestellen',
  de: 'Angebot|Guten Tag|Hier ist Ihr Angebot.|Gültig bis|Produkt|Menge|Preis|Summe|Zwischensumme|Rabatt|Versand|Steuer|Gesamtsumme|Anmerkungen|Bedingungen|Angebot ansehen und bestellen',
  fr: 'Devis|Bonjour|Voici votre devis.|Valable jusqu’au|Produit|Quantité|Prix|Total|Sous-total|Remise|Livraison|Taxes|Total général|Remarques|Conditions|Voir le devis et commander',
  it: 'Preventivo|Buongiorno|Ecco il suo preventivo.|Valido fino al|Prodotto|Quantità|Prezzo|Totale|Subtotale|Sconto|Spedizione|Imposte|Totale complessivo|Note|Condizioni|Vedere il preventivo e ordinare',
  ja: 'お見積書|こんにちは|お見積りをお送りします。|有効期限|商品|数量|価格|合計|小計|割引|送料|税|総合計|備考|条件|お見積りを見て注文する',
  zh: '报价单|您好|这是您的报价单。|有效期至|产品|数量|价格|总计|小计|折扣|运费|税费|总金额|备注|条款|查看报价单并下单',
  es: 'Presupuesto|Hola|Aquí está su presupuesto.|Válido hasta|Producto|Cantidad|Precio|Total|Subtotal|Descuento|Envío|Impuestos|Total general|Notas|Condiciones|Ver el presupuesto y comprar',
}

/** The words of a language. */
export function emailWordsOf(language: EmailLanguage): Words {
  const values = LINES[language].split('|')
  const word = (key: keyof Words) => values[KEYS.indexOf(key)] ?? ''
  return {
    quote: word('quote'),
    greeting: word('greeting'),
    intro: word('intro'),
    validUntil: word('validUntil'),
    product: word('product'),
    quantity: word('quantity'),
    price: word('price'),
    total: word('total'),
    subtotal: word('subtotal'),
    discount: word('discount'),
    shipping: word('shipping'),
    tax: word('tax'),
    grandTotal: word('grandTotal'),
    notes: word('notes'),
    terms: word('terms'),
    view: word('view'),
  }
}
