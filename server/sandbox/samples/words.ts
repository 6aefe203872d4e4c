// The words of the demo catalog. All names are invented; a test counts the results.

const words = (text: string) => text.trim().split(/\s+/)
const lines = (text: string) => text.trim().split(/\s*\n\s*/)
const list = (text: string) => text.split(', ').filter((item) => item !== '')

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
  /** Names for a brand of this trade. */
  nouns: string[]
  title: string
  goods: string
  keywords: string[]
  /** Its kinds of products. */
  kinds: Kind[]
}

/** A kind of goods, of which there are as many products as one likes. */
export interface Kind {
  /** Its category, with those above it. */
  place: string
  noun: string
  /** Its materials, as they stand before the noun. */
  materials: string[]
  price: { from: number; to: number }
  /** In kilograms. */
  weight: number
  /** The choices of a shopper: none, one or two of `choices`. */
  options: string[]
  /** The figure of its picture. */
  figure: string
}

function kind(line: string): Kind {
  const [place = '', noun = '', materials = '', price = '', weight = '', options = '', figure = ''] = line
    .split('|')
    .map((cell) => cell.trim())
  const [from, to] = price.split('-').map(Number)
  return {
    place,
    noun,
    materials: list(materials),
    price: { from: from ?? 0, to: to ?? 0 },
    weight: Number(weight),
    options: list(options),
    figure,
  }
}

const trade = (
  title: string,
  goods: string,
  { nouns, keywords }: { nouns: string; keywords: string },
  kinds: string,
): Trade => ({
  title,
  goods,
  nouns: words(nouns),
  keywords: list(keywords),
  kinds: lines(kinds).map(kind),
})

/** Of each kind: category, noun, materials, price from and to, weight, options, picture. */
export const trades = [
  trade(
    'Stoneware for every day',
    'plates, bowls and mugs',
    { nouns: 'Pottery Ceramics Kilns', keywords: 'stoneware, plates, mugs' },
    `
    Home/Dining/Tableware | mug | stoneware, porcelain, enamel | 14-32 | 0.4 | glaze | cup
    Home/Dining/Tableware | breakfast cup | stoneware, porcelain, earthenware | 16-34 | 0.4 | glaze | cup
    Home/Dining/Tableware | dinner plate | stoneware, porcelain, earthenware | 18-42 | 0.8 | glaze | plate
    Home/Dining/Tableware | side plate | stoneware, porcelain, earthenware | 12-28 | 0.5 | glaze | plate
    Home/Dining/Tableware | soup bowl | stoneware, porcelain, enamel | 16-36 | 0.6 | glaze | bowl
    Home/Dining/Tableware | serving dish | stoneware, earthenware, olive wood | 38-89 | 1.4 | | bowl
    Home/Dining/Tableware | teapot | stoneware, porcelain, cast iron | 48-110 | 1.2 | glaze | teapot
    Home/Dining/Glassware | water glass | recycled-glass, blown-glass, ribbed | 9-24 | 0.3 | | glass
    Home/Dining/Glassware | wine glass | crystal, blown-glass, smoked | 14-39 | 0.2 | | glass
    Home/Dining/Glassware | carafe | recycled-glass, blown-glass, ribbed | 28-64 | 0.8 | | bottle
    Gifts/For the home | vase | stoneware, blown-glass, porcelain | 34-120 | 1.3 | glaze | vase
  `,
  ),
  trade(
    'Outdoor clothing that lasts',
    'shells, fleeces and trousers',
    { nouns: 'Outfitters Alpine', keywords: 'jackets, hiking, rain' },
    `
    Outdoor/Hiking/Rainwear | rain jacket | three-layer, recycled, waxed-cotton | 140-320 | 0.6 | colour, cloth | coat
    Outdoor/Hiking/Rainwear | rain trousers | three-layer, recycled, ripstop | 90-190 | 0.4 | cloth | trousers
    Men/Coats and jackets | parka | down, recycled, waxed-cotton | 220-480 | 1.4 | colour, cloth | coat
    Men/Coats and jackets | field jacket | waxed-cotton, canvas, ripstop | 160-290 | 1.1 | colour, cloth | coat
    Women/Coats and jackets | shell jacket | three-layer, recycled, softshell | 150-340 | 0.6 | colour, cloth | coat
  `,
  ),
  trade(
    'Linen and wool for the bed',
    'sheets, duvets and blankets',
    { nouns: 'Linen Weavers Mills', keywords: 'bed linen, blankets, duvets' },
    `
    Home/Bedroom/Bed linen | duvet cover | linen, percale, sateen, hemp | 89-240 | 1.4 | colour, bed | bed
    Home/Bedroom/Bed linen | fitted sheet | linen, percale, jersey | 45-120 | 0.9 | colour, bed | bed
    Home/Bedroom/Bed linen | pillowcase | linen, percale, silk | 22-75 | 0.3 | colour | cushion
    Home/Bedroom/Duvets and pillows | duvet | down, wool, hemp, bamboo | 140-390 | 2.2 | bed | folded
    Home/Bedroom/Duvets and pillows | pillow | down, wool, buckwheat | 45-130 | 1.1 | | cushion
    Home/Bedroom/Blankets | blanket | wool, mohair, cotton, cashmere | 79-340 | 1.3 | colour | folded
    Home/Bedroom/Blankets | bedspread | quilted, linen, waffle | 120-290 | 2.4 | colour, bed | folded
    Home/Living room/Rugs | rug | wool, jute, cotton, hemp | 129-890 | 9.5 | rug | rug
    Home/Living room/Rugs | runner | wool, jute, cotton | 89-320 | 4.2 | colour | rug
    Home/Living room/Cushions and throws | cushion | linen, velvet, wool, cotton | 29-89 | 0.7 | colour | cushion
    Home/Living room/Cushions and throws | throw | wool, mohair, cotton | 69-190 | 1.1 | colour | folded
    Children/Bedding | cot sheet | cotton, linen, jersey | 19-45 | 0.3 | colour | bed
    Children/Bedding | cot blanket | wool, cotton, bamboo | 39-95 | 0.5 | colour | folded
  `,
  ),
  trade(
    'Knitwear from one flock',
    'jumpers, cardigans and scarves',
    { nouns: 'Knitwear Woollens', keywords: 'jumpers, wool, scarves' },
    `
    Women/Knitwear | cardigan | wool, alpaca, cotton, cashmere | 89-290 | 0.5 | colour, cloth | jumper
    Women/Knitwear | roll-neck jumper | wool, alpaca, merino | 95-240 | 0.5 | colour, cloth | jumper
    Men/Knitwear | crew-neck jumper | wool, merino, cotton | 85-220 | 0.6 | colour, cloth | jumper
    Men/Knitwear | sailor's jumper | wool, alpaca, lambswool | 120-260 | 0.8 | cloth | jumper
    Children/Clothing | small jumper | wool, merino, cotton | 35-79 | 0.3 | colour, child | jumper
  `,
  ),
  trade(
    'Lamps for quiet rooms',
    'floor, table and pendant lamps',
    { nouns: 'Lighting Lamps Glow', keywords: 'lamps, lighting, shades' },
    `
    Home/Lighting/Floor lamps | floor lamp | brass, oak, steel, paper | 190-620 | 5.5 | | floorLamp
    Home/Lighting/Floor lamps | reading lamp | brass, steel, walnut | 160-420 | 4.1 | shade | floorLamp
    Home/Lighting/Table lamps | table lamp | stoneware, brass, glass, oak | 79-290 | 2.1 | shade | tableLamp
    Home/Lighting/Table lamps | desk lamp | steel, brass, aluminium | 89-260 | 1.8 | shade | tableLamp
    Home/Lighting/Pendant lamps | pendant lamp | brass, glass, paper, enamel | 95-480 | 1.9 | shade | pendant
    Home/Lighting/Pendant lamps | workshop lamp | enamel, steel, aluminium | 75-210 | 1.6 | | pendant
  `,
  ),
  trade(
    'Tents and packs',
    'tents, rucksacks and sleeping bags',
    { nouns: 'Expedition Tentworks', keywords: 'tents, rucksacks, camping' },
    `
    Outdoor/Camping/Tents | two-person tent | ripstop, canvas, recycled | 240-620 | 2.4 | | tent
    Outdoor/Camping/Tents | family tent | canvas, cotton, ripstop | 490-1290 | 12.5 | | tent
    Outdoor/Camping/Tents | tarp | ripstop, canvas, waxed-cotton | 69-180 | 1.1 | colour | tent
    Outdoor/Camping/Sleeping bags | sleeping bag | down, wool, recycled | 120-460 | 1.3 | colour | sleepingBag
    Outdoor/Camping/Sleeping bags | sleeping mat | cork, recycled, wool | 59-170 | 0.7 | | sleepingBag
    Outdoor/Camping/Stoves | camping stove | brass, titanium, steel | 49-190 | 0.5 | | stove
    Outdoor/Camping/Stoves | camping kettle | enamel, titanium, steel | 29-95 | 0.4 | | teapot
    Outdoor/Hiking/Rucksacks | day pack | canvas, ripstop, recycled | 69-190 | 0.8 | colour | rucksack
    Outdoor/Hiking/Rucksacks | trekking rucksack | ripstop, canvas, recycled | 160-380 | 1.9 | colour | rucksack
  `,
  ),
  trade(
    'Furniture in solid wood',
    'tables, chairs and shelves',
    { nouns: 'Joinery Furniture Timber', keywords: 'tables, chairs, oak' },
    `
    Home/Living room/Sofas | two-seater sofa | velvet, linen, wool, leather | 790-1890 | 46 | colour | sofa
    Home/Living room/Sofas | three-seater sofa | velvet, linen, wool, leather | 990-2690 | 62 | colour | sofa
    Home/Living room/Sofas | day bed | oak, rattan, linen | 690-1490 | 38 | | bed
    Home/Living room/Armchairs | armchair | velvet, linen, leather, rattan | 390-1190 | 21 | colour | armchair
    Home/Living room/Armchairs | wing chair | wool, velvet, leather | 590-1390 | 24 | colour | armchair
    Home/Living room/Coffee tables | coffee table | oak, walnut, ash, marble | 240-890 | 18 | | table
    Home/Living room/Coffee tables | side table | oak, walnut, steel, rattan | 119-390 | 6.5 | | table
    Home/Dining/Dining tables | dining table | oak, walnut, ash, beech | 690-2490 | 48 | length | table
    Home/Dining/Dining tables | extending table | oak, ash, beech | 890-2890 | 56 | | table
    Home/Dining/Chairs | dining chair | oak, ash, beech, rattan | 129-420 | 5.2 | colour | chair
    Home/Dining/Chairs | bar stool | oak, steel, walnut | 149-390 | 6.1 | | chair
    Children/Toys | building blocks | beech, maple, cork | 24-69 | 1.1 | | blocks
    Children/Toys | puzzle | beech, birch, maple | 18-45 | 0.5 | | blocks
  `,
  ),
  trade(
    'Shoes made on one last',
    'boots, loafers and sandals',
    { nouns: 'Bootmakers Shoes Leather', keywords: 'boots, shoes, leather' },
    `
    Women/Shoes/Boots | ankle boots | leather, suede, nubuck | 140-320 | 1.2 | colour, shoe | boot
    Women/Shoes/Boots | riding boots | leather, suede, waxed-leather | 220-460 | 1.6 | shoe | boot
    Women/Shoes/Sandals | sandals | leather, suede, cork | 69-180 | 0.6 | colour, shoe | shoe
    Women/Bags | shoulder bag | leather, suede, canvas | 120-390 | 0.9 | colour | bag
    Women/Bags | shopper | canvas, leather, jute | 39-240 | 0.6 | colour | bag
    Men/Shoes/Boots | work boots | leather, nubuck, waxed-leather | 180-390 | 1.8 | shoe | boot
    Men/Shoes/Boots | chelsea boots | leather, suede, nubuck | 190-360 | 1.5 | colour, shoe | boot
    Men/Shoes/Loafers | loafers | leather, suede, nubuck | 130-280 | 0.9 | colour, shoe | shoe
    Outdoor/Hiking/Boots | hiking boots | leather, nubuck, recycled | 160-340 | 1.6 | shoe | boot
  `,
  ),
  trade(
    'Pans for a lifetime',
    'pans, pots and kitchen knives',
    { nouns: 'Cookware Forge Cutlers', keywords: 'pans, knives, cast iron' },
    `
    Home/Kitchen/Pots and pans | frying pan | cast-iron, copper, steel, aluminium | 49-240 | 1.9 | pan | pan
    Home/Kitchen/Pots and pans | casserole | cast-iron, copper, enamel | 89-340 | 4.6 | glaze | pot
    Home/Kitchen/Pots and pans | saucepan | copper, steel, enamel | 59-220 | 1.6 | pan | pot
    Home/Kitchen/Knives | bread knife | olive-wood, ash-handled, steel | 49-160 | 0.2 | | knife
    Home/Kitchen/Knives | cook's knife | olive-wood, damask, steel | 79-290 | 0.2 | | knife
    Home/Kitchen/Knives | paring knife | olive-wood, ash-handled, steel | 24-79 | 0.1 | | knife
    Home/Kitchen/Storage jars | storage jar | stoneware, glass, enamel | 14-49 | 0.9 | glaze | jar
    Home/Kitchen/Storage jars | bread bin | enamel, oak, steel | 49-140 | 2.1 | | pot
  `,
  ),
  trade(
    'Dresses and tailoring',
    'dresses, shirts and coats',
    { nouns: 'Tailors Apparel Atelier', keywords: 'dresses, shirts, coats' },
    `
    Women/Dresses | shirt dress | linen, cotton, silk | 110-290 | 0.4 | colour, cloth | dress
    Women/Dresses | wrap dress | linen, viscose, silk | 120-320 | 0.4 | colour, cloth | dress
    Women/Coats and jackets | long coat | wool, cashmere, cotton | 240-690 | 1.7 | colour, cloth | coat
    Men/Shirts | work shirt | cotton, linen, flannel | 69-160 | 0.4 | colour, cloth | coat
    Men/Shirts | collarless shirt | linen, cotton, hemp | 75-150 | 0.3 | colour, cloth | jumper
    Children/Clothing | dungarees | denim, corduroy, cotton | 39-89 | 0.4 | colour, child | trousers
    Children/Clothing | pinafore | linen, corduroy, cotton | 35-85 | 0.3 | child | dress
  `,
  ),
  trade(
    'Bicycles and bags',
    'city bicycles, panniers and helmets',
    { nouns: 'Cycles Velo', keywords: 'bicycles, panniers, helmets' },
    `
    Outdoor/Cycling/Bicycles | city bicycle | steel, aluminium, chrome | 590-1690 | 14.5 | colour | bicycle
    Outdoor/Cycling/Bicycles | touring bicycle | steel, aluminium, titanium | 890-3290 | 12.8 | | bicycle
    Outdoor/Cycling/Panniers | pannier | canvas, recycled, waxed-cotton | 59-160 | 1.1 | colour | bag
    Outdoor/Cycling/Panniers | handlebar bag | canvas, recycled, leather | 49-140 | 0.6 | colour | rucksack
    Outdoor/Cycling/Helmets | helmet | matt, recycled, cork | 59-180 | 0.4 | colour | helmet
    Outdoor/Cycling/Helmets | small helmet | matt, recycled, cork | 39-89 | 0.3 | colour | helmet
  `,
  ),
  trade(
    'Soap and towels',
    'soaps, oils and bath towels',
    { nouns: 'Apothecary Soapworks Bath', keywords: 'soap, towels, bath' },
    `
    Home/Bathroom/Towels | bath towel | cotton, linen, waffle, bamboo | 24-69 | 0.7 | colour | towel
    Home/Bathroom/Towels | hand towel | cotton, linen, waffle | 12-34 | 0.3 | colour | towel
    Home/Bathroom/Towels | bath mat | cotton, cork, bamboo | 29-79 | 1.1 | colour | rug
    Home/Bathroom/Soap | hand soap | olive, lavender, cedar, oat | 6-16 | 0.2 | | soap
    Home/Bathroom/Soap | bath oil | rose, lavender, pine | 18-48 | 0.4 | | bottle
    Home/Bathroom/Soap | soap dish | stoneware, beech, brass | 12-39 | 0.3 | | soap
    Gifts/For the home | candle | beeswax, rapeseed, cedar | 12-45 | 0.5 | scent | candle
  `,
  ),
]

/** The choices of a shopper, by their names in kinds. */
export const choices: Readonly<Record<string, { name: string; labels: string[] }>> = {
  colour: { name: 'Colour', labels: words('Sand Moss Ink Rust Sea Plum Ochre Slate Blush Chalk') },
  glaze: { name: 'Glaze', labels: words('Chalk Sand Sea Moss Ink Rust') },
  shade: { name: 'Shade', labels: words('Chalk Ochre Slate Moss Ink') },
  cloth: { name: 'Size', labels: words('XS S M L XL') },
  child: { name: 'Size', labels: ['6 months', '1 year', '2 years', '4 years'] },
  shoe: { name: 'Size', labels: words('36 37 38 39 40 41 42 43 44') },
  bed: { name: 'Size', labels: words('Single Double King') },
  rug: { name: 'Size', labels: ['140 x 200 cm', '170 x 240 cm', '200 x 300 cm'] },
  length: { name: 'Length', labels: ['160 cm', '200 cm', '240 cm'] },
  pan: { name: 'Diameter', labels: ['20 cm', '24 cm', '28 cm'] },
  scent: { name: 'Scent', labels: words('Cedar Rose Smoke Pine') },
}

/** The colour of each name, for swatches. */
export const colours: Readonly<Record<string, string>> = {
  Sand: '#D9C7A3',
  Moss: '#6F7D4F',
  Ink: '#27344D',
  Rust: '#B5532F',
  Sea: '#5B8E97',
  Plum: '#6B3A52',
  Ochre: '#C98D2B',
  Slate: '#5D6770',
  Blush: '#DBA79B',
  Chalk: '#E2DBCC',
}

/** Series that goods belong to: 192 of them. */
export const series = words('Hal Or Fen Mar Sol Tor Ver Lin Bran Ask Ny Ber El Kal Sten Rom').flatMap((start) =>
  words('den vik sund lund mo stad by mark ness holt wick fold').map((end) => start + end),
)

/** Further sentences of a description. */
export const praises = lines(`
  The edges are rounded by hand, one after the other.
  It gets better with the years, and looks it.
  Nothing on it is glued that can be sewn, and nothing sewn that can be joined.
  Made in one workshop, from the first cut to the last coat of oil.
  Each one is a little different from the next, which is how you know.
  It comes flat, in one box, with one tool.
  Spare parts can be had for as long as we are here.
  Light enough to be carried by one, sturdy enough for two.
  The colour comes from plants, and may fade where the sun is strong.
  Designed in a kitchen, tested in a larger one.
`)

export const deliveries = lines(`
  Within 3 days
  Within a week
  In two to three weeks
  Made to order, six weeks
`)

export interface Opinion {
  rating: number
  title: string
  text: string
}

const opinion = (line: string): Opinion => {
  const [rating = '', title = '', text = ''] = line.split('|').map((cell) => cell.trim())
  return { rating: Number(rating), title, text }
}

export const opinions = lines(`
  5 | Could not be better | Arrived a day early, and is even nicer than on the picture.
  5 | A second one is on its way | We bought one in spring to see, and now the neighbours have theirs too.
  5 | Quiet and beautiful | It has been with us for a year and shows nothing of it.
  4 | Very good, one wish | All as described. A shade darker would have been perfect.
  4 | Solid | Heavier than I thought, in a good way. The box was hard to open.
  4 | Recommended | Good work at a fair price. Delivery took a week.
  3 | Fine | Does what it should. I had hoped for a little more for the money.
  3 | Nice, but smaller | Measure before you order: it is smaller than it looks.
  2 | Not for us | The colour is another one than on my screen. Sent back without trouble.
  1 | Came with a scratch | A scratch on the front. They have answered quickly, but still.
`).map(opinion)

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
Shop all
`
