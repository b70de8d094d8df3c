/** Where the programs that tests need come from: the search path, or the packages of Debian and Ubuntu. */
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface Part {
  readonly name: string
  /** Any of them will do; the first found is taken. */
  readonly binaries: readonly string[]
  readonly packages: readonly string[]
  /** Of a part without a program: an absolute path. */
  readonly file?: string
}

export const mariadb: Part = {
  name: 'MariaDB',
  binaries: ['mariadbd', 'mysqld'],
  packages: ['mariadb-server-core', 'mariadb-client-core'],
}
export const redis: Part = { name: 'Redis', binaries: ['redis-server'], packages: ['redis-server'] }
/** Debian puts it into a folder of its version, which is not in the search path. */
export const postgres: Part = {
  name: 'PostgreSQL',
  binaries: ['postgres', ...[18, 17, 16, 15, 14, 13].map((version) => `../../lib/postgresql/${version}/bin/postgres`)],
  packages: ['postgresql'],
}
export const chromium: Part = {
  name: 'Chromium',
  // Without a user interface, a page costs a third of the processor time.
  binaries: [
    'chromium-headless-shell',
    'chrome-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
  ],
  packages: ['chromium-headless-shell', 'fonts-liberation'],
}

/** Makes clients for Perl from an OpenAPI document. */
export const perlClient: Part = {
  name: 'OpenAPI::Client',
  binaries: [],
  packages: ['libopenapi-client-perl'],
  file: '/usr/share/perl5/OpenAPI/Client.pm',
}

export const strace: Part = { name: 'strace', binaries: ['strace'], packages: ['strace', 'iproute2'] }

/** The template engine of Helm with its functions, as sources. */
export const goTemplates: Part = {
  name: 'Go with sprig',
  binaries: ['go'],
  packages: ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-gopkg-yaml.v3-dev'],
  file: '/usr/share/gocode/src/github.com/Masterminds/sprig/functions.go',
}

const isThere = ({ binaries, file }: Part): boolean => (file ? existsSync(file) : findBinary(binaries) !== null)

/** The path of the first of the named programs that is there, or null. */
export function findBinary(names: readonly string[]): string | null {
  // Servers live in folders that are not in the search path of every user.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin']
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The path of the part's program; installs it first where that is possible (see `ensureParts`).
 * @throws Error with the command to type
 */
export async function getBinary(part: Part): Promise<string> {
  await ensureParts([part])
  const found = findBinary(part.binaries)
  if (found === null) throw new Error(`${part.name} was installed, but none of ${part.binaries.join(', ')} can be found`)
  return found
}

/**
 * Sees to it that every part is there. As root on Debian or Ubuntu missing ones are installed, with one line for each.
 * @throws Error with the one command to type, where they cannot be installed
 */
export async function ensureParts(parts: readonly Part[]): Promise<void> {
  const missing = parts.filter((part) => !isThere(part))
  if (missing.length === 0) return
  const packages = missing.flatMap((part) => part.packages)
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (!isDebian() || process.getuid?.() !== 0) {
    throw new Error(`the tests need ${missing.map((part) => part.name).join(', ')}. Install it with: sudo ${command}`)
  }
  for (const part of missing) console.log(`tests: installing ${part.name} (apt-get install ${part.packages.join(' ')})`)
  await install(packages, command)
}

function isDebian(): boolean {
  const file = '/etc/os-release'
  return existsSync(file) && /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(readFileSync(file, 'utf8'))
}

async function install(packages: readonly string[], command: string): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 2 ** 26 }
  // Another process may be installing: wait for the lock instead of failing.
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  // An index that cannot be refreshed may still be good enough: only the installation itself decides.
  const refreshed = await execute('apt-get', [...wait, '-qq', 'update'], options).then(
    () => '',
    (error: unknown) => outputOf(error),
  )
  try {
    await execute('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...packages], options)
  } catch (error) {
    throw new Error(`"${command}" failed:\n${refreshed}${outputOf(error)}`, { cause: error })
  }
}

function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = 'stderr' in error ? String(error.stderr) : error.message
  return `${text.trim().split('\n').slice(-20).join('\n')}\n`
}
