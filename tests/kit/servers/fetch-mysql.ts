/**
 * Fetches a current MySQL server from Debian's unstable distribution and unpacks it into a folder; the system stays as it is.
 * Usage: node tests/kit/servers/fetch-mysql.ts [FOLDER]. Prints the folder. Needs apt-get and dpkg-deb, not root.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const packageName = 'mysql-server-core'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Where fetched servers are kept from run to run. */
const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'latchkey')

const isComplete = (folder: string): boolean => existsSync(join(folder, 'usr', 'sbin', 'mysqld'))

/**
 * @param destination the folder to fill; left out: one in the cache, named after the version
 * @returns the filled folder, for `startMySQL`; one that was filled before is taken as it is
 * @throws Error where there is no apt-get, no network or no such package
 */
export async function fetchMySQL(destination?: string): Promise<string> {
  const present = destination === undefined ? await findCached() : resolve(destination)
  if (present !== null && isComplete(present)) return present
  const parent = destination === undefined ? cacheFolder() : dirname(resolve(destination))
  await mkdir(parent, { recursive: true })
  // On the same disk as the destination, so that a complete folder appears in one step.
  const work = await mkdtemp(join(parent, '.fetch-'))
  try {
    const apt = await configureApt(work)
    await apt('apt-get', ['-qq', 'update'])
    const folder = destination === undefined ? join(parent, `mysql-${await findVersion(apt)}`) : resolve(destination)
    await apt('apt-get', ['-qq', '--download-only', 'install', packageName])
    await unpack(join(work, 'archives'), join(work, 'out'))
    await rm(folder, { recursive: true, force: true })
    await rename(join(work, 'out'), folder)
    return folder
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function findCached(): Promise<string | null> {
  const cache = cacheFolder()
  if (!existsSync(cache)) return null
  const names = (await readdir(cache)).filter((name) => name.startsWith('mysql-') && isComplete(join(cache, name)))
  const newest = names.sort(new Intl.Collator('en', { numeric: true }).compare).at(-1)
  return newest === undefined ? null : join(cache, newest)
}

type Apt = (command: string, args: readonly string[]) => Promise<string>

/** An apt of its own below `work`: own lists, own cache, own empty status, one source. */
async function configureApt(work: string): Promise<Apt> {
  for (const folder of ['state/lists/partial', 'archives/partial', 'parts', 'out']) {
    await mkdir(join(work, folder), { recursive: true })
  }
  await writeFile(join(work, 'status'), '')
  await writeFile(join(work, 'sources.list'), `deb [signed-by=${keyring}] ${await findMirror()} sid main\n`)
  const settings = {
    'Dir::State': `${work}/state`,
    'Dir::State::status': `${work}/status`,
    'Dir::Cache': work,
    'Dir::Cache::archives': `${work}/archives`,
    'Dir::Etc::sourcelist': `${work}/sources.list`,
    'Dir::Etc::sourceparts': `${work}/parts`,
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': `${work}/parts`,
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
    'Acquire::http::Timeout': '30',
    'APT::Sandbox::User': 'root',
    'APT::Get::Assume-Yes': 'true',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`)
  await writeFile(join(work, 'apt.conf'), lines.join(''))
  const env = { ...process.env, APT_CONFIG: join(work, 'apt.conf') }
  return async (command, args) => (await execute(command, args, { env, maxBuffer: 2 ** 26 })).stdout
}

/** The mirror from which this Debian itself is updated. */
async function findMirror(): Promise<string> {
  const { stdout } = await execute('apt-get', ['indextargets', '--format', '$(REPO_URI)'])
  const mirror = stdout.split('\n').find((address) => /\/debian\/?$/.test(address))
  if (mirror === undefined) throw new Error('apt-get knows no mirror of Debian (run "apt-get update" once)')
  return mirror
}

async function findVersion(apt: Apt): Promise<string> {
  const candidate = /Candidate: (\S+)/.exec(await apt('apt-cache', ['policy', packageName]))?.[1]
  if (candidate === undefined || candidate === '(none)') throw new Error(`Debian's unstable distribution has no ${packageName}`)
  return candidate.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
}

async function unpack(archives: string, folder: string): Promise<void> {
  // Perl serves the maintenance scripts only, and is the largest of all.
  const files = (await readdir(archives)).filter((name) => name.endsWith('.deb') && !name.includes('perl'))
  for (const file of files) await execute('dpkg-deb', ['-x', join(archives, file), folder])
  if (!isComplete(folder)) throw new Error(`no mysqld among ${files.join(', ')}`)
}

if (import.meta.main) console.log(await fetchMySQL(process.argv[2]))
