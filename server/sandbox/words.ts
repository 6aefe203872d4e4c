// What the demo catalog is made of. All names are invented; a test counts what comes out.

const words = (text: string) => text.trim().split(/\s+/)
const lines = (text: string) => text.trim().split(/\s*\n\s*/)

/** 60 of them: with four ways to make a name of each there are 240 brands. */
export const houses = words(`
  Aldermoor Ashcombe Åsmark Bexhollow Birkelund Brackenby Bramwith Carrowen Cindermoss Corvane Dellingham Dornfelt
  Drayholm Eastwillow Élanville Elmsgate Fennimoor Finchmere Fjordal Gildmarsh Glenharrow Greyfall Hallingby Harrowmead
  Hazelbrook Hjortnäs Inverlune Ironquay Kaldvik Kestrelby Kilbraeden Lanternwick Larkstead Lindqvarn Marlowick
  Marrowfen Millthorpe Mossvale Nettlecombe Norrvåg Oakhollow Ostermay Otterbeck Pellworth Pinewhistle Quillfeather
  Ravensby Rosenvall Rowanlea Saltmarsh Sandquay Silverthistle Sörvang Stonewick Tarnhollow Tindral Umberfield
  Vinterholm Wrenfield Zürnbach
`)

export const partners = words(`
  Quist Marrow Finch Bell Oake Thorne Vale Sand Moss Penn Locke Wray Hale Fenn Rook Lund Crewe Sorrel Dahl Pike Lark
  Reed Frost
`)

export const givenNames = words(`
  Ines Tove Marit Odile Rafael Emeka Sunniva Noor Jonas Leila Anouk Mateo Ingrid Yuki Clara Idris Saoirse Luca Priya
`)

/** The way a house calls itself; % is its name. */
export const styles = lines(`
  Studio %
  House of %
  % & Daughters
  Atelier %
  % Trading Co.
  % Brothers
  The % Company
`)

export const towns = lines(`
  Port Ellery
  Kings Fallow
  Upper Marl
  Sankt Orm
  Little Averne
  Holm on Sea
  Vallombre
  Castel Rovo
  Nyhamra
  Drumlacken
  Bad Ilmen
`)

export const promises = lines(`
  Repairs are free for life.
  Made to order, in small numbers.
  Every piece can be traced to the hands that made it.
  Nothing is made that can not be mended.
  Seconds are sold, never thrown away.
  Sent without plastic, in boxes that we take back.
  One collection a year, and no more.
`)

export interface Trade {
  /** What a brand of this trade may be called. */
  nouns: string[]
  title: string
  goods: string
  keywords: string[]
}

const trade = (title: string, goods: string, nouns: string, keywords: string): Trade => ({
  title,
  goods,
  nouns: words(nouns),
  keywords: keywords.split(', '),
})

export const trades = [
  trade('Stoneware for every day', 'plates, bowls and mugs', 'Pottery Ceramics Kilns', 'stoneware, plates, mugs'),
  trade('Outdoor clothing that lasts', 'shells, fleeces and trousers', 'Outfitters Alpine', 'jackets, hiking, rain'),
  trade(
    'Linen and wool for the bed',
    'sheets, duvets and blankets',
    'Linen Weavers Mills',
    'bed linen, blankets, duvets',
  ),
  trade('Knitwear from one flock', 'jumpers, cardigans and scarves', 'Knitwear Woollens', 'jumpers, wool, scarves'),
  trade('Lamps for quiet rooms', 'floor, table and pendant lamps', 'Lighting Lamps Glow', 'lamps, lighting, shades'),
  trade('Tents and packs', 'tents, rucksacks and sleeping bags', 'Expedition Tentworks', 'tents, rucksacks, camping'),
  trade('Furniture in solid wood', 'tables, chairs and shelves', 'Joinery Furniture Timber', 'tables, chairs, oak'),
  trade('Shoes made on one last', 'boots, loafers and sandals', 'Bootmakers Shoes Leather', 'boots, shoes, leather'),
  trade('Pans for a lifetime', 'pans, pots and kitchen knives', 'Cookware Forge Cutlers', 'pans, knives, cast iron'),
  trade('Dresses and tailoring', 'dresses, shirts and coats', 'Tailors Apparel Atelier', 'dresses, shirts, coats'),
  trade('Bicycles and bags', 'city bicycles, panniers and helmets', 'Cycles Velo', 'bicycles, panniers, helmets'),
  trade('Soap and towels', 'soaps, oils and bath towels', 'Apothecary Soapworks Bath', 'soap, towels, bath'),
]

/** The category tree, by indentation. */
export const outline = `
Home
  Living room
    Sofas
    Armchairs
    Coffee tables
    Rugs
    Cushions and throws
  Dining
    Dining tables
    Chairs
    Tableware
    Glassware
  Kitchen
    Pots and pans
    Knives
    Storage jars
  Bedroom
    Bed linen
    Duvets and pillows
    Blankets
  Bathroom
    Towels
    Soap
  Lighting
    Floor lamps
    Table lamps
    Pendant lamps
Women
  Dresses
  Knitwear
  Coats and jackets
  Shoes
    Boots
    Sandals
  Bags
Men
  Shirts
  Knitwear
  Coats and jackets
  Shoes
    Boots
    Loafers
Outdoor
  Camping
    Tents
    Sleeping bags
    Stoves
  Hiking
    Rucksacks
    Boots
    Rainwear
  Cycling
    Bicycles
    Panniers
    Helmets
Children
  Clothing
  Toys
  Bedding
Gifts
  Under 50
  For the home
Sample sale
`
