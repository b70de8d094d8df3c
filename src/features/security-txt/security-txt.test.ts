import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { configParser } from '../../project/config/parse-config.ts'
import { featureList } from '../index.ts'

const securityTxt = {
  contact: ['mailto:security@example.com', 'https://example.com/report'],
  expires: '2027-06-01T00:00:00Z',
  preferredLanguages: ['en', 'de'],
  policy: ['https://example.com/policy'],
}
const parse = configParser(featureList)
const issuesOf = (section: object) => {
  const parsed = parse({
    secret: 'a secret of the tests, 0123456789 abcdefghij',
    baseURL: 'https://a.example',
    securityTxt: section,
  })
  return 'issues' in parsed ? parsed.issues.map(({ id, path }) => `${path}: ${id}`) : []
}

test('serves the document outside of the base path, with each field on a line', async () => {
  const { browser } = await testApp({ securityTxt, baseURL: 'https://accounts.example.com' })
  const { status, body, headers } = await browser().request('//.well-known/security.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(String(body).trimEnd().split('\n')).toEqual([
    'Contact: mailto:security@example.com',
    'Contact: https://example.com/report',
    'Expires: 2027-06-01T00:00:00Z',
    'Preferred-Languages: en, de',
    'Canonical: https://accounts.example.com/.well-known/security.txt',
    'Policy: https://example.com/policy',
  ])
})

test('is not found without its section', async () => {
  const { browser } = await testApp()
  expect((await browser().request('//.well-known/security.txt')).status).toBe(404)
})

test('needs a contact and a time at which it expires, and no field can end its line', () => {
  expect(issuesOf({})).toEqual(
    expect.arrayContaining(['securityTxt.contact: security-txt-contact', 'securityTxt.expires: security-txt-expires']),
  )
  for (const contact of ['security@example.com', 'http://example.com', 'https://a.example/\nPolicy: x'])
    expect(issuesOf({ ...securityTxt, contact: [contact] })).toHaveLength(1)
})
