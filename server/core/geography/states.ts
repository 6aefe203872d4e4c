/**
 * The states of the 24 countries that have a list of them, as the post of each writes them: their numbers, their codes of ISO 3166-2
 * without the country, and their names. The states of a country are in the order of their names. Numbers never change, and a state that
 * is added gets the next free one (docs/decisions/024-countries-and-states.md).
 */
const LISTS: Readonly<Record<string, string>> = {
  AE: `
    216 AZ Abu Dhabi; 217 AJ Ajman; 218 DU Dubai; 219 FU Fujairah; 220 RK Ras al Khaimah; 221 SH Sharjah;
    222 UQ Umm Al Quwain`,
  AR: `
    223 B Buenos Aires; 224 K Catamarca; 225 H Chaco; 226 U Chubut; 227 C Ciudad Autónoma de Buenos Aires;
    228 X Córdoba; 229 W Corrientes; 230 E Entre Ríos; 231 P Formosa; 232 Y Jujuy; 233 L La Pampa; 234 F La Rioja;
    235 M Mendoza; 236 N Misiones; 237 Q Neuquén; 238 R Río Negro; 239 A Salta; 240 J San Juan; 241 D San Luis;
    242 Z Santa Cruz; 243 S Santa Fe; 244 G Santiago del Estero; 245 V Tierra del Fuego; 246 T Tucumán`,
  AT: `
    247 1 Burgenland; 248 2 Kärnten; 249 3 Niederösterreich; 250 4 Oberösterreich; 251 5 Salzburg; 252 6 Steiermark;
    253 7 Tirol; 254 8 Vorarlberg; 255 9 Wien`,
  AU: `
    208 ACT Australian Capital Territory; 209 NSW New South Wales; 210 NT Northern Territory; 211 QLD Queensland;
    212 SA South Australia; 213 TAS Tasmania; 214 VIC Victoria; 215 WA Western Australia`,
  BR: `
    256 AC Acre; 257 AL Alagoas; 258 AP Amapá; 259 AM Amazonas; 260 BA Bahia; 261 CE Ceará; 262 DF Distrito Federal;
    263 ES Espírito Santo; 264 GO Goiás; 265 MA Maranhão; 266 MT Mato Grosso; 267 MS Mato Grosso do Sul;
    268 MG Minas Gerais; 269 PA Pará; 270 PB Paraíba; 271 PR Paraná; 272 PE Pernambuco; 273 PI Piauí;
    274 RJ Rio de Janeiro; 275 RN Rio Grande do Norte; 276 RS Rio Grande do Sul; 277 RO Rondônia; 278 RR Roraima;
    279 SC Santa Catarina; 280 SP São Paulo; 281 SE Sergipe; 282 TO Tocantins`,
  CA: `
    283 AB Alberta; 284 BC British Columbia; 285 MB Manitoba; 286 NB New Brunswick; 287 NL Newfoundland and Labrador;
    288 NT Northwest Territories; 289 NS Nova Scotia; 290 NU Nunavut; 291 ON Ontario; 292 PE Prince Edward Island;
    293 QC Quebec; 294 SK Saskatchewan; 295 YT Yukon`,
  CH: `
    296 AG Aargau; 297 AR Appenzell Ausserrhoden; 298 AI Appenzell Innerrhoden; 299 BL Basel-Landschaft;
    300 BS Basel-Stadt; 301 BE Bern; 302 FR Fribourg; 303 GE Genève; 304 GL Glarus; 305 GR Graubünden; 306 JU Jura;
    307 LU Luzern; 308 NE Neuchâtel; 309 NW Nidwalden; 310 OW Obwalden; 311 SG Sankt Gallen; 312 SH Schaffhausen;
    313 SZ Schwyz; 314 SO Solothurn; 315 TG Thurgau; 316 TI Ticino; 317 UR Uri; 318 VS Valais; 319 VD Vaud; 320 ZG Zug;
    321 ZH Zürich`,
  CL: `
    322 AI Aisén del General Carlos Ibáñez del Campo; 323 AN Antofagasta; 324 AR Araucanía; 325 AP Arica y Parinacota;
    326 AT Atacama; 327 BI Bío-Bío; 328 CO Coquimbo; 329 LI Libertador General Bernardo O'Higgins; 330 LL Los Lagos;
    331 LR Los Ríos; 332 MA Magallanes y Antartica Chilena; 333 ML Maule; 334 NB Ñuble;
    335 RM Región Metropolitana de Santiago; 336 TA Tarapacá; 337 VS Valparaíso`,
  DE: `
    338 BW Baden-Württemberg; 339 BY Bayern; 340 BE Berlin; 341 BB Brandenburg; 342 HB Bremen; 343 HH Hamburg;
    344 HE Hessen; 345 MV Mecklenburg-Vorpommern; 346 NI Niedersachsen; 347 NW Nordrhein-Westfalen;
    348 RP Rheinland-Pfalz; 349 SL Saarland; 350 SN Sachsen; 351 ST Sachsen-Anhalt; 352 SH Schleswig-Holstein;
    353 TH Thüringen`,
  ES: `
    354 C A Coruña; 355 VI Álava; 356 AB Albacete; 357 A Alicante; 358 AL Almería; 359 O Asturias; 360 AV Ávila;
    361 BA Badajoz; 362 B Barcelona; 363 BI Bizkaia; 364 BU Burgos; 365 CC Cáceres; 366 CA Cádiz; 367 S Cantabria;
    368 CS Castellón; 369 CE Ceuta; 370 CR Ciudad Real; 371 CO Córdoba; 372 CU Cuenca; 373 SS Gipuzkoa; 374 GI Girona;
    375 GR Granada; 376 GU Guadalajara; 377 H Huelva; 378 HU Huesca; 379 PM Illes Balears; 380 J Jaén; 381 LO La Rioja;
    382 GC Las Palmas; 383 LE León; 384 L Lleida; 385 LU Lugo; 386 M Madrid; 387 MA Málaga; 388 ML Melilla;
    389 MU Murcia; 390 NA Navarra; 391 OR Ourense; 392 P Palencia; 393 PO Pontevedra; 394 SA Salamanca;
    395 TF Santa Cruz de Tenerife; 396 SG Segovia; 397 SE Sevilla; 398 SO Soria; 399 T Tarragona; 400 TE Teruel;
    401 TO Toledo; 402 V Valencia; 403 VA Valladolid; 404 ZA Zamora; 405 Z Zaragoza`,
  ID: `
    170 AC Aceh; 171 BA Bali; 172 BB Bangka Belitung; 173 BT Banten; 174 BE Bengkulu; 175 GO Gorontalo;
    176 JK Jakarta Raya; 177 JA Jambi; 178 JB Jawa Barat; 179 JT Jawa Tengah; 180 JI Jawa Timur;
    181 KB Kalimantan Barat; 182 KS Kalimantan Selatan; 183 KT Kalimantan Tengah; 184 KI Kalimantan Timur;
    185 KU Kalimantan Utara; 186 KR Kepulauan Riau; 187 LA Lampung; 188 MA Maluku; 189 MU Maluku Utara;
    190 NB Nusa Tenggara Barat; 191 NT Nusa Tenggara Timur; 192 PA Papua; 193 PB Papua Barat; 194 PD Papua Barat Daya;
    195 PE Papua Pegunungan; 196 PS Papua Selatan; 197 PT Papua Tengah; 198 RI Riau; 199 SR Sulawesi Barat;
    200 SN Sulawesi Selatan; 201 ST Sulawesi Tengah; 202 SG Sulawesi Tenggara; 203 SA Sulawesi Utara;
    204 SB Sumatera Barat; 205 SS Sumatera Selatan; 206 SU Sumatera Utara; 207 YO Yogyakarta`,
  IE: `
    406 CW Carlow; 407 CN Cavan; 408 CE Clare; 409 CO Cork; 410 DL Donegal; 411 D Dublin; 412 G Galway; 413 KY Kerry;
    414 KE Kildare; 415 KK Kilkenny; 416 LS Laois; 417 LM Leitrim; 418 LK Limerick; 419 LD Longford; 420 LH Louth;
    421 MO Mayo; 422 MH Meath; 423 MN Monaghan; 424 OY Offaly; 425 RN Roscommon; 426 SO Sligo; 427 TA Tipperary;
    428 WD Waterford; 429 WH Westmeath; 430 WX Wexford; 431 WW Wicklow`,
  IN: `
    432 AN Andaman and Nicobar Islands; 433 AP Andhra Pradesh; 434 AR Arunachal Pradesh; 435 AS Assam; 436 BR Bihar;
    437 CH Chandigarh; 438 CG Chhattisgarh; 439 DH Dadra and Nagar Haveli and Daman and Diu; 440 DL Delhi; 441 GA Goa;
    442 GJ Gujarat; 443 HR Haryana; 444 HP Himachal Pradesh; 445 JK Jammu and Kashmir; 446 JH Jharkhand;
    447 KA Karnataka; 448 KL Kerala; 449 LA Ladakh; 450 LD Lakshadweep; 451 MP Madhya Pradesh; 452 MH Maharashtra;
    453 MN Manipur; 454 ML Meghalaya; 455 MZ Mizoram; 456 NL Nagaland; 457 OD Odisha; 458 PY Puducherry; 459 PB Punjab;
    460 RJ Rajasthan; 461 SK Sikkim; 462 TN Tamil Nadu; 463 TS Telangana; 464 TR Tripura; 465 UP Uttar Pradesh;
    466 UK Uttarakhand; 467 WB West Bengal`,
  IT: `
    63 AG Agrigento; 64 AL Alessandria; 65 AN Ancona; 66 AR Arezzo; 67 AP Ascoli Piceno; 68 AT Asti; 69 AV Avellino;
    70 BA Bari; 71 BT Barletta-Andria-Trani; 72 BL Belluno; 73 BN Benevento; 74 BG Bergamo; 75 BI Biella; 76 BO Bologna;
    77 BZ Bolzano; 78 BS Brescia; 79 BR Brindisi; 80 CA Cagliari; 81 CL Caltanissetta; 82 CB Campobasso; 83 CE Caserta;
    84 CT Catania; 85 CZ Catanzaro; 86 CH Chieti; 87 CO Como; 88 CS Cosenza; 89 CR Cremona; 90 KR Crotone; 91 CN Cuneo;
    92 EN Enna; 93 FM Fermo; 94 FE Ferrara; 95 FI Firenze; 96 FG Foggia; 97 FC Forlì-Cesena; 98 FR Frosinone;
    99 GE Genova; 100 GO Gorizia; 101 GR Grosseto; 102 IM Imperia; 103 IS Isernia; 104 AQ L'Aquila; 105 SP La Spezia;
    106 LT Latina; 107 LE Lecce; 108 LC Lecco; 109 LI Livorno; 110 LO Lodi; 111 LU Lucca; 112 MC Macerata;
    113 MN Mantova; 114 MS Massa-Carrara; 115 MT Matera; 116 ME Messina; 117 MI Milano; 118 MO Modena;
    119 MB Monza e Brianza; 120 NA Napoli; 121 NO Novara; 122 NU Nuoro; 123 OR Oristano; 124 PD Padova; 125 PA Palermo;
    126 PR Parma; 127 PV Pavia; 128 PG Perugia; 129 PU Pesaro e Urbino; 130 PE Pescara; 131 PC Piacenza; 132 PI Pisa;
    133 PT Pistoia; 134 PN Pordenone; 135 PZ Potenza; 136 PO Prato; 137 RG Ragusa; 138 RA Ravenna;
    139 RC Reggio Calabria; 140 RE Reggio Emilia; 141 RI Rieti; 142 RN Rimini; 143 RM Roma; 144 RO Rovigo;
    145 SA Salerno; 146 SS Sassari; 147 SV Savona; 148 SI Siena; 149 SR Siracusa; 150 SO Sondrio; 151 SU Sud Sardegna;
    152 TA Taranto; 153 TE Teramo; 154 TR Terni; 155 TO Torino; 156 TP Trapani; 157 TN Trento; 158 TV Treviso;
    159 TS Trieste; 160 UD Udine; 161 AO Valle d'Aosta; 162 VA Varese; 163 VE Venezia; 164 VB Verbano-Cusio-Ossola;
    165 VC Vercelli; 166 VR Verona; 167 VV Vibo Valentia; 168 VI Vicenza; 169 VT Viterbo`,
  JP: `
    468 23 Aichi; 469 05 Akita; 470 02 Aomori; 471 12 Chiba; 472 38 Ehime; 473 18 Fukui; 474 40 Fukuoka;
    475 07 Fukushima; 476 21 Gifu; 477 10 Gunma; 478 34 Hiroshima; 479 01 Hokkaido; 480 28 Hyogo; 481 08 Ibaraki;
    482 17 Ishikawa; 483 03 Iwate; 484 37 Kagawa; 485 46 Kagoshima; 486 14 Kanagawa; 487 39 Kochi; 488 43 Kumamoto;
    489 26 Kyoto; 490 24 Mie; 491 04 Miyagi; 492 45 Miyazaki; 493 20 Nagano; 494 42 Nagasaki; 495 29 Nara;
    496 15 Niigata; 497 44 Oita; 498 33 Okayama; 499 47 Okinawa; 500 27 Osaka; 501 41 Saga; 502 11 Saitama;
    503 25 Shiga; 504 32 Shimane; 505 22 Shizuoka; 506 09 Tochigi; 507 36 Tokushima; 508 13 Tokyo; 509 31 Tottori;
    510 16 Toyama; 511 30 Wakayama; 512 06 Yamagata; 513 35 Yamaguchi; 514 19 Yamanashi`,
  MM: `
    515 07 Ayeyarwady; 516 02 Bago; 517 14 Chin; 518 11 Kachin; 519 12 Kayah; 520 13 Kayin; 521 03 Magway;
    522 04 Mandalay; 523 15 Mon; 524 18 Nay Pyi Taw; 525 16 Rakhine; 526 01 Sagaing; 527 17 Shan; 528 05 Tanintharyi;
    529 06 Yangon`,
  MX: `
    530 AGU Aguascalientes; 531 BCN Baja California; 532 BCS Baja California Sur; 533 CAM Campeche; 534 CHP Chiapas;
    535 CHH Chihuahua; 536 CMX Ciudad de México; 537 COA Coahuila de Zaragoza; 538 COL Colima; 539 DUR Durango;
    540 MEX Estado de México; 541 GUA Guanajuato; 542 GRO Guerrero; 543 HID Hidalgo; 544 JAL Jalisco;
    545 MIC Michoacán de Ocampo; 546 MOR Morelos; 547 NAY Nayarit; 548 NLE Nuevo León; 549 OAX Oaxaca; 550 PUE Puebla;
    551 QUE Querétaro; 552 ROO Quintana Roo; 553 SLP San Luis Potosí; 554 SIN Sinaloa; 555 SON Sonora; 556 TAB Tabasco;
    557 TAM Tamaulipas; 558 TLA Tlaxcala; 559 VER Veracruz; 560 YUC Yucatán; 561 ZAC Zacatecas`,
  MY: `
    562 01 Johor; 563 02 Kedah; 564 03 Kelantan; 565 14 Kuala Lumpur; 566 15 Labuan; 567 04 Melaka;
    568 05 Negeri Sembilan; 569 06 Pahang; 570 08 Perak; 571 09 Perlis; 572 07 Pulau Pinang; 573 16 Putrajaya;
    574 12 Sabah; 575 13 Sarawak; 576 10 Selangor; 577 11 Terengganu`,
  NZ: `
    578 AUK Auckland; 579 BOP Bay of Plenty; 580 CAN Canterbury; 581 CIT Chatham Islands Territory; 582 GIS Gisborne;
    583 HKB Hawke's Bay; 584 MWT Manawatu-Wanganui; 585 MBH Marlborough; 586 NSN Nelson; 587 NTL Northland;
    588 OTA Otago; 589 STL Southland; 590 TKI Taranaki; 591 TAS Tasman; 592 WKO Waikato; 593 WGN Wellington;
    594 WTC West Coast`,
  PH: `
    595 ABR Abra; 596 AGN Agusan del Norte; 597 AGS Agusan del Sur; 598 AKL Aklan; 599 ALB Albay; 600 ANT Antique;
    601 APA Apayao; 602 AUR Aurora; 603 BAS Basilan; 604 BAN Bataan; 605 BTN Batanes; 606 BTG Batangas; 607 BEN Benguet;
    608 BIL Biliran; 609 BOH Bohol; 610 BUK Bukidnon; 611 BUL Bulacan; 612 CAG Cagayan; 613 CAN Camarines Norte;
    614 CAS Camarines Sur; 615 CAM Camiguin; 616 CAP Capiz; 617 CAT Catanduanes; 618 CAV Cavite; 619 CEB Cebu;
    620 NCO Cotabato; 621 COM Davao de Oro; 622 DAV Davao del Norte; 623 DAS Davao del Sur; 624 DVO Davao Occidental;
    625 DAO Davao Oriental; 626 DIN Dinagat Islands; 627 EAS Eastern Samar; 628 GUI Guimaras; 629 IFU Ifugao;
    630 ILN Ilocos Norte; 631 ILS Ilocos Sur; 632 ILI Iloilo; 633 ISA Isabela; 634 KAL Kalinga; 635 LUN La Union;
    636 LAG Laguna; 637 LAN Lanao del Norte; 638 LAS Lanao del Sur; 639 LEY Leyte; 640 MGN Maguindanao del Norte;
    641 MGS Maguindanao del Sur; 642 MAD Marinduque; 643 MAS Masbate; 644 00 Metro Manila; 645 MDC Mindoro Occidental;
    646 MDR Mindoro Oriental; 647 MSC Misamis Occidental; 648 MSR Misamis Oriental; 649 MOU Mountain Province;
    650 NEC Negros Occidental; 651 NER Negros Oriental; 652 NSA Northern Samar; 653 NUE Nueva Ecija;
    654 NUV Nueva Vizcaya; 655 PLW Palawan; 656 PAM Pampanga; 657 PAN Pangasinan; 658 QUE Quezon; 659 QUI Quirino;
    660 RIZ Rizal; 661 ROM Romblon; 662 WSA Samar; 663 SAR Sarangani; 664 SIG Siquijor; 665 SOR Sorsogon;
    666 SCO South Cotabato; 667 SLE Southern Leyte; 668 SUK Sultan Kudarat; 669 SLU Sulu; 670 SUN Surigao del Norte;
    671 SUR Surigao del Sur; 672 TAR Tarlac; 673 TAW Tawi-Tawi; 674 ZMB Zambales; 675 ZAN Zamboanga del Norte;
    676 ZAS Zamboanga del Sur; 677 ZSI Zamboanga Sibugay`,
  QA: `
    678 ZA Al Daayen; 679 KH Al Khor; 680 RA Al Rayyan; 681 SH Al Shahaniya; 682 WA Al Wakrah; 683 DA Doha;
    684 MS Madinat ash Shamal; 685 US Umm Salal`,
  RO: `
    686 AB Alba; 687 AR Arad; 688 AG Arges; 689 BC Bacau; 690 BH Bihor; 691 BN Bistrita-Nasaud; 692 BT Botosani;
    693 BR Braila; 694 BV Brasov; 695 B Bucharest; 696 BZ Buzau; 697 CL Calarasi; 698 CS Caras-Severin; 699 CJ Cluj;
    700 CT Constanta; 701 CV Covasna; 702 DB Dambovita; 703 DJ Dolj; 704 GL Galati; 705 GR Giurgiu; 706 GJ Gorj;
    707 HR Harghita; 708 HD Hunedoara; 709 IL Ialomita; 710 IS Iasi; 711 IF Ilfov; 712 MM Maramures; 713 MH Mehedinti;
    714 MS Mures; 715 NT Neamt; 716 OT Olt; 717 PH Prahova; 718 SJ Salaj; 719 SM Satu Mare; 720 SB Sibiu;
    721 SV Suceava; 722 TR Teleorman; 723 TM Timis; 724 TL Tulcea; 725 VL Valcea; 726 VS Vaslui; 727 VN Vrancea`,
  US: `
    1 AL Alabama; 2 AK Alaska; 3 AS American Samoa; 4 AZ Arizona; 5 AR Arkansas; 6 AA Armed Forces Americas;
    7 AE Armed Forces Europe, Canada, Africa and Middle East; 8 AP Armed Forces Pacific; 9 CA California;
    10 CO Colorado; 11 CT Connecticut; 12 DE Delaware; 13 DC District of Columbia; 14 FL Florida; 15 GA Georgia;
    16 GU Guam; 17 HI Hawaii; 18 ID Idaho; 19 IL Illinois; 20 IN Indiana; 21 IA Iowa; 22 KS Kansas; 23 KY Kentucky;
    24 LA Louisiana; 25 ME Maine; 26 MH Marshall Islands; 27 MD Maryland; 28 MA Massachusetts; 29 MI Michigan;
    30 FM Micronesia; 31 MN Minnesota; 32 MS Mississippi; 33 MO Missouri; 34 MT Montana; 35 NE Nebraska; 36 NV Nevada;
    37 NH New Hampshire; 38 NJ New Jersey; 39 NM New Mexico; 40 NY New York; 41 NC North Carolina; 42 ND North Dakota;
    43 MP Northern Mariana Islands; 44 OH Ohio; 45 OK Oklahoma; 46 OR Oregon; 47 PW Palau; 48 PA Pennsylvania;
    49 PR Puerto Rico; 50 RI Rhode Island; 51 SC South Carolina; 52 SD South Dakota; 53 TN Tennessee; 54 TX Texas;
    55 UT Utah; 56 VT Vermont; 57 VI Virgin Islands; 58 VA Virginia; 59 WA Washington; 60 WV West Virginia;
    61 WI Wisconsin; 62 WY Wyoming`,
  ZA: `
    728 EC Eastern Cape; 729 FS Free State; 730 GP Gauteng; 731 KZN KwaZulu-Natal; 732 LP Limpopo; 733 MP Mpumalanga;
    734 NW North West; 735 NC Northern Cape; 736 WC Western Cape`,
}

/** A state, province, county or other subdivision of a country. */
export interface State {
  /** Its number, the same in every store. */
  id: number
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
      const [id, code = '', ...words] = entry.split(/\s+/)
      return { id: Number(id), code, name: words.join(' ') }
    })

const BY_COUNTRY: ReadonlyMap<string, readonly State[]> = new Map(
  Object.entries(LISTS).map(([country, list]) => [country, read(list)]),
)
const BY_NAME: ReadonlyMap<string, State> = new Map(
  [...BY_COUNTRY].flatMap(([country, states]) => states.map((state) => [keyOf(country, state.name), state])),
)

/** All states with the codes of their countries, in the order of their numbers. */
export const ALL_STATES: readonly (State & { country: string })[] = [...BY_COUNTRY]
  .flatMap(([country, states]) => states.map((state) => ({ ...state, country })))
  .sort((one, other) => one.id - other.id)

/** The states of a country, in the order of their names; undefined if any text is allowed. @param country code of two letters */
export const statesOf = (country: string): readonly State[] | undefined => BY_COUNTRY.get(country)

/** The state of a country by its full name, without regard to case and accents. Undefined for an unknown name. */
export const stateByName = (country: string, name: string): State | undefined => BY_NAME.get(keyOf(country, name))

function keyOf(country: string, name: string): string {
  return `${country} ${name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()}`
}
