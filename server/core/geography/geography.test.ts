import { expect, test } from 'vitest'
import { ALL_COUNTRIES, codeOfCountry, countryOf, hasPostalCodes, nameOfCountry } from './countries.ts'
import { ALL_STATES, stateByName, statesOf } from './states.ts'

test('a country is known by either code in any case, and by its name', () => {
  expect(['US', 'us', 'usa', 'DNK', 'XX', ''].map(countryOf)).toEqual(['US', 'US', 'US', 'DK', undefined, undefined])
  expect(codeOfCountry('Australia')).toBe('AU')
  expect(codeOfCountry('australia')).toBeUndefined()
  expect(nameOfCountry('CI')).toBe("Cote d'Ivoire")
})

/** The countries with states of the contract, and how many each has. */
const COUNTS = {
  AE: 7,
  AR: 24,
  AT: 9,
  AU: 8,
  BR: 27,
  CA: 13,
  CH: 26,
  CL: 16,
  DE: 16,
  ES: 52,
  ID: 38,
  IE: 26,
  IN: 36,
  IT: 107,
  JP: 47,
  MM: 15,
  MX: 32,
  MY: 16,
  NZ: 17,
  PH: 83,
  QA: 8,
  RO: 42,
  US: 62,
  ZA: 9,
}

test('24 countries have states; each has a code of one to three characters and a name, and no two share one', () => {
  for (const [country, count] of Object.entries(COUNTS)) {
    const states = statesOf(country) ?? []
    expect(states.length, country).toBe(count)
    expect(new Set(states.map(({ code }) => code)).size, country).toBe(count)
    expect(new Set(states.map(({ name }) => stateByName(country, name))), country).toEqual(new Set(states))
    for (const { code, name } of states) expect(`${code} ${name}`).toMatch(/^[A-Z0-9]{1,3} \p{L}/u)
  }
  expect(statesOf('DK')).toBeUndefined()
})

test('a state is known by its full name, without regard to case and accents', () => {
  const quebec = { id: 293, code: 'QC', name: 'Quebec' }
  expect(['Quebec', 'québec', ' QUÉBEC '].map((name) => stateByName('CA', name))).toEqual([quebec, quebec, quebec])
  expect(stateByName('BR', 'Sao Paulo')).toEqual({ id: 280, code: 'SP', name: 'São Paulo' })
  expect(stateByName('AU', 'New South Wales')).toEqual({ id: 209, code: 'NSW', name: 'New South Wales' })
  for (const other of ['QC', '', 'Alberta Quebec']) expect(stateByName('CA', other)).toBeUndefined()
  expect(stateByName('US', 'Quebec')).toBeUndefined()
})

test('some countries do without postal codes', () => {
  expect(['HK', 'AE', 'JM', 'PA'].map(hasPostalCodes)).toEqual([false, false, false, false])
  expect(['US', 'DK', 'IE', 'AU'].map(hasPostalCodes)).toEqual([true, true, true, true])
})

/** The countries by their numbers, from 1. Clients store these numbers: append to this list, and change nothing else. */
const COUNTRIES_BY_NUMBER = `
  AF AL DZ AS AD AO AI AQ AG AR AM AW AU AT AZ BS BH BD BB BY BE BZ BJ BM BT BO BA BW BV BR IO VG BN BG BF BI KH CM CA
  CV KY CF TD CL CN CX CC CO KM CG CD CK CR CI HR CU CY CZ DK DJ DM DO EC EG SV GQ ER EE SZ ET FK FO FJ FI FR GF PF TF
  GA GM GE DE GH GI GR GL GD GP GU GT GN GW GY HT HM HN HK HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KI KW KG LA LV LB
  LS LR LY LI LT LU MO MG MW MY MV ML MT MH MQ MR MU YT MX FM MD MC MN ME MS MA MZ MM NA NR NP NL NC NZ NI NE NG NU NF
  KP MK MP NO OM PK PW PS PA PG PY PE PH PN PL PT PR QA RE RO RU RW SH KN LC PM VC WS SM ST SA SN RS SC SL SG SK SI SB
  SO ZA GS KR ES LK SD SR SJ SE CH SY TW TJ TZ TH TL TG TK TO TT TN TR TM TC TV UG UA AE GB US UM VI UY UZ VU VA VE VN
  WF EH YE ZM ZW AX BQ CW GG IM JE BL MF SX SS`

/** The states by their numbers, from 1, each list behind its country. Append to this list, and change nothing else. */
const STATES_BY_NUMBER = `
  US: AL AK AS AZ AR AA AE AP CA CO CT DE DC FL GA GU HI ID IL IN IA KS KY LA ME MH MD MA MI FM MN MS MO MT NE NV NH
  NJ NM NY NC ND MP OH OK OR PW PA PR RI SC SD TN TX UT VT VI VA WA WV WI WY
  IT: AG AL AN AR AP AT AV BA BT BL BN BG BI BO BZ BS BR CA CL CB CE CT CZ CH CO CS CR KR CN EN FM FE FI FG FC FR GE
  GO GR IM IS AQ SP LT LE LC LI LO LU MC MN MS MT ME MI MO MB NA NO NU OR PD PA PR PV PG PU PE PC PI PT PN PZ PO RG RA
  RC RE RI RN RM RO SA SS SV SI SR SO SU TA TE TR TO TP TN TV TS UD AO VA VE VB VC VR VV VI VT
  ID: AC BA BB BT BE GO JK JA JB JT JI KB KS KT KI KU KR LA MA MU NB NT PA PB PD PE PS PT RI SR SN ST SG SA SB SS SU
  YO
  AU: ACT NSW NT QLD SA TAS VIC WA
  AE: AZ AJ DU FU RK SH UQ
  AR: B K H U C X W E P Y L F M N Q R A J D Z S G V T
  AT: 1 2 3 4 5 6 7 8 9
  BR: AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO
  CA: AB BC MB NB NL NT NS NU ON PE QC SK YT
  CH: AG AR AI BL BS BE FR GE GL GR JU LU NE NW OW SG SH SZ SO TG TI UR VS VD ZG ZH
  CL: AI AN AR AP AT BI CO LI LL LR MA ML NB RM TA VS
  DE: BW BY BE BB HB HH HE MV NI NW RP SL SN ST SH TH
  ES: C VI AB A AL O AV BA B BI BU CC CA S CS CE CR CO CU SS GI GR GU H HU PM J LO GC LE L LU M MA ML MU NA OR P PO SA
  TF SG SE SO T TE TO V VA ZA Z
  IE: CW CN CE CO DL D G KY KE KK LS LM LK LD LH MO MH MN OY RN SO TA WD WH WX WW
  IN: AN AP AR AS BR CH CG DH DL GA GJ HR HP JK JH KA KL LA LD MP MH MN ML MZ NL OD PY PB RJ SK TN TS TR UP UK WB
  JP: 23 05 02 12 38 18 40 07 21 10 34 01 28 08 17 03 37 46 14 39 43 26 24 04 45 20 42 29 15 44 33 47 27 41 11 25 32
  22 09 36 13 31 16 30 06 35 19
  MM: 07 02 14 11 12 13 03 04 15 18 16 01 17 05 06
  MX: AGU BCN BCS CAM CHP CHH CMX COA COL DUR MEX GUA GRO HID JAL MIC MOR NAY NLE OAX PUE QUE ROO SLP SIN SON TAB TAM
  TLA VER YUC ZAC
  MY: 01 02 03 14 15 04 05 06 08 09 07 16 12 13 10 11
  NZ: AUK BOP CAN CIT GIS HKB MWT MBH NSN NTL OTA STL TKI TAS WKO WGN WTC
  PH: ABR AGN AGS AKL ALB ANT APA AUR BAS BAN BTN BTG BEN BIL BOH BUK BUL CAG CAN CAS CAM CAP CAT CAV CEB NCO COM DAV
  DAS DVO DAO DIN EAS GUI IFU ILN ILS ILI ISA KAL LUN LAG LAN LAS LEY MGN MGS MAD MAS 00 MDC MDR MSC MSR MOU NEC NER
  NSA NUE NUV PLW PAM PAN QUE QUI RIZ ROM WSA SAR SIG SOR SCO SLE SUK SLU SUN SUR TAR TAW ZMB ZAN ZAS ZSI
  QA: ZA KH RA SH WA DA MS US
  RO: AB AR AG BC BH BN BT BR BV B BZ CL CS CJ CT CV DB DJ GL GR GJ HR HD IL IS IF MM MH MS NT OT PH SJ SM SB SV TR TM
  TL VL VS VN
  ZA: EC FS GP KZN LP MP NW NC WC`

test('the numbers of countries stay as they are', () => {
  const codes = COUNTRIES_BY_NUMBER.trim().split(/\s+/)
  expect(ALL_COUNTRIES.map(({ id, iso2 }) => `${id} ${iso2}`)).toEqual(codes.map((code, i) => `${i + 1} ${code}`))
  expect(codes.length).toBe(249)
  expect(['AF', 'AL', 'AU', 'US'].map((code) => codes.indexOf(code) + 1)).toEqual([1, 2, 13, 226])
})

test('the numbers of states stay as they are', () => {
  const states: string[] = []
  let country = ''
  for (const word of STATES_BY_NUMBER.trim().split(/\s+/)) {
    if (word.endsWith(':')) country = word.slice(0, -1)
    else states.push(`${states.length + 1} ${country} ${word}`)
  }
  expect(ALL_STATES.map(({ id, country, code }) => `${id} ${country} ${code}`)).toEqual(states)
  expect(states.length).toBe(736)
  expect([states[0], states[207]]).toEqual(['1 US AL', '208 AU ACT'])
})
