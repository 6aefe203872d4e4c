/**
 * The states of the 24 countries that have a list of them, as the post of each writes them: their codes of ISO 3166-2 without the
 * country, and their names. The states of a country are in the order of their names (docs/decisions/024-countries-and-states.md).
 */
const LISTS: Readonly<Record<string, string>> = {
  AE: `
    AZ Abu Dhabi; AJ Ajman; DU Dubai; FU Fujairah; RK Ras al Khaimah; SH Sharjah; UQ Umm Al Quwain`,
  AR: `
    B Buenos Aires; K Catamarca; H Chaco; U Chubut; C Ciudad Autónoma de Buenos Aires; X Córdoba; W Corrientes;
    E Entre Ríos; P Formosa; Y Jujuy; L La Pampa; F La Rioja; M Mendoza; N Misiones; Q Neuquén; R Río Negro; A Salta;
    J San Juan; D San Luis; Z Santa Cruz; S Santa Fe; G Santiago del Estero; V Tierra del Fuego; T Tucumán`,
  AT: `
    1 Burgenland; 2 Kärnten; 3 Niederösterreich; 4 Oberösterreich; 5 Salzburg; 6 Steiermark; 7 Tirol; 8 Vorarlberg;
    9 Wien`,
  AU: `
    ACT Australian Capital Territory; NSW New South Wales; NT Northern Territory; QLD Queensland; SA South Australia;
    TAS Tasmania; VIC Victoria; WA Western Australia`,
  BR: `
    AC Acre; AL Alagoas; AP Amapá; AM Amazonas; BA Bahia; CE Ceará; DF Distrito Federal; ES Espírito Santo; GO Goiás;
    MA Maranhão; MT Mato Grosso; MS Mato Grosso do Sul; MG Minas Gerais; PA Pará; PB Paraíba; PR Paraná;
    PE Pernambuco; PI Piauí; RJ Rio de Janeiro; RN Rio Grande do Norte; RS Rio Grande do Sul; RO Rondônia; RR Roraima;
    SC Santa Catarina; SP São Paulo; SE Sergipe; TO Tocantins`,
  CA: `
    AB Alberta; BC British Columbia; MB Manitoba; NB New Brunswick; NL Newfoundland and Labrador;
    NT Northwest Territories; NS Nova Scotia; NU Nunavut; ON Ontario; PE Prince Edward Island; QC Quebec;
    SK Saskatchewan; YT Yukon`,
  CH: `
    AG Aargau; AR Appenzell Ausserrhoden; AI Appenzell Innerrhoden; BL Basel-Landschaft; BS Basel-Stadt; BE Bern;
    FR Fribourg; GE Genève; GL Glarus; GR Graubünden; JU Jura; LU Luzern; NE Neuchâtel; NW Nidwalden; OW Obwalden;
    SG Sankt Gallen; SH Schaffhausen; SZ Schwyz; SO Solothurn; TG Thurgau; TI Ticino; UR Uri; VS Valais; VD Vaud;
    ZG Zug; ZH Zürich`,
  CL: `
    AI Aisén del General Carlos Ibáñez del Campo; AN Antofagasta; AR Araucanía; AP Arica y Parinacota; AT Atacama;
    BI Bío-Bío; CO Coquimbo; LI Libertador General Bernardo O'Higgins; LL Los Lagos; LR Los Ríos;
    MA Magallanes y Antartica Chilena; ML Maule; NB Ñuble; RM Región Metropolitana de Santiago; TA Tarapacá;
    VS Valparaíso`,
  DE: `
    BW Baden-Württemberg; BY Bayern; BE Berlin; BB Brandenburg; HB Bremen; HH Hamburg; HE Hessen;
    MV Mecklenburg-Vorpommern; NI Niedersachsen; NW Nordrhein-Westfalen; RP Rheinland-Pfalz; SL Saarland; SN Sachsen;
    ST Sachsen-Anhalt; SH Schleswig-Holstein; TH Thüringen`,
  ES: `
    C A Coruña; VI Álava; AB Albacete; A Alicante; AL Almería; O Asturias; AV Ávila; BA Badajoz; B Barcelona;
    BI Bizkaia; BU Burgos; CC Cáceres; CA Cádiz; S Cantabria; CS Castellón; CE Ceuta; CR Ciudad Real; CO Córdoba;
    CU Cuenca; SS Gipuzkoa; GI Girona; GR Granada; GU Guadalajara; H Huelva; HU Huesca; PM Illes Balears; J Jaén;
    LO La Rioja; GC Las Palmas; LE León; L Lleida; LU Lugo; M Madrid; MA Málaga; ML Melilla; MU Murcia; NA Navarra;
    OR Ourense; P Palencia; PO Pontevedra; SA Salamanca; TF Santa Cruz de Tenerife; SG Segovia; SE Sevilla; SO Soria;
    T Tarragona; TE Teruel; TO Toledo; V Valencia; VA Valladolid; ZA Zamora; Z Zaragoza`,
  ID: `
    AC Aceh; BA Bali; BB Bangka Belitung; BT Banten; BE Bengkulu; GO Gorontalo; JK Jakarta Raya; JA Jambi;
    JB Jawa Barat; JT Jawa Tengah; JI Jawa Timur; KB Kalimantan Barat; KS Kalimantan Selatan; KT Kalimantan Tengah;
    KI Kalimantan Timur; KU Kalimantan Utara; KR Kepulauan Riau; LA Lampung; MA Maluku; MU Maluku Utara;
    NB Nusa Tenggara Barat; NT Nusa Tenggara Timur; PA Papua; PB Papua Barat; PD Papua Barat Daya;
    PE Papua Pegunungan; PS Papua Selatan; PT Papua Tengah; RI Riau; SR Sulawesi Barat; SN Sulawesi Selatan;
    ST Sulawesi Tengah; SG Sulawesi Tenggara; SA Sulawesi Utara; SB Sumatera Barat; SS Sumatera Selatan;
    SU Sumatera Utara; YO Yogyakarta`,
  IE: `
    CW Carlow; CN Cavan; CE Clare; CO Cork; DL Donegal; D Dublin; G Galway; KY Kerry; KE Kildare; KK Kilkenny;
    LS Laois; LM Leitrim; LK Limerick; LD Longford; LH Louth; MO Mayo; MH Meath; MN Monaghan; OY Offaly; RN Roscommon;
    SO Sligo; TA Tipperary; WD Waterford; WH Westmeath; WX Wexford; WW Wicklow`,
  IN: `
    AN Andaman and Nicobar Islands; AP Andhra Pradesh; AR Arunachal Pradesh; AS Assam; BR Bihar; CH Chandigarh;
    CG Chhattisgarh; DH Dadra and Nagar Haveli and Daman and Diu; DL Delhi; GA Goa; GJ Gujarat; HR Haryana;
    HP Himachal Pradesh; JK Jammu and Kashmir; JH Jharkhand; KA Karnataka; KL Kerala; LA Ladakh; LD Lakshadweep;
    MP Madhya Pradesh; MH Maharashtra; MN Manipur; ML Meghalaya; MZ Mizoram; NL Nagaland; OD Odisha; PY Puducherry;
    PB Punjab; RJ Rajasthan; SK Sikkim; TN Tamil Nadu; TS Telangana; TR Tripura; UP Uttar Pradesh; UK Uttarakhand;
    WB West Bengal`,
  IT: `
    AG Agrigento; AL Alessandria; AN Ancona; AR Arezzo; AP Ascoli Piceno; AT Asti; AV Avellino; BA Bari;
    BT Barletta-Andria-Trani; BL Belluno; BN Benevento; BG Bergamo; BI Biella; BO Bologna; BZ Bolzano; BS Brescia;
    BR Brindisi; CA Cagliari; CL Caltanissetta; CB Campobasso; CE Caserta; CT Catania; CZ Catanzaro; CH Chieti;
    CO Como; CS Cosenza; CR Cremona; KR Crotone; CN Cuneo; EN Enna; FM Fermo; FE Ferrara; FI Firenze; FG Foggia;
    FC Forlì-Cesena; FR Frosinone; GE Genova; GO Gorizia; GR Grosseto; IM Imperia; IS Isernia; AQ L'Aquila;
    SP La Spezia; LT Latina; LE Lecce; LC Lecco; LI Livorno; LO Lodi; LU Lucca; MC Macerata; MN Mantova;
    MS Massa-Carrara; MT Matera; ME Messina; MI Milano; MO Modena; MB Monza e Brianza; NA Napoli; NO Novara; NU Nuoro;
    OR Oristano; PD Padova; PA Palermo; PR Parma; PV Pavia; PG Perugia; PU Pesaro e Urbino; PE Pescara; PC Piacenza;
    PI Pisa; PT Pistoia; PN Pordenone; PZ Potenza; PO Prato; RG Ragusa; RA Ravenna; RC Reggio Calabria;
    RE Reggio Emilia; RI Rieti; RN Rimini; RM Roma; RO Rovigo; SA Salerno; SS Sassari; SV Savona; SI Siena;
    SR Siracusa; SO Sondrio; SU Sud Sardegna; TA Taranto; TE Teramo; TR Terni; TO Torino; TP Trapani; TN Trento;
    TV Treviso; TS Trieste; UD Udine; AO Valle d'Aosta; VA Varese; VE Venezia; VB Verbano-Cusio-Ossola; VC Vercelli;
    VR Verona; VV Vibo Valentia; VI Vicenza; VT Viterbo`,
  JP: `
    23 Aichi; 05 Akita; 02 Aomori; 12 Chiba; 38 Ehime; 18 Fukui; 40 Fukuoka; 07 Fukushima; 21 Gifu; 10 Gunma;
    34 Hiroshima; 01 Hokkaido; 28 Hyogo; 08 Ibaraki; 17 Ishikawa; 03 Iwate; 37 Kagawa; 46 Kagoshima; 14 Kanagawa;
    39 Kochi; 43 Kumamoto; 26 Kyoto; 24 Mie; 04 Miyagi; 45 Miyazaki; 20 Nagano; 42 Nagasaki; 29 Nara; 15 Niigata;
    44 Oita; 33 Okayama; 47 Okinawa; 27 Osaka; 41 Saga; 11 Saitama; 25 Shiga; 32 Shimane; 22 Shizuoka; 09 Tochigi;
    36 Tokushima; 13 Tokyo; 31 Tottori; 16 Toyama; 30 Wakayama; 06 Yamagata; 35 Yamaguchi; 19 Yamanashi`,
  MM: `
    07 Ayeyarwady; 02 Bago; 14 Chin; 11 Kachin; 12 Kayah; 13 Kayin; 03 Magway; 04 Mandalay; 15 Mon; 18 Nay Pyi Taw;
    16 Rakhine; 01 Sagaing; 17 Shan; 05 Tanintharyi; 06 Yangon`,
  MX: `
    AGU Aguascalientes; BCN Baja California; BCS Baja California Sur; CAM Campeche; CHP Chiapas; CHH Chihuahua;
    CMX Ciudad de México; COA Coahuila de Zaragoza; COL Colima; DUR Durango; MEX Estado de México; GUA Guanajuato;
    GRO Guerrero; HID Hidalgo; JAL Jalisco; MIC Michoacán de Ocampo; MOR Morelos; NAY Nayarit; NLE Nuevo León;
    OAX Oaxaca; PUE Puebla; QUE Querétaro; ROO Quintana Roo; SLP San Luis Potosí; SIN Sinaloa; SON Sonora;
    TAB Tabasco; TAM Tamaulipas; TLA Tlaxcala; VER Veracruz; YUC Yucatán; ZAC Zacatecas`,
  MY: `
    01 Johor; 02 Kedah; 03 Kelantan; 14 Kuala Lumpur; 15 Labuan; 04 Melaka; 05 Negeri Sembilan; 06 Pahang; 08 Perak;
    09 Perlis; 07 Pulau Pinang; 16 Putrajaya; 12 Sabah; 13 Sarawak; 10 Selangor; 11 Terengganu`,
  NZ: `
    AUK Auckland; BOP Bay of Plenty; CAN Canterbury; CIT Chatham Islands Territory; GIS Gisborne; HKB Hawke's Bay;
    MWT Manawatu-Wanganui; MBH Marlborough; NSN Nelson; NTL Northland; OTA Otago; STL Southland; TKI Taranaki;
    TAS Tasman; WKO Waikato; WGN Wellington; WTC West Coast`,
  PH: `
    ABR Abra; AGN Agusan del Norte; AGS Agusan del Sur; AKL Aklan; ALB Albay; ANT Antique; APA Apayao; AUR Aurora;
    BAS Basilan; BAN Bataan; BTN Batanes; BTG Batangas; BEN Benguet; BIL Biliran; BOH Bohol; BUK Bukidnon;
    BUL Bulacan; CAG Cagayan; CAN Camarines Norte; CAS Camarines Sur; CAM Camiguin; CAP Capiz; CAT Catanduanes;
    CAV Cavite; CEB Cebu; NCO Cotabato; COM Davao de Oro; DAV Davao del Norte; DAS Davao del Sur;
    DVO Davao Occidental; DAO Davao Oriental; DIN Dinagat Islands; EAS Eastern Samar; GUI Guimaras; IFU Ifugao;
    ILN Ilocos Norte; ILS Ilocos Sur; ILI Iloilo; ISA Isabela; KAL Kalinga; LUN La Union; LAG Laguna;
    LAN Lanao del Norte; LAS Lanao del Sur; LEY Leyte; MGN Maguindanao del Norte; MGS Maguindanao del Sur;
    MAD Marinduque; MAS Masbate; 00 Metro Manila; MDC Mindoro Occidental; MDR Mindoro Oriental;
    MSC Misamis Occidental; MSR Misamis Oriental; MOU Mountain Province; NEC Negros Occidental; NER Negros Oriental;
    NSA Northern Samar; NUE Nueva Ecija; NUV Nueva Vizcaya; PLW Palawan; PAM Pampanga; PAN Pangasinan; QUE Quezon;
    QUI Quirino; RIZ Rizal; ROM Romblon; WSA Samar; SAR Sarangani; SIG Siquijor; SOR Sorsogon; SCO South Cotabato;
    SLE Southern Leyte; SUK Sultan Kudarat; SLU Sulu; SUN Surigao del Norte; SUR Surigao del Sur; TAR Tarlac;
    TAW Tawi-Tawi; ZMB Zambales; ZAN Zamboanga del Norte; ZAS Zamboanga del Sur; ZSI Zamboanga Sibugay`,
  QA: `
    ZA Al Daayen; KH Al Khor; RA Al Rayyan; SH Al Shahaniya; WA Al Wakrah; DA Doha; MS Madinat ash Shamal;
    US Umm Salal`,
  RO: `
    AB Alba; AR Arad; AG Arges; BC Bacau; BH Bihor; BN Bistrita-Nasaud; BT Botosani; BR Braila; BV Brasov;
    B Bucharest; BZ Buzau; CL Calarasi; CS Caras-Severin; CJ Cluj; CT Constanta; CV Covasna; DB Dambovita; DJ Dolj;
    GL Galati; GR Giurgiu; GJ Gorj; HR Harghita; HD Hunedoara; IL Ialomita; IS Iasi; IF Ilfov; MM Maramures;
    MH Mehedinti; MS Mures; NT Neamt; OT Olt; PH Prahova; SJ Salaj; SM Satu Mare; SB Sibiu; SV Suceava; TR Teleorman;
    TM Timis; TL Tulcea; VL Valcea; VS Vaslui; VN Vrancea`,
  US: `
    AL Alabama; AK Alaska; AS American Samoa; AZ Arizona; AR Arkansas; AA Armed Forces Americas;
    AE Armed Forces Europe, Canada, Africa and Middle East; AP Armed Forces Pacific; CA California; CO Colorado;
    CT Connecticut; DE Delaware; DC District of Columbia; FL Florida; GA Georgia; GU Guam; HI Hawaii; ID Idaho;
    IL Illinois; IN Indiana; IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; MH Marshall Islands;
    MD Maryland; MA Massachusetts; MI Michigan; FM Micronesia; MN Minnesota; MS Mississippi; MO Missouri; MT Montana;
    NE Nebraska; NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico; NY New York; NC North Carolina;
    ND North Dakota; MP Northern Mariana Islands; OH Ohio; OK Oklahoma; OR Oregon; PW Palau; PA Pennsylvania;
    PR Puerto Rico; RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; UT Utah; VT Vermont;
    VI Virgin Islands; VA Virginia; WA Washington; WV West Virginia; WI Wisconsin; WY Wyoming`,
  ZA: `
    EC Eastern Cape; FS Free State; GP Gauteng; KZN KwaZulu-Natal; LP Limpopo; MP Mpumalanga; NW North West;
    NC Northern Cape; WC Western Cape`,
}

/** A state, province, county or other subdivision of a country. */
export interface State {
  /** The code of ISO 3166-2 without the country, at most three characters: `NSW`. */
  code: string
  /** A state in answers. */
  name: string
}

const read = (list: string): State[] =>
  list
    .trim()
    .split(/;\s+/)
    .map((entry) => {
      const [code = '', ...words] = entry.split(/\s+/)
      return { code, name: words.join(' ') }
    })

const BY_COUNTRY: ReadonlyMap<string, readonly State[]> = new Map(
  Object.entries(LISTS).map(([country, list]) => [country, read(list)]),
)
const BY_NAME: ReadonlyMap<string, State> = new Map(
  [...BY_COUNTRY].flatMap(([country, states]) => states.map((state) => [keyOf(country, state.name), state])),
)

/** The states of a country, in the order of their names; undefined if any text is allowed. @param country code of two letters */
export const statesOf = (country: string): readonly State[] | undefined => BY_COUNTRY.get(country)

/** The state of a country by its full name, without regard to case and accents. Undefined for an unknown name. */
export const stateByName = (country: string, name: string): State | undefined => BY_NAME.get(keyOf(country, name))

function keyOf(country: string, name: string): string {
  return `${country} ${name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()}`
}
