import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LINEAR_MS, processorMs } from '../../../test/servers/processor.ts'
import { parseDate, toSeconds } from './dates.ts'

/** The date that was read, as text: easier to compare in a table than a Date. */
function read(text: string): string | undefined {
  const moment = parseDate(text)
  return moment && toSeconds(moment.at)
}

describe('a readable date', () => {
  test.each([
    ['a bare day is its midnight in UTC', '2024-05-14', '2024-05-14T00:00:00Z'],
    ['a time without offset is UTC', '2024-05-14T09:34:00', '2024-05-14T09:34:00Z'],
    ['Z is UTC', '2024-05-14T09:34:00Z', '2024-05-14T09:34:00Z'],
    ['RFC 3339 allows small letters', '2024-05-14t09:34:00z', '2024-05-14T09:34:00Z'],
    ['an offset east is taken off', '2024-05-14T09:34:00+02:00', '2024-05-14T07:34:00Z'],
    ['an offset west is added', '2024-05-14T22:34:00-05:30', '2024-05-15T04:04:00Z'],
    ['an offset needs no colon', '2024-05-14T09:34:00+0200', '2024-05-14T07:34:00Z'],
    ['an unknown offset is UTC', '2024-05-14T09:34:00-00:00', '2024-05-14T09:34:00Z'],
    ['an offset of 14 hours is the widest east', '2024-05-14T09:34:00+14:00', '2024-05-13T19:34:00Z'],
    ['an offset of 14 hours is the widest west', '2024-05-14T09:34:00-14:00', '2024-05-14T23:34:00Z'],
    ['a blank before four digits was a plus', '2024-05-14T09:34:00 0200', '2024-05-14T07:34:00Z'],
    ['a blank before four digits with a colon was a plus', '2024-05-14T09:34:00 02:00', '2024-05-14T07:34:00Z'],
    ['a fraction is cut', '2024-05-14T09:34:00.999Z', '2024-05-14T09:34:00Z'],
    ['a fraction is cut before 1970 too', '1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z'],
    ['a fraction may be long', '2024-05-14T09:34:00.1234567890123+02:00', '2024-05-14T07:34:00Z'],
    ['a fraction needs no offset', '2024-05-14T09:34:00.5', '2024-05-14T09:34:00Z'],
    ['the last second of a day', '2024-05-14T23:59:59Z', '2024-05-14T23:59:59Z'],
    ['29 February of a leap year', '2024-02-29', '2024-02-29T00:00:00Z'],
    ['29 February of a fourth century', '2000-02-29', '2000-02-29T00:00:00Z'],
    ['the first day', '0001-01-01', '0001-01-01T00:00:00Z'],
    ['a year below 100 is meant so', '0099-05-14', '0099-05-14T00:00:00Z'],
    ['year 0 that is year 1 in UTC', '0000-12-31T23:00:00-02:00', '0001-01-01T01:00:00Z'],
    ['the last second of all', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ['RFC 2822', 'Tue, 12 Jun 2018 14:41:56 +0000', '2018-06-12T14:41:56Z'],
    ['RFC 2822 with an offset', 'Tue, 12 Jun 2018 14:41:56 -0500', '2018-06-12T19:41:56Z'],
    ['RFC 2822 whose weekday is local', 'Wed, 13 Jun 2018 01:00:00 +0200', '2018-06-12T23:00:00Z'],
    ['RFC 2822 in GMT', 'Tue, 12 Jun 2018 14:41:56 GMT', '2018-06-12T14:41:56Z'],
    ['RFC 2822 without weekday', '12 Jun 2018 14:41:56 +0000', '2018-06-12T14:41:56Z'],
    ['RFC 2822 without seconds', 'Tue, 12 Jun 2018 14:41 +0000', '2018-06-12T14:41:00Z'],
    ['RFC 2822 with one digit for the day', 'Tue, 5 Jun 2018 14:41:56 +0000', '2018-06-05T14:41:56Z'],
    ['RFC 2822 whose plus became a blank', 'Tue, 12 Jun 2018 14:41:56  0200', '2018-06-12T12:41:56Z'],
  ])('%s: %s', (_, text, expected) => {
    expect(read(text)).toBe(expected)
  })
})

describe('an unreadable date', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'yesterday'],
    ['Unix seconds', '1715679240'],
    ['a blank before', ' 2024-05-14'],
    ['a blank after', '2024-05-14 '],
    ['a line end after', '2024-05-14\n'],
    ['month 0', '2024-00-14'],
    ['month 13', '2024-13-14'],
    ['day 0', '2024-05-00'],
    ['day 32', '2024-05-32'],
    ['31 April', '2024-04-31'],
    ['30 February', '2024-02-30'],
    ['29 February of a common year', '2023-02-29'],
    ['29 February of a common century', '1900-02-29'],
    ['one digit for the month', '2024-5-14'],
    ['a year of five digits', '10000-01-01'],
    ['a year with a sign', '+002024-05-14'],
    ['year 0', '0000-12-31'],
    ['year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
    ['hour 24', '2024-05-14T24:00:00Z'],
    ['minute 60', '2024-05-14T09:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['no seconds', '2024-05-14T09:34Z'],
    ['a fraction without digits', '2024-05-14T09:34:00.Z'],
    ['a comma before the fraction', '2024-05-14T09:34:00,5Z'],
    ['a blank for the T', '2024-05-14 09:34:00Z'],
    ['an offset without minutes', '2024-05-14T09:34:00+02'],
    ['an offset of 60 minutes', '2024-05-14T09:34:00+01:60'],
    ['an offset beyond 14 hours', '2024-05-14T09:34:00+14:01'],
    ['an offset beyond 14 hours west', '2024-05-14T09:34:00-14:01'],
    ['two blanks before the offset', '2024-05-14T09:34:00  0200'],
    ['a day with an offset', '2024-05-14+02:00'],
    ['digits that are not ASCII', '２０２４-05-14'],
    ['RFC 2822 with the wrong weekday', 'Mon, 12 Jun 2018 14:41:56 +0000'],
    ['RFC 2822 with an unknown weekday', 'Foo, 12 Jun 2018 14:41:56 +0000'],
    ['RFC 2822 with an unknown month', 'Tue, 12 Foo 2018 14:41:56 +0000'],
    ['RFC 2822 with 31 June', '31 Jun 2018 14:41:56 +0000'],
    ['RFC 2822 with hour 24', '12 Jun 2018 24:00:00 +0000'],
    ['RFC 2822 with a leap second', 'Sat, 31 Dec 2016 23:59:60 +0000'],
    ['RFC 2822 with two digits for the year', 'Tue, 12 Jun 18 14:41:56 +0000'],
    ['RFC 2822 with an offset beyond 14 hours', 'Tue, 12 Jun 2018 14:41:56 +1401'],
    ['RFC 2822 without offset', 'Tue, 12 Jun 2018 14:41:56'],
    ['RFC 2822 with a zone by name', 'Tue, 12 Jun 2018 14:41:56 EST'],
  ])('%s: %s', (_, text) => {
    expect(read(text)).toBeUndefined()
  })
})

test.each([
  ['2024-05-14', true],
  ['2024-05-14T00:00:00', false],
  ['2024-05-14T00:00:00Z', false],
  ['Tue, 14 May 2024 00:00:00 GMT', false],
])('only a bare day is a whole day: %s', (text, wholeDay) => {
  expect(parseDate(text)?.wholeDay).toBe(wholeDay)
})

test.each([
  ['2018-09-18T13:59:01.000Z', '2018-09-18T13:59:01Z'],
  ['2018-09-18T13:59:01.999Z', '2018-09-18T13:59:01Z'],
  ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00Z'],
])('seconds are written without their fraction: %s', (date, expected) => {
  expect(toSeconds(new Date(date))).toBe(expected)
})

test('a time that was written as v3 or as RFC 2822 is read back', () => {
  const bounds = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(bounds), (date) => {
      expect(read(toSeconds(date))).toBe(toSeconds(date))
      expect(read(date.toUTCString())).toBe(toSeconds(date))
    }),
  )
})

test('any text is read or refused without an exception', () => {
  const likely = fc.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([+ -][0-9]{4})?)?$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), likely), (text) => {
      const year = parseDate(text)?.at.getUTCFullYear()
      if (year !== undefined) expect(year >= 1 && year <= 9999).toBe(true)
    }),
  )
})

test.each([
  ['digits', '1'.repeat(1_000_000)],
  ['a fraction that breaks off', `2024-05-14T09:34:00.${'1'.repeat(1_000_000)}x`],
  ['blanks', `Tue, 12 Jun 2018 14:41:56${' '.repeat(1_000_000)}`],
])('a million characters cost no time: %s', async (_, text) => {
  expect(await processorMs(() => expect(parseDate(text)).toBeUndefined())).toBeLessThan(LINEAR_MS)
})
