/** Hashes of other systems: made by their own programs or by their published algorithms, with invented passwords. */
import { expect, test } from 'vitest'
import { createHasher } from '../adapters/hasher.ts'
import { hasNoPassword, readImportedHash } from './imported-hashes.ts'
import { readPasswordFormat } from './password-formats.ts'

const vectors: readonly (readonly [name: string, hash: string, password: string])[] = [
  [
    'better-auth, Lucia 3, scrypt-hex32',
    '205eb16cf565bdb2bcd3528e237f72ec:f94b0bef33afccd917096042f3e0ae4a1e084d115219eb4d7b00bb2da733826da85f7bc8d4f8ed1b3a6a4719f8830e4a27a9f0e51a6473ede3f698b8cec6826e',
    'harbour lamp 41',
  ],
  [
    'Lucia 1 and 2, s2',
    's2:k3Jd9sLq0ZxV7mPa:14dae622bb21541836120f83e2688ff268fafc97ae82a89900233b007ba60b5d0bdfc58cb681af33aa220d7ed6674c55311039ee3a9977d86e242a9665ba297b',
    'gläcier-7-brücke',
  ],
  [
    'Lucia 1, oldest, scrypt-16-r8',
    'k3Jd9sLq0ZxV7mPa:924304b56d136596ca219b83cd3034129eddd81fbab8f75cec554da565fe276b8654d8c22f7c1fce26c3f1290c6d13695d54955a97358617f7e72a2729e2ed0c',
    'gläcier-7-brücke',
  ],
  ['Auth0, bcrypt', '$2b$10$6wy7zf8q.mldn37SpBRYf.uC1kyJwUOG6eZYQfzrYvk7PcUFQu4oS', 'correct horse 9'],
  ['Supabase, Devise, Clerk, bcrypt', '$2a$10$N9nkWUTy1nxpmatslS6L9.NCXH5NjOEc9YSlpsrsI6gte/6WFQar.', 'correct horse 9'],
  ['Laravel, WordPress plugins, bcrypt', '$2y$10$uTXyiIAalCypDqkyIZ/q6ePygd/QCH4WxPr/i2aqZOUzYhbDdC6nW', 'correct horse 9'],
  [
    'any, bcrypt, 80 bytes',
    '$2b$10$eL5um1wzgZ3z2Zj0pBn0XeMk.b/kKrK6U/5zmCq4BYWe86XAKSgsm',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  ],
  ['Spring Security, {bcrypt}', '{bcrypt}$2a$10$1QQR6MmB/K2qpvTmm/Jqu.NXDeVWL2wWpk78cv6C.BsOc6Z2TAuJm', 'Quiet river 22'],
  ['Django, bcrypt$', 'bcrypt$$2b$12$makL26aaLyXEjPs4qX4hYOM1nwVYKF7c9201H7P37GuLBUmDGKcvC', 'Quiet river 22'],
  ['Django, bcrypt_sha256$', 'bcrypt_sha256$$2b$12$OU2g4y8aDDf18HEYarLgRukD6881H7pocql07nBaN2OK77aKJF/B.', 'Quiet river 22'],
  ['WordPress 6.8+, $wp$2y$', '$wp$2y$10$M0/T0Bb.imTm5rEuLsylTOUG6E3GH1yTjMO8n5EnxuDSgol8hLYQe', 'Märchen und 1001 Nächte'],
  [
    'Zitadel, Clerk, any PHC, $argon2id$',
    '$argon2id$v=19$m=7168,t=5,p=1$EmwWs45n4ddljRwd9a7FTg$dOJgUIZeXzE+ZMyDg9NgytFa91K0NRRmkrt50nonkM8',
    'Wolke7-hoch',
  ],
  [
    'Django, argon2$',
    'argon2$argon2id$v=19$m=7168,t=5,p=1$EmwWs45n4ddljRwd9a7FTg$dOJgUIZeXzE+ZMyDg9NgytFa91K0NRRmkrt50nonkM8',
    'Wolke7-hoch',
  ],
  [
    'Spring Security, {argon2@SpringSecurity_v5_8}',
    '{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=7168,t=5,p=1$EmwWs45n4ddljRwd9a7FTg$dOJgUIZeXzE+ZMyDg9NgytFa91K0NRRmkrt50nonkM8',
    'Wolke7-hoch',
  ],
  [
    'Logto, $argon2i$, t = 256',
    '$argon2i$v=19$m=4096,t=256,p=1$EmwWs45n4ddljRwd9a7FTg$vcQBgkgMdQBizkhd78b3fnTE3wrHuv+e/AYkc+XmI84',
    'Wolke7-hoch',
  ],
  ['Django, pbkdf2_sha256', 'pbkdf2_sha256$870000$Xn2kLq8Rb4Tz$OggPAIQXgPw0ro638sq1uZV6dpGp44F4JM0g/xf+U0g=', 'Quiet river 22'],
  ['Django, pbkdf2_sha1', 'pbkdf2_sha1$870000$Xn2kLq8Rb4Tz$RVbXAF4aVJpg0NbaCDuFvS8kShc=', 'Quiet river 22'],
  [
    'Django, scrypt$',
    'scrypt$16384$Xn2kLq8Rb4Tz$8$5$FfID59QSk5AVgGTnmf93iNhLMS7+Fa4qZ0JLFZT5mXpJirwPs5G/Yj8QB6yIHg/6z9JL/8B8dNhaXXPmrPcAOg==',
    'Quiet river 22',
  ],
  [
    'ASP.NET Core Identity to 6, v3, HMAC-SHA-256',
    'AQAAAAEAACcQAAAAEA9kYNDteCX+1r2g9NnBSUKIbNrNjQvgNSx/eZ0ulNSR8EAvMwChhA+8QIEZpnHtWQ==',
    'Passw0rd!Elm',
  ],
  [
    'ASP.NET Core Identity 7+, v3, HMAC-SHA-512',
    'AQAAAAIAAYagAAAAEA9kYNDteCX+1r2g9NnBSUJHRHNUSfVihcDnC6ZOfVhVIoaCdxlTGjFb7Rb9NtJn4w==',
    'Passw0rd!Elm',
  ],
  [
    'Spring Security, {pbkdf2@SpringSecurity_v5_8}',
    '{pbkdf2@SpringSecurity_v5_8}7dad6c0261cbebd22c13d39219e055a3c8971b937a74e8b00562e8d1b301890cbaf3b1a3d8c49bdc90509c58c5941356',
    'Quiet river 22',
  ],
  [
    'Spring Security, {scrypt@SpringSecurity_v5_8}',
    '{scrypt@SpringSecurity_v5_8}$100801$fa1sAmHL69IsE9OSGeBVow==$60X5Dka66Q521OIPkFSFbDL6pJU6q2c7L/RyrMspzzs=',
    'Quiet river 22',
  ],
  [
    'Werkzeug 3, scrypt:',
    'scrypt:32768:8:1$mZq3LkT8vBn2$dc998a57541a453253751b55a60ca5c81d0359489fba5baf0eb44771cd615da902c1d80f9ba820e18235717fe0f17a791a9de0e4ffc71276fb5d3f1be9913c14',
    'flask-of-tea',
  ],
  [
    'Werkzeug 2, pbkdf2:',
    'pbkdf2:sha256:600000$mZq3LkT8vBn2$01cff6066e17f3a5e530e0bf2592d64baea7fd73098b383f1f456d60db5db1f9',
    'flask-of-tea',
  ],
  [
    'passlib, $scrypt$',
    '$scrypt$ln=16,r=8,p=1$q2opOQGiOXBc2EmcfCkv9Q$8PUivUrQnp/m7j/5TDx/XnBDD+SAlk/35iVq9sp6wDs',
    'flask-of-tea',
  ],
  [
    'passlib, $pbkdf2-sha256$',
    '$pbkdf2-sha256$29000$q2opOQGiOXBc2EmcfCkv9Q$ND08Iie0YcjuHA.LfcHtH8VmMxy4Uts64O5cLsr9BIs',
    'flask-of-tea',
  ],
  ['passlib, $5$', '$5$Zk3vQ9wLm2$4MnaamOQaSvBt8FkNBHlWIuYqKUIe7A5zpSQa.U7iJ9', 'flask-of-tea ü'],
  ['passlib, $5$rounds=', '$5$rounds=10000$XS3JgaDphi0wcdW7$rhvOUZsjHGkqLncnblgg5yACddqSKVoEaQJZljg9mG2', 'flask-of-tea ü'],
  [
    'passlib, $6$rounds=',
    '$6$rounds=12345$0123456789abcdef$A8HSXEH7xpSvj1d3LD32G.YWww2TlTozqt.udtWvy0E2Ou3e3XgN4OeDmJrcqx2VWSGs9jpuJCWoUeOtxyRUt0',
    'flask-of-tea ü',
  ],
  [
    'crypt(3), $6$, empty salt',
    '$6$rounds=1000$$DeX07Nr8erciYNgSefIgcmoeQzb/y0ANTMNeHrUN0C20vfl3DvtaxXJe9K5GtYhRGEIT3iqwZoAHruyq7Ji5M0',
    'flask-of-tea ü',
  ],
  [
    'crypt(3), $5$, 100 bytes',
    '$5$rounds=1000$a$gB9a3/qjyekTkXxzYfjJ08NPcMEzHmvz5PPVldMnvI8',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  ],
  [
    'crypt(3), $6$, 100 bytes',
    '$6$rounds=1000$a$CO2q6WLDf6IiaoFwwuOJRQWVFfgLFBdcCYpUAWbzAgORBJxry2w7LSeobEVmh9FMVw63RpSx02Sx68wLhx9IQ0',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  ],
  ['passlib $pbkdf2$', '$pbkdf2$13000$fQ.BUCplrNU6J.Sck5LSGg$vlSTtMN5jwk/bJ2ucSep3K8Zodg', 'flask-of-tea ü'],
  ['LDAP pbkdf2', '{PBKDF2-SHA256}10000$DOE8J.S8dy5FCCGklHIOoQ$UTpxpM5tXRnYLfuRxeyjcDrPkgHtUB4CCYOWhmqOBPg', 'flask-of-tea ü'],
  ['LDAP pbkdf2 sha1', '{PBKDF2}10000$bw2BMMa417q3lnKOkRJCSA$JEi1p3YXKdv2inuHaVcmigEqdE8', 'flask-of-tea ü'],
  [
    'OpenSSL, $6$',
    '$6$qLk3vZ9w$6ehTXwr/B9It68mU9lQpJG4qn3p6NaQaVTPRdxhY2U/pcYLBzx5qdtO9D7Cy87urKmxT/UaKUpIQ1t4UJ8OKc1',
    'unix-shell-77',
  ],
  [
    'glibc, $6$ with a salt of 18 characters, which it cuts',
    '$6$rounds=5500$Zk3vQ9wLm2abcdef$huyssTv108ABgZXuOwBW68tSnPR9KZLRU8l6gpnKsw5xqlF1LLheDH.LIobgwP0VFcIrwuE7cRb2Qm.EFsJBM0',
    'unix-shell-77',
  ],
  ['LDAP, {CRYPT}$5$', '{CRYPT}$5$Zk3vQ9wLm2$pD1DYtTVhEk39bc90xdUwh1gZrrbDOM6wGUpyqtHWN6', 'unix-shell-77'],
  [
    'Dovecot, {SHA512-CRYPT}',
    '{SHA512-CRYPT}$6$Zk3vQ9wLm2$lfTsWAqp6eTquYC9LdfAsmDb4zbjxFMRfDWcQ9fuMYtgu4n1jm9let4eiW87ORn07O/w9T8bmjwaz4UengWHc/',
    'unix-shell-77',
  ],
  [
    'passlib, $bcrypt-sha256$',
    '$bcrypt-sha256$v=2,t=2b,r=10$ZNXIPA3ddx/erprgnmosx.$pHfVfT2ItxIt9NTjCwiXPlktZovRNuS',
    'Quiet river 22 ü',
  ],
]

const hasher = await createHasher(
  { memory: 256, iterations: 1, parallelism: 1, queue: 64 },
  { count: () => {}, observe: () => {} },
)

test.each(vectors)('%s: the right password matches, another does not, and the hash is replaced', async (_, text, password) => {
  const stored = readImportedHash(text) ?? ''
  expect(readImportedHash(stored)).toBe(stored)
  expect(await hasher.verify(stored, password)).toBe(true)
  expect(await hasher.verify(stored, `!${password}`)).toBe(false)
  expect(hasher.needsRehash(stored)).toBe(true)
})

test('WordPress removes the spaces around a password, other systems do not', async () => {
  const [, wordPress = '', password = ''] = vectors.find(([name]) => name.includes('$wp$')) ?? []
  expect(await hasher.verify(readImportedHash(wordPress) ?? '', ` ${password} `)).toBe(true)
  const [, spring = '', other = ''] = vectors.find(([name]) => name.includes('{bcrypt}')) ?? []
  expect(await hasher.verify(readImportedHash(spring) ?? '', ` ${other} `)).toBe(false)
})

test('Django marks users without a password', () => {
  expect(hasNoPassword('!kPzqLr8xT3mVbN6cYw1sDf5gHj7kLq9ZxC2vB4nM')).toBe(true)
  expect(hasNoPassword('!')).toBe(true)
  expect(hasNoPassword('$2b$10$x')).toBe(false)
})

const salt = 'a'.repeat(16)
test.each([
  '{noop}Quiet river 22',
  '{bcrypt}Quiet river 22',
  '{SHA}x',
  '$6$rounds=700001$Zk3vQ9wLm2$lfTsWAqp6eTquYC9LdfAsmDb4zbjxFMRfDWcQ9fuMYtgu4n1jm9let4eiW87ORn07O/w9T8bmjwaz4UengWHc/',
  '$6$rounds=999999999$Zk3vQ9wLm2$lfTsWAqp6eTquYC9LdfAsmDb4zbjxFMRfDWcQ9fuMYtgu4n1jm9let4eiW87ORn07O/w9T8bmjwaz4UengWHc/',
  '$5$Zk3vQ9wLm2$lfTsWAqp6eTquYC9LdfAsmDb4zbjxFMRfDWcQ9fuMYtgu4n1jm9let4eiW87ORn07O/w9T8bmjwaz4UengWHc/',
  `scrypt:1073741824:8:1$${salt}$${'0'.repeat(128)}`,
  `scrypt:32769:8:1$${salt}$${'0'.repeat(128)}`,
  `scrypt$16384$${salt}$8$999$${'A'.repeat(86)}==`,
  `$scrypt$ln=30,r=8,p=1$${salt}$${'A'.repeat(43)}`,
  `{scrypt}$ff0801$${salt}$${'A'.repeat(43)}=`,
  `pbkdf2:sha256:99999999$${salt}$${'0'.repeat(64)}`,
  `pbkdf2:md5:1000$${salt}$${'0'.repeat(64)}`,
  `AQ${'A'.repeat(60)}`,
  `AQ${'/'.repeat(60)}`,
  '$latchkey-bcrypt$pre=md5$2b$10$6wy7zf8q.mldn37SpBRYf.uC1kyJwUOG6eZYQfzrYvk7PcUFQu4oS',
  'a'.repeat(2000),
])('%s is rejected', (text) => expect(readImportedHash(text)).toBeNull())

test('a hash that is stored already stays as it is', () => {
  for (const [, text] of vectors) if (readPasswordFormat(text)) expect(readImportedHash(text)).toBe(text)
})
