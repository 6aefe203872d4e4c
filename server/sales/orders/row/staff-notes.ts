import type { OrderRow } from './rows.ts'

/** Appends a line to the staff notes of an order. */
export const withNote = ({ staff_notes }: Pick<OrderRow, 'staff_notes'>, note: string): string =>
  staff_notes === '' ? note : `${staff_notes}\n${note}`
