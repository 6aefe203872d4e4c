import type { OrderRow } from './rows.ts'

/** The staff notes of an order with another line. */
export const withNote = ({ staff_notes }: Pick<OrderRow, 'staff_notes'>, note: string): string =>
  staff_notes === '' ? note : `${staff_notes}\n${note}`
