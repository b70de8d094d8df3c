/** Weak hashes: made by passlib, OpenSSL and Django, or by the published algorithms of the other systems. */
import { expect, test } from 'vitest'
import { createHasher } from '../adapters/hasher.ts'
import { readImportedHash } from './imported-hashes.ts'
import { readWeakHash } from './weak-hashes.ts'

const vectors: readonly (readonly [name: string, hash: string, password: string])[] = [
  ['ldap_salted_md5', '{SMD5}1CERCmtMJ/wpASzQGhEL4/M+x3g=', 'flask-of-tea ü'],
  ['ldap_salted_sha1', '{SSHA}4VRC+Tgy4CnZIMMLhpkTlKXVfrsiZOx9', 'flask-of-tea ü'],
  ['ldap_salted_sha256', '{SSHA256}p4rWekm6yQhM5zOmtMzn++TZjlx8umHtDBDimCtjNpCRkpISQiildA==', 'flask-of-tea ü'],
  [
    'ldap_salted_sha512',
    '{SSHA512}InrhkjHMYWj2cbB1O4Vhg31QmFGmVG5+o/sbkw+GfYEtPpOJ3RvhuT70s03LyB109b3TKqECqWKU4vex11qLMR4DwFirVWrN',
    'flask-of-tea ü',
  ],
  ['ldap_md5', '{MD5}NUX+s4AYGLukwOZGtMP6wQ==', 'flask-of-tea ü'],
  ['ldap_sha1', '{SHA}CVxhL6J9FPm0lqtbeiIUILS4qvE=', 'flask-of-tea ü'],
  ['md5_crypt', '$1$D8eWrprc$5K2U3JC77MZvcTsAWnTgs1', 'flask-of-tea ü'],
  ['apr_md5_crypt', '$apr1$H047hHjK$t.v8BR9NpVIEVISBTOcXi/', 'flask-of-tea ü'],
  ['hex_md5', '3545feb3801818bba4c0e646b4c3fac1', 'flask-of-tea ü'],
  ['hex_sha1', '095c612fa27d14f9b496ab5b7a221420b4b8aaf1', 'flask-of-tea ü'],
  ['hex_sha256', '4e4d5a1115439f984ae9775a364ef48d5dd6f181131ae56ae3a02e3f21b6bcd2', 'flask-of-tea ü'],
  [
    'hex_sha512',
    'a2efbdc2c6f59cbe924488256bfe0329979804ae5dd4fa34e427b94d234a0d349f0095915a26d1e98b174a2949365335cac1288467cef9b195f0985865fbf83d',
    'flask-of-tea ü',
  ],
  ['ldap_md5_crypt', '{CRYPT}$1$sKRFCK5o$DohbMgv.r/KxAyRgzhQsS0', 'flask-of-tea ü'],
  ['phpass 13', '$P$BsNc0uhpUiO9n0C5BS/O/ua6LdVDkh0', 'admin-of-2009'],
  [
    'md5_crypt 70',
    '$1$WnwDfKeG$c6zXQhG0SwG/9rPiReZRJ.',
    'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy',
  ],
  ['apr 17', '$apr1$ab$fPVRVqNSogvpDLn.P6WCj.', 'yyyyyyyyyyyyyyyyy'],
  ['LDAP {SHA256}', '{SHA256}Tk1aERVDn5hK6XdaNk70jV3W8YETGuVq46AuPyG2vNI=', 'flask-of-tea ü'],
  ['Django md5', 'md5$Xn2kLq8Rb4Tz$a48abd68fe88f66ea82ac55c92e7c0df', 'flask-of-tea ü'],
  ['Django sha1', 'sha1$s94lCemqDn50$fd264109251d6b22575fa89af07c2d08677b22b5', 'flask-of-tea ü'],
  ['Django unsalted', 'md5$$3545feb3801818bba4c0e646b4c3fac1', 'flask-of-tea ü'],
  [
    'Werkzeug sha256 (hmac)',
    'sha256$mZq3LkT8$2c9d94e9090f2ccfa08a47837dca42750bae73b75152432bb1c4812f9231f045',
    'flask-of-tea ü',
  ],
  ['Spring {MD5}', '{MD5}{thisissalt}de7df83a385de989fbb265980eed1ed9', 'flask-of-tea ü'],
  [
    'Spring {SHA-256}',
    '{SHA-256}{Zm9vYmFy+/=}69eff7ef6595885642bd44b44890002a80968d3337b75c7354e592095921c147',
    'flask-of-tea ü',
  ],
  ['Spring {SHA-1} unsalted', '{SHA-1}095c612fa27d14f9b496ab5b7a221420b4b8aaf1', 'flask-of-tea ü'],
  [
    'Spring {sha256}',
    '{sha256}00010203040506078b21dbae962c7ba96f2132ad2a242d1ea9222936a04f86340cb40efe85a84da2',
    'flask-of-tea ü',
  ],
  ['Spring ldap', '{ldap}{SSHA}mJ+Ttybh3GxGZoRJ1rACxSEBgA1ZK6W0', 'flask-of-tea ü'],
  ['ASP.NET v2', 'AAABAgMEBQYHCAkKCwwNDg+lGPPeiRZMkNtsRBR7lx9RCdyPSv6b+XkDUsYeVifKNw==', 'Passw0rd!Elm'],
  ['Drupal 7', '$S$DabcdEFGHROMiqyT2sBC1DSlIFqoq98Hzk5BYXYlcQ7bmM/kA4Gq', 'flask-of-tea ü'],
  ['Django, md5$ (Django 5.2)', 'md5$Xn2kLq8Rb4Tz$778e4fbced1b538f2db82dfe1073a45a', 'Quiet river 22'],
  ['phpBB 3', '$H$9uT8kQz2cAYMiZapAclvA8xNbqirp21', 'admin-of-2009'],
  ['ASP.NET Identity 2, second vector', 'AA9kYNDteCX+1r2g9NnBSUL00EBrtgRFlhFTVxNgeyE0R0zdxdNP7J4Q8UZxt2Boyw==', 'Passw0rd!Elm'],
  ['OpenSSL, apr1', '$apr1$Zk3vQ9wL$g/2pa8FkQN/pnyPlI93Qu1', 'unix-shell-77'],
  ['LDAP, lower case', '{ssha}TlN6tSTGTnsJ9PRGbUTIgH8m5H14w2IYNI0KJw==', 'flask-of-tea'],
]

const hasher = await createHasher(
  { memory: 256, iterations: 1, parallelism: 1, queue: 64 },
  { count: () => {}, observe: () => {} },
)
async function wrap(text: string): Promise<string> {
  const weak = readWeakHash(text)
  if (!weak?.recipe) throw new Error(`${text} is not a weak hash`)
  return hasher.wrap(weak.recipe, weak.value)
}

test.each(vectors)(
  '%s: the right password matches what is stored, which does not contain the hash',
  async (_, text, password) => {
    expect(readImportedHash(text)).toBeNull()
    const stored = await wrap(text)
    expect(stored).toMatch(/^\$latchkey-wrap\$.*\$argon2id\$/)
    expect(stored).not.toContain(readWeakHash(text)?.value)
    expect(await hasher.verify(stored, password)).toBe(true)
    expect(await hasher.verify(stored, `!${password}`)).toBe(false)
    expect(hasher.needsRehash(stored)).toBe(true)
    // An export with hashes can be imported.
    expect(readImportedHash(stored)).toBe(stored)
  },
)

test('the hash itself is not a password', async () => {
  for (const [, text] of vectors) {
    const stored = await wrap(text)
    for (const guess of [text, readWeakHash(text)?.value ?? '']) expect(await hasher.verify(stored, guess)).toBe(false)
  }
})

test('WordPress removes the spaces around a password, LDAP does not', async () => {
  const wordPress = await wrap('$P$BuT8kQz2clwzA75LSkOas3oCsQ9w6O0')
  expect(await hasher.verify(wordPress, ' admin-of-2009 ')).toBe(true)
  expect(await hasher.verify(await wrap('{SSHA}TlN6tSTGTnsJ9PRGbUTIgH8m5H14w2IYNI0KJw=='), ' flask-of-tea ')).toBe(false)
})

test.each(['{noop}Quiet river 22', '{PLAIN}Quiet river 22', '{cleartext}Quiet river 22'])('%s is plain text', (text) =>
  expect(readWeakHash(text)).toMatchObject({ recipe: null, value: 'Quiet river 22' }),
)

test('a password that is longer than crypt(3) reads is rejected without work', async () => {
  const stored = await wrap('$1$Zk3vQ9wL$Fxr0WZm3q9.7zXAXlrRzi.')
  expect(await hasher.verify(stored, 'x'.repeat(513))).toBe(false)
})

test.each([
  '{noop}',
  `{noop}${'x'.repeat(2000)}`,
  '{SHA}x',
  '{SSHA}TlN6tSTGTnsJ9PRGbUTIgH8m5H0=',
  '{MD4}TlN6tSTGTnsJ9PRGbUTIgH8m5H0=',
  '{SHA-256}095c612fa27d14f9b496ab5b7a221420b4b8aaf1',
  'md5$salt$095c612fa27d14f9b496ab5b7a221420b4b8aaf1',
  // 2 ** 20 rounds
  '$P$IuT8kQz2clwzA75LSkOas3oCsQ9w6O0',
  '$S$TabcdEFGHROMiqyT2sBC1DSlIFqoq98Hzk5BYXYlcQ7bmM/kA4Gq',
  '$P$BuT8kQz2c',
  'hunter2',
  '$2b$10$6wy7zf8q.mldn37SpBRYf.uC1kyJwUOG6eZYQfzrYvk7PcUFQu4oS',
])('%s is not read as a weak hash', (text) => expect(readWeakHash(text)).toBeNull())

test.each(['after-md5,0', 'after-md4,1', 'phpass-md5,524289', 'constructor,1', 'toString-x,1', 'crypt-2,1000'])(
  'a stored hash with the parameters %s is rejected',
  (parameters) => {
    const outer = '$argon2id$v=19$m=256,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$sn2/dixBW0Mh38T3dAT2ZZ+qKByIDKsW8o2wsQT2Lo4'
    expect(readImportedHash(`$latchkey-wrap$${parameters}$${outer}`)).toBeNull()
  },
)
