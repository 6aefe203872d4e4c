import { expect, test } from 'vitest'
import type { PromotionSchedule } from '../promotion.ts'
import { isScheduled } from './schedule.ts'

// 2026-03-04 is a Wednesday.
const start = Date.parse('2026-03-04T00:00:00Z')
const every = (more: Partial<PromotionSchedule>): PromotionSchedule => ({
  week_frequency: 1,
  week_days: ['Wednesday'],
  daily_start_time: '09:00:00',
  daily_end_time: '17:00:00',
  ...more,
})
const late = { daily_start_time: '22:00:00', daily_end_time: '02:00:00' }
const biweekly = every({ week_frequency: 2, week_days: ['Monday', 'Wednesday'] })

test.each<[string, PromotionSchedule, string, string, boolean]>([
  ['at its daily start', every({}), '2026-03-04T09:00:00Z', 'UTC', true],
  ['before its daily start', every({}), '2026-03-04T08:59:59Z', 'UTC', false],
  ['at its daily end', every({}), '2026-03-04T17:00:00Z', 'UTC', true],
  ['after its daily end', every({}), '2026-03-04T17:00:01Z', 'UTC', false],
  ['on another day', every({}), '2026-03-05T12:00:00Z', 'UTC', false],
  ['in the next week', every({}), '2026-03-11T12:00:00Z', 'UTC', true],
  ['in the time zone of the store', every({}), '2026-03-04T16:00:00Z', 'Asia/Tokyo', false],
  ['in the time zone of the store, a day earlier', every({}), '2026-03-04T01:00:00Z', 'Asia/Tokyo', true],
  ['in summer time', every({}), '2026-07-01T13:00:00Z', 'America/New_York', true],
  ['in a week between', biweekly, '2026-03-11T12:00:00Z', 'UTC', false],
  ['in the second week', biweekly, '2026-03-18T12:00:00Z', 'UTC', true],
  ['on a Monday of the second week, which begins on it', biweekly, '2026-03-16T12:00:00Z', 'UTC', true],
  ['on the Monday before', biweekly, '2026-03-09T12:00:00Z', 'UTC', false],
  ['before midnight', every(late), '2026-03-04T23:00:00Z', 'UTC', true],
  ['past midnight, by the day of its start', every(late), '2026-03-05T01:00:00Z', 'UTC', true],
  ['past midnight of the day before', every(late), '2026-03-11T01:00:00Z', 'UTC', false],
  ['past midnight, after its end', every(late), '2026-03-05T02:00:01Z', 'UTC', false],
  [
    'all day, if it ends at its start',
    every({ daily_start_time: '00:00:00', daily_end_time: '00:00:00' }),
    '2026-03-04T12:00:00Z',
    'UTC',
    true,
  ],
])('a schedule %s', (_, ...[schedule, at, timeZone, expected]) => {
  expect(isScheduled(schedule, start, Date.parse(at), timeZone)).toBe(expected)
})
