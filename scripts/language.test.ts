import { expect, test } from 'vitest'
import { errors } from '../src/core/errors.ts'
import { featureList } from '../src/features/index.ts'
import { findWords } from './language.ts'

test.each([
  ['Find out what is wrong, and how to mend it', 'mend'],
  ['Send a link that proves an address', 'link that proves'],
  ['Revoke the sessions of the caller', 'of the caller'],
  ['Show what holds somebody back', 'somebody'],
  ['Show a user and his sign-in methods', 'his'],
  ['Take back the newest migrations', 'Take back'],
  ['A password was not hashed anew', 'anew'],
  ['Begin no session before', 'Begin no session'],
  ['new set-up link', 'set-up link'],
  ['The worker does not answer', 'worker does not answer'],
  ['A revoked session is refused at once', 'at once'],
  ['a store that is away', 'is away'],
  ['failures in a row', 'in a row'],
  ['the file beside it', 'beside'],
  ['const takeBack = 1', 'take Back'],
  ['An invitation ID is no credential', 'is no c'],
  ['Its ID is that of the key', 'is that of'],
  ['that of the user differs from that of the app', 'that of the user differs from that of'],
])('finds the words to replace in %j', (text, word) => {
  expect(findWords(text).map(({ found }) => found)).toContain(word)
})

test.each([
  ["copyId: 'Kennung kopieren'", 'Kennung'],
  ["empty: 'Legen Sie im Terminal einen an:'", 'Legen Sie im Terminal einen an'],
  ["ended: 'Die Session ist abgelaufen.'", 'Session'],
])('finds the second German word for one thing in %j', (text, word) => {
  expect(findWords(text, 'de').map(({ found }) => found)).toContain(word)
})

test.each(["session: 'Die Sitzung, die Sie auf diesem Gerät haben'", "byLink: 'Legen Sie eines über einen Link fest.'"])(
  'accepts the German %j',
  (text) => expect(findWords(text, 'de')).toEqual([]),
)

test('reports the line of each finding', () => {
  expect(findWords('fine\nnobody\nfine\ntold').map(({ line, found }) => [line, found])).toEqual([
    [2, 'nobody'],
    [4, 'told'],
  ])
})

test.each([
  "href: '/forget-password'",
  'If you have forgotten your password, request a password reset link.',
  'The setup link expires in one day. Rolls back the newest migration.',
  'Verify an email address; the IP address is rate limited.',
  'The daemon releases the lock; the session is revoked and created again.',
  'There is no session; the key is no longer valid, like those of other users.',
  'No connection is refused. The command lists the answers of the prompts.',
])('accepts %j', (text) => expect(findWords(text)).toEqual([]))

test('accepts every message of the wire contract', () => {
  const catalogues = [errors, ...Object.values(featureList).flatMap((feature) => (feature.errors ? [feature.errors] : []))]
  const messages = catalogues.flatMap((catalogue) => Object.values(catalogue).map(({ message }) => message))
  expect(messages.length).toBeGreaterThan(40)
  expect(messages.flatMap((message) => findWords(message))).toEqual([])
})
