/** Creates src/lib/breached-passwords.bin from the dictionary of a development dependency. Usage: node scripts/breached-passwords.ts */
import { readFileSync, writeFileSync } from 'node:fs'
import { createFilter } from '../src/lib/breached-passwords.ts'

const list = new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
const passwords: readonly string[] = JSON.parse(readFileSync(list, 'utf8'))
const filter = createFilter(passwords)
writeFileSync(new URL('../src/lib/breached-passwords.bin', import.meta.url), filter)
console.log(`${passwords.length} passwords in ${filter.length} bytes`)
