import { describe, expect, test } from 'vitest'
import { completedPart, readAddresses } from './invitation-addresses.ts'

const emails = (text: string) => readAddresses(text).map(({ email }) => email)

describe('readAddresses', () => {
  test.each([
    ['commas, spaces, semicolons, tabs and lines', 'a@x.org, b@x.org c@x.org;d@x.org\te@x.org\r\nf@x.org', 'abcdef'],
    ['names', 'Ada Lovelace <a@x.org>, Bob <b@x.org>', 'ab'],
    ['names in quotation marks with a comma', '"Lovelace, Ada" <a@x.org>; "Bob" <b@x.org>', 'ab'],
    ['several names on one line', 'Ada <a@x.org> Bob <b@x.org>', 'ab'],
    ['an address before one with a name', 'a@x.org Bob <b@x.org>', 'ab'],
    ['mailto links and punctuation', 'mailto:a@x.org (b@x.org). "c@x.org" <d@x.org>', 'abd'],
    ['nothing', ' ,; \n ', ''],
  ])('separates by %s', (_, text, letters) => {
    expect(emails(text)).toEqual([...letters].map((letter) => `${letter}@x.org`))
  })

  test('returns an address once, in lower case', () => {
    expect(emails('Ada@X.org, ada@x.org, ada@x.org <ADA@x.org>')).toEqual(['ada@x.org'])
  })

  test('keeps what is not an address, and says so', () => {
    expect(readAddresses('nils@@halden, a@x.org, Nils')).toEqual([
      { email: 'nils@@halden', isValid: false },
      { email: 'a@x.org', isValid: true },
      { email: 'Nils', isValid: false },
    ])
  })

  test('reads 10,000 addresses', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => `User ${index} <user${index}@x.org>`)
    expect(readAddresses(list.join('\n'))).toHaveLength(10_000)
  })
})

describe('completedPart', () => {
  test.each([
    ['nil', ''],
    ['a@x.org, nil', 'a@x.org, '],
    ['a@x.org', 'a@x.org'],
    ['a@x.org nils@@x ', 'a@x.org nils@@x '],
    ['Ada <a@x.org', 'Ada <a@x.org'],
    ['Ada <a@x.org>', 'Ada <a@x.org>'],
    ['', ''],
  ])('of %j is %j', (text, expected) => expect(completedPart(text)).toBe(expected))
})
