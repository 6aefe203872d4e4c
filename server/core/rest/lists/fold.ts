/**
 * The form in which texts are compared: NFC, trimmed, lower case. Stored twins of text columns and the patterns of filters
 * are written by this one function; PostgreSQL's own `lower` differs from it and from locale to locale.
 */
export const fold = (text: string): string => text.normalize('NFC').trim().toLowerCase().normalize('NFC')
