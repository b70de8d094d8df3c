/**
 * Finds words that are not plain technical English, in texts, comments, names, docs and tests, second German words for
 * one thing, and commit subjects that are too long.
 * Usage: node scripts/language.ts [--count]; `--count` only prints the number of findings per folder.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Words to replace, and what to write. One row per term of the style guide; a pattern must not match correct English. */
const terms: readonly (readonly [pattern: RegExp, say: string])[] = [
  [/\bmend(s|ed|ing|er)?\b/i, 'fix, repair'],
  [/\banew\b/i, 'again'],
  [/\b(who|what|which)soever\b|\bwhoever\b/i, 'a user who, an operator who, the process that'],
  [/\b(some|any|no|every)body(’s|'s|s)?\b/i, 'a user, an attacker, all users, no one'],
  [/\b(he|him|his|himself)\b/i, 'they, them, their, or the role'],
  [/\bone(’s|'s)\b/i, 'their, the user’s'],
  [/\bpeople\b|\bfolks?\b/i, 'users'],
  [/\b(hold|holds|held|holding)( \w+){0,3} back\b/i, 'limit, lock out, delay'],
  [/\b(take|takes|took|taken|taking)( \w+){0,3} back\b/i, 'roll back, revoke'],
  [/\b(give|gives|gave|given|giving)( \w+){0,3} back\b/i, 'release, return'],
  [/\b(of )?the caller(’s|'s)?\b/i, 'the current user, the client, the calling function'],
  [/\bmeanwhile\b/i, 'at the same time, since then, in between'],
  [/\bt(ell|ells|elling|old)\b/i, 'notify, report, show'],
  [/\blaws?\b/i, 'policy, rule'],
  [/\bprov(e|es|ed|ing|en)\b[^.]{0,30}\baddress/i, 'verify an email address'],
  [/\baddress[^.]{0,20}\bprov(e|es|ed|ing|en)\b/i, 'verify an email address'],
  [/\b(begin|begins|began|begun|beginning)\b( \w+){0,2} sessions?\b/i, 'create a session'],
  [/\bforgets?\b(?!-password)/i, 'delete, discard, reset'],
  [/\bset-up (link|token|page|mail)/i, 'setup link'],
  [/\bways? (to sign in|in which)\b/i, 'sign-in method'],
  [/\baccounts? of a provider\b|\bwhat a provider\b/i, 'social account, provider profile'],
  [/\blinks? (to a new password|that (proves?|deletes?))\b/i, 'password reset link, verification link, deletion link'],
  [/\bwhat may be written\b|\bthe file leaves out\b/i, 'required, optional, default'],
  [/\b(is )?written wrongly\b/i, 'usage error'],
  [/\bas it should be\b|\bwhat is (not )?as\b/i, 'valid, up to date'],
  [/\bto do with it\b|\bif it was not you\b/i, 'If you didn’t request this, you can ignore this email.'],
  [/\bmade[- ]up\b/i, 'forged, random'],
  [/\bask(s|ed|ing)? (the|a) (database|server|store)\b/i, 'query'],

  [
    /\b(it|which|that|(server|daemon|worker|database|store|service|proxy|provider|supervisor|request|call|page)s?|Redis|MySQL) ((does|do|did|will|would|can|could|must|cannot|should)( not)? |never |still |always )*answer(s|ed)?\b|\bno answer\b/i,
    'respond, response',
  ],
  [/(?<!connections? )\b(is|are|was|were|be|been) refused\b/i, 'is rejected'],
  [/\b(is|are|was|were|be|been|stays?) away\b/i, 'unavailable, unreachable'],
  [/\bin a row\b/i, 'consecutive'],
  [/\bat once\b/i, 'immediately; concurrently'],
  [/\bbesides?\b/i, 'in addition to, next to'],

  [
    /\b(lest|hence|whence|henceforth|thrice|amiss|heed|upon|shall|where(by|in|of)|there(by|in|of)|hitherto|forthwith|whilst|amongst|albeit)\b/i,
    'plain words',
  ],
  [/\be-mails?\b/i, 'email'],
  [/\bhere and now\b|\bof (old|late)\b|\bfor (ever|want of)\b/i, 'plain words'],
  [/(?<!\bthere )\b(is|are|was|were|be) no (?!longer\b|more\b|other\b)\w/i, 'is not a; does not count as; belongs to no'],
  [
    /\b(is|are|was|were|be|become) (that|those) of\b|\b(that|those) of (this|another|the other) one\b|\b(that|those) of\b[^.|]*\b(that|those) of\b/i,
    'repeat the noun',
  ],
]

/** One German word for each thing. */
const germanTerms: readonly (readonly [pattern: RegExp, say: string])[] = [
  [/Kennung/, 'ID'],
  [/\b(ange|an|anzu)leg(en|t)\b|\b[Ll]eg(e|en|t) [^.!?]*\ban(?=[.,:])/, 'erstellen'],
  [/Filter entfernen(?!:)/, 'Filter zurücksetzen'],
  [/Ratenlimit|Begrenzung/, 'Anfragelimit'],
  [/\bAdmins?\b|Person(en)? (aus )?der Administration/, 'Administrator'],
  [/\bAdministration\b/, 'Verwaltung'],
  [/Prüfprotokoll/, 'Audit-Log'],
  [/[Ii]m Namen\b/, 'als … anmelden'],
  [/\b(User|Nutzer)/, 'Benutzer'],
  [/Kennwort/, 'Passwort'],
  [/Mailadresse|Email/, 'E-Mail-Adresse, E-Mail'],
  [/\b[Ll]ogin|einlogg|ausgeloggt|ausloggen/, 'anmelden, abmelden'],
  [/\bSession(s|en)?\b/, 'Sitzung'],
  [/\bAccounts?\b/, 'Konto'],
  [/API[ -]?Keys?\b/, 'API-Schlüssel'],
  [/Rufnummer|Handynummer|Mobilnummer/, 'Telefonnummer'],
  [/verifizier/i, 'bestätigen'],
  [/\bProvider\b/, 'Anbieter'],
  [/Inhaber|Besitzer/, 'Eigentümer'],
  [/Webseite|\bSite\b/, 'Website'],
  [/\bEvents?\b/, 'Ereignis'],
  [/noch einmal|nochmals?|abermals/, 'erneut'],
  [/\bJobs?\b/, 'Aufgabe'],
]

/** Names of the wire contract, of protocols and of options, which stay to the letter. */
const exempt: readonly RegExp[] = [
  // German, in the texts of emails.
  /\bE-Mail(-Adresse)?\b/g,
  /\/forget-password\b/g,
  /\bforgetPassword\b/g,
  /\bforgetAfter\b/g,
  /\bsendForgetPasswordOTP\b/g,
  /\bhtml, body\b/g,
  // The tag of Hebrew.
  /'he'/g,
]

export interface Finding {
  readonly line: number
  readonly found: string
  readonly say: string
}

/** Separates the words of names in code: `takeBack` becomes `take Back`. */
const wordsOf = (line: string): string => line.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')

/** German texts between quotes; names of messages, and values in texts, are code. */
const germanOf = (line: string): string =>
  [...line.matchAll(/'[^']*'|`[^`]*`/g)].map(([text]) => text.replaceAll(/\$\{[^}]*\}/g, '')).join(' ')

/** The words in a text that the style guide replaces. */
export function findWords(text: string, language: 'en' | 'de' = 'en'): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const checked =
      language === 'de' ? germanOf(line) : wordsOf(exempt.reduce((rest, pattern) => rest.replaceAll(pattern, ''), line))
    return (language === 'de' ? germanTerms : terms).flatMap(([pattern, say]) => {
      const found = pattern.exec(checked)?.[0]
      return found ? [{ line: index + 1, found, say }] : []
    })
  })
}

const scannedFiles = [
  '{src,bin,scripts,bench,config,tests}/**/*.{ts,tsx,js,mjs,css}',
  'dashboard/{src/**/*,*}.{ts,tsx,css,html}',
  '*.ts',
  'docs/*.md',
  '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
]
/** Not this list itself. `translation-terms.ts` has the words of other languages, whose texts a test checks. */
const isSource = (file: string) =>
  !/^scripts\/(language(\.test)?|translation-terms)\.ts$/.test(file) && !/[/-](es|fr|pl|ru|tr|uk)\.ts$/.test(file)
const isGerman = (file: string) => /^(dashboard|src\/features\/[\w-]+\/texts)\/.*\bde\.ts$/.test(file)

function report(files: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = file.split('/').slice(0, -1).slice(0, 3).join('/') || '.'
    for (const { line, found, say } of findWords(readFileSync(file, 'utf8'), isGerman(file) ? 'de' : 'en')) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
      if (!process.argv.includes('--count')) process.stderr.write(`${file}:${line}  "${found}": ${say}\n`)
    }
  }
  return counts
}

/** Subjects of commits that are longer than 72 characters, from the day of this rule; none where there is no Git. */
function longSubjects(): string[] {
  const log = spawnSync('git', ['log', '--no-merges', '--since=2026-11-25T22:00Z', '--format=%h %s'], { encoding: 'utf8' }).stdout
  return (log ?? '').split('\n').filter((line) => line.slice(line.indexOf(' ') + 1).length > 72)
}

if (import.meta.main) {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
  const counts = report(scannedFiles.flatMap((pattern) => globSync(pattern)).filter(isSource))
  for (const [folder, count] of [...counts].toSorted(([, a], [, b]) => b - a)) process.stderr.write(`${count}\t${folder}\n`)
  const long = longSubjects()
  for (const line of long) process.stderr.write(`${line}\n  a commit subject has at most 72 characters: git commit --amend\n`)
  if (counts.size > 0 || long.length > 0) process.exitCode = 1
}
